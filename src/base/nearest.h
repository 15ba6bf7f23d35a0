/** Names in folders that are similar to a misspelt one. */
#ifndef INFERNO_NEAREST_H
#define INFERNO_NEAREST_H

#include "base/buf.h"

/** A search for the name that is closest to a misspelt one. */
struct nearest {
	const char *wanted;
	struct buf name; // the best match so far
	size_t distance; // of it
};

/** Begin to search. A name may differ from the wanted one in a quarter of its letters, at least
 * one. */
struct nearest nearest_to(const char *wanted);

/** Compare the names of all files in a folder, or only of files that may be run. */
void nearest_look_into(struct nearest *nearest, const char *folder, bool programs);

/** End the search. If a similar name was found, add "did you mean" and the name, with `before` in
 * front of it. Return whether one was found. */
bool nearest_add(struct buf *text, struct nearest *nearest, struct str before);

#endif
