/** Names in folders that are similar to a misspelt one. */
#ifndef INFERNO_NEAREST_H
#define INFERNO_NEAREST_H

#include "base/buf.h"

/** A search for the name that is closest to a misspelt one. */
struct nearest {
	const char *wanted;
	struct buf name; // the best so far
	size_t distance; // of it
};

/** Begin to search: a name may differ in a fourth of its letters, and in one at least. */
struct nearest nearest_to(const char *wanted);

/** Look at the files in a folder, or only at those that may be run. */
void nearest_look_into(struct nearest *nearest, const char *folder, bool programs);

/** Ask whether the similar name, `before` it in the same folder, was meant, if there is one. End
 * the search. Return whether there is one. */
bool nearest_add(struct buf *text, struct nearest *nearest, struct str before);

#endif
