/*
 * java-exceptions: stack traces in the logs of Java programs.
 *
 * Consecutive lines of the form `at METHOD(PLACE)` are a stack, leaf first. A memo remembers frame
 * lines.
 */
#include "collapse/collapser.h"
#include "collapse/java.h"
#include "collapse/text.h"

struct java_exceptions_options {
	bool shorten_pkgs, no_pkgs;
};

enum java_exceptions_tally { TALLY_NO_FRAMES };

struct java_exceptions_state {
	STATE_HEAD(struct java_exceptions_options);
	bool in_stack;
	struct stack stack;
	struct memo memo; // meanings of frame lines
};

/** Find the method in a frame line. Return false for any other line, such as `at least one`. */
static bool java_exceptions_take_method(struct str line, struct str *method) {
	if (!java_method(line, method)) {
		return false;
	}
	struct str rest = str_from(line, (size_t)(method->p - line.p) + method->n);
	bool blank = method->n > 0 && method->p[method->n - 1] == ' ';
	return !blank && str_find(rest, ')') != STR_NONE;
}

/** Return whether a line may be between the frames of one stack, because it is about locks. */
static bool java_exceptions_is_aside(struct str line) {
	struct str text = text_trim_start(line);
	return (str_starts(text, STR("- ")) && text.n > 2) || str_has(line, STR("waiting on "));
}

static struct meaning java_exceptions_parse_frame(struct java_exceptions_state *state,
						  struct str method) {
	enum java_packages packages = state->options->no_pkgs        ? JAVA_NO_PACKAGES
				      : state->options->shorten_pkgs ? JAVA_SHORT_PACKAGES
								     : JAVA_WHOLE_PACKAGES;
	return java_frame(state->run, method, java_packages_length(method), packages);
}

static void java_exceptions_end_stack(struct java_exceptions_state *state) {
	if (state->in_stack) {
		state->in_stack = false;
		state->run->samples++;
		stack_end(&state->stack, state->run, 1, TALLY_NO_FRAMES);
	}
}

static int java_exceptions_line(void *memory, struct str raw, uint64_t number) {
	(void)number;
	struct java_exceptions_state *state = memory;
	struct str line = text_line(raw), method;
	struct meaning meaning = memo_find(&state->memo, line, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		if (!java_exceptions_take_method(line, &method)) {
			if (state->in_stack && !java_exceptions_is_aside(line)) {
				java_exceptions_end_stack(state);
			}
			return 0;
		}
		meaning = java_exceptions_parse_frame(state, method);
		memo_add(&state->memo, line, 0, meaning);
	}
	state->in_stack = true;
	stack_push_meaning(&state->stack, NULL, meaning);
	return 0;
}

static int java_exceptions_block(void *memory, const struct block *block) {
	struct java_exceptions_state *state = memory;
	int result = run_lines(state->run, block, state, java_exceptions_line);
	if (block->last) {
		java_exceptions_end_stack(state);
	}
	return result;
}

static bool java_exceptions_ends_stack(struct str text) {
	struct str line = text_line(text), method;
	return !java_exceptions_take_method(line, &method) && !java_exceptions_is_aside(line);
}

/** Return the end of the last line that is not part of a stack. */
static size_t java_exceptions_cut(struct str bytes) {
	return cut_after(bytes, java_exceptions_ends_stack);
}

static void java_exceptions_release(void *memory) {
	struct java_exceptions_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
}

/** Return whether a text names a method as Java does. The form is CLASS.METHOD, perhaps after the
 * names of modules and loaders. */
static bool java_exceptions_is_java_name(struct str name) {
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		if (!is_alpha(c) && !is_digit(c) && (unsigned char)c < 0x80 &&
		    strchr("_.$/<>@-", c) == NULL) {
			return false;
		}
	}
	return str_find(name, '.') != STR_NONE;
}

/** Return whether a text is the place of a Java method: a file with a line, or one of a few
 * phrases. Return false for the parameters of a .NET method. */
static bool java_exceptions_is_java_place(struct str place) {
	size_t module = str_find_last(place, '/');
	struct str file = module == STR_NONE ? place : str_from(place, module + 1);
	return str_eq(file, STR("Native Method")) || str_eq(file, STR("Unknown Source")) ||
	       str_eq(file, STR("<generated>")) ||
	       (str_find(file, ' ') == STR_NONE && str_find(file, '.') != STR_NONE &&
		str_find(file, '.') != 0);
}

/** Return whether a line is a frame of Java and of no other language. */
static bool java_exceptions_is_frame(struct str line) {
	struct str method;
	line = text_line(line);
	if (text_trim_start(line).n == line.n || !java_exceptions_take_method(line, &method)) {
		return false;
	}
	struct str rest = str_from(line, (size_t)(method.p - line.p) + method.n + 1);
	struct str place = str_to(rest, str_find(rest, ')'));
	rest = str_from(rest, place.n + 1);
	return (rest.n == 0 || str_starts(rest, STR(" ~[")) || str_starts(rest, STR(" ["))) &&
	       java_exceptions_is_java_name(method) && java_exceptions_is_java_place(place);
}

/** Count the frame lines, except those in a thread dump. Many frames are good evidence, but always
 * weaker than the heading of another format. */
static int java_exceptions_sniff(struct str bytes, bool whole) {
	enum { MOST = SNIFF_SHAPE - 1 };
	struct lines lines = {.rest = bytes};
	int evidence = SNIFF_LIKELY;
	bool dump = false;
	for (struct str line; evidence < MOST && lines_next_whole(&lines, whole, &line);) {
		struct str text = text_trim(text_line(line));
		dump = text.n > 0 && (dump || str_starts(text, STR("java.lang.Thread.State: ")));
		evidence += !dump && java_exceptions_is_frame(line);
	}
	return evidence > SNIFF_LIKELY ? evidence : whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct java_exceptions_options, shorten_pkgs), .name = "shorten-pkgs",
	 .help = "shorten each package to its first letter", .flags = OPT_NEGATABLE},
	{OPT_IS_BOOL(struct java_exceptions_options, no_pkgs), .name = "no-pkgs",
	 .help = "leave out packages; overrides --shorten-pkgs", .flags = OPT_NEGATABLE},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"java -jar app.jar 2> app.log", "write a log; any log with stack traces can be folded"},
	{"inferno collapse java-exceptions app.log > out.folded", "fold the stack traces"},
	{"inferno collapse java-exceptions --no-pkgs app.log | inferno flamegraph > out.svg",
	 "see where exceptions come from"},
	{NULL, NULL},
};

const struct collapser collapse_java_exceptions = {
	.name = "java-exceptions",
	.aliases = (const char *const[]){"stackcollapse-java-exceptions", NULL},
	.brief = "fold the stack traces in a Java log",
	.about = "Reads any log with Java stack traces. Each trace counts 1, whatever the "
		 "exception. The rest of the log is skipped. A cause counts as a trace of its own, "
		 "without the frames that '... n more' stands for.",
	.examples = examples,
	.options = {options, sizeof(struct java_exceptions_options)},
	.state_size = sizeof(struct java_exceptions_state),
	.sniff = java_exceptions_sniff,
	.block = java_exceptions_block,
	.cut = java_exceptions_cut,
	.release = java_exceptions_release,
	.unit = "exceptions",
	.tallies = {[TALLY_NO_FRAMES] = "left out stack traces without methods"},
	.expects = "a log with Java stack traces",
};
