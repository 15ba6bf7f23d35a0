/* Compress and unpack bytes with libdeflate. */
#include "base/deflate.h"

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>

#include "base/mem.h"

bool deflate_add(struct buf *out, struct str bytes) {
	// Level 1 takes a third of the time of the usual level 6. The output of level 1 is a tenth
	// larger.
	enum { FAST = 1 };
	size_t most = libdeflate_deflate_compress_bound(NULL, bytes.n);
	char *room = buf_room(out, most); // make room before the compressor exists: if memory runs
					  // out here, no compressor is leaked
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(FAST);
	if (compressor == NULL) {
		inferno_out_of_memory(); // the only possible reason
	}
	out->n += libdeflate_deflate_compress(compressor, bytes.p, bytes.n, room, most);
	libdeflate_free_compressor(compressor);
	return true;
}

bool deflate_unpack(void *out, size_t size, struct str bytes) {
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	if (decompressor == NULL) {
		inferno_out_of_memory(); // the only possible reason
	}
	// Pass no pointer for the size: libdeflate then fails unless the output has exactly `size`
	// bytes.
	enum libdeflate_result result =
		libdeflate_zlib_decompress(decompressor, bytes.p, bytes.n, out, size, NULL);
	libdeflate_free_decompressor(decompressor);
	return result == LIBDEFLATE_SUCCESS;
}

/** Unpack the first stream, append its bytes to `out`, and remove the stream from the start of
 * `bytes`. Double the output buffer until the stream fits. */
static bool deflate_read_stream(struct libdeflate_decompressor *decompressor, struct buf *out,
				struct str *bytes, uint64_t most) {
	enum { USUAL = 4, LEAST = 4096 };
	uint64_t room = (uint64_t)bytes->n * USUAL + LEAST;
	size_t taken = 0, given = 0;
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
	for (bool last = false; result == LIBDEFLATE_INSUFFICIENT_SPACE && !last; room *= 2) {
		last = room >= most - out->n;
		room = last ? most - out->n : room;
		result = libdeflate_deflate_decompress_ex(decompressor, bytes->p, bytes->n,
							  buf_room(out, (size_t)room), (size_t)room,
							  &taken, &given);
	}
	out->n += result == LIBDEFLATE_SUCCESS ? given : 0;
	*bytes = str_from(*bytes, result == LIBDEFLATE_SUCCESS ? taken : 0);
	return result == LIBDEFLATE_SUCCESS;
}

bool deflate_read(struct buf *out, struct str bytes, uint64_t most) {
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	bool good = true;
	if (decompressor == NULL) {
		inferno_out_of_memory(); // the only possible reason
	}
	while (good && bytes.n > 0) {
		good = deflate_read_stream(decompressor, out, &bytes, most);
	}
	libdeflate_free_decompressor(decompressor);
	return good;
}
#else
bool deflate_add(struct buf *out, struct str bytes) {
	(void)out;
	(void)bytes;
	return false;
}

bool deflate_unpack(void *out, size_t size, struct str bytes) {
	(void)out, (void)size, (void)bytes;
	return false;
}

bool deflate_read(struct buf *out, struct str bytes, uint64_t most) {
	(void)out, (void)bytes, (void)most;
	return false;
}
#endif
