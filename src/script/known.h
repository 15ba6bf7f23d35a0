/** What was read of objects in the memory of a process, by their address. An address may get
 * another object, so each is compared again after some time. */
#ifndef INFERNO_SCRIPT_KNOWN_H
#define INFERNO_SCRIPT_KNOWN_H

#include "base/intern.h"

/** A zeroed struct is empty. All items of one have the same type. */
struct known {
	struct intern addresses;
	void *items; // by id in `addresses`
	size_t capacity;
};

/** Return the item of an address, of `size` bytes. It is zeroed if it is new, and valid until the
 * next call. When there are very many, all are forgotten. */
void *known_get(struct known *known, uint64_t address, size_t size);

/** Return whether an item that was compared at the time `seen`, in nanoseconds, needs no comparison
 * at `now`. 0 stands for an item that is new. */
bool known_is_fresh(uint64_t seen, uint64_t now);

void known_release(struct known *known);

/** An item for a name. */
struct known_name {
	uint64_t print; // distinguishes the function from others at the same address
	uint64_t seen;  // when it was compared, in nanoseconds; 0: it is new
	uint32_t id;    // of its name
};

#endif
