/** What is drawn of a profile, or of two that are compared. svg.h writes it. */
#ifndef INFERNO_PLOT_PICTURE_H
#define INFERNO_PLOT_PICTURE_H

#include "plot/activity.h"
#include "plot/attrs.h"
#include "plot/design.h"
#include "plot/layout.h"
#include "plot/pack.h"
#include "plot/palette.h"
#include "profile/compared.h"
#include "profile/unit.h"

/** A zeroed picture is empty. It must not be copied: parts of it point to others. */
struct picture {
	struct design design;
	struct attrs attrs;     // of --nameattr
	struct palette palette; // colours of one profile
	struct layout layout;
	struct pack pack;         // the profile in the file, for the viewer
	struct activity activity; // its times, for a page; see profile_ask_times()
	bool lean;          // frames in the pack that are narrower than `least_drawn` are not drawn
	double least_drawn; // per cent; 0 unless lean
	size_t threads;     // that may compress the pack; 0: one
	uint64_t total;     // what the root counts; 0: there is nothing to draw
	struct str countname;            // what is counted
	struct unit unit;                // how counts are written
	struct tree built;               // of one profile
	struct buf subtitle;             // of a comparison that is given none
	struct str remarks;              // on the data, to be shown at the foot
	const struct tree *tree;         // of the layout, all of it
	const struct profile *profile;   // has the names
	const struct compared *compared; // NULL: one profile is shown
};

/** Make the design of a picture of one profile, and read the files that its options name. Return 0,
 * or -1 after diag_error(). */
int picture_init(struct picture *picture, const struct picture_options *options,
		 const struct graph_options *graph, const struct opt_set *given, struct diag *diag);

/**
 * Arrange the stacks of a profile as the options ask, and draw them; the picture borrows the
 * profile. Without counts the total stays 0. Return 0, or -1 after diag_error().
 */
int picture_draw(struct picture *picture, struct profile *profile,
		 const struct graph_options *graph, struct diag *diag);

/** Draw two profiles, of which one at least has counts, into an empty picture, which borrows them.
 */
void picture_compare(struct picture *picture, const struct compared *compared,
		     const struct picture_options *options, const struct opt_set *given);

void picture_release(struct picture *picture);

#endif
