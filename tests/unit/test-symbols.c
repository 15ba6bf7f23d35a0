/* Symbol tables, symbols of the kernel, perf maps, jitdump files, demangling. */
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

#include "symbols/elf_symbols.h"
#include "symbols/jit.h"
#include "symbols/kallsyms.h"
#include "symbols/members.h"
#include "symbols/object.h"
#include "symbols/ranges.h"

static struct demangler names;

static struct buf test_symbols_buf_of(const char *text, size_t n) {
	struct buf buf = {0};
	buf_add(&buf, text, n);
	return buf;
}

/* --- Tables --------------------------------------------------------------------------------- */

static void test_symbols_add(struct table *table, uint64_t start, uint64_t end, uint8_t rank,
			     const char *name) {
	table_add(table,
		  (struct table_entry){.start = start, .end = end, .rank = rank, .name = name});
}

static const char *test_symbols_found(const struct table *table, uint64_t address) {
	const struct table_entry *entry = table_find(table, address);
	return entry == NULL ? "nothing" : entry->name;
}

/** The choice among several symbols at one address must not depend on their order. */
static void test_symbols_aliases(void **state) {
	(void)state;
	static const struct {
		struct table_entry a, b; // the first wins
	} cases[] = {
		{{.end = 8, .rank = TABLE_LOCAL, .name = "s"},
		 {.end = 8, .rank = TABLE_WEAK, .name = "weak_but_longer"}},
		{{.end = 8, .rank = TABLE_GLOBAL, .name = "g"},
		 {.end = 8, .rank = TABLE_LOCAL, .name = "local_but_longer"}},
		{{.end = 8, .name = "open"}, {.end = 8, .name = "__libc_open64"}},
		{{.end = 8, .name = "open64"}, {.end = 8, .name = "open"}},
		{{.end = 8, .name = "_x"}, {.end = 8, .name = "__xyz"}},
		// The shortest demangled name is chosen: `f<unsigned long>` is longer than
		// `g<int>`.
		{{.end = 8, .name = "_Z1fImEvv"}, {.end = 8, .name = "_Z1gIiEvv"}},
		{{.end = 8, .name = "sys_read"}, {.end = 8, .name = "SyS_read"}},
	};
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct table table = {0};
		if (demangle_fails(str_of(cases[i / 2].a.name))) {
			continue;
		}
		table_add(&table, i % 2 == 0 ? cases[i / 2].a : cases[i / 2].b);
		table_add(&table, i % 2 == 0 ? cases[i / 2].b : cases[i / 2].a);
		test_symbols_add(&table, 100, 110, TABLE_LOCAL, "next");
		table_finish(&table, &names);
		assert_int_equal(table.n, 2);
		assert_string_equal(test_symbols_found(&table, 0), cases[i / 2].a.name);
		table_release(&table);
	}
}

/** Ends are computed first, so that the last of several symbols without a size has a size. */
static void test_symbols_aliases_without_size(void **state) {
	(void)state;
	struct table table = {0};
	test_symbols_add(&table, 0, 0, TABLE_GLOBAL, "longer_but_first");
	test_symbols_add(&table, 0, 0, TABLE_WEAK, "__last");
	test_symbols_add(&table, 100, 100, TABLE_GLOBAL, "longer_but_unsized");
	test_symbols_add(&table, 100, 110, TABLE_WEAK, "__sized");
	table_finish(&table, &names);
	assert_string_equal(test_symbols_found(&table, 0), "__last");
	assert_string_equal(test_symbols_found(&table, 100), "__sized");
	table_release(&table);
}

static void test_symbols_ends_and_gaps(void **state) {
	(void)state;
	struct table table = {0};
	table_finish(&table, &names);
	assert_null(table_find(&table, 1));
	test_symbols_add(&table, 0x3000, 0x3000, TABLE_LOCAL, "last");
	test_symbols_add(&table, 0x1000, 0x1010, TABLE_LOCAL, "sized");
	test_symbols_add(&table, 0x1020, 0x1020, TABLE_LOCAL, "unsized");
	test_symbols_add(&table, 0x2000, 0x2100, TABLE_LOCAL, "outer");
	test_symbols_add(&table, 0x2010, 0x2020, TABLE_LOCAL, "inner");
	test_symbols_add(&table, 0x2020, 0x2020, TABLE_LOCAL, "label");
	test_symbols_add(&table, 0x2030, 0x2031, TABLE_LOCAL, "inner2");
	table_finish(&table, &names);
	static const struct {
		uint64_t address;
		const char *name;
	} cases[] = {
		{0xfff, "nothing"},      {0x1000, "sized"},   {0x100f, "sized"},
		{0x1010, "nothing"},     {0x1020, "unsized"}, {0x1fff, "unsized"},
		{0x2000, "outer"},       {0x2010, "inner"},   {0x201f, "inner"},
		{0x2020, "label"},       {0x2030, "inner2"},  {0x2031, "outer"},
		{0x20ff, "outer"},       {0x2100, "nothing"}, {0x3fff, "last"},
		{UINT64_MAX, "nothing"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(test_symbols_found(&table, cases[i].address), cases[i].name);
	}
	assert_int_equal(table_named(&table, STR("label"))->start, 0x2020);
	assert_null(table_named(&table, STR("lab")));
	table_release(&table);
}

/** A look-up must agree with a plain search for the last symbol that starts at or before an address
 * and contains it. */
static void test_symbols_nested_like_plain(void **state) {
	(void)state;
	enum { SYMBOLS = 300, SPACE = 2000 };
	struct random random = {7};
	struct ranges ranges = {0};
	for (size_t i = 0; i < SYMBOLS; i++) {
		uint64_t start = random_below(&random, SPACE);
		ranges_add(&ranges, start, start + 1 + random_below(&random, 200), (uint32_t)i);
	}
	ranges_finish(&ranges);
	for (uint64_t address = 0; address < SPACE + 300; address++) {
		uint32_t expected = RANGES_NONE;
		for (size_t i = 0; i < ranges.n; i++) {
			const struct range *range = &ranges.items[i];
			if (range->start <= address && address < range->end) {
				expected = range->item;
			}
		}
		assert_int_equal(ranges_find(&ranges, address), expected);
	}
	ranges_release(&ranges);
}

/* --- Names ---------------------------------------------------------------------------------- */

static void test_symbols_demangling(void **state) {
	(void)state;
	static const struct {
		const char *mangled, *plain;
	} cases[] = {
		{"main", "main"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		 "std::vector<int, std::allocator<int> >::push_back"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi@plt",
		 "std::vector<int, std::allocator<int> >::push_back@plt"},
		{"_ZN4core3fmt9Formatter3pad17h1234567890abcdefE", "core::fmt::Formatter::pad"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"_D3foo3barFiZv", "foo.bar"},
		{"_D3foo__T3barTiZQhFNaNbZv", "foo.bar!(int).bar"},
		{"_Znot mangled", "_Znot mangled"},
		{"_ZN3foo3barEv.cold", "foo::bar"},
		{"compute.part.0", "compute.part.0"},
		{"", ""},
	};
	bool can_demangle = !demangle_fails(STR("_Z1fv")); // whether there is libiberty
	assert_int_equal(demangle_fails(STR("_RNvC1a1f")), !can_demangle);
	assert_false(demangle_fails(STR("_Read")));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str first = demangle(&names, str_of(cases[i].mangled));
		assert_str(first, can_demangle ? cases[i].plain : cases[i].mangled);
		assert_ptr_equal(demangle(&names, str_of(cases[i].mangled)).p, first.p);
	}
}

/* --- The kernel ----------------------------------------------------------------------------- */

static void test_symbols_kernel(void **state) {
	(void)state;
	struct buf text = {0};
	buf_add_text(&text, "ffffffff81000000 T _text\n"
			    "ffffffff81000000 T _stext\n"
			    "ffffffff81000100 t __ia32_sys_read\n"
			    "ffffffff81000100 T __x64_sys_read\n"
			    "ffffffff81000200 A absolute\n"
			    "ffffffff81000300 T last\n"
			    "ffffffffc0000000 t probe\t[snd-pcm]\n"
			    "ffffffffc0000100 t open\t[snd-pcm]\n"
			    "ffffffffc0100000 t bpf_prog_1\t[bpf]\n"
			    "broken\nffffffffc0200000\nffffffffc0200000 t\nzz t x\n"
			    "ffffffffc0300000 t no_newline");
	struct kallsyms *kallsyms = kallsyms_take(&text, &names);
	const struct table *table = &kallsyms->table;
	assert_false(kallsyms->restricted);
	assert_string_equal(test_symbols_found(table, 0xffffffff81000000), "_stext");
	assert_string_equal(test_symbols_found(table, 0xffffffff81000150), "__x64_sys_read");
	assert_string_equal(test_symbols_found(table, 0xffffffff81000250), "__x64_sys_read");
	assert_string_equal(test_symbols_found(table, 0xffffffff810010ff), "last");
	assert_string_equal(test_symbols_found(table, 0xffffffffb0000000), "nothing");
	assert_string_equal(test_symbols_found(table, 0xffffffffc00000ff), "probe");
	assert_string_equal(test_symbols_found(table, 0xffffffffc0000100), "open");
	assert_string_equal(test_symbols_found(table, 0xffffffffc0300000), "no_newline");
	assert_int_equal(kallsyms_group(kallsyms, STR("snd_pcm")), 1);
	assert_int_equal(kallsyms_group(kallsyms, STR("snd-pcm")), 1);
	assert_int_equal(kallsyms_group(kallsyms, STR("nonesuch")), 0);
	assert_int_equal(table_find(table, 0xffffffffc0000100)->group, 1);
	kallsyms_free(kallsyms);
}

static void test_symbols_hidden_addresses(void **state) {
	(void)state;
	struct buf text = {0};
	buf_add_text(&text, "0000000000000000 T _text\n0000000000000000 t probe\t[snd]\n");
	struct kallsyms *kallsyms = kallsyms_take(&text, &names);
	assert_true(kallsyms->restricted);
	assert_int_equal(kallsyms->table.n, 0);
	kallsyms_free(kallsyms);
}

/** Make a file with this text, and return its path. */
static struct str test_symbols_write_file(struct buf *path, const char *text) {
	buf_printf(path, "%s/inferno-symbols-XXXXXX",
		   getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR"));
	(void)buf_text(path);
	int fd = mkstemp(path->p);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return buf_str(path);
}

static struct str test_symbols_name_at(struct symbols *symbols, struct object *object,
				       uint64_t address) {
	const struct symbol *frames = NULL;
	size_t n = symbols_at(symbols, object, address, false, &frames);
	return n == 0 ? STR("nothing") : frames[n - 1].name;
}

/** At the time of the recording, the same kernel may have been loaded at another address. */
static void test_symbols_kernel_moved(void **state) {
	(void)state;
	struct buf path = {0};
	struct symbols_options options = {
		.kallsyms = test_symbols_write_file(&path, "ffffffff81000000 T _text\n"
							   "ffffffff81001000 T do_work\n"
							   "ffffffffc0000000 t probe\t[snd]\n"
							   "ffffffffc0000100 t open\t[snd]\n")};
	struct diag diag = {0};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file file = {.kind = OBJECT_KERNEL,
				   .path = STR("[kernel.kallsyms]"),
				   .reference = STR("_text"),
				   .reference_address = 0xffffffff9a000000};
	struct object *kernel = symbols_object(symbols, &file);
	assert_ptr_equal(symbols_object(symbols, &file), kernel);
	assert_str(test_symbols_name_at(symbols, kernel, 0xffffffff9a001004), "do_work");
	const struct symbol *frames;
	assert_int_equal(symbols_at(symbols, kernel, 0xffffffff9a001004, true, &frames), 1);
	assert_int_equal(frames[0].start, 0xffffffff9a001000);
	const struct symbol *others;
	assert_int_equal(symbols_at(symbols, kernel, 0xffffffff9a001008, false, &others), 1);
	assert_ptr_equal(others, frames);
	assert_int_equal(symbols_at(symbols, kernel, 0xffffffff99000000, false, &others), 0);
	assert_null(others);
	// Then the addresses of its modules are not known.
	struct object_file module = {
		.kind = OBJECT_MODULE, .path = STR("[snd]"), .start = 0xffffffffc0000000};
	assert_str(
		test_symbols_name_at(symbols, symbols_object(symbols, &module), 0xffffffffc0000004),
		"nothing");
	symbols_free(symbols);
	unlink(buf_text(&path));
	buf_release(&path);
}

static void test_symbols_kernel_modules(void **state) {
	(void)state;
	struct buf path = {0};
	struct symbols_options options = {
		.kallsyms = test_symbols_write_file(&path, "ffffffff81000000 T _text\n"
							   "ffffffffc0000010 t probe\t[snd_pcm]\n"
							   "ffffffffc0000100 t other\t[dm_mod]\n")};
	struct diag diag = {0};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file file = {.kind = OBJECT_KERNEL,
				   .reference = STR("_text"),
				   .reference_address = 0xffffffff81000000};
	(void)symbols_object(symbols, &file);
	struct object_file module = {.kind = OBJECT_MODULE,
				     .path = STR("/lib/modules/6.1.0/kernel/sound/snd-pcm.ko.xz"),
				     .start = 0xffffffffc0000000};
	struct object *object = symbols_object(symbols, &module);
	assert_str(test_symbols_name_at(symbols, object, 0xffffffffc0000014), "probe");
	assert_str(test_symbols_name_at(symbols, object, 0xffffffffc0000104), "nothing");
	assert_int_equal(object_state(object), OBJECT_NAMED);
	module.start = 0xffffffffd0000000; // at the recording, the module was at this address
	assert_str(
		test_symbols_name_at(symbols, symbols_object(symbols, &module), 0xffffffffd0000014),
		"nothing");
	symbols_free(symbols);
	unlink(buf_text(&path));
	buf_release(&path);
}

/** Addresses of another kernel get no names from the running kernel. */
static void test_symbols_kernel_foreign(void **state) {
	(void)state;
	struct symbols_options options = {.cache = STR("/nonexistent")};
	struct diag diag = {0};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file file = {.kind = OBJECT_KERNEL,
				   .build_id = {.size = 20, .bytes = {1, 2, 3}}};
	struct object *object = symbols_object(symbols, &file);
	assert_str(test_symbols_name_at(symbols, object, 0xffffffff81000000), "nothing");
	assert_int_equal(object_state(object), OBJECT_FOREIGN);
	file.build_id.size = 0; // the recorded build-id is not known
	assert_str(
		test_symbols_name_at(symbols, symbols_object(symbols, &file), 0xffffffff81000000),
		"nothing");
	symbols_free(symbols);
}

static void test_symbols_bpf(void **state) {
	(void)state;
	struct symbols_options options = {.no_inline = true};
	struct diag diag = {0};
	struct symbols *symbols = symbols_new(&options, &diag);
	struct object_file file = {
		.kind = OBJECT_BPF, .path = STR("bpf_prog_6deef7357e7b4530"), .start = 0x1000};
	const struct symbol *frames;
	assert_int_equal(
		symbols_at(symbols, symbols_object(symbols, &file), 0x1010, false, &frames), 1);
	assert_str(frames[0].name, "bpf_prog_6deef7357e7b4530");
	assert_int_equal(frames[0].start, 0x1000);
	symbols_free(symbols);
}

/* --- Code made by a JIT --------------------------------------------------------------------- */

static struct str test_symbols_map_name(const struct perf_map *map, uint64_t address) {
	struct str name;
	uint64_t start;
	return perf_map_find(map, address, &name, &start) ? name : STR("nothing");
}

static void test_symbols_map_overlaps(void **state) {
	(void)state;
	static const char text[] = "1000 1000 long\n"
				   "1100 100 inside\n"
				   "0x1800 1000 later\r\n"
				   "3000 10 Name with blanks  \n"
				   "3000 10 again\n"
				   "4000 0 empty\n"
				   "4000\nxyz 10 bad\n4000 10\n4000 10 \n"
				   "fffffffffffffff0 100 high\n"
				   "11111111111111111 10 overlong\n"
				   "5000 20 cut";
	struct buf buf = test_symbols_buf_of(text, sizeof(text) - 1);
	struct perf_map map = {0};
	perf_map_take(&map, &buf);
	assert_str(test_symbols_map_name(&map, 0xfff), "nothing");
	assert_str(test_symbols_map_name(&map, 0x1000), "long");
	assert_str(test_symbols_map_name(&map, 0x10ff), "long");
	assert_str(test_symbols_map_name(&map, 0x1100), "inside");
	assert_str(test_symbols_map_name(&map, 0x1200), "long");
	assert_str(test_symbols_map_name(&map, 0x17ff), "long");
	assert_str(test_symbols_map_name(&map, 0x1800), "later");
	assert_str(test_symbols_map_name(&map, 0x27ff), "later");
	assert_str(test_symbols_map_name(&map, 0x2800), "nothing");
	assert_str(test_symbols_map_name(&map, 0x3000), "again");
	assert_str(test_symbols_map_name(&map, 0x4000), "nothing");
	assert_str(test_symbols_map_name(&map, UINT64_MAX - 1), "high");
	assert_str(test_symbols_map_name(&map, 0x501f), "cut");
	perf_map_release(&map);
}

/** A look-up must agree with a plain search for the last line that covers an address. */
static void test_symbols_map_like_plain(void **state) {
	(void)state;
	enum { LINES = 200, SPACE = 1000 };
	struct random random = {3};
	struct buf text = {0};
	uint64_t starts[LINES], ends[LINES];
	for (size_t i = 0; i < LINES; i++) {
		starts[i] = random_below(&random, SPACE);
		ends[i] = starts[i] + 1 + random_below(&random, 60);
		buf_printf(&text, "%llx %llx %zu\n", (unsigned long long)starts[i],
			   (unsigned long long)(ends[i] - starts[i]), i);
	}
	struct perf_map map = {0};
	perf_map_take(&map, &text);
	for (uint64_t address = 0; address < SPACE + 100; address++) {
		char expected[32] = "nothing";
		for (size_t i = 0; i < LINES; i++) {
			if (starts[i] <= address && address < ends[i]) {
				snprintf(expected, sizeof(expected), "%zu", i);
			}
		}
		assert_str(test_symbols_map_name(&map, address), expected);
	}
	perf_map_release(&map);
}

static void test_symbols_add_u32(struct buf *buf, uint32_t value) {
	buf_add(buf, &value, sizeof(value));
}

static void test_symbols_add_u64(struct buf *buf, uint64_t value) {
	buf_add(buf, &value, sizeof(value));
}

static void test_symbols_add_header(struct buf *dump) {
	test_symbols_add_u32(dump, 0x4a695444);
	test_symbols_add_u32(dump, 1);
	test_symbols_add_u32(dump, 40);
	buf_add(dump, (char[28]){0}, 28);
}

static void test_symbols_add_load(struct buf *dump, uint64_t time, uint64_t start, uint64_t size,
				  const char *name) {
	test_symbols_add_u32(dump, 0);
	test_symbols_add_u32(dump, (uint32_t)(16 + 40 + strlen(name) + 1));
	test_symbols_add_u64(dump, time);
	test_symbols_add_u64(dump, 0); // pid and tid
	test_symbols_add_u64(dump, start);
	test_symbols_add_u64(dump, start);
	test_symbols_add_u64(dump, size);
	test_symbols_add_u64(dump, 0);
	buf_add(dump, name, strlen(name) + 1);
}

static void test_symbols_add_move(struct buf *dump, uint64_t time, uint64_t from, uint64_t to,
				  uint64_t size) {
	test_symbols_add_u32(dump, 1);
	test_symbols_add_u32(dump, 16 + 48);
	test_symbols_add_u64(dump, time);
	test_symbols_add_u64(dump, 0);
	test_symbols_add_u64(dump, to);
	test_symbols_add_u64(dump, from);
	test_symbols_add_u64(dump, to);
	test_symbols_add_u64(dump, size);
	test_symbols_add_u64(dump, 0);
}

static void test_symbols_add_line(struct buf *dump, uint32_t line) {
	test_symbols_add_u32(dump, line);
	test_symbols_add_u32(dump, 0); // discriminator
}

static void test_symbols_add_lines(struct buf *dump, uint64_t start) {
	static const char first[] = "app.js";
	static const char same[] = "\xff";
	test_symbols_add_u32(dump, 2);
	test_symbols_add_u32(dump, 16 + 16 + 32 + sizeof(first) + sizeof(same));
	test_symbols_add_u64(dump, 1);
	test_symbols_add_u64(dump, start);
	test_symbols_add_u64(dump, 2);
	test_symbols_add_u64(dump, start);
	test_symbols_add_line(dump, 10);
	buf_add(dump, first, sizeof(first));
	test_symbols_add_u64(dump, start + 8);
	test_symbols_add_line(dump, 20);
	buf_add(dump, same, sizeof(same));
}

static const char *test_symbols_dump_name(const struct jitdump *dump, uint64_t address,
					  uint64_t time) {
	const struct jitdump_code *code = jitdump_find(dump, address, time);
	return code == NULL ? "nothing" : code->name.p;
}

static void test_symbols_jitdump(void **state) {
	(void)state;
	struct buf bytes = {0};
	test_symbols_add_header(&bytes);
	test_symbols_add_lines(&bytes, 0x1000);
	test_symbols_add_load(&bytes, 10, 0x1000, 0x100, "first");
	test_symbols_add_load(&bytes, 20, 0x1080, 0x100, "second");
	test_symbols_add_move(&bytes, 30, 0x1000, 0x2000, 0x100);
	test_symbols_add_load(&bytes, 40, 0x1000, 0x40, "reused");
	test_symbols_add_u32(&bytes, 0); // a record that is cut off
	test_symbols_add_u32(&bytes, 1000);
	test_symbols_add_u64(&bytes, 0);
	struct jitdump dump = {0};
	assert_true(jitdump_take(&dump, &bytes));
	assert_string_equal(test_symbols_dump_name(&dump, 0x1000, 9), "nothing");
	assert_string_equal(test_symbols_dump_name(&dump, 0x1000, 10), "first");
	assert_string_equal(test_symbols_dump_name(&dump, 0x1090, 19), "first");
	assert_string_equal(test_symbols_dump_name(&dump, 0x1090, 20), "second");
	assert_string_equal(test_symbols_dump_name(&dump, 0x2010, 29), "nothing");
	assert_string_equal(test_symbols_dump_name(&dump, 0x2010, 30), "first");
	assert_string_equal(test_symbols_dump_name(&dump, 0x1010, UINT64_MAX), "reused");
	assert_string_equal(test_symbols_dump_name(&dump, 0x1050, UINT64_MAX), "first");
	struct jitdump_line line;
	const struct jitdump_code *code = jitdump_find(&dump, 0x1000, 10);
	assert_true(jitdump_find_line(&dump, code, 0x1004, &line));
	assert_str(line.file, "app.js");
	assert_int_equal(line.line, 10);
	assert_true(jitdump_find_line(&dump, code, 0x1009, &line));
	assert_str(line.file, "app.js");
	assert_int_equal(line.line, 20);
	jitdump_release(&dump);
	struct buf bad = test_symbols_buf_of("not a dump, but long enough to have a header", 44);
	assert_false(jitdump_take(&dump, &bad));
	buf_release(&bad);
}

/** Compare look-ups with a search of all ranges. */
static void test_symbols_spans(void **state) {
	(void)state;
	enum { RANGES = 40, ADDRESSES = 64, TIMES = 20 };
	struct random random = {.state = 11};
	for (size_t round = 0; round < 50; round++) {
		struct spans spans = {0};
		struct span all[RANGES];
		size_t n = 1 + random_below(&random, RANGES);
		for (size_t i = 0; i < n; i++) {
			uint64_t start = random_below(&random, ADDRESSES);
			uint64_t size = 1 + random_below(&random, (size_t)(ADDRESSES - start));
			all[i] = (struct span){start, start + size, random_below(&random, TIMES),
					       (uint32_t)i};
			spans_add(&spans, all[i].start, all[i].end, all[i].time, all[i].item);
		}
		spans_finish(&spans);
		for (uint64_t at = 0; at < (ADDRESSES + 2) * TIMES; at++) {
			uint64_t address = at / TIMES, time = at % TIMES;
			size_t best = SPANS_NONE;
			for (size_t i = 0; i < n; i++) {
				bool fits = all[i].start <= address && address < all[i].end &&
					    all[i].time <= time;
				best = fits && (best == SPANS_NONE || all[i].time >= all[best].time)
					       ? i
					       : best;
			}
			assert_int_equal(spans_find(&spans, address, time), best);
		}
		spans_release(&spans);
	}
	struct spans none = {0};
	spans_finish(&none);
	assert_int_equal(spans_find(&none, 1, 1), SPANS_NONE);
}

static void test_symbols_kinds_of_mappings(void **state) {
	(void)state;
	static const struct {
		const char *name;
		enum object_kind kind;
	} cases[] = {
		{"/usr/bin/python3.11", OBJECT_ELF},
		{"[vdso]", OBJECT_VDSO},
		{"//anon", OBJECT_JIT},
		{"/memfd:doublemapper (deleted)", OBJECT_JIT},
		{"[heap]", OBJECT_JIT},
		{"/tmp/jit-123.dump", OBJECT_JITDUMP},
		{"/dev/zero (deleted)", OBJECT_JIT},
		{"/tmp/digit-1.dumper", OBJECT_ELF},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(object_kind_of(str_of(cases[i].name)), cases[i].kind);
	}
}

static void test_symbols_build_ids(void **state) {
	(void)state;
	struct build_id a = {.size = 8, .bytes = {1, 2, 3, 4, 5, 6, 7, 8}}, b = a;
	assert_true(build_id_equal(&a, &b));
	b.size = 20; // filled up with zeros
	assert_true(build_id_equal(&a, &b));
	b.bytes[19] = 1;
	assert_false(build_id_equal(&a, &b));
	a.size = 0;
	assert_false(build_id_equal(&a, &a));
	static const char note[] = "\4\0\0\0\3\0\0\0\1\0\0\0GNU\0xyz\0"
				   "\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\xab\xcd\0\0";
	const bool swapped = !is_little_endian(false);
	struct build_id id = elf_note_build_id((struct str){note, sizeof(note) - 1}, swapped);
	assert_int_equal(id.size, 2);
	assert_int_equal(id.bytes[1], 0xcd);
	id = elf_note_build_id((struct str){note, sizeof(note) - 5}, swapped);
	assert_int_equal(id.size, 0);
}

static int test_symbols_release_names(void **state) {
	(void)state;
	demangler_release(&names);
	return 0;
}

/* --- Members of structs --------------------------------------------------------------------- */

typedef struct {
	char head[3];
	union {
		uint64_t number;
		struct {
			uint16_t first, second;
		};
	};
	struct {
		uint64_t next;
		const struct test_symbols_hidden *last;
	} list;
} test_symbols_members_type;

/** The offsets in the debug information of this program must equal those of the compiler. */
static void test_symbols_members(void **state) {
	(void)state;
	static test_symbols_members_type value;
	enum { NUMBER, SECOND, LAST, SIZE, LACKS, INNER, INCOMPLETE, ABSENT, ALL };
	static const struct layout_member members[] = {
		[NUMBER] = {"test_symbols_members_type", "number", 0},
		[SECOND] = {"test_symbols_members_type", "second", 0},
		[LAST] = {"test_symbols_members_type", "list.last", 0},
		[SIZE] = {"test_symbols_members_type", NULL, 0},
		[LACKS] = {"test_symbols_members_type", "third", 0},
		[INNER] = {"test_symbols_members_type", "number.inner", 0},
		[INCOMPLETE] = {"test_symbols_hidden", NULL, 0},
		[ABSENT] = {"test_symbols_nowhere", "next", 0},
		[ALL] = {NULL, NULL, 0},
	};
	static const struct symbols_options options = {.cache = STR_INIT("/nonexistent")};
	const struct object_file wanted = {.kind = OBJECT_ELF, .path = STR("/proc/self/exe")};
	uint32_t offsets[ALL];
	value.list.last = NULL;
	if (!members_find(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), &options, &wanted, members,
			  offsets) ||
	    offsets[SIZE] == MEMBER_NONE) {
		print_message("# not tried: no debug information of types, or no libdw\n");
		return;
	}
	assert_int_equal(offsets[NUMBER], offsetof(test_symbols_members_type, number));
	assert_int_equal(offsets[SECOND], offsetof(test_symbols_members_type, second));
	assert_int_equal(offsets[LAST], offsetof(test_symbols_members_type, list.last));
	assert_int_equal(offsets[SIZE], sizeof(value));
	for (size_t i = LACKS; i < ALL; i++) {
		assert_int_equal(offsets[i], MEMBER_NONE);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols_aliases),
		cmocka_unit_test(test_symbols_aliases_without_size),
		cmocka_unit_test(test_symbols_ends_and_gaps),
		cmocka_unit_test(test_symbols_nested_like_plain),
		cmocka_unit_test(test_symbols_demangling),
		cmocka_unit_test(test_symbols_kernel),
		cmocka_unit_test(test_symbols_hidden_addresses),
		cmocka_unit_test(test_symbols_kernel_moved),
		cmocka_unit_test(test_symbols_kernel_modules),
		cmocka_unit_test(test_symbols_kernel_foreign),
		cmocka_unit_test(test_symbols_bpf),
		cmocka_unit_test(test_symbols_map_overlaps),
		cmocka_unit_test(test_symbols_map_like_plain),
		cmocka_unit_test(test_symbols_jitdump),
		cmocka_unit_test(test_symbols_spans),
		cmocka_unit_test(test_symbols_kinds_of_mappings),
		cmocka_unit_test(test_symbols_build_ids),
		cmocka_unit_test(test_symbols_members),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, test_symbols_release_names);
}
