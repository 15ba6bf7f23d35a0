/**
 * Sample programs while they run, with the kernel's perf events. The result is a stream: a
 * recording of perf in the form for pipes, which `src/perf/data` and perf itself can read. The
 * stream stays in memory, and can be read while the recording goes on. No file is needed.
 *
 * A thread empties the kernel's buffers into memory, because a full buffer loses samples. So the
 * reader of the stream may be slow.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

/** The ways to find the callers in a stack: by frame pointers, or by copying the stack and
 * unwinding the copy. */
enum record_chains { RECORD_FRAME_POINTERS, RECORD_DWARF };

struct root;
struct record_events;

/** The tracepoints of system calls that read, write or synchronize files, separated by commas:
 * first the ends of the calls, then their starts. */
extern const char record_io_events[];

/** The time that is recorded: the time in which threads run, the time in which they do not run, or
 * both. */
enum record_time { RECORD_ON_CPU, RECORD_OFF_CPU, RECORD_WALL };

enum { RECORD_STACK_DEFAULT = 64000, RECORD_STACK_MOST = 65528 };

/** When to sample, and how often. */
struct record_plan {
	double delay;       // seconds before the sampling begins
	double duration;    // seconds until the sampling ends; 0: no limit
	uint64_t repeat;    // number of runs of the program
	bool ignore_status; // whether to run the program again even if it fails
};

/** How to find the names of functions that are in no file. */
struct record_code {
	bool runtimes;   // make runtimes with a JIT compiler write perf maps: environment variables
			 // do this in the program, and requests do it in processes that already run
	bool keep_maps;  // do not remove these perf maps at the end
	bool scripts;    // read the functions of interpreters
	bool lines;      // whether names include line numbers
	bool debuginfod; // ask servers for missing debug files of interpreters
	bool stops;      // stop waiting threads of running processes once, to read their registers
};

struct record_options {
	uint64_t rate;   // samples per second of each thread
	bool rate_given; // whether the rate also applies to events for which every occurrence would
			 // otherwise be a sample
	uint64_t period; // occurrences between two samples; 0: not given
	const struct record_events *events; // at least one event
	const char *cpus;                   // list of processors to sample on; NULL: all
	const char *group; // control group to sample instead of a program; NULL: none
	bool user_only, kernel_only;
	bool may_have_ended; // whether processes may already have ended, which is then not an error
	unsigned chains;     // a value of enum record_chains
	unsigned time;       // a value of enum record_time
	const char *counts;  // the option that chose what to count, such as "--io", for readers of
			     // the recording; or NULL
	bool any_chains;     // whether to use frame pointers if the kernel copies no stacks
	uint32_t stack_size; // number of bytes of each stack that RECORD_DWARF copies
	bool wakers;  // with RECORD_OFF_CPU or RECORD_WALL: record wake-ups, with the stack of the
		      // waker
	bool hurries; // set by recorder_new(): whether the recorder's thread has priority over all
		      // other threads
	bool no_user_chain; // with RECORD_DWARF: leave out the kernel's own chain of user frames,
			    // because perf would show these frames twice
	struct record_code code;
	struct root *root; // helper that opens the counters; NULL: this process opens them
	const char *kallsyms,
		*modules; // files with the kernel's symbols and the list of its modules; NULL: the
			  // files in /proc
	struct record_plan plan;
	char *const *program; // the words of the command, NULL-terminated; NULL: running processes
	const int32_t *processes;
	size_t processes_n; // 0 without a program: all processes
};

/** How long the runs of a program took, in seconds. */
struct record_runs {
	uint64_t n;
	double sum, least, most;
};

/** The threads that were stopped to read their registers. Each thread is stopped once. */
struct record_stops {
	uint64_t n;
	double longest; // longest time for which a thread was stopped, in seconds
};

/** How a recording ended. */
struct record_end {
	struct record_runs runs;
	int status;   // exit status of the program's last run; 128 plus the number of a signal
	int signal;   // the signal that ended the program; 0: none
	bool stopped; // the recording was stopped before the program ended
	bool early;   // the program ended before the sampling began
	double user, system; // seconds of processor time of the program or the processes
	bool user_only;      // the time in the kernel was not sampled
	bool hidden; // one frame in the recording stands for the time in the kernel, which was not
		     // sampled
	int32_t unended; // process id of the program if it still runs after it was asked to end; 0:
			 // it has ended
	int32_t left;    // id of a process that the program started and that still runs; 0: none
	size_t left_n;   // number of such processes
	struct record_stops stops;
};

struct recorder;

/** Return whether the option --io chose the events of record_io_events. */
static inline bool record_counts_io(const struct record_options *options) {
	return options->counts != NULL && strcmp(options->counts, "--io") == 0;
}

/** Return whether the counters are switched on after a delay. If a program is run several times,
 * the counters are on from the start, because counters that this process switches on later would
 * also count this process itself. Instead, the samples taken during each delay are left out. */
static inline bool record_starts_late(const struct record_options *options) {
	return options->plan.delay > 0 && options->plan.repeat <= 1;
}

/** Return whether RECORD_DWARF works on this processor. */
bool record_copies_stacks(void);

/** Prepare to sample: open the counters, and fork a child process that later becomes the program,
 * if there is one. Return NULL after diag_error(). */
struct recorder *recorder_new(const struct record_options *options, struct diag *diag);

/** Start the program and the sampling. From now on, SIGINT, SIGTERM and SIGHUP stop the recording.
 * Return 0, or -1 after diag_error(). */
int recorder_start(struct recorder *recorder);

/** Wait for more bytes of the recording, and put at most `size` of them into `bytes`. Return the
 * number of bytes, or 0 at the end. */
ptrdiff_t recorder_read(void *recorder, void *bytes, size_t size);

/** Wait up to a number of milliseconds for more bytes of the recording. Return whether
 * recorder_read() can now return without waiting. */
bool recorder_wait(struct recorder *recorder, unsigned milliseconds);

/** Stop the recording if recorder_read() has not reached its end, and wait for the program to end.
 * Return 0, or -1 after diag_error(), such as when a second run of the program did not start. */
int recorder_finish(struct recorder *recorder, struct record_end *end);

/** Add a phrase that names the runtimes that ran in the program, and the environment variables that
 * were set for them. If no runtime ran, add nothing. */
void recorder_format_runtimes(const struct recorder *recorder, struct buf *text);

/** Add a phrase about the runtime in process `i` of the processes that were already running when
 * the recording began. For most processes, add nothing. Set `good` to whether the runtime wrote the
 * names of its functions on request. Return false after the last process. Call this after
 * recorder_finish(). */
bool recorder_format_running(const struct recorder *recorder, size_t i, struct buf *text,
			     bool *good);

void recorder_free(struct recorder *recorder);
