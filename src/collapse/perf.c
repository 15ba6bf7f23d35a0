/*
 * perf: the text that `perf script` prints.
 *
 * A sample is an event line, stack lines from the leaf to the root, and an empty line. Almost every
 * stack line has been seen before, but for its address: what follows the address is looked up in a
 * memo, and only a line that is new there is parsed. So the rules for names run once for each
 * distinct line, and may be plain.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/packages.h"
#include "collapse/perf_line.h"
#include "collapse/symbol.h"

struct options {
	bool pid, tid, addrs, jit, kernel, all, by_package;
	const char *event_filter, *from, *to;
	struct opt_list skip_after;
};

enum tally {
	TALLY_OTHER_EVENT,
	TALLY_NO_FRAMES,
	TALLY_SOURCE_LINES,
	TALLY_IDLE,
	TALLY_NO_TIME,
};

/*
 * What the memo knows of a line: nothing yet, something special, or its frames. A name depends on
 * whether the process is Java, so a memo's value holds two of these.
 */
enum { LINE_IS_NEW, LINE_HAS_NO_FRAME, LINE_IS_WEIRD, LINE_IS_SOURCE, LINE_IS_IDLE };

struct state {
	const struct options *options;
	struct run *run;

	struct memo memo;        // stack lines, by key_of()
	struct intern processes; // what event lines say of the process
	struct ids lists;

	struct perf_range range;
	struct buf filter; // the event to keep, without modifier
	bool filter_set;

	struct buf process; // the start of the last event line, up to the ids, if a time follows
	frames root;        // the frame of the process; 0: none yet
	bool java;

	struct buf
		event; // the end of the last event line, from the time's colon on, if it is plain
	bool event_kept;

	bool in_sample, skipped; // the sample's remaining lines are not looked at
	bool rootless;           // --skip-after has cut the root off
	uint64_t period;
	struct stack stack;

	struct buf text, name, scratch; // for lines that are parsed
};

static void end_sample(struct state *state) {
	if (!state->in_sample) {
		return;
	}
	state->in_sample = false;
	if (stack_depth(&state->stack) == 0) {
		state->run->samples += state->skipped;
		state->run->tallies[TALLY_NO_FRAMES] += !state->skipped;
		return;
	}
	state->run->samples++;
	if (!state->rootless) {
		stack_push_frames(&state->stack, &state->lists, state->root);
	}
	stacks_add(state->run->stacks, stack_ids(&state->stack), stack_depth(&state->stack),
		   state->period);
	stack_clear(&state->stack);
}

static void start_sample(struct state *state) {
	state->in_sample = true;
	state->rootless = false;
	state->skipped = !state->event_kept;
	state->run->tallies[TALLY_OTHER_EVENT] += state->skipped;
	memo_start(&state->memo);
}

/* --- Names: everything here runs once for each distinct line -------------------------------- */

static bool is_kernel_module(struct str module) {
	if (str_eq(module, STR("[unknown]"))) {
		return false;
	}
	if (str_starts(module, STR("[")) || str_ends(module, STR(".ko"))) {
		return true;
	}
	size_t at = str_find_last_str(module, STR("vmlinux"));
	for (size_t i = at == STR_NONE ? 0 : at + 7; at != STR_NONE && i <= module.n; i++) {
		if (i == module.n) {
			return true;
		}
		char c = module.p[i];
		if (!is_alpha(c) && !is_digit(c) && c != '-' && c != '.' && c != '_') {
			break;
		}
	}
	return false;
}

static bool is_jit_module(struct str module) {
	return (str_starts(module, STR("/tmp/perf-")) && str_ends(module, STR(".map"))) ||
	       (str_has(module, STR("/jitted-")) && str_ends(module, STR(".so")));
}

/** A stack line in its parts. */
struct stack_line {
	struct str address, function, module;
};

/** Where the parenthesis that matches the one at the end of `text` opens, or STR_NONE. */
static size_t opening_of_last(struct str text) {
	size_t open = str_find_last(text, '('), depth = 0;
	if (open != STR_NONE && str_find(str_from(text, open), ')') == text.n - open - 1) {
		return open;
	}
	for (size_t i = text.n; i > 0; i--) {
		depth += text.p[i - 1] == ')';
		if (text.p[i - 1] == '(' && --depth == 0) {
			return i - 1;
		}
	}
	return STR_NONE;
}

static bool split_stack_line(struct str line, struct stack_line *parts) {
	struct str rest = str_trim_start(line);
	if (str_find(rest, ' ') == STR_NONE || !str_ends(rest, STR(")"))) {
		return false;
	}
	parts->address = str_cut(&rest, ' ');
	size_t open = opening_of_last(rest);
	if (open == STR_NONE || open == 0 || rest.p[open - 1] != ' ') {
		open = str_find_last(rest, ' ') + 1; // parentheses in a path: the last word
	}
	if (open == 0 || rest.p[open] != '(') {
		return false;
	}
	parts->module = (struct str){rest.p + open + 1, rest.n - open - 2};
	if (str_ends(parts->module, STR(" (deleted)"))) {
		parts->module = str_to(parts->module, parts->module.n - 10);
	}
	parts->function = str_trim(str_to(rest, open - 1));
	if (parts->function.n == 0) {
		parts->function = STR(" ");
	}
	return true;
}

static void name_unknown(struct state *state, const struct stack_line *line) {
	struct str base = line->module;
	bool known = !str_eq(base, STR("[unknown]"));
	if (known) {
		size_t slash = str_find_last(base, '/');
		base = slash == STR_NONE ? base : str_from(base, slash + 1);
		buf_add_char(&state->name, '[');
	} else {
		base = STR("[unknown");
	}
	buf_add_str(&state->name, base);
	if (state->options->addrs) {
		buf_add_text(&state->name, " <");
		buf_add_str(&state->name, line->address);
		buf_add_char(&state->name, '>');
	}
	buf_add_char(&state->name, ']');
}

static void name_function(struct state *state, struct str piece) {
	piece = symbol_cut_arguments(piece);
	if (state->java && str_starts(piece, STR("L")) && str_find(piece, '/') != STR_NONE) {
		piece = str_from(piece, 1);
	}
	buf_add_str(&state->name, piece);
}

/** The mark that a piece of a name gets at its end; empty for none. */
static const char *mark_of(const struct state *state, struct str name, bool first,
			   struct str module) {
	const struct options *options = state->options;
	if (!first) {
		return str_has(name, STR("_[i]")) ? "" : "_[i]";
	}
	if ((options->kernel || options->all) && is_kernel_module(module)) {
		return "_[k]";
	}
	if ((options->jit || options->all) && is_jit_module(module)) {
		return str_has(name, STR("_[j]")) ? "" : "_[j]";
	}
	return "";
}

/** Adds the id of one piece of a function to the open list. */
static void add_piece(struct state *state, const struct stack_line *line, struct str piece,
		      bool first) {
	buf_clear(&state->name);
	if (str_eq(piece, STR("[unknown]"))) {
		name_unknown(state, line);
	} else {
		name_function(state, piece);
	}
	buf_replace(&state->name, ';', ':');
	buf_add_text(&state->name, mark_of(state, buf_str(&state->name), first, line->module));
	struct str name = buf_str(&state->name), package;
	while (state->options->by_package && packages_take(&name, &package)) {
		ids_push(&state->lists, stacks_frame(state->run->stacks, package));
	}
	ids_push(&state->lists, stacks_frame(state->run->stacks, name));
}

static bool ends_stack(const struct options *options, struct str name) {
	for (size_t i = 0; i < options->skip_after.n; i++) {
		if (str_eq(name, str_of(options->skip_after.items[i]))) {
			return true;
		}
	}
	return false;
}

/** Whether a line is what `-F +srcline` prints below a frame: "main.c:12", "??:0", or
 * "libc.so.6[1a2b]". */
static bool is_source_line(struct str line) {
	line = str_trim_start(line);
	size_t colon = str_find_last(line, ':'), bracket = str_find_last(line, '[');
	if (colon != STR_NONE && colon > 0 && colon + 1 < line.n) {
		return str_all_digits(str_from(line, colon + 1));
	}
	return bracket != STR_NONE && bracket > 0 && str_ends(line, STR("]")) &&
	       str_find(line, ' ') == STR_NONE;
}

/** What ran of the functions that a JIT inlined into one another. */
static struct str innermost(struct str function) {
	struct str piece = function;
	for (bool more = true; symbol_next_inlined(&function, &more, &piece);) {
		continue;
	}
	return piece;
}

static frames parse_stack_line(struct state *state, struct str line) {
	buf_clear(&state->text);
	utf8_repair(&state->text, line);
	struct stack_line parts;
	if (!split_stack_line(buf_str(&state->text), &parts)) {
		return is_source_line(buf_str(&state->text)) ? LINE_IS_SOURCE : LINE_IS_WEIRD;
	}
	struct str function = symbol_cut_offset(parts.function);
	if (str_starts(function, STR("(")) && !str_starts(function, STR("(anonymous namespace)"))) {
		return LINE_HAS_NO_FRAME; // the name of a process
	}
	struct str raw = symbol_repair_rust(function, &state->scratch), piece;
	bool by_package = state->options->by_package, more = true;
	if (by_package && is_kernel_module(parts.module) && packages_is_idle(raw)) {
		return LINE_IS_IDLE;
	}
	size_t list = frame_lists_open(&state->lists);
	for (struct str rest = by_package ? innermost(raw) : raw;
	     symbol_next_inlined(&rest, &more, &piece);) {
		add_piece(state, &parts, piece, state->lists.n == list + 1);
	}
	return frame_lists_close(&state->lists, list) |
	       (by_package || ends_stack(state->options, raw) ? FRAMES_MARK : 0);
}

/* --- Stack lines ---------------------------------------------------------------------------- */

/** Where an ordinary stack line goes on behind its address. */
enum { ADDRESS_COLUMNS = 16, BEHIND_ADDRESS = 1 + ADDRESS_COLUMNS + 1 };

/** The highest bit of each of eight bytes that is no blank; they are letters, digits and such. */
static inline uint64_t not_blank(uint64_t bytes) {
	const uint64_t all = UINT64_C(0x0101010101010101);
	return ((bytes & 0x5f * all) + 0x7f * all) & 0x80 * all;
}

/**
 * Whether `text`, which may go on behind its line, starts with an ordinary address: a word without
 * capitals in 16 columns, right-aligned, behind one tab and before a blank.
 */
static inline bool has_plain_address(struct str text) {
	if (text.n < BEHIND_ADDRESS || text.p[0] != '\t' || text.p[BEHIND_ADDRESS - 1] != ' ') {
		return false;
	}
	const uint64_t all = UINT64_C(0x0101010101010101);
	uint64_t left = load_u64(text.p + 1), right = load_u64(text.p + 1 + ADDRESS_COLUMNS / 2);
	// 0x20 to 0x3f or 0x60 to 0x7f, of which only the blank has no other bit.
	uint64_t others = ((left ^ 0x20 * all) | (right ^ 0x20 * all)) & 0xa0 * all;
	uint64_t first = not_blank(left), second = not_blank(right);
	// Behind what is no blank comes none.
	uint64_t gaps = (first << 8 & ~first) | ((second << 8 | first >> 56) & ~second);
	return others == 0 && gaps == 0 && second != 0;
}

/**
 * What decides the meaning of a stack line: all behind the address, or the whole line where the
 * address shows in the name. Empty for a line of one word.
 */
static struct str key_of(const struct state *state, struct str line) {
	struct str key = str_trim_start(line);
	str_cut(&key, ' ');
	return state->options->addrs && str_has(key, STR("[unknown]")) ? line : key;
}

/** What a stack line means, from the memo if it is there. A weird line is not remembered: there may
 * be any number. */
static frames look_up(struct state *state, struct str line) {
	struct str key = key_of(state, line);
	frames what = memo_find(&state->memo, key, state->java);
	if (what == LINE_IS_NEW) {
		what = parse_stack_line(state, line);
		if (what >= FRAMES_FIRST || what == LINE_HAS_NO_FRAME || what == LINE_IS_IDLE) {
			memo_add(&state->memo, key, state->java, what);
		}
	}
	return what;
}

static int stack_line(struct state *state, struct str line, uint64_t number) {
	frames what = look_up(state, line);
	if (what >= FRAMES_FIRST) {
		stack_push_frames(&state->stack, &state->lists, what);
		if ((what & FRAMES_MARK) != 0) { // no callers; with --skip-after, no root
			state->skipped = true;
			state->rootless = !state->options->by_package;
		}
	} else if (what == LINE_IS_WEIRD) {
		return run_warn(state->run, number, "weird stack line: '%s'", quote(line).text);
	} else if (what == LINE_IS_SOURCE) {
		state->run->tallies[TALLY_SOURCE_LINES]++;
	} else if (what == LINE_IS_IDLE) {
		state->run->tallies[TALLY_IDLE]++;
		state->skipped = true;
	}
	return 0;
}

/** Takes the stack lines that come next as long as they are ordinary and known, which nearly all
 * are. */
static void known_stack_lines(struct state *state, struct lines *lines) {
	struct memo *memo = &state->memo;
	struct str rest = lines->rest;
	uint64_t number = lines->number;
	size_t java = state->java;
	while (has_plain_address(rest)) {
		struct str text = str_from(rest, BEHIND_ADDRESS);
		size_t n = memo_step(memo, text);
		frames what = n == 0 ? LINE_IS_NEW : memo_meaning(memo, java);
		if (what < FRAMES_FIRST || (what & FRAMES_MARK) != 0) {
			break;
		}
		stack_push_frames(&state->stack, &state->lists, what);
		rest = str_from(text, n);
		number++;
	}
	*lines = (struct lines){rest, number};
}

/* --- Event lines ---------------------------------------------------------------------------- */

/** What an event line says behind the time. */
struct event {
	struct str name; // as printed, with its modifier; empty if the line has no event
	bool named, period_too_large;
	uint64_t period;
	struct str payload; // what follows the event
};

static bool is_id_word(struct str word) {
	for (size_t i = 0; i < word.n; i++) {
		if (!is_digit(word.p[i]) && word.p[i] != '/') {
			return false;
		}
	}
	return word.n > 0;
}

static size_t skip_digits(struct str s, size_t at) {
	while (at < s.n && is_digit(s.p[at])) {
		at++;
	}
	return at;
}

/** Where `[CPU]` or a time stamp ends that comes next, which stands behind the ids of a process and
 * never inside its name; STR_NONE if none comes. */
static size_t end_of_cpu_or_time(struct str rest) {
	size_t start = 0;
	while (start < rest.n && rest.p[start] == ' ') {
		start++;
	}
	if (start < rest.n && rest.p[start] == '[') {
		size_t end = skip_digits(rest, start + 1);
		return end > start + 1 && end < rest.n && rest.p[end] == ']' ? end : STR_NONE;
	}
	size_t point = skip_digits(rest, start);
	if (point == rest.n || rest.p[point] != '.') {
		return STR_NONE;
	}
	size_t end = skip_digits(rest, point + 1);
	return end > start + 2 && end < rest.n && rest.p[end] == ':' ? end : STR_NONE;
}

/** Finds the word with the ids: the one before the CPU or the time, then `*certain`; else the first
 * of digits. STR_NONE: there is none. */
static size_t find_ids(struct str line, size_t *len, bool *certain) {
	size_t first = STR_NONE;
	*certain = false;
	for (size_t at = str_find(line, ' '); at != STR_NONE;) {
		size_t start = at + 1, n = str_find(str_from(line, start), ' ');
		if (n == STR_NONE) {
			break;
		}
		if (n > 0 && (is_digit(line.p[start]) || line.p[start] == '/') &&
		    is_id_word((struct str){line.p + start, n})) {
			*certain = end_of_cpu_or_time(str_from(line, start + n)) != STR_NONE;
			if (*certain || first == STR_NONE) {
				first = start;
				*len = n;
			}
			if (*certain) {
				break;
			}
		}
		at = start + n;
	}
	return first;
}

/** Without a modifier such as `:u` or `:ppp`. */
static struct str event_name(struct str event) {
	size_t colon = str_find_last(event, ':');
	if (colon == STR_NONE || colon + 1 == event.n) {
		return colon == STR_NONE ? event : str_to(event, colon);
	}
	for (size_t i = colon + 1; i < event.n; i++) {
		if (str_find(STR("ukhIGHpPSDWebRX"), event.p[i]) == STR_NONE) {
			return event;
		}
	}
	return str_to(event, colon);
}

/** Reads what stands behind the time: a colon, period, event, payload. */
static void split_event(struct str rest, struct event *event) {
	*event = (struct event){
		.named = rest.n > 0, .period = 1, .name = STR(""), .payload = STR("")};
	if (!event->named) {
		return;
	}
	rest = str_from(rest, 1);
	size_t colon = str_find(rest, ':');
	struct str before = colon == STR_NONE ? rest : str_to(rest, colon);
	// The event is the word that holds the colon; its own name may hold more of them.
	size_t blank = str_find_last(before, ' ');
	size_t start = blank == STR_NONE ? 0 : blank + 1;
	struct str word = str_from(rest, start);
	size_t end = str_find(word, ' ');
	event->payload = end == STR_NONE ? str_from(word, word.n) : str_from(word, end);
	event->name = end == STR_NONE || colon == STR_NONE ? word : str_to(word, end);
	if (colon == STR_NONE) {
		event->payload = STR("");
	}
	if (str_ends(event->name, STR(":"))) {
		event->name = str_to(event->name, event->name.n - 1);
	}
	if (blank != STR_NONE) {
		struct str period = str_to(rest, blank);
		size_t previous = str_find_last(period, ' ');
		period = previous == STR_NONE ? period : str_from(period, previous + 1);
		if (!num_parse_count(period, &event->period)) {
			event->period = 1;
			event->period_too_large = period.n > 0 && str_all_digits(period);
		}
	}
}

/** Makes numbers an X, so that threads whose names differ in nothing else add up. */
static void hide_numbers(struct buf *name) {
	size_t n = 0;
	bool inside = false;
	for (size_t i = 0; i < name->n; i++) {
		bool digit = is_digit(name->p[i]);
		if (!digit || !inside) {
			name->p[n++] = digit ? 'X' : name->p[i];
		}
		inside = digit;
	}
	name->n = n;
}

/** The frame at the root of the stacks of a process, which is a name and ids. */
static frames name_root(struct state *state, struct str comm, struct str ids) {
	const struct options *options = state->options;
	size_t slash = str_find_last(ids, '/');
	buf_clear(&state->text);
	utf8_repair(&state->text, str_trim(comm));
	buf_replace(&state->text, ' ', '_');
	if (options->by_package) {
		hide_numbers(&state->text);
	}
	if (options->pid || options->tid) {
		buf_add_char(&state->text, '-');
		buf_add_str(&state->text, slash == STR_NONE ? STR("?") : str_to(ids, slash));
	}
	if (options->tid) {
		buf_add_char(&state->text, '/');
		buf_add_str(&state->text, slash == STR_NONE ? ids : str_from(ids, slash + 1));
	}
	state->java = str_starts(buf_str(&state->text), STR("java"));
	return FRAMES_FIRST + stacks_frame(state->run->stacks, buf_str(&state->text));
}

/** Finds the root frame; a process that was met before is not named again. */
static void set_process(struct state *state, struct str comm, struct str ids) {
	// Without ids in the name, the comm decides.
	size_t len = state->options->pid || state->options->tid ? comm.n + ids.n : comm.n;
	struct intern_key *memo = intern_get(&state->processes, comm.p, len);
	if (memo->value == 0) {
		state->root = name_root(state, comm, ids);
		memo->value = (uint64_t)state->java << 32 | state->root;
	}
	state->root = (frames)memo->value;
	state->java = memo->value >> 32 != 0;
}

/** Reads an event line up to the time and returns what follows, from the colon on. NULL: it is no
 * event line. */
static const char *read_process(struct state *state, struct str line) {
	struct str known = buf_str(&state->process);
	if (known.n > 0 && line.n > known.n && line.p[known.n] == ' ' && str_starts(line, known)) {
		struct str rest = str_from(line, known.n);
		size_t end = end_of_cpu_or_time(rest);
		size_t colon = end == STR_NONE ? STR_NONE : str_find(str_from(rest, end), ':');
		if (colon != STR_NONE) {
			return rest.p + end + colon;
		}
	}
	bool certain;
	size_t len = 0, at = find_ids(line, &len, &certain);
	if (at == STR_NONE) {
		return NULL;
	}
	set_process(state, str_to(line, at), (struct str){line.p + at, len});
	buf_clear(&state->process);
	buf_add(&state->process, line.p, certain ? at + len : 0);
	struct str rest = str_from(line, at + len);
	size_t colon = str_find(rest, ':');
	return rest.p + (colon == STR_NONE ? rest.n : colon);
}

/** Whether the samples of an event are kept. The first event met is, unless an option named one. */
static bool keep_event(struct state *state, const struct event *event, uint64_t number) {
	if (!event->named) {
		return true;
	}
	struct str name = event_name(event->name);
	if (!state->filter_set) {
		state->filter_set = true;
		buf_add_str(&state->filter, name);
		run_note(state->run, number, "filtering for events of type: %s", quote(name).text);
	}
	struct str filter = buf_str(&state->filter);
	return str_eq(name, filter) || str_eq(event->name, filter);
}

/** Whether text behind an event is a stack line: an address, a function, a module. Else it is a
 * tracepoint's payload. */
static bool looks_like_stack_line(struct str text) {
	struct stack_line parts;
	return split_stack_line(text, &parts) && parts.address.n > 0 && str_all_hex(parts.address);
}

/** Reads the end of an event line, which is not the same as that of the line before. */
static int read_event(struct state *state, struct str line, struct str text, uint64_t number) {
	struct event event;
	split_event(text, &event);
	state->event_kept = keep_event(state, &event, number);
	state->period = event.period;
	struct str payload = str_trim(event.payload);
	bool plain = payload.n == 0 && !event.period_too_large;
	buf_clear(&state->event);
	buf_add_str(&state->event, plain ? text : STR(""));
	start_sample(state);
	if (event.period_too_large &&
	    run_warn(state->run, number, "the period is over 64 bits and counts as 1: '%s'",
		     quote(line).text) != 0) {
		return -1;
	}
	if (payload.n > 0 && looks_like_stack_line(payload)) {
		int result = state->skipped ? 0 : stack_line(state, payload, number);
		end_sample(state);
		return result;
	}
	return 0;
}

/** Whether an event line lies in the range of time that was asked for. */
static bool is_in_range(struct state *state, struct str line) {
	struct perf_line parts;
	struct str time = perf_line_split(line, &parts) ? parts.time : STR("");
	enum perf_place place = perf_range_place(&state->range, time);
	state->run->tallies[TALLY_NO_TIME] += place == PERF_WITHOUT_TIME;
	return place == PERF_INSIDE;
}

/** Leaves out the sample of an event line, of which `text` is the end. */
static void skip_sample(struct state *state, struct str text) {
	struct event event;
	split_event(text, &event);
	state->in_sample = state->skipped = true;
	state->rootless = false;
	if (looks_like_stack_line(str_trim(event.payload))) {
		end_sample(state);
	}
}

static int event_line(struct state *state, struct str line, uint64_t number) {
	const char *text = read_process(state, line);
	if (text == NULL) {
		return run_warn(state->run, number, "weird event line: '%s'", quote(line).text);
	}
	struct str event = str_from(line, (size_t)(text - line.p));
	if (state->range.given && !is_in_range(state, line)) {
		skip_sample(state, event);
		return 0;
	}
	if (event.n == 0 || !str_eq(event, buf_str(&state->event))) {
		return read_event(state, line, event, number);
	}
	start_sample(state);
	return 0;
}

/**
 * Takes the event line that comes next if it differs in nothing but the CPU and the time from the
 * one before, as most do.
 */
static bool known_event_line(struct state *state, struct lines *lines) {
	struct str process = buf_str(&state->process), event = buf_str(&state->event);
	struct str rest = lines->rest;
	if (event.n == 0 || process.n == 0 || state->range.given || !str_starts(rest, process)) {
		return false;
	}
	rest = str_from(rest, process.n);
	size_t end = end_of_cpu_or_time(rest);
	if (end == STR_NONE || rest.p[0] != ' ' || !str_starts(str_from(rest, end), event)) {
		return false;
	}
	rest = str_from(rest, end + event.n);
	rest = str_from(rest, rest.n > 0 && rest.p[0] == ' '); // behind the event
	if (rest.n == 0 || rest.p[0] != '\n') {
		return false;
	}
	start_sample(state);
	*lines = (struct lines){str_from(rest, 1), lines->number + 1};
	return true;
}

/* --- The collapser -------------------------------------------------------------------------- */

static void init(void *memory, const void *options, struct run *run) {
	struct state *state = memory;
	state->options = options;
	state->run = run;
	state->range = perf_range_of(state->options->from, state->options->to);
	if (state->options->event_filter != NULL) {
		state->filter_set = true;
		buf_add_text(&state->filter, state->options->event_filter);
	}
}

static int any_line(struct state *state, struct str line, uint64_t number) {
	if (line.n > 0 && line.p[0] == '#') {
		return 0;
	}
	line = str_trim_end(line);
	if (line.n == 0) {
		end_sample(state);
		return 0;
	}
	return !state->in_sample ? event_line(state, line, number)
	       : !state->skipped ? stack_line(state, line, number)
				 : 0;
}

/** Takes what comes next as long as it is ordinary and known. */
static void known_lines(struct state *state, struct lines *lines) {
	do {
		if (state->in_sample && !state->skipped && !state->options->addrs) {
			known_stack_lines(state, lines);
		}
		if (lines->rest.n == 0 || lines->rest.p[0] != '\n') {
			return;
		}
		end_sample(state);
		*lines = (struct lines){str_from(lines->rest, 1), lines->number + 1};
	} while (known_event_line(state, lines));
}

static int block(void *memory, const struct block *block) {
	struct state *state = memory;
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		result = any_line(state, line, lines.number);
		known_lines(state, &lines);
	}
	if (block->last) {
		end_sample(state);
	}
	state->run->lines = lines.number;
	return result;
}

static bool ready(const void *memory) {
	return ((const struct state *)memory)->filter_set;
}

static void follow(void *memory, const void *first) {
	struct state *state = memory;
	const struct state *learnt = first;
	buf_clear(&state->filter);
	buf_add_str(&state->filter, buf_str(&learnt->filter));
	state->filter_set = learnt->filter_set;
}

/** Samples end at empty lines. */
static size_t cut(struct str bytes) {
	for (size_t end = bytes.n; end > 1;) {
		const char *newline = memrchr(bytes.p, '\n', end);
		if (newline == NULL || newline == bytes.p) {
			return 0;
		}
		if (newline[-1] == '\n') {
			return (size_t)(newline - bytes.p) + 1;
		}
		end = (size_t)(newline - bytes.p);
	}
	return 0;
}

static void release(void *memory) {
	struct state *state = memory;
	memo_release(&state->memo);
	intern_release(&state->processes);
	buf_release(&state->filter);
	buf_release(&state->process);
	buf_release(&state->event);
	buf_release(&state->text);
	buf_release(&state->name);
	buf_release(&state->scratch);
	ids_release(&state->lists);
	stack_release(&state->stack);
}

static bool split_event_line(struct str line, struct event *event) {
	bool certain;
	size_t len = 0, at = find_ids(line, &len, &certain);
	if (at == STR_NONE) {
		return false;
	}
	struct str rest = str_from(line, at + len);
	size_t colon = str_find(rest, ':');
	split_event(colon == STR_NONE ? STR("") : str_from(rest, colon), event);
	return true;
}

/** An event line followed by a stack line, or with one on it, is proof; anything else in its place
 * is against it. */
static int sniff(struct str bytes, bool whole) {
	enum { PROOF = 3 * SNIFF_SHAPE };
	struct lines lines = {.rest = bytes};
	bool event = false, events = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		if (str_starts(line, STR("#"))) {
			continue;
		}
		line = str_trim_end(line);
		struct stack_line stack;
		struct event parts;
		if (line.n == 0) {
			event = false;
		} else if (event) {
			return split_stack_line(line, &stack) ? PROOF : SNIFF_HINT;
		} else if (!split_event_line(line, &parts)) {
			return events ? SNIFF_HINT : SNIFF_NO;
		} else if (looks_like_stack_line(str_trim(parts.payload))) {
			return PROOF;
		} else {
			event = true;
			events |= parts.named;
		}
	}
	return !whole ? SNIFF_MORE : events ? SNIFF_HINT : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct options, pid), .name = "pid",
	 .help = "add the process id to the root frame"},
	{OPT_IS_BOOL(struct options, tid), .name = "tid",
	 .help = "add the process and the thread id to the root frame"},
	{OPT_IS_BOOL(struct options, addrs), .name = "addrs",
	 .help = "show the address of frames without a symbol"},
	{OPT_IS_BOOL(struct options, jit), .name = "jit",
	 .help = "mark functions of a just-in-time compiler with _[j]"},
	{OPT_IS_BOOL(struct options, kernel), .name = "kernel",
	 .help = "mark kernel functions with _[k]"},
	{OPT_IS_BOOL(struct options, all), .name = "all", .help = "the same as --kernel --jit"},
	{OPT_IS_TEXT(struct options, event_filter), .name = "event-filter", .value = "NAME",
	 .help = "keep samples of this event only; by default of the first one met"},
	{OPT_IS_LIST(struct options, skip_after), .name = "skip-after", .value = "NAME",
	 .help = "start stacks at this function, leaving out its callers"},
	{OPT_IS_BOOL(struct options, by_package), .name = "by-package",
	 .help = "fold the packages of the function that ran, in place of its callers",
	 .conflicts = "skip-after"},
	{OPT_IS_TEXT(struct options, from), .name = "from", .value = "SECONDS",
	 .check = perf_check_time,
	 .help = "leave out what comes before this time, as 'perf script' prints it"},
	{OPT_IS_TEXT(struct options, to), .name = "to", .value = "SECONDS",
	 .check = perf_check_time, .help = "leave out this time and what comes after it"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"perf script | inferno collapse perf | inferno flamegraph > out.svg",
	 "draw what 'perf record -g' recorded"},
	{"inferno collapse perf --kernel --tid out.perf",
	 "fold a file, kernel functions marked, threads apart"},
	{"inferno collapse perf --by-package out.perf | inferno flamegraph > out.svg",
	 "draw the packages of a Java or Go program; 'perf record' without -g will do"},
	{NULL, NULL},
};

const struct collapser collapse_perf = {
	.name = "perf",
	.by_sample = true,
	.aliases = (const char *const[]){"stackcollapse-perf", NULL},
	.brief = "fold the text that 'perf script' prints",
	.about = "Record with 'perf record -g -- COMMAND' (or '--call-graph dwarf'), then fold "
		 "what 'perf script' prints. "
		 "The first frame of every stack is the name of the process. If several events "
		 "were recorded, the samples "
		 "of one are kept: the first one met, or the one that --event-filter names.\n\n"
		 "The count of a stack is the sum of its samples' periods, or the number of "
		 "samples where perf printed no "
		 "period.\n\n"
		 "With --by-package, java/util/ArrayList::get becomes three frames below the "
		 "process, whatever called it. Numbers in the name of the process become X, and "
		 "samples of the kernel's idle loop are left out.",
	.examples = examples,
	.options = options,
	.options_size = sizeof(struct options),
	.state_size = sizeof(struct state),
	.sniff = sniff,
	.init = init,
	.block = block,
	.ready = ready,
	.follow = follow,
	.cut = cut,
	.release = release,
	.tallies =
		{
			[TALLY_OTHER_EVENT] = "samples of other events left out (--event-filter "
					      "chooses the event)",
			[TALLY_NO_FRAMES] = "samples without a frame left out",
			[TALLY_SOURCE_LINES] = "lines that name a source line left out",
			[TALLY_IDLE] = "samples of the idle loop left out",
			[TALLY_NO_TIME] = "samples without a time left out by --from and --to",
		},
	.expects = "the text that 'perf script' prints of what 'perf record -g' recorded",
};
