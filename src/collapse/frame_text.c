/* The text of a frame. */
#include "collapse/frame_text.h"

#include "base/utf8.h"

struct str frame_text(struct buf *out, struct str name) {
	buf_clear(out);
	utf8_repair(out, name);
	for (size_t i = 0; i < out->n; i++) {
		unsigned char c = (unsigned char)out->p[i];
		if (c == ';') {
			out->p[i] = ':';
		} else if (c < 0x20 || c == 0x7f) {
			out->p[i] = ' ';
		}
	}
	return buf_str(out);
}
