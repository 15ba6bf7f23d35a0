/** Comparing two profiles. */
#ifndef INFERNO_COMMANDS_DIFF_H
#define INFERNO_COMMANDS_DIFF_H

#include "commands/command.h"

/** Write the changes between the two sources of another command's run, in the same form as diff
 * without options. Return the same values as the run function of a command. */
int diff_report(const struct command_run *run);

#endif
