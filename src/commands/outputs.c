/* The choice of the format of an output, and the work of commands that read a profile and write it.
 */
#include "commands/outputs.h"

#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/pool.h"
#include "commands/commands.h"
#include "commands/disassembly.h"
#include "export/hottest.h"
#include "picture/picture.h"

static const struct opt output_rows[] = {
	{OPT_IS_CHOICE(struct output_options, format), .name = "format", .value = "FORMAT",
	 .choices = exporter_names, .group = "Output", .flags = OPT_BRIEF,
	 .help = "write this format, even if the file's name has another suffix; 'inferno formats' "
		 "lists all formats"},
	{.type = OPT_END},
};

const struct opt_table output_table = {output_rows, sizeof(struct output_options)};

/** Return whether a command can write a format. */
static bool outputs_can_write(const struct command *command, const struct exporter *exporter) {
	bool usual = command->output != NULL && strcmp(exporter->name, command->output) == 0;
	bool has_options = exporter->options == NULL || opt_has(command->tables, exporter->options);
	return usual || ((exporter->needs & command->writes) != 0 && has_options);
}

/** Return the usual exporter of a command, or NULL. */
static const struct exporter *outputs_usual(const struct command *command) {
	return command->output == NULL ? NULL : exporter_find(command->output);
}

/** Return whether a path names standard output, a pipe, a device or a folder. Such a name does not
 * choose a format. */
static bool outputs_is_special(const char *path) {
	struct stat about;
	return strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

/** Return whether a list has a suffix, in small or capital letters. */
static bool outputs_has(const char *suffixes, struct str suffix) {
	struct str rest = opt_names(suffixes), own;
	while ((own = str_next_word(&rest)).n > 0) {
		if (own.n == suffix.n && strncasecmp(own.p, suffix.p, own.n) == 0) {
			return true;
		}
	}
	return false;
}

/** Add the suffixes of the formats that a command can write: ".svg, .html or .json". */
static void outputs_add_suffixes(struct buf *out, const struct command *command) {
	struct buf words = {0};
	for (size_t i = 0; exporters[i] != NULL; i++) {
		if (outputs_can_write(command, exporters[i])) {
			struct str rest = str_of(exporters[i]->suffixes);
			struct str first = str_next_word(&rest);
			bool tells = exporters[i] == outputs_usual(command) ||
				     exporter_of_suffix(first) == exporters[i];
			buf_add_str(&words, tells ? first : STR(""));
			buf_add_text(&words, tells && first.n > 0 ? " " : "");
		}
	}
	buf_add_str(&words, opt_names(command->suffixes));
	struct str rest = buf_str(&words), word = str_next_word(&rest), next;
	for (const char *joint = ""; word.n > 0; word = next) {
		next = str_next_word(&rest);
		buf_add_text(out, *joint == '\0' ? "" : next.n > 0 ? ", " : " or ");
		buf_add_str(out, word);
		joint = ",";
	}
	buf_release(&words);
}

/** Return the command that writes a format, or NULL. */
static const char *outputs_writer(const struct exporter *exporter) {
	unsigned needs = exporter == NULL ? 0 : exporter->needs;
	bool lists = (needs & EXPORT_LIST) != 0 && exporter->options != NULL;
	return lists                       ? "report"
	       : (needs & EXPORT_ONE) != 0 ? "flamegraph"
	       : (needs & EXPORT_TWO) != 0 ? "diff"
					   : NULL;
}

/** Report that the format of an output cannot be chosen by its name, and list the suffixes that can
 * be written. Return -1. */
static int outputs_refuse(const struct command *command, const char *path, struct str suffix,
			  struct diag *diag) {
	const struct exporter *exporter = exporter_of_suffix(suffix);
	const char *hint = outputs_writer(exporter);
	struct buf text = {0};
	char name[COMMAND_NAME_MAX];
	command_name(command, ' ', name);
	buf_printf(&text, "'%s': 'inferno %s' writes files that end in ", quote(str_of(path)).text,
		   name);
	outputs_add_suffixes(&text, command);
	buf_add_text(&text, command->writes != 0
				    ? "; --format names one of these formats for any other file"
				    : "");
	if (hint != NULL && strcmp(hint, command->name) != 0) {
		buf_printf(&text, "; 'inferno %s -o %s' writes this one", hint,
			   quote(str_of(path)).text);
	}
	diag_error(diag, "%s", buf_text(&text));
	buf_release(&text);
	return -1;
}

int output_of_name(const struct command *command, const struct exporter *given, const char *path,
		   const struct exporter **exporter, struct diag *diag) {
	struct str suffix = exporter_suffix(path);
	*exporter = given != NULL ? given : outputs_usual(command);
	if (suffix.n > 0 && outputs_has(command->suffixes, suffix)) {
		*exporter = NULL;
		return 0;
	}
	if (suffix.n == 0 || given != NULL ||
	    (*exporter != NULL && outputs_has((*exporter)->suffixes, suffix))) {
		return 0;
	}
	const struct exporter *named = exporter_of_suffix(suffix);
	if (named != NULL && outputs_can_write(command, named)) {
		*exporter = named;
		return 0;
	}
	return outputs_is_special(path) ? 0 : outputs_refuse(command, path, suffix, diag);
}

const struct exporter *output_given(const struct opt_set *set) {
	unsigned choice;
	if (opt_chosen(set, "format", exporter_names, &choice) ||
	    opt_chosen(set, "to", exporter_names, &choice)) {
		return exporters[choice];
	}
	for (struct opt_place at = {0}; opt_next(set->tables, &at);) {
		if (at.row->type != OPT_BOOL || !opt_is_given(set, at)) {
			continue;
		}
		for (size_t i = 0; exporters[i] != NULL; i++) {
			if (opt_has_name(at.row, str_of(exporters[i]->name))) {
				return exporters[i];
			}
		}
	}
	return NULL;
}

const struct exporter *output_chosen(const struct command_run *run) {
	const struct exporter *given = output_given(run->set);
	return given != NULL ? given : outputs_usual(run->command);
}

int output_check_order(const struct exporter *exporter, const struct opt_set *set,
		       struct diag *diag) {
	return (exporter->needs & EXPORT_TREE) != 0 || !opt_given(set, "flamechart")
		       ? 0
		       : diag_error(diag, "--flamechart keeps the order of stacks, which folded "
					  "stacks do not have");
}

int output_check(const struct command *command, const struct opt_set *set, struct diag *diag) {
	const struct exporter *exporter = output_given(set);
	if (exporter != NULL && !outputs_can_write(command, exporter)) {
		char name[COMMAND_NAME_MAX];
		return diag_error(
			diag, "'inferno %s' cannot write the format %s; 'inferno %s' writes it",
			command_name(command, ' ', name), exporter->name, outputs_writer(exporter));
	}
	return exporter == NULL ? 0 : output_check_order(exporter, set, diag);
}

/** Return the form of profile that an exporter needs. */
static enum profile_form outputs_form(const struct exporter *exporter, const struct opt_set *set) {
	if ((exporter->needs & EXPORT_TREE) == 0) {
		return PROFILE_STACKS;
	}
	const struct graph_options *graph = OPT_OF(set, graph_rows, struct graph_options);
	return graph != NULL && (graph->flamechart || graph->no_sort) ? PROFILE_TIMELINE
								      : PROFILE_CALLS;
}

/** If the stacks have two counts and the exporter compares profiles, make the view one of two
 * profiles. */
static void outputs_compare(struct view *view, struct compared *compared,
			    const struct export *export) {
	const struct exporter *exporter = export->exporter;
	if ((exporter->needs & EXPORT_TWO) == 0 || !view->profile->calls.two_counts ||
	    (exporter->compares != NULL && !exporter->compares(export->options))) {
		return;
	}
	compared->profile = *view->profile;
	*view->profile = (struct profile){0};
	compared->scaling = SCALE_MEDIAN;
	compared->sigma = 2; // the default of --noise, as in diff
	compared->before = "before";
	compared->after = "after";
	// otherwise the exporter reports that it needs two profiles
	if (compared_find_totals(compared)) {
		view->compared = compared;
	}
	view->profile = &compared->profile;
}

int output_run(const struct command_run *run,
	       int (*fill)(const struct command_run *run, struct profile *profile)) {
	const struct exporter *exporter = output_chosen(run);
	const struct transform transform = picture_transform(run->set);
	struct export export;
	struct profile profile;
	struct compared compared = {0};
	struct view view = {.profile = &profile,
			    .transform = &transform,
			    .threads = pool_threads(run->threads)};
	struct code_reader *code =
		opt_given(run->set, "annotate") || opt_given(run->set, "debuginfod")
			? disassembly_new(opt_given(run->set, "debuginfod"), run->diag)
			: NULL;
	view.code = code;
	profile_init(&profile, outputs_form(exporter, run->set));
	bool wants_sites = hottest_wants_sites(run->set) || opt_given(run->set, "with-lines");
	exporter_ask(exporter->needs | (wants_sites ? EXPORT_SITES : 0), transform.keeps_order,
		     &profile);
	int result = export_open(&export, exporter, run->set, run->diag);
	result = result == 0 ? fill(run, &profile) : result;
	if (result == 0 && profile.skipped.times &&
	    (exporter->needs & (EXPORT_TIMES | EXPORT_MOMENTS)) != 0) {
		result =
			diag_warn(run->diag,
				  "the times of samples are left out: the clocks of the %zu inputs "
				  "may differ",
				  run->sources_n);
	}
	if (result == 0) {
		outputs_compare(&view, &compared, &export);
	}
	result = result == 0 ? export_write(&export, run->out, &view, run->diag) : result;
	export_close(&export);
	view_release(&view);
	profile_release(&profile);
	compared_release(&compared);
	disassembly_free(code);
	return result;
}
