/* The unwinder: this program's own stack, expressions, and stacks with wrong values. */
#include "test.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/cfi.h"

enum { MOST = 64, STACK = 32 << 10 };

/* --- This program --------------------------------------------------------------------------- */

struct test_unwind_mapping {
	uint64_t start, end, offset;
	struct object *object;
};

static struct symbols *symbols;
static struct test_unwind_mapping mappings[256];
static size_t mapping_count;
static uint64_t stack_end;

/** Read the mappings of this program. */
static void test_unwind_read_mappings(void) {
	FILE *file = fopen("/proc/self/maps", "re");
	assert_non_null(file);
	char line[1024], path[512], access[8];
	unsigned long long start, end, offset;
	while (fgets(line, sizeof(line), file) != NULL && mapping_count < 256) {
		path[0] = '\0';
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511[^\n]", &start, &end, access,
			   &offset, path) < 4) {
			continue;
		}
		stack_end = strcmp(path, "[stack]") == 0 ? end : stack_end;
		if (access[2] != 'x') {
			continue;
		}
		struct object_file wanted = {.kind = object_kind_of(str_of(path)),
					     .path = str_of(path)};
		mappings[mapping_count++] = (struct test_unwind_mapping){
			start, end, offset, symbols_object(symbols, &wanted)};
	}
	fclose(file);
}

static struct object *test_unwind_find(void *context, uint64_t address, uint64_t *file_address) {
	(void)context;
	for (size_t i = 0; i < mapping_count; i++) {
		const struct test_unwind_mapping *mapping = &mappings[i];
		if (address >= mapping->start && address < mapping->end) {
			*file_address = address - mapping->start + mapping->offset;
			return mapping->object;
		}
	}
	return NULL;
}

/** A stack, and the callers that the C library finds in it. */
struct recorded {
	struct unwind_stack stack;
	char bytes[STACK];
	void *expected[MOST];
	int count;
};

static struct recorded recorded;

/** Copy the registers and the stack of the caller. */
static __attribute__((noinline, no_sanitize("address"))) void test_unwind_record(void) {
#ifdef __x86_64__
	uint64_t *registers = recorded.stack.registers;
	// Use a single asm statement: between two statements, the compiler may change registers
	// that the second statement saves.
	__asm__ volatile("mov %%rbx, 24(%0)\n mov %%rbp, 48(%0)\n mov %%rsp, 56(%0)\n"
			 "mov %%r12, 96(%0)\n mov %%r13, 104(%0)\n mov %%r14, 112(%0)\n"
			 "mov %%r15, 120(%0)\n lea 0(%%rip), %%rax\n mov %%rax, 128(%0)"
			 :
			 : "D"(registers)
			 : "rax", "memory");
	uint64_t stack = registers[UNWIND_RSP];
	recorded.stack.known = 0x1f0c8;
	recorded.stack.find = test_unwind_find;
	const char *from = (const char *)stack;
	size_t size = stack_end - stack < STACK ? (size_t)(stack_end - stack) : STACK;
	// Do not call memcpy(): its frame would be below the recorded bytes.
	for (size_t i = 0; i < size; i++) {
		((volatile char *)recorded.bytes)[i] = from[i];
	}
	recorded.stack.bytes = (struct str){recorded.bytes, size};
	recorded.count = backtrace(recorded.expected, MOST);
#endif
}

static __attribute__((noinline)) int test_unwind_nested(int depth) {
	volatile char room[200] = {0};
	if (depth == 0) {
		test_unwind_record();
		return room[0];
	}
	return test_unwind_nested(depth - 1) + room[1];
}

static int test_unwind_compare_numbers(const void *a, const void *b) {
	if (recorded.count == 0) {
		(void)test_unwind_nested(3);
	}
	return *(const int *)a - *(const int *)b;
}

static void test_unwind_on_signal(int number) {
	(void)number;
	(void)test_unwind_nested(2);
}

/** Return whether test_unwind_record() knows the registers of this processor. */
static bool test_unwind_can_record(void) {
#ifdef __x86_64__
	return true;
#else
	return false;
#endif
}

/** Unwind the recorded stack and compare it with the frames that the C library found. */
static void test_unwind_check_recorded(void) {
	uint64_t addresses[MOST];
	enum unwind_end end;
	struct unwinder *unwinder = unwinder_new(symbols);
	size_t n = unwind(unwinder, &recorded.stack, addresses, MOST, &end);
	assert_int_equal(end, UNWIND_START);
	// Sanitizers wrap backtrace(), which adds a frame.
	size_t more = (size_t)recorded.count - n;
	assert_true(more <= 1);
	// Skip the innermost frame: this function has continued since the recording.
	for (size_t i = 1; i < n; i++) {
		uint64_t expected = (uint64_t)(uintptr_t)recorded.expected[i + more];
		assert_true(addresses[i] == expected || addresses[i] + 1 == expected);
	}
	// Unwinding the same stack again uses the caches.
	uint64_t again[MOST];
	assert_int_equal(unwind(unwinder, &recorded.stack, again, MOST, &end), n);
	assert_memory_equal(addresses, again, n * sizeof(*again));
	assert_int_equal(unwind(unwinder, &recorded.stack, again, 2, &end), 2);
	assert_int_equal(end, UNWIND_FULL);
	// Any shorter copy of the stack must give the first frames of it.
	for (size_t size = 0; size < 4096; size += 40) {
		recorded.stack.bytes.n = size;
		size_t shorter = unwind(unwinder, &recorded.stack, again, MOST, &end);
		assert_true(shorter >= 1 && shorter <= n);
		assert_memory_equal(addresses, again, shorter * sizeof(*again));
		assert_int_equal(end, shorter == n ? UNWIND_START : UNWIND_CUT);
	}
	unwinder_free(unwinder);
}

static void test_unwind_own_stack(void **state) {
	(void)state;
	if (!test_unwind_can_record()) {
		return;
	}
	recorded.count = 0;
	(void)test_unwind_nested(5);
	test_unwind_check_recorded();
}

/** Unwind through a function of the C library. */
static void test_unwind_own_callback(void **state) {
	(void)state;
	if (!test_unwind_can_record()) {
		return;
	}
	int numbers[] = {3, 1, 2};
	recorded.count = 0;
	qsort(numbers, 3, sizeof(numbers[0]), test_unwind_compare_numbers);
	test_unwind_check_recorded();
}

/** Unwind through the frame of a signal handler, whose registers are found by expressions. */
static void test_unwind_own_signal(void **state) {
	(void)state;
	if (!test_unwind_can_record()) {
		return;
	}
	signal(SIGUSR1, test_unwind_on_signal);
	recorded.count = 0;
	raise(SIGUSR1);
	test_unwind_check_recorded();
}

/** Unwinding random stacks must end, and must not return unmapped addresses. */
static void test_unwind_lies(void **state) {
	(void)state;
	if (!test_unwind_can_record()) {
		return;
	}
	struct random random = {11};
	struct unwinder *unwinder = unwinder_new(symbols);
	for (size_t round = 0; round < 3000; round++) {
		uint64_t words[128], addresses[MOST];
		struct unwind_stack stack = {.known = 0x1ffff, .find = test_unwind_find};
		uint64_t base = 0x7ffc00000000;
		for (size_t i = 0; i < 128; i++) {
			const struct test_unwind_mapping *mapping =
				&mappings[random_below(&random, mapping_count)];
			words[i] =
				random_below(&random, 2) == 0
					? base + 8 * random_below(&random, 140)
					: mapping->start +
						  random_below(&random, (size_t)(mapping->end -
										 mapping->start));
		}
		for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
			stack.registers[i] = words[random_below(&random, 128)];
		}
		stack.registers[UNWIND_RSP] = base;
		stack.bytes = (struct str){(const char *)words, sizeof(words)};
		enum unwind_end end;
		size_t n = unwind(unwinder, &stack, addresses, MOST, &end);
		assert_true(n >= 1 && n <= MOST);
		uint64_t offset;
		for (size_t i = 1; i < n; i++) {
			assert_non_null(test_unwind_find(NULL, addresses[i], &offset));
		}
	}
	unwinder_free(unwinder);
}

static void test_unwind_registers(void **state) {
	(void)state;
	struct unwind_stack stack = {.known = 0};
	const uint64_t values[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				   11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
	assert_true(unwind_registers(&stack, 0xff0fff, values, 20));
	assert_int_equal(stack.registers[UNWIND_RAX], 1);
	assert_int_equal(stack.registers[UNWIND_RBX], 2);
	assert_int_equal(stack.registers[UNWIND_RSP], 8);
	assert_int_equal(stack.registers[UNWIND_RIP], 9);
	assert_int_equal(stack.registers[UNWIND_R8], 13);
	assert_int_equal(stack.registers[UNWIND_R15], 20);
	assert_int_equal(stack.known, 0x1ffff);
	assert_false(unwind_registers(&stack, 0xff0fff, values, 7));
	assert_false(unwind_registers(&stack, 1, values, 1));
}

/* --- Expressions ---------------------------------------------------------------------------- */

static bool test_unwind_no_memory(void *context, uint64_t address, size_t size, uint64_t *value) {
	(void)context;
	*value = address + 1;
	return size == 8 && address != 0;
}

static void test_unwind_expressions(void **state) {
	(void)state;
	static const struct {
		const char *block; // its length comes first
		uint64_t result;   // 0: it is broken
	} cases[] = {
		// The expression of PLT stubs: rsp + 8 + ((rip & 15) >= 11) * 8
		{"\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", 7008 + 8},
		{"\x02\x77\x10", 7016},           // breg7 16
		{"\x03\x77\x10\x06", 7017},       // deref
		{"\x02\x35\x1f", UINT64_MAX - 4}, // -5
		{"\x03\x38\x32\x1b", 4},          // 8 / 2
		{"\x03\x38\x30\x1b", 0},          // 8 / 0
		{"\x04\x31\x32\x33\x17", 2},      // rot
		{"\x01\x06", 0},                  // nothing to dereference
		{"\x01\x22", 0},                  // nothing to add
		{"\x03\x2f\xfd\xff", 0},          // for ever
		{"\x03\x2f\xf0\xff", 0},          // out of the block
		{"\x02\x08\x7f", 127},
		{"\x02\x09\xff", UINT64_MAX},
		{"\x01\xff", 0},
		{"\x00", 0},
		{"\x02\x08", 0}, // cut
	};
	uint64_t values[UNWIND_REGISTERS];
	for (size_t i = 0; i < UNWIND_REGISTERS; i++) {
		values[i] = i * 1000;
	}
	values[UNWIND_RIP] = 0x401fff;
	const struct cfi_state at = {values, 0x1ffff, 0, test_unwind_no_memory, NULL};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t result = 0;
		bool good = cfi_evaluate(cases[i].block, &at, NULL, &result);
		assert_int_equal(good ? result : 0, cases[i].result);
	}
}

/* --- Rows ----------------------------------------------------------------------------------- */

/** Add a number with its lowest byte first, as these processors do. */
static void test_unwind_add_little(struct buf *bytes, uint64_t value, size_t size) {
	for (size_t i = 0; i < size; i++) {
		buf_add_char(bytes, (char)(value >> 8 * i));
	}
}

/** Store words with their lowest bytes first. Return their bytes. */
static struct str test_unwind_stack_of(uint64_t *words, size_t n) {
	for (size_t i = 0; i < n; i++) {
		words[i] = load_u64((const char *)&words[i]);
	}
	return (struct str){(const char *)words, n * sizeof(*words)};
}

/** A section with one function, 0x1000 to 0x1100, and these instructions. */
static void test_unwind_make_section(struct buf *bytes, const char *common, size_t common_size,
				     const char *own, size_t own_size) {
	static const char head[] = "\xff\xff\xff\xff\x01\0\x01\x78\x10"; // version 1, factors, rip
	test_unwind_add_little(bytes, sizeof(head) - 1 + common_size, 4);
	buf_add(bytes, head, sizeof(head) - 1);
	buf_add(bytes, common, common_size);
	test_unwind_add_little(bytes, 4 + 16 + own_size, 4);
	test_unwind_add_little(bytes, 0, 4); // where the common entry is
	test_unwind_add_little(bytes, 0x1000, 8);
	test_unwind_add_little(bytes, 0x100, 8);
	buf_add(bytes, own, own_size);
}

#define SECTION(bytes, common, own) \
	test_unwind_make_section(bytes, common, sizeof(common) - 1, own, sizeof(own) - 1)

static void test_unwind_rows(void **state) {
	(void)state;
	struct buf bytes = {0};
	// CFA = rsp + 8, rip at CFA - 8; then push rbp, mov rsp to rbp, leave.
	SECTION(&bytes, "\x0c\x07\x08\x90\x01",
		"\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x80\x0c\x07\x08\xc6");
	struct cfi_section section = {.bytes = buf_str(&bytes), .debug = true};
	static const struct {
		uint64_t address;
		uint8_t cfa_register;
		int64_t cfa;
		bool frame; // rbp is saved
	} cases[] = {
		{0x1000, UNWIND_RSP, 8, false}, {0x1001, UNWIND_RSP, 16, true},
		{0x1004, UNWIND_RBP, 16, true}, {0x1083, UNWIND_RBP, 16, true},
		{0x1084, UNWIND_RSP, 8, false}, {0x10ff, UNWIND_RSP, 8, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cfi_row row = {0};
		assert_true(cfi_find_row(&section, cases[i].address, &row));
		assert_int_equal(row.cfa_register, cases[i].cfa_register);
		assert_int_equal(row.cfa_value, cases[i].cfa);
		assert_int_equal(row.rules[UNWIND_RIP], CFI_OFFSET);
		assert_int_equal(row.values[UNWIND_RIP], -8);
		assert_int_equal(row.rules[UNWIND_RBP], cases[i].frame ? CFI_OFFSET : CFI_SAME);
	}
	struct cfi_row row = {0};
	assert_false(cfi_find_row(&section, 0xfff, &row));
	assert_false(cfi_find_row(&section, 0x1100, &row));
	cfi_section_release(&section);
	buf_release(&bytes);
}

/** Invalid instructions give no row. */
static void test_unwind_broken_rows(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{"", 0},                     // no rule for the CFA
		{"\x0e\x20", 2},             // an offset without a register
		{"\x0c\x40\x08", 3},         // a register that there is not
		{"\x0b", 1},                 // restores a state that was not remembered
		{"\x0f\x7f\x06", 3},         // an expression past the end
		{"\x0f\x01\x96\x0e\x08", 5}, // an offset after an expression
		{"\x0c\x07", 2},             // cut off
		{"\x3f", 1},                 // unknown
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf bytes = {0};
		test_unwind_make_section(&bytes, cases[i].text, cases[i].n, "", 0);
		struct cfi_section section = {.bytes = buf_str(&bytes), .debug = true};
		struct cfi_row row = {0};
		assert_false(cfi_find_row(&section, 0x1000, &row));
		cfi_section_release(&section);
		buf_release(&bytes);
	}
}

/* --- Code made by a JIT --------------------------------------------------------------------- */

/** The common entries of code for x86_64, whose CFA is rsp + 8, and for aarch64, whose CFA is sp.
 */
static const struct str common_x86_64 =
	STR_INIT("\0\0\0\0\x01zR\0\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01");
static const struct str common_aarch64 =
	STR_INIT("\0\0\0\0\x01zRB\0\x01\x78\x1e\x01\x1b\x0c\x1f\x00");

/** Make a jitdump with one function, 0x1000 to 0x1013, which adds to a common entry. */
static void test_unwind_make_dump(struct buf *dump, struct str common, struct str own) {
	struct buf frames = {0};
	test_unwind_add_little(&frames, common.n, 4);
	buf_add_str(&frames, common);
	uint64_t length = frames.n;
	test_unwind_add_little(&frames, 13 + own.n, 4);
	test_unwind_add_little(&frames, length + 4, 4);
	// In the call frame information, addresses are relative to 0x1018, the end of the code.
	test_unwind_add_little(&frames, (uint32_t)(0x1000 - (0x1018 + frames.n)), 4);
	test_unwind_add_little(&frames, 0x13, 4);
	test_unwind_add_little(&frames, 0, 1);
	buf_add_str(&frames, own);
	const uint32_t header[10] = {0x4a695444, 1, 40};
	buf_add(dump, header, sizeof(header));
	const uint32_t kind[] = {4, (uint32_t)(16 + 24 + frames.n)};
	buf_add(dump, kind, sizeof(kind));
	const uint64_t unwinding[] = {1, frames.n, 0, frames.n};
	buf_add(dump, unwinding, sizeof(unwinding));
	buf_add_str(dump, buf_str(&frames));
	const uint32_t size[] = {0, 60};
	buf_add(dump, size, sizeof(size));
	const uint64_t load[] = {2, 0, 0x1000, 0x1000, 0x13, 0};
	buf_add(dump, load, sizeof(load));
	buf_add(dump, "jit", 4);
	buf_release(&frames);
}

static struct object *test_unwind_find_jit(void *context, uint64_t address,
					   uint64_t *file_address) {
	*file_address = address;
	return address >= 0x1000 && address < 0x2000 ? context : NULL;
}

/** Write a jitdump with one function into a file, and open it. */
static struct object *test_unwind_open_dump(struct str common, struct str own, char *path) {
	struct buf dump = {0};
	test_unwind_make_dump(&dump, common, own);
	int fd = mkstemp(path);
	assert_int_equal(write(fd, dump.p, dump.n), dump.n);
	close(fd);
	buf_release(&dump);
	struct object_file file = {.kind = OBJECT_JITDUMP, .path = str_of(path)};
	return symbols_object(symbols, &file);
}

static void test_unwind_jit_frames(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-unwind-XXXXXX";
	struct object *object = test_unwind_open_dump(common_x86_64, str_of("\x0e\x28"), path);
	uint64_t words[] = {1, 2, 3, 4, 0x1009, 0}, addresses[MOST];
	struct unwind_stack stack = {
		.known = 0x10080, .find = test_unwind_find_jit, .context = object};
	stack.registers[UNWIND_RSP] = 0x7000;
	stack.registers[UNWIND_RIP] = 0x1004;
	stack.bytes = test_unwind_stack_of(words, sizeof(words) / sizeof(*words));
	struct unwinder *unwinder = unwinder_new(symbols);
	enum unwind_end end;
	assert_int_equal(unwind(unwinder, &stack, addresses, MOST, &end), 2);
	assert_int_equal(addresses[1], 0x1008);
	assert_int_equal(end, UNWIND_CUT);
	const struct symbol *frames;
	assert_int_equal(symbols_at(symbols, object, 0x1004, false, &frames), 1);
	assert_str(frames[0].name, "jit");
	unwinder_free(unwinder);
	unlink(path);
}

struct two_objects {
	struct object *compiled, *made;
};

static struct object *test_unwind_find_made(void *context, uint64_t address,
					    uint64_t *file_address) {
	const struct two_objects *both = context;
	*file_address = address;
	return address >= 0x1000 && address < 0x2000   ? both->compiled
	       : address >= 0x5000 && address < 0x6000 ? both->made
						       : NULL;
}

/** Generated code may keep a word or a frame pointer below its return address. If the frame pointer
 * points to a frame outside the copy, a return address below it is not a caller. */
static void test_unwind_made_code(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-unwind-XXXXXX";
	const struct object_file file = {.kind = OBJECT_JIT, .pid = (uint32_t)getpid()};
	struct two_objects both = {test_unwind_open_dump(common_x86_64, STR(""), path),
				   symbols_object(symbols, &file)};
	uint64_t words[] = {0x5009, 1, 0x5005, 2}, addresses[MOST];
	struct unwind_stack stack = {
		.known = 0x100c0, .find = test_unwind_find_made, .context = &both};
	stack.registers[UNWIND_RSP] = 0x7000;
	stack.registers[UNWIND_RIP] = 0x1004;
	stack.bytes = test_unwind_stack_of(words, sizeof(words) / sizeof(*words));
	stack.end = 0x8000;
	struct unwinder *unwinder = unwinder_new(symbols);
	enum unwind_end end;
	stack.registers[UNWIND_RBP] = 0x7100;
	assert_int_equal(unwind(unwinder, &stack, addresses, MOST, &end), 2);
	assert_int_equal(end, UNWIND_CUT);
	stack.registers[UNWIND_RBP] = 0x12345; // not a frame pointer
	assert_int_equal(unwind(unwinder, &stack, addresses, MOST, &end), 3);
	assert_int_equal(addresses[2], 0x5004);
	unwinder_free(unwinder);
	unlink(path);
}

/** A function may take its return address off the stack into a register, as vfork() does. */
static void test_unwind_address_in_register(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-unwind-XXXXXX";
	// From 0x1001 on: CFA is rsp, the return address is in rdi.
	static const char own[] = {0x41, 0x0e, 0, 0x09, 16, 5};
	struct object *object =
		test_unwind_open_dump(common_x86_64, (struct str){own, sizeof(own)}, path);
	struct unwind_stack stack = {
		.known = 0x100a0, .find = test_unwind_find_jit, .context = object};
	stack.registers[UNWIND_RDI] = 0x1001;
	stack.registers[UNWIND_RSP] = 0x7000;
	stack.registers[UNWIND_RIP] = 0x1004;
	uint64_t words[] = {0x1009, 0}, addresses[MOST];
	stack.bytes = test_unwind_stack_of(words, sizeof(words) / sizeof(*words));
	struct unwinder *unwinder = unwinder_new(symbols);
	enum unwind_end end;
	assert_true(unwind(unwinder, &stack, addresses, MOST, &end) >= 3);
	assert_int_equal(addresses[1], 0x1000);
	assert_int_equal(addresses[2], 0x1008);
	// Even if a function seems to be its own caller, unwinding must end.
	stack.registers[UNWIND_RDI] = 0x1004;
	assert_true(unwind(unwinder, &stack, addresses, MOST, &end) <= MOST);
	unwinder_free(unwinder);
	unlink(path);
}

static bool test_unwind_is_data(void *context, uint64_t address) {
	(void)context;
	return address < 0x8000;
}

/**
 * A value may be missing because it is in the part of the stack that was not copied, on another
 * stack, or at an invalid address.
 */
static void test_unwind_missing_values(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-unwind-XXXXXX";
	static const struct {
		uint64_t end;
		uint64_t stack_pointer;
		enum unwind_end expected;
	} cases[] = {
		{0, 0x7000, UNWIND_CUT},        {0x7800, 0x7000, UNWIND_CUT},
		{0x7020, 0x7000, UNWIND_OTHER}, {0x9020, 0x9000, UNWIND_BROKEN},
		{0x10000, 0x9000, UNWIND_CUT},
	};
	struct object *object =
		test_unwind_open_dump(common_x86_64, str_of("\x0e\x28"), path); // CFA: rsp + 40
	struct unwinder *unwinder = unwinder_new(symbols);
	uint64_t words[] = {1, 2}, addresses[MOST];
	const struct str bytes = test_unwind_stack_of(words, 2);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct unwind_stack stack = {.known = 0x10080,
					     .find = test_unwind_find_jit,
					     .is_data = test_unwind_is_data,
					     .context = object,
					     .end = cases[i].end,
					     .bytes = bytes};
		stack.registers[UNWIND_RSP] = cases[i].stack_pointer;
		stack.registers[UNWIND_RIP] = 0x1004;
		enum unwind_end end;
		assert_int_equal(unwind(unwinder, &stack, addresses, MOST, &end), 1);
		assert_int_equal(end, cases[i].expected);
	}
	unwinder_free(unwinder);
	unlink(path);
}

/** Unwind a stack of aarch64, with the program counter at `pc`, `link` in x30, and sp at 0x7000. */
static size_t test_unwind_on_aarch64(struct object *object, uint64_t pc, uint64_t link,
				     struct str bytes, uint64_t *addresses, enum unwind_end *end) {
	enum { REGISTERS = 33, X30 = 30, SP, PC };
	uint64_t values[REGISTERS] = {0};
	struct unwind_stack stack = {.processor = &unwind_aarch64,
				     .find = test_unwind_find_jit,
				     .context = object,
				     .bytes = bytes};
	values[X30] = link;
	values[SP] = 0x7000;
	values[PC] = pc;
	assert_true(unwind_registers(&stack, UINT64_C(0x1ffffffff), values, REGISTERS));
	struct unwinder *unwinder = unwinder_new(symbols);
	size_t found = unwind(unwinder, &stack, addresses, MOST, end);
	unwinder_free(unwinder);
	return found;
}

static void test_unwind_aarch64_frames(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-unwind-XXXXXX";
	// paciasp; stp x29, x30, [sp, -32]!: CFA is sp + 32, x29 at CFA - 32, x30 at CFA - 24.
	static const char own[] = {0x44, 0x2d, 0x44, 0x0e, 0x20, (char)0x9d, 4, (char)0x9e, 3};
	struct object *object =
		test_unwind_open_dump(common_aarch64, (struct str){own, sizeof(own)}, path);
	const uint64_t sign = UINT64_C(0x00a5) << 48;
	uint64_t words[] = {0x7020, sign | 0x100d, 3, 4, 0, 0, 7, 8};
	const struct str stack = test_unwind_stack_of(words, sizeof(words) / sizeof(*words));
	uint64_t addresses[MOST];
	enum unwind_end end;
	assert_int_equal(test_unwind_on_aarch64(object, 0x1010, 0, stack, addresses, &end), 2);
	assert_int_equal(addresses[0], 0x1010);
	assert_int_equal(addresses[1], 0x100c);
	assert_int_equal(end, UNWIND_START);
	// Before the first instruction, the return address is in x30.
	assert_int_equal(test_unwind_on_aarch64(object, 0x1000, 0x100d, stack, addresses, &end), 3);
	assert_int_equal(addresses[1], 0x100c);
	assert_int_equal(addresses[2], 0x100c);
	assert_int_equal(end, UNWIND_START);
	// A function that has called another function cannot have its return address in x30.
	assert_int_equal(test_unwind_on_aarch64(object, 0x1000, 0x1003, stack, addresses, &end), 2);
	assert_int_equal(end, UNWIND_BROKEN);
	// A short copy of the stack may lack saved registers.
	assert_int_equal(
		test_unwind_on_aarch64(object, 0x1010, 0, str_to(stack, 8), addresses, &end), 1);
	assert_int_equal(end, UNWIND_CUT);
	unlink(path);
}

static int test_unwind_set_up(void **state) {
	(void)state;
	static const struct symbols_options options = {.no_inline = true};
	static struct diag diag;
	symbols = symbols_new(&options, &diag);
	(void)signal(SIGUSR1, test_unwind_on_signal);
	(void)backtrace((void *[2]){0}, 2); // loads the libraries that it needs
	test_unwind_read_mappings();
	return 0;
}

static int test_unwind_tear_down(void **state) {
	(void)state;
	symbols_free(symbols);
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unwind_own_stack),
		cmocka_unit_test(test_unwind_own_callback),
		cmocka_unit_test(test_unwind_own_signal),
		cmocka_unit_test(test_unwind_lies),
		cmocka_unit_test(test_unwind_registers),
		cmocka_unit_test(test_unwind_expressions),
		cmocka_unit_test(test_unwind_rows),
		cmocka_unit_test(test_unwind_broken_rows),
		cmocka_unit_test(test_unwind_missing_values),
		cmocka_unit_test(test_unwind_aarch64_frames),
		cmocka_unit_test(test_unwind_jit_frames),
		cmocka_unit_test(test_unwind_made_code),
		cmocka_unit_test(test_unwind_address_in_register),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, test_unwind_set_up, test_unwind_tear_down);
}
