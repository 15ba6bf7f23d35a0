/* Names of frames, as profilers print them. */
#include "collapse/text.h"

struct str text_next_word(struct str *rest) {
	struct str word = text_trim_start(*rest);
	size_t n = 0;
	while (n < word.n && !text_is_blank(word.p[n])) {
		n++;
	}
	*rest = str_from(word, n);
	return str_to(word, n);
}

void text_add_module(struct buf *name, struct str path) {
	bool has_brackets = str_starts(path, STR("["));
	path = has_brackets ? path : str_from(path, str_find_last(path, '/') + 1);
	buf_add_text(name, has_brackets ? "" : "[");
	buf_add_str(name, path.n > 0 ? path : STR("unknown"));
	buf_add_text(name, has_brackets ? "" : "]");
}

uint32_t text_frame(struct run *run, struct memo *names, struct str name) {
	struct meaning meaning = memo_find(names, name, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = meaning_frame(run_frame(run, name));
		memo_add(names, name, 0, meaning);
	}
	return meaning.id;
}
