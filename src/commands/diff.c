/* The command diff: compare two profiles. Write folded text with two counts, a picture or a report,
 * and check conditions. */
#include <math.h>
#include <stdlib.h>

#include "base/destination.h"
#include "base/num.h"
#include "base/pool.h"
#include "analysis/condition.h"
#include "analysis/functions.h"
#include "commands/diff.h"
#include "commands/outputs.h"
#include "commands/reading.h"
#include "commands/stream.h"
#include "export/changes.h"
#include "merge/merger.h"
#include "picture/picture.h"
#include "profile/folded.h"

extern const struct command command_diff;

struct diff_options {
	bool normalize, strip_hex;
	bool report, json, markdown; // as --format
	unsigned scale;
	double noise;
	uint64_t sample; // count of one sample; 0: not given
	struct opt_list fail_if;
	const char *svg;
	bool self;
	const char *value;
};

#define FIELD(kind, field) OPT_IS_##kind(struct diff_options, field)

static const struct opt option_rows[] = {
	{FIELD(BOOL, normalize), .name = "normalize", .letter = 'n', .group = "Folded text",
	 .help = "scale the counts of the first profile so that both totals are equal"},
	READING_VALUE_ROW(struct diff_options, value),
	{FIELD(BOOL, strip_hex), .name = "strip-hex", .letter = 's', .group = "Input",
	 .help = "treat all addresses in names, such as 0x1f, as equal"},
	{FIELD(PATH, svg), .name = "svg", .value = "FILE", .group = "Picture",
	 .help = "draw both profiles in one picture, or in a page if the name ends in .html"},
	{FIELD(BOOL, self), .name = "self", .also = "own", .group = "Picture",
	 .help = "colour frames by the change of their self count, without callees"},
	{FIELD(BOOL, report), .name = "report", .also = "text", .group = "Report",
	 .conflicts = "format", .help = "list the functions that changed most, as text"},
	{FIELD(BOOL, json), .name = "json", .group = "Report", .conflicts = "markdown format",
	 .help = "print the report as JSON"},
	{FIELD(BOOL, markdown), .name = "markdown", .group = "Report", .conflicts = "format",
	 .help = "print the report as Markdown"},
	{FIELD(CHOICE, scale), .name = "scale", .value = "HOW", .initial = "median",
	 .choices = scalings, .group = "Comparison",
	 .help = "how to scale the counts of the first profile: so that the median function does "
		 "not change, so that the totals are equal, or not at all"},
	{FIELD(REAL, noise), .name = "noise", .value = "SIGMA", .initial = "2", .least = 0,
	 .most = 1000, .group = "Comparison",
	 .help = "treat changes below SIGMA standard deviations as noise; 0 turns this off"},
	{FIELD(UINT, sample), .name = "sample", .value = "N", .least = 1, .most = HUGE_VAL,
	 .group = "Comparison",
	 .help = "how much one sample adds to a count, such as the nanoseconds between "
		 "two samples, to estimate noise; by default, inferno detects this "
		 "number, and -v prints it"},
	{FIELD(LIST, fail_if), .name = "fail-if", .value = "CONDITION", .group = "Comparison",
	 .help = "exit with status 5 if the condition holds, such as 'total(REGEX) > +5%' or "
		 "'self(REGEX) >= 1000'"},
	{.type = OPT_END},
};

/** The state of a run. diff_release() releases the state. */
struct diff {
	const struct command_run *run;
	const struct diff_options *options;
	struct input *inputs[2]; // the inputs, opened but not read
	struct compared compared;
	struct transform transform;
	struct view view; // view of both profiles
	struct condition *conditions;
	struct export main, picture; // the output of the run, and the file of --svg
};

static int diff_parse_conditions(struct condition *conditions, const struct opt_list *texts,
				 struct diag *diag) {
	for (size_t i = 0; i < texts->n; i++) {
		if (condition_parse(&conditions[i], texts->items[i], diag) != 0) {
			return -1;
		}
	}
	return 0;
}

static void diff_release_conditions(struct condition *conditions, size_t n) {
	for (size_t i = 0; i < n; i++) {
		condition_release(&conditions[i]);
	}
	free(conditions);
}

/** Return the exporter of the output, or NULL if only --svg or --fail-if was given. */
static const struct exporter *diff_exporter_of_result(const struct diff *diff) {
	const struct diff_options *options = diff->options;
	bool more = options->svg != NULL || options->fail_if.n > 0;
	return more ? output_given(diff->run->set) : output_chosen(diff->run);
}

/** Return whether folded text is the only output. */
static bool diff_writes_text(const struct diff *diff) {
	const struct exporter *exporter = diff_exporter_of_result(diff);
	return exporter != NULL && (exporter->needs & EXPORT_TREE) == 0 &&
	       diff->options->svg == NULL && diff->options->fail_if.n == 0;
}

/** Find the exporter of --svg. Return 0, or -1 after diag_error(). */
static int diff_exporter_of_svg(const char *path, const struct exporter **exporter,
				struct diag *diag) {
	struct command draws = command_diff;
	draws.output = "svg";
	if (output_of_name(&draws, NULL, path, exporter, diag) != 0) {
		return -1;
	}
	return ((*exporter)->needs & EXPORT_SHOWN) != 0
		       ? 0
		       : diag_error(diag, "--svg '%s': a picture ends in .svg or .html",
				    quote(str_of(path)).text);
}

/** Check that each given option has the other options that it needs. */
static int diff_check_outputs(const struct opt_set *set, struct diag *diag) {
	const struct diff_options *options = OPT_VALUES(set, TABLE_OWN, struct diff_options);
	const struct exporter *result = output_given(set), *picture = NULL;
	if (options->svg != NULL && diff_exporter_of_svg(options->svg, &picture, diag) != 0) {
		return -1;
	}
	bool draws = picture != NULL || (result != NULL && (result->needs & EXPORT_SHOWN) != 0);
	bool lists = result != NULL && (result->needs & EXPORT_TREE) != 0 &&
		     (result->needs & EXPORT_SHOWN) == 0;
	if (options->self && !draws) {
		return diag_error(diag, "--self is for a picture; add --svg FILE");
	}
	if (opt_given(set, "top") && !lists) {
		return diag_error(diag, "--top is for a report; add --report");
	}
	if (result != NULL && picture != NULL && strcmp(options->svg, "-") == 0) {
		return diag_error(diag,
				  "the picture and the %s cannot both go to standard "
				  "output; give --svg a file",
				  lists ? "report" : "text");
	}
	return 0;
}

static int diff_check(const struct opt_set *set, size_t operands, struct diag *diag) {
	(void)operands;
	const struct diff_options *options = OPT_VALUES(set, TABLE_OWN, struct diff_options);
	struct condition *conditions = mem_new(options->fail_if.n, sizeof(*conditions));
	int result = diff_parse_conditions(conditions, &options->fail_if, diag);
	diff_release_conditions(conditions, options->fail_if.n);
	return result != 0 ? result : diff_check_outputs(set, diag);
}

/* --- Reading -------------------------------------------------------------------------------- */

/** Add a name, in which `0x...` replaces every address. */
static void diff_add_stripped(struct buf *out, struct str name) {
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

/** --strip-hex: replace the id of each name by the id of the name without addresses. */
static bool diff_strip_ids(void *context, struct stack_row *stack) {
	const uint32_t *ids = context;
	for (size_t d = 0; d < stack->depth; d++) {
		stack->ids[d] = ids[stack->ids[d]];
	}
	return true;
}

static void diff_strip_hex(struct profile *profile) {
	profile_make_calls(profile, NULL, NULL); // this splits names at semicolons
	uint32_t n = profile->names.table.count;
	uint32_t *ids = mem_new(n, sizeof(*ids));
	struct buf name = {0};
	for (uint32_t i = 0; i < n; i++) {
		buf_clear(&name);
		diff_add_stripped(&name, intern_str(profile->names.table.keys[i]));
		ids[i] = intern_get(&profile->names.table, name.p, name.n)->id;
	}
	profile_make_calls(profile, diff_strip_ids, ids);
	buf_release(&name);
	free(ids);
}

/** Return 1 if an input is a file that begins like folded text, 0 for any other input, or -1 after
 * diag_error(). */
static int diff_is_folded_file(struct input *input) {
	return input_is_file(input) ? stream_is_folded(input) : 0;
}

/** One of the two profiles. */
struct profiled {
	struct diff *diff;
	size_t i;
	struct profile *profile;
	uint64_t total;
	double sample;    // count of one sample
	struct diag diag; // receives messages while both profiles are read at once
	int result;
};

/** Return whether an output shows the times at which stacks were sampled. */
static bool diff_writes_times(const struct diff *diff) {
	const struct exporter *main = diff->main.exporter, *picture = diff->picture.exporter;
	unsigned needs = (main == NULL ? 0 : main->needs) | (picture == NULL ? 0 : picture->needs);
	return (needs & EXPORT_TIMES) != 0;
}

static int diff_read_profile(struct profiled *side, const struct command_run *run) {
	struct diff *diff = side->diff;
	struct profile *profile = side->profile;
	struct source source = run->sources[side->i];
	source.input = diff->inputs[side->i];
	diff->inputs[side->i] = NULL;
	profile_init(profile, PROFILE_CALLS);
	profile->one_count = true;
	if (diff_writes_times(diff)) {
		profile_ask_times(profile);
	}
	if (reading_run(run, &source, 1, profile) != 0) {
		return -1;
	}
	if (profile_wants_times(profile) && !profile->time_buckets->any) {
		profile_drop_times(profile);
	}
	if (diff->options->strip_hex) {
		diff_strip_hex(profile);
	} else {
		profile_make_calls(profile, NULL, NULL);
	}
	if (!profile_sum(profile, &side->total)) {
		return diag_error_sum(run->diag, source.path);
	}
	side->sample = diff->options->sample > 0 ? (double)diff->options->sample
						 : profile_sample(profile, side->total);
	diag_note(run->diag, "%s: a sample counts %.0f", source.path, side->sample);
	return 0;
}

/** Open one of two files that may be read at the same time. Return whether reading the file in a
 * second thread is faster. A second thread is faster if the file is folded text, and too small to
 * be read with several threads or to show progress. */
static bool diff_open_beside(struct profiled *side) {
	enum { LEAST = 1 << 20, MOST = 48 << 20 }; // bytes
	struct input **input = &side->diff->inputs[side->i];
	const struct source *source = &side->diff->run->sources[side->i];
	if (!source_is_file(source)) {
		return false; // a pipe could not be opened again
	}
	*input = input_open(source, &side->diag);
	uint64_t size = *input == NULL ? 0 : input_plain_size(*input);
	return size >= LEAST && size <= MOST && diff_is_folded_file(*input) == 1;
}

static void diff_read_beside(void *context, size_t i) {
	struct profiled *side = (struct profiled *)context + i;
	struct command_run run = *side->diff->run;
	run.threads = 1;
	run.diag = &side->diag;
	side->result = diff_read_profile(side, &run);
}

/** Read both profiles at the same time, in two threads. Return false if two threads would not be
 * faster, or if there is a message to report. Then the caller has to open and read both files
 * again. */
static bool diff_read_both(struct diff *diff, struct profiled sides[2]) {
	bool done = diff_open_beside(&sides[0]) && diff_open_beside(&sides[1]);
	if (done) {
		pool_run(2, diff_read_beside, sides);
	}
	for (size_t i = 0; i < 2; i++) {
		done &= sides[i].result == 0 && !diag_has_warned(&sides[i].diag);
		diag_release(&sides[i].diag);
		input_close(diff->inputs[i]);
		diff->inputs[i] = NULL;
	}
	return done;
}

/** Read both profiles. Messages come in the order of the files. */
static int diff_read_sides(struct diff *diff, struct profiled sides[2]) {
	const struct command_run *run = diff->run;
	bool opened = diff->inputs[0] != NULL || diff->inputs[1] != NULL;
	if (!opened && pool_threads(run->threads) > 1 && run->diag->verbose == 0 &&
	    diff_read_both(diff, sides)) {
		return 0;
	}
	int result = 0;
	for (size_t i = 0; i < 2 && result == 0; i++) {
		profile_release(sides[i].profile);
		result = diff_read_profile(&sides[i], run);
	}
	return result;
}

/** Warn if the profiles have different units, such as cycles and page faults. */
static int diff_check_units(const struct diff *diff, const struct profile *after) {
	const struct profile *before = &diff->compared.profile;
	const struct source *sources = diff->run->sources;
	if (before->unit.n == 0 || after->unit.n == 0 ||
	    str_eq(buf_str(&before->unit), buf_str(&after->unit))) {
		return 0;
	}
	return diag_warn(diff->run->diag,
			 "%s counts %s, but %s counts %s; --value chooses what is counted",
			 sources[0].path, quote(buf_str(&before->unit)).text, sources[1].path,
			 quote(buf_str(&after->unit)).text);
}

/** Warn if only one of the profiles has times. */
static int diff_check_times(const struct diff *diff, const struct profile *after) {
	bool before = profile_wants_times(&diff->compared.profile);
	return before == profile_wants_times(after)
		       ? 0
		       : diag_warn(diff->run->diag, "the page shows no times: %s has none",
				   diff->run->sources[before ? 1 : 0].path);
}

static int diff_compare(struct diff *diff) {
	struct compared *compared = &diff->compared;
	struct profile after = {0};
	struct profiled sides[2] = {{.diff = diff, .i = 0, .profile = &compared->profile},
				    {.diff = diff, .i = 1, .profile = &after}};
	int result = diff_read_sides(diff, sides);
	result = result == 0 ? diff_check_units(diff, &after) : result;
	result = result == 0 ? diff_check_times(diff, &after) : result;
	if (result == 0) {
		compared->scale = scale_of((struct change){sides[0].total, sides[1].total});
		compared->scale.sample_before = sides[0].sample;
		compared->scale.sample_after = sides[1].sample;
		compared_add(compared, &after);
		profile_remark(&compared->profile, buf_str(&after.remarks));
		compared->scaling = (enum scaling)diff->options->scale;
		compared->sigma = diff->options->noise;
	}
	profile_release(&after);
	return result;
}

/* --- Verdict -------------------------------------------------------------------------------- */

/** Add up the counts of the functions that a condition matches. Return false if no function
 * matches.
 */
static bool diff_count_matches(const struct diff *diff, const struct condition *condition,
			       struct change *sum) {
	const struct compared *compared = &diff->compared;
	uint32_t n = compared->profile.names.table.count;
	bool *wanted = mem_new(n, sizeof(*wanted));
	struct buf name = {0};
	for (uint32_t id = 0; id < n; id++) {
		buf_set_str(&name, tree_label(profile_name(&compared->profile, id)));
		wanted[id] = condition_matches(condition, buf_text(&name));
	}
	bool found = functions_sum(&diff->view, wanted, !condition->total, sum);
	buf_release(&name);
	free(wanted);
	return found;
}

/** Add a text about the counts, such as "12 before, 20 after, +66.67%". */
static void diff_add_finding(struct buf *out, struct change counts, const struct scale *scale) {
	buf_printf(out, "%llu before, %llu after", (unsigned long long)counts.before,
		   (unsigned long long)counts.after);
	double before = scale->factor * (double)counts.before;
	if (before > 0) {
		double percent = 100 * change_amount(scale, counts) / before;
		buf_add_text(out, percent < 0 ? ", " : ", +");
		buf_add_fixed(out, percent, 2);
		buf_add_char(out, '%');
	}
	if (scale->factor != 1) {
		buf_add_text(out, " (of counts before times ");
		buf_add_fixed(out, scale->factor, 4);
		buf_add_char(out, ')');
	}
}

/** Check a condition. Return 0 if the condition does not hold, 1 after diag_error() if it holds, or
 * -1 after diag_error() if it cannot be checked. */
static int diff_check_condition(const struct diff *diff, const struct condition *condition) {
	struct scale scale = diff->compared.scale;
	struct diag *diag = diff->run->diag;
	struct change counts;
	if (!diff_count_matches(diff, condition, &counts)) {
		// Fail if no function matches: a condition on a renamed function must not pass.
		return diag_error(diag,
				  "--fail-if '%s': no function matches; 'inferno diff --report' "
				  "lists functions",
				  condition->text);
	}
	if (!opt_given(diff->run->set, "scale")) {
		// Compare unscaled counts: scaling would hide that a program uses more time in all
		// its functions.
		scale.factor = 1;
		scale.error = 0;
	}
	bool shown = diff->options->svg != NULL || diff->main.exporter != NULL;
	bool differs = shown && scale.factor != diff->compared.scale.factor;
	struct verdict verdict = condition_check(condition, counts, &scale);
	struct buf finding = {0};
	int result = 0;
	diff_add_finding(&finding, counts, &scale);
	if (differs) { // the report or picture has another percentage
		buf_add_text(&finding, " (of unscaled counts)");
	}
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

static int diff_check_conditions(const struct diff *diff) {
	const struct change *totals = &diff->compared.scale.totals;
	if (diff->options->fail_if.n > 0 && (totals->before == 0 || totals->after == 0)) {
		// Fail if a profile is empty: a failed recording must not look like a program that
		// is not slower.
		return diag_error(diff->run->diag,
				  "%s: has no counts, so --fail-if cannot be judged",
				  diff->run->sources[totals->before == 0 ? 0 : 1].path);
	}
	int result = 0;
	for (size_t i = 0; i < diff->options->fail_if.n && result == 0; i++) {
		result = diff_check_condition(diff, &diff->conditions[i]);
	}
	return result;
}

/* --- Results -------------------------------------------------------------------------------- */

static int diff_fill_picture(struct output *out, void *context) {
	struct diff *diff = context;
	return export_write(&diff->picture, out, &diff->view, diff->run->diag);
}

/** Draw both profiles into the file of --svg. */
static int diff_draw(struct diff *diff) {
	const struct command_run *run = diff->run;
	const char *path = diff->options->svg;
	if (strcmp(path, "-") == 0) {
		return diff_fill_picture(run->out, diff);
	}
	unsigned flags = destination_flags_for(path, run->sources, run->sources_n);
	return destination_fill(path, flags, diff_fill_picture, diff, run->diag);
}

static int diff_write_results(struct diff *diff) {
	const struct diff_options *options = diff->options;
	diff->transform = picture_transform(diff->run->set);
	diff->view = (struct view){.profile = &diff->compared.profile,
				   .compared = &diff->compared,
				   .transform = &diff->transform,
				   .threads = pool_threads(diff->run->threads),
				   .by_self = options->self,
				   .normalized = options->normalize};
	if (view_arrange(&diff->view, diff->run->diag) != 0 ||
	    (options->svg != NULL && diff_draw(diff) != 0)) {
		return -1;
	}
	if (diff->main.exporter != NULL &&
	    export_write(&diff->main, diff->run->out, &diff->view, diff->run->diag) != 0) {
		return -1;
	}
	return diff_check_conditions(diff);
}

/** Prepare all outputs. Return 0, or -1 after diag_error(). */
static int diff_open_results(struct diff *diff) {
	const struct command_run *run = diff->run;
	const struct exporter *result = diff_exporter_of_result(diff), *picture;
	if (diff->options->svg != NULL &&
	    (diff_exporter_of_svg(diff->options->svg, &picture, run->diag) != 0 ||
	     export_open(&diff->picture, picture, run->set, run->diag) != 0)) {
		return -1;
	}
	return result == NULL ? 0 : export_open(&diff->main, result, run->set, run->diag);
}

/* --- The fast way --------------------------------------------------------------------------- */

enum { MERGE_MEMORY = 1 << 30 }; // bytes of stacks in memory; the others go to files without names

/** Two folded texts to merge. */
struct diff_merging {
	struct diff *diff;
	struct merger *merger;
	uint64_t totals[MERGER_SIDES];
	unsigned side;
	bool large; // whether a total does not fit
};

static int diff_take_stack(void *context, struct str before, struct str stack, size_t common,
			   uint64_t count) {
	struct diff_merging *merging = context;
	uint64_t *total = &merging->totals[merging->side];
	merging->large = !num_add(*total, count, total);
	return merging->large ? -1 : merger_add(merging->merger, before, stack, common, count);
}

/** Open a file and read it into the merger. Return 1; 0 if the merger cannot read this file, so
 * that diff_compare() must read both files from their start; or -1 after diag_error(). */
static int diff_merge_side(struct diff_merging *merging, unsigned side) {
	const struct command_run *run = merging->diff->run;
	struct input *input = input_open(&run->sources[side], run->diag);
	const struct folded_stream stream = {diff_take_stack, merging, NULL};
	merging->diff->inputs[side] = input;
	merging->side = side;
	int may = input == NULL ? -1 : diff_is_folded_file(input);
	if (may != 1) {
		return may;
	}
	merger_begin(merging->merger, STR(""), side);
	merger_expect(merging->merger, input_size(input));
	int result = stream_read_plain(input, &stream, run->diag);
	return merging->large                                       ? 0
	       : result == 1 && merger_end(merging->merger, 0) != 0 ? -1
								    : result;
}

static void diff_write_merged(void *context, struct str stack, size_t common,
			      const uint64_t *counts) {
	(void)common;
	const struct diff_merging *merging = context;
	const struct diff *diff = merging->diff;
	const struct change totals = {merging->totals[0], merging->totals[1]};
	output_add_str(diff->run->out, stack);
	folded_write_counts(diff->run->out, (struct change){counts[0], counts[1]},
			    diff->options->normalize ? &totals : NULL);
}

/** Go back to the start of the files that were read. */
static int diff_rewind_inputs(struct diff *diff) {
	for (size_t i = 0; i < 2; i++) {
		if (diff->inputs[i] != NULL && input_is_file(diff->inputs[i]) &&
		    input_rewind(diff->inputs[i]) != 0) {
			return -1;
		}
	}
	return 0;
}

/** Merge two folded texts directly, or write nothing. Both inputs must be files, because only files
 * can be read again from their start. Return the same values as diff_merge_side(). */
static int diff_merge(struct diff *diff) {
	const struct command_run *run = diff->run;
	if (!source_is_file(&run->sources[0]) || !source_is_file(&run->sources[1])) {
		return 0;
	}
	struct diff_merging merging = {.diff = diff, .merger = merger_new(MERGE_MEMORY, run->diag)};
	int result = 1;
	for (unsigned side = 0; side < MERGER_SIDES && result == 1; side++) {
		result = diff_merge_side(&merging, side);
	}
	if (result == 1) {
		result = merger_each(merging.merger, diff_write_merged, &merging) == 0 ? 1 : -1;
	} else if (result == 0) {
		result = diff_rewind_inputs(diff);
	}
	merger_free(merging.merger);
	return result;
}

static void diff_release(struct diff *diff) {
	input_close(diff->inputs[0]);
	input_close(diff->inputs[1]);
	export_close(&diff->main);
	export_close(&diff->picture);
	diff_release_conditions(diff->conditions, diff->options->fail_if.n);
	view_release(&diff->view);
	compared_release(&diff->compared);
}

/** Compare the profiles in memory, which supports all options. */
static int diff_compare_and_write(struct diff *diff) {
	const struct command_run *run = diff->run;
	const struct opt_list *conditions = &diff->options->fail_if;
	diff->compared.before = run->sources[0].path;
	diff->compared.after = run->sources[1].path;
	diff->conditions = mem_new(conditions->n, sizeof(*diff->conditions));
	int result = diff_parse_conditions(diff->conditions, conditions, run->diag);
	result = result != 0 ? result : diff_open_results(diff);
	result = result != 0 ? result : diff_compare(diff);
	return result != 0 ? result : diff_write_results(diff);
}

static int diff_run(const struct command_run *run) {
	struct diff diff = {.run = run,
			    .options = OPT_VALUES(run->set, TABLE_OWN, struct diff_options)};
	// Do not merge the texts directly with -v, because only a comparison in memory computes the
	// figures that -v prints.
	bool changes = opt_given(run->set, "base") || opt_given(run->set, "reverse") ||
		       opt_given(run->set, "value") || opt_given(run->set, "latency") ||
		       opt_given(run->set, "wall") || opt_given(run->set, "off-cpu");
	bool merges = diff_writes_text(&diff) && !changes && !diff.options->strip_hex &&
		      run->diag->verbose == 0;
	int merged = merges ? diff_merge(&diff) : 0;
	int result = merged < 0 ? -1 : merged == 0 ? diff_compare_and_write(&diff) : 0;
	diff_release(&diff);
	return result;
}

int diff_report(const struct command_run *run) {
	static const struct diff_options usual = {.scale = SCALE_MEDIAN, .noise = 2};
	struct diff diff = {.run = run, .options = &usual};
	int result = diff_compare_and_write(&diff);
	diff_release(&diff);
	return result;
}

static const struct example examples[] = {
	{"inferno diff --svg diff.svg before.folded after.folded",
	 "draw all changes, including vanished frames"},
	{"inferno diff before.folded after.folded | inferno flamegraph > diff.svg",
	 "draw the second profile; colours show the changes"},
	{"inferno diff after.folded before.folded | inferno flamegraph --negate > vanished.svg",
	 "draw the first profile, which has the vanished frames"},
	{"inferno diff --report before.folded after.folded",
	 "list the functions that changed most, as text"},
	{"inferno diff before.folded after.folded --fail-if 'total(parse) > +5%'",
	 "fail in a CI job if a function got slower (status 5)"},
	{NULL, NULL},
};

static const char *const aliases[] = {"diff-folded", NULL};

const struct command command_diff = {
	.name = "diff",
	.aliases = aliases,
	.brief = "compare two profiles",
	.task = TASK_COMPARE,
	.about = "Reads two profiles, folded or in any format that 'inferno collapse guess' "
		 "recognises, and writes each stack with two counts, before and after. 'inferno "
		 "flamegraph' draws such text as a differential flame graph. One of the files "
		 "may be '-', standard input.\n"
		 "\n"
		 "--svg draws both profiles in one picture. --report lists the functions that "
		 "changed most. --fail-if ends with status 5 if a condition such as "
		 "'total(REGEX) > +5%' holds. --svg, --report and --fail-if treat a change as "
		 "noise if chance alone could explain it.",
	.details =
		"A differential flame graph of folded text has the widths of the second profile, "
		"so it does not show vanished functions. To see vanished functions, use --svg, or "
		"swap the files and use --negate.\n\n"
		"--svg, --report and --fail-if compare two counts of each function: self, which "
		"excludes its callees, and total, which includes them.\n\n"
		"Two recordings seldom take equally long. So --svg and --report scale the counts "
		"of the first profile. For each function, the self count after is divided by the "
		"self count before. The scale is the median of these ratios. Functions with few "
		"samples are left out, and the weight of a function is the square root of its "
		"samples. One function that grew much changes the ratio of the totals, but hardly "
		"changes the median. If fewer than five functions have enough samples, the totals "
		"are made equal instead; --scale total always makes them equal. The report and the "
		"picture print the scale. --fail-if does not scale the counts, so that a program "
		"that takes longer in all its functions does not pass. To scale them, give "
		"--scale.\n\n"
		"Counts of samples vary by chance. If chance alone could explain a change, the "
		"change is noise. --noise sets the limit for a single function, in standard "
		"deviations: a smaller change is noise. If many functions are compared, some of "
		"them change much by chance. So the limit grows with the number of functions. With "
		"--noise 2, the default, at most one in 22 comparisons of an unchanged program "
		"names a function. "
		"The report, the picture and --fail-if have the same limit. The column 'sigma' has "
		"the number of standard deviations, or 'noise'. The limit considers only the "
		"chance of sampling. If runs do different work, for example on a busy machine, "
		"their counts vary more: record longer, record several times, or raise --noise.\n\n"
		"In the picture, a frame is as wide as the larger of its two counts. A frame that "
		"grew has a '+' before its name, a warm colour and rising lines. A frame that "
		"shrank has a '-', a cold colour and falling lines. New frames have dots, and "
		"vanished frames have crossed lines. Grey frames did not change, or their change "
		"is noise. The key 'o' "
		"switches to the changes of self counts. Stacks are compared from their first "
		"frame. If the first frame is the name of the program, and the two programs have "
		"different names, rename this frame in one of the profiles with 'inferno filter "
		"--rename'.\n\n"
		"A condition has a quantity, an operator and a limit. The quantity is "
		"total(REGEX), the count of the stacks with a function that matches, or "
		"self(REGEX), the self count of the functions that match. The operator is >, "
		">=, < or <=. A limit with a sign, such as +5%, applies to the change: a number of "
		"counts, or a percentage of the count before. Such a condition does not hold if "
		"the change is noise. A limit without a sign applies to the count after, or, with "
		"'%', to its share of all counts. "
		"REGEX is an extended regular expression, as for 'grep -E', and may match "
		"anywhere in a name. If a profile has no samples, or if no function matches, "
		"the condition cannot be checked, and the status is 1.",
	.examples = examples,
	.usual = "normalize svg self report json top scale noise fail-if reverse value title "
		 "output",
	.fallback = "folded",
	.operands = "BEFORE AFTER",
	.operands_least = 2,
	.operands_most = 2,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct diff_options)},
		   [TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		   [TABLE_COLOURS] = {colour_rows, sizeof(struct colour_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)},
		   [TABLE_TIMES] = {reading_times_rows, sizeof(struct reading_times_options)},
		   [TABLE_REPORT] = {report_rows, sizeof(struct report_options)}},
	.output = "folded",
	.writes = EXPORT_TWO,
	.check = diff_check,
	.run = diff_run,
	.lacks_nthreads = true, // its letter -n is that of --normalize here
};
