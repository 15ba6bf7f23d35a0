/** Find names in folders that are similar to a misspelt name. */
#pragma once

#include "base/buf.h"

/** A search for the name that is closest to a misspelt name. */
struct nearest {
	const char *wanted;
	struct buf name; // the best match so far
	// distance between `name` and `wanted`; before the first match, the least distance that is
	// too large
	size_t distance;
};

/** Begin to search. A similar name differs from the wanted name in at most a quarter of its
 * letters, or in one letter if the name is short. */
struct nearest nearest_to(const char *wanted);

/** Compare the names of the regular files in `folder`. Skip files that the user may not read, or,
 * if `programs` is set, may not run. */
void nearest_look_into(struct nearest *nearest, const char *folder, bool programs);

/** End the search. If a similar name was found, add "did you mean", the text `before` and the name.
 * Return whether a similar name was found. */
bool nearest_add(struct buf *text, struct nearest *nearest, struct str before);
