/** A picture in a separate file, with the viewer, and with the profile that the viewer reads. */
#pragma once

#include "analysis/site_groups.h"
#include "embed/activity.h"
#include "embed/pack.h"
#include "picture/picture.h"

/** A zeroed struct is empty. Do not copy the struct, because its picture contains pointers into
 * itself. */
struct document {
	struct picture picture;
	struct pack pack;         // the packed profile, for the viewer
	struct activity activity; // the packed times, for a page; see profile_ask_times()
	struct site_groups lines; // the source lines, for a page; see profile_ask_sites()
	const struct view *view;  // view, borrowed; NULL: there is nothing to draw
};

/** Draw a view into a document. The document's picture must be initialised. The document borrows
 * the view. If the view has no counts, the picture's total remains 0. Return 0, or -1 after
 * diag_error(). */
int document_draw(struct document *document, const struct view *view, const struct opt_set *options,
		  struct diag *diag);

/** A style sheet, and its hash for the policy of a page. */
struct sheet {
	struct str text;
	const char *hash;
};

enum { DOCUMENT_SHEETS = 3 };

/** Set the style sheets of a picture, which are the same for all options of its style. Return their
 * number. */
size_t document_sheets(struct sheet sheets[static DOCUMENT_SHEETS], const struct design *design);

/** Write a document as an SVG file. */
void document_write_svg(struct output *out, struct document *document);

/** Write the outermost element. In a page, leave out the style and the script, because the page
 * contains them. */
void document_write_element(struct output *out, const struct document *document);

void document_release(struct document *document);
