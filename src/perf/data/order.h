/**
 * Records in the order of their times. Each processor writes its own records in order. perf
 * collects records in rounds: the buffers of all processors one after the other, then a mark. So a
 * record may be older than records of the previous round, but never older than records of the round
 * before the previous one.
 */
#ifndef INFERNO_PERFDATA_ORDER_H
#define INFERNO_PERFDATA_ORDER_H

#include "perf/data/records.h"

struct order_item {
	uint64_t time;
	struct record record; // the record holds its chunk
};

/** Records that wait for their turn. A zeroed struct has no records. */
struct order {
	struct order_item *items, *scratch;
	size_t n, capacity, scratch_capacity;
	size_t at, end;          // items before `end` may be handed out
	uint64_t oldest, newest; // the latest time of all items so far; 0: the items have no times
	uint64_t round;          // the newest time at the end of the last round
	bool rounds;             // whether the recording has the marks that end rounds
	uint64_t handed;         // time of the last record that was handed out
	uint64_t late;           // number of records that came too late for their turn
};

/** Add a record, and keep its chunk in memory. */
void order_add(struct order *order, uint64_t time, const struct record *record);

/** Note the time of a record that needs no order. */
void order_note(struct order *order, uint64_t time);

/** End a round. Records that are not newer than the newest record at the end of the previous round
 * may now be handed out. */
void order_round(struct order *order);

/** Return whether too many records wait, so that some of them must be handed out before the next
 * mark; see order_half(). */
bool order_is_full(const struct order *order, size_t chunks);

/** Allow the older half of the waiting records to be handed out. */
void order_half(struct order *order);

/** Allow all records to be handed out. */
void order_all(struct order *order);

/** Return the next item that may be handed out, or NULL. The item is valid until the next call that
 * changes the order. The caller releases the item's chunk. */
static inline const struct order_item *order_next(struct order *order) {
	return order->at < order->end ? &order->items[order->at++] : NULL;
}

void order_release(struct order *order);

#endif
