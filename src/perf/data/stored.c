/* Turn a recording in the form for pipes into the form for files. */
#include "perf/data/stored.h"

#include "perf/data/cursor.h"
#include "perf/data/header.h"
#include "perf/data/records.h"

_Static_assert((int)STORED_FEATURES == (int)FEATURES, "all features have their place");

static void stored_add_u64(struct buf *out, uint64_t value) {
	buf_add(out, &value, sizeof(value));
}

static void stored_add_section(struct buf *out, uint64_t offset, uint64_t size) {
	stored_add_u64(out, offset);
	stored_add_u64(out, size);
}

/** Add an event and its ids. In the file, the ids come directly after the header. */
static void stored_take_attribute(struct stored *stored, struct str body) {
	size_t size = body.n < 8 ? 0 : cursor_load_u32(body.p + 4, false);
	struct str attribute = str_to(body, size < body.n ? size : body.n);
	struct str ids = str_from(body, attribute.n);
	stored->attribute_size = attribute.n + sizeof(struct section);
	buf_add_str(&stored->attributes, attribute);
	stored_add_section(&stored->attributes, HEADER_FILE_SIZE + stored->ids.n, ids.n);
	buf_add_str(&stored->ids, ids);
}

/** Store a feature. Cut a text to its length: records of a pipe have padding. */
static void stored_take_feature(struct stored *stored, struct str body) {
	struct cursor cursor = {body.p, body.n, false, false};
	uint64_t feature = cursor_u64(&cursor);
	struct str bytes = {cursor.p, cursor.n};
	if (feature == FEATURE_HOSTNAME || feature == FEATURE_RELEASE || feature == FEATURE_ARCH) {
		cursor_take(&cursor, cursor_u32(&cursor));
		bytes.n -= cursor.n;
	}
	if (!cursor.failed && feature < FEATURES) {
		buf_set_str(&stored->features[feature], bytes);
	}
}

/** Take descriptions of tracepoints, which come after a record with their size. Return the size of
 * the record and the descriptions together. If a part of them is missing, return 0. */
static size_t stored_take_tracing(struct stored *stored, struct str body) {
	struct cursor cursor = {body.p, body.n, false, false};
	struct str bytes = cursor_take(&cursor, cursor_u32(&cursor));
	if (cursor.failed) {
		return 0;
	}
	buf_set_str(&stored->features[FEATURE_TRACING_DATA], bytes);
	return RECORD_HEAD + sizeof(uint32_t) + bytes.n;
}

/** Process the record at the start of `head`. Return the size of the record, or 0 if the record is
 * incomplete. If this is the first record of the data, set `*is_data` and return 0. */
static size_t stored_take_head(struct stored *stored, struct str head, bool *is_data) {
	if (head.n < RECORD_HEAD) {
		return 0;
	}
	uint32_t type = cursor_load_u32(head.p, false);
	size_t size = cursor_load_u16(head.p + 6, false);
	if (type == RECORD_TRACING_DATA && size == RECORD_HEAD + sizeof(uint32_t)) {
		return stored_take_tracing(stored, str_from(head, RECORD_HEAD));
	}
	*is_data = (type != RECORD_ATTRIBUTE && type != RECORD_FEATURE) || size < RECORD_HEAD;
	if (*is_data || size > head.n) {
		return 0;
	}
	struct str body = {head.p + RECORD_HEAD, size - RECORD_HEAD};
	(type == RECORD_ATTRIBUTE ? stored_take_attribute : stored_take_feature)(stored, body);
	return size;
}

/** Append the header of the file to `out`. */
static void stored_make_header(const struct stored *stored, struct buf *out) {
	uint64_t words[FEATURE_WORDS] = {0};
	for (size_t i = 0; i < FEATURES; i++) {
		words[i / 64] |= (uint64_t)(stored->features[i].n > 0) << i % 64;
	}
	buf_add_text(out, "PERFILE2");
	stored_add_u64(out, HEADER_FILE_SIZE);
	stored_add_u64(out, stored->attribute_size);
	stored_add_section(out, HEADER_FILE_SIZE + stored->ids.n, stored->attributes.n);
	stored_add_section(out, stored->data_offset, stored->data_size);
	stored_add_section(out, 0, 0); // a field that is no longer used
	buf_add(out, words, sizeof(words));
}

/** Append the header of the file, the ids and the attributes, and the rest of `head`, with which
 * the data begins. */
static void stored_begin(struct stored *stored, struct buf *out) {
	stored->begun = true;
	stored->data_offset = HEADER_FILE_SIZE + stored->ids.n + stored->attributes.n;
	stored->data_size = stored->head.n;
	stored_make_header(stored, out);
	buf_add_str(out, buf_str(&stored->ids));
	buf_add_str(out, buf_str(&stored->attributes));
	buf_add_str(out, buf_str(&stored->head));
	buf_release(&stored->head);
}

/** Drop the first `n` bytes of `head`. */
static void stored_drop(struct stored *stored, size_t n) {
	stored->head.n -= n;
	memmove(stored->head.p, stored->head.p + n, stored->head.n);
}

void stored_take(struct stored *stored, const void *bytes, size_t n, struct buf *out) {
	if (stored->begun) {
		stored->data_size += n;
		buf_add(out, bytes, n);
		return;
	}
	buf_add(&stored->head, bytes, n);
	if (!stored->opened && stored->head.n >= HEADER_PIPE_SIZE) {
		stored->opened = true;
		stored_drop(stored, HEADER_PIPE_SIZE);
	}
	bool begins = false;
	for (size_t size = 1; size > 0 && stored->opened; stored_drop(stored, size)) {
		size = stored_take_head(stored, buf_str(&stored->head), &begins);
	}
	if (begins) {
		stored_begin(stored, out);
	}
}

void stored_end(struct stored *stored, struct buf *out, struct buf *start) {
	if (!stored->begun) {
		stored_begin(stored, out);
	}
	uint64_t n = 0;
	for (size_t i = 0; i < FEATURES; i++) {
		n += stored->features[i].n > 0;
	}
	uint64_t offset = stored->data_offset + stored->data_size + n * sizeof(struct section);
	for (size_t i = 0; i < FEATURES; i++) {
		if (stored->features[i].n > 0) {
			stored_add_section(out, offset, stored->features[i].n);
			offset += stored->features[i].n;
		}
	}
	for (size_t i = 0; i < FEATURES; i++) {
		buf_add_str(out, buf_str(&stored->features[i]));
	}
	buf_clear(start);
	stored_make_header(stored, start);
}

void stored_release(struct stored *stored) {
	buf_release(&stored->head);
	buf_release(&stored->ids);
	buf_release(&stored->attributes);
	for (size_t i = 0; i < FEATURES; i++) {
		buf_release(&stored->features[i]);
	}
}
