/** Names of functions that contain a path: java/util/List::of, net/http.(*conn).serve. */
#ifndef INFERNO_PACKAGES_H
#define INFERNO_PACKAGES_H

#include "base/str.h"

/** Take the first package off the front of `*name`. Return false if only a function is left. Text
 * in brackets is not cut, nor are the operators `/` and `/=`. */
bool packages_take(struct str *name, struct str *package);

/** Return whether a function is one in which the kernel waits for work. */
bool packages_is_idle(struct str function);

#endif
