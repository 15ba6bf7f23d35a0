/** Read an input in blocks of whole lines or whole samples, for one or more readers. */
#pragma once

#include "base/input.h"

enum {
	BLOCK_SIZE = 256 << 10, // size of a block, small enough for the second-level cache
	// size of the blocks in the first SMALL_INPUT bytes, so that a small input touches little
	// memory
	BLOCK_FIRST = 64 << 10,
	SMALL_INPUT = 4 << 20,
	BLOCK_MOST = 4 << 20,        // longest sample; a longer sample is cut at a line end
	LINE_MOST = 64 << 20,        // longest line; a longer line is an error
	LINE_REPEATS_MOST = 2 << 20, // longest line in compressed data that repeats itself
};

struct blocks {
	struct input *input;
	struct diag *diag;
	struct buf carry; // bytes after the last cut
	uint64_t total;   // number of bytes handed out
	bool ended;
};

enum blocks_result { BLOCKS_END, BLOCKS_ONE, BLOCKS_UNCUT, BLOCKS_FAILED };

/** Return the index at which the last whole sample in some bytes ends, or 0 if no sample ends
 * there. */
typedef size_t blocks_cut(struct str bytes);

/**
 * Read the next block into `buffer`. The block is valid until the buffer changes. The block ends at
 * the index that `cut` returns, or if `cut` is NULL, at a line end. Return BLOCKS_UNCUT if `cut`
 * found no end of a sample in BLOCK_MOST bytes; the next call gets these bytes again. Return
 * BLOCKS_FAILED after diag_error(). Set `*last` to whether the block is the last one, which may be
 * empty.
 */
enum blocks_result blocks_next(struct blocks *blocks, blocks_cut *cut, struct buf *buffer,
			       struct str *bytes, bool *last);

void blocks_release(struct blocks *blocks);
