/* Unwind recorded stacks of x86_64. */
#include "symbols/unwind.h"

#include <stdlib.h>

#include "symbols/cfi.h"
#include "symbols/object.h"

/** The call frame information of an object. */
struct cfi {
	struct cfi_section frames, debug_frames;
	bool searched_debug;
	struct file *debug;      // the file with .debug_frame, if that is another one
	struct address_map rows; // by file offset; NULL: none
	struct intern distinct;  // each distinct row, once
};

/** The row that was last found for some address. */
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
};

struct unwinder *unwinder_new(struct symbols *symbols) {
	struct unwinder *unwinder = mem_new(1, sizeof(*unwinder));
	unwinder->symbols = symbols;
	return unwinder;
}

void unwinder_free(struct unwinder *unwinder) {
	free(unwinder);
}

void cfi_free(struct cfi *cfi) {
	if (cfi == NULL) {
		return;
	}
	cfi_section_release(&cfi->frames);
	cfi_section_release(&cfi->debug_frames);
	address_map_release(&cfi->rows);
	intern_release(&cfi->distinct);
	file_free(cfi->debug);
	free(cfi);
}

bool unwind_registers(struct unwind_stack *stack, uint64_t mask, const uint64_t *values, size_t n) {
	enum { NONE = 0xff, PERF_REGISTERS = 24 };
	// Registers in perf's order: ax bx cx dx si di bp sp ip flags, six segments, r8 to r15.
	static const uint8_t numbers[PERF_REGISTERS] = {
		UNWIND_RAX,    UNWIND_RBX,    UNWIND_RCX,    UNWIND_RDX,    UNWIND_RSI,
		UNWIND_RDI,    UNWIND_RBP,    UNWIND_RSP,    UNWIND_RIP,    NONE,
		NONE,          NONE,          NONE,          NONE,          NONE,
		NONE,          UNWIND_R8,     UNWIND_R8 + 1, UNWIND_R8 + 2, UNWIND_R8 + 3,
		UNWIND_R8 + 4, UNWIND_R8 + 5, UNWIND_R8 + 6, UNWIND_R15};
	size_t at = 0;
	stack->known = 0;
	for (size_t i = 0; i < 64 && at < n; i++) {
		if ((mask >> i & 1) == 0) {
			continue;
		}
		if (i < PERF_REGISTERS && numbers[i] != NONE) {
			stack->registers[numbers[i]] = values[at];
			stack->known |= UINT32_C(1) << numbers[i];
		}
		at++;
	}
	return (stack->known >> UNWIND_RIP & 1) != 0 && (stack->known >> UNWIND_RSP & 1) != 0;
}

/* --- Rows ----------------------------------------------------------------------------------- */

static struct cfi *cfi_of(struct unwinder *unwinder, struct object *object) {
	if (object->cfi == NULL) {
		object->cfi = mem_new(1, sizeof(*object->cfi));
		struct file *file = object_mapped(unwinder->symbols, object);
		if (file != NULL) {
			(void)cfi_section_eh_frame(&object->cfi->frames, &file->elf);
		} else if (object->file.kind == OBJECT_JITDUMP) {
			object_open(unwinder->symbols, object);
		}
	}
	return object->cfi;
}

/** Find .debug_frame in the mapped file, else in its debug file. */
static void search_debug(struct unwinder *unwinder, struct object *object) {
	struct cfi *cfi = object->cfi;
	struct file *mapped = object->mapped;
	cfi->searched_debug = true;
	if (mapped != NULL && !cfi_section_debug_frame(&cfi->debug_frames, &mapped->elf)) {
		cfi->debug = find_debug(&unwinder->symbols->options, &object->file, mapped,
					STR(".debug_frame"));
		if (cfi->debug != NULL) {
			(void)cfi_section_debug_frame(&cfi->debug_frames, &cfi->debug->elf);
		}
	}
}

/** Keep a row, each distinct one once. */
static const struct cfi_row *keep_row(struct cfi *cfi, const struct cfi_row *row) {
	struct intern_key *key = intern_get(&cfi->distinct, row, sizeof(*row));
	return (const struct cfi_row *)(const void *)key->bytes;
}

/** Find the row of an address in the information that a JIT wrote with its code. */
static const struct cfi_row *make_jit_row(struct object *object, uint64_t address) {
	enum { ALIGNMENT = 8 };
	const struct jitdump_code *code = jitdump_find(&object->dump, address, UINT64_MAX);
	if (code == NULL || code->eh_frame.n == 0) {
		return NULL;
	}
	// Its addresses are computed as if it were right after the code.
	struct cfi_section section = {.bytes = code->eh_frame,
				      .address = (code->end + ALIGNMENT - 1) &
						 ~(uint64_t)(ALIGNMENT - 1)};
	struct cfi_row row;
	memset(&row, 0, sizeof(row));
	bool found = cfi_find_row(&section, address, &row);
	cfi_section_release(&section);
	return found ? keep_row(object->cfi, &row) : NULL;
}

/** Find the row of an address for the first time. */
static const struct cfi_row *make_row(struct unwinder *unwinder, struct object *object,
				      uint64_t linked) {
	struct cfi *cfi = object->cfi;
	struct cfi_row row;
	memset(&row, 0, sizeof(row));
	if (!cfi_find_row(&cfi->frames, linked, &row)) {
		if (!cfi->searched_debug) {
			search_debug(unwinder, object);
		}
		if (cfi->debug_frames.bytes.n == 0 ||
		    !cfi_find_row(&cfi->debug_frames, linked, &row)) {
			return NULL;
		}
	}
	return keep_row(cfi, &row);
}

/** Find the row of an object's address; NULL if there is none. */
static const struct cfi_row *find_row(struct unwinder *unwinder, struct object *object,
				      uint64_t address, uint64_t *linked) {
	struct recent *recent = &unwinder->recent[(address ^ (uintptr_t)object >> 4) % RECENT];
	if (recent->object == object && recent->address == address) {
		*linked = recent->linked;
		return recent->row;
	}
	struct cfi *cfi = cfi_of(unwinder, object);
	const struct file *file = object->mapped;
	bool jit = object->file.kind == OBJECT_JITDUMP;
	*linked = address;
	if (!jit && (file == NULL || !elf_address(&file->elf, address, linked))) {
		return NULL;
	}
	struct address_slot *slot = address_map_slot(&cfi->rows, *linked);
	if (!slot->used) {
		slot->value =
			jit ? make_jit_row(object, address) : make_row(unwinder, object, *linked);
		slot->used = true;
	}
	*recent = (struct recent){object, address, slot->value, *linked};
	return slot->value;
}

/* --- Memory --------------------------------------------------------------------------------- */

/** A stack that is being unwound. */
struct walk {
	struct unwinder *unwinder;
	const struct unwind_stack *stack;
	uint64_t base; // address of the first recorded byte
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;
	bool signal; // the last frame was interrupted, so its address is not that of a call
	bool called; // the last frame has called another one
	bool cut;    // some value is past the recorded bytes
};

/** Note whether a missing value may be in the part of the stack that was not recorded. */
static bool miss_stack(struct walk *walk, uint64_t address) {
	enum { STACK_MOST = 256 << 20 };
	walk->cut = walk->cut || (address >= walk->base && address - walk->base < STACK_MOST);
	return false;
}

/** Read a saved register. */
static inline bool read_word(struct walk *walk, uint64_t address, uint64_t *value) {
	uint64_t at =
		address -
		walk->base; // an address below the base gives a large value, which is past the end
	size_t n = walk->stack->bytes.n;
	if (n < sizeof(*value) || at > n - sizeof(*value)) {
		return miss_stack(walk, address);
	}
	memcpy(value, walk->stack->bytes.p + at, sizeof(*value));
	return true;
}

static bool read_stack(struct walk *walk, uint64_t address, size_t size, uint64_t *value) {
	uint64_t at = address - walk->base;
	size_t n = walk->stack->bytes.n;
	if (n < size || at > n - size) {
		return miss_stack(walk, address);
	}
	*value = 0;
	memcpy(value, walk->stack->bytes.p + at, size);
	return true;
}

/** Read from the recorded stack, else from a mapped file. */
static bool read_memory(void *context, uint64_t address, size_t size, uint64_t *value) {
	struct walk *walk = context;
	if (read_stack(walk, address, size, value)) {
		return true;
	}
	uint64_t offset = 0;
	struct object *object = walk->stack->find(walk->stack->context, address, &offset);
	*value = 0;
	bool read = object != NULL &&
		    object_read(walk->unwinder->symbols, object, offset, value, size) == size;
	walk->cut = walk->cut && !read;
	return read;
}

/* --- Steps ---------------------------------------------------------------------------------- */

static bool find_cfa(const struct cfi_row *row, const struct cfi_state *state, uint64_t *cfa) {
	if (row->cfa_register == CFI_CFA_EXPRESSION) {
		return cfi_evaluate(cfi_block(row->cfa_value), state, NULL, cfa);
	}
	*cfa = state->registers[row->cfa_register] + (uint64_t)row->cfa_value;
	return (state->known >> row->cfa_register & 1) != 0;
}

/** Find the caller's value of a register. Return false if it is lost. */
static bool find_register(struct walk *walk, const struct cfi_row *row,
			  const struct cfi_state *state, uint64_t cfa, unsigned number,
			  uint64_t *value) {
	int64_t operand = row->values[number];
	switch (row->rules[number]) {
	case CFI_OFFSET:
		return read_word(walk, cfa + (uint64_t)operand, value);
	case CFI_VALUE_OFFSET:
		*value = cfa + (uint64_t)operand;
		return true;
	case CFI_REGISTER:
		if (operand < 0 || operand >= UNWIND_REGISTERS ||
		    (walk->known >> operand & 1) == 0) {
			return false;
		}
		*value = walk->registers[operand];
		return true;
	case CFI_EXPRESSION:
		return cfi_evaluate(cfi_block(operand), state, &cfa, value) &&
		       read_memory(walk, *value, 8, value);
	case CFI_VALUE_EXPRESSION:
		return cfi_evaluate(cfi_block(operand), state, &cfa, value);
	default:
		return false;
	}
}

/** Go to the caller by a row. Return false if that fails, and set the reason. */
static bool step_by_row(struct walk *walk, const struct cfi_row *row, uint64_t bias,
			enum unwind_end *end) {
	const struct cfi_state state = {walk->registers, walk->known, bias, read_memory, walk};
	uint64_t cfa = 0, next[UNWIND_REGISTERS];
	if (row->rules[UNWIND_RIP] == CFI_UNDEFINED) {
		*end = UNWIND_START;
		return false;
	}
	walk->cut = false;
	if (!find_cfa(row, &state, &cfa)) {
		*end = walk->cut ? UNWIND_CUT : UNWIND_BROKEN;
		return false;
	}
	uint32_t known = walk->known | UINT32_C(1) << UNWIND_RSP;
	for (uint32_t left = row->changed; left != 0; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctz(left);
		bool found = find_register(walk, row, &state, cfa, number, &next[number]);
		known = found ? known | UINT32_C(1) << number : known & ~(UINT32_C(1) << number);
	}
	if ((known & row->changed) >> UNWIND_RIP == 0) {
		*end = walk->cut ? UNWIND_CUT : UNWIND_BROKEN;
		return false;
	}
	uint64_t before = walk->registers[UNWIND_RSP];
	walk->registers[UNWIND_RSP] = cfa;
	for (uint32_t left = row->changed & known; left != 0; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctz(left);
		walk->registers[number] = next[number];
	}
	walk->known = known;
	*end = UNWIND_BROKEN;
	// A caller is higher on the stack. But a signal handler may have a stack of its own, and
	// vfork() keeps its return address in a register.
	return row->signal || cfa > before ||
	       (cfa == before && row->rules[UNWIND_RIP] == CFI_REGISTER);
}

/** Find the object at an address. Return NULL if no code is there. */
static struct object *find_object(const struct walk *walk, uint64_t address, uint64_t *offset) {
	return walk->stack->find(walk->stack->context, address, offset);
}

/** Return whether the word at an address of the stack is a return address: code is there. */
static bool is_return_address(struct walk *walk, uint64_t at, uint64_t *address) {
	uint64_t offset;
	return at % 8 == 0 && at >= walk->registers[UNWIND_RSP] && read_word(walk, at, address) &&
	       find_object(walk, *address - 1, &offset) != NULL;
}

/** Go to the caller of code that a runtime made without a frame pointer. Python calls each function
 * through such code, which keeps one word on the stack. */
static bool step_over_word(struct walk *walk) {
	enum { WORD = 8 };
	uint64_t frame = walk->registers[UNWIND_RBP], stack = walk->registers[UNWIND_RSP];
	uint64_t address = 0;
	bool has_frame = (walk->known >> UNWIND_RBP & 1) != 0 &&
			 is_return_address(walk, frame + WORD, &address);
	if (has_frame || !is_return_address(walk, stack + WORD, &address)) {
		return false;
	}
	walk->registers[UNWIND_RSP] = stack + 2 * WORD;
	walk->registers[UNWIND_RIP] = address;
	return true;
}

/** Go to the caller by the frame pointer, for code without call frame information. */
static bool step_by_frame_pointer(struct walk *walk, enum unwind_end *end) {
	uint64_t frame = walk->registers[UNWIND_RBP], saved = 0, address = 0;
	// According to the ABI, the frame pointer of the outermost frame is 0.
	*end = frame == 0 ? UNWIND_START : UNWIND_BROKEN;
	if ((walk->known >> UNWIND_RBP & 1) == 0 || frame < walk->registers[UNWIND_RSP] ||
	    frame % 8 != 0) {
		return false;
	}
	walk->cut = false;
	if (!read_word(walk, frame, &saved) || !read_word(walk, frame + 8, &address)) {
		*end = walk->cut ? UNWIND_CUT : UNWIND_BROKEN;
		return false;
	}
	walk->registers[UNWIND_RBP] = saved;
	walk->registers[UNWIND_RSP] = frame + 16;
	walk->registers[UNWIND_RIP] = address;
	return true;
}

/** Go to the caller of an address in an object. */
static bool step(struct walk *walk, struct object *object, uint64_t address, uint64_t offset,
		 enum unwind_end *end) {
	uint64_t linked = 0;
	const struct cfi_row *row = find_row(walk->unwinder, object, offset, &linked);
	if (row == NULL) {
		bool called = walk->called;
		walk->signal = false;
		walk->called = true;
		if (called && object->file.kind == OBJECT_JIT && step_over_word(walk)) {
			return true;
		}
		return step_by_frame_pointer(walk, end);
	}
	walk->signal = row->signal;
	walk->called = !row->signal;
	return step_by_row(walk, row, address - linked, end);
}

size_t unwind_x86_64(struct unwinder *unwinder, const struct unwind_stack *stack,
		     uint64_t *addresses, size_t most, enum unwind_end *end) {
	struct walk walk = {.unwinder = unwinder,
			    .stack = stack,
			    .base = stack->registers[UNWIND_RSP],
			    .known = stack->known};
	memcpy(walk.registers, stack->registers, sizeof(walk.registers));
	uint64_t address = walk.registers[UNWIND_RIP], offset = 0;
	struct object *object = find_object(&walk, address, &offset);
	size_t n = 0;
	*end = UNWIND_FULL;
	if (n < most) {
		addresses[n++] = address;
	}
	for (;;) {
		if (object == NULL) {
			*end = UNWIND_BROKEN;
			break;
		}
		if (!step(&walk, object, address, offset, end)) {
			break;
		}
		address = walk.registers[UNWIND_RIP];
		if (address == 0) {
			*end = UNWIND_START;
			break;
		}
		address -= walk.signal ? 0 : 1;
		object = find_object(&walk, address, &offset);
		if (object == NULL) {
			*end = UNWIND_BROKEN;
			break;
		}
		if (n == most) {
			*end = UNWIND_FULL;
			break;
		}
		addresses[n++] = address;
	}
	return n;
}
