/** The files that a command writes: several of one run, each in the format that its name says. */
#ifndef INFERNO_RESULTS_H
#define INFERNO_RESULTS_H

#include "base/destination.h"
#include "commands/outputs.h"

struct results {
	struct diag *diag;
	struct result *items;
	size_t n;
};

/** Make the name of a file for another part of a result: out.svg becomes out.PART.svg. Characters
 * that names of files should not have become hyphens. */
void results_name_part(const char *path, struct str part, struct buf *name);

/** Find the exporter of an output, as output_of_name() does, unless --format names one. A recording
 * has none. */
int results_exporter(const struct command *command, const struct opt_set *set, const char *path,
		     const struct exporter **exporter, struct diag *diag);

/** Open all files, or `otherwise` if there are none, unless a file of that name is something else;
 * and prepare their exporters. Return 0, or -1 after diag_error(). Call results_release() in both
 * cases. */
int results_open(struct results *results, const struct command_run *run,
		 const struct opt_list *paths, const char *otherwise);

/** Return what the exporters need: enum exporter_needs. */
unsigned results_needs(const struct results *results);

/** Return the name of the first file that a browser shows, or NULL. */
const char *results_shown(const struct results *results);

/** Write what the exporters make of a view, and give these files their names. If one fails, write
 * the others. Return 0, or -1 after diag_error(). */
int results_write(struct results *results, struct view *view);

/** Return whether a recording is among the files. The functions below write to recordings. */
bool results_record(const struct results *results);

/** Append bytes. A failure is kept until results_end_record(). */
void results_append(struct results *results, const void *bytes, size_t n);

/** Append bytes only to those that can seek, or only to the others. */
void results_append_to(struct results *results, bool seekable, const void *bytes, size_t n);

/** Replace the first bytes of those that can seek. */
void results_replace_start(struct results *results, const void *bytes, size_t n);

/** Give the recordings their names. Return 0, or -1 after diag_error(). */
int results_end_record(struct results *results);

/** Close all files. Nothing remains of those that were not completed. */
void results_release(struct results *results);

#endif
