/**
 * Turn a recording in the form for pipes into the form for files. More programs can read the form
 * for files. A recording for pipes starts with records of attributes and features. A recording in a
 * file starts with a header that has the offsets of the attributes, the data and the features.
 */
#ifndef INFERNO_PERFDATA_STORED_H
#define INFERNO_PERFDATA_STORED_H

#include "base/buf.h"

enum { STORED_FEATURES = 256 };

/** A zeroed struct is ready to use. */
struct stored {
	struct buf head;                      // the pipe's bytes before the data begins
	bool opened;                          // whether the first bytes were seen
	bool begun;                           // whether the data has begun
	size_t attribute_size;                // size of an attribute in the file
	struct buf ids, attributes;           // sections of the file
	struct buf features[STORED_FEATURES]; // features; empty: the recording lacks this feature
	uint64_t data_offset, data_size;
};

/** Process a part of the pipe, and add the next bytes of the file to `out`. */
void stored_take(struct stored *stored, const void *bytes, size_t n, struct buf *out);

/** End the recording. Add to `out` the last bytes of the file, and set `start` to the bytes that
 * must replace the first bytes of the file. */
void stored_end(struct stored *stored, struct buf *out, struct buf *start);

void stored_release(struct stored *stored);

#endif
