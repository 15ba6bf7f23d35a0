/** For --io, determine how many bytes threads read and write, and how long their system calls take.
 * These numbers come from the tracepoints at the start and at the end of system calls. */
#pragma once

#include "base/intern.h"
#include "perf/data/perfdata.h"
#include "perf/recording.h"

/** The times at which threads entered a system call. A zeroed struct is empty. */
struct file_io {
	struct intern entered; // keys are thread ids; the value is the time of the entry
};

/** If an event is the tracepoint at the end of a system call, return the name of this call. For any
 * other event, return an empty text. */
struct str file_io_call(const struct perfdata_event *event);

/** Remember the sample of a tracepoint. If the sample is at the end of a call whose count is above
 * 0, set `*count` and return true. */
bool file_io_end(struct file_io *io, const struct perfdata_sample *sample, enum file_io_count what,
		 uint64_t *count);

void file_io_release(struct file_io *io);
