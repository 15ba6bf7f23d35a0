/* libinferno, from its public header alone. */
#include "inferno.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static int test_library_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

static int test_library_refuse(void *context, const void *bytes, size_t size) {
	(void)bytes;
	(void)size;
	++*(int *)context;
	return 1;
}

/** Add a message to `context`, unless it tells the progress, which depends on the time. */
static void test_library_hear(void *context, enum inferno_level level, const char *text) {
	if (level != INFERNO_PROGRESS) {
		buf_printf(context, "%d:%s\n", (int)level, text);
	}
}

static void test_library_add_text(struct inferno *job, const char *text, const char *name) {
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_MEMORY,
						  .memory = text,
						  .size = strlen(text),
						  .name = name});
}

static const char sample[] =
	"x 1 [000] 1.0: 5 cycles:\n\t7f00 f (m)\n\nx 2 [000] 1.0: 6 cycles:\n\t7f00 g (m)\n\n";

static void test_library_errors_last(void **state) {
	(void)state;
	struct inferno *job = inferno_new("flamegraph");
	assert_int_equal(inferno_set(job, "no-such", NULL), INFERNO_BAD_USAGE);
	const char *first = inferno_error(job);
	assert_int_equal(inferno_set(job, "width", "narrow"), INFERNO_BAD_USAGE);
	const char *second = inferno_error(job);
	assert_int_equal(inferno_set(job, "title", "x"), INFERNO_OK);
	assert_string_equal(inferno_error(job), "");
	struct buf out = {0};
	test_library_add_text(job, "a 0\n", "zero");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(first, "unknown option '--no-such'");
	assert_has(second, "--width: expected a whole number");
	assert_has(inferno_error(job), "no stack counts");
	buf_release(&out);
	inferno_free(job);
}

/** Interrupt a job while its run writes, and so does not wait for the network. */
static int test_library_collect_and_interrupt(void *context, const void *bytes, size_t size) {
	(void)bytes;
	(void)size;
	assert_int_equal(inferno_interrupt(context), 0);
	return 0;
}

static void test_library_goes_on(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	test_library_add_text(job, sample, "sample");
	assert_int_equal(inferno_run(job, test_library_collect_and_interrupt, job), INFERNO_OK);
	inferno_free(job);
}

/** A picture gets its permissions without a change of the process's umask. */
static void test_library_writes_files(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-test-XXXXXX.svg";
	int fd = mkstemps(path, 4);
	assert_true(fd >= 0);
	struct stat info;
	mode_t mask = umask(027);
	for (int exists = 0; exists < 2; exists++) {
		struct inferno *job = inferno_new("diff");
		struct buf out = {0};
		assert_int_equal(exists ? chmod(path, 0606) : unlink(path), 0);
		assert_int_equal(inferno_set(job, "svg", path), INFERNO_OK);
		test_library_add_text(job, "a 1\n", "before");
		test_library_add_text(job, "a 2\n", "after");
		assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_OK);
		assert_int_equal(stat(path, &info), 0);
		assert_int_equal(info.st_mode & 0777, exists ? 0606 : 0640);
		buf_release(&out);
		inferno_free(job);
	}
	assert_int_equal(umask(mask), 027);
	unlink(path);
	close(fd);
}

static void test_library_folds_memory(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	assert_non_null(job);
	assert_int_equal(inferno_set(job, "tid", NULL), INFERNO_OK);
	test_library_add_text(job, sample, "sample");
	test_library_add_text(job, sample, "again");
	struct buf out = {0};
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_OK);
	assert_str(buf_str(&out), "x-?/1;f 10\nx-?/2;g 12\n");
	assert_string_equal(inferno_error(job), "");
	buf_release(&out);
	inferno_free(job);
	inferno_free(NULL);
}

static void test_library_knows_commands(void **state) {
	(void)state;
	static const char *const unknown[] = {"",     "collapse", "collapse perf",
					      "perf", "no-such",  "inferno-collapse-perf"};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		assert_null(inferno_new(unknown[i]));
	}
	assert_null(inferno_new(NULL));
	struct inferno *job = inferno_new("stackcollapse-perf"); // an alias
	assert_non_null(job);
	inferno_free(job);
}

static void test_library_bad_options(void **state) {
	(void)state;
	static const char *const cases[][3] = {
		{"tdi", NULL, "unknown option '--tdi'; did you mean '--tid'?"},
		{"no-such-thing", NULL, "unknown option '--no-such-thing'"},
		{"event-filter", NULL, "--event-filter needs a value"},
		{"nthreads", "many", "--nthreads: expected a whole number or auto, found 'many'"},
		{"tid", "perhaps", "--tid takes no value"},
		// Only the command line has this option.
		{"output", "x", "unknown option '--output'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct inferno *job = inferno_new("collapse-perf");
		assert_int_equal(inferno_set(job, cases[i][0], cases[i][1]), INFERNO_BAD_USAGE);
		assert_string_equal(inferno_error(job), cases[i][2]);
		inferno_free(job);
	}
}

static void test_library_errors_belong_to_the_last_call(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	assert_int_equal(inferno_set(job, "nonsense", NULL), INFERNO_BAD_USAGE);
	assert_int_equal(inferno_set(job, "nthreads", "many"), INFERNO_BAD_USAGE);
	assert_string_equal(inferno_error(job),
			    "--nthreads: expected a whole number or auto, found 'many'");
	assert_int_equal(inferno_set(job, "nthreads", "2"), INFERNO_OK);
	assert_string_equal(inferno_error(job), "");
	assert_int_equal(inferno_set(job, "nonsense", NULL), INFERNO_BAD_USAGE);
	assert_int_equal(inferno_add(job, &(struct inferno_source){.kind = 9}), INFERNO_BAD_USAGE);
	assert_string_equal(inferno_error(job), "unknown kind of source: 9");
	test_library_add_text(job, sample, "sample");
	assert_string_equal(inferno_error(job), "");
	struct buf out = {0};
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_OK);
	assert_string_equal(inferno_error(job), "");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_BAD_USAGE);
	assert_string_equal(inferno_error(job), "a job runs only once");
	buf_release(&out);
	inferno_free(job);
}

static void test_library_empty_memory_is_not_standard_input(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_MEMORY});
	struct buf out = {0};
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "memory: is empty");
	inferno_free(job);
}

static void test_library_options_that_exclude_each_other(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	assert_int_equal(inferno_set(job, "strict", NULL), INFERNO_OK);
	assert_int_equal(inferno_set(job, "lenient", NULL), INFERNO_OK);
	test_library_add_text(job, sample, "sample");
	struct buf out = {0};
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_BAD_USAGE);
	assert_has(inferno_error(job), "cannot be used together");
	assert_int_equal(out.n, 0);
	inferno_free(job);
}

static void test_library_a_writer_that_fails(void **state) {
	(void)state;
	struct inferno *job = inferno_new("collapse-perf");
	test_library_add_text(job, sample, "sample");
	int calls = 0;
	assert_int_equal(inferno_run(job, test_library_refuse, &calls), INFERNO_FAILED);
	assert_int_equal(calls, 1);
	assert_has(inferno_error(job), "could not be written");
	inferno_free(job);
}

static void test_library_inputs_that_fail(void **state) {
	(void)state;
	struct buf out = {0};
	struct inferno *job = inferno_new("collapse-perf");
	inferno_add(job, &(struct inferno_source){.path = "/no/such/file"});
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "/no/such/file: ");
	inferno_free(job);

	job = inferno_new("collapse-perf");
	test_library_add_text(job, sample, "good");
	test_library_add_text(job, "nonsense\n", "NAME");
	assert_int_equal(inferno_set(job, "strict", NULL), INFERNO_OK);
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "NAME:1: weird event line: 'nonsense'");
	inferno_free(job);

	job = inferno_new("collapse-guess");
	test_library_add_text(job, "nonsense\n", "NAME");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "NAME: ");
	inferno_free(job);

	job = inferno_new("collapse-guess");
	test_library_add_text(job, "", "NAME");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "NAME: is empty");
	inferno_free(job);

	job = inferno_new("collapse-perf");
	inferno_add(job, &(struct inferno_source){.path = "-"});
	inferno_add(job, &(struct inferno_source){.path = "-"});
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_BAD_USAGE);
	assert_has(inferno_error(job), "only once");
	inferno_free(job);
	assert_int_equal(out.n, 0);
}

static void test_library_counts_that_do_not_fit(void **state) {
	(void)state;
	struct buf out = {0};
	struct inferno *job = inferno_new("collapse-folded");
	test_library_add_text(job, "a 18446744073709551615\na 1\n", "NAME");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_FAILED);
	assert_has(inferno_error(job), "63 bits");
	assert_int_equal(out.n, 0);
	inferno_free(job);
}

static void test_library_messages(void **state) {
	(void)state;
	struct buf heard = {0}, out = {0};
	struct inferno *job = inferno_new("collapse-guess");
	inferno_on_message(job, test_library_hear, &heard);
	assert_int_equal(inferno_set(job, "verbose", NULL), INFERNO_OK);
	test_library_add_text(job, "a;b 1\nc;d 2\nbad\n", "NAME");
	test_library_add_text(job, sample, "OTHER");
	assert_int_equal(inferno_run(job, test_library_collect, &out),
			 INFERNO_FAILED); // because of the line without a count
	buf_clear(&heard);
	inferno_free(job);

	job = inferno_new("collapse-guess");
	inferno_on_message(job, test_library_hear, &heard);
	assert_int_equal(inferno_set(job, "verbose", NULL), INFERNO_OK);
	test_library_add_text(job, "a;b 1\nc;d 2\n", "NAME");
	test_library_add_text(job, sample, "OTHER");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_OK);
	assert_str(buf_str(&out), "a;b 1\nc;d 2\nx;f 5\nx;g 6\n");
	assert_has(buf_text(&heard), "1:NAME: read as folded\n");
	assert_has(buf_text(&heard), "1:OTHER: read as perf\n");
	buf_clear(&heard);
	buf_clear(&out);
	inferno_free(job);

	job = inferno_new("collapse-folded");
	inferno_on_message(job, test_library_hear, &heard);
	test_library_add_text(job, "a;b 1\nbad\n", "NAME");
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_OK);
	assert_has(buf_text(&heard), "0:NAME:2: ");
	inferno_free(job);
	buf_release(&heard);
	buf_release(&out);
}

static void test_library_version(void **state) {
	(void)state;
	assert_string_equal(inferno_version(), INFERNO_VERSION);
}

/* --- Version 1.0 ----------------------------------------------------------------------------- */

static void test_library_lists(void **state) {
	(void)state;
	struct inferno_item item;
	size_t commands = 0, inputs = 0, outputs = 0;
	while (inferno_list(INFERNO_COMMANDS, commands, &item)) {
		struct inferno *job = inferno_new(item.name);
		assert_non_null(job);
		assert_true(item.brief[0] != '\0');
		inferno_free(job);
		commands++;
	}
	while (inferno_list(INFERNO_INPUTS, inputs, &item)) {
		inputs++;
	}
	while (inferno_list(INFERNO_OUTPUTS, outputs, &item)) {
		outputs++;
	}
	assert_true(inputs > 20 && outputs > 5 && commands > inputs);
	assert_int_equal(inferno_list(INFERNO_OUTPUTS, 1000, &item), 0);
	assert_string_equal(item.name, "");
}

static void test_library_options(void **state) {
	(void)state;
	struct inferno *job = inferno_new("flamegraph");
	struct inferno_option option;
	bool title = false, format = false;
	for (size_t i = 0; inferno_option(job, i, &option); i++) {
		title |= strcmp(option.name, "title") == 0 && option.value != NULL;
		if (strcmp(option.name, "format") == 0) {
			format = true;
			assert_non_null(option.choices);
			assert_string_equal(option.choices[0], "callgrind");
		}
	}
	assert_true(title && format);
	assert_null(option.name);
	inferno_free(job);
}

static void test_library_sniffs(void **state) {
	(void)state;
	char why[100];
	struct inferno_source source = {
		.kind = INFERNO_MEMORY, .memory = sample, .size = sizeof(sample) - 1};
	assert_string_equal(inferno_sniff(&source, why, sizeof(why)), "perf");
	assert_string_equal(why, "");
	source = (struct inferno_source){.kind = INFERNO_MEMORY, .memory = "?", .size = 1};
	assert_null(inferno_sniff(&source, why, sizeof(why)));
	assert_has(why, "no format");
	source = (struct inferno_source){.path = "/no/such/file"};
	assert_null(inferno_sniff(&source, why, sizeof(why)));
	assert_has(why, "No such file");
	assert_null(inferno_sniff(&source, NULL, 0));
}

/** Run a command on a profile in memory; return the status, and add what it writes to `out`. */
static enum inferno_status test_library_write(const char *command, const char *format,
					      const struct inferno_profile *profile,
					      struct buf *out) {
	struct inferno *job = inferno_new(command);
	if (format != NULL) {
		assert_int_equal(inferno_set(job, "format", format), INFERNO_OK);
	}
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_PROFILE, .profile = profile});
	enum inferno_status status = inferno_run(job, test_library_collect, out);
	inferno_free(job);
	buf_text(out);
	return status;
}

/** A sum that does not fit is refused with the name of its stack, and adds nothing. */
static void test_library_profile_sums(void **state) {
	(void)state;
	static const char *const deep[] = {"main", "a;b"}, *const other[] = {"other"};
	struct inferno_profile *profile = inferno_profile_new(NULL);
	struct buf out = {0};
	assert_string_equal(inferno_profile_error(profile), "");
	assert_int_equal(inferno_profile_add(profile, deep, 2, (uint64_t)INT64_MAX + 1),
			 INFERNO_BAD_USAGE);
	assert_string_equal(inferno_profile_error(profile),
			    "the count has more than 63 bits: main;a:b");
	assert_int_equal(inferno_profile_add(profile, deep, 2, INT64_MAX), INFERNO_OK);
	assert_string_equal(inferno_profile_error(profile), "");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(inferno_profile_add(profile, deep, 2, INT64_MAX),
				 INFERNO_BAD_USAGE);
		assert_string_equal(inferno_profile_error(profile),
				    "the sum of all counts would have more than 63 bits with this "
				    "stack: main;a:b");
	}
	assert_int_equal(inferno_profile_add(profile, other, 1, 1), INFERNO_BAD_USAGE);
	assert_has(inferno_profile_error(profile), "stack: other");
	assert_int_equal(inferno_profile_add(profile, other, 0, 1), INFERNO_BAD_USAGE);
	assert_string_equal(inferno_profile_error(profile), "the stack is empty");
	assert_int_equal(test_library_write("collapse-folded", NULL, profile, &out), INFERNO_OK);
	assert_string_equal(buf_text(&out), "main;a:b 9223372036854775807\n");
	buf_release(&out);
	inferno_profile_free(profile);
}

static void test_library_profile(void **state) {
	(void)state;
	static const char *const read[] = {"main", "read"}, *const odd[] = {"main", "a;b\nc"};
	struct inferno_profile *profile = inferno_profile_new("bytes");
	struct buf out = {0};
	assert_int_equal(inferno_profile_add(profile, read, 2, 3), INFERNO_OK);
	assert_int_equal(inferno_profile_add(profile, odd, 2, 5), INFERNO_OK);
	assert_int_equal(inferno_profile_add(profile, read, 0, 5), INFERNO_BAD_USAGE);
	assert_int_equal(inferno_profile_add(profile, read, 2, UINT64_MAX), INFERNO_BAD_USAGE);
	assert_int_equal(test_library_write("collapse-folded", NULL, profile, &out), INFERNO_OK);
	assert_string_equal(buf_text(&out), "main;a:b c 5\nmain;read 3\n");
	buf_clear(&out);
	// After a job has read it, the profile can still grow.
	assert_int_equal(inferno_profile_add(profile, read, 2, 4), INFERNO_OK);
	assert_int_equal(test_library_write("collapse-folded", NULL, profile, &out), INFERNO_OK);
	assert_has(buf_text(&out), "main;read 7\n");
	buf_clear(&out);
	assert_int_equal(test_library_write("flamegraph", NULL, profile, &out), INFERNO_OK);
	assert_has(buf_text(&out), "bytes");
	struct inferno_item item;
	for (size_t i = 0; inferno_list(INFERNO_OUTPUTS, i, &item); i++) {
		buf_clear(&out);
		bool listed = strcmp(item.name, "csv") == 0 || strcmp(item.name, "json") == 0 ||
			      strcmp(item.name, "markdown") == 0 || strcmp(item.name, "text") == 0;
		assert_int_equal(test_library_write(listed ? "report" : "flamegraph", item.name,
						    profile, &out),
				 INFERNO_OK);
		assert_true(out.n > 0);
	}
	buf_release(&out);
	inferno_profile_free(profile);
	inferno_profile_free(NULL);
}

static void test_library_cancels(void **state) {
	(void)state;
	struct buf out = {0};
	for (int isolated = 0; isolated < 2; isolated++) {
		struct inferno *job = inferno_new("collapse-perf");
		test_library_add_text(job, sample, "sample");
		if (isolated) {
			inferno_isolate(job, 0);
		}
		inferno_cancel(job);
		assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_CANCELLED);
		assert_string_equal(inferno_error(job), "cancelled");
		assert_int_equal(out.n, 0);
		inferno_free(job);
	}
	buf_release(&out);
}

static void *test_library_cancel_soon(void *job) {
	(void)usleep(50000);
	inferno_cancel(job);
	return NULL;
}

/** Another thread cancels a job that waits for bytes. */
static void test_library_cancels_a_read(void **state) {
	(void)state;
	struct buf out = {0};
	for (int isolated = 0; isolated < 2; isolated++) {
		int ends[2];
		pthread_t other;
		assert_int_equal(pipe(ends), 0);
		struct inferno *job = inferno_new("collapse-folded");
		inferno_add(job,
			    &(struct inferno_source){.kind = INFERNO_DESCRIPTOR, .fd = ends[0]});
		if (isolated) {
			inferno_isolate(job, 0);
		}
		assert_int_equal(pthread_create(&other, NULL, test_library_cancel_soon, job), 0);
		assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_CANCELLED);
		assert_string_equal(inferno_error(job), "cancelled");
		pthread_join(other, NULL);
		close(ends[0]);
		close(ends[1]);
		inferno_free(job);
	}
	assert_int_equal(out.n, 0);
	buf_release(&out);
}

/** Write to a pipe until the job is cancelled, so that nothing else can end the run. */
static void *test_library_feed(void *context) {
	const int *fd = context;
	while (write(*fd, "a;b 1\n", 6) == 6) {
	}
	return NULL;
}

static int test_library_stop(void *context, const char *name, uint64_t done, uint64_t total) {
	(void)name;
	(void)total;
	*(uint64_t *)context = done;
	return 1;
}

static void test_library_progress(void **state) {
	(void)state;
	for (int isolated = 0; isolated < 2; isolated++) {
		int ends[2];
		uint64_t done = 0;
		pthread_t feeder;
		struct buf out = {0};
		assert_int_equal(pipe(ends), 0);
		struct inferno *job = inferno_new("collapse-folded");
		inferno_on_progress(job, test_library_stop, &done);
		inferno_add(job,
			    &(struct inferno_source){.kind = INFERNO_DESCRIPTOR, .fd = ends[0]});
		if (isolated) {
			inferno_isolate(job, 0);
		}
		signal(SIGPIPE, SIG_IGN);
		assert_int_equal(pthread_create(&feeder, NULL, test_library_feed, &ends[1]), 0);
		assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_CANCELLED);
		assert_true(done > 0);
		close(ends[0]);
		pthread_join(feeder, NULL);
		close(ends[1]);
		inferno_free(job);
		buf_release(&out);
	}
}

/** Run a job that may allocate 64 MiB more, but needs more than that for its names. */
static void test_library_no_memory(void **state) {
	(void)state;
	// Skip the test under AddressSanitizer, which hangs if memory is limited.
	const char *sanitized = getenv("SANITIZED");
	if (sanitized != NULL && *sanitized != '\0') {
		return;
	}
	struct buf text = {0}, out = {0};
	for (unsigned i = 0; i < 2000000; i++) {
		buf_printf(&text, "function_with_a_long_name_%u;%u 1\n", i, i);
	}
	struct inferno *job = inferno_new("collapse-folded");
	test_library_add_text(job, buf_text(&text), "large");
	inferno_isolate(job, 64 << 20);
	assert_int_equal(inferno_run(job, test_library_collect, &out), INFERNO_NO_MEMORY);
	assert_has(inferno_error(job), "out of memory");
	inferno_free(job);
	buf_release(&text);
	buf_release(&out);
}

static void test_library_isolated(void **state) {
	(void)state;
	struct buf here = {0}, apart = {0}, heard = {0};
	for (int isolated = 0; isolated < 2; isolated++) {
		struct inferno *job = inferno_new("collapse-perf");
		test_library_add_text(job, sample, "sample");
		assert_int_equal(inferno_set(job, "verbose", NULL), INFERNO_OK);
		inferno_on_message(job, test_library_hear, &heard);
		if (isolated) {
			inferno_isolate(job, 0);
		}
		assert_int_equal(inferno_run(job, test_library_collect, isolated ? &apart : &here),
				 INFERNO_OK);
		inferno_free(job);
	}
	assert_true(here.n > 0);
	assert_string_equal(buf_text(&here), buf_text(&apart));
	struct inferno *job = inferno_new("flamegraph");
	test_library_add_text(job, "a 0\n", "zero");
	inferno_isolate(job, 0);
	assert_int_equal(inferno_run(job, test_library_collect, &apart), INFERNO_FAILED);
	assert_has(inferno_error(job), "no stack counts");
	inferno_free(job);
	int calls = 0;
	job = inferno_new("flamegraph");
	test_library_add_text(job, "a 1\n", "one");
	inferno_isolate(job, 0);
	assert_int_equal(inferno_run(job, test_library_refuse, &calls), INFERNO_FAILED);
	assert_int_equal(calls, 1);
	inferno_free(job);
	buf_release(&here);
	buf_release(&apart);
	buf_release(&heard);
}

/**
 * Describe the state that a job must not change: the umask, the environment, signal handlers and
 * locale.
 */
static void test_library_describe_process(struct buf *out) {
	mode_t mask = umask(0);
	umask(mask);
	buf_printf(out, "%o %s\n", (unsigned)mask, setlocale(LC_ALL, NULL));
	for (char **variable = environ; *variable != NULL; variable++) {
		buf_printf(out, "%s\n", *variable);
	}
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0) {
			buf_printf(out, "%d %d\n", number, action.sa_handler == SIG_DFL);
		}
	}
}

static void *test_library_run_one(void *context) {
	struct buf *out = context;
	struct inferno *job = inferno_new("flamegraph");
	test_library_add_text(job, "a;b 1\na;c 2\n", "text");
	bool ok = inferno_run(job, test_library_collect, out) == INFERNO_OK;
	inferno_free(job);
	return ok ? out : NULL;
}

static void test_library_leaves_the_process(void **state) {
	(void)state;
	enum { JOBS = 8 };
	struct buf before = {0}, after = {0}, out[JOBS] = {{0}};
	pthread_t threads[JOBS];
	test_library_describe_process(&before);
	for (size_t i = 0; i < JOBS; i++) {
		assert_int_equal(pthread_create(&threads[i], NULL, test_library_run_one, &out[i]),
				 0);
	}
	for (size_t i = 0; i < JOBS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		assert_non_null(result);
		assert_string_equal(buf_text(&out[i]), buf_text(&out[0]));
	}
	test_library_describe_process(&after);
	assert_string_equal(buf_text(&before), buf_text(&after));
	for (size_t i = 0; i < JOBS; i++) {
		buf_release(&out[i]);
	}
	buf_release(&before);
	buf_release(&after);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library_errors_last),
		cmocka_unit_test(test_library_goes_on),
		cmocka_unit_test(test_library_writes_files),
		cmocka_unit_test(test_library_folds_memory),
		cmocka_unit_test(test_library_knows_commands),
		cmocka_unit_test(test_library_bad_options),
		cmocka_unit_test(test_library_errors_belong_to_the_last_call),
		cmocka_unit_test(test_library_empty_memory_is_not_standard_input),
		cmocka_unit_test(test_library_options_that_exclude_each_other),
		cmocka_unit_test(test_library_a_writer_that_fails),
		cmocka_unit_test(test_library_inputs_that_fail),
		cmocka_unit_test(test_library_counts_that_do_not_fit),
		cmocka_unit_test(test_library_messages),
		cmocka_unit_test(test_library_version),
		cmocka_unit_test(test_library_lists),
		cmocka_unit_test(test_library_options),
		cmocka_unit_test(test_library_sniffs),
		cmocka_unit_test(test_library_profile),
		cmocka_unit_test(test_library_profile_sums),
		cmocka_unit_test(test_library_cancels),
		cmocka_unit_test(test_library_cancels_a_read),
		cmocka_unit_test(test_library_progress),
		cmocka_unit_test(test_library_no_memory),
		cmocka_unit_test(test_library_isolated),
		cmocka_unit_test(test_library_leaves_the_process),
	};
	return RUN(tests);
}
