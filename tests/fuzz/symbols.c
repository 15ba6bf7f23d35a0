/* Fuzz targets for the symbols room: broken object files, maps and dumps. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/cfi.h"
#include "symbols/elf_symbols.h"
#include "symbols/gopclntab.h"
#include "symbols/maps.h"
#include "symbols/object.h"

#include "binary.h"

static struct buf fuzz_symbols_copy_of(struct str input) {
	struct buf copy = {0};
	buf_add_str(&copy, input);
	return copy;
}

enum { LOOK_UPS = 200 };

/** Read the symbol tables, stubs and notes of an object file. */
void fuzz_elf(struct str input, struct random *source) {
	struct buf copy = fuzz_symbols_copy_of(input);
	struct file *file = file_take("FUZZ", &copy);
	if (file == NULL) {
		return;
	}
	struct table table = {0};
	struct demangler names = {0};
	struct arena arena = {0};
	const struct elf *elf = &file->elf;
	uint32_t checksum;
	(void)elf_debuglink(elf, &checksum);
	elf_add_symbols(elf, elf_section_of_type(elf, SHT_SYMTAB), 0, 0, &table);
	elf_add_symbols(elf, elf_section_of_type(elf, SHT_DYNSYM), 0, 0, &table);
	elf_add_symbols(elf, elf_section_of_type(elf, SHT_SYMTAB), 1, 1000, &table);
	elf_end_symbols(elf, &table);
	elf_add_stubs(elf, &arena, &table);
	gopclntab_add(elf, &arena, &table);
	table_finish(&table, &names);
	for (size_t i = 0; i < LOOK_UPS && table.n > 0; i++) {
		uint64_t address = table.entries[random_below(source, table.n)].start +
				   random_below(source, 64);
		const struct table_entry *entry = table_find(&table, address);
		if (entry != NULL) {
			(void)demangle(&names, str_of(entry->name));
		}
		(void)elf_address(elf, address, &address);
		(void)elf_offset(elf, address, &address);
	}
	bool missing;
	file_free(file_packed_symbols(file, &missing));
	table_release(&table);
	demangler_release(&names);
	arena_release(&arena);
	file_free(file);
}

struct world {
	struct object *object;
	size_t size;
};

enum { BASE = 1 << 30 };

static struct object *fuzz_symbols_find(void *context, uint64_t address, uint64_t *file_address) {
	const struct world *world = context;
	*file_address = address - BASE;
	return address >= BASE && address - BASE < world->size ? world->object : NULL;
}

static void fuzz_symbols_unwind_random(struct unwinder *unwinder, struct world *world,
				       struct random *source) {
	enum { WORDS = 64, MOST = 100 };
	uint64_t words[WORDS], addresses[MOST], stack_base = UINT64_C(1) << 40;
	struct unwind_stack stack = {.known = 0x1ffff, .find = fuzz_symbols_find, .context = world};
	for (size_t i = 0; i < WORDS; i++) {
		words[i] = random_below(source, 2) == 0
				   ? stack_base + 8 * random_below(source, WORDS + 4)
				   : BASE + random_below(source, world->size);
	}
	for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
		stack.registers[i] = words[random_below(source, WORDS)];
	}
	stack.registers[UNWIND_RSP] = stack_base;
	stack.registers[UNWIND_RIP] = BASE + random_below(source, world->size);
	stack.bytes = (struct str){(const char *)words, sizeof(words)};
	enum unwind_end end;
	size_t n = unwind(unwinder, &stack, addresses, MOST, &end);
	if (n == 0 || n > MOST) {
		abort();
	}
}

/** Make a file of the input, and return its path. */
static void fuzz_symbols_write_input(struct str input, char *path, size_t size, int *fd) {
	*fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, input.p, input.n) != (ptrdiff_t)input.n) {
		abort();
	}
	snprintf(path, size, "/proc/self/fd/%d", *fd);
}

/** Unwind with a file's call frame information, and read all of its rows. */
void fuzz_unwind(struct str input, struct random *source) {
	char path[64];
	int fd;
	if (input.n == 0) {
		return;
	}
	fuzz_symbols_write_input(input, path, sizeof(path), &fd);
	struct diag diag = {0};
	struct symbols_options options = {.no_inline = true, .cache = STR("/nonexistent")};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file wanted = {.kind = OBJECT_ELF, .path = str_of(path)};
	struct world world = {symbols_object(symbols, &wanted), input.n};
	struct unwinder *unwinder = unwinder_new(symbols);
	for (size_t i = 0; i < LOOK_UPS; i++) {
		fuzz_symbols_unwind_random(unwinder, &world, source);
	}
	unwinder_free(unwinder);
	symbols_free(symbols);
	close(fd);
}

/** Look up names, inlined functions and lines of a whole object. libdw parses the debug
 * information. */
void fuzz_inlines(struct str input, struct random *source) {
	char path[64];
	int fd;
	fuzz_symbols_write_input(input, path, sizeof(path), &fd);
	struct diag diag = {0};
	struct symbols_options options = {.srcline = true, .cache = STR("/nonexistent")};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file wanted = {.kind = OBJECT_ELF, .path = str_of(path)};
	struct object *object = symbols_object(symbols, &wanted);
	const struct symbol *frames;
	for (size_t i = 0; i < LOOK_UPS; i++) {
		(void)symbols_at(symbols, object, random_below(source, input.n), i % 2 == 0,
				 &frames);
	}
	symbols_free(symbols);
	close(fd);
}

void fuzz_map(struct str input, struct random *source) {
	(void)source;
	struct buf copy = fuzz_symbols_copy_of(input);
	struct perf_map map = {0};
	perf_map_take(&map, &copy);
	for (size_t i = 0; i < map.ranges.n; i++) {
		const struct range *range = &map.ranges.items[i];
		struct str name;
		uint64_t start;
		if (range->start >= range->end || (i > 0 && range[-1].end > range->start) ||
		    !perf_map_find(&map, range->start, &name, &start) || start > range->start) {
			abort();
		}
	}
	perf_map_release(&map);
}

void fuzz_jitdump(struct str input, struct random *source) {
	struct buf copy = fuzz_symbols_copy_of(input);
	struct jitdump dump = {0};
	if (jitdump_take(&dump, &copy)) {
		for (size_t i = 0; i < dump.n && i < LOOK_UPS; i++) {
			const struct jitdump_code *code = &dump.codes[random_below(source, dump.n)];
			struct jitdump_line line;
			uint64_t address = code->start + random_below(source, 100);
			(void)jitdump_find(&dump, address, random_next(source));
			(void)jitdump_find_line(&dump, code, address, &line);
		}
	}
	buf_release(&copy);
	jitdump_release(&dump);
}

void fuzz_kallsyms(struct str input, struct random *source) {
	struct buf copy = fuzz_symbols_copy_of(input);
	struct demangler names = {0};
	struct kallsyms *kallsyms = kallsyms_take(&copy, &names);
	(void)kallsyms_group(kallsyms, STR("module"));
	for (size_t i = 0; i < LOOK_UPS; i++) {
		(void)table_find(&kallsyms->table, random_next(source));
	}
	kallsyms_free(kallsyms);
	demangler_release(&names);
}

/** Read a list of mappings, in the form of /proc/PID/maps. */
void fuzz_maps(struct str input, struct random *source) {
	(void)source;
	struct maps maps = {.fd = -1, .text = fuzz_symbols_copy_of(input)};
	struct map map;
	maps.lines.rest = buf_str(&maps.text);
	while (maps_next(&maps, &map)) {
		fuzz_require(map.path.p >= maps.line &&
				     map.path.p + map.path.n < maps.line + sizeof(maps.line),
			     "a path is outside its line", map.path);
	}
	maps_close(&maps);
}
