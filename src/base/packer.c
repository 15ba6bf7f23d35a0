/* Compression of what is written, with zlib and zstd. */
#include "base/packer.h"

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

enum { PART = 64 << 10 }; // bytes to write at a time

struct packer {
	enum packer_format format;
#ifdef HAVE_ZLIB
	z_stream gzip;
#endif
#ifdef HAVE_ZSTD
	ZSTD_CStream *zstd;
#endif
	char out[PART];
};

enum packer_format packer_format_of(const char *path) {
	struct str name = str_of(path);
	return str_ends(name, STR(".gz"))    ? PACKER_GZIP
	       : str_ends(name, STR(".zst")) ? PACKER_ZSTD
					     : PACKER_NONE;
}

struct str packer_inner_name(const char *path) {
	static const size_t endings[] = {[PACKER_NONE] = 0,
					 [PACKER_GZIP] = sizeof(".gz") - 1,
					 [PACKER_ZSTD] = sizeof(".zst") - 1};
	struct str name = str_of(path);
	return str_to(name, name.n - endings[packer_format_of(path)]);
}

static bool start(struct packer *packer) {
	bool started = false;
	(void)packer; // not used without either library
#ifdef HAVE_ZLIB
	enum { FAST = 3, WINDOW_OF_GZIP = MAX_WBITS + 16, MEMORY = 8 };
	if (packer->format == PACKER_GZIP) {
		started = deflateInit2(&packer->gzip, FAST, Z_DEFLATED, WINDOW_OF_GZIP, MEMORY,
				       Z_DEFAULT_STRATEGY) == Z_OK;
	}
#endif
#ifdef HAVE_ZSTD
	if (packer->format == PACKER_ZSTD) {
		packer->zstd = ZSTD_createCStream();
		started = packer->zstd != NULL;
	}
#endif
	return started;
}

struct packer *packer_new(enum packer_format format) {
	struct packer *packer = mem_new(1, sizeof(*packer));
	packer->format = format;
	if (!start(packer)) {
		free(packer);
		return NULL;
	}
	return packer;
}

#ifdef HAVE_ZLIB
static int write_gzip(struct packer *packer, int fd, const void *bytes, size_t size, bool last) {
	z_stream *stream = &packer->gzip;
	int status = Z_OK;
	stream->next_in = (void *)(uintptr_t)bytes; // zlib only reads it
	stream->avail_in = (uInt)size;
	do {
		stream->next_out = (void *)packer->out;
		stream->avail_out = PART;
		status = deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
		if (scratch_write(fd, packer->out, PART - stream->avail_out) != 0) {
			return -1;
		}
	} while (stream->avail_out == 0 || (last && status == Z_OK));
	return 0;
}
#endif

#ifdef HAVE_ZSTD
static int write_zstd(struct packer *packer, int fd, const void *bytes, size_t size, bool last) {
	ZSTD_inBuffer in = {bytes, size, 0};
	size_t left;
	do {
		ZSTD_outBuffer out = {packer->out, PART, 0};
		left = ZSTD_compressStream2(packer->zstd, &out, &in,
					    last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left)) {
			errno = ENOMEM; // the only possible reason
			return -1;
		}
		if (scratch_write(fd, packer->out, out.pos) != 0) {
			return -1;
		}
	} while (in.pos < in.size || (last && left > 0));
	return 0;
}
#endif

int packer_write(struct packer *packer, int fd, const void *bytes, size_t size, bool last) {
	enum { MOST = 1 << 30 }; // bytes that zlib can count
	const char *from = bytes;
	int result = 0;
	do {
		size_t n = size < MOST ? size : MOST;
		bool ends = last && n == size;
		(void)packer, (void)fd, (void)ends; // not used without either library
#ifdef HAVE_ZLIB
		if (packer->format == PACKER_GZIP) {
			result = write_gzip(packer, fd, from, n, ends);
		}
#endif
#ifdef HAVE_ZSTD
		if (packer->format == PACKER_ZSTD) {
			result = write_zstd(packer, fd, from, n, ends);
		}
#endif
		from += n;
		size -= n;
	} while (size > 0 && result == 0);
	return result;
}

void packer_free(struct packer *packer) {
	if (packer == NULL) {
		return;
	}
#ifdef HAVE_ZLIB
	if (packer->format == PACKER_GZIP) {
		deflateEnd(&packer->gzip);
	}
#endif
#ifdef HAVE_ZSTD
	ZSTD_freeCStream(packer->zstd); // of NULL, too
#endif
	free(packer);
}
