/**
 * Read the fields of a recording, in the byte order of the recording. Each size in a recording is
 * checked. A read past the end sets `failed` and returns zero. From then on, all reads return zero.
 */
#pragma once

#include "base/str.h"

struct cursor {
	const char *p;
	size_t n;    // number of bytes that are left to read
	bool swap;   // the byte order of the recording differs from the byte order of this machine
	bool failed; // a read went past the end
};

static inline bool cursor_fail(struct cursor *cursor) {
	cursor->failed = true;
	cursor->n = 0;
	return false;
}

/** Read an integer from memory, aligned or not. */
static inline uint64_t cursor_load_u64(const char *p, bool swap) {
	uint64_t value;
	memcpy(&value, p, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

static inline uint32_t cursor_load_u32(const char *p, bool swap) {
	uint32_t value;
	memcpy(&value, p, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static inline uint16_t cursor_load_u16(const char *p, bool swap) {
	uint16_t value;
	memcpy(&value, p, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

/** Read `n` bytes. If fewer bytes are left, set `failed` and return no bytes. */
static inline struct str cursor_take(struct cursor *cursor, uint64_t n) {
	if (n > cursor->n) {
		cursor_fail(cursor);
		return STR("");
	}
	struct str taken = {cursor->p, (size_t)n};
	cursor->p += n;
	cursor->n -= (size_t)n;
	return taken;
}

static inline uint64_t cursor_u64(struct cursor *cursor) {
	struct str bytes = cursor_take(cursor, sizeof(uint64_t));
	return bytes.n == 0 ? 0 : cursor_load_u64(bytes.p, cursor->swap);
}

static inline uint32_t cursor_u32(struct cursor *cursor) {
	struct str bytes = cursor_take(cursor, sizeof(uint32_t));
	return bytes.n == 0 ? 0 : cursor_load_u32(bytes.p, cursor->swap);
}

static inline uint16_t cursor_u16(struct cursor *cursor) {
	struct str bytes = cursor_take(cursor, sizeof(uint16_t));
	return bytes.n == 0 ? 0 : cursor_load_u16(bytes.p, cursor->swap);
}

/** Read `count` items of `size` bytes. */
static inline struct str cursor_take_items(struct cursor *cursor, uint64_t count, size_t size) {
	if (count > cursor->n / size) {
		cursor_fail(cursor);
		return STR("");
	}
	return cursor_take(cursor, count * size);
}

/** Return the bytes before the first NUL, or all bytes if there is no NUL. */
static inline struct str cursor_text(struct str bytes) {
	size_t end = str_find(bytes, '\0');
	return end == STR_NONE ? bytes : str_to(bytes, end);
}

/** Read a string of a feature: its length, and then its bytes, which are padded with NULs. */
static inline struct str cursor_string(struct cursor *cursor) {
	uint32_t n = cursor_u32(cursor);
	return cursor_text(cursor_take(cursor, n));
}
