/* The whole profile in a few bytes a frame. */
#include "plot/pack.h"

#include <math.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/num.h"
#include "plot/choice.h"
#include "plot/compare.h"
#include "plot/escape.h"
#include "plot/frames.h"
#include "viewer-constants.h"

enum {
	MOST_VARINT32 = 5, // bytes
	MOST_VARINT64 = 10,
	MOST_BYTES = 4 << 20, // of a pack of --data=auto: over a million frames
};

#define NO_PLACE UINT32_MAX

/** The state of packing. */
struct packer {
	const struct picture *picture;
	const struct tree *tree;
	struct palette *palette;
	struct choice choice;
	const struct offer *offer; // that the choice was made from; NULL: all names go in
	size_t kept;               // how many frames go in
	size_t *frames;            // their places in the tree; NULL: all frames go in
	uint64_t *inside; // by kept frame: the total of its callees; NULL if frames have no gaps
	uint64_t *hidden; // by kept frame: the total of its left-out callees; or NULL, too
	size_t *path;     // the open frames of a walk, by depth
	uint64_t left_out, weight;
	size_t unnamed;
	uint32_t *names; // the table: ids of names
	size_t names_n;
	uint32_t *places; // by id: the index in `names`, or NO_PLACE
	struct intern colours;
	struct buf colour_of_names;
	struct buf out;
};

/** Write a number in groups of seven bits, the lowest first. Return the place after it. */
static unsigned char *put_varint(unsigned char *at, uint64_t value) {
	for (; value >= 0x80; value >>= 7) {
		*at++ = (unsigned char)(value | 0x80);
	}
	*at++ = (unsigned char)value;
	return at;
}

void pack_add_number(struct buf *out, uint64_t value) {
	unsigned char *at = (unsigned char *)buf_room(out, MOST_VARINT64);
	out->n += (size_t)(put_varint(at, value) - at);
}

void pack_add_text(struct buf *out, struct str text) {
	pack_add_number(out, text.n);
	buf_add_str(out, text);
}

/** Return the place in the tree of a frame that is kept. */
static size_t place_of(const struct packer *packer, size_t kept) {
	return packer->frames == NULL ? kept : packer->frames[kept];
}

static const struct tree_frame *frame_at(const struct packer *packer, size_t kept) {
	return &packer->tree->frames[place_of(packer, kept)];
}

/* --- Sums ----------------------------------------------------------------------------------- */

static size_t count_kept(const struct packer *packer) {
	const struct tree *tree = packer->tree;
	size_t kept = 0;
	for (size_t i = 0; i < tree->n; i++) {
		kept += choice_has(&packer->choice, &tree->frames[i], i);
	}
	return kept;
}

/** Find the frames that are kept, the totals of their callees, and the part that is left out. */
static void sum_up(struct packer *packer) {
	const struct tree *tree = packer->tree;
	size_t kept = 0;
	packer->frames = mem_new(packer->kept, sizeof(*packer->frames));
	packer->inside = mem_new(packer->kept, sizeof(*packer->inside));
	packer->hidden = mem_new(packer->kept, sizeof(*packer->hidden));
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		bool is_kept = choice_has(&packer->choice, frame, i);
		size_t caller = frame->depth == 0 ? SIZE_MAX : packer->path[frame->depth - 1];
		packer->path[frame->depth] = is_kept ? kept : SIZE_MAX;
		if (is_kept) {
			packer->frames[kept++] = i;
		}
		if (caller == SIZE_MAX) {
			continue;
		}
		packer->inside[caller] += frame->total;
		if (!is_kept) {
			packer->hidden[caller] += frame->total;
			packer->weight += frame->total;
		}
	}
}

/** Return whether frames may start after a gap, not only right after the own count of their caller
 * or after the callee before them. */
static bool has_gaps(const struct packer *packer) {
	return packer->inside != NULL;
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Return the id of a frame's name. The root has none, so its id comes after all others. */
static uint32_t name_id(const struct packer *packer, const struct tree_frame *frame) {
	return frame->depth == 0 ? packer->picture->profile->names.table.count : frame->name;
}

/** Return the name with an id. */
static struct str name_of_id(const struct packer *packer, size_t id) {
	const struct profile *profile = packer->picture->profile;
	return id == profile->names.table.count ? STR("") : profile_name(profile, (uint32_t)id);
}

/** Return a name of the table. */
static struct str name_at(const struct packer *packer, size_t place) {
	return name_of_id(packer, packer->names[place]);
}

enum { NEVER = 33, RANKS };

/** Return a rank that is lower the more often a name is used, one for each power of two. */
static unsigned rank_of(uint32_t uses) {
	return uses == 0 ? NEVER : (unsigned)__builtin_clz(uses);
}

/** Return the wanted names in alphabetical order, and the root's empty one, which has the last id,
 * after them. */
static struct sort_item *sort_names(const struct packer *packer, const bool *wanted, size_t ids) {
	const struct profile *profile = packer->picture->profile;
	struct sort_item *items = mem_new(packer->names_n, sizeof(*items));
	size_t n = 0;
	for (size_t id = 0; id < ids; id++) {
		if (wanted[id]) {
			struct str name = name_of_id(packer, id);
			items[n++] = (struct sort_item){
				.bytes = name.p, .len = (uint32_t)name.n, .id = (uint32_t)id};
		}
	}
	if (profile->names.sorted == NULL) { // else the ids are in this order
		sort_bytes(items, n - wanted[ids - 1]);
	}
	return items;
}

/**
 * Make the table of names. Names that are used often need low numbers, which take fewer bytes, but
 * neighbours in alphabetical order share their beginnings. So names are ordered by rank, and within
 * a rank alphabetically.
 */
static void order_names(struct packer *packer, const uint32_t *uses, const bool *wanted,
			size_t ids) {
	size_t next[RANKS + 1] = {0}; // place for a name of that rank
	for (size_t id = 0; id < ids; id++) {
		next[rank_of(uses[id]) + 1] += wanted[id];
		packer->places[id] = NO_PLACE;
	}
	for (size_t rank = 1; rank <= RANKS; rank++) {
		next[rank] += next[rank - 1];
	}
	packer->names_n = next[RANKS];
	packer->names = mem_new(packer->names_n, sizeof(*packer->names));
	struct sort_item *sorted = sort_names(packer, wanted, ids);
	for (size_t i = 0; i < packer->names_n; i++) {
		size_t place = next[rank_of(uses[sorted[i].id])]++;
		packer->names[place] = sorted[i].id;
		packer->places[sorted[i].id] = (uint32_t)place;
	}
	free(sorted);
}

/** Mark the names that go in: with an offer, those that count enough; without, all. */
static void mark_names(const struct packer *packer, bool *wanted) {
	const struct tree *tree = packer->tree;
	const struct offer *offer = packer->offer;
	if (offer == NULL) {
		for (size_t i = 0; i < tree->n; i++) {
			wanted[name_id(packer, &tree->frames[i])] = true;
		}
		return;
	}
	for (uint32_t id = 0; id < offer->names_n; id++) {
		wanted[id] |= offer->names[id] > 0 && offer->names[id] >= packer->choice.least_name;
	}
}

static void collect_names(struct packer *packer) {
	size_t ids = packer->picture->profile->names.table.count + (size_t)1;
	uint32_t *uses = mem_new(ids, sizeof(*uses)); // by id: how many frames have it
	bool *wanted = mem_new(ids, sizeof(*wanted)); // by id
	packer->places = mem_new(ids, sizeof(*packer->places));
	for (size_t k = 0; k < packer->kept; k++) {
		uint32_t id = name_id(packer, frame_at(packer, k));
		uses[id]++;
		wanted[id] = true;
	}
	if (packer->left_out > 0) {
		mark_names(packer, wanted);
	}
	order_names(packer, uses, wanted, ids);
	for (uint32_t id = 0; packer->offer != NULL && id < packer->offer->names_n; id++) {
		packer->unnamed += packer->offer->names[id] > 0 && !wanted[id];
	}
	free(uses);
	free(wanted);
}

static void add_names(struct packer *packer) {
	struct str before = STR("");
	for (size_t i = 0; i < packer->names_n; i++) {
		struct str name = name_at(packer, i);
		size_t shared = str_common_prefix(name, before);
		pack_add_number(&packer->out, shared);
		pack_add_text(&packer->out, str_from(name, shared));
		before = name;
	}
}

/* --- Colours and attributes ----------------------------------------------------------------- */

/** Find the distinct colours, and for each name the number of its colour or of its shade. */
static void collect_colours(struct packer *packer) {
	for (size_t i = 0; i < packer->names_n; i++) {
		struct fill fill = palette_of_name(packer->palette, name_at(packer, i), i);
		if (fill.is_shade) {
			pack_add_number(&packer->colour_of_names, fill.shade);
			continue;
		}
		const unsigned char bytes[] = {fill.colour.r, fill.colour.g, fill.colour.b};
		pack_add_number(&packer->colour_of_names,
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

/** Add what --nameattr says of a name. */
static void add_function(struct packer *packer, size_t place,
			 const struct function_attrs *function) {
	struct buf attrs = {0};
	struct output out;
	output_init(&out, write_to_buf, &attrs);
	frames_write_attrs(&out, function);
	output_finish(&out);
	pack_add_number(&packer->out, place);
	pack_add_number(&packer->out, function->is_link);
	pack_add_text(&packer->out, buf_str(&attrs));
	pack_add_number(&packer->out, function->has_title);
	if (function->has_title) {
		pack_add_text(&packer->out, function->title);
	}
	output_release(&out);
	buf_release(&attrs);
}

static void add_functions(struct packer *packer) {
	const struct attrs *attrs = &packer->picture->attrs;
	size_t n = 0;
	for (size_t i = 0; i < packer->names_n && attrs->functions != NULL; i++) {
		n += attrs_find(attrs, name_at(packer, i)) != NULL;
	}
	pack_add_number(&packer->out, n);
	for (size_t i = 0; i < packer->names_n && n > 0; i++) {
		const struct function_attrs *function = attrs_find(attrs, name_at(packer, i));
		if (function != NULL) {
			add_function(packer, i, function);
		}
	}
}

/**
 * Add for each name the total of the left-out frames that have it and are not below a frame with
 * the same name. It tells the viewer how much a search for the name misses.
 */
static void add_hidden_names(struct packer *packer) {
	const struct tree *tree = packer->tree;
	uint64_t *hidden = mem_new(packer->names_n, sizeof(*hidden));
	uint32_t *open = mem_new(packer->names_n, sizeof(*open)); // how often a name is on the path
	size_t depth = 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_frame *frame = &tree->frames[i];
		uint32_t place = packer->places[name_id(packer, frame)];
		for (; depth > frame->depth; depth--) {
			if (packer->path[depth - 1] != NO_PLACE) {
				open[packer->path[depth - 1]]--;
			}
		}
		packer->path[depth++] = place;
		if (place == NO_PLACE) {
			continue;
		}
		if (open[place]++ == 0 && !choice_has(&packer->choice, frame, i)) {
			hidden[place] += frame->total;
		}
	}
	for (size_t i = 0; i < packer->names_n; i++) {
		pack_add_number(&packer->out, hidden[i]);
	}
	free(hidden);
	free(open);
}

/* --- Columns -------------------------------------------------------------------------------- */

/*
 * The columns that every picture has are written for speed: without a check for room at each
 * number, and from a constant copy of the packer, whose fields need not be loaded again after each
 * byte.
 */

/** Make room for a column of numbers of up to `most` bytes each, and return its start. */
static unsigned char *begin_column(struct packer *packer, size_t most) {
	return (unsigned char *)buf_room(&packer->out, mem_times(packer->kept, most));
}

static void end_column(struct packer *packer, const unsigned char *at) {
	packer->out.n = (size_t)((const char *)at - packer->out.p);
}

static void add_shape(struct packer *packer) {
	uint32_t before = UINT32_MAX; // so that the root leaves no level
	unsigned char *at = begin_column(packer, MOST_VARINT32);
	const struct packer fixed = *packer;
	for (size_t k = 0; k < fixed.kept; k++) {
		uint32_t depth = frame_at(&fixed, k)->depth;
		at = put_varint(at, before + UINT32_C(1) - depth);
		before = depth;
	}
	end_column(packer, at);
}

static void add_frame_names(struct packer *packer) {
	unsigned char *at = begin_column(packer, MOST_VARINT32);
	const struct packer fixed = *packer;
	for (size_t k = 0; k < fixed.kept; k++) {
		at = put_varint(at, fixed.places[name_id(&fixed, frame_at(&fixed, k))]);
	}
	end_column(packer, at);
}

/** Return the own count of a frame, without that of its callees. */
static uint64_t own_count(const struct packer *packer, size_t kept) {
	const struct tree_frame *frame = frame_at(packer, kept), *next = frame + 1;
	if (has_gaps(packer)) {
		return frame->total - packer->inside[kept];
	}
	// The own count comes first in a frame, and the callees start where it ends.
	bool calls = kept + 1 < packer->kept && next->depth > frame->depth;
	return calls ? next->start - frame->start : frame->total;
}

static void add_own(struct packer *packer) {
	unsigned char *at = begin_column(packer, MOST_VARINT64);
	const struct packer fixed = *packer;
	for (size_t k = 0; k < fixed.kept; k++) {
		at = put_varint(at, own_count(&fixed, k));
	}
	end_column(packer, at);
}

/** Call `add` for every frame that is kept. */
static void each_kept(struct packer *packer, void (*add)(struct packer *packer, size_t kept)) {
	for (size_t k = 0; k < packer->kept; k++) {
		add(packer, k);
	}
}

static void add_hidden(struct packer *packer, size_t kept) {
	pack_add_number(&packer->out, packer->hidden[kept]);
}

static void add_delta(struct packer *packer, size_t kept) {
	const struct tree_delta *delta = tree_delta(packer->tree, frame_at(packer, kept));
	pack_add_number(&packer->out, delta == NULL ? 0 : delta->shrank ? 2 : 1);
	if (delta != NULL) {
		pack_add_number(&packer->out, delta->value);
	}
}

static void add_gaps(struct packer *packer) {
	uint64_t *ends = mem_new(packer->tree->levels + 1, sizeof(*ends)); // by depth
	for (size_t k = 0; k < packer->kept; k++) {
		const struct tree_frame *frame = frame_at(packer, k);
		pack_add_number(&packer->out, frame->start - ends[frame->depth]);
		ends[frame->depth] = frame->start + frame->total;
		ends[frame->depth + 1] = frame->start;
	}
	free(ends);
}

static void add_before(struct packer *packer, size_t kept) {
	pack_add_number(&packer->out, packer->tree->changes[place_of(packer, kept)].own.before);
}

static void add_after(struct packer *packer, size_t kept) {
	pack_add_number(&packer->out, packer->tree->changes[place_of(packer, kept)].own.after);
}

/** Write everything into `out`. */
static void write_columns(struct packer *packer) {
	struct buf *out = &packer->out;
	bool deltas = packer->tree->deltas != NULL, gaps = has_gaps(packer),
	     hidden = packer->left_out > 0;
	buf_clear(out);
	pack_add_number(out, PACK_VERSION);
	pack_add_number(out, (deltas ? PACK_DELTAS : 0U) | (gaps ? PACK_GAPS : 0U) |
				     (hidden ? PACK_HIDDEN_NAMES : 0U) |
				     (packer->tree->changes != NULL ? PACK_CHANGES : 0U));
	pack_add_number(out, packer->kept);
	pack_add_number(out, packer->names_n);
	pack_add_number(out, packer->colours.count);
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

/** Release what was made for another choice. */
static void packer_clear(struct packer *packer) {
	free(packer->frames);
	free(packer->inside);
	free(packer->hidden);
	free(packer->names);
	free(packer->places);
	intern_release(&packer->colours);
	buf_release(&packer->colour_of_names);
	*packer = (struct packer){
		.picture = packer->picture,
		.tree = packer->tree,
		.palette = packer->palette,
		.offer = packer->offer,
		.path = packer->path,
		.out = packer->out,
	};
}

/** Pack what is chosen into `pack`. */
static void pack_choice(struct pack *pack, struct packer *packer, struct choice choice) {
	packer->choice = choice;
	packer->kept = count_kept(packer);
	packer->left_out = packer->tree->n - packer->kept;
	if (packer->left_out > 0 || !packer->tree->gapless) {
		sum_up(packer);
	}
	collect_names(packer);
	collect_colours(packer);
	write_columns(packer);
	buf_clear(&pack->bytes);
	pack->deflated = deflate_add(&pack->bytes, buf_str(&packer->out));
	if (!pack->deflated) {
		buf_add_str(&pack->bytes, buf_str(&packer->out));
	}
	pack->choice = choice;
	pack->least = choice.least;
	pack->left_out = packer->left_out;
	pack->weight = packer->weight;
	pack->unnamed = packer->unnamed;
}

/* --- How much goes in ----------------------------------------------------------------------- */

/** Return whether all of a profile may fit into the file, by a quick estimate. */
static bool may_fit(const struct picture *picture) {
	enum { FRAME = 8, PACKED = 4 }; // bytes of a frame; about how many times packing shrinks it
	const struct profile *profile = picture->profile;
	size_t room = PACKED * MOST_BYTES;
	if (picture->tree->n > room / FRAME) {
		return false;
	}
	room -= FRAME * picture->tree->n;
	for (uint32_t id = 0; id < profile->names.table.count; id++) {
		size_t len = profile_name(profile, id).n;
		if (len > room) {
			return false;
		}
		room -= len;
	}
	return true;
}

/** Pack everything, or the frames that count most and fit. The ratio of compression is not known in
 * advance, so try a few sizes. */
static void pack_most(struct pack *pack, struct packer *packer, uint64_t drawn) {
	const double aim = 0.96 * MOST_BYTES, enough = 0.8 * MOST_BYTES;
	enum { TRIES = 6 };
	struct offer offer;
	double ratio = 0.35; // of packed bytes to cost; if they do not fit, all is done again
	offer_init(&offer, packer->tree, packer->picture->profile, drawn);
	packer->offer = &offer;
	if (pack->bytes.n > 0) { // of the whole profile
		ratio = (double)pack->bytes.n / (double)offer.cost;
	}
	for (unsigned tries = TRIES; tries > 0; tries--) {
		uint64_t cost;
		double budget = tries == 1 ? 0 : fmin(aim / ratio, (double)offer.cost);
		struct choice choice = offer_choose(&offer, (uint64_t)budget, &cost);
		packer_clear(packer);
		pack_choice(pack, packer, choice);
		bool fits = pack->bytes.n <= MOST_BYTES;
		bool is_all = cost == offer.cost, is_least = choice.least_name == UINT64_MAX;
		if (fits ? is_all || (double)pack->bytes.n >= enough || tries < TRIES : is_least) {
			break;
		}
		double found = (double)pack->bytes.n / (double)cost;
		ratio = fits ? found : fmax(found, 1.1 * ratio);
	}
	packer->offer = NULL;
	offer_release(&offer);
}

void pack_build(struct pack *pack, const struct picture *picture, struct palette *palette,
		uint64_t drawn) {
	unsigned data = picture->design.data;
	struct packer packer = {.picture = picture, .tree = picture->tree, .palette = palette};
	packer.path = mem_new(picture->tree->levels, sizeof(*packer.path));
	if (data != DATA_AUTO || may_fit(picture)) {
		pack_choice(pack, &packer,
			    (struct choice){.least = data == DATA_VISIBLE ? drawn : 0});
	}
	if (data == DATA_AUTO && (pack->bytes.n == 0 || pack->bytes.n > MOST_BYTES)) {
		pack_most(pack, &packer, drawn);
	}
	packer_clear(&packer);
	free(packer.path);
	buf_release(&packer.out);
}

/* --- The element ---------------------------------------------------------------------------- */

void pack_write(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	const struct pack *pack = &picture->pack;
	char digits[NUM_EXACT_MAX];
	output_add_text(out, "<metadata id=\"profile\" data-coding=\"");
	output_add_text(out, pack->deflated ? "deflate" : "none");
	output_add_text(out, "\" data-countname=\"");
	escape_xml(out, picture->countname);
	output_add_text(out, "\" data-factor=\"");
	output_add(out, digits, num_format_exact(digits, design->factor));
	output_add_text(out, design->negate ? "\" data-negate=\"true" : "");
	if (picture->compared != NULL) {
		compare_write_attributes(out, picture->compared);
	}
	output_add_text(out, design->colordiffusion ? "\" data-diffusion=\"true" : "");
	output_add_text(out, "\">");
	base64_write(out, buf_str(&pack->bytes));
	output_add_text(out, "</metadata>");
}

void pack_release(struct pack *pack) {
	buf_release(&pack->bytes);
	*pack = (struct pack){0};
}
