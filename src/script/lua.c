/* Lua 5.1 to 5.4. No symbol points to the states of Lua, so the states are searched on the heap.
 * Each coroutine of a state (Lua calls it a thread) has a list of calls, and a stack with the
 * functions. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/scan.h"

/** Offsets in the Proto of a function. */
struct lua_function_layout {
	uint16_t code, constants, source, line, lines, locals, locals_n, upvalues;
	uint16_t marks, marks_n; // table of the lines of some instructions, from 5.4 on
};

/** Numbers of the instructions that load a function into a register. */
struct lua_loads {
	uint8_t move, get_upvalue, get_global, get_field, self;
};

/** Offsets in the structs of a version, and bits in the status of a call. */
struct lua_layout {
	unsigned version, release; // such as 504, and the first release with this layout
	uint16_t state_global, ci, base_ci, error_jump, status, global_main;
	uint16_t previous, call_status, saved_pc; // of a call; previous 0: calls are an array
	// The bits `flag` of a call's status equal `flag_lua` if the call runs a Lua function.
	uint16_t flag, flag_lua, tail;
	uint16_t proto, upvalue; // of closures
	struct lua_function_layout in;
	struct lua_loads loads;
};

// clang-format off
/* Made by scripts/layouts. */
static const struct lua_layout lua_layouts[] = {
	// 5.1
	{501, 0, 32, 40, 80, 168, 10, 176, 0, 0, 24, 0, 0, 0, 32, 40,
	 {24, 16, 64, 96, 40, 48, 92, 56, 0, 0}, {0, 4, 5, 6, 11}},
	// 5.2
	{502, 0, 24, 32, 128, 112, 10, 264, 16, 34, 56, 1, 1, 64, 24, 32,
	 {24, 16, 72, 104, 40, 48, 100, 56, 0, 0}, {0, 5, 6, 7, 12}},
	// 5.3
	{503, 0, 24, 32, 96, 88, 12, 200, 16, 66, 40, 2, 2, 32, 24, 32,
	 {56, 48, 104, 40, 72, 80, 36, 88, 0, 0}, {0, 5, 6, 7, 12}},
	// 5.4.2
	{504, 2, 24, 32, 88, 80, 10, 264, 16, 62, 32, 2, 0, 32, 24, 32,
	 {64, 56, 112, 44, 88, 104, 36, 80, 96, 40}, {0, 9, 11, 14, 20}},
	// from 5.4.3 on
	{504, 3, 24, 32, 96, 88, 10, 264, 16, 62, 32, 2, 0, 32, 24, 32,
	 {64, 56, 112, 44, 88, 104, 36, 80, 96, 40}, {0, 9, 11, 14, 20}},
};
// clang-format on

enum { LUA_IDENT };

static const char *const lua_globals[] = {"lua_ident", NULL};

static const char *const lua_files[] = {"lua", NULL};

/** The functions through which C code calls Lua functions. Each call of such a function runs one
 * Lua function and its callees. */
static const char *const lua_loops[] = {"lua_callk",  "lua_pcallk", "lua_call", "lua_pcall",
					"lua_cpcall", "lua_resume", NULL};

static const char *const lua_glue[] = {"luaV_execute", "luaV_finishOp",  "luaD_*", "ccall",
				       "f_call",       "resume",         "unroll", "docall",
				       "dochunk",      "handle_script",  "pmain",  "main",
				       "_start",       "__libc_start_*", NULL};

enum {
	COROUTINES_MOST = 200,
	CALL_SIZE = 80,
	PROTO_SIZE = 128,
	SLOT = 16, // bytes of a value
	TAG_AT = 8,
	THREAD_TAG = 8,
	FUNCTION_TAG = 6,
	TAG_MASK = 63, // without the mark of garbage-collected objects
	KIND_MASK = 15,
	TEXT_AT = 24, // in a string
	INSTRUCTION = 4,
	LUA51_BASE_CI_IS_POINTER = 501,
	LUA51_CALL = 40,
	LUA51_CURRENT_PC = 48, // in the state
	LUA51_TAIL_CALLS = 36, // in a call
	CLOSURE_IS_C = 10,
};

/** A call, and the function that it runs. */
struct lua_call {
	uint64_t address, previous, pc;
	uint64_t slot;     // address of the function's value on the state's stack
	uint64_t function; // for a Lua function, its Proto; for a C function, the function itself
	uint64_t closure;
	bool is_lua, is_tail, is_base;
};

struct lua {
	const struct lua_layout *layout;
	struct scan scan;
	struct known names;
	struct buf text;
	struct remote_pages pages;
	uint64_t chain[COROUTINES_MOST]; // the main thread of a state, and coroutines
	bool torn; // the current walk read a call and its caller at different moments
};

/* --- Version -------------------------------------------------------------------------------- */

static bool lua_open(struct script_process *process, struct buf *version) {
	enum { TEXT_MOST = 40 };
	unsigned major = 0, minor = 0, release = 0;
	struct buf text = {0};
	if (process->globals[LUA_IDENT] != 0) {
		(void)remote_text(&process->remote, process->globals[LUA_IDENT], TEXT_MOST, &text);
	}
	struct str ident = buf_str(&text);
	size_t at = str_find_str(ident, STR("Lua 5."));
	bool found = at != STR_NONE &&
		     sscanf(buf_text(&text) + at, "Lua %1u.%1u.%2u", &major, &minor, &release) == 3;
	buf_release(&text);
	if (!found) {
		buf_add_text(version, "of unknown version");
		return false;
	}
	buf_printf(version, "%u.%u.%u", major, minor, release);
	const struct lua_layout *layout = NULL;
	for (size_t i = 0; i < sizeof(lua_layouts) / sizeof(*lua_layouts); i++) {
		bool fits = lua_layouts[i].version == major * 100 + minor &&
			    lua_layouts[i].release <= release;
		layout = fits ? &lua_layouts[i] : layout;
	}
	if (layout == NULL) {
		return false;
	}
	struct lua *lua = mem_new(1, sizeof(*lua));
	lua->layout = layout;
	process->state = lua;
	return true;
}

static void lua_close(struct script_process *process) {
	struct lua *lua = process->state;
	known_release(&lua->names);
	buf_release(&lua->text);
	free(lua);
}

/* --- Reading through pages ------------------------------------------------------------------ */

static bool lua_get(struct script_process *process, uint64_t address, void *bytes, size_t n) {
	struct lua *lua = process->state;
	return remote_read_near(&process->remote, &lua->pages, address, bytes, n);
}

static uint64_t lua_u64(struct script_process *process, uint64_t address) {
	uint64_t value = 0;
	return lua_get(process, address, &value, sizeof(value)) ? value : 0;
}

static uint32_t lua_u32(struct script_process *process, uint64_t address) {
	uint32_t value = 0;
	return lua_get(process, address, &value, sizeof(value)) ? value : 0;
}

/* --- States --------------------------------------------------------------------------------- */

/** Look for states. */
static void lua_scan(struct script_process *process) {
	struct lua *lua = process->state;
	const struct lua_layout *layout = lua->layout;
	const struct scan_marks marks = {.byte = THREAD_TAG,
					 .byte_at = TAG_AT,
					 .pointer_at = layout->state_global,
					 .back_at = layout->global_main,
					 .farthest = 512};
	size_t bytes = scan_begin(&lua->scan, process->now);
	if (bytes > 0) {
		scan_states(&lua->scan, &process->remote, &marks, bytes);
	}
}

/** Return whether a state runs in a thread: the state has the address of its last protected call,
 * which must be on the stack of this thread. If the address or the stack is not known, assume that
 * the only state runs in the main thread. */
static bool lua_runs_in(struct script_process *process, uint64_t state,
			const struct script_thread *thread) {
	struct lua *lua = process->state;
	const uint64_t sp = thread->has_registers ? thread->registers[SCRIPT_SP] : 0;
	uint64_t jump = lua_u64(process, state + lua->layout->error_jump);
	if (sp == 0 || jump == 0) {
		return lua->scan.n == 1 && thread->tid == process->remote.pid;
	}
	return scan_is_on_stack(&lua->scan, process->remote.pid, thread->tid, sp, jump);
}

/** Return whether a state still exists at an address. */
static bool lua_is_state(struct script_process *process, uint64_t state) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t global = lua_u64(process, state + layout->state_global);
	return remote_is_pointer(global) && lua_u64(process, global + layout->global_main) == state;
}

/** Return the state that runs in a thread; or 0 if no state runs there. */
static uint64_t lua_state_of(struct script_process *process, const struct script_thread *thread) {
	struct lua *lua = process->state;
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < lua->scan.n; j++) {
			if (lua_is_state(process, lua->scan.states[j]) &&
			    lua_runs_in(process, lua->scan.states[j], thread)) {
				return lua->scan.states[j];
			}
		}
		lua_scan(process);
	}
	return 0;
}

/* --- Calls ---------------------------------------------------------------------------------- */

/** Return the address of the call from which a state starts. */
static uint64_t lua_base(struct script_process *process, uint64_t state) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	return layout->version == LUA51_BASE_CI_IS_POINTER
		       ? lua_u64(process, state + layout->base_ci)
		       : state + layout->base_ci;
}

/** Find the function of a call on the state's stack. Return false if there is no function. */
static bool lua_read_function(struct script_process *process, struct lua_call *call) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	bool old = layout->version == LUA51_BASE_CI_IS_POINTER;
	uint64_t value = lua_u64(process, call->slot);
	uint32_t tag = lua_u32(process, call->slot + TAG_AT) & TAG_MASK;
	bool is_light = !old && tag >> 4 == 1;
	if ((tag & KIND_MASK) != FUNCTION_TAG) {
		return false;
	}
	if (is_light) {
		call->function = value;
		return !call->is_lua;
	}
	call->closure = value;
	if (old) {
		unsigned char is_c = 0;
		(void)lua_get(process, value + CLOSURE_IS_C, &is_c, 1);
		call->is_lua = is_c == 0;
	}
	call->function = remote_is_pointer(value) ? lua_u64(process, value + layout->proto) : 0;
	return call->function != 0;
}

/** Read a call of a state. Return false if the call is invalid. */
static bool lua_read_call(struct script_process *process, uint64_t address, uint64_t base,
			  struct lua_call *call) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	bool old = layout->version == LUA51_BASE_CI_IS_POINTER;
	char bytes[CALL_SIZE];
	*call = (struct lua_call){.address = address, .is_base = address == base};
	if (!remote_is_pointer(address) ||
	    !lua_get(process, address, bytes, old ? LUA51_CALL : CALL_SIZE)) {
		return false;
	}
	call->slot = remote_load_u64(bytes + (old ? TAG_AT : 0));
	call->pc = remote_load_u64(bytes + layout->saved_pc);
	call->previous = old ? address - LUA51_CALL : remote_load_u64(bytes + layout->previous);
	if (old) {
		call->is_tail = remote_load_u32(bytes + LUA51_TAIL_CALLS) != 0;
	} else {
		uint32_t status = remote_load_u32(bytes + layout->call_status) & UINT16_MAX;
		call->is_lua = (status & layout->flag) == layout->flag_lua;
		call->is_tail = (status & layout->tail) != 0;
	}
	return call->is_base || (remote_is_pointer(call->slot) && lua_read_function(process, call));
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Add the text of a string object. */
static bool lua_add_text(struct script_process *process, uint64_t string, struct buf *out) {
	enum { MOST = 200 };
	struct buf text = {0};
	bool good = remote_is_pointer(string) &&
		    remote_text(&process->remote, string + TEXT_AT, MOST, &text) && text.n > 0;
	if (good) {
		utf8_repair(out, buf_str(&text));
	}
	buf_release(&text);
	return good;
}

/** Add the file of a function, or [string] for code that is in no file. */
static bool lua_add_file(struct script_process *process, const char *proto, struct buf *out) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	struct buf source = {0};
	bool good = lua_add_text(process, remote_load_u64(proto + layout->in.source), &source);
	struct str text = buf_str(&source);
	if (good && text.p[0] == '@') {
		size_t slash = str_find_last(text, '/');
		buf_add_str(out, str_from(text, slash == STR_NONE ? 1 : slash + 1));
	} else if (good && text.p[0] == '=') {
		buf_add_str(out, str_from(text, 1));
	} else {
		buf_add_text(out, "[string]");
	}
	buf_release(&source);
	return good;
}

/** Add the name of the local variable in a register, at an instruction. Return false if there is
 * none. */
static bool lua_add_local(struct script_process *process, const char *proto, unsigned number,
			  uint32_t pc, struct buf *out) {
	enum { MOST = 250, START_AT = 8, END_AT = 12 };
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t locals = remote_load_u64(proto + layout->in.locals);
	uint32_t n = remote_load_u32(proto + layout->in.locals_n);
	for (uint32_t i = 0; i < n && i < MOST; i++) {
		uint64_t local = locals + (uint64_t)i * SLOT;
		if (lua_u32(process, local + START_AT) > pc) {
			break; // the variables are in the order of their starts
		}
		if (lua_u32(process, local + END_AT) > pc && number-- == 0) {
			return lua_add_text(process, lua_u64(process, local), out);
		}
	}
	return false;
}

/** Add the text of a constant. */
static bool lua_add_constant(struct script_process *process, const char *proto, unsigned number,
			     struct buf *out) {
	enum { STRING_TAG = 4 };
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t at = remote_load_u64(proto + layout->in.constants) + (uint64_t)number * SLOT;
	return (lua_u32(process, at + TAG_AT) & KIND_MASK) == STRING_TAG &&
	       lua_add_text(process, lua_u64(process, at), out);
}

/** An instruction, split into its fields. */
struct lua_instruction {
	unsigned code, a, b, c, bx;
	bool is_constant; // c is the number of a constant
};

static struct lua_instruction lua_decode(const struct lua_layout *layout, uint32_t word) {
	enum { NEW = 504, CONSTANT = 256 };
	if (layout->version >= NEW) {
		return (struct lua_instruction){.code = word & 127,
						.a = word >> 7 & 255,
						.b = word >> 16 & 255,
						.c = word >> 24,
						.is_constant = (word >> 15 & 1) != 0};
	}
	unsigned c = word >> 14 & 511;
	return (struct lua_instruction){.code = word & 63,
					.a = word >> 6 & 255,
					.b = word >> 23,
					.c = c & 255,
					.bx = word >> 14,
					.is_constant = (c & CONSTANT) != 0};
}

/** Add the name of the value that an instruction loads into a register. */
static bool lua_add_loaded(struct script_process *process, const char *proto,
			   const struct lua_instruction *load, uint32_t pc, struct buf *out) {
	enum { OLD = 501, NEW = 504, OLD_UPVALUE = 8 };
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	bool old = layout->version == OLD, is_new = layout->version == NEW;
	if (load->code == layout->loads.move) {
		return lua_add_local(process, proto, load->b, pc, out);
	}
	if (load->code == layout->loads.get_upvalue) {
		uint64_t upvalues = remote_load_u64(proto + layout->in.upvalues);
		uint64_t at = upvalues + (uint64_t)load->b * (old ? OLD_UPVALUE : SLOT);
		return lua_add_text(process, lua_u64(process, at), out);
	}
	if (load->code == layout->loads.get_global) {
		return (old || is_new || load->is_constant) &&
		       lua_add_constant(process, proto, old ? load->bx : load->c, out);
	}
	bool is_field = load->code == layout->loads.get_field;
	return (is_field || load->code == layout->loads.self) &&
	       (load->is_constant || (is_field && is_new)) &&
	       lua_add_constant(process, proto, load->c, out);
}

/** Add the name by which a Lua function calls its callee: the name of the value that was last
 * loaded into the register of the callee. Return false if it is not known. */
static bool lua_add_called(struct script_process *process, const struct lua_call *caller,
			   struct buf *out) {
	enum { FARTHEST = 200 };
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	char proto[PROTO_SIZE];
	if (!lua_get(process, caller->function, proto, sizeof(proto))) {
		return false;
	}
	uint64_t code = remote_load_u64(proto + layout->in.code), at = caller->pc - INSTRUCTION;
	struct lua_instruction call = lua_decode(layout, lua_u32(process, at));
	for (int i = 0; i < FARTHEST && at > code; i++) {
		at -= INSTRUCTION;
		struct lua_instruction load = lua_decode(layout, lua_u32(process, at));
		if (load.a == call.a) {
			return lua_add_loaded(process, proto, &load,
					      (uint32_t)((at - code) / INSTRUCTION), out);
		}
	}
	return false;
}

/** Return the line of an instruction, from Lua 5.4 on: the line of the last absolute entry, plus
 * the differences after this entry. */
static uint32_t lua_line_by_steps(struct script_process *process, const char *proto, uint32_t pc) {
	enum { MARK = 8, MARKS_MOST = 4096, STEPS_MOST = 1000 };
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t marks = remote_load_u64(proto + layout->in.marks);
	uint32_t n = remote_load_u32(proto + layout->in.marks_n);
	uint32_t from = 0, line = remote_load_u32(proto + layout->in.line);
	n = n < MARKS_MOST ? n : MARKS_MOST;
	for (uint32_t i = 0; i < n && lua_u32(process, marks + (uint64_t)MARK * i) <= pc; i++) {
		from = 1 + lua_u32(process, marks + (uint64_t)MARK * i);
		line = lua_u32(process, marks + (uint64_t)MARK * i + sizeof(uint32_t));
	}
	for (uint32_t i = from; i <= pc && i < from + STEPS_MOST; i++) {
		signed char step = 0;
		(void)lua_get(process, remote_load_u64(proto + layout->in.lines) + i, &step, 1);
		line = (uint32_t)((int64_t)line + step);
	}
	return line;
}

/** Add the line that a call of a Lua function executes. */
static void lua_add_line(struct script_process *process, const struct lua_call *call,
			 const char *proto, struct buf *out) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t code = remote_load_u64(proto + layout->in.code);
	uint64_t pc = call->pc > code ? (call->pc - code) / INSTRUCTION - 1 : 0;
	uint32_t line = layout->in.marks != 0
				? lua_line_by_steps(process, proto, (uint32_t)pc)
				: lua_u32(process, remote_load_u64(proto + layout->in.lines) +
							   pc * sizeof(uint32_t));
	buf_printf(out, ":%u", line);
}

/** Make the name of a Lua function. */
static bool lua_name(struct script_process *process, const struct lua_call *call,
		     const struct lua_call *caller, const char *proto, uint32_t *id) {
	struct lua *lua = process->state;
	uint32_t line = remote_load_u32(proto + lua->layout->in.line);
	buf_clear(&lua->text);
	if (!lua_add_file(process, proto, &lua->text)) {
		return false;
	}
	if (line != 0) { // otherwise the function is the file itself
		size_t before = lua->text.n;
		buf_add_char(&lua->text, ':');
		if (call->is_tail || caller->is_base || !caller->is_lua ||
		    !lua_add_called(process, caller, &lua->text)) {
			lua->text.n = before;
			buf_printf(&lua->text, ":%u", line);
		}
	}
	if (process->lines) {
		lua_add_line(process, call, proto, &lua->text);
	}
	*id = process->name(process->context, buf_str(&lua->text));
	return true;
}

/** Return whether the slot of a call still has the function that was read. */
static bool lua_has_function(struct remote *remote, const struct lua_call *call) {
	return remote_u64(remote, call->slot) ==
	       (call->closure != 0 ? call->closure : call->function);
}

/** Return whether a call and its caller are unchanged since they were read. The process runs while
 * its memory is read, so the caller may call another function in between, and the name of that
 * function must not be kept for this one. */
static bool lua_is_current(struct script_process *process, const struct lua_call *call,
			   const struct lua_call *caller) {
	struct lua *lua = process->state;
	struct remote *remote = &process->remote;
	lua->torn = !lua_has_function(remote, call) ||
		    (!caller->is_base && !lua_has_function(remote, caller)) ||
		    remote_u64(remote, caller->address + lua->layout->saved_pc) != caller->pc;
	return !lua->torn;
}

/** Find the name of a function of Lua. */
static bool lua_find(struct script_process *process, const struct lua_call *call,
		     const struct lua_call *caller, uint32_t *id) {
	struct lua *lua = process->state;
	uint64_t key = process->lines ? call->pc : call->function;
	struct known_name *known = known_get(&lua->names, key, sizeof(struct known_name));
	if (!known_is_fresh(known->seen, process->now)) {
		char proto[PROTO_SIZE];
		if (!remote_is_pointer(call->function) ||
		    !lua_get(process, call->function, proto, sizeof(proto))) {
			return false;
		}
		uint64_t print = remote_load_u64(proto + lua->layout->in.code) ^
				 remote_load_u64(proto + lua->layout->in.source) << 1;
		if (known->seen == 0 || known->print != print) {
			known->seen = 0;
			if (!lua_name(process, call, caller, proto, &known->id) ||
			    !lua_is_current(process, call, caller)) {
				return false;
			}
		}
		known->print = print;
		known->seen = process->now;
	}
	*id = known->id;
	return true;
}

/** Name a C function as the code of its caller does, or [C] if that code has no name. Return false
 * for the function that C code calls only to start the state. */
static bool lua_find_native(struct script_process *process, const struct lua_call *call,
			    const struct lua_call *caller, uint32_t *id) {
	struct lua *lua = process->state;
	struct known_name *known =
		known_get(&lua->names, call->function, sizeof(struct known_name));
	if (known->seen == 0) {
		buf_clear(&lua->text);
		if (call->is_tail || caller->is_base || !caller->is_lua ||
		    !lua_add_called(process, caller, &lua->text)) {
			*id = process->name(process->context, STR("[C]"));
			return !caller->is_base;
		}
		known->id = process->name(process->context, buf_str(&lua->text));
		known->seen = lua_is_current(process, call, caller) ? process->now : 0;
	}
	*id = known->id;
	return true;
}

/* --- Walking -------------------------------------------------------------------------------- */

/** Return the coroutine that the innermost C function resumes: its first argument, or its first
 * upvalue. Return 0 if neither is a coroutine that runs. */
static uint64_t lua_resumed(struct script_process *process, uint64_t state) {
	const struct lua_layout *layout = ((const struct lua *)process->state)->layout;
	uint64_t base = lua_base(process, state), found[2] = {0};
	struct lua_call call;
	if (!lua_read_call(process, lua_u64(process, state + layout->ci), base, &call) ||
	    call.is_base || call.is_lua) {
		return 0;
	}
	const uint64_t places[] = {call.slot + SLOT,
				   call.closure == 0 ? 0 : call.closure + layout->upvalue};
	for (size_t i = 0; i < 2; i++) {
		uint32_t tag = places[i] == 0 ? 0 : lua_u32(process, places[i] + TAG_AT);
		uint64_t value = places[i] == 0 ? 0 : lua_u64(process, places[i]);
		unsigned char status = 1; // a waiting coroutine has this status
		if ((tag & TAG_MASK) == THREAD_TAG && remote_is_pointer(value) && value != state &&
		    lua_get(process, value + layout->status, &status, 1) && status == 0 &&
		    lua_u64(process, value + layout->ci) != lua_base(process, value)) {
			found[i] = value;
		}
	}
	return found[0] != 0 ? found[0] : found[1];
}

/** Push the calls of one coroutine, innermost first. Return false if a call is invalid. */
static bool lua_walk_calls(struct script_process *process, uint64_t state,
			   struct script_stack *stack) {
	enum { STEPS_MOST = 2 * SCRIPT_DEPTH_MOST };
	struct lua *lua = process->state;
	const struct lua_layout *layout = lua->layout;
	uint64_t base = lua_base(process, state);
	struct lua_call call, caller;
	lua->torn = false;
	bool good = lua_read_call(process, lua_u64(process, state + layout->ci), base, &call);
	if (good && layout->version == LUA51_BASE_CI_IS_POINTER) {
		call.pc = lua_u64(process, state + LUA51_CURRENT_PC);
	}
	for (size_t steps = 0; good && !call.is_base && steps < STEPS_MOST; steps++) {
		uint32_t id = 0;
		if (!lua_read_call(process, call.previous, base, &caller)) {
			return false;
		}
		bool named = call.is_lua ? lua_find(process, &call, &caller, &id)
					 : lua_find_native(process, &call, &caller, &id);
		if (lua->torn) {
			return false;
		}
		if (stack->n >= SCRIPT_DEPTH_MOST) {
			stack->cut = true;
			return true;
		}
		if (named) {
			bool enters = caller.is_base || !caller.is_lua;
			stack->frames[stack->n++] = (struct script_frame){
				.name = id, .flags = enters ? SCRIPT_ENTRY : 0};
		} else if (call.is_lua) {
			return false;
		}
		call = caller;
	}
	return good && call.is_base;
}

static enum script_state lua_walk(struct script_process *process,
				  const struct script_thread *thread, struct script_stack *stack) {
	struct lua *lua = process->state;
	size_t n = 0;
	remote_forget(&lua->pages);
	uint64_t state = lua_state_of(process, thread);
	if (state == 0) {
		return SCRIPT_NONE;
	}
	for (uint64_t next = state; next != 0 && n < COROUTINES_MOST; n++) {
		lua->chain[n] = next;
		next = lua_resumed(process, next);
		for (size_t i = 0; i <= n; i++) {
			next = next == lua->chain[i] ? 0 : next;
		}
	}
	uint64_t innermost = lua->chain[n - 1] + lua->layout->ci;
	uint64_t first = lua_u64(process, innermost);
	while (n > 0) {
		if (!lua_walk_calls(process, lua->chain[--n], stack)) {
			return SCRIPT_TORN;
		}
	}
	return remote_u64(&process->remote, innermost) == first ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

static enum script_state lua_read(struct script_process *process,
				  const struct script_thread *thread, struct script_stack *stack) {
	enum { TRIES = 3 };
	enum script_state state = SCRIPT_TORN;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = lua_walk(process, thread, stack);
	}
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_lua = {
	.name = "lua",
	.title = "Lua",
	.files = lua_files,
	.globals = lua_globals,
	.loops = lua_loops,
	.glue = lua_glue,
	.hides_nameless = true,
	.open = lua_open,
	.read = lua_read,
	.close = lua_close,
};
