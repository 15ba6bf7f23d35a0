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

static const char *const suffixes[] = {".svg", ".html", ".folded", ".json", ".data"};
_Static_assert(sizeof(suffixes) / sizeof(suffixes[0]) == RESULT_UNKNOWN,
	       "each kind has its suffix");

struct result {
	const char *path;
	enum result_kind kind;
	struct destination to;
	bool opened;
};

enum result_kind result_kind_of(const char *path) {
	struct str name = packer_inner_name(path);
	size_t kind = 0;
	while (kind < RESULT_UNKNOWN && !str_ends(name, str_of(suffixes[kind]))) {
		kind++;
	}
	return (enum result_kind)kind;
}

void results_name_part(const char *path, struct str part, struct buf *name) {
	enum { LONGEST = 80 };
	struct str inner = packer_inner_name(path);
	enum result_kind kind = result_kind_of(path);
	size_t suffix = kind == RESULT_UNKNOWN ? 0 : strlen(suffixes[kind]);
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
static int check_usual(const char *path, struct diag *diag) {
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
	bool is_folded = result_kind_of(path) == RESULT_FOLDED && num_take_at_end(&line, &count);
	bool is_ours = start.n == 0 || is_folded ||
		       str_has(start, STR("xmlns:fg=\"http://github.com/jonhoo/inferno\""));
	free(bytes);
	return is_ours ? 0
		       : diag_error(
				 diag,
				 "%s: this file was not written by inferno, and is not replaced; "
				 "name an output with -o FILE, or this one with -o %s",
				 path, path);
}

int results_open(struct results *results, const struct opt_list *paths, const char *otherwise,
		 struct diag *diag) {
	const char *const *names = paths->n > 0 ? paths->items : &otherwise;
	size_t n = paths->n > 0 ? paths->n : 1;
	*results = (struct results){.diag = diag, .items = mem_new(n, sizeof(struct result))};
	if (paths->n == 0 && check_usual(otherwise, diag) != 0) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		struct result *result = &results->items[results->n++];
		*result = (struct result){
			.path = names[i], .kind = result_kind_of(names[i]), .opened = true};
		// A recording holds copies of stacks, and with them what programs keep secret.
		unsigned flags = result->kind == RESULT_RECORDING ? DESTINATION_PRIVATE : 0;
		if (destination_open(&result->to, result->path, flags) != 0) {
			return fail_write(results, result->path,
					  destination_problem(&result->to).text);
		}
	}
	return 0;
}

const char *results_first(const struct results *results, enum result_kind kind) {
	size_t i = 0;
	while (i < results->n && results->items[i].kind != kind) {
		i++;
	}
	return i < results->n ? results->items[i].path : NULL;
}

bool results_have(const struct results *results, enum result_kind kind) {
	return results_first(results, kind) != NULL;
}

void results_append(struct results *results, enum result_kind kind, const void *bytes, size_t n) {
	for (size_t i = 0; i < results->n; i++) {
		struct result *result = &results->items[i];
		if (result->kind == kind && result->to.error == 0) {
			(void)destination_write(&result->to, bytes, n); // keeps the error
		}
	}
}

void results_append_to(struct results *results, enum result_kind kind, bool seekable,
		       const void *bytes, size_t n) {
	for (size_t i = 0; i < results->n; i++) {
		struct result *result = &results->items[i];
		if (result->kind == kind && result->to.error == 0 &&
		    destination_can_seek(&result->to) == seekable) {
			(void)destination_write(&result->to, bytes, n); // keeps the error
		}
	}
}

void results_replace_start(struct results *results, enum result_kind kind, const void *bytes,
			   size_t n) {
	for (size_t i = 0; i < results->n; i++) {
		struct result *result = &results->items[i];
		if (result->kind == kind && result->to.error == 0 &&
		    destination_can_seek(&result->to)) {
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

int results_complete(struct results *results, enum result_kind kind) {
	int status = 0;
	for (size_t i = 0; i < results->n; i++) {
		if (results->items[i].kind == kind && complete(results, &results->items[i]) != 0) {
			status = -1;
		}
	}
	return status;
}

int results_write(struct results *results, enum result_kind kind,
		  void (*fill)(struct output *out, void *context), void *context) {
	for (size_t i = 0; i < results->n; i++) {
		struct output out;
		if (results->items[i].kind != kind) {
			continue;
		}
		output_init(&out, destination_write, &results->items[i].to);
		fill(&out, context);
		(void)output_finish(&out); // the destination keeps the error
		output_release(&out);
	}
	return results_complete(results, kind);
}

void results_release(struct results *results) {
	for (size_t i = 0; i < results->n; i++) {
		if (results->items[i].opened) {
			destination_close(&results->items[i].to, false);
		}
	}
	free(results->items);
}
