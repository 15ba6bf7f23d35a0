/**
 * The names of frames. Each is stored once and known by its id.
 *
 * Names are UTF-8 without line ends. A name that would read otherwise in folded text is marked, and
 * profile_finish() makes it what its text says before anything else looks at the stacks.
 */
#ifndef INFERNO_NAMES_H
#define INFERNO_NAMES_H

#include "base/intern.h"

/** Zeroed, it holds no names. */
struct names {
	struct intern table; // a key's id is the name's
	uint32_t *sorted;    // from sorted id to id, after names_sort()
	bool trim;           // cut blanks off the ends of names
	bool joined;         // some name holds a `;`, so it reads as several frames
	bool unclear;        // some name may read as a count or a comment
};

/** Return the id of `name` as it stands in folded text, adding it if it is new. The bytes are
 * copied. */
uint32_t names_add_text(struct names *names, struct str name);

/**
 * Return the id of `name` from any other format, adding it if it is new. The bytes are copied; line
 * ends become blanks. Folded text would take the end of "f 12" for a count and "# f" for a comment:
 * if a stack ends, or begins, with such a name, profile_finish() puts a `_` in place of the blank.
 */
uint32_t names_add(struct names *names, struct str name);

/** Return whether a name reads otherwise at the end of a line of folded text, and at its start. */
bool names_ends_in_count(struct str name);
bool names_begins_comment(struct str name);

/** Return the id of a name with a `_` in place of the blank that makes it read otherwise. */
uint32_t names_clear(struct names *names, uint32_t id);

/** Return the number of names. */
static inline uint32_t names_count(const struct names *names) {
	return names->table.count;
}

/** Return the name with this id; after names_sort(), with this sorted id. It lives as long as
 * `names`. */
static inline struct str names_get(const struct names *names, uint32_t id) {
	return intern_str(names->table.keys[names->sorted == NULL ? id : names->sorted[id]]);
}

/** Add all names of `from`. Return the new id of each; the caller releases them with free(). */
uint32_t *names_merge(struct names *names, const struct names *from);

/** From now on, let ids compare as the bytes of their names do. Return the new id of each old one;
 * the caller releases them with free(). */
uint32_t *names_sort(struct names *names);

void names_release(struct names *names);

#endif
