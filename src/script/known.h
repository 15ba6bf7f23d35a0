/** A cache of data about objects in the memory of a process, by the addresses of the objects.
 * Another object may get the same address, so each item is compared with the object again after
 * some time. */
#ifndef INFERNO_SCRIPT_KNOWN_H
#define INFERNO_SCRIPT_KNOWN_H

#include "base/intern.h"

/** A zeroed cache is empty. All items of one cache have the same type. */
struct known {
	struct intern addresses;
	void *items; // by id in `addresses`
	size_t capacity;
};

/** Return the item of an address, of `size` bytes. A new item is zeroed. The item is valid until
 * the next call. If there are very many items, drop all of them first. */
void *known_get(struct known *known, uint64_t address, size_t size);

/** Return whether an item that was compared at the time `seen`, in nanoseconds, needs no comparison
 * at the time `now`. For a new item, `seen` is 0. */
bool known_is_fresh(uint64_t seen, uint64_t now);

void known_release(struct known *known);

/** An item with the name of a function. */
struct known_name {
	uint64_t print; // distinguishes the function from others at the same address
	uint64_t seen;  // time of the last comparison, in nanoseconds; 0: new
	uint32_t id;    // of its name
};

#endif
