/** The names of functions that were read, by their address. An address may get another function, so
 * each is compared again after some time. */
#ifndef INFERNO_SCRIPT_KNOWN_H
#define INFERNO_SCRIPT_KNOWN_H

#include "base/intern.h"

struct known_name {
	uint64_t print; // tells the function from others at its address
	uint64_t seen;  // when it was compared, in nanoseconds; 0: it is new
	uint32_t id;    // of its name
};

/** A zeroed struct is empty. */
struct known_names {
	struct intern addresses;
	struct known_name *items; // by id in `addresses`
	size_t capacity;
};

/** Return the entry of an address, which is added if it is new. It is valid until the next call. */
struct known_name *known_names_get(struct known_names *names, uint64_t address);

/** Return whether the entry was compared so lately that it needs no comparison at `now`. */
bool known_name_is_fresh(const struct known_name *name, uint64_t now);

void known_names_release(struct known_names *names);

#endif
