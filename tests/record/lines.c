/* lines SECONDS: uses nearly all of its processor time in one line of an inlined function. */
#include <stdlib.h>
#include <time.h>

static inline __attribute__((always_inline)) unsigned lines_mix(unsigned x) {
	x += 7;
	return x / (x % 3 + 5) + x / (x % 5 + 3) + x / (x % 7 + 1) + x / (x % 9 + 2); /* hot */
}

__attribute__((noinline)) static unsigned lines_hash(unsigned n) {
	unsigned x = n;
	for (unsigned i = 0; i < n; i++) {
		x = lines_mix(x) + (i ^ n); /* calls hot */
	}
	return x;
}

__attribute__((noinline)) static unsigned lines_work(unsigned n) {
	unsigned x = lines_hash(n); /* calls hash */
	return x + 1;
}

int main(int argc, char **argv) {
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	unsigned x = 0;
	while (clock() < end) {
		x += lines_work(1000000);
	}
	return x == 1;
}
