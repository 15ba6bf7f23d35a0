/* From lines to stacks: lists of frames, the memo of lines, the stack. */
#include "test.h"

#include "profile/memo.h"

static void test_frames_assert_meaning(struct meaning meaning, unsigned kind, uint32_t id) {
	assert_int_equal(meaning.kind, kind);
	assert_int_equal(meaning.id, id);
	assert_int_equal(meaning.mark, 0);
}

static void test_frames_one_frame_needs_no_list(void **state) {
	(void)state;
	struct ids lists = {0};
	size_t start = frame_lists_open(&lists);
	ids_push(&lists, 5);
	test_frames_assert_meaning(frame_lists_close(&lists, start), MEANS_FRAME, 5);
	assert_int_equal(lists.n, 0);
	ids_release(&lists);
}

static void test_frames_lists_are_pushed_in_order(void **state) {
	(void)state;
	struct ids lists = {0};
	struct stack stack = {0};
	struct meaning lines[2];
	for (uint32_t i = 0; i < 2; i++) {
		size_t start = frame_lists_open(&lists);
		ids_push(&lists, 10 * i + 1); // the root comes first
		ids_push(&lists, 10 * i + 2);
		lines[i] = frame_lists_close(&lists, start);
		test_frames_assert_meaning(lines[i], MEANS_FRAMES, 3 * i);
	}
	lines[1].mark = 7;
	stack_push_meaning(&stack, &lists, lines[0]); // the leaf's line comes first
	stack_push_meaning(&stack, &lists, meaning_frame(7));
	stack_push_meaning(&stack, &lists, (struct meaning){.kind = MEANS_NOTHING});
	stack_push_meaning(&stack, &lists, lines[1]);
	const uint32_t expected[] = {11, 12, 7, 1, 2};
	assert_int_equal(stack_depth(&stack), 5);
	assert_memory_equal(stack_ids(&stack), expected, sizeof(expected));
	stack_clear(&stack);
	assert_int_equal(stack_depth(&stack), 0);
	stack_release(&stack);
	ids_release(&lists);
}

/** Ids of all sizes must be valid frames: no bits are used for flags. */
static void test_frames_large_ids_are(void **state) {
	(void)state;
	static const uint32_t ids[] = {
		0, 8, UINT32_C(0x20000000), UINT32_C(0x40000000), UINT32_C(0x80000000), UINT32_MAX};
	enum { N = sizeof(ids) / sizeof(ids[0]) };
	struct memo memo = {0};
	struct stack stack = {0};
	for (size_t i = 0; i < N; i++) {
		struct str line = {(const char *)&ids[N - 1 - i], sizeof(ids[0])};
		memo_add(&memo, line, 0, meaning_frame(ids[N - 1 - i]));
		stack_push_meaning(&stack, NULL, memo_find(&memo, line, 0));
	}
	assert_int_equal(stack_depth(&stack), N);
	assert_memory_equal(stack_ids(&stack), ids, sizeof(ids));
	stack_release(&stack);
	memo_release(&memo);
}

static jmp_buf ended;

/** Replace the function that ends the process when memory runs out: a test expects the call. */
_Noreturn void inferno_out_of_memory(void) {
	longjmp(ended, 1);
}

static void test_frames_too_many_lists(void **state) {
	(void)state;
	struct ids lists = {.n = (size_t)UINT32_MAX + 1};
	if (SIZE_MAX == UINT32_MAX) {
		return; // no test has this many frames
	}
	if (setjmp(ended) == 0) {
		frame_lists_close(&lists, 5);
		fail_msg("there was a number for it");
	}
}

static void test_frames_deep_stacks_keep_their(void **state) {
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

/** Look a line up and add it, as a format does. Return whether the memo knew the line. */
static bool test_frames_take(struct memo *memo, const char *line, uint32_t id) {
	size_t n = memo_step(memo, str_of(line));
	if (n != 0) {
		assert_int_equal(n, strlen(line));
		test_frames_assert_meaning(memo_meaning(memo, 0), MEANS_FRAME, id);
		return true;
	}
	struct str text = str_to(str_of(line), strlen(line) - 1);
	test_frames_assert_meaning(memo_find(memo, text, 0), MEANS_UNKNOWN, 0);
	memo_add(memo, text, 0, meaning_frame(id));
	return false;
}

static void test_frames_a_line_is_new_once(void **state) {
	(void)state;
	static const char *const lines[] = {"a\n", "ab\n", "b\n", "a\n", "b\n", "abc\n"};
	struct memo memo = {0};
	struct random random = {3};
	size_t known = 0, taken = 0;
	for (size_t stack = 0; stack < 500; stack++) {
		memo_start(&memo);
		for (size_t depth = random_below(&random, 9); depth > 0; depth--, taken++) {
			size_t i = random_below(&random, 6);
			uint32_t id = (uint32_t)strlen(lines[i]) + (uint32_t)lines[i][0];
			known += test_frames_take(&memo, lines[i], id);
		}
	}
	assert_int_equal(memo.lines.count, 4);
	assert_int_equal(taken - known, 4);
	memo_release(&memo);
}

static void test_frames_what_followed_last_is_tried_first(void **state) {
	(void)state;
	struct memo memo = {0};
	assert_null(memo_guess(&memo));
	memo_add(&memo, STR("leaf"), 0, meaning_frame(0));
	memo_add(&memo, STR("caller"), 0, meaning_frame(1));
	memo_start(&memo);
	assert_str(intern_str(memo_guess(&memo)), "leaf");
	assert_int_equal(memo_step(&memo, STR("leaf\ncaller\n")), strlen("leaf\n"));
	assert_str(intern_str(memo_guess(&memo)), "caller");
	// Now another line follows the same line, so it becomes the next guess.
	memo_add(&memo, STR("main"), 0, meaning_frame(2));
	memo_start(&memo);
	memo_step(&memo, STR("leaf\n"));
	assert_str(intern_str(memo_guess(&memo)), "main");
	memo_release(&memo);
}

static void test_frames_what_is_no_known_line(void **state) {
	(void)state;
	struct memo memo = {0};
	memo_add(&memo, STR("leaf"), 0, meaning_frame(0));
	memo_start(&memo);
	assert_int_equal(memo_step(&memo, STR("leaf")), 0);    // may continue in the next block
	assert_int_equal(memo_step(&memo, STR("leaf \n")), 0); // a format trims its end first
	assert_int_equal(memo_step(&memo, STR("leaf\r\n")), 0);
	assert_int_equal(memo_step(&memo, STR("leaflet\n")), 0);
	assert_int_equal(memo_step(&memo, STR("lea\n")), 0);
	assert_int_equal(memo_step(&memo, STR("\n")), 0);
	assert_int_equal(memo_step(&memo, STR("leaf\n")), strlen("leaf\n"));
	memo_add(&memo, STR("odd "), 0, meaning_frame(1));
	memo_start(&memo);
	assert_int_equal(memo_step(&memo, STR("odd \n")), 0); // a format trims it first
	memo_release(&memo);
}

static void test_frames_two_meanings(void **state) {
	(void)state;
	struct memo memo = {0};
	memo_add(&memo, STR("run"), 1, meaning_frame(1));
	test_frames_assert_meaning(memo_find(&memo, STR("run"), 0), MEANS_UNKNOWN, 0);
	memo_add(&memo, STR("run"), 0, meaning_frame(2));
	test_frames_assert_meaning(memo_find(&memo, STR("run"), 0), MEANS_FRAME, 2);
	test_frames_assert_meaning(memo_find(&memo, STR("run"), 1), MEANS_FRAME, 1);
	assert_int_equal(memo.lines.count, 1);
	memo_release(&memo);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_one_frame_needs_no_list),
		cmocka_unit_test(test_frames_lists_are_pushed_in_order),
		cmocka_unit_test(test_frames_large_ids_are),
		cmocka_unit_test(test_frames_too_many_lists),
		cmocka_unit_test(test_frames_deep_stacks_keep_their),
		cmocka_unit_test(test_frames_a_line_is_new_once),
		cmocka_unit_test(test_frames_what_followed_last_is_tried_first),
		cmocka_unit_test(test_frames_what_is_no_known_line),
		cmocka_unit_test(test_frames_two_meanings),
	};
	return RUN(tests);
}
