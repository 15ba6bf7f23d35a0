/*
 * Do guarded work, and keep a table of the blocks and descriptors that belong to it.
 *
 * Guarded work is work that guard_run() does (guard.h). If memory runs out, longjmp() ends this
 * work. The structures that the work was changing may be inconsistent, so a walk over them, to free
 * them, would be unsafe. Instead, the table lists all memory blocks of guarded work. All threads
 * share one table, because a thread may free the blocks of another thread.
 */
#include "base/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#undef free // this file frees blocks without a look at the table, as mem.c does

struct guard {
	jmp_buf place;
	const void *owner;
	struct guard *outer;
};

// With other TLS models, the first use of the variable in a thread may allocate memory. If this
// allocation fails, glibc ends the process.
static _Thread_local struct guard *guard_current __attribute__((tls_model("initial-exec")));
static atomic_bool guard_is_off;

/* --- The table ------------------------------------------------------------------------------- */

struct guard_entry {
	uintptr_t key; // the inverted address of a block, so that a leak checker sees no pointer to
		       // the block
	const void *owner;
};

static struct {
	pthread_mutex_t lock;
	struct guard_entry *entries; // the length of the table is a power of two
	size_t n, length;
	atomic_size_t any; // a copy of `n`, to be read without the lock
} guarded = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uintptr_t guard_key_of(const void *block) {
	return ~(uintptr_t)block;
}

/** Return the key of a descriptor: an inverted odd number. The keys of blocks are inverted even
 * numbers, because addresses of blocks are even. So the keys differ. */
static uintptr_t guard_key_of_descriptor(int fd) {
	return ~((uintptr_t)(unsigned)fd * 2 + 1);
}

static size_t guard_place_of(uintptr_t key, size_t length) {
	return (size_t)(((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (length - 1);
}

/** Return the entry of a key. If the key has no entry, return the empty entry in which the key can
 * be stored. */
static struct guard_entry *guard_find(struct guard_entry *entries, size_t length, uintptr_t key) {
	size_t at = guard_place_of(key, length);
	while (entries[at].key != 0 && entries[at].key != key) {
		at = (at + 1) & (length - 1);
	}
	return &entries[at];
}

/** Make room for one more entry. Return false if memory ran out. */
static bool guard_make_room(void) {
	enum { FIRST = 256 };
	if (guarded.n < guarded.length / 2) {
		return true;
	}
	size_t length = guarded.length == 0 ? FIRST : guarded.length * 2;
	struct guard_entry *entries = calloc(length, sizeof(*entries));
	for (size_t i = 0; entries != NULL && i < guarded.length; i++) {
		if (guarded.entries[i].key != 0) {
			*guard_find(entries, length, guarded.entries[i].key) = guarded.entries[i];
		}
	}
	if (entries != NULL) {
		free(guarded.entries);
		guarded.entries = entries;
		guarded.length = length;
	}
	return entries != NULL;
}

static bool guard_add(uintptr_t key, const void *owner) {
	pthread_mutex_lock(&guarded.lock);
	bool room = guard_make_room();
	if (room) {
		*guard_find(guarded.entries, guarded.length, key) =
			(struct guard_entry){key, owner};
		atomic_store(&guarded.any, ++guarded.n);
	}
	pthread_mutex_unlock(&guarded.lock);
	return room;
}

/** Empty an entry. A search stops at an empty entry, so move later entries that a search would no
 * longer find. */
static void guard_empty(size_t hole) {
	size_t mask = guarded.length - 1;
	for (size_t at = (hole + 1) & mask; guarded.entries[at].key != 0; at = (at + 1) & mask) {
		size_t home = guard_place_of(guarded.entries[at].key, guarded.length);
		if (((at - home) & mask) >= ((at - hole) & mask)) {
			guarded.entries[hole] = guarded.entries[at];
			hole = at;
		}
	}
	guarded.entries[hole] = (struct guard_entry){0};
	if (--guarded.n == 0) { // free the table, so that a library without a job keeps no memory
		free(guarded.entries);
		guarded.entries = NULL;
		guarded.length = 0;
	}
	atomic_store(&guarded.any, guarded.n);
}

static const void *guard_remove(uintptr_t key) {
	const void *owner = NULL;
	if (atomic_load_explicit(&guarded.any, memory_order_relaxed) == 0) {
		return NULL;
	}
	pthread_mutex_lock(&guarded.lock);
	if (guarded.n > 0) {
		struct guard_entry *entry = guard_find(guarded.entries, guarded.length, key);
		if (entry->key == key) {
			owner = entry->owner;
			guard_empty((size_t)(entry - guarded.entries));
		}
	}
	pthread_mutex_unlock(&guarded.lock);
	return owner;
}

/** Remove the first entry of an owner at or after the index `*at`. Return the key of the entry, or
 * 0 if there is no such entry. */
static uintptr_t guard_take(const void *owner, size_t *at) {
	uintptr_t key = 0;
	pthread_mutex_lock(&guarded.lock);
	while (*at < guarded.length && guarded.entries[*at].owner != owner) {
		++*at;
	}
	if (*at < guarded.length) {
		key = guarded.entries[*at].key;
		guard_empty(*at); // may move another entry to this place
	}
	pthread_mutex_unlock(&guarded.lock);
	return key;
}

void guard_release(const void *owner) {
	// If another thread removes an entry meanwhile, an entry of this owner may move to a place
	// that this loop has passed already. Repeat the loop until it finds no entry.
	for (bool found = owner != NULL; found;) {
		found = false;
		size_t at = 0;
		for (uintptr_t key; (key = guard_take(owner, &at)) != 0; found = true) {
			uintptr_t value = ~key;
			if ((value & 1) != 0) {
				close((int)(value / 2));
			} else {
				free((void *)value); // NOLINT(performance-no-int-to-ptr)
			}
		}
	}
}

bool guard_keep(void *block, const void *owner) {
	return block == NULL || owner == NULL || guard_add(guard_key_of(block), owner);
}

const void *guard_forget(void *block) {
	return block == NULL ? NULL : guard_remove(guard_key_of(block));
}

int guard_keep_descriptor(int fd) {
	const void *owner = guard_owner();
	if (fd >= 0 && owner != NULL && !guard_add(guard_key_of_descriptor(fd), owner)) {
		close(fd);
		inferno_out_of_memory();
	}
	return fd;
}

void guard_close(int fd) {
	(void)guard_remove(guard_key_of_descriptor(fd));
	close(fd);
}

/* --- The work -------------------------------------------------------------------------------- */

const void *guard_owner(void) {
	return guard_current == NULL ? NULL : guard_current->owner;
}

void guard_nothing(void) {
	atomic_store(&guard_is_off, true);
	guard_current = NULL;
	// Never take the lock again: this process may have been forked while another thread held
	// the lock. guard_remove() does not take the lock if `any` is 0.
	atomic_store(&guarded.any, 0);
}

void guard_end(void) {
	if (guard_current != NULL) {
		longjmp(guard_current->place, 1);
	}
}

bool guard_run(const void *owner, void (*work)(void *context), void *context) {
	struct guard *guard = &(struct guard){.owner = owner, .outer = guard_current};
	if (owner == NULL || atomic_load(&guard_is_off)) {
		work(context);
		return true;
	}
	bool whole = setjmp(guard->place) == 0;
	if (whole) {
		guard_current = guard;
		work(context);
	}
	guard_current = guard->outer;
	return whole;
}
