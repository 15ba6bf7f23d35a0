/* CPython 2.7 and 3.6 to 3.14. Up to 3.10, frames are objects in a list. From 3.11 on, the frames
 * of a thread are in blocks of memory. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/threads.h"

enum { NOWHERE = MEMBER_NOWHERE };

/** The number of bytes that are read of a thread state, a frame (at most), the head of a block of
 * frames, the whole block (at most), a code object, and a lock. */
enum {
	HEAD = 320,
	FRAME_MOST = 136,
	CHUNK_HEAD = 24,
	CHUNK_MOST = 64 << 10,
	CODE_SIZE = 144,
	LOCK_SIZE = 32
};

/** The offsets needed to find the lock of an interpreter (the GIL). */
struct python_lock {
	// Up to 3.11: offset in the runtime of the address of the holder's state. From 3.12 on:
	// offset in an interpreter of the address of its lock.
	uint16_t at;
	uint16_t holder, locked; // from 3.12 on: offsets in the lock
};

/** Offsets in the objects of a version, in bytes; NOWHERE: the version has no such field. */
struct python_layout {
	unsigned version; // 0x30d: 3.13
	uint16_t interpreters, next_interpreter, threads;
	uint16_t next_thread, frame, current, thread_id, native_id, chunk;
	uint16_t code, back, at, entry, owner, frame_size;
	uint16_t file, name, qualified, first, table, bytes;
	uint16_t ascii, other; // offsets of the text of a string, for ASCII and other strings
	struct python_lock lock;
};

/* Made by scripts/layouts. */
static const struct python_layout python_layouts[] = {
	{0x207, NOWHERE, 0,   8,       0,
	 16,    NOWHERE, 144, NOWHERE, NOWHERE,
	 32,    24,      120, NOWHERE, NOWHERE,
	 128,   80,      88,  NOWHERE, 96,
	 104,   NOWHERE, 36,  36,      {NOWHERE, NOWHERE, NOWHERE}},
	{0x306, NOWHERE, 0,   8,       8,
	 24,    NOWHERE, 152, NOWHERE, NOWHERE,
	 32,    24,      120, NOWHERE, NOWHERE,
	 128,   96,      104, NOWHERE, 36,
	 112,   NOWHERE, 48,  72,      {NOWHERE, NOWHERE, NOWHERE}},
	{0x307, 24,      0,   8,       8,
	 24,    NOWHERE, 176, NOWHERE, NOWHERE,
	 32,    24,      104, NOWHERE, NOWHERE,
	 112,   96,      104, NOWHERE, 36,
	 112,   NOWHERE, 48,  72,      {1480, NOWHERE, NOWHERE}},
	{0x308, 32,      0,   8,       8,
	 24,    NOWHERE, 176, NOWHERE, NOWHERE,
	 32,    24,      104, NOWHERE, NOWHERE,
	 112,   104,     112, NOWHERE, 40,
	 120,   NOWHERE, 48,  72,      {1368, NOWHERE, NOWHERE}},
	{0x309, 32,      0,   8,       8,
	 24,    NOWHERE, 176, NOWHERE, NOWHERE,
	 32,    24,      104, NOWHERE, NOWHERE,
	 112,   104,     112, NOWHERE, 40,
	 120,   NOWHERE, 48,  72,      {568, NOWHERE, NOWHERE}},
	{0x30a, 32,      0,   8,       8,
	 24,    NOWHERE, 176, NOWHERE, NOWHERE,
	 32,    24,      96,  NOWHERE, NOWHERE,
	 104,   104,     112, NOWHERE, 40,
	 120,   NOWHERE, 48,  72,      {568, NOWHERE, NOWHERE}},
	{0x30b, 40,  0,   16,  8,
	 56,    8,   152, 160, 296,
	 32,    48,  56,  68,  69,
	 72,    112, 120, 128, 72,
	 136,   184, 48,  72,  {576, NOWHERE, NOWHERE}},
	{0x30c,   40, 0,  72,  8,   56,  0,  136, 144, 232, 0,  8,           56,
	 NOWHERE, 70, 72, 112, 120, 128, 68, 136, 192, 40,  56, {384, 8, 16}},
};

/** From 3.13 on, a runtime begins with a table of the offsets of its members. The members of this
 * struct say where the needed offsets are in this table, in words of eight bytes. */
struct python_description {
	unsigned version;
	uint8_t interpreters, next_interpreter, threads;
	uint8_t next_thread, current, thread_id, native_id, chunk;
	uint8_t frame_size, back, code, at, owner;
	uint8_t file, name, qualified, table, first, bytes;
	uint8_t lock, own_lock, locked, holder; // the last two count from the start of `own_lock`
};

static const struct python_description python_descriptions[] = {
	{0x30d, 5,  8,  9,  21, 23, 24, 25, 26, 28, 29, 30,
	 31,    33, 35, 36, 37, 38, 39, 43, 14, 15, 17, 18},
	{0x30e, 5,  8,  9,  24, 26, 27, 28, 29, 31, 32, 33,
	 34,    36, 40, 41, 42, 43, 44, 48, 15, 16, 18, 19},
};

/** The members whose offsets make up a layout. Versions have different members. */
enum {
	PYTHON_M_INTERPRETERS,
	PYTHON_M_NEXT_INTERPRETER,
	PYTHON_M_THREADS,
	PYTHON_M_THREADS_OLD,
	PYTHON_M_NEXT_THREAD,
	PYTHON_M_FRAME,
	PYTHON_M_CFRAME,
	PYTHON_M_CURRENT_FRAME,
	PYTHON_M_CURRENT,
	PYTHON_M_THREAD_ID,
	PYTHON_M_NATIVE_ID,
	PYTHON_M_CHUNK,
	PYTHON_M_CODE,
	PYTHON_M_EXECUTABLE,
	PYTHON_M_BACK,
	PYTHON_M_PREVIOUS_INSTRUCTION,
	PYTHON_M_INSTRUCTION,
	PYTHON_M_ENTRY,
	PYTHON_M_OWNER,
	PYTHON_M_LOCALS,
	PYTHON_M_CODE_OLD,
	PYTHON_M_BACK_OLD,
	PYTHON_M_LAST_INSTRUCTION,
	PYTHON_M_FILE,
	PYTHON_M_NAME,
	PYTHON_M_QUALIFIED,
	PYTHON_M_FIRST,
	PYTHON_M_LINES,
	PYTHON_M_LINES_OLD,
	PYTHON_M_BYTES,
	PYTHON_M_ASCII,
	PYTHON_M_OTHER,
	PYTHON_M_STRING_OLD,
	PYTHON_M_HOLDER_OLD,
	PYTHON_M_LOCK,
	PYTHON_M_LOCK_HOLDER,
	PYTHON_M_LOCK_LOCKED,
	PYTHON_MEMBERS
};

static const struct layout_member python_members[PYTHON_MEMBERS + 1] = {
	[PYTHON_M_INTERPRETERS] = {"_PyRuntimeState", "interpreters.head", 0},
	[PYTHON_M_NEXT_INTERPRETER] = {"PyInterpreterState", "next", 0},
	[PYTHON_M_THREADS] = {"PyInterpreterState", "threads.head", 0},
	[PYTHON_M_THREADS_OLD] = {"PyInterpreterState", "tstate_head", 0},
	[PYTHON_M_NEXT_THREAD] = {"PyThreadState", "next", 0},
	[PYTHON_M_FRAME] = {"PyThreadState", "frame", 0},
	[PYTHON_M_CFRAME] = {"PyThreadState", "cframe", 0},
	[PYTHON_M_CURRENT_FRAME] = {"PyThreadState", "current_frame", 0},
	[PYTHON_M_CURRENT] = {"_PyCFrame", "current_frame", 0},
	[PYTHON_M_THREAD_ID] = {"PyThreadState", "thread_id", 0},
	[PYTHON_M_NATIVE_ID] = {"PyThreadState", "native_thread_id", 0},
	[PYTHON_M_CHUNK] = {"PyThreadState", "datastack_chunk", 0},
	[PYTHON_M_CODE] = {"_PyInterpreterFrame", "f_code", 0},
	[PYTHON_M_EXECUTABLE] = {"_PyInterpreterFrame", "f_executable", 0},
	[PYTHON_M_BACK] = {"_PyInterpreterFrame", "previous", 0},
	[PYTHON_M_PREVIOUS_INSTRUCTION] = {"_PyInterpreterFrame", "prev_instr", 0},
	[PYTHON_M_INSTRUCTION] = {"_PyInterpreterFrame", "instr_ptr", 0},
	[PYTHON_M_ENTRY] = {"_PyInterpreterFrame", "is_entry", 0},
	[PYTHON_M_OWNER] = {"_PyInterpreterFrame", "owner", 0},
	[PYTHON_M_LOCALS] = {"_PyInterpreterFrame", "localsplus", 0},
	[PYTHON_M_CODE_OLD] = {"PyFrameObject", "f_code", 0},
	[PYTHON_M_BACK_OLD] = {"PyFrameObject", "f_back", 0},
	[PYTHON_M_LAST_INSTRUCTION] = {"PyFrameObject", "f_lasti", 0},
	[PYTHON_M_FILE] = {"PyCodeObject", "co_filename", 0},
	[PYTHON_M_NAME] = {"PyCodeObject", "co_name", 0},
	[PYTHON_M_QUALIFIED] = {"PyCodeObject", "co_qualname", 0},
	[PYTHON_M_FIRST] = {"PyCodeObject", "co_firstlineno", 0},
	[PYTHON_M_LINES] = {"PyCodeObject", "co_linetable", 0},
	[PYTHON_M_LINES_OLD] = {"PyCodeObject", "co_lnotab", 0},
	[PYTHON_M_BYTES] = {"PyCodeObject", "co_code_adaptive", 0},
	[PYTHON_M_ASCII] = {"PyASCIIObject", NULL, 0},
	[PYTHON_M_OTHER] = {"PyCompactUnicodeObject", NULL, 0},
	[PYTHON_M_STRING_OLD] = {"PyStringObject", "ob_sval", 0},
	[PYTHON_M_HOLDER_OLD] = {"_PyRuntimeState", "gilstate.tstate_current", 0},
	[PYTHON_M_LOCK] = {"PyInterpreterState", "ceval.gil", 0},
	[PYTHON_M_LOCK_HOLDER] = {"_gil_runtime_state", "last_holder", 0},
	[PYTHON_M_LOCK_LOCKED] = {"_gil_runtime_state", "locked", 0},
};

enum {
	PYTHON_CODE_TYPE,
	PYTHON_RUNTIME,
	PYTHON_VERSION,
	PYTHON_FIRST_INTERPRETER,
	PYTHON_CURRENT_THREAD,
};

/** The symbols to look up, in the order of the constants above. */
static const char *const python_globals[] = {
	"PyCode_Type", "_PyRuntime", "Py_Version", "interp_head", "_PyThreadState_Current", NULL};

static const char *const python_files[] = {"python", "uwsgi", NULL};

static const char *const python_loops[] = {"_PyEval_EvalFrameDefault", "PyEval_EvalFrameEx", NULL};

static const char *const python_glue[] = {
	"_PyEval_Vector",
	"_Py_HandlePending",
	"_PyEval_EvalFrame",
	"_PyEval_EvalCode*",
	"PyEval_EvalCode*",
	"PyEval_EvalFrame",
	"PyEval_CallObjectWithKeywords",
	"_PyFunction_Vectorcall*",
	"_PyFunction_FastCall*",
	"_PyCFunction_FastCall*",
	"_PyObject_FastCall*",
	"_PyObject_Call*",
	"_PyObject_Vectorcall*",
	"_PyObject_MakeTpCall",
	"_PyVectorcall_Call",
	"_PyMethodDef_RawFastCall*",
	"PyObject_Call",
	"PyObject_Vectorcall",
	"PyObject_CallObject",
	"PyVectorcall_Call",
	"object_vacall",
	"call_function",
	"call_function_tail",
	"do_call_core",
	"do_call",
	"ext_do_call",
	"fast_function",
	"_PyFunction_FastCallDict",
	"function_call",
	"function_code_fastcall",
	"instancemethod_call",
	"method_vectorcall",
	"method_call",
	"trace_call_function",
	"cfunction_vectorcall_*",
	"cfunction_call*",
	"py_trampoline_evaluator",
	"py::*",
	"builtin_exec",
	"builtin___build_class__",
	"run_mod",
	"run_eval_code_obj",
	"run_pyc_file",
	"pyrun_file",
	"pyrun_simple_file",
	"PyRun_*",
	"_PyRun_*",
	"pymain_*",
	"Py_RunMain",
	"Py_BytesMain",
	"Py_Main",
	"_Py_UnixMain",
	"main",
	"_start",
	"__libc_start_*",
	"thread_run",
	"t_bootstrap",
	"pythread_wrapper",
	"start_thread",
	"clone",
	"__clone",
	"clone3",
	"__clone3",
	NULL,
};

/* The functions of Python in which a thread waits for the GIL, or in drop_gil, until another thread
 * has taken it. */
static const char *const python_locks[] = {"take_gil",
					   "drop_gil",
					   "PyEval_RestoreThread",
					   "PyEval_AcquireThread",
					   "PyEval_AcquireLock",
					   "_PyEval_AcquireLock",
					   NULL};

/* The functions of the C library in which a thread waits for the GIL. From 3.2 on, only the code of
 * the GIL calls them, because the other locks of the interpreter are semaphores. */
static const char *const python_sleeps[] = {"pthread_cond_timedwait*",
					    "__pthread_cond_timedwait*",
					    "___pthread_cond_timedwait*",
					    "pthread_cond_wait*",
					    "__pthread_cond_wait*",
					    "___pthread_cond_wait*",
					    NULL};

/** The cached name of a code object, by its address. Another object may get the address later. */
struct python_code {
	uint64_t file, name;
	uint32_t first; // line
	uint32_t id;    // id of the name
	uint64_t seen;  // time when it was last compared with the object, in nanoseconds
	uint64_t asked; // time of the last sample for which the object was read
};

/** The block of a thread's frames at the last reading. The next reading begins with this block. */
struct python_thread {
	int32_t tid;
	uint64_t state; // address of its PyThreadState
	uint64_t lock;  // from 3.12 on: address of its interpreter's lock
	bool has_run;   // the thread had called a function when it was listed
	// address of the block of frames, and of the pointer to the current frame
	uint64_t chunk, current;
	uint64_t used; // number of bytes of the block to read
};

/** Objects that are read in one call. */
struct python_objects {
	uint64_t visited[REMOTE_PIECES]; // addresses of the frame objects of the last walk: of
					 // the outermost ones if there are more
	size_t visited_n;                // number of frames in that walk
	char bytes[REMOTE_PIECES][CODE_SIZE];
	struct remote_pages pages; // pages with the other frame objects; the frame objects of a
				   // recursion are next to each other
};

enum { PYTHON_STARTING = 16 };

struct python {
	const struct python_layout *layout;
	struct python_layout described; // `layout` points here if it is not in the table
	struct known lines;             // names with lines, by instruction
	struct python_thread *threads;
	size_t threads_n, threads_capacity;
	struct threads_watch watch;
	// threads that had not called a function when the threads were listed
	struct python_thread starting[PYTHON_STARTING];
	size_t starting_n;
	bool checked; // whether the type name of code objects was found at its expected offset
	struct known codes; // items: struct python_code
	struct buf text;
	char head[HEAD], again[HEAD], lock[LOCK_SIZE];
	struct python_objects objects;
	uint64_t frames[SCRIPT_DEPTH_MOST]; // code object of each frame
	uint64_t places[SCRIPT_DEPTH_MOST]; // instruction of each frame: its address, or up
					    // to 3.10, its number
	char chunk[CHUNK_MOST], older[CHUNK_MOST];
	uint64_t older_at;
	size_t chunk_n, older_n;
};

/* --- Version -------------------------------------------------------------------------------- */

/** Return the version in a file name such as libpython3.8.so.1.0; or 0 if there is no version. */
static unsigned python_version_in(struct str path) {
	size_t at = str_find_last_str(path, STR("python"));
	unsigned major = 0, minor = 0;
	char text[16] = "";
	if (at != STR_NONE) {
		struct str rest = str_from(path, at + 6);
		snprintf(text, sizeof(text), "%.*s", (int)(rest.n < 15 ? rest.n : 15), rest.p);
	}
	return sscanf(text, "%1u.%2u", &major, &minor) == 2 ? major << 8 | minor : 0;
}

/** Return the places of offsets in the runtime's table for a version; or NULL if the version is not
 * known. */
static const struct python_description *python_find_description(unsigned version) {
	const size_t n = sizeof(python_descriptions) / sizeof(*python_descriptions);
	for (size_t i = 0; i < n; i++) {
		if (python_descriptions[i].version == version) {
			return &python_descriptions[i];
		}
	}
	return NULL;
}

/** Return whether a member of `size` bytes is within the first `n` bytes of an object. */
static bool python_is_inside(uint16_t offset, size_t size, size_t n) {
	return offset + size <= n;
}

/** Return whether a member is missing in this version, or is within the first `n` bytes of its
 * object. */
static bool python_may_lack(uint16_t offset, size_t size, size_t n) {
	return offset == NOWHERE || python_is_inside(offset, size, n);
}

/** Return whether all members of a layout are within the bytes that are read of their objects. */
static bool python_fits(const struct python_layout *layout) {
	const size_t word = sizeof(uint64_t);
	bool blocks = layout->chunk != NOWHERE;
	return python_is_inside(layout->frame, word, HEAD) &&
	       python_may_lack(layout->chunk, 3 * word, HEAD) &&
	       python_is_inside(layout->thread_id, word, HEAD) &&
	       python_may_lack(layout->native_id, word, HEAD) &&
	       python_is_inside(layout->next_thread, 2 * word, HEAD) &&
	       layout->frame_size <= FRAME_MOST &&
	       python_is_inside(layout->back, word, layout->frame_size) &&
	       python_is_inside(layout->code, word, layout->frame_size) &&
	       python_is_inside(layout->at, blocks ? word : sizeof(uint32_t), layout->frame_size) &&
	       (!blocks || python_is_inside(layout->owner, 1, layout->frame_size)) &&
	       python_may_lack(layout->entry, 1, layout->frame_size) &&
	       python_is_inside(layout->file, word, CODE_SIZE) &&
	       python_is_inside(layout->name, word, CODE_SIZE) &&
	       python_may_lack(layout->qualified, word, CODE_SIZE) &&
	       python_is_inside(layout->table, word, CODE_SIZE) &&
	       python_is_inside(layout->first, sizeof(uint32_t), CODE_SIZE) &&
	       layout->next_interpreter != NOWHERE && layout->threads != NOWHERE &&
	       layout->ascii != NOWHERE && layout->other != NOWHERE &&
	       python_may_lack(layout->lock.holder, word, LOCK_SIZE) &&
	       python_may_lack(layout->lock.locked, sizeof(uint32_t), LOCK_SIZE);
}

/** Take the offsets from the table in the runtime. Return false if the table is invalid. */
static bool python_describe(struct script_process *process, unsigned version,
			    struct python_layout *layout) {
	enum { WORDS = 64, ASCII = 40, OTHER = 56 };
	const struct python_description *places = python_find_description(version);
	uint64_t words[WORDS];
	if (places == NULL ||
	    !remote_read(&process->remote, process->globals[PYTHON_RUNTIME], words,
			 sizeof(words)) ||
	    memcmp(words, "xdebugpy", sizeof(*words)) != 0 || words[1] >> 16 != version) {
		return false;
	}
#define TAKE(field, place) (layout->field = (uint16_t)(words[place] < NOWHERE ? words[place] : 0))
	*layout = (struct python_layout){.version = version,
					 .frame = NOWHERE,
					 .current = NOWHERE,
					 .entry = NOWHERE,
					 .ascii = ASCII,
					 .other = OTHER};
	TAKE(interpreters, places->interpreters);
	TAKE(next_interpreter, places->next_interpreter);
	TAKE(threads, places->threads);
	TAKE(next_thread, places->next_thread);
	TAKE(frame, places->current);
	TAKE(thread_id, places->thread_id);
	TAKE(native_id, places->native_id);
	TAKE(chunk, places->chunk);
	TAKE(frame_size, places->frame_size);
	TAKE(back, places->back);
	TAKE(code, places->code);
	TAKE(at, places->at);
	TAKE(owner, places->owner);
	TAKE(file, places->file);
	TAKE(name, places->name);
	TAKE(qualified, places->qualified);
	TAKE(table, places->table);
	TAKE(first, places->first);
	TAKE(bytes, places->bytes);
	TAKE(lock.at, places->lock);
#undef TAKE
	layout->lock.holder = (uint16_t)(words[places->holder] - words[places->own_lock]);
	layout->lock.locked = (uint16_t)(words[places->locked] - words[places->own_lock]);
	return python_fits(layout);
}

/** Take the offsets of a version from its debug information. Return false if a needed offset is
 * missing. */
static bool python_take_members(const struct script_process *process, unsigned version,
				struct python_layout *layout) {
	const size_t word = sizeof(uint64_t);
#define FIRST(...) members_first(process->offsets, (const int[]){__VA_ARGS__, -1})
	bool objects = FIRST(PYTHON_M_FRAME) != NOWHERE; // whether frames are objects
	uint16_t last = FIRST(PYTHON_M_LAST_INSTRUCTION);
	*layout = (struct python_layout){
		.version = version,
		.interpreters = FIRST(PYTHON_M_INTERPRETERS),
		.next_interpreter = FIRST(PYTHON_M_NEXT_INTERPRETER),
		.threads = FIRST(PYTHON_M_THREADS, PYTHON_M_THREADS_OLD),
		.next_thread = FIRST(PYTHON_M_NEXT_THREAD),
		.frame = FIRST(PYTHON_M_FRAME, PYTHON_M_CFRAME, PYTHON_M_CURRENT_FRAME),
		.current = objects || FIRST(PYTHON_M_CFRAME) == NOWHERE ? NOWHERE
									: FIRST(PYTHON_M_CURRENT),
		.thread_id = FIRST(PYTHON_M_THREAD_ID),
		.native_id = FIRST(PYTHON_M_NATIVE_ID),
		.chunk = FIRST(PYTHON_M_CHUNK),
		.code = objects ? FIRST(PYTHON_M_CODE_OLD)
				: FIRST(PYTHON_M_CODE, PYTHON_M_EXECUTABLE),
		.back = objects ? FIRST(PYTHON_M_BACK_OLD) : FIRST(PYTHON_M_BACK),
		.at = objects ? last : FIRST(PYTHON_M_PREVIOUS_INSTRUCTION, PYTHON_M_INSTRUCTION),
		.entry = FIRST(PYTHON_M_ENTRY),
		.owner = FIRST(PYTHON_M_OWNER),
		.frame_size = objects ? (uint16_t)((last + 2 * word - 1) / word * word)
				      : FIRST(PYTHON_M_LOCALS),
		.file = FIRST(PYTHON_M_FILE),
		.name = FIRST(PYTHON_M_NAME),
		.qualified = FIRST(PYTHON_M_QUALIFIED),
		.first = FIRST(PYTHON_M_FIRST),
		.table = FIRST(PYTHON_M_LINES, PYTHON_M_LINES_OLD),
		.bytes = FIRST(PYTHON_M_BYTES),
		.ascii = FIRST(PYTHON_M_ASCII),
		.other = FIRST(PYTHON_M_OTHER),
		.lock = {FIRST(PYTHON_M_HOLDER_OLD), NOWHERE, NOWHERE},
	};
	if (version < 0x300) {
		layout->ascii = layout->other = FIRST(PYTHON_M_STRING_OLD);
	}
	if (layout->lock.at == NOWHERE && FIRST(PYTHON_M_LOCK) != NOWHERE) {
		layout->lock =
			(struct python_lock){FIRST(PYTHON_M_LOCK), FIRST(PYTHON_M_LOCK_HOLDER),
					     FIRST(PYTHON_M_LOCK_LOCKED)};
	}
#undef FIRST
	return python_fits(layout);
}

static bool python_open(struct script_process *process, struct buf *version) {
	// From 3.13 on, the runtime begins with a table that describes it: a mark, the version, and
	// whether it has no GIL.
	enum { DESCRIBED = 0x30d, THREADING = 16 };
	struct python_layout described;
	uint32_t exact = 0;
	if (process->globals[PYTHON_VERSION] != 0) {
		exact = remote_u32(&process->remote, process->globals[PYTHON_VERSION]);
	}
	unsigned found = exact != 0 ? exact >> 16 : python_version_in(process->path);
	buf_printf(version, found == 0 ? "of unknown version" : "%u.%u", found >> 8, found & 255);
	if (exact != 0) {
		buf_printf(version, ".%u", exact >> 8 & 255);
	}
	if (found >= DESCRIBED && process->globals[PYTHON_RUNTIME] != 0 &&
	    remote_u64(&process->remote, process->globals[PYTHON_RUNTIME] + THREADING) != 0) {
		buf_add_text(version, " with free threads");
		return false;
	}
	const struct python_layout *layout = NULL;
	for (size_t i = 0; i < sizeof(python_layouts) / sizeof(*python_layouts); i++) {
		layout = python_layouts[i].version == found ? &python_layouts[i] : layout;
	}
	bool describes = layout == NULL && (python_describe(process, found, &described) ||
					    (found != 0 && process->has_offsets &&
					     python_take_members(process, found, &described)));
	if (layout == NULL && !describes) {
		return false;
	}
	struct python *python = mem_new(1, sizeof(*python));
	if (describes) {
		python->described = described;
		layout = &python->described;
	}
	python->layout = layout;
	process->state = python;
	return true;
}

static void python_close(struct script_process *process) {
	struct python *python = process->state;
	known_release(&python->codes);
	known_release(&python->lines);
	free(python->threads);
	buf_release(&python->text);
	free(python);
}

/* --- Threads -------------------------------------------------------------------------------- */

/** Return the address of the first interpreter; or 0 if it is not known. */
static uint64_t python_first_interpreter(struct script_process *process) {
	const struct python *python = process->state;
	const uint64_t *globals = process->globals;
	struct remote *remote = &process->remote;
	if (python->layout->interpreters != NOWHERE) {
		return globals[PYTHON_RUNTIME] == 0
			       ? 0
			       : remote_u64(remote,
					    globals[PYTHON_RUNTIME] + python->layout->interpreters);
	}
	if (globals[PYTHON_FIRST_INTERPRETER] != 0) {
		return remote_u64(remote, globals[PYTHON_FIRST_INTERPRETER]);
	}
	uint64_t current = globals[PYTHON_CURRENT_THREAD] == 0
				   ? 0
				   : remote_u64(remote, globals[PYTHON_CURRENT_THREAD]);
	uint64_t interpreter_at = python->layout->next_thread + sizeof(uint64_t);
	return remote_is_pointer(current) ? remote_u64(remote, current + interpreter_at) : 0;
}

/** Return the kernel's id of the thread that a thread state belongs to; or 0 if the id is not
 * known.
 */
static int32_t python_tid_of(struct script_process *process, const struct thread_numbers *threads,
			     const char *state) {
	const struct python_layout *layout = ((const struct python *)process->state)->layout;
	if (layout->native_id != NOWHERE) {
		int32_t tid =
			threads_outer(threads, (int32_t)remote_load_u32(state + layout->native_id));
		if (tid != 0) {
			return tid;
		}
	}
	// Up to 3.12, in a child process, the state of the thread that called fork() still has the
	// thread id from the parent process.
	return threads_of_pthread(threads, &process->remote,
				  remote_load_u64(state + layout->thread_id));
}

static struct python_thread *python_find(const struct python *python, int32_t tid) {
	for (size_t i = 0; i < python->threads_n; i++) {
		if (python->threads[i].tid == tid) {
			return &python->threads[i];
		}
	}
	return NULL;
}

/** Return whether a thread has called a function. */
static bool python_has_run(const struct python_layout *layout, const char *state) {
	return remote_load_u64(state +
			       (layout->chunk == NOWHERE ? layout->frame : layout->chunk)) != 0;
}

/** Remember a thread that is being started, because it does not have its number yet. */
static void python_add_starting(struct python *python, const struct python_thread *thread) {
	if (!thread->has_run && python->starting_n < PYTHON_STARTING) {
		python->starting[python->starting_n++] = *thread;
	}
}

/** Add a thread to the list. Up to 3.11, the state of a thread that is being started has the number
 * of the thread that starts it. So of two threads with one number, keep the one that has run. */
static void python_add_thread(struct python *python, struct python_thread thread) {
	struct python_thread *other = python_find(python, thread.tid);
	if (other == NULL) {
		*MEM_APPEND(python->threads, python->threads_n, python->threads_capacity) = thread;
		return;
	}
	python_add_starting(python, other->has_run ? &thread : other);
	if (!other->has_run) {
		*other = thread;
	}
}

/** List the threads of an interpreter. */
static void python_list_in(struct script_process *process, const struct thread_numbers *threads,
			   uint64_t interpreter) {
	enum { MOST = 10000 };
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	uint64_t state = remote_u64(&process->remote, interpreter + layout->threads);
	uint64_t lock = layout->lock.holder == NOWHERE
				? 0
				: remote_u64(&process->remote, interpreter + layout->lock.at);
	for (size_t i = 0; i < MOST && remote_is_pointer(state); i++) {
		char bytes[HEAD];
		if (!remote_read(&process->remote, state, bytes, HEAD) ||
		    remote_load_u64(bytes + layout->next_thread + sizeof(uint64_t)) !=
			    interpreter) {
			return;
		}
		struct python_thread thread = {.tid = python_tid_of(process, threads, bytes),
					       .state = state,
					       .lock = lock,
					       .has_run = python_has_run(layout, bytes)};
		if (thread.tid != 0) {
			python_add_thread(python, thread);
		} else {
			python_add_starting(python, &thread);
		}
		state = remote_load_u64(bytes + layout->next_thread);
	}
}

/** List the threads of all interpreters. */
static void python_list(struct script_process *process) {
	enum { MOST = 1000 };
	struct python *python = process->state;
	struct thread_numbers threads = {0};
	python->threads_n = 0;
	python->starting_n = 0;
	threads_list(&threads, process->remote.pid);
	uint64_t interpreter = python_first_interpreter(process);
	for (size_t i = 0; i < MOST && remote_is_pointer(interpreter); i++) {
		python_list_in(process, &threads, interpreter);
		interpreter = remote_u64(&process->remote,
					 interpreter + python->layout->next_interpreter);
	}
	threads_release(&threads);
}

/** Return the state of a thread that was being started when the threads were listed, and that has
 * its number by now; or NULL if there is none. */
static struct python_thread *python_find_started(struct script_process *process, int32_t tid) {
	struct python *python = process->state;
	struct thread_numbers one = {0};
	struct python_thread *found = NULL;
	for (size_t i = 0; i < python->starting_n && found == NULL; i++) {
		struct python_thread thread = python->starting[i];
		char bytes[HEAD];
		if (one.n == 0) {
			threads_list_one(&one, process->remote.pid, tid);
		}
		if (remote_read(&process->remote, thread.state, bytes, HEAD) &&
		    python_tid_of(process, &one, bytes) == tid) {
			thread.tid = tid;
			thread.has_run = true;
			python->starting[i] = python->starting[--python->starting_n];
			python_add_thread(python, thread);
			found = python_find(python, tid);
		}
	}
	threads_release(&one);
	return found;
}

/** Return the state of a thread; or NULL if it is not found. Read the list of states again if it
 * lacks the thread, or if the list is older than a second, because threads end; see
 * threads_watch_is_due(). */
static struct python_thread *python_thread(struct script_process *process, int32_t tid) {
	const uint64_t later = 1000000000; // ns
	struct python *python = process->state;
	struct python_thread *found = python_find(python, tid);
	found = found == NULL ? python_find_started(process, tid) : found;
	if (threads_watch_is_due(&python->watch, process->now, tid, found == NULL ? 0 : later)) {
		uint64_t began = threads_watch_begin(&python->watch, process->now);
		python_list(process);
		found = python_find(python, tid);
		threads_watch_end(&python->watch, began, tid, found != NULL);
	}
	return found;
}

/** Return the address and the size of the lock of a thread's interpreter. If the address is not
 * known, the size `n` is 0. */
static struct remote_piece python_lock_piece(struct script_process *process,
					     const struct python_thread *thread) {
	struct python *python = process->state;
	const struct python_lock *lock = &python->layout->lock;
	uint64_t at = lock->holder != NOWHERE ? thread->lock
		      : lock->at == NOWHERE   ? process->globals[PYTHON_CURRENT_THREAD]
					      : process->globals[PYTHON_RUNTIME] + lock->at;
	size_t n = lock->holder != NOWHERE ? LOCK_SIZE : sizeof(uint64_t);
	return (struct remote_piece){at, python->lock, remote_is_pointer(at) ? n : 0};
}

/** Determine from the bytes of the lock whether a thread holds the lock of its interpreter. */
static enum script_lock python_lock_of(struct script_process *process,
				       const struct python_thread *thread) {
	const struct python *python = process->state;
	const struct python_lock *lock = &python->layout->lock;
	const char *bytes = python->lock;
	if (python_lock_piece(process, thread).n == 0) {
		return SCRIPT_LOCK_UNKNOWN;
	}
	bool holds = lock->holder == NOWHERE
			     ? remote_load_u64(bytes) == thread->state
			     : remote_load_u64(bytes + lock->holder) == thread->state &&
				       remote_load_u32(bytes + lock->locked) != 0;
	return holds ? SCRIPT_LOCK_HELD : SCRIPT_LOCK_NOT_HELD;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Add the text of a string object, in UTF-8. Return false if there is no such object at the
 * address. */
static bool python_add_text(struct script_process *process, uint64_t object, struct buf *out) {
	enum { MOST = 1000, LENGTH_AT = 16, STATE_AT = 32, STRING_HEAD = 40, WIDEST = 4 };
	const struct python_layout *layout = ((const struct python *)process->state)->layout;
	char head[STRING_HEAD], bytes[MOST * WIDEST];
	if (!remote_is_pointer(object) ||
	    !remote_read(&process->remote, object, head, sizeof(head))) {
		return false;
	}
	uint64_t length = remote_load_u64(head + LENGTH_AT);
	uint32_t state = remote_load_u32(head + STATE_AT);
	size_t n = length < MOST ? (size_t)length : MOST;
	bool old = layout->version < 0x300, ascii = old || (state >> 6 & 1) != 0;
	size_t width = ascii ? 1 : state >> 2 & 7;
	if (length > UINT32_MAX || (width != 1 && width != 2 && width != WIDEST) ||
	    !remote_read(&process->remote, object + (ascii ? layout->ascii : layout->other), bytes,
			 n * width)) {
		return false;
	}
	if (ascii) {
		utf8_repair(out, (struct str){bytes, n});
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t c = 0;
		memcpy(&c, bytes + i * width, width);
		utf8_add(out, c);
	}
	return true;
}

/** Return the end of a path: the file's name. For a name such as __init__.py, which many packages
 * have, also return the name of the package before it. */
static struct str python_file_of(struct str path) {
	size_t slash = str_find_last(path, '/');
	struct str base = slash == STR_NONE ? path : str_from(path, slash + 1);
	if (slash != STR_NONE && str_starts(base, STR("__"))) {
		size_t before = str_find_last(str_to(path, slash), '/');
		return before == STR_NONE ? path : str_from(path, before + 1);
	}
	return base;
}

/** Put the name of a code object into `text`. Return false if the object is not a code object. */
static bool python_name_code(struct script_process *process, const char *code) {
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	struct buf path = {0};
	buf_clear(&python->text);
	bool good = python_add_text(process, remote_load_u64(code + layout->file), &path);
	if (good) {
		buf_add_str(&python->text, python_file_of(buf_str(&path)));
		buf_add_char(&python->text, ':');
		uint16_t name_at = layout->qualified != NOWHERE ? layout->qualified : layout->name;
		good = python_add_text(process, remote_load_u64(code + name_at), &python->text);
	}
	buf_release(&path);
	return good;
}

/** Return whether a code object still has the bytes for which a name was made. */
static bool python_is_same(const struct python *python, const struct python_code *known,
			   const char *code) {
	const struct python_layout *layout = python->layout;
	return remote_load_u64(code + layout->file) == known->file &&
	       remote_load_u64(code + layout->name) == known->name &&
	       remote_load_u32(code + layout->first) == known->first;
}

/** Compare the bytes of a code object with its description. If the bytes differ, make a new
 * description. Return false if the bytes are not a code object. */
static bool python_take_code(struct script_process *process, struct python_code *known,
			     const char *code) {
	enum { TYPE_AT = 8 };
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	bool good = remote_load_u64(code + TYPE_AT) == process->globals[PYTHON_CODE_TYPE];
	if (good && (!python_is_same(python, known, code) || known->file == 0)) {
		known->file = remote_load_u64(code + layout->file);
		known->name = remote_load_u64(code + layout->name);
		known->first = remote_load_u32(code + layout->first);
		good = python_name_code(process, code);
		known->id = good ? process->name(process->context, buf_str(&python->text)) : 0;
	}
	known->seen = process->now;
	if (!good) {
		*known = (struct python_code){0};
	}
	return good;
}

/** In one system call, read again those code objects of a stack that were last read long ago. */
static void python_take_codes(struct script_process *process, const struct script_stack *stack) {
	struct python *python = process->state;
	struct remote_piece pieces[REMOTE_PIECES];
	size_t n = 0;
	for (size_t i = 0; i < stack->n && n < REMOTE_PIECES; i++) {
		uint64_t address = python->frames[i];
		if (!remote_is_pointer(address)) {
			continue;
		}
		struct python_code *known = known_get(&python->codes, address, sizeof(*known));
		if (!known_is_fresh(known->seen, process->now) && known->asked != process->now) {
			known->asked = process->now;
			pieces[n] =
				(struct remote_piece){address, python->objects.bytes[n], CODE_SIZE};
			n++;
		}
	}
	size_t read = n < 2 ? 0 : remote_read_pieces(&process->remote, pieces, n) / CODE_SIZE;
	for (size_t i = 0; i < read; i++) {
		(void)python_take_code(
			process,
			known_get(&python->codes, pieces[i].address, sizeof(struct python_code)),
			pieces[i].bytes);
	}
}

/** Return the description of a code object. Read the description again if it was read long ago.
 * Return NULL if there is no code object at the address. */
static const struct python_code *python_code(struct script_process *process, uint64_t address) {
	struct python *python = process->state;
	char code[CODE_SIZE];
	if (!remote_is_pointer(address)) {
		return NULL;
	}
	struct python_code *known = known_get(&python->codes, address, sizeof(*known));
	if (known_is_fresh(known->seen, process->now)) {
		return known->file == 0 ? NULL : known;
	}
	if (!remote_read(&process->remote, address, code, sizeof(code))) {
		*known = (struct python_code){0};
		return NULL;
	}
	return python_take_code(process, known, code) ? known : NULL;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Read a number at `*at`, with six bits in each byte, low bits first. Move `*at` after the
 * number. */
static uint32_t python_varint(struct str table, size_t *at) {
	uint32_t value = 0;
	for (unsigned shift = 0; *at < table.n && shift < 30; shift += 6) {
		unsigned char byte = (unsigned char)table.p[(*at)++];
		value |= (uint32_t)(byte & 63) << shift;
		if ((byte & 64) == 0) {
			break;
		}
	}
	return value;
}

/** Return the line of an instruction, from 3.11 on. The table of lines has entries of one or more
 * bytes, each for one to eight instructions. */
static int64_t python_line_by_entries(struct str table, uint64_t place, int64_t line) {
	enum { UNIT = 2, FIRST_ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14 };
	uint64_t end = 0;
	for (size_t at = 0; at < table.n && end <= place;) {
		unsigned char byte = (unsigned char)table.p[at++];
		unsigned kind = byte >> 3 & 15;
		if (kind == NO_COLUMNS || kind == LONG) {
			uint32_t step = python_varint(table, &at);
			line += (step & 1) != 0 ? -(int64_t)(step >> 1) : (int64_t)(step >> 1);
		} else if (kind >= FIRST_ONE_LINE && kind < NO_COLUMNS) {
			line += kind - FIRST_ONE_LINE;
		}
		// Only the first byte of an entry has its highest bit set.
		while (at < table.n && (table.p[at] & 128) == 0) {
			at++;
		}
		end += UNIT * ((byte & 7U) + 1);
	}
	return line;
}

/** Return the line of an instruction, up to 3.10. The table of lines has pairs: a difference of
 * addresses, and a difference of lines. */
static int64_t python_line_by_pairs(struct str table, uint64_t place, int64_t line,
				    unsigned version) {
	enum { PYTHON_2 = 0x207, LENGTHS = 0x30a, NO_LINE = -128 };
	uint64_t address = 0;
	for (size_t at = 0; at + 1 < table.n; at += 2) {
		int step = version == PYTHON_2 ? (unsigned char)table.p[at + 1]
					       : (signed char)table.p[at + 1];
		address += (unsigned char)table.p[at];
		if (version < LENGTHS && address > place) {
			break;
		}
		line += version == LENGTHS && step == NO_LINE ? 0 : step;
		if (version == LENGTHS && address > place) {
			break;
		}
	}
	return line;
}

/** Return the line that a frame executes. */
static int64_t python_line(struct script_process *process, uint64_t address, const char *code,
			   uint64_t place) {
	enum { MOST = 64 << 10, SIZE_AT = 16, TEXT_3 = 32, TEXT_2 = 36, UNITS = 0x30a };
	const struct python_layout *layout = ((const struct python *)process->state)->layout;
	uint64_t table_at = remote_load_u64(code + layout->table);
	uint64_t n =
		remote_is_pointer(table_at) ? remote_u64(&process->remote, table_at + SIZE_AT) : 0;
	int64_t line = (int32_t)remote_load_u32(code + layout->first);
	n = n < MOST ? n : MOST;
	char *bytes = mem_new(1, (size_t)n + 1);
	struct str table = {bytes, (size_t)n};
	table_at += layout->version < 0x300 ? TEXT_2 : TEXT_3;
	if (n == 0 || !remote_read(&process->remote, table_at, bytes, (size_t)n)) {
		table.n = 0;
	}
	if (layout->bytes != NOWHERE) {
		uint64_t start = address + layout->bytes;
		line = python_line_by_entries(table, place > start ? place - start : 0, line);
	} else {
		place = layout->version == UNITS ? 2 * place : place;
		line = python_line_by_pairs(table, place, line, layout->version);
	}
	free(bytes);
	return line;
}

/** Return the name of a code object with the line that a frame executes. */
static uint32_t python_name_line(struct script_process *process, const struct python_code *known,
				 uint64_t address, uint64_t place) {
	const unsigned apart = 17; // the number of an instruction has fewer bits than this
	struct python *python = process->state;
	bool is_address = python->layout->bytes != NOWHERE;
	struct known_name *name =
		known_get(&python->lines, is_address ? place : address << apart ^ place,
			  sizeof(struct known_name));
	char code[CODE_SIZE];
	if (name->seen == 0 || name->print != known->id) {
		if (!remote_read(&process->remote, address, code, sizeof(code)) ||
		    !python_name_code(process, code)) {
			return known->id;
		}
		buf_printf(&python->text, ":%lld",
			   (long long)python_line(process, address, code, place));
		name->id = process->name(process->context, buf_str(&python->text));
		name->seen = process->now;
		name->print = known->id;
	}
	return name->id;
}

/* --- Frames --------------------------------------------------------------------------------- */

/** Add a frame without its name to a stack. The name is added later. Return false if there is no
 * room. */
static bool python_push(struct python *python, struct script_stack *stack, const char *frame,
			uint32_t flags) {
	enum { TAGS = 7 }; // tag bits of references, from 3.14 on
	const struct python_layout *layout = python->layout;
	uint64_t code = remote_load_u64(frame + layout->code);
	if (stack->n >= SCRIPT_DEPTH_MOST) {
		stack->cut = true;
		return false;
	}
	python->frames[stack->n] = code & ~(uint64_t)TAGS;
	python->places[stack->n] = layout->bytes == NOWHERE ? remote_load_u32(frame + layout->at)
							    : remote_load_u64(frame + layout->at);
	stack->frames[stack->n++].flags = flags;
	return true;
}

/** Give the frames their names. Leave out an incomplete frame at the top. Return false if any other
 * frame has no code. */
static bool python_name_frames(struct script_process *process, struct script_stack *stack) {
	struct python *python = process->state;
	size_t n = 0;
	python_take_codes(process, stack);
	for (size_t i = 0; i < stack->n; i++) {
		const struct python_code *code = python_code(process, python->frames[i]);
		if (code == NULL && i > 0) {
			return false;
		}
		if (code != NULL) {
			uint32_t id = !process->lines
					      ? code->id
					      : python_name_line(process, code, python->frames[i],
								 python->places[i]);
			stack->frames[n++] = (struct script_frame){id, stack->frames[i].flags};
		}
	}
	stack->n = n;
	return true;
}

/** The frame objects that were read in one system call. Most of them are the same frame objects as
 * in the last walk. */
struct python_guess {
	uint64_t at[REMOTE_PIECES];
	size_t n, next; // number of objects, and the index at which the next frame is expected
};

/** Read the pointer to the first frame object, the lock, and the frame objects of the last walk, in
 * one call. Return false if the pointer or the lock cannot be read. */
static bool python_guess_objects(struct script_process *process, const struct python_thread *thread,
				 uint64_t *first, struct python_guess *guess) {
	enum { OTHERS = 2, MOST = REMOTE_PIECES - OTHERS };
	struct python *python = process->state;
	struct python_objects *objects = &python->objects;
	size_t size = python->layout->frame_size, n = objects->visited_n;
	struct remote_piece pieces[REMOTE_PIECES] = {
		{thread->state + python->layout->frame, first, sizeof(*first)},
		python_lock_piece(process, thread)};
	size_t before = pieces[0].n + pieces[1].n;
	guess->n = n < MOST ? n : MOST;
	guess->next = 0;
	for (size_t i = 0; i < guess->n; i++) {
		guess->at[i] = objects->visited[(n - guess->n + i) % REMOTE_PIECES];
		pieces[OTHERS + i] = (struct remote_piece){guess->at[i], objects->bytes[i], size};
	}
	size_t got = remote_read_pieces(&process->remote, pieces, OTHERS + guess->n);
	guess->n = got < before ? 0 : (got - before) / size;
	objects->visited_n = 0;
	remote_forget(&objects->pages);
	return got >= before;
}

/** Return the bytes of a frame object. If `guess` does not have the object, read it into `own`.
 * Return NULL if the object cannot be read. */
static const char *python_object_at(struct script_process *process, struct python_guess *guess,
				    uint64_t frame, char *own) {
	struct python *python = process->state;
	struct python_objects *objects = &python->objects;
	objects->visited[objects->visited_n++ % REMOTE_PIECES] = frame;
	for (size_t i = 0; i < guess->n; i++) {
		size_t at = (guess->next + i) % guess->n;
		if (guess->at[at] == frame) {
			guess->next = at + 1;
			return objects->bytes[at];
		}
	}
	bool read = remote_is_pointer(frame) &&
		    remote_read_near(&process->remote, &objects->pages, frame, own,
				     python->layout->frame_size);
	return read ? own : NULL;
}

/** Walk the list of frame objects of Python up to 3.10. */
static enum script_state python_walk_objects(struct script_process *process,
					     const struct python_thread *thread,
					     struct script_stack *stack) {
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	struct remote *remote = &process->remote;
	struct python_guess guess;
	uint64_t first = 0;
	if (!python_guess_objects(process, thread, &first, &guess)) {
		return SCRIPT_TORN;
	}
	for (uint64_t frame = first; frame != 0;) {
		char own[FRAME_MOST];
		const char *bytes = python_object_at(process, &guess, frame, own);
		if (bytes == NULL) {
			return SCRIPT_TORN;
		}
		if (!python_push(python, stack, bytes, SCRIPT_ENTRY)) {
			break;
		}
		frame = remote_load_u64(bytes + layout->back);
	}
	return remote_u64(remote, thread->state + layout->frame) == first ? SCRIPT_SNAPSHOT
									  : SCRIPT_TORN;
}

/** Return the bytes of a frame: from the thread's current block, from an older block, or, for a
 * generator, from a separate place. Return NULL if the frame cannot be read. */
static const char *python_frame_at(struct script_process *process,
				   const struct python_thread *thread, uint64_t frame, char *own) {
	struct python *python = process->state;
	size_t size = python->layout->frame_size;
	if (!remote_is_pointer(frame)) {
		return NULL;
	}
	if (frame >= thread->chunk && frame + size <= thread->chunk + python->chunk_n) {
		return python->chunk + (frame - thread->chunk);
	}
	if (frame >= python->older_at && frame + size <= python->older_at + python->older_n) {
		return python->older + (frame - python->older_at);
	}
	// The head of a block has the address of the previous block, and the size of the block
	// itself.
	const char *newer = python->older_n > 0 ? python->older : python->chunk;
	size_t newer_n = python->older_n > 0 ? python->older_n : python->chunk_n;
	uint64_t older = newer_n < CHUNK_HEAD ? 0 : remote_load_u64(newer), head[3];
	if (remote_is_pointer(older) && frame > older && frame - older < CHUNK_MOST &&
	    remote_read(&process->remote, older, head, sizeof(head)) && head[1] <= CHUNK_MOST &&
	    frame - older + size <= head[1] &&
	    remote_read(&process->remote, older, python->older, (size_t)head[1])) {
		python->older_at = older;
		python->older_n = (size_t)head[1];
		return python->older + (frame - older);
	}
	return remote_read(&process->remote, frame, own, size) ? own : NULL;
}

/** Follow the frames, beginning with the current one. */
static enum script_state python_follow(struct script_process *process,
				       const struct python_thread *thread, uint64_t frame,
				       struct script_stack *stack) {
	enum { OWNED_BY_C = 3, STEPS_MOST = 2 * SCRIPT_DEPTH_MOST };
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	char own[FRAME_MOST];
	for (size_t steps = 0; frame != 0 && steps < STEPS_MOST; steps++) {
		const char *bytes = python_frame_at(process, thread, frame, own);
		if (bytes == NULL) {
			return SCRIPT_TORN;
		}
		bool entry = layout->entry != NOWHERE && bytes[layout->entry] != 0;
		if (layout->entry == NOWHERE && bytes[layout->owner] >= OWNED_BY_C) {
			// This frame only marks that the interpreter's loop was entered.
			if (stack->n > 0) {
				stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
			}
		} else if (!python_push(python, stack, bytes, entry ? SCRIPT_ENTRY : 0)) {
			return SCRIPT_SNAPSHOT;
		}
		frame = remote_load_u64(bytes + layout->back);
	}
	return frame == 0 ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

/** Determine the place of a thread's frames from the head of its thread state. Return whether the
 * frames are still in the bytes that were to be read before. */
static bool python_locate(const struct python *python, struct python_thread *thread,
			  const char *head) {
	enum { ROOM = 1024 };
	const struct python_layout *layout = python->layout;
	uint64_t chunk = remote_load_u64(head + layout->chunk);
	uint64_t top = remote_load_u64(head + layout->chunk + sizeof(uint64_t));
	uint64_t limit = remote_load_u64(head + layout->chunk + 2 * sizeof(uint64_t));
	uint64_t used = top >= chunk && top - chunk < CHUNK_MOST ? top - chunk : CHUNK_MOST;
	uint64_t current = layout->current == NOWHERE ? 0 : remote_load_u64(head + layout->frame);
	bool same = chunk == thread->chunk && used <= thread->used && current == thread->current;
	thread->chunk = chunk;
	if (!same) { // make room for some further calls
		used += ROOM;
		used = limit > chunk && used > limit - chunk ? limit - chunk : used;
		thread->used = used < CHUNK_MOST ? used : CHUNK_MOST;
	}
	thread->current = current;
	return same;
}

/** Read the head of a thread state, all its frames, and the head again, in one call. Return whether
 * both heads agree, and set the current frame. */
static bool python_read_at_once(struct script_process *process, struct python_thread *thread,
				uint64_t *frame) {
	enum { POINTER = sizeof(uint64_t) };
	struct python *python = process->state;
	const struct python_layout *layout = python->layout;
	uint64_t before = 0, after = 0;
	bool indirect = layout->current != NOWHERE;
	size_t pointer = indirect ? POINTER : 0;
	const struct remote_piece pieces[] = {{thread->state, python->head, HEAD},
					      {thread->current + layout->current, &before, pointer},
					      {thread->chunk, python->chunk, (size_t)thread->used},
					      {thread->current + layout->current, &after, pointer},
					      {thread->state, python->again, HEAD},
					      python_lock_piece(process, thread)};
	size_t all = 2 * (size_t)HEAD + 2 * pointer + (size_t)thread->used + pieces[5].n;
	python->chunk_n = (size_t)thread->used;
	python->older_n = 0;
	if (remote_read_pieces(&process->remote, pieces, 6) != all) {
		return false;
	}
	*frame = indirect ? before : remote_load_u64(python->head + layout->frame);
	return before == after &&
	       memcmp(python->head + layout->frame, python->again + layout->frame, POINTER) == 0 &&
	       memcmp(python->head + layout->chunk, python->again + layout->chunk, 2 * POINTER) ==
		       0;
}

/** Read the blocks of frames of Python from 3.11 on. */
static enum script_state python_walk_blocks(struct script_process *process,
					    struct python_thread *thread,
					    struct script_stack *stack) {
	struct python *python = process->state;
	uint64_t frame;
	if (thread->chunk == 0) {
		if (!remote_read(&process->remote, thread->state, python->head, HEAD)) {
			return SCRIPT_TORN;
		}
		(void)python_locate(python, thread, python->head);
		if (thread->chunk == 0) {
			return SCRIPT_NONE; // the thread has not called any function yet
		}
	}
	bool whole = python_read_at_once(process, thread, &frame);
	if (!python_locate(python, thread, python->head)) {
		whole = python_read_at_once(process, thread, &frame) &&
			python_locate(python, thread, python->head);
	}
	return whole ? python_follow(process, thread, frame, stack) : SCRIPT_TORN;
}

/** Check that the name of the type of code objects is at the expected offset. */
static bool python_is_right(struct script_process *process) {
	enum { TYPE_NAME_AT = 24 };
	struct python *python = process->state;
	if (!python->checked) {
		buf_clear(&python->text);
		uint64_t name = remote_u64(&process->remote,
					   process->globals[PYTHON_CODE_TYPE] + TYPE_NAME_AT);
		python->checked = remote_text(&process->remote, name, 8, &python->text) &&
				  str_eq(buf_str(&python->text), STR("code"));
	}
	return python->checked;
}

static enum script_state python_read(struct script_process *process,
				     const struct script_thread *thread,
				     struct script_stack *stack) {
	enum { TRIES = 3 };
	const struct python *python = process->state;
	struct python_thread *found = NULL;
	if (python_is_right(process)) {
		found = python_thread(process, thread->tid);
	}
	enum script_state state = found == NULL ? SCRIPT_NONE : SCRIPT_TORN;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = python->layout->chunk == NOWHERE
				? python_walk_objects(process, found, stack)
				: python_walk_blocks(process, found, stack);
		if (state == SCRIPT_SNAPSHOT && !python_name_frames(process, stack)) {
			state = SCRIPT_TORN;
		}
	}
	bool read = state == SCRIPT_SNAPSHOT; // then the lock was read, too
	stack->lock = read ? python_lock_of(process, found) : SCRIPT_LOCK_UNKNOWN;
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_python = {
	.name = "python",
	.title = "Python",
	.files = python_files,
	.globals = python_globals,
	.loops = python_loops,
	.glue = python_glue,
	.locks = python_locks,
	.sleeps = python_sleeps,
	.members = python_members,
	.open = python_open,
	.read = python_read,
	.close = python_close,
};
