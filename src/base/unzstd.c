/* Unpack a zstd stream that comes in pieces. */
#include "base/unzstd.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

struct unzstd *unzstd_new(void) {
	return (struct unzstd *)ZSTD_createDStream();
}

ptrdiff_t unzstd_read(struct unzstd *stream, struct str *packed, void *bytes, size_t size,
		      const char **why) {
	ZSTD_inBuffer in = {packed->p, packed->n, 0};
	ZSTD_outBuffer out = {bytes, size, 0};
	size_t status = 0;
	do {
		status = ZSTD_decompressStream((ZSTD_DStream *)stream, &out, &in);
	} while (out.pos == 0 && in.pos < in.size && !ZSTD_isError(status));
	*packed = str_from(*packed, in.pos);
	if (ZSTD_isError(status)) {
		*why = ZSTD_getErrorName(status);
		return -1;
	}
	return (ptrdiff_t)out.pos;
}

void unzstd_free(struct unzstd *stream) {
	ZSTD_freeDStream((ZSTD_DStream *)stream);
}

#else

struct unzstd *unzstd_new(void) {
	return NULL;
}

ptrdiff_t unzstd_read(struct unzstd *stream, struct str *packed, void *bytes, size_t size,
		      const char **why) {
	(void)stream, (void)packed, (void)bytes, (void)size;
	*why = "no libzstd";
	return -1;
}

void unzstd_free(struct unzstd *stream) {
	(void)stream;
}
#endif
