/** Open ELF files, and search for separate debug files in the debug directories and in the build-id
 * cache. */
#pragma once

#include "symbols/elf.h"

struct file {
	struct elf elf;
	struct build_id build_id;
	char *path;
	struct contents *contents; // NULL: the struct owns the bytes
	struct buf owned;
	bool noted; // a note says already that a part could not be read
	int copy;   // descriptor of a copy in memory; -1: there is no copy
};

/** Open an ELF file. If the file cannot be read, return NULL, and set `*state` to OBJECT_MISSING or
 * OBJECT_UNREADABLE, and errno to the reason. If the file is not an ELF file, errno is 0. */
struct file *file_open(const char *path, enum object_state *state);

/** Open an ELF file by its descriptor, and take over the descriptor. Return the same as
 * file_open(). If `fd` is -1, the file could not be opened, and errno is the reason. */
struct file *file_open_descriptor(int fd, const char *path, enum object_state *state);

/** Make a file of bytes in memory, and take ownership of the bytes. If they are not an ELF file,
 * release them and return NULL. */
struct file *file_take(const char *path, struct buf *owned);

void file_free(struct file *file);

/** Return the errno of a failed read from the file, or 0 if no read failed. */
int file_problem(const struct file *file);

/** Return a descriptor of a copy of the file in memory, or -1. Only the first call makes a copy. */
int file_copy(struct file *file);

/** Return the largest number of bytes that may be unpacked from the file. */
uint64_t file_unpacks_most(const struct file *file);

/**
 * Find a separate debug file that contains the bytes of a section with this name. Search by
 * build-id in the debug directories, then by the debug link of `mapped`, then in the build-id
 * cache. `mapped` may be NULL. Return NULL if no such file is found.
 */
struct file *find_debug(const struct symbols_options *options, const struct object_file *wanted,
			const struct file *mapped, struct str section);

/** Add the path of a file in the build-id cache: `~/.debug/.build-id/xx/yyyy/name`. Return false
 * if the build-id or the cache is not known. */
bool cache_path(const struct symbols_options *options, const struct build_id *build_id,
		const char *name, struct buf *path);

/** Unpack the section `.gnu_debugdata` of a stripped file. The section contains an ELF file with a
 * symbol table. Return NULL if there is no such section, or if it cannot be unpacked. If liblzma is
 * missing, set `*missing` and return NULL. */
struct file *file_packed_symbols(const struct file *file, bool *missing);
