/** For --io, determine the bytes that threads read and write, and the time that this takes, from
 * the tracepoints at the start and the end of system calls. */
#ifndef INFERNO_PERF_FILE_IO_H
#define INFERNO_PERF_FILE_IO_H

#include "base/intern.h"
#include "perf/data/perfdata.h"
#include "perf/recording.h"

/** The times at which threads entered a system call. A zeroed struct is empty. */
struct file_io {
	struct intern entered; // by thread: the time
};

/** Return the name of the system call at whose end an event is sampled; or an empty text for any
 * other event. */
struct str file_io_call(const struct perfdata_event *event);

/** Note the sample of an event. Return whether the sample ends a call with a count above 0, and set
 * `*count`. */
bool file_io_end(struct file_io *io, const struct perfdata_sample *sample, enum file_io_count what,
		 uint64_t *count);

void file_io_release(struct file_io *io);

#endif
