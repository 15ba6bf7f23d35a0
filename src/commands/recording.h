/** Sampling a program and writing what was sampled: what record and cargo flamegraph share. */
#ifndef INFERNO_COMMANDS_RECORDING_H
#define INFERNO_COMMANDS_RECORDING_H

#include "commands/command.h"
#include "plot/options.h"

struct recording_options {
	struct opt_list outputs;
	uint64_t rate;
	unsigned event;
	const char *call_graph, *processes, *perfdata;
	bool frame_pointers, everything, ignore_status, no_inline, off_cpu, wall;
	double duration;
	struct opt_list skip_after;
};

/** The rows of struct recording_options, for TABLE_RECORDING. */
extern const struct opt recording_rows[];

/** Check the options and whether exactly one thing is to be recorded. `operands` is 0 if there is
 * no program. Return 0, or -1 after diag_error(). */
int recording_check(const struct opt_set *set, size_t operands, struct diag *diag);

/** Record a program, which is a NULL-terminated array, or what the options name if it is NULL.
 * Return what the run function of a command returns. */
int recording_run(const struct command_run *run, char *const *program);

#endif
