/* Ruby 3.0 to 3.3. The calls of a thread are control frames, at the end of the memory of the
 * thread's stack. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/scan.h"
#include "script/threads.h"

enum { RUBY_VERSION, RUBY_RACTOR };

/** The symbols to look up, in the order of the constants above. */
static const char *const ruby_globals[] = {"ruby_version", "ruby_single_main_ractor", NULL};

static const char *const ruby_files[] = {"ruby", NULL};

static const char *const ruby_loops[] = {"rb_vm_exec", NULL};

static const char *const ruby_glue[] = {
	"vm_exec",
	"vm_exec_core",
	"rb_ec_exec_node",
	"ruby_run_node",
	"ruby_exec_node",
	"rb_iseq_eval*",
	"thread_start*",
	"thread_do_start*",
	"thread_create_core",
	"main",
	"_start",
	"__libc_start_*",
	"start_thread",
	"clone3",
	"__clone3",
	NULL,
};

enum { NOWHERE = MEMBER_NOWHERE };

/** Offsets in the objects of a version, in bytes; NOWHERE: the version has no such member. */
struct ruby_layout {
	unsigned version; // 0x301: 3.1
	uint16_t threads; // in a ractor
	// in a thread: its ractor, execution context and native thread
	uint16_t ractor, context, native;
	uint16_t tid, pthread; // in the native thread, if the version has native threads; otherwise
			       // in the thread
	uint16_t frame_size;
	uint16_t path, label, lines, lines_n, ranks; // in the body of a piece of code
	uint16_t line_size;
	uint16_t text; // in a string whose text is in the object
};

/* Made by scripts/layouts. */
static const struct ruby_layout ruby_layouts[] = {
	{0x300, 304, 24, 40, NOWHERE, NOWHERE, 80, 56, 64, 80, 120, 136, 144, 8, 16},
	{0x302, 304, 24, 48, 40, 16, 8, 64, 64, 80, 112, 128, 136, 12, 24},
	{0x303, 256, 24, 48, 40, 24, 16, 56, 64, 80, 112, 128, 136, 12, 24},
	{0x301, 304, 24, 40, NOWHERE, 88, 80, 64, 64, 80, 120, 136, 144, 12, 16},
};

/** Offsets that all these versions share. */
enum {
	THREAD_SIZE = 128,
	NATIVE_SIZE = 64,
	CONTEXT_STACK = 0,
	CONTEXT_WORDS = 8,
	CONTEXT_FRAME = 16,
	CONTEXT_SIZE = 24,
	FRAME_PC = 0,
	FRAME_CODE = 16,
	FRAME_ENVIRONMENT = 32,
	FRAME_SIZE_MOST = 64,
	FRAME_FINISH = 0x20,
	CODE_BODY = 16,
	BODY_INSTRUCTIONS = 8,
	BODY_SIZE = 160,
	OBJECT_TYPE = 0x1f,
	TYPE_STRING = 5,
	TYPE_ARRAY = 7,
	STRING_HEAP = 0x2000,
	STRING_LENGTH_AT = 14,
	STRING_LENGTH = 16,
	STRING_POINTER = 24,
	STRING_SIZE = 40,
	FRAMES_MOST = SCRIPT_DEPTH_MOST,
	TEXT_MOST = 1000,
};

/** The members whose offsets make up a layout, and others whose offsets are above. */
enum {
	RUBY_M_THREADS,
	RUBY_M_RACTOR,
	RUBY_M_CONTEXT,
	RUBY_M_NATIVE,
	RUBY_M_TID_OLD,
	RUBY_M_PTHREAD_OLD,
	RUBY_M_TID,
	RUBY_M_PTHREAD,
	RUBY_M_FRAME_SIZE,
	RUBY_M_PATH,
	RUBY_M_LABEL,
	RUBY_M_LINES,
	RUBY_M_LINES_N,
	RUBY_M_RANKS,
	RUBY_M_LINE_SIZE,
	RUBY_M_TEXT,
	RUBY_M_TEXT_OLD,
};

static const struct layout_member ruby_members[] = {
	[RUBY_M_THREADS] = {"rb_ractor_struct", "threads.set", 0},
	[RUBY_M_RACTOR] = {"rb_thread_struct", "ractor", 0},
	[RUBY_M_CONTEXT] = {"rb_thread_struct", "ec", 0},
	[RUBY_M_NATIVE] = {"rb_thread_struct", "nt", 0},
	[RUBY_M_TID_OLD] = {"rb_thread_struct", "tid", 0},
	[RUBY_M_PTHREAD_OLD] = {"rb_thread_struct", "thread_id", 0},
	[RUBY_M_TID] = {"rb_native_thread", "tid", 0},
	[RUBY_M_PTHREAD] = {"rb_native_thread", "thread_id", 0},
	[RUBY_M_FRAME_SIZE] = {"rb_control_frame_struct", NULL, 0},
	[RUBY_M_PATH] = {"rb_iseq_constant_body", "location.pathobj", 0},
	[RUBY_M_LABEL] = {"rb_iseq_constant_body", "location.label", 0},
	[RUBY_M_LINES] = {"rb_iseq_constant_body", "insns_info.body", 0},
	[RUBY_M_LINES_N] = {"rb_iseq_constant_body", "insns_info.size", 0},
	[RUBY_M_RANKS] = {"rb_iseq_constant_body", "insns_info.succ_index_table", 0},
	[RUBY_M_LINE_SIZE] = {"iseq_insn_info_entry", NULL, 0},
	[RUBY_M_TEXT] = {"RString", "as.embed.ary", 0},
	[RUBY_M_TEXT_OLD] = {"RString", "as.ary", 0},
	{"rb_execution_context_struct", "vm_stack_size", CONTEXT_WORDS},
	{"rb_execution_context_struct", "cfp", CONTEXT_FRAME},
	{"rb_control_frame_struct", "iseq", FRAME_CODE},
	{"rb_control_frame_struct", "ep", FRAME_ENVIRONMENT},
	{"rb_iseq_struct", "body", CODE_BODY},
	{"rb_iseq_constant_body", "iseq_encoded", BODY_INSTRUCTIONS},
	{"RString", "as.heap.ptr", STRING_POINTER},
	{NULL, NULL, 0},
};

/** The cached name of a piece of code, by its address. Another piece of code may get the address
 * later. */
struct ruby_code {
	uint64_t body, label;
	uint32_t id;
	uint64_t seen;
};

/** A thread, and the address of its execution context. */
struct ruby_thread {
	int32_t tid;
	uint64_t context;
};

struct ruby {
	struct ruby_layout layout;
	struct scan scan;
	struct ruby_thread *threads;
	size_t threads_n, threads_capacity;
	struct threads_watch watch;
	struct known codes; // items: struct ruby_code
	struct known lines; // names with lines, by instruction
	struct buf text, path;
	char frames[FRAMES_MOST * FRAME_SIZE_MOST];
};

/** Return whether all members of a layout are within the bytes that are read of their objects. */
static bool ruby_fits(const struct ruby_layout *layout) {
	const uint16_t word = sizeof(uint64_t), thread = THREAD_SIZE - word;
	const uint16_t body = BODY_SIZE - word;
	uint16_t owner = layout->native == NOWHERE ? THREAD_SIZE : NATIVE_SIZE;
	return layout->threads != NOWHERE && layout->ractor <= thread &&
	       layout->context <= thread &&
	       (layout->native == NOWHERE || layout->native <= thread) &&
	       (layout->tid == NOWHERE || layout->tid <= owner - sizeof(uint32_t)) &&
	       layout->pthread <= owner - word && layout->frame_size <= FRAME_SIZE_MOST &&
	       layout->frame_size >= FRAME_ENVIRONMENT + word && layout->path <= body &&
	       layout->label <= body && layout->lines <= body && layout->lines_n <= body &&
	       layout->ranks <= body && layout->line_size >= word && layout->line_size != NOWHERE &&
	       (layout->text == STRING_LENGTH || layout->text == STRING_POINTER);
}

/** Take the offsets of a version from its debug information. Return false if an offset is missing
 * or is not supported. */
static bool ruby_take_members(const struct script_process *process, struct ruby_layout *layout) {
#define FIRST(...) members_first(process->offsets, (const int[]){__VA_ARGS__, -1})
	bool native = FIRST(RUBY_M_NATIVE) != NOWHERE;
	*layout = (struct ruby_layout){
		.threads = FIRST(RUBY_M_THREADS),
		.ractor = FIRST(RUBY_M_RACTOR),
		.context = FIRST(RUBY_M_CONTEXT),
		.native = FIRST(RUBY_M_NATIVE),
		.tid = native ? FIRST(RUBY_M_TID) : FIRST(RUBY_M_TID_OLD),
		.pthread = native ? FIRST(RUBY_M_PTHREAD) : FIRST(RUBY_M_PTHREAD_OLD),
		.frame_size = FIRST(RUBY_M_FRAME_SIZE),
		.path = FIRST(RUBY_M_PATH),
		.label = FIRST(RUBY_M_LABEL),
		.lines = FIRST(RUBY_M_LINES),
		.lines_n = FIRST(RUBY_M_LINES_N),
		.ranks = FIRST(RUBY_M_RANKS),
		.line_size = FIRST(RUBY_M_LINE_SIZE),
		.text = FIRST(RUBY_M_TEXT, RUBY_M_TEXT_OLD),
	};
#undef FIRST
	return ruby_fits(layout);
}

static bool ruby_open(struct script_process *process, struct buf *version) {
	unsigned major = 0, minor = 0;
	size_t before = version->n;
	if (!remote_text(&process->remote, process->globals[RUBY_VERSION], 16, version) ||
	    sscanf(buf_text(version) + before, "%1u.%2u", &major, &minor) != 2) {
		buf_add_text(version, "of unknown version");
		return false;
	}
	struct ruby_layout layout = {0};
	for (size_t i = 0; i < sizeof(ruby_layouts) / sizeof(*ruby_layouts); i++) {
		layout = ruby_layouts[i].version == (major << 8 | minor) ? ruby_layouts[i] : layout;
	}
	if (layout.version == 0 &&
	    (!process->has_offsets || !ruby_take_members(process, &layout))) {
		return false;
	}
	struct ruby *ruby = mem_new(1, sizeof(*ruby));
	ruby->layout = layout;
	process->state = ruby;
	return true;
}

static void ruby_close(struct script_process *process) {
	struct ruby *ruby = process->state;
	known_release(&ruby->codes);
	known_release(&ruby->lines);
	free(ruby->threads);
	buf_release(&ruby->text);
	buf_release(&ruby->path);
	free(ruby);
}

/* --- Threads -------------------------------------------------------------------------------- */

/** Return the kernel's id of the thread that runs a Ruby thread; or 0 if the id is not known. */
static int32_t ruby_tid_of(struct script_process *process, const struct thread_numbers *numbers,
			   const char *thread) {
	const struct ruby_layout *layout = &((const struct ruby *)process->state)->layout;
	struct remote *remote = &process->remote;
	char native[NATIVE_SIZE];
	if (layout->native != NOWHERE) {
		uint64_t at = remote_load_u64(thread + layout->native);
		if (!remote_is_pointer(at) || !remote_read(remote, at, native, sizeof(native))) {
			return 0; // no native thread runs this Ruby thread
		}
		thread = native;
	}
	return layout->tid != NOWHERE
		       ? threads_outer(numbers, (int32_t)remote_load_u32(thread + layout->tid))
		       : threads_of_pthread(numbers, remote,
					    remote_load_u64(thread + layout->pthread));
}

/** Return whether there is a ractor with threads at an address: the first thread has the address of
 * the ractor and of the list. */
static bool ruby_is_ractor(struct script_process *process, uint64_t address) {
	const struct ruby *ruby = process->state;
	struct remote *remote = &process->remote;
	uint64_t head = address + ruby->layout.threads, nodes[2];
	char thread[THREAD_SIZE];
	return remote_read(remote, head, nodes, sizeof(nodes)) && remote_is_pointer(nodes[0]) &&
	       remote_is_pointer(nodes[1]) && nodes[0] != head && nodes[1] != head &&
	       remote_read(remote, nodes[0], thread, sizeof(thread)) &&
	       remote_load_u64(thread + sizeof(head)) == head &&
	       remote_load_u64(thread + ruby->layout.ractor) == address &&
	       remote_is_pointer(remote_load_u64(thread + ruby->layout.context));
}

/** Return the ractor to which all threads belong; or 0 if the ractor is not found, or if there are
 * several ractors. From 3.3 on, the variable with the address of the ractor may have no symbol. */
static uint64_t ruby_find_ractor(struct script_process *process) {
	struct ruby *ruby = process->state;
	uint64_t *at = &process->globals[RUBY_RACTOR];
	if (*at == 0 && scan_begin(&ruby->scan, process->now) > 0) {
		*at = scan_variables(process, ruby_is_ractor);
	}
	return *at == 0 ? 0 : remote_u64(&process->remote, *at);
}

/** Return the execution context of a thread in the list; or 0 if the thread is not in the list. */
static uint64_t ruby_find(const struct ruby *ruby, int32_t tid) {
	for (size_t i = 0; i < ruby->threads_n; i++) {
		if (ruby->threads[i].tid == tid) {
			return ruby->threads[i].context;
		}
	}
	return 0;
}

static void ruby_add(struct ruby *ruby, int32_t tid, uint64_t context) {
	*MEM_APPEND(ruby->threads, ruby->threads_n, ruby->threads_capacity) =
		(struct ruby_thread){tid, context};
}

/** If the newest Ruby thread is run by a thread, add it to the list, and return its execution
 * context. Otherwise, return 0. The newest thread is the last one in the circular list. */
static uint64_t ruby_find_newest(struct script_process *process, int32_t tid) {
	struct ruby *ruby = process->state;
	struct remote *remote = &process->remote;
	struct thread_numbers one = {0};
	char bytes[THREAD_SIZE];
	uint64_t ractor = ruby_find_ractor(process), context = 0;
	uint64_t last = remote_is_pointer(ractor)
				? remote_u64(remote, ractor + ruby->layout.threads + sizeof(last))
				: 0;
	if (!remote_is_pointer(last) || !remote_read(remote, last, bytes, sizeof(bytes)) ||
	    remote_load_u64(bytes + ruby->layout.ractor) != ractor) {
		return 0;
	}
	threads_list_one(&one, remote->pid, tid);
	if (ruby_tid_of(process, &one, bytes) == tid) {
		context = remote_load_u64(bytes + ruby->layout.context);
		for (size_t i = 0; i < ruby->threads_n; i++) {
			if (ruby->threads[i].tid == tid) {
				ruby->threads[i] = ruby->threads[--ruby->threads_n];
			}
		}
		ruby_add(ruby, tid, context);
	}
	threads_release(&one);
	return context;
}

/** List the threads. The threads are in a circular list, and the head of this list is in the
 * ractor. */
static void ruby_list(struct script_process *process) {
	enum { MOST = 10000 };
	struct ruby *ruby = process->state;
	struct remote *remote = &process->remote;
	struct thread_numbers numbers = {0};
	uint64_t ractor = ruby_find_ractor(process);
	uint64_t head = ractor + ruby->layout.threads;
	ruby->threads_n = 0;
	threads_list(&numbers, remote->pid);
	uint64_t thread = remote_is_pointer(ractor) ? remote_u64(remote, head) : 0;
	for (size_t i = 0; i < MOST && remote_is_pointer(thread) && thread != head; i++) {
		char bytes[THREAD_SIZE];
		if (!remote_read(remote, thread, bytes, sizeof(bytes)) ||
		    remote_load_u64(bytes + ruby->layout.ractor) != ractor) {
			break;
		}
		int32_t tid = ruby_tid_of(process, &numbers, bytes);
		if (tid != 0) {
			ruby_add(ruby, tid, remote_load_u64(bytes + ruby->layout.context));
		}
		thread = remote_load_u64(bytes);
	}
	threads_release(&numbers);
}

/** Return the execution context of a thread; or 0 if the thread has none, or only the one that is
 * `not`. The context changes when the thread changes to another fiber, and when a Ruby thread ends
 * and the thread runs another one. */
static uint64_t ruby_context(struct script_process *process, int32_t tid, uint64_t not ) {
	const uint64_t later = 100000000; // ns
	struct ruby *ruby = process->state;
	uint64_t found = ruby_find(ruby, tid);
	found = found == not ? ruby_find_newest(process, tid) : found;
	if (threads_watch_is_due(&ruby->watch, process->now, tid,
				 found == not || found == 0 ? 0 : later)) {
		uint64_t began = threads_watch_begin(&ruby->watch, process->now);
		ruby_list(process);
		found = ruby_find(ruby, tid);
		threads_watch_end(&ruby->watch, began, tid, found != not &&found != 0);
	}
	return found == not ? 0 : found;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Add the text of a string. The text is in the object itself, or elsewhere. */
static bool ruby_add_text(struct script_process *process, uint64_t string, struct buf *out) {
	enum { LENGTH_MOST = 31 };
	const struct ruby_layout *layout = &((const struct ruby *)process->state)->layout;
	char object[STRING_SIZE], bytes[TEXT_MOST];
	if (!remote_is_pointer(string) ||
	    !remote_read(&process->remote, string, object, sizeof(object))) {
		return false;
	}
	uint64_t flags = remote_load_u64(object), n = remote_load_u64(object + STRING_LENGTH);
	bool elsewhere = (flags & STRING_HEAP) != 0;
	uint64_t at = elsewhere ? remote_load_u64(object + STRING_POINTER) : string + layout->text;
	if (!elsewhere && layout->text == STRING_LENGTH) {
		n = flags >> STRING_LENGTH_AT & LENGTH_MOST; // this version has no separate length
	}
	if ((flags & OBJECT_TYPE) != TYPE_STRING || n > sizeof(bytes) ||
	    !remote_read(&process->remote, at, bytes, (size_t)n)) {
		return false;
	}
	utf8_repair(out, (struct str){bytes, (size_t)n});
	return true;
}

/** Make the name of a piece of code: its file, its label, and the line unless it is 0. */
static bool ruby_name(struct script_process *process, const char *body, uint32_t line,
		      uint32_t *id) {
	enum { FIRST_ITEM = 16 };
	struct ruby *ruby = process->state;
	struct remote *remote = &process->remote;
	uint64_t path = remote_load_u64(body + ruby->layout.path);
	if (remote_is_pointer(path) && (remote_u64(remote, path) & OBJECT_TYPE) == TYPE_ARRAY) {
		path = remote_u64(remote, path + FIRST_ITEM); // the path, and the real path
	}
	buf_clear(&ruby->path);
	buf_clear(&ruby->text);
	if (!ruby_add_text(process, path, &ruby->path)) {
		return false;
	}
	struct str file = buf_str(&ruby->path);
	size_t slash = str_find_last(file, '/');
	file = slash == STR_NONE ? file : str_from(file, slash + 1);
	// From 3.3 on, the file of an eval names the caller: (eval at /tmp/x.rb:11).
	bool is_eval = str_starts(buf_str(&ruby->path), STR("(eval at "));
	buf_add_str(&ruby->text, is_eval ? STR("(eval)") : file);
	buf_add_char(&ruby->text, ':');
	if (!ruby_add_text(process, remote_load_u64(body + ruby->layout.label), &ruby->text)) {
		return false;
	}
	if (line != 0) {
		buf_printf(&ruby->text, ":%u", line);
	}
	*id = process->name(process->context, buf_str(&ruby->text));
	return true;
}

/** Find the name of a piece of code. Return false if there is no code at the address. */
static bool ruby_code(struct script_process *process, uint64_t address, uint32_t *id) {
	struct ruby *ruby = process->state;
	char body[BODY_SIZE];
	struct ruby_code *known = known_get(&ruby->codes, address, sizeof(*known));
	if (!known_is_fresh(known->seen, process->now)) {
		uint64_t at = remote_is_pointer(address)
				      ? remote_u64(&process->remote, address + CODE_BODY)
				      : 0;
		bool good = remote_is_pointer(at) &&
			    remote_read(&process->remote, at, body, sizeof(body));
		if (good && (known->body != at ||
			     known->label != remote_load_u64(body + ruby->layout.label))) {
			good = ruby_name(process, body, 0, &known->id);
		}
		if (!good) {
			*known = (struct ruby_code){0};
			return false;
		}
		known->body = at;
		known->label = remote_load_u64(body + ruby->layout.label);
		known->seen = process->now;
	}
	*id = known->id;
	return true;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Return how many entries of the table of lines begin at an instruction or before it. For each of
 * the first 54 instructions, this number is stored in seven bits. Further instructions are in
 * blocks of 512. A block has the number of entries before the block, the numbers before each of its
 * words, and a bit for each instruction at which an entry begins. */
static uint64_t ruby_rank(struct script_process *process, uint64_t table, uint64_t place) {
	enum { EACH = 9, BITS = 7, SINGLE = 54, TABLE = 48, BLOCK = 512, BLOCK_SIZE = 80 };
	enum { WORD = 64, WORDS_AT = 16, RANK_BITS = 9 };
	struct remote *remote = &process->remote;
	if (place < SINGLE) {
		uint64_t word = remote_u64(remote, table + place / EACH * sizeof(word));
		return word >> place % EACH * BITS & ((1 << BITS) - 1);
	}
	place -= SINGLE;
	uint64_t block = table + TABLE + place / BLOCK * BLOCK_SIZE;
	uint64_t word = place % BLOCK / WORD;
	uint64_t ranks = remote_u64(remote, block + sizeof(ranks));
	uint64_t bits = remote_u64(remote, block + WORDS_AT + word * sizeof(bits));
	uint64_t before = word == 0 ? 0 : ranks >> (word - 1) * RANK_BITS & ((1 << RANK_BITS) - 1);
	return remote_u32(remote, block) + before +
	       (uint64_t)__builtin_popcountll(bits << (WORD - 1 - place % WORD));
}

/** Return the line of the last instruction that was finished; or 0 if the line is not known. */
static uint32_t ruby_line(struct script_process *process, const char *body, uint64_t pc) {
	enum { MOST = 1 << 20 };
	const struct ruby *ruby = process->state;
	uint64_t start = remote_load_u64(body + BODY_INSTRUCTIONS);
	uint64_t table = remote_load_u64(body + ruby->layout.ranks);
	uint64_t place = (pc - start) / sizeof(uint64_t);
	if (pc < start || place > MOST || !remote_is_pointer(table)) {
		return 0;
	}
	uint64_t rank = ruby_rank(process, table, place > 0 ? place - 1 : 0);
	if (rank == 0 || rank > remote_load_u32(body + ruby->layout.lines_n)) {
		return 0;
	}
	return remote_u32(&process->remote, remote_load_u64(body + ruby->layout.lines) +
						    (rank - 1) * ruby->layout.line_size);
}

/** Replace the name of a piece of code by a name with the line that the frame executes. */
static void ruby_add_line(struct script_process *process, uint64_t code, uint64_t pc,
			  uint32_t *id) {
	struct ruby *ruby = process->state;
	struct known_name *known = known_get(&ruby->lines, pc, sizeof(struct known_name));
	char body[BODY_SIZE];
	if (known->seen == 0 || known->print != *id) {
		uint64_t at = remote_u64(&process->remote, code + CODE_BODY);
		if (!remote_is_pointer(at) ||
		    !remote_read(&process->remote, at, body, sizeof(body)) ||
		    !ruby_name(process, body, ruby_line(process, body, pc), &known->id)) {
			return;
		}
		known->seen = process->now;
		known->print = *id;
	}
	*id = known->id;
}

/* --- Frames --------------------------------------------------------------------------------- */

/** Add a control frame. Frames of C functions have no code, and are left out. Return false if the
 * code of a frame is invalid. */
static bool ruby_push(struct script_process *process, struct script_stack *stack,
		      const char *frame) {
	uint64_t code = remote_load_u64(frame + FRAME_CODE);
	uint64_t environment = remote_load_u64(frame + FRAME_ENVIRONMENT);
	uint64_t flags =
		remote_is_pointer(environment) ? remote_u64(&process->remote, environment) : 0;
	uint32_t id = 0;
	if (code != 0 && remote_load_u64(frame + FRAME_PC) != 0) {
		if (!ruby_code(process, code, &id)) {
			return false;
		}
		if (process->lines) {
			ruby_add_line(process, code, remote_load_u64(frame + FRAME_PC), &id);
		}
		stack->frames[stack->n++] = (struct script_frame){.name = id};
	}
	if ((flags & FRAME_FINISH) != 0 && stack->n > 0) {
		stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
	}
	return true;
}

static enum script_state ruby_walk(struct script_process *process, uint64_t context,
				   struct script_stack *stack) {
	const uint64_t most = UINT64_C(1) << 27; // words
	struct ruby *ruby = process->state;
	const size_t frame_size = ruby->layout.frame_size;
	struct remote *remote = &process->remote;
	char head[CONTEXT_SIZE], again[CONTEXT_SIZE];
	if (!remote_read(remote, context, head, sizeof(head))) {
		return SCRIPT_TORN;
	}
	uint64_t bottom = remote_load_u64(head + CONTEXT_STACK);
	uint64_t words = remote_load_u64(head + CONTEXT_WORDS);
	uint64_t frame = remote_load_u64(head + CONTEXT_FRAME);
	if (bottom == 0 || frame == 0) {
		return SCRIPT_NONE;
	}
	// The outermost control frame does not belong to a function.
	uint64_t end = bottom + words * sizeof(uint64_t) - frame_size;
	if (words > most || !remote_is_pointer(bottom) || frame < bottom || frame > end ||
	    (end - frame) % sizeof(uint64_t) != 0) {
		return SCRIPT_TORN;
	}
	size_t n = (size_t)(end - frame) / frame_size;
	stack->cut = n > FRAMES_MOST;
	n = n < FRAMES_MOST ? n : FRAMES_MOST;
	const struct remote_piece pieces[] = {{frame, ruby->frames, n * frame_size},
					      {context, again, sizeof(again)}};
	if (remote_read_pieces(remote, pieces, 2) != n * frame_size + sizeof(again) ||
	    memcmp(head, again, sizeof(head)) != 0) {
		return SCRIPT_TORN;
	}
	for (size_t i = 0; i < n; i++) {
		if (!ruby_push(process, stack, ruby->frames + i * frame_size) && i > 0) {
			return SCRIPT_TORN;
		}
	}
	return remote_u64(remote, context + CONTEXT_FRAME) == frame ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

static enum script_state ruby_read_from(struct script_process *process, uint64_t context,
					struct script_stack *stack) {
	enum { TRIES = 3 };
	enum script_state state = remote_is_pointer(context) ? SCRIPT_TORN : SCRIPT_NONE;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = ruby_walk(process, context, stack);
	}
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

static enum script_state ruby_read(struct script_process *process,
				   const struct script_thread *thread, struct script_stack *stack) {
	uint64_t context = ruby_context(process, thread->tid, 0);
	enum script_state state = ruby_read_from(process, context, stack);
	if (state == SCRIPT_NONE && context != 0) { // its Ruby thread may have ended
		context = ruby_context(process, thread->tid, context);
		state = ruby_read_from(process, context, stack);
	}
	return state;
}

const struct script_language language_ruby = {
	.name = "ruby",
	.title = "Ruby",
	.files = ruby_files,
	.globals = ruby_globals,
	.loops = ruby_loops,
	.glue = ruby_glue,
	.members = ruby_members,
	.open = ruby_open,
	.read = ruby_read,
	.close = ruby_close,
};
