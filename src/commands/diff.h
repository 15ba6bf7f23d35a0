/** Comparing two profiles. */
#ifndef INFERNO_COMMANDS_DIFF_H
#define INFERNO_COMMANDS_DIFF_H

#include "commands/command.h"

/** Write what changed between the two sources of a run of another command, as diff does without
 * options. Return as a command's run function does. */
int diff_report(const struct command_run *run);

#endif
