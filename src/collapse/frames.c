/* Frames of names that formats print as they are. */
#include "collapse/frames.h"

#include "base/utf8.h"

uint32_t run_frame(struct run *run, struct str name) {
	struct buf *text = &run->text;
	buf_clear(text);
	utf8_repair(text, name);
	for (size_t i = 0; i < text->n; i++) {
		unsigned char c = (unsigned char)text->p[i];
		if (c == ';') {
			text->p[i] = ':';
		} else if (c < 0x20 || c == 0x7f) {
			text->p[i] = ' ';
		}
	}
	return profile_frame(run->profile, buf_str(text));
}

struct meaning meaning_of_name(struct run *run, struct str name) {
	return name.n == 0 ? (struct meaning){.kind = MEANS_NOTHING}
			   : meaning_frame(run_frame(run, name));
}
