/* Recordings of perf: fields, the order of time, mappings. */
#include "test.h"

#include <stdlib.h>

#include "perf/data/machine.h"
#include "perf/data/order.h"

static void test_perfdata_cursor(void **unused) {
	(void)unused;
	const char bytes[] = {1, 0, 0, 0, 2, 0, 3, 4};
	struct cursor cursor = {bytes, sizeof(bytes), false, false};
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	assert_int_equal(cursor_u32(&cursor), little ? 1 : 1 << 24);
	cursor.swap = true;
	assert_int_equal(cursor_u16(&cursor), little ? 2 << 8 : 2);
	assert_false(cursor.failed);
	assert_int_equal(cursor_u32(&cursor), 0); // past the end
	assert_true(cursor.failed);
	assert_int_equal(cursor.n, 0);
	cursor = (struct cursor){bytes, sizeof(bytes), false, false};
	assert_int_equal(cursor_take_items(&cursor, UINT64_MAX / 4, 8).n, 0);
	assert_true(cursor.failed);
}

/** Add an item. The test recognises it by `id`. */
static void test_perfdata_add(struct order *order, struct chunk *chunk, uint64_t time,
			      uint32_t id) {
	chunk_hold(chunk);
	order_add(order, time, &(struct record){.type = id, .chunk = chunk});
}

/** Check that items with these ids come next, and then none. */
static void test_perfdata_expect(struct order *order, const char *ids) {
	const struct order_item *item;
	for (; *ids != '\0'; ids++) {
		item = order_next(order);
		assert_non_null(item);
		assert_int_equal(item->record.type, *ids);
	}
	assert_null(order_next(order));
}

static void test_perfdata_order(void **unused) {
	(void)unused;
	struct chunk *chunk = calloc(1, sizeof(*chunk));
	struct order order = {0};
	test_perfdata_add(&order, chunk, 10, 'a');
	test_perfdata_add(&order, chunk, 30, 'b');
	test_perfdata_add(&order, chunk, 20, 'c');
	order_round(&order);
	test_perfdata_expect(&order, ""); // the next round may have older records
	test_perfdata_add(&order, chunk, 25, 'd');
	test_perfdata_add(&order, chunk, 30, 'e');
	test_perfdata_add(&order, chunk, 50, 'f');
	test_perfdata_add(&order, chunk, 40, 'g');
	order_round(&order);
	test_perfdata_expect(&order, "acdbe"); // records with equal times keep their order
	test_perfdata_add(&order, chunk, 45, 'h');
	order_round(&order);
	test_perfdata_expect(&order, "ghf");
	test_perfdata_add(&order, chunk, 60, 'i');
	test_perfdata_add(&order, chunk, 5, 'j'); // too late
	assert_int_equal(order.late, 1);
	order_all(&order);
	test_perfdata_expect(&order, "ji");
	order_release(&order);
	free(chunk);
}

static void test_perfdata_order_without_rounds(void **unused) {
	(void)unused;
	struct chunk *chunk = calloc(1, sizeof(*chunk));
	struct order order = {0};
	uint64_t time = 0, handed = 0, last = 0;
	for (uint32_t i = 0; i < 1000000; i++) {
		time = i % 2 == 0 ? time + 30 : time - 10; // never in order
		test_perfdata_add(&order, chunk, time, i);
		if (order_is_full(&order, 1)) {
			order_half(&order);
			for (const struct order_item *item; (item = order_next(&order)) != NULL;
			     handed++) {
				assert_true(item->time >= last);
				last = item->time;
			}
		}
	}
	assert_in_range(handed, 500000, 1000000);
	order_release(&order);
	free(chunk);
}

static void test_perfdata_map(struct machine *machine, const char *path, uint64_t start,
			      uint64_t size) {
	machine_map(machine, &(struct mapped){.pid = 1,
					      .start = start,
					      .size = size,
					      .path = str_of(path),
					      .executable = true});
}

/** Check the file that is mapped at an address, and the offset in it; NULL: no mapping. */
static void test_perfdata_expect_at(struct machine *machine, int32_t pid, uint64_t address,
				    const char *path, uint64_t offset) {
	struct thread *thread = machine_thread(machine, pid, pid);
	const struct mapping *mapping = mappings_find(&thread->process->mappings, address);
	if (path == NULL) {
		assert_null(mapping);
		return;
	}
	assert_non_null(mapping);
	assert_true(str_eq(mapping->image->name, str_of(path)));
	assert_int_equal(mapping_address(mapping, address), offset);
}

static void test_perfdata_mappings(void **unused) {
	(void)unused;
	struct machine *machine = calloc(1, sizeof(*machine));
	machine_init(machine, NULL);
	test_perfdata_map(machine, "/a", 0x1000, 0x3000);
	test_perfdata_map(machine, "/b", 0x2000, 0x1000); // inside
	test_perfdata_expect_at(machine, 1, 0xfff, NULL, 0);
	test_perfdata_expect_at(machine, 1, 0x1fff, "/a", 0xfff);
	test_perfdata_expect_at(machine, 1, 0x2000, "/b", 0);
	test_perfdata_expect_at(machine, 1, 0x3000, "/a", 0x2000);
	test_perfdata_expect_at(machine, 1, 0x4000, NULL, 0);
	machine_fork(machine, 2, 2, 1, 1, false);
	test_perfdata_map(machine, "/c", 0x1800, 0x2000); // replaces parts of three mappings
	test_perfdata_expect_at(machine, 1, 0x17ff, "/a", 0x7ff);
	test_perfdata_expect_at(machine, 1, 0x2000, "/c", 0x800);
	test_perfdata_expect_at(machine, 1, 0x3800, "/a", 0x2800);
	test_perfdata_expect_at(machine, 2, 0x2000, "/b", 0); // the mappings of the child stay
	test_perfdata_map(machine, "/none", UINT64_MAX - 1, 0x1000);
	test_perfdata_map(machine, "/none", 0x5000, 0);
	test_perfdata_expect_at(machine, 1, 0x5000, NULL, 0);
	machine_release(machine);
	free(machine);
}

enum { PAGES = 64, FORKS = 8 };

/** Check the mappings of each process against a list of pages. Each page has 1 + the number of its
 * mapping, and the offset of a mapping is its number times PAGES. */
static void test_perfdata_expect_pages(struct mappings *copies, uint32_t pages[FORKS][PAGES]) {
	for (size_t i = 0; i < FORKS; i++) {
		for (uint64_t at = 0; at < PAGES; at++) {
			const struct mapping *found = mappings_find(&copies[i], at);
			uint64_t number = found == NULL ? 0 : found->offset + at - found->start;
			assert_int_equal(found == NULL ? 0 : 1 + number / PAGES, pages[i][at]);
			assert_true(found == NULL || number % PAGES == at);
		}
	}
}

/** Change copies of mappings in turn, and sometimes replace one copy by a copy of another. */
static void test_perfdata_shared_mappings(void **unused) {
	(void)unused;
	struct mappings copies[FORKS] = {{0}};
	static uint32_t pages[FORKS][PAGES];
	struct random random = {.state = 7};
	for (uint32_t number = 0; number < 2000; number++) {
		size_t i = random_below(&random, FORKS), from = random_below(&random, FORKS);
		size_t start = random_below(&random, PAGES);
		size_t end = start + 1 + random_below(&random, PAGES - start);
		if (number % 5 == 0) {
			mappings_copy(&copies[i], &copies[from]);
			memcpy(pages[i], pages[from], sizeof(pages[i]));
		} else if (number % 7 == 0) {
			const struct mapping *gone = mappings_find(&copies[i], start);
			for (size_t at = start;
			     gone != NULL && gone->start == start && at < gone->end; at++) {
				pages[i][at] = 0;
			}
			mappings_cut_out(&copies[i], start);
		} else {
			mappings_lay_over(
				&copies[i],
				&(struct mapping){.start = start,
						  .end = end,
						  .offset = (uint64_t)number * PAGES + start});
			for (size_t at = start; at < end; at++) {
				pages[i][at] = 1 + number;
			}
		}
		test_perfdata_expect_pages(copies, pages);
	}
	for (size_t i = 0; i < FORKS; i++) {
		mappings_release(&copies[i]);
	}
}

static void test_perfdata_map_kernel(struct machine *machine, const char *path, uint64_t start,
				     uint64_t size) {
	machine_map(machine, &(struct mapped){.pid = -1,
					      .start = start,
					      .size = size,
					      .path = str_of(path),
					      .in_kernel = true,
					      .executable = true});
}

static bool test_perfdata_is_at(const struct machine *machine, uint64_t address, const char *name) {
	const struct mapping *mapping = mappings_find(&machine->kernel, address);
	return mapping != NULL && str_eq(mapping->image->name, str_of(name));
}

/** The kernel's mapping continues after its text, up to the first module. */
static void test_perfdata_kernel(void **unused) {
	(void)unused;
	const uint64_t start = 0xffffffff81000000, mb = 1 << 20;
	for (unsigned module_first = 0; module_first < 2; module_first++) {
		struct machine *machine = calloc(1, sizeof(*machine));
		machine_init(machine, NULL);
		for (unsigned i = 0; i < 2; i++) {
			if (i == module_first) {
				test_perfdata_map_kernel(machine, "[kernel.kallsyms]_text", start,
							 18 * mb);
			} else {
				test_perfdata_map_kernel(machine, "/x/snd-pcm.ko", start + 50 * mb,
							 mb);
			}
		}
		assert_true(test_perfdata_is_at(machine, start + 42 * mb, "[kernel.kallsyms]"));
		assert_true(test_perfdata_is_at(machine, start + 50 * mb, "[snd_pcm]"));
		assert_null(mappings_find(&machine->kernel, start + 90 * mb));
		machine_release(machine);
		free(machine);
	}
}

static void test_perfdata_threads(void **unused) {
	(void)unused;
	struct machine *machine = calloc(1, sizeof(*machine));
	machine_init(machine, NULL);
	assert_true(str_eq(machine_thread(machine, 5, 6)->comm, STR(":6")));
	assert_true(str_eq(machine_thread(machine, 0, 0)->comm, STR("swapper")));
	machine_comm(machine, 5, 6, STR("x y"));
	machine_fork(machine, 7, 7, 5, 6, false);
	assert_true(str_eq(machine_thread(machine, 7, 7)->comm, STR("x y")));
	machine_comm(machine, 7, 7, STR("z"));
	assert_true(str_eq(machine_thread(machine, 5, 6)->comm, STR("x y")));
	machine_release(machine);
	free(machine);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perfdata_cursor),
		cmocka_unit_test(test_perfdata_order),
		cmocka_unit_test(test_perfdata_order_without_rounds),
		cmocka_unit_test(test_perfdata_mappings),
		cmocka_unit_test(test_perfdata_shared_mappings),
		cmocka_unit_test(test_perfdata_kernel),
		cmocka_unit_test(test_perfdata_threads),
	};
	return RUN(tests);
}
