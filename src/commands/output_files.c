/* The files that a command writes, and their formats. */
#include "commands/output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/read.h"

struct output_file {
	const char *path;
	struct export export; // the exporter is NULL if the output is a recording
	struct destination to;
	bool opened;
};

int output_files_exporter(const struct command *command, const struct opt_set *set,
			  const char *path, const struct exporter **exporter, struct diag *diag) {
	if (output_of_name(command, output_given(set), path, exporter, diag) != 0) {
		return -1;
	}
	return *exporter == NULL ? 0 : output_check_order(*exporter, set, diag);
}

void output_files_name_part(const char *path, struct str part, struct buf *name) {
	enum { LONGEST = 80 };
	struct str inner = compressor_inner_name(path);
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

/** Report that a file cannot be written: as an error for the first such file, and as a warning for
 * all others. Return -1. */
static int output_files_fail_write(const struct output_files *outputs, const char *path,
				   const char *problem) {
	if (outputs->diag->error.n > 0) {
		(void)diag_warn(outputs->diag, "%s: cannot write: %s", path, problem);
		return -1;
	}
	return diag_error(outputs->diag, "%s: cannot write: %s", path, problem);
}

/** Read the start of a file. Return the number of bytes, 0 if the file does not exist, or -1 with
 * errno set if the file cannot be read or is not a regular file. */
static ptrdiff_t output_files_read_first(const char *path, char *bytes, size_t size) {
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
 * Check that an output which the user did not name may be replaced. The file must be an earlier
 * result, or empty, or missing. Results of similar programs, such as cargo flamegraph, have the
 * same mark and may be replaced, too.
 */
static int output_files_check_usual(const char *path, const struct exporter *exporter,
				    struct diag *diag) {
	enum { LOOKED_AT = 64 << 10 };
	char *bytes = mem_new(LOOKED_AT, 1);
	ptrdiff_t n = output_files_read_first(path, bytes, LOOKED_AT);
	// a device or a folder leads to an error later
	if (n < 0 && errno != EINVAL && errno != ENXIO) {
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
static int output_files_open_result(struct output_files *outputs, struct output_file *result,
				    const struct command_run *run, const char *path) {
	const struct exporter *exporter;
	*result = (struct output_file){.path = path};
	if (output_files_exporter(run->command, run->set, path, &exporter, run->diag) != 0 ||
	    (exporter != NULL &&
	     export_open(&result->export, exporter, run->set, run->diag) != 0)) {
		return -1;
	}
	// Let only the owner read a recording, because its copies of stacks may contain secrets of
	// programs.
	unsigned flags = exporter == NULL ? DESTINATION_PRIVATE : 0;
	result->opened = true;
	return destination_open(&result->to, path, flags) == 0
		       ? 0
		       : output_files_fail_write(outputs, path,
						 destination_problem(&result->to).text);
}

int output_files_open(struct output_files *outputs, const struct command_run *run,
		      const struct opt_list *paths, const char *otherwise) {
	const char *const *names = paths->n > 0 ? paths->items : &otherwise;
	size_t n = paths->n > 0 ? paths->n : 1;
	*outputs = (struct output_files){.diag = run->diag,
					 .items = mem_new(n, sizeof(struct output_file))};
	if (paths->n == 0 &&
	    output_files_check_usual(otherwise, output_chosen(run), run->diag) != 0) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (output_files_open_result(outputs, &outputs->items[outputs->n++], run,
					     names[i]) != 0) {
			return -1;
		}
	}
	return 0;
}

unsigned output_files_needs(const struct output_files *outputs) {
	unsigned needs = 0;
	for (size_t i = 0; i < outputs->n; i++) {
		const struct exporter *exporter = outputs->items[i].export.exporter;
		needs |= exporter == NULL ? 0 : exporter->needs;
	}
	return needs;
}

const char *output_files_shown(const struct output_files *outputs) {
	for (size_t i = 0; i < outputs->n; i++) {
		const struct exporter *exporter = outputs->items[i].export.exporter;
		if (exporter != NULL && (exporter->needs & EXPORT_SHOWN) != 0) {
			return outputs->items[i].path;
		}
	}
	return NULL;
}

/* --- Recordings ----------------------------------------------------------------------------- */

/** Return the next recording after `*at` for which no write has failed, or NULL. */
static struct output_file *output_files_next_recording(const struct output_files *outputs,
						       size_t *at) {
	while (*at < outputs->n) {
		struct output_file *result = &outputs->items[(*at)++];
		if (result->export.exporter == NULL && result->to.error == 0) {
			return result;
		}
	}
	return NULL;
}

bool output_files_record(const struct output_files *outputs) {
	bool found = false;
	for (size_t i = 0; i < outputs->n; i++) {
		found |= outputs->items[i].export.exporter == NULL;
	}
	return found;
}

void output_files_append(struct output_files *outputs, const void *bytes, size_t n) {
	output_files_append_to(outputs, true, bytes, n);
	output_files_append_to(outputs, false, bytes, n);
}

void output_files_append_to(struct output_files *outputs, bool seekable, const void *bytes,
			    size_t n) {
	size_t at = 0;
	for (struct output_file *result;
	     (result = output_files_next_recording(outputs, &at)) != NULL;) {
		if (destination_can_seek(&result->to) == seekable) {
			// the error is kept for the end
			(void)destination_write(&result->to, bytes, n);
		}
	}
}

void output_files_replace_start(struct output_files *outputs, const void *bytes, size_t n) {
	size_t at = 0;
	for (struct output_file *result;
	     (result = output_files_next_recording(outputs, &at)) != NULL;) {
		if (destination_can_seek(&result->to)) {
			(void)destination_replace_start(&result->to, bytes, n);
		}
	}
}

static int output_files_complete_one(const struct output_files *outputs,
				     struct output_file *result) {
	result->opened = false;
	if (result->to.error != 0) {
		int problem = result->to.error;
		destination_close(&result->to, false);
		errno = problem;
		return output_files_fail_write(outputs, result->path,
					       destination_problem(&result->to).text);
	}
	if (destination_close(&result->to, true) != 0) {
		return output_files_fail_write(outputs, result->path,
					       destination_problem(&result->to).text);
	}
	diag_done(outputs->diag, "wrote %s", result->path);
	return 0;
}

int output_files_end_record(struct output_files *outputs) {
	int status = 0;
	for (size_t i = 0; i < outputs->n; i++) {
		struct output_file *result = &outputs->items[i];
		if (result->export.exporter == NULL &&
		    output_files_complete_one(outputs, result) != 0) {
			status = -1;
		}
	}
	return status;
}

/* --- Views ---------------------------------------------------------------------------------- */

static int output_files_write_result(struct output_files *outputs, struct output_file *result,
				     struct view *view) {
	struct output out;
	output_init(&out, destination_write, &result->to);
	int status = export_write(&result->export, &out, view, outputs->diag);
	(void)output_finish(&out); // the destination remembers the error
	output_release(&out);
	return status == 0 ? output_files_complete_one(outputs, result) : -1;
}

int output_files_write(struct output_files *outputs, struct view *view) {
	int status = 0;
	view->keeps_stacks = outputs->n > 1;
	// Files made from stacks first: making the tree consumes the stacks.
	for (int tree = 0; tree < 2; tree++) {
		for (size_t i = 0; i < outputs->n; i++) {
			struct output_file *result = &outputs->items[i];
			const struct exporter *exporter = result->export.exporter;
			if (exporter != NULL && tree == ((exporter->needs & EXPORT_TREE) != 0) &&
			    output_files_write_result(outputs, result, view) != 0) {
				status = -1;
			}
		}
	}
	return status;
}

void output_files_release(struct output_files *outputs) {
	for (size_t i = 0; i < outputs->n; i++) {
		if (outputs->items[i].opened) {
			destination_close(&outputs->items[i].to, false);
		}
		export_close(&outputs->items[i].export);
	}
	free(outputs->items);
}
