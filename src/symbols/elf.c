/* Read ELF headers and tables. */
#include "symbols/elf.h"

#include <stdlib.h>

#include "base/mem.h"
#include "symbols/contents.h"

static uint64_t elf_swap(uint64_t value, size_t size) {
	return __builtin_bswap64(value) >> (64 - 8 * size);
}

uint64_t elf_integer(const struct elf *elf, const char *p, size_t size) {
	uint64_t value = 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy((char *)&value + sizeof(value) - size, p, size);
#else
	memcpy(&value, p, size);
#endif
	return elf->swapped ? elf_swap(value, size) : value;
}

/** Return a range of the file as a slice. If a part of the range is outside of the file, return an
 * empty slice. */
static struct str elf_slice(const struct elf *elf, uint64_t offset, uint64_t size) {
	struct str bytes = elf->bytes;
	if (offset > bytes.n || size > bytes.n - offset) {
		return (struct str){"", 0};
	}
	if (elf->contents != NULL) {
		contents_want(elf->contents, offset, size);
	}
	return (struct str){bytes.p + offset, (size_t)size};
}

/** Read the field `name` of a struct that has two forms, Elf32 and Elf64. */
#define FIELD(elf, p, form, name)                                             \
	((elf)->wide ? elf_integer((elf), (p) + offsetof(Elf64_##form, name), \
				   sizeof(((Elf64_##form *)NULL)->name))      \
		     : elf_integer((elf), (p) + offsetof(Elf32_##form, name), \
				   sizeof(((Elf32_##form *)NULL)->name)))
#define SIZE(elf, form) ((elf)->wide ? sizeof(Elf64_##form) : sizeof(Elf32_##form))

static struct elf_section elf_read_section(const struct elf *elf, const char *p) {
	return (struct elf_section){
		.name = {"", (size_t)FIELD(elf, p, Shdr, sh_name)},
		.type = (uint32_t)FIELD(elf, p, Shdr, sh_type),
		.link = (uint32_t)FIELD(elf, p, Shdr, sh_link),
		.info = (uint32_t)FIELD(elf, p, Shdr, sh_info),
		.flags = FIELD(elf, p, Shdr, sh_flags),
		.address = FIELD(elf, p, Shdr, sh_addr),
		.offset = FIELD(elf, p, Shdr, sh_offset),
		.size = FIELD(elf, p, Shdr, sh_size),
		.entry_size = FIELD(elf, p, Shdr, sh_entsize),
	};
}

static struct elf_segment elf_read_segment(const struct elf *elf, const char *p) {
	return (struct elf_segment){
		.type = (uint32_t)FIELD(elf, p, Phdr, p_type),
		.flags = (uint32_t)FIELD(elf, p, Phdr, p_flags),
		.offset = FIELD(elf, p, Phdr, p_offset),
		.address = FIELD(elf, p, Phdr, p_vaddr),
		.file_size = FIELD(elf, p, Phdr, p_filesz),
		.memory_size = FIELD(elf, p, Phdr, p_memsz),
	};
}

/** Return the string table with the names of sections. */
static struct str elf_section_names(const struct elf *elf, uint64_t index) {
	if (index == SHN_XINDEX && elf->section_count > 0) {
		index = elf->sections[0].link;
	}
	return index < elf->section_count ? elf_data(elf, &elf->sections[index])
					  : (struct str){"", 0};
}

static void elf_read_sections(struct elf *elf, const char *header) {
	uint64_t offset = FIELD(elf, header, Ehdr, e_shoff);
	uint64_t count = FIELD(elf, header, Ehdr, e_shnum);
	size_t size = SIZE(elf, Shdr);
	if (offset == 0 || FIELD(elf, header, Ehdr, e_shentsize) != size) {
		return;
	}
	struct str first = elf_slice(elf, offset, size);
	if (count == 0 && first.n > 0) { // the count of sections does not fit into the header's
					 // field
		count = elf_read_section(elf, first.p).size;
	}
	struct str table = count > elf->bytes.n / size ? (struct str){"", 0}
						       : elf_slice(elf, offset, count * size);
	elf->section_count = table.n / size;
	elf->sections = mem_new(elf->section_count + 1, sizeof(*elf->sections));
	for (size_t i = 0; i < elf->section_count; i++) {
		elf->sections[i] = elf_read_section(elf, table.p + i * size);
	}
	struct str names = elf_section_names(elf, FIELD(elf, header, Ehdr, e_shstrndx));
	for (size_t i = 0; i < elf->section_count; i++) {
		elf->sections[i].name = elf_text(names, elf->sections[i].name.n);
	}
}

static void elf_read_segments(struct elf *elf, const char *header) {
	uint64_t offset = FIELD(elf, header, Ehdr, e_phoff);
	uint64_t count = FIELD(elf, header, Ehdr, e_phnum);
	size_t size = SIZE(elf, Phdr);
	if (count == PN_XNUM && elf->section_count > 0) {
		count = elf->sections[0].info;
	}
	if (offset == 0 || FIELD(elf, header, Ehdr, e_phentsize) != size ||
	    count > elf->bytes.n / size) {
		return;
	}
	struct str table = elf_slice(elf, offset, count * size);
	elf->segment_count = table.n / size;
	elf->segments = mem_new(elf->segment_count + 1, sizeof(*elf->segments));
	for (size_t i = 0; i < elf->segment_count; i++) {
		elf->segments[i] = elf_read_segment(elf, table.p + i * size);
	}
}

static bool elf_read_headers(struct elf *elf) {
	struct str bytes = elf->bytes;
	if (bytes.n < EI_NIDENT || memcmp(bytes.p, ELFMAG, SELFMAG) != 0) {
		return false;
	}
	enum { HERE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB };
	elf->wide = bytes.p[EI_CLASS] == ELFCLASS64;
	elf->swapped = bytes.p[EI_DATA] != HERE;
	if (bytes.n < SIZE(elf, Ehdr)) {
		return false;
	}
	elf->type = (uint16_t)FIELD(elf, bytes.p, Ehdr, e_type);
	elf->machine = (uint16_t)FIELD(elf, bytes.p, Ehdr, e_machine);
	elf->entry = FIELD(elf, bytes.p, Ehdr, e_entry);
	elf_read_sections(elf, bytes.p);
	elf_read_segments(elf, bytes.p);
	return true;
}

bool elf_init(struct elf *elf, struct str bytes) {
	*elf = (struct elf){.bytes = bytes};
	return elf_read_headers(elf);
}

bool elf_init_file(struct elf *elf, struct contents *contents) {
	*elf = (struct elf){.bytes = contents_bytes(contents), .contents = contents};
	(void)elf_slice(elf, 0,
			elf->bytes.n < sizeof(Elf64_Ehdr) ? elf->bytes.n : sizeof(Elf64_Ehdr));
	return elf_read_headers(elf);
}

void elf_release(struct elf *elf) {
	free(elf->sections);
	free(elf->segments);
	*elf = (struct elf){0};
}

const struct elf_section *elf_section(const struct elf *elf, struct str name) {
	for (size_t i = 1; i < elf->section_count; i++) {
		if (str_eq(elf->sections[i].name, name)) {
			return &elf->sections[i];
		}
	}
	return NULL;
}

const struct elf_section *elf_section_of_type(const struct elf *elf, uint32_t type) {
	for (size_t i = 1; i < elf->section_count; i++) {
		if (elf->sections[i].type == type) {
			return &elf->sections[i];
		}
	}
	return NULL;
}

struct str elf_data(const struct elf *elf, const struct elf_section *section) {
	if (section == NULL || section->type == SHT_NOBITS ||
	    (section->flags & SHF_COMPRESSED) != 0) {
		return (struct str){"", 0};
	}
	return elf_slice(elf, section->offset, section->size);
}

struct str elf_raw(const struct elf *elf, const struct elf_section *section) {
	uint64_t all = elf->bytes.n;
	uint64_t offset = section->offset < all ? section->offset : all;
	return elf_slice(elf, offset, section->size < all - offset ? section->size : all - offset);
}

/** Return the loaded segment that contains the file offset. If two segments contain the offset,
 * return the segment with code. */
static const struct elf_segment *elf_segment_of_offset(const struct elf *elf, uint64_t offset) {
	const struct elf_segment *found = NULL;
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		if (segment->type == PT_LOAD && offset >= segment->offset &&
		    offset - segment->offset < segment->file_size &&
		    (found == NULL || (segment->flags & PF_X) != 0)) {
			found = segment;
		}
	}
	return found;
}

bool elf_address(const struct elf *elf, uint64_t offset, uint64_t *address) {
	const struct elf_segment *segment = elf_segment_of_offset(elf, offset);
	if (segment == NULL) {
		return false;
	}
	*address = offset - segment->offset + segment->address;
	return true;
}

bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset) {
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		if (segment->type == PT_LOAD && address >= segment->address &&
		    address - segment->address < segment->file_size) {
			*offset = address - segment->address + segment->offset;
			return true;
		}
	}
	return false;
}

struct str elf_bytes_at(const struct elf *elf, uint64_t address, uint64_t most) {
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		uint64_t in = address - segment->address;
		if (segment->type != PT_LOAD || address < segment->address ||
		    in >= segment->file_size || segment->offset > elf->bytes.n) {
			continue;
		}
		uint64_t there = elf->bytes.n - segment->offset;
		uint64_t size = segment->file_size < there ? segment->file_size : there;
		if (in < size) {
			return elf_slice(elf, segment->offset + in,
					 size - in < most ? size - in : most);
		}
	}
	return (struct str){"", 0};
}

size_t elf_symbol_count(const struct elf *elf, const struct elf_section *table) {
	return elf_data(elf, table).n / SIZE(elf, Sym);
}

struct elf_symbol elf_symbol(const struct elf *elf, struct str table, size_t i) {
	const char *p = table.p + i * SIZE(elf, Sym);
	uint8_t info = (uint8_t)FIELD(elf, p, Sym, st_info);
	return (struct elf_symbol){
		.value = FIELD(elf, p, Sym, st_value),
		.size = FIELD(elf, p, Sym, st_size),
		.name = (uint32_t)FIELD(elf, p, Sym, st_name),
		.section = (uint16_t)FIELD(elf, p, Sym, st_shndx),
		.type = info & 0xf,
		.binding = info >> 4,
		.visibility = FIELD(elf, p, Sym, st_other) & 3,
	};
}

static size_t elf_relocation_size(const struct elf *elf, const struct elf_section *table) {
	return table->type == SHT_RELA ? SIZE(elf, Rela) : SIZE(elf, Rel);
}

size_t elf_relocation_count(const struct elf *elf, const struct elf_section *table) {
	return table == NULL ? 0 : elf_data(elf, table).n / elf_relocation_size(elf, table);
}

struct elf_relocation elf_relocation(const struct elf *elf, const struct elf_section *table,
				     size_t i) {
	// Relocations with and without an addend have the same first two fields.
	const char *p = elf_data(elf, table).p + i * elf_relocation_size(elf, table);
	uint64_t info = FIELD(elf, p, Rel, r_info);
	return (struct elf_relocation){
		.offset = FIELD(elf, p, Rel, r_offset),
		.symbol = (uint32_t)(elf->wide ? info >> 32 : info >> 8),
	};
}

struct str elf_text(struct str strings, uint64_t at) {
	const char *end =
		at < strings.n ? memchr(strings.p + at, '\0', strings.n - (size_t)at) : NULL;
	return end == NULL ? (struct str){"", 0}
			   : (struct str){strings.p + at, (size_t)(end - strings.p) - (size_t)at};
}

bool build_id_equal(const struct build_id *a, const struct build_id *b) {
	static const uint8_t zeros[BUILD_ID_MAX];
	const struct build_id *longer = a->size > b->size ? a : b;
	size_t shorter = a->size > b->size ? b->size : a->size;
	return shorter > 0 && memcmp(a->bytes, b->bytes, shorter) == 0 &&
	       memcmp(longer->bytes + shorter, zeros, longer->size - shorter) == 0;
}

struct build_id elf_note_build_id(struct str notes, bool swapped) {
	enum { HEADER = 12, ROUND = 3 };
	const struct elf order = {.swapped = swapped};
	while (notes.n >= HEADER) {
		uint64_t name = elf_integer(&order, notes.p, 4);
		uint64_t size = elf_integer(&order, notes.p + 4, 4);
		uint64_t type = elf_integer(&order, notes.p + 8, 4);
		uint64_t at = HEADER + ((name + ROUND) & ~(uint64_t)ROUND);
		uint64_t next = at + ((size + ROUND) & ~(uint64_t)ROUND);
		if (at > notes.n || size > notes.n - at) {
			break;
		}
		if (type == NT_GNU_BUILD_ID && name == 4 &&
		    memcmp(notes.p + HEADER, "GNU", 4) == 0 && size > 0 && size <= BUILD_ID_MAX) {
			struct build_id id = {.size = (uint8_t)size};
			memcpy(id.bytes, notes.p + at, (size_t)size);
			return id;
		}
		notes = str_from(notes, next < notes.n ? (size_t)next : notes.n);
	}
	return (struct build_id){0};
}

struct build_id elf_build_id(const struct elf *elf) {
	struct build_id id = {0};
	for (size_t i = 1; i < elf->section_count && id.size == 0; i++) {
		if (elf->sections[i].type == SHT_NOTE) {
			id = elf_note_build_id(elf_data(elf, &elf->sections[i]), elf->swapped);
		}
	}
	for (size_t i = 0; i < elf->segment_count && id.size == 0; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		if (segment->type == PT_NOTE) {
			id = elf_note_build_id(elf_slice(elf, segment->offset, segment->file_size),
					       elf->swapped);
		}
	}
	return id;
}

struct str elf_debuglink(const struct elf *elf, uint32_t *checksum) {
	struct str data = elf_data(elf, elf_section(elf, STR(".gnu_debuglink")));
	struct str name = elf_text(data, 0);
	size_t at = (name.n + 4) & ~(size_t)3;
	if (name.n == 0 || at + 4 > data.n) {
		return (struct str){"", 0};
	}
	*checksum = (uint32_t)elf_integer(elf, data.p + at, 4);
	return name;
}
