/* Signals that stop a recording. */
#include "record/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

enum { FOR_ALL = 0x80 };

static const int caught[SIGNALS_CAUGHT] = {SIGINT, SIGTERM, SIGHUP};

void signals_release_in_child(void) {
	for (int i = 0; i < SIGNALS_CAUGHT; i++) {
		struct sigaction action;
		if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
			signal(caught[i], SIG_DFL);
		}
	}
}

/** Where the handler writes; -1: no recording runs. A handler has no other way to know. */
static atomic_int handler_fd = -1;

static void on_signal(int number, siginfo_t *about, void *context) {
	(void)context;
	unsigned char byte = (unsigned char)(number | (about->si_code == SI_KERNEL ? FOR_ALL : 0));
	int problem = errno, fd = atomic_load(&handler_fd);
	if (fd < 0 || write(fd, &byte, 1) < 0) {
		errno = problem; // a full pipe holds signals enough
	}
	errno = problem;
}

int signals_catch(struct signals *signals) {
	int fds[2];
	*signals = (struct signals){.fd = -1, .write_fd = -1};
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) {
		return -1;
	}
	signals->fd = fds[0];
	signals->write_fd = fds[1];
	atomic_store(&handler_fd, fds[1]);
	const struct sigaction action = {.sa_sigaction = on_signal,
					 .sa_flags = SA_SIGINFO | SA_RESTART};
	for (int i = 0; i < SIGNALS_CAUGHT; i++) {
		sigaction(caught[i], NULL, &signals->before[i]);
		if (signals->before[i].sa_handler != SIG_IGN) {
			sigaction(caught[i], &action, NULL);
		}
	}
	return 0;
}

int signals_next(struct signals *signals, bool *for_all) {
	unsigned char byte = 0;
	if (read(signals->fd, &byte, 1) != 1) {
		return 0;
	}
	*for_all = (byte & FOR_ALL) != 0;
	return byte & ~FOR_ALL;
}

void signals_release(struct signals *signals) {
	if (signals->fd < 0) {
		return;
	}
	for (int i = 0; i < SIGNALS_CAUGHT; i++) {
		sigaction(caught[i], &signals->before[i], NULL);
	}
	atomic_store(&handler_fd, -1);
	close(signals->fd);
	close(signals->write_fd);
	signals->fd = signals->write_fd = -1;
}
