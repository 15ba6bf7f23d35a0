/** SIGINT and SIGTERM while a recording runs: they stop it, and do not end the process. */
#ifndef INFERNO_RECORD_SIGNALS_H
#define INFERNO_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd; // readable when a signal came; see signals_next()
	int write_fd;
	struct sigaction before[2];
};

/** Catch the signals. One that is ignored stays so. Return 0, or -1 with errno set. */
int signals_catch(struct signals *signals);

/** Return the next signal that came, or 0. `*for_all` tells whether a terminal sent it, so that
 * other processes got it, too. */
int signals_next(struct signals *signals, bool *for_all);

/** Do again with the signals what was done before. */
void signals_release(struct signals *signals);

#endif
