/* markdown: the functions that changed most, as Markdown. */
#include "export/changes.h"
#include "export/exporter.h"

/**
 * Add a name as Markdown code, in which other markup has no effect. Two grave accents would end it,
 * so the first becomes another character. In a cell, a bar is escaped; a backslash before the bar
 * becomes a slash, because for some readers it would undo the escape.
 */
static void markdown_add_code(struct buf *out, const struct function *function, bool in_cell) {
	struct buf name = {0};
	changes_add_name(&name, function);
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
	buf_release(&name);
}

static void markdown_add_name(struct buf *out, const struct function *function) {
	markdown_add_code(out, function, false);
}

static void markdown_add_row(struct buf *out, const struct changes *changes,
			     const struct changed *item) {
	struct buf cells[CHANGES_CELLS] = {{0}};
	changes_add_cells(cells, changes, item);
	buf_add_text(out, "| ");
	markdown_add_code(out, item->function, true);
	for (size_t c = 0; c < CHANGES_CELLS; c++) {
		buf_add_text(out, " | ");
		buf_add_str(out, buf_str(&cells[c]));
		buf_release(&cells[c]);
	}
	buf_add_text(out, " |\n");
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
}

static int markdown_write(void *state, struct output *out, const struct view *view,
			  const struct opt_set *options, struct diag *diag) {
	(void)state, (void)diag;
	struct changes changes;
	struct buf text = {0};
	changes_init(&changes, view, options);
	buf_add_text(&text, "### ");
	changes_add_headline(&text, &changes, markdown_add_name);
	buf_add_text(&text, "\n\n");
	changes_add_totals(&text, &changes);
	buf_add_char(&text, '\n');
	markdown_add_list(&text, &changes, &changes.self, changes_headings[0]);
	markdown_add_list(&text, &changes, &changes.total, changes_headings[1]);
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	changes_release(&changes);
	return 0;
}

const struct exporter exporter_markdown = {
	.name = "markdown",
	.suffixes = ".md",
	.brief = "a report on the functions that changed most, as Markdown",
	.needs = EXPORT_TWO | EXPORT_TREE,
	.options = report_rows,
	.write = markdown_write,
};
