/*
 * faulthandler: the tracebacks that CPython's module faulthandler writes.
 *
 * The traceback of each thread begins with a heading line. The frames follow, leaf first. There is
 * an empty line between the threads of a dump. There is no line between two dumps.
 */
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"

struct faulthandler_options {
	bool no_lines;
};

enum faulthandler_tally { TALLY_NO_FRAMES, TALLY_CUT_OFF };

struct faulthandler_state {
	STATE_HEAD(struct faulthandler_options);
	struct memo names; // memo of names, as Python prints them
	struct stack stack;
	bool in_thread; // a traceback has begun and has not ended
};

/* --- Lines ---------------------------------------------------------------------------------- */

/** Return whether a line is the heading of a traceback. Ordinary tracebacks have the most recent
 * call last: they are not of this format. */
static bool faulthandler_is_header(struct str line) {
	return str_ends(text_trim_end(line), STR("(most recent call first):")) &&
	       (str_starts(line, STR("Thread 0x")) || str_starts(line, STR("Current thread 0x")) ||
		str_starts(line, STR("Stack ")));
}

struct faulthandler_frame {
	struct str path, number, function;
};

#define FILE_HEAD STR("  File ")

/** Read `, line N in FUNCTION`. N may be `???`. */
static bool faulthandler_read_place(struct str text, struct faulthandler_frame *frame) {
	if (!text_take(&text, STR(", line "))) {
		return false;
	}
	size_t n = str_starts(text, STR("???")) ? 3 : text_digits(text);
	frame->number = str_to(text, n);
	text = str_from(text, n);
	bool fits = n > 0 && text_take(&text, STR(" in "));
	frame->function = text;
	return fits;
}

/** Read ` File "PATH", line N in FUNCTION`. If Python does not know the path, PATH is `???`. */
static bool faulthandler_read_frame(struct str line, struct faulthandler_frame *frame) {
	if (!text_take(&line, FILE_HEAD)) {
		return false;
	}
	if (str_starts(line, STR("???"))) {
		frame->path = str_to(line, 3);
		return faulthandler_read_place(str_from(line, 3), frame);
	}
	if (!text_take(&line, STR("\""))) {
		return false;
	}
	// A path may contain quotes, so try each of them as the end of the path.
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] == '"' && faulthandler_read_place(str_from(line, i + 1), frame)) {
			frame->path = str_to(line, i);
			return true;
		}
	}
	return false;
}

/** Return whether a line stands in place of a Python frame: a note that frames are left out or that
 * there are none, or a frame of C, which is ignored. */
static bool faulthandler_is_remark(struct str line) {
	return str_starts(line, STR("  ...")) || str_starts(line, STR("  <")) ||
	       str_starts(line, STR("  Binary file "));
}

/* --- Stacks --------------------------------------------------------------------------------- */

static void faulthandler_end_stack(struct faulthandler_state *state) {
	if (state->in_thread || stack_depth(&state->stack) > 0) {
		stack_end(&state->stack, state->run, 1, TALLY_NO_FRAMES);
	}
	state->in_thread = false;
}

static void faulthandler_push(struct faulthandler_state *state,
			      const struct faulthandler_frame *frame) {
	struct buf *text = &state->run->name;
	buf_set_str(text, frame->path);
	if (!state->options->no_lines) {
		buf_add_char(text, ':');
		buf_add_str(text, frame->number);
	}
	buf_add_char(text, ':');
	buf_add_str(text, frame->function);
	stack_push(&state->stack, text_frame(state->run, &state->names, buf_str(text)));
}

static int faulthandler_line(void *memory, struct str line, uint64_t number) {
	struct faulthandler_state *state = memory;
	struct faulthandler_frame frame;
	line = text_line(line);
	if (faulthandler_read_frame(line, &frame)) {
		faulthandler_push(state, &frame);
		state->run->samples++;
		return 0;
	}
	if (faulthandler_is_remark(line)) {
		state->run->tallies[TALLY_CUT_OFF] += str_starts(line, STR("  ..."));
		return 0;
	}
	faulthandler_end_stack(state);
	state->in_thread = faulthandler_is_header(line);
	state->run->samples += state->in_thread;
	return !str_starts(line, FILE_HEAD)
		       ? 0
		       : run_warn(state->run, number,
				  "expected a file, a line and a function, found '%s'",
				  quote(line).text);
}

static int faulthandler_block(void *memory, const struct block *block) {
	struct faulthandler_state *state = memory;
	int result = run_lines(state->run, block, state, faulthandler_line);
	if (block->last) {
		faulthandler_end_stack(state);
	}
	return result;
}

static void faulthandler_release(void *memory) {
	struct faulthandler_state *state = memory;
	memo_release(&state->names);
	stack_release(&state->stack);
}

/** Search for the heading of a traceback. If a frame comes later, the evidence is stronger. A frame
 * without a heading is only weak evidence. */
static int faulthandler_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool header = false, any = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct faulthandler_frame frame;
		line = text_line(line);
		header |= faulthandler_is_header(line);
		if (faulthandler_read_frame(line, &frame)) {
			any = true;
			if (header) {
				return 2 * SNIFF_MAGIC;
			}
		}
	}
	return header ? SNIFF_MAGIC : any ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct faulthandler_options, no_lines), .name = "no-lines",
	 .help = "leave out line numbers, so that a function is one frame"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"python3 app.py 2> out.dump",
	 "run a program that calls faulthandler.dump_traceback_later(0.05, repeat=True)"},
	{"inferno collapse faulthandler out.dump > out.folded", "fold the tracebacks"},
	{"inferno collapse faulthandler --no-lines out.dump", "fold them by function"},
	{NULL, NULL},
};

const struct collapser collapse_faulthandler = {
	.name = "faulthandler",
	.aliases = (const char *const[]){"stackcollapse-faulthandler", NULL},
	.brief = "fold the tracebacks of Python's faulthandler",
	.about = "Reads what dump_traceback(), dump_traceback_later() and the signal handlers of "
		 "Python's module faulthandler write. Every traceback counts 1. Frames are "
		 "PATH:LINE:FUNCTION. Python writes at most 100 frames of a thread; a deeper stack "
		 "lacks its root.",
	.examples = examples,
	.options = {options, sizeof(struct faulthandler_options)},
	.state_size = sizeof(struct faulthandler_state),
	.sniff = faulthandler_sniff,
	.block = faulthandler_block,
	.release = faulthandler_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out threads without frames",
		    [TALLY_CUT_OFF] = "stacks without a root, which Python cut off"},
	.expects = "a dump of Python's faulthandler",
};
