/**
 * Store the names of frames. Each name is stored once and has an id.
 *
 * Names are UTF-8 without line ends. A name may contain text that has a special meaning in folded
 * text, such as a `;`. `joined` and `unclear` note that such names exist, and profile_finish()
 * changes them before the stacks are used.
 */
#pragma once

#include "base/intern.h"

/** A zeroed struct has no names. */
struct names {
	struct intern table; // keys are names; the id of a key is the id of the name
	uint32_t *sorted;    // maps sorted ids to ids, after names_sort()
	char *marks; // mark of each name by its unsorted id, for the first `marks_n` names; see
		     // names_mark()
	size_t marks_n;
	bool blank_ends;   // some name from names_add() has a blank at an end
	bool keeps_counts; // names that end like a count, such as "f 12", keep their blank
	bool joined;       // some name has a `;`, so it stands for several frames
	bool unclear;      // some name could be read as a count or a comment
};

/** Return the id of a name in folded text. If the name is new, add a copy. */
uint32_t names_add_text(struct names *names, struct str name);

/**
 * Return the id of a name in any other format. If the name is new, add a copy in which line ends
 * are blanks. In folded text, the end of "f 12" would be read as a count, and "# f" as a comment.
 * If a stack ends or begins with such a name, profile_finish() replaces the blank by a `_`.
 */
uint32_t names_add(struct names *names, struct str name);

/**
 * Return whether the end of a name would be read as a count in folded text (names_ends_in_count),
 * or its start as a comment (names_begins_comment).
 */
bool names_ends_in_count(struct str name);
bool names_begins_comment(struct str name);

/** Replace the blank in a name that would be read as a count or a comment by a `_`. Return the id
 * of the changed name. */
uint32_t names_clear(struct names *names, uint32_t id);

/** Remember the kind of code that a name belongs to. `mark` is the letter of the kind, such as `k`
 * in
 * `_[k]`. The name itself does not change. Call this function before names_sort(). */
void names_mark(struct names *names, uint32_t id, char mark);

/** Return the letter that names_mark() noted, or 0. */
char names_mark_of(const struct names *names, uint32_t id);

static inline uint32_t names_count(const struct names *names) {
	return names->table.count;
}

/** Return the name with this id. After names_sort(), pass the sorted id. The name is valid as long
 * as `names`. */
static inline struct str names_get(const struct names *names, uint32_t id) {
	return intern_str(names->table.keys[names->sorted == NULL ? id : names->sorted[id]]);
}

/** Add all names of `from`. Return the new id of each name. The caller releases the array with
 * free(). */
uint32_t *names_merge(struct names *names, const struct names *from);

/** Give the names new ids, so that the order of the ids is the order of the names' bytes. Return
 * the new id of each old id. The caller releases the result with free(). */
uint32_t *names_sort(struct names *names);

void names_release(struct names *names);
