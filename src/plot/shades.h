/**
 * The colours of --style=modern. A shade is two colours, one for readers who prefer it light and
 * one for those who prefer it dark; so it is written as the CSS class `c` and its number.
 */
#ifndef INFERNO_SHADES_H
#define INFERNO_SHADES_H

#include "base/output.h"
#include "plot/rgb.h"

/** Numbers of shades: those of names come first. */
enum {
	SHADE_NEUTRAL = 32, // the root, what did not change, and what separates parts of a stack
	SHADE_GREW = 33,    // four steps, from little to much
	SHADE_SHRANK = 37,
	SHADE_NEW = 41,  // as if it grew much
	SHADE_GONE = 42, // as if it shrank much
	SHADES = 43,
};

struct shade {
	struct rgb light, dark;
};

extern const struct shade shades[SHADES];
extern const struct shade shade_text; // of labels on any of them
extern const struct shade shade_page;

/** What a box is filled with: a shade, or a colour that is the same for all readers. */
struct fill {
	bool is_shade;
	uint8_t shade;     // its number
	struct rgb colour; // unless it is a shade
};

struct fill shade_neutral(void);

/** The shade of a name, the same in every picture. */
struct fill shade_of_name(struct str name);

/** The shade of a difference; `largest` is at least as large and not 0. */
struct fill shade_of_delta(uint64_t delta, uint64_t largest, bool less);

/** Writes the rules of a style sheet for the shades, the page and labels. */
void shades_write(struct output *out);

#endif
