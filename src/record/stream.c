/* A queue of bytes between two threads. */
#include "record/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

struct stream_part {
	struct stream_part *next;
	size_t at, n; // number of bytes taken so far, and number added so far
	char bytes[STREAM_PART];
};

void stream_init(struct stream *stream) {
	*stream = (struct stream){0};
	pthread_mutex_init(&stream->lock, NULL);
	pthread_cond_init(&stream->changed, NULL);
}

/** Return the last part, or a new part if the last part is full. */
static struct stream_part *stream_part_with_room(struct stream *stream) {
	struct stream_part *part = stream->last;
	if (part != NULL && part->n < STREAM_PART) {
		return part;
	}
	part = stream->spare != NULL ? stream->spare : malloc(sizeof(*part));
	if (part == NULL) {
		inferno_out_of_memory();
	}
	stream->spare = NULL;
	part->next = NULL;
	part->at = part->n = 0;
	*(stream->last == NULL ? &stream->first : &stream->last->next) = part;
	stream->last = part;
	return part;
}

void stream_add(struct stream *stream, const void *bytes, size_t n) {
	const char *from = bytes;
	pthread_mutex_lock(&stream->lock);
	while (!stream->abandoned && stream->n >= STREAM_MOST) {
		pthread_cond_wait(&stream->changed, &stream->lock);
	}
	while (!stream->abandoned && n > 0) {
		struct stream_part *part = stream_part_with_room(stream);
		size_t room = STREAM_PART - part->n, here = n < room ? n : room;
		memcpy(part->bytes + part->n, from, here);
		part->n += here;
		stream->n += here;
		from += here;
		n -= here;
	}
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
}

size_t stream_size(struct stream *stream) {
	pthread_mutex_lock(&stream->lock);
	size_t n = stream->n;
	pthread_mutex_unlock(&stream->lock);
	return n;
}

void stream_end(struct stream *stream) {
	pthread_mutex_lock(&stream->lock);
	stream->ended = true;
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
}

/** Drop the first part. Keep the memory of this part for reuse, if no other part is kept. */
static void stream_drop_first(struct stream *stream) {
	struct stream_part *part = stream->first;
	stream->first = part->next;
	stream->last = stream->first == NULL ? NULL : stream->last;
	stream->n -= part->n - part->at;
	if (stream->spare == NULL) {
		stream->spare = part;
	} else {
		free(part);
	}
}

/** Return whether there are no bytes to take, and more may come. */
static bool stream_must_wait(const struct stream *stream) {
	return stream->n == 0 && !stream->ended;
}

bool stream_wait(struct stream *stream, unsigned milliseconds) {
	enum { SECOND = 1000, MILLION = 1000000 };
	struct timespec until;
	int problem = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(milliseconds / SECOND);
	until.tv_nsec += (long)(milliseconds % SECOND) * MILLION;
	if (until.tv_nsec >= SECOND * MILLION) {
		until.tv_sec++;
		until.tv_nsec -= SECOND * MILLION;
	}
	pthread_mutex_lock(&stream->lock);
	while (stream_must_wait(stream) && problem == 0) {
		problem = pthread_cond_timedwait(&stream->changed, &stream->lock, &until);
	}
	bool ready = !stream_must_wait(stream);
	pthread_mutex_unlock(&stream->lock);
	return ready;
}

size_t stream_take(struct stream *stream, void *bytes, size_t size) {
	char *to = bytes;
	size_t taken = 0;
	pthread_mutex_lock(&stream->lock);
	while (stream_must_wait(stream)) {
		pthread_cond_wait(&stream->changed, &stream->lock);
	}
	bool was_full = stream->n >= STREAM_MOST;
	while (taken < size && stream->first != NULL) {
		struct stream_part *part = stream->first;
		size_t left = part->n - part->at, here = size - taken < left ? size - taken : left;
		memcpy(to + taken, part->bytes + part->at, here);
		part->at += here;
		stream->n -= here;
		taken += here;
		if (part->at == part->n) {
			stream_drop_first(stream);
		}
	}
	if (was_full) {
		pthread_cond_broadcast(&stream->changed);
	}
	pthread_mutex_unlock(&stream->lock);
	return taken;
}

void stream_abandon(struct stream *stream) {
	pthread_mutex_lock(&stream->lock);
	stream->abandoned = true;
	while (stream->first != NULL) {
		stream_drop_first(stream);
	}
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
}

void stream_release(struct stream *stream) {
	while (stream->first != NULL) {
		stream_drop_first(stream);
	}
	free(stream->spare);
	pthread_cond_destroy(&stream->changed);
	pthread_mutex_destroy(&stream->lock);
}
