/** The copy of a stack at the end of a sample. The kernel reserves room of the requested size for
 * the copy, and writes how many bytes of this room it has used. */
#pragma once

#include <linux/perf_event.h>
#include <stddef.h>

#include "base/buf.h"

/** The position of the copy in a record. */
struct stackcopy {
	size_t at;   // offset of the word with the reserved size; the bytes of the stack come after
		     // this word
	size_t n;    // number of used bytes of the stack, a multiple of 8
	size_t room; // reserved size
	size_t registers; // offset of the first register, before the copy; 0: there are none
};

/** Find the copy in a record of `size` bytes whose event has these attributes. Return false if the
 * record is not a sample with a copied stack. */
bool stackcopy_find(const struct perf_event_attr *attr, const char *record, size_t size,
		    struct stackcopy *found);

/** Add a record to `out`. Of its copied stack, keep at most `most` bytes, and leave out the unused
 * bytes. `more` has the bytes that come after the copied ones in the stack, if there are any. */
void stackcopy_add(struct buf *out, const char *record, const struct stackcopy *copy,
		   struct str more, size_t most);
