/* Older profiles of pprof. */
#include "collapse/pprof_legacy.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "collapse/frames.h"
#include "collapse/text.h"

/** Return the index of the value that is counted, or the number of values if this kind of profile
 * has no value of the wanted name. */
static size_t pprof_legacy_column(const struct pprof_legacy *legacy) {
	const struct pprof_legacy_kind *kind = &legacy->kind;
	size_t i = legacy->wanted == NULL && kind->values > 0 ? kind->values - 1 : 0;
	while (legacy->wanted != NULL && i < kind->values &&
	       !str_eq(kind->names[i], str_of(legacy->wanted))) {
		i++;
	}
	return i;
}

void pprof_legacy_unit(const struct pprof_legacy *legacy, struct str *name, struct str *unit) {
	size_t column = pprof_legacy_column(legacy);
	*name = legacy->kind.names[column < legacy->kind.values ? column : 0];
	*unit = legacy->kind.units[column < legacy->kind.values ? column : 0];
}

/** Prepare to read an input of a kind. Forget everything that was read from the previous input. */
static void pprof_legacy_start(struct pprof_legacy *legacy, const struct pprof_legacy_kind *kind) {
	legacy->kind = *kind;
	legacy->n = legacy->addresses.n = 0;
	legacy->period = 1;
	legacy->cycles = 0;
	legacy->has_samples = legacy->has_maps = legacy->in_thread = false;
	intern_release(&legacy->names);
	if (legacy->native == NULL) {
		legacy->native = native_new(legacy->options, legacy->run);
	}
	native_clear(legacy->native);
}

/** Add a sample, whose addresses begin at the index `at` of the list and end with the list. */
static void pprof_legacy_push(struct pprof_legacy *legacy, uint64_t first, uint64_t second,
			      size_t at) {
	*MEM_APPEND(legacy->samples, legacy->n, legacy->capacity) = (struct pprof_legacy_sample){
		.values = {first, second}, .at = at, .n = legacy->addresses.n - at};
	legacy->run->samples++;
}

/** Put the frames of a sample into the stack, root first. */
static void pprof_legacy_find_stack(struct pprof_legacy *legacy,
				    const struct pprof_legacy_sample *sample) {
	legacy->stack.n = 0;
	for (size_t i = sample->n; i > 0; i--) {
		struct native_address at = {.address = legacy->addresses.items[sample->at + i - 1]};
		const struct intern_key *named =
			intern_find(&legacy->names, &at.address, sizeof(at.address));
		if (named != NULL && named->value > 0) {
			ids_push(&legacy->stack, (uint32_t)(named->value - 1));
			continue;
		}
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
	if (column == legacy->kind.values) {
		const struct str *names = legacy->kind.names;
		bool two = legacy->kind.values == 2;
		return run_error(legacy->run, 0, "the profile has no value '%s'; it has %.*s%s%.*s",
				 quote(str_of(legacy->wanted)).text, (int)names[0].n, names[0].p,
				 two ? " and " : "", two ? (int)names[1].n : 0,
				 two ? names[1].p : "");
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
		for (size_t k = 0; k < legacy->kind.values && profile_wants_values(profile); k++) {
			profile_next_value(profile, legacy->kind.names[k], legacy->kind.units[k],
					   sample->values[k]);
		}
		if (count > 0 || profile_wants_values(profile)) {
			profile_add(profile, legacy->stack.items, legacy->stack.n, count);
		}
	}
	return native_report(legacy->native);
}

/* --- After the stacks ------------------------------------------------------------------------ */

/** Read the name of an address in a profile of Java: `0x17 com.example.App.run (App.java:12)`, or
 * in place of the file and the line, the path of a library. */
static void pprof_legacy_java_name(struct pprof_legacy *legacy, struct str line) {
	uint64_t address, number = 0;
	if (!str_starts(line, STR("0x")) || !native_take_hex(&line, &address)) {
		return;
	}
	struct str name = text_trim(line);
	size_t at = str_ends(name, STR(")")) ? str_find_last_str(name, STR(" (")) : STR_NONE;
	struct frame_place place = {0};
	if (at != STR_NONE) {
		place.file = str_from(str_to(name, name.n - 1), at + 2);
		name = text_trim(str_to(name, at));
		at = str_find_last(place.file, ':');
	} else if (str_has(name, STR("generated stub/JIT"))) {
		name = STR("STUB");
	}
	if (at != STR_NONE && num_parse_u64(str_from(place.file, at + 1), &number)) {
		place.file = str_to(place.file, at);
		place.line = number;
	}
	name = name.n > 0 ? name : STR("[unknown]");
	intern_get(&legacy->names, &address, sizeof(address))->value =
		(uint64_t)run_site(legacy->run, run_frame(legacy->run, name), &place) + 1;
}

/** Read a line after the stacks: a mapping, or the name of an address. */
static void pprof_legacy_end_line(struct pprof_legacy *legacy, struct str line) {
	if (legacy->kind.is_java) {
		pprof_legacy_java_name(legacy, line);
	} else {
		(void)native_map_line(legacy->native, line);
	}
}

/* --- CPU profiles --------------------------------------------------------------------------- */

/** The form of the words in a file. */
struct pprof_legacy_words {
	struct str rest;
	size_t size; // number of bytes in a word
	bool is_big; // whether the highest byte comes first
	bool is_java;
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

/** Read the header: 0, 3, 0 or for Java 1, the period in microseconds, 0. Return false if the bytes
 * are not such a header. */
static bool pprof_legacy_take_header(struct pprof_legacy_words *words, uint64_t *period) {
	uint64_t header[5];
	for (size_t i = 0; i < 5; i++) {
		if (!pprof_legacy_take_word(words, &header[i])) {
			return false;
		}
	}
	*period = header[3];
	words->is_java = header[2] == 1;
	return header[0] == 0 && header[1] == 3 && header[2] <= 1 && header[3] > 0 &&
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

/** Add a stack. Addresses of callers are return addresses, except in Java: subtract one from each,
 * to get an address inside the call instruction. Return false if the time has more than 64 bits. */
static bool pprof_legacy_add_cpu(struct pprof_legacy *legacy, struct pprof_legacy_words *words,
				 uint64_t count, uint64_t depth, uint64_t period) {
	const uint64_t nanoseconds = 1000;
	size_t at = legacy->addresses.n;
	uint64_t address = 0, time;
	for (uint64_t i = 0; i < depth; i++) {
		(void)pprof_legacy_take_word(words, &address);
		number_list_push(&legacy->addresses, address - (i > 0 && !words->is_java ? 1 : 0));
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
	if (words.rest.n > 0 && words.rest.p[words.rest.n - 1] != '\n') {
		return diag_error(diag, "%s: unexpected end in the middle of a line", name);
	}
	legacy->kind.is_java = words.is_java;
	if (!words.is_java && pprof_legacy_remove_handler(legacy)) {
		(void)pprof_legacy_remove_handler(legacy);
	}
	if (!words.is_java) {
		pprof_legacy_remove_twins(legacy);
	}
	for (struct lines lines = {.rest = words.rest}; lines_next(&lines, &line);) {
		pprof_legacy_end_line(legacy, text_trim(line));
	}
	return pprof_legacy_count(legacy);
}

int pprof_legacy_read_cpu(struct pprof_legacy *legacy, struct input *input, struct diag *diag) {
	static const struct pprof_legacy_kind cpu = {
		.values = 2,
		.names = {STR_INIT("samples"), STR_INIT("cpu")},
		.units = {STR_INIT("count"), STR_INIT("nanoseconds")}};
	struct buf bytes = {0};
	pprof_legacy_start(legacy, &cpu);
	int result = pprof_legacy_read_all(input, &bytes);
	result = result == 0
			 ? pprof_legacy_parse_cpu(legacy, input_name(input), buf_str(&bytes), diag)
			 : -1;
	buf_release(&bytes);
	return result;
}

/* --- Stacks with two values, and their settings --------------------------------------------------
 */

/** Read a setting such as `cycles/second = 3201000000`. */
static int pprof_legacy_setting(struct pprof_legacy *legacy, struct str line, uint64_t number) {
	struct str value = line, key = text_trim(str_cut(&value, '='));
	value = text_trim(value);
	uint64_t *place = str_eq(key, STR("cycles/second"))     ? &legacy->cycles
			  : str_eq(key, STR("sampling period")) ? &legacy->period
								: NULL;
	if (str_eq(key, STR("format")) && str_eq(value, STR("java"))) {
		legacy->kind.is_java = true;
	} else if (str_eq(key, STR("resolution"))) {
		buf_set_str(&legacy->text, value);
		legacy->kind.units[1] = buf_str(&legacy->text);
	} else if (place == NULL && !str_eq(key, STR("ms since reset")) &&
		   !str_eq(key, STR("discarded samples"))) {
		return run_error(legacy->run, number, "the setting '%s' is not known",
				 quote(key).text);
	}
	return place == NULL || (num_parse_u64(value, place) && *place <= INT64_MAX)
		       ? 0
		       : run_error(legacy->run, number,
				   "the setting '%s' is not a number of at most 63 bits",
				   quote(key).text);
}

/** Cut a number off the front of a line. Return false if there is none, or if it has more than 63
 * bits. */
static bool pprof_legacy_take_number(struct str *line, uint64_t *number) {
	struct str word = text_next_word(line);
	return num_parse_u64(word, number) && *number <= INT64_MAX;
}

/** Read the addresses of callers, to the end of a line. Those of Java are not return addresses. */
static bool pprof_legacy_take_addresses(struct pprof_legacy *legacy, struct str line) {
	for (struct str word; (word = text_next_word(&line)).n > 0;) {
		uint64_t address;
		if (!native_take_hex(&word, &address) || word.n > 0) {
			return false;
		}
		number_list_push(&legacy->addresses, address - (legacy->kind.is_java ? 0 : 1));
	}
	return true;
}

/** Estimate the number of all contentions from the sampled ones, and their time from the cycles.
 * Round down, as pprof does. If the number of cycles in a second is not known, keep the time; Java
 * counts no cycles. Return false if a result has more than 63 bits. */
static bool pprof_legacy_unsample(const struct pprof_legacy *legacy, uint64_t *delay, uint64_t *n) {
	const double giga = 1e9, most = 0x1p63;
	if (legacy->period == 0) {
		return true;
	}
	if (legacy->kind.is_java && __builtin_mul_overflow(*delay, legacy->period, delay)) {
		return false;
	}
	if (legacy->cycles > 0 && !legacy->kind.is_java) {
		double time =
			(double)*delay * (double)legacy->period / ((double)legacy->cycles / giga);
		if (!(time < most)) {
			return false;
		}
		*delay = (uint64_t)time;
	}
	return !__builtin_mul_overflow(*n, legacy->period, n) && *n <= INT64_MAX &&
	       *delay <= INT64_MAX;
}

/** Estimate the bytes and the number of all objects from the sampled ones. A Java program samples
 * once in half a megabyte. Round down, as pprof does. */
static bool pprof_legacy_unsample_heap(uint64_t *size, uint64_t *n) {
	const double rate = 512 * 1024, most = 0x1p63;
	if (*size == 0 || *n == 0) {
		*size = *n = 0;
		return true;
	}
	double factor = 1 / (1 - exp(-((double)*size / (double)*n) / rate)),
	       all = factor * (double)*size, objects = factor * (double)*n;
	if (!(all < most && objects < most)) {
		return false;
	}
	*size = (uint64_t)all;
	*n = (uint64_t)objects;
	return true;
}

/** Read a stack such as `19490304 27 @ 0xbccc97 0xc61202`: a sum, a number, and addresses. */
static int pprof_legacy_pair(struct pprof_legacy *legacy, struct str line, uint64_t number) {
	bool is_heap = str_eq(legacy->kind.names[1], STR("inuse_space"));
	uint64_t sum, n;
	size_t at = legacy->addresses.n;
	if (!pprof_legacy_take_number(&line, &sum) || !pprof_legacy_take_number(&line, &n) ||
	    !text_take(&line, STR(" @")) || !pprof_legacy_take_addresses(legacy, line)) {
		legacy->addresses.n = at;
		return run_bad(legacy->run, number,
			       "bad stack, which is not '%s NUMBER @ ADDRESSES' with numbers "
			       "of 63 bits at most",
			       is_heap ? "BYTES" : "CYCLES");
	}
	if (!(is_heap ? pprof_legacy_unsample_heap(&sum, &n)
		      : pprof_legacy_unsample(legacy, &sum, &n))) {
		return run_error(legacy->run, number, "the estimate of all %s has over 63 bits",
				 is_heap ? "allocations" : "contentions");
	}
	pprof_legacy_push(legacy, n, sum, at);
	return 0;
}

static int pprof_legacy_pair_line(void *memory, struct str text, uint64_t number) {
	struct pprof_legacy *legacy = memory;
	if (text.n == 0 || text.p[0] == '#' || str_starts(text, STR("---"))) {
		return 0;
	}
	if (legacy->kind.is_java && str_starts(text, STR("0x"))) {
		pprof_legacy_java_name(legacy, text);
		return 0;
	}
	bool is_setting = !legacy->has_samples && str_find(text, '=') != STR_NONE;
	if (!is_setting && legacy->kind.is_java && legacy->text.n == 0) {
		return run_error(legacy->run, number,
				 "a profile of Java without a resolution before its stacks");
	}
	legacy->has_samples |= !is_setting;
	return is_setting ? pprof_legacy_setting(legacy, text, number)
			  : pprof_legacy_pair(legacy, text, number);
}

/* --- Numbers of goroutines -----------------------------------------------------------------------
 */

/** Read a stack such as `2 @ 0x44cb3 0x45045`. Go adds comments with names, which pprof skips. */
static int pprof_legacy_count_line(void *memory, struct str text, uint64_t number) {
	struct pprof_legacy *legacy = memory;
	uint64_t n;
	size_t at = legacy->addresses.n;
	if (text.n == 0 || text.p[0] == '#' || str_starts(text, STR("---"))) {
		return 0;
	}
	if (!pprof_legacy_take_number(&text, &n) || !text_take(&text, STR(" @")) ||
	    !pprof_legacy_take_addresses(legacy, text)) {
		legacy->addresses.n = at;
		return run_bad(legacy->run, number,
			       "bad stack, which is not 'NUMBER @ ADDRESSES' with a number of 63 "
			       "bits at most");
	}
	pprof_legacy_push(legacy, n, 0, at);
	return 0;
}

/* --- Threads -------------------------------------------------------------------------------------
 */

/** Add the hexadecimal numbers of a line to the stack of the thread. All but the leaf are return
 * addresses. */
static void pprof_legacy_thread_addresses(struct pprof_legacy *legacy, struct str text) {
	struct pprof_legacy_sample *sample = &legacy->samples[legacy->n - 1];
	for (size_t i = 0; i + 2 < text.n; i++) {
		struct str rest = str_from(text, i);
		uint64_t address;
		if (str_starts(rest, STR("0x")) && native_take_hex(&rest, &address)) {
			number_list_push(&legacy->addresses, address - (sample->n > 0 ? 1 : 0));
			sample->n++;
			i = text.n - rest.n - 1;
		}
	}
}

/** End a thread. A thread without a stack has that of the thread before. */
static void pprof_legacy_end_thread(struct pprof_legacy *legacy) {
	struct pprof_legacy_sample *sample =
		legacy->in_thread ? &legacy->samples[legacy->n - 1] : NULL;
	if (sample != NULL && sample->n == 0 && legacy->n > 1) {
		legacy->n--;
		sample[-1].values[0]++;
	}
	legacy->in_thread = false;
}

/** Read a line of a list of threads:
 *
 *     --- Thread 7f794964e700 (name: thread1/14751) stack: ---
 *       PC:  0x7f794a32bf7d: nanosleep
 *       0x7f794a32414e: start_thread
 *
 * or `[same as previous thread]`, which is a thread without addresses. */
static int pprof_legacy_thread_line(void *memory, struct str text, uint64_t number) {
	struct pprof_legacy *legacy = memory;
	(void)number;
	if (str_starts(text, STR("---"))) {
		pprof_legacy_end_thread(legacy);
	}
	if (str_starts(text, STR("--- Thread "))) {
		legacy->in_thread = true;
		pprof_legacy_push(legacy, 1, 0, legacy->addresses.n);
	} else if (legacy->in_thread && text.n > 0 && !str_starts(text, STR("---"))) {
		pprof_legacy_thread_addresses(legacy, text);
	}
	return 0;
}

/* --- Text ----------------------------------------------------------------------------------------
 */

/** The kinds of text, by the start of their first line. */
static const struct {
	const char *start;
	struct pprof_legacy_kind kind;
} pprof_legacy_texts[] = {
	{"--- contention",
	 {.values = 2,
	  .names = {STR_INIT("contentions"), STR_INIT("delay")},
	  .units = {STR_INIT("count"), STR_INIT("nanoseconds")},
	  .line = pprof_legacy_pair_line}},
	{"--- mutex:",
	 {.values = 2,
	  .names = {STR_INIT("contentions"), STR_INIT("delay")},
	  .units = {STR_INIT("count"), STR_INIT("nanoseconds")},
	  .line = pprof_legacy_pair_line}},
	{"--- heapz 1 ---",
	 {.values = 2,
	  .names = {STR_INIT("inuse_objects"), STR_INIT("inuse_space")},
	  .units = {STR_INIT("count"), STR_INIT("bytes")},
	  .is_java = true,
	  .line = pprof_legacy_pair_line}},
	{"--- threadz ",
	 {.values = 1,
	  .names = {STR_INIT("thread")},
	  .units = {STR_INIT("count")},
	  .line = pprof_legacy_thread_line}},
};

/** Cut the word off the front of `goroutine profile: total 7`. Return false for any other line. */
static bool pprof_legacy_take_total(struct str line, struct str *word) {
	uint64_t total;
	line = text_trim(line);
	*word = text_next_word(&line);
	return word->n > 0 && text_take(&line, STR(" profile: total ")) &&
	       num_parse_u64(line, &total);
}

bool pprof_legacy_is_text(struct str start) {
	struct lines lines = {.rest = start};
	struct str line, word;
	for (size_t i = 0; i < sizeof(pprof_legacy_texts) / sizeof(pprof_legacy_texts[0]); i++) {
		if (str_starts(start, str_of(pprof_legacy_texts[i].start))) {
			return true;
		}
	}
	return lines_next(&lines, &line) && pprof_legacy_take_total(line, &word);
}

/** Choose the kind of a text by its first line, which pprof_legacy_is_text() knows. */
static void pprof_legacy_start_text(struct pprof_legacy *legacy, struct str line) {
	struct str word;
	struct pprof_legacy_kind kind = {
		.values = 1, .units = {STR_INIT("count")}, .line = pprof_legacy_count_line};
	buf_clear(&legacy->text);
	if (pprof_legacy_take_total(line, &word)) {
		buf_add_str(&legacy->text, word);
		kind.names[0] = buf_str(&legacy->text);
	}
	for (size_t i = 0; i < sizeof(pprof_legacy_texts) / sizeof(pprof_legacy_texts[0]); i++) {
		if (str_starts(line, str_of(pprof_legacy_texts[i].start))) {
			kind = pprof_legacy_texts[i].kind;
		}
	}
	pprof_legacy_start(legacy, &kind);
}

int pprof_legacy_line(void *memory, struct str line, uint64_t number) {
	struct pprof_legacy *legacy = memory;
	struct str text = text_trim(text_line(line));
	if (legacy->kind.values == 0) {
		pprof_legacy_start_text(legacy, text);
		return 0;
	}
	if (legacy->has_maps) {
		pprof_legacy_end_line(legacy, text);
		return 0;
	}
	if (str_has(text, STR("--- Memory map: ---")) || str_has(text, STR("MAPPED_LIBRARIES:"))) {
		pprof_legacy_end_thread(legacy);
		legacy->has_maps = true;
		return 0;
	}
	return legacy->kind.line(legacy, text, number);
}

int pprof_legacy_end_text(struct pprof_legacy *legacy) {
	pprof_legacy_end_thread(legacy);
	if (legacy->kind.line == pprof_legacy_thread_line) {
		pprof_legacy_remove_twins(legacy);
	}
	return legacy->kind.values == 0 ? 0 : pprof_legacy_count(legacy);
}

void pprof_legacy_release(struct pprof_legacy *legacy) {
	native_free(legacy->native);
	free(legacy->addresses.items);
	free(legacy->samples);
	intern_release(&legacy->names);
	buf_release(&legacy->text);
	ids_release(&legacy->stack);
}
