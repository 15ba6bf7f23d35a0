/** A line on the terminal while a recording goes on: how long, how many samples, and the functions
 * that most of them are in. */
#ifndef INFERNO_RECORD_LIVE_H
#define INFERNO_RECORD_LIVE_H

#include "record/record.h"

struct live;

/** Prepare to show a recording that was not started. `kallsyms` is a file with the kernel's
 * symbols, or NULL; it is borrowed. Return NULL if standard error is no terminal, or nothing is to
 * be shown. All functions below do nothing for NULL. */
struct live *live_new(struct recorder *recorder, const char *kallsyms, struct diag *diag);

/** Start to look at the recording, which was started. */
void live_start(struct live *live);

/** Wait until the recording can be read, and show the line meanwhile. */
void live_wait(struct live *live);

/** Free it after the recording has ended. */
void live_free(struct live *live);

#endif
