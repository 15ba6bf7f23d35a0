/**
 * Inferno's own sampler, for the command record. The sampler needs Linux. On other systems, and in
 * builds with -Drecord=disabled, no_sampling.c replaces sampling.c, and other profilers take the
 * samples.
 */
#pragma once

#include "commands/recording.h"
#include "perf/watch.h"
#include "record/record.h"

/** A request to sample. */
struct sampling_config {
	const struct recording_options *options;
	const struct recording_target *target;
	const char *call_graph;
	bool keeps_recording; // whether files get the recording, which perf may read
	bool rate_given; // whether --freq was given, which then also applies to tracepoints and
			 // similar events
};

struct sampling;

/** Return whether this program was built with the sampler. */
bool sampling_exists(void);

/** Return whether stacks can be copied and unwound. */
bool sampling_copies_stacks(void);

/** Check a list of processors. Return NULL, or a description of the expected value. */
const char *sampling_check_cpus(const char *list);

/** Check the names of events, except the names of tracepoints, which only root may look up. Return
 * 0, or -1 after diag_error(). */
int sampling_check_events(const struct opt_list *lists, struct diag *diag);

/** Start to sample. Return NULL after diag_error(). */
struct sampling *sampling_start(const struct sampling_config *config, struct diag *diag);

/** Fill `bytes` with the next part of the recording. If necessary, wait for this part. Return the
 * number of bytes, or 0 at the end. */
ptrdiff_t sampling_read(struct sampling *sampling, void *bytes, size_t size);

/** Return the callback to call for each sample that is folded. If no callback is needed, its
 * function is NULL. */
struct perf_watch sampling_watch(struct sampling *sampling);

/** Convert a part of the recording that was read, and add the bytes to `out`. The result has the
 * format of perf.data files, because more programs read this format than the form for pipes. */
void sampling_store(struct sampling *sampling, const void *bytes, size_t n, struct buf *out);

/** End the file: add its last bytes to `out`, and set `start` to the bytes that must replace its
 * first bytes. */
void sampling_end_store(struct sampling *sampling, struct buf *out, struct buf *start);

/** Return the path of the file with the kernel's symbols that the helper of --root has read, or
 * NULL. */
const char *sampling_kallsyms(const struct sampling *sampling);

/** Wait for the end of the sampling. Return 0, or -1 after diag_error(). */
int sampling_finish(struct sampling *sampling, struct record_end *end);

/** Add a phrase that lists the environment variables that were set for the program and that its
 * runtimes used. */
void sampling_format_runtimes(const struct sampling *sampling, struct buf *text);

/** Add a phrase about the runtime in process `i`, which ran before the recording. For most
 * processes, add nothing. Set `good` to whether the runtime wrote the names of its functions on
 * request. Return false after the last process. */
bool sampling_format_running(const struct sampling *sampling, size_t i, struct buf *text,
			     bool *good);

void sampling_free(struct sampling *sampling);

/** Run as the helper of --root. Return 0, or -1 after diag_error(). */
int sampling_serve_root(const char *name, struct diag *diag);
