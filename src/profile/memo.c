/* Remember the meanings of lines. */
#include "profile/memo.h"

void memo_expect(struct memo *memo, struct str text) {
	size_t n = memo->start != NULL && memo_is_at(memo->start, text) ? 0 : str_find(text, '\n');
	if (n == 0 || n == STR_NONE) {
		memo_expect_nothing(memo);
		return;
	}
	memo->expected = str_to(text, n);
	memo->expected_hash = hash_bytes(text.p, n, memo->lines.seed);
	intern_prefetch_slot(&memo->lines, memo->expected_hash);
}

size_t memo_step_slow(struct memo *memo, struct str text) {
	bool expected = memo->expected.n > 0 && memo->expected.p == text.p;
	size_t n = expected ? memo->expected.n : str_find(text, '\n');
	if (n == STR_NONE || n == 0 || !is_graphic(text.p[n - 1])) {
		return 0;
	}
	memo->hash = expected ? memo->expected_hash : hash_bytes(text.p, n, memo->lines.seed);
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
		meaning = memo_meanings(key)->what[which];
	}
	if (meaning.kind != MEANS_UNKNOWN) {
		memo_step_to(memo, key);
	}
	return meaning;
}

/** Set one meaning of a line, and note that this line is the last line that was read. */
static void memo_set_meaning(struct memo *memo, struct intern_key *key, size_t which,
			     struct meaning meaning) {
	memo_meanings(key)->what[which] = meaning;
	memo_step_to(memo, key);
}

void memo_add(struct memo *memo, struct str line, size_t which, struct meaning meaning) {
	memo->lines.room = sizeof(struct meanings);
	memo_set_meaning(memo, intern_get(&memo->lines, line.p, line.n), which, meaning);
}

void memo_learn(struct memo *memo, struct str line, size_t which, struct meaning meaning) {
	memo->lines.room = sizeof(struct meanings);
	memo_set_meaning(memo, intern_get_hashed(&memo->lines, line.p, line.n, memo->hash), which,
			 meaning);
}

void memo_release(struct memo *memo) {
	intern_release(&memo->lines);
	*memo = (struct memo){0};
}
