/** Find the instructions of one function with their counts, for all formats of reports. */
#pragma once

#include "analysis/instructions.h"
#include "export/hottest.h"

struct annotation {
	const struct hottest *hottest;
	struct machine_code code;
	uint64_t sum;    // sum of the counts of all instructions
	bool *shown;     // for each instruction, whether it fits into the report
	size_t left_out; // number of instructions that have counts but do not fit into the report
};

/** Find the instructions of the function that --annotate names. If `cut` is not set, show all
 * instructions. Return 0, or -1 after diag_error(). Call annotation_release() in both cases. */
int annotation_init(struct annotation *annotation, const struct hottest *hottest,
		    const struct opt_set *options, bool cut, struct diag *diag);

/** Add the source line of an instruction, such as "src/main.c:12". If the line is not known, add
 * nothing. */
void annotation_add_line(struct buf *out, const struct instruction *instruction);

/** If the shown code belongs to another function, add a remark. If instructions are left out, add
 * their number. */
void annotation_add_remark(struct buf *out, const struct annotation *annotation);

void annotation_release(struct annotation *annotation);
