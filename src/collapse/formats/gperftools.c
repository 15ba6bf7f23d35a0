/*
 * gperftools: heap profiles of tcmalloc, and heap profiles that Go and old versions of jemalloc
 * write as text. Each line is a stack. The mappings come last:
 *
 *     heap profile:   2: 96 [ 3: 128] @ heapprofile
 *        1:    64 [     2:    96] @ 0x55e43cbd53ff 0x7fb19824524a
 *        1:    32 [     1:    32] @ 0x55e43cbd54e9 0x7fb19824524a
 *
 *     MAPPED_LIBRARIES:
 *     55e43cbd5000-55e43cbd6000 r-xp 00001000 fe:00 151 /usr/bin/app
 */
#include "base/num.h"
#include "collapse/allocations.h"
#include "collapse/text.h"

struct gperftools_state {
	struct allocations allocations;
	bool is_sampled; // the counts are counts of samples, and must be scaled up
	// mean number of bytes between two samples; 0 or 1: all allocations are in the profile
	uint64_t rate;
	// sum of the negative numbers of the chosen value that were left out, as a positive number
	struct allocation_counts negative;
	uint64_t negatives; // number of negative counts of the chosen value that were left out
};

/** Estimate the number and the size of all allocations of a stack from the sampled allocations. As
 * pprof does, round down, and if one of the two is 0, set both to 0. Return false if a result has
 * more than 63 bits. */
static bool gperftools_unsample(const struct gperftools_state *state,
				struct allocation_counts *counts, enum heap_value objects,
				enum heap_value space) {
	double n = (double)counts->of[objects], size = (double)counts->of[space];
	const double most = 0x1p63;
	if (!state->is_sampled) {
		return true;
	}
	if (counts->of[objects] == 0 || counts->of[space] == 0) {
		counts->of[objects] = counts->of[space] = 0;
		return true;
	}
	double factor = allocations_factor(counts, objects, space, state->rate);
	if (factor == 1) {
		return true;
	}
	if (!(n * factor < most && size * factor < most)) {
		return false;
	}
	counts->of[objects] = (uint64_t)(n * factor);
	counts->of[space] = (uint64_t)(size * factor);
	return true;
}

/** Count the negative numbers of the chosen value, and add them up for a warning. Negative numbers
 * are left out, because counts cannot be negative. */
static void gperftools_leave_out(struct gperftools_state *state,
				 const struct allocation_counts *negative) {
	state->negatives += negative->of[state->allocations.options->value] > 0;
	state->negative.of[state->allocations.options->value] +=
		negative->of[state->allocations.options->value];
}

/** Read a stack with its counts. */
static int gperftools_sample(struct gperftools_state *state, struct str line, uint64_t number) {
	struct allocation_counts counts, negative;
	struct allocation_sums sums = {0};
	if (!allocations_take_counts(&line, &counts, &negative) || !text_take(&line, STR(" @")) ||
	    !allocations_take_addresses(&state->allocations, line)) {
		return run_bad(state->allocations.run, number,
			       "bad stack, which is not 'OBJECTS: BYTES [OBJECTS: BYTES] @ "
			       "ADDRESSES' with numbers of 63 bits at most");
	}
	if ((counts.of[HEAP_INUSE_OBJECTS] == 0 && counts.of[HEAP_INUSE_SPACE] > 0) ||
	    (counts.of[HEAP_ALLOC_OBJECTS] == 0 && counts.of[HEAP_ALLOC_SPACE] > 0)) {
		return run_bad(state->allocations.run, number, "bytes of no objects");
	}
	gperftools_leave_out(state, &negative);
	allocations_note(&state->allocations, &counts);
	if (!gperftools_unsample(state, &counts, HEAP_INUSE_OBJECTS, HEAP_INUSE_SPACE) ||
	    !gperftools_unsample(state, &counts, HEAP_ALLOC_OBJECTS, HEAP_ALLOC_SPACE)) {
		return run_error(state->allocations.run, number,
				 "the estimate of all allocations has over 63 bits");
	}
	for (size_t i = 0; i < ALLOCATION_VALUES; i++) {
		sums.of[i].whole = (int64_t)counts.of[i];
	}
	allocations_add(&state->allocations, &sums);
	return 0;
}

/** Set the sampling rate from the kind of the profile, such as `heap_v2/524288`. Return false if
 * the kind is not known. */
static bool gperftools_find_rate(struct gperftools_state *state, struct str kind) {
	struct str number = kind, name = str_cut(&number, '/');
	bool old = str_eq(name, STR("heap")); // in this version, the number is twice the mean
	state->is_sampled = old || str_eq(name, STR("heap_v2")) || str_eq(name, STR("heapz_v2"));
	state->rate = 0;
	if (!state->is_sampled) {
		return str_eq(name, STR("heapprofile")) || str_starts(name, STR("growth")) ||
		       str_starts(name, STR("fragmentation"));
	}
	bool good = number.n == 0 || num_parse_u64(number, &state->rate);
	state->rate /= old ? 2 : 1;
	return good;
}

static int gperftools_header(struct gperftools_state *state, struct str line, uint64_t number) {
	struct allocation_counts negative;
	state->allocations.has_header = true;
	state->negatives = 0;
	state->negative = (struct allocation_counts){0};
	if (!text_take(&line, STR("heap profile:")) ||
	    !allocations_take_counts(&line, &state->allocations.total, &negative)) {
		return run_error(state->allocations.run, number,
				 "not a heap profile of gperftools, which begins with 'heap "
				 "profile: OBJECTS: BYTES [OBJECTS: BYTES] @ KIND'");
	}
	state->allocations.has_total = true;
	line = text_trim_start(line);
	if (!text_take(&line, STR("@")) || !gperftools_find_rate(state, text_trim(line))) {
		return run_error(state->allocations.run, number,
				 "unknown kind of heap profile '%s'; known are heapprofile, "
				 "heap_v2/RATE, heapz_v2/RATE, heap/RATE",
				 quote(text_trim(line)).text);
	}
	return 0;
}

static int gperftools_line(void *memory, struct str line, uint64_t number) {
	struct gperftools_state *state = memory;
	struct str text = text_trim(text_line(line));
	if (text.n == 0 || (text.p[0] == '#' && !state->allocations.has_maps)) {
		return 0;
	}
	if (!state->allocations.has_header) {
		return gperftools_header(state, text, number);
	}
	return allocations_map_line(&state->allocations, text)
		       ? 0
		       : gperftools_sample(state, text, number);
}

static int gperftools_block(void *memory, const struct block *block) {
	struct gperftools_state *state = memory;
	int result = allocations_block(state, block, gperftools_line);
	if (result == 0 && block->last && state->negatives > 0) {
		unsigned value = state->allocations.options->value;
		result = run_warn(state->allocations.run, 0,
				  "left out %llu negative values, -%llu in all",
				  (unsigned long long)state->negatives,
				  (unsigned long long)state->negative.of[value]);
	}
	return result;
}

static int gperftools_sniff(struct str bytes, bool whole) {
	(void)whole;
	return str_starts(bytes, STR("heap profile: ")) ? SNIFF_MAGIC : SNIFF_NO;
}

static const struct example examples[] = {
	{"HEAPPROFILE=app LD_PRELOAD=libtcmalloc.so.4 ./app", "write profiles to app.*.heap"},
	{"inferno collapse gperftools app.0001.heap > app.folded", "fold the bytes in use"},
	{"inferno collapse gperftools --value alloc_objects app.0001.heap",
	 "count all objects that were allocated"},
	{NULL, NULL},
};

const struct collapser collapse_gperftools = {
	.name = "gperftools",
	.brief = "fold heap profiles of gperftools (tcmalloc)",
	.about = "Reads the heap profiles that gperftools writes, and Go with debug=1. Counts of "
		 "sampled profiles (heap_v2) are estimates of all allocations, as pprof makes "
		 "them. Function names are looked up in the programs and libraries that the "
		 "profile lists, on this machine or below the --symfs folder; addresses without "
		 "symbols get the name of their file in brackets. CPU profiles of gperftools are "
		 "read as pprof.",
	.examples = examples,
	.options = {allocations_rows, sizeof(struct allocations_options)},
	.values = allocations_values,
	.state_size = sizeof(struct gperftools_state),
	.sniff = gperftools_sniff,
	.block = gperftools_block,
	.find_unit = allocations_find_unit,
	.release = allocations_release,
	.expects = "a heap profile of gperftools, with stacks",
};
