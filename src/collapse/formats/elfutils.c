/*
 * elfutils: the output of `eu-stack`.
 *
 * One line names the process. A line with an id begins each thread, and the frames follow it, leaf
 * first.
 */
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"

struct elfutils_options {
	bool pid, tid;
};

enum elfutils_tally { TALLY_NO_FRAMES, TALLY_NO_PID, TALLY_NO_TID };

struct elfutils_state {
	STATE_HEAD(struct elfutils_options);
	struct memo names; // memo of names, as eu-stack prints them
	struct stack stack;
	bool in_thread;      // the line of a thread was read, and its stack has not ended
	struct buf pid, tid; // texts of the frames for --pid and --tid; empty: not known yet
};

/* --- Lines ---------------------------------------------------------------------------------- */

/** Read the id in a line such as "PID 7 - process", and the text after it. */
static bool elfutils_read_id(struct str line, struct str head, struct str *id, struct str *rest) {
	if (!text_take(&line, head)) {
		return false;
	}
	*id = str_to(line, text_digits(line));
	*rest = str_from(line, id->n);
	return id->n > 0;
}

/** Read a frame line. `*name` is all text after the address, including blanks. */
static bool elfutils_read_frame(struct str line, struct str *name) {
	if (!text_take(&line, STR("#"))) {
		return false;
	}
	size_t digits = text_digits(line);
	line = str_from(line, digits);
	size_t blanks = text_blanks(line);
	line = str_from(line, blanks);
	if (digits == 0 || blanks == 0 || !text_take(&line, STR("0x"))) {
		return false;
	}
	size_t address = text_hex_digits(line);
	*name = str_from(line, address);
	return address > 0;
}

/** Return a name without the blanks around it, and without the mark of eu-stack -a before the
 * name. */
static struct str elfutils_tidy(struct str name) {
	struct str rest = name;
	if (text_take(&rest, STR(" - 1")) && (rest.n == 0 || text_is_blank(rest.p[0]))) {
		name = rest;
	}
	return text_trim(name);
}

/* --- Stacks --------------------------------------------------------------------------------- */

static void elfutils_push_id(struct elfutils_state *state, const struct buf *id,
			     enum elfutils_tally unknown) {
	if (id->n > 0) {
		stack_push(&state->stack, text_frame(state->run, &state->names, buf_str(id)));
	} else {
		state->run->tallies[unknown]++;
	}
}

static void elfutils_end_stack(struct elfutils_state *state) {
	struct stack *stack = &state->stack;
	if (stack_depth(stack) > 0) {
		if (state->options->tid) {
			elfutils_push_id(state, &state->tid, TALLY_NO_TID);
		}
		if (state->options->pid) {
			elfutils_push_id(state, &state->pid, TALLY_NO_PID);
		}
		stack_count(stack, state->run->profile, 1);
	} else {
		state->run->tallies[TALLY_NO_FRAMES] += state->in_thread;
	}
	state->in_thread = false;
}

static void elfutils_set_id(struct buf *frame, const char *head, struct str id) {
	buf_set_text(frame, head);
	buf_add_str(frame, id);
}

static void elfutils_frame_line(struct elfutils_state *state, struct str name) {
	name = elfutils_tidy(name);
	if (name.n == 0 || str_starts(name, STR("- "))) { // the frame has no name, or only a module
		buf_set_text(&state->run->name, name.n == 0 ? "[unknown]" : "[unknown] ");
		buf_add_str(&state->run->name, name);
		name = buf_str(&state->run->name);
	}
	stack_push(&state->stack, text_frame(state->run, &state->names, name));
	state->run->samples++;
}

static int elfutils_line(void *memory, struct str line, uint64_t number) {
	struct elfutils_state *state = memory;
	struct str text, rest;
	line = text_line(line);
	if (elfutils_read_frame(line, &text)) {
		elfutils_frame_line(state, text);
	} else if (elfutils_read_id(line, STR("PID "), &text, &rest)) {
		elfutils_end_stack(state);
		elfutils_set_id(&state->pid, "PID=", text);
		buf_clear(&state->tid);
		state->run->samples++;
	} else if (elfutils_read_id(line, STR("TID "), &text, &rest)) {
		elfutils_end_stack(state);
		elfutils_set_id(&state->tid, "TID=", text);
		state->in_thread = true;
		state->run->samples++;
	} else if (str_has(line, STR("eu-stack: "))) {
		// Most messages of eu-stack say that it stopped before the root.
		return run_warn(state->run, number, "the stack may be cut off: '%s'",
				quote(line).text);
	}
	return 0;
}

static int elfutils_block(void *memory, const struct block *block) {
	struct elfutils_state *state = memory;
	int result = run_lines(state->run, block, state, elfutils_line);
	if (block->last) {
		elfutils_end_stack(state);
		buf_clear(&state->pid);
		buf_clear(&state->tid);
	}
	return result;
}

static void elfutils_release(void *memory) {
	struct elfutils_state *state = memory;
	memo_release(&state->names);
	stack_release(&state->stack);
	buf_release(&state->pid);
	buf_release(&state->tid);
}

/** Search for a line that names a process or a thread. If a frame comes later, the evidence is
 * stronger. Frames alone are weak evidence, because other programs print the same lines. */
static int elfutils_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool named = false, any = false;
	for (struct str line, text, rest; lines_next_whole(&lines, whole, &line);) {
		line = text_line(line);
		if ((elfutils_read_id(line, STR("PID "), &text, &rest) &&
		     str_starts(rest, STR(" - "))) ||
		    (elfutils_read_id(line, STR("TID "), &text, &rest) && str_eq(rest, STR(":")))) {
			named = true;
		} else if (elfutils_read_frame(line, &text) && !str_starts(text, STR(" in "))) {
			any = true;
			if (named) {
				return 2 * SNIFF_MAGIC;
			}
		}
	}
	return named ? SNIFF_MAGIC : any ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct elfutils_options, pid), .name = "pid",
	 .help = "add the process id as the root frame"},
	{OPT_IS_BOOL(struct elfutils_options, tid), .name = "tid",
	 .help = "add the thread id as a frame at the root"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"for i in $(seq 100); do eu-stack -p 4711; sleep 0.01; done > out.stacks",
	 "sample a process 100 times"},
	{"inferno collapse elfutils out.stacks > out.folded", "fold the stacks"},
	{"inferno collapse elfutils --pid --tid out.stacks", "fold them, each thread separately"},
	{NULL, NULL},
};

const struct collapser collapse_elfutils = {
	.name = "elfutils",
	.aliases = (const char *const[]){"stackcollapse-elfutils", NULL},
	.brief = "fold the stacks that eu-stack of elfutils prints",
	.about = "Reads what eu-stack prints for a process or a core file, once or many times. "
		 "Every stack counts 1. A frame without a name is called [unknown]. The module "
		 "that eu-stack -m prints stays part of the name. Source lines and build ids are "
		 "left out.",
	.examples = examples,
	.options = {options, sizeof(struct elfutils_options)},
	.state_size = sizeof(struct elfutils_state),
	.sniff = elfutils_sniff,
	.block = elfutils_block,
	.release = elfutils_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out threads without frames",
		    [TALLY_NO_PID] = "stacks without the process id that --pid adds: no PID line "
				     "comes before them",
		    [TALLY_NO_TID] = "stacks without the thread id that --tid adds: no TID line "
				     "comes before them"},
	.expects = "the output of eu-stack",
};
