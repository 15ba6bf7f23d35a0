/* Read the records of a recording, in the order of the file. */
#include "perf/data/records.h"

#include <stdlib.h>

#include "base/mem.h"

/* --- Chunks --------------------------------------------------------------------------------- */

static struct chunk *records_chunk_new(struct records *records, uint64_t offset, bool unpacked) {
	struct chunk *chunk = records->free;
	if (chunk != NULL) {
		records->free = chunk->next;
	} else {
		chunk = mem_new(1, sizeof(*chunk));
		chunk->other = records->all;
		records->all = chunk;
	}
	records->chunks++;
	chunk->next = NULL;
	chunk->n = 0;
	chunk->held = 1;
	chunk->offset = offset;
	chunk->unpacked = unpacked;
	return chunk;
}

void records_release_chunk_slow(struct records *records, struct chunk *chunk) {
	records->chunks--;
	chunk->next = records->free;
	records->free = chunk;
}

static uint64_t records_chunk_offset(const struct chunk *chunk, const char *bytes) {
	return chunk->offset + (chunk->unpacked ? 0 : (uint64_t)(bytes - chunk->bytes));
}

uint64_t record_offset(const struct record *record) {
	return records_chunk_offset(record->chunk, record->body.p - RECORD_HEAD);
}

static struct str records_feed_rest(const struct feed *feed) {
	return feed->chunk == NULL
		       ? STR("")
		       : (struct str){feed->chunk->bytes + feed->at, feed->chunk->n - feed->at};
}

static uint64_t records_feed_offset(const struct feed *feed) {
	return feed->chunk == NULL
		       ? 0
		       : records_chunk_offset(feed->chunk, feed->chunk->bytes + feed->at);
}

/** Make room for more bytes: copy the remaining bytes to the start of a new chunk. */
static void records_feed_renew(struct records *records, struct feed *feed, uint64_t offset,
			       bool unpacked) {
	struct str rest = records_feed_rest(feed);
	struct chunk *chunk = records_chunk_new(records, offset, unpacked);
	memcpy(chunk->bytes, rest.p, rest.n);
	chunk->n = rest.n;
	if (feed->chunk != NULL) {
		chunk_let_go(records, feed->chunk);
	}
	*feed = (struct feed){chunk, 0};
}

/** Report that the recording is damaged at `offset`. With --lenient, report a warning, end the
 * reading, and return 0. Otherwise return -1. */
static int records_damaged(struct records *records, uint64_t offset, const char *what) {
	const char *name = input_name(records->input);
	unsigned long long at = offset;
	if (!records->diag->lenient) {
		return diag_error(records->diag, "%s: byte %llu: %s", name, at, what);
	}
	records->ended = true;
	records->unpacking = false;
	records->plain.at = records->plain.chunk == NULL ? 0 : records->plain.chunk->n;
	records->unpacked.at = records->unpacked.chunk == NULL ? 0 : records->unpacked.chunk->n;
	return diag_warn(records->diag, "%s: byte %llu: %s; the rest is left out", name, at, what);
}

/* --- Bytes of the recording ----------------------------------------------------------------- */

static ptrdiff_t records_read_bytes(struct records *records, char *bytes, size_t size) {
	if (records->is_pipe) {
		return input_read(records->input, bytes, size);
	}
	uint64_t left = records->end - records->offset;
	return input_read_at(records->input, records->offset, bytes,
			     size < left ? size : (size_t)left);
}

/** Read until the plain feed has `want` bytes. `want` is at most the size of a chunk. Return 0,
 * even if the input ends earlier, or -1 after diag_error(). */
static int records_fill(struct records *records, size_t want) {
	struct feed *feed = &records->plain;
	if (feed->chunk == NULL || feed->at + want > CHUNK_SIZE) {
		records_feed_renew(records, feed, records->offset - records_feed_rest(feed).n,
				   false);
	}
	while (!records->ended && records_feed_rest(feed).n < want) {
		struct chunk *chunk = feed->chunk;
		ptrdiff_t n =
			records_read_bytes(records, chunk->bytes + chunk->n, CHUNK_SIZE - chunk->n);
		if (n < 0) {
			return -1;
		}
		records->ended = n == 0;
		chunk->n += (size_t)n;
		records->offset += (uint64_t)n;
	}
	return 0;
}

/** Skip the payload: the bytes that follow the last record. If they describe tracepoints, keep
 * them. */
static int records_skip_payload(struct records *records) {
	enum { KEEP_MOST = 64 << 20 };
	while (records->payload > 0) {
		if (records_fill(records, 1) != 0) {
			return -1;
		}
		struct str rest = records_feed_rest(&records->plain);
		if (rest.n == 0) {
			records->missing += records->payload;
			records->payload = 0;
			break;
		}
		size_t part = rest.n < records->payload ? rest.n : (size_t)records->payload;
		if (records->is_tracing && records->tracing.n + part <= KEEP_MOST) {
			buf_add(&records->tracing, rest.p, part);
		}
		records->plain.at += part;
		records->payload -= part;
	}
	return 0;
}

/* --- Records -------------------------------------------------------------------------------- */

/** Read the record at the front of a feed. Return 1 if a record was read, 0 if the record is
 * incomplete, or -1 after diag_error(). */
static int records_take(struct records *records, struct feed *feed, struct record *record) {
	struct str rest = records_feed_rest(feed);
	if (rest.n < RECORD_HEAD) {
		return 0;
	}
	uint16_t size = cursor_load_u16(rest.p + 6, records->swap);
	if (size < RECORD_HEAD) {
		return records_damaged(records,
				       feed == &records->unpacked ? records->packed_at
								  : records_feed_offset(feed),
				       "a record that is shorter than its header");
	}
	if (size > rest.n) {
		return 0;
	}
	*record = (struct record){
		.type = cursor_load_u32(rest.p, records->swap),
		.misc = cursor_load_u16(rest.p + 4, records->swap),
		.body = {rest.p + RECORD_HEAD, size - (size_t)RECORD_HEAD},
		.chunk = feed->chunk,
	};
	feed->at += size;
	return 1;
}

static int records_fail_packed(struct records *records, const char *why) {
	struct buf text = {0};
	buf_printf(&text, "the compressed data is damaged (%s)", why);
	int result = records_damaged(records, records->packed_at, buf_text(&text));
	buf_release(&text);
	return result;
}

/** Start to unpack a compressed record. The compressed bytes remain in their chunk: all of them are
 * unpacked before more bytes are read. */
static int records_start_unpacking(struct records *records, const struct record *record) {
	struct cursor body = {record->body.p, record->body.n, records->swap, false};
	uint64_t n = record->type == RECORD_COMPRESSED ? body.n : cursor_u64(&body);
	records->packed_at = record_offset(record);
	records->packed = cursor_take(&body, n);
	if (body.failed) {
		return records_fail_packed(records, "it ends too early");
	}
	if (records->zstd == NULL) {
		records->zstd = unzstd_new();
	}
	if (records->zstd == NULL) {
		return diag_error(records->diag,
				  "%s: byte %llu: the recording is compressed, and this inferno "
				  "was built without libzstd; record without -z",
				  input_name(records->input),
				  (unsigned long long)records->packed_at);
	}
	records->unpacking = true;
	return 0;
}

/** Unpack more bytes. If an unpacked record continues in a later compressed record, its start
 * remains at the front of the feed. */
static int records_unpack(struct records *records) {
	struct feed *feed = &records->unpacked;
	if (feed->chunk == NULL || feed->chunk->n == CHUNK_SIZE) {
		records_feed_renew(records, feed, records->packed_at, true);
	}
	struct chunk *chunk = feed->chunk;
	const char *why;
	size_t room = CHUNK_SIZE - chunk->n;
	ptrdiff_t n =
		unzstd_read(records->zstd, &records->packed, chunk->bytes + chunk->n, room, &why);
	if (n < 0) {
		return records_fail_packed(records, why);
	}
	chunk->n += (size_t)n;
	records->unpacked_n += (size_t)n;
	if (growth_is_absurd(&records->growth, records->offset, records->unpacked_n)) {
		return diag_error(records->diag, "%s: byte %llu: " GROWTH_ABSURD,
				  input_name(records->input),
				  (unsigned long long)records->packed_at);
	}
	records->unpacking = records->packed.n > 0 || (size_t)n == room;
	return 0;
}

/** Remember the size of a record's payload: bytes that follow the record but do not belong to it.
 * Only some records have a payload. */
static void records_expect_payload(struct records *records, const struct record *record) {
	struct cursor body = {record->body.p, record->body.n, records->swap, false};
	records->is_tracing = record->type == RECORD_TRACING_DATA;
	if (records->is_tracing) {
		records->payload = ((uint64_t)cursor_u32(&body) + 7) & ~UINT64_C(7);
	} else if (record->type == RECORD_AUXTRACE) {
		records->payload = cursor_u64(&body);
	}
}

/** Return the size of the next record. If this size is not known yet, return the size of a record's
 * header. */
static size_t records_next_size(const struct records *records) {
	struct str rest = records_feed_rest(&records->plain);
	return rest.n < RECORD_HEAD ? RECORD_HEAD : cursor_load_u16(rest.p + 6, records->swap);
}

/** Read an uncompressed record. From a pipe, wait only for the bytes of this record, because
 * further bytes may come much later. */
static int records_next_plain(struct records *records, struct record *record) {
	int found = records_take(records, &records->plain, record);
	if (found == 0) {
		if (records_fill(records, RECORD_HEAD) != 0 ||
		    records_fill(records, records_next_size(records)) != 0) {
			return -1;
		}
		found = records_take(records, &records->plain, record);
	}
	if (found == 0 && records_feed_rest(&records->plain).n > 0) {
		records->missing += records_feed_rest(&records->plain).n; // the rest is an
									  // incomplete record
		records->plain.at = records->plain.chunk->n;
	}
	return found;
}

int records_next(struct records *records, struct record *record) {
	for (;;) {
		int found = records_take(records, &records->unpacked, record);
		if (found != 0) {
			return found;
		}
		if (records->unpacking) {
			if (records_unpack(records) != 0) {
				return -1;
			}
			continue;
		}
		if (records_skip_payload(records) != 0) {
			return -1;
		}
		found = records_next_plain(records, record);
		if (found <= 0) {
			return found;
		}
		if (record->type != RECORD_COMPRESSED && record->type != RECORD_COMPRESSED2) {
			records_expect_payload(records, record);
			return 1;
		}
		if (records_start_unpacking(records, record) != 0) {
			return -1;
		}
	}
}

void records_init_file(struct records *records, struct input *input, struct diag *diag, bool swap,
		       uint64_t offset, uint64_t size) {
	uint64_t whole = input_seekable_size(input);
	uint64_t left = offset < whole ? whole - offset : 0;
	*records = (struct records){.input = input, .diag = diag, .swap = swap, .offset = offset};
	records->missing = size > left ? size - left : 0;
	records->end = offset + (size == 0 || size > left ? left : size);
	records->ended = records->end == offset;
}

void records_init_pipe(struct records *records, struct input *input, struct diag *diag, bool swap,
		       uint64_t offset) {
	*records = (struct records){.input = input,
				    .diag = diag,
				    .swap = swap,
				    .is_pipe = true,
				    .offset = offset,
				    .end = UINT64_MAX};
}

void records_release(struct records *records) {
	while (records->all != NULL) { // free all chunks, even those in use
		struct chunk *chunk = records->all;
		records->all = chunk->other;
		free(chunk);
	}
	unzstd_free(records->zstd);
	buf_release(&records->tracing);
}
