/* The functions that changed most. */
#include "diff/report.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/unit.h"

/** A function in a list, and the change that ranks it. */
struct entry {
	const struct function *function;
	struct change change;
	double amount, deviations;
	bool significant;
};

/** A list of functions, from the largest change to the smallest. */
struct list {
	struct entry *entries;
	size_t n;
};

static int by_change(const void *a, const void *b) {
	const struct entry *x = a, *y = b;
	if (x->significant != y->significant) {
		return x->significant ? -1 : 1;
	}
	double more = fabs(y->amount) - fabs(x->amount);
	return more > 0 ? 1 : more < 0 ? -1 : str_compare(x->function->name, y->function->name);
}

static struct list make_list(const struct report *report, bool self) {
	const struct functions *functions = report->functions;
	struct list list = {mem_new(functions->n, sizeof(*list.entries)), functions->n};
	for (size_t i = 0; i < functions->n; i++) {
		const struct function *function = &functions->items[i];
		struct change change = self ? function->self : function->total;
		list.entries[i] = (struct entry){
			.function = function,
			.change = change,
			.amount = change_amount(report->yardstick, change),
			.deviations = change_deviations(report->yardstick, change),
			.significant = !change_is_noise(report->yardstick, change),
		};
	}
	qsort(list.entries, list.n, sizeof(*list.entries), by_change);
	return list;
}

/** Return whether there is a change. Smaller ones may come from rounding scaled counts. */
static bool changed(const struct entry *entry) {
	return fabs(entry->amount) >= 0.5;
}

/** Return how many entries are shown. */
static size_t shown(const struct report *report, const struct list *list) {
	size_t n = 0;
	while (n < list->n && n < report->most && changed(&list->entries[n])) {
		n++;
	}
	return n;
}

/* --- Words ---------------------------------------------------------------------------------- */

/** Add a count, as people say it if its unit is known. */
static void add_count(struct buf *out, const struct report *report, uint64_t count) {
	struct unit unit = unit_of(report->unit);
	out->n += unit_format(buf_room(out, UNIT_MAX), &unit, count);
}

/** Add a change in counts, with its sign. */
static void add_amount(struct buf *out, const struct report *report, double amount) {
	double rounded = round(fabs(amount));
	buf_add_text(out, rounded == 0 ? "" : amount > 0 ? "+" : "-");
	add_count(out, report, rounded < 0x1p64 ? (uint64_t)rounded : UINT64_MAX);
}

/** Add a change as a share of the count before. */
static void add_share(struct buf *out, const struct report *report, const struct entry *entry) {
	if (entry->change.before == 0) {
		buf_add_text(out, "new");
	} else if (entry->change.after == 0) {
		buf_add_text(out, "gone");
	} else {
		double before = report->yardstick->scale * (double)entry->change.before;
		buf_add_text(out, entry->amount < 0 ? "" : "+");
		buf_add_fixed(out, 100 * entry->amount / before, 1);
		buf_add_char(out, '%');
	}
}

/** Add how sure the change is; a dash if it may be chance. */
static void add_sureness(struct buf *out, const struct entry *entry) {
	if (entry->significant) {
		buf_add_fixed(out, fabs(entry->deviations), 1);
	} else {
		buf_add_text(out, "noise");
	}
}

static void add_name(struct buf *out, const struct function *function) {
	struct str label = tree_label(function->name);
	utf8_add_shown(out, label.n == 0 ? STR("(no name)") : label);
}

/**
 * Add a name as Markdown code, in which other markup has no effect. Two grave accents would end it,
 * so the first becomes another character. In a cell, a bar is escaped; a backslash before the bar
 * becomes a slash, because for some readers it would undo the escape.
 */
static void add_code(struct buf *out, const struct function *function, bool in_cell) {
	struct buf name = {0};
	add_name(&name, function);
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

/** Return a count as a share of all, in per cent. */
static double percent(uint64_t count, uint64_t total) {
	return total == 0 ? 0 : 100 * (double)count / (double)total;
}

static void add_percent(struct buf *out, uint64_t count, uint64_t total) {
	buf_add_fixed(out, percent(count, total), 2);
	buf_add_char(out, '%');
}

static void add_headline(struct buf *out, const struct report *report, const struct list *self) {
	const struct change *totals = &report->yardstick->totals;
	if (self->n == 0 || !self->entries[0].significant || !changed(&self->entries[0])) {
		buf_add_text(out, "No function changed more than by chance");
		return;
	}
	const struct entry *first = &self->entries[0];
	if (report->form == REPORT_MARKDOWN) {
		add_code(out, first->function, false);
	} else {
		add_name(out, first->function);
	}
	buf_add_text(out, first->amount > 0 ? " grew" : " shrank");
	buf_add_text(out, " most: from ");
	add_percent(out, first->change.before, totals->before);
	buf_add_text(out, " of all to ");
	add_percent(out, first->change.after, totals->after);
}

/** Add what is counted, if it is known. A name that may be markup is left out. */
static void add_subject(struct buf *out, const struct report *report) {
	struct str subject = unit_of(report->unit).subject;
	bool is_plain = subject.n > 0;
	for (size_t i = 0; i < subject.n; i++) {
		char c = subject.p[i];
		is_plain = is_plain &&
			   (is_alpha(c) || is_digit(c) || (c != '\0' && strchr(" -:/", c) != NULL));
	}
	if (is_plain) {
		buf_add_char(out, ' ');
		buf_add_str(out, subject);
	}
}

static void add_totals(struct buf *out, const struct report *report) {
	const struct yardstick *yardstick = report->yardstick;
	buf_add_text(out, "All: ");
	add_count(out, report, yardstick->totals.before);
	add_subject(out, report);
	buf_add_text(out, " before, ");
	add_count(out, report, yardstick->totals.after);
	buf_add_text(out, " after");
	compared_add_scale(out, yardstick);
}

static const char *const headings[] = {"Counted in the function itself", "With all that it called"};

/* --- Text ----------------------------------------------------------------------------------- */

enum { CELLS = 7 };

static void add_cells(struct buf *cells, const struct report *report, const struct entry *entry) {
	const struct change *totals = &report->yardstick->totals;
	add_count(&cells[0], report, entry->change.before);
	add_percent(&cells[1], entry->change.before, totals->before);
	add_count(&cells[2], report, entry->change.after);
	add_percent(&cells[3], entry->change.after, totals->after);
	add_amount(&cells[4], report, entry->amount);
	add_share(&cells[5], report, entry);
	add_sureness(&cells[6], entry);
}

static const char *const cell_names[CELLS] = {"before", "of all", "after", "of all",
					      "change", "",       "sigma"};

/** Add a line of a table, with numbers aligned to the right. */
static void add_row(struct buf *out, const struct report *report, const struct entry *entry,
		    const size_t *widths) {
	struct buf cells[CELLS] = {{0}};
	add_cells(cells, report, entry);
	for (size_t i = 0; i < CELLS; i++) {
		buf_printf(out, "  %*s", (int)widths[i], buf_text(&cells[i]));
		buf_release(&cells[i]);
	}
	buf_add_text(out, "  ");
	add_name(out, entry->function);
	buf_add_char(out, '\n');
}

static void measure(const struct report *report, const struct list *list, size_t n,
		    size_t *widths) {
	for (size_t i = 0; i < CELLS; i++) {
		widths[i] = strlen(cell_names[i]);
	}
	for (size_t at = 0; at < n; at++) {
		struct buf cells[CELLS] = {{0}};
		add_cells(cells, report, &list->entries[at]);
		for (size_t i = 0; i < CELLS; i++) {
			widths[i] = cells[i].n > widths[i] ? cells[i].n : widths[i];
			buf_release(&cells[i]);
		}
	}
}

static void add_text_list(struct buf *out, const struct report *report, const struct list *list,
			  const char *heading) {
	size_t widths[CELLS], n = shown(report, list);
	buf_printf(out, "\n%s%s\n", heading, n == 0 ? ": no change" : "");
	if (n == 0) {
		return;
	}
	measure(report, list, n, widths);
	for (size_t i = 0; i < CELLS; i++) {
		buf_printf(out, "  %*s", (int)widths[i], cell_names[i]);
	}
	buf_add_text(out, "  function\n");
	for (size_t i = 0; i < n; i++) {
		add_row(out, report, &list->entries[i], widths);
	}
}

static void add_text(struct buf *out, const struct report *report, const struct list *lists) {
	add_headline(out, report, &lists[0]);
	buf_add_char(out, '\n');
	add_totals(out, report);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < 2; i++) {
		add_text_list(out, report, &lists[i], headings[i]);
	}
}

/* --- Markdown ------------------------------------------------------------------------------- */

static void add_markdown_list(struct buf *out, const struct report *report, const struct list *list,
			      const char *heading) {
	size_t n = shown(report, list);
	buf_printf(out, "\n**%s**%s\n", heading, n == 0 ? ": no change" : "");
	if (n == 0) {
		return;
	}
	buf_add_text(out, "\n| function");
	for (size_t i = 0; i < CELLS; i++) {
		buf_printf(out, " | %s", cell_names[i]);
	}
	buf_add_text(out, " |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < n; i++) {
		struct buf cells[CELLS] = {{0}};
		add_cells(cells, report, &list->entries[i]);
		buf_add_text(out, "| ");
		add_code(out, list->entries[i].function, true);
		for (size_t c = 0; c < CELLS; c++) {
			buf_add_text(out, " | ");
			buf_add_str(out, buf_str(&cells[c]));
			buf_release(&cells[c]);
		}
		buf_add_text(out, " |\n");
	}
}

static void add_markdown(struct buf *out, const struct report *report, const struct list *lists) {
	buf_add_text(out, "### ");
	add_headline(out, report, &lists[0]);
	buf_add_text(out, "\n\n");
	add_totals(out, report);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < 2; i++) {
		add_markdown_list(out, report, &lists[i], headings[i]);
	}
}

/* --- JSON ----------------------------------------------------------------------------------- */

/** Add a character by its number; above U+FFFF, as a surrogate pair of UTF-16. */
static void add_json_point(struct buf *out, uint32_t point) {
	if (point > UINT16_MAX) {
		buf_printf(out, "\\u%04x", 0xd7c0 + (point >> 10));
		point = 0xdc00 | (point & 0x3ff);
	}
	buf_printf(out, "\\u%04x", point);
}

/** Add a string without control characters for a terminal. The text is well-formed. */
static void add_json_string(struct buf *out, struct str text) {
	buf_add_char(out, '"');
	for (size_t bad, len; text.n > 0; text = str_from(text, len)) {
		len = utf8_next(text, &bad);
		uint32_t point = utf8_decode(text.p, len);
		if (!utf8_is_shown(point)) {
			add_json_point(out, point);
			continue;
		}
		if (point == '"' || point == '\\') {
			buf_add_char(out, '\\');
		}
		buf_add_str(out, str_to(text, len));
	}
	buf_add_char(out, '"');
}

/** Add the field with what is counted. */
static void add_json_unit(struct buf *out, struct str unit) {
	buf_add_text(out, "\"unit\": ");
	add_json_string(out, unit.n > 0 ? unit : STR("samples"));
}

/** Add a field with a number. */
static void add_json_number(struct buf *out, const char *name, double value, unsigned places) {
	buf_printf(out, "\"%s\": ", name);
	buf_add_fixed(out, value, places);
}

static void add_json_entry(struct buf *out, const struct report *report,
			   const struct entry *entry) {
	const struct change *totals = &report->yardstick->totals;
	buf_add_text(out, "{\"name\": ");
	add_json_string(out, entry->function->name);
	buf_printf(out, ", \"before\": %llu, \"after\": %llu, ",
		   (unsigned long long)entry->change.before,
		   (unsigned long long)entry->change.after);
	add_json_number(out, "percent_before", percent(entry->change.before, totals->before), 3);
	buf_add_text(out, ", ");
	add_json_number(out, "percent_after", percent(entry->change.after, totals->after), 3);
	buf_add_text(out, ", ");
	add_json_number(out, "change", entry->amount, 3);
	buf_add_text(out, ", ");
	add_json_number(out, "sigma", entry->deviations, 3);
	buf_printf(out, ", \"significant\": %s}", entry->significant ? "true" : "false");
}

static void add_json_list(struct buf *out, const struct report *report, const struct list *list,
			  const char *name) {
	size_t n = shown(report, list);
	buf_printf(out, ",\n  \"%s\": [", name);
	for (size_t i = 0; i < n; i++) {
		buf_add_text(out, i == 0 ? "\n    " : ",\n    ");
		add_json_entry(out, report, &list->entries[i]);
	}
	buf_add_text(out, n == 0 ? "]" : "\n  ]");
}

static void add_json(struct buf *out, const struct report *report, const struct list *lists) {
	const struct yardstick *yardstick = report->yardstick;
	buf_add_text(out, "{\n  ");
	add_json_unit(out, report->unit);
	buf_printf(out, ",\n  \"before\": %llu,\n  \"after\": %llu,\n  ",
		   (unsigned long long)yardstick->totals.before,
		   (unsigned long long)yardstick->totals.after);
	add_json_number(out, "scale", yardstick->scale, 6);
	buf_printf(out, ",\n  \"scaling\": \"%s\",\n  ", scalings[yardstick->scaling]);
	add_json_number(out, "noise", yardstick->sigma, 3);
	add_json_list(out, report, &lists[0], "self");
	add_json_list(out, report, &lists[1], "total");
	buf_add_text(out, "\n}\n");
}

void report_write(struct output *out, const struct report *report) {
	static void (*const forms[])(struct buf * out, const struct report *report,
				     const struct list *lists) = {
		[REPORT_TEXT] = add_text,
		[REPORT_JSON] = add_json,
		[REPORT_MARKDOWN] = add_markdown,
	};
	struct list lists[2] = {make_list(report, true), make_list(report, false)};
	struct buf text = {0};
	forms[report->form](&text, report, lists);
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	free(lists[0].entries);
	free(lists[1].entries);
}

/* --- One profile ---------------------------------------------------------------------------- */

static int compare_self(const void *a, const void *b) {
	const struct function *x = a, *y = b;
	return x->self.after != y->self.after ? (x->self.after < y->self.after ? 1 : -1)
					      : str_compare(x->name, y->name);
}

static void add_function(struct buf *out, const struct function *function, uint64_t sum) {
	buf_add_text(out, "{\"name\": ");
	add_json_string(out, function->name);
	buf_printf(out, ", \"self\": %llu, \"total\": %llu, ",
		   (unsigned long long)function->self.after,
		   (unsigned long long)function->total.after);
	add_json_number(out, "percent_self", percent(function->self.after, sum), 3);
	buf_add_text(out, ", ");
	add_json_number(out, "percent_total", percent(function->total.after, sum), 3);
	buf_add_char(out, '}');
}

void report_write_one(struct output *out, struct profile *profile) {
	struct functions functions = {0};
	struct tree tree = {0};
	struct buf text = {0};
	uint64_t sum = 0;
	profile_make_calls(profile, NULL, NULL);
	(void)profile_sum(profile, &sum); // a sum that does not fit was an error before
	tree_build(&tree, profile, sum);
	functions_collect(&functions, &tree, profile);
	qsort(functions.items, functions.n, sizeof(*functions.items), compare_self);
	buf_add_text(&text, "{\n  ");
	add_json_unit(&text, buf_str(&profile->unit));
	buf_printf(&text, ",\n  \"count\": %llu,\n  \"functions\": [", (unsigned long long)sum);
	for (size_t i = 0; i < functions.n; i++) {
		buf_add_text(&text, i == 0 ? "\n    " : ",\n    ");
		add_function(&text, &functions.items[i], sum);
	}
	buf_add_text(&text, functions.n == 0 ? "]\n}\n" : "\n  ]\n}\n");
	output_add_str(out, buf_str(&text));
	buf_release(&text);
	functions_release(&functions);
	tree_release(&tree);
}
