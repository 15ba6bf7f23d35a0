/** Find the functions that changed most between two profiles, and make texts about them for reports
 * as text, Markdown and JSON. */
#pragma once

#include "analysis/functions.h"
#include "analysis/view.h"

struct report_options {
	uint64_t top; // usual number of functions in a list
};

extern const struct opt report_rows[];

/** A function in a list, and the change by which it is ranked. */
struct changed {
	const struct function *function;
	struct change change;
	double amount, deviations;
	bool significant;
};

/** Functions, sorted by their changes: significant changes come before noise, and then large
 * changes before small changes. */
struct change_list {
	struct changed *items;
	size_t n;     // number of all functions
	size_t shown; // number of functions to show, from the start of the list
};

struct changes {
	struct functions functions;
	const struct scale *scale;
	struct str unit; // unit of the counts; empty: not known
	struct change_list self, total;
};

/** Rank the functions of a view of two profiles. `options` are the options of the report, with or
 * without report_rows. */
void changes_init(struct changes *changes, const struct view *view, const struct opt_set *options);
void changes_release(struct changes *changes);

/** Return a count as a percentage of all counts. */
static inline double changes_percent(uint64_t count, uint64_t total) {
	return total == 0 ? 0 : 100 * (double)count / (double)total;
}

/** Add a count as a percentage of all counts, such as "12.34%". */
void changes_add_percent(struct buf *out, uint64_t count, uint64_t total);

/** Add a blank and the words that follow a count in the unit `name`, such as `of CPU`. If there are
 * none, or if they could be read as markup, add nothing. */
void changes_add_subject(struct buf *out, struct str name);

enum { CHANGES_CELLS = 7 };

/** The headings of the lists `self` and `total` (changes_headings), and of the columns
 * (changes_columns). */
extern const char *const changes_headings[2];
extern const char *const changes_columns[CHANGES_CELLS];

/** Add the cells of a function's row to CHANGES_CELLS texts. */
void changes_add_cells(struct buf *cells, const struct changes *changes,
		       const struct changed *item);

/** Add the name of a function, as reports show it. */
void changes_add_name(struct buf *out, const struct function *function);

/** Add a phrase about the largest change of a self count. If this change may be noise, say that no
 * function changed. Call `add_name` to add the name of the function. */
void changes_add_headline(struct buf *out, const struct changes *changes,
			  void (*add_name)(struct buf *out, const struct function *function));

/** If a list leaves out changes, add their number and the largest of them. Otherwise add
 * nothing. */
void changes_add_rest(struct buf *out, const struct changes *changes,
		      const struct change_list *list);

/** Add a suggestion for the next command. */
void changes_add_next(struct buf *out);

/** Add the totals of both profiles, and how the earlier counts were scaled. */
void changes_add_totals(struct buf *out, const struct changes *changes);
