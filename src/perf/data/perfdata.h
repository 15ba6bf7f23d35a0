/** Read a recording of `perf record` in the order of time: its samples, and the changes of threads.
 * The recording may be a file or a pipe. A recording may be compressed or cut off, and may have
 * either byte order. */
#pragma once

#include "base/input.h"
#include "perf/data/event.h"
#include "perf/data/machine.h"
#include "perf/data/scripted.h"

/** The kind of code at an address of a stack. */
enum perfdata_place { PLACE_ELSEWHERE, PLACE_KERNEL, PLACE_USER };

/** One address of a stack. */
struct perfdata_frame {
	uint64_t ip;
	uint8_t place;  // a value of enum perfdata_place
	bool is_return; // the address is a return address: the call is just before it
};

/** An address in memory, with the image that is mapped there. */
struct perfdata_location {
	const struct image *image; // NULL: not known
	uint64_t address; // address in the image's object; without an image, the address in memory
	uint64_t shown;   // address as perf prints it
};

/** The state of the outermost caller of a stack. */
enum perfdata_root {
	ROOT_WHOLE,   // the outermost caller is present, or its state is not known
	ROOT_CUT,     // the outermost callers are missing, because only a part of the stack was
		      // recorded
	ROOT_LIMITED, // the outermost callers are missing, because the kernel stopped at its limit
		      // of frames
	ROOT_OTHER_STACK, // the outermost callers are missing, because they are on another stack
};

struct perfdata_sample {
	const struct perfdata_event *event;
	uint64_t time;   // in nanoseconds
	uint64_t period; // occurrences of the event since the last sample
	uint64_t ip;
	int32_t pid, tid;
	uint32_t cpu;
	const struct thread *thread;
	const struct perfdata_frame *frames; // innermost first
	size_t depth;
	bool has_chain; // call chains were recorded; the chain of this sample may be empty
	uint8_t root;   // a value of enum perfdata_root
	struct str raw; // fields of a tracepoint's sample
};

enum perfdata_change {
	CHANGE_RUNS,
	CHANGE_PREEMPTED, // the thread stops, but could continue to run on a free processor
	CHANGE_STOPS,
	CHANGE_BORN,
	CHANGE_EXEC,
	CHANGE_EXIT,
	CHANGE_DELAYED, // `delay` is the total time that the thread has waited for a processor
};

/** A change of a thread. For example, the thread starts or stops running, calls exec(), or ends. */
struct perfdata_switch {
	enum perfdata_change change;
	uint64_t time;
	int32_t pid, tid;
	const struct thread *thread;
	uint64_t delay; // for CHANGE_DELAYED: the total time, in nanoseconds
};

/** Reasons why some time is not sampled. */
enum perfdata_reason {
	REASON_SHORT,         // a thread gets a sample only if it runs for a whole period
	REASON_SHORT_AS_ROOT, // like REASON_SHORT, but a recording by root would have samples of
			      // this time
	REASON_LEFT,   // processes have left the control group that was sampled
	REASON_BARRED, // a program that runs with the rights of another user may not be sampled
};

/** The count of an event in a thread or in all threads, with the occurrences that no sample
 * covers. */
struct perfdata_used {
	const struct perfdata_event *event;
	int32_t pid, tid;
	const struct thread *thread; // thread that has ended
	uint64_t count;
	bool is_total; // whether the count is the total of all sampled threads; `thread` is then
		       // the first thread
	enum perfdata_reason reason; // reason why some time of the total is in no sample
};

/** Functions that receive records. Each returns 0, or -1 after diag_error() to stop. */
struct perfdata_consumer {
	int (*sample)(void *context, const struct perfdata_sample *sample);
	int (*switched)(void *context, const struct perfdata_switch *change); // may be NULL
	int (*used)(void *context, const struct perfdata_used *used);         // may be NULL
	int (*scripted)(void *context, const struct scripted *scripted);      // may be NULL
	void *context;
};

/** Numbers about the quality of a recording; see perfdata_quality(). */
struct perfdata_quality {
	uint64_t samples;   // number of samples of all events
	uint64_t lost;      // samples that the kernel dropped because it had no room for them
	uint64_t truncated; // stacks that were cut off
	// those of the truncated stacks that reached the kernel's limit of frames
	uint64_t limited;
	uint64_t other_stack; // stacks whose callers are on another stack
	uint64_t broken;      // samples that cannot be read: too short, or of an unknown event
	uint64_t broken_at;   // offset of the first broken sample in the recording
	uint64_t late;        // records that came too late to be put in order
	uint64_t end;         // number of bytes that were read of the recording
	uint64_t first;       // time of the first record that has a time
	uint64_t last;        // time of the last record
	uint64_t shortened;   // time from which less of each stack was copied; 0: never
	bool cut_off;         // the recording is cut off
	// A thread that this user may not sample, because its program runs with the rights of
	// another user. NULL: no such thread.
	const struct thread *barred;
};

/** The results of unwinding recorded stacks: how many stacks ended in each way. */
struct perfdata_unwound {
	uint64_t whole; // stacks that were unwound up to the start of the thread
	uint64_t cut, other_stack, lost;
	uint64_t extended; // stacks whose missing callers were found in another way
};

struct perfdata;

/** Return whether a file that starts with these bytes is a recording of perf. */
bool perfdata_is(struct str start);

/** Read the start of a recording. If the recording is a file, read everything except the records.
 * Borrow the input and `diag`. Return NULL after diag_error(). */
struct perfdata *perfdata_open(struct input *input, const struct symbols_options *options,
			       struct diag *diag);

/** Read all records. Return 0, or -1 after diag_error(). */
int perfdata_read(struct perfdata *data, const struct perfdata_consumer *consumer);

/** Return the events of a recording. For a pipe, these are the events that were read so far. */
const struct perfdata_events *perfdata_events(const struct perfdata *data);

/** Return the mappings to which a frame of a sample belongs: those of its process or of the kernel.
 * Return NULL if the mappings are not known. */
static inline const struct mappings *perfdata_mappings(const struct machine *machine,
						       const struct perfdata_sample *sample,
						       const struct perfdata_frame *frame) {
	return frame->place == PLACE_KERNEL ? &machine->kernel
	       : frame->place == PLACE_USER ? &sample->thread->process->mappings
					    : NULL;
}

const struct machine *perfdata_machine(const struct perfdata *data);

struct symbols *perfdata_symbols(const struct perfdata *data);

const struct perfdata_quality *perfdata_quality(const struct perfdata *data);

struct perfdata_unwound perfdata_unwound(const struct perfdata *data);

/** The options of `inferno record` that say what to count in the recording. */
struct perfdata_counts {
	bool off_cpu, wall, latency, wakers, io;
};

/** Return the options with which `inferno record` made the recording, such as --wall. If the
 * recording comes from a pipe, the options are known only from the first sample on. */
struct perfdata_counts perfdata_counts(const struct perfdata *data);

enum perfdata_text { PERFDATA_HOSTNAME, PERFDATA_RELEASE, PERFDATA_ARCH, PERFDATA_TEXTS };

/** Return a text about the machine from the recording. If the recording lacks it, return an empty
 * text. */
struct str perfdata_text(const struct perfdata *data, enum perfdata_text which);

/** Return the kernel's descriptions of tracepoints. If the recording lacks them, return an empty
 * text. */
struct str perfdata_tracing(const struct perfdata *data);

/**
 * Return whether the byte order of fields inside samples differs from the byte order of this
 * machine.
 */
bool perfdata_swapped(const struct perfdata *data);

void perfdata_close(struct perfdata *data);
