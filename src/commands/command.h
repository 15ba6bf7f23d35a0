/** A command: a name, tables of options, a function that runs it. */
#ifndef INFERNO_COMMAND_H
#define INFERNO_COMMAND_H

#include "base/output.h"
#include "collapse/collapse.h"

/** Where a command's tables of options stand; the values are found at the same index. */
enum command_table {
	TABLE_OWN,     // the command's or the format's own options
	TABLE_PICTURE, // struct plot_options, for commands that draw beside other things
	TABLE_READING, // struct reading_options, for commands that read profiles
	TABLE_COMMON,  // struct common_options
	TABLE_FACE,    // the command line's, which the library does not see
};

struct common_options {
	bool quiet, lenient, strict;
	unsigned verbose;
};

struct reading_options {
	uint64_t nthreads;
};

/** What a run gets. All of it is the caller's. */
struct command_run {
	const struct command *command;
	const struct opt_set *set;
	struct source *sources; // what was named as input; none was: standard input
	size_t sources_n;
	struct diag *diag;
	struct output *out;
};

enum { COMMAND_CONDITION_HOLDS = 1 }; // of struct command: see run

struct command {
	const char
		*group;   // the first word of a name of two: "collapse"; NULL: the name is one word
	const char *name; // "perf", "flamegraph"
	const char *const *aliases;     // other whole names, NULL-terminated; may be NULL
	const char *brief;              // one line, lower case, no full stop
	const char *about;              // paragraphs, separated by empty lines
	const struct example *examples; // ended by one without a command; the first opens the help
	const char *operands;           // "[FILE...]"
	size_t operands_least, operands_most;
	struct opt_table tables[OPT_TABLES];
	/** Check options that need each other. 0, or -1 after diag_error(): wrong usage. May be
	 * NULL. */
	int (*check)(const struct opt_set *set, struct diag *diag);
	/** 0, or -1 after diag_error(), or COMMAND_CONDITION_HOLDS after diag_error(): all was
	 * done, but what was to be watched for has happened. A failure to write is noted by the
	 * output. */
	int (*run)(struct command_run *run);
	bool draws;                     // the result is a picture, not for a terminal
	bool has_pictures;              // it has the options of pictures
	bool one_thread;                // it has no --nthreads
	const struct collapser *format; // the only one to read; NULL: recognise it
	const char *fallback;           // the format to read unrecognised input as; NULL: refuse it
};

#endif
