/* The command diff: two profiles to folded text with two counts, a picture, a report, a
 * verdict. */
#include <stdlib.h>

#include "base/command.h"
#include "base/destination.h"
#include "diff/condition.h"
#include "diff/merge.h"
#include "diff/report.h"
#include "diff/text.h"

struct diff_options {
	bool normalize, strip_hex;
	bool report, json, markdown;
	uint64_t top;
	double noise;
	uint64_t sample; // 0: to be found out
	struct opt_list fail_if;
	const char *svg;
	bool own;
};

#define FIELD(kind, field) OPT_IS_##kind(struct diff_options, field)

static const struct opt option_rows[] = {
	{FIELD(BOOL, normalize), .name = "normalize", .letter = 'n', .group = "Folded text",
	 .help = "scale the first profile's counts to the second's total"},
	{FIELD(BOOL, strip_hex), .name = "strip-hex", .letter = 's', .group = "Input",
	 .help = "take all addresses (0x1f) for the same"},
	{FIELD(PATH, svg), .name = "svg", .value = "FILE", .group = "Picture",
	 .help = "draw both profiles in one picture"},
	{FIELD(BOOL, own), .name = "own", .group = "Picture",
	 .help = "have its colours show what changed in the functions themselves, not in all that "
		 "they call"},
	{FIELD(BOOL, report), .name = "report", .group = "Report",
	 .help = "list the functions that changed most"},
	{FIELD(BOOL, json), .name = "json", .group = "Report", .conflicts = "markdown",
	 .help = "list them as JSON"},
	{FIELD(BOOL, markdown), .name = "markdown", .group = "Report",
	 .help = "list them as Markdown"},
	{FIELD(UINT, top), .name = "top", .value = "N", .initial = "10", .least = 1,
	 .most = 1000000, .group = "Report", .help = "functions of a list, at the most"},
	{FIELD(REAL, noise), .name = "noise", .value = "SIGMA", .initial = "2", .least = 0,
	 .most = 1000, .group = "Comparison",
	 .help = "take changes of fewer standard deviations for noise; 0: none"},
	{FIELD(UINT, sample), .name = "sample", .value = "N", .group = "Comparison",
	 .help = "what a sample counts; without it found out, or guessed from the counts: -v "
		 "says it"},
	{FIELD(LIST, fail_if), .name = "fail-if", .value = "CONDITION", .group = "Comparison",
	 .help = "end with status 5 if it holds: 'total(REGEX) > +5%', 'self(REGEX) >= 1000'"},
	{.type = OPT_END},
};

/** What is made on the way; all of it is released in the end. */
struct diff {
	struct command_run *run;
	const struct diff_options *options;
	struct compared compared;
	struct condition *conditions;
	struct functions functions;
};

static int parse_conditions(struct condition *conditions, const struct opt_list *texts,
			    struct diag *diag) {
	for (size_t i = 0; i < texts->n; i++) {
		if (condition_parse(&conditions[i], texts->items[i], diag) != 0) {
			return -1;
		}
	}
	return 0;
}

static void release_conditions(struct condition *conditions, size_t n) {
	for (size_t i = 0; i < n; i++) {
		condition_release(&conditions[i]);
	}
	free(conditions);
}

static bool reports(const struct diff_options *options) {
	return options->report || options->json || options->markdown;
}

/** Whether folded text is what is wanted. */
static bool writes_text(const struct diff_options *options) {
	return !reports(options) && options->svg == NULL && options->fail_if.n == 0;
}

/** Checks that nothing was asked for that another option is needed for. */
static int check_needs(const struct opt_set *set, struct diag *diag) {
	const struct diff_options *options = set->values[TABLE_OWN];
	if (options->own && options->svg == NULL) {
		return diag_error(diag, "--own is for a picture; add --svg FILE");
	}
	if (opt_given(set, "top") && !reports(options)) {
		return diag_error(diag, "--top is for a report; add --report");
	}
	if (reports(options) && options->svg != NULL && strcmp(options->svg, "-") == 0) {
		return diag_error(diag, "the picture and the report cannot both go to standard "
					"output; give --svg a file");
	}
	return 0;
}

static int check(const struct opt_set *set, struct diag *diag) {
	const struct diff_options *options = set->values[TABLE_OWN];
	struct condition *conditions = mem_new(options->fail_if.n, sizeof(*conditions));
	int result = parse_conditions(conditions, &options->fail_if, diag);
	release_conditions(conditions, options->fail_if.n);
	return result != 0 ? result : check_needs(set, diag);
}

/* --- Reading -------------------------------------------------------------------------------- */

/** Adds the name with every `0x` and what hexadecimal digits follow as `0x...`. */
static void add_stripped(struct buf *out, struct str name) {
	for (size_t i = 0; i < name.n;) {
		struct str rest = str_from(name, i);
		size_t digits = 0;
		if (str_starts(rest, STR("0x"))) {
			while (2 + digits < rest.n && is_hex(rest.p[2 + digits])) {
				digits++;
			}
		}
		if (digits > 0) {
			buf_add_text(out, "0x...");
			i += 2 + digits;
		} else {
			buf_add_char(out, name.p[i++]);
		}
	}
}

/** --strip-hex: gives every name the id of what is left of it. */
static bool strip_ids(void *context, struct stack_row *stack) {
	const uint32_t *ids = context;
	for (size_t d = 0; d < stack->depth; d++) {
		stack->ids[d] = ids[stack->ids[d]];
	}
	return true;
}

static void strip_hex(struct stacks *stacks) {
	stacks_make_calls(stacks, NULL, NULL); // which splits names at semicolons
	uint32_t n = stacks->names.count;
	uint32_t *ids = mem_new(n, sizeof(*ids));
	struct buf name = {0};
	for (uint32_t i = 0; i < n; i++) {
		buf_clear(&name);
		add_stripped(&name, intern_str(stacks->names.keys[i]));
		ids[i] = intern_get(&stacks->names, name.p, name.n)->id;
	}
	stacks_make_calls(stacks, strip_ids, ids);
	buf_release(&name);
	free(ids);
}

/** Reads one of the two profiles. */
static int read_side(const struct diff *diff, size_t side, struct stacks *stacks, uint64_t *total,
		     double *sample) {
	struct command_run *run = diff->run;
	stacks_init(stacks, STACKS_TAKE_LINES | STACKS_ONE_COUNT);
	if (run->read(run, &run->sources[side], 1, stacks) != 0) {
		return -1;
	}
	if (diff->options->strip_hex) {
		strip_hex(stacks);
	} else {
		stacks_make_calls(stacks, NULL, NULL);
	}
	if (!stacks_sum(stacks, total)) {
		return diag_error(
			run->diag,
			"%s: the counts are too large: their sum does not fit into 64 bits",
			run->sources[side].path);
	}
	*sample = diff->options->sample > 0 ? (double)diff->options->sample
					    : stacks_sample(stacks, *total);
	diag_note(run->diag, "%s: a sample counts %.0f", run->sources[side].path, *sample);
	return 0;
}

static int compare(struct diff *diff) {
	struct compared *compared = &diff->compared;
	struct change totals;
	struct stacks after;
	double sample_before, sample_after;
	int result = read_side(diff, 0, &compared->stacks, &totals.before, &sample_before);
	if (result != 0) {
		return result;
	}
	result = read_side(diff, 1, &after, &totals.after, &sample_after);
	if (result == 0) {
		compared->yardstick = yardstick_of(totals, diff->options->noise);
		compared->yardstick.sample_before = sample_before;
		compared->yardstick.sample_after = sample_after;
		stacks_compare(&compared->stacks, &after);
		stacks_sort_names(&compared->stacks);
		if (!tree_compare(&compared->tree, &compared->stacks, compared->yardstick.scale)) {
			result = diag_error(diff->run->diag, "the counts are too large: both "
							     "profiles together do not fit into 64 "
							     "bits");
		}
	}
	stacks_release(&after);
	return result;
}

/* --- Verdict -------------------------------------------------------------------------------- */

/** What the functions count that a condition is about. */
static struct change count_matches(const struct diff *diff, const struct condition *condition) {
	const struct compared *compared = &diff->compared;
	uint32_t n = compared->stacks.names.count;
	bool *wanted = mem_new(n, sizeof(*wanted));
	struct buf name = {0};
	for (uint32_t id = 0; id < n; id++) {
		buf_clear(&name);
		buf_add_str(&name, tree_label(stacks_name(&compared->stacks, id)));
		wanted[id] = condition_matches(condition, buf_text(&name));
	}
	struct change sum = functions_sum(&compared->tree, wanted, !condition->total);
	buf_release(&name);
	free(wanted);
	return sum;
}

/** What was found: "12 before, 20 after, +66.67%". */
static void add_finding(struct buf *out, struct change counts, const struct yardstick *yardstick) {
	buf_printf(out, "%llu before, %llu after", (unsigned long long)counts.before,
		   (unsigned long long)counts.after);
	double before = yardstick->scale * (double)counts.before;
	if (before > 0) {
		buf_printf(out, ", %+.2f%%", 100 * change_amount(yardstick, counts) / before);
	}
	if (yardstick->scale != 1) {
		buf_printf(out, " (of counts before times %.4f)", yardstick->scale);
	}
}

/** Judges a condition. Returns 0, 1 after diag_error() if it holds, or -1. */
static int judge(const struct diff *diff, const struct condition *condition) {
	const struct yardstick *yardstick = &diff->compared.yardstick;
	struct diag *diag = diff->run->diag;
	struct change counts = count_matches(diff, condition);
	struct verdict verdict = condition_judge(condition, counts, yardstick);
	struct buf finding = {0};
	int result = 0;
	add_finding(&finding, counts, yardstick);
	if (verdict.holds) {
		diag_error(diag, "%s holds: %s", condition->text, buf_text(&finding));
		result = COMMAND_CONDITION_HOLDS;
	} else if (verdict.noise) {
		result = diag_warn(diag, "%s may hold, or it is noise: %s", condition->text,
				   buf_text(&finding));
	} else {
		diag_note(diag, "%s does not hold: %s", condition->text, buf_text(&finding));
	}
	buf_release(&finding);
	return result;
}

static int judge_all(const struct diff *diff) {
	const struct change *totals = &diff->compared.yardstick.totals;
	if (diff->options->fail_if.n > 0 && (totals->before == 0 || totals->after == 0)) {
		// A recording that failed must not look like a program that got no slower.
		return diag_error(diff->run->diag,
				  "%s: nothing is counted in it, so --fail-if has "
				  "nothing to judge",
				  diff->run->sources[totals->before == 0 ? 0 : 1].path);
	}
	int result = 0;
	for (size_t i = 0; i < diff->options->fail_if.n && result == 0; i++) {
		result = judge(diff, &diff->conditions[i]);
	}
	return result;
}

/* --- Results -------------------------------------------------------------------------------- */

static void write_report(struct diff *diff) {
	const struct diff_options *options = diff->options;
	functions_collect(&diff->functions, &diff->compared.tree, &diff->compared.stacks);
	report_write(diff->run->out, &(struct report){
					     .form = options->json       ? REPORT_JSON
						     : options->markdown ? REPORT_MARKDOWN
									 : REPORT_TEXT,
					     .most = options->top,
					     .functions = &diff->functions,
					     .yardstick = &diff->compared.yardstick,
				     });
}

static int write_results(struct diff *diff) {
	const struct diff_options *options = diff->options;
	if (options->svg != NULL &&
	    diff->run->draw(diff->run, &diff->compared, options->svg) != 0) {
		return -1;
	}
	if (reports(options)) {
		write_report(diff);
	} else if (writes_text(options)) {
		diff_write_text(diff->run->out, &diff->compared, options->normalize);
	}
	return judge_all(diff);
}

/* --- The fast way --------------------------------------------------------------------------- */

/** Whether a text may be folded text, from the look of its start. */
static bool may_be_folded(struct str start, bool whole) {
	return !str_starts(start, STR("PERFILE2")) && str_find(start, '\0') == STR_NONE &&
	       (whole || str_find(start, '\n') != STR_NONE);
}

/** A text that is read, to be merged. */
struct reading {
	bool sorted; // it is taken for that
	struct buf text;
	struct merge_any any;
};

/** Takes the bytes of a file while they are folded text. Returns 1, 0 if they are not, or -1 after
 * diag_error(). */
static int load(struct input *input, struct reading *reading, struct merge_side *side) {
	enum { START = 64 << 10, PART = 128 << 10 };
	struct str start;
	bool whole;
	if (input_peek(input, START, &start, &whole) != 0) {
		return -1;
	}
	if (!input_is_file(input) || !may_be_folded(start, whole)) {
		return 0; // reading it the other way says what is wrong, if anything is
	}
	struct buf *text = &reading->text;
	buf_clear(text);
	if (reading->sorted) {
		merge_expect(side, input_size(input));
	} else {
		(void)buf_room(text, reading->any.most + 2 * PART);
	}
	for (ptrdiff_t len = 1; len > 0;) {
		len = input_read(input, buf_room(text, PART), PART);
		if (len < 0) {
			return -1;
		}
		text->n += (size_t)len;
		if (!(reading->sorted ? merge_take(side, text, len == 0)
				      : merge_take_any(&reading->any, text, len == 0, side))) {
			return 0;
		}
	}
	return side->lines.n > 0;
}

/** Reads a side, if it is a file of folded text. Returns as above. */
static int read_folded(struct command_run *run, const struct source *source,
		       struct reading *reading, struct merge_side *side) {
	struct input *input = input_open(source, run->diag);
	int result = input == NULL ? -1 : load(input, reading, side);
	if (input != NULL) {
		input_close(input);
	}
	return result;
}

/** Reads a side, sorted or not. Returns as above. */
static int read_text(struct command_run *run, const struct source *source, struct reading *reading,
		     struct merge_side *side) {
	if (source->kind != SOURCE_PATH || strcmp(source->path, "-") == 0) {
		return 0;
	}
	reading->sorted = true;
	int result = read_folded(run, source, reading, side);
	int folded = result >= 0 ? run->is_folded(run, source) : result;
	if (side->descends && folded == 1) {
		merge_release(side);
		reading->sorted = false;
		result = read_folded(run, source, reading, side);
	}
	return folded == 1 ? result : folded;
}

/** Merges the two sides as text, if they can be; nothing is written otherwise. Returns as above. */
static int merge(struct command_run *run, bool normalized) {
	struct merge_side before = {0}, after = {0};
	struct reading reading = {.any.most = 16 << 20}; // what a processor's cache holds
	int result = read_text(run, &run->sources[0], &reading, &before);
	result = result == 1 ? read_text(run, &run->sources[1], &reading, &after) : result;
	if (result == 1) {
		merge_write(run->out, &before, &after, normalized);
	}
	buf_release(&reading.text);
	merge_release_any(&reading.any);
	merge_release(&before);
	merge_release(&after);
	return result;
}

static void diff_release(struct diff *diff) {
	functions_release(&diff->functions);
	release_conditions(diff->conditions, diff->options->fail_if.n);
	tree_release(&diff->compared.tree);
	stacks_release(&diff->compared.stacks);
}

static int run(struct command_run *run) {
	struct diff diff = {.run = run, .options = run->set->values[TABLE_OWN]};
	const struct common_options *common = run->set->values[TABLE_COMMON];
	// What is said of the profiles with -v, only the general way finds out.
	if (writes_text(diff.options) && !diff.options->strip_hex && common->verbose == 0) {
		int merged = merge(run, diff.options->normalize);
		if (merged != 0) {
			return merged < 0 ? -1 : 0;
		}
	}
	diff.compared.before = run->sources[0].path;
	diff.compared.after = run->sources[1].path;
	diff.compared.own = diff.options->own;
	diff.conditions = mem_new(diff.options->fail_if.n, sizeof(*diff.conditions));
	int result = parse_conditions(diff.conditions, &diff.options->fail_if, run->diag);
	result = result != 0 ? result : compare(&diff);
	result = result != 0 ? result : write_results(&diff);
	diff_release(&diff);
	return result;
}

static const struct example examples[] = {
	{"inferno diff --svg diff.svg before.folded after.folded",
	 "draw what changed, with what vanished"},
	{"inferno diff before.folded after.folded | inferno flamegraph > diff.svg",
	 "draw the second profile, its colours telling what changed"},
	{"inferno diff after.folded before.folded | inferno flamegraph --negate > vanished.svg",
	 "draw the first one, where what vanished has a width"},
	{"inferno diff --report before.folded after.folded",
	 "list the functions that changed most"},
	{"inferno diff before.folded after.folded --fail-if 'total(parse) > +5%'",
	 "end with status 5 if it got slower, for a CI job"},
	{NULL, NULL},
};

static const char *const aliases[] = {"diff-folded", NULL};

const struct command command_diff = {
	.name = "diff",
	.aliases = aliases,
	.brief = "compare two profiles",
	.about =
		"Reads two profiles, folded or of any format that 'inferno collapse guess' knows, "
		"and writes the stacks of both with two counts a line, before and after: what "
		"'inferno flamegraph' draws as a differential flame graph. Its widths follow the "
		"second profile, so what vanished cannot be seen there; for that, swap the files "
		"and negate the colours, or use --svg. One of the files may be '-', standard "
		"input.\n\n"
		"--svg, --report and --fail-if compare the totals of functions and of what they "
		"call. If the two profiles' totals differ by more than a hundredth, counts before "
		"are scaled: what is compared are shares, and a program that got slower "
		"everywhere, or just ran for longer, shows no change.\n\n"
		"A change that may be chance, as counts of samples vary, is called "
		"noise: --noise says how many standard deviations are needed. In the report, which "
		"looks at many functions, more are needed so that one in twenty reports of an "
		"unchanged program, at the most, names a function; its column 'sigma' has the "
		"standard deviations, or 'noise'. Chance is taken to be that of samples alone. "
		"Runs of a program that differ in what they do, on a busy machine for example, "
		"vary by more: record longer, several times, and ask for more with --noise.\n\n"
		"In the picture, a frame is as wide as the larger of its two counts. What grew "
		"has a '+' before its name and warm colours, what shrank a '-', cold colours and "
		"stripes; what is new has dots, what is gone is crossed; what is grey did not "
		"change, or not beyond noise. The key 'o' turns to the functions' own changes. "
		"Stacks are compared from their first frame on: if that is the program's name, and "
		"the two programs have different ones, rename one of them with sed.\n\n"
		"A condition is total(REGEX), what the stacks count that go through such a "
		"function, or self(REGEX), what functions count themselves; then >, >=, < or <=; "
		"then a limit. A limit with a sign is for the change, in counts or in per cent of "
		"what it was, and noise never fails it; one without a sign is for the count after, "
		"or its share of all. REGEX is an extended regular expression (as of 'grep -E') "
		"that is found anywhere in a name. No condition can be judged of a profile "
		"without samples: that ends with status 1.",
	.examples = examples,
	.operands = "BEFORE AFTER",
	.operands_least = 2,
	.operands_most = 2,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct diff_options)}},
	.check = check,
	.run = run,
	.has_pictures = true,
	.one_thread = true, // -n means something else to those who know it
};
