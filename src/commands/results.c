/* The files that a command writes, and their formats. */
#include "commands/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/read.h"

struct result {
	const char *path;
	struct export export; // its exporter is NULL for a recording
	struct destination to;
	bool opened;
};

int results_exporter(const struct command *command, const struct opt_set *set, const char *path,
		     const struct exporter **exporter, struct diag *diag) {
	if (output_of_name(command, output_given(set), path, exporter, diag) != 0) {
		return -1;
	}
	return *exporter == NULL ? 0 : output_check_order(*exporter, set, diag);
}

void results_name_part(const char *path, struct str part, struct buf *name) {
	enum { LONGEST = 80 };
	struct str inner = packer_inner_name(path);
	size_t suffix = exporter_suffix(path).n;
	buf_add(name, path, inner.n - suffix);
	buf_add_char(name, '.');
	for (size_t i = 0; i < part.n && i < LONGEST; i++) {
		char c = part.p[i];
		bool plain = is_alpha(c) || is_digit(c) || c == '_' || c == '.' || c == '=';
		buf_add_char(name, plain ? c : '-');
	}
	buf_add_text(name, path + inner.n - suffix);
}

/** Report a file that cannot be written: the first as the error, others as warnings. Return -1. */
static int fail_write(const struct results *results, const char *path, const char *problem) {
	if (results->diag->error.n > 0) {
		(void)diag_warn(results->diag, "%s: cannot write: %s", path, problem);
		return -1;
	}
	return diag_error(results->diag, "%s: cannot write: %s", path, problem);
}

/** Read the start of a file. Return how many bytes that are, 0 if it is not there, or -1 with errno
 * set if it cannot be read. */
static ptrdiff_t read_first(const char *path, char *bytes, size_t size) {
	struct stat about;
	int fd = read_open(path);
	if (fd < 0) {
		return errno == ENOENT ? 0 : -1;
	}
	int problem = fstat(fd, &about) != 0 ? errno : S_ISREG(about.st_mode) ? 0 : EINVAL;
	ptrdiff_t n = problem == 0 ? read_start(fd, bytes, size) : -1;
	problem = problem == 0 ? errno : problem;
	close(fd);
	errno = problem;
	return n;
}

/**
 * Check that a file whose name the user has not given may be replaced: it is a result of before, or
 * empty, or not there. Others that draw in the same way, such as cargo flamegraph, have the same
 * mark.
 */
static int check_usual(const char *path, const struct exporter *exporter, struct diag *diag) {
	enum { LOOKED_AT = 64 << 10 };
	char *bytes = mem_new(LOOKED_AT, 1);
	ptrdiff_t n = read_first(path, bytes, LOOKED_AT);
	if (n < 0 && errno != EINVAL && errno != ENXIO) { // a device or a folder is told later
		free(bytes);
		return diag_error(diag,
				  "%s: cannot read what it replaces: %s; name an output "
				  "with -o FILE",
				  path, strerror(errno));
	}
	struct str start = {bytes, n < 0 ? 0 : (size_t)n}, lines = start;
	struct str line = str_cut(&lines, '\n');
	uint64_t count;
	bool is_folded = (exporter->needs & EXPORT_TREE) == 0 && num_take_at_end(&line, &count);
	bool is_ours = start.n == 0 || is_folded || str_starts(start, STR("{\n  \"unit\": ")) ||
		       str_has(start, STR("xmlns:fg=\"http://github.com/jonhoo/inferno\""));
	free(bytes);
	return is_ours ? 0
		       : diag_error(
				 diag,
				 "%s: this file was not written by inferno, and is not replaced; "
				 "name an output with -o FILE, or this one with -o %s",
				 path, path);
}

/** Open a file, and prepare its exporter. */
static int open_result(struct results *results, struct result *result,
		       const struct command_run *run, const char *path) {
	const struct exporter *exporter;
	*result = (struct result){.path = path};
	if (results_exporter(run->command, run->set, path, &exporter, run->diag) != 0 ||
	    (exporter != NULL &&
	     export_open(&result->export, exporter, run->set, run->diag) != 0)) {
		return -1;
	}
	// A recording holds copies of stacks, and with them what programs keep secret.
	unsigned flags = exporter == NULL ? DESTINATION_PRIVATE : 0;
	result->opened = true;
	return destination_open(&result->to, path, flags) == 0
		       ? 0
		       : fail_write(results, path, destination_problem(&result->to).text);
}

int results_open(struct results *results, const struct command_run *run,
		 const struct opt_list *paths, const char *otherwise) {
	const char *const *names = paths->n > 0 ? paths->items : &otherwise;
	size_t n = paths->n > 0 ? paths->n : 1;
	*results = (struct results){.diag = run->diag, .items = mem_new(n, sizeof(struct result))};
	if (paths->n == 0 && check_usual(otherwise, output_chosen(run), run->diag) != 0) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (open_result(results, &results->items[results->n++], run, names[i]) != 0) {
			return -1;
		}
	}
	return 0;
}

unsigned results_needs(const struct results *results) {
	unsigned needs = 0;
	for (size_t i = 0; i < results->n; i++) {
		const struct exporter *exporter = results->items[i].export.exporter;
		needs |= exporter == NULL ? 0 : exporter->needs;
	}
	return needs;
}

const char *results_shown(const struct results *results) {
	for (size_t i = 0; i < results->n; i++) {
		const struct exporter *exporter = results->items[i].export.exporter;
		if (exporter != NULL && (exporter->needs & EXPORT_SHOWN) != 0) {
			return results->items[i].path;
		}
	}
	return NULL;
}

/* --- Recordings ----------------------------------------------------------------------------- */

/** Return the next recording after `*at` without a failure, or NULL. */
static struct result *next_recording(const struct results *results, size_t *at) {
	while (*at < results->n) {
		struct result *result = &results->items[(*at)++];
		if (result->export.exporter == NULL && result->to.error == 0) {
			return result;
		}
	}
	return NULL;
}

bool results_record(const struct results *results) {
	bool found = false;
	for (size_t i = 0; i < results->n; i++) {
		found |= results->items[i].export.exporter == NULL;
	}
	return found;
}

void results_append(struct results *results, const void *bytes, size_t n) {
	results_append_to(results, true, bytes, n);
	results_append_to(results, false, bytes, n);
}

void results_append_to(struct results *results, bool seekable, const void *bytes, size_t n) {
	size_t at = 0;
	for (struct result *result; (result = next_recording(results, &at)) != NULL;) {
		if (destination_can_seek(&result->to) == seekable) {
			(void)destination_write(&result->to, bytes, n); // keeps the error
		}
	}
}

void results_replace_start(struct results *results, const void *bytes, size_t n) {
	size_t at = 0;
	for (struct result *result; (result = next_recording(results, &at)) != NULL;) {
		if (destination_can_seek(&result->to)) {
			(void)destination_replace_start(&result->to, bytes, n);
		}
	}
}

static int complete(const struct results *results, struct result *result) {
	result->opened = false;
	if (result->to.error != 0) {
		int problem = result->to.error;
		destination_close(&result->to, false);
		errno = problem;
		return fail_write(results, result->path, destination_problem(&result->to).text);
	}
	if (destination_close(&result->to, true) != 0) {
		return fail_write(results, result->path, destination_problem(&result->to).text);
	}
	diag_done(results->diag, "wrote %s", result->path);
	return 0;
}

int results_end_record(struct results *results) {
	int status = 0;
	for (size_t i = 0; i < results->n; i++) {
		struct result *result = &results->items[i];
		if (result->export.exporter == NULL && complete(results, result) != 0) {
			status = -1;
		}
	}
	return status;
}

/* --- Views ---------------------------------------------------------------------------------- */

static int write_result(struct results *results, struct result *result, struct view *view) {
	struct output out;
	output_init(&out, destination_write, &result->to);
	int status = export_write(&result->export, &out, view, results->diag);
	(void)output_finish(&out); // the destination keeps the error
	output_release(&out);
	return status == 0 ? complete(results, result) : -1;
}

int results_write(struct results *results, struct view *view) {
	int status = 0;
	for (int tree = 0; tree < 2; tree++) { // the tree takes the stacks apart
		for (size_t i = 0; i < results->n; i++) {
			struct result *result = &results->items[i];
			const struct exporter *exporter = result->export.exporter;
			if (exporter != NULL && tree == ((exporter->needs & EXPORT_TREE) != 0) &&
			    write_result(results, result, view) != 0) {
				status = -1;
			}
		}
	}
	return status;
}

void results_release(struct results *results) {
	for (size_t i = 0; i < results->n; i++) {
		if (results->items[i].opened) {
			destination_close(&results->items[i].to, false);
		}
		export_close(&results->items[i].export);
	}
	free(results->items);
}
