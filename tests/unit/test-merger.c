/* Stacks of two sides, sorted and merged in little memory. */
#include "test.h"

#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "merge/merger.h"
#include "profile/folded.h"

enum { MEMORY = 16 << 20 }; // filled by a batch of 1 MB and runs of 4 MB

/** Read a text into the merger, in blocks of about `size` bytes. */
static void test_merger_read_text(struct merger *merger, struct str text, size_t size,
				  unsigned side) {
	struct folded_lines lines = {0};
	merger_begin(merger, STR(""), side);
	while (text.n > 0) {
		size_t end = str_find(str_from(text, size < text.n ? size : text.n), '\n');
		struct buf block = {0}; // released before the next block
		buf_add_str(&block, str_to(text, end == STR_NONE ? text.n : size + end + 1));
		text = str_from(text, block.n);
		folded_lines_begin(&lines, buf_str(&block));
		while (folded_lines_next(&lines)) {
			struct str stack;
			uint64_t count = 0;
			assert_true(folded_cut_plain(lines.line, true, &stack, &count));
			size_t common = lines.common < stack.n ? lines.common : stack.n;
			assert_int_equal(common, str_common_prefix(stack, lines.before));
			assert_int_equal(merger_add(merger, lines.before, stack, common, count), 0);
			lines.before = stack;
		}
		folded_lines_keep(&lines);
		buf_release(&block);
	}
	folded_lines_release(&lines);
	assert_int_equal(merger_end(merger, 0), 0);
}

static void test_merger_take(void *text, struct str stack, size_t common, const uint64_t *counts) {
	(void)common;
	buf_add_str(text, stack);
	buf_printf(text, " %llu %llu\n", (unsigned long long)counts[0],
		   (unsigned long long)counts[1]);
}

/** Merge two texts. The caller releases the result. */
static struct buf test_merger_merge(struct str before, struct str after, size_t size) {
	struct diag diag = {0};
	struct buf found = {0};
	struct merger *merger = merger_new(MEMORY, &diag);
	test_merger_read_text(merger, before, size, 0);
	test_merger_read_text(merger, after, size, 1);
	assert_int_equal(merger_each(merger, test_merger_take, &found), 0);
	merger_free(merger);
	return found;
}

/** Check the result for blocks of all sizes. */
static void test_merger_check(const char *before, const char *after, const char *wanted) {
	for (size_t size = 0; size < strlen(before) + 2; size++) {
		struct buf found = test_merger_merge(str_of(before), str_of(after), size);
		assert_string_equal(buf_text(&found), wanted);
		buf_release(&found);
	}
}

static void test_merger_sides(void **state) {
	(void)state;
	test_merger_check("a 1\nb 2\nb 3\nd 4\n", "b 7\nc 8\ne 1\ne 2",
			  "a 1 0\nb 5 7\nc 0 8\nd 4 0\ne 0 3\n");
	test_merger_check("a 1\n", "a 1\n", "a 1 1\n");
	test_merger_check("a;b 1\n", "a 2\n", "a 0 2\na;b 1 0\n");
	test_merger_check("a;b 1\na;b;c 2\na;b;d 3\n", "a;a 4\na;b;cc 5\na;b;d 6\nb 7\n",
			  "a;a 0 4\na;b 1 0\na;b;c 2 0\na;b;cc 0 5\na;b;d 3 6\nb 0 7\n");
	test_merger_check("a  3\n", "a 2\n", "a 3 2\n");
	test_merger_check("a 5 1\nz 1\n", "a 5 2\n", "a 5 1 2\nz 1 0\n");
	test_merger_check("a b 1\na;b 2\n", "a b 3\n", "a b 1 3\na;b 2 0\n"); // sorted as bytes
	test_merger_check("a 9223372036854775807\n", "a 0\n", "a 9223372036854775807 0\n");
	test_merger_check("", "a 1\n", "a 0 1\n");
}

static void test_merger_any_order(void **state) {
	(void)state;
	test_merger_check("b 1\na 2", "a 3\n", "a 2 3\nb 1 0\n");
	test_merger_check("b 1\na;b 2\na 3\nb 4\na b 5\na;b 6\n", "b 1\na 1\n",
			  "a 3 1\na b 5 0\na;b 8 0\nb 5 1\n");
	test_merger_check("a\xc3\xa9 1\naz 1\n", "b 1\n", "az 1 0\na\xc3\xa9 1 0\nb 0 1\n");
	test_merger_check("abcdefgh 1\nabcdefghi 2\nabcdefg 3\n", "b 1\n",
			  "abcdefg 3 0\nabcdefgh 1 0\nabcdefghi 2 0\nb 0 1\n");
	test_merger_check("a 1\na;b 2\nc 3\nb 4\na 5\nc 6\nd 7\n", "a ! 1\na 9\n",
			  "a 6 9\na ! 0 1\na;b 2 0\nb 4 0\nc 9 0\nd 7 0\n");
}

/** Very many stacks that differ only in zeros at their ends must not take quadratic time. */
static void test_merger_zeros(void **state) {
	(void)state;
	enum { STACKS = 2000000 }; // with a quadratic sort, this took a quarter of an hour
	struct sort_item *items = mem_new(STACKS, sizeof(*items));
	struct random random = {1};
	for (uint32_t i = 0; i < STACKS; i++) {
		items[i] = (struct sort_item){.bytes = "main;a\0\0",
					      .len = 6 + (uint32_t)random_below(&random, 3),
					      .id = i};
	}
	sort_bytes(items, STACKS);
	for (size_t i = 1; i < STACKS; i++) {
		assert_true(items[i - 1].len <= items[i].len);
		assert_int_equal(sort_common(items, i), items[i - 1].len);
	}
	free(items);
}

/** Merge two texts that do not fit into memory, the second of them sorted. Each text must get the
 * counts that it has alone.
 */
static void test_merger_spills(void **state) {
	(void)state;
	enum { STACKS = 40000 };
	struct buf texts[2] = {{0}}, sorted[2] = {{0}};
	for (unsigned side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < 3 * STACKS; i++) {
			// Reaches each stack.
			uint32_t number = side == 0 ? i * 7919 % STACKS : i / 3;
			buf_printf(&texts[side], "main;%06u;%0200u %u\n", number, number, i % 5);
		}
		struct diag diag = {0};
		// Has enough memory for everything.
		struct merger *merger = merger_new((uint64_t)1 << 30, &diag);
		test_merger_read_text(merger, buf_str(&texts[side]), 1 << 20, 0);
		assert_int_equal(merger_each(merger, test_merger_take, &sorted[side]), 0);
		merger_free(merger);
	}
	struct buf found = test_merger_merge(buf_str(&texts[0]), buf_str(&texts[1]), 1 << 16);
	struct lines lines[2] = {{.rest = buf_str(&sorted[0])}, {.rest = buf_str(&sorted[1])}};
	struct lines all = {.rest = buf_str(&found)};
	struct str line, one;
	for (size_t i = 0; i < STACKS; i++) { // all stacks are in both
		struct folded_line both, before, after;
		assert_true(lines_next(&all, &line));
		assert_int_equal(folded_cut(line, false, &both), FOLDED_STACK);
		assert_true(lines_next(&lines[0], &one));
		assert_int_equal(folded_cut(one, false, &before), FOLDED_STACK);
		assert_true(lines_next(&lines[1], &one));
		assert_int_equal(folded_cut(one, false, &after), FOLDED_STACK);
		assert_true(str_eq(both.stack, before.stack) && str_eq(both.stack, after.stack));
		assert_int_equal(both.before, before.before);
		assert_int_equal(both.count, after.before);
	}
	assert_false(lines_next(&all, &line));
	buf_release(&found);
	for (unsigned side = 0; side < 2; side++) {
		buf_release(&texts[side]);
		buf_release(&sorted[side]);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merger_sides),
		cmocka_unit_test(test_merger_any_order),
		cmocka_unit_test(test_merger_zeros),
		cmocka_unit_test(test_merger_spills),
	};
	return RUN(tests);
}
