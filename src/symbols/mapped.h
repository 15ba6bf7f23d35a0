/** Find the files that processes have mapped. */
#pragma once

#include "symbols/file.h"

/**
 * Find a file that was mapped. Search at its path, through its process, and in the build-id cache.
 * If a build-id was recorded, use only a file with this build-id. If no build-id was recorded, but
 * processes are sampled now, use only a file with the recorded device and inode. If there is no
 * such file, return NULL, and set `*state` to the reason.
 */
struct file *find_mapped(const struct symbols_options *options, const struct object_file *wanted,
			 enum object_state *state);

/** Open a file that a running process has mapped. Do this only if the opened file is certainly the
 * mapped file. Return a descriptor, or -1. */
int open_mapped(const struct object_file *wanted);
