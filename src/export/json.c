/* json: a report on functions as JSON. */
#include <stdlib.h>

#include "base/json_text.h"
#include "export/changes.h"
#include "export/exporter.h"
#include "export/annotation.h"
#include "export/hottest.h"
#include "export/listing.h"

// Increase this version when a field changes its meaning or is removed. docs/report.schema.json
// describes the format.
#define JSON_START "{\n  \"version\": 1,\n  "

/** Add the field with the unit of the counts. */
static void json_add_unit(struct buf *out, struct str unit) {
	buf_add_text(out, "\"unit\": ");
	json_add_string(out, unit.n > 0 ? unit : STR("samples"));
}

static void json_add_number(struct buf *out, const char *name, double value, unsigned places) {
	buf_printf(out, "\"%s\": ", name);
	buf_add_fixed(out, value, places);
}

static void json_add_change(struct buf *out, const struct changes *changes,
			    const struct changed *item) {
	const struct change *totals = &changes->scale->totals;
	buf_add_text(out, "{\"name\": ");
	json_add_string(out, item->function->name);
	buf_printf(out, ", \"before\": %llu, \"after\": %llu, ",
		   (unsigned long long)item->change.before, (unsigned long long)item->change.after);
	json_add_number(out, "percent_before", changes_percent(item->change.before, totals->before),
			3);
	buf_add_text(out, ", ");
	json_add_number(out, "percent_after", changes_percent(item->change.after, totals->after),
			3);
	buf_add_text(out, ", ");
	json_add_number(out, "change", item->amount, 3);
	buf_add_text(out, ", ");
	json_add_number(out, "sigma", item->deviations, 3);
	buf_printf(out, ", \"significant\": %s}", item->significant ? "true" : "false");
}

static void json_add_list(struct buf *out, const struct changes *changes,
			  const struct change_list *list, const char *name) {
	size_t n = list->shown;
	buf_printf(out, ",\n  \"%s\": [", name);
	for (size_t i = 0; i < n; i++) {
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		json_add_change(out, changes, &list->items[i]);
	}
	buf_add_text(out, n == 0 ? "]" : "\n  ]");
}

static void json_add_two(struct buf *out, const struct view *view, const struct opt_set *options) {
	const struct scale *scale = &view->compared->scale;
	struct changes changes;
	changes_init(&changes, view, options);
	buf_add_text(out, JSON_START);
	json_add_unit(out, changes.unit);
	buf_printf(out, ",\n  \"before\": %llu,\n  \"after\": %llu,\n  ",
		   (unsigned long long)scale->totals.before,
		   (unsigned long long)scale->totals.after);
	json_add_number(out, "scale", scale->factor, 6);
	buf_printf(out, ",\n  \"scaling\": \"%s\",\n  ", scalings[scale->scaling]);
	json_add_number(out, "noise", scale->sigma, 3);
	json_add_list(out, &changes, &changes.self, "self");
	json_add_list(out, &changes, &changes.total, "total");
	buf_add_text(out, "\n}\n");
	changes_release(&changes);
}

/* --- One profile ---------------------------------------------------------------------------- */

/** The functions of a profile, and their other values. */
struct json_report {
	const struct view *view;
	const struct values *values; // NULL: stacks have only one value
	struct functions functions;
	struct functions
		*columns; // for each value, the same functions in the same order; NULL: not known
	const struct function **order;
};

static void json_report_init(struct json_report *report, const struct view *view) {
	const struct values *values = view->profile->values;
	*report = (struct json_report){.view = view};
	report->values = values != NULL && values->n > 1 ? values : NULL;
	functions_collect(&report->functions, view);
	report->order = functions_rank(&report->functions);
	if (report->values != NULL && !values->partial && view->tree->ends != NULL) {
		report->columns = mem_new(values->n, sizeof(*report->columns));
		for (size_t i = 0; i < values->n; i++) {
			functions_collect_column(&report->columns[i], view, &values->columns[i]);
		}
	}
}

static void json_report_release(struct json_report *report) {
	for (size_t i = 0; report->columns != NULL && i < report->values->n; i++) {
		functions_release(&report->columns[i]);
	}
	free(report->columns);
	free(report->order);
	functions_release(&report->functions);
}

/** Add the names of the profile's values, in the order of the numbers that each function has. */
static void json_add_values(struct buf *out, const struct values *values) {
	buf_add_text(out, ",\n  \"values\": [");
	for (size_t i = 0; i < values->n; i++) {
		const struct value_column *column = &values->columns[i];
		buf_add_text(out, i == 0 ? "\n    {\"name\": " : ",\n    {\"name\": ");
		json_add_string(out, buf_str(&column->name));
		buf_add_text(out, ", ");
		json_add_unit(out, buf_str(&column->unit));
		buf_printf(out, ", \"count\": %llu}", (unsigned long long)column->sum);
	}
	buf_add_text(out, "\n  ]");
}

/** Add the values of one function. `place` is the index of the function in every column. */
static void json_add_function_values(struct buf *out, const struct json_report *report,
				     size_t place) {
	buf_add_text(out, ", \"values\": [");
	for (size_t i = 0; i < report->values->n; i++) {
		const struct function *function = &report->columns[i].items[place];
		buf_printf(out, "%s{\"self\": %llu, \"total\": %llu}", i == 0 ? "" : ", ",
			   (unsigned long long)function->self.after,
			   (unsigned long long)function->total.after);
	}
	buf_add_char(out, ']');
}

/** Begin an object with the handle of a function. The caller adds the name. */
static void json_add_handle(struct buf *out, const struct function *function) {
	buf_add_text(out, "{\"handle\": \"");
	hottest_add_handle(out, function);
	buf_add_text(out, "\", \"name\": ");
}

static void json_add_function(struct buf *out, const struct json_report *report,
			      const struct function *function) {
	uint64_t sum = report->view->sum;
	json_add_handle(out, function);
	json_add_string(out, function->name);
	buf_printf(out, ", \"self\": %llu, \"total\": %llu, ",
		   (unsigned long long)function->self.after,
		   (unsigned long long)function->total.after);
	json_add_number(out, "percent_self", changes_percent(function->self.after, sum), 3);
	buf_add_text(out, ", ");
	json_add_number(out, "percent_total", changes_percent(function->total.after, sum), 3);
	if (report->columns != NULL) {
		json_add_function_values(out, report, (size_t)(function - report->functions.items));
	}
	buf_add_char(out, '}');
}

/** Add a list of functions with their totals. */
static void json_add_totals(struct buf *out, const struct hottest *hottest,
			    const struct hottest_list *list, const char *name) {
	buf_printf(out, ",\n  \"%s\": [", name);
	for (size_t i = 0; i < list->n; i++) {
		const struct function *function = list->items[i];
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		json_add_handle(out, function);
		json_add_string(out, function->name);
		buf_printf(out, ", \"total\": %llu, ", (unsigned long long)function->total.after);
		json_add_number(out, "percent_total",
				changes_percent(function->total.after, hottest->view->sum), 3);
		buf_add_char(out, '}');
	}
	buf_add_text(out, list->n == 0 ? "]" : "\n  ]");
}

/** Add the fields of a function with its callers and callees. */
static void json_add_around(struct buf *out, const struct hottest *hottest,
			    const struct hottest_around *around, const char *handle) {
	buf_printf(out, "\"%s\": \"", handle);
	hottest_add_handle(out, around->function);
	buf_add_char(out, '"');
	json_add_totals(out, hottest, &around->lists[0], "callers");
	json_add_totals(out, hottest, &around->lists[1], "callees");
}

/** Add the counts of a row. */
static void json_add_counts(struct buf *out, const struct hottest *hottest,
			    const struct function *row) {
	uint64_t sum = hottest->view->sum;
	buf_printf(out, "\"self\": %llu, \"total\": %llu, ", (unsigned long long)row->self.after,
		   (unsigned long long)row->total.after);
	json_add_number(out, "percent_self", changes_percent(row->self.after, sum), 3);
	buf_add_text(out, ", ");
	json_add_number(out, "percent_total", changes_percent(row->total.after, sum), 3);
}

/** Add the description of a module or a line. */
static void json_add_site(struct buf *out, const struct hottest *hottest, size_t i) {
	const struct site_sum *sum = &hottest->sites.sums.items[i];
	const struct profile *profile = hottest->view->profile;
	if (sum->line == 0) {
		buf_add_text(out, "{\"module\": ");
		json_add_string(out,
				sites_text_of(profile->sites,
					      sites_module_of(profile->sites, sum->module).file));
		if (sum->name != SITE_NO_NAME) {
			buf_add_text(out, ", \"function\": ");
			json_add_string(out, profile_name(profile, sum->name));
		}
		return;
	}
	buf_add_text(out, "{\"file\": ");
	json_add_string(out, sites_text_of(profile->sites, sum->file));
	buf_printf(out, ", \"line\": %u, \"handle\": \"", sum->line);
	hottest_add_handle(out, &hottest->sites.rows.items[i]);
	buf_add_text(out, "\", \"function\": ");
	json_add_string(out, profile_name(profile, sum->name));
}

/** Add all modules, or all lines. The items with the highest self counts come first. */
static void json_add_sites(struct buf *out, const struct hottest *hottest, const char *name) {
	const struct functions *rows = &hottest->sites.rows;
	const struct function **order = functions_by_self(rows);
	buf_printf(out, ",\n  \"%s\": [", name);
	for (size_t i = 0; i < rows->n; i++) {
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		json_add_site(out, hottest, (size_t)(order[i] - rows->items));
		buf_add_text(out, ", ");
		json_add_counts(out, hottest, order[i]);
		buf_add_char(out, '}');
	}
	buf_add_text(out, rows->n == 0 ? "]" : "\n  ]");
	free(order);
}

/** Add a line of source with its counts. */
static void json_add_line(struct buf *out, const struct hottest *hottest,
			  const struct listing_file *file, const struct listing_line *line) {
	const struct function counts = {.self = {.after = line->self},
					.total = {.after = line->total}};
	buf_printf(out, "{\"line\": %u, ", line->number);
	json_add_counts(out, hottest, &counts);
	if (file->error == 0) {
		buf_add_text(out, ", \"source\": ");
		json_add_string(out, line->text.p == NULL ? STR("") : line->text);
	}
	buf_add_char(out, '}');
}

/** Add the source of a function with its counts. Return 0, or -1 after diag_error(). */
static int json_add_listing(struct buf *out, const struct hottest *hottest,
			    const struct opt_set *options, struct diag *diag) {
	struct source_list listing;
	int result = listing_init(&listing, hottest, options, false, diag);
	buf_add_text(out, ",\n  \"list\": {\"handle\": \"");
	hottest_add_handle(out, hottest->listed);
	buf_add_text(out, "\", \"function\": ");
	json_add_string(out, hottest->listed->name);
	buf_printf(out, ", \"unknown\": %llu, \"files\": [", (unsigned long long)listing.unknown);
	for (size_t i = 0; i < listing.n && result == 0; i++) {
		const struct listing_file *file = &listing.files[i];
		buf_add_text(out, i == 0 ? "{\"file\": " : "]}, {\"file\": ");
		json_add_string(out, file->path);
		buf_printf(out, ", \"found\": %s, \"lines\": [",
			   file->error == 0 ? "true" : "false");
		for (size_t at = 0; at < file->n; at++) {
			buf_add_text(out, at == 0 ? "\n    " : ",\n    ");
			json_add_line(out, hottest, file, &file->lines[at]);
		}
	}
	buf_add_text(out, "]}]}");
	listing_release(&listing);
	return result;
}

/** Add the instructions of a function. Return 0, or -1 after diag_error(). */
static int json_add_annotation(struct buf *out, const struct hottest *hottest,
			       const struct opt_set *options, struct diag *diag) {
	struct annotation annotation;
	int result = annotation_init(&annotation, hottest, options, false, diag);
	buf_add_text(out, ",\n  \"annotate\": {\"handle\": \"");
	hottest_add_handle(out, hottest->listed);
	buf_add_text(out, "\", \"function\": ");
	json_add_string(out, hottest->listed->name);
	buf_add_text(out, ", \"code\": ");
	json_add_string(out, annotation.code.function);
	buf_printf(out, ", \"self\": %llu, \"instructions\": [",
		   (unsigned long long)annotation.sum);
	for (size_t i = 0; i < annotation.code.n && result == 0; i++) {
		const struct instruction *instruction = &annotation.code.items[i];
		buf_printf(out, "%s{\"address\": \"%llx\", \"self\": %llu, ",
			   i == 0 ? "\n    " : ",\n    ", (unsigned long long)instruction->shown,
			   (unsigned long long)instruction->self);
		json_add_number(out, "percent_self",
				changes_percent(instruction->self, hottest->view->sum), 3);
		buf_add_text(out, ", \"text\": ");
		json_add_string(out, instruction->text);
		if (instruction->line > 0) {
			buf_add_text(out, ", \"file\": ");
			json_add_string(out, instruction->file);
			buf_printf(out, ", \"line\": %u", instruction->line);
		}
		buf_add_char(out, '}');
	}
	buf_add_text(out, "]}");
	annotation_release(&annotation);
	return result;
}

/** Add the parts for --focus, --peek, --by, --lines, --list and --annotate. Return 0, or -1 after
 * diag_error(). */
static int json_add_asked(struct buf *out, const struct view *view, const struct opt_set *options,
			  struct diag *diag) {
	struct hottest hottest;
	int result = hottest_init(&hottest, view, options, 0, diag);
	if (result == 0 && hottest.focus) {
		buf_add_text(out, ",\n  ");
		json_add_around(out, &hottest, &hottest.arounds[0], "focus");
	} else if (result == 0 && hottest.arounds_n > 0) {
		for (size_t i = 0; i < hottest.arounds_n; i++) {
			buf_add_text(out, i == 0 ? ",\n  \"peek\": [{" : "}, {");
			json_add_around(out, &hottest, &hottest.arounds[i], "handle");
		}
		buf_printf(out, "}],\n  \"matches\": %zu", hottest.matches);
	} else if (result == 0 && hottest.listed != NULL) {
		result = listing_is_wanted(options)
				 ? json_add_listing(out, &hottest, options, diag)
				 : json_add_annotation(out, &hottest, options, diag);
	} else if (result == 0 && hottest.by_site) {
		json_add_sites(out, &hottest, opt_given(options, "lines") ? "lines" : "modules");
	} else if (result == 0) {
		json_add_totals(out, &hottest, &hottest.lists[0], "groups");
	}
	hottest_release(&hottest);
	return result;
}

/** Return whether the options ask for further parts of the report. */
static bool json_asks(const struct opt_set *options) {
	return opt_given(options, "focus") || opt_given(options, "peek") ||
	       opt_given(options, "by") || hottest_wants_sites(options);
}

/** Add all functions. The functions with the highest self counts come first. */
static int json_add_one(struct buf *out, const struct view *view, const struct opt_set *options,
			struct diag *diag) {
	struct json_report report;
	json_report_init(&report, view);
	size_t n = report.functions.n;
	buf_add_text(out, JSON_START);
	json_add_unit(out, buf_str(&view->profile->unit));
	buf_printf(out, ",\n  \"count\": %llu", (unsigned long long)view->sum);
	if (report.values != NULL) {
		json_add_values(out, report.values);
	}
	buf_add_text(out, ",\n  \"functions\": [");
	for (size_t i = 0; i < n; i++) {
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		json_add_function(out, &report, report.order[i]);
	}
	buf_add_text(out, n == 0 ? "]" : "\n  ]");
	json_report_release(&report);
	int result = json_asks(options) ? json_add_asked(out, view, options, diag) : 0;
	buf_add_text(out, "\n}\n");
	return result;
}

static int json_write(void *state, struct output *out, const struct view *view,
		      const struct opt_set *options, struct diag *diag) {
	(void)state;
	bool two = view->compared != NULL;
	struct buf text = {0};
	if (hottest_check(options, two, diag) != 0 ||
	    hottest_refuse(options, "tree", "text and Markdown", diag) != 0) {
		return -1;
	}
	int result = 0;
	if (two) {
		json_add_two(&text, view, options);
	} else {
		result = json_add_one(&text, view, options, diag);
	}
	if (result == 0) {
		output_add_str(out, buf_str(&text));
	}
	buf_release(&text);
	return result;
}

const struct exporter exporter_json = {
	.name = "json",
	.suffixes = ".json",
	.brief = "a report as JSON: all functions; for two profiles, the functions that changed "
		 "most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_VALUES | EXPORT_LIST,
	.write = json_write,
};
