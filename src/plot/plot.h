/** What the room gives to commands of others: a picture of two profiles, and options of pictures.
 */
#ifndef INFERNO_PLOT_H
#define INFERNO_PLOT_H

#include "base/command.h"

/** For a command's TABLE_PICTURE. */
extern const struct opt_table plot_table;

/** Draws two profiles into a file, with the command's TABLE_PICTURE; "-" is the run's output.
 * Returns 0, or -1 after diag_error(). */
int plot_compared(struct command_run *run, const struct compared *compared, const char *path);

#endif
