/** Which format an output has, for all commands; and commands that read a profile to write it. */
#ifndef INFERNO_OUTPUTS_H
#define INFERNO_OUTPUTS_H

#include "commands/command.h"
#include "export/exporter.h"

struct output_options {
	unsigned format; // an index in `exporters`
};

/** For TABLE_OUTPUT of commands that write a view. */
extern const struct opt_table output_table;

/**
 * Find the exporter of an output: the `given` one; or if that is NULL, the one of the suffix;
 * or the command's usual one if there is no suffix, or if the name is "-", a pipe or a device. Set
 * `*exporter` to NULL if the command writes files of such a name by itself. Return 0, or -1 after
 * diag_error(), which lists the suffixes that can be written.
 */
int output_of_name(const struct command *command, const struct exporter *given, const char *path,
		   const struct exporter **exporter, struct diag *diag);

/** Return the exporter that options choose: --format, or a flag of an exporter's name; NULL: none
 * does. */
const struct exporter *output_given(const struct opt_set *set);

/** Return the exporter that options choose, or else the usual one of the command. */
const struct exporter *output_chosen(const struct command_run *run);

/** Check the options of a command that writes a view. Return 0, or -1 after diag_error(). */
int output_check(const struct command *command, const struct opt_set *set, struct diag *diag);

/** Refuse --flamechart for a format without the order of stacks. Return 0, or -1 after
 * diag_error(). */
int output_check_order(const struct exporter *exporter, const struct opt_set *set,
		       struct diag *diag);

/** Write the profile that `fill` reads, which returns 0, or -1 after diag_error(). Return as a
 * command's run function does. */
int output_run(const struct command_run *run,
	       int (*fill)(const struct command_run *run, struct profile *profile));

#endif
