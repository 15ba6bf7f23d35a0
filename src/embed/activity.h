/**
 * The times and threads in which the frames of a picture were active, for the page: the counts of
 * every bucket of time, compressed, in base64. docs/picture.md has the format.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "base/output.h"

struct pack;
struct picture;

enum { ACTIVITY_THREADS = 64 }; // most threads that are shown; all others are added up

/** A zeroed struct has no times. */
struct activity {
	struct buf bytes; // packed bytes, before base64; empty: the input has no times
	bool deflated;
	uint64_t start;   // start of the first bucket, in ns
	uint64_t width;   // width of a bucket, in ns
	uint64_t buckets; // number of buckets, from the first to the last one that is not empty
	size_t threads;   // number of shown threads; the last one may be the sum of the others
	size_t others;    // number of threads in the sum; 0: there is no sum
};

/**
 * Pack the times of a picture's profile. `pack` is the packed profile. If some samples have no
 * time, warn, and leave all times out. Return 0, or -1 if the run must end.
 */
int activity_build(struct activity *activity, const struct picture *picture,
		   const struct pack *pack, struct diag *diag);

/** Write the element that holds the times; or nothing if there are no times. */
void activity_write(struct output *out, const struct activity *activity);

void activity_release(struct activity *activity);
