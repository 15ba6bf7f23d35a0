/* Unpack xz data with liblzma. */
#include "symbols/xz.h"

#include <errno.h>

#ifdef HAVE_LZMA
#include <lzma.h>

#include "symbols/dynlib.h"

enum { CHUNK = 256 << 10, MEMORY_MOST = 128 << 20 }; // limit of memory; xz -9 takes 65 MB

static struct {
	__typeof__(lzma_stream_decoder) *stream_decoder;
	__typeof__(lzma_code) *code;
	__typeof__(lzma_end) *end;
} lzma;

static const struct dynlib_function functions[] = {
	DYNLIB_ROW(lzma_stream_decoder, &lzma.stream_decoder),
	DYNLIB_ROW(lzma_code, &lzma.code),
	DYNLIB_ROW(lzma_end, &lzma.end),
	DYNLIB_END,
};

static struct dynlib_library liblzma = {.file = "liblzma.so.5", .functions = functions};

/** Unpack a further piece of the input, and append the output. */
static lzma_ret xz_step(lzma_stream *stream, struct buf *bytes) {
	stream->next_out = (uint8_t *)buf_room(bytes, CHUNK);
	stream->avail_out = CHUNK;
	lzma_ret result = lzma.code(stream, LZMA_FINISH);
	bytes->n += CHUNK - stream->avail_out;
	return result;
}

bool xz_unpack(struct str packed, struct buf *bytes, uint64_t most, bool *missing) {
	if (!dynlib_load(&liblzma)) {
		*missing = true;
		return false;
	}
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma.stream_decoder(&stream, MEMORY_MOST, LZMA_CONCATENATED);
	if (result != LZMA_OK) {
		errno = result == LZMA_MEM_ERROR ? ENOMEM : 0;
		return false;
	}
	stream.next_in = (const uint8_t *)packed.p;
	stream.avail_in = packed.n;
	while (result == LZMA_OK && bytes->n < most) {
		result = xz_step(&stream, bytes);
	}
	lzma.end(&stream);
	errno = result == LZMA_MEM_ERROR ? ENOMEM : 0;
	return result == LZMA_STREAM_END;
}
#else
bool xz_unpack(struct str packed, struct buf *bytes, uint64_t most, bool *missing) {
	(void)packed;
	(void)bytes;
	(void)most;
	*missing = true;
	return false;
}
#endif
