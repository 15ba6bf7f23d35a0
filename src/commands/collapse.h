/** The commands that fold: one for each format, and one that recognises the format. */
#pragma once

#include "commands/command.h"

/** Describe the command that folds one format. */
struct command command_collapse(const struct collapser *format);

extern const struct command command_collapse_guess;
