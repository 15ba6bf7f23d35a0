/* Read the machine code of a function as instructions. */
#include "symbols/code.h"

#include <stdlib.h>

#include "base/process.h"
#include "symbols/capstone.h"
#include "symbols/object.h"

enum { FUNCTION_MOST = 1 << 20 }; // largest number of bytes of machine code

/** A function of an object that is being disassembled. */
struct code_work {
	struct disassembled *code;
	uint64_t shift; // difference between linked addresses and the object's addresses
};

static void code_add(struct code_work *work, uint64_t linked, struct str text) {
	struct disassembled *code = work->code;
	*MEM_APPEND(code->lines, code->n, code->capacity) = (struct code_line){
		.address = linked - work->shift,
		.linked = linked,
		.text = {arena_copy(&code->texts, text.p, text.n), text.n},
	};
}

static void code_take(void *context, uint64_t linked, struct str name, struct str operands) {
	struct buf text = {0};
	buf_add_str(&text, name);
	buf_add_text(&text, operands.n > 0 ? " " : "");
	buf_add_str(&text, operands);
	code_add(context, linked, buf_str(&text));
	buf_release(&text);
}

static void code_read_bytes(struct buf *bytes, struct symbols *symbols, struct object *object,
			    uint64_t start, size_t size) {
	while (bytes->n < size) {
		size_t n = object_read(symbols, object, start + bytes->n,
				       buf_room(bytes, size - bytes->n), size - bytes->n);
		bytes->n += n;
		if (n == 0) {
			return;
		}
	}
}

/* --- objdump -------------------------------------------------------------------------------- */

/** Read a line of objdump: an address, a colon, and after a tab the instruction. */
static void code_take_line(struct code_work *work, struct str line) {
	struct str rest = str_trim_start(line);
	size_t colon = str_find(rest, ':');
	uint64_t address = 0;
	if (colon == STR_NONE || colon == 0 || colon + 1 >= rest.n || rest.p[colon + 1] != '\t' ||
	    !str_all_hex(str_to(rest, colon)) || colon > 16) {
		return;
	}
	for (size_t i = 0; i < colon; i++) {
		char c = rest.p[i];
		address = address << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	code_add(work, address, str_trim(str_from(rest, colon + 1)));
}

/** Run objdump. Return whether there were instructions. */
static bool code_run_objdump(struct code_work *work, const char *path, uint64_t start, uint64_t end,
			     struct diag *diag) {
	struct buf from = {0}, to = {0}, output = {0}, program = {0};
	struct words words = {0};
	struct process process = {0};
	if (process_find("objdump", &program)) {
		buf_printf(&from, "--start-address=0x%llx", (unsigned long long)start);
		buf_printf(&to, "--stop-address=0x%llx", (unsigned long long)end);
		words_add_all(&words, "objdump", "-d", "--no-show-raw-insn", buf_text(&from),
			      buf_text(&to), "--", path, NULL);
		if (process_start(&process, words.items, PROCESS_TAKE, diag) == 0) {
			(void)process_exchange(&process, STR(""), &output);
		}
		(void)process_wait(&process);
	}
	struct lines lines = {.rest = buf_str(&output)};
	for (struct str line; lines_next(&lines, &line);) {
		code_take_line(work, line);
	}
	words_release(&words);
	buf_release(&from);
	buf_release(&to);
	buf_release(&output);
	buf_release(&program);
	return work->code->n > 0;
}

/* --- Functions ------------------------------------------------------------------------------ */

/** Fill in the source lines of the instructions. */
static void code_find_lines(struct disassembled *code, struct symbols *symbols,
			    struct object *object) {
	struct buf path = {0};
	for (size_t i = 0; i < code->n; i++) {
		const struct symbol *found;
		if (symbols_at(symbols, object, code->lines[i].address, false, &found) > 0) {
			buf_clear(&path);
			symbol_add_source(&path, &found[0]);
			code->lines[i].file =
				(struct str){arena_copy(&code->texts, path.p, path.n), path.n};
			code->lines[i].line = found[0].line;
		}
	}
	buf_release(&path);
}

/** Disassemble from one linked address to another. */
static const char *code_disassemble(struct code_work *work, struct symbols *symbols,
				    struct object *object, uint64_t from, uint64_t to,
				    struct diag *diag) {
	const struct file *file = object->mapped;
	struct buf bytes = {0};
	code_read_bytes(&bytes, symbols, object, from - work->shift, (size_t)(to - from));
	bool done = capstone_read(buf_str(&bytes), from, file->elf.machine, file->elf.wide,
				  code_take, work) ||
		    code_run_objdump(work, file->path, from, to, diag);
	buf_release(&bytes);
	return done ? NULL
		    : "there is neither the library libcapstone nor the program objdump, which "
		      "disassemble; install libcapstone4 or binutils";
}

const char *code_read(struct disassembled *code, struct symbols *symbols, struct object *object,
		      uint64_t address, struct diag *diag) {
	const struct symbol *found;
	size_t n = symbols_at(symbols, object, address, false, &found);
	if (object_kind(object) != OBJECT_ELF && object_kind(object) != OBJECT_VDSO) {
		return "only the machine code of programs and libraries is in files";
	}
	if (n == 0 || object_mapped(symbols, object) == NULL) {
		return object_state(object) == OBJECT_REPLACED
			       ? "the file was replaced since it was recorded"
			       : "its file is not here, or has no symbols";
	}
	uint64_t linked = 0;
	(void)elf_address(&object->mapped->elf, address, &linked);
	const struct table_entry *entry = table_find(&object->table, linked);
	if (entry == NULL || entry->end - entry->start > FUNCTION_MOST) {
		return entry == NULL ? "its end is not known" : "it is too large";
	}
	struct code_work work = {.code = code, .shift = linked - address};
	code->function = found[n - 1].name;
	const char *why = code_disassemble(&work, symbols, object, entry->start, entry->end, diag);
	code_find_lines(code, symbols, object);
	return why;
}

void code_release(struct disassembled *code) {
	free(code->lines);
	arena_release(&code->texts);
	*code = (struct disassembled){0};
}
