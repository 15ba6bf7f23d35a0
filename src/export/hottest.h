/** Find the hottest functions and the heaviest paths of one profile, for reports as text and
 * Markdown. */
#pragma once

#include "analysis/functions.h"
#include "analysis/site_groups.h"
#include "analysis/view.h"
#include "base/opt.h"
#include "base/output.h"
#include "export/changes.h"

struct hottest_options {
	uint64_t max_lines;
	const char *focus;           // name of a function, or NULL
	const char *peek;            // a pattern for names of functions, or NULL
	const char *by;              // meaning of the first frames, such as "thread", or NULL
	const char *list, *annotate; // name of a function, or NULL
	struct opt_list source_paths;
	bool tree, lines, debuginfod;
};

/** Return whether the options choose a report on modules or lines. Such a report needs sites. */
bool hottest_wants_sites(const struct opt_set *options);

/** The rows of the options in struct hottest_options. */
extern const struct opt hottest_rows[];

/** A list of functions, modules or lines, in the order of the report. */
struct hottest_list {
	const char *heading;
	const char *noun; // kind of an item: a function, a module or a source line
	const struct function **items;
	size_t n, shown; // number of all items; number of items that fit into the report
	bool by_self;    // the items are sorted by self counts, not by totals
	bool has_self;   // self counts are known
};

/** A path: a chain of calls in which each call has nearly the whole total of its caller. */
struct hottest_path {
	size_t first, frames; // index of the first frame in `heavy`; number of frames
	uint32_t indent;      // number of paths above this path
};

enum { HOTTEST_LISTS = 2 };

/** A function with its callers and its callees. */
struct hottest_around {
	const struct function *function;
	struct functions callers, callees;
	struct hottest_list lists[HOTTEST_LISTS];
};

struct hottest {
	const struct view *view;
	struct str unit;
	struct functions functions, groups; // `groups`: the first frames of stacks, for --by
	struct site_groups sites;           // modules, or lines
	bool by_site;                       // the report lists modules or lines
	const struct opt_list *sources;     // the rules of --source-path
	const struct function *listed;      // function of --list or --annotate; NULL: not given
	// the function of --focus, or the functions of --peek, with callers and callees
	struct hottest_around *arounds;
	size_t arounds_n, matches; // number of functions in `arounds`; number of functions that
				   // --focus or --peek matches
	// the list by self and the list by total, or the list of groups
	struct hottest_list lists[HOTTEST_LISTS];
	size_t lists_n;
	bool focus, tree; // the option was given; with --tree, no lists are shown
	struct ids heavy; // frames of all paths, in the order of the tree
	// paths; after each path come the paths that it calls; the first `paths_shown` paths are
	// shown
	struct hottest_path *paths;
	size_t paths_n, paths_shown;
	uint64_t lighter; // largest total of a frame that is in no shown path
};

/** Rank the functions and paths of an arranged view. Cut the lists so that the report has at most
 * as many lines as --max-lines says. Each list needs `fixed` lines besides its rows. Return 0, or
 * -1 after diag_error(). Call hottest_release() in both cases. */
int hottest_init(struct hottest *hottest, const struct view *view, const struct opt_set *options,
		 size_t fixed, struct diag *diag);
void hottest_release(struct hottest *hottest);

/** Return the id of the name of the function of --list or --annotate. */
uint32_t hottest_listed_name(const struct hottest *hottest);

/** Refuse the options in `names`, which are separated by blanks, if one of them was given. `why`
 * names the report to which these options belong. Return 0, or -1 after diag_error(). */
int hottest_refuse(const struct opt_set *options, const char *names, const char *why,
		   struct diag *diag);

/** Refuse options that do not apply to the report. If `two` is set, refuse options for one profile.
 * Otherwise, refuse options for two profiles. Return 0, or -1 after diag_error(). */
int hottest_check(const struct opt_set *options, bool two, struct diag *diag);

enum { HOTTEST_CELLS = 4, HOTTEST_NAME = 200 }; // largest number of characters of a name

/** The headings of the columns, and the heading of the list of paths. */
extern const char *const hottest_columns[HOTTEST_CELLS];
extern const char *const hottest_paths_heading;

/** Return the number of cells in the rows of a list. */
static inline size_t hottest_cells(const struct hottest_list *list) {
	return list->has_self ? HOTTEST_CELLS : HOTTEST_CELLS / 2;
}

/** Add a count to the first of two cells, and its percentage of all counts to the second. */
void hottest_add_count(struct buf *cells, const struct hottest *hottest, uint64_t count);

/** Add the first `n` cells of a function (hottest_add_cells), or the two cells of a path
 * (hottest_add_path_cells). */
void hottest_add_cells(struct buf *cells, const struct hottest *hottest,
		       const struct function *function, size_t n);
void hottest_add_path_cells(struct buf *cells, const struct hottest *hottest,
			    const struct hottest_path *path);

/** Add a phrase with the total of the profile and the number of its functions. */
void hottest_add_totals(struct buf *out, const struct hottest *hottest);

/** If there are remarks on the quality of the data, add a line with them. Cut the line to a
 * width. */
void hottest_add_remarks(struct buf *out, const struct hottest *hottest, size_t width);

/** Add a phrase with the total and the self count of a function, as percentages. */
void hottest_add_function_shares(struct buf *out, const struct hottest *hottest,
				 const struct function *function);

/** Add this phrase for a function whose callers and callees are shown. If several functions match
 * --focus, add their number. */
void hottest_add_shares(struct buf *out, const struct hottest *hottest,
			const struct hottest_around *around);

/** Add the handle of a function, a short name for --focus. The handle of the function with the
 * highest self count is f1. If `function` is a module, add nothing. */
void hottest_add_handle(struct buf *out, const struct function *function);

/** Add the name of an item of a list, cut to a width. Never cut the number of a source line. */
void hottest_add_item(struct buf *out, const struct hottest *hottest, const struct function *item,
		      size_t width);

/** Add text from the input. Remove control characters, and cut the text in its middle to a
 * width. */
void hottest_add_cut(struct buf *out, struct str text, size_t width);

/** Add the name of a function. Cut the name in its middle to a width. */
void hottest_add_name(struct buf *out, struct str name, size_t width);

/** Add the indented names of a path, in at most `width` columns. If the names do not fit, add the
 * first and the last name, and the number of names between them. */
void hottest_add_path(struct buf *out, const struct hottest *hottest,
		      const struct hottest_path *path, size_t width);

/** Return whether the report has the heaviest paths. */
static inline bool hottest_has_paths(const struct hottest *hottest) {
	return hottest->arounds_n == 0 && hottest->groups.n == 0 && !hottest->by_site &&
	       !profile_has_table(hottest->view->profile);
}

/** If a list (hottest_add_rest) or the paths (hottest_add_lighter) leave out items, add a phrase
 * that says how much is left out. For an empty list, add "none". */
void hottest_add_rest(struct buf *out, const struct hottest *hottest,
		      const struct hottest_list *list);
void hottest_add_lighter(struct buf *out, const struct hottest *hottest);

/** The form of a report for reading: text or Markdown. */
struct hottest_form {
	const char *heading; // mark at the start of a heading; "": headings have no mark
	size_t fixed;        // number of lines of a list besides its rows
	void (*add_remarks)(struct buf *out, const struct hottest *hottest);
	void (*add_around)(struct buf *out, const struct hottest *hottest,
			   const struct hottest_around *around);
	void (*add_list)(struct buf *out, const struct hottest *hottest,
			 const struct hottest_list *list);
	void (*add_paths)(struct buf *out, const struct hottest *hottest);
	/** Add the function of --list or --annotate. Return 0, or -1 after diag_error(). */
	int (*add_listed)(struct buf *out, const struct hottest *hottest,
			  const struct opt_set *options, struct diag *diag);
	/** Add the name of a function that changed, and a list of such functions. */
	void (*add_changed)(struct buf *out, const struct function *function);
	void (*add_changes)(struct buf *out, const struct changes *changes,
			    const struct change_list *list, const char *heading);
};

/** Write a report on two profiles or on one profile. Return 0, or -1 after diag_error(). */
int hottest_write(struct output *out, const struct view *view, const struct opt_set *options,
		  struct diag *diag, const struct hottest_form *form);
