/** Draw pictures for the exporters svg and html. The state of each of them is a struct document. */
#pragma once

#include "base/output.h"
#include "web/document.h"

/** The functions that write a picture in one form: as SVG or as HTML. */
struct draw_form {
	void (*write)(struct output *out, struct document *document);
	void (*write_error)(struct output *out, const struct design *design);
};

/** Draw a view and write the picture. Save the colours of --cp. If the view has no counts and is
 * not a comparison, write a picture that contains only an error message, and fail. If a comparison
 * has no counts, write nothing, and fail. Return 0, or -1 after diag_error(). */
int draw_view(struct document *document, const struct draw_form *form, struct output *out,
	      const struct view *view, const struct opt_set *options, struct diag *diag);

void draw_release(void *document);
