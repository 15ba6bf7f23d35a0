/** A picture of a profile, or of two that are compared. svg.h writes it; web/document.h packs the
 * profile into it. */
#ifndef INFERNO_PICTURE_H
#define INFERNO_PICTURE_H

#include "analysis/view.h"
#include "picture/attrs.h"
#include "picture/design.h"
#include "picture/layout.h"
#include "picture/palette.h"
#include "profile/unit.h"

/** A zeroed picture is empty. It must not be copied: parts of it point to others. */
struct picture {
	struct design design;
	struct attrs attrs;     // of --nameattr
	struct palette palette; // colours of one profile
	struct layout layout;
	bool has_profile; // the file has the profile, too, for the viewer
	bool lean;        // it has frames that are narrower than `least_drawn`, which are not drawn
	double least_drawn;              // per cent; 0 unless lean
	uint64_t least;                  // counts of the frames in the layout
	uint64_t total;                  // of the root; 0: there is nothing to draw
	struct buf left_out;             // a note on frames that are not in the file
	struct str countname;            // the word for the counts
	struct unit unit;                // how counts are written
	struct buf subtitle;             // subtitle of a comparison without a given one
	struct str remarks;              // on the data, to be shown at the foot
	const struct tree *tree;         // the whole tree of the layout
	const struct profile *profile;   // has the names
	const struct compared *compared; // NULL: one profile is shown
	bool by_self;                    // in a comparison, colour by the change of self counts
};

/** Make the design of a picture, or of a page, and read the files that its options name: rows of
 * picture_rows, and unless it always compares, of graph_rows. Return 0, or -1 after diag_error().
 */
int picture_init(struct picture *picture, const struct opt_set *options, bool is_page,
		 struct diag *diag);

/** Draw a view that was arranged, and that the picture borrows. Without counts the total stays 0.
 */
void picture_draw(struct picture *picture, const struct view *view, const struct opt_set *options);

/** Round up to a whole count, the least that a frame must have. */
uint64_t picture_whole_counts(double counts);

/** Return whether a picture, or a page, of stacks with two counts compares these, as diff does. In
 * the classic style it shows the later ones, and the difference as colours. */
bool picture_compares(const struct opt_set *options, bool is_page);

/** Return the changes to make to the stacks before they are drawn. It borrows from the options. */
struct transform picture_transform(const struct opt_set *options);

void picture_release(struct picture *picture);

#endif
