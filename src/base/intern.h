/**
 * A table that gives each key, a string of bytes, a dense id: 0, 1, 2 and so on. The table uses
 * open addressing. Keys are equal if their bytes are equal. Use this table for keys that are looked
 * up for every line or sample (lines, names, stacks): with uthash, a collapse takes 1.2 to 1.6
 * times as long. Use base/map.h for all other tables. A zeroed table is empty.
 */
#pragma once

#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"

/**
 * A key. Its address does not change, so its bytes may be borrowed until the table is released.
 */
struct intern_key {
	union { // a value for the caller's use; 0 in a new key
		uint64_t value;
		struct intern_key *link;
	};
	uint32_t id; // 0 for the first key, 1 for the second, and so on
	uint32_t len;
	char bytes[]; // aligned for uint32_t
};

/** The largest number of keys. With this limit, the highest bit of an id is free for a flag. If a
 * further key is added, inferno_out_of_memory() is called. */
#define INTERN_MOST (UINT32_C(1) << 31)

/** A slot. A slot holds the id of a key, not a pointer, because about half of all slots are free
 * and should be small. */
struct intern_slot {
	uint32_t hash; // lower half of the key's hash
	uint32_t key;  // 1 plus the key's id; 0: the slot is free
};

struct intern {
	struct intern_slot *slots;
	size_t mask; // number of slots minus 1
	uint32_t count;
	size_t bytes; // total length of all keys, in bytes
	uint64_t seed;
	size_t room; // size of a space before each key for the caller's use: a multiple of 8 bytes;
		     // the space of a new key is zeroed
	struct arena arena;
	struct intern_key **keys; // all keys; the index is the id
	size_t keys_capacity;
};

struct intern_key *intern_add(struct intern *table, const void *bytes, size_t len, uint64_t hash);

/** Return the key with these bytes and this hash, or NULL if the table does not have the key. */
static inline struct intern_key *intern_find_hashed(const struct intern *table, const void *bytes,
						    size_t len, uint64_t hash) {
	if (table->count == 0) {
		return NULL;
	}
	for (size_t i = (size_t)hash & table->mask; table->slots[i].key != 0;
	     i = (i + 1) & table->mask) {
		if (table->slots[i].hash != (uint32_t)hash) {
			continue;
		}
		struct intern_key *key = table->keys[table->slots[i].key - 1];
		if (key->len == len && (len == 0 || memcmp(key->bytes, bytes, len) == 0)) {
			return key;
		}
	}
	return NULL;
}

/** Prefetch the memory that a lookup with this hash reads first. */
static inline void intern_prefetch_slot(const struct intern *table, uint64_t hash) {
	if (table->count > 0) {
		__builtin_prefetch(&table->slots[hash & table->mask]);
	}
}

/** Return the first key whose slot has this hash, and prefetch the key. The bytes of this key may
 * differ from the wanted bytes. Return NULL if no slot has this hash. */
static inline const struct intern_key *intern_guess(const struct intern *table, uint64_t hash) {
	if (table->count == 0) {
		return NULL;
	}
	size_t i = (size_t)hash & table->mask;
	while (table->slots[i].key != 0 && table->slots[i].hash != (uint32_t)hash) {
		i = (i + 1) & table->mask;
	}
	if (table->slots[i].key == 0) {
		return NULL;
	}
	const struct intern_key *key = table->keys[table->slots[i].key - 1];
	__builtin_prefetch(key);
	__builtin_prefetch((const char *)key + 63);
	return key;
}

static inline struct str intern_str(const struct intern_key *key) {
	return (struct str){key->bytes, key->len};
}

struct intern_query {
	struct str text;
	uint64_t hash;                  // hash of the text with the table's seed
	const struct intern_key *guess; // the result of intern_guess()
};

/** Set the guess of each query, and prefetch all guesses: keys are far apart in memory, and a
 * prefetch hides the time of a cache miss. */
void intern_guess_all(const struct intern *table, struct intern_query *queries, size_t n);

/** Return whether the guess of a query has the bytes of the query. */
static inline bool intern_guess_is_right(const struct intern_query *query) {
	return query->guess != NULL && str_eq(intern_str(query->guess), query->text);
}

/** Return the key with these bytes, or NULL if the table does not have the key. */
static inline struct intern_key *intern_find(const struct intern *table, const void *bytes,
					     size_t len) {
	return intern_find_hashed(table, bytes, len, hash_bytes(bytes, len, table->seed));
}

/** Return the key with these bytes and this hash. If the table does not have the key, add the key
 * with the value 0. `len` is below 4 GiB. */
static inline struct intern_key *intern_get_hashed(struct intern *table, const void *bytes,
						   size_t len, uint64_t hash) {
	struct intern_key *key = intern_find_hashed(table, bytes, len, hash);
	return key != NULL ? key : intern_add(table, bytes, len, hash);
}

static inline struct intern_key *intern_get(struct intern *table, const void *bytes, size_t len) {
	return intern_get_hashed(table, bytes, len, hash_bytes(bytes, len, table->seed));
}

/** Make room for `n` more keys, so that adding these keys does not resize the table. */
void intern_expect(struct intern *table, uint32_t n);

/** Release the memory of the slots. After this call, keys can be found by their ids only. */
void intern_seal(struct intern *table);

/** Return all keys, with their ids, in the order of their bytes. The caller releases the array with
 * free(). */
struct sort_item *intern_sort(const struct intern *table);

void intern_release(struct intern *table);
