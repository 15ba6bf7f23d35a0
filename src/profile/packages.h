/** Names of functions that contain a path: java/util/List::of, net/http.(*conn).serve. */
#ifndef INFERNO_PACKAGES_H
#define INFERNO_PACKAGES_H

#include "base/str.h"

/** Cut the first package off the front of `*name`. Return false if `*name` is only a function,
 * without a package. A slash in brackets, or in the operators `/` and `/=`, does not separate
 * packages. */
bool packages_take(struct str *name, struct str *package);

/** Return whether the kernel waits for work in this function. */
bool packages_is_idle(struct str function);

#endif
