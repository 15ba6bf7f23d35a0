/* Read the functions of a Go program from its own table, pclntab. */
#include "symbols/gopclntab.h"

/** A version of the table. Each version starts with the magic number, two zeros, the smallest size
 * of an instruction, and the size of a pointer. Then come words, which have the size of a
 * pointer. */
static const struct version {
	uint32_t magic;
	uint8_t names, functions; // index of the word with the offset of the names, and of the word
				  // with the offset of the functions; 0: the offset is 0
	bool relative; // addresses have 4 bytes, and are relative to the start of the code
} versions[] = {
	{0xfffffffb, 0, 0, false}, // Go 1.2
	{0xfffffffa, 2, 6, false}, // Go 1.16
	{0xfffffff0, 3, 7, true},  // Go 1.18
	{0xfffffff1, 3, 7, true},  // Go 1.20
};

enum { PREFIX = 8, TEXT_WORD = 2 };

struct pclntab {
	const struct elf *elf;
	const struct version *version;
	struct str bytes;     // bytes from the start of the table to the end of its section
	uint64_t address;     // address at which the table is linked
	size_t pointer;       // size of a pointer
	uint64_t count, text; // number of functions; start of the code
	struct str functions; // for each function, its address and the offset of its description
	struct str described; // bytes to which the offsets in `functions` are relative
	struct str names;
};

bool gopclntab_is_go(const struct elf *elf) {
	static const struct str marks[] = {STR_INIT(".note.go.buildid"), STR_INIT(".go.buildinfo"),
					   STR_INIT(".gopclntab")};
	bool go = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		go = go || elf_section(elf, marks[i]) != NULL;
	}
	return go;
}

static uint64_t gopclntab_word(const struct pclntab *tab, size_t i) {
	return elf_integer(tab->elf, tab->bytes.p + PREFIX + i * tab->pointer, tab->pointer);
}

/* --- The start of the code ------------------------------------------------------------------ */

/** Indexes of words in the runtime's description of the program. The word 0 points to the table,
 * the word 1 points to the names, and the word 22 is the start of the code. */
enum { MODULE_NAMES = 1, MODULE_TEXT = 22 };

/** Return the section of relocations with addends, or NULL. */
static const struct elf_section *gopclntab_relocations_of(const struct elf *elf) {
	const struct elf_section *section = elf->wide ? elf_section(elf, STR(".rela.dyn")) : NULL;
	return section != NULL && section->type == SHT_RELA ? section : NULL;
}

static uint64_t gopclntab_addend(const struct elf *elf, const struct elf_section *relocations,
				 size_t i) {
	enum { AT = 16 };
	const char *p = elf_data(elf, relocations).p + i * sizeof(Elf64_Rela);
	return elf_integer(elf, p + AT, sizeof(uint64_t));
}

/** Return the pointer at an address. In a position-independent program, the pointer is in a
 * relocation. */
static uint64_t gopclntab_pointer_at(const struct pclntab *tab, uint64_t address) {
	const struct elf_section *relocations = gopclntab_relocations_of(tab->elf);
	struct str bytes = elf_bytes_at(tab->elf, address, tab->pointer);
	uint64_t value = bytes.n < tab->pointer ? 0 : elf_integer(tab->elf, bytes.p, tab->pointer);
	size_t n = value != 0 ? 0 : elf_relocation_count(tab->elf, relocations);
	for (size_t i = 0; i < n; i++) {
		if (elf_relocation(tab->elf, relocations, i).offset == address) {
			return gopclntab_addend(tab->elf, relocations, i);
		}
	}
	return value;
}

/** If the program's description is at the address `module`, return the start of the code. Otherwise
 * return 0. */
static uint64_t gopclntab_text_of_module(const struct pclntab *tab, uint64_t module) {
	uint64_t names = tab->address + gopclntab_word(tab, tab->version->names);
	return gopclntab_pointer_at(tab, module + MODULE_NAMES * tab->pointer) == names
		       ? gopclntab_pointer_at(tab, module + MODULE_TEXT * tab->pointer)
		       : 0;
}

enum { MOST_TRIES = 16 }; // largest number of candidates for the program's description to check

static uint64_t gopclntab_text_by_relocation(const struct pclntab *tab) {
	const struct elf_section *relocations = gopclntab_relocations_of(tab->elf);
	size_t n = elf_relocation_count(tab->elf, relocations);
	uint64_t text = 0;
	for (size_t i = 0, tries = 0; i < n && tries < MOST_TRIES && text == 0; i++) {
		if (gopclntab_addend(tab->elf, relocations, i) == tab->address) {
			text = gopclntab_text_of_module(
				tab, elf_relocation(tab->elf, relocations, i).offset);
			tries++;
		}
	}
	return text;
}

/** Search a section for a pointer to the table, with which the program's description starts. Return
 * the start of the code, or 0. */
static uint64_t gopclntab_text_by_pointer(const struct pclntab *tab,
					  const struct elf_section *section) {
	struct str data = elf_data(tab->elf, section);
	uint64_t text = 0;
	for (size_t at = 0, tries = 0;
	     at + tab->pointer <= data.n && tries < MOST_TRIES && text == 0; at += tab->pointer) {
		if (elf_integer(tab->elf, data.p + at, tab->pointer) == tab->address) {
			text = gopclntab_text_of_module(tab, section->address + at);
			tries++;
		}
	}
	return text;
}

/** Return the start of the code that Go compiled. In a program with C code, the C code may come
 * first. */
static uint64_t gopclntab_find_text(const struct pclntab *tab) {
	const struct elf *elf = tab->elf;
	const struct elf_section *code = elf_section(elf, STR(".text"));
	uint64_t text = gopclntab_pointer_at(tab, tab->address + PREFIX + TEXT_WORD * tab->pointer);
	text = text != 0 ? text : gopclntab_text_by_relocation(tab);
	for (size_t i = 1; i < elf->section_count && text == 0; i++) {
		const struct elf_section *section = &elf->sections[i];
		bool is_data =
			(section->flags & SHF_WRITE) != 0 && (section->flags & SHF_ALLOC) != 0;
		text = is_data ? gopclntab_text_by_pointer(tab, section) : 0;
	}
	return text != 0 || code == NULL ? text : code->address;
}

/* --- The table ------------------------------------------------------------------------------ */

/** Return the bytes from the offset that a word of the table contains. If the offset is outside of
 * the table, return no bytes. */
static struct str gopclntab_part(const struct pclntab *tab, size_t in_word) {
	uint64_t at = in_word == 0 ? 0 : gopclntab_word(tab, in_word);
	return at < tab->bytes.n ? str_from(tab->bytes, (size_t)at) : (struct str){"", 0};
}

static size_t gopclntab_address_size(const struct pclntab *tab) {
	return tab->version->relative ? 4 : tab->pointer;
}

/** Cut the table of names after its last NUL, so that every name has an end. */
static struct str gopclntab_cut_names(struct str names) {
	while (names.n > 0 && names.p[names.n - 1] != '\0') {
		names.n--;
	}
	return names;
}

/** Read the start of a table. Return false if there is no table. */
static bool gopclntab_read_start(struct pclntab *tab) {
	enum { QUANTUM_AT = 6, POINTER_AT = 7, WORDS = 8 };
	const struct elf *elf = tab->elf;
	const char *p = tab->bytes.p;
	tab->pointer = elf->wide ? 8 : 4;
	if (tab->bytes.n < PREFIX + WORDS * tab->pointer || p[4] != 0 || p[5] != 0 ||
	    memchr("\1\2\4", p[QUANTUM_AT], 3) == NULL || (size_t)p[POINTER_AT] != tab->pointer) {
		return false;
	}
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (elf_integer(elf, p, 4) == versions[i].magic) {
			tab->version = &versions[i];
		}
	}
	if (tab->version == NULL) {
		return false;
	}
	tab->count = gopclntab_word(tab, 0);
	tab->names = gopclntab_cut_names(gopclntab_part(tab, tab->version->names));
	tab->described = gopclntab_part(tab, tab->version->functions);
	size_t head = tab->version->functions == 0 ? PREFIX + tab->pointer : 0;
	tab->functions = str_from(tab->described, head < tab->described.n ? head : 0);
	// The table has one more address: the end of the last function.
	uint64_t fits = tab->functions.n / (2 * gopclntab_address_size(tab));
	return tab->count > 0 && tab->count < fits;
}

/** Search for the table in a section that may have other contents, too. */
static bool gopclntab_search(struct pclntab *tab, const struct elf_section *section) {
	struct str data = elf_data(tab->elf, section);
	enum { ALIGNED = 8 };
	for (size_t at = 0; at + PREFIX < data.n; at += ALIGNED) {
		tab->bytes = str_from(data, at);
		tab->address = section->address + at;
		if (gopclntab_read_start(tab)) {
			return true;
		}
	}
	return false;
}

/** Find the table. The table is in a section of its own, or in a section into which a linker has
 * merged it. */
static bool gopclntab_find(struct pclntab *tab) {
	static const struct str names[] = {STR_INIT(".gopclntab"),
					   STR_INIT(".data.rel.ro.gopclntab"),
					   STR_INIT(".data.rel.ro"), STR_INIT(".rodata")};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct elf_section *section = elf_section(tab->elf, names[i]);
		if (section != NULL && gopclntab_search(tab, section)) {
			return true;
		}
	}
	return false;
}

/** Return the address of a function. For the index after the last function, return the end of the
 * last function. */
static uint64_t gopclntab_start_of(const struct pclntab *tab, uint64_t i) {
	size_t size = gopclntab_address_size(tab);
	uint64_t value = elf_integer(tab->elf, tab->functions.p + i * 2 * size, size);
	return tab->version->relative ? tab->text + value : value;
}

/** Return the name of a function. Return NULL if the name is not in the table, or is longer than
 * any real name. */
static const char *gopclntab_name_of(const struct pclntab *tab, uint64_t i) {
	enum { OFFSET = 4, LONGEST = 4096 };
	size_t size = gopclntab_address_size(tab);
	uint64_t at = elf_integer(tab->elf, tab->functions.p + (i * 2 + 1) * size, size);
	if (tab->described.n < size + OFFSET || at > tab->described.n - size - OFFSET) {
		return NULL;
	}
	uint64_t name = elf_integer(tab->elf, tab->described.p + at + size, OFFSET);
	if (name >= tab->names.n || tab->names.p[name] == '\0') {
		return NULL;
	}
	struct str rest = str_from(tab->names, (size_t)name);
	size_t most = rest.n < LONGEST ? rest.n : LONGEST;
	return memchr(rest.p, '\0', most) != NULL ? rest.p : NULL;
}

/** Return a name in the form of symbol tables. In generated names, Go writes a middle dot; symbol
 * tables have a full stop instead. Copies of names take at most `*room` bytes. If a copy would take
 * more, return the name unchanged. */
static const char *gopclntab_as_symbol(const char *name, struct arena *arena, size_t *room) {
	static const char dot[] = "\xc2\xb7";
	const char *found = strstr(name, dot);
	size_t size = found == NULL ? 0 : strlen(name) + 1;
	if (found == NULL || size > *room) {
		return name;
	}
	*room -= size;
	char *copy = arena_copy(arena, name, size), *to = copy + (found - name);
	for (const char *from = found; *from != '\0';) {
		bool is_dot = strncmp(from, dot, 2) == 0;
		*to++ = is_dot ? '.' : *from;
		from += is_dot ? 2 : 1;
	}
	*to = '\0';
	return copy;
}

void gopclntab_add(const struct elf *elf, struct arena *arena, struct table *table) {
	struct pclntab tab = {.elf = elf};
	if (!gopclntab_is_go(elf) || !gopclntab_find(&tab)) {
		return;
	}
	tab.text = tab.version->relative ? gopclntab_find_text(&tab) : 0;
	size_t room = tab.names.n;
	for (uint64_t i = 0; i < tab.count; i++) {
		uint64_t start = gopclntab_start_of(&tab, i), end = gopclntab_start_of(&tab, i + 1);
		const char *name = gopclntab_name_of(&tab, i);
		if (name != NULL && start < end) {
			table_add(table, (struct table_entry){
						 .start = start,
						 .end = end,
						 .name = gopclntab_as_symbol(name, arena, &room),
						 .rank = TABLE_LOCAL});
		}
	}
}
