/*
 * serial SECONDS PART: computes with one thread for this part of the time, and for the rest with
 * one thread for each processor, but at least two. Each thread is bound to a different processor,
 * because the scheduler may put all threads of a busy machine on one processor. Prints the number
 * of processors, and the elapsed seconds of both parts.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

static volatile unsigned long sink;
static pthread_barrier_t barrier;

static double serial_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void serial_compute(double until) {
	enum { STEPS = 100000 };
	while (serial_now() < until) {
		for (unsigned long i = 0; i < STEPS; i++) {
			__asm__ volatile("" : "+r"(i));
		}
	}
}

__attribute__((noinline)) static void serial_alone(double until) {
	serial_compute(until);
	sink = sink + 1;
}

__attribute__((noinline)) static void *serial_together(void *seconds) {
	pthread_barrier_wait(&barrier);
	serial_compute(serial_now() + *(double *)seconds);
	return seconds;
}

/** Bind a thread to one of the allowed processors. */
static void serial_pin(pthread_t thread, long i) {
	cpu_set_t allowed, one;
	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
		return;
	}
	i %= CPU_COUNT(&allowed);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && i-- == 0) {
			CPU_SET(cpu, &one);
			pthread_setaffinity_np(thread, sizeof(one), &one);
		}
	}
}

int main(int argc, char **argv) {
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	long n = processors < 2 ? 2 : processors > MOST_THREADS ? MOST_THREADS : processors;
	pthread_t threads[MOST_THREADS];
	double part = argc > 2 ? strtod(argv[2], NULL) : 0.9;
	double rest = seconds * (1 - part), start = serial_now();
	serial_alone(start + seconds - rest);
	double middle = serial_now();
	pthread_barrier_init(&barrier, NULL, (unsigned)n);
	for (long i = 0; i < n; i++) {
		pthread_create(&threads[i], NULL, serial_together, &rest);
		serial_pin(threads[i], i);
	}
	for (long i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%ld %.6f %.6f\n", processors, middle - start, serial_now() - middle);
	return 0;
}
