/* Frames on their way from a line to a stack: lists, the memo of lines, the stack. */
#include "test.h"

#include "collapse/frames.h"

static void one_frame_needs_no_list(void **state) {
	(void)state;
	struct ids lists = {0};
	size_t start = frame_lists_open(&lists);
	ids_push(&lists, 5);
	assert_int_equal(frame_lists_close(&lists, start), FRAMES_FIRST + 5);
	assert_int_equal(lists.n, 0);
	ids_release(&lists);
}

static void lists_are_pushed_in_order(void **state) {
	(void)state;
	struct ids lists = {0};
	struct stack stack = {0};
	frames what[2];
	for (uint32_t i = 0; i < 2; i++) {
		size_t start = frame_lists_open(&lists);
		ids_push(&lists, 10 * i + 1); // the root comes first
		ids_push(&lists, 10 * i + 2);
		what[i] = frame_lists_close(&lists, start);
		assert_true((what[i] & FRAMES_LIST) != 0);
	}
	stack_push_frames(&stack, &lists, what[0]); // the leaf's line comes first
	stack_push_frames(&stack, &lists, (FRAMES_FIRST + 7) | FRAMES_MARK);
	stack_push_frames(&stack, &lists, what[1] | FRAMES_MARK);
	const uint32_t expected[] = {11, 12, 7, 1, 2};
	assert_int_equal(stack_depth(&stack), 5);
	assert_memory_equal(stack_ids(&stack), expected, sizeof(expected));
	stack_clear(&stack);
	assert_int_equal(stack_depth(&stack), 0);
	stack_release(&stack);
	ids_release(&lists);
}

static void deep_stacks_keep_their_frames(void **state) {
	(void)state;
	enum { DEPTH = 10000 };
	struct stack stack = {0};
	for (uint32_t i = 0; i < DEPTH; i++) {
		stack_push(&stack, i);
	}
	assert_int_equal(stack_depth(&stack), DEPTH);
	for (uint32_t i = 0; i < DEPTH; i++) {
		assert_int_equal(stack_ids(&stack)[i], DEPTH - 1 - i);
	}
	stack_release(&stack);
}

/** Takes a line as a format does. Returns whether it was known. */
static bool take(struct memo *memo, const char *line, frames meaning) {
	size_t n = memo_step(memo, str_of(line));
	if (n != 0) {
		assert_int_equal(n, strlen(line));
		assert_int_equal(memo_meaning(memo, 0), meaning);
		return true;
	}
	struct str text = str_to(str_of(line), strlen(line) - 1);
	assert_int_equal(memo_find(memo, text, 0), 0);
	memo_add(memo, text, 0, meaning);
	return false;
}

static void a_line_is_new_once(void **state) {
	(void)state;
	static const char *const lines[] = {"a\n", "ab\n", "b\n", "a\n", "b\n", "abc\n"};
	struct memo memo = {0};
	struct random random = {3};
	size_t known = 0, taken = 0;
	for (size_t stack = 0; stack < 500; stack++) {
		memo_start(&memo);
		for (size_t depth = random_below(&random, 9); depth > 0; depth--, taken++) {
			size_t i = random_below(&random, 6);
			frames meaning =
				FRAMES_FIRST + (frames)strlen(lines[i]) + (frames)lines[i][0];
			known += take(&memo, lines[i], meaning);
		}
	}
	assert_int_equal(memo.lines.count, 4);
	assert_int_equal(taken - known, 4);
	memo_release(&memo);
}

static void what_followed_last_is_tried_first(void **state) {
	(void)state;
	struct memo memo = {0};
	assert_null(memo_guess(&memo));
	memo_add(&memo, STR("leaf"), 0, FRAMES_FIRST);
	memo_add(&memo, STR("caller"), 0, FRAMES_FIRST + 1);
	memo_start(&memo);
	assert_str(intern_str(memo_guess(&memo)), "leaf");
	assert_int_equal(memo_step(&memo, STR("leaf\ncaller\n")), strlen("leaf\n"));
	assert_str(intern_str(memo_guess(&memo)), "caller");
	// Another one follows now, and is the one that is tried next time.
	memo_add(&memo, STR("main"), 0, FRAMES_FIRST + 2);
	memo_start(&memo);
	memo_step(&memo, STR("leaf\n"));
	assert_str(intern_str(memo_guess(&memo)), "main");
	memo_release(&memo);
}

static void what_is_no_known_line(void **state) {
	(void)state;
	struct memo memo = {0};
	memo_add(&memo, STR("leaf"), 0, FRAMES_FIRST);
	memo_start(&memo);
	assert_int_equal(memo_step(&memo, STR("leaf")), 0);    // goes on in the next block, perhaps
	assert_int_equal(memo_step(&memo, STR("leaf \n")), 0); // its end is to be trimmed first
	assert_int_equal(memo_step(&memo, STR("leaf\r\n")), 0);
	assert_int_equal(memo_step(&memo, STR("leaflet\n")), 0);
	assert_int_equal(memo_step(&memo, STR("lea\n")), 0);
	assert_int_equal(memo_step(&memo, STR("\n")), 0);
	assert_int_equal(memo_step(&memo, STR("leaf\n")), strlen("leaf\n"));
	memo_add(&memo, STR("odd "), 0, FRAMES_FIRST + 1);
	memo_start(&memo);
	assert_int_equal(memo_step(&memo, STR("odd \n")), 0); // a format trims it first
	memo_release(&memo);
}

static void two_meanings(void **state) {
	(void)state;
	struct memo memo = {0};
	memo_add(&memo, STR("run"), 1, FRAMES_FIRST + 1);
	assert_int_equal(memo_find(&memo, STR("run"), 0), 0);
	memo_add(&memo, STR("run"), 0, FRAMES_FIRST + 2);
	assert_int_equal(memo_find(&memo, STR("run"), 0), FRAMES_FIRST + 2);
	assert_int_equal(memo_find(&memo, STR("run"), 1), FRAMES_FIRST + 1);
	assert_int_equal(memo.lines.count, 1);
	memo_release(&memo);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_frame_needs_no_list),
		cmocka_unit_test(lists_are_pushed_in_order),
		cmocka_unit_test(deep_stacks_keep_their_frames),
		cmocka_unit_test(a_line_is_new_once),
		cmocka_unit_test(what_followed_last_is_tried_first),
		cmocka_unit_test(what_is_no_known_line),
		cmocka_unit_test(two_meanings),
	};
	return RUN(tests);
}
