/** The only file that includes uthash.h. This file makes uthash use inferno's hash function, and
 * call inferno_out_of_memory() if memory runs out. */
#ifndef INFERNO_MAP_H
#define INFERNO_MAP_H

#include "base/hash.h"
#include "base/mem.h"

// The seed is the address of the program in memory, which the author of an input cannot predict.
#define HASH_FUNCTION(key, len, result) \
	((result) = (unsigned)hash_bytes((key), (len), (uint64_t)(uintptr_t)&hash_seed))
#define uthash_malloc(size) mem_new(1, (size))
#include <uthash.h>

#endif
