/* json: a report on functions as JSON. */
#include <stdlib.h>

#include "base/json_text.h"
#include "export/changes.h"
#include "export/exporter.h"

/** Add the field with the unit of the counts. */
static void json_add_unit(struct buf *out, struct str unit) {
	buf_add_text(out, "\"unit\": ");
	json_add_string(out, unit.n > 0 ? unit : STR("samples"));
}

/** Add a field with a number. */
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
	buf_add_text(out, "{\n  ");
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

static int json_compare_self(const void *a, const void *b) {
	const struct function *x = a, *y = b;
	return x->self.after != y->self.after ? (x->self.after < y->self.after ? 1 : -1)
					      : str_compare(x->name, y->name);
}

static void json_add_function(struct buf *out, const struct function *function, uint64_t sum) {
	buf_add_text(out, "{\"name\": ");
	json_add_string(out, function->name);
	buf_printf(out, ", \"self\": %llu, \"total\": %llu, ",
		   (unsigned long long)function->self.after,
		   (unsigned long long)function->total.after);
	json_add_number(out, "percent_self", changes_percent(function->self.after, sum), 3);
	buf_add_text(out, ", ");
	json_add_number(out, "percent_total", changes_percent(function->total.after, sum), 3);
	buf_add_char(out, '}');
}

/** Add all functions, those with the highest self counts first. */
static void json_add_one(struct buf *out, const struct view *view) {
	struct functions functions;
	functions_collect(&functions, view);
	qsort(functions.items, functions.n, sizeof(*functions.items), json_compare_self);
	buf_add_text(out, "{\n  ");
	json_add_unit(out, buf_str(&view->profile->unit));
	buf_printf(out, ",\n  \"count\": %llu,\n  \"functions\": [", (unsigned long long)view->sum);
	for (size_t i = 0; i < functions.n; i++) {
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		json_add_function(out, &functions.items[i], view->sum);
	}
	buf_add_text(out, functions.n == 0 ? "]\n}\n" : "\n  ]\n}\n");
	functions_release(&functions);
}

static int json_write(void *state, struct output *out, const struct view *view,
		      const struct opt_set *options, struct diag *diag) {
	(void)state, (void)diag;
	struct buf text = {0};
	if (view->compared != NULL) {
		json_add_two(&text, view, options);
	} else {
		json_add_one(&text, view);
	}
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	return 0;
}

const struct exporter exporter_json = {
	.name = "json",
	.suffixes = ".json",
	.brief = "a report as JSON: all functions, or of two profiles those that changed most",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE,
	.write = json_write,
};
