/* Read the letters, long names, values and operands in argv. The option tables define the meaning
 * of each option. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "export/exporter.h"

static const char *arguments_check_shell(const char *value) {
	struct buf script = {0};
	bool known = complete_shell(&script, value) == 0;
	buf_release(&script);
	return known ? NULL : "bash, zsh, fish, powershell or elvish";
}

static const struct opt cli_rows[] = {
	{OPT_IS_BOOL(struct cli_options, open), .name = "open", .group = "Output",
	 .help = "show the picture in the browser; without -o, the picture is a temporary file"},
	{OPT_IS_PATH(struct cli_options, output), .name = "output", .letter = 'o', .value = "FILE",
	 .help = "write to this file instead of standard output ('-'); if its name ends in .gz or "
		 ".zst, compress the output",
	 .group = "Output"},
	{OPT_IS_BOOL(struct cli_options, help), .name = "help", .letter = 'h',
	 .help = "print this help", .group = "Messages", .flags = OPT_REPEATABLE},
	{OPT_IS_BOOL(struct cli_options, version), .name = "version", .letter = 'V',
	 .help = "print the version", .group = "Messages", .flags = OPT_REPEATABLE},
	{OPT_IS_TEXT(struct cli_options, completions), .name = "completions", .value = "SHELL",
	 .check = arguments_check_shell, .group = "Messages", .flags = OPT_HIDDEN,
	 .help = "print the completions for a shell"}, // name of this option in other recorders
	{.type = OPT_END},
};

static struct opt_table arguments_cli_table(const struct command *command) {
	// Only commands that draw have --open. Commands with their own --output also have their own
	// --open.
	const struct opt *rows = command->names_outputs ? cli_rows + 2
				 : command->draws       ? cli_rows
							: cli_rows + 1;
	return (struct opt_table){rows, sizeof(struct cli_options)};
}

void cli_tables(const struct command *command, struct opt_table *tables) {
	memcpy(tables, command->tables, sizeof(command->tables));
	tables[TABLE_CLI] = arguments_cli_table(command);
}

struct reader {
	struct arguments *arguments;
	struct inferno *job;
	const struct command *command;
	struct opt_set all; // indexes to find rows by letter and by name
	int argc, at;
	char **argv;
	bool quiet, dash;
};

/** Return whether a flag such as --json sets --format. */
static bool arguments_chooses_format(const struct reader *reader, const char *name) {
	const struct opt *row = opt_by_name(&reader->all, str_of(name)).row;
	for (size_t i = 0; row != NULL && exporters[i] != NULL; i++) {
		if (opt_has_name(row, str_of(exporters[i]->name))) {
			return true;
		}
	}
	return false;
}

/** Set an option of the command line or of the job. */
static int arguments_set_option(struct reader *reader, const char *name, const char *value) {
	struct opt_place place = opt_by_name(&reader->arguments->cli, str_of(name));
	const struct opt *row = opt_by_name(&reader->all, str_of(name)).row;
	reader->quiet = reader->quiet || strcmp(name, "quiet") == 0;
	if (row != NULL && row->choices == exporter_names) {
		reader->arguments->format = value;
	} else if (value == NULL && arguments_chooses_format(reader, name)) {
		reader->arguments->format = name; // a flag such as --json
	}
	if (place.row == NULL) {
		return inferno_set(reader->job, name, value) == INFERNO_OK
			       ? 0
			       : cli_usage(reader->command, inferno_error(reader->job));
	}
	struct diag diag = {0};
	int status = 0;
	if (opt_set(&reader->arguments->cli, place, value, &diag) != 0) {
		status = cli_usage(reader->command, buf_text(&diag.error));
	}
	diag_release(&diag);
	return status;
}

/** Return whether the next argument is the value of an option whose value is optional. */
static bool arguments_is_value(const struct reader *reader, const struct opt *row) {
	const char *word = reader->argv[reader->at];
	return row->bare == NULL || (row->type == OPT_UINT ? is_digit(word[0]) : word[0] != '-');
}

/** Set an option that takes a value: `value`, or the next argument if `value` is missing. */
static int arguments_set_with_value(struct reader *reader, const struct opt *row,
				    const char *value) {
	if (value == NULL && reader->at < reader->argc && arguments_is_value(reader, row)) {
		value = reader->argv[reader->at++];
	}
	if (value == NULL && row->bare == NULL) {
		char text[128];
		snprintf(text, sizeof(text), "--%s needs a value: --%s %s", row->name, row->name,
			 row->value);
		return cli_usage(reader->command, text);
	}
	return arguments_set_option(reader, row->name, value);
}

static int arguments_read_long(struct reader *reader, const char *word) {
	struct str rest = str_of(word);
	bool has_value = str_find(rest, '=') != STR_NONE;
	struct str head = str_cut(&rest, '=');
	const char *value = has_value ? rest.p : NULL;
	char name[128];
	snprintf(name, sizeof(name), "%.*s", (int)head.n, head.p);
	struct opt_place place = opt_by_name(&reader->all, head);
	if (place.row == NULL) {
		// this reports an unknown option, because the row is NULL
		return arguments_set_option(reader, name, value);
	}
	if (!opt_is_flag(place.row)) {
		return arguments_set_with_value(reader, place.row, value);
	}
	return arguments_set_option(reader, name, value);
}

/** Return whether the letters after one hyphen are the long name of an option, which needs two
 * hyphens. Report this mistake. */
static bool arguments_is_long_name(struct reader *reader, const char *letters) {
	struct str rest = str_of(letters);
	struct str head = str_cut(&rest, '=');
	if (head.n < 2 || opt_by_name(&reader->all, head).row == NULL) {
		return false;
	}
	char text[192];
	snprintf(text, sizeof(text), "unknown option '-%.*s'; did you mean '--%.*s'?", (int)head.n,
		 head.p, (int)head.n, head.p);
	cli_usage(reader->command, text);
	return true;
}

/** Read a group of letters: flags, and perhaps an option with a value at the end: -vn4, -n 4, -n=4.
 */
static int arguments_read_letters(struct reader *reader, const char *letters) {
	if (arguments_is_long_name(reader, letters)) {
		return EXIT_USAGE;
	}
	for (; *letters != '\0'; letters++) {
		struct opt_place place = opt_by_letter(&reader->all, *letters);
		if (place.row == NULL) {
			char text[128];
			snprintf(text, sizeof(text), "unknown option '-%s'",
				 quote((struct str){letters, 1}).text);
			return cli_usage(reader->command, text);
		}
		if (!opt_is_flag(place.row)) {
			const char *value = letters[1] == '=' ? letters + 2 : letters + 1;
			return arguments_set_with_value(
				reader, place.row,
				*value == '\0' && letters[1] != '=' ? NULL : value);
		}
		int status = arguments_set_option(reader, place.row->name, NULL);
		if (status != 0) {
			return status;
		}
	}
	return 0;
}

static void arguments_add_operand(struct reader *reader, const char *word) {
	struct arguments *arguments = reader->arguments;
	inferno_add(reader->job, &(struct inferno_source){.path = word});
	*MEM_APPEND(arguments->sources, arguments->sources_n, arguments->sources_capacity) =
		(struct source){.path = word};
	reader->dash = reader->dash || strcmp(word, "-") == 0;
}

static int arguments_read_all(struct reader *reader) {
	bool options = true;
	while (reader->at < reader->argc) {
		const char *word = reader->argv[reader->at++];
		int status = 0;
		if (options && strcmp(word, "--") == 0) {
			options = false;
		} else if (options && str_starts(str_of(word), STR("--"))) {
			status = arguments_read_long(reader, word + 2);
		} else if (options && word[0] == '-' && word[1] != '\0') {
			status = arguments_read_letters(reader, word + 1);
		} else {
			arguments_add_operand(reader, word);
			options = options && !reader->command->runs_program;
		}
		if (status != 0) {
			return status;
		}
	}
	return 0;
}

int arguments_read(struct arguments *arguments, struct inferno *job, const struct command *command,
		   int argc, char **argv) {
	struct opt_table tables[OPT_TABLES] = {[TABLE_CLI] = arguments_cli_table(command)};
	*arguments = (struct arguments){0};
	opt_init(&arguments->cli, tables);
	struct reader reader = {
		.arguments = arguments, .job = job, .command = command, .argc = argc, .argv = argv};
	cli_tables(command, tables);
	opt_init(&reader.all, tables);
	int status = arguments_read_all(&reader);
	arguments->awaits =
		!reader.quiet && !command->runs_program &&
		(reader.dash || (arguments->sources_n == 0 && command->operands_least == 0));
	opt_release(&reader.all);
	return status;
}

void arguments_release(struct arguments *arguments) {
	opt_release(&arguments->cli);
	free(arguments->sources);
}
