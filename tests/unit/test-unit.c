/* Counts in readable units. tests/vectors/units.tsv has examples. */
#include "test.h"

#include "profile/unit.h"

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
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit_largest)};
	return RUN(tests);
}
