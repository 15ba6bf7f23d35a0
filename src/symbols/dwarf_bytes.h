/** Read the numbers in DWARF data, but never past the end of the data. The numbers are
 * little-endian, because all processors that unwind.c supports are little-endian. */
#pragma once

#include "base/str.h"

/** A position in some bytes. A read past the end sets `bad`, which remains set. */
struct dwarf_cursor {
	const char *p, *end;
	bool bad;
};

static inline struct dwarf_cursor cursor_of(struct str bytes) {
	return (struct dwarf_cursor){bytes.p, bytes.p + bytes.n, false};
}

static inline size_t cursor_left(const struct dwarf_cursor *at) {
	return (size_t)(at->end - at->p);
}

static inline uint64_t read_fixed(struct dwarf_cursor *at, size_t size) {
	if (size > cursor_left(at)) {
		at->bad = true;
		at->p = at->end;
		return 0;
	}
	uint64_t value = 0;
	for (size_t i = size; i > 0; i--) {
		value = value << 8 | (unsigned char)at->p[i - 1];
	}
	at->p += size;
	return value;
}

static inline uint8_t read_u8(struct dwarf_cursor *at) {
	return (uint8_t)read_fixed(at, 1);
}

static inline uint64_t read_signed(struct dwarf_cursor *at, size_t size) {
	unsigned shift = (unsigned)(64 - 8 * size);
	return (uint64_t)((int64_t)(read_fixed(at, size) << shift) >> shift);
}

/** Read a number in the LEB128 encoding. Set `*shift` to the number of bits that were read. */
static inline uint64_t read_leb(struct dwarf_cursor *at, unsigned *shift) {
	uint64_t value = 0;
	uint8_t byte = 0x80;
	*shift = 0;
	while (byte >= 0x80 && !at->bad) {
		byte = read_u8(at);
		value |= *shift < 64 ? (uint64_t)(byte & 0x7f) << *shift : 0;
		*shift += 7;
	}
	return value;
}

static inline uint64_t read_uleb(struct dwarf_cursor *at) {
	unsigned shift;
	return read_leb(at, &shift);
}

static inline int64_t read_sleb(struct dwarf_cursor *at) {
	unsigned shift;
	uint64_t value = read_leb(at, &shift);
	if (shift > 0 && shift < 64 && (value >> (shift - 1) & 1) != 0) {
		value |= UINT64_MAX << shift;
	}
	return (int64_t)value;
}

/** Return a cursor over the next `n` bytes. Move `at` to the byte after them. If fewer bytes are
 * left, set `bad` in both cursors. */
static inline struct dwarf_cursor dwarf_read_part(struct dwarf_cursor *at, uint64_t n) {
	if (n > cursor_left(at)) {
		at->bad = true;
		n = cursor_left(at);
	}
	struct dwarf_cursor part = {at->p, at->p + n, at->bad};
	at->p += n;
	return part;
}
