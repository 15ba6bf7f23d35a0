/** Sampling a program and writing the outputs: shared by record and cargo flamegraph. */
#pragma once

#include "commands/command.h"
#include "picture/options.h"

/** Options for folding a recording. The options are passed to its format. */
struct folding_options {
	bool no_inline, off_cpu, wall, latency, wakers, per_thread, per_cpu, native, gil, io,
		debuginfod;
	const char *event_filter; // text of the option; NULL: not given
	struct opt_list skip_after;
};

struct recording_options {
	struct opt_list outputs;
	uint64_t rate;
	uint64_t period;  // 0: not given
	const char *cpus; // NULL: not given
	bool user_only, kernel_only;
	struct opt_list events; // lists of event names; empty: cycles, or else cpu-clock
	const char *call_graph; // NULL: not given
	const char *post_process;
	bool open;
	bool frame_pointers, ignore_status, no_runtime_env, no_script, lines, nonblocking;
	unsigned backend; // of enum backend
	const char *cmd;
	uint64_t compression;
	double delay, duration;
	uint64_t repeat;
	const char *root; // flags for sudo; NULL: not given
	struct folding_options folding;
};

/** The suffix of a recording of perf, for `suffixes` of commands that write one. */
#define RECORDING_SUFFIX ".data"

/** The options of the command line that set struct recording_options, for TABLE_RECORDING. */
extern const struct opt recording_rows[];

/** The target of a recording. One of the members before the last is set; only `group` and
 * `everything` may be set together. The last member may be set in addition. */
struct recording_target {
	char *const *program;  // a program to run with its arguments, NULL-terminated
	const char *processes; // numbers of running processes, with commas between them
	bool everything;       // all processes
	const char *group;     // name of a control group whose processes are sampled
	const char *user;      // a user whose processes are sampled
	const char *perfdata;  // path of a recording to read instead
	bool copies_stacks;    // whether --backend perf copies stacks if --call-graph is not given
};

/** Check a list of processes. Return NULL, or a description of the expected value. */
const char *recording_check_processes(const char *text);

/** The ways to find callers. */
enum call_graph { CALL_GRAPH_AUTO, CALL_GRAPH_FP, CALL_GRAPH_DWARF };

/** Read --call-graph: a value of enum call_graph, and the number of bytes of each stack to copy.
 * Return whether the text is valid. */
bool recording_parse_call_graph(const char *text, unsigned *how, uint32_t *stack_size);

/** Read the next process id of a list. Return 0 if the text does not begin with a number.
 */
int32_t recording_next_process(struct str *list);

/** Check the options. Some options cannot be used when a recording is read. Return 0, or -1 after
 * diag_error(). */
int recording_check(const struct command *command, const struct opt_set *set, bool reads,
		    struct diag *diag);

/** Record, and write all outputs. Return the same values as the run function of a command. */
int recording_run(const struct command_run *run, const struct recording_target *target);
