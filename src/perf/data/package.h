/** Find the installed package that has a file. */
#ifndef INFERNO_PERFDATA_PACKAGE_H
#define INFERNO_PERFDATA_PACKAGE_H

#include "base/buf.h"

/** Add the name of the package of Debian, or of a system derived from it, that has the file. Return
 * false if none has, or if the system has other packages. This reads the lists of all packages. */
bool package_of(struct str path, struct buf *name);

#endif
