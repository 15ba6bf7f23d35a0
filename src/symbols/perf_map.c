/* Read perf maps. Each line has an address, a size and a name, for example `7f0012340000 1a0
 * LazyCompile:~main app.js:1`. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "symbols/jit.h"
#include "symbols/opening.h"

/** Read a hexadecimal number, with or without `0x`, and the blanks after it. */
static bool perf_map_take_hex(struct str *line, uint64_t *value) {
	struct str rest = *line;
	rest = str_starts(rest, STR("0x")) ? str_from(rest, 2) : rest;
	size_t n = 0;
	*value = 0;
	for (; n < rest.n && is_hex(rest.p[n]); n++) {
		char c = rest.p[n];
		if (*value >> 60 != 0) {
			return false;
		}
		*value = *value << 4 | (uint64_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	if (n == 0 || n == rest.n || rest.p[n] != ' ') {
		return false;
	}
	*line = str_trim_start(str_from(rest, n));
	return true;
}

static void perf_map_add_line(struct perf_map *map, struct str line) {
	struct perf_map_entry entry;
	uint64_t size;
	if (!perf_map_take_hex(&line, &entry.start) || !perf_map_take_hex(&line, &size) ||
	    size == 0) {
		return;
	}
	line = str_trim_end(line);
	size_t at = (size_t)(line.p - map->text.p);
	if (line.n == 0 || at > UINT32_MAX || line.n > UINT32_MAX ||
	    map->entry_count >= INT32_MAX) {
		return;
	}
	entry.end = entry.start + size < entry.start ? UINT64_MAX : entry.start + size;
	entry.name = (uint32_t)at;
	entry.name_length = (uint32_t)line.n;
	*MEM_APPEND(map->entries, map->entry_count, map->entry_capacity) = entry;
}

/* --- Overlaps ------------------------------------------------------------------------------- */

/** The start or the end of an entry. */
struct edge {
	uint64_t address;
	uint32_t entry;
};

static int perf_map_compare_edges(const void *a, const void *b) {
	const struct edge *left = a, *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/** A heap of the entries that cover the current address. The newest entry is on top. Entries that
 * have ended may still be in the heap. */
struct heap {
	uint32_t *entries;
	size_t n;
};

static void perf_map_heap_push(struct heap *heap, uint32_t entry) {
	size_t i = heap->n++;
	while (i > 0 && heap->entries[(i - 1) / 2] < entry) {
		heap->entries[i] = heap->entries[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap->entries[i] = entry;
}

static void perf_map_heap_pop(struct heap *heap) {
	uint32_t last = heap->entries[--heap->n];
	size_t i = 0;
	for (size_t child = 1; child < heap->n; child = 2 * i + 1) {
		if (child + 1 < heap->n && heap->entries[child + 1] > heap->entries[child]) {
			child++;
		}
		if (heap->entries[child] <= last) {
			break;
		}
		heap->entries[i] = heap->entries[child];
		i = child;
	}
	heap->entries[i] = last;
}

/** Assign a range to an entry. If the previous range belongs to the same entry, extend the previous
 * range. */
static void perf_map_add_range(struct perf_map *map, uint64_t start, uint64_t end, uint32_t entry) {
	struct ranges *ranges = &map->ranges;
	struct range *before = ranges->n == 0 ? NULL : &ranges->items[ranges->n - 1];
	if (before != NULL && before->end == start && before->item == entry) {
		before->end = end;
	} else {
		ranges_add(ranges, start, end, entry);
	}
}

/** Assign each range between `at` and `limit` to the newest entry that covers it. Return
 * `limit`. */
static uint64_t perf_map_sweep(struct perf_map *map, struct heap *heap, uint64_t at,
			       uint64_t limit) {
	while (heap->n > 0 && at < limit) {
		uint32_t newest = heap->entries[0];
		uint64_t end = map->entries[newest].end;
		if (end > at) {
			uint64_t stop = end < limit ? end : limit;
			perf_map_add_range(map, at, stop, newest);
			at = stop;
		}
		if (end <= at) {
			perf_map_heap_pop(heap);
		}
	}
	return limit;
}

static void perf_map_find_ranges(struct perf_map *map) {
	struct edge *starts = mem_new(map->entry_count + 1, sizeof(*starts));
	struct heap heap = {.entries = mem_new(map->entry_count + 1, sizeof(*heap.entries))};
	for (size_t i = 0; i < map->entry_count; i++) {
		starts[i] = (struct edge){map->entries[i].start, (uint32_t)i};
	}
	qsort(starts, map->entry_count, sizeof(*starts), perf_map_compare_edges);
	uint64_t at = 0;
	for (size_t i = 0; i < map->entry_count; i++) {
		at = perf_map_sweep(map, &heap, at, starts[i].address);
		perf_map_heap_push(&heap, starts[i].entry);
	}
	(void)perf_map_sweep(map, &heap, at, UINT64_MAX);
	free(starts);
	free(heap.entries);
}

void perf_map_take(struct perf_map *map, struct buf *text) {
	map->text = *text;
	*text = (struct buf){0};
	struct lines lines = {.rest = buf_str(&map->text)};
	struct str line;
	while (lines_next(&lines, &line)) {
		perf_map_add_line(map, line);
	}
	perf_map_find_ranges(map);
}

/** Read a file of at most `most` bytes, up to its first hole. Programs write such files without
 * holes, but a crafted file may consist of one huge hole. Return 0 or an errno. */
static int perf_map_read_file(const struct jit_place *place, const char *path, uint64_t most,
			      struct buf *bytes) {
	const struct file_rules rules = {
		.most = most, .owned = true, .users = {place->users[0], place->users[1]}};
	int fd = open_regular(place->root, path, &rules);
	int problem = fd < 0 ? errno : read_to_hole(fd, (size_t)most, bytes);
	if (fd >= 0) {
		close(fd);
	}
	return problem;
}

int perf_map_read(struct perf_map *map, const struct jit_place *place, const char *path) {
	struct buf text = {0};
	int problem = perf_map_read_file(place, path, LIMIT_PERF_MAP, &text);
	if (problem == 0) {
		perf_map_take(map, &text);
	}
	buf_release(&text);
	return problem;
}

int jitdump_read(struct jitdump *dump, const struct jit_place *place, const char *path) {
	struct buf bytes = {0};
	int problem = perf_map_read_file(place, path, LIMIT_JITDUMP, &bytes);
	if (problem == 0 && !jitdump_take(dump, &bytes)) {
		problem = ENOENT;
	}
	buf_release(&bytes);
	return problem;
}

bool perf_map_find(const struct perf_map *map, uint64_t address, struct str *name,
		   uint64_t *start) {
	uint32_t found = ranges_find(&map->ranges, address);
	if (found == RANGES_NONE) {
		return false;
	}
	const struct perf_map_entry *entry = &map->entries[found];
	*name = (struct str){map->text.p + entry->name, entry->name_length};
	*start = entry->start;
	return true;
}

void perf_map_release(struct perf_map *map) {
	buf_release(&map->text);
	free(map->entries);
	ranges_release(&map->ranges);
	*map = (struct perf_map){0};
}
