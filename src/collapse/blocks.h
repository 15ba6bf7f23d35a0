/** An input in blocks of whole lines or whole samples, for one or more readers. */
#ifndef INFERNO_BLOCKS_H
#define INFERNO_BLOCKS_H

#include "base/input.h"

enum {
	BLOCK_SIZE = 256 << 10, // small enough to stay in the second-level cache
	BLOCK_FIRST = 64 << 10, // of a small input: little memory to touch
	SMALL_INPUT = 4 << 20,
	BLOCK_MOST = 4 << 20, // a sample longer than this is not waited for
	LINE_MOST = 64 << 20, // a longer line is refused
};

struct blocks {
	struct input *input;
	struct diag *diag;
	struct buf carry; // what was read after the last cut
	uint64_t total;   // bytes handed out
	bool ended;
};

enum blocks_result { BLOCKS_END, BLOCKS_ONE, BLOCKS_UNCUT, BLOCKS_FAILED };

/** Find where the last whole sample of some bytes ends; 0 when none does. */
typedef size_t blocks_cut(struct str bytes);

/**
 * Read the next block into `buffer`; it lasts as long as the buffer does. With `cut`, it ends
 * where that says, and BLOCKS_UNCUT means that BLOCK_MOST bytes gave no place (the bytes are
 * carried on). Without, it ends at a line end.
 * `*last` says that it is the last; such a block may be empty.
 */
enum blocks_result blocks_next(struct blocks *blocks, blocks_cut *cut, struct buf *buffer,
			       struct str *bytes, bool *last);

void blocks_release(struct blocks *blocks);

#endif
