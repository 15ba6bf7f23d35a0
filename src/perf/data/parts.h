/**
 * Read the files of a recording of `perf record --threads`. The recording is a folder. The file
 * `data` has the header, and the files `data.0`, `data.1` and so on have the records. Each of the
 * latter files has the records of one processor, in the order of time.
 */
#pragma once

#include "perf/data/records.h"

/** A function that returns the time of a record, or 0 if it has no time. */
typedef uint64_t parts_time(void *context, const struct record *record);

struct parts {
	struct part *items;
	size_t n, capacity;
	struct part *last; // part whose record was returned last
	uint64_t limit;    // earliest time of a record in all other parts, when `last` was chosen
};

/** Open the parts beside the file `path`. Return 0, or -1 after diag_error(). */
int parts_open(struct parts *parts, const char *path, struct diag *diag, bool swap);

/** Fetch the next record of all parts in the order of time. The record is valid until the next
 * call. Return 1 if a record was read, 0 at the end, or -1 after diag_error(). */
int parts_next(struct parts *parts, parts_time *time, void *context, struct record *record);

/** Return the number of missing bytes, summed over all parts that are cut off. */
uint64_t parts_missing(const struct parts *parts);

void parts_release(struct parts *parts);
