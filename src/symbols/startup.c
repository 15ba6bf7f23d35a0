/* Recognise the start functions of glibc in machine code of x86_64. */
#include "symbols/startup.h"

#include "symbols/cfi.h"

/** A file in which start functions are searched. */
struct code {
	const struct elf *elf;
	struct cfi_section frames;
	struct table *table;
	size_t left; // number of bytes of instructions that may still be read
};

/** A function: its address and its instructions. */
struct startup_function {
	uint64_t start;
	struct str bytes;
};

/* --- Functions ------------------------------------------------------------------------------ */

/** The largest number of bytes of instructions to read. Real files need a hundredth of this number.
 * A crafted file could otherwise take long. */
enum { READ_MOST = 4 << 20 };

/** Find the function that contains an address. The function must have call frame information. */
static bool startup_function_with(struct code *code, uint64_t address,
				  struct startup_function *function) {
	uint64_t end;
	if (!cfi_find_range(&code->frames, address, &function->start, &end)) {
		return false;
	}
	uint64_t size = end - function->start;
	if (size > code->left) {
		return false;
	}
	function->bytes = elf_bytes_at(code->elf, function->start, size);
	if (function->bytes.n < size) {
		return false;
	}
	code->left -= (size_t)size;
	return true;
}

/** Find the function that starts at an address. */
static bool startup_function_at(struct code *code, uint64_t address,
				struct startup_function *function) {
	return startup_function_with(code, address, function) && function->start == address;
}

/** Find the function of an exported symbol. */
static bool startup_exported(struct code *code, struct str name,
			     struct startup_function *function) {
	const struct table_entry *entry = table_named(code->table, name);
	return entry != NULL && startup_function_at(code, entry->start, function);
}

static void startup_add_entry(struct code *code, const char *name, uint64_t start, uint64_t end) {
	table_add(code->table,
		  (struct table_entry){
			  .start = start, .end = end, .name = name, .rank = TABLE_LOCAL});
}

static void startup_add_function(struct code *code, const char *name,
				 const struct startup_function *function) {
	startup_add_entry(code, name, function->start, function->start + function->bytes.n);
}

/* --- Instructions --------------------------------------------------------------------------- */

/** Return whether a function has these bytes at an offset. */
static bool startup_is_at(struct str bytes, size_t at, struct str wanted) {
	return at <= bytes.n && str_starts(str_from(bytes, at), wanted);
}

/** Return the address that the last 4 bytes of an instruction give, relative to the next
 * instruction. `end` is the end of the instruction. */
static uint64_t startup_relative(const struct startup_function *function, size_t end) {
	int32_t distance = (int32_t)load_u32(function->bytes.p + end - sizeof(distance));
	return function->start + end + (uint64_t)(int64_t)distance;
}

enum { CALL_SIZE = 5, LEA_SIZE = 7 };

/** Find the next direct call at `*at` or after it, and move `*at` after the first byte of the call.
 * Other bytes may look like a call, but their targets are not wanted functions, so the caller of
 * this function ignores them. */
static bool startup_next_call(const struct startup_function *function, size_t *at,
			      uint64_t *target) {
	for (; *at + CALL_SIZE <= function->bytes.n; (*at)++) {
		if (function->bytes.p[*at] == '\xe8') {
			*target = startup_relative(function, *at + CALL_SIZE);
			*at += 1;
			return true;
		}
	}
	return false;
}

/** Find the next `lea target(%rip), register` as startup_next_call() finds a call. */
static bool startup_next_lea(const struct startup_function *function, size_t *at,
			     uint64_t *target) {
	for (; *at + LEA_SIZE <= function->bytes.n; (*at)++) {
		const unsigned char *p = (const unsigned char *)function->bytes.p + *at;
		if ((p[0] == 0x48 || p[0] == 0x4c) && p[1] == 0x8d && (p[2] & 0xc7) == 0x05) {
			*target = startup_relative(function, *at + LEA_SIZE);
			*at += 1;
			return true;
		}
	}
	return false;
}

/** Return whether a function directly calls the function at the address `wanted`. */
static bool startup_calls(const struct startup_function *function, uint64_t wanted) {
	uint64_t target;
	for (size_t at = 0; startup_next_call(function, &at, &target);) {
		if (target == wanted) {
			return true;
		}
	}
	return false;
}

/* --- The C library -------------------------------------------------------------------------- */

/** Two functions that every start function of the C library calls: `setjmp` to return from a
 * cancelled thread, and `exit` to end the process. */
struct landmarks {
	uint64_t setjmp, exit;
};

/** A search for one function. */
struct startup_search {
	struct startup_function function;
	size_t found; // number of different functions that were found
};

/** If the function at an address is a start function, note it as found. */
static void startup_consider(struct code *code, const struct landmarks *landmarks, uint64_t address,
			     struct startup_search *search) {
	struct startup_function function;
	if (!startup_function_at(code, address, &function) ||
	    !startup_calls(&function, landmarks->setjmp) ||
	    !startup_calls(&function, landmarks->exit)) {
		return;
	}
	search->found += search->found == 0 || search->function.start != function.start;
	search->function = function;
}

/** Name the function that __libc_start_main calls and that calls main. */
static void startup_add_call_main(struct code *code, const struct landmarks *landmarks) {
	struct startup_function caller;
	struct startup_search search = {.found = 0};
	uint64_t target;
	if (!startup_exported(code, STR("__libc_start_main"), &caller)) {
		return;
	}
	for (size_t at = 0; startup_next_call(&caller, &at, &target);) {
		startup_consider(code, landmarks, target, &search);
	}
	if (search.found == 1) {
		startup_add_function(code, "__libc_start_call_main", &search.function);
	}
}

/** Pass to startup_consider() each function whose address another function takes. */
static void startup_consider_taken(struct code *code, const struct landmarks *landmarks,
				   const struct startup_function *function,
				   struct startup_search *search) {
	uint64_t target;
	for (size_t at = 0; startup_next_lea(function, &at, &target);) {
		startup_consider(code, landmarks, target, search);
	}
}

/** Name the function in which threads start. pthread_create, or a function that pthread_create
 * calls, takes its address. */
static void startup_add_start_thread(struct code *code, const struct landmarks *landmarks) {
	struct startup_function creator, helper;
	struct startup_search search = {.found = 0};
	uint64_t target;
	if (!startup_exported(code, STR("pthread_create"), &creator)) {
		return;
	}
	startup_consider_taken(code, landmarks, &creator, &search);
	for (size_t at = 0; startup_next_call(&creator, &at, &target);) {
		if (startup_function_at(code, target, &helper)) {
			startup_consider_taken(code, landmarks, &helper, &search);
		}
	}
	if (search.found == 1) {
		startup_add_function(code, "start_thread", &search.function);
	}
}

/** Find the part of clone3 that runs in the new thread. This part of clone3 has its own call frame
 * information, calls a function whose address is in a register, and then ends the thread. */
static bool startup_find_child(struct code *code, uint64_t address,
			       struct startup_function *child) {
	enum { NEAR = 32 };
	static const struct str call = STR_INIT("\xff\xd2"), // call *%rdx
		end = STR_INIT("\xb8\x3c\0\0\0\x0f\x05");    // mov $SYS_exit, %eax; syscall
	for (uint64_t at = address; at < address + NEAR; at++) {
		if (startup_function_at(code, at, child)) {
			return str_find_str(child->bytes, call) != STR_NONE &&
			       str_ends(child->bytes, end);
		}
	}
	return false;
}

/** Name the function that makes the system call clone3. */
static void startup_add_clone3(struct code *code) {
	static const struct str syscall = STR_INIT("\xb8\xb3\x01\0\0\x0f\x05");
	const struct elf_section *text = elf_section(code->elf, STR(".text"));
	struct str bytes = elf_data(code->elf, text);
	size_t at = str_find_str(bytes, syscall);
	struct startup_function function, child;
	if (at == STR_NONE || !startup_function_with(code, text->address + at, &function) ||
	    !startup_find_child(code, text->address + at + syscall.n, &child)) {
		return;
	}
	startup_add_entry(code, "clone3", function.start, child.start + child.bytes.n);
}

static void startup_add_library(struct code *code) {
	const struct table_entry *setjmp = table_named(code->table, STR("_setjmp"));
	const struct table_entry *exit = table_named(code->table, STR("exit"));
	if (setjmp != NULL && exit != NULL) {
		const struct landmarks landmarks = {setjmp->start, exit->start};
		startup_add_call_main(code, &landmarks);
		startup_add_start_thread(code, &landmarks);
		startup_add_clone3(code);
	}
}

/* --- The dynamic linker --------------------------------------------------------------------- */

/** Name the code at the entry of the dynamic linker, which has no call frame information. */
static void startup_add_linker(struct code *code) {
	enum { START_SIZE = 8, MOST = 0x80 };
	static const struct str start = STR_INIT("\x48\x89\xe7\xe8"), // mov %rsp, %rdi; call
		user = STR_INIT("\x49\x89\xc4"),                      // mov %rax, %r12
		end = STR_INIT("\x4c\x89\xec\x41\xff\xe4");           // mov %r13, %rsp; jmp *%r12
	uint64_t entry = code->elf->entry, target;
	struct startup_function code_at = {entry, elf_bytes_at(code->elf, entry, MOST)};
	struct startup_function function;
	size_t jump = str_find_str(code_at.bytes, end);
	if (jump == STR_NONE || !startup_is_at(code_at.bytes, 0, start) ||
	    !startup_is_at(code_at.bytes, START_SIZE, user) ||
	    !startup_function_at(code, startup_relative(&code_at, START_SIZE), &function)) {
		return;
	}
	code_at.bytes.n = jump + end.n;
	startup_add_entry(code, "_start", entry, entry + START_SIZE);
	startup_add_entry(code, "_dl_start_user", entry + START_SIZE, entry + code_at.bytes.n);
	startup_add_function(code, "_dl_start", &function);
	size_t found = 0;
	for (size_t at = START_SIZE; startup_next_call(&code_at, &at, &target);) {
		found += startup_function_at(code, target, &function);
	}
	if (found == 1) {
		startup_add_function(code, "_dl_init", &function);
	}
}

/* --- Programs ------------------------------------------------------------------------------- */

/** Return whether the dynamic linker puts the address of a symbol into a memory cell. */
static bool startup_is_cell_of(const struct elf *elf, uint64_t cell, struct str name) {
	const struct elf_section *dynamic = elf_section_of_type(elf, SHT_DYNSYM);
	const struct elf_section *table = elf_section(elf, STR(".rela.dyn"));
	struct str symbols = elf_data(elf, dynamic);
	if (symbols.n == 0 || dynamic->link >= elf->section_count) {
		return false;
	}
	struct str names = elf_data(elf, &elf->sections[dynamic->link]);
	size_t n = elf_relocation_count(elf, table);
	for (size_t i = 0; i < n; i++) {
		struct elf_relocation relocation = elf_relocation(elf, table, i);
		if (relocation.offset == cell && relocation.symbol != 0 &&
		    relocation.symbol < elf_symbol_count(elf, dynamic)) {
			uint32_t text = elf_symbol(elf, symbols, relocation.symbol).name;
			return str_eq(elf_text(names, text), name);
		}
	}
	return false;
}

/** Find `main`, which the instruction that ends at `end` loads as the first argument. */
static bool startup_find_main(struct code *code, const struct startup_function *start, size_t end,
			      struct startup_function *function) {
	size_t at = end - LEA_SIZE;
	uint64_t address = 0;
	if (startup_is_at(start->bytes, at, STR("\x48\x8d\x3d"))) { // lea main(%rip), %rdi
		address = startup_relative(start, end);
	} else if (startup_is_at(start->bytes, at, STR("\x48\xc7\xc7"))) { // mov $main, %rdi
		address = load_u32(start->bytes.p + end - sizeof(uint32_t));
	}
	return address != 0 && startup_function_at(code, address, function);
}

/** If the code at the entry of a program calls __libc_start_main, name this code and `main`. */
static void startup_add_program(struct code *code) {
	enum { SIZE = 6, MOST = 0x100 };
	static const struct str call = STR_INIT("\xff\x15"); // call *cell(%rip)
	struct startup_function start, function;
	if (!startup_function_at(code, code->elf->entry, &start) || start.bytes.n > MOST) {
		return;
	}
	for (size_t at = LEA_SIZE; at + SIZE <= start.bytes.n; at++) {
		if (startup_is_at(start.bytes, at, call) &&
		    startup_is_cell_of(code->elf, startup_relative(&start, at + SIZE),
				       STR("__libc_start_main"))) {
			startup_add_function(code, "_start", &start);
			if (startup_find_main(code, &start, at, &function)) {
				startup_add_function(code, "main", &function);
			}
			return;
		}
	}
}

static bool startup_has_segment(const struct elf *elf, uint32_t type) {
	for (size_t i = 0; i < elf->segment_count; i++) {
		if (elf->segments[i].type == type) {
			return true;
		}
	}
	return false;
}

void startup_add(const struct elf *elf, struct table *table) {
	struct code code = {.elf = elf, .table = table, .left = READ_MOST};
	if (!elf->wide || !is_little_endian(elf->swapped) || elf->machine != EM_X86_64 ||
	    !cfi_section_eh_frame(&code.frames, elf)) {
		return;
	}
	// Test this first: the C library can be run as a program, so it has an interpreter, too.
	if (table_named(table, STR("__libc_start_main")) != NULL) {
		startup_add_library(&code);
	} else if (startup_has_segment(elf, PT_INTERP)) {
		startup_add_program(&code);
	} else if (table_named(table, STR("_r_debug")) != NULL &&
		   table_named(table, STR("__tls_get_addr")) != NULL) {
		startup_add_linker(&code);
	}
	cfi_section_release(&code.frames);
}
