/** The values that a format can count, such as objects and bytes: --value chooses one. */
#pragma once

#include "collapse/collapser.h"

/** Return the value of a format with this name, or NULL. A value without a name matches every
 * name. */
const struct collapser_value *collapse_find_value(const struct collapser *format, const char *name);

/** Set the option by which a format counts the value with this name. `set` holds the options of the
 * format. Return 0, or -1 after diag_error(). */
int collapse_set_value(struct opt_set *set, const struct collapser *format, const char *name,
		       struct diag *diag);
