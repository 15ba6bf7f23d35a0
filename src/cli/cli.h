/** Declarations that the files of the command line share. */
#ifndef INFERNO_CLI_H
#define INFERNO_CLI_H

#include "commands/commands.h"
#include "inferno.h"

/** Options that every command has and the library does not know. */
struct cli_options {
	const char *output;
	bool open; // only for commands that draw
	bool help, version;
	const char *completions; // a shell; NULL: not given
};

/** Fill OPT_TABLES tables with the tables of a command and the table of the command line itself. */
void cli_tables(const struct command *command, struct opt_table *tables);

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CONDITION = 5 };

/** Print `text` on standard output; a failed write is reported when the program ends. */
void cli_print(const char *text);

/** Run a command with its arguments. Return the status to exit with. */
int cli_run(const struct command *command, int argc, char **argv);

/** Run the command line without the program's name. Return the status to exit with. */
int builtins_run(int argc, char **argv);

void cli_print_help(const struct command *command, bool brief);
void cli_print_version(void);

/** Print the completions for a shell. Return 0, or -1 if there is no such shell. */
int cli_print_completions(const char *shell);

/** Report wrong usage, and name the help. Return EXIT_USAGE. */
int cli_usage(const struct command *command, const char *text);

/** The parts of the command line that are not options of the job. */
struct arguments {
	struct opt_set cli;     // only TABLE_CLI is filled: struct cli_options
	struct source *sources; // operands, which are also sources of the job
	size_t sources_n, sources_capacity;
	const char *format; // value of --format; NULL: not given
	bool awaits; // whether the run reads standard input, which may be a terminal, and --quiet
		     // was not given
};

/** Fill a job from its arguments. Return 0, or a status to exit with after a message. */
int arguments_read(struct arguments *arguments, struct inferno *job, const struct command *command,
		   int argc, char **argv);

void arguments_release(struct arguments *arguments);

/** Find the command that replaces one of FlameGraph's scripts, such as stackcollapse-perf.pl. */
bool perl_find(const char *called, struct command *command);

/** A script's command line, translated for arguments_read(). */
struct perl_words {
	char **items;
	const char **options; // by word: the option that it sets, or NULL
	size_t n;
	struct arena arena;
};

/** Translate a script's command line, which is `argc` words and a NULL. Return 0, or a status to
 * exit with after a message. Release the words in either case. */
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

/** Write the other name number `i` of a command, in the form of a link's name, into `name` of
 * COMMAND_NAME_MAX bytes. Return false after the last. */
bool cli_other_name(const struct command *command, size_t i, char *name);

/** The names of FlameGraph's scripts under which the program can be called; NULL-terminated. */
extern const char *const perl_names[];

/* Add text that is made from the option tables to `out`. */
/** With `brief`, on at most HELP_LINES lines: with only the usual options, each described by one
 * clause. */
void help_command(struct buf *out, const struct command *command, bool brief);
void help_overview(struct buf *out);
void help_formats(struct buf *out);
void man_command(struct buf *out, const struct command *command);
/** Return 0, or -1 if there is no such shell. */
int complete_shell(struct buf *out, const char *shell);

#endif
