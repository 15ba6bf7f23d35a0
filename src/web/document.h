/** A picture as a file of its own: with the profile for the viewer, and the viewer. */
#ifndef INFERNO_DOCUMENT_H
#define INFERNO_DOCUMENT_H

#include "analysis/site_groups.h"
#include "embed/activity.h"
#include "embed/pack.h"
#include "picture/picture.h"

/** A zeroed one is empty. Like its picture, it must not be copied. */
struct document {
	struct picture picture;
	struct pack pack;         // the profile in the file, for the viewer
	struct activity activity; // its times, for a page; see profile_ask_times()
	struct site_groups lines; // its source lines, for a page; see profile_ask_sites()
	const struct view *view;  // borrowed; NULL: there is nothing to draw
};

/** Draw a view into a document. Its picture was initialised. It borrows the view. Without
 * counts the picture's total stays 0. Return 0, or -1 after diag_error(). */
int document_draw(struct document *document, const struct view *view, const struct opt_set *options,
		  struct diag *diag);

/** A style sheet, and the hash by which a policy names it. */
struct sheet {
	struct str text;
	const char *hash;
};

enum { DOCUMENT_SHEETS = 3 };

/** Set the style sheets of a picture, which are the same for all options of its style. Return how
 * many. */
size_t document_sheets(struct sheet sheets[static DOCUMENT_SHEETS], const struct design *design);

/** Write an SVG file. */
void document_write_svg(struct output *out, struct document *document);

/** Write the outermost element. In a page, the page has its style and its script. */
void document_write_element(struct output *out, const struct document *document);

void document_release(struct document *document);

#endif
