/**
 * The script stacks of samples: for each processor, a thread that is bound to it looks at each
 * sample in that processor's ring as soon as it is there, and reads the stack of the sampled
 * thread. That thread was stopped to let this one run, so it is still where the sample was taken;
 * records of switches prove it.
 *
 * The records stay in the ring. The thread that collects takes them, with what was read.
 */
#ifndef INFERNO_RECORD_SAMPLERS_H
#define INFERNO_RECORD_SAMPLERS_H

#include "record/rings.h"

struct samplers;

/** Prepare. Add the names of the interpreters' own functions to `out`. */
struct samplers *samplers_new(const struct counters *counters, struct buf *out);

/** Start the threads. */
void samplers_start(struct samplers *samplers, const struct rings *rings);

/** Stop the threads. All samples in the rings have been looked at. */
void samplers_stop(struct samplers *samplers);

/** Find out whether a running process has an interpreter. */
void samplers_look(struct samplers *samplers, int32_t pid);

/** Return whether the functions of a process are read. */
bool samplers_reads(const struct samplers *samplers, int32_t pid);

/** Note a record, if it tells that a process starts, ends, or gets a file. */
void samplers_note(struct samplers *samplers, const char *record, size_t size);

/** Return up to where in a ring all was looked at: at least up to `head`. A new sample gets some
 * time to be looked at by the thread of its processor. */
uint64_t samplers_limit(struct samplers *samplers, size_t ring, uint64_t head);

/** Add the script stack of the sample at a place in a ring, if it was read. */
void samplers_take(struct samplers *samplers, size_t ring, uint64_t place, const char *record,
		   struct buf *out);

/** Add records that belong to no sample. */
void samplers_take_facts(struct samplers *samplers, struct buf *out);

/** Return the descriptor that can be read when the rings should be emptied. */
int samplers_fd(const struct samplers *samplers);

/** Note that they are being emptied. */
void samplers_heed(struct samplers *samplers);

void samplers_free(struct samplers *samplers);

#endif
