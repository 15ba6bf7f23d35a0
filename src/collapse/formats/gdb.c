/*
 * gdb: the backtraces that gdb prints.
 *
 * A backtrace has one frame on each line. Frames are numbered from 0, leaf first. A line that
 * starts with a blank belongs to the line before it: gdb folds long lines, and `bt full` lists
 * local variables.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "profile/symbol.h"
#include "collapse/text.h"

enum gdb_tally { TALLY_NO_FRAMES };

struct gdb_state {
	STATE_HEAD(void);
	struct memo names; // memo of names, as gdb prints them
	struct stack stack;
	bool in_thread;      // the line of a thread was read, but no frame after it yet
	struct buf unclear;  // text of the last frame, if its line had no arguments
	uint64_t unclear_at; // line number of this frame
};

/* --- Lines ---------------------------------------------------------------------------------- */

struct gdb_frame {
	bool innermost;      // the number of the frame is 0
	bool address;        // the frame has an address
	struct str body;     // the text after the number and the address
	struct str name;     // name of the function; empty if no arguments follow it
	struct str location; // the text after the name
};

/** Return the end of a name: the blank before the first `(` that is outside of brackets. If there
 * is none, return the last ` (`. */
static size_t gdb_end_of_name(struct str body) {
	int depth = 0;
	for (size_t i = 0; i < body.n; i += symbol_step(body, i, &depth)) {
		if (body.p[i] == '(' && depth == 0 && i > 0 && text_is_blank(body.p[i - 1])) {
			return i - 1;
		}
	}
	return str_find_last_str(body, STR(" ("));
}

/** Cut an address and the word `in` after it off the front. Return false if there is no address. */
static bool gdb_cut_address(struct str *body) {
	struct str rest = *body;
	if (!text_take(&rest, STR("0x"))) {
		return false;
	}
	size_t digits = text_hex_digits(rest);
	rest = str_from(rest, digits);
	if (digits == 0 || !text_take(&rest, STR(" in "))) {
		return false;
	}
	*body = rest;
	return true;
}

/** Return the length of the text that gdb prints in place of a function, or 0 for a function. */
static size_t gdb_special_frame(struct str body) {
	static const struct str texts[] = {
		STR_INIT("<signal handler called>"),
		STR_INIT("<function called from gdb>"),
		STR_INIT("<cross-architecture call>"),
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (str_starts(body, texts[i])) {
			return texts[i].n;
		}
	}
	return 0;
}

static void gdb_read_name(struct gdb_frame *frame) {
	struct str body = frame->body;
	size_t special = gdb_special_frame(body);
	size_t end = special > 0 ? special : gdb_end_of_name(body);
	end = end == STR_NONE ? 0 : end;
	frame->name = text_trim_end(str_to(body, end));
	frame->location = str_from(body, end);
}

/** Read a frame such as "#1 0x0000f1 in main () at a.c:3". Return false for any other line. */
static bool gdb_read_frame(struct str line, struct gdb_frame *frame) {
	if (!text_take(&line, STR("#"))) {
		return false;
	}
	struct str number = str_to(line, text_digits(line));
	line = str_from(line, number.n);
	size_t blanks = text_blanks(line);
	*frame = (struct gdb_frame){.body = text_trim(line)};
	frame->address = gdb_cut_address(&frame->body);
	frame->body = text_trim(frame->body);
	uint64_t value;
	frame->innermost = num_parse_u64(number, &value) && value == 0;
	if (number.n == 0 || blanks == 0 || frame->body.n == 0) {
		return false;
	}
	gdb_read_name(frame);
	return true;
}

/** Return whether a line names a thread, such as "Thread 2 (Thread 0x7f00 (LWP 12)):". */
static bool gdb_names_thread(struct str line) {
	return text_take(&line, STR("Thread ")) && text_digits(line) > 0 &&
	       str_starts(str_from(line, text_digits(line)), STR(" (")) &&
	       str_ends(text_trim_end(line), STR(":"));
}

/** Return whether a line belongs to the frame before it: the rest of a folded line, or a line of
 * `bt full`. */
static bool gdb_goes_on(struct str line) {
	return text_blanks(line) > 0 || str_starts(line, STR("No locals.")) ||
	       str_starts(line, STR("No symbol table info available."));
}

/* --- Stacks --------------------------------------------------------------------------------- */

static void gdb_push(struct gdb_state *state, struct str name) {
	stack_push(&state->stack, text_frame(state->run, &state->names, name));
}

/** Finish a frame whose line had no arguments. The arguments may follow on the next line. */
static int gdb_settle(struct gdb_state *state, struct str next) {
	struct str body = buf_str(&state->unclear);
	int result = 0;
	if (body.n == 0) {
		return 0;
	}
	if (text_blanks(next) > 0 && str_starts(text_trim(next), STR("("))) {
		gdb_push(state, body);
	} else {
		size_t end = 0;
		while (end < body.n && !text_is_blank(body.p[end])) {
			end++;
		}
		gdb_push(state, str_to(body, end));
		result = run_warn(
			state->run, run_line((int64_t)state->unclear_at),
			"the frame has no arguments, so the end of its name is unclear: '%s'",
			quote(body).text);
	}
	buf_clear(&state->unclear);
	return result;
}

static void gdb_end_stack(struct gdb_state *state) {
	if (stack_depth(&state->stack) > 0) {
		stack_count(&state->stack, state->run->profile, 1);
	}
	state->run->tallies[TALLY_NO_FRAMES] += state->in_thread;
	state->in_thread = false;
}

static void gdb_frame_line(struct gdb_state *state, const struct gdb_frame *frame,
			   uint64_t number) {
	if (frame->innermost && stack_depth(&state->stack) > 0) {
		gdb_end_stack(state);
	}
	if (frame->name.n > 0) {
		gdb_push(state, frame->name);
	} else {
		buf_add_str(&state->unclear, frame->body);
		state->unclear_at = number;
	}
	state->in_thread = false;
	state->run->samples++;
}

static int gdb_line(void *memory, struct str line, uint64_t number) {
	struct gdb_state *state = memory;
	struct gdb_frame frame;
	line = text_line(line);
	if (gdb_settle(state, line) != 0) {
		return -1;
	}
	// remove the prompt, which gdb prints if its input is a pipe
	while (text_take(&line, STR("(gdb) "))) {
	}
	if (gdb_read_frame(line, &frame)) {
		gdb_frame_line(state, &frame, number);
	} else if (!gdb_goes_on(line)) {
		gdb_end_stack(state);
		state->in_thread = gdb_names_thread(line);
		state->run->samples += state->in_thread;
	}
	return 0;
}

static int gdb_block(void *memory, const struct block *block) {
	struct gdb_state *state = memory;
	int result = run_lines(state->run, block, state, gdb_line);
	if (result == 0 && block->last) {
		result = gdb_settle(state, STR(""));
		gdb_end_stack(state);
	}
	state->unclear_at -= state->run->lines; // make the line number relative to the next block
	return result;
}

static void gdb_release(void *memory) {
	struct gdb_state *state = memory;
	memo_release(&state->names);
	stack_release(&state->stack);
	buf_release(&state->unclear);
}

/* --- Recognition ---------------------------------------------------------------------------- */

/** Return how strong a frame line is as evidence. A similar line of eu-stack has no arguments, and
 * a similar line of PHP has a path in place of the name. */
static int gdb_weigh(const struct gdb_frame *frame) {
	struct str rest = frame->location;
	bool arguments = str_starts(rest, STR(" (")) && !str_starts(frame->body, STR("/")) &&
			 !str_starts(frame->body, STR("0x"));
	if (!arguments) {
		return SNIFF_NO;
	}
	bool place = str_has(rest, STR(") at ")) || str_has(rest, STR(") from "));
	return frame->address || place ? SNIFF_SHAPE : SNIFF_COULD_BE;
}

/** Search for a line that names a thread, or for several frames. Either is enough evidence. */
static int gdb_sniff(struct str bytes, bool whole) {
	enum { ENOUGH = 3 * SNIFF_SHAPE };
	struct lines lines = {.rest = bytes};
	int frames_bid = 0, best_frame = 0;
	bool thread = false, attached = false;
	for (struct str line; frames_bid < ENOUGH && lines_next_whole(&lines, whole, &line);) {
		struct gdb_frame frame;
		line = text_line(line);
		while (text_take(&line, STR("(gdb) "))) {
		}
		if (gdb_read_frame(line, &frame)) {
			int weight = gdb_weigh(&frame);
			best_frame = weight > best_frame ? weight : best_frame;
			frames_bid += weight;
		}
		thread |= gdb_names_thread(line) &&
			  (str_has(line, STR(" (Thread 0x")) || str_has(line, STR(" (LWP ")));
		attached |= str_starts(line, STR("[New LWP "));
	}
	if (best_frame < SNIFF_SHAPE) { // even many lines of weak evidence prove nothing
		frames_bid = best_frame;
	}
	int bid = (frames_bid < ENOUGH ? frames_bid : ENOUGH) + (thread ? SNIFF_MAGIC : 0);
	return bid > 0 ? bid : attached ? SNIFF_HINT : SNIFF_NO;
}

static const struct example examples[] = {
	{"gdb -q -batch -ex 'thread apply all bt' -p 4711 >> out.bt",
	 "sample a process; repeat for more samples"},
	{"inferno collapse gdb out.bt > out.folded", "fold the backtraces"},
	{NULL, NULL},
};

const struct collapser collapse_gdb = {
	.name = "gdb",
	.aliases = (const char *const[]){"stackcollapse-gdb", NULL},
	.brief = "fold the backtraces that gdb prints",
	.about = "Reads what 'bt', 'bt full' and 'thread apply all bt' print for a process sampled "
		 "many times, or for a core file. Every backtrace counts 1. Frames are functions "
		 "without their arguments. A function without a name is called ??.",
	.examples = examples,
	.state_size = sizeof(struct gdb_state),
	.sniff = gdb_sniff,
	.block = gdb_block,
	.release = gdb_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out threads without frames"},
	.expects = "the backtraces of gdb",
};
