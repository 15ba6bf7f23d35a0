/* csv: a report on functions as comma-separated values. The report on one profile has all
 * functions. The report on two profiles has the functions that changed most. */
#include <stdlib.h>

#include "export/changes.h"
#include "export/exporter.h"
#include "export/annotation.h"
#include "export/hottest.h"
#include "export/listing.h"

/** Add text in quotes. Cut long text, and remove control characters. A spreadsheet takes a text
 * that begins with a character such as `=` for a formula: put an apostrophe before such a text. */
static void csv_add_text(struct buf *out, struct str text) {
	struct buf shown = {0};
	hottest_add_cut(&shown, text, HOTTEST_NAME);
	bool is_formula = shown.n > 0 && shown.p[0] != '\0' && strchr("=+-@", shown.p[0]) != NULL;
	buf_add_text(out, is_formula ? "\"'" : "\"");
	for (size_t i = 0; i < shown.n; i++) {
		buf_add_text(out, shown.p[i] == '"' ? "\"" : "");
		buf_add_char(out, shown.p[i]);
	}
	buf_add_char(out, '"');
	buf_release(&shown);
}

/** Add a line of source in quotes. */
static void csv_add_source(struct buf *out, struct str text) {
	struct buf shown = {0};
	listing_add_source(&shown, text, HOTTEST_NAME);
	csv_add_text(out, buf_str(&shown));
	buf_release(&shown);
}

static void csv_add_name(struct buf *out, struct str name) {
	struct str label = tree_label(name);
	csv_add_text(out, label.n == 0 ? STR("(no name)") : label);
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

/** Add the counts of a function, a module or a line. */
static void csv_add_counts(struct buf *out, const struct function *row, uint64_t sum) {
	buf_printf(out, ",%llu,%llu", (unsigned long long)row->self.after,
		   (unsigned long long)row->total.after);
	csv_add_number(out, changes_percent(row->self.after, sum));
	csv_add_number(out, changes_percent(row->total.after, sum));
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
		csv_add_counts(out, order[i], view->sum);
		buf_add_char(out, '\n');
	}
	free(order);
	functions_release(&functions);
}

/** Add the source of a function with its counts. Return 0, or -1 after diag_error(). */
static int csv_add_listing(struct buf *out, const struct hottest *hottest,
			   const struct opt_set *options, struct diag *diag) {
	struct source_list listing;
	int result = listing_init(&listing, hottest, options, false, diag);
	buf_add_text(out, "file,line,self,total,percent_self,percent_total,source\n");
	for (size_t i = 0; i < listing.n && result == 0; i++) {
		const struct listing_file *file = &listing.files[i];
		for (size_t at = 0; at < file->n; at++) {
			const struct listing_line *line = &file->lines[at];
			const struct function counts = {.self = {.after = line->self},
							.total = {.after = line->total}};
			csv_add_text(out, file->path);
			buf_printf(out, ",%u", line->number);
			csv_add_counts(out, &counts, hottest->view->sum);
			buf_add_char(out, ',');
			csv_add_source(out, line->text);
			buf_add_char(out, '\n');
		}
	}
	listing_release(&listing);
	return result;
}

/** Add the instructions of a function. Return 0, or -1 after diag_error(). */
static int csv_add_annotation(struct buf *out, const struct hottest *hottest,
			      const struct opt_set *options, struct diag *diag) {
	struct annotation annotation;
	int result = annotation_init(&annotation, hottest, options, false, diag);
	buf_add_text(out, "address,instruction,file,line,self,percent_self\n");
	for (size_t i = 0; i < annotation.code.n && result == 0; i++) {
		const struct instruction *instruction = &annotation.code.items[i];
		buf_printf(out, "%llx,", (unsigned long long)instruction->shown);
		csv_add_source(out, instruction->text);
		buf_add_char(out, ',');
		csv_add_text(out, instruction->file);
		buf_printf(out, instruction->line > 0 ? ",%u" : ",", instruction->line);
		buf_printf(out, ",%llu", (unsigned long long)instruction->self);
		csv_add_number(out, changes_percent(instruction->self, hottest->view->sum));
		buf_add_char(out, '\n');
	}
	annotation_release(&annotation);
	return result;
}

/** Add all modules, or all lines. */
static int csv_add_sites(struct buf *out, const struct view *view, const struct opt_set *options,
			 struct diag *diag) {
	struct hottest hottest;
	bool lines = opt_given(options, "lines");
	int result = hottest_init(&hottest, view, options, 0, diag);
	if (result == 0 && hottest.listed != NULL) {
		result = listing_is_wanted(options)
				 ? csv_add_listing(out, &hottest, options, diag)
				 : csv_add_annotation(out, &hottest, options, diag);
		hottest_release(&hottest);
		return result;
	}
	const struct functions *rows = &hottest.sites.rows;
	const struct sites *sites = view->profile->sites;
	buf_add_text(out, lines ? "file,line,function,module," : "module,");
	buf_add_text(out, "self,total,percent_self,percent_total\n");
	const struct function **order = result == 0 ? functions_by_self(rows) : NULL;
	for (size_t i = 0; result == 0 && i < rows->n; i++) {
		const struct site_sum *sum = &hottest.sites.sums.items[order[i] - rows->items];
		bool known = sum->line > 0;
		if (lines) {
			csv_add_text(out, sites_text_of(sites, sum->file));
			buf_printf(out, known ? ",%u," : ",,", sum->line);
			csv_add_text(out, known ? tree_label(profile_name(view->profile, sum->name))
						: STR(""));
			buf_add_char(out, ',');
		}
		csv_add_text(out, sites_text_of(sites, sites_module_of(sites, sum->module).file));
		csv_add_counts(out, order[i], view->sum);
		buf_add_char(out, '\n');
	}
	free(order);
	hottest_release(&hottest);
	return result;
}

static int csv_write(void *state, struct output *out, const struct view *view,
		     const struct opt_set *options, struct diag *diag) {
	(void)state;
	bool two = view->compared != NULL;
	struct buf text = {0};
	if (hottest_check(options, two, diag) != 0 ||
	    hottest_refuse(options, "tree", "text and Markdown", diag) != 0 ||
	    hottest_refuse(options, hottest_wants_sites(options) ? "" : "focus peek by",
			   "text, Markdown and JSON", diag) != 0) {
		return -1;
	}
	int result = 0;
	if (two) {
		csv_add_two(&text, view, options);
	} else if (hottest_wants_sites(options)) {
		result = csv_add_sites(&text, view, options, diag);
	} else {
		csv_add_one(&text, view);
	}
	if (result == 0) {
		output_add_str(out, buf_str(&text));
	}
	buf_release(&text);
	return result;
}

const struct exporter exporter_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.brief = "a report as CSV: all functions; for two profiles, the functions that changed "
		 "most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_LIST,
	.options = report_rows,
	.write = csv_write,
};
