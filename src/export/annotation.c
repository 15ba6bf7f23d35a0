/* Find the instructions of one function, with their counts. */
#include "export/annotation.h"

#include <stdlib.h>

#include "export/changes.h"

enum { ANNOTATION_ENDS = 7 }; // number of lines of a report besides the instructions

/** An instruction and its count, for sorting by count. */
struct annotation_choice {
	uint64_t self;
	size_t at;
};

static int annotation_compare(const void *a, const void *b) {
	const struct annotation_choice *x = a, *y = b;
	return x->self != y->self ? (x->self < y->self ? 1 : -1)
	       : x->at < y->at    ? -1
				  : x->at > y->at;
}

/** Mark the hottest instructions, and the instructions around them, until all rows are used. A gap
 * between shown instructions takes one row. */
static void annotation_choose(struct annotation *annotation, size_t rows) {
	enum { AROUND = 2 };
	size_t n = annotation->code.n, used = 0;
	struct annotation_choice *choices = mem_new(n, sizeof(*choices));
	for (size_t i = 0; i < n; i++) {
		choices[i] = (struct annotation_choice){annotation->code.items[i].self, i};
	}
	qsort(choices, n, sizeof(*choices), annotation_compare);
	for (size_t i = 0; i < n; i++) {
		size_t at = choices[i].at, from = at < AROUND ? 0 : at - AROUND;
		size_t to = at + AROUND < n ? at + AROUND : n - 1, more = 1;
		for (size_t k = from; k <= to; k++) {
			more += !annotation->shown[k];
		}
		if (used + more > rows) {
			break;
		}
		used += more;
		for (size_t k = from; k <= to; k++) {
			annotation->shown[k] = true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		annotation->left_out += !annotation->shown[i] && annotation->code.items[i].self > 0;
	}
	free(choices);
}

/** Report why there are no instructions. Return -1. */
static int annotation_fail(const struct hottest *hottest, const char *why, struct str file,
			   struct diag *diag) {
	if (file.n == 0) {
		return diag_error(diag, "no instruction of '%s' is known: %s",
				  quote(hottest->listed->name).text, why);
	}
	struct buf text = {0};
	buf_printf(&text, "'%s': ", quote(file).text);
	buf_add_text(&text, why);
	diag_error(diag, "no instruction of '%s' is known: %s", quote(hottest->listed->name).text,
		   buf_text(&text));
	buf_release(&text);
	return -1;
}

int annotation_init(struct annotation *annotation, const struct hottest *hottest,
		    const struct opt_set *options, bool cut, struct diag *diag) {
	const struct hottest_options *given = OPT_OF(options, hottest_rows, struct hottest_options);
	const struct view *view = hottest->view;
	const struct sites *sites = view->profile->sites;
	struct hot_address hot = instructions_find(view, hottest_listed_name(hottest));
	*annotation = (struct annotation){.hottest = hottest};
	if (hot.module == 0 || view->code == NULL) {
		return annotation_fail(hottest,
				       view->code == NULL ? "this build reads no machine code"
							  : "the input has no addresses in files; "
							    "recordings of perf have them",
				       STR(""), diag);
	}
	struct site_module module = sites_module_of(sites, hot.module);
	struct str file = sites_text_of(sites, module.file);
	const char *why =
		view->code->read(view->code->context, file, sites_text_of(sites, module.build_id),
				 hot.address, &annotation->code);
	if (why != NULL || annotation->code.n == 0) {
		return annotation_fail(hottest, why == NULL ? "it has none" : why, file, diag);
	}
	annotation->sum = instructions_count(view, hot.module, &annotation->code);
	annotation->shown = mem_new(annotation->code.n, sizeof(*annotation->shown));
	annotation_choose(annotation, cut ? (size_t)given->max_lines - ANNOTATION_ENDS : SIZE_MAX);
	return 0;
}

void annotation_add_line(struct buf *out, const struct instruction *instruction) {
	if (instruction->line > 0) {
		site_groups_add_path(out, instruction->file);
		buf_printf(out, ":%u", instruction->line);
	}
}

void annotation_add_remark(struct buf *out, const struct annotation *annotation) {
	struct str function = annotation->code.function;
	if (!str_eq(function, tree_label(annotation->hottest->listed->name))) {
		buf_add_text(out, "the code is that of ");
		hottest_add_name(out, function, 40);
	}
	if (annotation->left_out > 0) {
		buf_printf(out, "%s%zu more instruction%s with counts", out->n > 0 ? "; " : "",
			   annotation->left_out, annotation->left_out == 1 ? "" : "s");
	}
}

void annotation_release(struct annotation *annotation) {
	free(annotation->shown);
}
