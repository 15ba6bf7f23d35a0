/* Write JSON. */
#include "base/json_text.h"

#include "base/utf8.h"

/** Add a code point as an escape. Write a code point above U+FFFF as a surrogate pair of UTF-16. */
static void json_text_add_point(struct buf *out, uint32_t point) {
	if (point > UINT16_MAX) {
		buf_printf(out, "\\u%04x", 0xd7c0 + (point >> 10));
		point = 0xdc00 | (point & 0x3ff);
	}
	buf_printf(out, "\\u%04x", point);
}

void json_add_string(struct buf *out, struct str text) {
	buf_add_char(out, '"');
	for (size_t bad, len; text.n > 0; text = str_from(text, len)) {
		len = utf8_next(text, &bad);
		uint32_t point = utf8_decode(text.p, len);
		if (!utf8_is_shown(point)) {
			json_text_add_point(out, point);
			continue;
		}
		if (point == '"' || point == '\\') {
			buf_add_char(out, '\\');
		}
		buf_add_str(out, str_to(text, len));
	}
	buf_add_char(out, '"');
}
