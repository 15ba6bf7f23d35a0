/** Attributes that a file gives to the frames of some functions (--nameattr). */
#pragma once

#include "base/diag.h"
#include "base/map.h"

struct attr {
	struct str name; // a legal attribute of an SVG element, "xlink:href" for a link
	struct str value;
};

/** The attributes of one function in the file. */
struct function_attrs {
	struct str name;
	bool has_title, is_link;
	struct str title; // title of its frames
	struct attr *items;
	size_t n, capacity;
	UT_hash_handle hh;
};

/** A zeroed struct is empty. No attribute in the struct can make the picture run a script. */
struct attrs {
	struct buf text; // bytes of the file, into which names and values point
	struct function_attrs *functions;
};

/** Read the file. Return 0, or -1 after diag_error(). */
int attrs_read(struct attrs *attrs, const char *path, struct diag *diag);

/** Return the attributes of a function in the file, by its whole name, or NULL. */
static inline const struct function_attrs *attrs_find(const struct attrs *attrs, struct str name) {
	struct function_attrs *function;
	HASH_FIND(hh, attrs->functions, name.p, name.n, function);
	return function;
}

void attrs_release(struct attrs *attrs);
