/** Offsets of the members of structs, from the debug information of a file. */
#ifndef INFERNO_SYMBOLS_MEMBERS_H
#define INFERNO_SYMBOLS_MEMBERS_H

#include "symbols/symbols.h"

/** A member of a struct or union, or with `path` NULL, the size of the struct. */
struct layout_member {
	const char *type; // its tag or a name that typedef gave it; NULL ends a list
	const char *path; // such as "threads.head" for a member of a member
	uint16_t only;    // the only offset that the reader of the struct supports; 0: any
};

#define MEMBER_NONE UINT32_MAX // the offset of a member that does not exist

enum { MEMBER_NOWHERE = 0xffff }; // the same in a table of offsets of 16 bits

/** Return the offset of the first member in a list that exists, or MEMBER_NOWHERE. The list has
 * indexes of `offsets`, and ends with -1. */
uint16_t members_first(const uint32_t *offsets, const int *list);

/** Return whether each member that has only one supported offset is there. */
bool members_agree(const struct layout_member *members, const uint32_t *offsets);

/** Put the offsets of the members in the list into `offsets`. `fd` is the open file with the code,
 * which is taken over, and `wanted` describes it. If the file has no debug information, look for a
 * separate debug file as `options` say. Return whether there is debug information. */
bool members_find(int fd, const struct symbols_options *options, const struct object_file *wanted,
		  const struct layout_member *members, uint32_t *offsets);

#endif
