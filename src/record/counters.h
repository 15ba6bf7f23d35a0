/** The kernel's counters that take samples: one counter for each event, thread and processor. If
 * the kernel refuses a counter, the request is reduced step by step, as long as the samples stay
 * useful. */
#pragma once

#include <linux/perf_event.h>

#include "base/buf.h"
#include "record/cpus.h"
#include "record/events.h"
#include "record/record.h"

struct counter {
	int fd;         // descriptor; -1: the processor is switched off
	int cpu;        // -1: any
	int32_t tid;    // thread; -1: all processes
	unsigned event; // index in `attrs`
};

enum { NO_THREAD = INT32_MIN };

enum {
	// largest number of events besides the requested ones and their variants with shorter
	// stacks
	COUNTERS_OTHERS = 3,
	COUNTERS_SHORT_STACK = 8192,
};

/** The control group whose processes are counted. */
struct counters_group {
	int fd;     // descriptor of the folder, see counters_use_group(); -1: threads are counted
	int opened; // descriptor of the requested group; -1: none
	struct buf path; // path of the group, if the helper of --root opens it
};

struct counters {
	const struct record_options *options;
	struct diag *diag;
	// attributes with which events are opened: first the requested events, then the other
	// events
	struct perf_event_attr *attrs;
	unsigned events, asked; // number of all events, and of the requested ones
	unsigned tried; // number of events that were opened at least once; the attributes of these
			// events are no longer reduced
	bool hides_kernel;     // whether the kernel may not be sampled
	unsigned short_event;  // index of the first event that copies less of each stack; each
			       // requested event has such an event; 0: there are none
	unsigned switch_event; // index of the event added for switches; 0: none
	struct {
		unsigned event; // index of the event of waking a thread; 0: not recorded
		int32_t tid;    // the event is opened together with the counters of this thread;
				// NO_THREAD: with the counters of the next thread
	} waking;
	struct buf description; // the kernel's description of the event of waking, as a recording
				// stores it
	bool may_shorten;       // whether events that copy less of each stack may be added
	bool shortened;         // whether the events that copy less of each stack are in use
	struct cpus cpus;       // processors that are online, or the requested ones
	struct counter *items;
	size_t n, capacity;
	int own; // descriptor, see counters_add_own(); -1: not open
	struct counters_group group;
	bool any_cpu;       // see counters_take_any_cpu()
	struct buf lacking; // a phrase about the parts of the request that the kernel refused
};

/** Prepare to open counters. Return 0, or -1 after diag_error(). */
int counters_init(struct counters *counters, const struct record_options *options,
		  struct diag *diag);

enum { COUNTERS_TOO_MANY = 1 };

/** Open the counters of a thread. The id -1 means all processes, or all processes of the control
 * group. A running thread that has ended is left out. Return 0; -1 after diag_error(); or
 * COUNTERS_TOO_MANY if too many files are open: then call counters_take_any_cpu(), and try
 * again. */
int counters_add(struct counters *counters, int32_t tid);

/** From now on, open only one counter for each thread and event. This counter counts on every
 * processor, and copies at most COUNTERS_SHORT_STACK bytes of each stack. A thread that starts
 * later does not inherit the counter, and is not sampled. */
void counters_take_any_cpu(struct counters *counters);

/** Close all counters in `items`. */
void counters_clear(struct counters *counters);

/** Open counters that sample each child of this process from the child's exec() on. They never
 * sample this process itself. Return 0, or -1 after diag_error(). */
int counters_add_own(struct counters *counters);

/** Make counters_add() open counters of a whole control group. `group` is a descriptor of the
 * group's folder. counters_start() switches these counters on. Return false if the kernel does not
 * allow counters of a group. */
bool counters_use_group(struct counters *counters, int group);

/** Switch on the counters of a control group: unlike those of a thread, they do not switch
 * themselves on when the program starts. */
void counters_start(const struct counters *counters);

/** Open counters of a whole control group, by its name. Return 0, or -1 after diag_error(). */
int counters_add_group(struct counters *counters, const char *name);

/** Return the id that the samples of a counter have, or 0 if the counter is not open. */
uint64_t counter_id(const struct counter *counter);

/** Switch on the counters of all events that are in use, see counters_shorten(); or switch off all
 * counters. */
void counters_enable(const struct counters *counters);
void counters_disable(const struct counters *counters);

/** Copy less of each stack from now on, or the requested size again, if there are events that copy
 * less. */
void counters_shorten(struct counters *counters, bool shortened);

/** Return whether the kernel may copy less of each stack, because the threads that read script
 * stacks read the rest of a stack. They need priority for this, because the rest of a stack changes
 * when the sampled thread runs again. */
bool counters_extends(const struct record_options *options);

/** Return whether an event copies less of each stack than the requested event does. */
bool counters_is_short(const struct counters *counters, unsigned event);

/** Return the count of the first event in all threads, including occurrences without a sample. */
uint64_t counters_total(const struct counters *counters);

/** Return whether the first event counts time, or cycles, which are nearly proportional to time.
 * Return false if the user excluded user code or the kernel. */
bool counters_count_time(const struct counters *counters);

/** Return by how much the event counts in a nanosecond, estimated from the count during `user`
 * seconds of user code. Return 0 if the event does not count time, or counts cycles and `user` is
 * 0. */
double counters_per_nanosecond(const struct counters *counters, double user);

/** Add a phrase to `lacking`. */
__attribute__((format(printf, 2, 3))) void counters_lack(struct counters *counters,
							 const char *format, ...);

void counters_release(struct counters *counters);
