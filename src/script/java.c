/* Java in HotSpot of JDK 8, 11, 17, 21 and 25. The virtual machine publishes the offsets of the
 * members of its structs (vmStructs). Interpreted and compiled methods have frames on the native
 * stack. */
#include <stdlib.h>
#include <time.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/native_stack.h"

/** The members of structs that this file reads. A static member has an address, and any other
 * member has an offset. No version has all of these members. */
enum java_member {
	JAVA_THREADS,
	JAVA_THREADS_LENGTH,
	JAVA_THREADS_ITEMS,
	JAVA_FIRST_THREAD,
	JAVA_NEXT_THREAD,
	JAVA_OS_THREAD,
	JAVA_ANCHOR,
	JAVA_TID,
	JAVA_LAST_SP,
	JAVA_LAST_PC,
	JAVA_LAST_FP,
	JAVA_WRAPPER_ANCHOR,
	JAVA_HEAP,
	JAVA_HEAPS,
	JAVA_CODE_LOW,
	JAVA_CODE_HIGH,
	JAVA_ARRAY_LENGTH,
	JAVA_ARRAY_ITEMS,
	JAVA_HEAP_MEMORY,
	JAVA_HEAP_SEGMENTS,
	JAVA_HEAP_LOG,
	JAVA_SPACE_LOW,
	JAVA_SPACE_HIGH,
	JAVA_BLOB_NAME,
	JAVA_BLOB_CODE,
	JAVA_BLOB_CODE_OFFSET,
	JAVA_BLOB_FRAME,
	JAVA_BLOB_COMPLETE,
	JAVA_BLOB_MUTABLE,
	JAVA_BLOB_RELOCATIONS,
	JAVA_COMPILED_METHOD,
	JAVA_COMPILED_SCOPES,
	JAVA_NMETHOD_METADATA,
	JAVA_NMETHOD_PCS,
	JAVA_NMETHOD_PCS_END,
	JAVA_NMETHOD_SCOPES,
	JAVA_NMETHOD_IMMUTABLE,
	JAVA_NMETHOD_NUMBER,
	JAVA_METHOD_CONST,
	JAVA_CONST_POOL,
	JAVA_CONST_NAME,
	JAVA_CONST_FLAGS,
	JAVA_CONST_CODE_SIZE,
	JAVA_POOL_HOLDER,
	JAVA_CLASS_NAME,
	JAVA_SYMBOL_LENGTH,
	JAVA_SYMBOL_BODY,
	JAVA_CALL_STUB_RETURN,
	JAVA_RELEASE,
	JAVA_MEMBERS,
};

static const struct java_name {
	enum java_member member;
	const char *name;
} java_names[] = {
	{JAVA_THREADS, "ThreadsSMRSupport::_java_thread_list"},
	{JAVA_THREADS_LENGTH, "ThreadsList::_length"},
	{JAVA_THREADS_ITEMS, "ThreadsList::_threads"},
	{JAVA_FIRST_THREAD, "Threads::_thread_list"},
	{JAVA_NEXT_THREAD, "JavaThread::_next"},
	{JAVA_OS_THREAD, "JavaThread::_osthread"},
	{JAVA_OS_THREAD, "Thread::_osthread"},
	{JAVA_ANCHOR, "JavaThread::_anchor"},
	{JAVA_TID, "OSThread::_thread_id"},
	{JAVA_LAST_SP, "JavaFrameAnchor::_last_Java_sp"},
	{JAVA_LAST_PC, "JavaFrameAnchor::_last_Java_pc"},
	{JAVA_LAST_FP, "JavaFrameAnchor::_last_Java_fp"},
	{JAVA_WRAPPER_ANCHOR, "JavaCallWrapper::_anchor"},
	{JAVA_HEAP, "CodeCache::_heap"},
	{JAVA_HEAPS, "CodeCache::_heaps"},
	{JAVA_CODE_LOW, "CodeCache::_low_bound"},
	{JAVA_CODE_HIGH, "CodeCache::_high_bound"},
	{JAVA_ARRAY_LENGTH, "GrowableArrayBase::_len"},
	{JAVA_ARRAY_LENGTH, "GenericGrowableArray::_len"},
	{JAVA_ARRAY_ITEMS, "GrowableArray<int>::_data"},
	{JAVA_HEAP_MEMORY, "CodeHeap::_memory"},
	{JAVA_HEAP_SEGMENTS, "CodeHeap::_segmap"},
	{JAVA_HEAP_LOG, "CodeHeap::_log2_segment_size"},
	{JAVA_SPACE_LOW, "VirtualSpace::_low"},
	{JAVA_SPACE_HIGH, "VirtualSpace::_high"},
	{JAVA_BLOB_NAME, "CodeBlob::_name"},
	{JAVA_BLOB_CODE, "CodeBlob::_code_begin"},
	{JAVA_BLOB_CODE_OFFSET, "CodeBlob::_code_offset"},
	{JAVA_BLOB_FRAME, "CodeBlob::_frame_size"},
	{JAVA_BLOB_COMPLETE, "CodeBlob::_frame_complete_offset"},
	{JAVA_BLOB_MUTABLE, "CodeBlob::_mutable_data"},
	{JAVA_BLOB_RELOCATIONS, "CodeBlob::_relocation_size"},
	{JAVA_COMPILED_METHOD, "CompiledMethod::_method"},
	{JAVA_COMPILED_METHOD, "nmethod::_method"},
	{JAVA_COMPILED_SCOPES, "CompiledMethod::_scopes_data_begin"},
	{JAVA_NMETHOD_METADATA, "nmethod::_metadata_offset"},
	{JAVA_NMETHOD_PCS, "nmethod::_scopes_pcs_offset"},
	{JAVA_NMETHOD_PCS_END, "nmethod::_dependencies_offset"},
	{JAVA_NMETHOD_SCOPES, "nmethod::_scopes_data_offset"},
	{JAVA_NMETHOD_IMMUTABLE, "nmethod::_immutable_data"},
	{JAVA_NMETHOD_NUMBER, "nmethod::_compile_id"},
	{JAVA_METHOD_CONST, "Method::_constMethod"},
	{JAVA_CONST_POOL, "ConstMethod::_constants"},
	{JAVA_CONST_NAME, "ConstMethod::_name_index"},
	{JAVA_CONST_FLAGS, "ConstMethod::_flags"},
	{JAVA_CONST_FLAGS, "ConstMethod::_flags._flags"},
	{JAVA_CONST_CODE_SIZE, "ConstMethod::_code_size"},
	{JAVA_POOL_HOLDER, "ConstantPool::_pool_holder"},
	{JAVA_CLASS_NAME, "Klass::_name"},
	{JAVA_SYMBOL_LENGTH, "Symbol::_length"},
	{JAVA_SYMBOL_BODY, "Symbol::_body"},
	{JAVA_CALL_STUB_RETURN, "StubRoutines::_call_stub_return_address"},
	{JAVA_RELEASE, "Abstract_VM_Version::_s_vm_release"},
};

#define JAVA_BIT(member) (UINT64_C(1) << (member))

/** The members that a version of the virtual machine lacks, and the sizes that this file needs. */
struct java_version {
	uint32_t major;
	uint64_t lacks;      // a bit for each member that the version lacks
	uint16_t const_size; // size of ConstMethod; the byte code comes after it
	uint16_t pool_size;  // size of ConstantPool; the items come after it
	uint16_t blob_header;
	bool zero_free; // whether compressed numbers have no byte 0
};

#define JAVA_NEW_THREADS \
	(JAVA_BIT(JAVA_THREADS) | JAVA_BIT(JAVA_THREADS_LENGTH) | JAVA_BIT(JAVA_THREADS_ITEMS))
#define JAVA_OLD_THREADS (JAVA_BIT(JAVA_FIRST_THREAD) | JAVA_BIT(JAVA_NEXT_THREAD))
#define JAVA_NEW_HEAPS (JAVA_BIT(JAVA_HEAPS) | JAVA_BIT(JAVA_CODE_LOW) | JAVA_BIT(JAVA_CODE_HIGH))
#define JAVA_POINTERS (JAVA_BIT(JAVA_BLOB_CODE) | JAVA_BIT(JAVA_COMPILED_SCOPES))
#define JAVA_OFFSETS (JAVA_BIT(JAVA_BLOB_CODE_OFFSET) | JAVA_BIT(JAVA_NMETHOD_SCOPES))
#define JAVA_SEPARATE                                                    \
	(JAVA_BIT(JAVA_BLOB_MUTABLE) | JAVA_BIT(JAVA_BLOB_RELOCATIONS) | \
	 JAVA_BIT(JAVA_NMETHOD_IMMUTABLE))
#define JAVA_TOGETHER (JAVA_BIT(JAVA_NMETHOD_METADATA) | JAVA_BIT(JAVA_NMETHOD_PCS_END))

/* The long-term releases. */
static const struct java_version java_versions[] = {
	{8, JAVA_NEW_THREADS | JAVA_NEW_HEAPS | JAVA_POINTERS | JAVA_SEPARATE, 48, 80, 16, false},
	{11, JAVA_NEW_THREADS | JAVA_BIT(JAVA_HEAP) | JAVA_OFFSETS | JAVA_SEPARATE, 56, 64, 16,
	 false},
	{17, JAVA_OLD_THREADS | JAVA_BIT(JAVA_HEAP) | JAVA_OFFSETS | JAVA_SEPARATE, 48, 72, 16,
	 false},
	{21, JAVA_OLD_THREADS | JAVA_BIT(JAVA_HEAP) | JAVA_OFFSETS | JAVA_SEPARATE, 56, 72, 16,
	 true},
	{25, JAVA_OLD_THREADS | JAVA_BIT(JAVA_HEAP) | JAVA_POINTERS | JAVA_TOGETHER, 56, 80, 8,
	 true},
};

enum {
	JAVA_STRUCTS,
	JAVA_STRIDE,
	JAVA_AT_TYPE,
	JAVA_AT_FIELD,
	JAVA_AT_STATIC,
	JAVA_AT_OFFSET,
	JAVA_AT_ADDRESS,
};

/** The indexes of the symbols to look up, in the order of their names below. */
static const char *const java_globals[] = {
	"gHotSpotVMStructs",
	"gHotSpotVMStructEntryArrayStride",
	"gHotSpotVMStructEntryTypeNameOffset",
	"gHotSpotVMStructEntryFieldNameOffset",
	"gHotSpotVMStructEntryIsStaticOffset",
	"gHotSpotVMStructEntryOffsetOffset",
	"gHotSpotVMStructEntryAddressOffset",
	NULL,
};

static const char *const java_files[] = {"libjvm.so", NULL};
static const char *const java_none[] = {NULL};

enum {
	JAVA_WORD = 8,
	JAVA_BLOB_SIZE = 352,
	JAVA_HEAPS_MOST = 8,
	JAVA_CONST_MOST = 56,
	JAVA_INLINED_MOST = 64,
	JAVA_TEXT_MOST = 1000,
};

/** A kind of code. */
enum java_kind {
	JAVA_OTHER,       // a piece of the virtual machine, with or without a frame
	JAVA_INTERPRETER, // the interpreter
	JAVA_COMPILED,    // a compiled method, with the methods that are inlined into it
};

/** A heap of code. */
struct java_heap {
	uint64_t low, high, segments;
	uint32_t log; // logarithm of the size of a segment, to base 2
};

/** The kind of code at an address, and its methods. */
struct java_code {
	uint64_t seen, blob, begin, number;
	enum java_kind kind;
	uint32_t frame;    // bytes of the frame
	uint32_t complete; // offset of the instruction at which the frame is complete
	uint32_t n;        // number of methods; the innermost comes first
	uint32_t ids[JAVA_INLINED_MOST];
};

/** The cached name of a method, by the method's address. Another method may get the address
 * later. */
struct java_method {
	uint64_t body, seen;
	uint32_t id;
};

/** A thread of the virtual machine. */
struct java_thread {
	int32_t tid;
	uint64_t address;
};

struct java {
	uint64_t at[JAVA_MEMBERS];
	const struct java_version *version;
	struct java_heap heaps[JAVA_HEAPS_MOST];
	size_t heaps_n;
	uint64_t heaps_seen; // time of the last search for heaps
	uint64_t low, high, call_stub_return;
	struct java_thread *threads;
	size_t threads_n, threads_capacity;
	struct known codes;   // items: struct java_code
	struct known methods; // items: struct java_method
	struct buf text;
	struct native_stack stack;
};

/** Addresses and registers of a frame. */
struct java_frame {
	uint64_t pc, sp, fp;
};

/* --- The tables of the virtual machine ------------------------------------------------------- */

/** Store the place of a member, if this file reads the member. */
static void java_take_member(struct java *java, struct remote *remote, const char *entry,
			     const uint64_t *at) {
	struct buf name = {0};
	enum { LONGEST = 64 };
	uint64_t type = remote_load_u64(entry + at[JAVA_AT_TYPE]);
	if (remote_text(remote, type, LONGEST, &name)) {
		buf_add_text(&name, "::");
		(void)remote_text(remote, remote_load_u64(entry + at[JAVA_AT_FIELD]), LONGEST,
				  &name);
	}
	for (size_t i = 0; i < sizeof(java_names) / sizeof(*java_names); i++) {
		if (str_eq(buf_str(&name), str_of(java_names[i].name))) {
			bool is_static = remote_load_u32(entry + at[JAVA_AT_STATIC]) != 0;
			java->at[java_names[i].member] = remote_load_u64(
				entry + at[is_static ? JAVA_AT_ADDRESS : JAVA_AT_OFFSET]);
		}
	}
	buf_release(&name);
}

/** Return whether a version has a member. */
static bool java_has(const struct java *java, enum java_member member) {
	return (java->version->lacks & JAVA_BIT(member)) == 0;
}

/** Find the members in the table of the virtual machine. */
static void java_find_members(struct script_process *process, struct java *java) {
	enum { ENTRY_MOST = 64, ENTRIES_MOST = 4096 };
	struct remote *remote = &process->remote;
	uint64_t at[JAVA_AT_ADDRESS + 1],
		table = remote_u64(remote, process->globals[JAVA_STRUCTS]);
	char entry[ENTRY_MOST + JAVA_WORD];
	memset(java->at, 0xff, sizeof(java->at));
	for (unsigned i = JAVA_STRIDE; i <= JAVA_AT_ADDRESS; i++) {
		at[i] = remote_u64(remote, process->globals[i]);
		if (at[i] > ENTRY_MOST) {
			return;
		}
	}
	for (int i = 0; i < ENTRIES_MOST && at[JAVA_STRIDE] > 0; i++) {
		memset(entry, 0, sizeof(entry));
		if (!remote_read(remote, table + (uint64_t)i * at[JAVA_STRIDE], entry,
				 (size_t)at[JAVA_STRIDE]) ||
		    remote_load_u64(entry + at[JAVA_AT_TYPE]) == 0) {
			break;
		}
		java_take_member(java, remote, entry, at);
	}
}

static void java_close(struct script_process *process) {
	struct java *java = process->state;
	known_release(&java->codes);
	known_release(&java->methods);
	free(java->threads);
	buf_release(&java->text);
	free(java);
}

/** Return the description of the version `major`; or NULL if the version is not known, or lacks one
 * of its members. */
static const struct java_version *java_find_layout(const struct java *java, uint32_t major) {
	for (size_t i = 0; i < sizeof(java_versions) / sizeof(*java_versions); i++) {
		const struct java_version *version = &java_versions[i];
		bool whole = version->major == major;
		for (unsigned j = 0; j < JAVA_MEMBERS; j++) {
			whole = whole &&
				((version->lacks & JAVA_BIT(j)) != 0 || java->at[j] != UINT64_MAX);
		}
		if (whole) {
			return version;
		}
	}
	return NULL;
}

/** Find the members and the version, and add the version's name to `text`. Return false if the
 * virtual machine has not published the name yet. */
static bool java_find_version(struct script_process *process, struct java *java, struct buf *text) {
	enum { LONGEST = 64, MAJOR_OF_8 = 25, DECIMAL = 10 };
	struct remote *remote = &process->remote;
	size_t before = text->n;
	java_find_members(process, java);
	if (java->at[JAVA_RELEASE] == UINT64_MAX ||
	    !remote_text(remote, remote_u64(remote, java->at[JAVA_RELEASE]), LONGEST, text) ||
	    text->n == before || !is_digit(text->p[before])) {
		text->n = before;
		return false;
	}
	uint32_t major = (uint32_t)strtoul(buf_text(text) + before, NULL, DECIMAL);
	// The virtual machine of JDK 8 has the version number 25, and only one heap of code.
	if (major == MAJOR_OF_8 && java->at[JAVA_HEAP] != UINT64_MAX) {
		major = 8;
		buf_add_text(text, " of JDK 8");
	}
	java->version = java_find_layout(java, major);
	return true;
}

static bool java_open(struct script_process *process, struct buf *version) {
	enum { TRIES = 50, BETWEEN_NS = 4000000 };
	struct java *java = mem_new(1, sizeof(*java));
	bool found = java_find_version(process, java, version);
	// The process may have mapped the virtual machine, but not filled its tables yet.
	for (int i = 0; i < TRIES && !found; i++) {
		nanosleep(&(struct timespec){.tv_nsec = BETWEEN_NS}, NULL);
		found = java_find_version(process, java, version);
	}
	buf_add_text(version, found ? "" : "of unknown version");
	process->state = java;
	if (java->version == NULL) {
		java_close(process);
		process->state = NULL;
		return false;
	}
	return true;
}

/* --- Methods -------------------------------------------------------------------------------- */

/** Add the text of a symbol, with dots in place of slashes. */
static bool java_add_symbol(struct script_process *process, uint64_t symbol) {
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	char bytes[JAVA_TEXT_MOST];
	uint16_t n = 0;
	if (!remote_is_pointer(symbol) ||
	    !remote_read(remote, symbol + java->at[JAVA_SYMBOL_LENGTH], &n, sizeof(n)) || n == 0 ||
	    n > sizeof(bytes) ||
	    !remote_read(remote, symbol + java->at[JAVA_SYMBOL_BODY], bytes, n)) {
		return false;
	}
	size_t before = java->text.n;
	utf8_repair(&java->text, (struct str){bytes, n});
	for (size_t i = before; i < java->text.n; i++) {
		java->text.p[i] = java->text.p[i] == '/' ? '.' : java->text.p[i];
	}
	return true;
}

/** Read a number of one to five bytes. In newer versions of the JDK, no byte is 0. */
static uint32_t java_compressed(const struct java *java, const char *bytes, size_t n, size_t *at) {
	enum { LOW = 192, BITS = 6, BYTES = 5 };
	const uint32_t least = java->version->zero_free ? 1 : 0;
	uint32_t number = 0;
	for (unsigned i = 0; i < BYTES && *at < n; i++) {
		uint32_t byte = (unsigned char)bytes[(*at)++];
		number += (byte - least) << BITS * i;
		if (byte < LOW) {
			break;
		}
	}
	return number;
}

/** Return the first line in a method's table of lines; or 0 if the method has no such table. */
static uint32_t java_first_line(struct script_process *process, const char *body, uint64_t at) {
	enum { HAS_LINES = 1, ESCAPE = 0xff, SIZE = 16, LINE_MASK = 7 };
	const struct java *java = process->state;
	char bytes[SIZE];
	uint16_t flags, size;
	memcpy(&flags, body + java->at[JAVA_CONST_FLAGS], sizeof(flags));
	memcpy(&size, body + java->at[JAVA_CONST_CODE_SIZE], sizeof(size));
	if ((flags & HAS_LINES) == 0 ||
	    !remote_read(&process->remote, at + java->version->const_size + size, bytes,
			 sizeof(bytes))) {
		return 0;
	}
	size_t next = 1;
	if ((unsigned char)bytes[0] != ESCAPE) {
		return (unsigned char)bytes[0] & LINE_MASK;
	}
	(void)java_compressed(java, bytes, sizeof(bytes), &next);
	// The lowest bit is the sign.
	return java_compressed(java, bytes, sizeof(bytes), &next) >> 1;
}

/** Cut off the number in the name of a lambda's class, because this number differs in each run. */
static void java_cut_lambda(struct buf *text) {
	const struct str mark = STR("$$Lambda");
	size_t at = str_find_str(buf_str(text), mark);
	text->n = at == STR_NONE ? text->n : at + mark.n;
}

/** Name a method. `at` is the address of its ConstMethod, and `body` is a copy of the start of the
 * ConstMethod. Return false if the name cannot be read. */
static bool java_name(struct script_process *process, const char *body, uint64_t at, uint32_t *id) {
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	uint16_t index;
	memcpy(&index, body + java->at[JAVA_CONST_NAME], sizeof(index));
	uint64_t pool = remote_load_u64(body + java->at[JAVA_CONST_POOL]);
	buf_clear(&java->text);
	if (!remote_is_pointer(pool)) {
		return false;
	}
	uint64_t class = remote_u64(remote, pool + java->at[JAVA_POOL_HOLDER]);
	uint64_t name =
		remote_u64(remote, pool + java->version->pool_size + (uint64_t)index * JAVA_WORD);
	if (!remote_is_pointer(class) ||
	    !java_add_symbol(process, remote_u64(remote, class + java->at[JAVA_CLASS_NAME]))) {
		return false;
	}
	java_cut_lambda(&java->text);
	buf_add_char(&java->text, '.');
	if (!java_add_symbol(process, name)) {
		return false;
	}
	uint32_t line = process->lines ? java_first_line(process, body, at) : 0;
	if (line != 0) {
		buf_printf(&java->text, ":%u", line);
	}
	*id = process->name(process->context, buf_str(&java->text));
	return true;
}

/** Find the name of a method. Return false if there is no method at the address. */
static bool java_find_method(struct script_process *process, uint64_t address, uint32_t *id) {
	struct java *java = process->state;
	char body[JAVA_CONST_MOST];
	if (!remote_is_pointer(address)) {
		return false;
	}
	struct java_method *known = known_get(&java->methods, address, sizeof(*known));
	if (!known_is_fresh(known->seen, process->now)) {
		uint64_t at = remote_u64(&process->remote, address + java->at[JAVA_METHOD_CONST]);
		bool same = known->seen != 0 && known->body == at;
		if (!same && (!remote_is_pointer(at) ||
			      !remote_read(&process->remote, at, body, sizeof(body)) ||
			      !java_name(process, body, at, &known->id))) {
			*known = (struct java_method){0};
			return false;
		}
		known->body = at;
		known->seen = process->now;
	}
	*id = known->id;
	return true;
}

/* --- Code ----------------------------------------------------------------------------------- */

/** List the addresses of the heaps of code. Return their number. */
static size_t java_list_heaps(struct script_process *process, uint64_t *addresses) {
	const struct java *java = process->state;
	struct remote *remote = &process->remote;
	if (!java_has(java, JAVA_HEAPS)) {
		addresses[0] = remote_u64(remote, java->at[JAVA_HEAP]);
		return remote_is_pointer(addresses[0]) ? 1 : 0;
	}
	uint64_t heaps = remote_u64(remote, java->at[JAVA_HEAPS]);
	if (!remote_is_pointer(heaps)) {
		return 0;
	}
	size_t n = remote_u32(remote, heaps + java->at[JAVA_ARRAY_LENGTH]);
	uint64_t items = remote_u64(remote, heaps + java->at[JAVA_ARRAY_ITEMS]);
	n = n < JAVA_HEAPS_MOST ? n : JAVA_HEAPS_MOST;
	return remote_read(remote, items, addresses, n * sizeof(*addresses)) ? n : 0;
}

/** Find the heaps of code. Heaps do not move, but some heaps grow. Return false if there are none,
 * or if they are invalid. */
static bool java_find_heaps(struct script_process *process) {
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	uint64_t addresses[JAVA_HEAPS_MOST] = {0};
	java->call_stub_return = remote_u64(remote, java->at[JAVA_CALL_STUB_RETURN]);
	java->heaps_n = java_list_heaps(process, addresses);
	for (size_t i = 0; i < java->heaps_n; i++) {
		struct java_heap *heap = &java->heaps[i];
		uint64_t at = addresses[i], memory = at + java->at[JAVA_HEAP_MEMORY];
		*heap = (struct java_heap){
			.low = remote_u64(remote, memory + java->at[JAVA_SPACE_LOW]),
			.high = remote_u64(remote, memory + java->at[JAVA_SPACE_HIGH]),
			.segments = remote_u64(remote, at + java->at[JAVA_HEAP_SEGMENTS] +
							       java->at[JAVA_SPACE_LOW]),
			.log = remote_u32(remote, at + java->at[JAVA_HEAP_LOG])};
		if (heap->log < 3 || heap->log > 16) {
			return false;
		}
	}
	if (java_has(java, JAVA_CODE_LOW)) {
		java->low = remote_u64(remote, java->at[JAVA_CODE_LOW]);
		java->high = remote_u64(remote, java->at[JAVA_CODE_HIGH]);
	} else {
		java->low = java->heaps[0].low;
		java->high = java->heaps[0].high;
	}
	java->heaps_seen = process->now;
	return java->heaps_n > 0 && java->low < java->high && java->call_stub_return != 0;
}

/** Return the address of the blob that contains some code; or 0 if there is no such blob. Each
 * segment has a byte with the distance back to the start of the segment's blob, in segments. For a
 * long distance, the byte gives only a part of it. */
static uint64_t java_find_blob(struct script_process *process, uint64_t pc) {
	enum { NONE = 0xff, STEPS = 1 << 16 };
	const struct java *java = process->state;
	for (size_t i = 0; i < java->heaps_n; i++) {
		const struct java_heap *heap = &java->heaps[i];
		if (pc < heap->low || pc >= heap->high) {
			continue;
		}
		uint64_t segment = (pc - heap->low) >> heap->log;
		for (int step = 0; step < STEPS; step++) {
			unsigned char back = NONE;
			if (!remote_read(&process->remote, heap->segments + segment, &back, 1) ||
			    back == NONE || back > segment) {
				return 0;
			}
			if (back == 0) {
				return heap->low + (segment << heap->log) +
				       java->version->blob_header;
			}
			segment -= back;
		}
	}
	return 0;
}

/** The tables of a compiled method. */
struct java_tables {
	uint64_t pcs, scopes, metadata; // addresses
	uint32_t pcs_size;
};

/** Find the tables of a compiled method. They are in the method itself, or in separate memory. */
static struct java_tables java_find_tables(const struct java *java, const char *blob,
					   uint64_t address) {
	uint64_t start = java_has(java, JAVA_NMETHOD_IMMUTABLE)
				 ? remote_load_u64(blob + java->at[JAVA_NMETHOD_IMMUTABLE])
				 : address;
	uint32_t from = remote_load_u32(blob + java->at[JAVA_NMETHOD_PCS]);
	enum java_member end =
		java_has(java, JAVA_NMETHOD_PCS_END) ? JAVA_NMETHOD_PCS_END : JAVA_NMETHOD_SCOPES;
	uint32_t to = remote_load_u32(blob + java->at[end]);
	struct java_tables tables = {.pcs = start + from, .pcs_size = to > from ? to - from : 0};
	tables.scopes = java_has(java, JAVA_COMPILED_SCOPES)
				? remote_load_u64(blob + java->at[JAVA_COMPILED_SCOPES])
				: start + remote_load_u32(blob + java->at[JAVA_NMETHOD_SCOPES]);
	tables.metadata =
		java_has(java, JAVA_NMETHOD_METADATA)
			? address + remote_load_u32(blob + java->at[JAVA_NMETHOD_METADATA])
			: remote_load_u64(blob + java->at[JAVA_BLOB_MUTABLE]) +
				  remote_load_u32(blob + java->at[JAVA_BLOB_RELOCATIONS]);
	return tables;
}

/** Find the scope of an address in a compiled method: the scope of the first entry at or after the
 * address. Return the offset of the scope's description; or 0 if there is no scope. */
static uint32_t java_find_scope(struct script_process *process, const struct java_tables *tables,
				uint32_t offset) {
	enum { ENTRY = 16, SCOPE_AT = 4, MOST = 1 << 18 };
	char entry[ENTRY];
	uint32_t low = 0, high = tables->pcs_size / ENTRY, scope = 0;
	if (high > MOST) {
		return 0;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (!remote_read(&process->remote, tables->pcs + (uint64_t)middle * ENTRY, entry,
				 sizeof(entry))) {
			return 0;
		}
		if ((int32_t)remote_load_u32(entry) >= (int32_t)offset) {
			high = middle;
			scope = remote_load_u32(entry + SCOPE_AT);
		} else {
			low = middle + 1;
		}
	}
	return scope;
}

/** Find the methods at an address in compiled code. Inlined methods come first. */
static void java_find_methods(struct script_process *process, const char *blob,
			      struct java_code *code, uint64_t pc) {
	enum { SIZE = 16 };
	const struct java *java = process->state;
	struct remote *remote = &process->remote;
	const struct java_tables tables = java_find_tables(java, blob, code->blob);
	uint32_t scope = java_find_scope(process, &tables, (uint32_t)(pc - code->begin));
	char bytes[SIZE];
	code->n = 0;
	while (scope != 0 && code->n < JAVA_INLINED_MOST &&
	       remote_read(remote, tables.scopes + scope, bytes, sizeof(bytes))) {
		size_t at = 0;
		uint32_t caller = java_compressed(java, bytes, sizeof(bytes), &at);
		uint32_t index = java_compressed(java, bytes, sizeof(bytes), &at);
		uint64_t method =
			index == 0 ? 0
				   : remote_u64(remote, tables.metadata +
								(uint64_t)(index - 1) * JAVA_WORD);
		if (!java_find_method(process, method, &code->ids[code->n])) {
			break;
		}
		code->n++;
		scope = caller < scope ? caller : 0;
	}
	uint64_t own = remote_load_u64(blob + java->at[JAVA_COMPILED_METHOD]);
	if (code->n == 0 && java_find_method(process, own, &code->ids[0])) {
		code->n = 1;
	}
}

/** Describe the code at an address. */
static void java_describe(struct script_process *process, uint64_t pc, struct java_code *code) {
	enum { LONGEST = 32 };
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	char blob[JAVA_BLOB_SIZE];
	struct buf name = {0};
	uint64_t address = java_find_blob(process, pc);
	if (address == 0 || !remote_read(remote, address, blob, sizeof(blob))) {
		*code = (struct java_code){0};
		return;
	}
	uint64_t number = remote_load_u32(blob + java->at[JAVA_NMETHOD_NUMBER]);
	(void)remote_text(remote, remote_load_u64(blob + java->at[JAVA_BLOB_NAME]), LONGEST, &name);
	bool compiled = str_ends(buf_str(&name), STR("nmethod"));
	bool same = code->seen != 0 && code->blob == address && code->number == number;
	code->kind = compiled                                     ? JAVA_COMPILED
		     : str_eq(buf_str(&name), STR("Interpreter")) ? JAVA_INTERPRETER
								  : JAVA_OTHER;
	code->blob = address;
	code->number = number;
	code->begin = java_has(java, JAVA_BLOB_CODE)
			      ? remote_load_u64(blob + java->at[JAVA_BLOB_CODE])
			      : address + remote_load_u32(blob + java->at[JAVA_BLOB_CODE_OFFSET]);
	code->frame = JAVA_WORD * remote_load_u32(blob + java->at[JAVA_BLOB_FRAME]);
	code->complete = remote_load_u32(blob + java->at[JAVA_BLOB_COMPLETE]);
	if (java_has(java, JAVA_BLOB_MUTABLE)) { // then this offset has 16 bits
		code->complete &= UINT16_MAX;
	}
	if (compiled && !same) {
		java_find_methods(process, blob, code, pc);
	} else if (!compiled) {
		code->n = 0;
	}
	code->seen = process->now;
	buf_release(&name);
}

/** Return the description of the code at an address; or NULL if the code is not Java's. The
 * description is valid until the next call. */
static const struct java_code *java_code_at(struct script_process *process, uint64_t pc) {
	struct java *java = process->state;
	if (pc < java->low || pc >= java->high) {
		return NULL;
	}
	struct java_code *code = known_get(&java->codes, pc, sizeof(*code));
	if (!known_is_fresh(code->seen, process->now)) {
		java_describe(process, pc, code);
	}
	return code->seen == 0 ? NULL : code;
}

/* --- The stack ------------------------------------------------------------------------------ */

static bool java_word(struct java *java, uint64_t address, uint64_t *word) {
	return native_stack_word(&java->stack, address, word);
}

/** Go to the caller whose return address is stored at an address of the stack. Return false if the
 * word there is not an address of Java code. */
static bool java_return_from(struct script_process *process, struct java_frame *frame, uint64_t at,
			     uint64_t fp) {
	struct java *java = process->state;
	uint64_t pc;
	if (!java_word(java, at, &pc) || java_code_at(process, pc) == NULL) {
		return false;
	}
	*frame = (struct java_frame){.pc = pc, .sp = at + JAVA_WORD, .fp = fp};
	return true;
}

/** Go to the caller of code whose frame has a fixed size, is not set up yet, or is already
 * removed. */
static bool java_step_fixed(struct script_process *process, struct java_frame *frame, uint32_t size,
			    bool is_whole) {
	struct java *java = process->state;
	uint64_t saved = frame->fp, end = frame->sp + size;
	if (is_whole && size >= 2 * JAVA_WORD && java_word(java, end - 2 * JAVA_WORD, &saved) &&
	    java_return_from(process, frame, end - JAVA_WORD, saved)) {
		return true;
	}
	// The return address is at the top of the stack, or directly below the saved frame pointer.
	uint64_t sp = frame->sp, fp = frame->fp;
	return java_return_from(process, frame, sp, fp) ||
	       (java_word(java, sp, &saved) &&
		java_return_from(process, frame, sp + JAVA_WORD, saved));
}

/** Add an interpreted method to the stack, and go to its caller. */
static bool java_step_interpreted(struct script_process *process, struct java_frame *frame,
				  bool is_first, struct script_stack *stack) {
	enum { METHOD_AT = -24, SENDER_AT = -8 };
	struct java *java = process->state;
	uint64_t method = 0, sender = 0, fp = frame->fp, saved = 0;
	uint32_t id;
	if (java_word(java, fp + (uint64_t)(int64_t)METHOD_AT, &method) &&
	    java_find_method(process, method, &id) &&
	    java_word(java, fp + (uint64_t)(int64_t)SENDER_AT, &sender) &&
	    java_word(java, fp, &saved)) {
		uint64_t pc = 0;
		stack->frames[stack->n++] = (struct script_frame){.name = id};
		if (!java_word(java, fp + JAVA_WORD, &pc)) {
			return false;
		}
		*frame = (struct java_frame){.pc = pc, .sp = sender, .fp = saved};
		return true;
	}
	return is_first && java_step_fixed(process, frame, 0, false);
}

/** Get the last Java frame from the thread's anchor. The anchor is set while the thread runs code
 * other than Java's. */
static bool java_take_anchor(struct script_process *process, uint64_t anchor,
			     struct java_frame *frame) {
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	frame->sp = remote_u64(remote, anchor + java->at[JAVA_LAST_SP]);
	frame->pc = remote_u64(remote, anchor + java->at[JAVA_LAST_PC]);
	frame->fp = remote_u64(remote, anchor + java->at[JAVA_LAST_FP]);
	java->stack.live = true;
	return frame->sp != 0 &&
	       (frame->pc != 0 || java_word(java, frame->sp - JAVA_WORD, &frame->pc));
}

/** Leave a call from C++ to Java: note the return address of the call, and go to the last Java
 * frame before the call. */
static bool java_leave_call(struct script_process *process, struct java_frame *frame,
			    struct script_stack *stack) {
	enum { WRAPPER_AT = -48 };
	struct java *java = process->state;
	uint64_t wrapper = 0, address = 0;
	if (!java_word(java, frame->fp + JAVA_WORD, &address)) {
		return false;
	}
	script_stack_add_return(stack, address);
	return java_word(java, frame->fp + (uint64_t)(int64_t)WRAPPER_AT, &wrapper) &&
	       remote_is_pointer(wrapper) &&
	       java_take_anchor(process, wrapper + java->at[JAVA_WRAPPER_ANCHOR], frame);
}

/** Add the methods of a frame, and go to the frame's caller. Return false after the outermost
 * frame. */
static bool java_step(struct script_process *process, struct java_frame *frame, bool is_first,
		      struct script_stack *stack) {
	struct java *java = process->state;
	if (frame->pc == java->call_stub_return) {
		return java_leave_call(process, frame, stack);
	}
	const struct java_code *code = java_code_at(process, frame->pc);
	if (code == NULL) {
		return false;
	}
	if (code->kind == JAVA_INTERPRETER) {
		return java_step_interpreted(process, frame, is_first, stack);
	}
	for (uint32_t i = 0; i < code->n && stack->n + 1 < SCRIPT_DEPTH_MOST; i++) {
		stack->frames[stack->n++] = (struct script_frame){.name = code->ids[i]};
	}
	bool is_whole = !is_first || frame->pc - code->begin >= code->complete;
	return java_step_fixed(process, frame, code->frame, is_whole);
}

/** Add a thread of the virtual machine to the list. */
static void java_add_thread(struct script_process *process, uint64_t thread) {
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	uint64_t native = remote_u64(remote, thread + java->at[JAVA_OS_THREAD]);
	int32_t number = (int32_t)remote_u32(remote, native + java->at[JAVA_TID]);
	*MEM_APPEND(java->threads, java->threads_n, java->threads_capacity) =
		(struct java_thread){number, thread};
}

/** List the threads of the virtual machine. The threads are in an array or, up to JDK 11, in a
 * linked list. */
static void java_list_threads(struct script_process *process) {
	enum { THREADS_MOST = 1 << 16 };
	struct java *java = process->state;
	struct remote *remote = &process->remote;
	java->threads_n = 0;
	if (!java_has(java, JAVA_THREADS)) {
		uint64_t thread = remote_u64(remote, java->at[JAVA_FIRST_THREAD]);
		while (remote_is_pointer(thread) && java->threads_n < THREADS_MOST) {
			java_add_thread(process, thread);
			thread = remote_u64(remote, thread + java->at[JAVA_NEXT_THREAD]);
		}
		return;
	}
	uint64_t list = remote_u64(remote, java->at[JAVA_THREADS]);
	uint32_t n = !remote_is_pointer(list)
			     ? 0
			     : remote_u32(remote, list + java->at[JAVA_THREADS_LENGTH]);
	uint64_t items = remote_u64(remote, list + java->at[JAVA_THREADS_ITEMS]);
	for (uint32_t i = 0; i < n && i < THREADS_MOST; i++) {
		java_add_thread(process, remote_u64(remote, items + (uint64_t)i * JAVA_WORD));
	}
}

/** Return the virtual machine's struct for the thread with this id; or 0 if there is no such
 * struct. */
static uint64_t java_find_thread(struct script_process *process, int32_t tid) {
	const struct java *java = process->state;
	for (int tries = 0; tries < 2; tries++) { // the thread may be new
		for (size_t i = 0; i < java->threads_n; i++) {
			if (java->threads[i].tid == tid) {
				return java->threads[i].address;
			}
		}
		if (tries == 0) {
			java_list_threads(process);
		}
	}
	return 0;
}

/** Find the innermost Java frame of a thread. Return false if none is found. */
static bool java_first_frame(struct script_process *process, const struct script_thread *thread,
			     struct java_frame *frame) {
	enum { SEARCHED = 512 };
	struct java *java = process->state;
	*frame = (struct java_frame){thread->registers[SCRIPT_PC], thread->registers[SCRIPT_SP],
				     thread->registers[SCRIPT_FP]};
	if (java_code_at(process, frame->pc) != NULL) {
		return true;
	}
	uint64_t sp = frame->sp, fp = frame->fp;
	uint64_t address = java_find_thread(process, thread->tid);
	if (address == 0) {
		return false;
	}
	if (java_take_anchor(process, address + java->at[JAVA_ANCHOR], frame)) {
		return true;
	}
	// Java calls small functions of the virtual machine without setting an anchor.
	for (uint64_t at = sp; at < sp + SEARCHED; at += JAVA_WORD) {
		if (java_return_from(process, frame, at, fp)) {
			return true;
		}
	}
	return false;
}

static enum script_state java_read(struct script_process *process,
				   const struct script_thread *thread, struct script_stack *stack) {
	enum { FRAMES_MOST = 4 * SCRIPT_DEPTH_MOST };
	const uint64_t trusted = 100000000; // ns
	struct java *java = process->state;
	struct java_frame frame;
	bool fresh = java->heaps_seen != 0 && process->now - java->heaps_seen < trusted;
	if (!thread->has_registers || (!fresh && !java_find_heaps(process))) {
		java->heaps_seen = 0;
		return SCRIPT_NONE;
	}
	native_stack_init(&java->stack, &process->remote, thread);
	if (!java_first_frame(process, thread, &frame)) {
		return SCRIPT_NONE;
	}
	for (size_t i = 0; i < FRAMES_MOST; i++) {
		if (stack->n + 1 >= SCRIPT_DEPTH_MOST) {
			stack->cut = true;
			break;
		}
		if (!java_step(process, &frame, i == 0, stack)) {
			break;
		}
	}
	return stack->n == 0 ? SCRIPT_NONE : java->stack.live ? SCRIPT_SNAPSHOT : SCRIPT_EXACT;
}

const struct script_language language_java = {
	.name = "java",
	.title = "Java",
	.files = java_files,
	.globals = java_globals,
	.loops = java_none,
	.glue = java_none,
	.makes_code = true,
	.runs_threads = true,
	.open = java_open,
	.read = java_read,
	.close = java_close,
};
