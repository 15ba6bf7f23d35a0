/**
 * A merger adds up the stacks of many inputs, in bounded memory. To compare two profiles, the
 * merger adds up the stacks of two sides separately.
 *
 * Inputs become runs, which are merged at the end. If memory is short, runs are merged earlier,
 * into runs in files without names. The order and the grouping of inputs do not change the result.
 */
#pragma once

#include "base/diag.h"
#include "base/output.h"

struct merger;

/** Return a merger that uses about `memory` bytes, at least 16 MiB. The caller releases the merger
 * with merger_free(). */
struct merger *merger_new(uint64_t memory, struct diag *diag);

enum { MERGER_SIDES = 2 };

/** Begin an input. All inputs of side 0 come before the inputs of side 1. `label`, such as
 * "host=a;", is put in front of all stacks, and may be empty. */
void merger_begin(struct merger *merger, struct str label, unsigned side);

/** Make room for an input of about `size` bytes. Room that is not used takes no memory. */
void merger_expect(struct merger *merger, uint64_t size);

/** Add a stack in UTF-8 to the input. The stack shares `common` bytes with `before`, the stack of
 * the previous call. In the first call for an input, `before` is empty. Return 0, or -1 after
 * diag_error(). */
int merger_add(struct merger *merger, struct str before, struct str stack, size_t common,
	       uint64_t count);

/** End the input. Unless `sum` is 0, scale the counts of the input so that their sum is `sum`.
 * Return 0, or -1 after diag_error(). */
int merger_end(struct merger *merger, uint64_t sum);

/** Return the sum of the counts of all inputs that have ended, at most 2^64-1. */
uint64_t merger_total(const struct merger *merger);

/** Drop all stacks of the current input. */
void merger_drop(struct merger *merger);

/** A function that receives the next stack, and its count on each side. The stack shares `common`
 * bytes with the previous stack. */
typedef void merger_take(void *context, struct str stack, size_t common, const uint64_t *counts);

/** Pass all stacks to `take`, in the order of their bytes, without duplicates. Return 0, or -1
 * after diag_error(). */
int merger_each(struct merger *merger, merger_take *take, void *context);

/** Write all stacks of side 0 as folded text, with their counts divided by `parts`. If `parts` is
 * above 1, or if merger_end() scaled an input, leave out stacks whose count is then 0. After this
 * function, no input can be added. Return 0, or -1 after diag_error(). */
int merger_write(struct merger *merger, struct output *out, uint64_t parts);

void merger_free(struct merger *merger);
