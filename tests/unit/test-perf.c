/* perf: which lines are read without parsing, because they resemble earlier lines. */
#include "test.h"

#include "collapse/collapse.h"
#include "collapse/notices.h"

static const struct collapser *perf; // the format

static int test_perf_find(void **state) {
	(void)state;
	perf = collapse_find_format("perf");
	return perf == NULL ? -1 : 0;
}

enum { SAMPLES = 100, LINES = 4 }; // an event line, two stack lines, an empty line

/** Fold a text of samples. Return the number of parsed lines. */
static uint64_t test_perf_parse(struct str text, const char *option, const char *value) {
	const struct opt_table tables[OPT_TABLES] = {perf->options};
	struct opt_set set;
	struct diag diag = {0};
	struct profile profile;
	struct notices notices = {0};
	struct run run = {.profile = &profile, .inputs = 1, .notices = &notices};
	opt_init(&set, tables);
	profile_init(&profile, PROFILE_STACKS);
	if (option != NULL) {
		struct opt_place place = opt_by_name(&set, str_of(option));
		assert_int_equal(opt_set(&set, place, value, &diag), 0);
	}
	void *state = state_new(perf, set.values[0], &run);
	struct block block = {text, .first = true, .last = true};
	assert_int_equal(perf->block(state, &block), 0);
	assert_int_equal(run.samples, SAMPLES);
	assert_int_equal(run.lines, SAMPLES * LINES);
	assert_int_equal(notices.n, 0);
	perf->release(state);
	profile_release(&profile);
	notices_release(&notices);
	buf_release(&run.text);
	opt_release(&set);
	free(state);
	return run.lines - run.known;
}

/** Write samples with event lines of this form, in which a number from 100 on replaces `#`. */
static struct str test_perf_write_samples(struct buf *text, const char *form) {
	struct str after = str_of(form), before = str_cut(&after, '#');
	buf_clear(text);
	for (int i = 0; i < SAMPLES; i++) {
		buf_add_str(text, before);
		buf_printf(text, "%d", 100 + i);
		buf_add_str(text, after);
		buf_add_text(text, "\n\t            7f00 f+0x12 (/bin/app)\n"
				   "\t            7f01 main (/bin/app)\n\n");
	}
	return buf_str(text);
}

static void test_perf_lines_like_lines_before_are_not_parsed(void **state) {
	(void)state;
	static const char *const forms[] = {
		"app 11/12 #.5: 250000 cycles:u: ",
		"app 11/12 [003]   #.5: 250000 cycles:u: ",
		"app 11/12 [#]   77.25:     250000 cycles:u: ",
		"app    12 [#]    77.25:     250000 cycles: ",
		"app    12 77.25:     # cycles:u: ",
		"app    12 [003] 77.25: # cycles:",
		"two words    12 [003] #.25: cycles: ",
		"  12 [003] #.25:     250000 cycles:u: ",
		"app 11/12 [003]   #.5: 250000 cycles",
		"app 11/# [003] 10.5: 250000 cycles:u: ",
		"two words   # 10.5: 250000 cycles:u: ",
	};
	struct buf text = {0};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct str samples = test_perf_write_samples(&text, forms[i]);
		assert_int_equal(test_perf_parse(samples, NULL, NULL), 3);
		assert_int_equal(test_perf_parse(samples, "tid", NULL), 3);
		assert_int_equal(test_perf_parse(samples, "from", "1"), 3);
		assert_int_equal(test_perf_parse(samples, "event-filter", "cycles"), 3);
	}
	buf_release(&text);
}

static void test_perf_event_lines_of_samples_left_out_are_not_parsed(void **state) {
	(void)state;
	struct buf text = {0};
	struct str samples = test_perf_write_samples(&text, "app 11/12 [003] 10.5: # cycles:u: ");
	assert_int_equal(test_perf_parse(samples, "from", "11"), 1 + 2 * SAMPLES);
	assert_int_equal(test_perf_parse(samples, "to", "10"), 1 + 2 * SAMPLES);
	assert_int_equal(test_perf_parse(samples, "event-filter", "faults"), 1 + 2 * SAMPLES);
	buf_release(&text);
}

static void test_perf_event_lines_of_other_processes_are_parsed(void **state) {
	(void)state;
	struct buf text = {0};
	struct str samples =
		test_perf_write_samples(&text, "app# 11/12 [003] 10.5: 250000 cycles:u: ");
	assert_int_equal(test_perf_parse(samples, NULL, NULL), 2 + SAMPLES);
	samples = test_perf_write_samples(&text,
					  "  # [003] 10.5: 250000 cycles:u: "); // without names
	assert_int_equal(test_perf_parse(samples, NULL, NULL), 2 + SAMPLES);
	buf_release(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perf_lines_like_lines_before_are_not_parsed),
		cmocka_unit_test(test_perf_event_lines_of_samples_left_out_are_not_parsed),
		cmocka_unit_test(test_perf_event_lines_of_other_processes_are_parsed),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, test_perf_find, NULL);
}
