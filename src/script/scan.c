/* Find the states of an interpreter on the heap. */
#include "script/scan.h"

#include <stdlib.h>

#include "symbols/maps.h"

enum { SCAN_PART = 256 << 10, SCAN_WORD = sizeof(uint64_t) };

/** Add the states in a part of memory. Return their number. */
static size_t scan_part(struct remote *remote, const struct scan_marks *marks, const char *bytes,
			size_t n, uint64_t address, uint64_t *states, size_t most) {
	size_t found = 0;
	for (size_t at = 0; at + marks->pointer_at + SCAN_WORD <= n && found < most;
	     at += SCAN_WORD) {
		uint64_t state = address + at;
		if ((unsigned char)bytes[at + marks->byte_at] != marks->byte) {
			continue;
		}
		uint64_t object = remote_load_u64(bytes + at + marks->pointer_at);
		if (remote_is_pointer(object) && object > state &&
		    object - state <= marks->farthest &&
		    remote_u64(remote, object + marks->back_at) == state) {
			states[found++] = state;
		}
	}
	return found;
}

size_t scan_begin(struct scan *scan, uint64_t now) {
	enum { LEAST = 1 << 20, MOST = 16 << 20 };
	const uint64_t first_wait = 2000000, soon = 50000000, last_wait = 2000000000; // ns
	if (scan->wait != 0 && now - scan->scanned < scan->wait) {
		return 0;
	}
	scan->wait = scan->wait == 0 ? first_wait : 2 * scan->wait;
	scan->wait = scan->wait < last_wait ? scan->wait : last_wait;
	scan->scanned = now;
	return scan->wait < soon ? LEAST : MOST;
}

void scan_states(struct scan *scan, struct remote *remote, const struct scan_marks *marks,
		 size_t bytes) {
	struct maps maps;
	struct map map;
	size_t n = 0, left = 4 * bytes;
	scan->n = 0;
	if (!maps_open(&maps, (uint32_t)remote->pid)) {
		return;
	}
	char *part = mem_new(1, SCAN_PART);
	while (n < SCAN_STATES && left > 0 && maps_next(&maps, &map)) {
		bool is_stack = str_eq(map.path, STR("[stack]"));
		uint64_t end = map.end - map.start < bytes ? map.end : map.start + bytes;
		bool wanted = map.writable && map.id.inode == 0 && !is_stack;
		for (uint64_t at = map.start; wanted && at < end && n < SCAN_STATES;
		     at += SCAN_PART) {
			size_t size = end - at < SCAN_PART ? (size_t)(end - at) : SCAN_PART;
			size_t got = remote_read_pieces(remote,
							&(struct remote_piece){at, part, size}, 1);
			n += scan_part(remote, marks, part, got, at, scan->states + n,
				       SCAN_STATES - n);
			left -= got < left ? got : left;
			wanted = got == size && left > 0;
		}
	}
	free(part);
	maps_close(&maps);
	scan->n = n;
}

uint64_t scan_variables(struct script_process *process,
			bool (*is_wanted)(struct script_process *process, uint64_t address)) {
	enum { MOST = 4 << 20 };
	struct maps maps;
	struct map map;
	uint64_t found = 0, end = 0, left = MOST;
	if (!maps_open(&maps, (uint32_t)process->remote.pid)) {
		return 0;
	}
	char *part = mem_new(1, SCAN_PART);
	while (found == 0 && left > 0 && maps_next(&maps, &map)) {
		// Variables without an initial value in the file are in a mapping of their own,
		// which comes after the mappings of the file.
		bool own = str_eq(map.path, process->path);
		bool wanted = map.writable && (own || (map.id.inode == 0 && map.start == end));
		end = own ? map.end : 0;
		for (uint64_t at = map.start; wanted && at < map.end && found == 0 && left > 0;
		     at += SCAN_PART) {
			size_t size = map.end - at < SCAN_PART ? (size_t)(map.end - at) : SCAN_PART;
			struct remote_piece piece = {at, part, size};
			size_t got = remote_read_pieces(&process->remote, &piece, 1);
			for (size_t i = 0; i + SCAN_WORD <= got && found == 0; i += SCAN_WORD) {
				uint64_t value = remote_load_u64(part + i);
				found = remote_is_pointer(value) && is_wanted(process, value)
						? at + i
						: 0;
			}
			left -= got < left ? got : left;
			wanted = got == size;
		}
	}
	free(part);
	maps_close(&maps);
	return found;
}

/** Return the end of the mapping that contains an address; or 0 if no mapping contains it. */
static uint64_t scan_end_of_mapping(int32_t pid, uint64_t address) {
	struct maps maps;
	struct map map;
	uint64_t end = 0;
	if (maps_open(&maps, (uint32_t)pid)) {
		while (end == 0 && maps_next(&maps, &map)) {
			end = address >= map.start && address < map.end ? map.end : 0;
		}
		maps_close(&maps);
	}
	return end;
}

bool scan_is_on_stack(struct scan *scan, int32_t pid, int32_t tid, uint64_t sp, uint64_t address) {
	if (scan->tid != tid || sp >= scan->stack_end) {
		scan->tid = tid;
		scan->stack_end = scan_end_of_mapping(pid, sp);
	}
	return address >= sp && address < scan->stack_end;
}
