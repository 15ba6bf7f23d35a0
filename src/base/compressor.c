/* Compress output with zlib and zstd. */
#include "base/compressor.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/scratch.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum { PART = 64 << 10 }; // greatest number of bytes in a write

struct compressor {
	enum compressor_format format;
#ifdef HAVE_ZLIB
	z_stream gzip;
#endif
#ifdef HAVE_ZSTD
	ZSTD_CStream *zstd;
#endif
	char out[PART];
};

enum compressor_format compressor_format_of(const char *path) {
	struct str name = str_of(path);
	return str_ends(name, STR(".gz"))    ? COMPRESSOR_GZIP
	       : str_ends(name, STR(".zst")) ? COMPRESSOR_ZSTD
					     : COMPRESSOR_NONE;
}

struct str compressor_inner_name(const char *path) {
	static const size_t endings[] = {[COMPRESSOR_NONE] = 0,
					 [COMPRESSOR_GZIP] = sizeof(".gz") - 1,
					 [COMPRESSOR_ZSTD] = sizeof(".zst") - 1};
	struct str name = str_of(path);
	return str_to(name, name.n - endings[compressor_format_of(path)]);
}

static bool compressor_start(struct compressor *compressor) {
	bool started = false;
	(void)compressor; // unused in a build with neither library
#ifdef HAVE_ZLIB
	enum { FAST = 3, WINDOW_OF_GZIP = MAX_WBITS + 16, MEMORY = 8 };
	if (compressor->format == COMPRESSOR_GZIP) {
		started = deflateInit2(&compressor->gzip, FAST, Z_DEFLATED, WINDOW_OF_GZIP, MEMORY,
				       Z_DEFAULT_STRATEGY) == Z_OK;
	}
#endif
#ifdef HAVE_ZSTD
	if (compressor->format == COMPRESSOR_ZSTD) {
		compressor->zstd = ZSTD_createCStream();
		started = compressor->zstd != NULL;
	}
#endif
	return started;
}

struct compressor *compressor_new(enum compressor_format format) {
	struct compressor *compressor = mem_new(1, sizeof(*compressor));
	compressor->format = format;
	if (!compressor_start(compressor)) {
		free(compressor);
		return NULL;
	}
	return compressor;
}

#ifdef HAVE_ZLIB
static int compressor_write_gzip(struct compressor *compressor, int fd, const void *bytes,
				 size_t size, bool last) {
	z_stream *stream = &compressor->gzip;
	int status = Z_OK;
	stream->next_in = (void *)(uintptr_t)bytes; // zlib does not change the bytes
	stream->avail_in = (uInt)size;
	do {
		stream->next_out = (void *)compressor->out;
		stream->avail_out = PART;
		status = deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
		if (scratch_write(fd, compressor->out, PART - stream->avail_out) != 0) {
			return -1;
		}
	} while (stream->avail_out == 0 || (last && status == Z_OK));
	return 0;
}
#endif

#ifdef HAVE_ZSTD
static int compressor_write_zstd(struct compressor *compressor, int fd, const void *bytes,
				 size_t size, bool last) {
	ZSTD_inBuffer in = {bytes, size, 0};
	size_t left;
	do {
		ZSTD_outBuffer out = {compressor->out, PART, 0};
		left = ZSTD_compressStream2(compressor->zstd, &out, &in,
					    last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left)) {
			errno = ENOMEM; // the only reason for which zstd fails here
			return -1;
		}
		if (scratch_write(fd, compressor->out, out.pos) != 0) {
			return -1;
		}
	} while (in.pos < in.size || (last && left > 0));
	return 0;
}
#endif

int compressor_write(struct compressor *compressor, int fd, const void *bytes, size_t size,
		     bool last) {
	enum { MOST = 1 << 30 }; // a size that fits zlib's 32-bit length
	const char *from = bytes;
	int result = 0;
	do {
		size_t n = size < MOST ? size : MOST;
		bool ends = last && n == size;
		(void)compressor, (void)fd, (void)ends; // unused in a build with neither library
#ifdef HAVE_ZLIB
		if (compressor->format == COMPRESSOR_GZIP) {
			result = compressor_write_gzip(compressor, fd, from, n, ends);
		}
#endif
#ifdef HAVE_ZSTD
		if (compressor->format == COMPRESSOR_ZSTD) {
			result = compressor_write_zstd(compressor, fd, from, n, ends);
		}
#endif
		from += n;
		size -= n;
	} while (size > 0 && result == 0);
	return result;
}

void compressor_free(struct compressor *compressor) {
	if (compressor == NULL) {
		return;
	}
#ifdef HAVE_ZLIB
	if (compressor->format == COMPRESSOR_GZIP) {
		deflateEnd(&compressor->gzip);
	}
#endif
#ifdef HAVE_ZSTD
	ZSTD_freeCStream(compressor->zstd);
#endif
	free(compressor);
}
