/*
 * aix: the output of procstack.
 *
 * A line with a number and a command begins a process. If the process has several threads, a line
 * of dashes begins each thread. Frames follow, one on each line, leaf first. A memo remembers frame
 * lines.
 */
#include "collapse/collapser.h"
#include "profile/memo.h"
#include "collapse/text.h"

enum aix_tally { TALLY_NO_FRAMES, TALLY_NO_NAME, TALLY_NO_PROCESS };

enum open { NOTHING, PROCESS, THREAD };

struct aix_state {
	STATE_HEAD(void);
	enum open open;
	bool in_process; // the line of a process was read
	uint32_t process;
	struct memo memo; // meanings of frame lines
	struct stack stack;
};

/* --- The shape of lines --------------------------------------------------------------------- */

/** Read the line of a process: its id, a colon, and its command. */
static bool aix_is_header(struct str line, struct str *pid, struct str *command) {
	size_t n = 0;
	while (n < line.n && is_digit(line.p[n])) {
		n++;
	}
	struct str rest = text_trim_start(str_from(line, n));
	*pid = str_to(line, n);
	if (n == 0 || rest.n == 0 || rest.p[0] != ':') {
		return false;
	}
	*command = str_from(rest, 1);
	return true;
}

/** Return whether a line begins a thread: dashes, with the thread's id among them. */
static bool aix_is_thread(struct str line) {
	if (!str_starts(line, STR("--"))) { // a quick check: nearly all lines of other formats fail
					    // it
		return false;
	}
	size_t at = str_find_str(line, STR(" tid# "));
	return at != STR_NONE && at + 6 < line.n && is_digit(line.p[at + 6]);
}

/** Read a frame line: an address, blanks, and the function with its arguments. */
static bool aix_is_frame(struct str line, struct str *address, struct str *rest) {
	enum { LEAST = 8 };
	size_t head = str_starts(line, STR("0x")) ? 2 : 0, n = head;
	while (n < line.n && is_hex(line.p[n])) {
		n++;
	}
	if (n < (head > 0 ? head + 1 : LEAST) || n == line.n || !text_is_blank(line.p[n])) {
		return false;
	}
	*address = str_to(line, n);
	*rest = str_trim(str_from(line, n));
	return true;
}

/* --- Names: once for each distinct line ----------------------------------------------------- */

/** Return the part of a frame before the arguments. The parentheses of `operator()` belong to the
 * name. */
static struct str aix_function_name(struct str rest) {
	size_t open = str_find(rest, '(');
	if (open == STR_NONE) {
		return rest;
	}
	struct str name = str_trim(str_to(rest, open));
	if (!str_ends(name, STR("operator"))) {
		return name;
	}
	struct str after = str_from(rest, open + 1);
	size_t next = str_find(after, '(');
	if (next == STR_NONE) {
		next = str_find(after, ')') + 1; // if there is no bracket, `next` is 0, because
						 // STR_NONE + 1 is 0
	}
	return str_trim(str_to(rest, open + 1 + next));
}

/** Return the meaning of a line, or MEANS_UNKNOWN if the line is not a frame line. */
static struct meaning aix_parse_frame(struct aix_state *state, struct str line) {
	struct str address, rest;
	if (!aix_is_frame(line, &address, &rest)) {
		return (struct meaning){.kind = MEANS_UNKNOWN};
	}
	struct str name = aix_function_name(rest);
	if (str_starts(name, STR("[")) && str_ends(name, STR("]"))) {
		name = address; // the function has no name
	}
	return meaning_of_name(state->run, name);
}

/* --- Stacks --------------------------------------------------------------------------------- */

/** Add the open stack to the profile, or to a tally if the stack has no frames. */
static void aix_end_stack(struct aix_state *state) {
	if (stack_depth(&state->stack) > 0) {
		if (state->in_process) {
			stack_push(&state->stack, state->process);
		} else {
			state->run->tallies[TALLY_NO_PROCESS]++;
		}
		stack_count(&state->stack, state->run->profile, 1);
	} else if (state->open != NOTHING) {
		state->run->tallies[TALLY_NO_FRAMES]++;
	}
	state->open = NOTHING;
}

static int aix_header_line(struct aix_state *state, struct str pid, struct str command,
			   uint64_t number) {
	aix_end_stack(state);
	int result = 0;
	if (command.n > 0 && !text_is_blank(command.p[0])) {
		result = run_warn(state->run, number,
				  "expected a blank after the process id, found '%s'",
				  quote(command).text);
		command = STR("");
	}
	command = text_trim_start(command);
	size_t n = 0;
	while (n < command.n && !text_is_blank(command.p[n])) {
		n++;
	}
	struct str name = n > 0 ? str_to(command, n) : pid;
	state->process = run_frame(state->run, name);
	state->in_process = true;
	state->open = PROCESS;
	state->run->samples++;
	return result;
}

/** End the previous stack, and begin a thread. If the line of a process came directly before, there
 * is no stack to end. */
static void aix_thread_line(struct aix_state *state) {
	if (state->open != PROCESS || stack_depth(&state->stack) > 0) {
		aix_end_stack(state);
	}
	state->open = THREAD;
	state->run->samples++;
}

static void aix_frame_line(struct aix_state *state, struct str line) {
	struct meaning meaning = memo_find(&state->memo, line, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = aix_parse_frame(state, line);
		if (meaning.kind == MEANS_UNKNOWN) {
			return; // not a frame line
		}
		memo_add(&state->memo, line, 0, meaning);
	}
	state->run->samples++;
	state->run->tallies[TALLY_NO_NAME] += meaning.kind == MEANS_NOTHING;
	stack_push_meaning(&state->stack, NULL, meaning);
}

static int aix_line(void *memory, struct str line, uint64_t number) {
	struct aix_state *state = memory;
	struct str pid, command;
	line = text_line(line);
	if (aix_is_header(line, &pid, &command)) {
		return aix_header_line(state, pid, command, number);
	}
	if (aix_is_thread(line)) {
		aix_thread_line(state);
	} else {
		aix_frame_line(state, line);
	}
	return 0;
}

static int aix_block(void *memory, const struct block *block) {
	struct aix_state *state = memory;
	int result = run_lines(state->run, block, state, aix_line);
	if (block->last) {
		aix_end_stack(state);
		state->in_process = false;
	}
	return result;
}

static void aix_release(void *memory) {
	struct aix_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
}

/** Search for a line that begins a thread: such a line proves that procstack has written the input.
 * If there is none, search for the line of a process directly before a frame. */
static int aix_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool header = false, frames_seen = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct str pid, command, address, rest;
		if (aix_is_thread(line)) {
			return 3 * SNIFF_SHAPE;
		}
		if (aix_is_frame(line, &address, &rest) && str_has(rest, STR(") + "))) {
			if (header) {
				return SNIFF_SHAPE;
			}
			frames_seen = true;
		}
		header = aix_is_header(line, &pid, &command) &&
			 (command.n == 0 || text_is_blank(command.p[0]));
	}
	return !whole ? SNIFF_MORE : frames_seen ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct example examples[] = {
	{"for i in $(seq 100); do procstack PID; sleep 0.1; done > out.procstack",
	 "sample a process on AIX 100 times"},
	{"inferno collapse aix out.procstack > out.folded", "fold the stacks"},
	{NULL, NULL},
};

const struct collapser collapse_aix = {
	.name = "aix",
	.aliases = (const char *const[]){"stackcollapse-aix", NULL},
	.brief = "fold the output of procstack on AIX",
	.about = "Reads the stacks that procstack prints for processes and their threads. Each "
		 "stack counts 1. The root frame is the first word of the process's command. "
		 "Arguments, offsets and thread ids are left out. If only the file of a "
		 "function is known, the frame is its address.",
	.examples = examples,
	.state_size = sizeof(struct aix_state),
	.sniff = aix_sniff,
	.block = aix_block,
	.flags = FORMAT_BY_SAMPLE,
	.release = aix_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out processes and threads without frames",
		    [TALLY_NO_NAME] = "left out frames without names",
		    [TALLY_NO_PROCESS] = "stacks that belong to no process"},
	.expects = "the output of procstack on AIX",
};
