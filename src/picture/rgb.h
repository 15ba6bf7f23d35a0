/** A colour, read and written. */
#pragma once

#include "base/str.h"

struct rgb {
	uint8_t r, g, b;
};

/** Two colours, from top to bottom. */
struct gradient {
	struct rgb first, second;
};

enum { RGB_MAX = sizeof("rgb(255,255,255)") - 1 }; // bytes that the functions below need at most

/** Read `#rrggbb`. Return false for any other text. */
bool rgb_parse(struct str text, struct rgb *colour);

/** Return the colour in a text that rgb_parse() accepts. */
struct rgb rgb_of(const char *text);

/** Write `rgb(R,G,B)`, without a NUL. Return the number of bytes. */
size_t rgb_format(char *out, struct rgb colour);

/** Write `#rrggbb`, without a NUL. Return the number of bytes. */
size_t rgb_format_hex(char *out, struct rgb colour);

/** Return the contrast of two colours, 1 to 21, as WCAG defines it. */
double rgb_contrast(struct rgb a, struct rgb b);

/** Return whether black has less contrast with a colour than white. */
bool rgb_is_dark(struct rgb colour);
