/* Unpacking by liblzma. */
#include "symbols/unpack.h"

#ifdef HAVE_LZMA
#include <lzma.h>

enum { CHUNK = 256 << 10, MOST = 256 << 20 };

/** Take all output that one more piece of the input gives. */
static lzma_ret step(lzma_stream *stream, struct buf *bytes) {
	stream->next_out = (uint8_t *)buf_room(bytes, CHUNK);
	stream->avail_out = CHUNK;
	lzma_ret result = lzma_code(stream, LZMA_FINISH);
	bytes->n += CHUNK - stream->avail_out;
	return result;
}

bool unpack_xz(struct str packed, struct buf *bytes) {
	lzma_stream stream = LZMA_STREAM_INIT;
	if (lzma_stream_decoder(&stream, MOST, LZMA_CONCATENATED) != LZMA_OK) {
		return false;
	}
	stream.next_in = (const uint8_t *)packed.p;
	stream.avail_in = packed.n;
	lzma_ret result = LZMA_OK;
	while (result == LZMA_OK && bytes->n < MOST) {
		result = step(&stream, bytes);
	}
	lzma_end(&stream);
	return result == LZMA_STREAM_END;
}
#else
bool unpack_xz(struct str packed, struct buf *bytes) {
	(void)packed;
	(void)bytes;
	return false;
}
#endif
