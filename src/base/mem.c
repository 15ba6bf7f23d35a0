/* Allocate memory, or end the work if memory runs out. Allocate arenas. */
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/guard.h"

#undef free // this file defines mem_free(), which calls free()

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

/** Remember the owner of a new block, and return the block. `owner` may be NULL. If `bytes` is
 * NULL, the allocation has failed: call inferno_out_of_memory(). */
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
 * Use large pages of 2 MiB for large blocks, if the system supports large pages. With small pages,
 * the page faults at the first access take longer than the work on the contents. The kernel makes a
 * large page only of an aligned region that was not accessed yet.
 */
enum { LARGE_PAGE = 2 << 20, MUCH = 1 << 20, ALLOCATOR_HEADER = 32 };

/** Return the size to allocate for a block. Round the size of a large block up to whole large
 * pages. */
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
	// Include the page with the allocator's header: mremap() can move a block without a copy
	// only if all its pages have the same advice. If the kernel ignores the advice, the block
	// has small pages.
	uintptr_t before = (uintptr_t)bytes % page;
	(void)madvise((char *)bytes - before, before + size, MADV_HUGEPAGE);
#else
	(void)bytes;
	(void)size;
#endif
}

/** Return a block of whole large pages, of a size from mem_generous_size(). The allocator writes
 * its header before madvise() is called. A region that was accessed stays small, so the header must
 * be before the first large page. */
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

/** Return a small block. Never inline this function: a compiler would replace malloc() and memset()
 * in one function by calloc(). */
static __attribute__((noinline)) void *mem_new_small(size_t size) {
	void *bytes = malloc(size);
	if (bytes == NULL) {
		inferno_out_of_memory();
	}
	return bytes;
}

// Do not use calloc(): when a page of fresh memory is first read, Linux maps a shared page of
// zeros. A later write to this page interrupts all threads of the program. Tables have many such
// pages: with malloc(), two threads that draw unsorted stacks take 6 % less time.
void *mem_new(size_t count, size_t size) {
	size_t wanted = mem_generous_size(mem_times(count > 0 ? count : 1, size > 0 ? size : 1));
	void *bytes = wanted >= MUCH ? mem_new_large(wanted) : mem_new_small(wanted);
	return memset(mem_keep(bytes, guard_owner()), 0, wanted);
}

/** Copy `size` bytes into the block `larger`, and free the old block. Return `larger`. */
static void *mem_replace(void *bytes, size_t size, void *larger) {
	if (size > 0) {
		memcpy(larger, bytes, size);
	}
	mem_free(bytes);
	return larger;
}

/** Resize a block with realloc(), and keep its owner. Return the block, which may have moved. */
static void *mem_move(void *bytes, size_t wanted) {
	const void *owner = guard_forget(bytes);
	void *moved = realloc(bytes, wanted);
	if (moved == NULL) {
		(void)guard_keep(bytes, owner); // if this call fails, the block has no owner and
						// may leak
		inferno_out_of_memory();
	}
	return mem_keep(moved, owner != NULL ? owner : guard_owner());
}

/** Move bytes into a larger block. If the new block is small, or the old block is very large, call
 * realloc(). It moves the pages of a very large block without a copy: a picture of 600,000 names
 * takes 6 % less time. Pages can be moved only if all of them have the same advice, including the
 * page with the allocator's header. A block from mem_new_large() does not fulfil this condition. */
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
	if (size > skipped + page) { // ignore a failure: the memory is then only given back later
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
	// further page is twice as large, up to LAST_PAGE.
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
