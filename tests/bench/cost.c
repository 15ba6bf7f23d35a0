/*
 * cost COMMAND [ARGUMENT...]: runs a command, and writes its cost to descriptor 3: processor
 * seconds, user plus system; elapsed seconds; peak memory as getrusage() counts it. Ends with the
 * command's status.
 *
 * The peak memory of a process includes that of its parent at the fork, so a program that measures
 * small programs must be small itself.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORT = 3 };

static double cost_seconds(struct timeval time) {
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double cost_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
	if (argc < 2 || fcntl(REPORT, F_SETFD, FD_CLOEXEC)) {
		fputs("usage: cost COMMAND [ARGUMENT...] 3>REPORT\n", stderr);
		return 2;
	}
	double began = cost_now();
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	int status;
	struct rusage used;
	if (child < 0 || waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &used)) {
		perror("cost");
		return 2;
	}
	dprintf(REPORT, "%.6f %.6f %ld\n",
		cost_seconds(used.ru_utime) + cost_seconds(used.ru_stime), cost_now() - began,
		used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
