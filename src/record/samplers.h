/**
 * The script stacks of samples. A reading thread is bound to each processor. The reading thread
 * examines each new sample in its processor's ring at once, and reads the script stack of the
 * sampled thread. The sampled thread had to stop so that the reading thread could run, so its stack
 * has not changed since the sample. Records of switches prove that the sampled thread stopped.
 *
 * The reading threads leave the records in the rings. Another thread moves the records, together
 * with the script stacks, into the stream.
 */
#pragma once

#include "record/rings.h"

struct samplers;

/** Prepare to read script stacks. Add the names of the interpreters' own functions to `out`. */
struct samplers *samplers_new(const struct counters *counters, struct buf *out);

/** Start the threads. */
void samplers_start(struct samplers *samplers, const struct rings *rings);

/** Let the threads examine all samples that are in the rings, and stop the threads. */
void samplers_stop(struct samplers *samplers);

/** Check whether a running process has an interpreter. */
void samplers_look(struct samplers *samplers, int32_t pid);

/** Return whether the functions of a process are read. */
bool samplers_reads(const struct samplers *samplers, int32_t pid);

/** Process a record: note if a process starts, ends, or maps a file. */
void samplers_note(struct samplers *samplers, const char *record, size_t size);

/** Give the thread of the ring's processor a short time to examine the new samples of the ring.
 * Then examine the remaining samples in the calling thread. Return the offset up to which the
 * records of the ring may be taken. */
uint64_t samplers_limit(struct samplers *samplers, size_t ring, uint64_t head);

/** If a script stack was read for the sample at this offset of a ring, add the record of this stack
 * to `out`. Return the number of samples that the sample counts for; or 0 if it is left out. Add
 * the bytes of the native stack that the kernel has not copied to `more`. */
uint32_t samplers_take(struct samplers *samplers, size_t ring, uint64_t place, const char *record,
		       struct buf *out, struct buf *more);

/** Return whether the threads read the parts of stacks that the kernel does not copy. */
bool samplers_extends(const struct samplers *samplers);

/** Stop reading the parts of stacks that the kernel does not copy. */
void samplers_extend_no_more(struct samplers *samplers);

/** Add the records that do not belong to a sample, such as names. */
void samplers_take_facts(struct samplers *samplers, struct buf *out);

/** Return the descriptor that can be read when the rings should be emptied. */
int samplers_fd(const struct samplers *samplers);

/** Make samplers_fd() unreadable until the rings should be emptied again. */
void samplers_heed(struct samplers *samplers);

void samplers_free(struct samplers *samplers);
