/* The whole profile in a few bytes a frame. */
#include "plot/pack.h"

#include <math.h>
#include <stdlib.h>

#include "base/deflate.h"
#include "base/num.h"
#include "plot/compare.h"
#include "plot/escape.h"
#include "plot/frames.h"

enum {
	VERSION = 1,
	MOST_BYTES = 4 << 20, // of a pack that --data=auto takes for all frames: over a million
	HAS_DELTAS = 1,
	HAS_GAPS = 2,
	HAS_HIDDEN_NAMES = 4,
	HAS_CHANGES = 8,
};

/** A name of the table, with what orders the table. */
struct packed_name {
	struct str text;
	uint32_t id; // of the stacks
	unsigned rank;
	uint64_t uses; // how many frames have it
};

/** What is known of each frame beside the tree. A frame is left out if it counts less than `least`.
 */
struct packer {
	const struct picture *picture;
	const struct tree *tree;
	struct palette *palette;
	double least;
	uint64_t *inside; // by frame: the sum of what it called
	uint64_t *hidden; // by frame: the part of it that was left out
	size_t *path;     // the open frames of a walk, by depth
	size_t levels;
	size_t kept;
	uint64_t left_out, weight;
	struct packed_name *names; // the root's first
	size_t names_n;
	uint32_t *places; // by id of the stacks: where the name stands in `names`
	struct intern colours;
	struct buf colour_of_names;
	struct buf out;
};

static void add_long_varint(struct buf *out, uint64_t value) {
	enum { MOST = 10 };
	unsigned char *at = (unsigned char *)buf_room(out, MOST);
	size_t n = 0;
	for (; value >= 0x80; value >>= 7) {
		at[n++] = (unsigned char)(value | 0x80);
	}
	at[n++] = (unsigned char)value;
	out->n += n;
}

/** Adds a number in groups of seven bits, the lowest first. Most take one byte. */
static void add_varint(struct buf *out, uint64_t value) {
	if (value < 0x80 && out->n < out->capacity) {
		out->p[out->n++] = (char)value;
	} else {
		add_long_varint(out, value);
	}
}

static void add_text(struct buf *out, struct str text) {
	add_varint(out, text.n);
	buf_add_str(out, text);
}

static size_t count_levels(const struct tree *tree) {
	size_t levels = 0;
	for (size_t i = 0; i < tree->n; i++) {
		levels = tree->frames[i].depth >= levels ? tree->frames[i].depth + (size_t)1
							 : levels;
	}
	return levels;
}

static bool is_kept(const struct packer *packer, const struct tree_frame *frame) {
	return (double)frame->total >= packer->least || frame->depth == 0;
}

/* --- Sums ----------------------------------------------------------------------------------- */

/** Sums up for every frame what it called, and what of that is left out. */
static void sum_up(struct packer *packer) {
	const struct tree *tree = packer->tree;
	packer->kept = packer->left_out = packer->weight = 0;
	memset(packer->inside, 0, tree->n * sizeof(*packer->inside));
	memset(packer->hidden, 0, tree->n * sizeof(*packer->hidden));
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		packer->path[frame->depth] = i;
		packer->kept += is_kept(packer, frame);
		if (frame->depth == 0) {
			continue;
		}
		size_t caller = packer->path[frame->depth - 1];
		packer->inside[caller] += frame->total;
		if (!is_kept(packer, frame) && is_kept(packer, &tree->frames[caller])) {
			packer->hidden[caller] += frame->total;
			packer->weight += frame->total;
		}
	}
	packer->left_out = tree->n - packer->kept;
}

/** Whether some frame does not start where those before it and its caller's own count end. */
static bool has_gaps(const struct packer *packer) {
	const struct tree *tree = packer->tree;
	uint64_t *ends = mem_new(packer->levels + 1, sizeof(*ends)); // by depth
	bool found = packer->left_out > 0;
	for (size_t i = 0; i < tree->n && !found; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		found = frame->start != ends[frame->depth];
		ends[frame->depth] = frame->start + frame->total;
		ends[frame->depth + 1] = frame->start + frame->total - packer->inside[i];
	}
	free(ends);
	return found;
}

/* --- Names ---------------------------------------------------------------------------------- */

static int by_uses(const void *a, const void *b) {
	const struct packed_name *x = a, *y = b;
	return x->uses != y->uses ? (x->uses < y->uses ? 1 : -1) : str_compare(x->text, y->text);
}

static int by_rank(const void *a, const void *b) {
	const struct packed_name *x = a, *y = b;
	return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : str_compare(x->text, y->text);
}

/**
 * Orders the names. What is used often shall have a low number, which takes fewer bits; but names
 * that stand in the order of the alphabet share their beginnings. So the order by use is kept in
 * steps of two, and within a step that of the alphabet.
 */
static void order_names(struct packer *packer) {
	qsort(packer->names, packer->names_n, sizeof(*packer->names), by_uses);
	for (size_t i = 0, rank = 0; i < packer->names_n; i++) {
		rank += i >> rank > 0;
		packer->names[i].rank = (unsigned)rank;
	}
	qsort(packer->names, packer->names_n, sizeof(*packer->names), by_rank);
	for (size_t i = 0; i < packer->names_n; i++) {
		packer->places[packer->names[i].id] = (uint32_t)i;
	}
}

/** The id of a frame's name; the root, which has none, comes after all others. */
static uint32_t name_id(const struct packer *packer, const struct tree_frame *frame) {
	return frame->depth == 0 ? packer->picture->stacks->names.count : frame->name;
}

static void collect_names(struct packer *packer) {
	const struct tree *tree = packer->tree;
	size_t ids = packer->picture->stacks->names.count + (size_t)1;
	packer->names = mem_new(ids, sizeof(*packer->names));
	packer->places = mem_new(ids, sizeof(*packer->places)); // at first 1 + index
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		uint32_t *place = &packer->places[name_id(packer, frame)];
		if (*place == 0) {
			packer->names[packer->names_n++] = (struct packed_name){
				.text = tree_name(packer->picture->stacks, frame),
				.id = name_id(packer, frame),
			};
			*place = (uint32_t)packer->names_n;
		}
		packer->names[*place - 1].uses += is_kept(packer, frame);
	}
	order_names(packer);
}

static void add_names(struct packer *packer) {
	struct str before = STR("");
	for (size_t i = 0; i < packer->names_n; i++) {
		struct str name = packer->names[i].text;
		size_t shared = str_common_prefix(name, before);
		add_varint(&packer->out, shared);
		add_text(&packer->out, str_from(name, shared));
		before = name;
	}
}

/* --- What belongs to names ------------------------------------------------------------------ */

/** Finds the distinct colours, and for each name which one it has; or the number of its shade. */
static void collect_colours(struct packer *packer) {
	for (size_t i = 0; i < packer->names_n; i++) {
		struct fill fill = palette_of_name(packer->palette, packer->names[i].text, i);
		if (fill.is_shade) {
			add_varint(&packer->colour_of_names, fill.shade);
			continue;
		}
		const unsigned char bytes[] = {fill.colour.r, fill.colour.g, fill.colour.b};
		add_varint(&packer->colour_of_names,
			   intern_get(&packer->colours, bytes, sizeof(bytes))->id);
	}
}

static void add_colours(struct packer *packer) {
	for (uint32_t i = 0; i < packer->colours.count; i++) {
		buf_add_str(&packer->out, intern_str(packer->colours.keys[i]));
	}
	buf_add_str(&packer->out, buf_str(&packer->colour_of_names));
}

static int write_to_buf(void *buf, const void *bytes, size_t len) {
	buf_add(buf, bytes, len);
	return 0;
}

/** Adds what --nameattr gives to the frames of a name. */
static void add_function(struct packer *packer, size_t place,
			 const struct function_attrs *function) {
	struct buf attrs = {0};
	struct output out;
	output_init(&out, write_to_buf, &attrs);
	frames_write_attrs(&out, function);
	output_finish(&out);
	add_varint(&packer->out, place);
	add_varint(&packer->out, function->is_link);
	add_text(&packer->out, buf_str(&attrs));
	add_varint(&packer->out, function->has_title);
	if (function->has_title) {
		add_text(&packer->out, function->title);
	}
	output_release(&out);
	buf_release(&attrs);
}

static void add_functions(struct packer *packer) {
	const struct attrs *attrs = packer->picture->attrs;
	size_t n = 0;
	for (size_t i = 0; i < packer->names_n; i++) {
		n += attrs_find(attrs, packer->names[i].text) != NULL;
	}
	add_varint(&packer->out, n);
	for (size_t i = 0; i < packer->names_n && n > 0; i++) {
		const struct function_attrs *function = attrs_find(attrs, packer->names[i].text);
		if (function != NULL) {
			add_function(packer, i, function);
		}
	}
}

/**
 * Adds for each name what the stacks count in which only frames that were left out have it. So the
 * viewer knows how much a search for it misses.
 */
static void add_hidden_names(struct packer *packer) {
	const struct tree *tree = packer->tree;
	uint64_t *hidden = mem_new(packer->names_n, sizeof(*hidden));
	uint32_t *open = mem_new(packer->names_n, sizeof(*open)); // how often a name is on the path
	size_t depth = 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		for (; depth > frame->depth; depth--) {
			open[packer->places[name_id(packer,
						    &tree->frames[packer->path[depth - 1]])]]--;
		}
		uint32_t place = packer->places[name_id(packer, frame)];
		if (!is_kept(packer, frame) && open[place] == 0) {
			hidden[place] += frame->total;
		}
		open[place]++;
		packer->path[depth++] = i;
	}
	for (size_t i = 0; i < packer->names_n; i++) {
		add_varint(&packer->out, hidden[i]);
	}
	free(hidden);
	free(open);
}

/* --- Columns -------------------------------------------------------------------------------- */

/** Calls `add` for every frame that is kept. */
static void each_kept(struct packer *packer, void (*add)(struct packer *packer, size_t i)) {
	for (size_t i = 0; i < packer->tree->n; i++) {
		if (is_kept(packer, &packer->tree->frames[i])) {
			add(packer, i);
		}
	}
}

static void add_shape(struct packer *packer) {
	uint32_t before = UINT32_MAX; // so that the root leaves no level
	for (size_t i = 0; i < packer->tree->n; i++) {
		const struct tree_frame *frame = &packer->tree->frames[i];
		if (is_kept(packer, frame)) {
			add_varint(&packer->out, before + UINT32_C(1) - frame->depth);
			before = frame->depth;
		}
	}
}

static void add_name(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->places[name_id(packer, &packer->tree->frames[i])]);
}

static void add_own(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->tree->frames[i].total - packer->inside[i]);
}

static void add_hidden(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->hidden[i]);
}

static void add_delta(struct packer *packer, size_t i) {
	const struct tree_frame *frame = &packer->tree->frames[i];
	add_varint(&packer->out, !frame->has_delta ? 0 : frame->shrank ? 2 : 1);
	if (frame->has_delta) {
		add_varint(&packer->out, frame->delta);
	}
}

static void add_gaps(struct packer *packer) {
	uint64_t *ends = mem_new(packer->levels + 1, sizeof(*ends)); // by depth
	for (size_t i = 0; i < packer->tree->n; i++) {
		const struct tree_frame *frame = &packer->tree->frames[i];
		if (is_kept(packer, frame)) {
			add_varint(&packer->out, frame->start - ends[frame->depth]);
			ends[frame->depth] = frame->start + frame->total;
			ends[frame->depth + 1] = frame->start;
		}
	}
	free(ends);
}

static void add_before(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->tree->changes[i].own.before);
}

static void add_after(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->tree->changes[i].own.after);
}

static bool has_deltas(const struct tree *tree) {
	for (size_t i = 0; i < tree->n; i++) {
		if (tree->frames[i].has_delta) {
			return true;
		}
	}
	return false;
}

/** Writes everything into `out`. */
static void write_columns(struct packer *packer) {
	struct buf *out = &packer->out;
	bool deltas = has_deltas(packer->tree), gaps = has_gaps(packer),
	     hidden = packer->left_out > 0;
	buf_clear(out);
	add_varint(out, VERSION);
	add_varint(out, (deltas ? HAS_DELTAS : 0U) | (gaps ? HAS_GAPS : 0U) |
				(hidden ? HAS_HIDDEN_NAMES : 0U) |
				(packer->tree->changes != NULL ? HAS_CHANGES : 0U));
	add_varint(out, packer->kept);
	add_varint(out, packer->names_n);
	add_varint(out, packer->colours.count);
	add_shape(packer);
	each_kept(packer, add_name);
	each_kept(packer, add_own);
	if (gaps) {
		each_kept(packer, add_hidden);
		add_gaps(packer);
	}
	if (deltas) {
		each_kept(packer, add_delta);
	}
	if (packer->tree->changes != NULL) {
		each_kept(packer, add_before);
		each_kept(packer, add_after);
	}
	add_names(packer);
	add_colours(packer);
	add_functions(packer);
	if (hidden) {
		add_hidden_names(packer);
	}
}

/** Packs the frames that count `least` or more into `pack`. */
static void pack_frames(struct pack *pack, struct packer *packer, double least) {
	packer->least = least;
	sum_up(packer);
	free(packer->names);
	free(packer->places);
	packer->names_n = 0;
	collect_names(packer);
	buf_clear(&packer->colour_of_names);
	collect_colours(packer);
	write_columns(packer);
	buf_clear(&pack->bytes);
	pack->deflated = deflate_add(&pack->bytes, buf_str(&packer->out));
	if (!pack->deflated) {
		buf_add_str(&pack->bytes, buf_str(&packer->out));
	}
	pack->least = least;
	pack->left_out = packer->left_out;
	pack->weight = packer->weight;
}

/* --- How much goes in ----------------------------------------------------------------------- */

static int by_count(const void *a, const void *b) {
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/** The least count that leaves `wanted` frames or fewer. */
static double least_for(const struct tree *tree, double wanted) {
	uint64_t *counts = mem_new(tree->n, sizeof(*counts));
	for (size_t i = 0; i < tree->n; i++) {
		counts[i] = tree->frames[i].total;
	}
	qsort(counts, tree->n, sizeof(*counts), by_count);
	size_t drop = wanted < (double)tree->n ? tree->n - (size_t)wanted : 0;
	// Of frames that count the same none stays if some have to go.
	double least = drop == 0 ? 0 : (double)counts[drop - 1] + 1;
	free(counts);
	return least;
}

void pack_build(struct pack *pack, const struct picture *picture, struct palette *palette,
		double drawn) {
	const struct tree *tree = picture->tree;
	struct packer packer = {
		.picture = picture,
		.tree = tree,
		.palette = palette,
		.inside = mem_new(tree->n, sizeof(uint64_t)),
		.hidden = mem_new(tree->n, sizeof(uint64_t)),
		.levels = count_levels(tree),
	};
	packer.path = mem_new(packer.levels, sizeof(*packer.path));
	pack_frames(pack, &packer, picture->options->data == DATA_VISIBLE ? drawn : 0);
	while (picture->options->data == DATA_AUTO && pack->bytes.n > MOST_BYTES &&
	       pack->least < drawn) {
		// A little fewer than would fit if all took the same; but all that are drawn.
		double wanted = 0.9 * (double)packer.kept * MOST_BYTES / (double)pack->bytes.n;
		pack_frames(pack, &packer, fmin(least_for(tree, wanted), drawn));
	}
	free(packer.inside);
	free(packer.hidden);
	free(packer.path);
	free(packer.names);
	free(packer.places);
	intern_release(&packer.colours);
	buf_release(&packer.colour_of_names);
	buf_release(&packer.out);
}

/* --- The element ---------------------------------------------------------------------------- */

static void write_base64(struct output *out, struct str bytes) {
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)bytes.p;
	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
		unsigned bits = (unsigned)p[i] << 16 | (n > 1 ? (unsigned)p[i + 1] << 8 : 0U) |
				(n > 2 ? p[i + 2] : 0U);
		const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63],
				     n > 1 ? digits[bits >> 6 & 63] : '=',
				     n > 2 ? digits[bits & 63] : '='};
		output_add(out, four, sizeof(four));
	}
}

void pack_write(struct output *out, const struct picture *picture) {
	const struct plot_options *options = picture->options;
	const struct pack *pack = picture->pack;
	char digits[NUM_EXACT_MAX];
	output_add_text(out, "<metadata id=\"profile\" data-coding=\"");
	output_add_text(out, pack->deflated ? "deflate" : "none");
	output_add_text(out, "\" data-countname=\"");
	escape_xml(out, str_of(options->countname));
	output_add_text(out, "\" data-factor=\"");
	output_add(out, digits, num_format_exact(digits, options->factor));
	output_add_text(out, options->negate ? "\" data-negate=\"true" : "");
	if (picture->compared != NULL) {
		compare_write_attributes(out, picture->compared);
	}
	output_add_text(out, options->colordiffusion ? "\" data-diffusion=\"true" : "");
	output_add_text(out, "\">");
	write_base64(out, buf_str(&pack->bytes));
	output_add_text(out, "</metadata>");
}

void pack_release(struct pack *pack) {
	buf_release(&pack->bytes);
	*pack = (struct pack){0};
}
