/** The instructions of one function with their counts, for all formats of reports. */
#ifndef INFERNO_ANNOTATION_H
#define INFERNO_ANNOTATION_H

#include "analysis/instructions.h"
#include "export/hottest.h"

struct annotation {
	const struct hottest *hottest;
	struct machine_code code;
	uint64_t sum;    // sum of the counts of all instructions
	bool *shown;     // by instruction: whether it fits into the report
	size_t left_out; // number of instructions with counts that do not fit
};

/** Find the instructions of the function that --annotate names. If `cut` is not set, all
 * instructions are shown. Return 0, or -1 after diag_error(). Call annotation_release() in both
 * cases. */
int annotation_init(struct annotation *annotation, const struct hottest *hottest,
		    const struct opt_set *options, bool cut, struct diag *diag);

/** Add the source line of an instruction, such as "src/main.c:12". If the line is not known, add
 * nothing.
 */
void annotation_add_line(struct buf *out, const struct instruction *instruction);

/** Add a remark if the shown code belongs to another function, and the number of left-out
 * instructions.
 */
void annotation_add_remark(struct buf *out, const struct annotation *annotation);

void annotation_release(struct annotation *annotation);

#endif
