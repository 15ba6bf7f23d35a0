/* Draw pictures for the exporters svg and html. */
#include "export/draw.h"

/** Report that there is nothing to draw. Return -1. */
static int draw_fail_empty(const struct view *view, struct diag *diag) {
	return diag_error(diag,
			  view->transform->base != NULL
				  ? "no stack counts left: no stack goes through a function that "
				    "--base names"
			  : view->compared != NULL ? "no stack counts found in either profile"
						   : "no stack counts found");
}

int draw_view(struct document *document, const struct draw_form *form, struct output *out,
	      const struct view *view, const struct opt_set *options, struct diag *diag) {
	struct picture *picture = &document->picture;
	if (document_draw(document, view, options, diag) != 0) {
		return -1;
	}
	if (picture->total == 0) {
		if (view->compared == NULL) { // a picture with the error is written only for one
					      // profile
			form->write_error(out, &picture->design);
		}
		return draw_fail_empty(view, diag);
	}
	form->write(out, document);
	if (output_finish(out) != 0) {
		return 0; // do not save the colours; the output reports the error
	}
	return palette_save(&picture->palette, diag);
}

void draw_release(void *document) {
	document_release(document);
}
