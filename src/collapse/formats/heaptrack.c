/*
 * heaptrack: the files of heaptrack. Each line begins with a letter for its kind. Numbers are
 * hexadecimal. Strings, addresses and traces are numbered from 1, and the number 0 stands for none
 * of them. Kinds of allocations are numbered from 0. For example:
 *
 *     v 10400 3                  the versions of heaptrack and of the file
 *     s 4 main                   a string, after its length
 *     i 5590ae2e06b9 1 2 3 2b    an address: its module; function, file and line, innermost first
 *     t 1 0                      a trace: an address, and the trace of its caller
 *     a 20 1                     a kind of allocations: their size, and their trace
 *     + 0                        a block of the first kind (number 0) is allocated
 *     - 0                        this block is freed
 */
#include <stdlib.h>

#include "collapse/frames.h"
#include "collapse/heap_values.h"
#include "collapse/native.h"
#include "collapse/text.h"

struct heaptrack_options {
	unsigned value;
};

/** The range of an address's frames in `frames`. */
struct heaptrack_span {
	size_t at, n;
};

struct heaptrack_trace {
	uint64_t address, caller; // number of the address; number of the caller's trace, which is
				  // smaller than the number of this trace
};

/** A kind of allocations: those of one size in one trace. */
struct heaptrack_kind {
	uint64_t size, trace;
	uint64_t all, now, peak;
	bool changed; // `now` has changed since the peak
};

/** The length and the capacity of a list of items. */
struct heaptrack_list {
	size_t n, capacity;
};

struct heaptrack_state {
	STATE_HEAD(struct heaptrack_options);
	bool has_version, line_open;
	bool has_lengths; // strings come with their lengths (version 3)
	struct memo names;
	struct buf texts;
	uint64_t *text_ends;
	struct heaptrack_list texts_list;
	struct heaptrack_span *addresses; // ranges of frames; in a range, the outermost frame comes
					  // first
	struct heaptrack_list addresses_list;
	struct ids frames;
	struct heaptrack_trace *traces;
	struct heaptrack_list traces_list;
	struct heaptrack_kind *kinds;
	struct heaptrack_list kinds_list;
	uint64_t now, most;      // number of bytes in use now; number at the peak
	struct ids changed;      // kinds of allocations that have changed since the peak
	struct ids spans, stack; // scratch memory: the addresses of a trace, leaf first, and its
				 // frames
};

/* --- Numbers -------------------------------------------------------------------------------- */

/** Remove a hexadecimal number, and the blank before it, from the start of a line. */
static bool heaptrack_take(struct str *line, uint64_t *number) {
	*line = text_trim_start(*line);
	return native_take_hex(line, number) && (line->n == 0 || line->p[0] == ' ');
}

/** Read a line of `n` numbers. Return false if the line has more or fewer numbers, or other
 * words. */
static bool heaptrack_read(struct str line, uint64_t *numbers, size_t n) {
	for (size_t i = 0; i < n; i++) {
		if (!heaptrack_take(&line, &numbers[i])) {
			return false;
		}
	}
	return text_trim(line).n == 0;
}

static int heaptrack_bad_line(struct heaptrack_state *state, uint64_t number) {
	return run_bad(state->run, number, "bad line, which has other numbers than its kind needs");
}

static int heaptrack_missing(struct heaptrack_state *state, uint64_t number, const char *what,
			     uint64_t index) {
	return run_bad(state->run, number, "%s %llx is not there", what, (unsigned long long)index);
}

/* --- Lines ---------------------------------------------------------------------------------- */

static int heaptrack_version(struct heaptrack_state *state, struct str line, uint64_t number) {
	enum { FIRST = 1, LENGTHS = 3, LAST = 3 };
	uint64_t versions[2] = {0, 0};
	if (!text_take(&line, STR("v ")) || !heaptrack_take(&line, &versions[0])) {
		return run_error(state->run, number,
				 "not a file of heaptrack, which begins with its version, such as "
				 "'v 10400 3'");
	}
	(void)heaptrack_take(&line, &versions[1]);
	state->has_version = true;
	state->has_lengths = versions[1] >= LENGTHS;
	return versions[1] >= FIRST && versions[1] <= LAST
		       ? 0
		       : run_error(state->run, number,
				   "a file of heaptrack in version %llu, and versions %d to %d are "
				   "read",
				   (unsigned long long)versions[1], (int)FIRST, (int)LAST);
}

static struct str heaptrack_text(const struct heaptrack_state *state, uint64_t index) {
	if (index == 0) {
		return STR("");
	}
	size_t start = index == 1 ? 0 : (size_t)state->text_ends[index - 2];
	return str_from(str_to(buf_str(&state->texts), (size_t)state->text_ends[index - 1]), start);
}

static int heaptrack_string(struct heaptrack_state *state, struct str line, uint64_t number) {
	uint64_t length = line.n;
	bool good = !state->has_lengths || heaptrack_take(&line, &length);
	line = str_from(line, state->has_lengths && line.n > 0 ? 1 : 0);
	buf_add_str(&state->texts, line);
	*MEM_APPEND(state->text_ends, state->texts_list.n, state->texts_list.capacity) =
		state->texts.n;
	return good && length == line.n
		       ? 0
		       : run_bad(state->run, number,
				 "a string has %zu bytes, and its length is another", line.n);
}

/** Add the frame of a function without a name. */
static void heaptrack_add_module(struct heaptrack_state *state, uint64_t module) {
	struct buf *name = &state->run->name;
	buf_clear(name);
	text_add_module(name, heaptrack_text(state, module));
	ids_push(&state->frames, text_frame(state->run, &state->names, buf_str(name)));
}

/** Reverse the frames of an address, so that the innermost frame is last. */
static void heaptrack_reverse(struct ids *frames, size_t start) {
	for (size_t i = start, k = frames->n; i + 1 < k; i++, k--) {
		uint32_t id = frames->items[i];
		frames->items[i] = frames->items[k - 1];
		frames->items[k - 1] = id;
	}
}

/** Remove the file and the line of a function from the start of a text line. Return the frame of
 * the function. If the profile keeps sites, the frame has the file and the line. */
static uint32_t heaptrack_take_place(struct heaptrack_state *state, struct str *line,
				     uint64_t module, uint32_t name) {
	struct frame_place place = {0};
	uint64_t file;
	size_t texts = state->texts_list.n;
	if (heaptrack_take(line, &file) && heaptrack_take(line, &place.line) && file <= texts) {
		place.file = heaptrack_text(state, file);
	}
	place.module = heaptrack_text(state, module <= texts ? module : 0);
	return run_site(state->run, name, &place);
}

/** Read an address: its module, and its functions with file and line, innermost first. */
static int heaptrack_address(struct heaptrack_state *state, struct str line, uint64_t number) {
	struct heaptrack_span *span = MEM_APPEND(state->addresses, state->addresses_list.n,
						 state->addresses_list.capacity);
	uint64_t address, module, function;
	*span = (struct heaptrack_span){.at = state->frames.n};
	if (!heaptrack_take(&line, &address) || !heaptrack_take(&line, &module)) {
		return heaptrack_bad_line(state, number);
	}
	bool has_name = true;
	while (text_trim(line).n > 0) {
		if (!heaptrack_take(&line, &function)) {
			return heaptrack_bad_line(state, number);
		}
		if (function > state->texts_list.n) {
			return heaptrack_missing(state, number, "the string", function);
		}
		struct str name = heaptrack_text(state, function);
		has_name = span->n > 0 || name.n > 0;
		name = name.n > 0 ? name : STR("[unknown]");
		if (!has_name) {
			break;
		}
		uint32_t id = text_frame(state->run, &state->names, name);
		ids_push(&state->frames, heaptrack_take_place(state, &line, module, id));
		span->n++;
	}
	if (module > state->texts_list.n) {
		return heaptrack_missing(state, number, "the string", module);
	}
	if (span->n == 0) {
		heaptrack_add_module(state, module);
		span->n = 1;
	}
	heaptrack_reverse(&state->frames, span->at);
	return 0;
}

static int heaptrack_add_trace(struct heaptrack_state *state, struct str line, uint64_t number) {
	struct heaptrack_trace *trace =
		MEM_APPEND(state->traces, state->traces_list.n, state->traces_list.capacity);
	uint64_t numbers[2];
	*trace = (struct heaptrack_trace){0};
	if (!heaptrack_read(line, numbers, 2)) {
		return heaptrack_bad_line(state, number);
	}
	if (numbers[0] > state->addresses_list.n) {
		return heaptrack_missing(state, number, "the address", numbers[0]);
	}
	// this comparison excludes a trace that is its own caller, too
	if (numbers[1] >= state->traces_list.n) {
		return heaptrack_missing(state, number, "the trace", numbers[1]);
	}
	*trace = (struct heaptrack_trace){numbers[0], numbers[1]};
	return 0;
}

static int heaptrack_add_kind(struct heaptrack_state *state, struct str line, uint64_t number) {
	struct heaptrack_kind *kind =
		MEM_APPEND(state->kinds, state->kinds_list.n, state->kinds_list.capacity);
	uint64_t numbers[2];
	*kind = (struct heaptrack_kind){0};
	if (!heaptrack_read(line, numbers, 2) || numbers[0] > INT64_MAX) {
		return heaptrack_bad_line(state, number);
	}
	if (numbers[1] > state->traces_list.n) {
		return heaptrack_missing(state, number, "the trace", numbers[1]);
	}
	kind->size = numbers[0];
	kind->trace = numbers[1];
	return 0;
}

/** Store the present state as the peak. Copy only the kinds of allocations that have changed since
 * the last peak. */
static void heaptrack_set_peak(struct heaptrack_state *state) {
	state->most = state->now;
	for (size_t i = 0; i < state->changed.n; i++) {
		struct heaptrack_kind *kind = &state->kinds[state->changed.items[i]];
		kind->peak = kind->now;
		kind->changed = false;
	}
	state->changed.n = 0;
}

/** Read a line for one object that is allocated or freed. */
static int heaptrack_event(struct heaptrack_state *state, struct str line, uint64_t number,
			   bool allocates) {
	uint64_t index;
	if (!heaptrack_read(line, &index, 1)) {
		return heaptrack_bad_line(state, number);
	}
	if (index >= state->kinds_list.n) {
		return heaptrack_missing(state, number, "the allocation", index);
	}
	struct heaptrack_kind *kind = &state->kinds[index];
	if (!allocates && kind->now == 0) {
		return run_bad(state->run, number, "an object is freed that was not allocated");
	}
	if (allocates && kind->size > INT64_MAX - state->now) {
		return run_error(state->run, number, "the bytes in use have over 63 bits");
	}
	if (!kind->changed) {
		kind->changed = true;
		ids_push(&state->changed, (uint32_t)index);
	}
	kind->all += allocates;
	kind->now += allocates ? 1 : -(uint64_t)1;
	state->now += allocates ? kind->size : -kind->size;
	state->run->samples++;
	if (state->now > state->most) {
		heaptrack_set_peak(state);
	}
	return 0;
}

static int heaptrack_line(void *memory, struct str line, uint64_t number) {
	struct heaptrack_state *state = memory;
	line = text_line(line);
	if (line.n == 0 || line.p[0] == '#') {
		return 0;
	}
	if (!state->has_version) {
		return heaptrack_version(state, line, number);
	}
	struct str rest = str_from(line, line.n > 1 ? 2 : 1);
	bool is_kind = line.n == 1 || line.p[1] == ' ';
	switch (is_kind ? line.p[0] : '\0') {
	case 's':
		return heaptrack_string(state, rest, number);
	case 'i':
		return heaptrack_address(state, rest, number);
	case 't':
		return heaptrack_add_trace(state, rest, number);
	case 'a':
		return heaptrack_add_kind(state, rest, number);
	case '+':
	case '-':
		return heaptrack_event(state, rest, number, line.p[0] == '+');
	case 'X': // line with the command
	case 'I': // line with the size of pages
	case 'c': // line with the time
	case 'R': // line with the memory of the process
	case 'A': // line that says that heaptrack was attached to a running process
	case 'S': // line with a leak that heaptrack does not report
		return 0;
	case 'x':
	case 'm':
		return run_error(state->run, number,
				 "raw data of heaptrack, whose addresses have no names yet; try: "
				 "zstd -dc FILE | /usr/lib/heaptrack/libexec/heaptrack_interpret");
	default:
		return run_bad(state->run, number, "an unknown kind of line");
	}
}

/* --- Stacks, at the end of an input ------------------------------------------------------------
 */

/** Put the frames of a trace into `stack`, root first. Return false if there are too many
 * frames. */
static bool heaptrack_find_stack(struct heaptrack_state *state, uint64_t trace) {
	enum { MOST = 1 << 16 }; // heaptrack itself records at most 64 addresses
	state->spans.n = state->stack.n = 0;
	for (uint64_t at = trace; at != 0 && state->spans.n < MOST;
	     at = state->traces[at - 1].caller) {
		ids_push(&state->spans, (uint32_t)state->traces[at - 1].address);
	}
	for (size_t i = state->spans.n; i > 0 && state->stack.n < MOST; i--) {
		uint32_t address = state->spans.items[i - 1];
		if (address > 0) {
			const struct heaptrack_span *span = &state->addresses[address - 1];
			ids_add_part(&state->stack, &state->frames, span->at, span->n);
		}
	}
	if (state->stack.n == 0) {
		ids_push(&state->stack, text_frame(state->run, &state->names, STR("[unknown]")));
	}
	return state->spans.n < MOST && state->stack.n < MOST;
}

/** Add the stack of one kind of allocations. */
static int heaptrack_count(struct heaptrack_state *state, const struct heaptrack_kind *kind) {
	const uint64_t objects[] = {kind->now, kind->all, kind->peak};
	const enum heap_value values[][2] = {{HEAP_INUSE_OBJECTS, HEAP_INUSE_SPACE},
					     {HEAP_ALLOC_OBJECTS, HEAP_ALLOC_SPACE},
					     {HEAP_PEAK_OBJECTS, HEAP_PEAK_SPACE}};
	uint64_t counts[HEAP_VALUES];
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		counts[values[i][0]] = objects[i];
		if (__builtin_mul_overflow(objects[i], kind->size, &counts[values[i][1]]) ||
		    counts[values[i][1]] > INT64_MAX) {
			state->run->profile->overflow = true;
			return 0;
		}
	}
	if (!heaptrack_find_stack(state, kind->trace)) {
		return run_error(state->run, RUN_AT_END, "the stack of trace %llx is too deep",
				 (unsigned long long)kind->trace);
	}
	heap_value_add(state->run, &state->stack, counts, HEAP_VALUES,
		       (enum heap_value)state->options->value);
	return 0;
}

/** Drop all data that was read from an input. */
static void heaptrack_clear(struct heaptrack_state *state) {
	state->has_version = state->line_open = false;
	state->texts_list.n = state->addresses_list.n = state->traces_list.n = 0;
	state->kinds_list.n = state->frames.n = state->changed.n = 0;
	state->now = state->most = 0;
	buf_clear(&state->texts);
}

static int heaptrack_end(struct heaptrack_state *state) {
	int result = state->line_open ? run_bad(state->run, RUN_AT_END,
						"unexpected end in the middle of a line")
				      : 0;
	for (size_t i = 0; i < state->kinds_list.n && result == 0; i++) {
		result = heaptrack_count(state, &state->kinds[i]);
	}
	heaptrack_clear(state);
	return result;
}

static int heaptrack_block(void *memory, const struct block *block) {
	struct heaptrack_state *state = memory;
	if (block->first) {
		heaptrack_clear(state);
	}
	state->line_open = block->bytes.n > 0 && block->bytes.p[block->bytes.n - 1] != '\n';
	int result = run_lines(state->run, block, state, heaptrack_line);
	return block->last && result == 0 ? heaptrack_end(state) : result;
}

static void heaptrack_find_unit(const void *memory, struct buf *unit) {
	const struct heaptrack_state *state = memory;
	heap_value_unit((enum heap_value)state->options->value, unit);
}

static void heaptrack_release(void *memory) {
	struct heaptrack_state *state = memory;
	memo_release(&state->names);
	buf_release(&state->texts);
	free(state->text_ends);
	free(state->addresses);
	free(state->traces);
	free(state->kinds);
	struct ids *ids[] = {&state->frames, &state->changed, &state->spans, &state->stack};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		ids_release(ids[i]);
	}
}

static int heaptrack_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	struct str line, next = STR("");
	uint64_t versions[2];
	bool found = lines_next_whole(&lines, whole, &line) && text_take(&line, STR("v ")) &&
		     heaptrack_read(text_line(line), versions, 2);
	if (!found || !lines_next_whole(&lines, whole, &next)) {
		return found ? SNIFF_SHAPE : SNIFF_NO;
	}
	bool is_kind = next.n > 1 && next.p[1] == ' ' && memchr("XIsxm#", next.p[0], 6) != NULL;
	return is_kind ? SNIFF_MAGIC : SNIFF_NO;
}

static const struct opt options[] = {
	HEAP_VALUE_ROW(struct heaptrack_options, value, heap_value_names, "alloc_objects"),
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	HEAP_VALUE_ITEMS,
	HEAP_PEAK_ITEMS,
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"heaptrack ./app", "write a profile to heaptrack.app.*.zst"},
	{"inferno collapse heaptrack heaptrack.app.*.zst > app.folded", "fold the allocations"},
	{"inferno flamegraph --value peak_space heaptrack.app.*.zst -o app.svg",
	 "draw the bytes in use when they were most"},
	{NULL, NULL},
};

const struct collapser collapse_heaptrack = {
	.name = "heaptrack",
	.brief = "fold heap profiles of heaptrack",
	.about = "Reads the files that heaptrack writes. The count is the number of allocations, "
		 "or the quantity that --value names: bytes or allocations in use at the end "
		 "(leaked), in all, or at the moment when most bytes were in use (peak). Inlined "
		 "functions are frames.",
	.examples = examples,
	.options = {options, sizeof(struct heaptrack_options)},
	.values = values,
	.state_size = sizeof(struct heaptrack_state),
	.sniff = heaptrack_sniff,
	.block = heaptrack_block,
	.find_unit = heaptrack_find_unit,
	.release = heaptrack_release,
	.expects = "a file of heaptrack, with allocations",
};
