/** The choice of the format of an output, for all commands, and the work of commands that read a
 * profile and write it. */
#pragma once

#include "commands/command.h"
#include "export/exporter.h"

struct output_options {
	unsigned format; // an index in `exporters`
};

/** The options in TABLE_OUTPUT of commands that write a view. */
extern const struct opt_table output_table;

/**
 * Find the exporter of an output: `given`, or if `given` is NULL, the exporter for the suffix. For
 * a name without a suffix, "-", a pipe or a device, choose the command's usual exporter. If the
 * command itself writes files with this suffix, set `*exporter` to NULL. Return 0, or -1 after
 * diag_error(), which lists the suffixes that can be written.
 */
int output_of_name(const struct command *command, const struct exporter *given, const char *path,
		   const struct exporter **exporter, struct diag *diag);

/** Return the exporter that options choose: --format, or a flag with the name of an exporter.
 * Return NULL if the options choose no exporter. */
const struct exporter *output_given(const struct opt_set *set);

/** Return the exporter that options choose, or the usual exporter of the command if the options
 * choose none. */
const struct exporter *output_chosen(const struct command_run *run);

/** Check the options of a command that writes a view. Return 0, or -1 after diag_error(). */
int output_check(const struct command *command, const struct opt_set *set, struct diag *diag);

/** Refuse --flamechart for a format that does not keep the order of stacks. Return 0, or -1 after
 * diag_error(). */
int output_check_order(const struct exporter *exporter, const struct opt_set *set,
		       struct diag *diag);

/** Call `fill` to read a profile, and write the profile. `fill` returns 0, or -1 after
 * diag_error(). Return the same values as the run function of a command. */
int output_run(const struct command_run *run,
	       int (*fill)(const struct command_run *run, struct profile *profile));
