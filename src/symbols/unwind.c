/* Unwind recorded stacks by call frame information (CFI). */
#include "symbols/unwind.h"

#include <elf.h>
#include <stdlib.h>

#include "symbols/cfi.h"
#include "symbols/object.h"

/* --- Processors ----------------------------------------------------------------------------- */

enum { NONE = UNWIND_NO_REGISTER };

// perf's order of registers on x86_64: ax bx cx dx si di bp sp ip flags, six segment registers, r8
// to r15.
static const uint8_t x86_64_numbers[] = {
	UNWIND_RAX,    UNWIND_RBX,    UNWIND_RCX,    UNWIND_RDX,    UNWIND_RSI,    UNWIND_RDI,
	UNWIND_RBP,    UNWIND_RSP,    UNWIND_RIP,    NONE,          NONE,          NONE,
	NONE,          NONE,          NONE,          NONE,          UNWIND_R8,     UNWIND_R8 + 1,
	UNWIND_R8 + 2, UNWIND_R8 + 3, UNWIND_R8 + 4, UNWIND_R8 + 5, UNWIND_R8 + 6, UNWIND_R15};

static const uint8_t aarch64_numbers[] = {
	0,  1,  2,  3,  4,  5,  6,  7,          8,          9,         10,
	11, 12, 13, 14, 15, 16, 17, 18,         19,         20,        21,
	22, 23, 24, 25, 26, 27, 28, UNWIND_X29, UNWIND_X30, UNWIND_SP, UNWIND_PC};

const struct unwind_processor unwind_x86_64 = {
	.name = "x86_64",
	.machine = EM_X86_64,
	.registers = UNWIND_REGISTERS,
	.sp = UNWIND_RSP,
	.fp = UNWIND_RBP,
	.pc = UNWIND_RIP,
	.return_column = UNWIND_RIP,
	.mask = UINT64_MAX,
	.saved = 0xf048, // registers rbx, rbp, r12 to r15
	.numbers = x86_64_numbers,
	.numbers_n = sizeof(x86_64_numbers),
};

const struct unwind_processor unwind_aarch64 = {
	.name = "aarch64",
	.machine = EM_AARCH64,
	.registers = UNWIND_REGISTERS_AARCH64,
	.sp = UNWIND_SP,
	.fp = UNWIND_X29,
	.pc = UNWIND_PC,
	.return_column = UNWIND_X30,
	.mask = (UINT64_C(1) << 48) - 1,
	.saved = 0x3ff80000, // registers x19 to x29
	.numbers = aarch64_numbers,
	.numbers_n = sizeof(aarch64_numbers),
};

static const struct unwind_processor *const processors[] = {&unwind_x86_64, &unwind_aarch64};
enum { PROCESSORS = sizeof(processors) / sizeof(processors[0]) };

const struct unwind_processor *unwind_processor_named(struct str name) {
	for (size_t i = 0; i < PROCESSORS; i++) {
		if (str_eq(name, str_of(processors[i]->name))) {
			return processors[i];
		}
	}
	return NULL;
}

const struct unwind_processor *unwind_processor_of(uint16_t machine) {
	for (size_t i = 0; i < PROCESSORS; i++) {
		if (processors[i]->machine == machine) {
			return processors[i];
		}
	}
	return NULL;
}

static const struct unwind_processor *unwind_processor_or_usual(const struct unwind_stack *stack) {
	return stack->processor == NULL ? &unwind_x86_64 : stack->processor;
}

bool unwind_registers(struct unwind_stack *stack, uint64_t mask, const uint64_t *values, size_t n) {
	const struct unwind_processor *processor = unwind_processor_or_usual(stack);
	size_t at = 0;
	stack->known = 0;
	for (size_t i = 0; i < 64 && at < n; i++) {
		if ((mask >> i & 1) == 0) {
			continue;
		}
		if (i < processor->numbers_n && processor->numbers[i] != NONE) {
			stack->registers[processor->numbers[i]] = values[at];
			stack->known |= UINT64_C(1) << processor->numbers[i];
		}
		at++;
	}
	return (stack->known >> processor->pc & 1) != 0 && (stack->known >> processor->sp & 1) != 0;
}

/** The call frame information of an object. */
struct cfi {
	struct cfi_section frames, debug_frames;
	bool searched_debug;
	struct file *debug;      // the file with .debug_frame, if it is a separate file
	struct address_map rows; // the row that applies at each file offset; NULL: no row
	struct intern distinct;
	bool is_go; // the code is from Go: code without .eh_frame keeps frame pointers
	// memory of work that was given up, and may still write to it
	struct cfi *lost;
};

/** An entry of a small cache of rows: the last row that was found for an address. */
struct recent {
	const struct object *object;
	uint64_t address;
	const struct cfi_row *row;
	uint64_t linked;
};

enum { RECENT = 1 << 12 };

struct unwinder {
	struct symbols *symbols;
	struct recent recent[RECENT];
	uint64_t record;             // result of unwind_record() for the last stack
	struct unwind_frame *frames; // states of the frames of the last stack; see unwind_frames()
	size_t frames_capacity;
};

struct unwinder *unwinder_new(struct symbols *symbols) {
	struct unwinder *unwinder = mem_new(1, sizeof(*unwinder));
	unwinder->symbols = symbols;
	return unwinder;
}

void unwinder_free(struct unwinder *unwinder) {
	if (unwinder != NULL) {
		free(unwinder->frames);
	}
	free(unwinder);
}

const struct unwind_frame *unwind_frames(const struct unwinder *unwinder) {
	return unwinder->frames;
}

uint64_t unwind_record(const struct unwinder *unwinder) {
	return unwinder->record;
}

void cfi_free(struct cfi *cfi) {
	if (cfi == NULL) {
		return;
	}
	cfi_free(cfi->lost); // symbols_free() only gets here if no work still runs
	cfi_section_release(&cfi->frames);
	cfi_section_release(&cfi->debug_frames);
	address_map_release(&cfi->rows);
	intern_release(&cfi->distinct);
	file_free(cfi->debug);
	free(cfi);
}

/* --- Rows ----------------------------------------------------------------------------------- */

/** Do work on the call frame information of an object. If the work takes too long, use no call
 * frame information of this object from now on. */
static void unwind_do_with_cfi(struct unwinder *unwinder, struct object *object,
			       void (*task)(struct object_work *work)) {
	struct object_work *work = object_work(unwinder->symbols, object);
	work->cfi = object->cfi;
	if (!object_do(unwinder->symbols, work, task)) {
		struct cfi *lost = object->cfi;
		object->lost = true;
		object->cfi = mem_new(1, sizeof(*object->cfi));
		object->cfi->searched_debug = true;
		object->cfi->lost = lost;
	}
}

static void unwind_read_frames(struct object_work *work) {
	const struct elf *elf = &work->object->mapped->elf;
	(void)cfi_section_eh_frame(&work->cfi->frames, elf);
	work->cfi->is_go = elf_section(elf, STR(".note.go.buildid")) != NULL ||
			   elf_section(elf, STR(".gopclntab")) != NULL;
}

static struct cfi *unwind_cfi_of(struct unwinder *unwinder, struct object *object) {
	if (object->cfi == NULL) {
		object->cfi = mem_new(1, sizeof(*object->cfi));
		if (object_mapped(unwinder->symbols, object) != NULL) {
			unwind_do_with_cfi(unwinder, object, unwind_read_frames);
		} else if (object->file.kind == OBJECT_JITDUMP) {
			object_open(unwinder->symbols, object);
		}
	}
	return object->cfi;
}

/** Find .debug_frame in the mapped file. If the mapped file lacks this section, find it in the
 * separate debug file. */
static void unwind_search_debug_frame(struct object_work *work) {
	struct cfi *cfi = work->cfi;
	const struct object *object = work->object;
	if (!cfi_section_debug_frame(&cfi->debug_frames, &object->mapped->elf)) {
		cfi->debug = find_debug(&work->symbols->options, &object->file, object->mapped,
					STR(".debug_frame"));
		if (cfi->debug != NULL) {
			(void)cfi_section_debug_frame(&cfi->debug_frames, &cfi->debug->elf);
		}
	}
}

static void unwind_search_debug(struct unwinder *unwinder, struct object *object) {
	object->cfi->searched_debug = true;
	if (object_mapped(unwinder->symbols, object) != NULL) {
		unwind_do_with_cfi(unwinder, object, unwind_search_debug_frame);
	}
}

/** Store a row, unless an equal row is stored already. Return the stored row. */
static const struct cfi_row *unwind_keep_row(struct cfi *cfi, const struct cfi_row *row) {
	struct intern_key *key = intern_get(&cfi->distinct, row, sizeof(*row));
	return (const struct cfi_row *)(const void *)key->bytes;
}

/** Find the row of an address in the unwinding information that a JIT compiler wrote with its code.
 */
static const struct cfi_row *unwind_make_jit_row(struct object *object,
						 const struct unwind_processor *processor,
						 uint64_t address) {
	enum { ALIGNMENT = 8 };
	const struct jitdump_code *code =
		object->lost ? NULL : jitdump_find(&object->dump, address, UINT64_MAX);
	if (code == NULL || code->eh_frame.n == 0) {
		return NULL;
	}
	// The addresses in this information are relative to its position. The information counts as
	// being directly after the code.
	struct cfi_section section = {.bytes = code->eh_frame,
				      .processor = processor,
				      .address = (code->end + ALIGNMENT - 1) &
						 ~(uint64_t)(ALIGNMENT - 1)};
	struct cfi_row row;
	memset(&row, 0, sizeof(row));
	bool found = cfi_find_row(&section, address, &row);
	cfi_section_release(&section);
	return found ? unwind_keep_row(object->cfi, &row) : NULL;
}

/** Find the row of an address for the first time. */
static const struct cfi_row *unwind_make_row(struct unwinder *unwinder, struct object *object,
					     uint64_t linked) {
	struct cfi *cfi = object->cfi;
	struct cfi_row row;
	memset(&row, 0, sizeof(row));
	if (!cfi_find_row(&cfi->frames, linked, &row)) {
		if (!cfi->searched_debug) {
			unwind_search_debug(unwinder, object);
			cfi = object->cfi;
		}
		if (cfi->debug_frames.bytes.n == 0 ||
		    !cfi_find_row(&cfi->debug_frames, linked, &row)) {
			return NULL;
		}
		row.go = cfi->is_go;
	}
	return unwind_keep_row(cfi, &row);
}

/** Return the row of an object's address, or NULL. */
static const struct cfi_row *unwind_find_row(struct unwinder *unwinder,
					     const struct unwind_processor *processor,
					     struct object *object, uint64_t address,
					     uint64_t *linked) {
	struct recent *recent = &unwinder->recent[(address ^ (uintptr_t)object >> 4) % RECENT];
	if (recent->object == object && recent->address == address) {
		*linked = recent->linked;
		return recent->row;
	}
	struct cfi *cfi = unwind_cfi_of(unwinder, object);
	const struct file *file = object->lost ? NULL : object->mapped;
	bool jit = object->file.kind == OBJECT_JITDUMP;
	*linked = address;
	if (!jit && (file == NULL || file->elf.machine != processor->machine ||
		     !elf_address(&file->elf, address, linked))) {
		return NULL;
	}
	struct address_slot *slot = address_map_slot(&cfi->rows, *linked);
	if (!slot->used) {
		slot->value = jit ? unwind_make_jit_row(object, processor, address)
				  : unwind_make_row(unwinder, object, *linked);
		slot->used = true;
	}
	*recent = (struct recent){object, address, slot->value, *linked};
	return slot->value;
}

/* --- Memory --------------------------------------------------------------------------------- */

/** Reasons why a value of the stack is missing. If several values are missing in one step, the
 * reason that comes last in this list counts. */
enum missing { MISSING_NOTHING, MISSING_NONSENSE, MISSING_OTHER, MISSING_CUT };

/** A stack that is being unwound. */
struct unwind_walk {
	struct unwinder *unwinder;
	const struct unwind_stack *stack;
	const struct unwind_processor *processor;
	uint64_t base; // address of the first recorded byte
	uint64_t registers[UNWIND_REGISTERS_MOST];
	uint64_t known;
	bool signal; // a signal interrupted the last frame, so its address is not a return address
	bool called; // the last frame has called another function
	enum missing missing;
	uint64_t record; // address of the current frame's record; see unwind_record()
};

static bool unwind_is_known(const struct unwind_walk *walk, unsigned number) {
	return (walk->known >> number & 1) != 0;
}

/** Note why the value at an address is missing. The address is in a part of the stack that was not
 * recorded, or on another stack, or makes no sense. */
static bool unwind_miss_stack(struct unwind_walk *walk, uint64_t address) {
	enum { STACK_MOST = 256 << 20 };
	const struct unwind_stack *stack = walk->stack;
	bool above = address >= walk->base;
	bool cut = above &&
		   (stack->end != 0 ? address < stack->end : address - walk->base < STACK_MOST);
	bool other = !cut && stack->end != 0 && stack->is_data != NULL &&
		     stack->is_data(stack->context, address);
	enum missing missing = cut ? MISSING_CUT : other ? MISSING_OTHER : MISSING_NONSENSE;
	walk->missing = missing > walk->missing ? missing : walk->missing;
	return false;
}

/** Return why the unwinding ends, if it ends because a value is missing. */
static enum unwind_end unwind_end_of(const struct unwind_walk *walk) {
	return walk->missing == MISSING_CUT     ? UNWIND_CUT
	       : walk->missing == MISSING_OTHER ? UNWIND_OTHER
						: UNWIND_BROKEN;
}

/** Read a word of the recorded stack, such as a saved register. */
static inline bool unwind_read_word(struct unwind_walk *walk, uint64_t address, uint64_t *value) {
	uint64_t at =
		address -
		walk->base; // an address below the base gives a huge value, which is past the end
	size_t n = walk->stack->bytes.n;
	if (n < sizeof(*value) || at > n - sizeof(*value)) {
		return unwind_miss_stack(walk, address);
	}
	*value = load_u64(walk->stack->bytes.p + at);
	return true;
}

/** Read a value from the recorded stack. If the address is not there, read the value from the file
 * that is mapped at the address. */
static bool unwind_read_memory(void *context, uint64_t address, size_t size, uint64_t *value) {
	struct unwind_walk *walk = context;
	uint64_t at = address - walk->base;
	size_t n = walk->stack->bytes.n;
	char bytes[sizeof(*value)] = {0};
	if (n >= size && at <= n - size) {
		memcpy(bytes, walk->stack->bytes.p + at, size);
		*value = load_u64(bytes);
		return true;
	}
	uint64_t offset = 0;
	struct object *object = walk->stack->find(walk->stack->context, address, &offset);
	bool read = object != NULL &&
		    object_read(walk->unwinder->symbols, object, offset, bytes, size) == size;
	*value = load_u64(bytes);
	return read || unwind_miss_stack(walk, address);
}

/* --- Steps ---------------------------------------------------------------------------------- */

static bool unwind_find_cfa(const struct cfi_row *row, const struct cfi_state *state,
			    uint64_t *cfa) {
	if (row->cfa_register == CFI_CFA_EXPRESSION) {
		return cfi_evaluate(cfi_block(row->cfa_value), state, NULL, cfa);
	}
	*cfa = state->registers[row->cfa_register] + (uint64_t)row->cfa_value;
	return (state->known >> row->cfa_register & 1) != 0;
}

/** Find the caller's value of a register. Return false if the value is lost. */
static bool unwind_find_register(struct unwind_walk *walk, const struct cfi_row *row,
				 const struct cfi_state *state, uint64_t cfa, unsigned number,
				 uint64_t *value) {
	int64_t operand = row->values[number];
	switch (row->rules[number]) {
	case CFI_OFFSET:
		return unwind_read_word(walk, cfa + (uint64_t)operand, value);
	case CFI_VALUE_OFFSET:
		*value = cfa + (uint64_t)operand;
		return true;
	case CFI_REGISTER:
		if (operand < 0 || operand >= walk->processor->registers ||
		    !unwind_is_known(walk, (unsigned)operand)) {
			return false;
		}
		*value = walk->registers[operand];
		return true;
	case CFI_EXPRESSION:
		return cfi_evaluate(cfi_block(operand), state, &cfa, value) &&
		       unwind_read_memory(walk, *value, 8, value);
	case CFI_VALUE_EXPRESSION:
		return cfi_evaluate(cfi_block(operand), state, &cfa, value);
	default:
		return false;
	}
}

/** Return whether a frame with this row stores its caller's frame pointer and its return address
 * next to each other. A walk along frame pointers needs this. Go code does this, although its rows
 * do not say so. */
static bool unwind_keeps_frame_pointer(const struct unwind_processor *processor,
				       const struct cfi_row *row) {
	unsigned fp = processor->fp, back = processor->return_column;
	bool pair = row->rules[fp] == CFI_OFFSET && row->rules[back] == CFI_OFFSET &&
		    row->values[back] == row->values[fp] + 8;
	// On x86_64, the frame pointer must point to the saved frame pointer of the caller.
	bool points = processor != &unwind_x86_64 ||
		      (row->cfa_register == fp && row->cfa_value == -row->values[fp]);
	return row->go || (pair && points);
}

/** Return the address at which a frame with this row and CFA stores its caller's frame pointer and
 * its return address. If it does not store both, return 0. */
static uint64_t unwind_record_of(const struct unwind_walk *walk, const struct cfi_row *row,
				 uint64_t cfa) {
	enum { GO_RECORD = 16 };
	if (!unwind_keeps_frame_pointer(walk->processor, row)) {
		return 0;
	}
	return row->go ? cfa - GO_RECORD : cfa + (uint64_t)row->values[walk->processor->fp];
}

/** Compute the caller's registers with a row. Return a bit mask of the known registers. */
static uint64_t unwind_find_registers(struct unwind_walk *walk, const struct cfi_row *row,
				      const struct cfi_state *state, uint64_t cfa,
				      uint64_t *values) {
	uint64_t known = walk->known | UINT64_C(1) << walk->processor->sp;
	for (uint64_t left = row->changed; left != 0; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctzll(left);
		bool found = unwind_find_register(walk, row, state, cfa, number, &values[number]);
		known = found ? known | UINT64_C(1) << number : known & ~(UINT64_C(1) << number);
	}
	return known;
}

/** Return whether the rule for the return address is possible in this frame. The rule is impossible
 * if the frame has called another function, and the return address is in a register that calls
 * overwrite. */
static bool unwind_has_return_address(const struct unwind_walk *walk, const struct cfi_row *row,
				      uint64_t known, bool called) {
	unsigned back = walk->processor->return_column;
	bool in_register = back != walk->processor->pc && row->rules[back] == CFI_SAME;
	return (known >> back & 1) != 0 && ((row->changed >> back & 1) != 0 || in_register) &&
	       !(in_register && called);
}

/** Go to the caller with a row. `called` says whether the frame has called another function. If the
 * caller is not found, return false and set `*end` to the reason. */
static bool unwind_step_by_row(struct unwind_walk *walk, const struct cfi_row *row, uint64_t bias,
			       bool called, enum unwind_end *end) {
	const struct unwind_processor *processor = walk->processor;
	const struct cfi_state state = {walk->registers, walk->known, bias, unwind_read_memory,
					walk};
	uint64_t cfa = 0, next[UNWIND_REGISTERS_MOST];
	unsigned back = processor->return_column;
	if (row->rules[back] == CFI_UNDEFINED) {
		*end = UNWIND_START;
		return false;
	}
	walk->missing = MISSING_NOTHING;
	if (!unwind_find_cfa(row, &state, &cfa)) {
		*end = unwind_end_of(walk);
		return false;
	}
	walk->record = unwind_record_of(walk, row, cfa);
	uint64_t known = unwind_find_registers(walk, row, &state, cfa, next);
	if (!unwind_has_return_address(walk, row, known, called)) {
		*end = unwind_end_of(walk);
		return false;
	}
	uint64_t before = walk->registers[processor->sp];
	bool in_register = row->rules[back] == CFI_REGISTER || row->rules[back] == CFI_SAME;
	walk->registers[processor->sp] = cfa;
	for (uint64_t left = row->changed & known; left != 0; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctzll(left);
		walk->registers[number] = next[number];
	}
	walk->known = known | UINT64_C(1) << processor->pc;
	walk->registers[processor->pc] = walk->registers[back] & processor->mask;
	*end = UNWIND_BROKEN;
	// A caller is at a higher address of the stack. There are two exceptions: a signal handler
	// may have its own stack, and the return address may still be in a register, as in vfork().
	return row->signal || cfa > before || (cfa == before && in_register);
}

/** Find the object at an address. Return NULL if there is no code at the address. */
static struct object *unwind_find_object(const struct unwind_walk *walk, uint64_t address,
					 uint64_t *offset) {
	return walk->stack->find(walk->stack->context, address, offset);
}

/** Return whether the word at an address of the stack may be a return address, because it points to
 * code. */
static bool unwind_is_return_address(struct unwind_walk *walk, uint64_t at, uint64_t *address) {
	uint64_t offset;
	return at % 8 == 0 && at >= walk->registers[walk->processor->sp] &&
	       unwind_read_word(walk, at, address) &&
	       unwind_find_object(walk, *address - 1, &offset) != NULL;
}

/** Go to the caller of generated code that has no frame pointer but stores one word on the stack.
 * On x86_64, Python can call each function through such code. */
static bool unwind_step_over_word(struct unwind_walk *walk) {
	enum { WORD = 8 };
	uint64_t frame = walk->registers[UNWIND_RBP], stack = walk->registers[UNWIND_RSP];
	uint64_t address = 0;
	walk->missing = MISSING_NOTHING;
	// Another frame may be beyond the copied bytes.
	bool has_frame = unwind_is_known(walk, UNWIND_RBP) &&
			 (unwind_is_return_address(walk, frame + WORD, &address) ||
			  walk->missing == MISSING_CUT);
	if (walk->processor != &unwind_x86_64 || has_frame ||
	    !unwind_is_return_address(walk, stack + WORD, &address)) {
		return false;
	}
	walk->registers[UNWIND_RSP] = stack + 2 * WORD;
	walk->registers[UNWIND_RIP] = address;
	return true;
}

/** Go to the caller by the frame pointer, for code without call frame information. */
static bool unwind_step_by_frame_pointer(struct unwind_walk *walk, bool go, enum unwind_end *end) {
	const struct unwind_processor *processor = walk->processor;
	uint64_t frame = walk->registers[processor->fp], saved = 0, address = 0;
	// According to the ABI, the frame pointer of the outermost frame is 0.
	*end = frame == 0 ? UNWIND_START : UNWIND_BROKEN;
	if (!unwind_is_known(walk, processor->fp) || frame == 0 || frame % 8 != 0) {
		return false;
	}
	walk->missing = MISSING_NOTHING;
	walk->record = frame;
	if (!unwind_read_word(walk, frame, &saved) ||
	    !unwind_read_word(walk, frame + 8, &address)) {
		// In code without call frame information, the register may have another use, so the
		// failure does not prove that the stack is cut off.
		*end = walk->missing == MISSING_CUT || go ? unwind_end_of(walk) : UNWIND_BROKEN;
		return false;
	}
	if (frame < walk->registers[processor->sp]) {
		return false;
	}
	walk->registers[processor->fp] = saved;
	walk->registers[processor->sp] = frame + 16;
	walk->registers[processor->pc] = address & processor->mask;
	return true;
}

/** Go to the caller of the frame with this address in an object. */
static bool unwind_step(struct unwind_walk *walk, struct object *object, uint64_t address,
			uint64_t offset, enum unwind_end *end) {
	uint64_t linked = 0;
	const struct cfi_row *row =
		unwind_find_row(walk->unwinder, walk->processor, object, offset, &linked);
	bool called = walk->called;
	walk->record = 0;
	if (row == NULL) {
		walk->signal = false;
		walk->called = true;
		if (called && object->file.kind == OBJECT_JIT && unwind_step_over_word(walk)) {
			return true;
		}
		bool go = object->cfi != NULL && object->cfi->is_go;
		return unwind_step_by_frame_pointer(walk, go, end);
	}
	walk->signal = row->signal;
	walk->called = !row->signal;
	return unwind_step_by_row(walk, row, address - linked, called, end);
}

struct unwind_code unwind_code_at(struct unwinder *unwinder, const struct unwind_stack *stack,
				  uint64_t address) {
	const struct unwind_processor *processor = unwind_processor_or_usual(stack);
	uint64_t offset = 0, linked = 0;
	struct object *object = stack->find(stack->context, address, &offset);
	if (object == NULL) {
		return (struct unwind_code){false, false};
	}
	const struct cfi_row *row = unwind_find_row(unwinder, processor, object, offset, &linked);
	if (row == NULL) {
		bool go = object->cfi != NULL && object->cfi->is_go;
		return (struct unwind_code){go || object->file.kind == OBJECT_JIT, false};
	}
	return (struct unwind_code){unwind_keeps_frame_pointer(processor, row),
				    row->rules[processor->return_column] == CFI_UNDEFINED};
}

/**
 * Return the state of the current frame. The last frame that was added is its callee.
 */
static struct unwind_frame unwind_frame_of(const struct unwind_walk *walk) {
	const uint64_t odd = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
	uint64_t saved = 0;
	for (uint64_t left = walk->processor->saved & walk->known; left != 0; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctzll(left);
		saved = (saved ^ walk->registers[number]) * odd;
		saved ^= saved >> 32;
	}
	return (struct unwind_frame){walk->registers[walk->processor->sp], saved};
}

size_t unwind(struct unwinder *unwinder, const struct unwind_stack *stack, uint64_t *addresses,
	      size_t most, enum unwind_end *end) {
	struct unwind_walk walk = {.unwinder = unwinder,
				   .stack = stack,
				   .processor = unwind_processor_or_usual(stack),
				   .known = stack->known};
	unsigned sp = walk.processor->sp, pc = walk.processor->pc;
	memcpy(walk.registers, stack->registers,
	       walk.processor->registers * sizeof(walk.registers[0]));
	walk.base = walk.registers[sp];
	uint64_t address = walk.registers[pc], offset = 0;
	struct object *object = unwind_find_object(&walk, address, &offset);
	size_t n = 0;
	MEM_GROW(unwinder->frames, unwinder->frames_capacity, most);
	*end = UNWIND_FULL;
	if (n < most) {
		addresses[n++] = address;
	}
	for (;;) {
		if (object == NULL) {
			*end = UNWIND_BROKEN;
			break;
		}
		if (!unwind_step(&walk, object, address, offset, end)) {
			break;
		}
		address = walk.registers[pc];
		if (address == 0) {
			*end = UNWIND_START;
			break;
		}
		address -= walk.signal ? 0 : 1;
		object = unwind_find_object(&walk, address, &offset);
		if (object == NULL) {
			*end = UNWIND_BROKEN;
			break;
		}
		if (n == most) {
			*end = UNWIND_FULL;
			break;
		}
		unwinder->frames[n - 1] = unwind_frame_of(&walk);
		addresses[n++] = address;
	}
	unwinder->record = walk.record;
	return n;
}
