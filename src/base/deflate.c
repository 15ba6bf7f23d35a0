/* Bytes made smaller, with zlib. */
#include "base/deflate.h"

#ifdef HAVE_ZLIB
#include <limits.h>
#include <zlib.h>

#include "base/mem.h"

/** Feeds a part to zlib, which takes an unsigned int of bytes at a time, and flushes as asked. */
static void deflate_part(z_stream *zlib, struct buf *out, struct str part, int flush) {
	enum { STEP = 64 << 10 };
	z_const Bytef *next = (z_const Bytef *)(uintptr_t)part.p;
	bool full = true; // as long as it is, there may be more to come out
	while (part.n > 0 || full) {
		uInt some = part.n < INT_MAX ? (uInt)part.n : INT_MAX;
		zlib->next_in = next;
		zlib->avail_in = some;
		zlib->next_out = (Bytef *)buf_room(out, STEP);
		zlib->avail_out = STEP;
		deflate(zlib, some == part.n ? flush : Z_NO_FLUSH);
		next += some - zlib->avail_in;
		part.n -= some - zlib->avail_in;
		full = zlib->avail_out == 0;
		out->n += STEP - zlib->avail_out;
	}
}

static size_t sum_sizes(const struct str *parts, size_t n) {
	size_t sum = 0;
	for (size_t i = 0; i < n; i++) {
		sum += parts[i].n;
	}
	return sum;
}

bool deflate_add(struct buf *out, const struct str *parts, size_t n) {
	enum { MUCH = 256 << 10, FAST = 1, THOROUGH = 6, WINDOW_WITHOUT_HEADER = -15, MEMORY = 9 };
	z_stream zlib = {0};
	// What takes long is done in half of the time, for a twentieth more bytes.
	int level = sum_sizes(parts, n) < MUCH ? THOROUGH : FAST;
	if (deflateInit2(&zlib, level, Z_DEFLATED, WINDOW_WITHOUT_HEADER, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		inferno_out_of_memory(); // the only reason there is
	}
	for (size_t i = 0; i < n; i++) {
		deflate_part(&zlib, out, parts[i], Z_BLOCK);
	}
	deflate_part(&zlib, out, STR(""), Z_FINISH);
	deflateEnd(&zlib);
	return true;
}
#else
bool deflate_add(struct buf *out, const struct str *parts, size_t n) {
	(void)out;
	(void)parts;
	(void)n;
	return false;
}
#endif
