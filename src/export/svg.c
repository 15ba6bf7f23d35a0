/* svg: a picture, with a viewer for the browser. */
#include "picture/svg.h"

#include "export/draw.h"
#include "export/exporter.h"

static int svg_init(void *state, const struct opt_set *options, struct diag *diag) {
	return picture_init(&((struct document *)state)->picture, options, false, diag);
}

static bool svg_compares(const struct opt_set *options) {
	return picture_compares(options, false);
}

static int svg_export(void *state, struct output *out, const struct view *view,
		      const struct opt_set *options, struct diag *diag) {
	static const struct draw_form form = {document_write_svg, svg_write_error};
	return draw_view(state, &form, out, view, options, diag);
}

const struct exporter exporter_svg = {
	.name = "svg",
	.suffixes = ".svg",
	.brief = "a picture, with a viewer for the browser",
	.needs = EXPORT_ONE | EXPORT_TWO | EXPORT_TREE | EXPORT_SHOWN,
	.options = picture_rows,
	.state_size = sizeof(struct document),
	.init = svg_init,
	.compares = svg_compares,
	.write = svg_export,
	.release = draw_release,
};
