/**
 * What a worker says of one block, kept until the blocks before it are done: so messages come in
 * the order of the input, with the right line numbers, whatever the number of threads.
 */
#ifndef INFERNO_NOTICES_H
#define INFERNO_NOTICES_H

#include "base/diag.h"

enum notice_level { NOTICE_ERROR, NOTICE_WARNING, NOTICE_NOTE };

struct notice {
	enum notice_level level;
	const char *kind; // the format text
	struct buf text;
	uint64_t line;  // in its block, from 1, or before it, from run_line(); 0: none; RUN_AT_END:
			// the block's last
	uint64_t times; // it and those of its kind that were not kept
};

struct notices {
	struct notice *items;
	size_t n, capacity;
	bool lenient, strict, notes; // as the run's diag has them
};

/**
 * Pass everything on to `diag`, as of a block of `lines` lines that comes after `lines_before` in
 * the input `name`. Return 0, or -1 if the run fails.
 */
int notices_show(struct notices *notices, const char *name, uint64_t lines_before, uint64_t lines,
		 struct diag *diag);

void notices_release(struct notices *notices);

#endif
