/** A list of processors, by number. */
#pragma once

#include "base/diag.h"

/** A zeroed list has no processors. Release `items` with free(). */
struct cpus {
	int *items;
	size_t n, capacity;
};

/** Return whether a text is a list of processors, such as "0-3,6". */
bool cpus_check(const char *list);

/** Add all processors that are online. */
void cpus_find(struct cpus *cpus);

/** Keep only the processors in a list that cpus_check() accepted. Return 0, or -1 after
 * diag_error() if `cpus` does not have one of them. */
int cpus_keep(struct cpus *cpus, const char *list, struct diag *diag);
