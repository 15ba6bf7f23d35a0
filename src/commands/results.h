/** The files that a command writes: several of one run, each in the format that its name says. */
#ifndef INFERNO_RESULTS_H
#define INFERNO_RESULTS_H

#include "base/destination.h"
#include "base/opt.h"

/** Formats, in the order of their suffixes. */
enum result_kind {
	RESULT_PICTURE,
	RESULT_PAGE,
	RESULT_FOLDED,
	RESULT_REPORT,
	RESULT_RECORDING,
	RESULT_UNKNOWN,
};

struct results {
	struct diag *diag;
	struct result *items;
	size_t n;
};

/** Return the format that the name of a file says, which may end in .gz or .zst as well. */
enum result_kind result_kind_of(const char *path);

/** Make the name of a file for another part of a result: out.svg becomes out.PART.svg. Characters
 * that names of files should not have become hyphens. */
void results_name_part(const char *path, struct str part, struct buf *name);

/** Open all files, or `otherwise` if there are none, unless a file of that name is something else.
 * Return 0, or -1 after diag_error(). Call results_release() in both cases. */
int results_open(struct results *results, const struct opt_list *paths, const char *otherwise,
		 struct diag *diag);

/** Return the name of the first file of this kind, or NULL. */
const char *results_first(const struct results *results, enum result_kind kind);

/** Return whether a file of this kind is among them. */
bool results_have(const struct results *results, enum result_kind kind);

/** Append bytes to the files of a kind. A failure is kept until results_complete(). */
void results_append(struct results *results, enum result_kind kind, const void *bytes, size_t n);

/** Append bytes only to those that can seek, or only to the others. */
void results_append_to(struct results *results, enum result_kind kind, bool seekable,
		       const void *bytes, size_t n);

/** Replace the first bytes of those that can seek. */
void results_replace_start(struct results *results, enum result_kind kind, const void *bytes,
			   size_t n);

/** Give the files of a kind their names. Return 0, or -1 after diag_error(). */
int results_complete(struct results *results, enum result_kind kind);

/** Write and complete the files of a kind with the output of `fill`. Return 0, or -1 after
 * diag_error(). */
int results_write(struct results *results, enum result_kind kind,
		  void (*fill)(struct output *out, void *context), void *context);

/** Close all files. Nothing remains of those that were not completed. */
void results_release(struct results *results);

#endif
