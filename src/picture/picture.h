/** A picture of one profile, or of two profiles that are compared. svg.h writes the picture;
 * web/document.h packs the profile into the picture. */
#pragma once

#include "analysis/view.h"
#include "picture/attrs.h"
#include "picture/design.h"
#include "picture/layout.h"
#include "picture/palette.h"
#include "profile/unit.h"

/** A zeroed picture is empty. Do not copy a picture: some of its parts point to others. */
struct picture {
	struct design design;
	struct attrs attrs;     // attributes from the file of --nameattr
	struct palette palette; // colours of one profile
	struct layout layout;
	bool has_profile;              // whether the file also contains the profile, for the viewer
	bool lean;                     // whether frames narrower than `least_drawn` are not drawn
	double least_drawn;            // width in per cent; 0 unless lean
	uint64_t least;                // least count of the frames in the layout
	uint64_t total;                // count of the root; 0: there is nothing to draw
	struct buf left_out;           // a note on frames that are not in the file
	struct str countname;          // the word for the counts
	struct unit unit;              // how counts are written
	struct buf title;              // title of a page with a comparison, if the user gave none
	struct buf subtitle;           // subtitle of a comparison, if the user gave none
	struct str remarks;            // remarks on the data, shown at the foot
	const struct tree *tree;       // the whole tree of the layout
	const struct profile *profile; // profile that has the names
	const struct compared *compared; // comparison; NULL: one profile is shown
	bool by_self; // in a comparison: whether colours show the change of self counts
};

/** Make the design of a picture or of a page, and read the files that its options name. `options`
 * has the rows picture_rows, and, for a picture that can show one profile, graph_rows. Return 0, or
 * -1 after diag_error().
 */
int picture_init(struct picture *picture, const struct opt_set *options, bool is_page,
		 struct diag *diag);

/** Draw an arranged view, which the picture borrows. If the view has no counts, the total remains
 * 0.
 */
void picture_draw(struct picture *picture, const struct view *view, const struct opt_set *options);

/** Round a count up to a whole number, at most UINT64_MAX. */
uint64_t picture_whole_counts(double counts);

/** Return whether a picture, or a page, of stacks with two counts compares these counts as diff
 * does. In the classic style, the picture shows the later counts, and the difference as colours. */
bool picture_compares(const struct opt_set *options, bool is_page);

/**
 * Return the changes to make to the stacks before they are drawn. The result borrows from the
 * options.
 */
struct transform picture_transform(const struct opt_set *options);

void picture_release(struct picture *picture);
