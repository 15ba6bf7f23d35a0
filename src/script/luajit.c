/* LuaJIT 2.1 on x86-64, with pointers of 64 bits. The states of LuaJIT are searched on the heap.
 * The stack of a state has the called functions and their frames. The interpreter keeps the
 * innermost frame in a register. While compiled code runs, this register keeps the frame from which
 * the code was entered. */
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/scan.h"

/** Offsets in the global state. These offsets differ between releases. */
struct luajit_layout {
	uint16_t main, machine, current, jit_base;
};

/* The layouts: from 2.1.0-beta3 of 2017 on, and from 2020 on. */
static const struct luajit_layout luajit_layouts[] = {
	{200, 128, 344, 352},
	{192, 184, 368, 376},
};

static const char *const luajit_globals[] = {"luaJIT_setmode", NULL};

static const char *const luajit_files[] = {"lua", NULL};

static const char *const luajit_loops[] = {"lua_call", "lua_pcall", "lua_cpcall", "lua_resume",
					   NULL};

static const char *const luajit_glue[] = {"lj_vm_*", "lj_BC_*", "lj_ff_*",        "lj_cont_*",
					  "docall",  "dochunk", "pmain",          "handle_script",
					  "main",    "_start",  "__libc_start_*", NULL};

enum {
	SLOT = 8,
	COROUTINES_MOST = 200,
	BX = 1, // perf's numbers of registers
	DX = 3,
	STATE_KIND_AT = 9,
	STATE_STATUS = 11,
	STATE_GLOBAL = 16,
	STATE_BASE = 32,
	STATE_STACK = 56,
	STATE_FRAME_OF_C = 80,
	STATE_SIZE = 88,
	THREAD_KIND = 6,
	PROTO_KIND = 7,
	FUNCTION_KIND = 8,
	TABLE_KIND = 11,
	STRING_KIND = 4,
	FUNCTION_ID = 10,
	FUNCTION_GLOBALS = 16,
	FUNCTION_CODE = 32,
	FUNCTION_VALUES = 40, // in Lua functions: upvalues; in C functions: one word later
	FUNCTION_SIZE = 48,
	UPVALUE_PLACE = 32,
	PROTO_SIZE = 104,
	PROTO_CODES = 12,
	PROTO_CONSTANTS = 32,
	PROTO_FILE = 64,
	PROTO_LINE = 72,
	PROTO_LINES_N = 76,
	PROTO_LINES = 80,
	PROTO_UPVALUES = 88,
	PROTO_VARIABLES = 96,
	TEXT_AT = 24,
	TABLE_NODES = 40,
	TABLE_MASK = 52,
	NODE_SIZE = 24,
	INSTRUCTION = 4,
	RUN_FOR = 81, // run the trace whose number the instruction has
	RUN_ITERATION = 84,
	RUN_LOOP = 87,
	RUN_FUNCTION = 91,
	RUN_FUNCTION_OF_ARGUMENTS = 94,
	MOVE = 18,
	GET_UPVALUE = 45,
	GET_GLOBAL = 54,
	GET_FIELD = 57,
	FRAME_KINDS = 7,
	FRAME_OF_C = 1,
	FRAME_OF_CONTINUATION = 2,
	FRAME_OF_ARGUMENTS = 3,
	FRAME_OF_C_PROTECTED = 5,
};

struct luajit {
	const struct luajit_layout *layout;
	struct scan scan;
	struct known names;
	struct intern texts; // if names have lines: the names without their lines
	struct buf text;
	struct remote_pages pages;
	uint64_t chain[COROUTINES_MOST]; // the main thread of a state, and coroutines
};

/** A frame, identified by its place on the stack of its state. */
struct luajit_frame {
	uint64_t place, function, proto; // `proto` is 0 for a C function
	uint64_t pc; // address after the instruction that called the function; 0: Lua did not call
		     // it
	unsigned kind;
};

static bool luajit_get(struct script_process *process, uint64_t address, void *bytes, size_t n) {
	struct luajit *luajit = process->state;
	return remote_read_near(&process->remote, &luajit->pages, address, bytes, n);
}

static uint64_t luajit_u64(struct script_process *process, uint64_t address) {
	uint64_t value = 0;
	return luajit_get(process, address, &value, sizeof(value)) ? value : 0;
}

static uint32_t luajit_u32(struct script_process *process, uint64_t address) {
	uint32_t value = 0;
	return luajit_get(process, address, &value, sizeof(value)) ? value : 0;
}

/** Return the object that a value refers to; or 0 if the object is not of this kind. */
static uint64_t luajit_object(struct script_process *process, uint64_t value, unsigned kind) {
	const uint64_t mask = (UINT64_C(1) << 47) - 1;
	unsigned char found = 0;
	uint64_t object = value & mask;
	return remote_is_pointer(object) &&
			       luajit_get(process, object + STATE_KIND_AT, &found, 1) &&
			       found == kind
		       ? object
		       : 0;
}

/* --- Version -------------------------------------------------------------------------------- */

static bool luajit_open(struct script_process *process, struct buf *version) {
#if defined(__x86_64__)
	buf_add_text(version, "2.1");
	process->state = mem_new(1, sizeof(struct luajit));
	return true;
#else
	(void)process;
	buf_add_text(version, "on this processor");
	return false;
#endif
}

static void luajit_close(struct script_process *process) {
	struct luajit *luajit = process->state;
	known_release(&luajit->names);
	intern_release(&luajit->texts);
	buf_release(&luajit->text);
	free(luajit);
}

/* --- States --------------------------------------------------------------------------------- */

/** Search for states, with one layout after the other until states are found. */
static void luajit_scan(struct script_process *process) {
	enum { FARTHEST = 512, LAYOUTS = sizeof(luajit_layouts) / sizeof(*luajit_layouts) };
	struct luajit *luajit = process->state;
	size_t bytes = scan_begin(&luajit->scan, process->now);
	if (bytes == 0) {
		return;
	}
	luajit->scan.n = 0;
	for (size_t i = 0; luajit->scan.n == 0 && i < LAYOUTS; i++) {
		luajit->layout = &luajit_layouts[i];
		const struct scan_marks marks = {.byte = THREAD_KIND,
						 .byte_at = STATE_KIND_AT,
						 .pointer_at = STATE_GLOBAL,
						 .back_at = luajit->layout->main,
						 .farthest = FARTHEST};
		scan_states(&luajit->scan, &process->remote, &marks, bytes);
	}
}

/** Return the address of the global state of a state; 0 if the state no longer exists. */
static uint64_t luajit_global(struct script_process *process, uint64_t state) {
	const struct luajit *luajit = process->state;
	uint64_t global = luajit_u64(process, state + STATE_GLOBAL);
	return remote_is_pointer(global) &&
			       luajit_u64(process, global + luajit->layout->main) == state
		       ? global
		       : 0;
}

/** Return whether a state runs in a thread: the state's C frame must be on the thread's stack. */
static bool luajit_runs_in(struct script_process *process, uint64_t state,
			   const struct script_thread *thread) {
	const uint64_t flags = 3;
	struct luajit *luajit = process->state;
	uint64_t sp = thread->has_registers ? thread->registers[SCRIPT_SP] : 0;
	uint64_t frame = luajit_u64(process, state + STATE_FRAME_OF_C) & ~flags;
	if (sp == 0 || frame == 0) {
		return false;
	}
	return scan_is_on_stack(&luajit->scan, process->remote.pid, thread->tid, sp, frame);
}

/** Return the main state that runs in a thread; or 0 if no state runs there. */
static uint64_t luajit_state_of(struct script_process *process,
				const struct script_thread *thread) {
	struct luajit *luajit = process->state;
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < luajit->scan.n; j++) {
			if (luajit_global(process, luajit->scan.states[j]) != 0 &&
			    luajit_runs_in(process, luajit->scan.states[j], thread)) {
				return luajit->scan.states[j];
			}
		}
		luajit_scan(process);
	}
	return 0;
}

/* --- Frames --------------------------------------------------------------------------------- */

/** Read the frame at a place of the stack. Return false if there is no frame. */
static bool luajit_read_frame(struct script_process *process, uint64_t place,
			      struct luajit_frame *frame) {
	unsigned char id = 0;
	uint64_t word = luajit_u64(process, place), value = luajit_u64(process, place - SLOT);
	*frame = (struct luajit_frame){.place = place, .kind = word & FRAME_KINDS};
	if ((word & FRAME_OF_ARGUMENTS) == 0) {
		frame->kind = 0;
		frame->pc = word;
	}
	if (luajit_object(process, value, THREAD_KIND) != 0) {
		return true; // this frame stands for a call from C code
	}
	frame->function = luajit_object(process, value, FUNCTION_KIND);
	if (frame->function == 0 || !luajit_get(process, frame->function + FUNCTION_ID, &id, 1)) {
		return false;
	}
	if (id == 0) {
		frame->proto = luajit_u64(process, frame->function + FUNCTION_CODE) - PROTO_SIZE;
		return luajit_object(process, frame->proto, PROTO_KIND) != 0;
	}
	return true;
}

/** Return the place of the caller's frame; or 0 if this place is invalid. */
static uint64_t luajit_previous(struct script_process *process, const struct luajit_frame *frame) {
	if (frame->pc != 0) {
		uint32_t call = luajit_u32(process, frame->pc - INSTRUCTION);
		return call == 0 ? 0 : frame->place - SLOT * (2 + (uint64_t)(call >> 8 & 255));
	}
	uint64_t delta = luajit_u64(process, frame->place) & ~(uint64_t)FRAME_KINDS;
	return delta != 0 && delta < frame->place ? frame->place - delta : 0;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Add the text of a string. */
static bool luajit_add_text(struct script_process *process, uint64_t string, struct buf *out) {
	enum { MOST = 200 };
	struct buf text = {0};
	bool good = luajit_object(process, string, STRING_KIND) != 0 &&
		    remote_text(&process->remote, string + TEXT_AT, MOST, &text) && text.n > 0;
	if (good) {
		utf8_repair(out, buf_str(&text));
	}
	buf_release(&text);
	return good;
}

/** Return the value of a string key in a table; or 0 if the table lacks the key. */
static uint64_t luajit_look_up(struct script_process *process, uint64_t table, uint64_t key) {
	enum { MOST = 4096 };
	if (table == 0 || key == 0) {
		return 0;
	}
	uint64_t node = luajit_u64(process, table + TABLE_NODES);
	uint32_t mask = luajit_u32(process, table + TABLE_MASK);
	for (uint32_t i = 0; i <= mask && i < MOST && node != 0; i++, node += NODE_SIZE) {
		if (luajit_object(process, luajit_u64(process, node + SLOT), STRING_KIND) == key) {
			return luajit_u64(process, node);
		}
	}
	return 0;
}

/** An instruction of a Lua function, and the place of the function's variables. */
struct luajit_place {
	const struct luajit_frame *frame;
	uint64_t base, at; // addresses of the first variable and of an instruction
};

/** Return the last instruction before a place that sets a register; or 0 if no instruction nearby
 * sets the register. Move `place` to the instruction. */
static uint32_t luajit_loader(struct script_process *process, struct luajit_place *place,
			      unsigned number) {
	enum { FARTHEST = 200 };
	uint64_t first = place->frame->proto + PROTO_SIZE;
	for (int i = 0; i < FARTHEST && place->at > first; i++) {
		place->at -= INSTRUCTION;
		uint32_t word = luajit_u32(process, place->at);
		if ((word >> 8 & 255) == number) {
			return word;
		}
	}
	return 0;
}

/** Return a constant string of a function; or 0 if the constant is not a string. */
static uint64_t luajit_constant(struct script_process *process, const struct luajit_place *place,
				uint32_t number) {
	uint64_t constants = luajit_u64(process, place->frame->proto + PROTO_CONSTANTS);
	uint64_t value = luajit_u64(process, constants - SLOT * ((uint64_t)number + 1));
	return luajit_object(process, value, STRING_KIND);
}

/** Return the value that an instruction loads; or 0 if the value no longer exists. */
static uint64_t luajit_value(struct script_process *process, struct luajit_place place,
			     uint32_t load, int depth) {
	enum { DEEPEST = 3 };
	const struct luajit_frame *frame = place.frame;
	unsigned code = load & 255, a = load >> 8 & 255, b = load >> 24, c = load >> 16 & 255;
	if (code == MOVE) {
		return luajit_u64(process, place.base + SLOT * (uint64_t)(load >> 16));
	}
	if (code == GET_UPVALUE) {
		uint64_t upvalue = luajit_u64(process, frame->function + FUNCTION_VALUES +
							       SLOT * (uint64_t)(load >> 16));
		return luajit_u64(process, luajit_u64(process, upvalue + UPVALUE_PLACE));
	}
	if (code == GET_GLOBAL) {
		uint64_t table = luajit_u64(process, frame->function + FUNCTION_GLOBALS);
		return luajit_look_up(process, luajit_object(process, table, TABLE_KIND),
				      luajit_constant(process, &place, load >> 16));
	}
	if (code != GET_FIELD || depth >= DEEPEST) {
		return 0;
	}
	uint64_t table = luajit_u64(process, place.base + SLOT * (uint64_t)b);
	if (a == b) { // the result of the instruction has replaced the table in its slot
		uint32_t before = luajit_loader(process, &place, b);
		table = luajit_value(process, place, before, depth + 1);
	}
	return luajit_look_up(process, luajit_object(process, table, TABLE_KIND),
			      luajit_constant(process, &place, c));
}

/** Add the name of an upvalue of a function. Return false if the name cannot be read. */
static bool luajit_add_upvalue(struct script_process *process, uint64_t proto, unsigned number,
			       struct buf *out) {
	enum { MOST = 200 };
	uint64_t names = luajit_u64(process, proto + PROTO_UPVALUES);
	for (unsigned i = 0; i <= number && names != 0; i++) {
		struct buf text = {0};
		bool good = remote_text(&process->remote, names, MOST, &text) && text.n > 0;
		if (good && i == number) {
			utf8_repair(out, buf_str(&text));
		}
		names += text.n + 1;
		buf_release(&text);
		if (!good || i == number) {
			return good;
		}
	}
	return false;
}

/** Read a number with seven bits in each byte, low bits first. Move `at` after the number. */
static uint32_t luajit_varint(struct script_process *process, uint64_t *at) {
	uint32_t value = 0;
	unsigned char byte = 128;
	for (unsigned shift = 0; (byte & 128) != 0 && shift < 28; shift += 7) {
		byte = 0;
		(void)luajit_get(process, (*at)++, &byte, 1);
		value |= (uint32_t)(byte & 127) << shift;
	}
	return value;
}

/** Add the name of a local variable. Return false if there is none. For each variable, the table of
 * variables has the name, and the instructions at which the variable's scope starts and ends. Each
 * of these instructions is stored as a difference from the previous one. */
static bool luajit_add_local(struct script_process *process, uint64_t proto, unsigned slot,
			     uint32_t pc, struct buf *out) {
	enum { MOST = 250, LONGEST = 200, OWN_NAMES = 7 };
	uint64_t at = luajit_u64(process, proto + PROTO_VARIABLES);
	uint32_t start = 0;
	for (int i = 0; i < MOST && at != 0; i++) {
		struct buf text = {0};
		unsigned char first = 0;
		bool good = luajit_get(process, at, &first, 1) && first != 0;
		if (good && first >= OWN_NAMES) {
			good = remote_text(&process->remote, at, LONGEST, &text);
		}
		at += text.n + 1;
		start += luajit_varint(process, &at);
		uint32_t end = start + luajit_varint(process, &at);
		bool found = good && start <= pc && pc < end && slot-- == 0;
		good = good && start <= pc;
		if (found && text.n > 0) {
			utf8_repair(out, buf_str(&text));
		}
		found = found && text.n > 0;
		buf_release(&text);
		if (found || !good) {
			return found;
		}
	}
	return false;
}

/** Add the name by which a caller calls a function. Return false if the name no longer means this
 * function. After a tail call, the name may mean another function, because a tail call leaves no
 * frame. */
static bool luajit_add_called(struct script_process *process, const struct luajit_frame *callee,
			      const struct luajit_frame *caller, struct buf *out) {
	if (callee->pc == 0 || caller->proto == 0) {
		return false;
	}
	struct luajit_place place = {caller, caller->place + SLOT, callee->pc - INSTRUCTION};
	unsigned number = luajit_u32(process, place.at) >> 8 & 255;
	uint32_t load = luajit_loader(process, &place, number);
	uint64_t value =
		luajit_object(process, luajit_value(process, place, load, 0), FUNCTION_KIND);
	uint64_t code = value == 0 ? 0 : luajit_u64(process, value + FUNCTION_CODE);
	bool same = value == callee->function ||
		    (callee->proto != 0 && code == callee->proto + PROTO_SIZE);
	uint32_t pc = (uint32_t)((place.at - caller->proto - PROTO_SIZE) / INSTRUCTION);
	switch (same ? load & 255 : 0) {
	case MOVE:
		return luajit_add_local(process, caller->proto, load >> 16, pc, out);
	case GET_UPVALUE:
		return luajit_add_upvalue(process, caller->proto, load >> 16, out);
	case GET_GLOBAL:
		return luajit_add_text(process, luajit_constant(process, &place, load >> 16), out);
	case GET_FIELD:
		return luajit_add_text(process, luajit_constant(process, &place, load >> 16 & 255),
				       out);
	default:
		return false;
	}
}

/** Make the name of a function. Return whether the name comes from the code of the caller. */
static bool luajit_name(struct script_process *process, const struct luajit_frame *frame,
			const struct luajit_frame *caller, uint32_t *id) {
	struct luajit *luajit = process->state;
	struct buf source = {0};
	buf_clear(&luajit->text);
	uint64_t file = frame->proto == 0 ? 0 : luajit_u64(process, frame->proto + PROTO_FILE);
	uint32_t line = frame->proto == 0 ? 1 : luajit_u32(process, frame->proto + PROTO_LINE);
	if (frame->proto != 0) {
		(void)luajit_add_text(process, file, &source);
		struct str text = buf_str(&source);
		size_t slash = str_find_last(text, '/');
		bool is_file = str_starts(text, STR("@"));
		buf_add_str(&luajit->text,
			    is_file ? str_from(text, slash == STR_NONE ? 1 : slash + 1)
			    : str_starts(text, STR("=")) ? str_from(text, 1)
							 : STR("[string]"));
	}
	size_t before = luajit->text.n;
	buf_add_text(&luajit->text, before > 0 && line > 0 ? ":" : "");
	bool named = line == 0 || luajit_add_called(process, frame, caller, &luajit->text);
	if (!named) {
		luajit->text.n = before;
		if (frame->proto != 0) {
			buf_printf(&luajit->text, ":%u", line);
		} else {
			buf_add_text(&luajit->text, "[C]");
		}
	}
	buf_release(&source);
	*id = process->lines ? intern_get(&luajit->texts, luajit->text.p, luajit->text.n)->id
			     : process->name(process->context, buf_str(&luajit->text));
	return named;
}

/** Return the number of a function's name: its number in `texts` if names have lines. */
static uint32_t luajit_find(struct script_process *process, const struct luajit_frame *frame,
			    const struct luajit_frame *caller) {
	struct luajit *luajit = process->state;
	uint64_t key = frame->proto != 0 ? frame->proto : frame->function;
	uint64_t print = frame->proto == 0 ? luajit_u64(process, key + FUNCTION_CODE) ^
						     luajit_u64(process, key + FUNCTION_VALUES)
					   : luajit_u64(process, key + PROTO_FILE) ^
						     luajit_u64(process, key + PROTO_LINE);
	struct known_name *known = known_get(&luajit->names, key, sizeof(struct known_name));
	if (known->seen == 0 || known->print != print) {
		bool named = luajit_name(process, frame, caller, &known->id);
		known->print = print;
		known->seen = named || frame->proto != 0 ? process->now : 0;
	}
	return known->id;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Return the line of an instruction; or 0 if the line is not known. For each instruction except
 * the first, the table of lines has the difference between the instruction's line and the first
 * line of the function. The size of an entry depends on the number of lines. */
static uint32_t luajit_line(struct script_process *process, uint64_t proto, uint64_t instruction) {
	uint64_t index = (instruction - proto - PROTO_SIZE) / INSTRUCTION;
	uint64_t table = proto == 0 ? 0 : luajit_u64(process, proto + PROTO_LINES);
	if (instruction < proto + PROTO_SIZE || table == 0 ||
	    index >= luajit_u32(process, proto + PROTO_CODES)) {
		return 0;
	}
	uint32_t n = luajit_u32(process, proto + PROTO_LINES_N), line = 0;
	size_t size = n <= UINT8_MAX ? 1 : n <= UINT16_MAX ? 2 : sizeof(line);
	bool known =
		index == 0 || luajit_get(process, table + (index - 1) * size, (char *)&line, size);
	return known && line <= n ? line + luajit_u32(process, proto + PROTO_LINE) : 0;
}

/** Return the instruction of a function at which a trace starts; or 0 if the trace starts in
 * another function, or at the exit of another trace. */
static uint64_t luajit_trace_start(struct script_process *process, uint64_t proto,
				   uint32_t number) {
	enum { MOST = 10000 };
	uint32_t n = luajit_u32(process, proto + PROTO_CODES);
	for (uint32_t i = 0; i < n && i < MOST; i++) {
		uint64_t at = proto + PROTO_SIZE + (uint64_t)i * INSTRUCTION;
		uint32_t word = luajit_u32(process, at), code = word & 255;
		bool runs = code == RUN_FOR || code == RUN_ITERATION || code == RUN_LOOP ||
			    code == RUN_FUNCTION || code == RUN_FUNCTION_OF_ARGUMENTS;
		if (runs && word >> 16 == number) {
			return at;
		}
	}
	return 0;
}

/** Return the instruction that the innermost function executes; or 0 if it is not known. A register
 * of the interpreter has the address of the next instruction. */
static uint64_t luajit_instruction(struct script_process *process,
				   const struct script_thread *thread, int32_t machine,
				   uint64_t base) {
	struct luajit_frame frame;
	if (!process->lines || !luajit_read_frame(process, base - SLOT, &frame) ||
	    frame.proto == 0) {
		return 0;
	}
	return machine >= 0 ? luajit_trace_start(process, frame.proto, (uint32_t)machine)
			    : thread->registers[BX] - INSTRUCTION;
}

/* --- Walking -------------------------------------------------------------------------------- */

/** Push the frame of a function, with the line of its current instruction if the line is wanted and
 * known. */
static void luajit_push(struct script_process *process, const struct luajit_frame *frame,
			const struct luajit_frame *caller, uint64_t instruction,
			struct script_stack *stack) {
	struct luajit *luajit = process->state;
	uint32_t id = luajit_find(process, frame, caller);
	if (process->lines) {
		uint32_t line = luajit_line(process, frame->proto, instruction);
		buf_set_str(&luajit->text, intern_str(luajit->texts.keys[id]));
		if (line != 0) {
			buf_printf(&luajit->text, ":%u", line);
		}
		id = process->name(process->context, buf_str(&luajit->text));
	}
	stack->frames[stack->n++] = (struct script_frame){.name = id};
}

/** Push the frames of one state. `base` is the address of the innermost function's variables.
 * `instruction` is the instruction that the innermost function executes, or 0 if it is not known.
 * Return false if the frames are invalid. */
static bool luajit_walk_from(struct script_process *process, uint64_t state, uint64_t base,
			     uint64_t instruction, struct script_stack *stack) {
	enum { STEPS_MOST = 4 * SCRIPT_DEPTH_MOST };
	uint64_t bottom = luajit_u64(process, state + STATE_STACK) + SLOT;
	struct luajit_frame frame, caller;
	if (bottom == SLOT || base <= bottom || base % SLOT != 0 ||
	    !luajit_read_frame(process, base - SLOT, &frame)) {
		return base == bottom + SLOT;
	}
	for (size_t steps = 0; frame.place > bottom && steps < STEPS_MOST; steps++) {
		uint64_t previous = luajit_previous(process, &frame);
		if (previous < bottom || previous >= frame.place) {
			return false;
		}
		caller = (struct luajit_frame){.place = previous};
		if (previous > bottom && !luajit_read_frame(process, previous, &caller)) {
			return false;
		}
		bool enters = frame.kind == FRAME_OF_C || frame.kind == FRAME_OF_C_PROTECTED;
		if (stack->n >= SCRIPT_DEPTH_MOST) {
			stack->cut = true;
			return true;
		}
		// A function with a variable number of arguments has a second frame for its
		// arguments. An outermost C function that C code calls only starts the state.
		bool starts = frame.proto == 0 && caller.function == 0 && previous == bottom;
		if (frame.function != 0 && frame.kind != FRAME_OF_ARGUMENTS && !starts) {
			luajit_push(process, &frame, &caller, instruction, stack);
		}
		if (enters && stack->n > 0) {
			stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
		}
		if (frame.kind != FRAME_OF_ARGUMENTS) {
			instruction = frame.pc != 0 ? frame.pc - INSTRUCTION : 0;
		}
		frame = caller;
	}
	return frame.place == bottom;
}

/** Push the frames of the state that runs. Return false if they are not found. */
static bool luajit_walk_running(struct script_process *process, uint64_t state, uint64_t global,
				const struct script_thread *thread, struct script_stack *stack) {
	const struct luajit_layout *layout = ((const struct luajit *)process->state)->layout;
	int32_t machine = (int32_t)luajit_u32(process, global + layout->machine);
	uint64_t saved = luajit_u64(process, state + STATE_BASE);
	const uint64_t bases[] = {machine >= 0 ? luajit_u64(process, global + layout->jit_base)
					       : thread->registers[DX],
				  saved};
	// In a function that the interpreter calls, the register has another value.
	size_t before = stack->n;
	for (size_t i = 0; i < 2; i++) {
		stack->n = before;
		if (bases[i] >= luajit_u64(process, state + STATE_STACK) &&
		    luajit_walk_from(process, state, bases[i],
				     luajit_instruction(process, thread, machine, bases[i]),
				     stack) &&
		    stack->n > before) {
			return true;
		}
	}
	stack->n = before;
	return false;
}

/** Return the coroutine that the innermost function of a waiting state has resumed; or 0. */
static uint64_t luajit_resumed(struct script_process *process, uint64_t state) {
	uint64_t base = luajit_u64(process, state + STATE_BASE);
	uint64_t function =
		luajit_object(process, luajit_u64(process, base - 2 * SLOT), FUNCTION_KIND);
	uint64_t found = luajit_object(process, luajit_u64(process, base), THREAD_KIND);
	if (function == 0) {
		return 0;
	}
	if (found == 0 || luajit_u64(process, found + STATE_FRAME_OF_C) == 0) {
		uint64_t value = luajit_u64(process, function + FUNCTION_VALUES + SLOT);
		found = luajit_object(process, value, THREAD_KIND);
	}
	return found != 0 && luajit_u64(process, found + STATE_FRAME_OF_C) != 0 ? found : 0;
}

static enum script_state luajit_walk(struct script_process *process,
				     const struct script_thread *thread,
				     struct script_stack *stack) {
	struct luajit *luajit = process->state;
	size_t n = 0;
	remote_forget(&luajit->pages);
	uint64_t main = luajit_state_of(process, thread);
	uint64_t global = main == 0 ? 0 : luajit_global(process, main);
	if (global == 0) {
		return SCRIPT_NONE;
	}
	uint64_t current = luajit_u64(process, global + luajit->layout->current);
	for (uint64_t next = main; next != 0 && n < COROUTINES_MOST; n++) {
		luajit->chain[n] = next;
		next = next == current ? 0 : luajit_resumed(process, next);
	}
	if (luajit->chain[n - 1] != current) {
		return SCRIPT_TORN;
	}
	if (!luajit_walk_running(process, current, global, thread, stack)) {
		return SCRIPT_TORN;
	}
	while (--n > 0) {
		uint64_t state = luajit->chain[n - 1];
		if (!luajit_walk_from(process, state, luajit_u64(process, state + STATE_BASE), 0,
				      stack)) {
			return SCRIPT_TORN;
		}
	}
	return remote_u64(&process->remote, global + luajit->layout->current) == current
		       ? SCRIPT_SNAPSHOT
		       : SCRIPT_TORN;
}

static enum script_state luajit_read(struct script_process *process,
				     const struct script_thread *thread,
				     struct script_stack *stack) {
	// The registers come from the sample, so a second attempt would read the same stack.
	enum script_state state = luajit_walk(process, thread, stack);
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_luajit = {
	.name = "luajit",
	.title = "LuaJIT",
	.files = luajit_files,
	.globals = luajit_globals,
	.loops = luajit_loops,
	.glue = luajit_glue,
	.hides_nameless = true,
	.open = luajit_open,
	.read = luajit_read,
	.close = luajit_close,
};
