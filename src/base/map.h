/** Include uthash.h, and set it up: uthash uses inferno's hash function, and calls
 * inferno_out_of_memory() if memory runs out. No other file includes uthash.h. */
#pragma once

#include "base/hash.h"
#include "base/mem.h"

// The seed is the address of a function. The author of an input cannot predict this address.
#define HASH_FUNCTION(key, len, result) \
	((result) = (unsigned)hash_bytes((key), (len), (uint64_t)(uintptr_t)&hash_seed))
#define uthash_malloc(size) mem_new(1, (size))
#include <uthash.h>
