/* Names and the room for them. */
#include "test.h"

#include "base/utf8.h"
#include "picture/label.h"

/** A row: a name, and what is left of it in so many characters. */
static const struct test_label_row {
	const char *name;
	size_t room;
	const char *label;
} rows[] = {
	{"main", 4, "main"},
	{"main", 3, "ma\u2026"},
	// Arguments go first.
	{"std::sort<int*>(int*, int*)", 27, "std::sort<int*>(int*, int*)"},
	{"std::sort<int*>(int*, int*)", 26, "std::sort"},
	{"foo<bar(baz)>::run(a<b>) const", 29, "foo::run"},
	{"f(int) [clone .isra.0]", 20, "f"},
	{"very_long_name.constprop.0", 16, "very_long_name"},
	{"__libc_start_main@@GLIBC_2.34", 20, "__libc_start_main"},
	{"read_file (tools/read.py:12)", 20, "read_file"},
	{"load /srv/app/main.js:3:14", 20, "load"},
	// Text in brackets is a name unless it follows one.
	{"<alloc::vec::Vec<T> as Drop>::drop", 33, "<alloc::vec::Vec as Drop>::drop"},
	{"<alloc::vec::Vec<T> as Drop>::drop", 20, "drop"},
	{"(anonymous namespace)::run(int)", 30, "(anonymous namespace)::run"},
	{"void (anonymous namespace)::run(int)", 31, "void (anonymous namespace)::run"},
	{"void (anonymous namespace)::run(int)", 26, "(anonymous namespace)::run"},
	{"net/http.(*conn).serve", 21, "http.(*conn).serve"},
	{"net/http.(*conn).serve", 15, "(*conn).serve"},
	{"net/http.(*conn).serve", 10, "serve"},
	// The brackets of operators are no brackets, and their slash is part of them.
	{"list::operator<(list const&)", 20, "list::operator<"},
	{"list::operator<<(list const&)", 12, "operator<<"},
	{"call::operator()(int)", 20, "call::operator()"},
	{"path::operator/(path const&)", 12, "operator/"},
	{"list::operator->(int)", 18, "list::operator->"},
	{"next(a->b)::go(x)", 16, "next::go"},
	{"next<a->b>::go(x)", 16, "next::go"},
	// Then leading parts, as many as have to.
	{"io/netty/channel/Handler.read", 28, "netty/channel/Handler.read"},
	{"io/netty/channel/Handler.read", 12, "Handler.read"},
	{"io/netty/channel/Handler.read", 11, "read"},
	{"core::iter::map::fold", 20, "iter::map::fold"},
	{"void std::sort<int>(int)", 12, "std::sort"},
	{"libfoo`parse_all", 10, "parse_all"},
	{"/usr/lib/libc.so.6", 10, "libc.so.6"},
	{"/srv/app/main.py", 10, "main.py"},
	{"Foo::Bar#baz", 8, "Bar#baz"},
	{"{closure#0}::run", 12, "run"},
	// Words that are left of a part tell names with the same end apart.
	{"io/netty/channel/AbstractChannelHandlerContext:.flush", 29,
	 "\u2026ChannelHandlerContext:.flush"},
	{"io/netty/channel/AbstractChannelHandlerContext:.flush", 28,
	 "\u2026HandlerContext:.flush"},
	{"io/netty/channel/AbstractChannelHandlerContext:.flush", 13, "flush"},
	{"core::slice_iter::next", 12, "\u2026iter::next"},
	{"aB::c", 4, "c"},
	// Then the end.
	{"core::iter::flatten", 5, "flat\u2026"},
	{"[libpthread.so]", 6, "[libp\u2026"},
	{"\u4e2d\u6587\u540d\u5b57", 3, "\u4e2d\u6587\u2026"},
	// What does not look like a name is cut.
	{"<<<<<<<<", 4, "<<<\u2026"},
	{"a))))>>>>", 4, "a))\u2026"},
	{"::::::::", 4, ":::\u2026"},
	{"(((((((())))))))", 5, "((((\u2026"},
};

static void test_label_what_is_left_of_a_name(void **state) {
	(void)state;
	struct buf buf = {0};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str label = label_shorten(str_of(rows[i].name), rows[i].room, &buf);
		if (!str_eq(label, str_of(rows[i].label))) {
			fail_msg("%s in %zu: %.*s instead of %s", rows[i].name, rows[i].room,
				 (int)label.n, label.p, rows[i].label);
		}
	}
	buf_release(&buf);
}

/** Whatever the name, the label fits, is well-formed, and is something, but not just an ellipsis.
 */
static void test_label_any_name_fits(void **state) {
	(void)state;
	static const char *const parts[] = {"a",        "::",     "(", ")", "<",      ">",
					    "operator", "->",     "/", ".", " ",      "{",
					    "}",        "\u4e2d", "[", "]", " const", "bc"};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]), ROUNDS = 20000 };
	struct random random = {1};
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < ROUNDS; i++) {
		buf_clear(&name);
		for (uint64_t n = 1 + random_next(&random) % 30; n > 0; n--) {
			buf_add_text(&name, parts[random_next(&random) % PARTS]);
		}
		size_t room = 3 + (size_t)(random_next(&random) % 20);
		struct str label = label_shorten(buf_str(&name), room, &buf);
		assert_true(label.n > 0);
		assert_true(utf8_valid(label));
		assert_true(utf8_count(label) <= room);
		assert_false(str_eq(label, STR("\u2026")));
	}
	buf_release(&name);
	buf_release(&buf);
}

static void test_label_brackets_may_be_deep(void **state) {
	(void)state;
	enum { DEEP = 200 };
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < DEEP; i++) {
		buf_add_text(&name, "f(");
	}
	for (size_t i = 0; i < DEEP; i++) {
		buf_add_char(&name, ')');
	}
	assert_int_equal(utf8_count(label_shorten(buf_str(&name), 5, &buf)), 5);
	buf_release(&name);
	buf_release(&buf);
}

static void test_label_a_long_name_is_cut(void **state) {
	(void)state;
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < 100000; i++) {
		buf_add_text(&name, "a::<(");
	}
	assert_true(str_eq(label_shorten(buf_str(&name), 5, &buf), STR("a::<\u2026")));
	buf_release(&name);
	buf_release(&buf);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label_what_is_left_of_a_name),
		cmocka_unit_test(test_label_any_name_fits),
		cmocka_unit_test(test_label_brackets_may_be_deep),
		cmocka_unit_test(test_label_a_long_name_is_cut),
	};
	return RUN(tests);
}
