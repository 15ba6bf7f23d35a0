/** Name of functions that hold a path: java/util/List::of, net/http.(*conn).serve. */
#ifndef INFERNO_PACKAGES_H
#define INFERNO_PACKAGES_H

#include "base/str.h"

/**
 * Take the first package off the front of `*name`; false if there is none, only a function. What
 * stands in brackets is not cut, nor are the operators `/` and `/=`.
 */
bool packages_take(struct str *name, struct str *package);

/** Whether a function is one in which the kernel waits for something to do. */
bool packages_is_idle(struct str function);

#endif
