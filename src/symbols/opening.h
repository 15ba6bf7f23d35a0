/**
 * Open files that somebody else provides, such as a container. Only regular files are opened for
 * reading, so that no FIFO makes the reader wait and no device is touched. Below the root folder of
 * a process, no link leads out of it.
 */
#ifndef INFERNO_SYMBOLS_OPENING_H
#define INFERNO_SYMBOLS_OPENING_H

#include "base/buf.h"
#include "symbols/symbols.h"

/** Open a regular file. Return a descriptor, or -1 with errno set. */
int open_regular(const char *path);

/** Open a regular file by its absolute path below a root folder. `root` is a descriptor of that
 * folder. Return a descriptor, or -1 with errno set. */
int open_regular_below(int root, const char *path);

/** Return a descriptor that names a folder by its absolute path below a root folder, or -1 with
 * errno set. */
int open_folder_below(int root, const char *path);

/** Return a descriptor of the root folder of a process, or -1 with errno set. */
int open_root(uint32_t pid);

/** Return whether a process sees another root folder, or other mounts, than this process. A process
 * that has ended does not. */
bool has_other_root(uint32_t pid);

/** Return whether an open file is the one on that device with that inode. */
bool file_id_matches(int fd, const struct file_id *id);

#endif
