/** Names of functions that hold a path: java/util/List::of, net/http.(*conn).serve. */
#ifndef INFERNO_PACKAGES_H
#define INFERNO_PACKAGES_H

#include "base/str.h"

/**
 * Takes the next part of a name off the front of `*rest`: a package, and at last the function. What
 * stands in brackets is not cut, nor are the operators `/` and `/=`. The last part leaves
 * nothing in `*rest`.
 */
struct str packages_next(struct str *rest);

/** Whether a function is one in which the kernel waits for something to do. */
bool packages_is_idle(struct str function);

#endif
