/* Perl 5.28 to 5.42. Calls of Perl are contexts in an array. Each interpreter has a list of such
 * arrays. Whenever C code calls Perl, a new array is added to the list. */
#include <stdlib.h>

#include "base/intern.h"
#include "base/utf8.h"
#include "script/known.h"
#include "script/language.h"

/** Offsets in the objects of some versions, in bytes. */
struct perl_layout {
	unsigned first, last;             // minor versions, such as 36 for 5.36
	uint16_t current_cop, stack_info; // offsets in an interpreter
	uint16_t info_type, context_size, called;
	bool inline_aux; // whether the name of a package is stored next to the package's symbol
			 // table
};

/* scripts/layouts made these rows, except the rows for 5.28 to 5.31 and for 5.34. The offsets in
 * these two rows are those that other profilers use. */
static const struct perl_layout perl_layouts[] = {
	{28, 31, 224, 240, 40, 96, 64, false},
	{32, 33, 224, 240, 44, 104, 72, false},
	{34, 35, 208, 224, 44, 104, 72, false},
	{36, 42, 208, 224, 44, 104, 72, true},
};

enum {
	PERL_VERSION,
	PERL_SUBVERSION,
	PERL_INTERPRETER,
	PERL_CURRENT_COP,
	PERL_STACK_INFO,
	PERL_RUN,
};

/** The indexes of the symbols to look up, in the order of their names below. The fourth and the
 * fifth symbol exist only in a Perl without threads. */
static const char *const perl_globals[] = {"PL_version", "PL_subversion",   "PL_curinterp",
					   "PL_curcop",  "PL_curstackinfo", "Perl_runops_standard",
					   NULL};

static const char *const perl_files[] = {"perl", NULL};

static const char *const perl_loops[] = {"Perl_runops_standard", "Perl_runops_debug", NULL};

static const char *const perl_glue[] = {
	"Perl_call_sv",     "Perl_call_list",      "Perl_call_method",
	"Perl_call_pv",     "S_call_list_body",    "S_docatch",
	"S_sortcv*",        "S_run_body",          "perl_run",
	"S_doeval_compile", "Perl_magic_methcall", "main",
	"_start",           "__libc_start_*",      NULL,
};

/** Offsets that all these versions share. */
enum {
	SV_FLAGS = 12,
	SV_UNION = 16,
	SV_SIZE = 24,
	SV_TYPE = 255,
	TYPE_GLOB = 9,
	TYPE_TABLE = 12,
	TYPE_CODE = 13,
	CODE_STASH = 32,
	CODE_START = 40,
	CODE_NAME = 56,
	CODE_FILE = 64,
	CODE_FLAGS = 92,
	CODE_SIZE = 104,
	CODE_NAMED = 0x8000,
	GLOB_NAME = 32,
	GLOB_STASH = 40,
	GLOB_SIZE = 48,
	GP_EFFECTIVE = 56,
	COP_LINE = 36,
	COP_FILE = 48,
	COP_SIZE = 88,
	INFO_CONTEXTS = 8,
	INFO_PREVIOUS = 16,
	INFO_TOP = 32,
	INFO_SIZE = 56,
	INFO_MAIN = 1,
	CONTEXT_COP = 16,
	CONTEXT_RETURN = 48,
	CONTEXT_MOST = 104,
	CONTEXT_SUB = 9,
	CONTEXT_FORMAT = 10,
	CONTEXT_EVAL = 11,
	CONTEXT_TYPE = 15,
	CONTEXT_AGAIN = 0x80,
	TABLE_LAST = 24,
	TABLE_AUX = 32,
	AUX_NAMES = 28,
	HEAD_SIZE = 256,
	CONTEXTS_MOST = 2048,
	TEXT_MOST = 1000,
};

/** The members whose offsets make up a layout, and others whose offsets are above. */
enum {
	PERL_M_CURRENT_COP,
	PERL_M_STACK_INFO,
	PERL_M_INFO_TYPE,
	PERL_M_CONTEXT_SIZE,
	PERL_M_CALLED,
	PERL_M_AUX,
};

static const struct layout_member perl_members[] = {
	[PERL_M_CURRENT_COP] = {"interpreter", "Icurcop", 0},
	[PERL_M_STACK_INFO] = {"interpreter", "Icurstackinfo", 0},
	[PERL_M_INFO_TYPE] = {"stackinfo", "si_type", 0},
	[PERL_M_CONTEXT_SIZE] = {"context", NULL, 0},
	[PERL_M_CALLED] = {"context", "cx_u.cx_blk.blk_u.blku_sub.cv", 0},
	[PERL_M_AUX] = {"xpvhv_with_aux", "xhv_aux", 0},
	{"context", "cx_u.cx_blk.blku_oldcop", CONTEXT_COP},
	{"context", "cx_u.cx_blk.blk_u.blku_sub.retop", CONTEXT_RETURN},
	{"stackinfo", "si_cxstack", INFO_CONTEXTS},
	{"stackinfo", "si_prev", INFO_PREVIOUS},
	{"stackinfo", "si_cxix", INFO_TOP},
	{"sv", "sv_flags", SV_FLAGS},
	{"sv", "sv_u", SV_UNION},
	{"xpvcv", "xcv_stash", CODE_STASH},
	{"xpvcv", "xcv_start_u", CODE_START},
	{"xpvcv", "xcv_gv_u", CODE_NAME},
	{"xpvcv", "xcv_file", CODE_FILE},
	{"xpvcv", "xcv_flags", CODE_FLAGS},
	{"xpvgv", "xiv_u", GLOB_NAME},
	{"xpvgv", "xnv_u", GLOB_STASH},
	{"gp", "gp_egv", GP_EFFECTIVE},
	{"cop", "cop_line", COP_LINE},
	{"cop", "cop_file", COP_FILE},
	{"xpvhv", "xhv_max", TABLE_LAST},
	{"xpvhv_aux", "xhv_name_count", AUX_NAMES},
	{NULL, NULL, 0},
};

/** The cached name of a subroutine, by its address. Another subroutine may get the address later.
 */
struct perl_sub {
	uint64_t body, name;
	uint32_t id;
	uint64_t seen;
};

/** A thread other than the first one, with its interpreter. */
struct perl_thread {
	int32_t tid;
	uint64_t interpreter, searched; // `searched`: time of the last search
};

struct perl_reader {
	struct perl_layout layout;
	struct perl_thread *threads;
	size_t threads_n, threads_capacity;
	uint64_t run_at; // offset in an interpreter of the address of Perl_runops_standard; 0: not
			 // known
	struct known subs; // items: struct perl_sub
	struct intern names;
	struct buf text, other;
	char contexts[CONTEXTS_MOST * CONTEXT_MOST];
	uint64_t cop; // statement of the current frame
};

/** Take the offsets of a version from its debug information. Return false if an offset is missing
 * or is not supported. */
static bool perl_take_members(const struct script_process *process, struct perl_layout *layout) {
	const uint32_t *offsets = process->offsets;
	const uint32_t most = HEAD_SIZE - sizeof(uint64_t);
	*layout = (struct perl_layout){
		.current_cop = (uint16_t)offsets[PERL_M_CURRENT_COP],
		.stack_info = (uint16_t)offsets[PERL_M_STACK_INFO],
		.info_type = (uint16_t)offsets[PERL_M_INFO_TYPE],
		.context_size = (uint16_t)offsets[PERL_M_CONTEXT_SIZE],
		.called = (uint16_t)offsets[PERL_M_CALLED],
		.inline_aux = offsets[PERL_M_AUX] != MEMBER_NONE,
	};
	return process->has_offsets && (!layout->inline_aux || offsets[PERL_M_AUX] == TABLE_AUX) &&
	       offsets[PERL_M_CURRENT_COP] <= most && offsets[PERL_M_STACK_INFO] <= most &&
	       offsets[PERL_M_INFO_TYPE] <= INFO_SIZE - sizeof(uint32_t) &&
	       offsets[PERL_M_CONTEXT_SIZE] <= CONTEXT_MOST &&
	       offsets[PERL_M_CALLED] + sizeof(uint64_t) <= offsets[PERL_M_CONTEXT_SIZE];
}

static bool perl_open(struct script_process *process, struct buf *version) {
	unsigned char minor = 0, patch = 0;
	struct remote *remote = &process->remote;
	if (!remote_read(remote, process->globals[PERL_VERSION], &minor, 1) ||
	    !remote_read(remote, process->globals[PERL_SUBVERSION], &patch, 1)) {
		buf_add_text(version, "of unknown version");
		return false;
	}
	buf_printf(version, "5.%u.%u", minor, patch);
	bool has_threads = process->globals[PERL_CURRENT_COP] == 0;
	if (!has_threads) {
		buf_add_text(version, " without ithreads");
	}
	struct perl_layout layout = {0};
	for (size_t i = 0; i < sizeof(perl_layouts) / sizeof(*perl_layouts); i++) {
		bool fits = minor >= perl_layouts[i].first && minor <= perl_layouts[i].last;
		layout = fits ? perl_layouts[i] : layout;
	}
	if (!has_threads || (layout.last == 0 && !perl_take_members(process, &layout))) {
		return false;
	}
	struct perl_reader *perl = mem_new(1, sizeof(*perl));
	perl->layout = layout;
	process->state = perl;
	return true;
}

static void perl_close(struct script_process *process) {
	struct perl_reader *perl = process->state;
	known_release(&perl->subs);
	intern_release(&perl->names);
	free(perl->threads);
	buf_release(&perl->text);
	buf_release(&perl->other);
	free(perl);
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Read an object. Return false if it cannot be read, or has another type. */
static bool perl_read_object(struct script_process *process, uint64_t address, unsigned type,
			     char *object) {
	return remote_is_pointer(address) &&
	       remote_read(&process->remote, address, object, SV_SIZE) &&
	       (remote_load_u32(object + SV_FLAGS) & SV_TYPE) == type;
}

/** Add a name that is shared by tables (HEK): hash, length, text. */
static bool perl_add_key(struct script_process *process, uint64_t key, struct buf *out) {
	enum { LENGTH = 4, TEXT = 8, ALIGNMENT = 4 };
	char bytes[TEXT_MOST];
	uint32_t n = 0;
	if (key == 0 || key % ALIGNMENT != 0 ||
	    !remote_read(&process->remote, key + LENGTH, &n, sizeof(n)) || n > sizeof(bytes) ||
	    !remote_read(&process->remote, key + TEXT, bytes, n)) {
		return false;
	}
	utf8_repair(out, (struct str){bytes, n});
	return true;
}

/** Add the name of a package, from its symbol table. */
static bool perl_add_package(struct script_process *process, uint64_t table, struct buf *out) {
	const struct perl_reader *perl = process->state;
	struct remote *remote = &process->remote;
	char object[SV_SIZE];
	if (!perl_read_object(process, table, TYPE_TABLE, object)) {
		return false;
	}
	uint64_t body = remote_load_u64(object), aux = body + TABLE_AUX;
	if (!perl->layout.inline_aux) {
		aux = remote_load_u64(object + SV_UNION) +
		      sizeof(uint64_t) * (remote_u64(remote, body + TABLE_LAST) + 1);
	}
	uint64_t name = remote_u64(remote, aux);
	int32_t names = (int32_t)remote_u32(remote, aux + AUX_NAMES);
	if (names != 0) { // then `name` is the address of a list, whose first item may be unused
		name = remote_u64(remote, name + (names < 0 ? sizeof(uint64_t) : 0));
	}
	return perl_add_key(process, name, out);
}

/** Add the name of a subroutine, from its glob. */
static bool perl_add_glob(struct script_process *process, uint64_t glob, struct buf *out) {
	struct remote *remote = &process->remote;
	char object[SV_SIZE], body[GLOB_SIZE];
	if (!perl_read_object(process, glob, TYPE_GLOB, object)) {
		return false;
	}
	uint64_t effective = remote_u64(remote, remote_load_u64(object + SV_UNION) + GP_EFFECTIVE);
	if (effective != 0 && effective != glob &&
	    !perl_read_object(process, effective, TYPE_GLOB, object)) {
		return false;
	}
	if (!remote_read(remote, remote_load_u64(object), body, sizeof(body)) ||
	    !perl_add_package(process, remote_load_u64(body + GLOB_STASH), out)) {
		return false;
	}
	buf_add_text(out, "::");
	return perl_add_key(process, remote_load_u64(body + GLOB_NAME), out);
}

/** Add the name of a file without its folder. Unless names have lines, leave out the numbers of
 * string evals, because each eval has a new number. */
static void perl_add_file(struct script_process *process, uint64_t path, struct buf *out) {
	struct perl_reader *perl = process->state;
	buf_clear(&perl->other);
	if (!remote_text(&process->remote, path, TEXT_MOST, &perl->other)) {
		buf_add_text(out, "[unknown]");
		return;
	}
	struct str text = buf_str(&perl->other);
	size_t slash = str_find_last(text, '/');
	text = slash == STR_NONE ? text : str_from(text, slash + 1);
	if (str_starts(text, STR("(eval ")) && !process->lines) {
		text = STR("(eval)");
	}
	utf8_repair(out, text);
}

/** Add the file of an anonymous subroutine, as [file], or as [file:line] if its first operation is
 * a statement. */
static void perl_add_start(struct script_process *process, const char *body, struct buf *out) {
	struct perl_reader *perl = process->state;
	uint64_t start = remote_load_u64(body + CODE_START);
	struct buf file = {0};
	char cop[COP_SIZE];
	buf_add_char(out, '[');
	perl_add_file(process, remote_load_u64(body + CODE_FILE), &file);
	buf_add_str(out, buf_str(&file));
	if (remote_is_pointer(start) && remote_read(&process->remote, start, cop, sizeof(cop))) {
		buf_clear(&file);
		size_t before = out->n - 1;
		perl_add_file(process, remote_load_u64(cop + COP_FILE), &file);
		if (file.n <= before && str_ends(buf_str(out), buf_str(&file))) {
			buf_printf(out, ":%u", remote_load_u32(cop + COP_LINE));
		}
	}
	buf_add_char(out, ']');
	buf_release(&file);
	buf_clear(&perl->other);
}

/** Add the name of a subroutine to `names`. Return false if the name cannot be read. */
static bool perl_name_sub(struct script_process *process, const char *body, uint32_t *id) {
	struct perl_reader *perl = process->state;
	uint64_t name = remote_load_u64(body + CODE_NAME);
	bool good;
	buf_clear(&perl->text);
	if ((remote_load_u32(body + CODE_FLAGS) & CODE_NAMED) != 0) {
		good = perl_add_package(process, remote_load_u64(body + CODE_STASH), &perl->text);
		buf_add_text(&perl->text, "::");
		good = good && perl_add_key(process, name, &perl->text);
	} else {
		good = perl_add_glob(process, name, &perl->text);
	}
	if (good && str_ends(buf_str(&perl->text), STR("::__ANON__"))) {
		perl_add_start(process, body, &perl->text);
	}
	if (good) {
		*id = intern_get(&perl->names, perl->text.p, perl->text.n)->id;
	}
	return good;
}

/** Find the number of a subroutine's name in `names`. Return false if there is no subroutine at the
 * address. */
static bool perl_sub(struct script_process *process, uint64_t address, uint32_t *id) {
	struct perl_reader *perl = process->state;
	char object[SV_SIZE], body[CODE_SIZE];
	struct perl_sub *known = known_get(&perl->subs, address, sizeof(*known));
	*id = known->id;
	if (known_is_fresh(known->seen, process->now)) {
		return true;
	}
	if (!perl_read_object(process, address, TYPE_CODE, object) ||
	    !remote_read(&process->remote, remote_load_u64(object), body, sizeof(body))) {
		*known = (struct perl_sub){0};
		return false;
	}
	uint64_t body_at = remote_load_u64(object), name = remote_load_u64(body + CODE_NAME);
	if ((known->body != body_at || known->name != name) &&
	    !perl_name_sub(process, body, &known->id)) {
		*known = (struct perl_sub){0};
		return false;
	}
	known->body = body_at;
	known->name = name;
	known->seen = process->now;
	*id = known->id;
	return true;
}

/* --- Contexts ------------------------------------------------------------------------------- */

/** Add a frame with this name. */
static void perl_push_text(struct script_process *process, struct script_stack *stack,
			   struct str text) {
	if (stack->n >= SCRIPT_DEPTH_MOST) {
		stack->cut = true;
		return;
	}
	stack->frames[stack->n++] =
		(struct script_frame){.name = process->name(process->context, text)};
}

/** Return the line of the current statement, or 0 if it is not known or not needed. */
static uint32_t perl_line(struct script_process *process) {
	const struct perl_reader *perl = process->state;
	return process->lines && remote_is_pointer(perl->cop)
		       ? remote_u32(&process->remote, perl->cop + COP_LINE)
		       : 0;
}

/** Add the frame of a subroutine. */
static bool perl_push_sub(struct script_process *process, struct script_stack *stack,
			  uint64_t address) {
	struct perl_reader *perl = process->state;
	uint32_t id = 0, line = perl_line(process);
	if (!perl_sub(process, address, &id)) {
		return false;
	}
	buf_set_str(&perl->text, intern_str(perl->names.keys[id]));
	if (line != 0) {
		buf_printf(&perl->text, ":%u", line);
	}
	perl_push_text(process, stack, buf_str(&perl->text));
	return true;
}

/** Add the frame of a context, if the context is a call, a format or an eval. Return false if the
 * context is invalid. */
static bool perl_push_context(struct script_process *process, struct script_stack *stack,
			      const char *context) {
	struct perl_reader *perl = process->state;
	unsigned type = (unsigned char)context[0];
	unsigned kind = type & CONTEXT_TYPE;
	bool sub = kind == CONTEXT_SUB || kind == CONTEXT_FORMAT;
	if ((!sub && kind != CONTEXT_EVAL) || (sub && (type & CONTEXT_AGAIN) != 0)) {
		return true;
	}
	if (sub && !perl_push_sub(process, stack, remote_load_u64(context + perl->layout.called))) {
		return false;
	}
	if (!sub) {
		perl_push_text(process, stack, STR("(eval)"));
	}
	if (stack->n > 0 && remote_load_u64(context + CONTEXT_RETURN) == 0) {
		stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
	}
	perl->cop = remote_load_u64(context + CONTEXT_COP);
	return true;
}

/** Add the calls of one array of contexts. Set `*info` to the next array, or to 0 after the last
 * one. Return false if a context is invalid. */
static bool perl_walk_info(struct script_process *process, struct script_stack *stack,
			   uint64_t *info) {
	struct perl_reader *perl = process->state;
	const struct perl_layout *layout = &perl->layout;
	char bytes[INFO_SIZE];
	if (!remote_is_pointer(*info) ||
	    !remote_read(&process->remote, *info, bytes, sizeof(bytes))) {
		return false;
	}
	int32_t top = (int32_t)remote_load_u32(bytes + INFO_TOP);
	uint64_t contexts = remote_load_u64(bytes + INFO_CONTEXTS);
	size_t n = top < 0 ? 0 : (size_t)top + 1, skipped = 0;
	if (n > CONTEXTS_MOST) { // read only the innermost contexts
		skipped = n - CONTEXTS_MOST;
		stack->cut = true;
		n = CONTEXTS_MOST;
	}
	if (n > 0 && (!remote_is_pointer(contexts) ||
		      !remote_read(&process->remote, contexts + skipped * layout->context_size,
				   perl->contexts, n * layout->context_size))) {
		return false;
	}
	bool innermost = stack->n == 0;
	for (size_t i = n; i > 0; i--) {
		// Perl increases the index of the top before it fills the context, so the top
		// context may be incomplete.
		bool unfilled = innermost && i == n;
		if (!perl_push_context(process, stack,
				       perl->contexts + (i - 1) * layout->context_size) &&
		    !unfilled) {
			return false;
		}
	}
	bool is_main = remote_load_u32(bytes + layout->info_type) == INFO_MAIN;
	if (!is_main && stack->n > 0) {
		stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
	}
	*info = is_main ? 0 : remote_load_u64(bytes + INFO_PREVIOUS);
	return true;
}

/** Add the frame of the main program: its file. */
static void perl_push_main(struct script_process *process, struct script_stack *stack) {
	struct perl_reader *perl = process->state;
	char cop[COP_SIZE];
	buf_clear(&perl->text);
	if (remote_is_pointer(perl->cop) &&
	    remote_read(&process->remote, perl->cop, cop, sizeof(cop))) {
		perl_add_file(process, remote_load_u64(cop + COP_FILE), &perl->text);
		if (process->lines) {
			buf_printf(&perl->text, ":%u", remote_load_u32(cop + COP_LINE));
		}
		perl_push_text(process, stack, buf_str(&perl->text));
	}
	if (stack->n > 0) {
		stack->frames[stack->n - 1].flags |= SCRIPT_ENTRY;
	}
}

/* --- Threads -------------------------------------------------------------------------------- */

/** Find the offset, in an interpreter, of the address of the function that runs its code. This
 * address distinguishes an interpreter from other memory. Return whether the offset is known. */
static bool perl_find_mark(struct script_process *process, uint64_t interpreter) {
	enum { WORDS = 512 };
	struct perl_reader *perl = process->state;
	uint64_t words[WORDS];
	if (perl->run_at == 0 && process->globals[PERL_RUN] != 0 &&
	    remote_read(&process->remote, interpreter, words, sizeof(words))) {
		for (size_t i = 1; i < WORDS && perl->run_at == 0; i++) {
			perl->run_at =
				words[i] == process->globals[PERL_RUN] ? i * sizeof(*words) : 0;
		}
	}
	return perl->run_at != 0;
}

static bool perl_is_interpreter(struct script_process *process, uint64_t address) {
	const struct perl_reader *perl = process->state;
	return remote_is_pointer(address) &&
	       remote_u64(&process->remote, address + perl->run_at) == process->globals[PERL_RUN];
}

/** Find the address of an interpreter in the copied stack of a thread. It is there because nearly
 * all functions of Perl get this address as an argument. Return 0 if there is no such
 * interpreter. */
static uint64_t perl_search(struct script_process *process, struct str copy) {
	enum { TRIED = 64, READS_MOST = 400, SHIFT = 4 };
	uint64_t tried[TRIED] = {0}; // some of the addresses at which there is no interpreter
	size_t reads = 0;
	for (size_t at = 0; at + sizeof(uint64_t) <= copy.n && reads < READS_MOST;
	     at += sizeof(uint64_t)) {
		uint64_t value = remote_load_u64(copy.p + at);
		uint64_t *before = &tried[value >> SHIFT & (TRIED - 1)];
		if (!remote_is_pointer(value) || *before == value) {
			continue;
		}
		*before = value;
		reads++;
		if (perl_is_interpreter(process, value)) {
			return value;
		}
	}
	return 0;
}

/** Return the entry of a thread, adding the entry if it is new. */
static struct perl_thread *perl_thread(struct perl_reader *perl, int32_t tid) {
	enum { MOST = 4096 };
	for (size_t i = 0; i < perl->threads_n; i++) {
		if (perl->threads[i].tid == tid) {
			return &perl->threads[i];
		}
	}
	perl->threads_n = perl->threads_n < MOST ? perl->threads_n : 0;
	MEM_GROW(perl->threads, perl->threads_capacity, perl->threads_n + 1);
	perl->threads[perl->threads_n] = (struct perl_thread){.tid = tid};
	return &perl->threads[perl->threads_n++];
}

/** Return the interpreter of a thread; or 0 if it is not known. The first thread has the first
 * interpreter. */
static uint64_t perl_interpreter(struct script_process *process,
				 const struct script_thread *thread) {
	const uint64_t soon = 20000000; // ns
	struct perl_reader *perl = process->state;
	uint64_t first = remote_u64(&process->remote, process->globals[PERL_INTERPRETER]);
	if (thread->tid == process->remote.pid || !remote_is_pointer(first) ||
	    !perl_find_mark(process, first)) {
		return thread->tid == process->remote.pid ? first : 0;
	}
	struct perl_thread *found = perl_thread(perl, thread->tid);
	if (found->interpreter != 0 && !perl_is_interpreter(process, found->interpreter)) {
		found->interpreter = 0;
	}
	if (found->interpreter == 0 && process->now - found->searched >= soon) {
		found->interpreter = perl_search(process, thread->copy);
		found->searched = process->now;
	}
	return found->interpreter;
}

/* --- Walking -------------------------------------------------------------------------------- */

static enum script_state perl_walk(struct script_process *process, uint64_t interpreter,
				   struct script_stack *stack) {
	enum { INFOS_MOST = 1000 };
	struct perl_reader *perl = process->state;
	const struct perl_layout *layout = &perl->layout;
	struct remote *remote = &process->remote;
	char head[HEAD_SIZE], again[HEAD_SIZE];
	if (!remote_is_pointer(interpreter) || !remote_read(remote, interpreter, head, HEAD_SIZE)) {
		return SCRIPT_NONE;
	}
	uint64_t info = remote_load_u64(head + layout->stack_info);
	perl->cop = remote_load_u64(head + layout->current_cop);
	if (info == 0) {
		return SCRIPT_NONE; // the program has not started
	}
	for (size_t i = 0; info != 0; i++) {
		if (i >= INFOS_MOST || !perl_walk_info(process, stack, &info)) {
			return SCRIPT_TORN;
		}
	}
	perl_push_main(process, stack);
	bool same = remote_read(remote, interpreter, again, HEAD_SIZE) &&
		    memcmp(head + layout->current_cop, again + layout->current_cop,
			   sizeof(uint64_t)) == 0 &&
		    memcmp(head + layout->stack_info, again + layout->stack_info,
			   sizeof(uint64_t)) == 0;
	return same ? SCRIPT_SNAPSHOT : SCRIPT_TORN;
}

static enum script_state perl_read_stack(struct script_process *process,
					 const struct script_thread *thread,
					 struct script_stack *stack) {
	enum { TRIES = 3 };
	uint64_t interpreter = perl_interpreter(process, thread);
	enum script_state state = interpreter != 0 ? SCRIPT_TORN : SCRIPT_NONE;
	for (int i = 0; i < TRIES && state == SCRIPT_TORN; i++) {
		stack->n = 0;
		state = perl_walk(process, interpreter, stack);
	}
	return state == SCRIPT_SNAPSHOT && stack->n == 0 ? SCRIPT_NONE : state;
}

const struct script_language language_perl = {
	.name = "perl",
	.title = "Perl",
	.files = perl_files,
	.globals = perl_globals,
	.loops = perl_loops,
	.glue = perl_glue,
	.members = perl_members,
	.open = perl_open,
	.read = perl_read_stack,
	.close = perl_close,
};
