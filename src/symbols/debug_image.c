/* Unpack the debug information of a file into a smaller ELF file. */
#include "symbols/debug_image.h"

#include "base/deflate.h"
#include "base/limits.h"

/** An image under construction: headers of its sections, and their names. */
struct debug_image_maker {
	const struct elf *elf;
	struct buf *image;
	struct buf headers, names;
};

bool debug_is_needed(struct str section, bool lines) {
	static const struct str needless[] = {
		STR_INIT(".debug_aranges"), STR_INIT(".debug_frame"),
		STR_INIT(".debug_loc"),     STR_INIT(".debug_loclists"),
		STR_INIT(".debug_sup"),     STR_INIT(".gnu_debugaltlink"),
		STR_INIT(".gnu_debuglink"),
	};
	for (size_t i = 0; i < sizeof(needless) / sizeof(needless[0]); i++) {
		if (str_eq(section, needless[i])) {
			return false;
		}
	}
	return lines || !str_eq(section, STR(".debug_line"));
}

/** Return whether the image needs a section. */
static bool debug_image_is_wanted(const struct elf_section *section, bool lines) {
	return str_starts(section->name, STR(".debug_")) && section->type != SHT_NOBITS &&
	       debug_is_needed(section->name, lines);
}

/** Return the unpacked size of a compressed section. If the section is not compressed, return 0. */
static uint64_t debug_image_unpacked_size(const struct elf *elf,
					  const struct elf_section *section) {
	enum { OLD_HEADER = 12, SIZE_AT = 4, WIDE_SIZE_AT = 8 };
	struct str bytes = elf_raw(elf, section);
	size_t at = elf->wide ? WIDE_SIZE_AT : SIZE_AT;
	size_t size = elf->wide ? sizeof(uint64_t) : sizeof(uint32_t);
	if ((section->flags & SHF_COMPRESSED) != 0 && bytes.n >= at + size) {
		return elf_integer(elf, bytes.p + at, size);
	}
	uint64_t old = 0; // the size in the old format, which is big-endian in every file
	bool is_old = bytes.n >= OLD_HEADER && str_starts(bytes, STR("ZLIB"));
	for (size_t i = SIZE_AT; is_old && i < OLD_HEADER; i++) {
		old = old << 8 | (unsigned char)bytes.p[i];
	}
	return old;
}

uint64_t debug_unpacked_size(const struct elf *elf, bool lines) {
	uint64_t sum = 0, copied = 0;
	for (size_t i = 1; i < elf->section_count; i++) {
		const struct elf_section *section = &elf->sections[i];
		bool is_old = str_starts(section->name, STR(".zdebug_"));
		bool wanted = debug_image_is_wanted(section, lines) || is_old;
		bool packed = (section->flags & SHF_COMPRESSED) != 0 || is_old;
		uint64_t size = !wanted  ? 0
				: packed ? debug_image_unpacked_size(elf, section)
					 : elf_raw(elf, section).n;
		uint64_t *total = packed ? &sum : &copied;
		*total = *total + size < size ? UINT64_MAX : *total + size;
	}
	return sum == 0 ? 0 : sum + copied < sum ? UINT64_MAX : sum + copied;
}

/**
 * Append an unpacked section. Return false if the section is damaged, is too large, or is not
 * compressed with zlib.
 */
static bool debug_image_add_unpacked(struct buf *image, struct str packed) {
	Elf64_Chdr head;
	if (packed.n < sizeof(head)) {
		return false;
	}
	memcpy(&head, packed.p, sizeof(head));
	packed = str_from(packed, sizeof(head));
	if (head.ch_type != ELFCOMPRESS_ZLIB || head.ch_size > LIMIT_UNPACKED) {
		return false;
	}
	size_t size = (size_t)head.ch_size;
	bool good = deflate_unpack(buf_room(image, size), size, packed);
	image->n += good ? size : 0;
	return good;
}

static void debug_image_add_header(struct debug_image_maker *maker, struct str name, uint32_t type,
				   uint64_t flags, uint64_t start) {
	const Elf64_Shdr header = {.sh_name = (uint32_t)maker->names.n,
				   .sh_type = type,
				   .sh_flags = flags,
				   .sh_offset = start,
				   .sh_size = maker->image->n - start,
				   .sh_addralign = 1};
	buf_add(&maker->headers, (const char *)&header, sizeof(header));
	buf_add_str(&maker->names, name);
	buf_add_char(&maker->names, '\0');
}

/** Append all wanted sections. Return true if at least one section was compressed, and all
 * compressed sections could be unpacked. */
static bool debug_image_add_sections(struct debug_image_maker *maker, bool lines) {
	bool any = false;
	for (size_t i = 1; i < maker->elf->section_count; i++) {
		const struct elf_section *section = &maker->elf->sections[i];
		uint64_t start = maker->image->n;
		bool packed = (section->flags & SHF_COMPRESSED) != 0;
		struct str bytes = elf_raw(maker->elf, section);
		if (!debug_image_is_wanted(section, lines)) {
			continue;
		}
		if (!packed) {
			buf_add_str(maker->image, bytes);
		} else if (!debug_image_add_unpacked(maker->image, bytes)) {
			return false;
		}
		any |= packed;
		debug_image_add_header(maker, section->name, SHT_PROGBITS,
				       section->flags & ~(uint64_t)SHF_COMPRESSED, start);
	}
	return any;
}

/** Append the names and headers of sections, and write the header of the file. */
static void debug_image_finish(struct debug_image_maker *maker) {
	enum { ALIGNMENT = 8 };
	uint64_t names = maker->image->n;
	static const char padding[ALIGNMENT] = "";
	debug_image_add_header(maker, STR(".shstrtab"), SHT_STRTAB, 0, names);
	Elf64_Shdr *last = (Elf64_Shdr *)(void *)(maker->headers.p + maker->headers.n) - 1;
	last->sh_size = maker->names.n;
	buf_add_str(maker->image, buf_str(&maker->names));
	buf_add(maker->image, padding, (ALIGNMENT - maker->image->n % ALIGNMENT) % ALIGNMENT);
	uint16_t n = (uint16_t)(maker->headers.n / sizeof(Elf64_Shdr));
	Elf64_Ehdr head = {.e_type = maker->elf->type,
			   .e_machine = maker->elf->machine,
			   .e_version = EV_CURRENT,
			   .e_shoff = maker->image->n,
			   .e_ehsize = sizeof(Elf64_Ehdr),
			   .e_shentsize = sizeof(Elf64_Shdr),
			   .e_shnum = n,
			   .e_shstrndx = (uint16_t)(n - 1)};
	memcpy(head.e_ident, maker->elf->bytes.p, EI_NIDENT);
	memcpy(maker->image->p, &head, sizeof(head));
	buf_add_str(maker->image, buf_str(&maker->headers));
}

bool debug_image_make(struct buf *image, const struct elf *elf, bool lines) {
	enum { SECTIONS_MOST = 1000 };
	static const Elf64_Ehdr head;
	static const Elf64_Shdr none;
	struct debug_image_maker maker = {.elf = elf, .image = image};
	// Object files that are not linked have relocations, which libdw must apply.
	if (!elf->wide || elf->swapped || elf->type == ET_REL ||
	    elf->section_count > SECTIONS_MOST) {
		return false;
	}
	buf_add(image, (const char *)&head, sizeof(head));
	buf_add(&maker.headers, (const char *)&none, sizeof(none));
	buf_add_char(&maker.names, '\0');
	bool made = debug_image_add_sections(&maker, lines);
	if (made) {
		debug_image_finish(&maker);
	} else {
		buf_release(image);
	}
	buf_release(&maker.headers);
	buf_release(&maker.names);
	return made;
}
