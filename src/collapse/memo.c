/* What known lines mean. */
#include "collapse/memo.h"

#include <stdlib.h>

size_t memo_step_slow(struct memo *memo, struct str text) {
	size_t n = str_find(text, '\n');
	if (n == STR_NONE || n == 0 || !is_graphic(text.p[n - 1])) {
		return 0;
	}
	memo->hash = hash_bytes(text.p, n, memo->lines.seed);
	struct intern_key *line = intern_find_hashed(&memo->lines, text.p, n, memo->hash);
	if (line == NULL) {
		return 0;
	}
	memo_step_to(memo, line);
	return n + 1;
}

struct meaning memo_find(struct memo *memo, struct str line, size_t which) {
	struct intern_key *key = memo_guess(memo);
	if (key == NULL || !str_eq(intern_str(key), line)) {
		key = intern_find(&memo->lines, line.p, line.n);
	}
	struct meaning meaning = {.kind = MEANS_UNKNOWN};
	if (key != NULL) {
		meaning = memo->meanings[key->id].what[which];
	}
	if (meaning.kind != MEANS_UNKNOWN) {
		memo_step_to(memo, key);
	}
	return meaning;
}

/** Set one meaning of a line, and make it the last line. */
static void set_meaning(struct memo *memo, struct intern_key *key, size_t which,
			struct meaning meaning) {
	size_t before = memo->meanings_capacity;
	memo->meanings = mem_grow(memo->meanings, &memo->meanings_capacity, memo->lines.count,
				  sizeof(*memo->meanings));
	if (memo->meanings_capacity > before) {
		memset(memo->meanings + before, 0,
		       (memo->meanings_capacity - before) * sizeof(*memo->meanings));
	}
	memo->meanings[key->id].what[which] = meaning;
	memo_step_to(memo, key);
}

void memo_add(struct memo *memo, struct str line, size_t which, struct meaning meaning) {
	set_meaning(memo, intern_get(&memo->lines, line.p, line.n), which, meaning);
}

void memo_learn(struct memo *memo, struct str line, size_t which, struct meaning meaning) {
	set_meaning(memo, intern_get_hashed(&memo->lines, line.p, line.n, memo->hash), which,
		    meaning);
}

void memo_release(struct memo *memo) {
	intern_release(&memo->lines);
	free(memo->meanings);
	*memo = (struct memo){0};
}
