/* The program that is recorded. */
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 127 }; // status of a child that did not become the program

/** Read until there is something or the end. */
static ssize_t read_some(int fd, void *bytes, size_t size) {
	ssize_t n;
	do {
		n = read(fd, bytes, size);
	} while (n < 0 && errno == EINTR);
	return n;
}

/** Undo what the recorder does with a signal, but leave it ignored if it was. */
static void release_signal(int number) {
	struct sigaction action;
	if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
		signal(number, SIG_DFL);
	}
}

/** In the child: wait, then become the program. A signal that the recorder ignores is not ignored
 * in the program. */
static _Noreturn void become(char *const *program, int go, int problem) {
	char byte;
	if (read_some(go, &byte, 1) != 1) {
		_exit(NOT_STARTED);
	}
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(program[0], program);
	int error = errno;
	ssize_t n = write(problem, &error, sizeof(error));
	_exit(n < 0 ? NOT_STARTED : 0);
}

int workload_fork(struct workload *workload, char *const *program, const struct runtimes *runtimes,
		  struct diag *diag) {
	int go[2] = {-1, -1}, problem[2] = {-1, -1};
	*workload = (struct workload){.go = -1, .problem = -1, .exit_fd = -1};
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); // no signal comes to a child unprepared
	int priority = getpriority(PRIO_PROCESS, (id_t)getpid()); // this thread's may be raised
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(problem, O_CLOEXEC) != 0 ||
	    (workload->pid = fork()) < 0) {
		int error = errno;
		workload->pid = 0;
		for (int i = 0; i < 2; i++) {
			close(go[i]);
			close(problem[i]);
		}
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return diag_error(diag, "cannot start a process: %s", strerror(error));
	}
	if (workload->pid == 0) {
		release_signal(SIGINT);
		release_signal(SIGTERM);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		close(go[1]);
		setpriority(PRIO_PROCESS, 0, priority);
		runtimes_set(runtimes);
		become(program, go[0], problem[1]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(go[0]);
	close(problem[1]);
	workload->go = go[1];
	workload->problem = problem[0];
	workload->exit_fd = (int)syscall(SYS_pidfd_open, workload->pid, 0);
	return 0;
}

int workload_start(struct workload *workload, const char *name, struct diag *diag) {
	int error = 0;
	bool started = write(workload->go, "", 1) == 1;
	// The other end is closed when the child becomes the program.
	ssize_t n = started ? read_some(workload->problem, &error, sizeof(error)) : 0;
	if (n == (ssize_t)sizeof(error)) {
		return diag_error(diag, "cannot run '%s': %s", quote(str_of(name)).text,
				  strerror(error));
	}
	return 0;
}

bool workload_ended(struct workload *workload, bool wait) {
	pid_t found = 0;
	if (workload->pid == 0 || workload->ended) {
		return workload->ended;
	}
	do {
		found = wait4(workload->pid, &workload->status, wait ? 0 : WNOHANG,
			      &workload->usage);
	} while (found < 0 && errno == EINTR);
	workload->ended = found != 0; // also if somebody else waited for it
	return workload->ended;
}

void workload_signal(const struct workload *workload, int number) {
	if (workload->pid != 0 && !workload->ended) {
		kill(workload->pid, number);
	}
}

static void close_one(int fd) {
	if (fd >= 0) {
		close(fd);
	}
}

void workload_release(struct workload *workload) {
	if (workload->pid == 0) {
		return;
	}
	close_one(workload->go); // which ends a child that still waits
	workload_signal(workload, SIGTERM);
	workload_ended(workload, true);
	close_one(workload->problem);
	close_one(workload->exit_fd);
}
