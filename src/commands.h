/** The list of commands: one for each format, and those of src/meson.build. */
#ifndef INFERNO_COMMANDS_H
#define INFERNO_COMMANDS_H

#include "base/command.h"

/** Describes command number `i`; false behind the last. What it points to is constant. */
bool command_at(size_t i, struct command *command);

/** Finds a command by its whole name ("collapse-perf") or an alias. */
bool command_find(const char *name, struct command *command);

enum { COMMAND_NAME_MAX = 64 };

/** Writes the whole name, its words joined by `joint`, into `out` of COMMAND_NAME_MAX bytes;
 * returns `out`. */
const char *command_name(const struct command *command, char joint, char *out);

#endif
