/* A growable array of bytes. */
#include "base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"

void buf_add(struct buf *buf, const void *bytes, size_t len) {
	if (len > 0) {
		memcpy(buf_room(buf, len), bytes, len);
		buf->n += len;
	}
}

void buf_add_str(struct buf *buf, struct str s) {
	buf_add(buf, s.p, s.n);
}

void buf_add_text(struct buf *buf, const char *text) {
	buf_add(buf, text, strlen(text));
}

void buf_add_char(struct buf *buf, char c) {
	buf_add(buf, &c, 1);
}

void buf_replace(struct buf *buf, char from, char to) {
	struct str rest = buf_str(buf);
	for (size_t at; (at = str_find(rest, from)) != STR_NONE; rest = str_from(rest, at + 1)) {
		buf->p[buf->n - rest.n + at] = to;
	}
}

void buf_add_u64(struct buf *buf, uint64_t value) {
	buf->n += num_format_u64(buf_room(buf, NUM_U64_MAX), value);
}

void buf_add_power(struct buf *buf, uint64_t value, int power) {
	uint64_t unit = 1;
	for (int i = power; i < 0; i++) {
		unit *= 10;
	}
	buf_add_u64(buf, value / unit);
	for (int i = 0; i < power && value > 0; i++) {
		buf_add_char(buf, '0');
	}
	uint64_t rest = value % unit;
	if (rest > 0) {
		buf_add_char(buf, '.');
	}
	for (; rest > 0; rest = rest * 10 % unit) {
		buf_add_char(buf, (char)('0' + rest * 10 / unit));
	}
}

void buf_add_fixed(struct buf *buf, double value, unsigned places) {
	if (signbit(value)) {
		buf_add_char(buf, '-');
	}
	buf->n += num_format_fixed(buf_room(buf, NUM_FIXED_MAX), fabs(value), places);
}

void buf_vprintf(struct buf *buf, const char *format, va_list args) {
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len > 0) {
		vsnprintf(buf_room(buf, (size_t)len + 1), (size_t)len + 1, format, again);
		buf->n += (size_t)len;
	}
	va_end(again);
}

void buf_printf(struct buf *buf, const char *format, ...) {
	va_list args;
	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

const char *buf_text(struct buf *buf) {
	*buf_room(buf, 1) = '\0';
	return buf->p;
}

void buf_release(struct buf *buf) {
	free(buf->p);
	*buf = (struct buf){0};
}
