/** Code that the exporters svg and html share. The state of both exporters is a struct document. */
#ifndef INFERNO_EXPORT_DRAW_H
#define INFERNO_EXPORT_DRAW_H

#include "base/output.h"
#include "web/document.h"

/** The two forms of a picture. */
struct draw_form {
	void (*write)(struct output *out, struct document *document);
	void (*write_error)(struct output *out, const struct design *design);
};

/** Draw a view and write the picture. Save the colours of --cp. If the view has no counts, draw a
 * picture with a message that says so. Return 0, or -1 after diag_error(). */
int draw_view(struct document *document, const struct draw_form *form, struct output *out,
	      const struct view *view, const struct opt_set *options, struct diag *diag);

/** Release a struct document. */
void draw_release(void *document);

#endif
