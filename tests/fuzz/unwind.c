/*
 * Fuzz target for the unwinder: call frame information, registers and a stack, all from one input:
 *
 *     a byte     how many words of 8 bytes the stack has
 *     a byte     the kind of the information, see enum fuzz_unwind_kind
 *     34 bytes   registers in the order of their DWARF numbers, 2 bytes each
 *     the stack
 *     28 bytes   .eh_frame_hdr with two functions, if the kind has it
 *     the rest   call frame information
 *
 * The code is at address CODE, as the call frame information says. The stack starts at STACK.
 */
#include <elf.h>
#include <stddef.h>

#include "symbols/cfi.h"
#include "symbols/object.h"

#include "binary.h"

enum { HEAD = 2 + 2 * UNWIND_REGISTERS, CODE = 0x1000, CODE_SIZE = 0x1000, STACK = 0x4000 };

/* --- An ELF file made of the input ---------------------------------------------------------- */

enum fuzz_unwind_kind { EH_FRAME, DEBUG_FRAME, EH_FRAME_WITH_SEARCH };

enum { SECTIONS = 4, SEARCH_SIZE = 28 };

static const char names[] = "\0.eh_frame\0.eh_frame_hdr\0.debug_frame";
enum { EH_FRAME_AT = 1, SEARCH_AT = 11, DEBUG_FRAME_AT = 25 };

/** The header before the bytes of the input. The segment covers all of the file. */
struct fuzz_unwind_image {
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	Elf64_Shdr sections[SECTIONS];
	char names[sizeof(names)];
};

static Elf64_Shdr fuzz_unwind_make_section(Elf64_Word type, Elf64_Word name, size_t offset,
					   size_t size) {
	return (Elf64_Shdr){.sh_type = type,
			    .sh_name = name,
			    .sh_addr = CODE,
			    .sh_offset = offset,
			    .sh_size = size};
}

static struct file *fuzz_unwind_make_file(struct str rest, enum fuzz_unwind_kind kind) {
	size_t search = kind == EH_FRAME_WITH_SEARCH && rest.n > SEARCH_SIZE ? SEARCH_SIZE : 0;
	size_t at = sizeof(struct fuzz_unwind_image);
	struct fuzz_unwind_image image = {
		.head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_phoff = offsetof(struct fuzz_unwind_image, segment),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1,
			 .e_shoff = offsetof(struct fuzz_unwind_image, sections),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = SECTIONS,
			 .e_shstrndx = 1},
		.segment = {.p_type = PT_LOAD,
			    .p_flags = PF_R | PF_X,
			    .p_vaddr = CODE,
			    .p_filesz = CODE_SIZE,
			    .p_memsz = CODE_SIZE},
		.sections = {
			{0},
			fuzz_unwind_make_section(SHT_STRTAB, 0,
						 offsetof(struct fuzz_unwind_image, names),
						 sizeof(names)),
			fuzz_unwind_make_section(SHT_PROGBITS, SEARCH_AT, at, search),
			fuzz_unwind_make_section(SHT_PROGBITS,
						 kind == DEBUG_FRAME ? DEBUG_FRAME_AT : EH_FRAME_AT,
						 at + search, rest.n - search)}};
	memcpy(image.names, names, sizeof(names));
	struct buf bytes = {0};
	buf_add(&bytes, &image, sizeof(image));
	buf_add_str(&bytes, rest);
	return file_take("FUZZ", &bytes);
}

/* --- Unwinding ------------------------------------------------------------------------------ */

static struct object *fuzz_unwind_find(void *context, uint64_t address, uint64_t *file_address) {
	*file_address = address - CODE;
	return address >= CODE && address - CODE < CODE_SIZE ? context : NULL;
}

/**
 * Read the registers and the stack from the start of the input, and cut them off. The rest of the
 * input is call frame information.
 */
static void fuzz_unwind_read_stack(struct unwind_stack *stack, uint64_t *words, struct str *input) {
	const unsigned char *bytes = (const unsigned char *)input->p;
	for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
		stack->registers[i] = bytes[2 + 2 * i] | (uint64_t)bytes[3 + 2 * i] << 8;
	}
	stack->known = UINT32_MAX >> (32 - UNWIND_REGISTERS);
	*input = str_from(*input, HEAD);
	size_t size = sizeof(uint64_t) * bytes[0];
	stack->bytes = str_to(*input, size < input->n ? size : input->n);
	*input = str_from(*input, stack->bytes.n);
	memcpy(words, stack->bytes.p, stack->bytes.n);
	stack->bytes.p = (const char *)words;
}

/** Look up the row of each address of the code, as an unwinder may do. */
static void fuzz_unwind_find_rows(const struct elf *elf, enum fuzz_unwind_kind kind) {
	struct cfi_section section;
	struct cfi_row row;
	bool found = kind == DEBUG_FRAME ? cfi_section_debug_frame(&section, elf)
					 : cfi_section_eh_frame(&section, elf);
	if (!found) {
		return;
	}
	for (uint64_t address = CODE; address < CODE + 64; address++) {
		memset(&row, 0, sizeof(row));
		bool sound = !cfi_find_row(&section, address, &row) ||
			     row.cfa_register < UNWIND_REGISTERS ||
			     row.cfa_register == CFI_CFA_EXPRESSION ||
			     row.cfa_register == CFI_CFA_UNKNOWN;
		fuzz_require(sound, "a row has an unknown rule for its frame", STR(""));
		for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
			fuzz_require(row.rules[i] <= CFI_VALUE_EXPRESSION,
				     "a row has an unknown rule", STR(""));
		}
	}
	cfi_section_release(&section);
}

void fuzz_frames(struct str input, struct random *source) {
	(void)source;
	enum { MOST = 100, TIMES = 2 };
	uint64_t words[UINT8_MAX], addresses[TIMES][MOST];
	if (input.n < HEAD) {
		return;
	}
	enum fuzz_unwind_kind kind = (unsigned char)input.p[1] % 3;
	struct unwind_stack stack = {.find = fuzz_unwind_find};
	fuzz_unwind_read_stack(&stack, words, &input);
	struct diag diag = {0};
	struct symbols_options options = {.symfs = STR("/nonexistent"),
					  .cache = STR("/nonexistent")};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file wanted = {.kind = OBJECT_ELF, .path = STR("FUZZ")};
	struct object *object = symbols_object(symbols, &wanted);
	object->searched_mapped = true;
	object->mapped = fuzz_unwind_make_file(input, kind);
	stack.context = object;
	struct unwinder *unwinder = unwinder_new(symbols);
	size_t n[TIMES];
	enum unwind_end ends[TIMES];
	for (size_t i = 0; i < TIMES; i++) { // the second time with rows that are remembered
		n[i] = unwind(unwinder, &stack, addresses[i], MOST, &ends[i]);
		fuzz_require(n[i] >= 1 && n[i] <= MOST, "a wrong number of frames", STR(""));
	}
	fuzz_require(n[0] == n[1] && ends[0] == ends[1] &&
			     memcmp(addresses[0], addresses[1], n[0] * sizeof(uint64_t)) == 0,
		     "the same stack has other frames", STR(""));
	fuzz_unwind_find_rows(&object->mapped->elf, kind);
	unwinder_free(unwinder);
	symbols_free(symbols);
}
