/*
 * Fuzz targets for the commands that take folded text, or profiles of any format, and make folded
 * text of them. Parts of the input are separated by lines of two per cent signs.
 *
 *     merge     profiles
 *     filter    options, one on each line: a letter of `letters`, a blank, the value; a profile
 *     diff      two profiles
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <yajl/yajl_tree.h>

#include "job.h"

/** Fold a profile of any format, or folded text. */
static void fuzz_commands_fold(struct job *job, struct str input) {
	job_init(job, "flamegraph");
	job_set(job, "format", "folded");
	job_add(job, input);
	job_run(job);
}

/* --- merge ---------------------------------------------------------------------------------- */

enum { PARTS_MOST = 6 };

static void fuzz_commands_merge(struct job *job, const struct str *parts, size_t n) {
	job_init(job, "merge");
	for (size_t i = 0; i < n; i++) {
		job_add(job, parts[i]);
	}
	job_run(job);
}

/** Check that the sum of the result is the sum of the inputs, each folded separately. */
static void fuzz_commands_check_merged_sum(const struct str *parts, size_t n, uint64_t merged) {
	uint64_t sums[FUZZ_COUNTS_MOST], all = 0;
	bool sound = true;
	for (size_t i = 0; i < n; i++) {
		struct job job;
		fuzz_commands_fold(&job, parts[i]);
		sound = sound && job.status == INFERNO_OK && job.warnings == 0 &&
			fuzz_check_folded(buf_str(&job.out), 1, sums);
		all += sound ? sums[0] : 0;
		job_release(&job);
	}
	fuzz_require(!sound || all == merged, "merging changes the sum", STR(""));
}

static void fuzz_commands_require_same(const struct job *a, const struct job *b, const char *what) {
	fuzz_require(a->status == b->status && str_eq(buf_str(&a->out), buf_str(&b->out)), what,
		     buf_str(&b->out));
}

/** Require the same result when the output is read again, unless the output looks like another kind
 * of file, because the name of a function may be any text. */
static void fuzz_commands_require_same_again(const struct job *a, const struct job *b,
					     const char *what) {
	struct str error = str_of(inferno_error(b->inferno));
	if (!str_has(error, STR("INPUT: is ")) && !str_has(error, STR(" recording "))) {
		fuzz_commands_require_same(a, b, what);
	}
}

/** Merging in the other order, or in two steps, must give the same result. */
static void fuzz_commands_check_order(const struct job *all, const struct str *parts, size_t n) {
	struct str reversed[PARTS_MOST], halves[2];
	struct job other, steps[2], joined;
	for (size_t i = 0; i < n; i++) {
		reversed[i] = parts[n - 1 - i];
	}
	fuzz_commands_merge(&other, reversed, n);
	fuzz_commands_require_same(all, &other, "the order of inputs changes the result");
	job_release(&other);
	bool sound = n > 1;
	for (size_t i = 0; i < 2; i++) {
		fuzz_commands_merge(&steps[i], parts + i * (n / 2), i == 0 ? n / 2 : n - n / 2);
		halves[i] = buf_str(&steps[i].out);
		sound = sound && steps[i].status == INFERNO_OK && halves[i].n > 0 &&
			fuzz_survives_reading(halves[i]);
	}
	if (sound) {
		fuzz_commands_merge(&joined, halves, 2);
		fuzz_commands_require_same_again(all, &joined,
						 "merging in two steps changes the result");
		job_release(&joined);
	}
	job_release(&steps[0]);
	job_release(&steps[1]);
}

void fuzz_merge(struct str input, struct random *source) {
	(void)source;
	struct str parts[PARTS_MOST];
	uint64_t sums[FUZZ_COUNTS_MOST];
	size_t n = 0;
	while (n == 0 || (n < PARTS_MOST && input.n > 0)) {
		parts[n++] = fuzz_part(&input);
	}
	struct job job;
	fuzz_commands_merge(&job, parts, n);
	bool fits = fuzz_check_folded(buf_str(&job.out), 1, sums);
	if (job.status == INFERNO_OK) {
		fuzz_require(fits, "the sum does not fit", buf_str(&job.out));
		if (job.warnings == 0) {
			fuzz_commands_check_merged_sum(parts, n, sums[0]);
		}
		fuzz_commands_check_order(&job, parts, n);
	}
	job_release(&job);
}

/* --- filter --------------------------------------------------------------------------------- */

enum { OPTIONS_MOST = 8, PATTERN_MOST = 64 };

static const char letters[] = "fiothrsmR";
static const char *const names[] = {"focus",  "ignore",    "root",  "trim",          "hide",
				    "rename", "min-share", "rules", "fold-recursion"};

/** One option; `value` is empty for a flag. */
struct fuzz_commands_choice {
	char letter;
	char value[PATTERN_MOST];
};

/** Return whether a regular expression has repetitions for which the C library may take unbounded
 * time or memory. Only users write such expressions, so inferno does not limit them. */
static bool fuzz_commands_is_costly(const char *pattern) {
	size_t repeats = 0;
	for (const char *p = pattern; *p != '\0'; p++) {
		repeats += *p == '*' || *p == '+' || *p == '?' || *p == '|';
		if (*p == '{' ||
		    (*p == '\\' && p[1] >= '1' && p[1] <= '9' && strstr(p, "=>") != NULL)) {
			return true;
		}
	}
	return repeats > 6;
}

/** Read a line as an option. Return false if the line is not a usable option. */
static bool fuzz_commands_read_option(struct str line, struct fuzz_commands_choice *choice) {
	if (line.n == 0 || line.n >= PATTERN_MOST || str_find(line, '\0') != STR_NONE ||
	    line.p[0] == '\0' || strchr(letters, line.p[0]) == NULL) {
		return false;
	}
	struct str value = str_from(line, line.n < 2 ? line.n : 2);
	choice->letter = line.p[0];
	memcpy(choice->value, value.p, value.n);
	choice->value[value.n] = '\0';
	return !fuzz_commands_is_costly(choice->value);
}

/** Set an option. Ignore refused values. So do not use job_set(), which reports a refused value as
 * a finding. */
static void fuzz_commands_set_choice(struct job *job, const struct fuzz_commands_choice *choice) {
	const char *name = names[strchr(letters, choice->letter) - letters];
	(void)inferno_set(job->inferno, name, choice->letter == 'R' ? NULL : choice->value);
}

/** Make a file of the options that are rules. Return the descriptor and the path of the file. */
static int fuzz_commands_write_rules(const struct fuzz_commands_choice *choices, size_t n,
				     char *path, size_t size) {
	int fd = memfd_create("rules", MFD_CLOEXEC);
	for (size_t i = 0; i < n; i++) {
		if (choices[i].letter == 'm') {
			dprintf(fd, "%s\n", choices[i].value);
		}
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

/** Filter with some of the options. Wrong usage, such as a bad pattern, is not a finding here. */
static void fuzz_commands_filter(struct job *job, const struct fuzz_commands_choice *choices,
				 size_t n, const char *rules, struct str input) {
	job_init(job, "filter");
	for (size_t i = 0; i < n; i++) {
		if (choices[i].letter != 'm') {
			fuzz_commands_set_choice(job, &choices[i]);
		}
	}
	if (rules != NULL) {
		job_set(job, "rules", rules);
	}
	job_add(job, input);
	job_run(job);
}

/** Return whether the text is a regular expression that the command takes. */
static bool fuzz_commands_is_pattern(const struct fuzz_commands_choice *choice) {
	struct job job;
	job_init(&job, "merge"); // `merge` checks a pattern when it is set
	bool sound = strchr("fioth", choice->letter) == NULL ||
		     inferno_set(job.inferno, "label-from-name", choice->value) == INFERNO_OK;
	job_release(&job);
	return sound;
}

static void fuzz_commands_check_filtered(const struct job *job,
					 const struct fuzz_commands_choice *choices, size_t n,
					 struct str input) {
	uint64_t sums[FUZZ_COUNTS_MOST], before[FUZZ_COUNTS_MOST];
	bool keeps = true;
	for (size_t i = 0; i < n; i++) {
		keeps = keeps && strchr("fio", choices[i].letter) == NULL;
	}
	struct job plain;
	fuzz_commands_filter(&plain, NULL, 0, NULL, input);
	bool fits = fuzz_check_folded(buf_str(&job->out), 1, sums) &&
		    fuzz_check_folded(buf_str(&plain.out), 1, before);
	if (fits && plain.status == INFERNO_OK && job->status == INFERNO_OK) {
		// Stacks are left out if all their frames are hidden or renamed to nothing.
		bool exact = keeps && n == 0;
		fuzz_require(exact ? sums[0] == before[0] : sums[0] <= before[0],
			     "the sum of what was kept is wrong", buf_str(&job->out));
	}
	job_release(&plain);
}

/** With an option that only leaves out stacks or frames, filtering a second time must change
 * nothing. */
static void fuzz_commands_check_again(const struct job *job,
				      const struct fuzz_commands_choice *choices, size_t n) {
	struct str text = buf_str(&job->out);
	if (n != 1 || strchr("fiothR", choices[0].letter) == NULL || text.n == 0 ||
	    !fuzz_survives_reading(text)) {
		return;
	}
	struct job again;
	fuzz_commands_filter(&again, choices, n, NULL, text);
	fuzz_commands_require_same_again(job, &again, "filtering again changes the result");
	job_release(&again);
}

void fuzz_filter(struct str input, struct random *source) {
	(void)source;
	struct fuzz_commands_choice choices[OPTIONS_MOST];
	struct lines lines = {.rest = fuzz_part(&input)};
	char rules[64];
	size_t n = 0;
	for (struct str line; n < OPTIONS_MOST && lines_next(&lines, &line);) {
		n += fuzz_commands_read_option(line, &choices[n]) &&
		     fuzz_commands_is_pattern(&choices[n]);
	}
	int fd = fuzz_commands_write_rules(choices, n, rules, sizeof(rules));
	struct job job;
	fuzz_commands_filter(&job, choices, n, rules, input);
	fuzz_commands_check_filtered(&job, choices, n, input);
	fuzz_commands_check_again(&job, choices, n);
	job_release(&job);
	close(fd);
}

/* --- diff ----------------------------------------------------------------------------------- */

/** Compare two profiles: the files in `paths` or, if it is NULL, the texts in `sides`. If `option`
 * is NULL, set no option. */
static void fuzz_commands_compare(struct job *job, const struct str *sides,
				  const char *const *paths, const char *option, const char *value) {
	job_init(job, "diff");
	if (option != NULL) {
		job_set(job, option, value);
	}
	for (size_t i = 0; i < 2; i++) {
		if (paths == NULL) {
			job_add(job, sides[i]);
		} else {
			inferno_add(job->inferno, &(struct inferno_source){.path = paths[i]});
		}
	}
	job_run(job);
}

/** Check that the short cut for files of folded text gives the same result as the general way. */
static void fuzz_commands_check_short_cut(const struct job *general, const struct str *sides) {
	char paths[2][64];
	int fds[2];
	for (size_t i = 0; i < 2; i++) {
		fds[i] = memfd_create("side", MFD_CLOEXEC);
		fuzz_require(write(fds[i], sides[i].p, sides[i].n) == (ptrdiff_t)sides[i].n,
			     "cannot write", STR(""));
		snprintf(paths[i], sizeof(paths[i]), "/proc/self/fd/%d", fds[i]);
	}
	struct job job;
	fuzz_commands_compare(&job, sides, (const char *const[]){paths[0], paths[1]}, NULL, NULL);
	fuzz_commands_require_same(general, &job, "files give another result");
	job_release(&job);
	close(fds[0]);
	close(fds[1]);
}

static void fuzz_commands_check_diff_sums(const struct job *job, const struct str *sides) {
	uint64_t sums[FUZZ_COUNTS_MOST], side[FUZZ_COUNTS_MOST];
	bool fits = fuzz_check_folded(buf_str(&job->out), 2, sums);
	for (size_t i = 0; i < 2 && fits; i++) {
		struct job folded;
		fuzz_commands_fold(&folded, sides[i]);
		bool known = folded.status == INFERNO_OK &&
			     fuzz_check_folded(buf_str(&folded.out), 1, side);
		fuzz_require(!known || side[0] == sums[i], "a sum is not that of its profile",
			     buf_str(&job->out));
		job_release(&folded);
	}
}

/** Check that each report can be made, and that the JSON report can be read. */
static void fuzz_commands_check_reports(const struct str *sides) {
	static const char *const reports[] = {"report", "markdown", "json"};
	for (size_t i = 0; i < sizeof(reports) / sizeof(*reports); i++) {
		struct job job;
		char why[200] = "";
		fuzz_commands_compare(&job, sides, NULL, reports[i], NULL);
		if (i == 2 && job.status == INFERNO_OK) {
			yajl_val json = yajl_tree_parse(buf_text(&job.out), why, sizeof(why));
			fuzz_require(json != NULL, "the report is no JSON", str_of(why));
			yajl_tree_free(json);
		}
		job_release(&job);
	}
}

void fuzz_diff(struct str input, struct random *source) {
	struct str sides[2] = {fuzz_part(&input)};
	sides[1] = fuzz_part(&input);
	struct job job, normalized;
	fuzz_commands_compare(&job, sides, NULL, NULL, NULL);
	if (job.status == INFERNO_OK) {
		fuzz_commands_check_diff_sums(&job, sides);
		fuzz_commands_check_reports(sides);
	}
	fuzz_commands_check_short_cut(&job, sides);
	fuzz_commands_compare(&normalized, sides, NULL,
			      random_below(source, 2) == 0 ? "normalize" : "strip-hex", NULL);
	job_release(&normalized);
	job_release(&job);
}
