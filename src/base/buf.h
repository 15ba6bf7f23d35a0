/** A growable array of bytes. All strings are built with this buffer. A zeroed buffer is empty. */
#pragma once

#include <stdarg.h>

#include "base/mem.h"
#include "base/str.h"

struct buf {
	char *p;
	size_t n, capacity;
};

void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_add_str(struct buf *buf, struct str s);
void buf_add_text(struct buf *buf, const char *text);
void buf_add_char(struct buf *buf, char c);
void buf_add_u64(struct buf *buf, uint64_t value);

enum { VARINT_BITS = 7, VARINT_MORE = 1 << VARINT_BITS, VARINT_MOST = 10 }; // at most 10 bytes

/** Store a number at `at` in the encoding of protocol buffers: seven bits in each byte, the lowest
 * bits first, and the highest bit set in each byte but the last. Return the end of the number. */
static inline unsigned char *varint_put(unsigned char *at, uint64_t value) {
	for (; value >= VARINT_MORE; value >>= VARINT_BITS) {
		*at++ = (unsigned char)(value | VARINT_MORE);
	}
	*at++ = (unsigned char)value;
	return at;
}

/** Return the number at `*at`, which varint_put() stored, and move `*at` to its end. */
static inline uint64_t varint_take(const unsigned char **at) {
	uint64_t value = 0;
	unsigned shift = 0;
	for (; (**at & VARINT_MORE) != 0; shift += VARINT_BITS) {
		value |= (uint64_t)(*(*at)++ & (VARINT_MORE - 1)) << shift;
	}
	return value | (uint64_t) * (*at)++ << shift;
}

/** Add value × 10^power as an exact decimal number. `power` is at least -18. Omit zeros at the end
 * of the fraction. */
void buf_add_power(struct buf *buf, uint64_t value, int power);

/** Add a finite number with `places` decimals (1 to 6), independent of the locale. */
void buf_add_fixed(struct buf *buf, double value, unsigned places);

__attribute__((format(printf, 2, 3))) void buf_printf(struct buf *buf, const char *format, ...);
__attribute__((format(printf, 2, 0))) void buf_vprintf(struct buf *buf, const char *format,
						       va_list args);

/** Replace every `from` by `to`. */
void buf_replace(struct buf *buf, char from, char to);

/** Make room for `more` bytes after the end, and return a pointer to this room. The caller fills
 * the room and increases `n`. */
static inline char *buf_room(struct buf *buf, size_t more) {
	if (more > buf->capacity - buf->n) {
		buf->p = mem_grow(buf->p, &buf->capacity, buf->n + more, 1);
	}
	return buf->p == NULL ? NULL : buf->p + buf->n;
}

static inline void buf_add_varint(struct buf *buf, uint64_t value) {
	unsigned char *at = (unsigned char *)buf_room(buf, VARINT_MOST);
	buf->n += (size_t)(varint_put(at, value) - at);
}

/** Return the bytes with a NUL after the last one. The pointer is valid until the buffer changes.
 */
const char *buf_text(struct buf *buf);

static inline struct str buf_str(const struct buf *buf) {
	return (struct str){buf->p == NULL ? "" : buf->p, buf->n};
}

static inline void buf_clear(struct buf *buf) {
	buf->n = 0;
}

/** Replace the contents by a text, which must not be a part of the buffer. */
static inline void buf_set_str(struct buf *buf, struct str text) {
	buf_clear(buf);
	buf_add_str(buf, text);
}

static inline void buf_set_text(struct buf *buf, const char *text) {
	buf_clear(buf);
	buf_add_text(buf, text);
}

void buf_release(struct buf *buf);
