/* Reads and writes the file palette.map, which has a line `NAME->rgb(R,G,B)` for each name. */
#include "picture/palette_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/input.h"
#include "base/map.h"
#include "base/num.h"
#include "base/utf8.h"

static const char path[] = "palette.map";

struct palette_entry {
	struct str name;
	struct rgb colour;
	UT_hash_handle hh;
};

static struct palette_entry *palette_map_find_entry(const struct palette_map *map,
						    struct str name) {
	struct palette_entry *entry;
	HASH_FIND(hh, map->entries, name.p, name.n, entry);
	return entry;
}

const struct rgb *palette_map_find(const struct palette_map *map, struct str name) {
	const struct palette_entry *entry = palette_map_find_entry(map, name);
	return entry == NULL ? NULL : &entry->colour;
}

void palette_map_set(struct palette_map *map, struct str name, struct rgb colour) {
	struct palette_entry *entry = palette_map_find_entry(map, name);
	if (entry == NULL) {
		entry = arena_take(&map->arena, sizeof(*entry));
		*entry = (struct palette_entry){
			.name = {arena_copy(&map->arena, name.p, name.n), name.n}};
		HASH_ADD_KEYPTR(hh, map->entries, entry->name.p, entry->name.n, entry);
	}
	entry->colour = colour;
}

/** Cut a channel and the comma after it off the front of `*s`. */
static bool palette_map_take_channel(struct str *s, uint8_t *channel) {
	uint64_t value;
	if (!num_parse_u64(str_trim(str_cut(s, ',')), &value) || value > UINT8_MAX) {
		return false;
	}
	*channel = (uint8_t)value;
	return true;
}

/** Read `rgb(R,G,B)`. */
static bool palette_map_parse_colour(struct str s, struct rgb *colour) {
	s = str_trim(s);
	if (!str_starts(s, STR("rgb(")) || !str_ends(s, STR(")"))) {
		return false;
	}
	s = str_from(str_to(s, s.n - 1), strlen("rgb("));
	size_t commas = 0;
	for (size_t i = 0; i < s.n; i++) {
		commas += s.p[i] == ',';
	}
	return commas == 2 && palette_map_take_channel(&s, &colour->r) &&
	       palette_map_take_channel(&s, &colour->g) && palette_map_take_channel(&s, &colour->b);
}

static bool palette_map_read_line(struct palette_map *map, struct str line) {
	// the last arrow, because a name may be `operator->`
	size_t arrow = str_find_last_str(line, STR("->"));
	struct rgb colour;
	if (arrow == STR_NONE ||
	    !palette_map_parse_colour(str_from(line, arrow + strlen("->")), &colour)) {
		return false;
	}
	palette_map_set(map, str_to(line, arrow), colour);
	return true;
}

/** The numbers of entries and of other lines in a file, and the line of the first other line.
 * `foreign` is the number of other lines without an arrow, which are not entries with an error. */
struct palette_map_tally {
	uint64_t entries, others, foreign, first_other;
};

static void palette_map_count_line(struct palette_map_tally *tally, struct str line,
				   uint64_t number, bool is_entry) {
	if (is_entry) {
		tally->entries++;
	} else if (str_trim(line).n > 0) {
		tally->first_other = tally->others++ == 0 ? number : tally->first_other;
		tally->foreign += !str_has(line, STR("->"));
	}
}

/** Read the file, if it exists, into `map`; a name that is already in `map` gets the colour in the
 * file. Return 0, or -1 after diag_error(), also if the file is not a palette.map. */
static int palette_map_read_entries(struct palette_map *map, struct palette_map_tally *tally,
				    struct diag *diag) {
	struct stat info = {0};
	if (stat(path, &info) != 0 && errno == ENOENT) {
		return 0;
	}
	if (S_ISFIFO(info.st_mode)) {
		return diag_error(diag, "%s: is a pipe, not a file of colours", path);
	}
	struct buf bytes = {0}, text = {0};
	int result = input_read_file(path, &bytes, diag);
	utf8_repair(&text, buf_str(&bytes));
	struct lines lines = {.rest = buf_str(&text)};
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		palette_map_count_line(tally, line, lines.number, palette_map_read_line(map, line));
	}
	if (tally->foreign > 3 * (tally->entries + tally->others - tally->foreign)) {
		result = diag_error(diag,
				    "%s: is not a file of colours, and --cp would replace it; move "
				    "it or draw in another folder",
				    path);
	}
	buf_release(&bytes);
	buf_release(&text);
	return result;
}

int palette_map_read(struct palette_map *map, struct diag *diag) {
	struct palette_map_tally tally = {0};
	int result = palette_map_read_entries(map, &tally, diag);
	if (result == 0 && tally.others > 0) {
		result = diag_warn(
			diag, "%s:%llu: expected NAME->rgb(R,G,B); %llu such lines are ignored",
			path, (unsigned long long)tally.first_other,
			(unsigned long long)tally.others);
	}
	return result;
}

static int palette_map_by_name(const struct palette_entry *a, const struct palette_entry *b) {
	return str_compare(a->name, b->name);
}

static int palette_map_write_entries(struct output *out, void *map) {
	const struct palette_map *all = map;
	for (const struct palette_entry *entry = all->entries; entry != NULL;
	     entry = entry->hh.next) {
		char colour[RGB_MAX];
		output_add_str(out, entry->name);
		output_add_text(out, "->");
		output_add(out, colour, rgb_format(colour, entry->colour));
		output_add_char(out, '\n');
	}
	return 0;
}

/** Lock the folder of the file. Return a descriptor to close, or -1 if the folder cannot be opened.
 * In that case, entries that other runs add at the same moment may be lost. */
static int palette_map_lock_folder(void) {
	char *real = realpath(path, NULL);
	if (real != NULL) {
		strrchr(real, '/')[1] = '\0';
	}
	int fd = open(real == NULL ? "." : real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int failed = fd < 0;
	while (!failed && flock(fd, LOCK_EX) != 0) {
		failed = errno != EINTR;
	}
	free(real);
	return fd;
}

int palette_map_write(struct palette_map *map, struct diag *diag) {
	struct palette_map_tally tally = {0};
	int lock = palette_map_lock_folder();
	// Read again, because other runs may have added names.
	int result = palette_map_read_entries(map, &tally, diag);
	if (result == 0) {
		HASH_SORT(map->entries, palette_map_by_name);
		result = destination_fill(path, 0, palette_map_write_entries, map, diag);
	}
	if (lock >= 0) {
		close(lock);
	}
	return result;
}

void palette_map_release(struct palette_map *map) {
	HASH_CLEAR(hh, map->entries);
	arena_release(&map->arena);
	*map = (struct palette_map){0};
}
