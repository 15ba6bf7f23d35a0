/** For --io, determine how many bytes threads read and write, and how long their system calls take.
 * The source of these numbers are the tracepoints at the start and at the end of system calls. */
#ifndef INFERNO_PERF_FILE_IO_H
#define INFERNO_PERF_FILE_IO_H

#include "base/intern.h"
#include "perf/data/perfdata.h"
#include "perf/recording.h"

/** The times at which threads entered a system call. A zeroed struct is empty. */
struct file_io {
	struct intern entered; // thread ids; the value is the time
};

/** If an event is the tracepoint at the end of a system call, return the name of this call. For any
 * other event, return an empty text. */
struct str file_io_call(const struct perfdata_event *event);

/** Note the sample of a tracepoint. Return whether the sample is at the end of a call that counts
 * more than 0, and set `*count`. */
bool file_io_end(struct file_io *io, const struct perfdata_sample *sample, enum file_io_count what,
		 uint64_t *count);

void file_io_release(struct file_io *io);

#endif
