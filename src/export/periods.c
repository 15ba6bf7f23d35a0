/* Turn the samples of threads into periods.
 *
 * A sample with a duration is a period already. A sample without a duration stands for the time
 * until the next sample, so its period is as long as its count. Samples do not come at exactly
 * equal distances. So if a sample comes at most one count after the end of the previous period, its
 * period begins at this end. */
#include "export/periods.h"

#include "profile/unit.h"

enum { PERIODS_LATE = 1000000 }; // number of nanoseconds by which any period may begin late

/** Set the period of a moment. The period begins at `now` or later. Return false if the numbers are
 * too large. */
static bool periods_place(const struct periods *periods, const struct moment *moment, uint64_t now,
			  struct period *period) {
	uint64_t at = moment->from - periods->first, length = moment->count, shift;
	period->node = periods->sited->ends[moment->stack];
	period->from = now;
	if (periods->scale > 0) {
		if (length > INT64_MAX / periods->scale) {
			return false;
		}
		length *= periods->scale;
		// the sum of a stack's times is rounded, so samples with a duration may move by one
		// unit
		shift = moment->to == moment->from ? length : periods->scale;
		period->from = at > now && at - now > shift ? at : now;
	}
	period->to = period->from + length; // the sum fits, because both numbers have at most 63
					    // bits
	return period->to <= INT64_MAX;
}

/** Return whether a period begins near the time of its sample. `largest` is the largest count so
 * far, in nanoseconds, of the thread's samples without a duration. */
static bool periods_is_near(const struct periods *periods, const struct moment *moment,
			    const struct period *period, uint64_t *largest) {
	uint64_t at = moment->from - periods->first, length = period->to - period->from;
	if (moment->to == moment->from && length > *largest) {
		*largest = length;
	}
	return periods->scale == 0 || period->from <= at || period->from - at <= *largest;
}

/** Count the threads. Return whether the samples of all threads can be periods. */
static bool periods_check(struct periods *periods) {
	struct periods_thread thread = {0};
	uint64_t most = 0;
	for (; periods_next_thread(periods, &thread); periods->threads++) {
		uint64_t sum = 0, now = 0, largest = PERIODS_LATE;
		while (moments_next(&thread.moment)) {
			const struct moment *moment = &thread.moment.now;
			struct period period;
			if (!periods_place(periods, moment, now, &period) ||
			    !periods_is_near(periods, moment, &period, &largest)) {
				return false;
			}
			now = period.to;
			sum += moment->count;
		}
		if (sum > most) {
			most = sum;
			periods->heaviest = periods->threads;
		}
	}
	return true;
}

int periods_init(struct periods *periods, struct sited *sited, size_t most, struct diag *diag) {
	const struct profile *profile = sited->view->profile;
	int power = unit_power(buf_str(&profile->unit)), result = sited_take_moments(sited, diag);
	*periods = (struct periods){.sited = sited, .moments = sited->moments};
	if (result != 0 || periods->moments == NULL) {
		return result;
	}
	periods->first = profile->time_buckets->first;
	periods->scale = power < 0 ? 0 : 1;
	for (int i = 0; i < power; i++) {
		periods->scale *= 10;
	}
	const char *reason = sited->nodes[0].count > 0 ? "some stacks have no frames"
			     : !periods_check(periods) ? "samples of a thread overlap"
			     : periods->threads > most ? "the format has no threads"
						       : NULL;
	if (reason != NULL) {
		*periods = (struct periods){.sited = sited};
	} else if (periods->scale == 0) {
		return diag_warn(diag, "the times of samples are left out, but their order is "
				       "kept: the format has one number for time and count");
	}
	return reason == NULL ? 0
			      : diag_warn(diag, "the times of samples are left out: %s", reason);
}

bool periods_next_thread(const struct periods *periods, struct periods_thread *thread) {
	const struct moments *moments = periods->moments;
	const struct time_buckets *buckets = periods->sited->view->profile->time_buckets;
	uint32_t id = thread->index;
	*thread = (struct periods_thread){.name = STR("all"), .index = id + 1};
	if (moments == NULL) {
		return id == 0;
	}
	while (id < moments->threads_n && moments->threads[id].n == 0) {
		id++;
	}
	if (id == moments->threads_n) {
		return false;
	}
	thread->index = id + 1;
	thread->moment = moments_start(moments, id);
	struct str name = intern_str(buckets->threads.keys[id]);
	if (name.n > 0 || moments->threads[id].n < moments->n) {
		thread->name = name.n > 0 ? name : STR("others");
	}
	return true;
}

/** Set the next period if there are no times: the next node with a count. */
static bool periods_next_node(const struct sited *sited, struct periods_thread *thread,
			      struct period *period) {
	while (thread->node < sited->n && sited->nodes[thread->node].count == 0) {
		thread->node++;
	}
	if (thread->node == sited->n) {
		return false;
	}
	uint64_t end = thread->now + sited->nodes[thread->node].count;
	*period = (struct period){(uint32_t)thread->node++, thread->now, end};
	thread->now = end;
	return true;
}

bool periods_next(const struct periods *periods, struct periods_thread *thread,
		  struct period *period) {
	struct period more;
	if (periods->moments == NULL) {
		return periods_next_node(periods->sited, thread, period);
	}
	if (!moments_next(&thread->moment) ||
	    !periods_place(periods, &thread->moment.now, thread->now, period)) {
		return false;
	}
	struct moments_cursor next = thread->moment;
	while (moments_next(&next) && periods_place(periods, &next.now, period->to, &more) &&
	       more.node == period->node && more.from == period->to) {
		period->to = more.to;
		thread->moment = next;
	}
	thread->now = period->to;
	return true;
}

struct period periods_range(const struct periods *periods, struct periods_thread thread,
			    bool *gaps) {
	struct period period = {0}, range = {0};
	*gaps = false;
	for (bool any = false; periods_next(periods, &thread, &period); any = true) {
		range.from = any ? range.from : period.from;
		*gaps |= any && period.from > range.to;
		range.to = period.to;
	}
	return range;
}
