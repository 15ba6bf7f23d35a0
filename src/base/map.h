/** The only file that includes uthash.h: our hash function, our way to run out of memory. */
#ifndef INFERNO_MAP_H
#define INFERNO_MAP_H

#include "base/hash.h"
#include "base/mem.h"

// The seed is where the program was loaded, which nobody who makes an input knows.
#define HASH_FUNCTION(key, len, result) \
	((result) = (unsigned)hash_bytes((key), (len), (uint64_t)(uintptr_t)&hash_seed))
#define uthash_malloc(size) mem_new(1, (size))
#include <uthash.h>

#endif
