/* A counted set of stacks, compared with a plain implementation that sorts text. */
#include "test.h"

#include "profile/folded.h"

static uint32_t test_profile_frame(struct profile *profile, const char *name) {
	return profile_frame(profile, str_of(name));
}

/** Add a stack, given as text. */
static void test_profile_add(struct profile *profile, const char *text, uint64_t count) {
	struct str rest = str_of(text);
	uint32_t ids[64];
	size_t depth = 0;
	for (bool more = true; more;) {
		more = str_find(rest, ';') != STR_NONE;
		ids[depth++] = profile_frame(profile, str_cut(&rest, ';'));
	}
	profile_add(profile, ids, depth, count);
}

static int test_profile_collect(void *context, const void *bytes, size_t len) {
	buf_add(context, bytes, len);
	return 0;
}

static void test_profile_write_to(struct profile *profile, struct buf *text, bool keeps_stacks) {
	struct output out;
	output_init(&out, test_profile_collect, text);
	folded_write(profile, &out, keeps_stacks);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
}

static void test_profile_check_written(struct profile *profile, const char *expected) {
	for (int keeps_stacks = 1; keeps_stacks >= 0; keeps_stacks--) {
		struct buf text = {0};
		test_profile_write_to(profile, &text, keeps_stacks == 1);
		assert_str(buf_str(&text), expected);
		buf_release(&text);
	}
	profile_release(profile);
}

static void test_profile_nothing(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	test_profile_check_written(&profile, "");
	profile_release(&profile);
}

static void test_profile_equal_stacks_are_added(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	test_profile_add(&profile, "b;c", 1);
	test_profile_add(&profile, "a", 0);
	test_profile_add(&profile, "b;c", 41);
	test_profile_add(&profile, "b", 7);
	test_profile_check_written(&profile, "a 0\nb 7\nb;c 42\n");
}

/** A name that would have another meaning at the end of a folded stack is changed everywhere. */
static void test_profile_names_like_counts(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	test_profile_add(&profile, "f 12;g 3;h", 1);
	test_profile_add(&profile, "a;f 12", 2);
	test_profile_add(&profile, "v 1.5", 3);
	test_profile_add(&profile, "v 1.2.3", 4);
	test_profile_add(&profile, "7", 5);
	test_profile_add(&profile, "x 12.", 6);
	test_profile_add(&profile, "# 8", 7);
	test_profile_add(&profile, "# i 9", 8);
	test_profile_add(&profile, "# j;# k", 9);
	test_profile_add(&profile, "tab\t5", 10);
	test_profile_add(&profile, "line\n5", 11);
	test_profile_check_written(
		&profile, "#_8 7\n#_i_9 8\n#_j;# k 9\n7 5\na;f_12 2\nf_12;g 3;h 1\nline_5 11\n"
			  "tab_5 10\nv 1.2.3 4\nv_1.5 3\nx_12. 6\n");
}

/**
 * Add stacks of `first` to `last` frames. Each stack is the previous stack with a further frame.
 */
static void test_profile_add_deeper_and_deeper(struct profile *profile, size_t first, size_t last) {
	uint32_t ids[] = {profile_frame(profile, STR("a")), profile_frame(profile, STR("a b"))};
	struct ids stack = {0};
	for (size_t depth = 1; depth <= last; depth++) {
		ids_push(&stack, ids[depth % 3 == 0]);
		if (depth >= first) {
			profile_add(profile, stack.items, depth, depth);
		}
	}
	ids_release(&stack);
}

/** If there are very many deep stacks, only the first stacks are kept as rows; all other stacks
 * become calls. */
static void test_profile_many_deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3300, TWICE = 200 };
	struct profile profile, other;
	profile_init(&profile, PROFILE_STACKS);
	profile_init(&other, PROFILE_STACKS);
	test_profile_add_deeper_and_deeper(&profile, 1, DEPTH);
	test_profile_add_deeper_and_deeper(&other, TWICE, DEPTH);
	profile_merge(&profile, &other);
	struct buf expected = {0}, stack = {0};
	for (unsigned depth = 1; depth <= DEPTH; depth++) {
		buf_add_text(&stack, depth == 1 ? "" : ";");
		buf_add_text(&stack, depth % 3 == 0 ? "a b" : "a");
		buf_add_str(&expected, buf_str(&stack));
		buf_printf(&expected, " %u\n", depth * (depth < TWICE ? 1 : 2));
	}
	test_profile_check_written(&profile, buf_text(&expected));
	buf_release(&expected);
	buf_release(&stack);
	profile_release(&other);
}

/** Write stacks of the first and the last of many names, whose ids and ranks take more bytes. */
static void test_profile_many_names(void **state) {
	(void)state;
	static const uint32_t numbers[] = {30000, 40000, 70000};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct profile profile;
		uint32_t first = 0, last = 0;
		char name[16];
		profile_init(&profile, PROFILE_STACKS);
		for (uint32_t n = 0; n < numbers[i]; n++) {
			(void)snprintf(name, sizeof(name), n + 1 == numbers[i] ? "z" : "n%u", n);
			last = test_profile_frame(&profile, name);
			first = n == 0 ? last : first;
		}
		const uint32_t stacks[][3] = {
			{last, first, first}, {first, last, first}, {first, first, last}};
		for (uint64_t n = 0; n < 6; n++) {
			profile_add(&profile, stacks[n % 3], (size_t)(1 + n % 3), n + 1);
		}
		profile_add(&profile, stacks[1], 1, 100);
		test_profile_check_written(&profile, "n0 100\nn0;n0;z 9\nn0;z 7\nz 5\n");
	}
}

static void test_profile_text_order(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	static const char *const sorted[] = {"b",   "b c",   "b c;a",       "b!",
					     "b;d", "b;d f", "b;d;e",       "b<x>",
					     "bc",  "b\x7f", "b\xc3\xa9;a", "b\xc3\xa9z"};
	enum { N = sizeof(sorted) / sizeof(sorted[0]) };
	struct buf expected = {0};
	for (size_t i = 0; i < N; i++) {
		test_profile_add(&profile, sorted[N - 1 - i], 1);
		buf_printf(&expected, "%s 1\n", sorted[i]);
	}
	test_profile_check_written(&profile, buf_text(&expected));
	buf_release(&expected);
}

static void test_profile_check_frames(struct profile *profile, size_t row, const char *expected) {
	struct buf text = {0};
	for (size_t d = 0; d < profile->timeline.rows[row].depth; d++) {
		buf_add_text(&text, d > 0 ? ";" : "");
		buf_add_str(&text, profile_name(profile, profile->timeline.rows[row].ids[d]));
	}
	assert_str(buf_str(&text), expected);
	buf_release(&text);
}

static void test_profile_arrival_order(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_TIMELINE);
	test_profile_add(&profile, "b", 1);
	test_profile_add(&profile, "a", 2);
	test_profile_add(&profile, "b", 3);
	uint32_t id = test_profile_frame(&profile, "c");
	profile_add_line(
		&profile,
		(struct stack_row){
			.ids = &id, .depth = 1, .before = 4, .count = 5, .two_counts = true},
		0);
	id = 0; // the name was copied
	profile_finish(&profile);
	assert_int_equal(profile.timeline.n, 4);
	test_profile_check_frames(&profile, 0, "b");
	test_profile_check_frames(&profile, 1, "a");
	test_profile_check_frames(&profile, 2, "b");
	test_profile_check_frames(&profile, 3, "c");
	assert_int_equal(profile.timeline.rows[2].count, 3);
	assert_false(profile.timeline.rows[2].two_counts);
	assert_true(profile.timeline.rows[3].two_counts);
	assert_int_equal(profile.timeline.rows[3].before, 4);
	assert_int_equal(profile.timeline.rows[3].count, 5);
	profile_release(&profile);
}

static void test_profile_odd_names(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	uint32_t ids[] = {profile_frame(&profile, STR("a\nb")), profile_frame(&profile, STR("")),
			  profile_frame(&profile, STR("x\0y"))};
	assert_int_equal(ids[0], test_profile_frame(&profile, "a b"));
	profile_add(&profile, ids, 3, 1);
	profile_add(&profile, ids, 0, 2); // an empty stack
	struct buf text = {0};
	test_profile_write_to(&profile, &text, false);
	assert_bytes(buf_str(&text), " 2\na b;;x\0y 1\n");
	buf_release(&text);
	profile_release(&profile);
}

/**
 * In text, a name with a `;` is read as two frames, so it must be the same stack as these two
 * frames.
 */
static void test_profile_names_with_a_separator(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	uint32_t joined[] = {test_profile_frame(&profile, "a;b"),
			     test_profile_frame(&profile, "c")};
	uint32_t apart[] = {test_profile_frame(&profile, "a"), test_profile_frame(&profile, "b;c")};
	profile_add(&profile, joined, 2, 1);
	profile_add(&profile, apart, 2, 2);
	test_profile_add(&profile, "a;b;c", 4);
	test_profile_add(&profile, "a;b ", 8);
	struct profile all;
	profile_init(&all, PROFILE_STACKS);
	profile_merge(&all, &profile);
	test_profile_check_written(&profile, "a;b  8\na;b;c 7\n");
	test_profile_check_written(&all, "a;b  8\na;b;c 7\n");
}

static void test_profile_overflow(void **state) {
	(void)state;
	struct profile profile, other;
	profile_init(&profile, PROFILE_STACKS);
	profile_init(&other, PROFILE_STACKS);
	test_profile_add(&profile, "a", UINT64_MAX);
	test_profile_add(&profile, "b", 1);
	assert_false(profile.overflow);
	test_profile_add(&other, "a", 1);
	assert_false(other.overflow);
	profile_merge(&profile, &other);
	assert_true(profile.overflow);
	test_profile_add(&other, "a", UINT64_MAX);
	profile_settle(&other);
	assert_true(other.overflow);
	profile_release(&profile);
	profile_init(&profile, PROFILE_STACKS);
	profile_merge(&profile, &other);
	assert_true(profile.overflow);
	profile_release(&profile);
	profile_release(&other);
}

/* --- Comparison with a plain implementation -------------------------------------------------- */

struct test_profile_plain {
	struct buf text;
	uint64_t count;
};

static int test_profile_compare_plain(const void *a, const void *b) {
	const struct test_profile_plain *x = a, *y = b;
	return str_compare(buf_str(&x->text), buf_str(&y->text));
}

static const char *const words[] = {
	"b",   "b c", "b d", "",     "a",        "a!",  "ab",
	"abc", " ",   "b;a", "\x01", "\xc3\xa9", "a b", "\xf0\x9f\x98\x80",
	"c"};
enum { WORDS = sizeof(words) / sizeof(words[0]), MOST_DEPTH = 12 };

/** Make a random stack: its ids in `stacks`, and its text. */
static size_t test_profile_random_stack(struct random *random, struct profile *profile,
					uint32_t *ids, struct buf *text) {
	size_t depth = random_below(random, MOST_DEPTH) + 1,
	       kinds = random_below(random, WORDS) + 1;
	for (size_t d = 0; d < depth; d++) {
		const char *word = words[random_below(random, kinds)];
		ids[d] = test_profile_frame(profile, word);
		buf_add_text(text, d > 0 ? ";" : "");
		buf_add_text(text, word);
	}
	return depth;
}

/** Check random stacks, spread over some parts that are then merged. */
static void test_profile_check_against_plain(size_t n, uint64_t seed, size_t parts) {
	struct random random = {seed};
	struct profile profile[4];
	struct test_profile_plain *plain = mem_new(n + 1, sizeof(*plain));
	for (size_t p = 0; p < parts; p++) {
		profile_init(&profile[p], PROFILE_STACKS);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t ids[MOST_DEPTH];
		struct profile *part = &profile[random_below(&random, parts)];
		size_t depth = test_profile_random_stack(&random, part, ids, &plain[i].text);
		plain[i].count = random_below(&random, 1000);
		profile_add(part, ids, depth, plain[i].count);
	}
	for (size_t p = 1; p < parts; p++) {
		profile_merge(&profile[0], &profile[p]);
		profile_release(&profile[p]);
	}
	qsort(plain, n, sizeof(*plain), test_profile_compare_plain);
	struct buf expected = {0}, got = {0};
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && test_profile_compare_plain(&plain[i], &plain[i + 1]) == 0) {
			plain[i + 1].count += plain[i].count;
		} else {
			buf_add_str(&expected, buf_str(&plain[i].text));
			buf_printf(&expected, " %llu\n", (unsigned long long)plain[i].count);
		}
	}
	test_profile_write_to(&profile[0], &got, false);
	assert_true(str_eq(buf_str(&got), buf_str(&expected)));
	for (size_t i = 0; i < n; i++) {
		buf_release(&plain[i].text);
	}
	free(plain);
	buf_release(&expected);
	buf_release(&got);
	profile_release(&profile[0]);
}

static void test_profile_random_stacks(void **state) {
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		test_profile_check_against_plain((size_t)seed, seed, (size_t)(seed % 4 + 1));
	}
	test_profile_check_against_plain(30000, 99, 1);
	test_profile_check_against_plain(30000, 100, 3);
}

/** Stacks of thousands of frames, each a prefix of the next: sorting must not recurse that far. */
static void test_profile_deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3000 };
	uint32_t ids[DEPTH];
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	for (size_t d = 0; d < DEPTH; d++) {
		ids[d] = test_profile_frame(&profile, "f");
	}
	for (size_t d = DEPTH; d > 0; d--) {
		profile_add(&profile, ids, d, d);
	}
	struct buf text = {0};
	test_profile_write_to(&profile, &text, false);
	struct str line, all = buf_str(&text);
	for (size_t d = 1; d <= DEPTH; d++) {
		line = str_cut(&all, '\n');
		assert_int_equal(line.p[2 * d - 1], ' ');
	}
	assert_int_equal(all.n, 0);
	buf_release(&text);
	profile_release(&profile);
}

/** If samples were added one by one, the count of one sample is known: it is their mean, weighted
 * by count. */
static void test_profile_samples_added_one_by_one(void **state) {
	(void)state;
	struct profile profile, more;
	profile_init(&profile, PROFILE_STACKS);
	profile_init(&more, PROFILE_STACKS);
	for (size_t i = 0; i < 50; i++) {
		test_profile_add(&profile, "a;b", 100);
		test_profile_add(&more, i % 2 == 0 ? "a;b" : "c", 100);
	}
	profile_merge(&profile, &more);
	profile.by_sample = true;
	assert_true(profile_sample(&profile, 100 * 100) == 100);
	test_profile_add(&profile, "c", 10000); // half of all counts in one stack
	assert_true(profile_sample(&profile, 20000) == 5050);
	assert_true(profile_sample(&profile, 0) == 1);
	profile_release(&profile);
	profile_release(&more);
}

static void test_profile_what_is_counted_must_be_one_thing(void **state) {
	(void)state;
	static const struct {
		const char *said[3], *known;
	} cases[] = {
		{{NULL}, ""},
		{{"cycles"}, "cycles"},
		{{"cycles", "cycles"}, "cycles"},
		{{"cycles", "bytes", "bytes"}, ""},
		{{"", "bytes"}, ""},
		{{"bytes", "", "bytes"}, ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct profile profile;
		profile_init(&profile, PROFILE_STACKS);
		for (size_t j = 0; j < 3 && cases[i].said[j] != NULL; j++) {
			profile_count_in(&profile, str_of(cases[i].said[j]));
		}
		assert_str(buf_str(&profile.unit), cases[i].known);
		profile_release(&profile);
	}
}

/** Add a stack with a count of bytes and a number of objects. */
static void test_profile_add_both(struct profile *profile, const char *text, uint64_t bytes,
				  uint64_t objects) {
	profile_next_value(profile, STR("objects"), STR("count"), objects);
	profile_next_value(profile, STR("space"), STR("bytes"), bytes);
	test_profile_add(profile, text, bytes);
}

/** Return the count of the stack with this id in a column. */
static uint64_t test_profile_value(const struct profile *profile, size_t column, uint32_t stack) {
	const struct value_column *values = &profile->values->columns[column];
	return stack < values->n ? values->counts[stack] : 0;
}

static void test_profile_several_values(void **state) {
	(void)state;
	struct profile profile, other;
	profile_init(&profile, PROFILE_STACKS);
	assert_false(profile_wants_values(&profile));
	profile_ask_values(&profile);
	profile_init_like(&other, &profile);
	test_profile_add_both(&profile, "a;b", 100, 1);
	test_profile_add_both(&profile, "c", 30, 2);
	test_profile_add_both(&profile, "a;b", 200, 4);
	test_profile_add(&profile, "d", 7); // a stack from an input with one value
	test_profile_add_both(&other, "e", 1000, 8);
	test_profile_add_both(&other, "c", 10000, 16);
	profile_merge(&profile, &other);
	profile_release(&other);
	assert_int_equal(profile.values->n, 2);
	const struct value_column *columns = profile.values->columns;
	assert_str(buf_str(&columns[0].name), "objects");
	assert_str(buf_str(&columns[1].unit), "bytes");
	assert_int_equal(columns[0].sum, 31);
	assert_int_equal(columns[1].sum, 11330);
	const uint64_t objects[] = {5, 18, 0, 8}, bytes[] = {300, 10030, 0, 1000};
	for (uint32_t i = 0; i < 4; i++) { // a;b, c, d, e
		assert_int_equal(test_profile_value(&profile, 0, i), objects[i]);
		assert_int_equal(test_profile_value(&profile, 1, i), bytes[i]);
	}
	assert_false(profile.values->partial);
	test_profile_check_written(&profile, "a;b 300\nc 10030\nd 7\ne 1000\n");
}

/** Leave out stacks of one frame. */
static bool test_profile_leave_out_short(void *context, struct ids *stack) {
	(void)context;
	bool kept = stack->n > 1;
	stack->n = kept ? 1 : stack->n;
	return kept;
}

static void test_profile_values_of_changed_stacks(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_values(&profile);
	test_profile_add_both(&profile, "short", 1, 1);
	test_profile_add_both(&profile, "a;b", 10, 2);
	test_profile_add_both(&profile, "a;c", 100, 4);
	profile_change_stacks(&profile, test_profile_leave_out_short, NULL);
	assert_int_equal(profile.values->columns[0].sum, 6);
	assert_int_equal(test_profile_value(&profile, 0, 0), 6);
	assert_int_equal(test_profile_value(&profile, 1, 0), 110);
	test_profile_check_written(&profile, "a 110\n");
}

static void test_profile_values_of_calls(void **state) {
	(void)state;
	struct profile profile;
	uint64_t sum;
	profile_init(&profile, PROFILE_CALLS);
	profile_ask_values(&profile);
	test_profile_add_both(&profile, "a;b", 10, 2);
	test_profile_add_both(&profile, "a", UINT64_MAX - 10, 1);
	profile_make_calls(&profile, NULL, NULL);
	assert_true(profile_sum(&profile, &sum));
	assert_int_equal(profile.calls.items[profile.calls.ends[0]].count, 10);
	profile_release(&profile);

	profile_init(&profile, PROFILE_STACKS);
	profile_ask_values(&profile);
	test_profile_add_both(&profile, "a", 1, 1);
	test_profile_add_both(&profile, "b", 1, UINT64_MAX);
	profile_make_calls(&profile, NULL, NULL);
	assert_false(profile_sum(&profile, &sum)); // the objects do not fit
	profile_release(&profile);

	profile_init(&profile, PROFILE_TIMELINE);
	profile_ask_values(&profile);
	assert_false(profile_wants_values(&profile));
	profile_release(&profile);
}

static bool test_profile_check_plain(struct str text, bool one_count) {
	struct str stack;
	uint64_t count;
	struct folded_line line = {0};
	if (!folded_cut_plain(text, one_count, &stack, &count)) {
		return false;
	}
	assert_int_equal(folded_cut(text, one_count, &line), FOLDED_STACK);
	assert_int_equal(line.stack.n, stack.n);
	assert_int_equal(line.count, count);
	assert_false(line.two_counts || line.fraction);
	return true;
}

/** A name may end in a number with a sign: it is not the count of an earlier profile. */
static void test_profile_signed_counts(void **state) {
	(void)state;
	static const char *const parts[] = {"a", ";", " ", "\t", "+3", "-", ".", "05", " 7"};
	struct random random = {5};
	size_t plain = 0;
	assert_true(test_profile_check_plain(STR("a +3 5"), false));
	for (size_t i = 0; i < 100000; i++) {
		struct buf text = {0};
		for (size_t n = random_below(&random, 7) + 1; n > 0; n--) {
			buf_add_text(&text, parts[random_below(&random, 9)]);
		}
		plain += test_profile_check_plain(buf_str(&text), i % 2 == 0);
		buf_release(&text);
	}
	assert_in_range(plain, 1000, 50000);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profile_nothing),
		cmocka_unit_test(test_profile_equal_stacks_are_added),
		cmocka_unit_test(test_profile_names_like_counts),
		cmocka_unit_test(test_profile_many_deep_stacks),
		cmocka_unit_test(test_profile_many_names),
		cmocka_unit_test(test_profile_text_order),
		cmocka_unit_test(test_profile_arrival_order),
		cmocka_unit_test(test_profile_odd_names),
		cmocka_unit_test(test_profile_names_with_a_separator),
		cmocka_unit_test(test_profile_overflow),
		cmocka_unit_test(test_profile_random_stacks),
		cmocka_unit_test(test_profile_deep_stacks),
		cmocka_unit_test(test_profile_samples_added_one_by_one),
		cmocka_unit_test(test_profile_what_is_counted_must_be_one_thing),
		cmocka_unit_test(test_profile_several_values),
		cmocka_unit_test(test_profile_values_of_changed_stacks),
		cmocka_unit_test(test_profile_values_of_calls),
		cmocka_unit_test(test_profile_signed_counts),
	};
	return RUN(tests);
}
