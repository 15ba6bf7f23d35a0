/* Spins in the program and in its library. tests/record/containers compiles this file several
 * times: with another NAME, only the names of the functions differ. With LIBRARY, it becomes the
 * library, otherwise the program, whose argument is the number of seconds to run. */
#include <stdlib.h>
#include <time.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

void library_spin(volatile unsigned long *sum);

#define SPIN(sum)                                     \
	for (unsigned long i = 0; i < 2000000; i++) { \
		*(sum) += i ^ *(sum);                 \
	}

#ifdef LIBRARY

static __attribute__((noinline)) void JOIN(library_, NAME)(volatile unsigned long *sum) {
	SPIN(sum)
}

void library_spin(volatile unsigned long *sum) {
	JOIN(library_, NAME)(sum);
	*sum += 1;
}

#else

static __attribute__((noinline)) void JOIN(program_, NAME)(volatile unsigned long *sum) {
	SPIN(sum)
}

int main(int argc, char **argv) {
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	time_t end = time(NULL) + (time_t)seconds + 1;
	volatile unsigned long sum = 0;
	while (time(NULL) < end) {
		JOIN(program_, NAME)(&sum);
		library_spin(&sum);
	}
	return 0;
}

#endif
