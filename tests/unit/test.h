/** The first include of every unit test: cmocka, the headers that cmocka needs, output as TAP, and
 * a few more assertions. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"

#include "../random.h"

static inline void check_str(struct str got, struct str expected, const char *file, int line) {
	if (!str_eq(got, expected)) {
		print_error("expected '%.*s', got '%.*s'\n", (int)expected.n, expected.p,
			    (int)got.n, got.p);
		_fail(file, line);
	}
}

/** Assert that a slice has exactly these bytes. A variable ends at its NUL, but a literal may
 * contain NUL bytes. */
#define assert_str(got, expected) check_str((got), str_of(expected), __FILE__, __LINE__)
#define assert_bytes(got, literal) check_str((got), STR(literal), __FILE__, __LINE__)

/** Assert that a text contains another one. */
static inline void check_has(const char *text, const char *part, const char *file, int line) {
	if (strstr(text, part) == NULL) {
		print_error("expected '%s' in '%s'\n", part, text);
		_fail(file, line);
	}
}
#define assert_has(text, part) check_has((text), (part), __FILE__, __LINE__)

#define RUN(tests) \
	(cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, NULL, NULL))
