/** Read the symbols of the kernel and of its modules, from /proc/kallsyms or a copy of this
 * file. */
#pragma once

#include "base/buf.h"
#include "symbols/table.h"

enum { KALLSYMS_KERNEL, KALLSYMS_GROUPS = UINT16_MAX };

struct kallsyms {
	struct buf text;
	struct table table;    // symbols; the group of a symbol is 0 for the kernel, and a higher
			       // number for a module
	struct intern modules; // names of modules; id N is group N + 1
	bool restricted; // all addresses are zero, because the kernel hides them from this user
};

/** Read a file in the form of /proc/kallsyms. Return NULL with errno set if the file cannot be
 * read. */
struct kallsyms *kallsyms_read(const char *path, struct demangler *demangler);

/** Read text in the form of /proc/kallsyms. Take ownership of the text, and change it. */
struct kallsyms *kallsyms_take(struct buf *text, struct demangler *demangler);

/** Return the group of a module's symbols, or 0 if there is no such module. In names of modules,
 * `-` and `_` are equivalent. */
uint16_t kallsyms_group(const struct kallsyms *kallsyms, struct str module);

void kallsyms_free(struct kallsyms *kallsyms);
