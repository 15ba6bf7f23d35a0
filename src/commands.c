/* The list of commands, and how the rooms join in them: this file and inferno.c see all of them. */
#include "commands.h"

#include <stdio.h>

#include "collapse/collapse.h"
#include "plot/plot.h"

static const struct opt common_options[] = {
	{OPT_IS_BOOL(struct common_options, quiet), .name = "quiet", .letter = 'q',
	 .help = "print errors only", .group = "Messages", .conflicts = "verbose"},
	{OPT_IS_COUNT(struct common_options, verbose), .name = "verbose", .letter = 'v',
	 .help = "print notes too", .group = "Messages"},
	{OPT_IS_BOOL(struct common_options, lenient), .name = "lenient",
	 .help = "warn about bad data and go on", .group = "Messages", .conflicts = "strict"},
	{OPT_IS_BOOL(struct common_options, strict), .name = "strict",
	 .help = "treat warnings as errors", .group = "Messages"},
	{.type = OPT_END},
};

static const struct opt reading_options[] = {
	{OPT_IS_UINT(struct reading_options, nthreads), .name = "nthreads", .letter = 'n',
	 .value = "N", .initial = "1",
	 .help = "threads to read with; the result is the same for any number", .group = "Input"},
	{.type = OPT_END},
};

static const struct opt_table common_table = {common_options, sizeof(struct common_options)};
static const struct opt_table reading_table = {reading_options, sizeof(struct reading_options)};

/** Folds the sources, of the command's format or of whatever format each has. */
static int run_collapse(struct command_run *run) {
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	int result = run->read(run, run->sources, run->sources_n, &stacks);
	if (result == 0) {
		stacks_write(&stacks, run->out);
	}
	stacks_release(&stacks);
	return result;
}

static const struct example guess_examples[] = {
	{"inferno collapse guess out.txt > out.folded", "fold a profile of any known format"},
	{NULL, NULL},
};

static const struct command collapse_guess = {
	.group = "collapse",
	.name = "guess",
	.brief = "find out the format of a profile and fold it",
	.about = "Every format is shown the start of the input and states its evidence; the one "
		 "with most reads it. "
		 "The format is chosen for each input by itself, and read with its default "
		 "options. 'inferno formats' "
		 "lists the formats.",
	.examples = guess_examples,
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.run = run_collapse,
};

static struct command collapse_command(const struct collapser *format) {
	return (struct command){
		.group = "collapse",
		.name = format->name,
		.aliases = format->aliases,
		.brief = format->brief,
		.about = format->about,
		.examples = format->examples,
		.operands = "[FILE...]",
		.operands_most = SIZE_MAX,
		.tables = {[TABLE_OWN] = {format->options, format->options_size}},
		.run = run_collapse,
		.format = format,
	};
}

#define COMMAND(name) extern const struct command command_##name;
#include "command-list.h"
#undef COMMAND

#define COMMAND(name) &command_##name,
static const struct command *const others[] = {
	&collapse_guess,
#include "command-list.h"
};
#undef COMMAND

bool command_at(size_t i, struct command *command) {
	size_t formats = 0;
	while (collapse_formats[formats] != NULL) {
		formats++;
	}
	if (i < formats) {
		*command = collapse_command(collapse_formats[i]);
	} else if (i - formats < sizeof(others) / sizeof(others[0])) {
		*command = *others[i - formats];
	} else {
		return false;
	}
	if (command->has_pictures) {
		command->tables[TABLE_PICTURE] = plot_table;
	}
	if (!command->one_thread) {
		command->tables[TABLE_READING] = reading_table;
	}
	command->tables[TABLE_COMMON] = common_table;
	return true;
}

const char *command_name(const struct command *command, char joint, char *out) {
	if (command->group == NULL) {
		snprintf(out, COMMAND_NAME_MAX, "%s", command->name);
	} else {
		snprintf(out, COMMAND_NAME_MAX, "%s%c%s", command->group, joint, command->name);
	}
	return out;
}

static bool answers_to(const struct command *command, const char *name) {
	char own[COMMAND_NAME_MAX];
	if (strcmp(command_name(command, '-', own), name) == 0) {
		return true;
	}
	for (size_t i = 0; command->aliases != NULL && command->aliases[i] != NULL; i++) {
		if (strcmp(command->aliases[i], name) == 0) {
			return true;
		}
	}
	return false;
}

bool command_find(const char *name, struct command *command) {
	for (size_t i = 0; command_at(i, command); i++) {
		if (answers_to(command, name)) {
			return true;
		}
	}
	return false;
}
