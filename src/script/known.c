/* A cache of data about objects, by the addresses of the objects. */
#include "script/known.h"

#include <stdlib.h>
#include <string.h>

void *known_get(struct known *known, uint64_t address, size_t size) {
	enum { MOST = 1 << 18, LARGE = 256, MOST_LARGE = 1 << 16 };
	if (known->addresses.count >= (size < LARGE ? MOST : MOST_LARGE)) {
		intern_release(&known->addresses);
		known->addresses = (struct intern){0};
	}
	uint32_t before = known->addresses.count;
	uint32_t id = intern_get(&known->addresses, &address, sizeof(address))->id;
	known->items = mem_grow(known->items, &known->capacity, (size_t)id + 1, size);
	char *item = (char *)known->items + id * size;
	if (id == before) {
		memset(item, 0, size);
	}
	return item;
}

bool known_is_fresh(uint64_t seen, uint64_t now) {
	const uint64_t trusted = 5000000; // ns
	return seen != 0 && now - seen < trusted;
}

void known_release(struct known *known) {
	intern_release(&known->addresses);
	free(known->items);
}
