/** A line on the terminal during a recording, with its duration, the number of samples, and the
 * functions with the most samples. */
#pragma once

#include "perf/watch.h"
#include "record/record.h"

struct live;

/** Prepare to show a recording that is not started yet. Return NULL if standard error is not a
 * terminal, or if the line is switched off. If `live` is NULL, the functions below do nothing. */
struct live *live_new(struct recorder *recorder, struct diag *diag);

/** Return the watcher of the samples. If no line is shown, the watcher's function is NULL. */
struct perf_watch live_watch(struct live *live);

/** Remember that the recording was started. */
void live_start(struct live *live);

/** Wait until more of the recording can be read. Show the line during this wait. */
void live_wait(struct live *live);

void live_free(struct live *live);
