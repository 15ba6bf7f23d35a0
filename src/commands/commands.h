/** The list of commands: one command for each format, and the commands that src/meson.build lists.
 */
#pragma once

#include "commands/command.h"

/** Describe the command with the index `i`. Return false after the last command. The pointers in
 * the result point to constants. */
bool command_at(size_t i, struct command *command);

/** Find the command that runs if the program is called by the name of a link, such as
 * "cargo-flamegraph". Return false if there is none. */
bool command_of_link(const char *link, struct command *command);

/** Find a command by its whole name ("collapse-perf") or an alias. Return false if there is no such
 * command. */
bool command_find(const char *name, struct command *command);

enum { COMMAND_NAME_MAX = 64 };

/** Write the whole name of a command, its words joined by `joint`, into `out`, which has
 * COMMAND_NAME_MAX bytes. Return `out`. */
const char *command_name(const struct command *command, char joint, char *out);
