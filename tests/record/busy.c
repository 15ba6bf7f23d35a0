/*
 * busy SECONDS [STATUS [THREADS]]: use processor time, three quarters of it in burn_much() and the
 * rest in burn_little(), then end with a status. Each thread uses this much time.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 256 };

static volatile unsigned long sink;
static double seconds;

static double used(void) {
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline __attribute__((always_inline)) void burn(double until) {
	enum { STEPS = 200000 };
	while (used() < until) {
		for (unsigned long i = 0; i < STEPS; i++) {
			sink = sink + i;
		}
	}
}

__attribute__((noinline)) static void burn_much(void) {
	burn(seconds * 3 / 4);
}

__attribute__((noinline)) static void burn_little(void) {
	burn(seconds);
}

static void *work(void *unused) {
	burn_much();
	burn_little();
	return unused;
}

int main(int argc, char **argv) {
	pthread_t threads[MOST_THREADS];
	seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	int n = argc > 3 ? atoi(argv[3]) : 1;
	for (int i = 1; i < n && i < MOST_THREADS; i++) {
		pthread_create(&threads[i], NULL, work, NULL);
	}
	work(NULL);
	for (int i = 1; i < n && i < MOST_THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
