/* Store names and their ids. */
#include "profile/names.h"

#include <stdlib.h>

#include "base/buf.h"

uint32_t names_add_text(struct names *names, struct str name) {
	names->joined |= str_find(name, ';') != STR_NONE;
	return intern_get(&names->table, name.p, name.n)->id;
}

/** If a name ends in a blank and a word that looks like a count, return the index of the blank.
 * Otherwise return STR_NONE. */
static size_t names_find_false_count(struct str name) {
	size_t at = name.n, points = 0;
	while (at > 0 && (is_digit(name.p[at - 1]) || name.p[at - 1] == '.')) {
		points += name.p[--at] == '.';
	}
	bool count = at > 0 && at < name.n && is_digit(name.p[at]) && points <= 1;
	return count && (name.p[at - 1] == ' ' || name.p[at - 1] == '\t') ? at - 1 : STR_NONE;
}

bool names_ends_in_count(struct str name) {
	return names_find_false_count(name) != STR_NONE;
}

bool names_begins_comment(struct str name) {
	return str_starts(name, STR("# "));
}

static uint32_t names_add_in_one_line(struct names *names, struct str name) {
	struct buf line = {0};
	buf_add_str(&line, name);
	buf_replace(&line, '\n', ' ');
	uint32_t id = names_add(names, buf_str(&line));
	buf_release(&line);
	return id;
}

uint32_t names_add(struct names *names, struct str name) {
	if (str_find(name, '\n') != STR_NONE) {
		return names_add_in_one_line(names, name);
	}
	names->blank_ends |= str_trim(name).n < name.n;
	names->unclear |=
		(!names->keeps_counts && names_ends_in_count(name)) || names_begins_comment(name);
	return names_add_text(names, name);
}

uint32_t names_clear(struct names *names, uint32_t id) {
	struct str name = intern_str(names->table.keys[id]);
	size_t count = names_find_false_count(name);
	struct buf clear = {0};
	buf_add_str(&clear, name);
	if (names_begins_comment(name)) {
		clear.p[1] = '_';
	}
	if (count != STR_NONE) {
		clear.p[count] = '_';
	}
	uint32_t new_id = intern_get(&names->table, clear.p, clear.n)->id;
	buf_release(&clear);
	return new_id;
}

enum { MERGED = 64 }; // number of names that are looked up together

/** Add `n` names of `from`, beginning with the id `first`, and note their new ids. */
static void names_merge_some(struct names *names, const struct names *from, uint32_t first,
			     uint32_t n, uint32_t *ids) {
	struct intern_query queries[MERGED];
	for (uint32_t i = 0; i < n; i++) {
		struct str name = intern_str(from->table.keys[first + i]);
		uint64_t hash = hash_bytes(name.p, name.n, names->table.seed);
		queries[i] = (struct intern_query){.text = name, .hash = hash};
	}
	intern_guess_all(&names->table, queries, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct intern_query *query = &queries[i];
		ids[first + i] =
			intern_guess_is_right(query)
				? query->guess->id
				: intern_get(&names->table, query->text.p, query->text.n)->id;
	}
}

void names_mark(struct names *names, uint32_t id, char mark) {
	if (id >= names->marks_n) {
		size_t n = names->marks_n;
		MEM_GROW(names->marks, names->marks_n, (size_t)id + 1);
		memset(names->marks + n, 0, names->marks_n - n);
	}
	names->marks[id] = mark;
}

char names_mark_of(const struct names *names, uint32_t id) {
	id = names->sorted == NULL ? id : names->sorted[id];
	return id < names->marks_n ? names->marks[id] : '\0';
}

uint32_t *names_merge(struct names *names, const struct names *from) {
	uint32_t n = names_count(from), *ids = mem_new(n, sizeof(*ids));
	intern_expect(&names->table, n);
	for (uint32_t first = 0; first < n; first += MERGED) {
		names_merge_some(names, from, first, n - first < MERGED ? n - first : MERGED, ids);
	}
	for (uint32_t i = 0; i < from->marks_n && i < n; i++) {
		if (from->marks[i] != '\0') {
			names_mark(names, ids[i], from->marks[i]);
		}
	}
	names->joined |= from->joined;
	names->blank_ends |= from->blank_ends;
	names->unclear |= from->unclear;
	return ids;
}

uint32_t *names_sort(struct names *names) {
	uint32_t n = names_count(names);
	struct sort_item *items = intern_sort(&names->table);
	uint32_t *new_ids = mem_new(n, sizeof(*new_ids));
	names->sorted = mem_new(n, sizeof(*new_ids));
	for (uint32_t i = 0; i < n; i++) {
		new_ids[items[i].id] = i;
		names->sorted[i] = items[i].id;
	}
	free(items);
	return new_ids;
}

void names_release(struct names *names) {
	intern_release(&names->table);
	free(names->sorted);
	free(names->marks);
	*names = (struct names){0};
}
