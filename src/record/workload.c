/* The program that is recorded. */
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cannot_run.h"
#include "base/stop.h"
#include "record/proc.h"

enum { NOT_STARTED = 127 }; // exit status of a child that could not run the program

/** Read some bytes, like read(), but go on after a signal. */
static ssize_t workload_read_some(int fd, void *bytes, size_t size) {
	ssize_t n;
	do {
		n = read(fd, bytes, size);
	} while (n < 0 && errno == EINTR);
	return n;
}

/** Try to become the program in a file. A text file without `#!` is run as a script by the shell,
 * as shells themselves do. `shell` has room for the words of this command. Return only after a
 * failure, with errno set. */
static void workload_try_file(const char *path, char *const *program, char **shell) {
	static char name[] = "/bin/sh";
	execv(path, program);
	if (errno == ENOEXEC && is_shell_text(path)) {
		size_t n = 0;
		shell[n++] = name;
		shell[n++] = (char *)(uintptr_t)path; // exec() does not change the words
		for (size_t i = 1; program[0] != NULL && program[i] != NULL; i++) {
			shell[n++] = program[i];
		}
		shell[n] = NULL;
		execv(name, shell);
		errno = ENOEXEC;
	}
}

/** Become a program that is searched in PATH. Return only after a failure, with errno set. The
 * function allocates no memory, because a thread of the recorder may have held the lock of
 * malloc() at the time of the fork. */
static void workload_search(char *const *program, char **shell) {
	const char *folders = getenv("PATH");
	struct str rest = str_of(folders == NULL ? "/bin:/usr/bin" : folders);
	bool denied = false;
	errno = ENOENT;
	while (rest.n > 0) {
		char path[PATH_MAX];
		struct str folder = str_cut(&rest, ':');
		int n = snprintf(path, sizeof(path), "%.*s%s%s", (int)folder.n, folder.p,
				 folder.n > 0 ? "/" : "", program[0]);
		if (n < 0 || (size_t)n >= sizeof(path)) {
			continue;
		}
		workload_try_file(path, program, shell);
		denied |= errno == EACCES;
		if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
			return;
		}
	}
	errno = denied ? EACCES : ENOENT;
}

/** In the child: wait, then become the program. The recorder ignores SIGPIPE and SIGXFSZ, but the
 * program does not. */
static _Noreturn void workload_become(char *const *program, char **shell, int go, int problem) {
	char byte;
	if (workload_read_some(go, &byte, 1) != 1) {
		_exit(NOT_STARTED);
	}
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (strchr(program[0], '/') != NULL) {
		workload_try_file(program[0], program, shell);
	} else {
		workload_search(program, shell);
	}
	int error = errno;
	ssize_t n = write(problem, &error, sizeof(error));
	_exit(n < 0 ? NOT_STARTED : 0);
}

/** Return an array for the words of a program, with room for further words. */
static char **workload_shell_words(char *const *program) {
	enum { MORE = 3 }; // number of further words: the shell, the script, NULL
	size_t n = 0;
	while (program[n] != NULL) {
		n++;
	}
	return mem_new(n + MORE, sizeof(char *));
}

int workload_fork(struct workload *workload, char *const *program, const struct runtimes *runtimes,
		  struct diag *diag) {
	int go[2] = {-1, -1}, problem[2] = {-1, -1};
	*workload = (struct workload){.go = -1, .problem = -1, .exit_fd = -1};
	sigset_t all, before;
	char **shell = workload_shell_words(program);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); // the child has not set its handlers yet
	// of the main thread, because this thread may have another priority
	int priority = getpriority(PRIO_PROCESS, (id_t)getpid());
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(problem, O_CLOEXEC) != 0 ||
	    (workload->pid = fork()) < 0) {
		int error = errno;
		workload->pid = 0;
		for (int i = 0; i < 2; i++) {
			close(go[i]);
			close(problem[i]);
		}
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		free(shell);
		return diag_error(diag, "cannot start a process: %s", strerror(error));
	}
	if (workload->pid == 0) {
		stop_release_in_child();
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		close(go[1]);
		setpriority(PRIO_PROCESS, 0, priority);
		runtimes_set(runtimes);
		workload_become(program, shell, go[0], problem[1]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	free(shell);
	close(go[0]);
	close(problem[1]);
	workload->go = go[1];
	workload->problem = problem[0];
	workload->exit_fd = (int)syscall(SYS_pidfd_open, workload->pid, 0);
	return 0;
}

/** Write the byte that a child waits for. Return 0 or an errno. */
static int workload_send_start(int fd) {
	ssize_t n;
	do {
		n = write(fd, "", 1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : n < 0 ? errno : EIO;
}

int workload_start(struct workload *workload, const char *name, struct diag *diag) {
	int error = 0, unsent = workload_send_start(workload->go);
	if (unsent != 0) {
		workload_release(workload); // otherwise the child would wait for ever
		return diag_error(diag, "cannot start '%s': %s", quote(str_of(name)).text,
				  strerror(unsent));
	}
	// The other end of the pipe is closed when the child becomes the program. Limit the wait,
	// because reading the program's file may hang.
	struct pollfd problem = {.fd = workload->problem, .events = POLLIN};
	if (stop_poll(&problem, 1, STOP_STALLED) == 0) {
		workload_signal(workload, SIGKILL);
		return diag_error(diag, "'%s' was stopped before it started",
				  quote(str_of(name)).text);
	}
	ssize_t n = workload_read_some(workload->problem, &error, sizeof(error));
	if (n == (ssize_t)sizeof(error)) {
		return cannot_run(diag, name, error);
	}
	return 0;
}

bool workload_ended(struct workload *workload, bool wait) {
	pid_t found = 0;
	if (workload->pid == 0 || workload->ended || workload->left) {
		return workload->ended || workload->left;
	}
	do {
		found = wait4(workload->pid, &workload->status, wait ? 0 : WNOHANG,
			      &workload->usage);
	} while (found < 0 && errno == EINTR);
	// The child has ended, too, if another part of this process has waited for it.
	workload->ended = found != 0;
	return workload->ended;
}

void workload_signal(const struct workload *workload, int number) {
	if (workload->pid != 0 && !workload->ended && !workload->left) {
		kill(workload->pid, number);
	}
}

static struct timeval workload_time_of(double seconds) {
	const double million = 1e6;
	time_t whole = (time_t)seconds;
	return (struct timeval){.tv_sec = whole,
				.tv_usec = (suseconds_t)((seconds - (double)whole) * million)};
}

void workload_leave(struct workload *workload) {
	struct proc_time used = proc_used((int32_t)workload->pid);
	workload->left = true;
	workload->usage.ru_utime = workload_time_of(used.user);
	workload->usage.ru_stime = workload_time_of(used.system);
}

/** Wait for the end of a child after a signal was sent to it. Give up if this process gets a
 * signal, or if the child cannot end. */
static void workload_wait_for_end(struct workload *workload) {
	const struct timespec pause = {.tv_nsec = 5000000};
	int64_t start = stop_now();
	while (!workload_ended(workload, !stop_is_caught())) {
		if (stop_is_over(start, STOP_STALLED)) {
			workload_signal(workload, SIGKILL);
			workload->left = true;
		}
		nanosleep(&pause, NULL);
	}
}

static void workload_close_one(int *fd) {
	if (*fd >= 0) {
		close(*fd);
	}
	*fd = -1;
}

void workload_release(struct workload *workload) {
	if (workload->pid == 0) {
		return;
	}
	workload_close_one(&workload->go); // this ends a child that still waits
	if (!workload->left) {
		workload_signal(workload, SIGTERM);
		workload_wait_for_end(workload);
	}
	workload_close_one(&workload->problem);
	workload_close_one(&workload->exit_fd);
}
