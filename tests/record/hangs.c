/*
 * hangs: a program that does nothing. The first thread sleeps, and the others wait for a lock, a
 * byte of a pipe, and events. The program prints a line when all waits have begun, and a line if a
 * wait ends.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], events;

static void say(const char *text) {
	if (write(STDOUT_FILENO, text, 6) != 6) {
		exit(1);
	}
}

__attribute__((noinline)) static void *wait_for_lock(void *unused) {
	pthread_mutex_lock(&lock);
	say("ended\n");
	return unused;
}

__attribute__((noinline)) static void *read_pipe(void *unused) {
	char byte;
	ssize_t n = read(ends[0], &byte, 1);
	say("ended\n");
	return n == 1 ? unused : NULL;
}

__attribute__((noinline)) static void *wait_for_events(void *unused) {
	struct epoll_event event;
	int n = epoll_wait(events, &event, 1, -1);
	say("ended\n");
	return n == 1 ? unused : NULL;
}

__attribute__((noinline)) static void hang(void) {
	const unsigned seconds = 1000;
	(void)sleep(seconds);
	say("ended\n");
}

/** Return how many threads of this process wait. */
static int count_waiting(void) {
	int waiting = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) {
		char path[300], state = 0;
		snprintf(path, sizeof(path), "/proc/self/task/%s/stat", task->d_name);
		FILE *file = fopen(path, "re");
		if (file != NULL) {
			waiting += fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
			fclose(file);
		}
	}
	closedir(tasks);
	return waiting;
}

int main(void) {
	static void *(*const works[])(void *) = {wait_for_lock, read_pipe, wait_for_events};
	enum { OTHERS = 3, MOMENT_US = 200000 };
	pthread_t thread;
	pthread_mutex_lock(&lock);
	events = epoll_create1(0);
	if (pipe(ends) != 0 || events < 0) {
		return 1;
	}
	for (int i = 0; i < OTHERS; i++) {
		pthread_create(&thread, NULL, works[i], NULL);
	}
	do {
		usleep(MOMENT_US); // a thread may also wait for a moment while it starts
	} while (count_waiting() < OTHERS);
	say("ready\n");
	hang();
	return 0;
}
