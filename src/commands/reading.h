/** Reading profiles of any format for a command, and the options for it. */
#ifndef INFERNO_COMMANDS_READING_H
#define INFERNO_COMMANDS_READING_H

#include "commands/command.h"

/** For TABLE_READING. */
extern const struct opt_table reading_table;

/** Return how many threads to read with: --nthreads, in bounds; 0 for auto, and for a command
 * without it. */
unsigned reading_threads(const struct opt_set *set);

/** Read `n` sources into `profile`, in the command's format or else in the format that each is
 * recognised as. Return 0, or -1 after diag_error(). */
int reading_run(const struct command_run *run, const struct source *sources, size_t n,
		struct profile *profile);

/** Read all sources of a run in the same way. */
int reading_fill(const struct command_run *run, struct profile *profile);

#endif
