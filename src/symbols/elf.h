/** Read an ELF file: its sections, segments, symbols, relocations and notes. Both classes (32 and
 * 64 bits) and both byte orders are supported. Every offset in the file is checked. */
#pragma once

#include <elf.h>

#include "symbols/symbols.h"

struct elf_section {
	struct str name;
	uint32_t type, link, info;
	uint64_t flags, address, offset, size, entry_size;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, file_size, memory_size;
};

struct contents;

struct elf {
	struct str bytes;          // borrowed
	struct contents *contents; // the file from which `bytes` are read when they are needed;
				   // borrowed; NULL: all bytes are in memory
	bool wide;                 // the file is of the 64-bit class
	bool swapped;              // the byte order of the file differs from the byte order of this
				   // machine
	uint16_t type, machine;
	uint64_t entry;               // address at which the program starts
	struct elf_section *sections; // the sections; the first one is never a real section
	struct elf_segment *segments;
	size_t section_count, segment_count;
};

struct elf_symbol {
	uint64_t value, size;
	uint32_t name; // offset of the name in the string table
	uint16_t section;
	uint8_t type, binding, visibility;
};

struct elf_relocation {
	uint64_t offset;
	uint32_t symbol;
};

/** Read the headers. Return false if the bytes are not an ELF file. The bytes are borrowed until
 * elf_release(). */
bool elf_init(struct elf *elf, struct str bytes);

/** Read the headers of an open file. Later functions read only those parts of the file that they
 * need. Return false as elf_init() does. */
bool elf_init_file(struct elf *elf, struct contents *contents);
void elf_release(struct elf *elf);

/** Return the first section with this name, or NULL. */
const struct elf_section *elf_section(const struct elf *elf, struct str name);

/** Return the first section of this type, or NULL. */
const struct elf_section *elf_section_of_type(const struct elf *elf, uint32_t type);

/** Return the bytes of a section. Return an empty slice if the section is NULL, is compressed, or
 * is not completely in the file. */
struct str elf_data(const struct elf *elf, const struct elf_section *section);

/** Return the bytes of a section as they are in the file. The bytes may be compressed. A truncated
 * file may have only a part of them. */
struct str elf_raw(const struct elf *elf, const struct elf_section *section);

/** Translate a file offset to its linked address. Return false if no segment contains the offset.
 */
bool elf_address(const struct elf *elf, uint64_t offset, uint64_t *address);

/** Translate a linked address to its file offset. Return false if no segment in the file contains
 * the address. */
bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset);

/** Return up to `most` bytes at a linked address, but not past the end of the segment. */
struct str elf_bytes_at(const struct elf *elf, uint64_t address, uint64_t most);

/** Return the number of entries of a symbol table, or of a table of relocations. */
size_t elf_symbol_count(const struct elf *elf, const struct elf_section *table);
size_t elf_relocation_count(const struct elf *elf, const struct elf_section *table);

struct elf_symbol elf_symbol(const struct elf *elf, struct str table, size_t i);
struct elf_relocation elf_relocation(const struct elf *elf, const struct elf_section *table,
				     size_t i);

/** Return the NUL-terminated text at an offset in a string table. If there is no such text, return
 * an empty text. */
struct str elf_text(struct str strings, uint64_t at);

/**
 * Return the build-id in some notes. The notes come from an ELF file or from /sys/kernel/notes. If
 * the notes have no build-id, the returned size is 0.
 */
struct build_id elf_note_build_id(struct str notes, bool swapped);
struct build_id elf_build_id(const struct elf *elf);

/** Return the name of the separate debug file, and set `*checksum` to the checksum of this file. If
 * the file names no debug file, return an empty text. */
struct str elf_debuglink(const struct elf *elf, uint32_t *checksum);

/** Read an integer of 1, 2, 4 or 8 bytes in the file's byte order. */
uint64_t elf_integer(const struct elf *elf, const char *p, size_t size);
