/*
 * brief threads N MICROSECONDS: use the processor for this time in each of N threads, one after the
 * other. brief children N PROGRAM: run a program N times, one after the other. Then print the
 * processor time that this process and its children have used, in seconds.
 */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static volatile unsigned long sink;
static double seconds;

static void *burn(void *unused) {
	struct timespec time;
	do {
		for (unsigned long i = 0; i < 1000; i++) {
			sink = sink + i;
		}
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	} while ((double)time.tv_sec + (double)time.tv_nsec / 1e9 < seconds);
	return unused;
}

static void run(char *program) {
	char *const argv[] = {program, NULL}, *const envp[] = {NULL};
	pid_t pid;
	int status;
	if (posix_spawn(&pid, program, NULL, NULL, argv, envp) == 0) {
		waitpid(pid, &status, 0);
	}
}

static double used(int who) {
	struct rusage usage;
	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
	if (argc < 4) {
		return 2;
	}
	seconds = atof(argv[3]) / 1e6;
	for (int n = atoi(argv[2]); n > 0; n--) {
		pthread_t thread;
		if (strcmp(argv[1], "children") == 0) {
			run(argv[3]);
		} else if (pthread_create(&thread, NULL, burn, NULL) == 0) {
			pthread_join(thread, NULL);
		}
	}
	printf("%.6f\n", used(RUSAGE_SELF) + used(RUSAGE_CHILDREN));
	return 0;
}
