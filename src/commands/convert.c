/* The command convert: profiles of any format, in the formats of other tools. */
#include "commands/outputs.h"
#include "commands/reading.h"

/** Report the parts of the inputs that the output has no place for. */
static void convert_tell(const struct profile *profile, const struct exporter *exporter,
			 struct diag *diag) {
	bool times = profile_wants_times(profile) && profile->time_buckets->any &&
		     (exporter->needs & EXPORT_TIMES) == 0;
	size_t values = profile_wants_values(profile) ? profile->values->n : 0;
	struct buf text = {0};
	if (times) {
		buf_add_text(&text, "the times of samples");
	}
	if (values > 1 && (exporter->needs & EXPORT_VALUES) == 0) {
		buf_printf(&text, "%s%zu of %zu values; --value chooses the one that is written",
			   times ? " and " : "", values - 1, values);
	}
	if (text.n > 0) {
		diag_done(diag, "written as %s, without %s", exporter->name, buf_text(&text));
	}
	buf_release(&text);
}

/** Read all inputs with their times and values, to report those that are left out. */
static int convert_fill(const struct command_run *run, struct profile *profile) {
	if (!profile_wants_times(profile)) {
		profile_ask_times(profile);
	}
	if (!profile_wants_values(profile)) {
		profile_ask_values(profile);
	}
	int result = reading_fill(run, profile);
	if (result == 0) {
		convert_tell(profile, output_chosen(run), run->diag);
	}
	return result;
}

static int convert_run(const struct command_run *run) {
	return output_run(run, convert_fill);
}

static const struct example examples[] = {
	{"inferno convert perf.data -o app.speedscope.json", "write a file for speedscope"},
	{"inferno convert -o all.nested.json web1.folded.gz web2.folded.gz",
	 "add up two profiles, and write frames in frames"},
	{"perf script | inferno convert --format speedscope > app.speedscope.json",
	 "convert in a pipe"},
	{NULL, NULL},
};

const struct command command_convert = {
	.name = "convert",
	.brief = "write profiles of any formats in a format of another tool",
	.task = TASK_DRAW,
	.about = "Reads profiles in any format that 'inferno collapse guess' recognises, adds "
		 "them up, and writes them in one format: that of --format, or of the output's "
		 "suffix. Without either it writes folded text. A message lists the parts of the "
		 "inputs that the format has no place for, such as times of samples or further "
		 "values.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.output = "folded",
	.writes = EXPORT_ONE,
	.run = convert_run,
};
