/* markdown: a report on functions as Markdown. The report on one profile has the hottest functions.
 * The report on two profiles has the functions that changed most. */
#include <stdio.h>

#include "export/exporter.h"
#include "export/annotation.h"
#include "export/hottest.h"
#include "export/listing.h"

/**
 * Add a name as Markdown code, in which other markup has no effect. Two grave accents would end the
 * code: replace the first of them by another character. In a cell of a table, escape each bar with
 * a backslash. If a backslash comes before a bar, replace it by a slash: some readers would take
 * the two backslashes for an escaped backslash.
 */
static void markdown_add_code(struct buf *out, struct str name, bool in_cell) {
	buf_add_text(out, "`` ");
	for (size_t i = 0; i < name.n; i++) {
		char next = i + 1 < name.n ? name.p[i + 1] : '\0';
		if (in_cell && name.p[i] == '|') {
			buf_add_char(out, '\\');
		}
		bool ends = name.p[i] == '`' && next == '`';
		bool undoes = in_cell && name.p[i] == '\\' && next == '|';
		buf_add_char(out, ends ? '\'' : undoes ? '/' : name.p[i]);
	}
	buf_add_text(out, " ``");
}

/** Add the name of a function that changed. */
static void markdown_add_changed(struct buf *out, const struct function *function, bool in_cell) {
	struct buf name = {0};
	changes_add_name(&name, function);
	markdown_add_code(out, buf_str(&name), in_cell);
	buf_release(&name);
}

static void markdown_add_name(struct buf *out, const struct function *function) {
	markdown_add_changed(out, function, false);
}

static void markdown_add_row(struct buf *out, const struct changes *changes,
			     const struct changed *item) {
	struct buf cells[CHANGES_CELLS] = {{0}};
	changes_add_cells(cells, changes, item);
	buf_add_text(out, "| ");
	markdown_add_changed(out, item->function, true);
	for (size_t c = 0; c < CHANGES_CELLS; c++) {
		buf_add_text(out, " | ");
		buf_add_str(out, buf_str(&cells[c]));
		buf_release(&cells[c]);
	}
	buf_add_text(out, " |\n");
}

/** Add the text `rest`, unless it is empty, as a paragraph. Release the text. */
static void markdown_add_rest(struct buf *out, struct buf *rest) {
	if (rest->n > 0) {
		buf_printf(out, "\n%s\n", buf_text(rest));
	}
	buf_release(rest);
}

static void markdown_add_list(struct buf *out, const struct changes *changes,
			      const struct change_list *list, const char *heading) {
	buf_printf(out, "\n**%s**%s\n", heading, list->shown == 0 ? ": no change" : "");
	if (list->shown == 0) {
		return;
	}
	buf_add_text(out, "\n| function");
	for (size_t i = 0; i < CHANGES_CELLS; i++) {
		buf_printf(out, " | %s", changes_columns[i]);
	}
	buf_add_text(out, " |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < list->shown; i++) {
		markdown_add_row(out, changes, &list->items[i]);
	}
	struct buf rest = {0};
	changes_add_rest(&rest, changes, list);
	markdown_add_rest(out, &rest);
}

/* --- One profile ---------------------------------------------------------------------------- */

/** Add the header of a table with `n` columns of counts and a column of names. `rule` is the part
 * of the table's rule below a second column of names, if there is one. */
static void markdown_add_heading(struct buf *out, const char *heading, const char *names,
				 const char *rule, size_t n) {
	buf_printf(out, "\n**%s**\n\n| %s", heading, names);
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, " | %s", hottest_columns[i]);
	}
	buf_printf(out, " |\n| ---%s", rule);
	for (size_t i = 0; i < n; i++) {
		buf_add_text(out, " | ---:");
	}
	buf_add_text(out, " |\n");
}

/** Add a row of names and cells, and release the cells. */
static void markdown_add_cells(struct buf *out, struct buf *names, struct buf *cells, size_t n) {
	buf_add_text(out, "| ");
	markdown_add_code(out, buf_str(names), true);
	buf_release(names);
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, " | %s", buf_text(&cells[i]));
		buf_release(&cells[i]);
	}
	buf_add_text(out, " |\n");
}

static void markdown_add_hottest(struct buf *out, const struct hottest *hottest,
				 const struct hottest_list *list) {
	struct buf rest = {0};
	size_t n = hottest_cells(list);
	char names[32];
	snprintf(names, sizeof(names), "id | %s", list->noun == NULL ? "function" : list->noun);
	markdown_add_heading(out, list->heading, names, " | ---", n);
	for (size_t i = 0; i < list->shown; i++) {
		struct buf name = {0}, cells[HOTTEST_CELLS] = {{0}};
		hottest_add_item(&name, hottest, list->items[i], HOTTEST_NAME);
		hottest_add_cells(cells, hottest, list->items[i], n);
		buf_add_text(out, "| ");
		hottest_add_handle(out, list->items[i]);
		buf_add_char(out, ' ');
		markdown_add_cells(out, &name, cells, n);
	}
	hottest_add_rest(&rest, hottest, list);
	markdown_add_rest(out, &rest);
}

static void markdown_add_paths(struct buf *out, const struct hottest *hottest) {
	enum { CELLS = HOTTEST_CELLS / 2 };
	struct buf rest = {0};
	markdown_add_heading(out, hottest_paths_heading, "path", "", CELLS);
	for (size_t i = 0; i < hottest->paths_shown; i++) {
		struct buf names = {0}, cells[CELLS] = {{0}};
		hottest_add_path(&names, hottest, &hottest->paths[i], HOTTEST_NAME);
		hottest_add_path_cells(cells, hottest, &hottest->paths[i]);
		markdown_add_cells(out, &names, cells, CELLS);
	}
	hottest_add_lighter(&rest, hottest);
	markdown_add_rest(out, &rest);
}

/** Start a line about a function with its handle and its name. */
static void markdown_add_function(struct buf *out, const struct function *function) {
	struct buf name = {0};
	hottest_add_name(&name, function->name, HOTTEST_NAME);
	buf_add_char(out, '\n');
	hottest_add_handle(out, function);
	buf_add_char(out, ' ');
	markdown_add_code(out, buf_str(&name), false);
	buf_add_text(out, ": ");
	buf_release(&name);
}

/** Add the line about a function with callers and callees. */
static void markdown_add_around(struct buf *out, const struct hottest *hottest,
				const struct hottest_around *around) {
	markdown_add_function(out, around->function);
	hottest_add_shares(out, hottest, around);
	buf_add_char(out, '\n');
}

/** Add a row with a line of source. */
static void markdown_add_line(struct buf *out, const struct hottest *hottest,
			      const struct listing_line *line) {
	struct buf text = {0};
	if (line->after_gap) {
		buf_add_text(out, "| | | | |\n");
	}
	buf_add_text(out, "| ");
	if (line->counted) {
		changes_add_percent(out, line->total, hottest->view->sum);
		buf_add_text(out, " | ");
		changes_add_percent(out, line->self, hottest->view->sum);
	} else {
		buf_add_text(out, " | ");
	}
	buf_printf(out, " | %u | ", line->number);
	listing_add_source(&text, line->text, HOTTEST_NAME);
	if (text.n > 0) {
		markdown_add_code(out, buf_str(&text), true);
	}
	buf_add_text(out, " |\n");
	buf_release(&text);
}

/** Add the instructions of a function. Return 0, or -1 after diag_error(). */
static int markdown_add_annotation(struct buf *out, const struct hottest *hottest,
				   const struct opt_set *options, struct diag *diag) {
	struct annotation annotation;
	struct buf text = {0};
	int result = annotation_init(&annotation, hottest, options, true, diag);
	buf_add_text(out,
		     "\n| self | address | instruction | line |\n| ---: | ---: | --- | --- |\n");
	for (size_t i = 0; i < annotation.code.n && result == 0; i++) {
		const struct instruction *instruction = &annotation.code.items[i];
		if (!annotation.shown[i]) {
			continue;
		}
		buf_add_text(out, "| ");
		if (instruction->self > 0) {
			changes_add_percent(out, instruction->self, hottest->view->sum);
		}
		buf_printf(out, " | %llx | ", (unsigned long long)instruction->shown);
		buf_clear(&text);
		hottest_add_cut(&text, instruction->text, HOTTEST_NAME);
		markdown_add_code(out, buf_str(&text), true);
		buf_add_text(out, " | ");
		buf_clear(&text);
		annotation_add_line(&text, instruction);
		if (text.n > 0) {
			struct buf shown = {0};
			hottest_add_cut(&shown, buf_str(&text), HOTTEST_NAME);
			markdown_add_code(out, buf_str(&shown), true);
			buf_release(&shown);
		}
		buf_add_text(out, " |\n");
	}
	buf_clear(&text);
	if (result == 0) {
		annotation_add_remark(&text, &annotation);
	}
	markdown_add_rest(out, &text);
	annotation_release(&annotation);
	return result;
}

/** Add the source of a function with its counts. Return 0, or -1 after diag_error(). */
static int markdown_add_listing(struct buf *out, const struct hottest *hottest,
				const struct opt_set *options, struct diag *diag) {
	struct source_list listing;
	struct buf name = {0};
	int result = listing_init(&listing, hottest, options, true, diag);
	for (size_t i = 0; i < listing.n && result == 0; i++) {
		const struct listing_file *file = &listing.files[i];
		struct buf remark = {0};
		buf_clear(&name);
		hottest_add_cut(&name, file->path, HOTTEST_NAME);
		buf_add_text(out, "\n| total | self | line | ");
		markdown_add_code(out, buf_str(&name), true);
		buf_add_text(out, " |\n| ---: | ---: | ---: | --- |\n");
		for (size_t at = 0; at < file->n; at++) {
			markdown_add_line(out, hottest, &file->lines[at]);
		}
		listing_add_remark(&remark, &listing, file);
		markdown_add_rest(out, &remark);
	}
	buf_release(&name);
	listing_release(&listing);
	return result;
}

static int markdown_add_listed(struct buf *out, const struct hottest *hottest,
			       const struct opt_set *options, struct diag *diag) {
	markdown_add_function(out, hottest->listed);
	hottest_add_function_shares(out, hottest, hottest->listed);
	buf_add_char(out, '\n');
	return listing_is_wanted(options) ? markdown_add_listing(out, hottest, options, diag)
					  : markdown_add_annotation(out, hottest, options, diag);
}

static void markdown_add_remarks(struct buf *out, const struct hottest *hottest) {
	struct buf remarks = {0};
	hottest_add_remarks(&remarks, hottest, HOTTEST_NAME);
	if (remarks.n > 0) {
		buf_add_char(out, '\n');
		markdown_add_code(out, str_to(buf_str(&remarks), remarks.n - 1), false);
		buf_add_char(out, '\n');
	}
	buf_release(&remarks);
}

static const struct hottest_form markdown_form = {
	.heading = "### ",
	.fixed = 7, // four blank lines, a heading, two lines of a header, the line on left-out
		    // items
	.add_remarks = markdown_add_remarks,
	.add_around = markdown_add_around,
	.add_list = markdown_add_hottest,
	.add_paths = markdown_add_paths,
	.add_listed = markdown_add_listed,
	.add_changed = markdown_add_name,
	.add_changes = markdown_add_list,
};

static int markdown_write(void *state, struct output *out, const struct view *view,
			  const struct opt_set *options, struct diag *diag) {
	(void)state;
	return hottest_write(out, view, options, diag, &markdown_form);
}

const struct exporter exporter_markdown = {
	.name = "markdown",
	.suffixes = ".md",
	.brief = "a report as Markdown: the hottest functions; for two profiles, the functions "
		 "that changed most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_LIST,
	.options = report_rows,
	.write = markdown_write,
};
