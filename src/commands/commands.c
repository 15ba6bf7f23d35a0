/* The list of commands, and the options that all of them share. */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "commands/collapse.h"
#include "commands/outputs.h"
#include "commands/reading.h"

static const struct opt common_options[] = {
	{OPT_IS_BOOL(struct common_options, quiet), .name = "quiet", .letter = 'q',
	 .help = "print errors only", .group = "Messages"},
	{OPT_IS_COUNT(struct common_options, verbose), .name = "verbose", .letter = 'v',
	 .help = "also print notes", .group = "Messages"},
	{OPT_IS_BOOL(struct common_options, lenient), .name = "lenient",
	 .help = "warn about bad data instead of ending the run", .group = "Messages",
	 .conflicts = "strict"},
	{OPT_IS_BOOL(struct common_options, strict), .name = "strict",
	 .help = "treat warnings as errors", .group = "Messages"},
	{.type = OPT_END},
};

static const struct opt_table common_table = {common_options, sizeof(struct common_options)};

#define COMMAND(name) extern const struct command command_##name;
#include "command-list.h"
#undef COMMAND

#define COMMAND(name) &command_##name,
static const struct command *const others[] = {
	&command_collapse_guess,
#include "command-list.h"
};
#undef COMMAND

bool command_at(size_t i, struct command *command) {
	size_t formats = 0;
	while (collapse_formats[formats] != NULL) {
		formats++;
	}
	if (i < formats) {
		*command = command_collapse(collapse_formats[i]);
	} else if (i - formats < sizeof(others) / sizeof(others[0])) {
		*command = *others[i - formats];
	} else {
		return false;
	}
	if (!command->lacks_nthreads) {
		command->tables[TABLE_READING] = reading_table;
	}
	if (command->writes != 0) {
		command->tables[TABLE_OUTPUT] = output_table;
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

/** Return whether a name is the result of command_name() with a hyphen. */
static bool commands_is_named(const struct command *command, const char *name) {
	size_t n = command->group == NULL ? 0 : strlen(command->group);
	if (n > 0 && (strncmp(name, command->group, n) != 0 || name[n] != '-')) {
		return false;
	}
	return strcmp(n == 0 ? name : name + n + 1, command->name) == 0;
}

static bool commands_answers_to(const struct command *command, const char *name) {
	if (commands_is_named(command, name)) {
		return true;
	}
	for (size_t i = 0; command->aliases != NULL && command->aliases[i] != NULL; i++) {
		if (strcmp(command->aliases[i], name) == 0) {
			return true;
		}
	}
	return false;
}

bool command_of_link(const char *link, struct command *command) {
	for (size_t i = 0; command_at(i, command); i++) {
		if (command->link != NULL && strcmp(command->link, link) == 0) {
			return true;
		}
	}
	return false;
}

bool command_find(const char *name, struct command *command) {
	for (size_t i = 0; command_at(i, command); i++) {
		if (commands_answers_to(command, name)) {
			return true;
		}
	}
	return false;
}
