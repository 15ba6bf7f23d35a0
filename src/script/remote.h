/** Read the memory of another process while this process runs. No value in this memory is trusted:
 * an address may be wrong, and a value may change between two reads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct remote {
	int32_t pid;
	int problem; // errno of the last read that the kernel refused; 0: none
};

/** A piece of memory to read. */
struct remote_piece {
	uint64_t address;
	void *bytes;
	size_t n;
};

enum { REMOTE_PIECES = 64 };

/** Return whether a value can be the address of an object: not null, aligned, in the lower half. */
static inline bool remote_is_pointer(uint64_t value) {
	const uint64_t most = UINT64_C(1) << 47, least = 4096;
	return value >= least && value < most && value % sizeof(uint64_t) == 0;
}

/** Read `n` bytes. Return whether all `n` bytes could be read. */
bool remote_read(struct remote *remote, uint64_t address, void *bytes, size_t n);

/** Read up to REMOTE_PIECES pieces in one call, in their order. Return the number of bytes that
 * were read, summed over the pieces. If a piece cannot be read completely, the pieces after it are
 * not read. */
size_t remote_read_pieces(struct remote *remote, const struct remote_piece *pieces, size_t n);

/** Return an integer in the memory of the process; or 0 if the integer cannot be read. */
uint64_t remote_u64(struct remote *remote, uint64_t address);
uint32_t remote_u32(struct remote *remote, uint64_t address);

/** Add up to `most` bytes of a text that ends with a NUL. Return false if the text cannot be
 * read. */
bool remote_text(struct remote *remote, uint64_t address, size_t most, struct buf *out);

enum { REMOTE_PAGE = 4096, REMOTE_PAGES = 16 };

/** Copies of pages for one walk of a stack. With these copies, all objects in a page are read by
 * one system call. */
struct remote_pages {
	uint64_t addresses[REMOTE_PAGES]; // 0: none
	size_t next;                      // index of the page to replace next
	char bytes[REMOTE_PAGES][REMOTE_PAGE];
};

/** Forget the pages. Call this at the start of each walk. */
void remote_forget(struct remote_pages *pages);

/** Read `n` bytes through the pages. Return whether all `n` bytes could be read. */
bool remote_read_near(struct remote *remote, struct remote_pages *pages, uint64_t address,
		      void *bytes, size_t n);

/** Read integers from a copy of the process's memory. */
static inline uint64_t remote_load_u64(const char *bytes) {
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint32_t remote_load_u32(const char *bytes) {
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return value;
}
