/** Split names of functions that contain a path, such as java/util/List::of and
 * net/http.(*conn).serve. */
#pragma once

#include "base/str.h"

/** Remove the first package from `*name`, and store it in `*package`. Return false if `*name` has
 * no package. A slash in brackets, before a hexadecimal number, or in the operators `/` and `/=`,
 * does not separate packages. */
bool packages_take(struct str *name, struct str *package);

/** Return whether this is a function in which an idle kernel waits for work. */
bool packages_is_idle(struct str function);
