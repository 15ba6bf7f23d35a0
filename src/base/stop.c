/* Catch signals that ask a run to end. */
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { CAUGHT = 3, FOR_ALL = 0x80, LAST = 3 };

static const int caught[CAUGHT] = {SIGINT, SIGTERM, SIGHUP};

// These variables are global, because a signal handler gets no context.
static struct sigaction before[CAUGHT];
static atomic_int read_end = -1, write_end = -1; // the ends of a pipe; -1: no signal is caught
static atomic_uint count;
static atomic_llong first; // time of the first signal

int64_t stop_now(void) {
	enum { SECOND = 1000, MILLION = 1000000 };
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * SECOND + time.tv_nsec / MILLION;
}

/** Restore the previous handling of a signal, and raise the signal again. */
static void stop_restore(int number) {
	for (int i = 0; i < CAUGHT; i++) {
		if (caught[i] == number) {
			sigaction(number, &before[i], NULL);
			raise(number);
		}
	}
}

static void stop_on_signal(int number, siginfo_t *about, void *context) {
	(void)context;
	unsigned char byte = (unsigned char)(number | (about->si_code == SI_KERNEL ? FOR_ALL : 0));
	int problem = errno, fd = atomic_load(&write_end);
	long long never = 0;
	(void)atomic_compare_exchange_strong(&first, &never, stop_now());
	if (atomic_fetch_add(&count, 1) + 1 >= LAST) {
		stop_restore(number);
	}
	if (fd < 0 || write(fd, &byte, 1) < 0) {
		errno = problem; // ignore the error of a full pipe: its bytes already report that
				 // signals came
	}
	errno = problem;
}

int stop_catch(void) {
	int fds[2];
	if (stop_is_caught()) {
		return 0;
	}
	if (pipe(fds) != 0) {
		return -1;
	}
	for (int i = 0; i < 2; i++) {
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
		fcntl(fds[i], F_SETFL, O_NONBLOCK);
	}
	atomic_store(&count, 0);
	atomic_store(&first, 0);
	atomic_store(&read_end, fds[0]);
	atomic_store(&write_end, fds[1]);
	const struct sigaction action = {.sa_sigaction = stop_on_signal,
					 .sa_flags = SA_SIGINFO | SA_RESTART};
	for (int i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN) {
			sigaction(caught[i], &action, NULL);
		}
	}
	return 0;
}

void stop_release(void) {
	if (!stop_is_caught()) {
		return;
	}
	for (int i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], &before[i], NULL);
	}
	close(atomic_exchange(&write_end, -1));
	close(atomic_exchange(&read_end, -1));
	atomic_store(&first, 0);
}

void stop_release_in_child(void) {
	for (int i = 0; i < CAUGHT; i++) {
		struct sigaction action;
		if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
			signal(caught[i], SIG_DFL);
		}
	}
}

bool stop_is_caught(void) {
	return atomic_load(&write_end) >= 0;
}

int stop_fd(void) {
	return atomic_load(&read_end);
}

int stop_next(bool *for_all) {
	unsigned char byte = 0;
	if (read(stop_fd(), &byte, 1) != 1) {
		return 0;
	}
	*for_all = (byte & FOR_ALL) != 0;
	return byte & ~FOR_ALL;
}

int64_t stop_age(void) {
	long long start = atomic_load(&first);
	return start == 0 ? -1 : atomic_load(&count) > 1 ? INT32_MAX : stop_now() - start;
}

bool stop_is_over(int64_t start, int64_t patience) {
	int64_t age = stop_age();
	return age == INT32_MAX || (age >= patience && stop_now() - start >= patience);
}

int stop_poll(struct pollfd *polled, unsigned n, int64_t patience) {
	enum { SLICE = 20 };
	int64_t start = stop_now();
	int found = 0;
	do {
		found = poll(polled, n, SLICE);
		found = found < 0 && errno == EINTR ? 0 : found;
	} while (found == 0 && !stop_is_over(start, patience));
	return found;
}
