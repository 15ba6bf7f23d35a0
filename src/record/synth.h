/** Records that the recorder itself writes, because the kernel writes no such records. */
#pragma once

#include <linux/perf_event.h>

#include "base/buf.h"
#include "perf/data/machine.h"

/** The thread and the time of a record. A zeroed struct means the time before the recording. */
struct synth_at {
	int32_t pid, tid;
	uint64_t time; // in nanoseconds
};

/** Begin a record. Return its offset, for synth_end(). */
size_t synth_begin(struct buf *out, uint32_t type, uint16_t misc);

/** Pad a record to whole words, and set its size. */
void synth_end(struct buf *out, size_t start);

/** End a record of a type that the kernel also writes. Such a record ends with these fields:
 * thread, time, processor, id. */
void synth_end_with(struct buf *out, size_t start, const struct synth_at *at);

void synth_u32(struct buf *out, uint32_t value);
void synth_u64(struct buf *out, uint64_t value);
void synth_zeros(struct buf *out, size_t n);

/** Add a text with a NUL, padded to whole words. The text is cut if it is longer than any path. */
void synth_text(struct buf *out, struct str text);

void synth_mapping(struct buf *out, const struct mapped *mapped);
void synth_comm(struct buf *out, int32_t pid, int32_t tid, struct str comm);

/** Add a record which says that a child of the recorder will become the program. Readers
 * leave out the samples of the child until it becomes the program. */
void synth_starting(struct buf *out, int32_t pid, struct str comm);

/** Add a record that gives code of the kernel a name. */
void synth_symbol(struct buf *out, uint64_t address, uint32_t size, struct str name);

/** Add a record with the time of an event. An address identifies the event. */
void synth_mark(struct buf *out, uint64_t address, struct str name, uint64_t time);

/** An address that stands for all addresses of the kernel, for users who may not sample the
 * kernel. */
#define SYNTH_HIDDEN_KERNEL UINT64_C(0xffffffff00000000)

/** Add a sample of one address in the kernel. */
void synth_sample(struct buf *out, const struct perf_event_attr *attr, uint64_t id,
		  const struct synth_at *at, uint64_t address, uint64_t period);

enum { SYNTH_REGISTERS = 33 };

/** A stack that was read from a thread. */
struct synth_stack {
	const uint64_t *chain; // addresses, innermost first, with a mark before the kernel's
			       // addresses, and another mark before the program's addresses
	size_t chain_n;
	uint64_t sp, ip, fp;                 // registers of the program; ip 0: not known
	uint64_t registers[SYNTH_REGISTERS]; // registers of the processor, as in samples
	struct str copy;                     // bytes of the stack from `sp` on
};

/** Add a sample of a whole stack. */
void synth_stack(struct buf *out, const struct perf_event_attr *attr, uint64_t id,
		 const struct synth_at *at, const struct synth_stack *stack);

/** Add a record of how many nanoseconds a thread has waited for a processor so far. */
void synth_delay(struct buf *out, const struct synth_at *at, uint64_t delay);

/** Add a record which says that a thread starts or stops running. */
void synth_switch(struct buf *out, const struct synth_at *at, bool runs);

/** Add a record of the total count of all sampled processes. `reason` (enum perfdata_reason) says
 * why a part of this count may be in no sample. */
void synth_total(struct buf *out, const struct synth_at *at, uint64_t count, unsigned reason);

/** Add a record that only has a time. */
void synth_time(struct buf *out, uint64_t time);
