/**
 * Open files that a sampled program or a recording names. Only regular files are opened for
 * reading, so that no FIFO makes the reader wait and no device is touched. Below the root folder of
 * a process, no link leads out of it. base/limits.h limits the size of these files.
 */
#ifndef INFERNO_SYMBOLS_OPENING_H
#define INFERNO_SYMBOLS_OPENING_H

#include "base/buf.h"
#include "symbols/symbols.h"

/** Requirements for a file, which must also be regular. */
struct file_rules {
	uint64_t most; // bytes
	/* it must have a size, because files of the kernel have none, and reading those may change
	 * them */
	bool filled;
	bool owned; // it must belong to root, to the user of this process, or to one of `users`
	uint32_t users[2];
};

/** The root folder of this machine, as a descriptor. */
enum { OWN_ROOT = -1 };

/**
 * Open a regular file by its path: on this machine, or with a descriptor of another root folder, by
 * its absolute path below that folder. The call never waits, and opens no device. Return a
 * descriptor, or -1 with errno set. The errno is EFBIG if the file is too large, and EPERM if the
 * file belongs to another user.
 */
int open_regular(int root, const char *path, const struct file_rules *rules);

/** Open a program, a library or a debug file, which may belong to any user. */
int open_object(int root, const char *path);

/** Return a descriptor that names a folder by its absolute path below a root folder, or -1 with
 * errno set. */
int open_folder_below(int root, const char *path);

/** Return a descriptor of the root folder of a process, or -1 with errno set. */
int open_root(uint32_t pid);

/** Return whether a process sees another root folder, or other mounts, than this process. For a
 * process that has ended, return false. */
bool has_other_root(uint32_t pid);

/** Return whether an open file is the one on that device with that inode. */
bool file_id_matches(int fd, const struct file_id *id);

/** Add a file that was just opened to `bytes`, but only up to its first hole. Return 0 or an errno:
 * EFBIG if the file has more than `most` bytes. A file without a size is not read: it may be a file
 * of the kernel, and some of these can be read only once. */
int read_to_hole(int fd, size_t most, struct buf *bytes);

#endif
