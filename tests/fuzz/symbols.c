/*
 * Feeds broken object files, maps and dumps to the symbols room. Built once for each target,
 * FUZZ_TARGET being its function:
 *
 *     fuzz-symbols-TARGET FILE...                        tries every file
 *     fuzz-symbols-TARGET --mutate N [--seed S] FILE...  tries N mutations of them
 *
 * With -DFUZZ_LIBFUZZER it has no main() and is what libFuzzer wants. A finding ends the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/num.h"
#include "symbols/cfi.h"
#include "symbols/elf_symbols.h"
#include "symbols/object.h"

#include "../random.h"

static struct random source;

static struct buf copy_of(struct str input) {
	struct buf copy = {0};
	buf_add_str(&copy, input);
	return copy;
}

/* --- Targets -------------------------------------------------------------------------------- */

enum { LOOK_UPS = 200 };

/** Symbol tables, stubs, notes. */
static __attribute__((unused)) void fuzz_elf(struct str input) {
	struct buf copy = copy_of(input);
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
	elf_add_stubs(elf, &arena, &table);
	table_finish(&table, &names);
	for (size_t i = 0; i < LOOK_UPS && table.n > 0; i++) {
		uint64_t address = table.entries[random_below(&source, table.n)].start +
				   random_below(&source, 64);
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

static struct object *find(void *context, uint64_t address, uint64_t *file_address) {
	const struct world *world = context;
	*file_address = address - BASE;
	return address >= BASE && address - BASE < world->size ? world->object : NULL;
}

static void unwind_random(struct unwinder *unwinder, struct world *world) {
	enum { WORDS = 64, MOST = 100 };
	uint64_t words[WORDS], addresses[MOST], stack_base = UINT64_C(1) << 40;
	struct unwind_stack stack = {.known = 0x1ffff, .find = find, .context = world};
	for (size_t i = 0; i < WORDS; i++) {
		words[i] = random_below(&source, 2) == 0
				   ? stack_base + 8 * random_below(&source, WORDS + 4)
				   : BASE + random_below(&source, world->size);
	}
	for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
		stack.registers[i] = words[random_below(&source, WORDS)];
	}
	stack.registers[UNWIND_RSP] = stack_base;
	stack.registers[UNWIND_RIP] = BASE + random_below(&source, world->size);
	stack.bytes = (struct str){(const char *)words, sizeof(words)};
	enum unwind_end end;
	size_t n = unwind_x86_64(unwinder, &stack, addresses, MOST, &end);
	if (n == 0 || n > MOST) {
		abort();
	}
}

/** Make a file of the input, and return its path. */
static void write_input(struct str input, char *path, size_t size, int *fd) {
	*fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, input.p, input.n) != (ptrdiff_t)input.n) {
		abort();
	}
	snprintf(path, size, "/proc/self/fd/%d", *fd);
}

/** Unwinding through a file's call frame information, and all of it row by row. */
static __attribute__((unused)) void fuzz_unwind(struct str input) {
	char path[64];
	int fd;
	if (input.n == 0) {
		return;
	}
	write_input(input, path, sizeof(path), &fd);
	struct diag diag = {0};
	struct symbols_options options = {.no_inline = true, .cache = STR("/nonexistent")};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file wanted = {.kind = OBJECT_ELF, .path = str_of(path)};
	struct world world = {symbols_object(symbols, &wanted), input.n};
	struct unwinder *unwinder = unwinder_new(symbols);
	for (size_t i = 0; i < LOOK_UPS; i++) {
		unwind_random(unwinder, &world);
	}
	unwinder_free(unwinder);
	symbols_free(symbols);
	close(fd);
}

/** Names, inlined functions and lines of a whole object. The debug information itself is libdw's to
 * read. */
static __attribute__((unused)) void fuzz_inlines(struct str input) {
	char path[64];
	int fd;
	write_input(input, path, sizeof(path), &fd);
	struct diag diag = {0};
	struct symbols_options options = {.srcline = true, .cache = STR("/nonexistent")};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file wanted = {.kind = OBJECT_ELF, .path = str_of(path)};
	struct object *object = symbols_object(symbols, &wanted);
	const struct symbol *frames;
	for (size_t i = 0; i < LOOK_UPS; i++) {
		(void)symbols_at(symbols, object, random_below(&source, input.n), i % 2 == 0,
				 &frames);
	}
	symbols_free(symbols);
	close(fd);
}

static __attribute__((unused)) void fuzz_map(struct str input) {
	struct buf copy = copy_of(input);
	struct perf_map map = {0};
	perf_map_take(&map, &copy);
	for (size_t i = 0; i < map.range_count; i++) {
		const struct perf_map_range *range = &map.ranges[i];
		struct str name;
		uint64_t start;
		if (range->start >= range->end || (i > 0 && range[-1].end > range->start) ||
		    !perf_map_find(&map, range->start, &name, &start) || start > range->start) {
			abort();
		}
	}
	perf_map_release(&map);
}

static __attribute__((unused)) void fuzz_jitdump(struct str input) {
	struct buf copy = copy_of(input);
	struct jitdump dump = {0};
	if (jitdump_take(&dump, &copy)) {
		for (size_t i = 0; i < dump.n && i < LOOK_UPS; i++) {
			const struct jitdump_code *code =
				&dump.codes[random_below(&source, dump.n)];
			struct jitdump_line line;
			uint64_t address = code->start + random_below(&source, 100);
			(void)jitdump_find(&dump, address, random_next(&source));
			(void)jitdump_find_line(&dump, code, address, &line);
		}
	}
	buf_release(&copy);
	jitdump_release(&dump);
}

static __attribute__((unused)) void fuzz_kallsyms(struct str input) {
	struct buf copy = copy_of(input);
	struct demangler names = {0};
	struct kallsyms *kallsyms = kallsyms_take(&copy, &names);
	(void)kallsyms_group(kallsyms, STR("module"));
	for (size_t i = 0; i < LOOK_UPS; i++) {
		(void)table_find(&kallsyms->table, random_next(&source));
	}
	kallsyms_free(kallsyms);
	demangler_release(&names);
}

/* --- Driving -------------------------------------------------------------------------------- */

static void try(struct str input) {
	source.state = input.n;
	FUZZ_TARGET(input);
}

#ifdef FUZZ_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
	try((struct str){(const char *)bytes, size});
	return 0;
}
#else
/** Change a few bytes, numbers at the edges above all, cut off the end, or swap parts. */
static void mutate(struct buf *input) {
	static const uint64_t edges[] = {0,    1,          0x7f,       0x80,
					 0xff, 0x7fffffff, 0xffffffff, UINT64_MAX};
	for (size_t changes = 1 + random_below(&source, 12); changes > 0 && input->n > 8;
	     changes--) {
		size_t at = random_below(&source, input->n - 8);
		switch (random_below(&source, 6)) {
		case 0:
			input->p[at] = (char)random_next(&source);
			break;
		case 1:
			input->p[at] = (char)(input->p[at] ^ 1 << random_below(&source, 8));
			break;
		case 2:
			memcpy(input->p + at, &edges[random_below(&source, 8)],
			       (size_t)1 << random_below(&source, 4));
			break;
		case 3: { // mostly in the headers
			size_t head = at % 4096 % (input->n - 8);
			memcpy(input->p + head, &edges[random_below(&source, 8)],
			       (size_t)1 << random_below(&source, 4));
			break;
		}
		case 4:
			memmove(input->p + at, input->p + random_below(&source, input->n - 8), 8);
			break;
		default:
			input->n -= random_below(&source, 20) == 0 ? random_below(&source, input->n)
								   : 0;
		}
	}
}

int main(int argc, char **argv) {
	uint64_t rounds = 0, seed = 1;
	struct diag diag = {0};
	for (int i = 1; i < argc; i++) {
		bool number = i + 1 < argc;
		if (number && strcmp(argv[i], "--mutate") == 0) {
			(void)num_parse_u64(str_of(argv[++i]), &rounds);
			continue;
		}
		if (number && strcmp(argv[i], "--seed") == 0) {
			(void)num_parse_u64(str_of(argv[++i]), &seed);
			continue;
		}
		FILE *file = fopen(argv[i], "rbe");
		struct buf bytes = {0};
		size_t n = 1;
		while (file != NULL && n > 0) {
			n = fread(buf_room(&bytes, 1 << 16), 1, 1 << 16, file);
			bytes.n += n;
		}
		if (file == NULL) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		fclose(file);
		for (uint64_t round = 0; round <= rounds; round++) {
			struct buf input = copy_of(buf_str(&bytes));
			source.state = seed * 1000003 + round;
			if (rounds > 0) {
				mutate(&input);
			}
			try(buf_str(&input));
			buf_release(&input);
		}
		buf_release(&bytes);
	}
	diag_release(&diag);
	return 0;
}
#endif
