/* Chooses the colour of a box with --style=modern. The colours are in web/shades. */
#include "picture/theme.h"

#include "viewer-shades.h"

const struct shade shades[SHADES] = {SHADE_COLOURS};
const struct shade shade_text = SHADE_TEXT;
const struct shade shade_page = SHADE_PAGE;

static struct fill theme_fill_of(int shade) {
	return (struct fill){.is_shade = true, .shade = (uint8_t)shade};
}

struct fill shade_neutral(void) {
	return theme_fill_of(SHADE_NEUTRAL);
}

/** Return whether a name is the name of a function of the kernel, or no name of a function, such as
 * `[unknown]` or an address. */
static bool theme_is_quiet(struct str name) {
	return str_starts(name, STR("[")) || str_starts(name, STR("0x")) ||
	       str_ends(name, STR("_[k]"));
}

struct fill shade_of_name(struct str name) {
	if (theme_is_quiet(name)) {
		return shade_neutral();
	}
	// The hash is FNV-1a with a further mixing of its bits, so that names of one letter get
	// different shades, too.
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < name.n; i++) {
		hash = (hash ^ (unsigned char)name.p[i]) * UINT64_C(0x100000001b3);
	}
	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return theme_fill_of((int)(hash >> 59));
}

int shade_step(double share, const double steps[static SHADE_STEPS]) {
	int step = 0;
	for (size_t i = 0; i < SHADE_STEPS; i++) {
		step += share > steps[i];
	}
	return step;
}

struct fill shade_of_delta(uint64_t delta, uint64_t largest, bool less) {
	if (delta == 0) {
		return theme_fill_of(SHADE_NEUTRAL);
	}
	int step = shade_step((double)delta / (double)largest, (const double[]){DELTA_STEPS});
	return theme_fill_of((less ? SHADE_SHRANK : SHADE_GREW) + step);
}
