/** Find the offsets of the members of structs in the debug information of a file. */
#pragma once

#include "symbols/symbols.h"

/** A member of a struct or union. If `path` is NULL, the size of the struct is wanted in place of
 * an offset. */
struct layout_member {
	const char *type; // tag of the struct, or a name that a typedef gave it; NULL ends a list
	const char *path; // name of the member; for a member of a member, a path such as
			  // "threads.head"
	uint16_t only;    // the only offset that the reader of the struct supports; 0: any offset
};

#define MEMBER_NONE UINT32_MAX // the offset of a member that does not exist

enum {
	MEMBER_NOWHERE = 0xffff
}; // the offset of a member that does not exist, in a table of
   // 16-bit offsets

/** Return the offset of the first existing member in a list, or MEMBER_NOWHERE if no member of the
 * list exists. `list` has indexes of `offsets`, and ends with -1. */
uint16_t members_first(const uint32_t *offsets, const int *list);

/** Return whether each member that has a value in `only` has this offset. */
bool members_agree(const struct layout_member *members, const uint32_t *offsets);

/** Put the offsets of the members in the list into `offsets`. `fd` is the open file with the code,
 * and `wanted` describes this file. This function closes `fd`. If the file has no debug
 * information, search for a separate debug file as `options` say. Return whether there is debug
 * information. */
bool members_find(int fd, const struct symbols_options *options, const struct object_file *wanted,
		  const struct layout_member *members, uint32_t *offsets);
