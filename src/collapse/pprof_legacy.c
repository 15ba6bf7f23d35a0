/* Older profiles of pprof. */
#include "collapse/pprof_legacy.h"

#include <stdlib.h>

#include "base/num.h"
#include "collapse/frames.h"
#include "collapse/text.h"

static const struct pprof_legacy_kind pprof_legacy_cpu = {
	{STR_INIT("samples"), STR_INIT("cpu")}, {STR_INIT("count"), STR_INIT("nanoseconds")}};
static const struct pprof_legacy_kind pprof_legacy_contentions = {
	{STR_INIT("contentions"), STR_INIT("delay")}, {STR_INIT("count"), STR_INIT("nanoseconds")}};

/** Return the index of the value that is counted, or 2 if this kind of profile has no value of the
 * wanted name. */
static size_t pprof_legacy_column(const struct pprof_legacy *legacy) {
	size_t i = legacy->wanted == NULL ? 1 : 0;
	while (legacy->wanted != NULL && i < 2 &&
	       !str_eq(legacy->kind->names[i], str_of(legacy->wanted))) {
		i++;
	}
	return i;
}

void pprof_legacy_unit(const struct pprof_legacy *legacy, struct str *name, struct str *unit) {
	size_t column = pprof_legacy_column(legacy);
	*name = legacy->kind->names[column < 2 ? column : 1];
	*unit = legacy->kind->units[column < 2 ? column : 1];
}

/** Prepare to read an input of a kind. Forget everything that was read from the previous input. */
static void pprof_legacy_start(struct pprof_legacy *legacy, const struct pprof_legacy_kind *kind) {
	legacy->kind = kind;
	legacy->n = legacy->addresses.n = 0;
	legacy->period = 1;
	legacy->cycles = 0;
	legacy->has_samples = legacy->has_maps = false;
	if (legacy->native == NULL) {
		legacy->native = native_new(legacy->options, legacy->run);
	}
	native_clear(legacy->native);
}

/** Add a sample, whose addresses begin at the index `at` of the list and end with the list. */
static void pprof_legacy_push(struct pprof_legacy *legacy, uint64_t first, uint64_t second,
			      size_t at) {
	legacy->samples = mem_grow(legacy->samples, &legacy->capacity, legacy->n + 1,
				   sizeof(*legacy->samples));
	legacy->samples[legacy->n++] = (struct pprof_legacy_sample){
		.values = {first, second}, .at = at, .n = legacy->addresses.n - at};
	legacy->run->samples++;
}

/** Put the frames of a sample into the stack, root first. */
static void pprof_legacy_find_stack(struct pprof_legacy *legacy,
				    const struct pprof_legacy_sample *sample) {
	legacy->stack.n = 0;
	for (size_t i = sample->n; i > 0; i--) {
		struct native_address at = {.address = legacy->addresses.items[sample->at + i - 1]};
		at.mapping = native_find(legacy->native, at.address);
		native_frames(legacy->native, at, &legacy->stack);
	}
	if (sample->n == 0) {
		ids_push(&legacy->stack, run_frame(legacy->run, STR("[unknown]")));
	}
}

/** Add all samples to the profile. Return 0, or -1 if the run must end. */
static int pprof_legacy_count(struct pprof_legacy *legacy) {
	size_t column = pprof_legacy_column(legacy);
	uint64_t sum = 0;
	if (column == 2) {
		return run_error(legacy->run, 0, "the profile has no value '%s'; it has %s and %s",
				 quote(str_of(legacy->wanted)).text, legacy->kind->names[0].p,
				 legacy->kind->names[1].p);
	}
	for (size_t i = 0; i < legacy->n; i++) {
		const struct pprof_legacy_sample *sample = &legacy->samples[i];
		uint64_t count = sample->values[column];
		struct profile *profile = legacy->run->profile;
		if (count > INT64_MAX - sum) {
			profile->overflow = true;
			return 0;
		}
		sum += count;
		pprof_legacy_find_stack(legacy, sample);
		for (size_t k = 0; k < 2 && profile_wants_values(profile); k++) {
			profile_next_value(profile, legacy->kind->names[k], legacy->kind->units[k],
					   sample->values[k]);
		}
		if (count > 0 || profile_wants_values(profile)) {
			profile_add(profile, legacy->stack.items, legacy->stack.n, count);
		}
	}
	return native_report(legacy->native);
}

/* --- CPU profiles --------------------------------------------------------------------------- */

/** The form of the words in a file. */
struct pprof_legacy_words {
	struct str rest;
	size_t size; // number of bytes in a word
	bool is_big; // whether the highest byte comes first
};

static bool pprof_legacy_take_word(struct pprof_legacy_words *words, uint64_t *word) {
	if (words->rest.n < words->size) {
		return false;
	}
	*word = 0;
	for (size_t i = 0; i < words->size; i++) {
		size_t at = words->is_big ? i : words->size - 1 - i;
		*word = *word << 8 | (unsigned char)words->rest.p[at];
	}
	words->rest = str_from(words->rest, words->size);
	return true;
}

/** Read the header: 0, 3, 0, the period in microseconds, 0. Return false if the bytes are not such
 * a header. */
static bool pprof_legacy_take_header(struct pprof_legacy_words *words, uint64_t *period) {
	uint64_t header[5];
	for (size_t i = 0; i < 5; i++) {
		if (!pprof_legacy_take_word(words, &header[i])) {
			return false;
		}
	}
	*period = header[3];
	return header[0] == 0 && header[1] == 3 && header[2] == 0 && header[3] > 0 &&
	       header[4] == 0;
}

/** Read the header of a file, and find the words after it. Return false if the file is not a CPU
 * profile. */
static bool pprof_legacy_find_words(struct str bytes, struct pprof_legacy_words *words,
				    uint64_t *period) {
	static const struct pprof_legacy_words forms[] = {{.size = 4, .is_big = false},
							  {.size = 4, .is_big = true},
							  {.size = 8, .is_big = false},
							  {.size = 8, .is_big = true}};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		*words = forms[i];
		words->rest = bytes;
		if (pprof_legacy_take_header(words, period)) {
			return true;
		}
	}
	return false;
}

bool pprof_legacy_is_cpu(struct str start) {
	struct pprof_legacy_words words;
	uint64_t period;
	return pprof_legacy_find_words(start, &words, &period);
}

/** Add a stack. Addresses of callers are return addresses: subtract one from each, to get an
 * address inside the call instruction. Return false if the time has more than 64 bits. */
static bool pprof_legacy_add_cpu(struct pprof_legacy *legacy, struct pprof_legacy_words *words,
				 uint64_t count, uint64_t depth, uint64_t period) {
	const uint64_t nanoseconds = 1000;
	size_t at = legacy->addresses.n;
	uint64_t address = 0, time;
	for (uint64_t i = 0; i < depth; i++) {
		(void)pprof_legacy_take_word(words, &address);
		number_list_push(&legacy->addresses, address - (i > 0 ? 1 : 0));
	}
	if (__builtin_mul_overflow(count, period, &time) ||
	    __builtin_mul_overflow(time, nanoseconds, &time)) {
		return false;
	}
	pprof_legacy_push(legacy, count, time, at);
	return true;
}

/** Read the stacks, up to the empty stack that marks the end. Return 0, or -1 after diag_error().
 */
static int pprof_legacy_read_stacks(struct pprof_legacy *legacy, struct pprof_legacy_words *words,
				    uint64_t period, const char *name, struct str all,
				    struct diag *diag) {
	for (;;) {
		size_t at = all.n - words->rest.n;
		uint64_t count, depth, first = 1;
		if (!pprof_legacy_take_word(words, &count) ||
		    !pprof_legacy_take_word(words, &depth) || depth > words->rest.n / words->size) {
			return diag_error(diag,
					  "%s: unexpected end of the stack at byte %zu: not a CPU "
					  "profile of gperftools, or damaged",
					  name, at);
		}
		struct pprof_legacy_words peek = *words;
		if (count == 0 && depth == 1 && pprof_legacy_take_word(&peek, &first) &&
		    first == 0) {
			*words = peek;
			return 0;
		}
		if (!pprof_legacy_add_cpu(legacy, words, count, depth, period)) {
			return diag_error(diag, "%s: the stack at byte %zu counts over 63 bits",
					  name, at);
		}
	}
}

/** Remove the second address of a sample, the caller of the leaf. */
static void pprof_legacy_remove_second(struct pprof_legacy *legacy,
				       struct pprof_legacy_sample *sample) {
	uint64_t *addresses = &legacy->addresses.items[sample->at];
	addresses[1] = addresses[0];
	sample->at++;
	sample->n--;
}

/** If nearly all samples have the same second frame, remove this frame from them: it is the signal
 * handler. Return whether the frame was removed. */
static bool pprof_legacy_remove_handler(struct pprof_legacy *legacy) {
	enum { ALIKE = 32 }; // at most one of this many samples may differ
	struct intern seconds = {0};
	uint64_t handler = 0, most = 0;
	for (size_t i = 0; i < legacy->n; i++) {
		const struct pprof_legacy_sample *sample = &legacy->samples[i];
		if (sample->n > 1) {
			uint64_t address = legacy->addresses.items[sample->at + 1];
			uint64_t n = ++intern_get(&seconds, &address, sizeof(address))->value;
			handler = n > most ? address : handler;
			most = n > most ? n : most;
		}
	}
	intern_release(&seconds);
	bool found = most > 0 && most >= legacy->n - legacy->n / ALIKE;
	for (size_t i = 0; i < legacy->n && found; i++) {
		struct pprof_legacy_sample *sample = &legacy->samples[i];
		if (sample->n > 1 && legacy->addresses.items[sample->at + 1] == handler) {
			pprof_legacy_remove_second(legacy, sample);
		}
	}
	return found;
}

/** If the first two frames of a sample are equal, remove the second: the profiler may have noted
 * the leaf both from the signal and from the stack. */
static void pprof_legacy_remove_twins(struct pprof_legacy *legacy) {
	for (size_t i = 0; i < legacy->n; i++) {
		struct pprof_legacy_sample *sample = &legacy->samples[i];
		// The list is NULL if all samples are empty.
		const uint64_t *addresses = legacy->addresses.items;
		if (sample->n > 1 && addresses[sample->at] == addresses[sample->at + 1] + 1) {
			pprof_legacy_remove_second(legacy, sample);
		}
	}
}

/** Read all bytes of an input. Return 0, or -1 after diag_error(). */
static int pprof_legacy_read_all(struct input *input, struct buf *bytes) {
	enum { BLOCK = 1 << 16 };
	for (;;) {
		ptrdiff_t got = input_read(input, buf_room(bytes, BLOCK), BLOCK);
		if (got <= 0) {
			return got < 0 ? -1 : 0;
		}
		bytes->n += (size_t)got;
	}
}

/** Read a CPU profile from its bytes. */
static int pprof_legacy_parse_cpu(struct pprof_legacy *legacy, const char *name, struct str bytes,
				  struct diag *diag) {
	struct pprof_legacy_words words;
	struct str line;
	uint64_t period;
	if (!pprof_legacy_find_words(bytes, &words, &period)) {
		return diag_error(diag, "%s: not a CPU profile of gperftools", name);
	}
	if (pprof_legacy_read_stacks(legacy, &words, period, name, bytes, diag) != 0) {
		return -1;
	}
	if (pprof_legacy_remove_handler(legacy)) {
		(void)pprof_legacy_remove_handler(legacy);
	}
	pprof_legacy_remove_twins(legacy);
	for (struct lines lines = {.rest = words.rest}; lines_next(&lines, &line);) {
		(void)native_map_line(legacy->native, line);
	}
	return pprof_legacy_count(legacy);
}

int pprof_legacy_read_cpu(struct pprof_legacy *legacy, struct input *input, struct diag *diag) {
	struct buf bytes = {0};
	pprof_legacy_start(legacy, &pprof_legacy_cpu);
	int result = pprof_legacy_read_all(input, &bytes);
	result = result == 0
			 ? pprof_legacy_parse_cpu(legacy, input_name(input), buf_str(&bytes), diag)
			 : -1;
	buf_release(&bytes);
	return result;
}

/* --- Contentions ---------------------------------------------------------------------------- */

bool pprof_legacy_is_contentions(struct str start) {
	return str_starts(start, STR("--- contention")) || str_starts(start, STR("--- mutex:"));
}

/** Read a setting such as `cycles/second = 3201000000`. */
static int pprof_legacy_setting(struct pprof_legacy *legacy, struct str line, uint64_t number) {
	struct str value = line, key = text_trim(str_cut(&value, '='));
	uint64_t *place = str_eq(key, STR("cycles/second"))     ? &legacy->cycles
			  : str_eq(key, STR("sampling period")) ? &legacy->period
								: NULL;
	bool known = place != NULL || str_eq(key, STR("ms since reset")) ||
		     str_eq(key, STR("discarded samples"));
	if (!known) {
		return run_error(legacy->run, number, "the setting '%s' is not known",
				 quote(key).text);
	}
	return place == NULL || (num_parse_u64(text_trim(value), place) && *place <= INT64_MAX)
		       ? 0
		       : run_error(legacy->run, number, "the setting '%s' is no number of 63 bits",
				   quote(key).text);
}

/** Cut a number off the front of a line. Return false if there is none, or if it has more than 63
 * bits. */
static bool pprof_legacy_take_number(struct str *line, uint64_t *number) {
	struct str word = text_next_word(line);
	return num_parse_u64(word, number) && *number <= INT64_MAX;
}

/** Read the addresses of callers, to the end of a line. */
static bool pprof_legacy_take_addresses(struct pprof_legacy *legacy, struct str line) {
	for (struct str word; (word = text_next_word(&line)).n > 0;) {
		uint64_t address;
		if (!native_take_hex(&word, &address) || word.n > 0) {
			return false;
		}
		number_list_push(&legacy->addresses, address - 1);
	}
	return true;
}

/** Estimate the number of all contentions from the sampled ones, and their time from the cycles.
 * Round down, as pprof does. If the number of cycles in a second is not known, keep the time.
 * Return false if a result has more than 63 bits. */
static bool pprof_legacy_unsample(const struct pprof_legacy *legacy, uint64_t *delay, uint64_t *n) {
	const double giga = 1e9, most = 0x1p63;
	if (legacy->period == 0) {
		return true;
	}
	if (legacy->cycles > 0) {
		double time =
			(double)*delay * (double)legacy->period / ((double)legacy->cycles / giga);
		if (!(time < most)) {
			return false;
		}
		*delay = (uint64_t)time;
	}
	return !__builtin_mul_overflow(*n, legacy->period, n) && *n <= INT64_MAX;
}

/** Read a stack such as `19490304 27 @ 0xbccc97 0xc61202`. */
static int pprof_legacy_contention(struct pprof_legacy *legacy, struct str line, uint64_t number) {
	uint64_t delay, n;
	size_t at = legacy->addresses.n;
	if (!pprof_legacy_take_number(&line, &delay) || !pprof_legacy_take_number(&line, &n) ||
	    !text_take(&line, STR(" @")) || !pprof_legacy_take_addresses(legacy, line)) {
		legacy->addresses.n = at;
		return run_bad(legacy->run, number,
			       "bad stack, which is not 'CYCLES NUMBER @ ADDRESSES' with numbers "
			       "of 63 bits at most");
	}
	if (!pprof_legacy_unsample(legacy, &delay, &n)) {
		return run_error(legacy->run, number,
				 "the estimate of all contentions has over 63 bits");
	}
	pprof_legacy_push(legacy, n, delay, at);
	return 0;
}

int pprof_legacy_contention_line(void *memory, struct str line, uint64_t number) {
	struct pprof_legacy *legacy = memory;
	struct str text = text_trim(text_line(line));
	if (legacy->kind == NULL) {
		pprof_legacy_start(legacy, &pprof_legacy_contentions);
		return 0; // the first line
	}
	if (legacy->has_maps) {
		(void)native_map_line(legacy->native, text);
		return 0;
	}
	if (str_has(text, STR("--- Memory map: ---")) || str_has(text, STR("MAPPED_LIBRARIES:"))) {
		legacy->has_maps = true;
		return 0;
	}
	if (text.n == 0 || text.p[0] == '#' || str_starts(text, STR("---"))) {
		return 0;
	}
	bool is_setting = !legacy->has_samples && str_find(text, '=') != STR_NONE;
	legacy->has_samples |= !is_setting;
	return is_setting ? pprof_legacy_setting(legacy, text, number)
			  : pprof_legacy_contention(legacy, text, number);
}

int pprof_legacy_end_contentions(struct pprof_legacy *legacy) {
	return legacy->kind == NULL ? 0 : pprof_legacy_count(legacy);
}

void pprof_legacy_release(struct pprof_legacy *legacy) {
	native_free(legacy->native);
	free(legacy->addresses.items);
	free(legacy->samples);
	ids_release(&legacy->stack);
}
