/* The command convert: profiles of any formats, handed on to other tools. */
#include "commands/outputs.h"
#include "commands/reading.h"

/** Say what the inputs have and the output has not. */
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

/** Read all inputs with their times and values, to know what is left out. */
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
	.about = "Reads profiles in any formats that 'inferno collapse guess' recognises, adds "
		 "them up, and writes them in the format that the name of the output or --format "
		 "tells. Without either it writes folded text. A message says what the inputs have "
		 "and that format has no place for: times of samples, further values.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.output = "folded",
	.writes = EXPORT_ONE,
	.run = convert_run,
};
