/** How commands read profiles of any format, and the options for it. */
#ifndef INFERNO_COMMANDS_READING_H
#define INFERNO_COMMANDS_READING_H

#include "commands/command.h"

/** For TABLE_READING. */
extern const struct opt_table reading_table;

/** Return how many threads to read with: --nthreads, in bounds; 1 for a command without it. */
unsigned reading_threads(const struct opt_set *set);

/** Read `n` sources into `stacks`, in the format of the command or in the one that each is
 * recognised as. Return 0, or -1 after diag_error(). */
int reading_run(const struct command_run *run, const struct source *sources, size_t n,
		struct profile *profile);

/** Tell whether reading_run() takes an input for folded text, without taking anything from it.
 * Return -1 after diag_error(). */
int reading_is_folded(struct input *input);

#endif
