/**
 * Put records in the order of their times. The kernel has one buffer for each processor, with
 * records in order. perf reads the buffers in rounds: in each round, all buffers one after another,
 * and then it writes a mark. So a record may be older than records of the previous round. A record
 * is never older than records of the round before the previous round.
 */
#pragma once

#include "perf/data/records.h"

struct order_item {
	uint64_t time;
	struct record record; // the record, which keeps its chunk in use
};

/** Records that wait until all older records have come. A zeroed struct has no records. */
struct order {
	struct order_item *items, *scratch;
	size_t n, capacity, scratch_capacity;
	size_t at, end;          // order_next() may return the items from `at` to before `end`
	uint64_t oldest, newest; // the earliest and the latest time of all items so far; 0: the
				 // items have no times
	uint64_t round;          // latest time at the end of the last round
	bool rounds;             // the recording has marks that end rounds
	uint64_t handed;         // time of the last record that order_next() returned
	uint64_t late;           // number of records that came after newer records were returned
};

/** Add a record, and keep its chunk in memory. */
void order_add(struct order *order, uint64_t time, const struct record *record);

/** Remember the time of a record whose order does not matter. */
void order_note(struct order *order, uint64_t time);

/** End a round. order_next() may then return all records that are not newer than the newest record
 * at the end of the previous round. */
void order_round(struct order *order);

/** Return whether too many records wait. The caller then calls order_half(), even though no mark
 * has come. */
bool order_is_full(const struct order *order, size_t chunks);

/** Let order_next() return the older half of the waiting records. */
void order_half(struct order *order);

/** Let order_next() return all records. */
void order_all(struct order *order);

/** Return the next item in the order of time, or NULL if no item may be returned yet. The item is
 * valid until the next call that changes the order. The caller releases the item's chunk. */
static inline const struct order_item *order_next(struct order *order) {
	return order->at < order->end ? &order->items[order->at++] : NULL;
}

void order_release(struct order *order);
