/**
 * A queue of bytes in memory between two threads: one thread adds bytes, the other takes them.
 * stream_add() waits only while the queue has STREAM_MOST bytes or more.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { STREAM_PART = 256 << 10, STREAM_MOST = 1 << 30 };

struct stream_part;

struct stream {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct stream_part *first, *last;
	struct stream_part *spare; // kept for reuse; may be NULL
	size_t n;                  // bytes in the queue
	bool ended;                // no more bytes will be added
	bool abandoned;            // no more bytes will be taken
};

void stream_init(struct stream *stream);

/** Add bytes. The bytes are dropped if the reader has abandoned the stream. */
void stream_add(struct stream *stream, const void *bytes, size_t n);

/** Return the number of bytes in the queue. */
size_t stream_size(struct stream *stream);

void stream_end(struct stream *stream);

/** Wait up to a number of milliseconds for bytes. Return whether stream_take() can now return
 * without waiting. */
bool stream_wait(struct stream *stream, unsigned milliseconds);

/**
 * Wait for bytes, and take at most `size` of them. Return the number of taken bytes, or 0 after the
 * end.
 */
size_t stream_take(struct stream *stream, void *bytes, size_t size);

/** Drop all bytes in the queue, and all bytes that are added later. */
void stream_abandon(struct stream *stream);

void stream_release(struct stream *stream);
