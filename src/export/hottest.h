/** The hottest functions and heaviest paths of a single profile. Reports as text and Markdown use
 * these functions and paths. */
#ifndef INFERNO_HOTTEST_H
#define INFERNO_HOTTEST_H

#include "analysis/functions.h"
#include "analysis/site_groups.h"
#include "analysis/view.h"
#include "base/opt.h"
#include "base/output.h"

struct hottest_options {
	uint64_t max_lines;
	const char *focus;           // name of a function, or NULL
	const char *peek;            // a pattern for names of functions, or NULL
	const char *by;              // the meaning of the first frames, such as "thread", or NULL
	const char *list, *annotate; // name of a function, or NULL
	struct opt_list source_paths;
	bool tree, lines, debuginfod;
};

/** Return whether the options choose a report on modules or lines. Such a report needs sites. */
bool hottest_wants_sites(const struct opt_set *options);

/** The rows of struct hottest_options. */
extern const struct opt hottest_rows[];

/** A list of functions, modules or lines, in the order of the report. */
struct hottest_list {
	const char *heading;
	const char *noun; // kind of an item: a function, a module or a source line
	const struct function **items;
	size_t n, shown; // number of all items; number of items that fit
	bool by_self;    // whether they are ordered by self counts instead of totals
	bool has_self;   // whether self counts are known
};

/** A path: a chain of calls in which each call has nearly the whole total of its caller. */
struct hottest_path {
	size_t first, frames; // in `heavy`
	uint32_t indent;      // number of chains above it
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
	struct functions functions, groups; // groups: the first frames of stacks, for --by
	struct site_groups sites;           // modules, or lines
	bool by_site;                       // whether these are listed
	const struct opt_list *sources;     // the rules of --source-path
	const struct function *listed;      // function of --list or --annotate; NULL: not given
	// callers and callees of the function of --focus, or of those of --peek
	struct hottest_around *arounds;
	size_t arounds_n, matches; // number of the functions that --focus or --peek matches
	// lists by self and by total, or the list of groups
	struct hottest_list lists[HOTTEST_LISTS];
	size_t lists_n;
	bool focus, tree; // whether the option was given; with --tree, lists are not shown
	struct ids heavy; // the frames of all paths, in the order of the tree
	// each followed by the paths that it calls; if paths were cut, those that fit come first
	struct hottest_path *paths;
	size_t paths_n, paths_shown;
	uint64_t lighter; // largest total of a frame that is on no shown path
};

/** Rank the functions and paths of an arranged view, and cut the lists so that the report has at
 * most the lines of --max-lines. `fixed` lines are needed for each list besides its rows. Return
 * 0, or -1 after diag_error(). Call hottest_release() in both cases. */
int hottest_init(struct hottest *hottest, const struct view *view, const struct opt_set *options,
		 size_t fixed, struct diag *diag);
void hottest_release(struct hottest *hottest);

/** Return the id of the name of the function of --list or --annotate. */
uint32_t hottest_listed_name(const struct hottest *hottest);

/** Refuse each of `options` that was given. The names in `options` are separated by blanks. `why`
 * names the report to which these options belong. Return 0, or -1 after diag_error(). */
int hottest_refuse(const struct opt_set *options, const char *names, const char *why,
		   struct diag *diag);

/** Refuse options that do not apply to the report: options for one profile if there are two, or
 * options for two profiles if there is one. */
int hottest_check(const struct opt_set *options, bool two, struct diag *diag);

enum { HOTTEST_CELLS = 4, HOTTEST_NAME = 200 }; // most characters of a name

/** The headings of the columns, and the heading of the list of paths. */
extern const char *const hottest_columns[HOTTEST_CELLS];
extern const char *const hottest_paths_heading;

/** Return the number of cells in the rows of a list. */
static inline size_t hottest_cells(const struct hottest_list *list) {
	return list->has_self ? HOTTEST_CELLS : HOTTEST_CELLS / 2;
}

/** Add a count to one cell, and its percentage of all counts to another. */
void hottest_add_count(struct buf *cells, const struct hottest *hottest, uint64_t count);

/** Add the first `n` cells of a function, or the two cells of a path. */
void hottest_add_cells(struct buf *cells, const struct hottest *hottest,
		       const struct function *function, size_t n);
void hottest_add_path_cells(struct buf *cells, const struct hottest *hottest,
			    const struct hottest_path *path);

/** Add the total of the profile in a sentence. */
void hottest_add_totals(struct buf *out, const struct hottest *hottest);

/** If there are remarks on the quality of the data, add a line with these remarks, cut to a width.
 */
void hottest_add_remarks(struct buf *out, const struct hottest *hottest, size_t width);

/** Add the counts of a function. */
void hottest_add_function_shares(struct buf *out, const struct hottest *hottest,
				 const struct function *function);

/** Add the counts of a function with its callers and callees. */
void hottest_add_shares(struct buf *out, const struct hottest *hottest,
			const struct hottest_around *around);

/** Add the short name of a function for --focus: f1 for the function with the highest self count.
 */
void hottest_add_handle(struct buf *out, const struct function *function);

/** Add the name of an item of a list, cut to a width. The number of a source line is never cut. */
void hottest_add_item(struct buf *out, const struct hottest *hottest, const struct function *item,
		      size_t width);

/** Add text from outside, without control characters, cut in its middle to a width. */
void hottest_add_cut(struct buf *out, struct str text, size_t width);

/** Add the name of a function, cut in its middle to a width. */
void hottest_add_name(struct buf *out, struct str name, size_t width);

/** Add the names of a path, indented, in at most `width` columns. If frames do not fit, add their
 * number instead of their names. */
void hottest_add_path(struct buf *out, const struct hottest *hottest,
		      const struct hottest_path *path, size_t width);

/** Return whether the report has the heaviest paths. */
static inline bool hottest_has_paths(const struct hottest *hottest) {
	return hottest->arounds_n == 0 && hottest->groups.n == 0 && !hottest->by_site &&
	       !profile_has_table(hottest->view->profile);
}

/** If a list or the paths leave something out, add a sentence on how much is left out. */
void hottest_add_rest(struct buf *out, const struct hottest *hottest,
		      const struct hottest_list *list);
void hottest_add_lighter(struct buf *out, const struct hottest *hottest);

/** Add the functions with callers and callees, or the shown lists and the paths, and suggestions
 * for the next command. */
void hottest_add_body(struct buf *out, const struct hottest *hottest,
		      void (*add_around)(struct buf *out, const struct hottest *hottest,
					 const struct hottest_around *around),
		      void (*add_list)(struct buf *out, const struct hottest *hottest,
				       const struct hottest_list *list),
		      void (*add_paths)(struct buf *out, const struct hottest *hottest));

/** Write a report on two profiles, or on one. Return 0, or -1 after diag_error(). */
int hottest_write(struct output *out, const struct view *view, const struct opt_set *options,
		  struct diag *diag,
		  void (*add_two)(struct buf *text, const struct view *view,
				  const struct opt_set *options),
		  int (*add_one)(struct buf *text, const struct view *view,
				 const struct opt_set *options, struct diag *diag));

#endif
