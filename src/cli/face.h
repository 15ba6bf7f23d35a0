/** What the files of the command line share. */
#ifndef INFERNO_FACE_H
#define INFERNO_FACE_H

#include "commands.h"
#include "inferno.h"

/** Options of every command that the library does not know. */
struct face_options {
	const char *output;
	bool open; // of commands that draw
	bool help, version;
};

/** The options of the command line itself for a command. */
struct opt_table face_table(const struct command *command);

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CONDITION = 5 };

/** Prints an error on standard error. */
void face_error(const char *text);

/** Prints `text` on standard output; at the end, a failure to do so is an error. */
void face_print(const char *text);

/** A command found by its words: how many of them it took, 0 if there is no such command. */
int face_find_command(int argc, char **argv, struct command *command);

/** Wrong usage: prints the message and where help is to be had. Returns EXIT_USAGE. */
int face_usage(const struct command *command, const char *text);

/** Says that there is no such command, and which is near. Returns EXIT_USAGE. */
int face_unknown_command(int argc, char **argv);

/** What the command line says beside the job's own options. Released with opt_release(&face). */
struct arguments {
	struct opt_set face; // its values[TABLE_FACE] is a struct face_options
};

/** Fills a job from its arguments. Returns 0, or a status to exit with after a message. */
int arguments_read(struct arguments *arguments, struct inferno *job, const struct command *command,
		   int argc, char **argv);

/** Finds the command that one of FlameGraph's scripts, such as stackcollapse-perf.pl, is here. */
bool perl_find(const char *called, struct command *command);

/** Words of a script's command line, put as arguments_read() takes them. */
struct perl_words {
	char **items;
	const char **options; // what each sets, or NULL
	size_t n;
	struct arena arena;
};

/** Puts the words of a script, of which `argv` holds `argc` and a NULL. Returns 0, or a status to
 * exit with after a message. The words are released in any case. */
int perl_read(struct perl_words *words, const char *called, const struct command *command, int argc,
	      char **argv);
void perl_release(struct perl_words *words);

/* The readers of the option tables. Each adds to `out`. */
void help_command(struct buf *out, const struct command *command);
void help_overview(struct buf *out);
void help_formats(struct buf *out);
void man_command(struct buf *out, const struct command *command);
/** Returns 0, or -1 if there is no such shell. */
int complete_shell(struct buf *out, const char *shell);

#endif
