/* Names of functions: repairs and cuts. */
#include "test.h"

#include "profile/symbol.h"

#define HASH "h0123456789abcdef"

struct pair {
	const char *from, *to;
};

static void test_symbol_check_repair(const char *from, const char *to) {
	struct buf scratch = {0};
	assert_str(symbol_repair_rust(str_of(from), &scratch), to);
	buf_release(&scratch);
}

static void test_symbol_rust_names(void **state) {
	(void)state;
	static const struct pair pairs[] = {
		// without a hash nothing changes
		{"", ""},
		{"main", "main"},
		{"a..b$LT$c", "a..b$LT$c"},
		{"h0123456789abcde", "h0123456789abcde"},
		{"a::h0123456789abcdeg", "a::h0123456789abcdeg"},
		{"a::H0123456789abcdef", "a::H0123456789abcdef"},
		{"_ZN3foo3bar17h0123456789abcdefE", "_ZN3foo3bar17h0123456789abcdefE"},
		{"\xc3\xa9"
		 "0123456789abcdef",
		 "\xc3\xa9"
		 "0123456789abcdef"},
		{"\xc3\xa9h123456789abcdef", "\xc3\xa9h123456789abcdef"},
		// the hash is cut off, and one `::` before it
		{HASH, ""},
		{"a" HASH, "a"},
		{"a::" HASH, "a"},
		{"a::::" HASH, "a::"},
		{"a::hABCDEF0123456789", "a"},
		{"\xc3\xa9::" HASH, "\xc3\xa9"},
		// one `_` before a `$` at the start is cut off
		{"_$LT$a..B$u20$as$u20$c..D$GT$::e::" HASH, "<a::B as c::D>::e"},
		{"x::_$u7b$$u7b$closure$u7d$$u7d$::" HASH, "x::_{{closure}}"},
		{"__$LT$::" HASH, "__<"},
		// two dots become `::`
		{"a.b..c...d....e::" HASH, "a.b::c::.d::::e"},
		{"a.llvm.123::" HASH, "a.llvm.123"},
		// an unknown escape ends the work
		{"a$LT$b$XX$c..d$GT$::" HASH, "a<b$XX$c..d$GT$"},
		{"a$LT$b$u7a$c..d::" HASH, "a<b$u7a$c..d"},
		{"a$::" HASH, "a$"},
		{"a$LT::" HASH, "a$LT"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		test_symbol_check_repair(pairs[i].from, pairs[i].to);
	}
}

static void test_symbol_every_rust_escape(void **state) {
	(void)state;
	static const struct pair escapes[] = {
		{"SP", "@"},  {"BP", "*"},  {"RF", "&"},  {"LT", "<"},  {"GT", ">"},
		{"LP", "("},  {"RP", ")"},  {"C", ","},   {"u7e", "~"}, {"u20", " "},
		{"u27", "'"}, {"u3d", "="}, {"u5b", "["}, {"u5d", "]"}, {"u7b", "{"},
		{"u7d", "}"}, {"u3b", ";"}, {"u2b", "+"}, {"u21", "!"}, {"u22", "\""},
	};
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		char from[64], to[8];
		snprintf(from, sizeof(from), "x$%s$y::" HASH, escapes[i].from);
		snprintf(to, sizeof(to), "x%sy", escapes[i].to);
		test_symbol_check_repair(from, to);
	}
}

static void test_symbol_offsets(void **state) {
	(void)state;
	static const struct pair pairs[] = {
		{"f+0x1a", "f"},        {"f+0x", "f"},  {"f+0x1g", "f+0x1g"},
		{"f+0x1+0x2", "f+0x1"}, {"f+1", "f+1"}, {"f+0xAF", "f"},
		{"+0x1", ""},           {"", ""},       {"operator+0x4", "operator"},
		{"f+0x1 ", "f+0x1 "},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_str(symbol_cut_offset(str_of(pairs[i].from)), pairs[i].to);
	}
}

static void test_symbol_arguments(void **state) {
	(void)state;
	static const struct pair pairs[] = {
		{"", ""},
		{"f", "f"},
		{"f(int)", "f"},
		{"a<f(int)>::g(char) const", "a<f(int)>::g"},
		{"f<void (int)>::g", "f<void (int)>::g"},
		{"{lambda(int)#2}::operator()", "{lambda(int)#2}::operator"},
		{"x::operator()(int) const", "x::operator"},
		{"net/http.(*Conn).Do", "net/http.(*Conn).Do"},
		{"net/http.(*Conn).Do(x)", "net/http.(*Conn).Do"},
		{"main.main.func1.(x)", "main.main.func1.(x)"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"a::(anonymous namespace)::f(b::(anonymous namespace)::c)",
		 "a::(anonymous namespace)::f"},
		{"(x)", ""},
		{"f[abi:cxx11](int)", "f[abi:cxx11]"},
		// operators whose names look like brackets or arrows
		{"ns::operator<(A, B)", "ns::operator<"},
		{"ns::operator>(A, B)", "ns::operator>"},
		{"ns::operator<<(A, B)", "ns::operator<<"},
		{"ns::operator>>=(A, B)", "ns::operator>>="},
		{"ns::operator<=>(A, B)", "ns::operator<=>"},
		{"S<T>::operator->() const", "S<T>::operator->"},
		{"S<T>::operator->*() const", "S<T>::operator->*"},
		{"operator< <int>(A)", "operator< <int>"},
		{"operator<< <int>(A)", "operator<< <int>"},
		{"S::operator bool() const", "S::operator bool"},
		{"S::operator[](int)", "S::operator[]"},
		{"std::vector<X, std::less<X>>::operator=(X)",
		 "std::vector<X, std::less<X>>::operator="},
		{"myoperator<int>(A)", "myoperator<int>"},
		{"my_operator<int>(A)", "my_operator<int>"},
		{"F<fn() -> B>::c(x)", "F<fn() -> B>::c"},
		// one closing bracket too many, so the depth is never 0 again
		{"a>f(int)", "a>f(int)"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_str(symbol_cut_arguments(str_of(pairs[i].from)), pairs[i].to);
	}
}

/** Check the pieces of a name. `expected` has them joined by `|`. */
static void test_symbol_check_pieces(const char *name, const char *expected) {
	struct str rest = str_of(name), piece;
	struct buf out = {0};
	bool more = true;
	for (bool first = true; symbol_next_inlined(&rest, &more, &piece); first = false) {
		buf_add_text(&out, first ? "" : "|");
		buf_add_str(&out, piece);
	}
	assert_str(buf_str(&out), expected);
	buf_release(&out);
}

static void test_symbol_arrows(void **state) {
	(void)state;
	static const struct pair pairs[] = {
		{"", ""},
		{"a", "a"},
		{"a->b->c", "a|b|c"},
		{"a->", "a|"},
		{"->a", "|a"},
		{"a->->b", "a||b"},
		{"-", "-"},
		{"a-", "a-"},
		{"Lx/Y;::f->Lx/Z;::g", "Lx/Y;::f|Lx/Z;::g"},
		{"f(int)->g(int)", "f(int)|g(int)"},
		{"S<T>::operator->() const", "S<T>::operator->() const"},
		{"S::operator->", "S::operator->"},
		{"S::operator->->b", "S::operator->|b"},
		{"S::operator->*(x)->b", "S::operator->*(x)|b"},
		{"F<fn() -> B>::c", "F<fn() -> B>::c"},
		{"F<fn() -> B>::c->d", "F<fn() -> B>::c|d"},
		{"{closure() -> x}->y", "{closure() -> x}|y"},
		{"operator<->b", "operator<|b"},
		{"cooperator->b", "cooperator|b"},
		{"a>->b", "a>|b"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		test_symbol_check_pieces(pairs[i].from, pairs[i].to);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbol_rust_names),
		cmocka_unit_test(test_symbol_every_rust_escape),
		cmocka_unit_test(test_symbol_offsets),
		cmocka_unit_test(test_symbol_arguments),
		cmocka_unit_test(test_symbol_arrows),
	};
	return RUN(tests);
}
