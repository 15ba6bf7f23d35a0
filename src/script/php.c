/* PHP 7.4 to 8.4, built without threads (ZTS). The calls of PHP are a linked list, innermost
 * first. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"

/** Offsets in the objects of a version, in bytes. */
struct php_layout {
	unsigned version;    // 0x802: 8.2
	uint16_t current;    // in the executor's globals: the innermost call
	uint16_t file, line; // in a function: its file, and its first line
};

static const struct php_layout php_layouts[] = {
	{0x704, 488, 136, 144}, {0x800, 488, 144, 152}, {0x801, 488, 144, 152},
	{0x802, 488, 152, 160}, {0x803, 488, 144, 152}, {0x804, 488, 168, 176},
};

enum { PHP_EXECUTOR, PHP_LOOP };

/** The symbols to look up, in the order of the constants above. */
static const char *const php_globals[] = {"executor_globals", "execute_ex", NULL};

static const char *const php_files[] = {"php", NULL};

static const char *const php_loops[] = {"execute_ex", NULL};

static const char *const php_glue[] = {
	"zend_call_function",
	"zend_call_known_function*",
	"_call_user_function_impl",
	"zend_execute",
	"zend_execute_scripts",
	"zend_execute_script",
	"php_execute_script*",
	"php_execute_simple_script",
	"zend_generator_resume",
	"do_cli",
	"main",
	"_start",
	"__libc_start_*",
	NULL,
};

/** Offsets that all these versions share. */
enum {
	CALL_INSTRUCTION = 0,
	INSTRUCTION_LINE = 24,
	CALL_FUNCTION = 24,
	CALL_FLAGS = 40,
	CALL_PREVIOUS = 48,
	CALL_SIZE = 56,
	CALL_TOP = 0x20000,
	FUNCTION_NAME = 8,
	FUNCTION_CLASS = 16,
	FUNCTION_SIZE = 184,
	FUNCTION_INTERNAL = 1,
	FUNCTION_USER = 2,
	FUNCTION_EVAL = 4,
	CLASS_NAME = 8,
	TEXT_LENGTH = 16,
	TEXT_BYTES = 24,
	TEXT_MOST = 1000,
};

/** The members whose offsets make up a layout, and others whose offsets are above. */
enum { PHP_M_CURRENT, PHP_M_FILE, PHP_M_LINE };

static const struct layout_member php_members[] = {
	[PHP_M_CURRENT] = {"_zend_executor_globals", "current_execute_data", 0},
	[PHP_M_FILE] = {"_zend_op_array", "filename", 0},
	[PHP_M_LINE] = {"_zend_op_array", "line_start", 0},
	{"_zend_execute_data", "func", CALL_FUNCTION},
	{"_zend_execute_data", "This.u1.type_info", CALL_FLAGS},
	{"_zend_execute_data", "prev_execute_data", CALL_PREVIOUS},
	{"_zend_op", "lineno", INSTRUCTION_LINE},
	{"_zend_op_array", "function_name", FUNCTION_NAME},
	{"_zend_op_array", "scope", FUNCTION_CLASS},
	{"_zend_class_entry", "name", CLASS_NAME},
	{"_zend_string", "len", TEXT_LENGTH},
	{"_zend_string", "val", TEXT_BYTES},
	{NULL, NULL, 0},
};

/** The cached name of a function, by its address. Another function may get the address later. */
struct php_function {
	uint64_t name, class, file;
	uint32_t id;
	uint64_t seen;
};

struct php {
	struct php_layout layout;
	struct known functions; // items: struct php_function
	struct known lines;     // names with lines, by instruction
	struct buf text, path;
};

/** Find the text with the version, which comes after the code in memory, and add the version. */
static bool php_find_version(struct script_process *process, struct buf *version) {
	enum { PART = 64 << 10, MOST = 24 << 20, LONGEST = 64 };
	const struct str mark = STR("X-Powered-By: PHP/");
	const uint64_t start = process->globals[PHP_LOOP] / PART * PART;
	char *part = mem_new(1, PART);
	struct str found = STR("");
	// Consecutive parts overlap, so that the text is complete in one of them.
	for (uint64_t at = start; at < start + MOST && found.n == 0; at += PART - LONGEST) {
		struct str bytes = {part, PART};
		size_t mark_at = remote_read(&process->remote, at, part, PART)
					 ? str_find_str(bytes, mark)
					 : STR_NONE;
		found = mark_at == STR_NONE ? STR("") : str_from(bytes, mark_at + mark.n);
	}
	for (size_t i = 0;
	     i < found.n && i < LONGEST && (is_digit(found.p[i]) || found.p[i] == '.'); i++) {
		buf_add_char(version, found.p[i]);
	}
	free(part);
	return found.n > 0;
}

/** Take the offsets of a version from its debug information. Return false if an offset is missing
 * or is not supported. */
static bool php_take_members(const struct script_process *process, struct php_layout *layout) {
	const uint32_t *offsets = process->offsets;
	const uint32_t most = FUNCTION_SIZE - sizeof(uint64_t);
	layout->current = (uint16_t)offsets[PHP_M_CURRENT];
	layout->file = (uint16_t)offsets[PHP_M_FILE];
	layout->line = (uint16_t)offsets[PHP_M_LINE];
	return process->has_offsets && offsets[PHP_M_CURRENT] < MEMBER_NOWHERE &&
	       offsets[PHP_M_FILE] <= most && offsets[PHP_M_LINE] <= most;
}

static bool php_open(struct script_process *process, struct buf *version) {
	unsigned major = 0, minor = 0;
	size_t before = version->n;
	if (process->globals[PHP_LOOP] == 0 || !php_find_version(process, version) ||
	    sscanf(buf_text(version) + before, "%1u.%2u", &major, &minor) != 2) {
		buf_add_text(version, "of unknown version");
		return false;
	}
	struct php_layout layout = {0};
	for (size_t i = 0; i < sizeof(php_layouts) / sizeof(*php_layouts); i++) {
		layout = php_layouts[i].version == (major << 8 | minor) ? php_layouts[i] : layout;
	}
	if (layout.version == 0 && !php_take_members(process, &layout)) {
		return false;
	}
	struct php *php = mem_new(1, sizeof(*php));
	php->layout = layout;
	process->state = php;
	return true;
}

static void php_close(struct script_process *process) {
	struct php *php = process->state;
	known_release(&php->functions);
	known_release(&php->lines);
	buf_release(&php->text);
	buf_release(&php->path);
	free(php);
}

/** Add the text of a string. */
static bool php_add_text(struct script_process *process, uint64_t string, struct buf *out) {
	char bytes[TEXT_MOST];
	if (!remote_is_pointer(string)) {
		return false;
	}
	uint64_t n = remote_u64(&process->remote, string + TEXT_LENGTH);
	if (n == 0 || n > sizeof(bytes) ||
	    !remote_read(&process->remote, string + TEXT_BYTES, bytes, (size_t)n)) {
		return false;
	}
	utf8_repair(out, (struct str){bytes, (size_t)n});
	return true;
}

/** Add the file of a function without its folder. */
static bool php_add_file(struct script_process *process, const char *function, struct buf *out) {
	struct php *php = process->state;
	buf_clear(&php->path);
	if (!php_add_text(process, remote_load_u64(function + php->layout.file), &php->path)) {
		return false;
	}
	struct str path = buf_str(&php->path);
	size_t slash = str_find_last(path, '/');
	buf_add_str(out, slash == STR_NONE ? path : str_from(path, slash + 1));
	return true;
}

/** Replace the name of a closure by the name that earlier versions of PHP give it. From PHP 8.4 on,
 * the name contains the path of the file or the function that contains the closure:
 * {closure:main():12}. */
static void php_shorten_closure(struct buf *text) {
	size_t at = str_find_str(buf_str(text), STR("{closure:"));
	if (at != STR_NONE) {
		text->n = at;
		buf_add_text(text, "{closure}");
	}
}

/** Make the name of a function. The function of a file has no name, so it gets the name of the
 * file. All closures have the same name, so they also get their file and line. Add the line number
 * `line` unless it is 0. */
static bool php_name(struct script_process *process, const char *function, uint32_t line,
		     uint32_t *id) {
	struct php *php = process->state;
	uint64_t name = remote_load_u64(function + FUNCTION_NAME);
	uint64_t class = remote_load_u64(function + FUNCTION_CLASS);
	bool is_user = (unsigned char)function[0] != FUNCTION_INTERNAL, good = true;
	buf_clear(&php->text);
	if (name == 0) {
		good = is_user && php_add_file(process, function, &php->text);
	} else {
		if (class != 0) {
			uint64_t of = remote_is_pointer(class)
					      ? remote_u64(&process->remote, class + CLASS_NAME)
					      : 0;
			good = php_add_text(process, of, &php->text);
			buf_add_text(&php->text, "::");
		}
		good = good && php_add_text(process, name, &php->text);
		php_shorten_closure(&php->text);
	}
	bool is_closure = good && str_ends(buf_str(&php->text), STR("{closure}"));
	if (good && is_user && name != 0 && (is_closure || line != 0)) {
		uint32_t start = remote_load_u32(function + php->layout.line);
		buf_add_char(&php->text, '[');
		good = php_add_file(process, function, &php->text);
		buf_printf(&php->text, ":%u]", line != 0 ? line : start);
	} else if (good && line != 0 && is_user) {
		buf_printf(&php->text, ":%u", line);
	}
	if (good) {
		*id = process->name(process->context, buf_str(&php->text));
	}
	return good;
}

/** Return whether a function has the same members as when its name was made. */
static bool php_is_same(const struct php *php, const struct php_function *known,
			const char *function) {
	return remote_load_u64(function + FUNCTION_NAME) == known->name &&
	       remote_load_u64(function + FUNCTION_CLASS) == known->class &&
	       remote_load_u64(function + php->layout.file) == known->file;
}

/** Find the name of a function. Return false if there is no function at the address. */
static bool php_find(struct script_process *process, uint64_t address, uint32_t *id) {
	struct php *php = process->state;
	char function[FUNCTION_SIZE] = {0};
	struct php_function *known = known_get(&php->functions, address, sizeof(*known));
	if (!known_is_fresh(known->seen, process->now)) {
		bool read = remote_is_pointer(address) &&
			    remote_read(&process->remote, address, function, sizeof(function));
		unsigned type = (unsigned char)function[0];
		bool good = read && (type == FUNCTION_INTERNAL || type == FUNCTION_USER ||
				     type == FUNCTION_EVAL);
		if (good && (known->seen == 0 || !php_is_same(php, known, function))) {
			good = php_name(process, function, 0, &known->id);
		}
		if (!good) {
			*known = (struct php_function){0};
			return false;
		}
		known->name = remote_load_u64(function + FUNCTION_NAME);
		known->class = remote_load_u64(function + FUNCTION_CLASS);
		known->file = remote_load_u64(function + php->layout.file);
		known->seen = process->now;
	}
	*id = known->id;
	return true;
}

/** Return the line of an instruction; or 0 if this line is not in the function. */
static uint32_t php_line(struct script_process *process, const char *function,
			 uint64_t instruction) {
	uint16_t start_at = ((const struct php *)process->state)->layout.line;
	uint32_t start = remote_load_u32(function + start_at);
	uint32_t end = remote_load_u32(function + start_at + sizeof(start));
	uint32_t line = remote_is_pointer(instruction)
				? remote_u32(&process->remote, instruction + INSTRUCTION_LINE)
				: 0;
	return line >= start && line <= end ? line : 0;
}

/** Find the name of a function, with the line that a call of the function executes. Return false if
 * the instruction is not in the function. */
static bool php_find_line(struct script_process *process, uint64_t address, uint64_t instruction,
			  uint32_t *id) {
	struct php *php = process->state;
	struct known_name *known = known_get(&php->lines, instruction, sizeof(struct known_name));
	char function[FUNCTION_SIZE] = {0};
	if (!known_is_fresh(known->seen, process->now) || known->print != address) {
		if (!remote_is_pointer(address) ||
		    !remote_read(&process->remote, address, function, sizeof(function))) {
			return false;
		}
		uint32_t line = php_line(process, function, instruction);
		if (line == 0 || !php_name(process, function, line, &known->id)) {
			return false;
		}
		known->seen = process->now;
		known->print = address;
	}
	*id = known->id;
	return true;
}

/** Return the current instruction of a call. For the innermost call, the interpreter's loop keeps
 * the instruction in a register, and keeps the address of the call in another register. */
static uint64_t php_instruction(const struct script_thread *thread, uint64_t call,
				const char *bytes) {
#if defined(__x86_64__)
	enum { R14 = 22, R15 = 23 };
	if (thread->has_registers && thread->registers[R14] == call) {
		return thread->registers[R15];
	}
#endif
	(void)thread;
	(void)call;
	return remote_load_u64(bytes + CALL_INSTRUCTION);
}

static enum script_state php_walk(struct script_process *process,
				  const struct script_thread *thread, struct script_stack *stack) {
	enum { STEPS_MOST = 4 * SCRIPT_DEPTH_MOST };
	struct remote *remote = &process->remote;
	const struct php *php = process->state;
	const uint64_t current = process->globals[PHP_EXECUTOR] + php->layout.current;
	uint64_t first = remote_u64(remote, current), call = first;
	for (size_t steps = 0; call != 0; steps++) {
		char bytes[CALL_SIZE];
		uint32_t id = 0;
		if (steps >= STEPS_MOST || !remote_is_pointer(call) ||
		    !remote_read(remote, call, bytes, sizeof(bytes))) {
			return SCRIPT_TORN;
		}
		if (stack->n >= SCRIPT_DEPTH_MOST) {
			stack->cut = true;
			break;
		}
		uint64_t function = remote_load_u64(bytes + CALL_FUNCTION);
		bool enters = (remote_load_u32(bytes + CALL_FLAGS) & CALL_TOP) != 0;
		// Generators and included files have calls without a function.
		if (function != 0) {
			bool named = php_find(process, function, &id);
			if (named && process->lines) {
				uint64_t at = php_instruction(thread, call, bytes);
				// Between two functions, the register may have the instruction of
				// the other function.
				if (!php_find_line(process, function, at, &id)) {
					at = remote_load_u64(bytes + CALL_INSTRUCTION);
					(void)php_find_line(process, function, at, &id);
				}
			}
			if (!named && stack->n > 0) {
				return SCRIPT_TORN;
			}
			if (named) {
				stack->frames[stack->n++] = (struct script_frame){
					.name = id, .flags = enters ? SCRIPT_ENTRY : 0};
			}
		}
		call = remote_load_u64(bytes + CALL_PREVIOUS);
	}
	return remote_u64(remote, current) == first ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

static enum script_state php_read(struct script_process *process,
				  const struct script_thread *thread, struct script_stack *stack) {
	enum { TRIES = 3 };
	enum script_state state = thread->tid == process->remote.pid ? SCRIPT_TORN : SCRIPT_NONE;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = php_walk(process, thread, stack);
	}
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_php = {
	.name = "php",
	.title = "PHP",
	.files = php_files,
	.globals = php_globals,
	.loops = php_loops,
	.glue = php_glue,
	.members = php_members,
	.open = php_open,
	.read = php_read,
	.close = php_close,
};
