/* The whole profile in a few bytes a frame. */
#include "plot/pack.h"

#include <stdlib.h>

#include "base/deflate.h"
#include "base/num.h"
#include "plot/compare.h"
#include "plot/escape.h"
#include "plot/frames.h"

enum {
	VERSION = 1,
	MOST_VARINT32 = 5, // bytes
	MOST_VARINT64 = 10,
	MOST_BYTES = 4 << 20, // of a pack that --data=auto takes for all frames: over a million
	HAS_DELTAS = 1,
	HAS_GAPS = 2,
	HAS_HIDDEN_NAMES = 4,
	HAS_CHANGES = 8,
};

/** What is known of each frame beside the tree. A frame is left out if it counts less than `least`.
 */
struct packer {
	const struct picture *picture;
	const struct tree *tree;
	struct palette *palette;
	uint64_t least;
	uint64_t *inside; // by frame: the sum of what it called. NULL if frames have no gaps
	uint64_t *hidden; // by frame: the part of it that was left out. NULL as well
	size_t *path;     // the open frames of a walk, by depth
	size_t kept;
	uint64_t left_out, weight;
	uint32_t *names; // the ids that the names of the table have in the stacks
	size_t names_n;
	uint32_t *places; // by id of the stacks: where the name stands in `names`
	struct intern colours;
	struct buf colour_of_names;
	struct buf out;
};

/** Writes a number in groups of seven bits, the lowest first. Returns the place behind it. */
static unsigned char *put_varint(unsigned char *at, uint64_t value) {
	for (; value >= 0x80; value >>= 7) {
		*at++ = (unsigned char)(value | 0x80);
	}
	*at++ = (unsigned char)value;
	return at;
}

static void add_varint(struct buf *out, uint64_t value) {
	unsigned char *at = (unsigned char *)buf_room(out, MOST_VARINT64);
	out->n += (size_t)(put_varint(at, value) - at);
}

static void add_text(struct buf *out, struct str text) {
	add_varint(out, text.n);
	buf_add_str(out, text);
}

static bool is_kept(const struct packer *packer, const struct tree_frame *frame) {
	return frame->total >= packer->least || frame->depth == 0;
}

/* --- Sums ----------------------------------------------------------------------------------- */

static size_t count_kept(const struct packer *packer) {
	const struct tree *tree = packer->tree;
	size_t kept = 0;
	for (size_t i = 0; i < tree->n; i++) {
		kept += is_kept(packer, &tree->frames[i]);
	}
	return kept;
}

/** Sums up for every frame what it called, and what of that is left out. */
static void sum_up(struct packer *packer) {
	const struct tree *tree = packer->tree;
	packer->weight = 0;
	free(packer->inside);
	free(packer->hidden);
	packer->inside = mem_new(tree->n, sizeof(*packer->inside));
	packer->hidden = mem_new(tree->n, sizeof(*packer->hidden));
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		packer->path[frame->depth] = i;
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
}

/** Whether frames may start elsewhere than where those before them and their caller's own count
 * end. */
static bool has_gaps(const struct packer *packer) {
	return packer->inside != NULL;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** The id of a frame's name; the root, which has none, comes after all others. */
static uint32_t name_id(const struct packer *packer, const struct tree_frame *frame) {
	return frame->depth == 0 ? packer->picture->stacks->names.count : frame->name;
}

/** A name of the table. */
static struct str name_at(const struct packer *packer, size_t place) {
	const struct stacks *stacks = packer->picture->stacks;
	uint32_t id = packer->names[place];
	return id == stacks->names.count ? STR("") : stacks_name(stacks, id);
}

enum { NEVER = 33, RANKS };

/** The more often something is used, the lower; one step from a power of two to the next. */
static unsigned rank_of(uint32_t uses) {
	return uses == 0 ? NEVER : (unsigned)__builtin_clz(uses);
}

/**
 * Makes the table of names. What is used often shall have a low number, which takes fewer bits; but
 * names that stand in the order of the alphabet share their beginnings. So names are ordered by
 * rank, and those of one rank by their ids, which are in the order of the alphabet.
 */
static void order_names(struct packer *packer, const uint32_t *uses, const bool *seen, size_t ids) {
	size_t next[RANKS + 1] = {0}; // place for a name of that rank
	for (size_t id = 0; id < ids; id++) {
		next[rank_of(uses[id]) + 1] += seen[id];
	}
	for (size_t rank = 1; rank <= RANKS; rank++) {
		next[rank] += next[rank - 1];
	}
	packer->names_n = next[RANKS];
	packer->names = mem_new(packer->names_n, sizeof(*packer->names));
	for (size_t id = 0; id < ids; id++) {
		if (seen[id]) {
			size_t place = next[rank_of(uses[id])]++;
			packer->names[place] = (uint32_t)id;
			packer->places[id] = (uint32_t)place;
		}
	}
}

static void collect_names(struct packer *packer) {
	const struct tree *tree = packer->tree;
	size_t ids = packer->picture->stacks->names.count + (size_t)1;
	uint32_t *uses = mem_new(ids, sizeof(*uses)); // by id: how many frames have it
	bool *seen = mem_new(ids, sizeof(*seen));     // by id: some frame has it, perhaps left out
	free(packer->names);
	free(packer->places);
	packer->places = mem_new(ids, sizeof(*packer->places));
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		uint32_t id = name_id(packer, frame);
		uses[id] += is_kept(packer, frame);
		seen[id] = true;
	}
	order_names(packer, uses, seen, ids);
	free(uses);
	free(seen);
}

static void add_names(struct packer *packer) {
	struct str before = STR("");
	for (size_t i = 0; i < packer->names_n; i++) {
		struct str name = name_at(packer, i);
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
		struct fill fill = palette_of_name(packer->palette, name_at(packer, i), i);
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
		n += attrs_find(attrs, name_at(packer, i)) != NULL;
	}
	add_varint(&packer->out, n);
	for (size_t i = 0; i < packer->names_n && n > 0; i++) {
		const struct function_attrs *function = attrs_find(attrs, name_at(packer, i));
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

/*
 * Those that every picture has are written without looking for room at each number.
 */

/** Where a column of numbers goes that take up to `most` bytes each. */
static unsigned char *begin_column(struct packer *packer, size_t most) {
	return (unsigned char *)buf_room(&packer->out, mem_times(packer->kept, most));
}

static void end_column(struct packer *packer, const unsigned char *at) {
	packer->out.n = (size_t)((const char *)at - packer->out.p);
}

static void add_shape(struct packer *packer) {
	const struct tree_frame *frames = packer->tree->frames;
	uint32_t before = UINT32_MAX; // so that the root leaves no level
	unsigned char *at = begin_column(packer, MOST_VARINT32);
	for (size_t i = 0, n = packer->tree->n; i < n; i++) {
		if (is_kept(packer, &frames[i])) {
			at = put_varint(at, before + UINT32_C(1) - frames[i].depth);
			before = frames[i].depth;
		}
	}
	end_column(packer, at);
}

static void add_frame_names(struct packer *packer) {
	const struct tree_frame *frames = packer->tree->frames;
	const uint32_t *places = packer->places;
	unsigned char *at = begin_column(packer, MOST_VARINT32);
	for (size_t i = 0, n = packer->tree->n; i < n; i++) {
		if (is_kept(packer, &frames[i])) {
			at = put_varint(at, places[name_id(packer, &frames[i])]);
		}
	}
	end_column(packer, at);
}

/** What was counted in a frame itself. */
static uint64_t own_count(const struct packer *packer, size_t i) {
	const struct tree *tree = packer->tree;
	const struct tree_frame *frame = &tree->frames[i];
	if (has_gaps(packer)) {
		return frame->total - packer->inside[i];
	}
	// It comes first, so that what the frame called begins where it ends.
	bool calls = i + 1 < tree->n && tree->frames[i + 1].depth > frame->depth;
	return calls ? tree->frames[i + 1].start - frame->start : frame->total;
}

static void add_own(struct packer *packer) {
	unsigned char *at = begin_column(packer, MOST_VARINT64);
	for (size_t i = 0; i < packer->tree->n; i++) {
		if (is_kept(packer, &packer->tree->frames[i])) {
			at = put_varint(at, own_count(packer, i));
		}
	}
	end_column(packer, at);
}

/** Calls `add` for every frame that is kept. */
static void each_kept(struct packer *packer, void (*add)(struct packer *packer, size_t i)) {
	for (size_t i = 0; i < packer->tree->n; i++) {
		if (is_kept(packer, &packer->tree->frames[i])) {
			add(packer, i);
		}
	}
}

static void add_hidden(struct packer *packer, size_t i) {
	add_varint(&packer->out, packer->hidden[i]);
}

static void add_delta(struct packer *packer, size_t i) {
	const struct tree_delta *delta = tree_delta(packer->tree, &packer->tree->frames[i]);
	add_varint(&packer->out, delta == NULL ? 0 : delta->shrank ? 2 : 1);
	if (delta != NULL) {
		add_varint(&packer->out, delta->value);
	}
}

static void add_gaps(struct packer *packer) {
	uint64_t *ends = mem_new(packer->tree->levels + 1, sizeof(*ends)); // by depth
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

/** Writes everything into `out`. */
static void write_columns(struct packer *packer) {
	struct buf *out = &packer->out;
	bool deltas = packer->tree->deltas != NULL, gaps = has_gaps(packer),
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
	add_frame_names(packer);
	add_own(packer);
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
static void pack_frames(struct pack *pack, struct packer *packer, uint64_t least) {
	packer->least = least;
	packer->kept = count_kept(packer);
	packer->left_out = packer->tree->n - packer->kept;
	if (packer->left_out > 0 || !packer->tree->gapless) {
		sum_up(packer);
	}
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
static uint64_t least_for(const struct tree *tree, double wanted) {
	uint64_t *counts = mem_new(tree->n, sizeof(*counts));
	for (size_t i = 0; i < tree->n; i++) {
		counts[i] = tree->frames[i].total;
	}
	qsort(counts, tree->n, sizeof(*counts), by_count);
	size_t drop = wanted < (double)tree->n ? tree->n - (size_t)wanted : 0;
	// Of frames that count the same none stays if some have to go.
	uint64_t least = drop == 0 ? 0 : counts[drop - 1] + 1;
	free(counts);
	return least;
}

void pack_build(struct pack *pack, const struct picture *picture, struct palette *palette,
		uint64_t drawn) {
	const struct tree *tree = picture->tree;
	struct packer packer = {
		.picture = picture,
		.tree = tree,
		.palette = palette,
	};
	packer.path = mem_new(tree->levels, sizeof(*packer.path));
	pack_frames(pack, &packer, picture->options->data == DATA_VISIBLE ? drawn : 0);
	while (picture->options->data == DATA_AUTO && pack->bytes.n > MOST_BYTES &&
	       pack->least < drawn) {
		// A little fewer than would fit if all took the same; but all that are drawn.
		double wanted = 0.9 * (double)packer.kept * MOST_BYTES / (double)pack->bytes.n;
		uint64_t least = least_for(tree, wanted);
		pack_frames(pack, &packer, least < drawn ? least : drawn);
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

/** Three bytes as four digits. */
static void base64_group(char *at, unsigned bits) {
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	at[0] = digits[bits >> 18];
	at[1] = digits[bits >> 12 & 63];
	at[2] = digits[bits >> 6 & 63];
	at[3] = digits[bits & 63];
}

static void write_base64(struct output *out, struct str bytes) {
	enum { GROUPS = 1024 };
	char text[4 * GROUPS];
	const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
	size_t n = 0;
	for (; end - p >= 3; p += 3, n += 4) {
		if (n == sizeof(text)) {
			output_add(out, text, n);
			n = 0;
		}
		base64_group(text + n, (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2]);
	}
	output_add(out, text, n);
	if (p < end) {
		bool two = end - p == 2;
		base64_group(text, (unsigned)p[0] << 16 | (two ? (unsigned)p[1] << 8 : 0U));
		memcpy(text + (two ? 3 : 2), "==", two ? 1 : 2);
		output_add(out, text, 4);
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
