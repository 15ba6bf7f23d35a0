/* The source lines in a page. */
#include "web/lines.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "picture/escape.h"

void lines_collect(struct site_groups *lines, const struct view *view) {
	const struct functions unranked = {0};
	const struct sites *sites = view->profile->sites;
	if (sites != NULL && sites->finished && view->compared == NULL &&
	    view->tree->ends != NULL && !view->transform->reverse) {
		site_groups_collect(lines, view, BY_LINE, &unranked);
	}
}

static int lines_compare(const void *a, const void *b) {
	const struct site_sum *x = a, *y = b;
	return x->total != y->total ? (x->total < y->total ? 1 : -1)
	       : x->file != y->file ? (x->file < y->file ? -1 : 1)
	       : x->line != y->line ? (x->line < y->line ? -1 : 1)
				    : 0;
}

static void lines_write_text(struct output *out, const char *name, struct str value) {
	struct buf text = {0};
	utf8_repair(&text, value);
	output_add_text(out, " data-");
	output_add_text(out, name);
	output_add_text(out, "=\"");
	escape_xml(out, buf_str(&text));
	output_add_text(out, "\"");
	buf_release(&text);
}

static void lines_write_number(struct output *out, const char *name, uint64_t value) {
	struct buf text = {0};
	buf_add_u64(&text, value);
	lines_write_text(out, name, buf_str(&text));
	buf_release(&text);
}

void lines_write(struct output *out, struct site_groups *lines, const struct view *view) {
	struct site_sum *items = lines->sums.items;
	size_t n = lines->sums.n, written = 0;
	if (!lines->sums.any_line) {
		return;
	}
	qsort(items, n, sizeof(*items), lines_compare);
	output_add_text(out, "<ul id=\"lines\" hidden=\"\">\n");
	for (size_t i = 0; i < n && written < LINES_MOST; i++) {
		if (items[i].line > 0) {
			output_add_text(out, "<li");
			lines_write_text(out, "file",
					 sites_text_of(view->profile->sites, items[i].file));
			lines_write_number(out, "line", items[i].line);
			lines_write_text(out, "name", profile_name(view->profile, items[i].name));
			lines_write_number(out, "self", items[i].self);
			lines_write_number(out, "total", items[i].total);
			output_add_text(out, "></li>\n");
			written++;
		}
	}
	output_add_text(out, "</ul>\n");
}
