/* Checked allocation and arenas. */
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/guard.h"

#undef free // mem_free() is defined here

enum { FIRST_PAGE = 16 << 10, LAST_PAGE = 1 << 20 };

struct arena_page {
	struct arena_page *next;
	size_t padding; // aligns the bytes after the header to 16
};

// called if memory runs out; NULL: print an error, and end the process
static void (*mem_end)(void);

void mem_on_exhaustion(void (*end)(void)) {
	mem_end = end;
	guard_nothing();
}

__attribute__((weak)) _Noreturn void inferno_out_of_memory(void) {
	guard_end();
	if (mem_end != NULL) {
		mem_end();
	}
	fputs("inferno: error: out of memory\n", stderr);
	exit(1);
}

/** Note the owner of a new block. `owner` may be NULL. */
static void *mem_keep(void *bytes, const void *owner) {
	if (bytes == NULL || !guard_keep(bytes, owner)) {
		free(bytes);
		inferno_out_of_memory();
	}
	return bytes;
}

void mem_free(void *bytes) {
	(void)guard_forget(bytes);
	free(bytes);
}

size_t mem_times(size_t a, size_t b) {
	if (b != 0 && a > SIZE_MAX / b) {
		inferno_out_of_memory();
	}
	return a * b;
}

/*
 * Large blocks consist of large pages, if the system supports large pages. The first access to each
 * of many small pages would take longer than the work on their contents. The kernel uses large
 * pages only for untouched, aligned regions.
 */
enum { LARGE_PAGE = 2 << 20, MUCH = 1 << 20, ALLOCATOR_HEADER = 32 };

/** Return the size to allocate for a block. A large block takes whole large pages. */
static size_t mem_generous_size(size_t size) {
	if (size < MUCH || size > SIZE_MAX - 2 * (size_t)LARGE_PAGE) {
		return size;
	}
	size_t pages = (size + ALLOCATOR_HEADER + LARGE_PAGE - 1) / LARGE_PAGE;
	return pages * LARGE_PAGE - ALLOCATOR_HEADER;
}

static void mem_advise_large_pages(void *bytes, size_t size) {
#ifdef MADV_HUGEPAGE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	// Give the advice from the page with the allocator's header on: a block with the same
	// advice for all its pages can be moved without a copy. If the kernel ignores the advice,
	// the block has small pages.
	uintptr_t before = (uintptr_t)bytes % page;
	(void)madvise((char *)bytes - before, before + size, MADV_HUGEPAGE);
#else
	(void)bytes;
	(void)size;
#endif
}

/** Return a block of whole large pages, of a size from mem_generous_size(). The allocator writes
 * its header before the advice is given, so the header must not lie in one of the large pages: that
 * page would stay small. */
static void *mem_new_large(size_t size) {
	void *bytes = size > SIZE_MAX - LARGE_PAGE
			      ? NULL
			      : aligned_alloc(LARGE_PAGE, size + ALLOCATOR_HEADER);
	if (bytes == NULL) {
		inferno_out_of_memory();
	}
	mem_advise_large_pages(bytes, size);
	return bytes;
}

/** Return a small block. This is a function of its own, because a compiler would replace malloc()
 * and memset() in one function by calloc(). */
static __attribute__((noinline)) void *mem_new_small(size_t size) {
	void *bytes = malloc(size);
	if (bytes == NULL) {
		inferno_out_of_memory();
	}
	return bytes;
}

// In memory of calloc(), Linux maps pages that are only read to a shared page of zeros. The first
// write to a page that is mapped to it interrupts all threads of the program. Tables have many such
// pages: two threads that draw unsorted stacks take 6 % less time with malloc().
void *mem_new(size_t count, size_t size) {
	size_t wanted = mem_generous_size(mem_times(count > 0 ? count : 1, size > 0 ? size : 1));
	void *bytes = wanted >= MUCH ? mem_new_large(wanted) : mem_new_small(wanted);
	return memset(mem_keep(bytes, guard_owner()), 0, wanted);
}

/** Copy bytes into a larger block, and free the old one. Return the larger block. */
static void *mem_replace(void *bytes, size_t size, void *larger) {
	if (size > 0) {
		memcpy(larger, bytes, size);
	}
	mem_free(bytes);
	return larger;
}

/** Return a block of `wanted` bytes with the contents of another block, which may be moved. */
static void *mem_move(void *bytes, size_t wanted) {
	const void *owner = guard_forget(bytes);
	void *moved = realloc(bytes, wanted);
	if (moved == NULL) {
		(void)guard_keep(bytes, owner); // if this fails, too, the block is lost
		inferno_out_of_memory();
	}
	return mem_keep(moved, owner != NULL ? owner : guard_owner());
}

/** Move bytes into a larger block. The pages of a very large block are moved without a copy, which
 * takes 6 % off a picture of 600,000 names. The move works only if all pages have the same advice,
 * including the page with the allocator's header. So such a block does not come from
 * mem_new_large(). */
static void *mem_resize_large(void *bytes, size_t size, size_t wanted) {
	enum { MOVES = 8 << 20 };
	bool copies = wanted >= MUCH && size < MOVES;
	if (copies && wanted < MOVES) {
		return mem_replace(bytes, size, mem_keep(mem_new_large(wanted), guard_owner()));
	}
	void *larger = copies ? mem_keep(malloc(wanted), guard_owner()) : mem_move(bytes, wanted);
	if (wanted >= MUCH) {
		mem_advise_large_pages(larger, wanted);
	}
	return copies ? mem_replace(bytes, size, larger) : larger;
}

void *mem_shrink(void *bytes, size_t size) {
	const void *owner = guard_forget(bytes);
	void *less = realloc(bytes, size);
	less = less == NULL ? bytes : less;
	return mem_keep(less, owner);
}

void *mem_grow_slow(void *items, size_t *capacity, size_t need, size_t size) {
	size_t wanted = *capacity < 8 ? 8 : mem_times(*capacity, 2);
	if (wanted < need) {
		wanted = need;
	}
	wanted = mem_generous_size(mem_times(wanted, size));
	items = mem_resize_large(items, *capacity * size, wanted);
	*capacity = wanted / size;
	return items;
}

void mem_discard(void *bytes, size_t size) {
#ifdef MADV_DONTNEED
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	size_t skipped = (page - (uintptr_t)bytes % page) % page;
	if (size > skipped + page) { // it does no harm if the system refuses
		(void)madvise((char *)bytes + skipped, (size - skipped) / page * page,
			      MADV_DONTNEED);
	}
#else
	(void)bytes;
	(void)size;
#endif
}

void *arena_take_slow(struct arena *arena, size_t size) {
	// The first page of an arena is small, so that a small input needs little memory. Each
	// further page is larger, up to a fixed size.
	size_t wanted = arena->page_size == 0 ? FIRST_PAGE : arena->page_size;
	arena->page_size = wanted < LAST_PAGE ? wanted * 2 : LAST_PAGE;
	if (size > SIZE_MAX - sizeof(struct arena_page) - 7) {
		inferno_out_of_memory();
	}
	size_t rounded = (size + 7) & ~(size_t)7;
	bool oversized = rounded > wanted / 4;
	struct arena_page *page =
		mem_keep(malloc(sizeof(*page) + (oversized ? rounded : wanted)), guard_owner());
	page->next = arena->page;
	arena->page = page;
	char *bytes = (char *)(page + 1);
	if (!oversized) {
		arena->at = bytes + rounded;
		arena->end = bytes + wanted;
	}
	return bytes;
}

char *arena_copy(struct arena *arena, const void *bytes, size_t len) {
	char *copy = arena_take(arena, len + 1);
	if (len > 0) {
		memcpy(copy, bytes, len);
	}
	copy[len] = '\0';
	return copy;
}

void arena_release(struct arena *arena) {
	for (struct arena_page *page = arena->page, *next; page != NULL; page = next) {
		next = page->next;
		mem_free(page);
	}
	*arena = (struct arena){0};
}
