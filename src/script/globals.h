/** The addresses of an interpreter's symbols in a process. */
#pragma once

#include "symbols/maps.h"
#include "symbols/members.h"

/** The size of a file, and the time of its last change. */
struct globals_stamp {
	int64_t size, seconds, nanoseconds;
};

/** Find the addresses that the symbols of the file mapped at `map` have in the process. The list of
 * names ends with NULL. Set the address of a missing symbol to 0. For a thread-local symbol, set
 * its offset in thread-local memory. Set `stamp`. Return false if the first symbol is missing. */
bool globals_find(int32_t pid, const struct map *map, const char *const *names, uint64_t *values,
		  struct globals_stamp *stamp);

/** Find the offsets of members in the debug information of the file mapped at `map`, or in its
 * separate debug file. `debuginfod` allows requests to servers. Return false if there is no debug
 * information. */
bool globals_find_offsets(int32_t pid, const struct map *map, const struct layout_member *members,
			  bool debuginfod, uint32_t *offsets);
