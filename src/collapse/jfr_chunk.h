/**
 * Files of Java Flight Recorder: chunks, the events in them, and the forms of numbers and strings.
 *
 * A recording is a sequence of chunks. The header of a chunk has the offsets of its metadata and
 * its constant pools. Metadata, constant pools and samples are events. An event begins with its
 * size and type.
 */
#pragma once

#include "collapse/collapser.h"

/** The encodings of a string. */
enum { JFR_NULL, JFR_EMPTY, JFR_POOLED, JFR_UTF8, JFR_CHARS, JFR_LATIN1 };

/** The value of a field. */
struct jfr_value {
	uint64_t number; // a number, an id in a pool, or the length of a list or of a string
	struct str text; // bytes of a string, or items of a list
	unsigned char encoding;
};

/** The header of a chunk. */
struct jfr_chunk {
	uint64_t at, end; // the range of the chunk in the file
	uint64_t pools, metadata;
	// the clock: the first time in ns, the ticks at this time, and the ticks of a second
	uint64_t start, start_ticks, ticks_a_second;
	uint64_t stop; // the last time in ns, at which the next chunk of the recording starts
	bool open;     // whether the chunk is still being written
};

/**
 * A recording. One chunk is read at a time. Zero-initialise all members except those before the
 * blank line.
 */
struct jfr_file {
	struct run *run;
	struct input *input;
	struct diag *diag;
	uint64_t size;
	uint64_t window_at;
	struct buf window; // bytes of the chunk from `window_at`
	struct jfr_chunk chunk;
};

/** An event: its size, its type, and the further bytes of the event that are in memory. */
struct jfr_event {
	uint64_t size, type;
	struct str rest;
};

enum {
	JFR_HEAD = 68,
	JFR_EVENT_HEAD = 18, // most bytes that the size and the type of an event take
};

/** Report a fault at a byte of the file. Return -1. */
int jfr_fail(const struct jfr_file *file, uint64_t at, const char *what);

/** Cut a number off the front. Each byte has seven bits of the number, the lowest bits first; a
 * ninth byte has eight bits. Return false if the bytes end before the number. */
static inline bool jfr_take_number(struct str *rest, uint64_t *number) {
	enum { BITS = 7, LAST = 8 };
	uint64_t value = 0;
	for (unsigned i = 0; i < rest->n; i++) {
		uint64_t byte = (unsigned char)rest->p[i];
		if (byte < 0x80 || i == LAST) {
			*number = value | byte << (i * BITS);
			rest->p += i + 1;
			rest->n -= i + 1;
			return true;
		}
		value |= (byte & 0x7f) << (i * BITS);
	}
	return false;
}

/** Cut a string off the front. Return false if the bytes end inside the string, or if its encoding
 * is unknown. */
bool jfr_take_string(struct str *rest, struct jfr_value *value);

/** Add the text of a string that is not in a pool. */
void jfr_add_string(struct buf *text, const struct jfr_value *value);

/** Set `*bytes` to the bytes of the chunk from the offset `at` on, at least `n` bytes. The bytes
 * are valid until the next call. Return 0, or -1 after diag_error(). */
int jfr_look(struct jfr_file *file, uint64_t at, uint64_t n, struct str *bytes);

/** Read the size and the type of the event at the offset `at`. If `whole` is set, read all bytes of
 * the event. `most` is the greatest possible size of the event. Return 0, or -1 after
 * diag_error(). */
int jfr_look_event(struct jfr_file *file, uint64_t at, uint64_t most, bool whole,
		   struct jfr_event *event);

enum jfr_found { JFR_FAILED = -1, JFR_CHUNK, JFR_UNFINISHED };

/** Read the header of the chunk at the offset `at`. Return JFR_FAILED after diag_error(). Return
 * JFR_UNFINISHED if the header is not filled in yet, or, in a lenient run, if the file ends inside
 * the chunk. */
enum jfr_found jfr_read_header(struct jfr_file *file, uint64_t at);

/** Find the first header of a chunk at or after the offset `*at`. Set `*at` to the offset of this
 * header, or to the end of the file if there is no further header. Return 0, or -1 after
 * diag_error(). */
int jfr_find_chunk(struct jfr_file *file, uint64_t *at);
