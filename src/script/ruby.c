/* Ruby 3.1. The calls of a thread are control frames, at the end of the memory of the thread's
 * stack. */
#include <stdlib.h>

#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"
#include "script/threads.h"

enum { RUBY_VERSION, RUBY_RACTOR };

/** The globals, in this order. */
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

/** Offsets of version 3.1. */
enum {
	RACTOR_THREADS = 304,
	THREAD_RACTOR = 24,
	THREAD_CONTEXT = 40,
	THREAD_TID = 88,
	THREAD_SIZE = 96,
	CONTEXT_STACK = 0,
	CONTEXT_WORDS = 8,
	CONTEXT_FRAME = 16,
	CONTEXT_SIZE = 24,
	FRAME_PC = 0,
	FRAME_CODE = 16,
	FRAME_ENVIRONMENT = 32,
	FRAME_SIZE = 64,
	FRAME_FINISH = 0x20,
	CODE_BODY = 16,
	BODY_INSTRUCTIONS = 8,
	BODY_PATH = 64,
	BODY_LABEL = 80,
	BODY_LINES = 120,
	BODY_LINES_N = 136,
	BODY_RANKS = 144,
	BODY_SIZE = 152,
	LINE_SIZE = 12,
	OBJECT_TYPE = 0x1f,
	TYPE_STRING = 5,
	TYPE_ARRAY = 7,
	STRING_HEAP = 0x2000,
	STRING_LENGTH_AT = 14,
	STRING_SIZE = 40,
	FRAMES_MOST = SCRIPT_DEPTH_MOST,
	TEXT_MOST = 1000,
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
	struct ruby_thread *threads;
	size_t threads_n, threads_capacity;
	uint64_t listed;    // when they were listed
	struct known codes; // of struct ruby_code
	struct known lines; // names with lines, by instruction
	struct buf text, path;
	char frames[FRAMES_MOST * FRAME_SIZE];
};

static bool ruby_open(struct script_process *process, struct buf *version) {
	size_t before = version->n;
	if (!remote_text(&process->remote, process->globals[RUBY_VERSION], 16, version)) {
		buf_add_text(version, "of unknown version");
	}
	struct str text = str_from(buf_str(version), before);
	if (!str_starts(text, STR("3.1.")) || process->globals[RUBY_RACTOR] == 0) {
		return false;
	}
	process->state = mem_new(1, sizeof(struct ruby));
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

/** List the threads. They are in a circular list, whose head is in the ractor. */
static void ruby_list(struct script_process *process) {
	enum { MOST = 10000 };
	struct ruby *ruby = process->state;
	struct remote *remote = &process->remote;
	struct thread_numbers numbers = {0};
	uint64_t ractor = remote_u64(remote, process->globals[RUBY_RACTOR]);
	uint64_t head = ractor + RACTOR_THREADS;
	ruby->threads_n = 0;
	ruby->listed = process->now;
	threads_list(&numbers, remote->pid);
	uint64_t thread = remote_is_pointer(ractor) ? remote_u64(remote, head) : 0;
	for (size_t i = 0; i < MOST && remote_is_pointer(thread) && thread != head; i++) {
		char bytes[THREAD_SIZE];
		if (!remote_read(remote, thread, bytes, sizeof(bytes)) ||
		    remote_load_u64(bytes + THREAD_RACTOR) != ractor) {
			break;
		}
		int32_t tid = threads_outer(&numbers, (int32_t)remote_load_u32(bytes + THREAD_TID));
		if (tid != 0) {
			ruby->threads = mem_grow(ruby->threads, &ruby->threads_capacity,
						 ruby->threads_n + 1, sizeof(*ruby->threads));
			ruby->threads[ruby->threads_n++] =
				(struct ruby_thread){tid, remote_load_u64(bytes + THREAD_CONTEXT)};
		}
		thread = remote_load_u64(bytes);
	}
	threads_release(&numbers);
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

/** Return the execution context of a thread; or 0 if the thread has none. The context changes when
 * the thread changes to another fiber. */
static uint64_t ruby_context(struct script_process *process, int32_t tid) {
	const uint64_t soon = 20000000, later = 100000000; // ns
	const struct ruby *ruby = process->state;
	uint64_t found = ruby_find(ruby, tid), age = process->now - ruby->listed;
	if (ruby->listed == 0 || age > (found == 0 ? soon : later)) {
		ruby_list(process);
		found = ruby_find(ruby, tid);
	}
	return found;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Add the text of a string. */
static bool ruby_add_text(struct script_process *process, uint64_t string, struct buf *out) {
	enum { LENGTH = 16, POINTER = 24, EMBEDDED = 16, EMBEDDED_MOST = 31 };
	char object[STRING_SIZE], bytes[TEXT_MOST];
	if (!remote_is_pointer(string) ||
	    !remote_read(&process->remote, string, object, sizeof(object))) {
		return false;
	}
	uint64_t flags = remote_load_u64(object);
	if ((flags & OBJECT_TYPE) != TYPE_STRING) {
		return false;
	}
	if ((flags & STRING_HEAP) == 0) {
		size_t n = flags >> STRING_LENGTH_AT & EMBEDDED_MOST;
		n = n < STRING_SIZE - EMBEDDED ? n : STRING_SIZE - EMBEDDED;
		utf8_repair(out, (struct str){object + EMBEDDED, n});
		return true;
	}
	uint64_t n = remote_load_u64(object + LENGTH);
	if (n > sizeof(bytes) ||
	    !remote_read(&process->remote, remote_load_u64(object + POINTER), bytes, (size_t)n)) {
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
	uint64_t path = remote_load_u64(body + BODY_PATH);
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
	buf_add_str(&ruby->text, slash == STR_NONE ? file : str_from(file, slash + 1));
	buf_add_char(&ruby->text, ':');
	if (!ruby_add_text(process, remote_load_u64(body + BODY_LABEL), &ruby->text)) {
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
		if (good &&
		    (known->body != at || known->label != remote_load_u64(body + BODY_LABEL))) {
			good = ruby_name(process, body, 0, &known->id);
		}
		if (!good) {
			*known = (struct ruby_code){0};
			return false;
		}
		known->body = at;
		known->label = remote_load_u64(body + BODY_LABEL);
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
	uint64_t start = remote_load_u64(body + BODY_INSTRUCTIONS);
	uint64_t table = remote_load_u64(body + BODY_RANKS);
	uint64_t place = (pc - start) / sizeof(uint64_t);
	if (pc < start || place > MOST || !remote_is_pointer(table)) {
		return 0;
	}
	uint64_t rank = ruby_rank(process, table, place > 0 ? place - 1 : 0);
	if (rank == 0 || rank > remote_load_u32(body + BODY_LINES_N)) {
		return 0;
	}
	return remote_u32(&process->remote,
			  remote_load_u64(body + BODY_LINES) + (rank - 1) * LINE_SIZE);
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

/** Add a control frame. Frames of C functions have no code. */
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
	uint64_t end = bottom + words * sizeof(uint64_t) - FRAME_SIZE;
	if (words > most || !remote_is_pointer(bottom) || frame < bottom || frame > end ||
	    (end - frame) % sizeof(uint64_t) != 0) {
		return SCRIPT_TORN;
	}
	size_t n = (size_t)(end - frame) / FRAME_SIZE;
	stack->cut = n > FRAMES_MOST;
	n = n < FRAMES_MOST ? n : FRAMES_MOST;
	const struct remote_piece pieces[] = {{frame, ruby->frames, n * FRAME_SIZE},
					      {context, again, sizeof(again)}};
	if (remote_read_pieces(remote, pieces, 2) != n * FRAME_SIZE + sizeof(again) ||
	    memcmp(head, again, sizeof(head)) != 0) {
		return SCRIPT_TORN;
	}
	for (size_t i = 0; i < n; i++) {
		if (!ruby_push(process, stack, ruby->frames + i * FRAME_SIZE) && i > 0) {
			return SCRIPT_TORN;
		}
	}
	return remote_u64(remote, context + CONTEXT_FRAME) == frame ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

static enum script_state ruby_read(struct script_process *process,
				   const struct script_thread *thread, struct script_stack *stack) {
	enum { TRIES = 3 };
	uint64_t context = ruby_context(process, thread->tid);
	enum script_state state = remote_is_pointer(context) ? SCRIPT_TORN : SCRIPT_NONE;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = ruby_walk(process, context, stack);
	}
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_ruby = {
	.name = "ruby",
	.title = "Ruby",
	.files = ruby_files,
	.globals = ruby_globals,
	.loops = ruby_loops,
	.glue = ruby_glue,
	.open = ruby_open,
	.read = ruby_read,
	.close = ruby_close,
};
