/* Add keys to a table from bytes to dense ids. */
#include "base/intern.h"

#include <stdlib.h>
#include <unistd.h>

enum { FIRST_SLOTS = 256 };

uint64_t hash_seed(void) {
	uint64_t seed = 0;
	if (getentropy(&seed, sizeof(seed)) != 0) {
		seed = (uint64_t)(uintptr_t)&seed ^ (uint64_t)getpid();
	}
	return seed;
}

/** Put a new key into the first free slot at or after the place that its hash gives. */
static void intern_place(struct intern *table, struct intern_slot slot) {
	size_t i = slot.hash & table->mask;
	while (table->slots[i].key != 0) {
		i = (i + 1) & table->mask;
	}
	table->slots[i] = slot;
}

static void intern_resize(struct intern *table, size_t count) {
	struct intern_slot *old = table->slots;
	size_t old_count = old == NULL ? 0 : table->mask + 1;
	if (old == NULL) {
		table->seed = hash_seed();
	}
	size_t room = 0;
	table->slots = mem_grow(NULL, &room, count, sizeof(*table->slots));
	memset(table->slots, 0, count * sizeof(*table->slots));
	table->mask = count - 1;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].key != 0) {
			intern_place(table, old[i]);
		}
	}
	free(old);
}

/** Return whether the table needs more slots for this number of keys. */
static bool intern_is_crowded(size_t keys, size_t slots) {
	return keys >= slots / 8 * 5;
}

void intern_expect(struct intern *table, uint32_t n) {
	size_t now = table->slots == NULL ? 0 : table->mask + 1,
	       count = now == 0 ? FIRST_SLOTS : now;
	while (intern_is_crowded((size_t)table->count + n, count)) {
		count = mem_times(count, 2);
	}
	if (count != now) {
		intern_resize(table, count);
	}
}

struct intern_key *intern_add(struct intern *table, const void *bytes, size_t len, uint64_t hash) {
	if (table->count >= INTERN_MOST) {
		inferno_out_of_memory(); // all ids are used
	}
	if (table->slots == NULL) {
		intern_resize(table, FIRST_SLOTS);
		// the table gets its seed with the first key
		hash = hash_bytes(bytes, len, table->seed);
	} else if (intern_is_crowded(table->count, table->mask + 1)) {
		intern_resize(table, mem_times(table->mask + 1, 2));
	}
	char *room = arena_take(&table->arena, table->room + sizeof(struct intern_key) + len);
	struct intern_key *key = (void *)(room + table->room);
	memset(room, 0, table->room);
	key->value = 0;
	key->id = table->count;
	key->len = (uint32_t)len;
	table->bytes += len;
	if (len > 0) {
		memcpy(key->bytes, bytes, len);
	}
	*MEM_APPEND(table->keys, table->count, table->keys_capacity) = key;
	intern_place(table, (struct intern_slot){(uint32_t)hash, table->count});
	return key;
}

void intern_guess_all(const struct intern *table, struct intern_query *queries, size_t n) {
	enum { AHEAD = 8 };
	for (size_t i = 0; i < n + AHEAD; i++) {
		if (i < n) {
			intern_prefetch_slot(table, queries[i].hash);
		}
		if (i >= AHEAD) {
			queries[i - AHEAD].guess = intern_guess(table, queries[i - AHEAD].hash);
		}
	}
}

void intern_seal(struct intern *table) {
	free(table->slots);
	table->slots = NULL;
}

struct sort_item *intern_sort(const struct intern *table) {
	struct sort_item *items = mem_new(table->count, sizeof(*items));
	for (uint32_t id = 0; id < table->count; id++) {
		const struct intern_key *key = table->keys[id];
		items[id] = (struct sort_item){.bytes = key->bytes, .len = key->len, .id = id};
	}
	sort_bytes(items, table->count);
	return items;
}

void intern_release(struct intern *table) {
	free(table->slots);
	free(table->keys);
	arena_release(&table->arena);
	*table = (struct intern){0};
}
