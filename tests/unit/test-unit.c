/* Counts as people say them: what tests/units.tsv wants. */
#include "test.h"

#include "base/num.h"
#include "profile/unit.h"

static void test_unit_check_text(const char *text, size_t n, struct str want) {
	check_str((struct str){text, n}, want, __FILE__, __LINE__);
}

/** Check a line: unit, count, short, subject, exact. */
static void test_unit_check_line(struct str line) {
	struct str part[5];
	for (size_t i = 0; i < 5; i++) {
		part[i] = str_cut(&line, '\t');
	}
	uint64_t count;
	assert_true(num_parse_u64(part[1], &count));
	char out[UNIT_MAX];
	const struct unit unit = unit_of(part[0]), plain = unit_plain(part[0]);
	test_unit_check_text(out, unit_format(out, &unit, count), part[2]);
	test_unit_check_text(unit.subject.p, unit.subject.n, part[3]);
	test_unit_check_text(out, unit_format_exact(out, &unit, count), part[4]);
	char digits[NUM_GROUPED_MAX];
	size_t n = num_format_grouped(digits, count);
	test_unit_check_text(out, unit_format(out, &plain, count), (struct str){digits, n});
	assert_int_equal(unit_format_exact(out, &plain, count), 0);
}

static void test_unit_vectors(void **state) {
	(void)state;
	FILE *file = fopen(getenv("UNITS"), "r");
	assert_non_null(file);
	char line[256];
	size_t n = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (line[0] != '#') {
			test_unit_check_line(str_to(str_of(line), strcspn(line, "\n")));
			n++;
		}
	}
	(void)fclose(file);
	assert_true(n > 40);
}

static void test_unit_largest(void **state) {
	(void)state;
	static const char *const names[] = {"seconds", "bytes", "cycles", "h", "milliseconds x"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char out[UNIT_MAX];
		const struct unit unit = unit_of(str_of(names[i]));
		for (unsigned shift = 0; shift < 64; shift++) {
			assert_true(unit_format(out, &unit, UINT64_MAX >> shift) < UNIT_MAX);
			assert_true(unit_format_exact(out, &unit, UINT64_MAX >> shift) < UNIT_MAX);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit_vectors),
					   cmocka_unit_test(test_unit_largest)};
	return RUN(tests);
}
