/** The instructions of one function with its counts, for all formats of reports. */
#ifndef INFERNO_ANNOTATION_H
#define INFERNO_ANNOTATION_H

#include "analysis/instructions.h"
#include "export/hottest.h"

struct annotation {
	const struct hottest *hottest;
	struct machine_code code;
	uint64_t sum;    // of all instructions
	bool *shown;     // by instruction: it fits into the report
	size_t left_out; // instructions with counts that do not fit
};

/** Return whether options ask for the instructions of a function. */
bool annotation_is_wanted(const struct opt_set *options);

/** Find the instructions of the function that --annotate names. Without `cut`, all are shown.
 * Return 0, or -1 after diag_error(). Call annotation_release() in both cases. */
int annotation_init(struct annotation *annotation, const struct hottest *hottest,
		    const struct opt_set *options, bool cut, struct diag *diag);

/** Add where an instruction comes from, "src/main.c:12"; nothing if it is not known. */
void annotation_add_line(struct buf *out, const struct instruction *instruction);

/** Add what the code is of, if that is another function, and how much is left out. */
void annotation_add_remark(struct buf *out, const struct annotation *annotation);

void annotation_release(struct annotation *annotation);

#endif
