/**
 * A table from bytes to dense ids, and back. The table uses open addressing. Keys are equal if
 * their bytes are equal. Use this table for keys that are looked up for every line or sample
 * (lines, names, stacks): with uthash, a collapse takes 1.2 to 1.6 times as long. Use base/map.h
 * for all other tables. A zeroed table is empty.
 */
#ifndef INFERNO_INTERN_H
#define INFERNO_INTERN_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"

/**
 * A key. The address of a key does not change, so its bytes may be borrowed until the table is
 * released.
 */
struct intern_key {
	union { // a number that the caller may use; 0 in a new key
		uint64_t value;
		struct intern_key *link;
	};
	uint32_t id; // 0, 1, 2 and so on, in order of arrival
	uint32_t len;
	char bytes[]; // aligned for uint32_t
};

/** The largest number of keys. With this limit, the highest bit of an id is free for a flag. Adding
 * more keys calls inferno_out_of_memory(). */
#define INTERN_MOST (UINT32_C(1) << 31)

/** A slot. About half of all slots are free, so a slot is small: it holds the id of a key, not a
 * pointer. */
struct intern_slot {
	uint32_t hash; // lower half of the key's hash
	uint32_t key;  // 1 plus the key's id; 0: the slot is free
};

struct intern {
	struct intern_slot *slots;
	size_t mask; // number of slots minus 1
	uint32_t count;
	size_t bytes; // memory of all keys
	uint64_t seed;
	size_t room; // number of bytes before each key that the caller may use, a multiple of 8;
		     // these bytes are 0 before a new key
	struct arena arena;
	struct intern_key **keys; // keys by id
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

/** Return the first key with this hash, and prefetch the key. The key may have other bytes. Return
 * NULL if the table does not have the key. */
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

/** A key to look up. */
struct intern_query {
	struct str text;
	uint64_t hash;                  // hash of the text with the table's seed
	const struct intern_key *guess; // the first key with this hash; NULL if no key has it
};

/** Set the guess of each query. Keys are far apart in memory, so each key is prefetched before its
 * bytes are read. */
void intern_guess_all(const struct intern *table, struct intern_query *queries, size_t n);

/** Return whether the guess of a query is the right key. */
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

/** Make room for `n` more keys. */
void intern_expect(struct intern *table, uint32_t n);

/** Release the memory that only lookups need. After this call, find keys only by their ids. */
void intern_seal(struct intern *table);

/** Return all keys, with their ids, in the order of their bytes. The caller releases the array with
 * free(). */
struct sort_item *intern_sort(const struct intern *table);

void intern_release(struct intern *table);

#endif
