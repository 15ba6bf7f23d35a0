/* Find the functions that changed most between two profiles. */
#include "export/changes.h"

#include <math.h>
#include <stdlib.h>

#include "export/hottest.h"
#include "profile/unit.h"

const struct opt report_rows[] = {
	{OPT_IS_UINT(struct report_options, top), .name = "top", .value = "N", .initial = "10",
	 .least = 1, .most = 1000000, .group = "Report",
	 .help = "list at most this many functions in each part of a report on two profiles"},
	{.type = OPT_END},
};

const char *const changes_headings[2] = {"Counted in the function itself",
					 "With all that it called"};
const char *const changes_columns[CHANGES_CELLS] = {"before", "of all", "after", "of all",
						    "change", "",       "sigma"};

static int changes_compare(const void *a, const void *b) {
	const struct changed *x = a, *y = b;
	if (x->significant != y->significant) {
		return x->significant ? -1 : 1;
	}
	double more = fabs(y->amount) - fabs(x->amount);
	return more > 0 ? 1 : more < 0 ? -1 : str_compare(x->function->name, y->function->name);
}

/** Return whether a count has changed. Ignore differences below 0.5, which may come from the
 * rounding of scaled counts. */
static bool changes_is_one(const struct changed *item) {
	return fabs(item->amount) >= 0.5;
}

/** Rank the functions by the change of their self count. If `self` is not set, rank them by the
 * change of their total. */
static struct change_list changes_rank(const struct changes *changes, bool self, size_t most) {
	const struct functions *functions = &changes->functions;
	const struct scale *scale = changes->scale;
	struct change_list list = {mem_new(functions->n, sizeof(*list.items)), functions->n, 0};
	for (size_t i = 0; i < functions->n; i++) {
		const struct function *function = &functions->items[i];
		struct change change = self ? function->self : function->total;
		list.items[i] = (struct changed){
			.function = function,
			.change = change,
			.amount = change_amount(scale, change),
			.deviations = change_deviations(scale, change),
			.significant = !change_is_noise(scale, change),
		};
	}
	qsort(list.items, list.n, sizeof(*list.items), changes_compare);
	while (list.shown < list.n && list.shown < most &&
	       changes_is_one(&list.items[list.shown])) {
		list.shown++;
	}
	return list;
}

void changes_init(struct changes *changes, const struct view *view, const struct opt_set *options) {
	const struct report_options *given = OPT_OF(options, report_rows, struct report_options);
	size_t most = given == NULL ? 10 : (size_t)given->top;
	*changes = (struct changes){.scale = &view->compared->scale,
				    .unit = buf_str(&view->profile->unit)};
	functions_collect(&changes->functions, view);
	changes->self = changes_rank(changes, true, most);
	changes->total = changes_rank(changes, false, most);
}

void changes_release(struct changes *changes) {
	functions_release(&changes->functions);
	free(changes->self.items);
	free(changes->total.items);
}

/* --- Words ---------------------------------------------------------------------------------- */

/** Add a count. If its unit is known, use a readable form such as "1.5 s". */
static void changes_add_count(struct buf *out, const struct changes *changes, uint64_t count) {
	struct unit unit = unit_of(changes->unit);
	out->n += unit_format(buf_room(out, UNIT_MAX), &unit, count);
}

/** Add a change in counts, with its sign. */
static void changes_add_amount(struct buf *out, const struct changes *changes, double amount) {
	double rounded = round(fabs(amount));
	buf_add_text(out, rounded == 0 ? "" : amount > 0 ? "+" : "-");
	changes_add_count(out, changes, rounded < 0x1p64 ? (uint64_t)rounded : UINT64_MAX);
}

/** Add a change as a percentage of the count in the earlier profile. */
static void changes_add_share(struct buf *out, const struct changes *changes,
			      const struct changed *item) {
	if (item->change.before == 0) {
		buf_add_text(out, "new");
	} else if (item->change.after == 0) {
		buf_add_text(out, "gone");
	} else {
		double before = changes->scale->factor * (double)item->change.before;
		buf_add_text(out, item->amount < 0 ? "" : "+");
		buf_add_fixed(out, 100 * item->amount / before, 1);
		buf_add_char(out, '%');
	}
}

/** Add how certain a change is, in standard deviations. If the change may be chance, add "noise".
 */
static void changes_add_sureness(struct buf *out, const struct changed *item) {
	if (item->significant) {
		buf_add_fixed(out, fabs(item->deviations), 1);
	} else {
		buf_add_text(out, "noise");
	}
}

void changes_add_name(struct buf *out, const struct function *function) {
	hottest_add_name(out, function->name, HOTTEST_NAME);
}

void changes_add_percent(struct buf *out, uint64_t count, uint64_t total) {
	buf_add_fixed(out, changes_percent(count, total), 2);
	buf_add_char(out, '%');
}

void changes_add_headline(struct buf *out, const struct changes *changes,
			  void (*add_name)(struct buf *out, const struct function *function)) {
	const struct change *totals = &changes->scale->totals;
	const struct changed *first = changes->self.items;
	if (changes->self.n == 0 || !first->significant || !changes_is_one(first)) {
		buf_add_text(out, "No function changed more than by chance");
		return;
	}
	add_name(out, first->function);
	buf_add_text(out, first->amount > 0 ? " grew" : " shrank");
	buf_add_text(out, " most: from ");
	changes_add_percent(out, first->change.before, totals->before);
	buf_add_text(out, " of all to ");
	changes_add_percent(out, first->change.after, totals->after);
}

void changes_add_subject(struct buf *out, struct str name) {
	struct str subject = unit_of(name).subject;
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

void changes_add_totals(struct buf *out, const struct changes *changes) {
	const struct scale *scale = changes->scale;
	buf_add_text(out, "All: ");
	changes_add_count(out, changes, scale->totals.before);
	changes_add_subject(out, changes->unit);
	buf_add_text(out, " before, ");
	changes_add_count(out, changes, scale->totals.after);
	buf_add_text(out, " after");
	compared_add_scale(out, scale);
}

void changes_add_rest(struct buf *out, const struct changes *changes,
		      const struct change_list *list) {
	size_t n = 0;
	const struct changed *largest = NULL;
	for (size_t i = list->shown; i < list->n; i++) {
		const struct changed *item = &list->items[i];
		n += changes_is_one(item);
		bool is_larger = largest == NULL || fabs(item->amount) > fabs(largest->amount);
		largest = is_larger ? item : largest;
	}
	if (n > 0) {
		buf_printf(out, "%zu more function%s changed, ", n, n == 1 ? "" : "s");
		buf_add_text(out, n == 1 ? "by " : "each by at most ");
		changes_add_count(out, changes,
				  (uint64_t)fmin(round(fabs(largest->amount)), 0x1p63));
		buf_add_text(out, "; --top lists more");
	}
}

void changes_add_next(struct buf *out) {
	buf_add_text(out, "Next: inferno diff -o out.html BEFORE AFTER, a page to explore");
}

void changes_add_cells(struct buf *cells, const struct changes *changes,
		       const struct changed *item) {
	const struct change *totals = &changes->scale->totals;
	changes_add_count(&cells[0], changes, item->change.before);
	changes_add_percent(&cells[1], item->change.before, totals->before);
	changes_add_count(&cells[2], changes, item->change.after);
	changes_add_percent(&cells[3], item->change.after, totals->after);
	changes_add_amount(&cells[4], changes, item->amount);
	changes_add_share(&cells[5], changes, item);
	changes_add_sureness(&cells[6], item);
}
