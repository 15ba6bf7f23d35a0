/* Fuzz target for the reader of recordings, and for the code that folds or prints their samples. */
#include <stdlib.h>

#include "base/utf8.h"

#include "job.h"

/** Check that a message is one line, and that an error names the byte. */
static void fuzz_recording_check_text(const char *text, const char *what) {
	fuzz_require(strchr(text, '\n') == NULL && utf8_valid(str_of(text)), what, str_of(text));
}

/** Check a message. If the header says so, a recording may end before the input ends. */
static void fuzz_recording_hear(void *context, enum inferno_level level, const char *text) {
	(void)level;
	struct str cut = STR("the recording is cut off at byte "), rest = str_of(text);
	fuzz_recording_check_text(text, "a message is not a line of text");
	size_t at = str_find_str(rest, cut);
	if (at != STR_NONE) {
		const struct str *input = context;
		uint64_t byte = strtoull(text + at + cut.n, NULL, 10);
		fuzz_require(byte <= input->n, "the recording is cut off after its end", rest);
	}
}

static int fuzz_recording_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

/** An option that a run may have. */
struct option {
	const char *name, *value;
};

static void fuzz_recording_set_some(struct inferno *job, struct random *source,
				    const struct option *options, size_t n) {
	for (size_t i = 0; i < n; i++) {
		if (random_below(source, 4) == 0) {
			enum inferno_status status =
				inferno_set(job, options[i].name, options[i].value);
			fuzz_require(status == INFERNO_OK, "an option was refused",
				     str_of(inferno_error(job)));
		}
	}
}

static void fuzz_recording_run(const char *command, struct str input, struct random *source,
			       const struct option *options, size_t n) {
	struct inferno *job = inferno_new(command);
	struct buf out = {0};
	inferno_on_message(job, fuzz_recording_hear, &input);
	inferno_set(job, "symfs", "/nonexistent");
	fuzz_recording_set_some(job, source, options, n);
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_MEMORY,
						  .memory = input.n == 0 ? "" : input.p,
						  .size = input.n,
						  .name = "INPUT"});
	enum inferno_status status = inferno_run(job, fuzz_recording_collect, &out);
	const char *error = inferno_error(job);
	fuzz_recording_check_text(error, "the error is not a line of text");
	fuzz_require(status == INFERNO_OK || status == INFERNO_FAILED, "the usage is wrong",
		     str_of(error));
	fuzz_require((status == INFERNO_OK) == (*error == '\0'), "status and error disagree",
		     str_of(error));
	bool is_placed = str_has(str_of(error), STR(": byte ")) ||
			 str_starts(str_of(error), STR("the counts are too large"));
	fuzz_require(*error == '\0' || is_placed, "the error does not say at which byte",
		     str_of(error));
	fuzz_require(strcmp(command, "script") == 0 || utf8_valid(buf_str(&out)),
		     "the result is no UTF-8", buf_str(&out));
	buf_release(&out);
	inferno_free(job);
}

/* --- Samples -------------------------------------------------------------------------------- */

/** The figures in the line on the quality of a recording. */
struct told {
	bool known;    // there is such a line
	bool left_out; // messages say that samples of other events or without frames were left out
	uint64_t samples, damaged;
};

/** Read the number after `what`, if the text has it. */
static bool fuzz_recording_find_number(const char *text, const char *what, uint64_t *number) {
	const char *at = strstr(text, what);
	if (at != NULL) {
		*number = strtoull(at + strlen(what), NULL, 10);
	}
	return at != NULL;
}

static void fuzz_recording_hear_samples(void *context, enum inferno_level level, const char *text) {
	(void)level;
	struct told *told = context;
	told->left_out = told->left_out || strstr(text, "kept samples of") != NULL ||
			 strstr(text, "without frames: ") != NULL;
	if (fuzz_recording_find_number(text, ": samples: ", &told->samples)) {
		told->known = true;
		(void)fuzz_recording_find_number(text, "; damaged: ", &told->damaged);
	}
}

/** Run a command, and add its messages about the samples to `told`. */
static void fuzz_recording_run_telling(struct job *job, const char *command, struct str input,
				       struct told *told) {
	job_init(job, command);
	job_set(job, "symfs", "/nonexistent");
	job_set(job, "verbose", NULL);
	if (strcmp(command, "script") != 0) {
		job_set(job, "weight", "samples");
	}
	inferno_on_message(job->inferno, fuzz_recording_hear_samples, told);
	job_add(job, input);
	job_run(job);
}

/**
 * Check that each sample is counted, or that a message reports it as left out. In text, lines of
 * frames begin with a tab.
 */
static void fuzz_recording_check_samples(struct str input) {
	uint64_t sums[FUZZ_COUNTS_MOST], lines_n = 0;
	struct told told = {0}, unused = {0};
	struct job folded, printed;
	fuzz_recording_run_telling(&folded, "collapse-perf", input, &told);
	fuzz_recording_run_telling(&printed, "script", input, &unused);
	bool known = told.known && folded.status == INFERNO_OK && printed.status == INFERNO_OK &&
		     fuzz_check_folded(buf_str(&folded.out), 1, sums);
	struct lines lines = {.rest = buf_str(&printed.out)};
	for (struct str line; known && lines_next(&lines, &line);) {
		lines_n += line.n > 0 && line.p[0] != '\t';
	}
	// Some of the damaged records may have been counted as samples before the damage was found.
	uint64_t most = told.samples, least = most - (told.damaged < most ? told.damaged : most);
	fuzz_require(!known || (least <= lines_n && lines_n <= most),
		     "other samples are printed than there are", buf_str(&printed.out));
	fuzz_require(!known || (sums[0] <= most && (told.left_out || sums[0] >= least)),
		     "other samples are counted than there are", buf_str(&folded.out));
	job_release(&folded);
	job_release(&printed);
}

void fuzz_recording(struct str input, struct random *source) {
	static const struct option folding[] = {{"all", NULL},       {"addrs", NULL},
						{"pid", NULL},       {"tid", NULL},
						{"lenient", NULL},   {"weight", "samples"},
						{"no-inline", NULL}, {"by-package", NULL}};
	static const struct option printing[] = {{"no-inline", NULL}, {"lenient", NULL}};
	// Without this magic number, the input may have another format.
	if (str_starts(input, STR("PERFILE2")) || str_starts(input, STR("2ELIFREP"))) {
		fuzz_recording_run("collapse-perf", input, source, folding,
				   sizeof(folding) / sizeof(*folding));
		fuzz_recording_run("script", input, source, printing,
				   sizeof(printing) / sizeof(*printing));
		fuzz_recording_check_samples(input);
	}
}
