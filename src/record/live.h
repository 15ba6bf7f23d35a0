/** A line on the terminal while a recording goes on: how long, how many samples, and the functions
 * that most of them are in. */
#ifndef INFERNO_RECORD_LIVE_H
#define INFERNO_RECORD_LIVE_H

#include "perf/watch.h"
#include "record/record.h"

struct live;

/** Prepare to show a recording that was not started. Return NULL if standard error is no terminal,
 * or nothing is to be shown. All functions below do nothing for NULL. */
struct live *live_new(struct recorder *recorder, struct diag *diag);

/** Return the watcher of the samples; its function is NULL if nothing is to be shown. */
struct perf_watch live_watch(struct live *live);

/** Note that the recording was started. */
void live_start(struct live *live);

/** Wait until the recording can be read, and show the line meanwhile. */
void live_wait(struct live *live);

void live_free(struct live *live);

#endif
