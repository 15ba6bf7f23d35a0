/* JavaScript in node, which uses V8. A JavaScript function has a frame on the native stack, and
 * this frame contains the function's object. The symbols v8dbg_* contain the offsets of the members
 * of objects. */
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/native_stack.h"

/** The values that V8 publishes for debuggers. */
enum node_value {
	NODE_FUNCTION_AT, // offsets from the frame pointer
	NODE_CONTEXT_AT,
	NODE_ENTRY_FRAME, // kinds of frames
	NODE_CONSTRUCT_ENTRY_FRAME,
	NODE_MAP_TYPE, // offsets in objects
	NODE_FUNCTION_SHARED,
	NODE_SHARED_NAME,
	NODE_SHARED_SCRIPT,
	NODE_SCRIPT_NAME,
	NODE_SCRIPT_SOURCE,
	NODE_STRING_LENGTH,
	NODE_STRING_CHARS,
	NODE_CONS_FIRST,
	NODE_CONS_SECOND,
	NODE_THIN_ACTUAL,
	NODE_SLICED_PARENT,
	NODE_SLICED_OFFSET,
	NODE_EXTERNAL_RESOURCE,
	NODE_FUNCTION_TYPE, // types of objects
	NODE_FIRST_CONTEXT_TYPE,
	NODE_LAST_CONTEXT_TYPE,
	NODE_FIRST_NONSTRING_TYPE,
	NODE_SCOPE_TYPE,
	NODE_SCRIPT_TYPE,
	NODE_SHARED_TYPE,
	NODE_SCOPE_VARIABLES, // words of a ScopeInfo
	NODE_SCOPE_LOCALS,
	NODE_TAGGED_SIZE,
	NODE_VALUES,
	// These symbols have other names in newer versions.
	NODE_NEW_SHARED_NAME = NODE_VALUES,
	NODE_NEW_SHARED_SCRIPT,
	NODE_VERSION_AT, // major, minor, build, patch
};

static const char *const node_globals[] = {
	"v8dbg_off_fp_function",
	"v8dbg_off_fp_context_or_frame_type",
	"v8dbg_frametype_EntryFrame",
	"v8dbg_frametype_ConstructEntryFrame",
	"v8dbg_class_Map__instance_type__uint16_t",
	"v8dbg_class_JSFunction__shared__SharedFunctionInfo",
	"v8dbg_class_SharedFunctionInfo__name_or_scope_info__Object",
	"v8dbg_class_SharedFunctionInfo__script_or_debug_info__HeapObject",
	"v8dbg_class_Script__name__Object",
	"v8dbg_class_Script__source__Object",
	"v8dbg_class_String__length__int32_t",
	"v8dbg_class_SeqOneByteString__chars__char",
	"v8dbg_class_ConsString__first__String",
	"v8dbg_class_ConsString__second__String",
	"v8dbg_class_ThinString__actual__String",
	"v8dbg_class_SlicedString__parent__String",
	"v8dbg_class_SlicedString__offset__SMI",
	"v8dbg_class_ExternalString__resource__Object",
	"v8dbg_type_JSFunction__JS_FUNCTION_TYPE",
	"v8dbg_FirstContextType",
	"v8dbg_LastContextType",
	"v8dbg_FirstNonstringType",
	"v8dbg_type_ScopeInfo__SCOPE_INFO_TYPE",
	"v8dbg_type_Script__SCRIPT_TYPE",
	"v8dbg_type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE",
	"v8dbg_scopeinfo_idx_first_vars",
	"v8dbg_scopeinfo_idx_ncontextlocals",
	"v8dbg_TaggedSize",
	"v8dbg_class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_",
	"v8dbg_class_SharedFunctionInfo__script__Tagged_HeapObject_",
	"_ZN2v88internal7Version6major_E",
	"_ZN2v88internal7Version6minor_E",
	"_ZN2v88internal7Version6build_E",
	"_ZN2v88internal7Version6patch_E",
	NULL,
};

static const char *const node_files[] = {"node", NULL};

static const char *const node_loops[] = {NULL};

static const char *const node_glue[] = {"Builtins_*", NULL};

enum {
	NODE_WORD = 8,
	NODE_OBJECT_SIZE = 64, // number of bytes to read of an object; all needed members are there
	NODE_FUNCTION_TYPES = 24, // number of types of functions, which are consecutive
	NODE_MAPS = 256,
	NODE_TEXT_MOST = 1000,
};

/** The type that a map stands for. */
struct node_map {
	uint64_t map, seen;
	unsigned type;
};

/** The cached name of a function, by the address of its description. Another description may get
 * the address later. */
struct node_function {
	uint64_t name, script;
	uint32_t id;
	uint32_t tries; // number of times that a part of the name could not be read
	uint64_t seen;
};

struct node {
	int32_t values[NODE_VALUES];
	struct node_map maps[NODE_MAPS];
	struct known functions; // items: struct node_function
	struct buf text, path;
	struct native_stack stack;
};

/* --- The version ---------------------------------------------------------------------------- */

static bool node_open(struct script_process *process, struct buf *version) {
	struct remote *remote = &process->remote;
	const uint64_t *at = process->globals;
	struct node *node = mem_new(1, sizeof(*node));
	bool whole = true;
	for (unsigned i = 0; i < NODE_VALUES; i++) {
		uint64_t place = at[i] != 0                ? at[i]
				 : i == NODE_SHARED_NAME   ? at[NODE_NEW_SHARED_NAME]
				 : i == NODE_SHARED_SCRIPT ? at[NODE_NEW_SHARED_SCRIPT]
							   : 0;
		whole = whole && place != 0 &&
			remote_read(remote, place, &node->values[i], sizeof(node->values[i]));
	}
	for (unsigned i = NODE_VERSION_AT; node_globals[i] != NULL; i++) {
		buf_printf(version, "%s%u", i == NODE_VERSION_AT ? "" : ".",
			   at[i] == 0 ? 0 : remote_u32(remote, at[i]));
	}
	// node does not compress pointers, but other programs with V8 do.
	if (!whole || node->values[NODE_TAGGED_SIZE] != NODE_WORD) {
		free(node);
		return false;
	}
	process->state = node;
	return true;
}

static void node_close(struct script_process *process) {
	struct node *node = process->state;
	known_release(&node->functions);
	buf_release(&node->text);
	buf_release(&node->path);
	free(node);
}

/* --- Objects -------------------------------------------------------------------------------- */

/** Return whether a value refers to an object. The address of the object is one less than the
 * pointer. */
static bool node_is_object(uint64_t value) {
	return (value & 3) == 1 && remote_is_pointer(value - 1);
}

/** Return a member of an object of which NODE_OBJECT_SIZE bytes were read; or 0 if the member is
 * not in these bytes. */
static uint64_t node_member(const struct node *node, const char *object, enum node_value member) {
	uint32_t at = (uint32_t)node->values[member];
	return at <= NODE_OBJECT_SIZE - NODE_WORD ? remote_load_u64(object + at) : 0;
}

/** Return the type that a map describes; or 0 if there is no map at the address. */
static unsigned node_type_of_map(struct script_process *process, uint64_t map) {
	struct node *node = process->state;
	struct node_map *known = &node->maps[map / NODE_WORD % NODE_MAPS];
	if (!node_is_object(map)) {
		return 0;
	}
	if (known->map != map || !known_is_fresh(known->seen, process->now)) {
		uint16_t type = 0;
		uint64_t at = map - 1 + (uint64_t)node->values[NODE_MAP_TYPE];
		if (!remote_read(&process->remote, at, &type, sizeof(type))) {
			return 0;
		}
		*known = (struct node_map){.map = map, .seen = process->now, .type = type};
	}
	return known->type;
}

/** Read the start of an object. Return the type of the object, or 0 if there is no object. */
static unsigned node_read_object(struct script_process *process, uint64_t value, char *object) {
	if (!node_is_object(value) ||
	    !remote_read(&process->remote, value - 1, object, NODE_OBJECT_SIZE)) {
		return 0;
	}
	return node_type_of_map(process, remote_load_u64(object));
}

static bool node_is_function_type(const struct node *node, unsigned type) {
	unsigned first = (unsigned)node->values[NODE_FUNCTION_TYPE];
	return type >= first && type < first + NODE_FUNCTION_TYPES;
}

static bool node_is_context_type(const struct node *node, unsigned type) {
	return type >= (unsigned)node->values[NODE_FIRST_CONTEXT_TYPE] &&
	       type <= (unsigned)node->values[NODE_LAST_CONTEXT_TYPE];
}

/* --- Texts ---------------------------------------------------------------------------------- */

/** The forms of a string, in the lowest bits of its type. */
enum {
	NODE_FORM_MASK = 7,
	NODE_SEQUENTIAL = 0,
	NODE_CONS = 1,
	NODE_EXTERNAL = 2,
	NODE_SLICED = 3,
	NODE_THIN = 5,
	NODE_ONE_BYTE = 8,
};

/** Add characters of one or two bytes. */
static bool node_add_chars(struct script_process *process, uint64_t at, size_t n, bool one_byte,
			   struct buf *out) {
	char bytes[2 * NODE_TEXT_MOST];
	if (!remote_read(&process->remote, at, bytes, one_byte ? n : 2 * n)) {
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		uint16_t unit = (unsigned char)bytes[one_byte ? i : 2 * i];
		if (!one_byte) {
			unit = (uint16_t)(unit | (unsigned char)bytes[2 * i + 1] << 8);
		}
		bool surrogate = unit >= 0xd800 && unit < 0xe000;
		utf8_add(out, surrogate ? 0xfffd : unit);
	}
	return true;
}

/** Return the address of the characters of a string outside V8's heap. In the string object, this
 * address comes after the address of the characters' owner. */
static uint64_t node_external_chars(const struct node *node, const char *object) {
	uint32_t at = (uint32_t)node->values[NODE_EXTERNAL_RESOURCE] + NODE_WORD;
	return at <= NODE_OBJECT_SIZE - NODE_WORD ? remote_load_u64(object + at) : 0;
}

/** Add `n` characters of a string, beginning with the one at `from`. Return false if the string has
 * parts, or cannot be read. */
static bool node_add_part(struct script_process *process, uint64_t string, size_t from, size_t n,
			  struct buf *out) {
	enum { HOPS = 8 };
	const struct node *node = process->state;
	char object[NODE_OBJECT_SIZE];
	for (int i = 0; i < HOPS; i++) {
		unsigned type = node_read_object(process, string, object);
		uint64_t chars = string - 1 + (uint64_t)node->values[NODE_STRING_CHARS];
		bool one_byte = (type & NODE_ONE_BYTE) != 0;
		size_t width = one_byte ? 1 : 2;
		if (type == 0 || type >= (unsigned)node->values[NODE_FIRST_NONSTRING_TYPE]) {
			return false;
		}
		switch (type & NODE_FORM_MASK) {
		case NODE_SEQUENTIAL:
			return node_add_chars(process, chars + from * width, n, one_byte, out);
		case NODE_EXTERNAL:
			chars = node_external_chars(node, object);
			return node_add_chars(process, chars + from * width, n, one_byte, out);
		case NODE_SLICED:
			from += (size_t)(node_member(node, object, NODE_SLICED_OFFSET) >> 32);
			string = node_member(node, object, NODE_SLICED_PARENT);
			break;
		case NODE_THIN:
			string = node_member(node, object, NODE_THIN_ACTUAL);
			break;
		default: // the string has too many parts
			return false;
		}
	}
	return false;
}

/** Add a string, which may consist of parts. Return false if the object is not a string, is too
 * long, or cannot be read. */
static bool node_add_string(struct script_process *process, uint64_t string, struct buf *out) {
	enum { WAITING = 16, PARTS = 64 };
	const struct node *node = process->state;
	const uint32_t at = (uint32_t)node->values[NODE_STRING_LENGTH];
	char object[NODE_OBJECT_SIZE];
	uint64_t waiting[WAITING] = {string};
	size_t n = 1;
	for (int i = 0; i < PARTS && n > 0; i++) {
		string = waiting[--n];
		unsigned type = node_read_object(process, string, object);
		if (type == 0 || type >= (unsigned)node->values[NODE_FIRST_NONSTRING_TYPE] ||
		    at > NODE_OBJECT_SIZE - NODE_WORD) {
			return false;
		}
		uint32_t length = remote_load_u32(object + at);
		if (length > NODE_TEXT_MOST) {
			return false;
		}
		if ((type & NODE_FORM_MASK) == NODE_CONS && n + 2 <= WAITING) {
			waiting[n++] = node_member(node, object, NODE_CONS_SECOND);
			waiting[n++] = node_member(node, object, NODE_CONS_FIRST);
		} else if (length > 0 && !node_add_part(process, string, 0, length, out)) {
			return false;
		}
	}
	return n == 0;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Return the number in a word; or UINT64_MAX if the word is not a number. */
static uint64_t node_number(const char *words, size_t at) {
	uint64_t word = remote_load_u64(words + at * NODE_WORD);
	return (uint32_t)word == 0 ? word >> 32 : UINT64_MAX;
}

/** Return the position in the source at which a function starts. A row of numbers begins at a word
 * of the function's ScopeInfo. The position is the first number of the row's last pair. Return 0 if
 * there are no such numbers. */
static uint64_t node_position(const char *words, size_t at, size_t end) {
	uint64_t position = 0;
	for (; at + 1 < end; at++) {
		uint64_t start = node_number(words, at), stop = node_number(words, at + 1);
		if (start < stop && stop != UINT64_MAX) {
			position = start;
		} else if (position > 0) {
			break;
		}
	}
	return position;
}

/** Return whether a value that could not be read as a string may be one all the same: it is a
 * string of which a part could not be read, or the program is moving it. */
static bool node_may_be_string(struct script_process *process, uint64_t value) {
	const struct node *node = process->state;
	char object[NODE_OBJECT_SIZE];
	return node_is_object(value) && node_read_object(process, value, object) <
						(unsigned)node->values[NODE_FIRST_NONSTRING_TYPE];
}

/** Add the name from a ScopeInfo. A ScopeInfo has the names of variables, one word about each
 * variable, then the name of the function, or a name that V8 has inferred. The position in the
 * source comes before or after these names. Return whether a name was added. If the name may be
 * missing because a part of it could not be read, set `*whole` to false. */
static bool node_add_scope_name(struct script_process *process, uint64_t scope, struct buf *out,
				uint64_t *position, bool *whole) {
	enum { WORDS = 192, INLINE_NAMES = 75, LATER = 8 };
	const struct node *node = process->state;
	char words[WORDS * NODE_WORD];
	size_t size = sizeof(words), before = out->n;
	// The object may end close to memory that cannot be read.
	while (size > 0 && !remote_read(&process->remote, scope - 1, words, size)) {
		size = size / 2 / NODE_WORD * NODE_WORD;
	}
	size_t n = size / NODE_WORD, at = 1 + (size_t)node->values[NODE_SCOPE_VARIABLES];
	size_t counted = 1 + (size_t)node->values[NODE_SCOPE_LOCALS];
	if (at >= n || counted >= n) {
		*whole = false;
		return false;
	}
	uint64_t locals = remote_load_u64(words + counted * NODE_WORD) >> 32;
	*position = node_position(words, counted + 1, at);
	at += locals < INLINE_NAMES ? 2 * (size_t)locals : 1 + (size_t)locals;
	size_t last = at + LATER < n ? at + LATER : n;
	*position = *position > 0 ? *position : node_position(words, at, last);
	for (; at < last && out->n == before; at++) {
		uint64_t value = remote_load_u64(words + at * NODE_WORD);
		if (node_is_object(value) && !node_add_string(process, value, out)) {
			out->n = before;
			*whole = *whole && !node_may_be_string(process, value);
		}
	}
	return out->n > before;
}

/** Add the name of a file without its folders, if the script has a file. Modules of node have no
 * folder. Return false if the name could not be read, because the program was moving it. */
static bool node_add_file(struct script_process *process, uint64_t script, struct buf *out) {
	struct node *node = process->state;
	char object[NODE_OBJECT_SIZE], text[NODE_OBJECT_SIZE];
	unsigned type = node_read_object(process, script, object);
	if (type != (unsigned)node->values[NODE_SCRIPT_TYPE]) {
		return type != 0;
	}
	uint64_t name = node_member(node, object, NODE_SCRIPT_NAME);
	type = node_read_object(process, name, text);
	if (!node_is_object(name) || type >= (unsigned)node->values[NODE_FIRST_NONSTRING_TYPE]) {
		return true; // code of eval() has no file
	}
	buf_clear(&node->path);
	if (!node_add_string(process, name, &node->path)) {
		return false;
	}
	struct str path = buf_str(&node->path);
	size_t slash = str_starts(path, STR("node:")) ? STR_NONE : str_find_last(path, '/');
	buf_add_str(out, slash == STR_NONE ? path : str_from(path, slash + 1));
	return true;
}

/** Return the address of the characters of a script's source; or 0 if they are not stored in one
 * piece. Set `*one_byte` to whether each character has one byte. */
static uint64_t node_find_source(struct script_process *process, uint64_t script, bool *one_byte) {
	const struct node *node = process->state;
	char object[NODE_OBJECT_SIZE];
	if (node_read_object(process, script, object) != (unsigned)node->values[NODE_SCRIPT_TYPE]) {
		return 0;
	}
	uint64_t source = node_member(node, object, NODE_SCRIPT_SOURCE);
	unsigned type = node_read_object(process, source, object), form = type & NODE_FORM_MASK;
	if (form == NODE_CONS || form == NODE_THIN) { // V8 has joined the parts
		source = node_member(node, object,
				     form == NODE_CONS ? NODE_CONS_FIRST : NODE_THIN_ACTUAL);
		type = node_read_object(process, source, object);
		form = type & NODE_FORM_MASK;
	}
	*one_byte = (type & NODE_ONE_BYTE) != 0;
	bool is_string = type != 0 && type < (unsigned)node->values[NODE_FIRST_NONSTRING_TYPE];
	return is_string && form == NODE_SEQUENTIAL
		       ? source - 1 + (uint64_t)node->values[NODE_STRING_CHARS]
	       : is_string && form == NODE_EXTERNAL ? node_external_chars(node, object)
						    : 0;
}

/** Return the line of a position in the source of a script; or 0 if the line is not known. */
static unsigned node_line(struct script_process *process, uint64_t script, uint64_t position) {
	enum { PART = 16 << 10, MOST = 4 << 20 };
	bool one_byte = true;
	uint64_t at = node_find_source(process, script, &one_byte);
	size_t width = one_byte ? 1 : 2, left = (size_t)position * width;
	unsigned line = at == 0 || position > MOST ? 0 : 1;
	char *part = mem_new(1, PART);
	while (line > 0 && left > 0) {
		size_t n = left < PART ? left : PART;
		if (!remote_read(&process->remote, at, part, n)) {
			line = 0;
			break;
		}
		for (size_t i = 0; i < n; i += width) {
			line += part[i] == '\n' && (one_byte || part[i + 1] == 0);
		}
		at += n;
		left -= n;
	}
	free(part);
	return line;
}

/** Name a function by its description. Return false if a part of the name could not be read. */
static bool node_name(struct script_process *process, const char *shared, uint32_t *id) {
	struct node *node = process->state;
	uint64_t name = node_member(node, shared, NODE_SHARED_NAME);
	uint64_t script = node_member(node, shared, NODE_SHARED_SCRIPT), position = 0;
	char object[NODE_OBJECT_SIZE];
	buf_clear(&node->text);
	bool whole = node_add_file(process, script, &node->text);
	buf_add_text(&node->text, node->text.n > 0 ? ":" : "");
	bool is_scope =
		node_read_object(process, name, object) == (unsigned)node->values[NODE_SCOPE_TYPE];
	size_t before = node->text.n;
	bool named = is_scope ? node_add_scope_name(process, name, &node->text, &position, &whole)
			      : node_add_string(process, name, &node->text);
	whole = whole && (named || is_scope || !node_may_be_string(process, name));
	if (!named || node->text.n == before) {
		node->text.n = before;
		buf_add_text(&node->text, "(anonymous)");
		named = false;
	}
	if (is_scope && (process->lines || (!named && position > 0))) {
		unsigned line = node_line(process, script, position);
		if (line != 0) {
			buf_printf(&node->text, ":%u", line);
		}
	}
	*id = process->name(process->context, buf_str(&node->text));
	return whole;
}

/** Find the name of a function by its description. Return false if the value is not a
 * description. */
static bool node_find(struct script_process *process, uint64_t value, uint32_t *id) {
	enum { TRIES = 20 };
	struct node *node = process->state;
	char shared[NODE_OBJECT_SIZE];
	struct node_function *known = known_get(&node->functions, value, sizeof(*known));
	if (!known_is_fresh(known->seen, process->now)) {
		if (node_read_object(process, value, shared) !=
		    (unsigned)node->values[NODE_SHARED_TYPE]) {
			*known = (struct node_function){0};
			return false;
		}
		uint64_t name = node_member(node, shared, NODE_SHARED_NAME);
		uint64_t script = node_member(node, shared, NODE_SHARED_SCRIPT);
		bool whole = known->seen != 0 && known->name == name && known->script == script;
		whole = whole || node_name(process, shared, &known->id);
		known->name = name;
		known->script = script;
		known->tries = whole ? 0 : known->tries + 1;
		// 0: read the name again at the next sample
		known->seen = whole || known->tries > TRIES ? process->now : 0;
	}
	*id = known->id;
	return true;
}

/* --- The stack ------------------------------------------------------------------------------ */

/** Add the function of a frame, if the frame belongs to a JavaScript function. */
static void node_add_frame(struct script_process *process, uint64_t frame, uint64_t context,
			   struct script_stack *stack) {
	struct node *node = process->state;
	char object[NODE_OBJECT_SIZE];
	uint64_t function = 0;
	uint32_t id;
	uint64_t at = frame + (uint64_t)(int64_t)node->values[NODE_FUNCTION_AT];
	if (!node_is_object(context) || !native_stack_word(&node->stack, at, &function) ||
	    !node_is_function_type(node, node_read_object(process, function, object))) {
		return;
	}
	uint64_t map = remote_u64(&process->remote, context - 1);
	if (node_is_context_type(node, node_type_of_map(process, map)) &&
	    node_find(process, node_member(node, object, NODE_FUNCTION_SHARED), &id)) {
		stack->frames[stack->n++] = (struct script_frame){.name = id};
	}
}

static enum script_state node_read(struct script_process *process,
				   const struct script_thread *thread, struct script_stack *stack) {
	enum { FRAMES_MOST = 4 * SCRIPT_DEPTH_MOST };
	struct node *node = process->state;
	struct native_stack *native = &node->stack;
	if (!thread->has_registers) {
		return SCRIPT_NONE;
	}
	native_stack_init(native, &process->remote, thread);
	uint64_t frame = native_stack_first_frame(native, thread);
	for (size_t i = 0; i < FRAMES_MOST && frame != 0; i++) {
		uint64_t mark = 0, address = 0;
		uint64_t at = frame + (uint64_t)(int64_t)node->values[NODE_CONTEXT_AT];
		if (stack->n + 1 >= SCRIPT_DEPTH_MOST) {
			stack->cut = true;
			break;
		}
		(void)native_stack_word(native, at, &mark);
		// The stored kind of a frame is an even number (twice the kind), and the address of
		// an object is odd.
		if (mark == 2 * (uint64_t)(uint32_t)node->values[NODE_ENTRY_FRAME] ||
		    mark == 2 * (uint64_t)(uint32_t)node->values[NODE_CONSTRUCT_ENTRY_FRAME]) {
			(void)native_stack_word(native, frame + NODE_WORD, &address);
			script_stack_add_return(stack, address);
		} else {
			node_add_frame(process, frame, mark, stack);
		}
		frame = native_stack_next_frame(native, frame);
	}
	bool any = stack->n > 0 && (stack->frames[0].flags & SCRIPT_RETURN) == 0;
	return !any && stack->n < 2 ? SCRIPT_NONE : native->live ? SCRIPT_SNAPSHOT : SCRIPT_EXACT;
}

const struct script_language language_node = {
	.name = "node",
	.title = "V8",
	.files = node_files,
	.globals = node_globals,
	.loops = node_loops,
	.glue = node_glue,
	.makes_code = true,
	.open = node_open,
	.read = node_read,
	.close = node_close,
};
