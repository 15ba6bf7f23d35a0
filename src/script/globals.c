/* Find the addresses of an interpreter's symbols in a process. */
#include "script/globals.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/contents.h"
#include "symbols/elf.h"
#include "symbols/opening.h"

/** Open the mapped file itself. If that fails, open its path below the root of the process. */
static int globals_open(int32_t pid, const struct map *map) {
	char path[96];
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
		 (unsigned long long)map->start, (unsigned long long)map->end);
	int fd = open_object(OWN_ROOT, path);
	if (fd >= 0) {
		return fd;
	}
	struct buf name = {0};
	buf_add_str(&name, map->path);
	int root = open_root((uint32_t)pid);
	fd = root < 0 ? -1 : open_object(root, buf_text(&name));
	if (root >= 0) {
		close(root);
	}
	if (fd >= 0 && map->id.inode != 0 && !file_id_matches(fd, &map->id)) {
		close(fd);
		fd = -1;
	}
	buf_release(&name);
	return fd;
}

/** Set the values that are still 0 to those of the symbols with these names in a table. */
static void globals_take(const struct elf *elf, const struct elf_section *table,
			 const char *const *names, uint64_t bias, uint64_t *values) {
	size_t n = table == NULL ? 0 : elf_symbol_count(elf, table);
	struct str symbols = elf_data(elf, table);
	if (n == 0 || table->link >= elf->section_count) {
		return;
	}
	struct str strings = elf_data(elf, &elf->sections[table->link]);
	for (size_t i = 1; i < n; i++) {
		struct elf_symbol symbol = elf_symbol(elf, symbols, i);
		if (symbol.section == SHN_UNDEF || symbol.value == 0) {
			continue;
		}
		struct str name = elf_text(strings, symbol.name);
		for (size_t j = 0; names[j] != NULL; j++) {
			if (values[j] == 0 && str_eq(name, str_of(names[j]))) {
				values[j] =
					symbol.type == STT_TLS ? symbol.value : symbol.value + bias;
			}
		}
	}
}

/** Return the difference between addresses in memory and addresses in the file. */
static uint64_t globals_bias(const struct elf *elf, const struct map *map) {
	uint64_t linked;
	return elf->type == ET_EXEC || !elf_address(elf, map->offset, &linked)
		       ? 0
		       : map->start - linked;
}

/** Return the stamp of an open file. */
static struct globals_stamp globals_stamp_of(int fd) {
	struct stat about;
	return fd < 0 || fstat(fd, &about) != 0
		       ? (struct globals_stamp){0}
		       : (struct globals_stamp){about.st_size, about.st_mtim.tv_sec,
						about.st_mtim.tv_nsec};
}

bool globals_find(int32_t pid, const struct map *map, const char *const *names, uint64_t *values,
		  struct globals_stamp *stamp) {
	int fd = globals_open(pid, map);
	*stamp = globals_stamp_of(fd);
	struct contents *contents = fd < 0 ? NULL : contents_open(fd);
	struct elf elf;
	for (size_t i = 0; names[i] != NULL; i++) {
		values[i] = 0;
	}
	if (contents == NULL) {
		return false;
	}
	if (elf_init_file(&elf, contents) && elf.wide && !elf.swapped) {
		uint64_t bias = globals_bias(&elf, map);
		globals_take(&elf, elf_section_of_type(&elf, SHT_DYNSYM), names, bias, values);
		if (values[0] != 0) {
			globals_take(&elf, elf_section_of_type(&elf, SHT_SYMTAB), names, bias,
				     values);
		}
		elf_release(&elf);
	}
	contents_free(contents);
	return values[0] != 0;
}

bool globals_find_offsets(int32_t pid, const struct map *map, const struct layout_member *members,
			  bool debuginfod, uint32_t *offsets) {
	struct unread unread = {0};
	const struct symbols_options options = {
		.debuginfod = debuginfod, .live = true, .unread = &unread};
	const struct object_file wanted = {
		.kind = OBJECT_ELF, .path = map->path, .pid = (uint32_t)pid};
	int fd = globals_open(pid, map);
	bool found = fd >= 0 && members_find(fd, &options, &wanted, members, offsets);
	unread_release(&unread);
	return found;
}
