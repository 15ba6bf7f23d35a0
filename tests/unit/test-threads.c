/* Blocks and workers: the result and the messages must not depend on the number of threads. */
#include "test.h"

#include <pthread.h>
#include <signal.h>

#include "base/mem.h"
#include "base/pool.h"
#include "collapse/blocks.h"
#include "collapse/collapse.h"
#include "profile/folded.h"

/* --- The pool ------------------------------------------------------------------------------- */

struct called {
	pthread_mutex_t lock;
	unsigned count[64];
	unsigned deaf; // calls on threads that take no signals
};

static void test_threads_note_call(void *context, size_t i) {
	struct called *calls = context;
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	pthread_mutex_lock(&calls->lock);
	calls->count[i]++;
	calls->deaf += sigismember(&blocked, SIGINT) == 1;
	pthread_mutex_unlock(&calls->lock);
}

static void test_threads_pool_calls_each_once(void **state) {
	(void)state;
	for (size_t threads = 1; threads <= 64; threads *= 4) {
		struct called calls = {.lock = PTHREAD_MUTEX_INITIALIZER};
		pool_run(threads, test_threads_note_call, &calls);
		for (size_t i = 0; i < 64; i++) {
			assert_int_equal(calls.count[i], i < threads);
		}
		assert_int_equal(calls.deaf, threads - 1);
	}
}

/** Every piece is handled once, with more pieces than threads and with fewer. */
static void test_threads_pool_shares_pieces(void **state) {
	(void)state;
	for (size_t pieces = 1; pieces <= 64; pieces *= 4) {
		struct called calls = {.lock = PTHREAD_MUTEX_INITIALIZER};
		pool_share(3, pieces, test_threads_note_call, &calls);
		for (size_t i = 0; i < 64; i++) {
			assert_int_equal(calls.count[i], i < pieces);
		}
	}
}

/* --- Blocks --------------------------------------------------------------------------------- */

/** Cut after the last empty line. */
static size_t test_threads_cut_at_empty_line(struct str bytes) {
	size_t at = str_find_last_str(bytes, STR("\n\n"));
	return at == STR_NONE ? 0 : at + 2;
}

/** Read all blocks. Joined, they must equal the text. Each block must end at an allowed place, and
 * only the last block may be marked as the last. */
static void test_threads_check_blocks(struct str text, blocks_cut *cut) {
	struct diag diag = {0};
	struct input *input = input_open(
		&(struct source){.kind = SOURCE_MEMORY, .memory = text.p, .size = text.n}, &diag);
	struct blocks blocks = {.input = input, .diag = &diag};
	struct buf buffer = {0};
	size_t at = 0, uncut = 0;
	bool last = false;
	for (struct str bytes; !last;) {
		enum blocks_result result =
			blocks_next(&blocks, uncut > 0 ? NULL : cut, &buffer, &bytes, &last);
		if (result == BLOCKS_UNCUT) {
			uncut++;
			continue;
		}
		assert_int_equal(result, BLOCKS_ONE);
		assert_true(at + bytes.n <= text.n);
		assert_true(str_eq(bytes, (struct str){text.p + at, bytes.n}));
		at += bytes.n;
		struct str end = uncut > 0 || cut == NULL ? STR("\n") : STR("\n\n");
		assert_true(last || str_ends(bytes, end));
	}
	assert_int_equal(at, text.n);
	assert_true(blocks.total == text.n);
	struct str none;
	assert_int_equal(blocks_next(&blocks, cut, &buffer, &none, &last), BLOCKS_END);
	blocks_release(&blocks);
	buf_release(&buffer);
	input_close(input);
	diag_release(&diag);
}

static void test_threads_add_lines(struct buf *text, struct random *random, size_t size,
				   size_t samples) {
	for (size_t end = text->n + size; text->n < end;) {
		buf_printf(text, "%0*d\n%s", (int)random_below(random, 300) + 1, 0,
			   random_below(random, 9) < samples ? "\n" : "");
	}
}

static void test_threads_blocks_lose_nothing(void **state) {
	(void)state;
	struct buf text = {0};
	struct random random = {5};
	test_threads_check_blocks(STR(""), NULL);
	test_threads_check_blocks(STR("a"), NULL);
	test_threads_check_blocks(STR("a\nb"), test_threads_cut_at_empty_line);
	test_threads_add_lines(&text, &random, 2 << 20, 1);
	test_threads_check_blocks(buf_str(&text), NULL);
	test_threads_check_blocks(buf_str(&text), test_threads_cut_at_empty_line);
	// A line longer than a block, and a sample that is too long to wait for.
	memset(buf_room(&text, 3 << 20), 'x', 3 << 20);
	text.n += 3 << 20;
	test_threads_check_blocks(buf_str(&text), NULL);
	test_threads_add_lines(&text, &random, 1 << 20, 1);
	test_threads_check_blocks(buf_str(&text), NULL);
	test_threads_check_blocks(buf_str(&text), test_threads_cut_at_empty_line);
	test_threads_add_lines(&text, &random, 6 << 20, 0);
	test_threads_check_blocks(buf_str(&text), test_threads_cut_at_empty_line);
	buf_release(&text);
}

/* --- Workers -------------------------------------------------------------------------------- */

static void test_threads_hear(void *context, enum diag_level level, const char *text) {
	if (level != DIAG_PROGRESS) {
		buf_printf(context, "%d %s\n", (int)level, text);
	}
}

static int test_threads_collect(void *context, const void *bytes, size_t len) {
	buf_add(context, bytes, len);
	return 0;
}

static const struct collapser *test_threads_format_named(const char *name) {
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		if (strcmp(collapse_formats[i]->name, name) == 0) {
			return collapse_formats[i];
		}
	}
	fail();
	return NULL;
}

/** Fold texts with some threads. `told` gets the result, the messages and the error. */
static void test_threads_fold(const char *name, struct str *texts, size_t n, unsigned threads,
			      bool strict, struct buf *told) {
	struct diag diag = {
		.show = test_threads_hear, .context = told, .verbose = 1, .strict = strict};
	const struct collapser *format = test_threads_format_named(name);
	struct opt_table tables[OPT_TABLES] = {format->options};
	struct opt_set set;
	opt_init(&set, tables);
	struct collapse collapse = {
		.format = format, .options = set.values[0], .threads = threads, .diag = &diag};
	struct source sources[4];
	static const char *const names[] = {"first", "second", "third", "fourth"};
	for (size_t i = 0; i < n; i++) {
		sources[i] = (struct source){.kind = SOURCE_MEMORY,
					     .memory = texts[i].p,
					     .size = texts[i].n,
					     .name = names[i]};
	}
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	int result = collapse_sources(&collapse, sources, n, &profile);
	if (result == 0) {
		struct output out;
		output_init(&out, test_threads_collect, told);
		folded_write(&profile, &out, false);
		output_finish(&out);
		output_release(&out);
	}
	diag_summary(&diag);
	buf_printf(told, "%d %s\n", result, buf_text(&diag.error));
	profile_release(&profile);
	opt_release(&set);
	diag_release(&diag);
}

/** Return samples in the text of `perf script`, some of them unusual. */
static struct buf test_threads_perf_text(uint64_t seed, size_t size, size_t odd) {
	struct random random = {seed};
	struct buf text = {0};
	while (text.n < size) {
		size_t depth = random_below(&random, 20);
		buf_printf(&text, "work %zu/%zu [001] %zu.5: %zu %s: \n", random_below(&random, 9),
			   random_below(&random, 99), text.n, random_below(&random, 1000),
			   random_below(&random, 10) == 0 ? "faults" : "cycles:u");
		for (size_t d = 0; d < depth; d++) {
			buf_printf(&text, "\t%16zx f%zu+0x%zx (/bin/m%zu)\n",
				   random_below(&random, 1 << 30), random_below(&random, 200),
				   random_below(&random, 4096), random_below(&random, 3));
			if (odd > 0 && random_below(&random, odd) == 0) {
				buf_printf(&text, "oddity-%zu\n", text.n);
			}
		}
		buf_add_text(&text, random_below(&random, 30) == 0 ? "# a comment\n\n\n" : "\n");
	}
	return text;
}

static struct buf test_threads_folded_text(uint64_t seed, size_t size, size_t odd) {
	struct random random = {seed};
	struct buf text = {0};
	while (text.n < size) {
		for (size_t d = random_below(&random, 20); d > 0; d--) {
			buf_printf(&text, "f%zu;", random_below(&random, 20));
		}
		buf_printf(&text, "leaf %s\n",
			   odd > 0 && random_below(&random, odd) == 0 ? "x" : "3");
	}
	return text;
}

static void test_threads_check(const char *format, struct str *texts, size_t n, bool strict) {
	struct buf one = {0};
	test_threads_fold(format, texts, n, 1, strict, &one);
	assert_true(one.n > 0);
	for (unsigned threads = 2; threads <= 8; threads += 3) {
		struct buf several = {0};
		test_threads_fold(format, texts, n, threads, strict, &several);
		if (!str_eq(buf_str(&several), buf_str(&one))) {
			print_error("%s with %u threads: %.300s\nwith one: %.300s\n", format,
				    threads, buf_text(&several), buf_text(&one));
			fail();
		}
		buf_release(&several);
	}
	buf_release(&one);
}

static void test_threads_any_number_of_threads(void **state) {
	(void)state;
	struct buf clean = test_threads_perf_text(1, 3 << 20, 0),
		   odd = test_threads_perf_text(2, 2 << 20, 300),
		   small = test_threads_perf_text(3, 1000, 5);
	struct str texts[] = {buf_str(&clean), buf_str(&odd), buf_str(&small), STR("# nothing\n")};
	test_threads_check("perf", texts, 1, false);
	test_threads_check("perf", texts, 4, false);
	test_threads_check("perf", texts + 1, 2, false);
	test_threads_check("perf", texts + 1, 2, true);
	buf_release(&clean);
	buf_release(&odd);
	buf_release(&small);
	clean = test_threads_folded_text(1, 3 << 20, 0);
	odd = test_threads_folded_text(2, 2 << 20, 3000);
	struct str folded[] = {buf_str(&clean), buf_str(&odd)};
	test_threads_check("folded", folded, 2, false);
	test_threads_check("folded", folded, 2, true);
	buf_release(&clean);
	buf_release(&odd);
}

/** The number of threads that read an input depends on its size. The result does not depend on the
 * number. */
static void test_threads_as_many_threads_as_pay(void **state) {
	(void)state;
	const char *sanitized = getenv("SANITIZED");
	if (sanitized != NULL && *sanitized != '\0') {
		print_message("the other tests read as much with a sanitizer\n");
		return;
	}
	struct buf text = test_threads_perf_text(6, 36 << 20, 0), one = {0}, several = {0};
	struct str all = buf_str(&text);
	test_threads_fold("perf", &all, 1, 1, false, &one);
	test_threads_fold("perf", &all, 1, 0, false, &several);
	assert_true(str_eq(buf_str(&several), buf_str(&one)));
	buf_release(&text);
	buf_release(&one);
	buf_release(&several);
}

/** If a sample is too long for a block, one worker reads all of it, and nothing is lost.
 */
static void test_threads_a_very_long_sample(void **state) {
	(void)state;
	struct buf text = test_threads_perf_text(4, 1 << 20, 0),
		   end = test_threads_perf_text(5, 1 << 20, 0);
	buf_add_text(&text, "long 1 1.0: cycles:\n");
	for (size_t i = 0; i < 250000; i++) {
		buf_printf(&text, "\t%16zx deep%zu (/bin/m)\n", i, i % 3);
	}
	buf_add_text(&text, "\n");
	buf_add_str(&text, buf_str(&end));
	struct str all = buf_str(&text);
	test_threads_check("perf", &all, 1, false);
	buf_release(&text);
	buf_release(&end);
}

/** The event of the first sample is kept, even if the first block has no sample. */
static void test_threads_the_first_event_decides(void **state) {
	(void)state;
	struct buf text = {0};
	while (text.n < 1 << 20) {
		buf_add_text(&text, "x 1 no event\n\t            7f00 f (m)\n\n");
	}
	for (size_t i = 0; i < 20000; i++) {
		buf_printf(&text, "x 1 1.0: 1 %s:\n\t            7f00 %s (m)\n\n",
			   i % 3 == 0 ? "first" : "second", i % 3 == 0 ? "a" : "b");
	}
	struct str all = buf_str(&text);
	test_threads_check("perf", &all, 1, false);
	struct buf told = {0};
	test_threads_fold("perf", &all, 1, 3, false, &told);
	assert_has(buf_text(&told), "x;a 6667\n");
	assert_null(strstr(buf_text(&told), "x;b "));
	buf_release(&told);
	buf_release(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_pool_calls_each_once),
		cmocka_unit_test(test_threads_pool_shares_pieces),
		cmocka_unit_test(test_threads_blocks_lose_nothing),
		cmocka_unit_test(test_threads_any_number_of_threads),
		cmocka_unit_test(test_threads_a_very_long_sample),
		cmocka_unit_test(test_threads_the_first_event_decides),
		cmocka_unit_test(test_threads_as_many_threads_as_pay),
	};
	return RUN(tests);
}
