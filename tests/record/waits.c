/*
 * waits SECONDS: runs four threads for this time. One spins, one sleeps, one waits for a lock, and
 * one reads from a pipe that sometimes has a byte. Then prints the time since the start, and the
 * processor time in programs and in the kernel.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static volatile unsigned long sink;

static double now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void *sleep_on(void *until) {
	const struct timespec nap = {.tv_nsec = 20000000};
	while (now() < *(double *)until) {
		nanosleep(&nap, NULL);
	}
	return NULL;
}

__attribute__((noinline)) static void *wait_for_lock(void *until) {
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return until;
}

__attribute__((noinline)) static void *read_pipe(void *until) {
	char byte;
	while (read(ends[0], &byte, 1) == 1) {
		sink = sink + 1;
	}
	return until;
}

__attribute__((noinline)) static void spin(double until) {
	enum { STEPS = 2000000 };
	while (now() < until) {
		for (unsigned long i = 0; i < STEPS; i++) {
			sink = sink + i;
		}
		if (write(ends[1], "", 1) != 1) {
			exit(1);
		}
	}
}

static double time_of(const struct timeval *time) {
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv) {
	static void *(*const works[])(void *) = {sleep_on, wait_for_lock, read_pipe};
	enum { OTHERS = 3 };
	pthread_t threads[OTHERS];
	struct rusage usage;
	double start = now();
	double until = start + (argc > 1 ? strtod(argv[1], NULL) : 1);
	pthread_mutex_lock(&lock);
	if (pipe(ends) != 0) {
		return 1;
	}
	for (int i = 0; i < OTHERS; i++) {
		pthread_create(&threads[i], NULL, works[i], &until);
	}
	spin(until);
	pthread_mutex_unlock(&lock);
	close(ends[1]);
	for (int i = 0; i < OTHERS; i++) {
		pthread_join(threads[i], NULL);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%.6f %.6f %.6f\n", now() - start, time_of(&usage.ru_utime),
	       time_of(&usage.ru_stime));
	return 0;
}
