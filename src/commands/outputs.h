/** The choice of the format of an output, for all commands, and the work of commands that read a
 * profile and write it. */
#ifndef INFERNO_OUTPUTS_H
#define INFERNO_OUTPUTS_H

#include "commands/command.h"
#include "export/exporter.h"

struct output_options {
	unsigned format; // an index in `exporters`
};

/** The options in TABLE_OUTPUT of commands that write a view. */
extern const struct opt_table output_table;

/**
 * Find the exporter of an output. It is the `given` one, or if that is NULL, the exporter for the
 * suffix. A name without a suffix, "-", a pipe or a device gets the command's usual exporter. Set
 * `*exporter` to NULL if the command itself writes files with this suffix. Return 0, or -1 after
 * diag_error(), which lists the suffixes that can be written.
 */
int output_of_name(const struct command *command, const struct exporter *given, const char *path,
		   const struct exporter **exporter, struct diag *diag);

/** Return the exporter that options choose: --format, or a flag with the name of an exporter.
 * Return NULL if there is no such option. */
const struct exporter *output_given(const struct opt_set *set);

/** Return the exporter that options choose, or else the usual exporter of the command. */
const struct exporter *output_chosen(const struct command_run *run);

/** Check the options of a command that writes a view. Return 0, or -1 after diag_error(). */
int output_check(const struct command *command, const struct opt_set *set, struct diag *diag);

/** Refuse --flamechart for a format that does not keep the order of stacks. Return 0, or -1 after
 * diag_error(). */
int output_check_order(const struct exporter *exporter, const struct opt_set *set,
		       struct diag *diag);

/** Let `fill` read a profile, and write it. `fill` returns 0, or -1 after diag_error(). Return the
 * same values as the run function of a command. */
int output_run(const struct command_run *run,
	       int (*fill)(const struct command_run *run, struct profile *profile));

#endif
