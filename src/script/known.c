/* The names of functions that were read. */
#include "script/known.h"

#include <stdlib.h>

struct known_name *known_names_get(struct known_names *names, uint64_t address) {
	enum { MOST = 1 << 18 };
	if (names->addresses.count >= MOST) {
		intern_release(&names->addresses);
		names->addresses = (struct intern){0};
	}
	uint32_t before = names->addresses.count;
	uint32_t id = intern_get(&names->addresses, &address, sizeof(address))->id;
	names->items = mem_grow(names->items, &names->capacity, id + 1, sizeof(*names->items));
	if (id == before) {
		names->items[id] = (struct known_name){0};
	}
	return &names->items[id];
}

bool known_name_is_fresh(const struct known_name *name, uint64_t now) {
	const uint64_t trusted = 5000000; // ns
	return name->seen != 0 && now - name->seen < trusted;
}

void known_names_release(struct known_names *names) {
	intern_release(&names->addresses);
	free(names->items);
}
