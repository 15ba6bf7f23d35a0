/**
 * Turn a recording in the form for pipes into the form for files. More programs can read the form
 * for files than the form for pipes. In the form for pipes, a recording starts with records of
 * attributes and features. In the form for files, it starts with a header with the offsets of the
 * attributes, the data and the features.
 */
#pragma once

#include "base/buf.h"

enum { STORED_FEATURES = 256 };

/** A zeroed struct is ready to use. */
struct stored {
	struct buf head;                      // bytes of the pipe before the start of the data
	bool opened;                          // the first bytes were processed
	bool begun;                           // the data has begun
	size_t attribute_size;                // size of an attribute in the file
	struct buf ids, attributes;           // sections of the file: ids of events, and attributes
	struct buf features[STORED_FEATURES]; // features; empty: the recording lacks this feature
	uint64_t data_offset, data_size;
};

/** Process a part of the pipe, and add the next bytes of the file to `out`. */
void stored_take(struct stored *stored, const void *bytes, size_t n, struct buf *out);

/** End the recording. Add to `out` the last bytes of the file, and set `start` to the bytes that
 * must replace the first bytes of the file. */
void stored_end(struct stored *stored, struct buf *out, struct buf *start);

void stored_release(struct stored *stored);
