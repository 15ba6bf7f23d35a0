/** Find the installed package that contains a file. */
#pragma once

#include "base/buf.h"

/** Add the name of the Debian package that contains the file. Return false if no package has the
 * file, or if the system does not use this kind of package. This function reads the lists of all
 * packages. */
bool package_of(struct str path, struct buf *name);
