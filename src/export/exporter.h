/** An output format, in which a view is written. To add one, write export/NAME.c with `const struct
 * exporter exporter_NAME`, and add its word to src/meson.build. */
#ifndef INFERNO_EXPORTER_H
#define INFERNO_EXPORTER_H

#include "analysis/view.h"
#include "base/output.h"

enum exporter_needs {
	EXPORT_ONE = 1,      // it can write one profile
	EXPORT_TWO = 2,      // it can write two profiles that are compared
	EXPORT_TREE = 4,     // it reads the tree; others read the counted stacks of one profile
	EXPORT_TIMES = 8,    // it writes the times of stacks, if the profile has any
	EXPORT_SHOWN = 16,   // a browser shows it
	EXPORT_VALUES = 32,  // it writes all values of one profile, if there are several
	EXPORT_LIST = 64,    // it lists functions
	EXPORT_SITES = 128,  // it writes files, lines and modules, if there are any
	EXPORT_LABELS = 256, // with EXPORT_SITES: it writes labels, too
};

struct exporter {
	const char *name;     // for --format
	const char *suffixes; // suffixes of file names, separated by blanks; the first is the usual
			      // one; "": only --format chooses it
	const char *prefix; // names of files that begin with this are in this format, too; NULL:
			    // there is none
	const char *brief;  // one line, lower case, no full stop
	unsigned needs;     // of enum exporter_needs
	const struct opt *options; // its option rows; only commands that have these rows can write
				   // it; NULL: none needed
	size_t state_size;         // size of its state, which lives from init to release; 0: none
	/** Check the options, and read the files that they name, before any profile is read. The
	 * state is zeroed. May be NULL. Return 0, or -1 after diag_error(). */
	int (*init)(void *state, const struct opt_set *options, struct diag *diag);
	/** Return whether a profile whose stacks have two counts becomes a view of two. NULL: with
	 * EXPORT_TWO it does. */
	bool (*compares)(const struct opt_set *options);
	/** Write a view. With EXPORT_TREE, or if it has two profiles, it was arranged. Return 0, or
	 * -1 after diag_error(); the output remembers a failed write. */
	int (*write)(void *state, struct output *out, const struct view *view,
		     const struct opt_set *options, struct diag *diag);
	/** Release what the state owns. May be NULL. */
	void (*release)(void *state);
};

/** All exporters, in the order of src/meson.build; NULL-terminated. */
extern const struct exporter *const exporters[];

/** Their names, in the same order; NULL-terminated. */
extern const char *const exporter_names[];

/** Return the exporter of a name, or NULL. */
const struct exporter *exporter_find(const char *name);

/** Return the suffix of a file's name, without .gz or .zst after it. It is the longest suffix
 * of an exporter, such as `.nested.json`; the usual one of the exporter with whose prefix the name
 * begins. It is empty if the name has none: a suffix consists of letters only, or is one of an
 * exporter's. */
struct str exporter_suffix(const char *path);

/** Return the exporter with a suffix, in small or capital letters, or NULL. */
const struct exporter *exporter_of_suffix(struct str suffix);

/** An exporter with its state. A zeroed one is closed. */
struct export {
	const struct exporter *exporter;
	const struct opt_set *options;
	void *state;
};

/** Prepare to write. Return 0, or -1 after diag_error(). Call export_close() in both cases. */
int export_open(struct export *export, const struct exporter *exporter,
		const struct opt_set *options, struct diag *diag);

/** Write a view, after it was arranged if the exporter needs that. Return 0, or -1 after
 * diag_error(). */
int export_write(struct export *export, struct output *out, struct view *view, struct diag *diag);

void export_close(struct export *export);

#endif
