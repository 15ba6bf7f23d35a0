/** A command: a name, tables of options, a function that runs it. */
#pragma once

#include "base/output.h"
#include "collapse/collapse.h"

/** The tables of options of a command, by index; their values have the same index. */
enum command_table {
	TABLE_OWN,       // the command's or the format's own options
	TABLE_RECORDING, // struct recording_options, for commands that sample programs
	TABLE_STACKS,    // struct transform_options, for commands that draw
	TABLE_COLOURS,   // struct colour_options, for commands that draw
	TABLE_GRAPH,     // struct graph_options, for commands that draw one profile
	TABLE_PICTURE,   // struct picture_options, for commands that draw
	TABLE_REPORT,    // struct report_options, for commands that report changes
	TABLE_SELECTION, // struct selection_options, for commands that select stacks
	TABLE_OUTPUT,    // struct output_options, for commands that write a view
	TABLE_TIMES,     // struct reading_times_options, for commands that read recordings
	TABLE_READING,   // struct reading_options, for commands that read profiles
	TABLE_COMMON,    // struct common_options
	TABLE_CLI,       // first table that only the command line has, not the library
};

struct common_options {
	bool quiet, lenient, strict;
	unsigned verbose;
};

/**
 * A run: everything that a command may access, except palette.map and the files that its options
 * name. Every field is set. The library owns everything that the fields point to.
 */
struct command_run {
	const struct command *command; // the running command
	const struct opt_set *set;     // values of its tables, for OPT_VALUES() and opt_given()
	unsigned threads; // number of threads to read with; 0: chosen by the size of the input
	const struct source *sources; // the inputs, not yet opened
	size_t sources_n;  // number of inputs, at least operands_least; if none was named, standard
			   // input is the only one
	struct diag *diag; // receives errors, warnings and notes
	struct output *out;  // receives the result
	int *program_status; // receives the exit status of a program that was run
};

/** Results of run() in struct command, besides 0 and -1. */
enum { COMMAND_CONDITION_HOLDS = 1, COMMAND_PROGRAM_FAILED = 2 };

/** The purpose of a command. The overview has a heading for each purpose, in this order. */
enum command_task { TASK_RECORD, TASK_DRAW, TASK_FOLD, TASK_COMPARE, TASK_CUT, TASKS };

struct command {
	const char *group; // first word of a name of two words, such as "collapse"; NULL: the name
			   // is one word
	const char *name;  // "perf", "flamegraph"
	const char *const *aliases; // other whole names, NULL-terminated; may be NULL
	const char *link;  // name of a link that runs the command, without "inferno-"; may be NULL
	const char *brief; // one line, lower case, no full stop
	enum command_task task;
	const char *about;   // paragraphs, separated by empty lines
	const char *details; // further paragraphs, for the manual page only; may be NULL
	// examples; the last item has no command; --help begins with the first example
	const struct example *examples;
	const char *operands; // "[FILE...]"
	size_t operands_least, operands_most;
	const char *usual; // names of the options that --help describes if there are too many,
			   // separated by blanks; NULL: all
	struct opt_table tables[OPT_TABLES];
	/** A function that checks the options that depend on each other, and the number of
	 * operands. The function returns 0, or -1 after diag_error() for wrong usage. NULL: nothing
	 * to check. */
	int (*check)(const struct opt_set *set, size_t operands, struct diag *diag);
	/** Run the command. Return 0, or -1 after diag_error(). If the work was done, but a
	 * condition of --fail-if holds, return COMMAND_CONDITION_HOLDS after diag_error(). If the
	 * work was done, but the sampled program failed, return COMMAND_PROGRAM_FAILED after
	 * diag_error(). A failed write need not be returned, because the output keeps the error. */
	int (*run)(const struct command_run *run);
	const char *output; // the usual exporter; NULL: the command writes no view
	/* EXPORT_ONE, EXPORT_TWO or EXPORT_LIST: the command also has the exporters with this
	 * need; 0: only the usual one */
	unsigned writes;
	const char *suffixes; // suffixes of outputs that no exporter writes, separated by blanks;
			      // may be NULL
	bool draws;          // whether the result is a picture, which must not go to a terminal
	bool lacks_nthreads; // whether the command lacks the option --nthreads
	bool runs_program;   // whether the operands are a program and its arguments
	bool names_outputs;  // whether the command has its own option --output
	const struct collapser *format; // the only format to read; NULL: recognise the format
	const char *fallback;           // format for unrecognised input; NULL: refuse such input
};
