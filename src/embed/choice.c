/* Choose the frames and names of a large profile that go into the file. */
#include "embed/choice.h"

#include <stdlib.h>

#include "base/num.h"

enum { DIGIT = 16, DIGITS = 1 << DIGIT }; // a digit: bits of a weight that are examined together

/** Return the number of bytes that a number takes, with seven bits in each. */
static uint32_t choice_size_of(uint64_t number) {
	return (uint32_t)(64 - __builtin_clzll(number | 1) + 6) / 7;
}

/** Return the number of bytes that a frame takes: its level, the number of its name, its position,
 * and its count. */
static uint64_t choice_frame_cost(uint64_t total) {
	return 5 + choice_size_of(total);
}

/** Estimate the bytes of a name with a weight: the part that differs from the previous name, its
 * colour, and the count that a search for it misses. An estimate is used because reading all names
 * would take longer than the choice. */
static uint64_t choice_name_cost(uint64_t weight) {
	return 10 + choice_size_of(weight);
}

/** Return the weight of a count: the count itself, except that all drawn frames have the same
 * weight. */
static uint64_t choice_weigh(const struct offer *offer, uint64_t count) {
	return count < offer->drawn ? count : offer->drawn;
}

void offer_init(struct offer *offer, const struct tree *tree, const struct profile *profile,
		uint64_t drawn) {
	uint32_t n = profile->names.table.count;
	*offer = (struct offer){
		.tree = tree,
		.drawn = drawn,
		.names_n = n,
		.names = mem_new(n, sizeof(*offer->names)),
	};
	for (size_t i = 1; i < tree->n; i++) {
		uint64_t *weight = &offer->names[tree->frames[i].name];
		if (*weight == 0) {
			ids_push(&offer->order, tree->frames[i].name);
		}
		if (!num_add(*weight, tree->totals[i], weight)) {
			*weight = UINT64_MAX;
		}
		offer->cost += choice_frame_cost(tree->totals[i]);
	}
	for (uint32_t id = 0; id < n; id++) {
		offer->cost += choice_name_cost(offer->names[id]);
	}
}

/**
 * Add up the costs of frames and names by one digit of their weights, the digit at `shift`. Skip
 * frames and names whose higher digits are not `above`.
 */
static void choice_add_up(const struct offer *offer, unsigned shift, uint64_t above,
			  uint64_t *sums) {
	const struct tree *tree = offer->tree;
	uint64_t mask = shift + DIGIT < 64 ? ~UINT64_C(0) << (shift + DIGIT) : 0;
	memset(sums, 0, DIGITS * sizeof(*sums));
	for (size_t i = 1; i < tree->n; i++) {
		uint64_t weight = choice_weigh(offer, tree->totals[i]);
		if ((weight & mask) == above) {
			sums[weight >> shift & (DIGITS - 1)] += choice_frame_cost(tree->totals[i]);
		}
	}
	for (uint32_t id = 0; id < offer->names_n; id++) {
		uint64_t weight = choice_weigh(offer, offer->names[id]);
		if ((weight & mask) == above) {
			sums[weight >> shift & (DIGITS - 1)] += choice_name_cost(offer->names[id]);
		}
	}
}

/**
 * Find the weight at which the budget is used up, digit by digit, as a radix sort would. Set
 * `*spent` to the cost of all frames and names with a larger weight. Return false if the budget is
 * enough for everything.
 */
static bool choice_find_limit(const struct offer *offer, uint64_t budget, uint64_t *limit,
			      uint64_t *spent) {
	uint64_t *sums = mem_new(DIGITS, sizeof(*sums));
	*limit = *spent = 0;
	unsigned shift =
		(64 - (unsigned)__builtin_clzll(offer->drawn | 1) + DIGIT - 1) / DIGIT * DIGIT;
	while (shift > 0 && offer->cost > budget) {
		shift -= DIGIT;
		choice_add_up(offer, shift, *limit, sums);
		uint64_t digit = DIGITS - 1;
		for (; digit > 0 && *spent + sums[digit] <= budget; digit--) {
			*spent += sums[digit];
		}
		*limit |= digit << shift;
	}
	free(sums);
	return offer->cost > budget;
}

/** Choose as many frames with the count `limit` as fit together with their names, beginning with
 * the first frame. A caller comes before its callees, so the caller is chosen first. Return the
 * index in the tree at which the chosen frames end. */
static size_t choice_fill_up(const struct offer *offer, uint64_t limit, uint64_t budget,
			     uint64_t *spent) {
	const struct tree *tree = offer->tree;
	size_t i = 1;
	for (; i < tree->n; i++) {
		uint32_t name = tree->frames[i].name;
		if (tree->totals[i] != limit) {
			continue;
		}
		bool named = offer->names[name] > limit;
		uint64_t cost = choice_frame_cost(limit) +
				(named ? 0 : choice_name_cost(offer->names[name]));
		if (*spent + cost > budget) {
			break;
		}
		*spent += cost;
	}
	return i;
}

struct choice offer_choose(const struct offer *offer, uint64_t budget, uint64_t *cost) {
	uint64_t limit;
	if (!choice_find_limit(offer, budget, &limit, cost)) {
		*cost = offer->cost;
		return (struct choice){0};
	}
	if (limit == offer->drawn) { // drawn frames are always chosen, even if they do not fit
		return (struct choice){.least = limit, .least_name = UINT64_MAX};
	}
	return (struct choice){
		.least = limit + 1,
		.alike = choice_fill_up(offer, limit, budget, cost),
		.least_name = limit + 1,
	};
}

void offer_release(struct offer *offer) {
	free(offer->names);
	ids_release(&offer->order);
	*offer = (struct offer){0};
}
