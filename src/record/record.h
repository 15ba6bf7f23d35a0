/**
 * Sample programs while they run, with the kernel's perf events. The result is a stream: a
 * recording of perf in the form for pipes, which `src/perf/data` and perf itself can read. It stays
 * in memory, and may be read while the recording goes on; no file is needed.
 *
 * A thread empties the kernel's buffers into memory, and does nothing else, because a full buffer
 * loses samples. The reader of the stream may be slow.
 */
#ifndef INFERNO_RECORD_H
#define INFERNO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

/** How stacks are found: by frame pointers, or by copying and unwinding them. */
enum record_chains { RECORD_FRAME_POINTERS, RECORD_DWARF };

struct root;
struct record_events;

/** The events of calls that read and write: the ends of them all, then the starts. */
extern const char record_io_events[];

/** Which time is recorded: while threads run, while they do not, or both. */
enum record_time { RECORD_ON_CPU, RECORD_OFF_CPU, RECORD_WALL };

enum { RECORD_STACK_DEFAULT = 64000, RECORD_STACK_MOST = 65528 };

/** When to sample, and how often. */
struct record_plan {
	double delay;       // seconds before the sampling begins
	double duration;    // seconds until it ends; 0: no limit
	uint64_t repeat;    // how often the program is run
	bool ignore_status; // run it again even if it fails
};

/** How functions get their names that are in no file. */
struct record_code {
	bool runtimes;  // have runtimes with a JIT write perf maps: in the program through its
			// environment, in running processes on request
	bool keep_maps; // do not remove these perf maps at the end
	bool scripts;   // read the functions of interpreters
	bool lines;     // with their lines
};

struct record_options {
	uint64_t rate;   // samples a second of each thread
	bool rate_given; // applies also to events of which every occurrence would be a sample
	uint64_t period; // occurrences between two samples; 0: not given
	const struct record_events *events; // at least one
	const char *cpus;                   // list of processors to sample on; NULL: all
	const char *group; // control group to sample instead of a program; NULL: none
	bool user_only, kernel_only;
	bool may_have_ended; // processes that have ended already are no error
	unsigned chains;     // of enum record_chains
	unsigned time;       // of enum record_time
	const char
		*counts; // the option that names this time, for readers of the recording, or NULL
	bool any_chains; // take frame pointers if the kernel copies no stacks
	uint32_t stack_size; // bytes of each stack that RECORD_DWARF copies
	bool wakers;  // with RECORD_OFF_CPU or RECORD_WALL: record wake-ups, with the stack of the
		      // waker
	bool hurries; // set by recorder_new(): its thread runs before all others
	bool no_user_chain; // RECORD_DWARF: without the kernel's own chain of user frames, of which
			    // perf would show both
	struct record_code code;
	struct root *root; // opens the counters; NULL: this process does
	const char *kallsyms,
		*modules; // the kernel's symbols and modules; NULL: as /proc shows them
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

/** How a recording ended. */
struct record_end {
	struct record_runs runs;
	int status;          // of the program's last run; 128 and the number of a signal
	int signal;          // the signal that ended the program; 0: none
	bool stopped;        // the recording was stopped before the program ended
	bool early;          // it ended before the sampling began
	double user, system; // seconds of processor time of the program or the processes
	bool user_only;      // the time in the kernel was not sampled
	bool hidden; // the unsampled time in the kernel was added to the recording, as one frame
	int32_t unended; // the program, if it still runs after it was asked to end; 0: it ended
	int32_t left;    // a process that the program has started and that still runs; 0: none
	size_t left_n;   // number of such processes
};

struct recorder;

/** Return whether the events are those of record_io_events. */
static inline bool record_counts_io(const struct record_options *options) {
	return options->counts != NULL && strcmp(options->counts, "--io") == 0;
}

/** Return whether the counters are switched on after a delay. If a program is run several times,
 * they are on all the time, as they would count in this process, too, and the samples of each
 * delay are left out. */
static inline bool record_starts_late(const struct record_options *options) {
	return options->plan.delay > 0 && options->plan.repeat <= 1;
}

/** Return whether RECORD_DWARF works on this processor. */
bool record_copies_stacks(void);

/** Prepare to sample: open the counters, and make a process that waits to become the program.
 * Return NULL after diag_error(). */
struct recorder *recorder_new(const struct record_options *options, struct diag *diag);

/** Start the program and the sampling. From now on, SIGINT, SIGTERM and SIGHUP stop the
 * recording. Return
 * 0, or -1 after diag_error(). */
int recorder_start(struct recorder *recorder);

/** Wait for more of the recording, and fill `bytes` with at most `size` of them. Return how many; 0
 * at the end. */
ptrdiff_t recorder_read(void *recorder, void *bytes, size_t size);

/** Wait for more of the recording, up to a number of milliseconds. Return whether recorder_read()
 * would not wait. */
bool recorder_wait(struct recorder *recorder, unsigned milliseconds);

/** Stop a recording whose end was not read, and wait for its program. Return 0, or -1 after
 * diag_error() if a run of the program did not start. */
int recorder_finish(struct recorder *recorder, struct record_end *end);

/** Add a phrase with the environment variables that were set for the runtimes that ran; nothing if
 * none ran. */
void recorder_format_runtimes(const struct recorder *recorder, struct buf *text);

/** Add a phrase about the runtime in process `i`, which ran before the recording; nothing for most.
 * Set `good` if its functions have names. Return false after the last. Call this after
 * recorder_finish(). */
bool recorder_format_running(const struct recorder *recorder, size_t i, struct buf *text,
			     bool *good);

void recorder_free(struct recorder *recorder);

#endif
