/* Stacks to frames: against a plain way that sorts whole stacks. */
#include "test.h"

#include "base/num.h"
#include "profile/tree.h"

enum { MOST_DEPTH = 9, MOST_STACKS = 400 };

/** A stack as a row of names of one letter. */
struct plain {
	char names[MOST_DEPTH + 1];
	uint64_t count, before;
	bool two_counts;
};

static void random_stack(struct random *random, struct plain *stack, size_t kinds, bool two) {
	size_t depth = random_below(random, MOST_DEPTH) + 1;
	*stack = (struct plain){.count = random_below(random, 9)};
	for (size_t d = 0; d < depth; d++) {
		stack->names[d] = (char)('a' + random_below(random, kinds));
	}
	stack->two_counts = two && random_below(random, 3) > 0;
	stack->before = stack->two_counts ? random_below(random, 9) : 0;
}

static int compare_stacks(const void *a, const void *b) {
	const struct plain *x = a, *y = b;
	return strcmp(x->names, y->names);
}

static size_t shared_start(const char *a, const char *b) {
	size_t n = 0;
	while (a[n] != '\0' && a[n] == b[n]) {
		n++;
	}
	return n;
}

static struct stack_row row_of(struct stacks *stacks, const struct plain *stack, uint32_t *ids) {
	size_t depth = strlen(stack->names);
	for (size_t d = 0; d < depth; d++) {
		ids[d] = stacks_frame(stacks, (struct str){&stack->names[d], 1});
	}
	return (struct stack_row){.ids = ids,
				  .depth = (uint32_t)depth,
				  .count = stack->count,
				  .before = stack->before,
				  .two_counts = stack->two_counts};
}

/** Adds stacks as lines, each with what it shares with the one before. */
static void add_lines(struct stacks *stacks, const struct plain *plain, size_t n) {
	for (size_t i = 0; i < n; i++) {
		uint32_t ids[MOST_DEPTH];
		size_t shared = i == 0 ? 0 : shared_start(plain[i - 1].names, plain[i].names);
		stacks_add_line(stacks, row_of(stacks, &plain[i], ids), shared);
	}
}

/** Adds up equal neighbours. Returns how many are left. */
static size_t add_up(struct plain *plain, size_t n) {
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && compare_stacks(&plain[kept - 1], &plain[i]) == 0) {
			plain[kept - 1].count += plain[i].count;
			plain[kept - 1].before += plain[i].before;
			plain[kept - 1].two_counts |= plain[i].two_counts;
		} else {
			plain[kept++] = plain[i];
		}
	}
	return kept;
}

/** Checks a frame that `first` of the sorted stacks opens, `depth` deep. */
static void check_frame(const struct stacks *stacks, const struct tree *tree,
			const struct tree_frame *frame, const struct plain *plain, size_t n,
			size_t first, size_t depth) {
	uint64_t start = 0, total = 0;
	for (size_t i = 0; i < first; i++) {
		start += plain[i].count;
	}
	for (size_t i = first; i < n && strncmp(plain[first].names, plain[i].names, depth) == 0;
	     i++) {
		total += plain[i].count;
	}
	const struct plain *opener = &plain[first];
	bool is_leaf = opener->two_counts && strlen(opener->names) == depth;
	uint64_t more = opener->count > opener->before ? opener->count - opener->before : 0;
	uint64_t less = opener->count < opener->before ? opener->before - opener->count : 0;
	assert_int_equal(frame->depth, depth);
	assert_int_equal(frame->start, start);
	assert_int_equal(frame->total, total);
	assert_str(tree_name(stacks, frame), ((char[]){opener->names[depth - 1], '\0'}));
	const struct tree_delta *delta = tree_delta(tree, frame);
	assert_int_equal(delta != NULL, opener->two_counts);
	assert_int_equal(delta == NULL ? 0 : delta->value, is_leaf ? more + less : 0);
	assert_int_equal(delta != NULL && delta->shrank, is_leaf && less > 0);
}

/** Checks the tree of some stacks, given as they came, and releases the stacks. */
static void check_tree(struct stacks *stacks, struct plain *plain, size_t n) {
	struct tree tree = {0};
	uint64_t sum;
	assert_true(stacks_sum(stacks, &sum));
	stacks_sort_names(stacks);
	tree_build(&tree, stacks, sum + 5);
	qsort(plain, n, sizeof(*plain), compare_stacks);
	n = add_up(plain, n);
	assert_int_equal(tree.frames[0].depth, 0);
	assert_int_equal(tree.frames[0].total, sum + 5);
	size_t at = 1;
	for (size_t i = 0; i < n; i++) {
		size_t shared = i == 0 ? 0 : shared_start(plain[i - 1].names, plain[i].names);
		for (size_t d = shared + 1; d <= strlen(plain[i].names); d++) {
			assert_true(at < tree.n);
			check_frame(stacks, &tree, &tree.frames[at++], plain, n, i, d);
		}
	}
	assert_int_equal(at, tree.n);
	tree_release(&tree);
	stacks_release(stacks);
}

enum order { SORTED, NEARLY_SORTED, ANY };

static void put_in_order(struct random *random, struct plain *plain, size_t n, enum order order) {
	if (order == ANY) {
		return;
	}
	qsort(plain, n, sizeof(*plain), compare_stacks);
	for (size_t i = 0; order == NEARLY_SORTED && n > 1 && i < 3; i++) {
		size_t a = random_below(random, n), b = random_below(random, n);
		struct plain stack = plain[a];
		plain[a] = plain[b];
		plain[b] = stack;
	}
}

/** Stacks as lines; so many parts of them are filled apart, then merged. */
static void check_random(uint64_t seed, enum order order, bool two, bool look_up, size_t parts) {
	struct random random = {seed};
	static struct plain plain[MOST_STACKS];
	size_t n = random_below(&random, MOST_STACKS) + 1, kinds = random_below(&random, 5) + 1;
	for (size_t i = 0; i < n; i++) {
		random_stack(&random, &plain[i], kinds, two);
	}
	put_in_order(&random, plain, n, order);
	struct stacks stacks, part;
	stacks_init(&stacks, STACKS_TAKE_LINES);
	size_t first = n / (parts + look_up), done = first;
	add_lines(&stacks, plain, first);
	if (look_up) {
		calls_look_up(&stacks.calls);
	}
	for (size_t p = 1; p < parts; p++) {
		stacks_init(&part, STACKS_TAKE_LINES);
		add_lines(&part, plain + done, first);
		stacks_merge(&stacks, &part);
		stacks_release(&part);
		done += first;
	}
	for (; done < n; done++) {
		uint32_t ids[MOST_DEPTH];
		stacks_add_line(&stacks, row_of(&stacks, &plain[done], ids), 0);
	}
	stacks_make_calls(&stacks, NULL, NULL);
	check_tree(&stacks, plain, n);
}

static void random_lines(void **state) {
	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		check_random(seed, seed % 3, seed % 2 == 0, seed / 3 % 2 == 0, seed % 4 + 1);
	}
}

/** Nobody calls the same twice once calls are looked up, not even what was called before. */
static void looked_up_calls(void **state) {
	(void)state;
	struct random random = {3};
	struct stacks stacks;
	stacks_init(&stacks, STACKS_TAKE_LINES);
	for (size_t i = 0; i < 300; i++) {
		struct plain stack;
		uint32_t ids[MOST_DEPTH];
		random_stack(&random, &stack, 3, false);
		stacks_add_line(&stacks, row_of(&stacks, &stack, ids), 0);
		if (i == 0) {
			calls_look_up(&stacks.calls);
		}
	}
	const struct calls *calls = &stacks.calls;
	for (size_t a = 1; a < calls->n; a++) {
		for (size_t b = 1; b < a; b++) {
			assert_false(calls->items[a].parent == calls->items[b].parent &&
				     calls->items[a].name == calls->items[b].name);
		}
	}
	stacks_release(&stacks);
}

/** Keeps stacks that begin with an `a`, without it. */
static bool leave_root(void *context, struct stack_row *row) {
	if (row->depth < 2 || row->ids[0] != *(const uint32_t *)context) {
		return false;
	}
	row->ids++;
	row->depth--;
	return true;
}

/** Lines and merged stacks, all changed on the way. */
static void changed_stacks(void **state) {
	(void)state;
	struct random random = {7};
	static struct plain plain[MOST_STACKS];
	struct stacks stacks;
	stacks_init(&stacks, STACKS_TAKE_LINES);
	uint32_t a = stacks_frame(&stacks, STR("a")), ids[MOST_DEPTH];
	size_t kept = 0;
	for (size_t i = 0; i < MOST_STACKS; i++) {
		struct plain *stack = &plain[kept];
		random_stack(&random, stack, 3, false);
		struct stack_row row = row_of(&stacks, stack, ids);
		if (i % 2 == 0) {
			stacks_add_line(&stacks, row, 0);
		} else {
			stacks_add(&stacks, row.ids, row.depth, row.count);
		}
		if (stack->names[0] == 'a' && stack->names[1] != '\0') {
			memmove(stack->names, stack->names + 1, MOST_DEPTH);
			kept++;
		}
	}
	assert_in_range(kept, MOST_STACKS / 6, MOST_STACKS / 2);
	stacks_make_calls(&stacks, leave_root, &a);
	check_tree(&stacks, plain, kept);
}

/** In a flame chart only neighbours are one frame, and time goes by between them. */
static void chart(void **state) {
	(void)state;
	struct stacks stacks;
	struct tree tree = {0};
	stacks_init(&stacks, STACKS_TAKE_LINES | STACKS_KEEP_ORDER);
	static const struct plain plain[] = {
		{.names = "ab", .count = 1}, {.names = "ab", .count = 2},
		{.names = "a", .count = 3},  {.names = "ab", .count = 4},
		{.names = "b", .count = 5},  {.names = "a", .count = 6}};
	add_lines(&stacks, plain, 6);
	stacks_make_rows(&stacks);
	tree_build(&tree, &stacks, 21);
	static const uint64_t expected[][3] = {{0, 0, 21}, {1, 0, 10}, {2, 0, 3},
					       {2, 6, 4},  {1, 10, 5}, {1, 15, 6}};
	assert_int_equal(tree.n, 6);
	for (size_t i = 0; i < tree.n; i++) {
		assert_int_equal(tree.frames[i].depth, expected[i][0]);
		assert_int_equal(tree.frames[i].start, expected[i][1]);
		assert_int_equal(tree.frames[i].total, expected[i][2]);
	}
	tree_release(&tree);
	stacks_release(&stacks);
}

/** A sum that does not fit is told of, unless the stacks in it are left out. */
static void large_counts(void **state) {
	(void)state;
	struct stacks stacks;
	uint64_t sum;
	stacks_init(&stacks, STACKS_TAKE_LINES);
	static const struct plain plain[] = {{.names = "b", .count = UINT64_MAX},
					     {.names = "b", .count = 1},
					     {.names = "b", .count = 2},
					     {.names = "ab", .count = 3}};
	add_lines(&stacks, plain, 4);
	assert_false(stacks_sum(&stacks, &sum));
	uint32_t a = stacks_frame(&stacks, STR("a"));
	stacks_make_calls(&stacks, leave_root, &a);
	assert_true(stacks_sum(&stacks, &sum));
	assert_int_equal(sum, 3);
	stacks_release(&stacks);
}

/** One stack inside the next, thousands deep. */
static void deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3000 };
	static uint32_t ids[DEPTH];
	struct stacks stacks;
	struct tree tree = {0};
	stacks_init(&stacks, STACKS_TAKE_LINES);
	for (size_t d = 0; d < DEPTH; d++) {
		ids[d] = stacks_frame(&stacks, STR("f"));
	}
	for (uint32_t d = DEPTH; d > 0; d--) {
		stacks_add_line(&stacks, (struct stack_row){.ids = ids, .depth = d, .count = 1}, 0);
	}
	stacks_sort_names(&stacks);
	tree_build(&tree, &stacks, DEPTH);
	assert_int_equal(tree.n, DEPTH + 1);
	for (size_t i = 1; i < tree.n; i++) {
		assert_int_equal(tree.frames[i].depth, i);
		assert_int_equal(tree.frames[i].start, i - 1);
		assert_int_equal(tree.frames[i].total, DEPTH - i + 1);
	}
	tree_release(&tree);
	stacks_release(&stacks);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lines),   cmocka_unit_test(looked_up_calls),
		cmocka_unit_test(changed_stacks), cmocka_unit_test(chart),
		cmocka_unit_test(large_counts),   cmocka_unit_test(deep_stacks),
	};
	return RUN(tests);
}
