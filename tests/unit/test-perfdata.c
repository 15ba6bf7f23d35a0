/* Recordings of perf: fields, the order of time, mappings. */
#include "test.h"

#include <stdlib.h>

#include "perf/data/machine.h"
#include "perf/data/order.h"

static void test_cursor(void **unused) {
	(void)unused;
	const char bytes[] = {1, 0, 0, 0, 2, 0, 3, 4};
	struct cursor cursor = {bytes, sizeof(bytes), false, false};
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	assert_int_equal(cursor_u32(&cursor), little ? 1 : 1 << 24);
	cursor.swap = true;
	assert_int_equal(cursor_u16(&cursor), little ? 2 << 8 : 2);
	assert_false(cursor.failed);
	assert_int_equal(cursor_u32(&cursor), 0); // over the end
	assert_true(cursor.failed);
	assert_int_equal(cursor.n, 0);
	cursor = (struct cursor){bytes, sizeof(bytes), false, false};
	assert_int_equal(cursor_take_items(&cursor, UINT64_MAX / 4, 8).n, 0);
	assert_true(cursor.failed);
}

/** Add an item that is told from others by `id`. */
static void add(struct order *order, struct chunk *chunk, uint64_t time, uint32_t id) {
	chunk_hold(chunk);
	order_add(order, time, &(struct record){.type = id, .chunk = chunk});
}

/** Check that items with these ids come next, and then none. */
static void expect(struct order *order, const char *ids) {
	const struct order_item *item;
	for (; *ids != '\0'; ids++) {
		item = order_next(order);
		assert_non_null(item);
		assert_int_equal(item->record.type, *ids);
	}
	assert_null(order_next(order));
}

static void test_order(void **unused) {
	(void)unused;
	struct chunk *chunk = calloc(1, sizeof(*chunk));
	struct order order = {0};
	add(&order, chunk, 10, 'a');
	add(&order, chunk, 30, 'b');
	add(&order, chunk, 20, 'c');
	order_round(&order);
	expect(&order, ""); // the next round may have older ones
	add(&order, chunk, 25, 'd');
	add(&order, chunk, 30, 'e');
	add(&order, chunk, 50, 'f');
	add(&order, chunk, 40, 'g');
	order_round(&order);
	expect(&order, "acdbe"); // of equal times, the first comes first
	add(&order, chunk, 45, 'h');
	order_round(&order);
	expect(&order, "ghf");
	add(&order, chunk, 60, 'i');
	add(&order, chunk, 5, 'j'); // too late
	assert_int_equal(order.late, 1);
	order_all(&order);
	expect(&order, "ji");
	order_release(&order);
	free(chunk);
}

static void test_order_without_rounds(void **unused) {
	(void)unused;
	struct chunk *chunk = calloc(1, sizeof(*chunk));
	struct order order = {0};
	uint64_t time = 0, handed = 0, last = 0;
	for (uint32_t i = 0; i < 1000000; i++) {
		time = i % 2 == 0 ? time + 30 : time - 10; // never in order
		add(&order, chunk, time, i);
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

static void map(struct machine *machine, const char *path, uint64_t start, uint64_t size) {
	machine_map(machine, &(struct mapped){.pid = 1,
					      .start = start,
					      .size = size,
					      .path = str_of(path),
					      .executable = true});
}

/** Check what is mapped at an address, and where in the file that is; NULL: nothing. */
static void expect_at(struct machine *machine, int32_t pid, uint64_t address, const char *path,
		      uint64_t offset) {
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

static void test_mappings(void **unused) {
	(void)unused;
	struct machine *machine = calloc(1, sizeof(*machine));
	machine_init(machine, NULL);
	map(machine, "/a", 0x1000, 0x3000);
	map(machine, "/b", 0x2000, 0x1000); // inside
	expect_at(machine, 1, 0xfff, NULL, 0);
	expect_at(machine, 1, 0x1fff, "/a", 0xfff);
	expect_at(machine, 1, 0x2000, "/b", 0);
	expect_at(machine, 1, 0x3000, "/a", 0x2000);
	expect_at(machine, 1, 0x4000, NULL, 0);
	machine_fork(machine, 2, 2, 1, 1, false);
	map(machine, "/c", 0x1800, 0x2000); // over parts of three
	expect_at(machine, 1, 0x17ff, "/a", 0x7ff);
	expect_at(machine, 1, 0x2000, "/c", 0x800);
	expect_at(machine, 1, 0x3800, "/a", 0x2800);
	expect_at(machine, 2, 0x2000, "/b", 0); // the child's stay
	map(machine, "/none", UINT64_MAX - 1, 0x1000);
	map(machine, "/none", 0x5000, 0);
	expect_at(machine, 1, 0x5000, NULL, 0);
	machine_release(machine);
	free(machine);
}

enum { PAGES = 64, FORKS = 8 };

/** Check the mappings of each process against a list of what is mapped at each page: 1 + the number
 * of the mapping, whose offset is that number times PAGES. */
static void expect_pages(struct mappings *copies, uint32_t pages[FORKS][PAGES]) {
	for (size_t i = 0; i < FORKS; i++) {
		for (uint64_t at = 0; at < PAGES; at++) {
			const struct mapping *found = mappings_find(&copies[i], at);
			uint64_t number = found == NULL ? 0 : found->offset + at - found->start;
			assert_int_equal(found == NULL ? 0 : 1 + number / PAGES, pages[i][at]);
			assert_true(found == NULL || number % PAGES == at);
		}
	}
}

/** Change copies of mappings in turn, and copy one over another now and then. */
static void test_shared_mappings(void **unused) {
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
		expect_pages(copies, pages);
	}
	for (size_t i = 0; i < FORKS; i++) {
		mappings_release(&copies[i]);
	}
}

static void map_kernel(struct machine *machine, const char *path, uint64_t start, uint64_t size) {
	machine_map(machine, &(struct mapped){.pid = -1,
					      .start = start,
					      .size = size,
					      .path = str_of(path),
					      .in_kernel = true,
					      .executable = true});
}

static bool is_at(const struct machine *machine, uint64_t address, const char *name) {
	const struct mapping *mapping = mappings_find(&machine->kernel, address);
	return mapping != NULL && str_eq(mapping->image->name, str_of(name));
}

/** The kernel goes on after its text, up to the first module. */
static void test_kernel(void **unused) {
	(void)unused;
	const uint64_t start = 0xffffffff81000000, mb = 1 << 20;
	for (unsigned module_first = 0; module_first < 2; module_first++) {
		struct machine *machine = calloc(1, sizeof(*machine));
		machine_init(machine, NULL);
		for (unsigned i = 0; i < 2; i++) {
			if (i == module_first) {
				map_kernel(machine, "[kernel.kallsyms]_text", start, 18 * mb);
			} else {
				map_kernel(machine, "/x/snd-pcm.ko", start + 50 * mb, mb);
			}
		}
		assert_true(is_at(machine, start + 42 * mb, "[kernel.kallsyms]"));
		assert_true(is_at(machine, start + 50 * mb, "[snd_pcm]"));
		assert_null(mappings_find(&machine->kernel, start + 90 * mb));
		machine_release(machine);
		free(machine);
	}
}

static void test_threads(void **unused) {
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
		cmocka_unit_test(test_cursor),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_without_rounds),
		cmocka_unit_test(test_mappings),
		cmocka_unit_test(test_shared_mappings),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_threads),
	};
	return RUN(tests);
}
