/**
 * Records in the order of their times. Each processor writes its own records in order, and perf
 * collects them in rounds: all processors' buffers one after the other, then a mark. So a record
 * may be older than those of the round before, but not older than those of the round before that.
 */
#ifndef INFERNO_PERFDATA_ORDER_H
#define INFERNO_PERFDATA_ORDER_H

#include "perfdata/records.h"

struct order_item {
	uint64_t time;
	struct record record; // its chunk is held
};

/** The records that wait for their turn. A zeroed struct has none. */
struct order {
	struct order_item *items, *scratch;
	size_t n, capacity, scratch_capacity;
	size_t at, end;  // items that are handed out: those before `end`
	uint64_t newest; // time of all items so far
	uint64_t round;  // the newest time at the end of the last round
	bool rounds;     // there are marks
	uint64_t handed; // the time that was handed out last
	uint64_t late;   // records that came too late for their turn
};

/** Add a record; hold its chunk. */
void order_add(struct order *order, uint64_t time, const struct record *record);

/** Say that a round is over: what is older than the round before may be handed out. */
void order_round(struct order *order);

/** Whether so much waits that some must be handed out although no mark came; see order_half(). */
bool order_is_full(const struct order *order, size_t chunks);

/** Say that the older half may be handed out. */
void order_half(struct order *order);

/** Say that all may be handed out. */
void order_all(struct order *order);

/** Take the next item that may be handed out; NULL if there is none. Valid until the next call that
 * changes the order. The caller lets go of its chunk. */
static inline const struct order_item *order_next(struct order *order) {
	return order->at < order->end ? &order->items[order->at++] : NULL;
}

void order_release(struct order *order);

#endif
