/* Folded texts, merged. */
#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "diff/merge.h"

/** Takes a text in parts of some bytes. */
static bool take(struct merge_side *side, const char *text, size_t part) {
	struct buf read = {0};
	bool taken = true;
	*side = (struct merge_side){0};
	merge_expect(side, 10);
	for (size_t n = strlen(text), at = 0; at < n && taken; at += part) {
		buf_add(&read, text + at, part < n - at ? part : n - at);
		taken = merge_take(side, &read, false);
	}
	taken = taken && merge_take(side, &read, true);
	buf_release(&read);
	return taken;
}

/** Whether a text is taken, in whatever parts. */
static bool takes(const char *text, uint64_t wanted) {
	bool whole = false;
	for (size_t part = strlen(text) + 1; part > 0; part--) {
		struct merge_side side;
		bool taken = take(&side, text, part) && side.sum == wanted;
		merge_release(&side);
		whole = part > strlen(text) ? taken : whole;
		assert_int_equal(taken, whole);
	}
	return whole;
}

static void test_takes(void **state) {
	(void)state;
	assert_true(takes("a 1\n", 1));
	assert_true(takes("a 1\na;b 2\na;b;c 3\nb 4", 10));
	assert_true(takes("a 1\na 2\na 3\n", 6)); // what is there several times is added up
	assert_true(takes("a  1\nb 2\n", 3));     // trimmed
	assert_true(takes("a b 1\na;b 2\n", 3));  // as bytes sort
	assert_true(takes("f\xc3\xa9 1\nf\xc3\xaa 2\n", 3)); // what is shared ends in a character
	assert_true(takes("a 4611686018427387\n", 4611686018427387u));
	assert_true(takes("a 9223372036854775807\n", 9223372036854775807u));
}

static void test_leaves(void **state) {
	(void)state;
	static const char large[] = "a 9000000000000000000\nb 9000000000000000000\n"
				    "c 9000000000000000000\n";
	static const char *const texts[] = {
		large,
		"\n",
		"a\n",
		"a 1\n\n",
		"a 1\n# b 2\n",
		" a 1\n",
		"a 1 \n",
		"a 1\r\n",
		"a\t1\n",
		"a 1.5\n",
		"a -1\n",
		"1\n",
		" 1\n",
		"b 1\na 1\n",
		"a;b 1\na 1\n",
		"a;b 1\na b 2\n",
		"a 12;c 1\na 1\n",
		"a\xff 1\n",
		"f\xc3\xa9 1\nf\xc3\xff 2\n",
		"f\xc3\xa9 1\nf\xc3\xc3\xa9 2\n",
		"a 1\na;\xc3 2\n",
		"a 1\na;z\xc3 2\nb;zzzzzzzz 1\n",
		"a 1\na;\xc3zzzzzzzzzzzzzzzz 2\nb;zzzzzzzz 1\n",
		"a 1\na;bcdefghijklmnopq\xc3 2\n",
		"a 18446744073709551616\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct merge_side side;
		if (take(&side, texts[i], strlen(texts[i]))) {
			fail_msg("taken: '%s'", texts[i]);
		}
		merge_release(&side);
	}
}

static int gather(void *text, const void *bytes, size_t n) {
	buf_add(text, bytes, n);
	return 0;
}

static void check(const char *before, const char *after, bool normalized, const char *wanted) {
	struct merge_side a, b;
	struct buf found = {0};
	struct output out;
	assert_true(take(&a, before, 3));
	assert_true(take(&b, after, strlen(after)));
	output_init(&out, gather, &found);
	merge_write(&out, &a, &b, normalized);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
	assert_string_equal(buf_text(&found), wanted);
	buf_release(&found);
	merge_release(&a);
	merge_release(&b);
}

static void test_merge(void **state) {
	(void)state;
	check("a 1\nb 2\nb 3\nd 4\n", "b 7\nc 8\ne 1\ne 2", false,
	      "a 1 0\nb 5 7\nc 0 8\nd 4 0\ne 0 3\n");
	check("a 1\n", "a 1\n", false, "a 1 1\n");
	check("a;b 1\n", "a 2\n", false, "a 0 2\na;b 1 0\n");
	check("a;b 1\na;b;c 2\na;b;d 3\n", "a;a 4\na;b;cc 5\na;b;d 6\nb 7\n", false,
	      "a;a 0 4\na;b 1 0\na;b;c 2 0\na;b;cc 0 5\na;b;d 3 6\nb 0 7\n");
	check("a  3\n", "a 2\n", false, "a 3 2\n");
	check("a 5 1\nz 1\n", "a 5 2\n", false, "a 5 1 2\nz 1 0\n");
	check("a 3\nb 7\n", "a 25\n", true, "a 7 25\nb 17 0\n");
	check("a 0\n", "a 25\n", true, "a 0 25\n");
}

/** Takes a text in any order, in parts of some bytes and runs of some more. */
static bool take_any(struct merge_side *side, struct str text, size_t part, size_t most) {
	struct merge_any any = {.most = most};
	struct buf read = {0};
	bool taken = true;
	*side = (struct merge_side){0};
	for (size_t at = 0; at < text.n && taken; at += part) {
		buf_add(&read, text.p + at, part < text.n - at ? part : text.n - at);
		taken = merge_take_any(&any, &read, false, side);
	}
	taken = taken && merge_take_any(&any, &read, true, side);
	buf_release(&read);
	merge_release_any(&any);
	return taken;
}

static void check_any(const char *text, const char *wanted) {
	for (size_t part = 1; part <= 10; part += 3) {
		for (size_t most = 1; most <= 40; most += 13) {
			struct merge_side side, none = {0};
			struct buf found = {0};
			struct output out;
			assert_true(take_any(&side, str_of(text), part, most));
			output_init(&out, gather, &found);
			merge_write(&out, &side, &none, false);
			assert_int_equal(output_finish(&out), 0);
			output_release(&out);
			assert_string_equal(buf_text(&found), wanted);
			buf_release(&found);
			merge_release(&side);
		}
	}
}

static void test_any_order(void **state) {
	(void)state;
	struct merge_side side;
	check_any("b 1\na 2", "a 2 0\nb 1 0\n");
	check_any("b 1\na;b 2\na 3\nb 4\na b 5\na;b 6\n", "a 3 0\na b 5 0\na;b 8 0\nb 5 0\n");
	check_any("a\xc3\xa9 1\naz 1\n", "az 1 0\na\xc3\xa9 1 0\n");
	check_any("abcdefgh 1\nabcdefghi 2\nabcdefg 3\n",
		  "abcdefg 3 0\nabcdefgh 1 0\nabcdefghi 2 0\n");
	check_any("a ! 1\na 9\n", "a 9 0\na ! 1 0\n");
	assert_true(take_any(&side, STR(""), 1, 1));
	assert_int_equal(side.lines.n, 0);
	assert_false(take_any(&side, STR("b 1\na\n"), 9, 9));
	assert_false(take_any(&side, STR("b 1\na\0a 1\n"), 20, 9));
	assert_false(take_any(&side, STR("b 1\na\xff 1\n"), 20, 9));
	assert_false(take_any(&side,
			      STR("b 9000000000000000000\na 9000000000000000000\n"
				  "b 900000000000000000\na 900000000000000000\n"),
			      20, 9));
}

/** Text that is sorted at first goes on as one in any order. */
static void test_goes_on(void **state) {
	(void)state;
	static const char text[] = "a 1\na;b 2\nc 3\nb 4\na 5\nc 6\nd 7\n";
	for (size_t part = 1; part < sizeof(text); part++) {
		struct merge_side side = {0}, none = {0};
		struct merge_any any = {.most = 8};
		struct buf read = {0}, found = {0};
		struct output out;
		bool sorted = true;
		for (size_t at = 0; at < strlen(text); at += part) {
			size_t left = strlen(text) - at;
			bool all = left <= part;
			buf_add(&read, text + at, all ? left : part);
			if (sorted && !merge_take(&side, &read, all)) {
				assert_true(side.descends);
				merge_go_on(&any, &side);
				sorted = false;
			}
			assert_true(sorted || merge_take_any(&any, &read, all, &side));
		}
		output_init(&out, gather, &found);
		merge_write(&out, &side, &none, false);
		assert_int_equal(output_finish(&out), 0);
		output_release(&out);
		assert_string_equal(buf_text(&found), "a 6 0\na;b 2 0\nb 4 0\nc 9 0\nd 7 0\n");
		assert_int_equal(side.sum, 28);
		buf_release(&found);
		buf_release(&read);
		merge_release(&side);
		merge_release_any(&any);
	}
}

/** Lines of many lengths that share much. */
static void add_random_lines(struct buf *text, uint64_t *sum) {
	uint32_t random = 1;
	for (size_t line = 0; line < 2000; line++) {
		for (size_t n = random % 40; n > 0; n--) {
			random = random * 1103515245 + 12345;
			buf_add_char(text, "aaaab;"[(random >> 16) % 6]);
		}
		buf_add_char(text, 'x');
		buf_add_char(text, ' ');
		buf_add_u64(text, random >> 24);
		buf_add_char(text, '\n');
		*sum += random >> 24;
		random = random * 1103515245 + 12345;
	}
}

static void test_random_order(void **state) {
	(void)state;
	struct buf text = {0};
	uint64_t sum = 0;
	add_random_lines(&text, &sum);
	for (size_t most = 100; most < 200000; most *= 10) {
		struct merge_side side; // what is not in order is not taken
		assert_true(take_any(&side, buf_str(&text), most, most));
		assert_int_equal(side.sum, sum);
		merge_release(&side);
	}
	buf_release(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_takes),        cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_merge),        cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_random_order), cmocka_unit_test(test_goes_on),
	};
	return RUN(tests);
}
