/** What the command flamegraph offers to others: a picture of two profiles, and its options. */
#ifndef INFERNO_COMMANDS_FLAMEGRAPH_H
#define INFERNO_COMMANDS_FLAMEGRAPH_H

#include "commands/command.h"
#include "profile/compared.h"

/** For a command's TABLE_PICTURE. */
extern const struct opt_table plot_table;

/** Draw two profiles into a file, with the command's TABLE_PICTURE; "-" is the run's output.
 * Return 0, or -1 after diag_error(). */
int plot_compared(struct command_run *run, const struct compared *compared, const char *path);

#endif
