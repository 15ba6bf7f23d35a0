/**
 * The stacks of threads that wait when the sampling begins. The kernel takes a sample only when a
 * thread stops running, so a thread that hangs for the whole recording would have no sample.
 *
 * The stack of a thread is read through /proc and from the memory of its process, while the thread
 * is not stopped. Before the sampling begins, a thread is stopped for a moment to read its
 * registers, but only if it waits in a system call that the kernel resumes safely. The registers
 * are used only if the thread still waits at the same place when the sampling begins.
 */
#pragma once

#include "base/intern.h"
#include "record/counters.h"
#include "record/record.h"
#include "record/synth.h"

struct waiters_stopped;

struct waiters {
	const struct counters *counters;
	unsigned event;                  // event of the samples
	struct intern stopped;           // threads that were stopped for a moment
	struct record_stops stops;       // number of stopped threads, and longest stop
	struct waiters_stopped *details; // registers of the stopped threads
	size_t capacity;
	unsigned pauses;         // number of pauses that were made to wait until threads stop
	struct intern functions; // names of the kernel's functions; the id of a name determines the
				 // made-up address of the function
	size_t bytes;            // number of bytes of all stacks so far
	uint64_t time;           // time of the samples
	struct buf *out;         // receives the samples
};

/** Prepare to read threads. */
void waiters_init(struct waiters *waiters, const struct counters *counters, struct buf *out);

/** Read the registers of those threads of a process that wait. Skip children of this process,
 * because tracing a child would take its exit status away from the code that waits for the
 * child. */
void waiters_stop(struct waiters *waiters, int32_t pid);

/** Add a sample of a thread that does not run, if any part of its stack is known. */
void waiters_add(struct waiters *waiters, int32_t pid, int32_t tid, char state);

/**
 * Return whether the stacks of a process can be read. If the stacks cannot be read, put the reason
 * into `text`.
 */
bool waiters_can_read(int32_t pid, struct buf *text);

void waiters_release(struct waiters *waiters);
