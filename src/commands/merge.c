/* The command merge: many profiles of any formats to one, in bounded memory. */
#include "merge/merger.h"

#include <errno.h>
#include <regex.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/utf8.h"
#include "collapse/folded_input.h"
#include "collapse/sniff.h"
#include "commands/reading.h"

struct merge_options {
	const char *memory, *label_from_name;
	struct opt_list labels;
	bool average;
	uint64_t normalize;
};

/* --- Options -------------------------------------------------------------------------------- */

enum { MEGABYTES_LEAST = 16, MEGABYTES_MOST = 1 << 24 };

/** Read a size such as 64M. Return bytes, or 0 if it is none or out of bounds. */
static uint64_t parse_memory(const char *text) {
	struct str number = str_of(text);
	uint64_t value;
	unsigned shift = str_ends(number, STR("G")) ? 30 : 20;
	if (!str_ends(number, STR("G")) && !str_ends(number, STR("M"))) {
		return 0;
	}
	if (!num_parse_u64(str_to(number, number.n - 1), &value) || value > MEGABYTES_MOST) {
		return 0;
	}
	uint64_t megabytes = value << (shift - 20);
	return megabytes < MEGABYTES_LEAST || megabytes > MEGABYTES_MOST ? 0 : megabytes << 20;
}

static const char *check_memory(const char *text) {
	return parse_memory(text) != 0 ? NULL : "a size of at least 16M, such as 64M or 2G";
}

/** Return whether text can be the first frame of folded text. */
static bool is_label(struct str text) {
	return text.n > 0 && is_graphic(text.p[0]) && text.p[0] != '#' &&
	       str_find(text, ';') == STR_NONE && str_find(text, '\n') == STR_NONE;
}

static const char *check_pattern(const char *text) {
	regex_t pattern;
	if (regcomp(&pattern, text, REG_EXTENDED) != 0) {
		return "a regular expression, as for 'grep -E'";
	}
	regfree(&pattern);
	return NULL;
}

static int check(const struct opt_set *set, size_t operands, struct diag *diag) {
	(void)operands;
	const struct merge_options *options = OPT_VALUES(set, TABLE_OWN, struct merge_options);
	for (size_t i = 0; i < options->labels.n; i++) {
		if (!is_label(str_of(options->labels.items[i]))) {
			return diag_error(diag,
					  "--label: expected the name of a frame, without ';', "
					  "found '%s'",
					  quote(str_of(options->labels.items[i])).text);
		}
	}
	return 0;
}

/* --- Folded text ---------------------------------------------------------------------------- */

struct options {
	struct merger *merger;
	int *failed; // set to -1 after diag_error()
};

/** The state of a format that hands folded text to the merger, not to a profile. */
struct text {
	STATE_HEAD;
	struct str previous; // the last stack: in the block, or in `kept`
	struct buf kept, repaired;
};

/** Add a stack that is not in UTF-8. */
static int add_repaired(struct text *text, struct str stack, uint64_t count) {
	stack = utf8_repaired(&text->repaired, stack);
	int result = merger_add(text->options->merger, text->previous, stack,
				str_common_prefix(stack, text->previous), count);
	buf_clear(&text->kept);
	buf_add_str(&text->kept, stack);
	text->previous = buf_str(&text->kept);
	return result;
}

/** Add a stack whose first `common` bytes are those of the last one, or of its line. */
static int add(struct text *text, struct str stack, size_t common, uint64_t count) {
	common = common < stack.n ? common : stack.n;
	if (text->run->samples++ == 0) {
		// The profile stays empty otherwise, and the driver would warn of that.
		profile_add(text->run->profile, NULL, 0, 0);
	}
	if (!utf8_valid_from(stack, common)) {
		return add_repaired(text, stack, count);
	}
	int result = merger_add(text->options->merger, text->previous, stack, common, count);
	text->previous = stack;
	return result;
}

static int add_odd(struct text *text, struct str line, uint64_t number) {
	struct folded_line found;
	int result = folded_input_cut(text->run, false, line, number, &found);
	return result == 1 ? add(text, found.stack, str_common_prefix(found.stack, text->previous),
				 found.count)
			   : result;
}

static int text_block(void *state, const struct block *block) {
	struct text *text = state;
	struct str rest = block->bytes, stack;
	uint64_t number = 0, count;
	int result = 0;
	if (block->first) {
		text->previous = STR("");
	}
	while (rest.n > 0 && result == 0) {
		// Bytes that a line shares with the last stack contain no line end.
		size_t common = str_common_prefix(rest, text->previous);
		size_t n = str_find(str_from(rest, common), '\n');
		struct str line = str_to(rest, n == STR_NONE ? rest.n : common + n);
		rest = str_from(rest, n == STR_NONE ? rest.n : line.n + 1);
		number++;
		result = folded_cut_plain(line, true, &stack, &count)
				 ? add(text, stack, common, count)
				 : add_odd(text, line, number);
	}
	if (text->previous.p != text->kept.p) { // the next block overwrites this one
		buf_clear(&text->kept);
		buf_add_str(&text->kept, text->previous);
	}
	text->previous = buf_str(&text->kept);
	text->run->lines = number;
	*text->options->failed = result;
	return result;
}

static void text_release(void *state) {
	struct text *text = state;
	buf_release(&text->kept);
	buf_release(&text->repaired);
}

static const struct collapser text_format = {
	.name = "folded",
	.state_size = sizeof(struct text),
	.sniff = folded_input_sniff,
	.block = text_block,
	.release = text_release,
	.tallies = FOLDED_TALLIES,
	.expects = "a profile",
};

/* --- Inputs --------------------------------------------------------------------------------- */

struct merging {
	const struct command_run *run;
	const struct merge_options *options;
	struct merger *merger;
	regex_t pattern;   // of --label-from-name
	struct buf label;  // of the current input
	uint64_t inputs_n; // that were added
};

/** Read folded text into the merger. */
static int read_folded(struct merging *merging, const struct source *source) {
	int failed = 0;
	struct options options = {merging->merger, &failed};
	struct profile unused;
	struct collapse collapse = {.format = &text_format,
				    .options = &options,
				    .threads = 1,
				    .diag = merging->run->diag};
	profile_init(&unused, PROFILE_STACKS);
	int result = collapse_sources(&collapse, source, 1, &unused);
	profile_release(&unused);
	return result == 0 ? failed : result;
}

static int write_scratch(void *context, const void *bytes, size_t len) {
	return scratch_write(*(int *)context, bytes, len);
}

/** Write a profile as folded text to a scratch file. */
static int write_folded(struct profile *profile, int fd, struct diag *diag) {
	struct output out;
	output_init(&out, write_scratch, &fd);
	folded_write(profile, &out);
	int result = output_finish(&out) == 0 && lseek(fd, 0, SEEK_SET) == 0 ? 0 : -1;
	if (result != 0) {
		scratch_fail(diag, "write", errno);
	}
	output_release(&out);
	return result;
}

/** Fold an input of any format. The folded text goes through a file, so that the profile and the
 * runs are not in memory together. */
static int read_other(struct merging *merging, const struct source *source) {
	struct diag *diag = merging->run->diag;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	int result = reading_run(merging->run, source, 1, &profile);
	bool any = profile_count(&profile) > 0;
	int fd = result == 0 ? scratch_open() : -1;
	if (result == 0 && fd < 0) {
		result = scratch_fail(diag, "write", errno);
	}
	result = result == 0 ? write_folded(&profile, fd, diag) : result;
	profile_release(&profile);
	if (result == 0 && any) {
		const struct source folded = {
			.kind = SOURCE_DESCRIPTOR, .fd = fd, .name = source->path};
		result = read_folded(merging, &folded);
	}
	if (fd >= 0) {
		close(fd);
	}
	return result;
}

/** Return whether an input is folded text, or is to be read as such; -1 after diag_error(). */
static int is_folded(struct input *input) {
	enum { START = 64 << 10 };
	struct str start;
	bool whole;
	if (input_peek(input, START, &start, &whole) != 0) {
		return -1;
	}
	return sniff_binary(start) == NULL ? reading_is_folded(input) : 0;
}

/** Add a frame to the label of the input. */
static void add_label(struct merging *merging, struct str text) {
	utf8_repair(&merging->label, text);
	buf_add_char(&merging->label, ';');
}

/** Make the frames that all stacks of an input begin with. */
static int make_label(struct merging *merging, const struct source *source) {
	const struct merge_options *options = merging->options;
	regmatch_t found[2];
	buf_clear(&merging->label);
	for (size_t i = 0; i < options->labels.n; i++) {
		add_label(merging, str_of(options->labels.items[i]));
	}
	if (options->label_from_name == NULL) {
		return 0;
	}
	const char *name = source->path;
	if (regexec(&merging->pattern, name, 2, found, 0) != 0) {
		return diag_error(merging->run->diag,
				  "%s: --label-from-name '%s' does not match the name", name,
				  options->label_from_name);
	}
	const regmatch_t *part = found[1].rm_so >= 0 ? &found[1] : &found[0];
	struct str label = {name + part->rm_so, (size_t)(part->rm_eo - part->rm_so)};
	if (!is_label(label)) {
		return diag_error(merging->run->diag,
				  "%s: --label-from-name '%s' finds '%s', which cannot be the name "
				  "of a frame",
				  name, options->label_from_name, quote(label).text);
	}
	add_label(merging, label);
	return 0;
}

/** Read an input into the merger. */
static int add_input(struct merging *merging, struct source source) {
	if (make_label(merging, &source) != 0) {
		return -1;
	}
	merger_begin(merging->merger, buf_str(&merging->label));
	source.input = input_open(&source, merging->run->diag);
	int folded = source.input == NULL ? -1 : is_folded(source.input);
	if (folded < 0) {
		input_close(source.input);
		return -1;
	}
	int result = folded == 1 ? read_folded(merging, &source) : read_other(merging, &source);
	return result == 0 ? merger_end(merging->merger, merging->options->normalize) : result;
}

/** Leave out the whole of an input that cannot be read. */
static int leave_out(struct merging *merging) {
	struct diag *diag = merging->run->diag;
	struct buf why = diag->error;
	diag->error = (struct buf){0};
	merger_drop(merging->merger);
	int result = diag_warn(diag, "%s; left out", buf_text(&why));
	buf_release(&why);
	return result;
}

static int add_inputs(struct merging *merging) {
	const struct command_run *run = merging->run;
	int result = 0;
	for (size_t i = 0; i < run->sources_n && result == 0; i++) {
		result = add_input(merging, run->sources[i]);
		merging->inputs_n += result == 0;
		if (result != 0 && run->diag->lenient) {
			result = leave_out(merging);
		}
	}
	if (result == 0 && merging->inputs_n == 0) {
		result = diag_error(run->diag, "no input is left to merge");
	}
	return result;
}

static int run(const struct command_run *run) {
	struct merging merging = {.run = run,
				  .options = OPT_VALUES(run->set, TABLE_OWN, struct merge_options)};
	const char *pattern = merging.options->label_from_name;
	if (pattern != NULL) {
		(void)regcomp(&merging.pattern, pattern, REG_EXTENDED); // was checked
	}
	merging.merger = merger_new(parse_memory(merging.options->memory), run->diag);
	int result = add_inputs(&merging);
	if (result == 0) {
		result = merger_write(merging.merger, run->out,
				      merging.options->average ? merging.inputs_n : 1);
	}
	merger_free(merging.merger);
	buf_release(&merging.label);
	if (pattern != NULL) {
		regfree(&merging.pattern);
	}
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct merge_options, field)

static const struct opt option_rows[] = {
	{FIELD(LIST, labels), .name = "label", .value = "FRAME", .group = "Labels",
	 .help = "add a root frame such as host=a to all stacks; give it again for one below"},
	{FIELD(TEXT, label_from_name), .name = "label-from-name", .value = "REGEX",
	 .check = check_pattern, .group = "Labels",
	 .help = "add a root frame from the name of each file: what the first group of the "
		 "regular expression matches, or all of it"},
	{FIELD(UINT, normalize), .name = "normalize", .value = "TOTAL", .least = 1,
	 .most = UINT32_MAX, .group = "Counts",
	 .help = "scale the counts of each input to this total, so that all weigh the same"},
	{FIELD(BOOL, average), .name = "average", .group = "Counts",
	 .help = "divide the sums by the number of inputs"},
	{FIELD(TEXT, memory), .name = "memory", .value = "SIZE", .initial = "256M",
	 .check = check_memory, .group = "Resources",
	 .help = "use about this much memory for stacks, at least 16M; what does not fit goes to "
		 "files without names in $TMPDIR or /tmp"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno merge web1.folded.gz web2.folded.gz > web.folded",
	 "add up the profiles of two hosts"},
	{"inferno merge --label-from-name '^[^.]+' web1.folded web2.folded > web.folded",
	 "give the stacks of each host a root frame"},
	{"inferno merge --memory 64M monday.perf tuesday.folded > both.folded",
	 "add up profiles of any formats, in little memory"},
	{NULL, NULL},
};

const struct command command_merge = {
	.name = "merge",
	.brief = "add up many profiles of any formats, in bounded memory",
	.about = "Folds each input, and adds up equal stacks. The result is sorted folded text. "
		 "It does not depend on the order of the inputs, nor on how they are grouped: "
		 "merging results of merge gives the same bytes as merging everything at once. "
		 "Sums have this property; averages and normalized counts do not.\n\n"
		 "Folded text that is sorted, as inferno writes it, is merged as it is read. What "
		 "does not fit into --memory goes to temporary files, which have no names, so "
		 "nothing is left of them however the command ends.\n\n"
		 "An input that cannot be read ends the command. With --lenient it is named and "
		 "left out as a whole.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct merge_options)}},
	.check = check,
	.run = run,
};
