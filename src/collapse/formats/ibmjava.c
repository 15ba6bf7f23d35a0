/*
 * ibmjava: thread dumps of the Java virtual machine OpenJ9, called "javacores".
 *
 * Every line starts with a tag for its kind. A thread has a header, details, and its frames from
 * the leaf to the root. In each dump, a thread counts 1. A memo remembers frame lines.
 */
#include "collapse/collapser.h"
#include "profile/memo.h"
#include "collapse/java.h"
#include "collapse/text.h"

struct ibmjava_options {
	bool include_tname, include_tid, shorten_pkgs;
	const char *state;
};

enum ibmjava_tally { TALLY_NO_FRAMES, TALLY_ASTRAY };

/** The state of the dump's current thread. A dump shows this thread first, and again in the list of
 * all threads. */
enum current { CURRENT_NONE, CURRENT_NEXT, CURRENT_KNOWN };

struct ibmjava_state {
	STATE_HEAD(struct ibmjava_options);
	bool open, skipped; // lines belong to a thread; this thread is not counted
	struct buf name;    // name of the thread; with --include-tid, also its id
	enum current current;
	struct buf address; // address of the current thread
	struct stack stack;
	struct memo memo; // meanings of frame lines
};

/** Return the text after `key` in a line, up to a comma, parenthesis or blank. If the line does not
 * have the key, return an empty text. */
static struct str ibmjava_value_of(struct str line, struct str key) {
	size_t at = str_find_str(line, key), n = 0;
	if (at == STR_NONE) {
		return STR("");
	}
	struct str rest = str_from(line, at + key.n);
	while (n < rest.n && rest.p[n] != ',' && rest.p[n] != ')' && rest.p[n] != ' ') {
		n++;
	}
	return str_to(rest, n);
}

/** Return whether a line starts with a tag, and a blank or nothing follows it. Set `*rest` to the
 * text after the tag and the blanks. */
static bool ibmjava_has_tag(struct str line, struct str tag, struct str *rest) {
	if (!str_starts(line, tag)) {
		return false;
	}
	struct str after = str_from(line, tag.n);
	*rest = text_trim_start(after);
	return after.n == 0 || rest->n < after.n;
}

/** Return whether a line starts with any tag. */
static bool ibmjava_is_tagged(struct str line) {
	return str_starts(line, STR("NULL")) ||
	       (line.n > 2 && is_digit(line.p[0]) && line.p[1] >= 'A' && line.p[1] <= 'Z');
}

/* --- Threads -------------------------------------------------------------------------------- */

static void ibmjava_end_thread(struct ibmjava_state *state) {
	if (state->open && !state->skipped) {
		if (state->options->include_tname && state->name.n > 0) {
			stack_push(&state->stack, run_frame(state->run, buf_str(&state->name)));
		}
		stack_end(&state->stack, state->run, 1, TALLY_NO_FRAMES);
	}
	stack_clear(&state->stack);
	state->open = false;
}

/** Return whether --state selects threads in this state. */
static bool ibmjava_is_wanted(const struct ibmjava_options *options, struct str header) {
	if (options->state == NULL) {
		return true;
	}
	struct str is = ibmjava_value_of(header, STR("state:")), rest = str_of(options->state);
	while (is.n > 0 && rest.n > 0) {
		if (str_eq(str_cut(&rest, ','), is)) {
			return true;
		}
	}
	return false;
}

/** Return whether the dump has already shown this thread as its current thread. */
static bool ibmjava_is_again(struct ibmjava_state *state, struct str header) {
	struct str address = ibmjava_value_of(header, STR("J9VMThread:"));
	if (state->current == CURRENT_NEXT) {
		buf_set_str(&state->address, address);
		state->current = address.n > 0 ? CURRENT_KNOWN : CURRENT_NONE;
		return false;
	}
	return state->current == CURRENT_KNOWN && str_eq(address, buf_str(&state->address));
}

static int ibmjava_begin_thread(struct ibmjava_state *state, struct str header, uint64_t number) {
	static const struct str anonymous = STR_INIT("Anonymous native thread");
	ibmjava_end_thread(state);
	struct str name = anonymous, after = header;
	if (!str_starts(header, anonymous)) {
		size_t quote_at = str_find(header, '"');
		name = quote_at == STR_NONE ? STR("") : str_from(header, quote_at + 1);
		size_t end = str_find(name, '"');
		if (end == STR_NONE) {
			return run_warn(state->run, number,
					"left out a thread without a name in quotes: '%s'",
					quote(header).text);
		}
		after = str_from(name, end); // search after the name, which may contain any text
		name = str_to(name, end);
	}
	buf_set_str(&state->name, name);
	state->run->samples++;
	state->open = true;
	state->skipped =
		ibmjava_is_again(state, after) || !ibmjava_is_wanted(state->options, after);
	return 0;
}

static void ibmjava_add_id(struct ibmjava_state *state, struct str details) {
	struct str id = ibmjava_value_of(details, STR("native thread ID:"));
	if (state->options->include_tid && id.n > 0) {
		buf_add_char(&state->name, '-');
		buf_add_str(&state->name, id);
	}
}

/* --- Lines ---------------------------------------------------------------------------------- */

static struct meaning ibmjava_parse_frame(struct ibmjava_state *state, struct str method) {
	bool shorten = state->options->shorten_pkgs;
	return java_frame(state->run, method, java_slashed_packages_length(method),
			  shorten ? JAVA_SHORT_PACKAGES : JAVA_WHOLE_PACKAGES);
}

static int ibmjava_frame_line(struct ibmjava_state *state, struct str line, struct str rest,
			      uint64_t number) {
	struct str method;
	if (!state->open) {
		state->run->tallies[TALLY_ASTRAY]++;
		return 0;
	}
	struct meaning meaning = memo_find(&state->memo, line, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		if (!java_method(rest, &method)) {
			return run_warn(state->run, number, "weird stack line: '%s'",
					quote(line).text);
		}
		meaning = ibmjava_parse_frame(state, method);
		memo_add(&state->memo, line, 0, meaning);
	}
	stack_push_meaning(&state->stack, NULL, meaning);
	return 0;
}

static int ibmjava_line(void *memory, struct str raw, uint64_t number) {
	struct ibmjava_state *state = memory;
	struct str line = text_line(raw), rest;
	if (str_starts(line, STR("#"))) {
		return 0;
	}
	if (ibmjava_has_tag(line, STR("4XESTACKTRACE"), &rest)) {
		return ibmjava_frame_line(state, line, rest, number);
	}
	if (ibmjava_has_tag(line, STR("3XMTHREADINFO"), &rest)) {
		return ibmjava_begin_thread(state, rest, number);
	}
	if (state->open && ibmjava_has_tag(line, STR("3XMTHREADINFO1"), &rest)) {
		ibmjava_add_id(state, rest);
	} else if (ibmjava_has_tag(line, STR("1XMTHDSUMMARY"), &rest)) {
		ibmjava_end_thread(state);
	} else if (ibmjava_has_tag(line, STR("1XMCURTHDINFO"), &rest)) {
		state->current = CURRENT_NEXT;
	} else if (ibmjava_has_tag(line, STR("0SECTION"), &rest) &&
		   str_starts(rest, STR("TITLE"))) {
		state->current = CURRENT_NONE;
	} else if (state->open && !ibmjava_is_tagged(line) && text_trim_start(line).n > 0) {
		return run_warn(state->run, number,
				"a line without a tag, perhaps the end of the line before it: '%s'",
				quote(line).text);
	}
	return 0;
}

static int ibmjava_block(void *memory, const struct block *block) {
	struct ibmjava_state *state = memory;
	int result = run_lines(state->run, block, state, ibmjava_line);
	if (block->last) {
		ibmjava_end_thread(state);
		state->current = CURRENT_NONE;
	}
	return result;
}

static void ibmjava_release(void *memory) {
	struct ibmjava_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
	buf_release(&state->name);
	buf_release(&state->address);
}

static int ibmjava_sniff(struct str bytes, bool whole) {
	static const struct str tags[] = {STR_INIT("0SECTION "), STR_INIT("1TISIGINFO "),
					  STR_INIT("3XMTHREADINFO"), STR_INIT("4XESTACKTRACE ")};
	struct lines lines = {.rest = bytes};
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
			if (str_starts(line, tags[i])) {
				return 3 * SNIFF_MAGIC;
			}
		}
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct ibmjava_options, include_tname), .name = "include-tname",
	 .help = "put the thread's name at the root", .flags = OPT_ON | OPT_NEGATABLE},
	{OPT_IS_BOOL(struct ibmjava_options, include_tid), .name = "include-tid",
	 .help = "add the native thread id to the thread's name", .flags = OPT_NEGATABLE},
	{OPT_IS_BOOL(struct ibmjava_options, shorten_pkgs), .name = "shorten-pkgs",
	 .help = "shorten each package to its first letter", .flags = OPT_NEGATABLE},
	{OPT_IS_TEXT(struct ibmjava_options, state), .name = "state", .value = "LIST",
	 .help = "count only threads in these states, such as R,CW"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"for i in $(seq 20); do jcmd PID Dump.java; sleep 1; done",
	 "write a javacore.*.txt every second"},
	{"inferno collapse ibmjava javacore.*.txt > out.folded", "fold them all"},
	{"inferno collapse ibmjava --state R javacore.*.txt | inferno flamegraph > out.svg",
	 "draw the threads that were running"},
	{NULL, NULL},
};

const struct collapser collapse_ibmjava = {
	.name = "ibmjava",
	.aliases = (const char *const[]){"stackcollapse-ibmjava", NULL},
	.brief = "fold the Java dumps of OpenJ9 (javacores)",
	.about = "Reads the Java dumps that IBM's virtual machine J9 and OpenJ9 write on the "
		 "signal QUIT, on request, and when they crash. A thread counts 1 in each dump, "
		 "whatever its state. Native frames are skipped. The stack of a thread without "
		 "Java frames is only its name.",
	.examples = examples,
	.options = {options, sizeof(struct ibmjava_options)},
	.state_size = sizeof(struct ibmjava_state),
	.sniff = ibmjava_sniff,
	.block = ibmjava_block,
	.release = ibmjava_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out threads without frames",
		    [TALLY_ASTRAY] = "left out frames that belong to no thread"},
	.expects = "a Java dump of OpenJ9",
};
