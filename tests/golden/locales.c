/*
 * locales LOCALE...: runs jobs of the library in the C locale and in other locales, and prints TAP.
 * The results must not depend on the locale. A locale that is not installed is skipped.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "inferno.h"

static int locales_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

/** Add a message to `context`, unless it tells the progress, which depends on the time. */
static void locales_hear(void *context, enum inferno_level level, const char *text) {
	if (level != INFERNO_PROGRESS) {
		buf_printf(context, "%d:%s\n", (int)level, text);
	}
}

static const struct locales_job {
	const char *command;
	const char *inputs[2];
	const char *options[5][2];
} jobs[] = {
	{"diff", {"a;b 10\na;c 7\n", "a;b 30\na;c 12\n"}, {{"json", NULL}, {"noise", "1.5"}}},
	{"diff", {"a;b 10\na;c 7\n", "a;b 30\na;c 12\n"}, {{"report", NULL}, {"noise", "1.5"}}},
	{"diff", {"a;b 10\na;c 7\n", "a;b 300\na;c 12\n"}, {{"markdown", NULL}}},
	{"diff", {"a;b 10\na;c 7\n", "a;b 300\na;c 12\n"}, {{"svg", "-"}, {"noise", "0.25"}}},
	{"diff", {"a 100\n", "a 300\nb 100\n"}, {{"fail-if", "self(b) > 24.5%"}}},
	{"diff", {"a 100\nb 7\n", "a 300\nb 100\n"}, {{"fail-if", "self(b) > +24.5%"}}},
	{"diff", {"a 100\n", "a 3\n"}, {{"noise", "1000.5"}, {"report", NULL}}},
	{"flamegraph",
	 {"a;b 10\na;c 7\n"},
	 {{"fontwidth", "0.61"}, {"factor", "1.25"}, {"minwidth", "0.5%"}}},
	{"flamegraph", {"a;b 10 30\na;c 7 9\n"}, {{"style", "modern"}, {"fontwidth", "1e-1"}}},
	{"collapse-vtune",
	 {"Function Stack,CPU Time:Self,Module\n\"main\",0.25,\"m\"\n\" f\",1.5,\"m\"\n"},
	 {{NULL, NULL}}},
	{"collapse-ghcprof",
	 {"COST CENTRE  MODULE  SRC  no.  entries  %time %alloc   %time %alloc  ticks  bytes\n\n"
	  "MAIN  MAIN  <built-in>  1  0  12.5 0.5  100.0 100.0  125 500\n"},
	 {{NULL, NULL}}},
	{"collapse-chrome-tracing",
	 {"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"f\",\"pid\":1,\"tid\":1,\"ts\":1.25,\"dur\":"
	  "2.5}]}"},
	 {{NULL, NULL}}},
};

/** Run a job, and add its output and messages to `out`. */
static void locales_run(const struct locales_job *job, struct buf *out) {
	struct inferno *inferno = inferno_new(job->command);
	if (inferno == NULL) { // a format that it was built without
		return;
	}
	inferno_on_message(inferno, locales_hear, out);
	for (size_t i = 0; i < 5 && job->options[i][0] != NULL; i++) {
		if (inferno_set(inferno, job->options[i][0], job->options[i][1]) != INFERNO_OK) {
			buf_add_text(out, inferno_error(inferno));
		}
	}
	for (size_t i = 0; i < 2 && job->inputs[i] != NULL; i++) {
		inferno_add(inferno, &(struct inferno_source){.kind = INFERNO_MEMORY,
							      .memory = job->inputs[i],
							      .size = strlen(job->inputs[i]),
							      .name = i == 0 ? "before" : "after"});
	}
	enum inferno_status status = inferno_run(inferno, locales_collect, out);
	buf_printf(out, "status %d: %s\n", (int)status, inferno_error(inferno));
	inferno_free(inferno);
}

/** Add numbers to `out`, read and written by the library's own functions. */
static void locales_convert(struct buf *out) {
	static const double values[] = {0, 0.59, 1e-7, 0.1 + 0.2, 1.7976931348623157e308, 0x1p64};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char text[NUM_EXACT_MAX];
		size_t n = num_format_exact(text, values[i]);
		double read = -1;
		bool good = num_parse_real((struct str){text, n}, &read) && read == values[i];
		buf_printf(out, "%.*s %s\n", (int)n, text, good ? "is read" : "is not read");
		buf_add_fixed(out, -values[i], 3);
	}
}

static void locales_run_all(struct buf *out, const char *locale) {
	setlocale(LC_ALL, locale);
	locales_convert(out);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		locales_run(&jobs[i], out);
	}
	setlocale(LC_ALL, "C");
}

/** Prints the first lines that differ. */
static void locales_show_difference(struct buf *expected, struct buf *got) {
	size_t at = str_common_prefix(buf_str(expected), buf_str(got));
	while (at > 0 && expected->p[at - 1] != '\n') {
		at--;
	}
	printf("# expected %.100s\n# got %.100s\n", buf_text(expected) + at, buf_text(got) + at);
}

int main(int argc, char **argv) {
	struct buf expected = {0};
	int failures = 0;
	locales_run_all(&expected, "C");
	for (int i = 1; i < argc; i++) {
		struct buf got = {0};
		bool there = setlocale(LC_ALL, argv[i]) != NULL;
		locales_run_all(&got, there ? argv[i] : "C");
		bool same = str_eq(buf_str(&got), buf_str(&expected));
		printf("%sok %d - %s%s\n", same ? "" : "not ", i, argv[i],
		       there ? "" : " # SKIP not installed");
		if (!same) {
			locales_show_difference(&expected, &got);
			failures++;
		}
		buf_release(&got);
	}
	printf("1..%d\n", argc - 1);
	buf_release(&expected);
	return failures > 0;
}
