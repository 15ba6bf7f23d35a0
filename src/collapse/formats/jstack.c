/*
 * jstack: thread dumps of a HotSpot virtual machine.
 *
 * Each thread has a block: a header with the thread's name in quotes, the state, and the frames
 * from the leaf to the root. A stack counts 1 for each dump in which its thread was running. A memo
 * remembers frame lines.
 */
#include "collapse/collapser.h"
#include "collapse/java.h"
#include "collapse/text.h"

struct jstack_options {
	bool include_tname, include_tid, shorten_pkgs;
	struct opt_list idle;
};

enum jstack_tally { TALLY_NO_FRAMES, TALLY_ASTRAY };

/** The thread whose block is being read. */
struct jstack_thread {
	bool open, has_state, runnable, idle;
	bool named;
	uint32_t name;
};

struct jstack_state {
	STATE_HEAD(struct jstack_options);
	struct jstack_thread thread;
	struct stack stack;
	struct memo memo; // meanings of frame lines, with a mark if a thread in this method is idle
};

/* --- Names ---------------------------------------------------------------------------------- */

/** Return whether a thread belongs to the virtual machine itself. Dumps always show such threads as
 * runnable. */
static bool jstack_is_machinery(struct str name) {
	for (struct str rest = name; str_has(rest, STR(" CompilerThread"));) {
		size_t at = str_find_str(rest, STR(" CompilerThread"));
		if (at >= 2 && rest.p[at - 2] == 'C') {
			return true;
		}
		rest = str_from(rest, at + 1);
	}
	return str_has(name, STR("Signal Dispatcher")) || str_has(name, STR("Service Thread")) ||
	       str_has(name, STR("Attach Listener"));
}

/** Return whether a thread in this method waits for input, although its state is RUNNABLE. */
static bool jstack_is_idle(const struct jstack_options *options, struct str method) {
	for (size_t i = 0; i < options->idle.n; i++) {
		if (str_has(method, str_of(options->idle.items[i]))) {
			return true;
		}
	}
	size_t accept = method.n - (method.n < 7 ? method.n : 7);
	return str_has(method, STR("epollWait")) || str_has(method, STR("EPoll.wait")) ||
	       str_ends(method, STR("socketAccept")) || str_ends(method, STR("socketRead0")) ||
	       (str_ends(method, STR("accept0")) && str_has(str_to(method, accept), STR("Socket")));
}

/** Return a name without a `-` and digits at its end. Such digits are the number of a thread in a
 * pool. */
static struct str jstack_cut_number(struct str name) {
	size_t n = name.n;
	while (n > 0 && is_digit(name.p[n - 1])) {
		n--;
	}
	return n < name.n && n > 0 && name.p[n - 1] == '-' ? str_to(name, n - 1) : name;
}

static struct meaning jstack_parse_frame(struct jstack_state *state, struct str method) {
	bool shorten = state->options->shorten_pkgs;
	struct meaning meaning = java_frame(state->run, method, java_packages_length(method),
					    shorten ? JAVA_SHORT_PACKAGES : JAVA_WHOLE_PACKAGES);
	meaning.mark = jstack_is_idle(state->options, method);
	return meaning;
}

/* --- Blocks --------------------------------------------------------------------------------- */

static void jstack_end_thread(struct jstack_state *state) {
	struct jstack_thread *thread = &state->thread;
	if (thread->open && thread->runnable && !thread->idle) {
		if (thread->named) {
			stack_push(&state->stack, thread->name);
		}
		stack_end(&state->stack, state->run, 1, TALLY_NO_FRAMES);
	}
	stack_clear(&state->stack);
	*thread = (struct jstack_thread){0};
}

static int jstack_begin_thread(struct jstack_state *state, struct str line, uint64_t number) {
	const struct jstack_options *options = state->options;
	jstack_end_thread(state);
	struct str name = str_from(line, 1);
	size_t end = str_find(name, '"');
	if (end == STR_NONE) {
		return run_warn(state->run, number,
				"left out a thread whose name has no closing quote: '%s'",
				quote(line).text);
	}
	name = str_to(name, end);
	state->run->samples++;
	state->thread.open = true;
	state->thread.idle = jstack_is_machinery(name);
	name = options->include_tid ? name : jstack_cut_number(name);
	if (options->include_tname && name.n > 0) {
		state->thread.named = true;
		state->thread.name = run_frame(state->run, name);
	}
	return 0;
}

/** Return whether a line is known, but not part of a stack. Some of these lines come directly after
 * a block, without an empty line. */
static bool jstack_is_known(struct str text) {
	static const struct str starts[] = {
		STR_INIT("-"),
		STR_INIT("0x"),
		STR_INIT("}"),
		STR_INIT("=="),
		STR_INIT("No compile task"),
		STR_INIT("Compiling:"),
		STR_INIT("Locked ownable synchronizers:"),
		STR_INIT("Carrying virtual thread #"),
		STR_INIT("Mounted virtual thread #"),
		STR_INIT("Full thread dump "),
		STR_INIT("Threads class SMR info:"),
		STR_INIT("_java_thread_list="),
		STR_INIT("_to_delete_list="),
		STR_INIT("JNI global ref"),
		STR_INIT("Found "),
		STR_INIT("waiting to lock "),
		STR_INIT("waiting for ownable synchronizer "),
		STR_INIT("which is held by "),
		STR_INIT("in JNI, which is held by "),
		STR_INIT("Java stack information for the threads listed above:"),
	};
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (str_starts(text, starts[i])) {
			return true;
		}
	}
	return false;
}

/**
 * Return whether a line begins a dump. Such a line has only a date and a time, or a process id.
 */
static bool jstack_is_dump_start(struct str line) {
	static const char shape[] = "0000-00-00 00:00:00";
	if (str_ends(line, STR(":")) && line.n > 1) {
		return str_all_digits(str_to(line, line.n - 1));
	}
	bool date = line.n == sizeof(shape) - 1;
	for (size_t i = 0; date && i < line.n; i++) {
		date = shape[i] == '0' ? is_digit(line.p[i]) : line.p[i] == shape[i];
	}
	return date;
}

static void jstack_state_line(struct jstack_state *state, struct str word) {
	struct jstack_thread *thread = &state->thread;
	if (!thread->has_state) {
		thread->has_state = true;
		thread->runnable = str_eq(str_cut(&word, ' '), STR("RUNNABLE"));
	}
}

/** Take a line of a block. */
static int jstack_thread_line(struct jstack_state *state, struct str line, uint64_t number) {
	static const struct str state_is = STR_INIT("java.lang.Thread.State: ");
	struct str text = text_trim_start(line);
	if (str_starts(text, state_is)) {
		jstack_state_line(state, str_from(text, state_is.n));
		return 0;
	}
	if (jstack_is_known(text) || jstack_is_dump_start(text)) {
		return 0;
	}
	if (str_eq(line, STR("Heap"))) { // the section "Heap" has many lines, but none about a
					 // thread
		jstack_end_thread(state);
		return 0;
	}
	return run_warn(state->run, number, "expected a line about the thread, found '%s'",
			quote(line).text);
}

static int jstack_line(void *memory, struct str raw, uint64_t number) {
	struct jstack_state *state = memory;
	struct str line = text_line(raw), method;
	if (str_starts(line, STR("#"))) {
		return 0;
	}
	if (str_starts(line, STR("\""))) {
		return jstack_begin_thread(state, line, number);
	}
	if (!state->thread.open) {
		state->run->tallies[TALLY_ASTRAY] += java_method(line, &method);
		return 0;
	}
	if (text_trim_start(line).n == 0) {
		jstack_end_thread(state);
		return 0;
	}
	struct meaning meaning = memo_find(&state->memo, line, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		if (!java_method(line, &method)) {
			return jstack_thread_line(state, line, number);
		}
		meaning = jstack_parse_frame(state, method);
		memo_add(&state->memo, line, 0, meaning);
	}
	state->thread.idle |= meaning.mark != 0;
	stack_push_meaning(&state->stack, NULL, meaning);
	return 0;
}

static int jstack_block(void *memory, const struct block *block) {
	struct jstack_state *state = memory;
	int result = run_lines(state->run, block, state, jstack_line);
	if (block->last) {
		jstack_end_thread(state);
	}
	return result;
}

static bool jstack_is_empty(struct str line) {
	return text_trim_start(text_line(line)).n == 0;
}

/** Return the end of the last complete block in some bytes. An empty line ends a block. */
static size_t jstack_cut(struct str bytes) {
	return cut_after(bytes, jstack_is_empty);
}

static void jstack_release(void *memory) {
	struct jstack_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
}

/** Return whether a line begins a block: it has a name in quotes, and then details of a thread. */
static bool jstack_is_header(struct str line) {
	size_t end = str_starts(line, STR("\"")) ? str_find_last(line, '"') : STR_NONE;
	if (end == STR_NONE || end == 0) {
		return false;
	}
	struct str rest = str_from(line, end);
	return str_has(rest, STR(" prio=")) || str_has(rest, STR(" tid=")) ||
	       str_has(rest, STR(" nid="));
}

static int jstack_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool states = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		if (str_starts(line, STR("Full thread dump ")) || jstack_is_header(line)) {
			return 2 * SNIFF_MAGIC;
		}
		states |= str_starts(text_trim_start(line), STR("java.lang.Thread.State: "));
	}
	return !whole ? SNIFF_MORE : states ? 2 * SNIFF_SHAPE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct jstack_options, include_tname), .name = "include-tname",
	 .help = "put the thread's name at the root", .flags = OPT_ON | OPT_NEGATABLE},
	{OPT_IS_BOOL(struct jstack_options, include_tid), .name = "include-tid",
	 .help = "keep the number at the end of a thread's name", .flags = OPT_NEGATABLE},
	{OPT_IS_BOOL(struct jstack_options, shorten_pkgs), .name = "shorten-pkgs",
	 .help = "shorten each package to its first letter", .flags = OPT_NEGATABLE},
	{OPT_IS_LIST(struct jstack_options, idle), .name = "idle", .value = "NAME",
	 .help = "leave out threads in a method whose name contains NAME"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"for i in $(seq 60); do jstack PID; sleep 1; done > dumps.txt",
	 "dump the threads every second"},
	{"inferno collapse jstack dumps.txt > out.folded", "fold the threads that were running"},
	{"inferno collapse jstack --shorten-pkgs --idle Net.accept dumps.txt > out.folded",
	 "leave out threads that wait for connections"},
	{NULL, NULL},
};

const struct collapser collapse_jstack = {
	.name = "jstack",
	.aliases = (const char *const[]){"stackcollapse-jstack", NULL},
	.brief = "fold thread dumps of a Java virtual machine",
	.about = "Reads thread dumps as jstack, 'jcmd PID Thread.print' and the signal QUIT print "
		 "them. A thread counts 1 in each dump in which its state is RUNNABLE. Threads of "
		 "the virtual machine, such as compiler threads, are left out, and so are threads "
		 "in methods known to wait for a socket; --idle names more such methods.\n\nThe "
		 "number at the end of a thread's name (pool-1-thread-7) is cut off, so that the "
		 "threads of a pool are added up; --include-tid keeps it.",
	.examples = examples,
	.options = {options, sizeof(struct jstack_options)},
	.state_size = sizeof(struct jstack_state),
	.sniff = jstack_sniff,
	.block = jstack_block,
	.cut = jstack_cut,
	.release = jstack_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out running threads without frames",
		    [TALLY_ASTRAY] = "left out frames that belong to no thread"},
	.expects = "the output of jstack",
};
