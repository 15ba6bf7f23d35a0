/** Read /proc/kallsyms, or a copy of this file: the symbols of the kernel and of its modules. */
#ifndef INFERNO_SYMBOLS_KALLSYMS_H
#define INFERNO_SYMBOLS_KALLSYMS_H

#include "base/buf.h"
#include "symbols/table.h"

enum { KALLSYMS_KERNEL, KALLSYMS_GROUPS = UINT16_MAX };

struct kallsyms {
	struct buf text;
	struct table table;    // symbols; the group of an entry is 0 for the kernel, and any other
			       // number for a module
	struct intern modules; // names of modules; id N is group N + 1
	bool restricted; // whether all addresses are zero, because they are hidden from this user
};

/** Read a file in the form of /proc/kallsyms. Return NULL with errno set if the file cannot be
 * read. */
struct kallsyms *kallsyms_read(const char *path, struct demangler *demangler);

/** Read text in the form of /proc/kallsyms. The text is moved into the result, and changed. */
struct kallsyms *kallsyms_take(struct buf *text, struct demangler *demangler);

/** Return the group of a module's symbols, or 0 if there is no such module. In names of modules,
 * `-` and `_` are equal. */
uint16_t kallsyms_group(const struct kallsyms *kallsyms, struct str module);

void kallsyms_free(struct kallsyms *kallsyms);

#endif
