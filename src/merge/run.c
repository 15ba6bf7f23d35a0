/*
 * Runs. An entry is: the number of bytes that the stack shares with the one before, the number of
 * its other bytes, these bytes, and the count. Numbers have seven bits in each byte, the lowest
 * first; the highest bit tells that more follow.
 */
#include "merge/run.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/scratch.h"

enum {
	NUMBER_MOST = 10,  // bytes of a number
	WINDOW = 64 << 10, // bytes of a file to write or read at a time
	HEAD_MOST = 2 * NUMBER_MOST,
};

/* --- Writing -------------------------------------------------------------------------------- */

struct run_writer run_writer_new(bool in_file) {
	struct run_writer writer = {.run.fd = -1};
	if (in_file) {
		writer.run.fd = scratch_open();
		writer.error = writer.run.fd < 0 ? errno : 0;
	}
	return writer;
}

static inline char *put_number(char *at, uint64_t value) {
	for (; value >= 0x80; value >>= 7) {
		*at++ = (char)(value | 0x80);
	}
	*at++ = (char)value;
	return at;
}

/** Write the entries that were collected to the file. */
static void flush(struct run_writer *writer) {
	struct buf *bytes = &writer->run.bytes;
	if (writer->error == 0 && scratch_write(writer->run.fd, bytes->p, bytes->n) != 0) {
		writer->error = errno;
	}
	writer->run.size += bytes->n;
	buf_clear(bytes);
}

/** Write the count of the last stack, which ends its entry. */
static inline char *end_entry(const struct run_writer *writer, char *at) {
	return writer->any ? put_number(at, writer->count) : at;
}

void run_add(struct run_writer *writer, struct str stack, size_t common, uint64_t count) {
	struct buf *bytes = &writer->run.bytes;
	if (writer->run.fd >= 0 && bytes->n >= WINDOW) {
		flush(writer);
	}
	struct str rest = str_from(stack, common);
	char *at = end_entry(writer, buf_room(bytes, NUMBER_MOST + HEAD_MOST + rest.n));
	at = put_number(put_number(at, common), rest.n);
	memcpy(at, rest.p, rest.n);
	bytes->n = (size_t)(at - bytes->p) + rest.n;
	writer->count = count;
	writer->any = true;
}

struct sorted_run run_end(struct run_writer *writer) {
	struct sorted_run *run = &writer->run;
	run->bytes.n =
		(size_t)(end_entry(writer, buf_room(&run->bytes, NUMBER_MOST)) - run->bytes.p);
	writer->any = false;
	if (run->fd >= 0) {
		flush(writer);
		buf_release(&run->bytes);
		return *run;
	}
	size_t size = run->bytes.n;
	run->size = size;
	char *less = size == 0 ? NULL : realloc(run->bytes.p, size);
	if (less != NULL) {
		run->bytes.p = less;
		run->bytes.capacity = size;
	}
	return *run;
}

/* --- Reading -------------------------------------------------------------------------------- */

static inline const char *take_number(const char *at, uint64_t *value) {
	unsigned shift = 0;
	for (*value = 0; (unsigned char)*at >= 0x80; shift += 7) {
		*value |= (uint64_t)(*at++ & 0x7f) << shift;
	}
	*value |= (uint64_t)*at << shift;
	return at + 1;
}

/** Read until `rest` has `want` bytes, or all that are left. */
static void fill(struct run_reader *reader, size_t want) {
	struct buf *window = &reader->window;
	if (reader->fd < 0 || reader->rest.n >= want || reader->at == reader->end) {
		return;
	}
	if (reader->rest.n > 0) {
		memmove(window->p, reader->rest.p, reader->rest.n);
	}
	window->n = reader->rest.n;
	size_t room = want > WINDOW ? want : WINDOW;
	while (window->n < want && reader->at < reader->end) {
		ssize_t n = pread(reader->fd, buf_room(window, room), room, (off_t)reader->at);
		if (n <= 0) {
			reader->error = n < 0 ? errno : EIO;
			reader->end = reader->at;
			buf_clear(window); // no entry is whole
			break;
		}
		window->n += (size_t)n;
		reader->at += (size_t)n;
	}
	reader->rest = buf_str(window);
}

void run_next(struct run_reader *reader) {
	struct str *rest = &reader->rest;
	uint64_t common, n;
	if (rest->n < HEAD_MOST) {
		fill(reader, HEAD_MOST);
	}
	reader->more = rest->n > 0;
	if (!reader->more) {
		return;
	}
	const char *at = take_number(take_number(rest->p, &common), &n);
	*rest = str_from(*rest, (size_t)(at - rest->p));
	if (rest->n < n + NUMBER_MOST) {
		fill(reader, (size_t)n + NUMBER_MOST);
		reader->more = n < rest->n; // else a read failed
	}
	if (reader->more) {
		struct buf *stack = &reader->stack;
		reader->common = stack->n = (size_t)common;
		memcpy(buf_room(stack, (size_t)n), rest->p, (size_t)n);
		stack->n += (size_t)n;
		at = take_number(rest->p + n, &reader->count);
		*rest = str_from(*rest, (size_t)(at - rest->p));
	}
}

void run_reader_init(struct run_reader *reader, const struct sorted_run *run) {
	*reader = (struct run_reader){
		.fd = run->fd, .end = run->fd < 0 ? 0 : run->size, .side = run->side};
	reader->rest = buf_str(&run->bytes);
	run_next(reader);
}

void run_reader_release(struct run_reader *reader) {
	buf_release(&reader->window);
	buf_release(&reader->stack);
}

void run_release(struct sorted_run *run) {
	buf_release(&run->bytes);
	if (run->fd >= 0) {
		close(run->fd);
	}
	run->fd = -1;
}
