/* Sorted folded texts, merged. */
#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "diff/merge.h"

static bool takes(const char *text, uint64_t wanted) {
	uint64_t sum;
	return merge_takes(str_of(text), &sum) && sum == wanted;
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
}

static void test_leaves(void **state) {
	(void)state;
	static const char large[] =
		"a 900000000000000000\nb 900000000000000000\nc 900000000000000000\n"
		"d 900000000000000000\ne 900000000000000000\nf 900000000000000000\n";
	static const char *const texts[] = {
		large,
		"",
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
		"a 9223372036854775807\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		uint64_t sum;
		if (merge_takes(str_of(texts[i]), &sum)) {
			fail_msg("taken: '%s'", texts[i]);
		}
	}
}

static int gather(void *text, const void *bytes, size_t n) {
	buf_add(text, bytes, n);
	return 0;
}

static void check(const char *before, const char *after, bool normalized, const char *wanted) {
	struct change totals;
	struct buf found = {0};
	struct output out;
	assert_true(merge_takes(str_of(before), &totals.before));
	assert_true(merge_takes(str_of(after), &totals.after));
	output_init(&out, gather, &found);
	merge_write(&out, str_of(before), str_of(after), totals, normalized);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
	assert_string_equal(buf_text(&found), wanted);
	buf_release(&found);
}

static void test_merge(void **state) {
	(void)state;
	check("a 1\nb 2\nb 3\nd 4\n", "b 7\nc 8\ne 1\ne 2", false,
	      "a 1 0\nb 5 7\nc 0 8\nd 4 0\ne 0 3\n");
	check("a 1\n", "a 1\n", false, "a 1 1\n");
	check("a;b 1\n", "a 2\n", false, "a 0 2\na;b 1 0\n");
	check("a  3\n", "a 2\n", false, "a 3 2\n");
	check("a 5 1\nz 1\n", "a 5 2\n", false, "a 5 1 2\nz 1 0\n");
	check("a 3\nb 7\n", "a 25\n", true, "a 7 25\nb 17 0\n");
	check("a 0\n", "a 25\n", true, "a 0 25\n");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_takes),
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_merge),
	};
	return RUN(tests);
}
