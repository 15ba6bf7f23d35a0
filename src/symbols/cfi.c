/* Read .eh_frame, .eh_frame_hdr and .debug_frame. */
#include "symbols/cfi.h"

#include <dwarf.h>

#include "symbols/dwarf_bytes.h"
#include "symbols/elf.h"

/** A common information entry (CIE). The entries of several functions refer to it. */
struct cie {
	struct dwarf_cursor program; // initial instructions
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding; // encoding of addresses in the entries of functions
	bool augmented;   // entries of functions have extra data before the instructions
	bool signal;
};

/** A frame description entry (FDE): the entry of one function. */
struct fde {
	struct cie cie;
	struct dwarf_cursor program;
	uint64_t start, end;
};

/* --- Entries -------------------------------------------------------------------------------- */

/** Return the linked address of a position in the section. */
static uint64_t cfi_address_of(const struct cfi_section *section, const char *p) {
	return section->address + (uint64_t)(p - section->bytes.p);
}

static uint64_t cfi_read_format(struct dwarf_cursor *at, uint8_t format) {
	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return read_fixed(at, 8);
	case DW_EH_PE_uleb128:
		return read_uleb(at);
	case DW_EH_PE_sleb128:
		return (uint64_t)read_sleb(at);
	case DW_EH_PE_udata2:
		return read_fixed(at, 2);
	case DW_EH_PE_sdata2:
		return read_signed(at, 2);
	case DW_EH_PE_udata4:
		return read_fixed(at, 4);
	case DW_EH_PE_sdata4:
		return read_signed(at, 4);
	default:
		at->bad = true;
		return 0;
	}
}

/** Read an address in the given encoding. Make `at` bad if the encoding is not supported, for
 * example because it needs the program's memory. */
static uint64_t cfi_read_encoded(const struct cfi_section *section, struct dwarf_cursor *at,
				 uint8_t encoding) {
	uint64_t here = cfi_address_of(section, at->p);
	uint64_t value = cfi_read_format(at, encoding & 0x0f);
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		return value;
	case DW_EH_PE_pcrel:
		return value + here;
	default:
		at->bad = true;
		return 0;
	}
}

/** Set `*entry` to the next entry. Set `*wide` to whether the entry has the 64-bit format. Return
 * false at the end, at an empty entry, or if the entry is not complete. */
static bool cfi_next_entry(struct dwarf_cursor *at, struct dwarf_cursor *entry, bool *wide) {
	uint64_t length = read_fixed(at, 4);
	*wide = length == UINT32_MAX;
	if (*wide) {
		length = read_fixed(at, 8);
	}
	*entry = dwarf_read_part(at, length);
	return !at->bad && length > 0;
}

static void cfi_read_augmentation(struct dwarf_cursor *at, const char *letters, struct cie *cie) {
	struct dwarf_cursor data = dwarf_read_part(at, read_uleb(at));
	cie->augmented = true;
	for (const char *letter = letters + 1; *letter != '\0'; letter++) {
		switch (*letter) {
		case 'R':
			cie->encoding = read_u8(&data);
			break;
		case 'P': {
			uint8_t encoding = read_u8(&data);
			(void)cfi_read_format(&data, encoding & 0x0f);
			break;
		}
		case 'L':
			(void)read_u8(&data);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B': // for aarch64: key B signs return addresses
		case 'G': // for aarch64: frames of the function have memory tags
			break;
		default: // an unknown letter; the length of the data still gives the start of the
			 // instructions
			return;
		}
	}
}

static const struct unwind_processor *cfi_processor_of(const struct cfi_section *section) {
	return section->processor == NULL ? &unwind_x86_64 : section->processor;
}

/** Read a common entry. `at` is the position after the identifier of the entry. */
static bool cfi_read_cie(const struct cfi_section *section, struct dwarf_cursor at,
			 struct cie *cie) {
	*cie = (struct cie){.encoding = DW_EH_PE_absptr};
	uint8_t version = read_u8(&at);
	const char *letters = at.p;
	enum { LETTERS_MOST = 16 };
	size_t left = cursor_left(&at);
	const char *end = memchr(at.p, '\0', left < LETTERS_MOST ? left : LETTERS_MOST);
	if (end == NULL || (version != 1 && version != 3 && version != 4)) {
		return false;
	}
	at.p = end + 1;
	// one byte is the size of addresses, and the next byte is the size of segments
	if (version == 4 && read_fixed(&at, 2) != 8) {
		return false; // addresses of another size, or segments
	}
	cie->code_factor = read_uleb(&at);
	cie->data_factor = read_sleb(&at);
	uint64_t caller = version == 1 ? read_u8(&at) : read_uleb(&at);
	if (letters[0] == 'z') {
		cfi_read_augmentation(&at, letters, cie);
	} else if (letters[0] != '\0') {
		return false; // without the length of the data, the start of the instructions is
			      // not known
	}
	cie->program = at;
	return !at.bad && caller == cfi_processor_of(section)->return_column;
}

/** Find the common entry to which the entry of a function refers. Return false if the entry does
 * not belong to a function, or if the common entry is broken. */
static bool cfi_find_cie(const struct cfi_section *section, const char *id_place, uint64_t id,
			 bool wide, struct cie *cie) {
	uint64_t none = section->debug ? (wide ? UINT64_MAX : UINT32_MAX) : 0;
	uint64_t offset = section->debug ? id : (uint64_t)(id_place - section->bytes.p) - id;
	if (id == none || offset >= section->bytes.n) {
		return false;
	}
	struct dwarf_cursor at = cursor_of(str_from(section->bytes, (size_t)offset));
	struct dwarf_cursor entry;
	if (!cfi_next_entry(&at, &entry, &wide)) {
		return false;
	}
	uint64_t own = read_fixed(&entry, section->debug && wide ? 8 : 4);
	none = section->debug ? (wide ? UINT64_MAX : UINT32_MAX) : 0;
	return own == none && !entry.bad && cfi_read_cie(section, entry, cie);
}

/** Read the entry of a function. Return false if the entry is broken or is a common entry. */
static bool cfi_read_fde(const struct cfi_section *section, struct dwarf_cursor entry, bool wide,
			 struct fde *fde) {
	const char *place = entry.p;
	uint64_t id = read_fixed(&entry, section->debug && wide ? 8 : 4);
	if (entry.bad || !cfi_find_cie(section, place, id, wide, &fde->cie)) {
		return false;
	}
	fde->start = cfi_read_encoded(section, &entry, fde->cie.encoding);
	fde->end = fde->start + cfi_read_format(&entry, fde->cie.encoding & 0x0f);
	if (fde->cie.augmented) {
		(void)dwarf_read_part(&entry, read_uleb(&entry));
	}
	fde->program = entry;
	return !entry.bad && fde->end > fde->start;
}

static bool cfi_read_fde_at(const struct cfi_section *section, uint64_t offset, struct fde *fde) {
	if (offset >= section->bytes.n) {
		return false;
	}
	struct dwarf_cursor at = cursor_of(str_from(section->bytes, (size_t)offset));
	struct dwarf_cursor entry;
	bool wide;
	return cfi_next_entry(&at, &entry, &wide) && cfi_read_fde(section, entry, wide, fde);
}

/* --- Finding a function's entry ------------------------------------------------------------- */

/** Index all entries of a section without a search table. */
static void cfi_read_index(struct cfi_section *section) {
	struct dwarf_cursor at = cursor_of(section->bytes), entry;
	struct fde fde;
	bool wide;
	section->indexed = true;
	for (;;) {
		size_t offset = (size_t)(at.p - section->bytes.p);
		if (!cfi_next_entry(&at, &entry, &wide)) {
			// A linker may join sections that each end in an empty entry, so continue
			// after such an entry.
			if (at.bad || cursor_left(&at) == 0) {
				break;
			}
			continue;
		}
		if (offset < RANGES_NONE && cfi_read_fde(section, entry, wide, &fde) &&
		    fde.start != 0) {
			ranges_add(&section->index, fde.start, fde.end, (uint32_t)offset);
		}
	}
	ranges_finish(&section->index);
}

static int32_t cfi_search_number(const struct cfi_section *section, size_t i) {
	return (int32_t)load_u32(section->search.p + 4 * i);
}

/** Find the last entry of the search table that starts at or before an address. */
static bool cfi_search(const struct cfi_section *section, uint64_t address, uint64_t *offset) {
	size_t low = 0, high = section->search.n / 8;
	int64_t wanted = (int64_t)(address - section->search_base);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (cfi_search_number(section, 2 * middle) <= wanted) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == 0) {
		return false;
	}
	uint64_t entry =
		section->search_base + (uint64_t)(int64_t)cfi_search_number(section, 2 * low - 1);
	*offset = entry - section->address;
	return true;
}

static bool cfi_find_fde(struct cfi_section *section, uint64_t address, struct fde *fde) {
	uint64_t offset = 0;
	if (section->search.n > 0) {
		// The table has no ends of functions. If an address is between two functions, the
		// search finds the first of them, so check its end.
		return cfi_search(section, address, &offset) &&
		       cfi_read_fde_at(section, offset, fde) && address >= fde->start &&
		       address < fde->end;
	}
	if (!section->indexed) {
		cfi_read_index(section);
	}
	uint32_t found = ranges_find(&section->index, address);
	return found != RANGES_NONE && cfi_read_fde_at(section, found, fde);
}

bool cfi_find_range(struct cfi_section *section, uint64_t address, uint64_t *start, uint64_t *end) {
	struct fde fde;
	if (!cfi_find_fde(section, address, &fde)) {
		return false;
	}
	*start = fde.start;
	*end = fde.end;
	return true;
}

/* --- Instructions --------------------------------------------------------------------------- */

enum { REMEMBERED = 16 };

/** The state of the execution of an entry's instructions. */
struct cfi_machine {
	const struct cfi_section *section;
	const struct cie *cie;
	uint64_t location;
	struct cfi_row row, initial;
	struct cfi_row stack[REMEMBERED];
	size_t depth;
	bool bad;
};

static void cfi_set_rule(struct cfi_machine *machine, uint64_t number, enum cfi_rule rule,
			 int64_t value) {
	if (number < cfi_processor_of(machine->section)->registers) {
		machine->row.rules[number] = (uint8_t)rule;
		machine->row.values[number] = value;
	}
}

/** Reset the rule of a register to its rule after the common instructions. */
static void cfi_restore_rule(struct cfi_machine *machine, uint64_t number) {
	if (number < cfi_processor_of(machine->section)->registers) {
		cfi_set_rule(machine, number, machine->initial.rules[number],
			     machine->initial.values[number]);
	}
}

static int64_t cfi_factored(const struct cfi_machine *machine, int64_t offset) {
	return (int64_t)((uint64_t)offset * (uint64_t)machine->cie->data_factor);
}

static void cfi_set_cfa(struct cfi_machine *machine, uint64_t number, int64_t value) {
	machine->bad = machine->bad || number >= cfi_processor_of(machine->section)->registers;
	machine->row.cfa_register = (uint8_t)number;
	machine->row.cfa_value = value;
}

static void cfi_set_expression(struct cfi_machine *machine, struct dwarf_cursor *at,
			       enum cfi_rule rule) {
	uint64_t number = read_uleb(at);
	cfi_set_rule(machine, number, rule, cfi_pointer(at->p));
	(void)dwarf_read_part(at, read_uleb(at));
}

static void cfi_set_cfa_expression(struct cfi_machine *machine, struct dwarf_cursor *at) {
	machine->row.cfa_register = CFI_CFA_EXPRESSION;
	machine->row.cfa_value = cfi_pointer(at->p);
	(void)dwarf_read_part(at, read_uleb(at));
}

static void cfi_remember(struct cfi_machine *machine) {
	if (machine->depth < REMEMBERED) {
		machine->stack[machine->depth++] = machine->row;
	} else {
		machine->bad = true;
	}
}

static void cfi_recall(struct cfi_machine *machine) {
	if (machine->depth > 0) {
		machine->row = machine->stack[--machine->depth];
	} else {
		machine->bad = true;
	}
}

static void cfi_advance(struct cfi_machine *machine, uint64_t delta) {
	machine->location += delta * machine->cie->code_factor;
}

/** Execute an instruction if it sets the canonical frame address (CFA). Return false for any other
 * instruction. */
static bool cfi_step_cfa(struct cfi_machine *machine, struct dwarf_cursor *at, uint8_t code) {
	switch (code) {
	case DW_CFA_def_cfa: {
		uint64_t number = read_uleb(at);
		cfi_set_cfa(machine, number, (int64_t)read_uleb(at));
		return true;
	}
	case DW_CFA_def_cfa_sf: {
		uint64_t number = read_uleb(at);
		cfi_set_cfa(machine, number, cfi_factored(machine, read_sleb(at)));
		return true;
	}
	case DW_CFA_def_cfa_register:
		machine->bad = machine->bad || machine->row.cfa_register == CFI_CFA_EXPRESSION;
		cfi_set_cfa(machine, read_uleb(at), machine->row.cfa_value);
		return true;
	case DW_CFA_def_cfa_offset: // the CFA is a register plus an offset; this changes the offset
		cfi_set_cfa(machine, machine->row.cfa_register, (int64_t)read_uleb(at));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		cfi_set_cfa(machine, machine->row.cfa_register,
			    cfi_factored(machine, read_sleb(at)));
		return true;
	case DW_CFA_def_cfa_expression:
		cfi_set_cfa_expression(machine, at);
		return true;
	default:
		return false;
	}
}

/**
 * Execute an instruction if it sets the rule of a register. Return false for any other instruction.
 */
static bool cfi_step_rule(struct cfi_machine *machine, struct dwarf_cursor *at, uint8_t code) {
	uint64_t number;
	switch (code) {
	case DW_CFA_offset_extended:
	case DW_CFA_val_offset:
	case DW_CFA_GNU_negative_offset_extended: {
		number = read_uleb(at);
		int64_t offset = cfi_factored(machine, (int64_t)read_uleb(at));
		bool negative = code == DW_CFA_GNU_negative_offset_extended;
		cfi_set_rule(machine, number,
			     code == DW_CFA_val_offset ? CFI_VALUE_OFFSET : CFI_OFFSET,
			     negative ? -offset : offset);
		return true;
	}
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		number = read_uleb(at);
		cfi_set_rule(machine, number,
			     code == DW_CFA_val_offset_sf ? CFI_VALUE_OFFSET : CFI_OFFSET,
			     cfi_factored(machine, read_sleb(at)));
		return true;
	case DW_CFA_restore_extended:
		cfi_restore_rule(machine, read_uleb(at));
		return true;
	case DW_CFA_undefined:
		cfi_set_rule(machine, read_uleb(at), CFI_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		cfi_set_rule(machine, read_uleb(at), CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		number = read_uleb(at);
		cfi_set_rule(machine, number, CFI_REGISTER, (int64_t)read_uleb(at));
		return true;
	case DW_CFA_expression:
		cfi_set_expression(machine, at, CFI_EXPRESSION);
		return true;
	case DW_CFA_val_expression:
		cfi_set_expression(machine, at, CFI_VALUE_EXPRESSION);
		return true;
	default:
		return false;
	}
}

/** Execute an instruction if it changes the address to which the next rules apply. Return false for
 * any other instruction. */
static bool cfi_step_location(struct cfi_machine *machine, struct dwarf_cursor *at, uint8_t code) {
	switch (code) {
	case DW_CFA_set_loc:
		machine->location = cfi_read_encoded(machine->section, at, machine->cie->encoding);
		return true;
	case DW_CFA_advance_loc1:
		cfi_advance(machine, read_fixed(at, 1));
		return true;
	case DW_CFA_advance_loc2:
		cfi_advance(machine, read_fixed(at, 2));
		return true;
	case DW_CFA_advance_loc4:
		cfi_advance(machine, read_fixed(at, 4));
		return true;
	default:
		return false;
	}
}

/** Execute any other instruction. */
static void cfi_step_rest(struct cfi_machine *machine, struct dwarf_cursor *at, uint8_t code) {
	enum { SIGNS_WITH_PC = 0x2c, SIGNS = DW_CFA_AARCH64_negate_ra_state };
	switch (code) {
	case SIGNS_WITH_PC:
	case SIGNS: // ignore it: the processor's mask removes the signature from addresses
		machine->bad = cfi_processor_of(machine->section) != &unwind_aarch64;
		break;
	case DW_CFA_nop:
		break;
	case DW_CFA_remember_state:
		cfi_remember(machine);
		break;
	case DW_CFA_restore_state:
		cfi_recall(machine);
		break;
	case DW_CFA_GNU_args_size:
		(void)read_uleb(at);
		break;
	default:
		machine->bad = true;
	}
}

static void cfi_step(struct cfi_machine *machine, struct dwarf_cursor *at) {
	uint8_t code = read_u8(at), low = code & 0x3f;
	switch (code & 0xc0) {
	case DW_CFA_advance_loc:
		cfi_advance(machine, low);
		return;
	case DW_CFA_offset:
		cfi_set_rule(machine, low, CFI_OFFSET,
			     cfi_factored(machine, (int64_t)read_uleb(at)));
		return;
	case DW_CFA_restore:
		cfi_restore_rule(machine, low);
		return;
	default:
		break;
	}
	if (!cfi_step_rule(machine, at, code) && !cfi_step_cfa(machine, at, code) &&
	    !cfi_step_location(machine, at, code)) {
		cfi_step_rest(machine, at, code);
	}
}

/** Execute the instructions of an entry until the rules for `address` are complete. */
static bool cfi_execute(struct cfi_machine *machine, struct dwarf_cursor at, uint64_t address) {
	// largest number of bytes of instructions; real functions have less than a tenth of this
	// number
	enum { MOST = 1 << 16 };
	const char *start = at.p;
	while (cursor_left(&at) > 0 && !machine->bad && !at.bad) {
		cfi_step(machine, &at);
		if (machine->location > address) {
			break;
		}
		machine->bad = machine->bad || at.p - start > MOST;
	}
	return !machine->bad && !at.bad;
}

bool cfi_find_row(struct cfi_section *section, uint64_t address, struct cfi_row *row) {
	struct fde fde;
	if (!cfi_find_fde(section, address, &fde)) {
		return false;
	}
	struct cfi_machine machine; // not cleared, because the saved rows are large and need no
				    // initial values
	machine.section = section;
	machine.cie = &fde.cie;
	machine.location = 0;
	machine.depth = 0;
	machine.bad = false;
	memset(&machine.row, 0, sizeof(machine.row));
	memset(&machine.initial, 0, sizeof(machine.initial));
	machine.row.cfa_register = CFI_CFA_UNKNOWN;
	if (!cfi_execute(&machine, fde.cie.program, UINT64_MAX)) {
		return false;
	}
	machine.initial = machine.row;
	machine.location = fde.start;
	if (!cfi_execute(&machine, fde.program, address)) {
		return false;
	}
	*row = machine.row;
	row->signal = fde.cie.signal;
	size_t registers = cfi_processor_of(section)->registers;
	for (size_t i = 0; i < registers; i++) {
		row->changed |= row->rules[i] != CFI_SAME ? UINT64_C(1) << i : 0;
	}
	return row->cfa_register != CFI_CFA_UNKNOWN;
}

/* --- Sections ------------------------------------------------------------------------------- */

/** Set the processor of a section to that of the file. Return false if the processor is not
 * known. */
static bool cfi_find_processor(struct cfi_section *section, const struct elf *elf) {
	section->processor = elf->wide && is_little_endian(elf->swapped)
				     ? unwind_processor_of(elf->machine)
				     : NULL;
	return section->processor != NULL;
}

/** Use the search table if it has the usual form. Other forms do not occur in practice. */
static void cfi_take_search(struct cfi_section *section, const struct elf *elf) {
	enum { HEADER = 4, TABLE = HEADER + 8 };
	const struct elf_section *header = elf_section(elf, STR(".eh_frame_hdr"));
	struct str bytes = elf_data(elf, header);
	if (bytes.n < TABLE || bytes.p[0] != 1 || bytes.p[2] != DW_EH_PE_udata4 ||
	    bytes.p[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4)) {
		return;
	}
	struct dwarf_cursor at = cursor_of(str_from(bytes, 8));
	uint64_t n = read_fixed(&at, 4);
	if ((bytes.p[1] & 0x0f) == DW_EH_PE_sdata4 && n > 0 && n <= cursor_left(&at) / 8) {
		section->search = (struct str){at.p, (size_t)n * 8};
		section->search_base = header->address;
	}
}

/** Find .eh_frame through the segment of .eh_frame_hdr, in files without a section table. */
static bool cfi_find_by_segment(struct cfi_section *section, const struct elf *elf) {
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		enum { HEADER = 8 };
		struct str header = elf_bytes_at(elf, segment->address, HEADER);
		if (segment->type != PT_GNU_EH_FRAME || header.n < HEADER ||
		    (unsigned char)header.p[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4)) {
			continue;
		}
		struct dwarf_cursor at = cursor_of(str_from(header, 4));
		section->address = segment->address + 4 + read_signed(&at, 4);
		section->bytes = elf_bytes_at(elf, section->address, UINT64_MAX);
		return section->bytes.n > 0;
	}
	return false;
}

bool cfi_section_eh_frame(struct cfi_section *section, const struct elf *elf) {
	*section = (struct cfi_section){0};
	const struct elf_section *frames = elf_section(elf, STR(".eh_frame"));
	section->bytes = elf_data(elf, frames);
	if (!cfi_find_processor(section, elf)) {
		return false;
	}
	if (section->bytes.n == 0) {
		return elf->section_count == 0 && cfi_find_by_segment(section, elf);
	}
	section->address = frames->address;
	cfi_take_search(section, elf);
	return true;
}

bool cfi_section_debug_frame(struct cfi_section *section, const struct elf *elf) {
	*section = (struct cfi_section){.debug = true};
	section->bytes = elf_data(elf, elf_section(elf, STR(".debug_frame")));
	return cfi_find_processor(section, elf) && section->bytes.n > 0;
}

void cfi_section_release(struct cfi_section *section) {
	ranges_release(&section->index);
	*section = (struct cfi_section){0};
}
