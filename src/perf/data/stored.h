/**
 * Turn a recording in the form for pipes into the form for files, which more programs read. Its
 * attributes and features come first in the former. In the latter, a header at the start says where
 * the attributes, the data and the features are.
 */
#ifndef INFERNO_PERFDATA_STORED_H
#define INFERNO_PERFDATA_STORED_H

#include "base/buf.h"

enum { STORED_FEATURES = 256 };

/** A zeroed one has taken nothing. */
struct stored {
	struct buf head;                      // of the pipe, until its data begins
	bool opened;                          // its first bytes were seen
	bool begun;                           // its data has begun
	size_t attribute_size;                // of each in the file
	struct buf ids, attributes;           // sections of the file
	struct buf features[STORED_FEATURES]; // empty: there is none
	uint64_t data_offset, data_size;
};

/** Take a part of the pipe, and add to `out` the next bytes of the file. */
void stored_take(struct stored *stored, const void *bytes, size_t n, struct buf *out);

/** End the recording. Add to `out` the last bytes of the file, and set `start` to the bytes
 * that replace its start. */
void stored_end(struct stored *stored, struct buf *out, struct buf *start);

void stored_release(struct stored *stored);

#endif
