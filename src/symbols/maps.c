/* Read /proc/PID/maps. From Linux 6.11 on, the kernel also reports the build-id of a mapping. */
#include "symbols/maps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/ioctl_request.h"
#include "base/limits.h"
#include "base/num.h"
#include "base/read.h"

/** The request PROCMAP_QUERY of the kernel, which older headers lack. */
struct map_query {
	uint64_t size;
	uint64_t flags;
	uint64_t address;
	uint64_t start, end;
	uint64_t rights;
	uint64_t page_size;
	uint64_t offset;
	uint64_t inode;
	uint32_t major, minor;
	uint32_t name_size, build_id_size; // before the call, the sizes of the buffers; after it,
					   // the sizes of the results
	uint64_t name, build_id;           // addresses of the buffers
};

/** Ask for the build-id of the mapping at an address. */
static struct build_id maps_ask_build_id(int fd, uint64_t address) {
	struct build_id id = {.size = 0};
	uint8_t bytes[64];
	struct map_query query = {.size = sizeof(query),
				  .address = address,
				  .build_id_size = sizeof(bytes),
				  .build_id = (uintptr_t)bytes};
	const ioctl_request procmap_query = (ioctl_request)_IOWR('f', 17, struct map_query);
	if (ioctl(fd, procmap_query, &query) == 0 && query.build_id_size <= BUILD_ID_MAX &&
	    query.start <= address) {
		id.size = (uint8_t)query.build_id_size;
		memcpy(id.bytes, bytes, id.size);
	}
	return id;
}

bool maps_open(struct maps *maps, uint32_t pid) {
	char path[32];
	*maps = (struct maps){.fd = -1};
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps->fd = read_open(path);
	int problem = maps->fd < 0 ? errno : read_rest(maps->fd, LIMIT_PROCESS_LIST, &maps->text);
	if (problem != 0) {
		maps_close(maps);
		errno = problem;
		return false;
	}
	maps->lines.rest = buf_str(&maps->text);
	return true;
}

bool maps_next(struct maps *maps, struct map *map) {
	struct str line;
	while (lines_next(&maps->lines, &line)) {
		unsigned long long start, end, offset, inode;
		unsigned major, minor;
		char rights[8];
		int path = 0;
		snprintf(maps->line, sizeof(maps->line), "%.*s",
			 (int)(line.n < sizeof(maps->line) ? line.n : sizeof(maps->line) - 1),
			 line.p);
		if (sscanf(maps->line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, rights,
			   &offset, &major, &minor, &inode, &path) < 7 ||
		    path == 0) {
			continue;
		}
		*map = (struct map){.start = start,
				    .end = end,
				    .offset = offset,
				    .executable = rights[2] == 'x',
				    .writable = rights[1] == 'w',
				    .id = {.major = major, .minor = minor, .inode = inode},
				    .path = str_of(maps->line + path)};
		if (map->executable && inode != 0) {
			map->build_id = maps_ask_build_id(maps->fd, start);
		}
		return true;
	}
	return false;
}

void maps_close(struct maps *maps) {
	if (maps->fd >= 0) {
		close(maps->fd);
	}
	buf_release(&maps->text);
	maps->fd = -1;
}

/** Return a number from the line `name` of /proc/PID/status: the number with the index `place`, or
 * the last number if there are fewer. Return 0 if the number is not known. */
static uint64_t maps_status_number(uint32_t pid, struct str name, size_t place) {
	char path[32];
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	int problem = read_whole(path, LIMIT_PROCESS_LIST, &text);
	size_t at = problem == 0 ? str_find_str(buf_str(&text), name) : STR_NONE;
	uint64_t number = 0;
	if (at != STR_NONE) {
		struct str rest = str_from(buf_str(&text), at + name.n);
		struct str line = str_cut(&rest, '\n');
		for (size_t i = 0; line.n > 0 && i <= place; i++) {
			(void)num_parse_u64(str_cut(&line, '\t'), &number);
		}
	}
	buf_release(&text);
	errno = problem;
	return number;
}

uint32_t inner_pid(uint32_t pid) {
	// The line has a number for each namespace. The innermost namespace is the last one.
	uint64_t number = maps_status_number(pid, STR("\nNSpid:\t"), SIZE_MAX - 1);
	return number <= INT32_MAX ? (uint32_t)number : 0;
}

uint32_t process_user(uint32_t pid) {
	enum { EFFECTIVE = 1 }; // the line has the real user, then the effective user
	uint64_t number = maps_status_number(pid, STR("\nUid:\t"), EFFECTIVE);
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

struct file_id maps_find_own(uint64_t address) {
	struct maps maps;
	struct map map;
	struct file_id id = {.inode = 0};
	if (!maps_open(&maps, (uint32_t)getpid())) {
		return id;
	}
	while (id.inode == 0 && maps_next(&maps, &map)) {
		if (map.start <= address && address < map.end) {
			id = map.id;
		}
	}
	maps_close(&maps);
	return id;
}
