/** Read the mappings of running processes from /proc/PID/maps. */
#pragma once

#include "base/buf.h"
#include "symbols/symbols.h"

struct map {
	uint64_t start, end, offset;
	bool executable, writable;
	struct file_id id; // device and inode; if the inode is 0: no file
	// build-id of code, if the kernel reports it (Linux 6.11 and later)
	struct build_id build_id;
	struct str path; // empty: the mapping has no path
};

/** A reader that returns the mappings of a process one by one. */
struct maps {
	int fd;
	struct buf text;
	struct lines lines;
	char line[4096 + 128];
};

/** Open the list of a process's mappings. Return false with errno set if there is no such process,
 * the process belongs to another user, or the list cannot be read. */
bool maps_open(struct maps *maps, uint32_t pid);

/** Fetch the next mapping. The path of the mapping is valid until the next call. Return false after
 * the last mapping. */
bool maps_next(struct maps *maps, struct map *map);

void maps_close(struct maps *maps);

/** Return the id of a process in its own pid namespace, or 0 if it is not known. If the status of
 * the process cannot be read, errno is set. */
uint32_t inner_pid(uint32_t pid);

/** Return the effective user id of a process. If the user is not known, return 0, which is root. */
uint32_t process_user(uint32_t pid);

/** Return the device and inode of the file that the calling process has mapped at an address, as
 * the kernel lists them. If the file is not known, the inode is 0. */
struct file_id maps_find_own(uint64_t address);
