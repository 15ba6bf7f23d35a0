/** Reading profiles of any format for a command, and the options for it. */
#pragma once

#include "commands/command.h"

/** For TABLE_READING. */
extern const struct opt_table reading_table;

/** For TABLE_TIMES: the time that recordings count. */
struct reading_times_options {
	bool latency, wall, off_cpu, gil;
};

extern const struct opt reading_times_rows[];

/** Return how many threads to read with: the value of --nthreads, but at most the largest allowed
 * number. Return 0 for auto, and for a command without this option. */
unsigned reading_threads(const struct opt_set *set);

/** The row of --value, for commands that read profiles. The option chooses which value of the input
 * to count. */
#define READING_VALUE_ROW(owner, field)                                                          \
	{                                                                                        \
		OPT_IS_TEXT(owner, field),                                                       \
			.name = "value", .value = "NAME", .group = "Input",                      \
			.help = "if the input has several values, count this one, such as cpu, " \
				"alloc_space, bytes, or an event of perf"                        \
	}

#define READING_ESTIMATE_ROW(owner, field)                                                         \
	{                                                                                          \
		OPT_IS_BOOL(owner, field),                                                         \
			.name = "estimate-stacks", .group = "Input",                               \
			.help = "if the file has functions and calls, but no stacks, as files of " \
				"callgrind and cProfile, estimate stacks from the calls"           \
	}

/** Return the value of --value, or NULL if the command does not have the option, or it was not
 * given. */
const char *reading_value(const struct opt_set *set);

/** Set the option of a command's format that corresponds to the value of --value. Return 0, or -1
 * after diag_error(). */
int reading_set_value(const struct command *command, struct opt_set *set, struct diag *diag);

/** Read `n` sources into `profile`, in the command's format. If the command has no format,
 * recognise the format of each source. Return 0, or -1 after diag_error(). */
int reading_run(const struct command_run *run, const struct source *sources, size_t n,
		struct profile *profile);

/** Read all sources of a run, and return, as reading_run() does. */
int reading_fill(const struct command_run *run, struct profile *profile);
