/** Fold recordings of perf (perf.data) while they are read. The name of each distinct address is
 * looked up only once. For a sample, each frame needs one lookup of its address, and no text is
 * made. */
#pragma once

#include "base/input.h"
#include "perf/event_select.h"
#include "perf/process.h"
#include "perf/stack.h"
#include "perf/watch.h"
#include "perf/data/options.h"

/** The ways to count a sample: by its period, as 1, or by the time for which it stands. */
enum perf_weight { PERF_WEIGHT_PERIOD, PERF_WEIGHT_SAMPLES, PERF_WEIGHT_TIME };

/** The values that --io can count. */
enum file_io_count { FILE_IO_NONE, FILE_IO_BYTES, FILE_IO_TIME };

struct perf_recording_options {
	unsigned weight; // a value of enum perf_weight
	bool off_cpu, wall, latency, wakers, per_cpu;
	unsigned io;   // a value of enum file_io_count
	bool native;   // keep the native functions of interpreters
	bool gil;      // count only samples of threads that hold the lock of their interpreter
	bool recorder; // word reports for users of `inferno record`
	bool live;     // the samples are folded while they are recorded
	struct perfdata_options symbols;
};

extern const char *const perf_weights[], *const file_io_counts[];

/** Rows for a table of options. `field` of `owner` is a struct perf_recording_options. */
#define PERF_RECORDING_ROWS(owner, field)                                                          \
	{OPT_IS_CHOICE(owner, field.weight),                                                       \
	 .name = "weight",                                                                         \
	 .value = "WHAT",                                                                          \
	 .initial = "period",                                                                      \
	 .choices = perf_weights,                                                                  \
	 .help = "what a sample counts: its period, 1 (samples), or the nanoseconds that it "      \
		 "represents (time)"},                                                             \
		{OPT_IS_BOOL(owner, field.off_cpu), .name = "off-cpu",                             \
		 .conflicts = "event-filter weight",                                               \
		 .help = "count the nanoseconds in which threads did not run, for the stack at "   \
			 "which they stopped"},                                                    \
		{OPT_IS_BOOL(owner, field.wall), .name = "wall",                                   \
		 .conflicts = "event-filter weight off-cpu",                                       \
		 .help = "count the nanoseconds in which threads ran, and those in which they "    \
			 "waited; waits have a frame such as [waiting] or [runnable]"},            \
		{OPT_IS_BOOL(owner, field.latency), .name = "latency",                             \
		 .conflicts = "event-filter weight off-cpu wall wakers",                           \
		 .help = "count the nanoseconds in which threads ran, each divided by the number " \
			 "of threads that ran at that moment, to show which functions delay the "  \
			 "end of the program"},                                                    \
		{OPT_IS_CHOICE(owner, field.io),                                                   \
		 .name = "io",                                                                     \
		 .value = "WHAT",                                                                  \
		 .initial = "none",                                                                \
		 .choices = file_io_counts,                                                        \
		 .conflicts = "event-filter weight off-cpu wall latency wakers",                   \
		 .help = "in a recording of 'inferno record --io', count the bytes that system "   \
			 "calls read and write, or the nanoseconds that they take"},               \
		{OPT_IS_BOOL(owner, field.wakers), .name = "wakers",                               \
		 .help = "with --off-cpu or --wall, add the stack of the thread that ended the "   \
			 "wait; the recording needs the event sched:sched_waking"},                \
		{OPT_IS_BOOL(owner, field.native), .name = "native",                               \
		 .help = "for Python and other script languages, also show the functions of the "  \
			 "interpreter"},                                                           \
		{OPT_IS_BOOL(owner, field.gil), .name = "gil", .conflicts = "latency",             \
		 .help = "count only the Python threads that hold the global interpreter lock "    \
			 "(GIL)"},                                                                 \
		{OPT_IS_BOOL(owner, field.recorder), .name = "from-recorder", .flags = OPT_HIDDEN, \
		 .help = "report the quality of the recording, for the user of inferno record"},   \
		{OPT_IS_BOOL(owner, field.live), .name = "from-running", .flags = OPT_HIDDEN,      \
		 .help = "use only files that running processes surely have mapped"},              \
		{OPT_IS_BOOL(owner, field.per_cpu), .name = "per-cpu",                             \
		 .conflicts = "off-cpu wall latency",                                              \
		 .help = "add a root frame for the processor, such as [cpu 3]"},                   \
		PERFDATA_OPTION_ROWS(owner, field.symbols)

/** Return whether the options count the time of threads. In this case, no event is selected. */
static inline bool perf_counts_time(const struct perf_recording_options *options) {
	return options->off_cpu || options->wall || options->latency;
}

/** Return the name of the unit in which the time of threads is counted. */
const char *perf_time_unit(const struct perf_recording_options *options);

/** The options and structs that the input format passes to perf_fold_recording(). */
struct perf_folding {
	const struct perf_recording_options *options;
	bool srcline;
	struct perf_range *range;
	struct profile *profile; // profile of the run
	uint64_t *samples;       // number of all samples that the run has read
	struct perf_names *names;
	struct event_select *select;
	struct perf_process *process;
	const struct perf_watch *watch; // NULL: no live view
};

/** Return whether an input that starts with these bytes is a recording that this build can read. */
bool perf_is_recording(struct str start);

/** Fold a recording. Return 0, or -1 after diag_error(). */
int perf_fold_recording(const struct perf_folding *folding, struct input *input, struct diag *diag);
