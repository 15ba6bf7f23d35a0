/* text: a report on functions as text. The report on one profile has the hottest functions. The
 * report on two profiles has the functions that changed most. */
#include "base/utf8.h"
#include "export/exporter.h"
#include "export/annotation.h"
#include "export/hottest.h"
#include "export/listing.h"

/** Add a line of a table, with numbers aligned to the right. */
static void report_add_row(struct buf *out, const struct changes *changes,
			   const struct changed *item, const size_t *widths) {
	struct buf cells[CHANGES_CELLS] = {{0}};
	changes_add_cells(cells, changes, item);
	for (size_t i = 0; i < CHANGES_CELLS; i++) {
		buf_printf(out, "  %*s", (int)widths[i], buf_text(&cells[i]));
		buf_release(&cells[i]);
	}
	buf_add_text(out, "  ");
	changes_add_name(out, item->function);
	buf_add_char(out, '\n');
}

static void report_measure(const struct changes *changes, const struct change_list *list,
			   size_t *widths) {
	for (size_t i = 0; i < CHANGES_CELLS; i++) {
		widths[i] = strlen(changes_columns[i]);
	}
	for (size_t at = 0; at < list->shown; at++) {
		struct buf cells[CHANGES_CELLS] = {{0}};
		changes_add_cells(cells, changes, &list->items[at]);
		for (size_t i = 0; i < CHANGES_CELLS; i++) {
			widths[i] = cells[i].n > widths[i] ? cells[i].n : widths[i];
			buf_release(&cells[i]);
		}
	}
}

static void report_add_list(struct buf *out, const struct changes *changes,
			    const struct change_list *list, const char *heading) {
	size_t widths[CHANGES_CELLS];
	buf_printf(out, "\n%s%s\n", heading, list->shown == 0 ? ": no change" : "");
	if (list->shown == 0) {
		return;
	}
	report_measure(changes, list, widths);
	for (size_t i = 0; i < CHANGES_CELLS; i++) {
		buf_printf(out, "  %*s", (int)widths[i], changes_columns[i]);
	}
	buf_add_text(out, "  function\n");
	for (size_t i = 0; i < list->shown; i++) {
		report_add_row(out, changes, &list->items[i], widths);
	}
	struct buf rest = {0};
	changes_add_rest(&rest, changes, list);
	if (rest.n > 0) {
		buf_printf(out, "  (%s)\n", buf_text(&rest));
	}
	buf_release(&rest);
}

/* --- One profile ---------------------------------------------------------------------------- */

enum {
	REPORT_WIDTH = 80,
	REPORT_COUNT = 9,
	REPORT_SHARE = 8,
	REPORT_HANDLE = 4
}; // widths in columns

/** Return the width of a column of counts. The sum of all counts fits into this width. */
static size_t report_columns(const struct hottest *hottest) {
	struct buf cells[HOTTEST_CELLS / 2] = {{0}};
	hottest_add_count(cells, hottest, hottest->view->sum);
	size_t columns = utf8_count(buf_str(&cells[0])) + 2;
	buf_release(&cells[0]);
	buf_release(&cells[1]);
	return columns < REPORT_COUNT ? REPORT_COUNT : columns;
}

/** Start a row with its cells, which are aligned to the right. Release the cells. Return the
 * remaining width of the row. */
static size_t report_add_cells(struct buf *out, const struct hottest *hottest, struct buf *cells,
			       size_t n) {
	size_t used = 2, count = report_columns(hottest);
	for (size_t i = 0; i < n; i++) {
		size_t width = i % 2 == 0 ? count : REPORT_SHARE;
		size_t columns = utf8_count(buf_str(&cells[i]));
		size_t blanks = columns < width ? width - columns : 1;
		buf_printf(out, "%*s%s", (int)blanks, "", buf_text(&cells[i]));
		used += blanks + columns;
		buf_release(&cells[i]);
	}
	buf_add_text(out, "  ");
	return REPORT_WIDTH - used;
}

/** Add the line with the headings of `n` columns. */
static void report_add_heading(struct buf *out, const struct hottest *hottest, size_t n,
			       const char *heading) {
	struct buf cells[HOTTEST_CELLS] = {{0}};
	for (size_t i = 0; i < n; i++) {
		buf_add_text(&cells[i], hottest_columns[i]);
	}
	buf_add_char(out, '\n');
	report_add_cells(out, hottest, cells, n);
	buf_printf(out, "%s\n", heading);
}

/** Add the text `rest`, unless it is empty, as a line in brackets after `n` empty cells. Release
 * the text. */
static void report_add_rest(struct buf *out, const struct hottest *hottest, struct buf *rest,
			    size_t n) {
	if (rest->n > 0) {
		struct buf cells[HOTTEST_CELLS] = {{0}};
		report_add_cells(out, hottest, cells, n);
		buf_printf(out, "(%s)\n", buf_text(rest));
	}
	buf_release(rest);
}

static void report_add_hottest(struct buf *out, const struct hottest *hottest,
			       const struct hottest_list *list) {
	struct buf rest = {0};
	report_add_heading(out, hottest, hottest_cells(list), list->heading);
	for (size_t i = 0; i < list->shown; i++) {
		struct buf cells[HOTTEST_CELLS] = {{0}};
		hottest_add_cells(cells, hottest, list->items[i], hottest_cells(list));
		size_t width = report_add_cells(out, hottest, cells, hottest_cells(list));
		size_t start = out->n;
		hottest_add_handle(out, list->items[i]);
		do {
			buf_add_char(out, ' ');
		} while (out->n < start + REPORT_HANDLE);
		hottest_add_item(out, hottest, list->items[i], width - (out->n - start));
		buf_add_char(out, '\n');
	}
	hottest_add_rest(&rest, hottest, list);
	report_add_rest(out, hottest, &rest, hottest_cells(list));
}

static void report_add_paths(struct buf *out, const struct hottest *hottest) {
	enum { CELLS = HOTTEST_CELLS / 2 };
	struct buf rest = {0};
	report_add_heading(out, hottest, CELLS, hottest_paths_heading);
	for (size_t i = 0; i < hottest->paths_shown; i++) {
		struct buf cells[CELLS] = {{0}};
		hottest_add_path_cells(cells, hottest, &hottest->paths[i]);
		size_t width = report_add_cells(out, hottest, cells, CELLS);
		hottest_add_path(out, hottest, &hottest->paths[i], width);
		buf_add_char(out, '\n');
	}
	hottest_add_lighter(&rest, hottest);
	report_add_rest(out, hottest, &rest, CELLS);
}

static void report_add_around(struct buf *out, const struct hottest *hottest,
			      const struct hottest_around *around) {
	hottest_add_handle(out, around->function);
	buf_add_char(out, ' ');
	hottest_add_name(out, around->function->name, REPORT_WIDTH - 22);
	buf_add_char(out, '\n');
	hottest_add_shares(out, hottest, around);
	buf_add_char(out, '\n');
}

static void report_add_line(struct buf *out, const struct hottest *hottest,
			    const struct listing_line *line) {
	enum { SHARE = 8, NUMBER = 7 };
	struct buf shares[2] = {{0}};
	if (line->counted) {
		changes_add_percent(&shares[0], line->total, hottest->view->sum);
		changes_add_percent(&shares[1], line->self, hottest->view->sum);
	}
	buf_add_text(out, line->after_gap ? "                        ...\n" : "");
	buf_printf(out, "%*s %*s %*u  ", SHARE, buf_text(&shares[0]), SHARE, buf_text(&shares[1]),
		   NUMBER, line->number);
	listing_add_source(out, line->text, REPORT_WIDTH - 2 * (SHARE + 1) - NUMBER - 2);
	while (out->p[out->n - 1] == ' ') {
		out->n--;
	}
	buf_add_char(out, '\n');
	buf_release(&shares[0]);
	buf_release(&shares[1]);
}

/** Add the source of a function with its counts. */
static int report_add_listing(struct buf *out, const struct hottest *hottest,
			      const struct opt_set *options, struct diag *diag) {
	struct source_list listing;
	int result = listing_init(&listing, hottest, options, true, diag);
	for (size_t i = 0; i < listing.n && result == 0; i++) {
		const struct listing_file *file = &listing.files[i];
		struct buf remark = {0};
		buf_add_text(out, "\n   total     self    line  ");
		hottest_add_cut(out, file->path, REPORT_WIDTH - 27);
		buf_add_char(out, '\n');
		for (size_t at = 0; at < file->n; at++) {
			report_add_line(out, hottest, &file->lines[at]);
		}
		listing_add_remark(&remark, &listing, file);
		if (remark.n > 0) {
			buf_printf(out, "(%s)\n", buf_text(&remark));
		}
		buf_release(&remark);
	}
	listing_release(&listing);
	return result;
}

static void report_add_instruction(struct buf *out, const struct hottest *hottest,
				   const struct instruction *instruction) {
	enum { SHARE = 8, TEXT = 40 };
	struct buf share = {0}, text = {0};
	if (instruction->self > 0) {
		changes_add_percent(&share, instruction->self, hottest->view->sum);
	}
	buf_printf(out, "%*s %10llx  ", SHARE, buf_text(&share),
		   (unsigned long long)instruction->shown);
	hottest_add_cut(&text, instruction->text, TEXT);
	buf_printf(out, "%-*s ", TEXT, buf_text(&text));
	buf_clear(&text);
	annotation_add_line(&text, instruction);
	hottest_add_cut(out, buf_str(&text), REPORT_WIDTH - SHARE - TEXT - 14);
	while (out->p[out->n - 1] == ' ') {
		out->n--;
	}
	buf_add_char(out, '\n');
	buf_release(&share);
	buf_release(&text);
}

/** Add the instructions of a function. Return 0, or -1 after diag_error(). */
static int report_add_annotation(struct buf *out, const struct hottest *hottest,
				 const struct opt_set *options, struct diag *diag) {
	struct annotation annotation;
	struct buf remark = {0};
	int result = annotation_init(&annotation, hottest, options, true, diag);
	buf_add_text(out, "\n    self    address  instruction                              line\n");
	for (size_t i = 0; i < annotation.code.n && result == 0; i++) {
		if (annotation.shown[i]) {
			report_add_instruction(out, hottest, &annotation.code.items[i]);
		} else if (i > 0 && annotation.shown[i - 1]) {
			buf_add_text(out, "                     ...\n");
		}
	}
	if (result == 0) {
		annotation_add_remark(&remark, &annotation);
	}
	if (remark.n > 0) {
		buf_printf(out, "(%s)\n", buf_text(&remark));
	}
	buf_release(&remark);
	annotation_release(&annotation);
	return result;
}

/** Add the function of --list or --annotate, and its lines or instructions. */
static int report_add_listed(struct buf *out, const struct hottest *hottest,
			     const struct opt_set *options, struct diag *diag) {
	hottest_add_handle(out, hottest->listed);
	buf_add_char(out, ' ');
	hottest_add_name(out, hottest->listed->name, REPORT_WIDTH - 45);
	buf_add_text(out, ": ");
	hottest_add_function_shares(out, hottest, hottest->listed);
	buf_add_char(out, '\n');
	bool list = listing_is_wanted(options);
	int result = list ? report_add_listing(out, hottest, options, diag)
			  : report_add_annotation(out, hottest, options, diag);
	buf_printf(out,
		   list ? "\nNext: inferno report --annotate f%zu FILE, its instructions\n"
			: "\nNext: inferno report --list f%zu FILE, its source\n",
		   hottest->listed->rank);
	return result;
}

static void report_add_remarks(struct buf *out, const struct hottest *hottest) {
	hottest_add_remarks(out, hottest, REPORT_WIDTH);
}

static const struct hottest_form report_form = {
	.heading = "",
	.fixed = 3, // a blank line, the heading, the line on left-out items
	.add_remarks = report_add_remarks,
	.add_around = report_add_around,
	.add_list = report_add_hottest,
	.add_paths = report_add_paths,
	.add_listed = report_add_listed,
	.add_changed = changes_add_name,
	.add_changes = report_add_list,
};

static int report_write(void *state, struct output *out, const struct view *view,
			const struct opt_set *options, struct diag *diag) {
	(void)state;
	return hottest_write(out, view, options, diag, &report_form);
}

const struct exporter exporter_text = {
	.name = "text",
	.suffixes = ".txt",
	.brief = "a report as text: the hottest functions; for two profiles, the functions that "
		 "changed most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_LIST,
	.options = report_rows,
	.write = report_write,
};
