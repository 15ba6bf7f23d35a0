/* A counted set of stacks, against a plain one that sorts text. */
#include "test.h"

#include "profile/stacks.h"

static uint32_t frame(struct stacks *stacks, const char *name) {
	return stacks_frame(stacks, str_of(name));
}

/** Adds a stack given as text. */
static void add(struct stacks *stacks, const char *text, uint64_t count) {
	struct str rest = str_of(text);
	uint32_t ids[64];
	size_t depth = 0;
	for (bool more = true; more;) {
		more = str_find(rest, ';') != STR_NONE;
		ids[depth++] = stacks_frame(stacks, str_cut(&rest, ';'));
	}
	stacks_add(stacks, ids, depth, count);
}

static int collect(void *context, const void *bytes, size_t len) {
	buf_add(context, bytes, len);
	return 0;
}

static void write_to(struct stacks *stacks, struct buf *text) {
	struct output out;
	output_init(&out, collect, text);
	stacks_write(stacks, &out);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
}

static void check_written(struct stacks *stacks, const char *expected) {
	struct buf text = {0};
	write_to(stacks, &text);
	assert_str(buf_str(&text), expected);
	buf_release(&text);
	stacks_release(stacks);
}

static void nothing(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	check_written(&stacks, "");
	stacks_release(&stacks);
}

static void equal_stacks_are_added(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	add(&stacks, "b;c", 1);
	add(&stacks, "a", 0);
	add(&stacks, "b;c", 41);
	add(&stacks, "b", 7);
	check_written(&stacks, "a 0\nb 7\nb;c 42\n");
}

/** A blank sorts below `;`, so names that continue with one come before stacks that go on. */
static void text_order(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	static const char *const sorted[] = {"b",   "b c",   "b c;a",       "b!",
					     "b;d", "b;d f", "b;d;e",       "b<x>",
					     "bc",  "b\x7f", "b\xc3\xa9;a", "b\xc3\xa9z"};
	enum { N = sizeof(sorted) / sizeof(sorted[0]) };
	struct buf expected = {0};
	for (size_t i = 0; i < N; i++) {
		add(&stacks, sorted[N - 1 - i], 1);
		buf_printf(&expected, "%s 1\n", sorted[i]);
	}
	check_written(&stacks, buf_text(&expected));
	buf_release(&expected);
}

static void check_frames(struct stacks *stacks, size_t row, const char *expected) {
	struct buf text = {0};
	for (size_t d = 0; d < stacks->rows[row].depth; d++) {
		buf_add_text(&text, d > 0 ? ";" : "");
		buf_add_str(&text, stacks_name(stacks, stacks->rows[row].ids[d]));
	}
	assert_str(buf_str(&text), expected);
	buf_release(&text);
}

static void arrival_order(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_KEEP_ORDER | STACKS_TAKE_LINES);
	add(&stacks, "b", 1);
	add(&stacks, "a", 2);
	add(&stacks, "b", 3);
	uint32_t id = frame(&stacks, "c");
	stacks_add_line(
		&stacks,
		(struct stack_row){
			.ids = &id, .depth = 1, .before = 4, .count = 5, .two_counts = true},
		0);
	id = 0; // it was copied
	stacks_make_rows(&stacks);
	assert_int_equal(stacks.rows_n, 4);
	check_frames(&stacks, 0, "b");
	check_frames(&stacks, 1, "a");
	check_frames(&stacks, 2, "b");
	check_frames(&stacks, 3, "c");
	assert_int_equal(stacks.rows[2].count, 3);
	assert_false(stacks.rows[2].two_counts);
	assert_true(stacks.rows[3].two_counts);
	assert_int_equal(stacks.rows[3].before, 4);
	assert_int_equal(stacks.rows[3].count, 5);
	stacks_release(&stacks);
}

static void odd_names(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	uint32_t ids[] = {stacks_frame(&stacks, STR("a\nb")), stacks_frame(&stacks, STR("")),
			  stacks_frame(&stacks, STR("x\0y"))};
	assert_int_equal(ids[0], frame(&stacks, "a b"));
	stacks_add(&stacks, ids, 3, 1);
	stacks_add(&stacks, ids, 0, 2); // an empty stack
	struct buf text = {0};
	write_to(&stacks, &text);
	assert_bytes(buf_str(&text), " 2\na b;;x\0y 1\n");
	buf_release(&text);
	stacks_release(&stacks);
}

/** A name with a `;` reads as two frames in text, and is the same stack as these. */
static void names_with_a_separator(void **state) {
	(void)state;
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	uint32_t joined[] = {frame(&stacks, "a;b"), frame(&stacks, "c")};
	uint32_t apart[] = {frame(&stacks, "a"), frame(&stacks, "b;c")};
	stacks_add(&stacks, joined, 2, 1);
	stacks_add(&stacks, apart, 2, 2);
	add(&stacks, "a;b;c", 4);
	add(&stacks, "a;b ", 8);
	struct stacks all;
	stacks_init(&all, STACKS_MERGE);
	stacks_merge(&all, &stacks);
	check_written(&stacks, "a;b  8\na;b;c 7\n");
	check_written(&all, "a;b  8\na;b;c 7\n");
}

static void overflow(void **state) {
	(void)state;
	struct stacks stacks, other;
	stacks_init(&stacks, STACKS_MERGE);
	stacks_init(&other, STACKS_MERGE);
	add(&stacks, "a", UINT64_MAX);
	add(&stacks, "b", 1);
	assert_false(stacks.overflow);
	add(&other, "a", 1);
	assert_false(other.overflow);
	stacks_merge(&stacks, &other);
	assert_true(stacks.overflow);
	add(&other, "a", UINT64_MAX);
	stacks_settle(&other);
	assert_true(other.overflow);
	stacks_release(&stacks);
	stacks_init(&stacks, STACKS_MERGE);
	stacks_merge(&stacks, &other);
	assert_true(stacks.overflow);
	stacks_release(&stacks);
	stacks_release(&other);
}

/* --- Against a plain one -------------------------------------------------------------------- */

struct plain {
	struct buf text;
	uint64_t count;
};

static int compare_plain(const void *a, const void *b) {
	const struct plain *x = a, *y = b;
	return str_compare(buf_str(&x->text), buf_str(&y->text));
}

static const char *const words[] = {
	"b",   "b c", "b d", "",     "a",        "a!",  "ab",
	"abc", " ",   "b;a", "\x01", "\xc3\xa9", "a b", "\xf0\x9f\x98\x80",
	"c"};
enum { WORDS = sizeof(words) / sizeof(words[0]), MOST_DEPTH = 12 };

/** A random stack: its ids in `stacks` and its text. */
static size_t random_stack(struct random *random, struct stacks *stacks, uint32_t *ids,
			   struct buf *text) {
	size_t depth = random_below(random, MOST_DEPTH) + 1,
	       kinds = random_below(random, WORDS) + 1;
	for (size_t d = 0; d < depth; d++) {
		const char *word = words[random_below(random, kinds)];
		ids[d] = frame(stacks, word);
		buf_add_text(text, d > 0 ? ";" : "");
		buf_add_text(text, word);
	}
	return depth;
}

/** Random stacks, spread over some parts that are then merged. */
static void check_against_plain(size_t n, uint64_t seed, size_t parts) {
	struct random random = {seed};
	struct stacks stacks[4];
	struct plain *plain = mem_new(n + 1, sizeof(*plain));
	for (size_t p = 0; p < parts; p++) {
		stacks_init(&stacks[p], STACKS_MERGE);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t ids[MOST_DEPTH];
		struct stacks *part = &stacks[random_below(&random, parts)];
		size_t depth = random_stack(&random, part, ids, &plain[i].text);
		plain[i].count = random_below(&random, 1000);
		stacks_add(part, ids, depth, plain[i].count);
	}
	for (size_t p = 1; p < parts; p++) {
		stacks_merge(&stacks[0], &stacks[p]);
		stacks_release(&stacks[p]);
	}
	qsort(plain, n, sizeof(*plain), compare_plain);
	struct buf expected = {0}, got = {0};
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && compare_plain(&plain[i], &plain[i + 1]) == 0) {
			plain[i + 1].count += plain[i].count;
		} else {
			buf_add_str(&expected, buf_str(&plain[i].text));
			buf_printf(&expected, " %llu\n", (unsigned long long)plain[i].count);
		}
	}
	write_to(&stacks[0], &got);
	assert_true(str_eq(buf_str(&got), buf_str(&expected)));
	for (size_t i = 0; i < n; i++) {
		buf_release(&plain[i].text);
	}
	free(plain);
	buf_release(&expected);
	buf_release(&got);
	stacks_release(&stacks[0]);
}

static void random_stacks(void **state) {
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		check_against_plain(seed, seed, seed % 4 + 1);
	}
	check_against_plain(30000, 99, 1);
	check_against_plain(30000, 100, 3);
}

/** One stack inside the next, thousands deep: sorting must not recurse that far. */
static void deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3000 };
	uint32_t ids[DEPTH];
	struct stacks stacks;
	stacks_init(&stacks, STACKS_MERGE);
	for (size_t d = 0; d < DEPTH; d++) {
		ids[d] = frame(&stacks, "f");
	}
	for (size_t d = DEPTH; d > 0; d--) {
		stacks_add(&stacks, ids, d, d);
	}
	struct buf text = {0};
	write_to(&stacks, &text);
	struct str line, all = buf_str(&text);
	for (size_t d = 1; d <= DEPTH; d++) {
		line = str_cut(&all, '\n');
		assert_int_equal(line.p[2 * d - 1], ' ');
	}
	assert_int_equal(all.n, 0);
	buf_release(&text);
	stacks_release(&stacks);
}

/** What one sample counts is known where each was added by itself: the mean, weighted by count. */
static void samples_added_one_by_one(void **state) {
	(void)state;
	struct stacks stacks, more;
	stacks_init(&stacks, STACKS_MERGE);
	stacks_init(&more, STACKS_MERGE);
	for (size_t i = 0; i < 50; i++) {
		add(&stacks, "a;b", 100);
		add(&more, i % 2 == 0 ? "a;b" : "c", 100);
	}
	stacks_merge(&stacks, &more);
	stacks.by_sample = true;
	assert_true(stacks_sample(&stacks, 100 * 100) == 100);
	add(&stacks, "c", 10000); // half of all in one
	assert_true(stacks_sample(&stacks, 20000) == 5050);
	assert_true(stacks_sample(&stacks, 0) == 1);
	stacks_release(&stacks);
	stacks_release(&more);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),     cmocka_unit_test(equal_stacks_are_added),
		cmocka_unit_test(text_order),  cmocka_unit_test(arrival_order),
		cmocka_unit_test(odd_names),   cmocka_unit_test(names_with_a_separator),
		cmocka_unit_test(overflow),    cmocka_unit_test(random_stacks),
		cmocka_unit_test(deep_stacks), cmocka_unit_test(samples_added_one_by_one),
	};
	return RUN(tests);
}
