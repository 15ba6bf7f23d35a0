/* Chooses the colour of a frame. */
#include "picture/palette.h"

#include <math.h>

#include "base/num.h"

/** A range of colours. Three numbers from 0 to 1 choose a colour of the range. Each channel is base
 * + floor(amplitude × number). */
struct hue {
	struct channel {
		uint8_t base, amplitude, number;
	} r, g, b;
};

static const struct hue hot = {{205, 50, 2}, {0, 230, 0}, {0, 55, 1}};
static const struct hue mem = {{0, 0, 0}, {190, 50, 1}, {0, 210, 0}};
static const struct hue io = {{80, 60, 0}, {80, 60, 0}, {190, 55, 1}};
// Ranges of colours for --style=modern, which differ from the style's own colours.
static const struct hue modern_hot = {{238, 14, 2}, {132, 78, 0}, {86, 30, 1}};
static const struct hue modern_mem = {{132, 30, 0}, {202, 26, 1}, {138, 62, 2}};
static const struct hue red = {{200, 55, 0}, {50, 80, 0}, {50, 80, 0}};
static const struct hue green = {{50, 60, 0}, {200, 55, 0}, {50, 60, 0}};
static const struct hue blue = {{80, 60, 0}, {80, 60, 0}, {205, 50, 0}};
static const struct hue yellow = {{175, 55, 0}, {175, 55, 0}, {50, 20, 0}};
static const struct hue purple = {{190, 65, 0}, {80, 60, 0}, {190, 65, 0}};
static const struct hue aqua = {{50, 60, 0}, {165, 55, 0}, {165, 55, 0}};
static const struct hue orange = {{190, 65, 0}, {90, 65, 0}, {0, 0, 0}};

static bool palette_starts_with_any(struct str name, const char *const *heads) {
	for (; *heads != NULL; heads++) {
		if (str_starts(name, str_of(*heads))) {
			return true;
		}
	}
	return false;
}

static const struct hue *palette_pick_java(struct str name) {
	if (name.n >= 4 && name.p[name.n - 1] == ']' &&
	    str_eq(str_to(str_from(name, name.n - 4), 2), STR("_["))) {
		switch (name.p[name.n - 2]) {
		case 'k':
			return &orange;
		case 'i':
			return &aqua;
		case 'j':
			return &green;
		default:
			break;
		}
	}
	if (str_has(name, STR("::")) || str_starts(name, STR("-[")) ||
	    str_starts(name, STR("+["))) {
		return &yellow;
	}
	if (str_starts(name, STR("L"))) {
		name = str_from(name, 1);
	}
	bool is_class = (str_find(name, '.') != STR_NONE && name.p[0] != '[') ||
			(name.n > 0 && name.p[0] >= 'A' && name.p[0] <= 'Z');
	return is_class || str_find(name, '/') != STR_NONE ? &green : &red;
}

static const struct hue *palette_pick_perl(struct str name) {
	if (str_ends(name, STR("_[k]"))) {
		return &orange;
	}
	if (str_has(name, STR("Perl")) || str_has(name, STR(".pl"))) {
		return &green;
	}
	return str_has(name, STR("::")) ? &yellow : &red;
}

/** Return whether a part of a path is `python` or `Python`, perhaps with a version after it. */
static bool palette_is_python(struct str part) {
	if (!str_starts(part, STR("python")) && !str_starts(part, STR("Python"))) {
		return false;
	}
	for (size_t i = strlen("python"); i < part.n; i++) {
		if (!is_digit(part.p[i]) && part.p[i] != '.') {
			return false;
		}
	}
	return true;
}

static const struct hue *palette_pick_python(struct str name) {
	static const char *const internals[] = {"<built-in", "<method", "<frozen", NULL};
	bool is_library = palette_starts_with_any(name, internals);
	for (size_t start = 0, i = 0; i <= name.n; i++) {
		if (i == name.n || name.p[i] == '/' || name.p[i] == '\\') {
			struct str part = str_from(str_to(name, i), start);
			if (str_eq(part, STR("site-packages"))) {
				return &aqua;
			}
			is_library |= palette_is_python(part);
			start = i + 1;
		}
	}
	return is_library ? &yellow : &red;
}

static const struct hue *palette_pick_js(struct str name) {
	size_t slash = str_find(name, '/');
	if (name.n > 0 && str_trim(name).n == 0) {
		return &green;
	}
	if (str_ends(name, STR("_[k]"))) {
		return &orange;
	}
	if (str_ends(name, STR("_[j]"))) {
		return slash != STR_NONE ? &green : &aqua;
	}
	if (str_has(name, STR("::"))) {
		return &yellow;
	}
	if (str_find(name, ':') != STR_NONE) {
		return &aqua;
	}
	if (slash == STR_NONE) {
		return &red;
	}
	struct str path = str_from(name, slash);
	return str_has(path, STR("node_modules/")) ? &purple
	       : str_has(path, STR(".js"))         ? &green
						   : &red;
}

static const struct hue *palette_pick_rust(struct str name) {
	static const char *const std[] = {
		"core::", "std::", "alloc::", "<core::", "<std::", "<alloc::", NULL};
	size_t tick = str_find(name, '`');
	name = tick == STR_NONE ? name : str_from(name, tick + 1);
	if (palette_starts_with_any(name, std) &&
	    !str_starts(name, STR("<core::future::from_generator::GenFuture<T>"))) {
		return &orange;
	}
	return str_has(name, STR("::")) ? &aqua : &yellow;
}

static const struct hue *palette_pick_chain(struct str name) {
	return str_has(name, STR("_[w]")) ? &aqua : &blue;
}

struct background {
	const char *name;
	struct gradient gradient;
};

static const struct background yellow_ground = {"yellow", {{0xee, 0xee, 0xee}, {0xee, 0xee, 0xb0}}};
static const struct background blue_ground = {"blue", {{0xee, 0xee, 0xee}, {0xe0, 0xe0, 0xff}}};
static const struct background green_ground = {"green", {{0xee, 0xf2, 0xee}, {0xe0, 0xff, 0xe0}}};
static const struct background grey_ground = {"grey", {{0xf8, 0xf8, 0xf8}, {0xe8, 0xe8, 0xe8}}};

/** All palettes. Each has a name, a hue, a function, and a background. If the hue is NULL, the
 * function chooses the hue by the name of the frame. */
// clang-format off
#define PALETTES(palette) \
	palette("aqua",   &aqua,   NULL,        grey) \
	palette("blue",   &blue,   NULL,        grey) \
	palette("chain",  NULL,    palette_pick_chain,  blue) \
	palette("green",  &green,  NULL,        grey) \
	palette("hot",    &hot,    NULL,        yellow) \
	palette("io",     &io,     NULL,        blue) \
	palette("java",   NULL,    palette_pick_java,   yellow) \
	palette("js",     NULL,    palette_pick_js,     yellow) \
	palette("mem",    &mem,    NULL,        green) \
	palette("orange", &orange, NULL,        grey) \
	palette("perl",   NULL,    palette_pick_perl,   yellow) \
	palette("purple", &purple, NULL,        grey) \
	palette("python", NULL,    palette_pick_python, yellow) \
	palette("red",    &red,    NULL,        grey) \
	palette("rust",   NULL,    palette_pick_rust,   yellow) \
	palette("wakeup", &aqua,   NULL,        blue) \
	palette("yellow", &yellow, NULL,        grey)
// clang-format on

#define NAME(name, hue, pick, ground) name,
const char *const palette_names[] = {PALETTES(NAME) NULL};
#undef NAME

#define SCHEME(name, hue, pick, ground) {hue, pick, &ground##_ground},
static const struct scheme {
	const struct hue *hue;
	const struct hue *(*pick)(struct str name); // used if hue is NULL
	const struct background *background;
} schemes[] = {PALETTES(SCHEME)};
#undef SCHEME

bool palette_has_wakers(unsigned palette) {
	return schemes[palette].pick == palette_pick_chain;
}

bool gradient_parse(const char *text, struct gradient *gradient) {
	static const struct background *const all[] = {&yellow_ground, &blue_ground, &green_ground,
						       &grey_ground};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i]->name, text) == 0) {
			*gradient = all[i]->gradient;
			return true;
		}
	}
	if (!rgb_parse(str_of(text), &gradient->first)) {
		return false;
	}
	gradient->second = gradient->first;
	return true;
}

struct gradient palette_background(unsigned palette) {
	return schemes[palette].background->gradient;
}

/*
 * The three numbers that choose a colour from a hue. All arithmetic is in single precision, and
 * each step is rounded, so that a name has the same colour on all machines.
 */

struct numbers {
	float v[3];
};

static uint64_t palette_next_state(struct palette *palette) {
	uint64_t s = palette->random;
	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	palette->random = s;
	return s;
}

static float palette_next_random(struct palette *palette) {
	return (float)((double)(palette_next_state(palette) >> 11) / 0x1p53);
}

/** Return a number from the first characters of a name, or, if `reversed`, from the last
 * characters, beginning at the end. The first of these characters has the greatest weight. */
static float palette_weigh_name(struct str name, bool reversed) {
	enum { FIRST_MODULUS = 10, COUNTED = 3 };
	size_t skip = 0;
	for (size_t i = 1; i < name.n && skip == 0; i++) {
		skip = name.p[reversed ? name.n - 1 - i : i] == '`'
			       ? i + 1
			       : 0; // skip the name of a module
	}
	float weight = 1, sum = 0, most = 1;
	for (size_t i = 0; i < COUNTED && skip + i < name.n; i++) {
		size_t at = reversed ? name.n - 1 - skip - i : skip + i;
		unsigned modulus = FIRST_MODULUS + (unsigned)i;
		float value = weight * (float)((unsigned char)name.p[at] % modulus);
		value /= (float)(modulus - 1);
		sum += value;
		most += weight;
		weight *= 0.7f;
	}
	float share = sum / most;
	return 1 - share;
}

/** Return three numbers from 0 to 1, made from the FNV-1a hash of the name and from two multiples
 * of this hash. */
static struct numbers palette_hash_name(struct str name) {
	const uint64_t offset = UINT64_C(0xcbf29ce484222325), prime = UINT64_C(0x100000001b3);
	uint64_t hash = offset;
	for (size_t i = 0; i < name.n; i++) {
		hash = (hash ^ (unsigned char)name.p[i]) * prime;
	}
	struct numbers numbers;
	for (size_t i = 0; i < 3; i++) {
		numbers.v[i] = (float)((double)hash / 0x1p64);
		hash *= prime;
	}
	return numbers;
}

static struct numbers palette_numbers_of(struct palette *palette, struct str name) {
	if (palette->design->colours.deterministic) {
		return palette_hash_name(name);
	}
	struct numbers numbers;
	if (palette->design->colours.hash) {
		numbers.v[0] = palette_weigh_name(name, false);
		numbers.v[1] = numbers.v[2] = palette_weigh_name(name, true);
	} else {
		for (size_t i = 0; i < 3; i++) {
			numbers.v[i] = palette_next_random(palette);
		}
	}
	return numbers;
}

static uint8_t palette_mix(struct channel channel, struct numbers numbers) {
	float more = (float)channel.amplitude * numbers.v[channel.number];
	return (uint8_t)(channel.base + (unsigned)more);
}

static struct rgb palette_from_numbers(const struct palette *palette, struct str name,
				       struct numbers numbers) {
	const struct scheme *scheme = &schemes[palette->design->colours.colors];
	const struct hue *hue = scheme->hue != NULL ? scheme->hue : scheme->pick(name);
	if (palette->design->modern) {
		hue = hue == &hot ? &modern_hot : hue == &mem ? &modern_mem : hue;
	}
	return (struct rgb){palette_mix(hue->r, numbers), palette_mix(hue->g, numbers),
			    palette_mix(hue->b, numbers)};
}

static struct rgb palette_from_hue(struct palette *palette, struct str name) {
	return palette_from_numbers(palette, name, palette_numbers_of(palette, name));
}

/** Return the colour of a difference: white for no difference, and red for a difference, or blue if
 * `less`. The larger the difference, the stronger the colour. */
static struct rgb palette_from_scale(uint64_t delta, uint64_t largest, bool less) {
	if (delta == 0) {
		return (struct rgb){DELTA_NONE, DELTA_NONE, DELTA_NONE};
	}
	uint8_t rest = (uint8_t)(DELTA_LARGEST + num_share(largest - delta, largest, DELTA_RANGE));
	return less ? (struct rgb){rest, rest, 255} : (struct rgb){255, rest, rest};
}

static struct rgb palette_from_width(double percent) {
	enum { STEPS = 2000 };
	return palette_from_scale((uint64_t)(STEPS * sqrt(percent / 100)), STEPS, false);
}

/** Set the colour of a name that separates parts of a stack. Return false for any other name. */
static bool palette_separator_colour(struct str name, struct rgb *colour) {
	bool is_dashes = str_eq(name, STR("--")), is_dash = str_eq(name, STR("-"));
	*colour = is_dashes ? (struct rgb){160, 160, 160} : (struct rgb){200, 200, 200};
	return is_dashes || is_dash;
}

/** Return a colour as it is drawn: --style=modern makes it light enough for black text. */
static struct fill palette_fill_of(const struct palette *palette, struct rgb colour) {
	enum { WHITE = 255, STEP = 8 };
	const double enough = 4.5;
	while (palette->design->modern && rgb_contrast(colour, (struct rgb){0}) < enough) {
		uint8_t *const channels[] = {&colour.r, &colour.g, &colour.b};
		for (size_t i = 0; i < 3; i++) {
			*channels[i] =
				(uint8_t)(*channels[i] + (WHITE - *channels[i] + STEP - 1) / STEP);
		}
	}
	return (struct fill){.colour = colour};
}

/** The meanings of the hues of a palette. An item without text ends the list. */
static const struct hue_meanings {
	const struct hue *(*pick)(struct str name);
	struct {
		const struct hue *hue;
		const char *text;
	} hues[MEANINGS_MOST];
} hue_meanings[] = {
	{palette_pick_java,
	 {{&green, "Java"},
	  {&aqua, "inlined"},
	  {&yellow, "C++"},
	  {&orange, "kernel"},
	  {&red, "other"}}},
	{palette_pick_js,
	 {{&green, "JavaScript"},
	  {&purple, "node_modules"},
	  {&aqua, "built-in"},
	  {&yellow, "C++"},
	  {&orange, "kernel"},
	  {&red, "other"}}},
	{palette_pick_perl,
	 {{&green, "Perl"}, {&yellow, "C++"}, {&orange, "kernel"}, {&red, "other"}}},
	{palette_pick_python,
	 {{&yellow, "standard library"}, {&aqua, "site-packages"}, {&red, "other"}}},
	{palette_pick_rust,
	 {{&orange, "standard library"}, {&aqua, "other Rust"}, {&yellow, "other"}}},
	{palette_pick_chain, {{&blue, "waiting thread"}, {&aqua, "waker"}}},
};

size_t palette_meanings(const struct palette *palette,
			struct palette_meaning meanings[static MEANINGS_MOST]) {
	const struct design *design = palette->design;
	const struct numbers middle = {{0.5f, 0.5f, 0.5f}};
	size_t n = 0;
	for (size_t i = 0; i < sizeof(hue_meanings) / sizeof(hue_meanings[0]); i++) {
		const struct hue_meanings *of = &hue_meanings[i];
		bool has = !design->colours.shaded && !design->colours.colordiffusion &&
			   schemes[design->colours.colors].pick == of->pick;
		for (; has && n < MEANINGS_MOST && of->hues[n].text != NULL; n++) {
			const struct hue *hue = of->hues[n].hue;
			struct rgb colour = {palette_mix(hue->r, middle),
					     palette_mix(hue->g, middle),
					     palette_mix(hue->b, middle)};
			meanings[n] = (struct palette_meaning){palette_fill_of(palette, colour),
							       of->hues[n].text};
		}
	}
	return n;
}

static struct rgb palette_colour_of_name(struct palette *palette, struct str name, size_t place) {
	enum { LEVELS = 16 };
	const struct design *design = palette->design;
	struct rgb colour;
	if (palette_separator_colour(name, &colour)) {
		return colour;
	}
	if (design->colours.colordiffusion) {
		return palette_from_width(0);
	}
	const struct rgb *known = design->colours.cp ? palette_map_find(&palette->map, name) : NULL;
	if (known != NULL) {
		return *known;
	}
	if (design->colours.hash || design->colours.deterministic) {
		return palette_from_hue(palette, name);
	}
	float level = (float)(place % LEVELS) / LEVELS;
	return palette_from_numbers(palette, name, (struct numbers){{level, level, level}});
}

struct fill palette_of_name(struct palette *palette, struct str name, size_t place) {
	struct rgb ignored;
	if (palette->design->colours.shaded) {
		bool is_neutral = name.n == 0 || palette_separator_colour(name, &ignored);
		return is_neutral ? shade_neutral() : shade_of_name(name);
	}
	return palette_fill_of(palette, palette_colour_of_name(palette, name, place));
}

static struct rgb palette_colour_of(struct palette *palette, const struct box *box, struct str name,
				    const struct tree *tree) {
	const struct design *design = palette->design;
	struct rgb colour;
	if (palette_separator_colour(name, &colour)) {
		return colour;
	}
	if (design->colours.colordiffusion) {
		return palette_from_width(box->width);
	}
	const struct tree_delta *delta = tree_delta(tree, box->frame);
	if (delta != NULL) {
		return palette_from_scale(delta->value, tree->largest_delta,
					  delta->shrank != design->colours.negate);
	}
	if (!design->colours.cp) {
		return palette_from_hue(palette, name);
	}
	const struct rgb *known = palette_map_find(&palette->map, name);
	if (known != NULL) {
		return *known;
	}
	colour = palette_from_hue(palette, name);
	palette_map_set(&palette->map, name, colour);
	return colour;
}

/** Return the fill of a box in --style=modern. */
static struct fill palette_modern_fill(struct palette *palette, const struct box *box,
				       struct str name, const struct tree *tree) {
	const struct design *design = palette->design;
	const struct tree_delta *delta = tree_delta(tree, box->frame);
	if (box->frame->depth == 0) {
		return shade_neutral();
	}
	if (delta != NULL && !design->colours.colordiffusion) {
		return shade_of_delta(delta->value, tree->largest_delta,
				      delta->shrank != design->colours.negate);
	}
	return design->colours.shaded
		       ? palette_of_name(palette, name, 0)
		       : palette_fill_of(palette, palette_colour_of(palette, box, name, tree));
}

/** Skip a box without a colour, but advance the random numbers, so that the colours of the other
 * boxes do not change. */
static void palette_pass_over(struct palette *palette, struct str name) {
	struct rgb ignored;
	if (palette_separator_colour(name, &ignored)) {
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		palette_next_state(palette);
	}
}

void palette_paint(struct palette *palette, struct layout *layout, const struct profile *profile,
		   const struct tree *tree, double least_drawn) {
	for (size_t i = 0; i < layout->n; i++) {
		struct box *box = &layout->boxes[i];
		struct str name = tree_name(profile, box->frame);
		if (box->width < least_drawn &&
		    !palette->design->colours.cp) { // true for most boxes in large pictures
			palette_pass_over(palette, name);
			continue;
		}
		box->fill = palette->design->modern
				    ? palette_modern_fill(palette, box, name, tree)
				    : (struct fill){.colour = palette_colour_of(palette, box, name,
										tree)};
	}
}

int palette_init(struct palette *palette, const struct design *design, struct diag *diag) {
	enum { SEED = 1234 };
	palette->design = design;
	palette->random = SEED;
	return design->colours.cp ? palette_map_read(&palette->map, diag) : 0;
}

int palette_save(struct palette *palette, struct diag *diag) {
	return palette->design->colours.cp ? palette_map_write(&palette->map, diag) : 0;
}

void palette_release(struct palette *palette) {
	palette_map_release(&palette->map);
}
