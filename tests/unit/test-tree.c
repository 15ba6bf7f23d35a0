/* Frames of stacks, compared with a plain implementation that sorts whole stacks. */
#include "test.h"

#include "analysis/view.h"
#include "base/num.h"
#include "profile/folded.h"
#include "profile/tree.h"

enum { MOST_DEPTH = 9, MOST_STACKS = 400 };

/** A stack, given as names of one letter. */
struct test_tree_plain {
	char names[MOST_DEPTH + 1];
	uint64_t count, before;
	bool two_counts;
};

static void test_tree_random_stack(struct random *random, struct test_tree_plain *stack,
				   size_t kinds, bool two) {
	size_t depth = random_below(random, MOST_DEPTH) + 1;
	*stack = (struct test_tree_plain){.count = random_below(random, 9)};
	for (size_t d = 0; d < depth; d++) {
		stack->names[d] = (char)('a' + random_below(random, kinds));
	}
	stack->two_counts = two && random_below(random, 3) > 0;
	stack->before = stack->two_counts ? random_below(random, 9) : 0;
}

static int test_tree_compare_stacks(const void *a, const void *b) {
	const struct test_tree_plain *x = a, *y = b;
	return strcmp(x->names, y->names);
}

static size_t test_tree_shared_start(const char *a, const char *b) {
	size_t n = 0;
	while (a[n] != '\0' && a[n] == b[n]) {
		n++;
	}
	return n;
}

static struct stack_row test_tree_row_of(struct profile *profile,
					 const struct test_tree_plain *stack, uint32_t *ids) {
	size_t depth = strlen(stack->names);
	for (size_t d = 0; d < depth; d++) {
		ids[d] = profile_frame(profile, (struct str){&stack->names[d], 1});
	}
	return (struct stack_row){.ids = ids,
				  .depth = (uint32_t)depth,
				  .count = stack->count,
				  .before = stack->before,
				  .two_counts = stack->two_counts};
}

/** Return a row in which two frames of a stack are one name with a `;`. */
static struct stack_row test_tree_joined_row_of(struct profile *profile,
						const struct test_tree_plain *stack,
						uint32_t *ids) {
	struct stack_row row = test_tree_row_of(profile, stack, ids);
	size_t at = row.depth / 2;
	if (at > 0) {
		char name[] = {stack->names[at - 1], ';', stack->names[at]};
		ids[at - 1] = profile_frame(profile, (struct str){name, sizeof(name)});
		memmove(&ids[at], &ids[at + 1], (row.depth - at - 1) * sizeof(*ids));
		row.depth--;
	}
	return row;
}

/** Add stacks as lines, each with the number of frames that it shares with the previous line. */
static void test_tree_add_lines(struct profile *profile, const struct test_tree_plain *plain,
				size_t n) {
	for (size_t i = 0; i < n; i++) {
		uint32_t ids[MOST_DEPTH];
		size_t shared =
			i == 0 ? 0 : test_tree_shared_start(plain[i - 1].names, plain[i].names);
		profile_add_line(profile, test_tree_row_of(profile, &plain[i], ids), shared);
	}
}

/** Add up consecutive equal rows. Return the number of remaining rows. */
static size_t test_tree_add_up(struct test_tree_plain *plain, size_t n) {
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && test_tree_compare_stacks(&plain[kept - 1], &plain[i]) == 0) {
			plain[kept - 1].count += plain[i].count;
			plain[kept - 1].before += plain[i].before;
			plain[kept - 1].two_counts |= plain[i].two_counts;
		} else {
			plain[kept++] = plain[i];
		}
	}
	return kept;
}

/** Check the frame that the sorted stack `first` opens at the depth `depth`. */
static void test_tree_check_frame(const struct profile *profile, const struct tree *tree, size_t at,
				  const struct test_tree_plain *plain, size_t n, size_t first,
				  size_t depth) {
	const struct call_item *frame = &tree->frames[at];
	uint64_t start = 0, total = 0, before = 0;
	for (size_t i = 0; i < first; i++) {
		start += plain[i].count;
	}
	for (size_t i = first; i < n && strncmp(plain[first].names, plain[i].names, depth) == 0;
	     i++) {
		total += plain[i].count;
	}
	const struct test_tree_plain *opener = &plain[first];
	bool is_leaf = opener->two_counts && strlen(opener->names) == depth;
	uint64_t more = opener->count > opener->before ? opener->count - opener->before : 0;
	uint64_t less = opener->count < opener->before ? opener->before - opener->count : 0;
	assert_int_equal(frame->depth, depth);
	for (size_t i = 0; i < at; i++) {
		before += tree->frames[i].count;
	}
	assert_null(tree->starts);
	assert_int_equal(before, start);
	assert_int_equal(tree->totals[at], total);
	assert_str(tree_name(profile, frame), ((char[]){opener->names[depth - 1], '\0'}));
	const struct tree_delta *delta = tree_delta(tree, frame);
	assert_int_equal(delta != NULL, opener->two_counts);
	assert_int_equal(delta == NULL ? 0 : delta->value, is_leaf ? more + less : 0);
	assert_int_equal(delta != NULL && delta->shrank, is_leaf && less > 0);
}

/** Check the tree of some stacks, given in order of arrival, and release the stacks. */
static void test_tree_check(struct profile *profile, struct test_tree_plain *plain, size_t n) {
	struct tree tree = {0};
	uint64_t sum;
	assert_true(profile_sum(profile, &sum));
	profile_sort_names(profile);
	tree_build(&tree, profile, sum + 5);
	qsort(plain, n, sizeof(*plain), test_tree_compare_stacks);
	n = test_tree_add_up(plain, n);
	assert_int_equal(tree.frames[0].depth, 0);
	assert_int_equal(tree.totals[0], sum + 5);
	size_t at = 1;
	for (size_t i = 0; i < n; i++) {
		size_t shared =
			i == 0 ? 0 : test_tree_shared_start(plain[i - 1].names, plain[i].names);
		for (size_t d = shared + 1; d <= strlen(plain[i].names); d++) {
			assert_true(at < tree.n);
			test_tree_check_frame(profile, &tree, at++, plain, n, i, d);
		}
	}
	assert_int_equal(at, tree.n);
	tree_release(&tree);
	profile_release(profile);
}

enum test_tree_order { SORTED, NEARLY_SORTED, ANY };

static void test_tree_put_in_order(struct random *random, struct test_tree_plain *plain, size_t n,
				   enum test_tree_order order) {
	if (order == ANY) {
		return;
	}
	qsort(plain, n, sizeof(*plain), test_tree_compare_stacks);
	for (size_t i = 0; order == NEARLY_SORTED && n > 1 && i < 3; i++) {
		size_t a = random_below(random, n), b = random_below(random, n);
		struct test_tree_plain stack = plain[a];
		plain[a] = plain[b];
		plain[b] = stack;
	}
}

static void test_tree_turn_around(struct test_tree_plain *plain, size_t n) {
	for (size_t i = 0; i < n; i++) {
		char *names = plain[i].names;
		for (size_t a = 0, b = strlen(names); a + 1 < b; a++) {
			char name = names[--b];
			names[b] = names[a];
			names[a] = name;
		}
	}
}

/** Check random stacks that are added as lines. `parts` profiles are filled separately, then
 * merged. */
static void test_tree_check_random(uint64_t seed, enum test_tree_order order, bool two,
				   bool look_up, size_t parts, bool reverse) {
	struct random random = {seed};
	static struct test_tree_plain plain[MOST_STACKS];
	size_t n = random_below(&random, MOST_STACKS) + 1, kinds = random_below(&random, 5) + 1;
	for (size_t i = 0; i < n; i++) {
		test_tree_random_stack(&random, &plain[i], kinds, two);
	}
	test_tree_put_in_order(&random, plain, n, order);
	struct profile profile, part;
	profile_init(&profile, PROFILE_CALLS);
	size_t first = n / (parts + look_up), done = first;
	test_tree_add_lines(&profile, plain, first);
	if (look_up) {
		calls_look_up(&profile.calls);
	}
	for (size_t p = 1; p < parts; p++) {
		profile_init(&part, PROFILE_CALLS);
		test_tree_add_lines(&part, plain + done, first);
		profile_merge(&profile, &part);
		profile_release(&part);
		done += first;
	}
	for (; done < n; done++) {
		uint32_t ids[MOST_DEPTH];
		bool joined = seed / 12 % 2 == 0 && done % 2 == 0;
		profile_add_line(&profile,
				 joined ? test_tree_joined_row_of(&profile, &plain[done], ids)
					: test_tree_row_of(&profile, &plain[done], ids),
				 0);
	}
	profile_make_calls(&profile, NULL, NULL);
	if (reverse) {
		profile_reverse(&profile);
		test_tree_turn_around(plain, n);
	}
	test_tree_check(&profile, plain, n);
}

static void test_tree_random_lines(void **state) {
	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		test_tree_check_random(seed, seed % 3, seed % 2 == 0, seed / 3 % 2 == 0,
				       seed % 4 + 1, seed / 6 % 2 == 0);
	}
}

/**
 * Once calls are looked up, no caller gets the same callee twice, not even a callee that was added
 * before.
 */
static void test_tree_looked_up_calls(void **state) {
	(void)state;
	struct random random = {3};
	struct profile profile;
	profile_init(&profile, PROFILE_CALLS);
	for (size_t i = 0; i < 300; i++) {
		struct test_tree_plain stack;
		uint32_t ids[MOST_DEPTH];
		test_tree_random_stack(&random, &stack, 3, false);
		profile_add_line(&profile, test_tree_row_of(&profile, &stack, ids), 0);
		if (i == 0) {
			calls_look_up(&profile.calls);
		}
	}
	const struct calls *calls = &profile.calls;
	for (size_t a = 1; a < calls->n; a++) {
		for (size_t b = 1; b < a; b++) {
			assert_false(calls->links[a].parent == calls->links[b].parent &&
				     calls->items[a].name == calls->items[b].name);
		}
	}
	profile_release(&profile);
}

/** Keep stacks that begin with an `a`, and remove this `a` from them. */
static bool test_tree_leave_root(void *context, struct stack_row *row) {
	if (row->depth < 2 || row->ids[0] != *(const uint32_t *)context) {
		return false;
	}
	row->ids++;
	row->depth--;
	return true;
}

/** Test lines and merged stacks whose frames are changed before they are added. */
static void test_tree_changed_stacks(void **state) {
	(void)state;
	struct random random = {7};
	static struct test_tree_plain plain[MOST_STACKS];
	struct profile profile;
	profile_init(&profile, PROFILE_CALLS);
	uint32_t a = profile_frame(&profile, STR("a")), ids[MOST_DEPTH];
	size_t kept = 0;
	for (size_t i = 0; i < MOST_STACKS; i++) {
		struct test_tree_plain *stack = &plain[kept];
		test_tree_random_stack(&random, stack, 3, false);
		struct stack_row row = test_tree_row_of(&profile, stack, ids);
		if (i % 2 == 0) {
			profile_add_line(&profile, row, 0);
		} else {
			profile_add(&profile, row.ids, row.depth, row.count);
		}
		if (stack->names[0] == 'a' && stack->names[1] != '\0') {
			memmove(stack->names, stack->names + 1, MOST_DEPTH);
			kept++;
		}
	}
	assert_in_range(kept, MOST_STACKS / 6, MOST_STACKS / 2);
	profile_make_calls(&profile, test_tree_leave_root, &a);
	test_tree_check(&profile, plain, kept);
}

/** Add a line to a profile. */
static void test_tree_add_line(struct folded_reader *reader, struct folded_lines *lines,
			       struct str stack, uint64_t count) {
	struct folded_line line = {.stack = stack, .count = count};
	lines->before =
		folded_add(reader, lines->before, &line, str_common_prefix(stack, lines->before));
	folded_let_go(reader);
	folded_lines_keep(lines);
}

/** Read lines of text into a profile. Without `trust`, forget whether the lines were in order.
 */
static void test_tree_read_lines(struct profile *profile, const struct test_tree_plain *plain,
				 size_t n, bool trust) {
	static const char *const names[] = {"a b", "a!", "a", "ab", "b"}; // as text is sorted
	profile_init(profile, PROFILE_CALLS);
	struct folded_reader *reader = folded_reader_new(profile);
	struct folded_lines lines = {0};
	struct buf text = {0};
	for (size_t i = 0; i < n; i++) {
		for (const char *name = plain[i].names; *name != '\0'; name++) {
			buf_add_char(&text, ';');
			buf_add_text(&text, names[*name - 'a']);
		}
		test_tree_add_line(reader, &lines, str_from(buf_str(&text), 1), 1);
		buf_clear(&text);
	}
	folded_finish(reader);
	folded_reader_free(reader);
	folded_lines_release(&lines);
	buf_release(&text);
	profile->calls.in_order = trust ? profile->calls.in_order : 0;
}

/** Check that two trees are the same. */
static void test_tree_check_same(const struct tree *trees, const struct profile *first,
				 const struct profile *second) {
	assert_int_equal(trees[0].n, trees[1].n);
	for (size_t i = 0; i < trees[0].n; i++) {
		const struct call_item *a = &trees[0].frames[i], *b = &trees[1].frames[i];
		assert_int_equal(a->count, b->count);
		assert_int_equal(trees[0].totals[i], trees[1].totals[i]);
		assert_int_equal(a->depth, b->depth);
		assert_int_equal(a->is_stack, b->is_stack);
		assert_true(str_eq(tree_name(first, a), tree_name(second, b)));
	}
}

/** Build the trees of two profiles, check that they are the same, and release all. Return the
 * number of trees for which the names were not sorted. */
static size_t test_tree_check_alike(struct profile *profiles, size_t n) {
	struct tree trees[2] = {{0}, {0}};
	size_t ordered = 0;
	for (size_t t = 0; t < 2; t++) {
		profile_sort_names(&profiles[t]);
		tree_build(&trees[t], &profiles[t], n);
		ordered += profiles[t].names.sorted == NULL;
	}
	test_tree_check_same(trees, &profiles[0], &profiles[1]);
	for (size_t t = 0; t < 2; t++) {
		tree_release(&trees[t]);
		profile_release(&profiles[t]);
	}
	return ordered;
}

/** Make random stacks, sorted in three cases of four. Return their number. */
static size_t test_tree_random_stacks(struct random *random, struct test_tree_plain *plain,
				      uint64_t seed, size_t most) {
	size_t n = (size_t)(seed % most) + 1;
	for (size_t i = 0; i < n; i++) {
		test_tree_random_stack(random, &plain[i], 5, false);
	}
	if (seed % 4 > 0) {
		qsort(plain, n, sizeof(*plain), test_tree_compare_stacks);
	}
	return n;
}

/** If lines come in order, or nearly in order, names are not sorted. The tree is the same. */
static void test_tree_ordered_lines(void **state) {
	(void)state;
	size_t ordered = 0;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct random random = {seed};
		struct test_tree_plain plain[12];
		struct profile profiles[2];
		size_t n = test_tree_random_stacks(&random, plain, seed, 12);
		for (size_t t = 0; t < 2; t++) {
			test_tree_read_lines(&profiles[t], plain, n, t == 0);
		}
		ordered += test_tree_check_alike(profiles, n);
	}
	assert_in_range(ordered, 390, 450); // a quarter of the stacks is unsorted
}

/** The comparison of two profiles must not depend on the order of their lines.
 */
static void test_tree_compared_in_order(void **state) {
	(void)state;
	size_t ordered = 0;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct random random = {seed};
		struct test_tree_plain plain[2][12];
		struct compared compared[2] = {0};
		struct tree trees[2] = {0};
		size_t n[2] = {(size_t)(seed % 12) + 1, (size_t)(seed / 12 % 12) + 1};
		for (size_t side = 0; side < 2; side++) {
			for (size_t i = 0; i < n[side]; i++) {
				test_tree_random_stack(&random, &plain[side][i], 5, false);
			}
			qsort(plain[side], n[side], sizeof(**plain), test_tree_compare_stacks);
		}
		for (size_t t = 0; t < 2; t++) {
			struct profile after;
			test_tree_read_lines(&compared[t].profile, plain[0], n[0], t == 0);
			test_tree_read_lines(&after, plain[1], n[1], t == 0);
			compared[t].scale = scale_of((struct change){n[0], n[1]});
			compared_add(&compared[t], &after);
			compared[t].scaling = SCALE_NONE;
			profile_sort_names(&compared[t].profile);
			view_measure(&compared[t]);
			tree_compare(&trees[t], &compared[t].profile, &compared[t].scale);
			profile_release(&after);
			ordered += compared[t].profile.calls.links == NULL;
		}
		test_tree_check_same(trees, &compared[0].profile, &compared[1].profile);
		for (size_t i = 0; i < trees[0].n; i++) {
			const struct tree_change *a = &trees[0].changes[i];
			const struct tree_change *b = &trees[1].changes[i];
			assert_memory_equal(a, b, sizeof(*a));
		}
		tree_release(&trees[0]);
		tree_release(&trees[1]);
		compared_release(&compared[0]);
		compared_release(&compared[1]);
	}
	// Names are sorted if two calls of a name have to be joined.
	assert_in_range(ordered, 390, 599);
}

/** Write the name of a function, which has two digits. */
static struct str test_tree_name_function(char *name, size_t number) {
	name[0] = (char)('0' + number / 10);
	name[1] = (char)('0' + number % 10);
	return (struct str){name, 2};
}

/** Read lines of 60 functions with random counts, after their names were added in order or in
 * reverse order. */
static void test_tree_read_functions(struct profile *profile, struct random *random,
				     bool backwards) {
	enum { FUNCTIONS = 60 };
	char name[2];
	struct folded_lines lines = {0};
	profile_init(profile, PROFILE_CALLS);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		size_t number = backwards ? FUNCTIONS - 1 - i : i;
		profile_text_frame(profile, test_tree_name_function(name, number));
	}
	struct folded_reader *reader = folded_reader_new(profile);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		test_tree_add_line(reader, &lines, test_tree_name_function(name, i),
				   50 + random_below(random, 100));
	}
	folded_lines_release(&lines);
	folded_finish(reader);
	folded_reader_free(reader);
}

/** The figures of functions do not depend on the ids of their names. */
static void test_tree_ids_in_any_order(void **state) {
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct compared compared[2] = {0};
		for (size_t t = 0; t < 2; t++) {
			struct random random = {seed};
			struct profile after;
			test_tree_read_functions(&compared[t].profile, &random, t > 0);
			test_tree_read_functions(&after, &random, false);
			compared[t].scale = scale_of((struct change){1000, 1000});
			compared[t].scale.sample_before = 7; // so that sums are rounded
			compared[t].scale.sample_after = 3;
			compared_add(&compared[t], &after);
			compared[t].sigma = 3;
			if (seed % 2 == 0) {
				profile_sort_names(&compared[t].profile);
			}
			view_measure(&compared[t]);
			profile_release(&after);
		}
		assert_int_equal(compared[0].scale.measured, 60);
		assert_memory_equal(&compared[0].scale.error, &compared[1].scale.error,
				    sizeof(double));
		compared_release(&compared[0]);
		compared_release(&compared[1]);
	}
}

/** Read every second part of some lines into a second profile, and merge both profiles. */
static size_t test_tree_read_in_parts(struct profile *profile, const struct test_tree_plain *plain,
				      size_t n, struct random *random) {
	struct test_tree_plain parts[2][24];
	struct profile second;
	size_t counts[2] = {0, 0}, side = 0;
	for (size_t i = 0; i < n; i++) {
		side = random_below(random, 3) == 0 ? 1 - side : side;
		parts[side][counts[side]++] = plain[i];
	}
	test_tree_read_lines(profile, parts[0], counts[0], true);
	test_tree_read_lines(&second, parts[1], counts[1], true);
	bool ordered = profile_order_calls(profile) && profile_order_calls(&second);
	profile_merge(profile, &second);
	profile_release(&second);
	return ordered && profile->calls.links == NULL;
}

/** Lines may be read in parts, by several threads. */
static void test_tree_merged_in_order(void **state) {
	(void)state;
	size_t ordered = 0;
	for (uint64_t seed = 0; seed < 900; seed++) {
		struct random random = {seed};
		struct test_tree_plain plain[24];
		struct profile profiles[2];
		size_t n = test_tree_random_stacks(&random, plain, seed, 24);
		test_tree_read_lines(&profiles[0], plain, n, true);
		ordered += test_tree_read_in_parts(&profiles[1], plain, n, &random);
		test_tree_check_alike(profiles, n);
	}
	assert_in_range(ordered, 300, 899);
}

/** In a flame chart, only consecutive equal frames are merged. */
static void test_tree_chart(void **state) {
	(void)state;
	struct profile profile;
	struct tree tree = {0};
	profile_init(&profile, PROFILE_TIMELINE);
	static const struct test_tree_plain plain[] = {
		{.names = "ab", .count = 1}, {.names = "ab", .count = 2},
		{.names = "a", .count = 3},  {.names = "ab", .count = 4},
		{.names = "b", .count = 5},  {.names = "a", .count = 6}};
	test_tree_add_lines(&profile, plain, 6);
	profile_finish(&profile);
	tree_build(&tree, &profile, 21);
	static const uint64_t expected[][3] = {{0, 0, 21}, {1, 0, 10}, {2, 0, 3},
					       {2, 6, 4},  {1, 10, 5}, {1, 15, 6}};
	assert_int_equal(tree.n, 6);
	for (size_t i = 0; i < tree.n; i++) {
		assert_int_equal(tree.frames[i].depth, expected[i][0]);
		assert_int_equal(tree.starts[i], expected[i][1]);
		assert_int_equal(tree.totals[i], expected[i][2]);
	}
	tree_release(&tree);
	profile_release(&profile);
}

/** A sum that does not fit is reported, unless its stacks are left out. */
static void test_tree_large_counts(void **state) {
	(void)state;
	struct profile profile;
	uint64_t sum;
	profile_init(&profile, PROFILE_CALLS);
	static const struct test_tree_plain plain[] = {{.names = "b", .count = UINT64_MAX},
						       {.names = "b", .count = 1},
						       {.names = "b", .count = 2},
						       {.names = "ab", .count = 3}};
	test_tree_add_lines(&profile, plain, 4);
	assert_false(profile_sum(&profile, &sum));
	uint32_t a = profile_frame(&profile, STR("a"));
	profile_make_calls(&profile, test_tree_leave_root, &a);
	assert_true(profile_sum(&profile, &sum));
	assert_int_equal(sum, 3);
	profile_release(&profile);
}

/** Stacks of thousands of frames, each a prefix of the next. */
static void test_tree_deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3000 };
	static uint32_t ids[DEPTH];
	struct profile profile;
	struct tree tree = {0};
	profile_init(&profile, PROFILE_CALLS);
	for (size_t d = 0; d < DEPTH; d++) {
		ids[d] = profile_frame(&profile, STR("f"));
	}
	for (uint32_t d = DEPTH; d > 0; d--) {
		profile_add_line(&profile, (struct stack_row){.ids = ids, .depth = d, .count = 1},
				 0);
	}
	profile_sort_names(&profile);
	tree_build(&tree, &profile, DEPTH);
	assert_int_equal(tree.n, DEPTH + 1);
	for (size_t i = 1; i < tree.n; i++) {
		assert_int_equal(tree.frames[i].depth, i);
		assert_int_equal(tree.frames[i].count, 1);
		assert_int_equal(tree.totals[i], DEPTH - i + 1);
	}
	tree_release(&tree);
	profile_release(&profile);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree_random_lines),
		cmocka_unit_test(test_tree_looked_up_calls),
		cmocka_unit_test(test_tree_changed_stacks),
		cmocka_unit_test(test_tree_ordered_lines),
		cmocka_unit_test(test_tree_chart),
		cmocka_unit_test(test_tree_large_counts),
		cmocka_unit_test(test_tree_deep_stacks),
		cmocka_unit_test(test_tree_compared_in_order),
		cmocka_unit_test(test_tree_merged_in_order),
		cmocka_unit_test(test_tree_ids_in_any_order),
	};
	return RUN(tests);
}
