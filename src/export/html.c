/* html: a page with the picture, and with panels such as tables and filters. */
#include "web/html.h"

#include "export/draw.h"
#include "export/exporter.h"

static int html_init(void *state, const struct opt_set *options, struct diag *diag) {
	return picture_init(&((struct document *)state)->picture, options, true, diag);
}

static bool html_compares(const struct opt_set *options) {
	return picture_compares(options, true);
}

static int html_export(void *state, struct output *out, const struct view *view,
		       const struct opt_set *options, struct diag *diag) {
	static const struct draw_form form = {html_write, html_write_error};
	return draw_view(state, &form, out, view, options, diag);
}

const struct exporter exporter_html = {
	.name = "html",
	.suffixes = ".html .htm",
	.brief = "a page with the picture, and panels to work with it",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_TIMES | EXPORT_SHOWN,
	.options = picture_rows,
	.state_size = sizeof(struct document),
	.init = html_init,
	.compares = html_compares,
	.write = html_export,
	.release = draw_release,
};
