/** The commands that fold: one for each format, and one that recognises the format. */
#ifndef INFERNO_COMMANDS_COLLAPSE_H
#define INFERNO_COMMANDS_COLLAPSE_H

#include "commands/command.h"

/** Fold the sources, in the command's format or else in the format of each. Return as a command's
 * run function does. */
int collapse_run(const struct command_run *run);

/** Describe the command that folds one format. */
struct command command_collapse(const struct collapser *format);

extern const struct command command_collapse_guess;

#endif
