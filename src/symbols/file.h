/** Open ELF files on disk, and search for separate debug files in debug directories and in the
 * build-id cache. */
#ifndef INFERNO_SYMBOLS_FILE_H
#define INFERNO_SYMBOLS_FILE_H

#include "symbols/elf.h"

struct file {
	struct elf elf;
	struct build_id build_id;
	char *path;
	struct contents *contents; // NULL: the bytes are owned
	struct buf owned;
	bool noted; // whether it was noted that a part could not be read
	int copy;   // descriptor of a copy in memory; -1: there is no copy
};

/** Open an ELF file. If the file cannot be read, return NULL, and set `*state` to OBJECT_MISSING or
 * OBJECT_UNREADABLE, and errno to the reason. errno is 0 if the file is not an ELF file. */
struct file *file_open(const char *path, enum object_state *state);

/** Open an ELF file by its descriptor, and take over the descriptor. Return the same as
 * file_open(). A descriptor of -1 means that opening the file failed, and errno says why. */
struct file *file_open_descriptor(int fd, const char *path, enum object_state *state);

/** Make an ELF file of bytes in memory. `owned` is moved into it. If the bytes are not an ELF file,
 * release them and return NULL. */
struct file *file_take(const char *path, struct buf *owned);

void file_free(struct file *file);

/** Return the errno of a read from the file that failed; or 0 if no read failed. */
int file_problem(const struct file *file);

/** Return a descriptor of a copy of the file in memory, or -1. The copy is made only once. */
int file_copy(struct file *file);

/** Return the largest number of bytes that may be unpacked from the file. */
uint64_t file_unpacks_most(const struct file *file);

/**
 * Find a separate debug file that contains the bytes of a section with this name. Search by
 * build-id in the debug directories, then by the debug link of `mapped` (may be NULL), then in the
 * build-id cache. Return NULL if no such file is found.
 */
struct file *find_debug(const struct symbols_options *options, const struct object_file *wanted,
			const struct file *mapped, struct str section);

/** Add the path of a file in the build-id cache: `~/.debug/.build-id/xx/yyyy/name`. Return false
 * if the build-id or the cache is not known. */
bool cache_path(const struct symbols_options *options, const struct build_id *build_id,
		const char *name, struct buf *path);

/** Unpack the symbol table that is packed into a stripped file's `.gnu_debugdata`. Return NULL if
 * there is none. If liblzma is missing, set `*missing` and return NULL. */
struct file *file_packed_symbols(const struct file *file, bool *missing);

#endif
