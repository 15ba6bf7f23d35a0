/** Keep the exact times at which stacks were sampled. Output files with exact times need these
 * times. profile_cut() needs them, too. Each sample takes memory, unlike in the buckets of
 * profile/time_buckets.h. */
#ifndef INFERNO_MOMENTS_H
#define INFERNO_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;

/** A count of a stack in the time from `from` to `to`, in nanoseconds. If the count belongs to one
 * point in time, `from` equals `to`. */
struct moment {
	uint64_t from, to, count;
	uint32_t stack, thread; // the ids of the stack and of the thread's label
};

/** A zeroed struct is empty. */
struct moments {
	struct moment *items; // in order of arrival
	size_t n, capacity;
	bool each; // whether each sample has a moment of its own
};

/** Add a moment. Unless `each` is set, extend the last moment instead if it has the same stack and
 * thread, if the new moment begins at its end, and if the count of each of the two moments is its
 * duration. */
void moments_add(struct moments *moments, const struct moment *moment);

/** Replace each id of a stack by `new_stacks[id]`. Drop the moments of stacks that are left out. */
void moments_renumber(struct moments *moments, const uint32_t *new_stacks);

/** Add all moments of `from`. `new_stacks` and `new_threads` have the new id of each stack and
 * thread of `from`. */
void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_stacks,
		   const uint32_t *new_threads);

/** Sort by thread, then by time. */
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

#endif
