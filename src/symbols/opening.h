/**
 * Open files that a sampled program or a recording names. Only regular files are opened for
 * reading: a FIFO would make the reader wait, and opening a device could change its state. A path
 * below the root folder of a process never leads out of this folder, even through a link. The
 * limits on the size of these files are in base/limits.h.
 */
#pragma once

#include "base/buf.h"
#include "symbols/symbols.h"

/** The requirements for a file. Besides these, the file must be regular. */
struct file_rules {
	uint64_t most; // largest size in bytes
	/* the size must not be 0: the kernel's own files have the size 0, and reading such a file
	 * may change its state */
	bool filled;
	bool owned; // the file must belong to root, to the user of this process, or to one of
		    // `users`
	uint32_t users[2];
};

/** The root folder of this machine, as a descriptor. */
enum { OWN_ROOT = -1 };

/**
 * Open a regular file by its path. If `root` is OWN_ROOT, `path` is a path on this machine. If
 * `root` is a descriptor of a folder, `path` is an absolute path below this folder. The call never
 * waits, and opens no device. Return a descriptor, or -1 with errno set. The errno is EFBIG if the
 * file is too large, and EPERM if the file belongs to another user.
 */
int open_regular(int root, const char *path, const struct file_rules *rules);

/** Open a program, a library or a debug file, which may belong to any user. */
int open_object(int root, const char *path);

/** Open a folder by its absolute path below a root folder. Return a descriptor of the folder that
 * was opened with O_PATH, or -1 with errno set. */
int open_folder_below(int root, const char *path);

/** Return a descriptor of the root folder of a process, or -1 with errno set. */
int open_root(uint32_t pid);

/** Return whether a process has a different root folder or different mounts from the calling
 * process. For a process that has ended, return false. */
bool has_other_root(uint32_t pid);

/** Return whether an open file has the device, the inode and, if it is known, the generation in
 * `id`. */
bool file_id_matches(int fd, const struct file_id *id);

/** Append to `bytes` the content of a file that was just opened, up to its first hole. Return 0 or
 * an errno. The errno is EFBIG if the file has more than `most` bytes. Do not read a file with the
 * size 0: it may be a file of the kernel, and some of these can be read only once. */
int read_to_hole(int fd, size_t most, struct buf *bytes);
