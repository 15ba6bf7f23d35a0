/* Stacks of allocations. */
#include "collapse/allocations.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "collapse/frames.h"
#include "collapse/text.h"

/* --- Lines ---------------------------------------------------------------------------------- */

/** Cut a number off the front of a line. Return false if there is none, or if it has more than 63
 * bits. */
static bool allocations_take_number(struct str *line, uint64_t *number) {
	size_t n = text_digits(*line);
	bool good = num_parse_u64(str_to(*line, n), number) && *number <= INT64_MAX;
	*line = str_from(*line, n);
	return good;
}

/** Cut a pair `OBJECTS: BYTES` off the front of a line. Return false for any other text. */
static bool allocations_take_pair(struct str *line, struct allocation_counts *counts,
				  struct allocation_counts *negative, enum heap_value objects,
				  enum heap_value space) {
	const enum heap_value order[] = {objects, space};
	for (size_t i = 0; i < 2; i++) {
		enum heap_value value = order[i];
		*line = text_trim_start(*line);
		bool minus = negative != NULL && text_take(line, STR("-"));
		uint64_t *count = minus ? &negative->of[value] : &counts->of[value];
		if (!allocations_take_number(line, count) ||
		    (i == 0 && !text_take(line, STR(":")))) {
			return false;
		}
	}
	*line = text_trim_start(*line);
	return true;
}

bool allocations_take_counts(struct str *line, struct allocation_counts *counts,
			     struct allocation_counts *negative) {
	*counts = *negative = (struct allocation_counts){0};
	return allocations_take_pair(line, counts, negative, HEAP_INUSE_OBJECTS,
				     HEAP_INUSE_SPACE) &&
	       text_take(line, STR("[")) &&
	       allocations_take_pair(line, counts, NULL, HEAP_ALLOC_OBJECTS, HEAP_ALLOC_SPACE) &&
	       text_take(line, STR("]"));
}

bool allocations_take_addresses(struct allocations *allocations, struct str line) {
	allocations->n = 0;
	for (struct str word; (word = text_next_word(&line)).n > 0;) {
		uint64_t address;
		if (!native_take_hex(&word, &address) || word.n > 0) {
			return false;
		}
		*MEM_APPEND(allocations->addresses, allocations->n, allocations->capacity) =
			address;
	}
	return true;
}

/* --- Sums ----------------------------------------------------------------------------------- */

/** Add to the sums of a key. Return false if a sum does not fit into 63 bits. */
static bool allocations_add_sums(struct allocation_table *table, const void *key, size_t size,
				 const struct allocation_sums *sums) {
	uint32_t known = table->keys.count, id = intern_get(&table->keys, key, size)->id;
	bool fits = true;
	MEM_GROW(table->sums, table->capacity, (size_t)id + 1);
	if (id == known) {
		table->sums[id] = (struct allocation_sums){0};
	}
	for (size_t i = 0; i < ALLOCATION_VALUES; i++) {
		fits &= decimal_add(&table->sums[id].of[i], sums->of[i]);
	}
	return fits;
}

static void allocations_clear_table(struct allocation_table *table) {
	intern_release(&table->keys);
	free(table->sums);
	*table = (struct allocation_table){0};
}

void allocations_add(struct allocations *allocations, const struct allocation_sums *sums) {
	if (!allocations_add_sums(&allocations->stacks, allocations->addresses,
				  allocations->n * sizeof(*allocations->addresses), sums)) {
		allocations->run->profile->overflow = true;
	}
	allocations->run->samples++;
}

void allocations_note(struct allocations *allocations, const struct allocation_counts *counts) {
	for (size_t i = 0; i < ALLOCATION_VALUES; i++) {
		// the sum may wrap, because it is only compared with the header
		allocations->noted.of[i] += counts->of[i];
	}
}

double allocations_factor(const struct allocation_counts *counts, enum heap_value objects,
			  enum heap_value space, uint64_t rate) {
	double n = (double)counts->of[objects], size = (double)counts->of[space];
	return n > 0 && size > 0 && rate > 1 ? 1 / (1 - exp(-(size / n) / (double)rate)) : 1;
}

/* --- Mappings ------------------------------------------------------------------------------- */

bool allocations_map_line(struct allocations *allocations, struct str line) {
	bool starts = str_has(line, STR("MAPPED_LIBRARIES:")) ||
		      str_has(line, STR("--- Memory map: ---"));
	if (allocations->native == NULL) {
		allocations->native = native_new(&allocations->options->native, allocations->run);
	}
	if (allocations->has_maps) {
		(void)native_map_line(allocations->native, line);
	}
	allocations->has_maps |= starts;
	return allocations->has_maps;
}

/** Put the frames of a stack of addresses into `frames`. */
static void allocations_find_frames(struct allocations *allocations, const uint64_t *addresses,
				    size_t n) {
	struct ids *frames = &allocations->frames;
	frames->n = 0;
	for (size_t i = n; i > 0; i--) {
		struct native_address at = {.address = addresses[i - 1], .is_return = true};
		at.mapping = native_find(allocations->native, at.address - 1);
		native_frames(allocations->native, at, frames);
	}
	if (n == 0) {
		ids_push(frames, run_frame(allocations->run, STR("[unknown]")));
	}
}

/** Turn addresses into frames, and add up the stacks that have the same frames. */
static void allocations_fold(struct allocations *allocations) {
	const struct allocation_table *stacks = &allocations->stacks;
	for (uint32_t i = 0; i < stacks->keys.count; i++) {
		const struct intern_key *key = stacks->keys.keys[i];
		size_t n = key->len / sizeof(uint64_t);
		MEM_GROW(allocations->addresses, allocations->capacity, n);
		if (n > 0) {
			// Copy the addresses, because the key is not aligned.
			memcpy(allocations->addresses, key->bytes, key->len);
		}
		allocations_find_frames(allocations, allocations->addresses, n);
		if (!allocations_add_sums(&allocations->folded, allocations->frames.items,
					  allocations->frames.n * sizeof(uint32_t),
					  &stacks->sums[i])) {
			allocations->run->profile->overflow = true;
		}
	}
}

/** Report an input that ends inside a line. Also report an input without mappings, unless its
 * samples add up to the counts in its header. */
static int allocations_check_end(const struct allocations *allocations, bool line_open) {
	bool lacks = allocations->has_total && memcmp(&allocations->noted, &allocations->total,
						      sizeof(allocations->noted)) != 0;
	if (!allocations->has_maps && (lacks || !allocations->has_total)) {
		return run_bad(
			allocations->run, RUN_AT_END,
			"unexpected end: samples, or the list MAPPED_LIBRARIES, are missing");
	}
	return line_open ? run_bad(allocations->run, RUN_AT_END,
				   "unexpected end in the middle of a line")
			 : 0;
}

static void allocations_clear(struct allocations *allocations) {
	allocations_clear_table(&allocations->stacks);
	allocations_clear_table(&allocations->folded);
	allocations->noted = allocations->total = (struct allocation_counts){0};
	allocations->has_header = allocations->has_total = allocations->has_maps = false;
	allocations->n = 0;
	if (allocations->native != NULL) {
		native_clear(allocations->native);
	}
}

/** At the end of an input, add all stacks to the profile, and clear the sums. */
static int allocations_finish(struct allocations *allocations, bool line_open) {
	int result = allocations_check_end(allocations, line_open);
	if (result == 0) {
		allocations_fold(allocations);
		result = allocations->native == NULL ? 0 : native_report(allocations->native);
	}
	const struct allocation_table *folded = &allocations->folded;
	for (uint32_t i = 0; i < folded->keys.count && result == 0; i++) {
		const struct intern_key *key = folded->keys.keys[i];
		uint64_t counts[ALLOCATION_VALUES];
		allocations->frames.n = 0;
		ids_add(&allocations->frames, (const uint32_t *)(const void *)key->bytes,
			key->len / sizeof(uint32_t));
		for (size_t k = 0; k < ALLOCATION_VALUES; k++) {
			counts[k] = decimal_round(folded->sums[i].of[k]);
		}
		heap_value_add(allocations->run, &allocations->frames, counts, ALLOCATION_VALUES,
			       (enum heap_value)allocations->options->value);
	}
	allocations_clear(allocations);
	return result;
}

int allocations_block(void *state, const struct block *block,
		      int (*add_line)(void *state, struct str line, uint64_t number)) {
	struct allocations *allocations = state;
	int result = run_lines(allocations->run, block, state, add_line);
	bool line_open = block->bytes.n > 0 && block->bytes.p[block->bytes.n - 1] != '\n';
	return result == 0 && block->last && allocations->has_header
		       ? allocations_finish(allocations, line_open)
		       : result;
}

void allocations_find_unit(const void *state, struct buf *unit) {
	const struct allocations *allocations = state;
	heap_value_unit((enum heap_value)allocations->options->value, unit);
}

void allocations_release(void *state) {
	struct allocations *allocations = state;
	allocations_clear(allocations);
	native_free(allocations->native);
	free(allocations->addresses);
	ids_release(&allocations->frames);
}

/* --- Tables of formats ---------------------------------------------------------------------- */

const struct opt allocations_rows[] = {
	HEAP_VALUE_ROW(struct allocations_options, value, heap_value_names_without_peak,
		       "inuse_space"),
	NATIVE_OPTION_ROWS(struct allocations_options, native),
	{.type = OPT_END},
};

const struct collapser_value allocations_values[] = {
	HEAP_VALUE_ITEMS,
	{NULL, NULL, NULL, NULL},
};
