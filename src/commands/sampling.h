/**
 * Inferno's own sampler, as record uses it. It needs Linux. On other systems, and in builds with
 * -Drecord=disabled, no_sampling.c takes the place of sampling.c, and other profilers take the
 * samples.
 */
#ifndef INFERNO_COMMANDS_SAMPLING_H
#define INFERNO_COMMANDS_SAMPLING_H

#include "commands/recording.h"
#include "perf/watch.h"
#include "record/record.h"

/** A request to sample. */
struct sampling_config {
	const struct recording_options *options;
	const struct recording_target *target;
	const char *call_graph;
	bool keeps_recording; // whether perf may read the recording
	bool rate_given; // whether --freq was given, which then also applies to tracepoints and
			 // similar events
};

struct sampling;

/** Return whether this program has the sampler. */
bool sampling_exists(void);

/** Return whether stacks can be copied and unwound. */
bool sampling_copies_stacks(void);

/** Check a list of processors. Return NULL, or a description of the expected value. */
const char *sampling_check_cpus(const char *list);

/** Check names of events, except those of tracepoints, which only root may look up. Return 0, or -1
 * after diag_error(). */
int sampling_check_events(const struct opt_list *lists, struct diag *diag);

/** Start to sample. Return NULL after diag_error(). */
struct sampling *sampling_start(const struct sampling_config *config, struct diag *diag);

/** Fill `bytes` with the next part of the recording, and wait for it if necessary. Return their
 * number, or 0 at the end. */
ptrdiff_t sampling_read(struct sampling *sampling, void *bytes, size_t size);

/** Return the callback for the samples while they are folded; its function is NULL if no callback
 * is needed. */
struct perf_watch sampling_watch(struct sampling *sampling);

/** Convert a part of the recording that was read, and add the bytes to `out`. The file gets the
 * format of perf.data files, which more programs read than the form for pipes. */
void sampling_store(struct sampling *sampling, const void *bytes, size_t n, struct buf *out);

/** End the file: add its last bytes to `out`, and set `start` to bytes that must be written over
 * its first ones. */
void sampling_end_store(struct sampling *sampling, struct buf *out, struct buf *start);

/** Return the path of the kernel's symbols that --root has read, or NULL. */
const char *sampling_kallsyms(const struct sampling *sampling);

/** Wait for the end. Return 0, or -1 after diag_error(). */
int sampling_finish(struct sampling *sampling, struct record_end *end);

/** Add a phrase with the environment variables that were set for the program and that its runtimes
 * used. */
void sampling_format_runtimes(const struct sampling *sampling, struct buf *text);

/** Add a phrase about the runtime in process `i`, which ran before the recording. For most
 * processes, add nothing. Set `good` if its functions have names. Return false after the last
 * process. */
bool sampling_format_running(const struct sampling *sampling, size_t i, struct buf *text,
			     bool *good);

void sampling_free(struct sampling *sampling);

/** Run as the helper of --root. Return 0, or -1 after diag_error(). */
int sampling_serve_root(const char *name, struct diag *diag);

#endif
