/** The mappings of running processes, from /proc/PID/maps. */
#ifndef INFERNO_SYMBOLS_MAPS_H
#define INFERNO_SYMBOLS_MAPS_H

#include "base/buf.h"
#include "symbols/symbols.h"

struct map {
	uint64_t start, end, offset;
	bool executable, writable;
	struct file_id id; // device and inode; inode 0: no file
	// build-id of code, if the kernel reports it (Linux 6.11 and later)
	struct build_id build_id;
	struct str path; // path; empty: no name
};

/** The mappings of a process, one after the other. */
struct maps {
	int fd;
	struct buf text;
	struct lines lines;
	char line[4096 + 128];
};

/** Read the list of a process. Return false with errno set if there is no such process, it belongs
 * to another user, or the list cannot be read. */
bool maps_open(struct maps *maps, uint32_t pid);

/** Fetch the next mapping; its path is valid until the next call. Return false after the last. */
bool maps_next(struct maps *maps, struct map *map);

void maps_close(struct maps *maps);

/** Return the number of a process in its own pid namespace; or 0 if this number is not known. errno
 * is set if the status of the process cannot be read. */
uint32_t inner_pid(uint32_t pid);

/** Return the user of a process; or 0, which is root, if the user is not known. */
uint32_t process_user(uint32_t pid);

/** Return the device and inode that the kernel lists for this process's mapping at an address;
 * inode 0 if that is not known. */
struct file_id maps_find_own(uint64_t address);

#endif
