/** Find the names of code that JIT compilers have generated. The names are in perf maps
 * (`/tmp/perf-PID.map`) and jitdump files. */
#pragma once

#include "base/buf.h"
#include "symbols/ranges.h"
#include "symbols/spans.h"

struct perf_map_entry {
	uint64_t start, end;
	uint32_t name, name_length; // offset of the name in the text
};

/** A zeroed map is empty. */
struct perf_map {
	struct buf text;
	struct perf_map_entry *entries;
	size_t entry_count, entry_capacity;
	struct ranges ranges; // address ranges of the entries, without overlaps
};

/** Move the text of a map into the struct, and read the map's entries. If two entries overlap, the
 * range that they share belongs to the later entry. */
void perf_map_take(struct perf_map *map, struct buf *text);

/** The root folder below which a file of a process is opened, and the users who may own the file.
 * The owner is checked because every user can write to `/tmp`. */
struct jit_place {
	int root;          // descriptor of the root folder, or OWN_ROOT
	uint32_t users[2]; // the real and the effective user of the process
};

/** Read the map at `path`, up to the first hole in the file. Return 0 or an errno. The errno is
 * EPERM if the file belongs to another user. */
int perf_map_read(struct perf_map *map, const struct jit_place *place, const char *path);

/** Find the entry that contains an address. Return false if no entry contains the address. */
bool perf_map_find(const struct perf_map *map, uint64_t address, struct str *name, uint64_t *start);

void perf_map_release(struct perf_map *map);

struct jitdump_line {
	uint64_t address;
	struct str file;
	uint32_t line;
	uint32_t place; // index of the line in its record, which orders lines at one address
};

struct jitdump_code {
	uint64_t start, end, time;
	struct str name;
	struct str entries; // entries of the record of lines, not read yet; may be empty
	uint32_t entry_count;
	uint32_t line_count;
	struct jitdump_line *lines; // lines sorted by address; NULL before they are first needed
	struct str eh_frame;        // unwinding information of the code
};

/** A zeroed struct is empty. */
struct jitdump {
	struct buf bytes;
	bool swapped;
	struct jitdump_code *codes;
	size_t n, capacity;
	struct spans spans; // address ranges of the pieces of code
};

/** Move the bytes of a jitdump file into the struct, and read its records. Ignore everything after
 * a damaged record. Return false if the bytes are not a jitdump file. */
bool jitdump_take(struct jitdump *dump, struct buf *bytes);

/** Read a jitdump file. Return the same as perf_map_read(). For a malformed file, return the same
 * as for a missing file. */
int jitdump_read(struct jitdump *dump, const struct jit_place *place, const char *path);

/** Return the code that was at an address at the given time, or NULL if no code was there. */
const struct jitdump_code *jitdump_find(const struct jitdump *dump, uint64_t address,
					uint64_t time);

/** Find the line of an address in a piece of code. Return false if the line is not known. */
bool jitdump_find_line(struct jitdump *dump, const struct jitdump_code *code, uint64_t address,
		       struct jitdump_line *line);

void jitdump_release(struct jitdump *dump);
