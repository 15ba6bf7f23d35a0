/**
 * The colours of --style=modern. A shade is two colours, one for light mode and one for dark mode.
 * A picture names a shade by a CSS class: `c` and the number of the shade.
 */
#pragma once

#include "base/str.h"
#include "picture/rgb.h"
#include "viewer-constants.h" // has the numbers of the shades

struct shade {
	struct rgb light, dark;
};

extern const struct shade shades[SHADES];
// Colour of labels on all shades. On SHADE_NEW and SHADE_GONE, labels have the colour of the other
// mode.
extern const struct shade shade_text;
extern const struct shade shade_page;

/** The fill of a box: a shade, or a colour that is the same in light and dark mode. */
struct fill {
	bool is_shade;
	uint8_t shade;     // number of the shade
	struct rgb colour; // the colour, if the fill is not a shade
};

struct fill shade_neutral(void);

/** Return the shade of a name, which is the same in every picture. */
struct fill shade_of_name(struct str name);

enum { SHADE_STEPS = 3 }; // number of limits between the four shades of a change

/** Return the step of a shade for a share: the number of items of `steps` that the share exceeds.
 */
int shade_step(double share, const double steps[static SHADE_STEPS]);

/** Return the shade of a difference; `largest` must be at least `delta`, and above 0. */
struct fill shade_of_delta(uint64_t delta, uint64_t largest, bool less);
