/** An exporter writes a view in one output format. To add one, write export/NAME.c with `const
 * struct exporter exporter_NAME`, and add its word to src/meson.build. */
#ifndef INFERNO_EXPORTER_H
#define INFERNO_EXPORTER_H

#include "analysis/view.h"
#include "base/output.h"

enum exporter_needs {
	EXPORT_ONE = 1,     // the exporter can write one profile
	EXPORT_TWO = 2,     // the exporter can write a comparison of two profiles
	EXPORT_TREE = 4,    // the exporter reads the tree; without this flag, it reads the counted
			    // stacks of one profile
	EXPORT_TIMES = 8,   // the exporter writes the times of stacks, if the profile has times
	EXPORT_SHOWN = 16,  // a browser can show the output
	EXPORT_VALUES = 32, // the exporter writes all values of a profile, if there are several
	EXPORT_LIST = 64,   // the exporter lists functions
	EXPORT_SITES = 128, // the exporter writes files, lines and modules, if the profile has them
	EXPORT_LABELS = 256, // with EXPORT_SITES: the exporter writes labels, too
	EXPORT_MOMENTS =
		512, // with EXPORT_TIMES: the exporter writes exact times, if all are known
};

struct exporter {
	const char *name;     // for --format
	const char *suffixes; // suffixes of file names, separated by blanks; the first is the usual
			      // one; "": only --format chooses it
	const char *prefix; // files whose names begin with this have the format, too; NULL:
			    // there is none
	const char *brief;  // one line, lower case, no full stop
	unsigned needs;     // flags of enum exporter_needs
	unsigned bits;      // size of the format's numbers, which must hold the sum of all counts;
			    // 0: 64
	const struct opt *options; // rows of its options; only commands with these rows can use
				   // the exporter; NULL: it needs none
	size_t state_size; // size of its state, which exists from init to release; 0: no state
	/** A function that checks the options, and reads the files that they name, before any
	 * profile is read. The state is zeroed. The function returns 0, or -1 after diag_error().
	 * NULL: nothing to check. */
	int (*init)(void *state, const struct opt_set *options, struct diag *diag);
	/** A function that returns whether a profile whose stacks have two counts becomes a view of
	 * two profiles. NULL: the profile does if the exporter has EXPORT_TWO. */
	bool (*compares)(const struct opt_set *options);
	/** Write a view. The view is arranged if the exporter has EXPORT_TREE, or if the view has
	 * two profiles. Return 0, or -1 after diag_error(). A failed write need not be returned,
	 * because the output keeps the error. */
	int (*write)(void *state, struct output *out, const struct view *view,
		     const struct opt_set *options, struct diag *diag);
	/** A function that releases everything that the state owns. NULL: the state owns nothing.
	 */
	void (*release)(void *state);
};

/** All exporters, in the order of src/meson.build; NULL-terminated. */
extern const struct exporter *const exporters[];

/** The names of all exporters, in the same order; NULL-terminated. */
extern const char *const exporter_names[];

/** Return the exporter with a name, or NULL. */
const struct exporter *exporter_find(const char *name);

/** Return the suffix of a file's name, ignoring a .gz or .zst at the end. If several exporters have
 * a suffix of the name, return the longest one, such as `.nested.json`. If the name begins with the
 * prefix of an exporter, return the usual suffix of this exporter. Any other suffix consists of
 * letters only. If the name has no suffix, return an empty text. */
struct str exporter_suffix(const char *path);

/** Return the exporter with a suffix, in small or capital letters, or NULL. */
const struct exporter *exporter_of_suffix(struct str suffix);

/** An exporter with its state. A zeroed struct is closed. */
struct export {
	const struct exporter *exporter;
	const struct opt_set *options;
	void *state;
};

/** Let a new profile keep what exporters with these needs write. A profile whose stacks stay in
 * order keeps no times besides. */
void exporter_ask(unsigned needs, bool in_order, struct profile *profile);

/** Prepare to write. Return 0, or -1 after diag_error(). Call export_close() in both cases. */
int export_open(struct export *export, const struct exporter *exporter,
		const struct opt_set *options, struct diag *diag);

/** Write a view. If the exporter needs the tree, arrange the view first. Return 0, or -1 after
 * diag_error(). */
int export_write(struct export *export, struct output *out, struct view *view, struct diag *diag);

void export_close(struct export *export);

#endif
