/* Runs commands in fuzz targets, and checks their results. */
#include "job.h"

#include <stdio.h>

#include "base/num.h"
#include "base/utf8.h"

static void fuzz_job_check_line(const char *text, const char *what) {
	fuzz_require(strchr(text, '\n') == NULL && utf8_valid(str_of(text)), what, str_of(text));
}

static int fuzz_job_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

static void fuzz_job_hear(void *context, enum inferno_level level, const char *text) {
	struct job *job = context;
	job->warnings += level == INFERNO_WARNING;
	fuzz_job_check_line(text, "a message is not a line of text");
}

void job_init(struct job *job, const char *command) {
	*job = (struct job){.inferno = inferno_new(command)};
	fuzz_require(job->inferno != NULL, "there is no such command", str_of(command));
	inferno_on_message(job->inferno, fuzz_job_hear, job);
}

void job_set(struct job *job, const char *name, const char *value) {
	enum inferno_status status = inferno_set(job->inferno, name, value);
	fuzz_require(status == INFERNO_OK, "an option was refused",
		     str_of(inferno_error(job->inferno)));
}

void job_add(struct job *job, struct str input) {
	inferno_add(job->inferno, &(struct inferno_source){.kind = INFERNO_MEMORY,
							   .memory = input.n == 0 ? "" : input.p,
							   .size = input.n,
							   .name = "INPUT"});
}

void job_run(struct job *job) {
	job->status = inferno_run(job->inferno, fuzz_job_collect, &job->out);
	const char *error = inferno_error(job->inferno);
	fuzz_job_check_line(error, "the error is not a line of text");
	fuzz_require(job->status != INFERNO_BAD_USAGE, "the usage is wrong", str_of(error));
	fuzz_require((job->status == INFERNO_OK) == (*error == '\0'), "status and error disagree",
		     str_of(error));
}

void job_release(struct job *job) {
	buf_release(&job->out);
	inferno_free(job->inferno);
}

struct str fuzz_part(struct str *rest) {
	static const struct str mark = STR_INIT("\n%%\n");
	size_t at = str_find_str(*rest, mark);
	struct str part = at == STR_NONE ? *rest : str_to(*rest, at + 1);
	*rest = str_from(*rest, at == STR_NONE ? rest->n : at + mark.n);
	return part;
}

uint64_t fuzz_take_count(struct str *line) {
	size_t blank = str_find_last(*line, ' ');
	uint64_t count = 0;
	fuzz_require(blank != STR_NONE && num_parse_u64(str_from(*line, blank + 1), &count),
		     "a line without a count", *line);
	*line = str_to(*line, blank);
	return count;
}

bool fuzz_check_folded(struct str text, size_t counts, uint64_t sums[FUZZ_COUNTS_MOST]) {
	fuzz_require(utf8_valid(text), "the result is no UTF-8", text);
	fuzz_require(text.n == 0 || str_ends(text, STR("\n")), "the last line is cut off", text);
	struct lines lines = {.rest = text};
	struct str previous = {0};
	bool fits = true;
	memset(sums, 0, FUZZ_COUNTS_MOST * sizeof(*sums));
	for (struct str line; lines_next(&lines, &line);) {
		for (size_t i = counts; i > 0; i--) {
			uint64_t count = fuzz_take_count(&line);
			fits = fits && !__builtin_add_overflow(sums[i - 1], count, &sums[i - 1]);
		}
		fuzz_require(lines.number == 1 || str_compare(previous, line) < 0,
			     "lines are not sorted, or twice there", line);
		previous = line;
	}
	return fits;
}

bool fuzz_survives_reading(struct str text) {
	struct lines lines = {.rest = text};
	bool survives = !str_starts(text, STR("\xef\xbb\xbf"));
	for (struct str line; survives && lines_next(&lines, &line);) {
		bool comment = str_starts(line, STR("# "));
		fuzz_take_count(&line);
		survives = line.n > 0 && str_trim(line).n == line.n && !comment &&
			   str_find(line, '\0') == STR_NONE;
	}
	return survives;
}
