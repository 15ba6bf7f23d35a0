/** Cut off call paths with a small share of all counts. */
#pragma once

#include "merge/merger.h"

// the separator sorts before all bytes of names, so that callees follow callers
enum { PRUNE_SEPARATOR = '\0' };

/**
 * Add the stacks of `from` to the current input of `into`. In `from`, PRUNE_SEPARATOR separates
 * frames; in `into`, semicolons do. A call whose total is below `least` is cut off, and its total
 * is added to its caller's self count. Root frames are never cut off. Return 0, or -1 after
 * diag_error().
 */
int prune(struct merger *from, struct merger *into, uint64_t least);
