/* Names of frames as they are printed. */
#include "collapse/text.h"

#include "collapse/frame_text.h"

struct str text_next_word(struct str *rest) {
	struct str word = text_trim_start(*rest);
	size_t n = 0;
	while (n < word.n && !text_is_blank(word.p[n])) {
		n++;
	}
	*rest = str_from(word, n);
	return str_to(word, n);
}

uint32_t text_frame(struct text_names *names, struct str name) {
	struct intern_key *memo = intern_get(&names->memo, name.p, name.n);
	if (memo->value == 0) {
		struct str text = frame_text(&names->text, name);
		memo->value = (uint64_t)profile_frame(names->profile, text) + 1;
	}
	return (uint32_t)(memo->value - 1);
}

void text_names_release(struct text_names *names) {
	intern_release(&names->memo);
	buf_release(&names->text);
}
