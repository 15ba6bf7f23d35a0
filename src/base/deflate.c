/* Bytes made smaller, with zlib. */
#include "base/deflate.h"

#ifdef HAVE_ZLIB
#include <limits.h>
#include <zlib.h>

#include "base/mem.h"

/** Feeds all bytes to zlib, which takes an unsigned int of them at a time, and ends the stream. */
static void run_deflate(z_stream *zlib, struct buf *out, struct str bytes) {
	enum { STEP = 64 << 10 };
	z_const Bytef *next = (z_const Bytef *)(uintptr_t)bytes.p;
	size_t left = bytes.n;
	for (int status = Z_OK; status != Z_STREAM_END;) {
		uInt some = left < INT_MAX ? (uInt)left : INT_MAX;
		zlib->next_in = next;
		zlib->avail_in = some;
		zlib->next_out = (Bytef *)buf_room(out, STEP);
		zlib->avail_out = STEP;
		status = deflate(zlib, some == left ? Z_FINISH : Z_NO_FLUSH);
		next += some - zlib->avail_in;
		left -= some - zlib->avail_in;
		out->n += STEP - zlib->avail_out;
	}
}

bool deflate_add(struct buf *out, struct str bytes) {
	enum { MUCH = 1 << 20, FAST = 1, THOROUGH = 6, WINDOW_WITHOUT_HEADER = -15, MEMORY = 9 };
	z_stream zlib = {0};
	// What takes long is done in half of the time, for a twentieth more bytes.
	if (deflateInit2(&zlib, bytes.n < MUCH ? THOROUGH : FAST, Z_DEFLATED, WINDOW_WITHOUT_HEADER,
			 MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		inferno_out_of_memory(); // the only reason there is
	}
	run_deflate(&zlib, out, bytes);
	deflateEnd(&zlib);
	return true;
}
#else
bool deflate_add(struct buf *out, struct str bytes) {
	(void)out;
	(void)bytes;
	return false;
}
#endif
