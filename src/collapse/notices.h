/**
 * The messages of a worker about one block. The messages are kept until all earlier blocks are
 * parsed. So with any number of threads, messages have correct line numbers and come in the order
 * of the input.
 */
#pragma once

#include "collapse/collapser.h"

struct notice {
	enum notice_level level;
	const char *kind; // the format string, by which notices of the same kind are recognised
	struct buf text;
	uint64_t line;  // line number in the block, from 1, or a result of run_line(); 0: no line;
			// RUN_AT_END: the last line
	uint64_t times; // number of equal notices that this notice replaces
};

struct notices {
	struct notice *items;
	size_t n, capacity;
	bool lenient, strict, notes; // options of the run's diag; `notes`: notes are shown
};

/** Pass all notices on to `diag`, for a block of the input `name`. The block has `lines` lines, and
 * `lines_before` lines come before the block. Remove the notices. Return 0, or -1 if the run
 * fails. */
int notices_show(struct notices *notices, const char *name, uint64_t lines_before, uint64_t lines,
		 struct diag *diag);

void notices_release(struct notices *notices);
