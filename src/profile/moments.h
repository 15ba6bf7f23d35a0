/** Keep the exact times at which stacks were sampled. Output files with exact times need these
 * times. profile_cut() needs them, too. Each sample takes about 8 bytes, unlike in the buckets of
 * profile/time_buckets.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct profile;

/** A count of a stack in the time from `from` to `to`, in nanoseconds. If the count belongs to one
 * point in time, `from` equals `to`. */
struct moment {
	uint64_t from, to, count;
	uint32_t stack, thread; // the ids of the stack and of the thread's label
};

/** The moments of one thread, in order of arrival until moments_sort() sorts them. */
struct moments_thread {
	struct buf bytes;   // all moments except the last one, encoded by moments_put()
	struct moment last; // the last moment
	uint64_t first;     // start of the first moment
	size_t n;           // number of moments
	bool unsorted;      // whether moments_sort() has to sort the moments
};

/** A zeroed struct is empty. */
struct moments {
	struct moments_thread *threads; // indexed by the id of the thread's label
	size_t threads_n, capacity;
	size_t n;  // number of moments of all threads
	bool each; // whether each sample has a moment of its own
};

/** A position in the moments of a thread. Do not add or change moments while you use it. */
struct moments_cursor {
	const struct moments_thread *thread;
	const unsigned char *at; // position in the thread's bytes
	uint64_t from;           // start of the next moment
	size_t left;             // number of moments from the next one to the end
	struct moment now;       // the moment that moments_next() found
};

/** Return the position before the first moment of a thread. */
struct moments_cursor moments_start(const struct moments *moments, uint32_t thread);

/** Go to the next moment. Return false after the last one. */
bool moments_next(struct moments_cursor *cursor);

/** Add a moment. Unless `each` is set, extend the last moment of the thread instead if it has the
 * same stack, if the new moment begins at its end, and if the count of each of the two moments is
 * its duration. */
void moments_add(struct moments *moments, const struct moment *moment);

/** Replace each id of a stack by `new_stacks[id]`. Drop the moments of stacks that are left out. */
void moments_renumber(struct moments *moments, uint32_t *new_stacks);

/** Add all moments of `from`. `new_stacks` and `new_threads` have the new id of each stack and
 * thread of `from`. */
void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_stacks,
		   const uint32_t *new_threads);

/** Sort the moments of each thread by time. */
void moments_sort(struct moments *moments);

void moments_release(struct moments *moments);

/** If the counts of the profile's moments are weights, divide the count of each stack among its
 * moments in proportion to these weights. Call this function after the last input, before
 * profile_finish(). */
void profile_settle_moments(struct profile *profile);

/** Keep only the counts between two times, in nanoseconds since the first moment. If a moment is
 * only partly between the two times, keep the corresponding part of its count. Drop stacks without
 * a count, and drop all times. Call profile_settle_moments() first. Return the number of stacks. */
size_t profile_cut(struct profile *profile, uint64_t from, uint64_t to);
