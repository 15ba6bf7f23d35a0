/* The command convert: write profiles of any format in the formats of other tools. */
#include <stdlib.h>

#include "commands/outputs.h"
#include "commands/reading.h"

/** The parts of a profile that some output formats cannot hold. */
struct convert_details {
	bool lines;       // source files or lines
	struct str *keys; // keys of labels, without duplicates
	size_t keys_n, keys_capacity;
};

static void convert_add_key(struct convert_details *details, struct str key) {
	for (size_t i = 0; i < details->keys_n; i++) {
		if (str_eq(details->keys[i], key)) {
			return;
		}
	}
	*MEM_APPEND(details->keys, details->keys_n, details->keys_capacity) = key;
}

static void convert_look(struct convert_details *details, const struct sites *sites) {
	for (uint32_t i = 0; i < sites->table.count; i++) {
		const struct site *site = sites_get(sites, i);
		if (site->kind == SITE_LABEL) {
			convert_add_key(details, sites_label(sites, site).key);
		} else {
			details->lines |= site->file > 0 || site->line > 0;
		}
	}
}

/** Add to a list the name of a part that is left out. */
__attribute__((format(printf, 2, 3))) static void convert_add(struct buf *list, const char *format,
							      ...) {
	va_list args;
	buf_add_text(list, list->n > 0 ? ", " : "");
	va_start(args, format);
	buf_vprintf(list, format, args);
	va_end(args);
}

/** Report the parts of the inputs that the output format cannot hold. */
static void convert_tell(const struct profile *profile, const struct exporter *exporter,
			 const struct convert_details *details, struct diag *diag) {
	unsigned needs = exporter->needs;
	size_t values = profile_wants_values(profile) ? profile->values->n : 0;
	struct buf text = {0};
	bool times = profile->skipped.times || profile_is_timed(profile);
	if (times && (needs & (EXPORT_TIMES | EXPORT_MOMENTS)) == 0) {
		convert_add(&text, "the times of samples");
	}
	if (details->lines && (needs & EXPORT_SITES) == 0) {
		convert_add(&text, "files and lines");
	}
	if (details->keys_n > 0 && (needs & EXPORT_LABELS) == 0) {
		convert_add(&text, details->keys_n == 1 ? "%zu label" : "%zu labels",
			    details->keys_n);
	}
	if (values > 1 && (needs & EXPORT_VALUES) == 0) {
		convert_add(&text, "%zu of %zu values; --value chooses the one that is written",
			    values - 1, values);
	}
	if (text.n > 0) {
		diag_done(diag, "written as %s, without %s", exporter->name, buf_text(&text));
	}
	buf_release(&text);
}

/** Read all inputs, with values, and note whether there are times, so that left-out parts can be
 * reported. Files, lines and labels need memory, so keep them only for an output format that has a
 * place for them. */
static int convert_fill(const struct command_run *run, struct profile *profile) {
	struct convert_details details = {0};
	profile_ask_whether_timed(profile);
	if (!profile_wants_values(profile)) {
		profile_ask_values(profile);
	}
	int result = reading_fill(run, profile);
	if (result == 0) {
		profile_settle(profile);
		result = profile_count(profile) > 0
				 ? 0
				 : diag_error(run->diag, "no stack counts found");
	}
	if (result == 0) {
		if (profile_wants_sites(profile)) {
			convert_look(&details, profile->sites);
		} else {
			details.lines = profile->skipped.lines;
			details.keys_n = profile->skipped.labels.count;
		}
		convert_tell(profile, output_chosen(run), &details, run->diag);
	}
	free(details.keys);
	return result;
}

struct convert_options {
	unsigned from, to;
	bool estimate_stacks;
};

static const struct opt convert_rows[] = {
	{OPT_IS_CHOICE(struct convert_options, from), .name = "from", .value = "FORMAT",
	 .choices = collapse_format_names, .group = "Input", .flags = OPT_BRIEF,
	 .help = "read every input as this format, instead of recognising it; 'inferno formats' "
		 "lists the formats"},
	READING_ESTIMATE_ROW(struct convert_options, estimate_stacks),
	{OPT_IS_CHOICE(struct convert_options, to), .name = "to", .value = "FORMAT",
	 .choices = exporter_names, .group = "Output", .flags = OPT_BRIEF, .conflicts = "format",
	 .help = "the same as --format"},
	{.type = OPT_END},
};

static int convert_run(const struct command_run *run) {
	return output_run(run, convert_fill);
}

static const struct example examples[] = {
	{"inferno convert perf.data -o app.speedscope.json", "write a file for speedscope"},
	{"inferno convert -o all.nested.json web1.folded.gz web2.folded.gz",
	 "add up two profiles, and write nested frames"},
	{"perf script | inferno convert --format speedscope > app.speedscope.json",
	 "convert in a pipe"},
	{"inferno convert --from perf --to pprof out.perf -o app.pb.gz",
	 "name both formats instead of letting inferno recognise them"},
	{NULL, NULL},
};

const struct command command_convert = {
	.name = "convert",
	.brief = "write profiles of any formats in a format of another tool",
	.task = TASK_DRAW,
	.about =
		"Reads profiles in any format that 'inferno collapse guess' recognises, adds "
		"them up, and writes them in one format, which --to, --format or the suffix of the "
		"output names. By default, the format is folded text. If the format cannot store "
		"some parts of the inputs, such as times of samples, source lines, labels or "
		"further values, a message lists these parts.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {convert_rows, sizeof(struct convert_options)}},
	.output = "folded",
	.writes = EXPORT_ONE,
	.run = convert_run,
};
