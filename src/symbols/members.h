/** Offsets of the members of structs, from the debug information of a file. */
#ifndef INFERNO_SYMBOLS_MEMBERS_H
#define INFERNO_SYMBOLS_MEMBERS_H

#include "symbols/symbols.h"

/** A member of a struct or union, or with `path` NULL, the size of the struct. */
struct layout_member {
	const char *type; // its tag or a name that typedef gave it; NULL ends a list
	const char *path; // such as "threads.head" for a member of a member
};

#define MEMBER_NONE UINT32_MAX // the offset of a member that does not exist

/** Put the offsets of the members in the list into `offsets`. `fd` is the open file with the code,
 * which is taken over, and `wanted` describes it. If it has no debug information, look for a
 * separate debug file as `options` say. Return whether there is debug information. */
bool members_find(int fd, const struct symbols_options *options, const struct object_file *wanted,
		  const struct layout_member *members, uint32_t *offsets);

#endif
