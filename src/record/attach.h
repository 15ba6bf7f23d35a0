/** Attach counters to the threads of running processes. */
#pragma once

#include "record/counters.h"

/** Open the counters of all threads of the processes that the options name. Return 0, or -1 after
 * diag_error(). */
int attach(struct counters *counters);
