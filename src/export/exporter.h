/** An exporter writes a view in one output format. To add an exporter, write export/NAME.c with
 * `const struct exporter exporter_NAME`, and add NAME to the list in src/meson.build. */
#pragma once

#include "analysis/view.h"
#include "base/output.h"

enum exporter_needs {
	EXPORT_ONE = 1,     // the exporter can write one profile
	EXPORT_TWO = 2,     // the exporter can write a comparison of two profiles
	EXPORT_TREE = 4,    // the exporter reads the tree; without this flag, it reads the counted
			    // stacks
	EXPORT_TIMES = 8,   // the exporter writes times in buckets, if the profile has times
	EXPORT_SHOWN = 16,  // a browser can show the output
	EXPORT_VALUES = 32, // the exporter writes all values of a profile, if it has several
	EXPORT_LIST = 64,   // the exporter lists functions
	EXPORT_SITES = 128, // the exporter writes files, lines and modules, if the profile has them
	EXPORT_LABELS = 256, // with EXPORT_SITES: the exporter writes labels of stacks, too
	EXPORT_MOMENTS =
		512,        // the exporter writes exact times, if the times of all stacks are known
	EXPORT_EACH = 1024, // with EXPORT_MOMENTS: the exporter writes the time of each sample
};

struct exporter {
	const char *name;     // name for --format
	const char *suffixes; // suffixes of file names, separated by blanks; the first suffix is
			      // the usual one; "": only --format chooses the exporter
	const char *prefix; // start of file names that have the format, too; NULL: none
	const char *brief;  // description: one line, lower case, no full stop
	unsigned needs;     // flags of enum exporter_needs
	unsigned bits;      // number of bits of the format's numbers, into which the sum of all
			    // counts must fit; 0: 64
	const struct opt *options; // rows of the exporter's options; only commands with these rows
				   // can use the exporter; NULL: no options
	size_t state_size; // size of the exporter's state, which exists from init() to release();
			   // 0: no state
	/** A function that checks the options, and reads the files that they name, before any
	 * profile is read. The state is zeroed before. The function returns 0, or -1 after
	 * diag_error(). NULL: nothing to check. */
	int (*init)(void *state, const struct opt_set *options, struct diag *diag);
	/** A function for a profile whose stacks have two counts. The function returns whether such
	 * a profile becomes a view of two profiles. NULL: the profile does if the exporter has
	 * EXPORT_TWO. */
	bool (*compares)(const struct opt_set *options);
	/** A function that writes a view. The view is arranged if the exporter has EXPORT_TREE, or
	 * if the view has two profiles. The function returns 0, or -1 after diag_error(). The
	 * function can ignore failed writes, because the output keeps the error. */
	int (*write)(void *state, struct output *out, const struct view *view,
		     const struct opt_set *options, struct diag *diag);
	/** A function that releases the memory that the state owns. NULL: the state owns no
	 * memory. */
	void (*release)(void *state);
};

/** All exporters, in the order of src/meson.build; NULL-terminated. */
extern const struct exporter *const exporters[];

/** The names of all exporters, in the order of `exporters`; NULL-terminated. */
extern const char *const exporter_names[];

/** Return the exporter with a name, or NULL. */
const struct exporter *exporter_find(const char *name);

/** Return the suffix of a file's name. Ignore a .gz or .zst at the end. If the name ends in
 * suffixes of several exporters, return the longest suffix, such as `.nested.json`. If the name
 * begins with the prefix of an exporter, return the usual suffix of this exporter. Any other suffix
 * consists of letters only. If the name has no suffix, return an empty text. */
struct str exporter_suffix(const char *path);

/** Return the exporter with a suffix, or NULL. Ignore the case of letters. */
const struct exporter *exporter_of_suffix(struct str suffix);

/** An exporter with its state. A zeroed struct is not open. */
struct export {
	const struct exporter *exporter;
	const struct opt_set *options;
	void *state;
};

/** Let a new profile keep the data that exporters with these needs write. If `in_order` is set, the
 * profile is a timeline, which keeps no separate times. */
void exporter_ask(unsigned needs, bool in_order, struct profile *profile);

/** Prepare to write. Return 0, or -1 after diag_error(). Call export_close() in both cases. */
int export_open(struct export *export, const struct exporter *exporter,
		const struct opt_set *options, struct diag *diag);

/** Write a view. If the exporter needs the tree, arrange the view first. Return 0, or -1 after
 * diag_error(). */
int export_write(struct export *export, struct output *out, struct view *view, struct diag *diag);

void export_close(struct export *export);
