/* Read symbol tables and PLT stubs of ELF files. */
#include "symbols/elf_symbols.h"

/** Return whether a symbol is a label: it has no type, is not hidden, and is in a section with code
 * or data. */
static bool elf_symbols_is_label(const struct elf *elf, const struct elf_symbol *symbol) {
	struct str section = elf->sections[symbol->section].name;
	return symbol->type == STT_NOTYPE && symbol->visibility != STV_HIDDEN &&
	       symbol->visibility != STV_INTERNAL &&
	       (str_has(section, STR("text")) || str_has(section, STR("data")));
}

/** Return whether a name only marks a boundary between code and data. */
static bool elf_symbols_is_mapping_mark(const struct elf *elf, const char *name) {
	bool marks =
		elf->machine == EM_ARM || elf->machine == EM_AARCH64 || elf->machine == EM_RISCV;
	return marks && name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) != NULL &&
	       (name[2] == '\0' || name[2] == '.');
}

static bool elf_symbols_is_wanted(const struct elf *elf, const struct elf_symbol *symbol) {
	if (symbol->section == SHN_UNDEF || symbol->section >= elf->section_count) {
		return false;
	}
	return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC ||
	       symbol->type == STT_OBJECT || elf_symbols_is_label(elf, symbol);
}

static uint8_t elf_symbols_rank_of(const struct elf_symbol *symbol) {
	return symbol->binding == STB_WEAK     ? TABLE_WEAK
	       : symbol->binding == STB_GLOBAL ? TABLE_GLOBAL
					       : TABLE_LOCAL;
}

/** Return the address of a symbol's code. In the file, the address of a Thumb function is odd. */
static uint64_t elf_symbols_code_address(const struct elf *elf, const struct elf_symbol *symbol) {
	bool thumb = elf->machine == EM_ARM && symbol->type == STT_FUNC;
	return thumb ? symbol->value & ~(uint64_t)1 : symbol->value;
}

/** Subtract the length of a name from `*room`, the budget for all names of a table. Return false if
 * the budget is too small. Without a budget, many symbols with one long name could need thousands
 * of times the size of the file. */
static bool elf_symbols_take_name(const char *name, size_t *room) {
	enum { LONGEST = 64 << 10 };
	size_t n = strnlen(name, LONGEST);
	bool fits = n < LONGEST && n <= *room;
	*room -= fits ? n : 0;
	return fits;
}

/** Return the budget for all names of a table, in bytes. The budget is several times the size of
 * the names in the file. Each symbol adds some bytes to it, because many symbols may share a short
 * name. */
static size_t elf_symbols_name_room(struct str names, size_t n) {
	enum { TIMES = 4, EACH = 64 };
	return TIMES * names.n + EACH * n;
}

void elf_add_symbols(const struct elf *elf, const struct elf_section *section, uint64_t wanted,
		     uint64_t base, struct table *table) {
	if (section == NULL || section->link >= elf->section_count) {
		return;
	}
	struct str data = elf_data(elf, section);
	struct str names = elf_data(elf, &elf->sections[section->link]);
	size_t n = elf_symbol_count(elf, section);
	if (names.n == 0 || names.p[names.n - 1] != '\0') {
		return; // the last name may lack its NUL
	}
	size_t room = elf_symbols_name_room(names, n);
	for (size_t i = 1; i < n; i++) {
		struct elf_symbol symbol = elf_symbol(elf, data, i);
		if (symbol.name == 0 || symbol.name >= names.n ||
		    !elf_symbols_is_wanted(elf, &symbol) ||
		    (wanted != 0 && symbol.section != wanted)) {
			continue;
		}
		const char *name = names.p + symbol.name;
		uint64_t start = base + elf_symbols_code_address(elf, &symbol);
		uint64_t end = start + symbol.size < start ? UINT64_MAX : start + symbol.size;
		if (name[0] != '\0' && !elf_symbols_is_mapping_mark(elf, name) &&
		    elf_symbols_take_name(name, &room)) {
			table_add(table,
				  (struct table_entry){.start = start,
						       .end = end,
						       .name = name,
						       .rank = elf_symbols_rank_of(&symbol)});
		}
	}
}

/* --- Starts of functions --------------------------------------------------------------------- */

enum { HEAD_SIZE = 12, HEAD_COUNT_AT = 8, PAIR_SIZE = 8 };

struct elf_starts elf_starts(const struct elf *elf) {
	// the usual header: version 1, with counts and addresses of four bytes
	static const char usual[] = {1, 0x1b, 0x03, 0x3b};
	const struct elf_section *section = elf_section(elf, STR(".eh_frame_hdr"));
	struct str bytes = elf_data(elf, section);
	if (bytes.n < HEAD_SIZE || memcmp(bytes.p, usual, sizeof(usual)) != 0) {
		return (struct elf_starts){.elf = elf};
	}
	uint64_t n = elf_integer(elf, bytes.p + HEAD_COUNT_AT, 4);
	uint64_t fits = (bytes.n - HEAD_SIZE) / PAIR_SIZE;
	return (struct elf_starts){elf, str_from(bytes, HEAD_SIZE), section->address,
				   (size_t)(n < fits ? n : fits)};
}

uint64_t elf_start(const struct elf_starts *starts, size_t i) {
	uint64_t offset = elf_integer(starts->elf, starts->pairs.p + i * PAIR_SIZE, 4);
	return starts->base + (uint64_t)(int32_t)(uint32_t)offset;
}

void elf_end_symbols(const struct elf *elf, struct table *table) {
	const struct elf_starts starts = elf_starts(elf);
	for (size_t i = 0; i < table->n; i++) {
		struct table_entry *entry = &table->entries[i];
		size_t low = 0, high = entry->end == entry->start ? starts.n : 0;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (elf_start(&starts, middle) <= entry->start) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		if (entry->end == entry->start && low < starts.n) {
			entry->end = elf_start(&starts, low);
		}
	}
}

/* --- Stubs ---------------------------------------------------------------------------------- */

/** The context in which stubs get names. */
struct stubs {
	const struct elf *elf;
	const struct elf_section *relocations; // .rela.plt or .rela.dyn
	struct str symbols, names;
	struct arena *arena;
	struct table *table;
	size_t *room; // number of bytes that further names may have
};

/** Return the name of the symbol to which a relocation refers, or an empty text. */
static struct str elf_symbols_relocated_name(const struct stubs *stubs, size_t i) {
	size_t size = stubs->elf->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint32_t index = elf_relocation(stubs->elf, stubs->relocations, i).symbol;
	if (index == 0 || index >= stubs->symbols.n / size) {
		return (struct str){"", 0};
	}
	return elf_text(stubs->names, elf_symbol(stubs->elf, stubs->symbols, index).name);
}

/** Name a stub. The relocation of an indirect function has no symbol: name its stub `@plt`, as perf
 * does. */
static void elf_symbols_add_stub(const struct stubs *stubs, uint64_t address, uint64_t size,
				 size_t relocation) {
	struct str name = elf_symbols_relocated_name(stubs, relocation);
	if (name.n > *stubs->room) {
		return;
	}
	*stubs->room -= name.n;
	char *text = arena_take(stubs->arena, name.n + sizeof("@plt"));
	memcpy(text, name.p, name.n);
	memcpy(text + name.n, "@plt", sizeof("@plt"));
	table_add(stubs->table, (struct table_entry){.start = address,
						     .end = address + size,
						     .name = text,
						     .rank = TABLE_GLOBAL});
}

/** Find the memory cell from which a stub of x86_64 takes its target: `jmp *cell(%rip)`. */
static bool elf_symbols_jump_cell(struct str code, uint64_t address, uint64_t *cell) {
	enum { JUMP = 6 };
	for (size_t i = 0; i + JUMP <= code.n; i++) {
		if (code.p[i] == '\xff' && code.p[i + 1] == '\x25') {
			int32_t distance = (int32_t)load_u32(code.p + i + 2);
			*cell = address + i + JUMP + (uint64_t)(int64_t)distance;
			return true;
		}
	}
	return false;
}

struct cell {
	uint64_t address;
	size_t relocation;
};

static int elf_symbols_compare_cells(const void *a, const void *b) {
	const struct cell *left = a, *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

static struct cell *elf_symbols_sorted_cells(const struct stubs *stubs, size_t n) {
	struct cell *cells = mem_new(n + 1, sizeof(*cells));
	for (size_t i = 0; i < n; i++) {
		cells[i] =
			(struct cell){elf_relocation(stubs->elf, stubs->relocations, i).offset, i};
	}
	qsort(cells, n, sizeof(*cells), elf_symbols_compare_cells);
	return cells;
}

/** Name the stubs in a section of x86_64. The cell of a stub gives its relocation. */
static void elf_symbols_add_by_cell(const struct stubs *stubs, const struct elf_section *section,
				    uint64_t size) {
	size_t n = elf_relocation_count(stubs->elf, stubs->relocations);
	struct str code = elf_data(stubs->elf, section);
	struct cell *cells = elf_symbols_sorted_cells(stubs, n);
	for (size_t at = 0; at + size <= code.n; at += (size_t)size) {
		struct cell wanted = {0, 0};
		uint64_t address = section->address + at;
		if (elf_symbols_jump_cell((struct str){code.p + at, (size_t)size}, address,
					  &wanted.address)) {
			const struct cell *cell = bsearch(&wanted, cells, n, sizeof(*cells),
							  elf_symbols_compare_cells);
			if (cell != NULL) {
				elf_symbols_add_stub(stubs, address, size, cell->relocation);
			}
		}
	}
	free(cells);
}

/** Name the stubs of other processors. The order of the stubs is the order of the relocations. */
static void elf_symbols_add_in_order(const struct stubs *stubs, const struct elf_section *section) {
	uint16_t machine = stubs->elf->machine;
	uint64_t header = machine == EM_AARCH64 || machine == EM_RISCV ? 32
			  : machine == EM_ARM                          ? 20
								       : 16;
	uint64_t size = machine == EM_ARM ? 12 : 16;
	size_t n = elf_relocation_count(stubs->elf, stubs->relocations);
	for (size_t i = 0; i < n && header + (i + 1) * size <= section->size; i++) {
		elf_symbols_add_stub(stubs, section->address + header + i * size, size, i);
	}
}

static const struct elf_section *elf_symbols_first_of(const struct elf *elf, struct str a,
						      struct str b) {
	const struct elf_section *section = elf_section(elf, a);
	return section != NULL ? section : elf_section(elf, b);
}

void elf_add_stubs(const struct elf *elf, struct arena *arena, struct table *table) {
	const struct elf_section *dynamic = elf_section_of_type(elf, SHT_DYNSYM);
	const struct elf_section *plt = elf_section(elf, STR(".plt"));
	if (dynamic == NULL || dynamic->link >= elf->section_count) {
		return;
	}
	size_t room = 0;
	struct stubs stubs = {.elf = elf,
			      .room = &room,
			      .relocations =
				      elf_symbols_first_of(elf, STR(".rela.plt"), STR(".rel.plt")),
			      .symbols = elf_data(elf, dynamic),
			      .names = elf_data(elf, &elf->sections[dynamic->link]),
			      .arena = arena,
			      .table = table};
	room = elf_symbols_name_room(stubs.names, elf_symbol_count(elf, dynamic));
	if (elf->machine != EM_X86_64) {
		if (stubs.relocations != NULL && plt != NULL) {
			elf_symbols_add_in_order(&stubs, plt);
		}
		return;
	}
	enum { STUB = 16, SHORT_STUB = 8 };
	const struct elf_section *second = elf_section(elf, STR(".plt.sec"));
	if (stubs.relocations != NULL && (second != NULL || plt != NULL)) {
		elf_symbols_add_by_cell(&stubs, second != NULL ? second : plt, STUB);
	}
	stubs.relocations = elf_section(elf, STR(".rela.dyn"));
	const struct elf_section *rest = elf_section(elf, STR(".plt.got"));
	if (stubs.relocations != NULL && rest != NULL) {
		elf_symbols_add_by_cell(&stubs, rest, rest->entry_size == STUB ? STUB : SHORT_STUB);
	}
}
