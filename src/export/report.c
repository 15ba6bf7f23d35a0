/* report: the functions that changed most, as text. */
#include "export/changes.h"
#include "export/exporter.h"

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
}

static int report_write(void *state, struct output *out, const struct view *view,
			const struct opt_set *options, struct diag *diag) {
	(void)state, (void)diag;
	struct changes changes;
	struct buf text = {0};
	changes_init(&changes, view, options);
	changes_add_headline(&text, &changes, changes_add_name);
	buf_add_char(&text, '\n');
	changes_add_totals(&text, &changes);
	buf_add_char(&text, '\n');
	report_add_list(&text, &changes, &changes.self, changes_headings[0]);
	report_add_list(&text, &changes, &changes.total, changes_headings[1]);
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	changes_release(&changes);
	return 0;
}

const struct exporter exporter_report = {
	.name = "report",
	.suffixes = "",
	.brief = "a report on the functions that changed most, as text",
	.needs = EXPORT_TWO | EXPORT_TREE,
	.options = report_rows,
	.write = report_write,
};
