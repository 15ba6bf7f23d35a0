/** The only file that includes uthash.h: our hash function, our way to run out of memory. */
#ifndef INFERNO_MAP_H
#define INFERNO_MAP_H

#include "base/hash.h"
#include "base/mem.h"

// Maps hold what a user wrote by hand or what the program itself knows; the seed need not change.
#define HASH_FUNCTION(key, len, result) ((result) = (unsigned)hash_bytes((key), (len), 0))
#define uthash_malloc(size) mem_new(1, (size))
#include <uthash.h>

#endif
