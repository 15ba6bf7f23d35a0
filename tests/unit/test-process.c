/* Running programs: their command lines, and text that passes through them. */
#include "test.h"

#include <signal.h>

#include "base/process.h"

static void test_process_assert_split(const char *text, const char *wanted) {
	struct words words = {0};
	struct arena arena = {0};
	struct buf joined = {0};
	const char *problem = words_split(&words, text, &arena);
	for (size_t i = 0; problem == NULL && i < words.n; i++) {
		buf_printf(&joined, "[%s]", words.items[i]);
	}
	assert_string_equal(problem == NULL ? buf_text(&joined) : problem, wanted);
	words_release(&words);
	arena_release(&arena);
	buf_release(&joined);
}

static void test_process_command_lines(void **state) {
	(void)state;
	test_process_assert_split("rustfilt", "[rustfilt]");
	test_process_assert_split("  sed -e\t's/a b/c/'  ", "[sed][-e][s/a b/c/]");
	test_process_assert_split("a\\ b \\'c d\\\\", "[a b]['c][d\\]");
	test_process_assert_split("\"a \\\"b\\\" \\n $x\" ''", "[a \"b\" \\n $x][]");
	test_process_assert_split("x'a'\"b\"c", "[xabc]");
	test_process_assert_split("'a\\' b", "[a\\][b]");
	test_process_assert_split("a\\", "[a\\]");
	test_process_assert_split("'a", "a quote is not closed");
	test_process_assert_split("a \"b\\\"", "a quote is not closed");
	test_process_assert_split("\"b\\", "a quote is not closed");
	test_process_assert_split(" ", "it is empty");
}

/** Pass text through a shell script. Return its status. */
static int test_process_pass(const char *script, struct str input, struct buf *output) {
	struct process process;
	struct diag diag = {0};
	struct words words = {0};
	words_add_all(&words, "sh", "-c", script, NULL);
	assert_int_equal(process_start(&process, words.items, PROCESS_FEED | PROCESS_TAKE, &diag),
			 0);
	assert_int_equal(process_exchange(&process, input, output), 0);
	diag_release(&diag);
	words_release(&words);
	return process_wait(&process);
}

static void test_process_exchange(void **state) {
	(void)state;
	struct buf input = {0}, output = {0};
	for (size_t i = 0; i < 300000; i++) { // more than fits into a pipe
		buf_add_u64(&input, i);
	}
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(test_process_pass("cat", buf_str(&input), &output), 0);
	assert_true(str_eq(buf_str(&input), buf_str(&output)));
	buf_clear(&output);
	assert_int_equal(test_process_pass("echo done; exit 3", buf_str(&input), &output), 3);
	assert_string_equal(buf_text(&output), "done\n");
	buf_clear(&output);
	assert_int_equal(test_process_pass("kill -TERM $$", STR(""), &output), 128 + SIGTERM);
	assert_int_equal(test_process_pass("exec cat", STR(""), &output), 0);
	assert_int_equal(output.n, 0);
	buf_release(&input);
	buf_release(&output);
}

static void test_process_note(void *context, enum diag_level level, const char *text) {
	if (level == DIAG_NOTE) {
		buf_add_text(context, text);
	}
}

static void test_process_messages(void **state) {
	(void)state;
	struct buf said = {0};
	struct diag diag = {.show = test_process_note, .context = &said, .verbose = 1};
	struct words words = {0};
	struct process process;
	words_add_all(&words, "/nowhere/x", "a b", "it's", "", "--c=d", NULL);
	assert_int_equal(process_start(&process, words.items, 0, &diag), -1);
	assert_int_equal(process_wait(&process), 0);
	assert_string_equal(buf_text(&said), "running: /nowhere/x 'a b' 'it'\\''s' '' --c=d");
	assert_string_equal(buf_text(&diag.error),
			    "cannot run '/nowhere/x': there is no folder '/nowhere/'");
	diag_release(&diag);
	words_release(&words);
	buf_release(&said);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_process_command_lines),
		cmocka_unit_test(test_process_exchange),
		cmocka_unit_test(test_process_messages),
	};
	return RUN(tests);
}
