/**
 * The messages of a worker about one block. They are kept until earlier blocks are done, so that
 * messages come in the order of the input, with correct line numbers, however many threads there
 * are.
 */
#ifndef INFERNO_NOTICES_H
#define INFERNO_NOTICES_H

#include "collapse/collapser.h"

struct notice {
	enum notice_level level;
	const char *kind; // the format text
	struct buf text;
	uint64_t line;  // of the block, from 1; or from run_line(); 0: none; RUN_AT_END: the last
	uint64_t times; // the number of equal notices that it replaces
};

struct notices {
	struct notice *items;
	size_t n, capacity;
	bool lenient, strict, notes; // from the run's diag
};

/** Pass all notices on to `diag`, for a block with `lines` lines after `lines_before` in the input
 * `name`. Return 0, or -1 if the run fails. */
int notices_show(struct notices *notices, const char *name, uint64_t lines_before, uint64_t lines,
		 struct diag *diag);

void notices_release(struct notices *notices);

#endif
