/** Comparing two profiles. */
#pragma once

#include "commands/command.h"

/** Compare the two sources of another command's run, and write the result in the form of `inferno
 * diff` without options. Return the same values as the run function of a command. */
int diff_report(const struct command_run *run);
