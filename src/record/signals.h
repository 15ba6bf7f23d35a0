/** SIGINT, SIGTERM and SIGHUP while a recording runs: they stop it, and do not end the process. */
#ifndef INFERNO_RECORD_SIGNALS_H
#define INFERNO_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum { SIGNALS_CAUGHT = 3 };

struct signals {
	int fd; // readable when a signal came; see signals_next()
	int write_fd;
	struct sigaction before[SIGNALS_CAUGHT];
};

/** Catch the signals. One that is ignored stays so. Return 0, or -1 with errno set. */
int signals_catch(struct signals *signals);

/** Return the next signal that came, or 0. `*for_all` tells whether a terminal sent it, so that
 * other processes got it, too. */
int signals_next(struct signals *signals, bool *for_all);

/** In a child: undo what was done with the signals, but leave those ignored that were. */
void signals_release_in_child(void);

/** Do again with the signals what was done before. */
void signals_release(struct signals *signals);

#endif
