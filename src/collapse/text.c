/* Names of frames as printed. */
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
	struct meaning meaning = memo_find(&names->memo, name, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		struct str text = frame_text(&names->text, name);
		meaning = meaning_frame(profile_frame(names->profile, text));
		memo_add(&names->memo, name, 0, meaning);
	}
	return meaning.id;
}

void text_names_release(struct text_names *names) {
	memo_release(&names->memo);
	buf_release(&names->text);
}
