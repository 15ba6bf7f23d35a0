/* Change the stacks of a profile with a program that the user names. */
#include "commands/postprocess.h"

#include <errno.h>

#include "base/process.h"
#include "base/stop.h"
#include "collapse/collapse.h"
#include "profile/folded.h"

const char *postprocess_check(const char *command) {
	struct words words = {0};
	struct arena arena = {0};
	bool good = words_split(&words, command, &arena) == NULL;
	words_release(&words);
	arena_release(&arena);
	return good ? NULL : "a command whose quotes are closed";
}

static int postprocess_append(void *text, const void *bytes, size_t n) {
	buf_add(text, bytes, n);
	return 0;
}

enum { FILTER_NOTHING = 1 };

/** Run the program. Return 0, FILTER_NOTHING if a signal came and the program did not end in time,
 * or -1 after diag_error(). */
static int postprocess_filter(char *const *words, struct str before, struct buf *after,
			      struct diag *diag) {
	struct process process;
	int result = process_start(&process, words, PROCESS_FEED | PROCESS_TAKE, diag);
	int error = result == 0 ? process_exchange(&process, before, after) : 0;
	int status = process_wait(&process);
	if (result == 0 && stop_age() >= 0 && (error == ETIMEDOUT || status > 128)) {
		return diag_warn(diag,
				 "'%s' of --post-process did not end in time after a signal, so "
				 "its output is not used",
				 quote(str_of(words[0])).text) == 0
			       ? FILTER_NOTHING
			       : -1;
	}
	if (result == 0 && error != 0) {
		return diag_error(diag, "cannot use '%s' for --post-process: %s",
				  quote(str_of(words[0])).text, strerror(error));
	}
	if (result == 0 && status != 0) {
		return diag_error(diag, "'%s' of --post-process failed with status %d",
				  quote(str_of(words[0])).text, status);
	}
	return result;
}

/** Replace the stacks of the profile by the stacks in a text. Keep the unit and the remarks of the
 * profile, but not its times. */
static int postprocess_replace(struct profile *profile, struct str text, struct diag *diag) {
	struct profile changed;
	struct source source = {.kind = SOURCE_MEMORY,
				.memory = text.p,
				.size = text.n,
				.name = "the output of --post-process"};
	const struct collapse collapse = {
		.format = collapse_find_format("folded"), .threads = 1, .diag = diag};
	profile_init(&changed, PROFILE_STACKS);
	if (collapse_sources(&collapse, &source, 1, &changed) != 0) {
		profile_release(&changed);
		return -1;
	}
	bool timed = profile_is_timed(profile);
	struct profile old = *profile;
	changed.by_sample = old.by_sample;
	changed.has_unit = old.has_unit;
	old.unit = changed.unit;
	changed.unit = profile->unit;
	old.remarks = changed.remarks;
	changed.remarks = profile->remarks;
	*profile = changed;
	profile_release(&old);
	return timed ? diag_warn(diag,
				 "the page shows no times: the output of --post-process has none")
		     : 0;
}

int postprocess_run(struct profile *profile, const char *command, struct diag *diag) {
	struct words words = {0};
	struct arena arena = {0};
	struct buf before = {0}, after = {0};
	struct output out;
	(void)words_split(&words, command, &arena); // the text was checked before
	output_init(&out, postprocess_append, &before);
	folded_write(profile, &out, true); // a filter that fails leaves the profile as it is
	(void)output_finish(&out);
	output_release(&out);
	int result = postprocess_filter(words.items, buf_str(&before), &after, diag);
	if (result == 0) {
		result = postprocess_replace(profile, buf_str(&after), diag);
	}
	result = result == FILTER_NOTHING ? 0 : result;
	words_release(&words);
	arena_release(&arena);
	buf_release(&before);
	buf_release(&after);
	return result;
}
