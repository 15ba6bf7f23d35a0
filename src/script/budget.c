/* A limit for the processor time that is spent on reading stacks. */
#include "script/budget.h"

enum {
	BUDGET_INTERVAL = 100000000, // ns; short enough for programs that run for a second
	BUDGET_STRIDE_MOST = 1000,
};

uint32_t budget_next(struct budget *budget) {
	uint32_t counts_for = budget->skipped + 1;
	if (counts_for < budget->stride) {
		budget->skipped++;
		budget->left_out++;
		return 0;
	}
	budget->skipped = 0;
	budget->read++;
	return counts_for;
}

/** Return the smallest stride for which reading takes no more than the allowed time. `time` is the
 * length of the interval so far, in nanoseconds; `budget->spent` nanoseconds of it were spent on
 * reading. */
static uint32_t budget_stride(const struct budget *budget, uint64_t time) {
	const double percent = 100, most = BUDGET_STRIDE_MOST;
	double allowed = (double)time * BUDGET_PERCENT / percent;
	double stride = (double)(budget->stride + (budget->stride == 0)) * (double)budget->spent;
	stride = stride / allowed + 1;
	return (uint32_t)(stride < most ? stride : most);
}

void budget_spend(struct budget *budget, uint64_t now, uint64_t cost) {
	enum { FARTHEST = 4, WEIGHT = 8 }; // the average follows the costs of about 8 reads
	if (budget->usual != 0 && cost > FARTHEST * budget->usual) {
		cost = FARTHEST * budget->usual;
	}
	budget->usual = budget->usual == 0
				? cost
				: (budget->usual * (WEIGHT - 1) + cost + WEIGHT - 1) / WEIGHT;
	budget->spent += cost;
	if (budget->since == 0) {
		budget->since = now;
	}
	if (now < budget->since + BUDGET_INTERVAL) {
		return;
	}
	uint32_t wanted = budget_stride(budget, now - budget->since);
	// Lower the stride slowly, because a program may go back to its deep stacks soon.
	budget->stride = wanted >= budget->stride
				 ? wanted
				 : budget->stride - (budget->stride - wanted + 1) / 2;
	budget->widest = budget->stride > budget->widest ? budget->stride : budget->widest;
	budget->since = now;
	budget->spent = 0;
}
