/** Declarations that the files of the command line share. */
#pragma once

#include "commands/commands.h"
#include "inferno.h"

/** Options that every command has on the command line, but not in the library. */
struct cli_options {
	const char *output;
	bool open; // only for commands that draw
	bool help, version;
	const char *completions; // a shell; NULL: not given
};

/** Fill `tables`, which has OPT_TABLES items, with the option tables of a command and the table of
 * the options that every command has. */
void cli_tables(const struct command *command, struct opt_table *tables);

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CONDITION = 5 };

/** Print `text` on standard output. A failed write is reported when the program ends. */
void cli_print(const char *text);

/** Run a command with its arguments. Return the exit status. */
int cli_run(const struct command *command, int argc, char **argv);

/** Run the command line, which does not include the program's name. Return the exit status. */
int builtins_run(int argc, char **argv);

void cli_print_help(const struct command *command, bool brief);
void cli_print_version(void);

/** Print the completions for a shell. Return 0, or -1 if the name of the shell is unknown. */
int cli_print_completions(const char *shell);

/** Report wrong usage, and name the command that shows the help. Return EXIT_USAGE. */
int cli_usage(const struct command *command, const char *text);

/** The parts of a command line that are not options of the job. */
struct arguments {
	struct opt_set cli;     // only TABLE_CLI is filled: struct cli_options
	struct source *sources; // operands, which are also sources of the job
	size_t sources_n, sources_capacity;
	const char *format; // value of --format; NULL: not given
	// Whether the run reads standard input, which may be a terminal, without --quiet.
	bool awaits;
};

/** Set the options and inputs of a job from the arguments. Return 0, or an exit status after a
 * message. */
int arguments_read(struct arguments *arguments, struct inferno *job, const struct command *command,
		   int argc, char **argv);

void arguments_release(struct arguments *arguments);

/** Find the command that replaces one of FlameGraph's scripts, such as stackcollapse-perf.pl.
 * Return false if no command replaces a script of this name. */
bool perl_find(const char *called, struct command *command);

/** A script's command line, translated for arguments_read(). */
struct perl_words {
	char **items;
	const char **options; // for each word, the option that the word sets, or NULL
	size_t n;
	struct arena arena;
};

/** Translate a script's command line, which consists of `argc` words and a NULL. Return 0, or an
 * exit status after a message. The caller releases the words in both cases. */
int perl_read(struct perl_words *words, const char *called, const struct command *command, int argc,
	      char **argv);
void perl_release(struct perl_words *words);

/** A first word of the command line that is not a command of the library, such as help or formats.
 */
struct builtin {
	const char *names;   // names separated by blanks; lists show the first one
	const char *operand; // operand in the help; "" if there is none
	const char *lacking; // the error if the operand is missing; NULL: it is optional
	const char *brief;
	int (*run)(int argc, char **argv);
};

/** All builtins. An item without names ends the array. */
extern const struct builtin builtins[];

/** Write the first name of a builtin into `out` of COMMAND_NAME_MAX bytes. Return `out`. */
const char *builtins_name(const struct builtin *builtin, char *out);

/** Write the alias with the number `i` of a command into `name`, which has COMMAND_NAME_MAX bytes.
 * The alias has the form of a link's name, such as inferno-collapse-perf. Return false after the
 * last alias. */
bool cli_other_name(const struct command *command, size_t i, char *name);

/** The names of FlameGraph's scripts under which the program can be called; NULL-terminated. */
extern const char *const perl_names[];

/* Each of these functions adds a text to `out`. */
/** Add the help of a command. If `brief`, add at most HELP_LINES lines: only the usual options,
 * each described by one clause. */
void help_command(struct buf *out, const struct command *command, bool brief);
void help_overview(struct buf *out);
void help_formats(struct buf *out);
void man_command(struct buf *out, const struct command *command);
/** Add the completion script for a shell. Return 0, or -1 if the name of the shell is unknown. */
int complete_shell(struct buf *out, const char *shell);
