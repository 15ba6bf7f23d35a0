/** Handing work to one other thread, in order. The caller fills a place, and sends it; the thread
 * works on the places in the order in which they were sent. */
#ifndef INFERNO_RELAY_H
#define INFERNO_RELAY_H

#include <stddef.h>

struct relay;

/** Start a thread that calls work(context, place) for each place that is sent, 0 to `places` - 1.
 * It takes no signals. Return NULL if it cannot be started. */
struct relay *relay_new(size_t places, void (*work)(void *context, size_t place), void *context);

/** Return a place to fill. Wait until one is free. */
size_t relay_place(struct relay *relay);

/** Send the place that relay_place() has returned. */
void relay_send(struct relay *relay);

/** Wait until the thread is done with all that was sent. */
void relay_wait(struct relay *relay);

/** Wait, end the thread, and release everything; NULL is allowed. */
void relay_free(struct relay *relay);

#endif
