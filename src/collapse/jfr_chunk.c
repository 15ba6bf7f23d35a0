/* Bytes of recordings of Java Flight Recorder. */
#include "collapse/jfr_chunk.h"

enum { JFR_WINDOW = 1 << 18 };

int jfr_fail(const struct jfr_file *file, uint64_t at, const char *what) {
	return diag_error(file->diag, "%s: byte %llu: %s", input_name(file->input),
			  (unsigned long long)at, what);
}

/* --- Strings -------------------------------------------------------------------------------- */

bool jfr_take_string(struct str *rest, struct jfr_value *value) {
	if (rest->n == 0) {
		return false;
	}
	*value = (struct jfr_value){.encoding = (unsigned char)rest->p[0]};
	*rest = str_from(*rest, 1);
	if (value->encoding <= JFR_EMPTY) {
		return true;
	}
	if (value->encoding > JFR_LATIN1 || !jfr_take_number(rest, &value->number)) {
		return false;
	}
	if (value->encoding == JFR_POOLED) {
		return true;
	}
	value->text = *rest;
	if (value->encoding == JFR_CHARS) {
		uint64_t unit;
		for (uint64_t i = 0; i < value->number; i++) {
			if (!jfr_take_number(rest, &unit)) {
				return false;
			}
		}
		value->text.n -= rest->n;
		return true;
	}
	if (value->number > rest->n) {
		return false;
	}
	value->text.n = (size_t)value->number;
	*rest = str_from(*rest, value->text.n);
	return true;
}

/** Add a character in UTF-8. */
static void jfr_chunk_add_point(struct buf *text, uint32_t point) {
	enum { SIX = 6, LOW = 0x3f, TAIL = 0x80 };
	if (point < 0x80) {
		buf_add_char(text, (char)point);
		return;
	}
	if (point < 0x800) {
		buf_add_char(text, (char)(0xc0 | point >> SIX));
	} else if (point < 0x10000) {
		buf_add_char(text, (char)(0xe0 | point >> 2 * SIX));
		buf_add_char(text, (char)(TAIL | (point >> SIX & LOW)));
	} else {
		buf_add_char(text, (char)(0xf0 | (point >> 3 * SIX & 7)));
		buf_add_char(text, (char)(TAIL | (point >> 2 * SIX & LOW)));
		buf_add_char(text, (char)(TAIL | (point >> SIX & LOW)));
	}
	buf_add_char(text, (char)(TAIL | (point & LOW)));
}

/** Add the text of UTF-16 code units, each of which is stored as a number. */
static void jfr_chunk_add_chars(struct buf *text, struct str units) {
	enum { TEN = 10, HIGH = 0xd800, LOW = 0xdc00, END = 0xe000, BEYOND = 0x10000 };
	uint64_t unit, next;
	while (units.n > 0 && jfr_take_number(&units, &unit)) {
		struct str rest = units;
		uint32_t point = unit < BEYOND ? (uint32_t)unit : 0xfffd;
		if (point >= HIGH && point < LOW && jfr_take_number(&rest, &next) && next >= LOW &&
		    next < END) {
			point = BEYOND + ((point - HIGH) << TEN) + ((uint32_t)next - LOW);
			units = rest;
		}
		// replace one half of a surrogate pair
		point = point >= HIGH && point < END ? 0xfffd : point;
		jfr_chunk_add_point(text, point);
	}
}

void jfr_add_string(struct buf *text, const struct jfr_value *value) {
	if (value->encoding == JFR_CHARS) {
		jfr_chunk_add_chars(text, value->text);
	} else if (value->encoding == JFR_LATIN1) {
		for (size_t i = 0; i < value->text.n; i++) {
			jfr_chunk_add_point(text, (unsigned char)value->text.p[i]);
		}
	} else {
		buf_add_str(text, value->text);
	}
}

/* --- Events --------------------------------------------------------------------------------- */

int jfr_look(struct jfr_file *file, uint64_t at, uint64_t n, struct str *bytes) {
	uint64_t end = file->chunk.end, skip = at - file->window_at;
	if (at < file->window_at || skip + n > file->window.n) {
		size_t want = n > JFR_WINDOW ? (size_t)n : JFR_WINDOW;
		want = want < end - at ? want : (size_t)(end - at);
		buf_clear(&file->window);
		ptrdiff_t got = input_read_at(file->input, at, buf_room(&file->window, want), want);
		if (got < 0 || (uint64_t)got < n) {
			return got < 0 ? -1 : jfr_fail(file, at, "the file ends early");
		}
		file->window.n = (size_t)got;
		file->window_at = at;
		skip = 0;
	}
	*bytes = str_from(buf_str(&file->window), (size_t)skip);
	return 0;
}

int jfr_look_event(struct jfr_file *file, uint64_t at, uint64_t most, bool whole,
		   struct jfr_event *event) {
	struct str bytes;
	if (jfr_look(file, at, most < JFR_EVENT_HEAD ? most : JFR_EVENT_HEAD, &bytes) != 0) {
		return -1;
	}
	event->rest = bytes;
	bool good = jfr_take_number(&event->rest, &event->size) &&
		    jfr_take_number(&event->rest, &event->type);
	size_t head = bytes.n - event->rest.n;
	if (!good || event->size < head || event->size > most) {
		return jfr_fail(file, at, "an event that does not fit into its chunk");
	}
	if (whole && event->size > bytes.n && jfr_look(file, at, event->size, &bytes) != 0) {
		return -1;
	}
	event->rest = str_from(
		str_to(bytes, (size_t)(event->size < bytes.n ? event->size : bytes.n)), head);
	return 0;
}

/* --- Chunks --------------------------------------------------------------------------------- */

static uint64_t jfr_chunk_load(const char *p, size_t n) {
	uint64_t number = 0;
	for (size_t i = 0; i < n; i++) {
		number = number << 8 | (unsigned char)p[i];
	}
	return number;
}

/** Offsets of the fields in the header of a chunk. */
enum {
	JFR_AT_VERSION = 4,
	JFR_AT_SIZE = 8,
	JFR_AT_POOLS = 16,
	JFR_AT_METADATA = 24,
	JFR_AT_START = 32,
	JFR_AT_DURATION = 40,
	JFR_AT_START_TICKS = 48,
	JFR_AT_TICKS = 56,
	JFR_AT_OPEN = 64,
	JFR_AT_FLAGS = 67,
};

/** Check that the `got` bytes at the offset `at` are the header of a chunk, in a version that
 * inferno reads. */
static int jfr_chunk_check_magic(const struct jfr_file *file, uint64_t at, const char *head,
				 ptrdiff_t got) {
	if (got < JFR_AT_VERSION || memcmp(head, "FLR", JFR_AT_VERSION) != 0) {
		return jfr_fail(file, at, "not a chunk of a recording of Java Flight Recorder");
	}
	if (got < JFR_HEAD) {
		return jfr_fail(file, at, "the file ends in the header of a chunk");
	}
	uint64_t version = jfr_chunk_load(head + JFR_AT_VERSION, 2);
	return version == 2
		       ? 0
		       : diag_error(file->diag,
				    "%s: byte %llu: version %llu of the format cannot be read, "
				    "only version 2, which JDK 11 and later write",
				    input_name(file->input), (unsigned long long)at,
				    (unsigned long long)version);
}

/** Check the numbers of a header. Inferno reads only chunks whose numbers are compressed. */
static int jfr_chunk_check(const struct jfr_file *file, const struct jfr_chunk *chunk,
			   bool compressed) {
	// limit, so that the product with the nanoseconds of a second fits into 64 bits
	const uint64_t most_ticks = 10000000000;
	if (!compressed) {
		return jfr_fail(file, chunk->at, "a chunk whose numbers are not compressed");
	}
	uint64_t size = chunk->end - chunk->at, pools = chunk->pools - chunk->at,
		 metadata = chunk->metadata - chunk->at;
	return pools < JFR_HEAD || metadata < JFR_HEAD || pools >= size || metadata >= size ||
			       chunk->ticks_a_second == 0 || chunk->ticks_a_second > most_ticks
		       ? jfr_fail(file, chunk->at, "a chunk with a bad offset or clock")
		       : 0;
}

enum jfr_found jfr_read_header(struct jfr_file *file, uint64_t at) {
	char head[JFR_HEAD];
	ptrdiff_t got = input_read_at(file->input, at, head, sizeof(head));
	if (got < 0 || jfr_chunk_check_magic(file, at, head, got) != 0) {
		return JFR_FAILED;
	}
	uint64_t size = jfr_chunk_load(head + JFR_AT_SIZE, 8),
		 pools = jfr_chunk_load(head + JFR_AT_POOLS, 8),
		 metadata = jfr_chunk_load(head + JFR_AT_METADATA, 8);
	if (size == 0 || pools == 0 || metadata == 0) {
		return JFR_UNFINISHED;
	}
	file->chunk = (struct jfr_chunk){
		.at = at,
		.end = at + size,
		.pools = at + pools,
		.metadata = at + metadata,
		.start = jfr_chunk_load(head + JFR_AT_START, 8),
		.start_ticks = jfr_chunk_load(head + JFR_AT_START_TICKS, 8),
		.ticks_a_second = jfr_chunk_load(head + JFR_AT_TICKS, 8),
		.stop = jfr_chunk_load(head + JFR_AT_START, 8) +
			jfr_chunk_load(head + JFR_AT_DURATION, 8),
		.open = head[JFR_AT_OPEN] != 0,
	};
	if (size > file->size - at) {
		int result =
			run_bad(file->run, 0,
				"byte %llu: a chunk of %llu bytes, and the file ends after %llu",
				(unsigned long long)at, (unsigned long long)size,
				(unsigned long long)(file->size - at));
		return result == 0 ? JFR_UNFINISHED : JFR_FAILED;
	}
	bool compressed = (head[JFR_AT_FLAGS] & 1) != 0;
	return jfr_chunk_check(file, &file->chunk, compressed) == 0 ? JFR_CHUNK : JFR_FAILED;
}

int jfr_find_chunk(struct jfr_file *file, uint64_t *at) {
	static const char magic[] = {'F', 'L', 'R', 0, 0, 2};
	char block[1 << 14];
	for (;;) {
		ptrdiff_t got = input_read_at(file->input, *at, block, sizeof(block));
		if (got < 0) {
			return -1;
		}
		size_t n = (size_t)got;
		for (size_t i = 0; i + sizeof(magic) <= n; i++) {
			if (memcmp(block + i, magic, sizeof(magic)) == 0) {
				*at += i;
				return 0;
			}
		}
		if (n < sizeof(block)) {
			*at = file->size;
			return 0;
		}
		*at += n - sizeof(magic) + 1;
	}
}
