/* Put records in the order of their times. */
#include "perf/data/order.h"

#include <stdlib.h>

#include "base/mem.h"

/** Drop the records that were returned already. */
static void order_drop(struct order *order) {
	if (order->at > 0) {
		memmove(order->items, order->items + order->at,
			(order->n - order->at) * sizeof(*order->items));
		order->n -= order->at;
		order->end -= order->at;
		order->at = 0;
	}
}

void order_note(struct order *order, uint64_t time) {
	bool older = time != 0 && (order->oldest == 0 || time < order->oldest);
	order->oldest = older ? time : order->oldest;
	order->newest = time > order->newest ? time : order->newest;
}

void order_add(struct order *order, uint64_t time, const struct record *record) {
	*MEM_APPEND(order->items, order->n, order->capacity) = (struct order_item){time, *record};
	order_note(order, time);
	order->late += time < order->handed;
}

/** Return the end of the run that starts at `from`. In a run, times are in ascending order. */
static size_t order_end_of_run(const struct order_item *items, size_t from, size_t n) {
	size_t end = from + 1;
	while (end < n && items[end - 1].time <= items[end].time) {
		end++;
	}
	return end < n ? end : n;
}

/** Merge items[a..b) and items[b..c), both in order, into `out`. Items with equal times keep their
 * order. */
static void order_merge(const struct order_item *items, size_t a, size_t b, size_t c,
			struct order_item *out) {
	size_t left = a, right = b;
	for (size_t i = a; i < c; i++) {
		bool take_left = right == c || (left < b && items[left].time <= items[right].time);
		out[i] = take_left ? items[left++] : items[right++];
	}
}

/** Merge neighbouring runs in one pass. Return whether one run is left. */
static bool order_merge_runs(struct order *order) {
	struct order_item *items = order->items, *out = order->scratch;
	size_t n = order->n, runs = 0;
	for (size_t a = 0; a < n; runs++) {
		size_t b = order_end_of_run(items, a, n);
		size_t c = b < n ? order_end_of_run(items, b, n) : n;
		order_merge(items, a, b, c, out);
		a = c;
	}
	order->items = out;
	order->scratch = items;
	size_t capacity = order->capacity;
	order->capacity = order->scratch_capacity;
	order->scratch_capacity = capacity;
	return runs <= 1;
}

/** Sort the items by time. This takes little time, because records come in sorted runs, one run for
 * each processor. */
static void order_sort(struct order *order) {
	order_drop(order);
	if (order_end_of_run(order->items, 0, order->n) >= order->n) {
		return;
	}
	MEM_GROW(order->scratch, order->scratch_capacity, order->n);
	while (!order_merge_runs(order)) {
	}
}

/** Let order_next() return all items up to a time. */
static void order_hand_out(struct order *order, uint64_t time) {
	order_sort(order);
	size_t end = 0;
	for (size_t step = order->n; step > 0; step /= 2) { // find the first item after `time`
		while (end + step <= order->n && order->items[end + step - 1].time <= time) {
			end += step;
		}
	}
	order->end = end;
	if (end > 0) {
		order->handed = order->items[end - 1].time;
	}
}

void order_round(struct order *order) {
	if (order->rounds || order->round > 0) {
		order_hand_out(order, order->round);
	}
	order->rounds = true;
	order->round = order->newest;
}

bool order_is_full(const struct order *order, size_t chunks) {
	// In a recording with marked rounds, only a damaged round exceeds these limits.
	enum { ITEMS = 1 << 18, CHUNKS = 64, TIMES_WITH_ROUNDS = 8 };
	size_t times = order->rounds ? TIMES_WITH_ROUNDS : 1;
	return order->n - order->at > ITEMS * times || chunks > CHUNKS * times;
}

void order_half(struct order *order) {
	order_sort(order);
	if (order->n > 0) {
		order_hand_out(order, order->items[order->n / 2].time);
	}
}

void order_all(struct order *order) {
	order_hand_out(order, UINT64_MAX);
}

void order_release(struct order *order) {
	free(order->items);
	free(order->scratch);
}
