/** Comparing two profiles. */
#ifndef INFERNO_COMMANDS_DIFF_H
#define INFERNO_COMMANDS_DIFF_H

#include "commands/command.h"

/** Write the changes between the two sources of another command's run, as diff does without
 * options. Return as a command's run function does. */
int diff_report(const struct command_run *run);

#endif
