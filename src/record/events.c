/* Names of events, which other profilers know, too. */
#include "record/record.h"

const char *const record_events[RECORD_EVENTS + 1] = {
	"auto",      "cycles",     "instructions", "branch-misses",    "cache-misses",
	"cpu-clock", "task-clock", "page-faults",  "context-switches", NULL};
