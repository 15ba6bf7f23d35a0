/** The files that a command writes. One run can write several files, each in the format of its
 * suffix. */
#pragma once

#include "base/destination.h"
#include "commands/outputs.h"

struct output_files {
	struct diag *diag;
	struct output_file *items;
	size_t n;
};

/** Make the file name for a further part of a result: out.svg becomes out.PART.svg. Characters that
 * are unsuitable for file names become hyphens. */
void output_files_name_part(const char *path, struct str part, struct buf *name);

/** Find the exporter that --format names. Without --format, find the exporter by the file's name,
 * as output_of_name() does. For a recording, set `*exporter` to NULL. Return 0, or -1 after
 * diag_error(). */
int output_files_exporter(const struct command *command, const struct opt_set *set,
			  const char *path, const struct exporter **exporter, struct diag *diag);

/** Open all files, and prepare their exporters. If the user named no file, open the file
 * `otherwise`; fail if this file exists and was not written by inferno. Return 0, or -1 after
 * diag_error(). Call output_files_release() in both cases. */
int output_files_open(struct output_files *outputs, const struct command_run *run,
		      const struct opt_list *paths, const char *otherwise);

/** Return the needs of all exporters together, as bits of enum exporter_needs. */
unsigned output_files_needs(const struct output_files *outputs);

/** Return the name of the first file that a browser can show, or NULL. */
const char *output_files_shown(const struct output_files *outputs);

/** Write a view with all exporters, and give the files their names. If an exporter fails, still
 * write the other files. Return 0, or -1 after diag_error(). */
int output_files_write(struct output_files *outputs, struct view *view);

/** Return whether any of the files is a recording. The functions below write to all recordings. */
bool output_files_record(const struct output_files *outputs);

/** Append bytes to the recordings. output_files_end_record() reports a failure. */
void output_files_append(struct output_files *outputs, const void *bytes, size_t n);

/** Append bytes to some of the recordings: if `seekable` is set, to those that can seek; otherwise,
 * to those that cannot. */
void output_files_append_to(struct output_files *outputs, bool seekable, const void *bytes,
			    size_t n);

/** Replace the first bytes of the recordings that can seek. */
void output_files_replace_start(struct output_files *outputs, const void *bytes, size_t n);

/** Give the recordings their names. Return 0, or -1 after diag_error(). */
int output_files_end_record(struct output_files *outputs);

/** Close all files. A file that was not completed is removed. */
void output_files_release(struct output_files *outputs);
