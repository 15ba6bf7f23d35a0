/* csv: a report on functions as comma-separated values: all, or of two profiles those that changed
 * most. */
#include <stdlib.h>

#include "export/changes.h"
#include "export/exporter.h"
#include "export/hottest.h"

/** Add a name in quotes, cut and without control characters. A spreadsheet takes what begins with
 * one of some characters for a formula, so an apostrophe comes before these. */
static void csv_add_name(struct buf *out, struct str name) {
	struct buf shown = {0};
	hottest_add_name(&shown, name, HOTTEST_NAME);
	bool is_formula = shown.n > 0 && shown.p[0] != '\0' && strchr("=+-@", shown.p[0]) != NULL;
	buf_add_text(out, is_formula ? "\"'" : "\"");
	for (size_t i = 0; i < shown.n; i++) {
		buf_add_text(out, shown.p[i] == '"' ? "\"" : "");
		buf_add_char(out, shown.p[i]);
	}
	buf_add_char(out, '"');
	buf_release(&shown);
}

static void csv_add_number(struct buf *out, double value) {
	buf_add_char(out, ',');
	buf_add_fixed(out, value, 3);
}

static void csv_add_change(struct buf *out, const struct changes *changes,
			   const struct changed *item, const char *name) {
	const struct change *totals = &changes->scale->totals;
	buf_printf(out, "%s,", name);
	csv_add_name(out, item->function->name);
	buf_printf(out, ",%llu,%llu", (unsigned long long)item->change.before,
		   (unsigned long long)item->change.after);
	csv_add_number(out, changes_percent(item->change.before, totals->before));
	csv_add_number(out, changes_percent(item->change.after, totals->after));
	csv_add_number(out, item->amount);
	csv_add_number(out, item->deviations);
	buf_add_text(out, item->significant ? ",true\n" : ",false\n");
}

static void csv_add_two(struct buf *out, const struct view *view, const struct opt_set *options) {
	struct changes changes;
	changes_init(&changes, view, options);
	buf_add_text(out, "count,function,before,after,percent_before,percent_after,change,sigma,"
			  "significant\n");
	for (size_t i = 0; i < changes.self.shown; i++) {
		csv_add_change(out, &changes, &changes.self.items[i], "self");
	}
	for (size_t i = 0; i < changes.total.shown; i++) {
		csv_add_change(out, &changes, &changes.total.items[i], "total");
	}
	changes_release(&changes);
}

static void csv_add_one(struct buf *out, const struct view *view) {
	struct functions functions;
	functions_collect(&functions, view);
	const struct function **order = functions_rank(&functions);
	buf_add_text(out, "handle,function,self,total,percent_self,percent_total\n");
	for (size_t i = 0; i < functions.n; i++) {
		hottest_add_handle(out, order[i]);
		buf_add_char(out, ',');
		csv_add_name(out, order[i]->name);
		buf_printf(out, ",%llu,%llu", (unsigned long long)order[i]->self.after,
			   (unsigned long long)order[i]->total.after);
		csv_add_number(out, changes_percent(order[i]->self.after, view->sum));
		csv_add_number(out, changes_percent(order[i]->total.after, view->sum));
		buf_add_char(out, '\n');
	}
	free(order);
	functions_release(&functions);
}

static int csv_write(void *state, struct output *out, const struct view *view,
		     const struct opt_set *options, struct diag *diag) {
	(void)state;
	bool two = view->compared != NULL;
	struct buf text = {0};
	if (hottest_check(options, two, diag) != 0 ||
	    hottest_refuse(options, "tree", "text and Markdown", diag) != 0 ||
	    hottest_refuse(options, "focus peek by", "text, Markdown and JSON", diag) != 0) {
		return -1;
	}
	if (two) {
		csv_add_two(&text, view, options);
	} else {
		csv_add_one(&text, view);
	}
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	return 0;
}

const struct exporter exporter_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.brief = "a report as CSV: all functions, or of two profiles those that changed most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_LIST,
	.options = report_rows,
	.write = csv_write,
};
