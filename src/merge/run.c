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

static char *put_number(char *at, uint64_t value) {
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
static void end_entry(struct run_writer *writer) {
	struct buf *bytes = &writer->run.bytes;
	if (writer->any) {
		char *at = buf_room(bytes, NUMBER_MOST);
		bytes->n += (size_t)(put_number(at, writer->count) - at);
	}
}

void run_add(struct run_writer *writer, struct str stack, size_t common, uint64_t count) {
	struct buf *bytes = &writer->run.bytes;
	end_entry(writer);
	if (writer->run.fd >= 0 && bytes->n >= WINDOW) {
		flush(writer);
	}
	struct str rest = str_from(stack, common);
	char *at = buf_room(bytes, HEAD_MOST + rest.n), *next = put_number(at, common);
	next = put_number(next, rest.n);
	memcpy(next, rest.p, rest.n);
	bytes->n += (size_t)(next - at) + rest.n;
	writer->count = count;
	writer->any = true;
}

struct sorted_run run_end(struct run_writer *writer) {
	struct sorted_run *run = &writer->run;
	end_entry(writer);
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

static uint64_t take_number(struct str *rest) {
	uint64_t value = 0;
	unsigned shift = 0;
	while (rest->n > 0) {
		unsigned char byte = (unsigned char)rest->p[0];
		*rest = str_from(*rest, 1);
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte < 0x80) {
			break;
		}
	}
	return value;
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
			break;
		}
		window->n += (size_t)n;
		reader->at += (size_t)n;
	}
	reader->rest = buf_str(window);
}

void run_next(struct run_reader *reader) {
	struct str *rest = &reader->rest;
	fill(reader, HEAD_MOST);
	reader->more = rest->n > 0;
	if (!reader->more) {
		return;
	}
	reader->common = (size_t)take_number(rest);
	size_t n = (size_t)take_number(rest);
	fill(reader, n + NUMBER_MOST);
	reader->more = n <= rest->n; // else a read failed
	if (reader->more) {
		reader->stack.n = reader->common;
		buf_add(&reader->stack, rest->p, n);
		*rest = str_from(*rest, n);
		reader->count = take_number(rest);
	}
}

void run_reader_init(struct run_reader *reader, const struct sorted_run *run) {
	*reader = (struct run_reader){.fd = run->fd, .end = run->fd < 0 ? 0 : run->size};
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
