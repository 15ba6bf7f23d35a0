/* Do work in a child process. */
#include "base/isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"

/* --- In the child ---------------------------------------------------------------------------- */

static struct {
	int fd;
	pthread_mutex_t lock;
} isolated_parent = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static bool isolated_write(const void *bytes, size_t size) {
	const char *at = bytes;
	while (size > 0) {
		ssize_t n = write(isolated_parent.fd, at, size);
		if (n < 0 && errno != EINTR) {
			return false;
		}
		at += n < 0 ? 0 : n;
		size -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

int isolated_send(const struct isolated_piece *piece, const void *bytes) {
	pthread_mutex_lock(&isolated_parent.lock);
	bool sent = isolated_write(piece, sizeof(*piece)) && isolated_write(bytes, piece->size);
	pthread_mutex_unlock(&isolated_parent.lock);
	return sent ? 0 : -1;
}

/** Report to the parent that memory ran out, and end the process. Allocate no memory. */
static void isolated_out_of_memory(void) {
	const struct isolated_piece piece = {.kind = ISOLATED_NO_MEMORY};
	(void)isolated_send(&piece, NULL);
	_exit(1);
}

/** Restore the default action of every signal that is not ignored, because the signal handlers of
 * the program must not run in its child process. Ignore SIGPIPE, and block no signal. */
static void isolated_reset_signals(void) {
	sigset_t none;
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
			(void)signal(number, SIG_DFL);
		}
	}
	(void)signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/** Return how many bytes of address space this process uses, or 0 if this is not known. */
static uint64_t isolated_used(void) {
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	if (file != NULL) {
		pages = fscanf(file, "%llu", &pages) == 1 ? pages : 0;
		(void)fclose(file);
	}
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void isolated_limit_memory(uint64_t memory) {
	struct rlimit limit;
	uint64_t most = isolated_used() + memory;
	if (memory > 0 && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > most) {
		limit.rlim_cur = most;
		(void)setrlimit(RLIMIT_AS, &limit);
	}
}

static _Noreturn void isolated_be_child(const struct isolated *isolated, int fd) {
	isolated_parent.fd = fd;
	mem_on_exhaustion(isolated_out_of_memory);
	isolated_reset_signals();
	isolated_limit_memory(isolated->memory);
	isolated->work(isolated->context);
	_exit(0); // exit() would flush the buffers copied from the parent and run its atexit()
		  // functions
}

/* --- In the parent --------------------------------------------------------------------------- */

struct isolated_child {
	const struct isolated *isolated;
	pid_t pid;
	int fd;
	bool is_stopped, has_end, lacks_memory;
	struct buf bytes;
};

/** Wait until the child process has written bytes or has ended. If the work should stop, send the
 * child process one signal. */
static void isolated_wait(struct isolated_child *child) {
	enum { TENTH = 100 };
	struct pollfd pipe = {.fd = child->fd, .events = POLLIN};
	do {
		if (!child->is_stopped && child->isolated->is_stopped(child->isolated->context)) {
			child->is_stopped = true;
			(void)kill(child->pid, SIGTERM);
		}
	} while (poll(&pipe, 1, TENTH) == 0);
}

/** Read exactly `size` bytes. Return false if the pipe ends earlier. */
static bool isolated_read(struct isolated_child *child, void *bytes, size_t size) {
	char *at = bytes;
	while (size > 0) {
		isolated_wait(child);
		ssize_t n = read(child->fd, at, size);
		if (n == 0 || (n < 0 && errno != EINTR)) {
			return false;
		}
		at += n < 0 ? 0 : n;
		size -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

/** Pass each piece to the caller's function take(). If take() returns -1, drop all further pieces
 * of the result, and let the child end by itself. */
static void isolated_take(void *context) {
	struct isolated_child *child = context;
	struct isolated_piece piece;
	bool refused = false;
	while (isolated_read(child, &piece, sizeof(piece))) {
		buf_clear(&child->bytes);
		char *room = buf_room(&child->bytes, piece.size + 1);
		if (!isolated_read(child, room, piece.size)) {
			break;
		}
		room[piece.size] = '\0';
		child->has_end |= piece.kind == ISOLATED_END;
		child->lacks_memory |= piece.kind == ISOLATED_NO_MEMORY;
		if (!refused || piece.kind != ISOLATED_BYTES) {
			refused |=
				child->isolated->take(child->isolated->context, &piece, room) != 0;
		}
	}
}

/** Wait for the end of the child. If the child ended without ISOLATED_END, report the reason,
 * unless `diag` is NULL. Return the same as isolated_run(). */
static int isolated_finish(const struct isolated_child *child, struct diag *diag) {
	int status = 0;
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (child->lacks_memory) {
		return 1;
	}
	if (child->has_end || diag == NULL) {
		return 0;
	}
	return child->is_stopped ? diag_error(diag, "cancelled")
	       : WIFSIGNALED(status)
		       ? diag_error(diag, "the process of the job was ended by signal %d",
				    WTERMSIG(status))
		       : diag_error(diag, "the process of the job ended early");
}

int isolated_run(const struct isolated *isolated, struct diag *diag) {
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return diag_error(diag, "cannot make a pipe: %s", strerror(errno));
	}
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		isolated_be_child(isolated, ends[1]);
	}
	bool exhausted = pid < 0 && errno == ENOMEM;
	int result = pid < 0 ? diag_error(diag, "cannot start a process: %s", strerror(errno)) : 0;
	close(ends[1]);
	struct isolated_child child = {.isolated = isolated, .pid = pid, .fd = ends[0]};
	if (pid > 0 && !guard_run(guard_owner(), isolated_take, &child)) {
		exhausted = true;
		(void)kill(pid, SIGKILL);
	}
	close(ends[0]);
	result = pid > 0 ? isolated_finish(&child, exhausted ? NULL : diag) : result;
	if (exhausted) {
		inferno_out_of_memory();
	}
	buf_release(&child.bytes);
	return result;
}
