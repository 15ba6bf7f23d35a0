/*
 * jemalloc: heap profiles of jemalloc 4 and later. The first line has the sampling rate. Each stack
 * has the counts of all threads together, and then the counts of each thread. The mappings come at
 * the end:
 *
 *     heap_v2/524288
 *       t*: 89: 3883 [246: 3552]
 *       t0: 89: 3883 [246: 3552]
 *     @ 0x7f8c628a2630 0x562e6f0f8210
 *       t*: 1: 40960 [1: 40960]
 *       t0: 1: 40960 [1: 40960]
 *
 *     MAPPED_LIBRARIES:
 *     562e6f0f8000-562e6f0f9000 r-xp 00001000 fe:00 151 /usr/bin/app
 */
#include <math.h>

#include "base/num.h"
#include "collapse/allocations.h"
#include "collapse/text.h"

struct jemalloc_state {
	struct allocations allocations;
	uint64_t rate;   // mean number of bytes between two samples
	bool has_stack;  // the addresses of a stack were read
	bool has_counts; // the counts of the stack were read
};

/** Convert a number of at least 0 to a decimal. Return false if the number is 2^62 or more. */
static bool jemalloc_decimal(double value, struct decimal *result) {
	const double most = 0x1p62, parts = 1e18;
	double whole = floor(value);
	if (!(value < most)) {
		return false;
	}
	*result = (struct decimal){(int64_t)whole, (uint64_t)((value - whole) * parts)};
	return true;
}

/** Estimate the number and the size of all allocations of a stack from the sampled allocations.
 * Return false if an estimate is 2^62 or more. */
static bool jemalloc_unsample(const struct jemalloc_state *state,
			      const struct allocation_counts *counts, struct allocation_sums *sums,
			      enum heap_value objects, enum heap_value space) {
	double n = (double)counts->of[objects], size = (double)counts->of[space];
	double factor = allocations_factor(counts, objects, space, state->rate);
	if (factor == 1) {
		sums->of[objects].whole = (int64_t)counts->of[objects];
		sums->of[space].whole = (int64_t)counts->of[space];
		return true;
	}
	return jemalloc_decimal(n * factor, &sums->of[objects]) &&
	       jemalloc_decimal(size * factor, &sums->of[space]);
}

/** Read the line with the counts of all threads together. */
static int jemalloc_counts(struct jemalloc_state *state, struct str line, uint64_t number) {
	struct allocation_counts counts, negative;
	struct allocation_sums sums = {0};
	bool good = allocations_take_counts(&line, &counts, &negative) && text_trim(line).n == 0 &&
		    negative.of[HEAP_INUSE_OBJECTS] == 0 && negative.of[HEAP_INUSE_SPACE] == 0;
	if (!good) {
		return run_bad(state->allocations.run, number,
			       "bad counts, which are not four numbers of 63 bits at most: "
			       "'OBJECTS: BYTES [OBJECTS: BYTES]'");
	}
	if (!state->has_stack) {
		state->allocations.total = counts;
		state->allocations.has_total = true;
		return 0;
	}
	if (state->has_counts) {
		return run_bad(state->allocations.run, number, "the stack has its counts already");
	}
	state->has_counts = true;
	allocations_note(&state->allocations, &counts);
	if (!jemalloc_unsample(state, &counts, &sums, HEAP_INUSE_OBJECTS, HEAP_INUSE_SPACE) ||
	    !jemalloc_unsample(state, &counts, &sums, HEAP_ALLOC_OBJECTS, HEAP_ALLOC_SPACE)) {
		return run_error(state->allocations.run, number,
				 "the estimate of all allocations has over 63 bits");
	}
	allocations_add(&state->allocations, &sums);
	return 0;
}

static int jemalloc_stack(struct jemalloc_state *state, struct str line, uint64_t number) {
	state->has_stack = true;
	state->has_counts = false;
	return allocations_take_addresses(&state->allocations, line)
		       ? 0
		       : run_bad(state->allocations.run, number,
				 "bad stack, which is not a list of addresses such as "
				 "0x7f8c628a26");
}

static int jemalloc_header(struct jemalloc_state *state, struct str line, uint64_t number) {
	state->allocations.has_header = true;
	state->has_stack = state->has_counts = false;
	return text_take(&line, STR("heap_v2/")) && num_parse_u64(text_trim(line), &state->rate)
		       ? 0
		       : run_error(
				 state->allocations.run, number,
				 "not a heap profile of jemalloc, which begins with heap_v2/RATE");
}

static int jemalloc_line(void *memory, struct str line, uint64_t number) {
	struct jemalloc_state *state = memory;
	struct str text = text_trim(text_line(line));
	if (!state->allocations.has_header) {
		return text.n == 0 ? 0 : jemalloc_header(state, text, number);
	}
	if (allocations_map_line(&state->allocations, text)) {
		return 0;
	}
	if (text_take(&text, STR("t*:"))) {
		return jemalloc_counts(state, text, number);
	}
	if (text_take(&text, STR("@"))) {
		return jemalloc_stack(state, text, number);
	}
	bool is_thread = text.n > 1 && text.p[0] == 't' && is_digit(text.p[1]);
	return text.n == 0 || is_thread
		       ? 0
		       : run_bad(state->allocations.run, number,
				 "neither a stack, nor counts, nor the list MAPPED_LIBRARIES");
}

static int jemalloc_block(void *state, const struct block *block) {
	return allocations_block(state, block, jemalloc_line);
}

static int jemalloc_sniff(struct str bytes, bool whole) {
	struct str start = STR("heap_v2/");
	(void)whole;
	return str_starts(bytes, start) && bytes.n > start.n && is_digit(bytes.p[start.n])
		       ? SNIFF_MAGIC
		       : SNIFF_NO;
}

static const struct example examples[] = {
	{"MALLOC_CONF=prof:true,prof_final:true LD_PRELOAD=libjemalloc.so.2 ./app",
	 "write a profile to jeprof.*.heap"},
	{"inferno collapse jemalloc jeprof.*.heap > app.folded", "fold the bytes in use"},
	{"inferno collapse jemalloc --value alloc_space jeprof.*.heap",
	 "count all bytes that were allocated, with prof_accum:true"},
	{NULL, NULL},
};

const struct collapser collapse_jemalloc = {
	.name = "jemalloc",
	.brief = "fold heap profiles of jemalloc",
	.about = "Reads the heap profiles (heap_v2) that jemalloc writes. Counts are estimates of "
		 "all allocations: the counts of each stack are divided by the probability with "
		 "which jemalloc samples allocations of its mean size. Function names are looked "
		 "up in the programs and libraries that the profile lists, on this machine or "
		 "below the --symfs folder; addresses without symbols get the name of their file "
		 "in brackets.",
	.examples = examples,
	.options = {allocations_rows, sizeof(struct allocations_options)},
	.values = allocations_values,
	.state_size = sizeof(struct jemalloc_state),
	.sniff = jemalloc_sniff,
	.block = jemalloc_block,
	.find_unit = allocations_find_unit,
	.release = allocations_release,
	.expects = "a heap profile of jemalloc, with stacks",
};
