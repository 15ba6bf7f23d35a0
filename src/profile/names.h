/**
 * The names of frames. Each name is stored once and has an id.
 *
 * Names are UTF-8 without line ends. A name that would have another meaning in folded text is
 * marked, and profile_finish() changes the name before the stacks are used.
 */
#ifndef INFERNO_NAMES_H
#define INFERNO_NAMES_H

#include "base/intern.h"

/** A zeroed struct has no names. */
struct names {
	struct intern table; // the id of a key is the id of the name
	uint32_t *sorted;    // maps sorted ids to ids, after names_sort()
	char *marks; // marks by unsorted id, for the first `marks_n` names; see names_mark()
	size_t marks_n;
	bool trim;         // whether blanks at the ends of names are cut off
	bool keeps_counts; // whether names that end like a count, such as "f 12", keep their blank
	bool joined;       // whether some name has a `;`, so that it means several frames
	bool unclear;      // whether some name looks like a count or a comment
};

/** Return the id of `name` from folded text, adding it if it is new. The bytes are copied. */
uint32_t names_add_text(struct names *names, struct str name);

/**
 * Return the id of `name` from any other format, adding it if it is new. The bytes are copied, and
 * line ends become blanks. In folded text, the end of "f 12" would be a count, and "# f" a comment.
 * If a stack ends or begins with such a name, profile_finish() replaces the blank by a `_`.
 */
uint32_t names_add(struct names *names, struct str name);

/**
 * Return whether a name would have another meaning in folded text, at the end of a line or at its
 * start.
 */
bool names_ends_in_count(struct str name);
bool names_begins_comment(struct str name);

/** In a name that would have another meaning in folded text, replace the blank that causes this by
 * a `_`. Return the id of the changed name. */
uint32_t names_clear(struct names *names, uint32_t id);

/** Note the kind of code that a name belongs to. `mark` is the letter of the kind, such as `k` in
 * `_[k]`. The name itself does not change. Call this before names_sort(). */
void names_mark(struct names *names, uint32_t id, char mark);

/** Return the letter that names_mark() noted, or 0. */
char names_mark_of(const struct names *names, uint32_t id);

/** Return the number of names. */
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

/** Change the ids, so that ids have the same order as the bytes of their names. Return the new id
 * of each old id. The caller releases the result with free(). */
uint32_t *names_sort(struct names *names);

void names_release(struct names *names);

#endif
