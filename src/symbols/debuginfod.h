/** Fetch debug files and source files from the servers in DEBUGINFOD_URLS. These functions need the
 * library libdebuginfod. */
#pragma once

#include "symbols/symbols.h"

/** Fetch the debug file of a build-id, and put the path of the copy into `path`. Return false if no
 * server has the file, if the download takes too long, or if the user interrupts it. If the library
 * is missing, set `*missing` and return false. */
bool debuginfod_fetch(const struct build_id *build_id, struct diag *diag, struct buf *path,
		      bool *missing);

/** Fetch a source file of the program with a build-id, as debuginfod_fetch() does. `source` is the
 * path of the file in the debug information. If the path is relative, return false. */
bool debuginfod_fetch_source(const struct build_id *build_id, struct str source, struct diag *diag,
			     struct buf *path, bool *missing);
