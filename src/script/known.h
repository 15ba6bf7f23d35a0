/** A cache of data about objects in the memory of a process. The address of an object is the key of
 * its item. Another object may get the same address later, so each item is compared with the object
 * again after some time. */
#pragma once

#include "base/intern.h"

/** A zeroed cache is empty. All items of one cache have the same type. */
struct known {
	struct intern addresses;
	void *items; // items, indexed by the id of the address in `addresses`
	size_t capacity;
};

/** Return the item of an address. Items have `size` bytes, and a new item is zeroed. The item is
 * valid until the next call. If the cache has very many items, this function first drops all
 * items. */
void *known_get(struct known *known, uint64_t address, size_t size);

/** Return whether an item needs no comparison with its object at the time `now`. `seen` is the time
 * of the item's last comparison; 0 for a new item. Both times are in nanoseconds. */
bool known_is_fresh(uint64_t seen, uint64_t now);

void known_release(struct known *known);

/** An item with the name of a function. */
struct known_name {
	uint64_t print; // distinguishes the function from others at the same address
	uint64_t seen;  // time of the last comparison, in nanoseconds; 0: new
	uint32_t id;    // id of the function's name
};
