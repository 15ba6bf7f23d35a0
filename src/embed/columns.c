/*
 * Writes the columns of a packed profile.
 *
 * Names are numbered in the order of their first use. In preorder, the names of outer frames come
 * first. Many stacks share outer frames, so the names of these frames get short numbers. Names are
 * stored in memory in about this order, so reading them is fast.
 */
#include "embed/columns.h"

#include <stdlib.h>

#include "base/pool.h"
#include "picture/frames.h"
#include "picture/picture.h"
#include "viewer-constants.h"

enum {
	MOST_VARINT32 = 5, // bytes
};

/** The count of a name that a search cannot find, because frames with the name were left out. */
struct missed {
	uint32_t open;  // number of frames on the path that have the name
	uint64_t total; // count of left-out frames with the name whose callers have other names
};

struct columns_writer {
	const struct picture *picture;
	const struct tree *tree;
	struct palette *palette;
	const struct choice *choice;
	const struct offer *offer;
	bool gaps; // whether there may be gaps between frames
	size_t kept;
	uint64_t root_self;
	// By id of a name: its index in the table plus one; 0: not in the table. The last item is
	// for the root, which has no name.
	uint32_t *numbers;
	struct missed *missed; // missed counts by id of a name; NULL if nothing can be left out
	struct ids names;      // the table, ids of names
	struct columns *columns;
	struct left_out *left_out;
	struct intern colours;
	struct buf colour_of_names;
};

/**
 * Write a number so that it ends before `end`. Return a pointer to the first byte of the number.
 */
static unsigned char *columns_put_varint_before(unsigned char *end, uint64_t value) {
	unsigned char digits[VARINT_MOST];
	size_t n = (size_t)(varint_put(digits, value) - digits);
	return memcpy(end - n, digits, n);
}

void columns_add_text(struct buf *out, struct str text) {
	buf_add_varint(out, text.n);
	buf_add_str(out, text);
}

/** Return the number of names in the profile, which is the id of the root. */
static uint32_t columns_names_of(const struct columns_writer *writer) {
	return writer->picture->profile->names.table.count;
}

/** Return whether frames are left out. */
static bool columns_has_hidden(const struct columns_writer *writer) {
	return writer->left_out->frames > 0;
}

/* --- Frames --------------------------------------------------------------------------------- */

static bool columns_is_kept(const struct columns_writer *writer, size_t frame) {
	return choice_has(writer->choice, writer->tree, frame);
}

/** Reserve memory for a column of all frames, and return its start. Unused memory is never touched,
 * so it costs nothing. */
static unsigned char *columns_begin(const struct columns_writer *writer, struct buf *column,
				    size_t most) {
	return (unsigned char *)buf_room(column, mem_times(writer->tree->n, most));
}

static void columns_end(struct buf *column, const unsigned char *at) {
	column->n = (size_t)((const char *)at - column->p);
}

/** Give a name the next number in the table. */
static void columns_number_name(struct columns_writer *writer, uint32_t id) {
	ids_push(&writer->names, id);
	writer->numbers[id] = (uint32_t)writer->names.n;
}

/** Write the names of all frames. */
static void columns_write_all_names(struct columns_writer *writer) {
	const struct call_item *frames = writer->tree->frames;
	const uint32_t *numbers = writer->numbers;
	unsigned char *name = columns_begin(writer, &writer->columns->names, MOST_VARINT32);
	name = varint_put(name, 0);
	for (size_t i = 1, n = writer->tree->n; i < n; i++) {
		uint32_t id = frames[i].name;
		if (numbers[id] == 0) {
			columns_number_name(writer, id);
		}
		name = varint_put(name, numbers[id] - UINT32_C(1));
	}
	writer->kept = writer->tree->n;
	columns_end(&writer->columns->names, name);
}

/** Write the levels and self counts of all frames. */
static void columns_write_all_counts(const struct columns_writer *writer) {
	const struct call_item *frames = writer->tree->frames;
	unsigned char *shape = columns_begin(writer, &writer->columns->shape, MOST_VARINT32);
	unsigned char *self = columns_begin(writer, &writer->columns->self, VARINT_MOST);
	shape = varint_put(shape, 0);
	self = varint_put(self, writer->root_self);
	for (size_t i = 1, n = writer->tree->n; i < n; i++) {
		shape = varint_put(shape, frames[i - 1].depth + UINT32_C(1) - frames[i].depth);
		self = varint_put(self, frames[i].count);
	}
	columns_end(&writer->columns->shape, shape);
	columns_end(&writer->columns->self, self);
}

/** Write the total of left-out callees for each kept frame. Write from the last frame to the first,
 * because callees come after their caller. */
static void columns_write_hidden(struct columns_writer *writer) {
	const struct tree *tree = writer->tree;
	struct left_out *left_out = writer->left_out;
	struct buf *column = &writer->columns->hidden;
	unsigned char *last = columns_begin(writer, column, VARINT_MOST) + tree->n * VARINT_MOST;
	unsigned char *at = last;
	uint64_t *hidden = mem_new(tree->levels + 1, sizeof(*hidden)); // by depth
	for (size_t i = tree->n; i-- > 0;) {
		uint32_t depth = tree->frames[i].depth;
		uint64_t inside = hidden[depth + 1];
		hidden[depth + 1] = 0;
		if (columns_is_kept(writer, i)) {
			at = columns_put_varint_before(at, inside);
			left_out->weight += inside;
		} else {
			hidden[depth] += tree->totals[i];
			left_out->frames++;
		}
	}
	column->n = (size_t)(last - at);
	memmove(column->p, at, column->n);
	free(hidden);
}

/** For each name, add up the totals of the left-out frames that have the name, but not of frames
 * below another frame with this name. */
static void columns_count_missed(struct columns_writer *writer) {
	const struct tree *tree = writer->tree;
	struct missed *missed = mem_new(columns_names_of(writer), sizeof(*missed));
	uint32_t *path = mem_new(tree->levels, sizeof(*path)); // names by depth
	size_t depth = 0;
	for (size_t i = 1; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		while (depth >= frame->depth) {
			missed[path[depth--]].open--;
		}
		path[++depth] = frame->name;
		if (missed[frame->name].open++ == 0 && !columns_is_kept(writer, i)) {
			missed[frame->name].total += tree->totals[i];
		}
	}
	free(path);
	writer->missed = missed;
}

/** Write the frames that are kept. */
static void columns_write_kept(struct columns_writer *writer) {
	const struct tree *tree = writer->tree;
	struct columns *columns = writer->columns;
	uint64_t *ends = mem_new(tree->levels + 1,
				 sizeof(*ends)); // by depth: the end of the last kept frame
	unsigned char *shape = columns_begin(writer, &columns->shape, MOST_VARINT32);
	unsigned char *name = columns_begin(writer, &columns->names, MOST_VARINT32);
	unsigned char *self = columns_begin(writer, &columns->self, VARINT_MOST);
	unsigned char *gap = columns_begin(writer, &columns->gaps, VARINT_MOST);
	shape = varint_put(shape, 0);
	name = varint_put(name, 0);
	self = varint_put(self, writer->root_self);
	gap = varint_put(gap, 0);
	uint32_t before = 0; // depth
	uint64_t now = tree->frames[0].count;
	writer->kept = 1;
	for (size_t i = 1; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		uint64_t start = tree->starts == NULL ? now : tree->starts[i];
		now += frame->count;
		if (!columns_is_kept(writer, i)) {
			continue;
		}
		if (writer->numbers[frame->name] == 0) {
			columns_number_name(writer, frame->name);
		}
		shape = varint_put(shape, before + UINT32_C(1) - frame->depth);
		name = varint_put(name, writer->numbers[frame->name] - UINT32_C(1));
		self = varint_put(self, frame->count);
		gap = varint_put(gap, start - ends[frame->depth]);
		ends[frame->depth] = start + tree->totals[i];
		ends[frame->depth + 1] = start;
		before = frame->depth;
		writer->kept++;
	}
	columns_end(&columns->shape, shape);
	columns_end(&columns->names, name);
	columns_end(&columns->self, self);
	columns_end(&columns->gaps, gap);
	free(ends);
}

/* --- Changes -------------------------------------------------------------------------------- */

static void columns_add_deltas(struct buf *out, const struct columns_writer *writer) {
	for (size_t i = 0; i < writer->tree->n; i++) {
		const struct tree_delta *delta = tree_delta(writer->tree, &writer->tree->frames[i]);
		if (!columns_is_kept(writer, i)) {
			continue;
		}
		buf_add_varint(out, delta == NULL ? 0 : delta->shrank ? 2 : 1);
		if (delta != NULL) {
			buf_add_varint(out, delta->value);
		}
	}
}

/** Write the self counts in both profiles of a comparison. */
static void columns_write_changes(const struct columns_writer *writer) {
	const struct tree_change *changes = writer->tree->changes;
	unsigned char *at = columns_begin(writer, &writer->columns->changes, 2 * VARINT_MOST);
	for (size_t i = 0; i < writer->tree->n; i++) {
		at = columns_is_kept(writer, i) ? varint_put(at, changes[i].self.before) : at;
	}
	for (size_t i = 0; i < writer->tree->n; i++) {
		at = columns_is_kept(writer, i) ? varint_put(at, changes[i].self.after) : at;
	}
	columns_end(&writer->columns->changes, at);
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Return a name of the table. */
static struct str columns_name_at(const struct columns_writer *writer, size_t place) {
	uint32_t id = writer->names.items[place];
	return id == columns_names_of(writer) ? STR("")
					      : profile_name(writer->picture->profile, id);
}

/** Add the names of left-out frames to the table. If there is an offer, add only names with a
 * sufficient count. */
static void columns_add_hidden_names(struct columns_writer *writer) {
	const struct offer *offer = writer->offer;
	for (size_t i = 1; offer == NULL && i < writer->tree->n; i++) {
		uint32_t id = writer->tree->frames[i].name;
		if (writer->numbers[id] == 0) {
			columns_number_name(writer, id);
		}
	}
	for (size_t i = 0; offer != NULL && i < offer->order.n; i++) {
		uint32_t id = offer->order.items[i];
		if (writer->numbers[id] > 0 || offer->names[id] == 0) {
			continue;
		}
		if (offer->names[id] >= writer->choice->least_name) {
			columns_number_name(writer, id);
		} else {
			writer->left_out->names++;
		}
	}
}

/** Write a name as the number of bytes that it shares with the previous one, and the rest. Return a
 * pointer to the byte after it. */
static unsigned char *columns_put_name(unsigned char *at, struct str name, struct str before) {
	size_t shared = str_common_prefix(name, before), rest = name.n - shared;
	at = varint_put(at, shared);
	at = varint_put(at, rest);
	memcpy(at, name.p + shared, rest);
	return at + rest;
}

static void columns_add_names(struct buf *out, const struct columns_writer *writer) {
	struct str before = STR("");
	size_t bytes = writer->picture->profile->names.table.bytes;
	unsigned char *at = (unsigned char *)buf_room(
		out, bytes + mem_times(writer->names.n, 2 * MOST_VARINT32));
	for (size_t i = 0; i < writer->names.n; i++) {
		struct str name = columns_name_at(writer, i);
		at = columns_put_name(at, name, before);
		before = name;
	}
	columns_end(out, at);
}

/**
 * Add for each name the count that a search for it misses. The first name is the name of the root.
 */
static void columns_add_missed(struct buf *out, const struct columns_writer *writer) {
	buf_add_varint(out, 0);
	for (size_t i = 1; i < writer->names.n; i++) {
		buf_add_varint(out, writer->missed[writer->names.items[i]].total);
	}
}

/** Return whether to write the kinds of code of names. Only a page has the kinds, because a page
 * can colour frames by kind. */
static bool columns_has_marks(const struct columns_writer *writer) {
	return writer->picture->design.is_page && writer->picture->profile->names.marks_n > 0;
}

static void columns_add_marks(struct buf *out, const struct columns_writer *writer) {
	for (size_t i = 0; i < writer->names.n; i++) {
		uint32_t id = writer->names.items[i];
		buf_add_char(out, id == columns_names_of(writer)
					  ? '\0'
					  : names_mark_of(&writer->picture->profile->names, id));
	}
}

/* --- Colours and attributes ----------------------------------------------------------------- */

/** Find the distinct colours, and for each name the number of its colour or of its shade. */
static void columns_collect_colours(struct columns_writer *writer) {
	for (size_t i = 0; i < writer->names.n; i++) {
		struct fill fill = palette_of_name(writer->palette, columns_name_at(writer, i), i);
		if (fill.is_shade) {
			buf_add_varint(&writer->colour_of_names, fill.shade);
			continue;
		}
		const unsigned char bytes[] = {fill.colour.r, fill.colour.g, fill.colour.b};
		buf_add_varint(&writer->colour_of_names,
			       intern_get(&writer->colours, bytes, sizeof(bytes))->id);
	}
}

static void columns_add_colours(struct buf *out, const struct columns_writer *writer) {
	for (uint32_t i = 0; i < writer->colours.count; i++) {
		buf_add_str(out, intern_str(writer->colours.keys[i]));
	}
	buf_add_str(out, buf_str(&writer->colour_of_names));
}

static int columns_write_to_buf(void *buf, const void *bytes, size_t len) {
	buf_add(buf, bytes, len);
	return 0;
}

/** Add the attributes that --nameattr gives a name. */
static void columns_add_function(struct buf *out, size_t place,
				 const struct function_attrs *function) {
	struct buf attrs = {0};
	struct output text;
	output_init(&text, columns_write_to_buf, &attrs);
	frames_write_attrs(&text, function);
	output_finish(&text);
	buf_add_varint(out, place);
	buf_add_varint(out, function->is_link);
	columns_add_text(out, buf_str(&attrs));
	buf_add_varint(out, function->has_title);
	if (function->has_title) {
		columns_add_text(out, function->title);
	}
	output_release(&text);
	buf_release(&attrs);
}

static void columns_add_functions(struct buf *out, const struct columns_writer *writer) {
	const struct attrs *attrs = &writer->picture->attrs;
	size_t n = 0;
	for (size_t i = 0; i < writer->names.n && attrs->functions != NULL; i++) {
		n += attrs_find(attrs, columns_name_at(writer, i)) != NULL;
	}
	buf_add_varint(out, n);
	for (size_t i = 0; i < writer->names.n && n > 0; i++) {
		const struct function_attrs *function =
			attrs_find(attrs, columns_name_at(writer, i));
		if (function != NULL) {
			columns_add_function(out, i, function);
		}
	}
}

/* --- Everything ----------------------------------------------------------------------------- */

static void columns_write_head(const struct columns_writer *writer) {
	const struct tree *tree = writer->tree;
	struct buf *out = &writer->columns->head;
	buf_add_varint(out, PACK_VERSION);
	buf_add_varint(out, (tree->deltas != NULL ? PACK_DELTAS : 0U) |
				    (writer->gaps ? PACK_GAPS : 0U) |
				    (columns_has_hidden(writer) ? PACK_HIDDEN_NAMES : 0U) |
				    (tree->changes != NULL ? PACK_CHANGES : 0U) |
				    (columns_has_marks(writer) ? PACK_MARKS : 0U));
	buf_add_varint(out, writer->kept);
	buf_add_varint(out, writer->names.n);
	buf_add_varint(out, writer->colours.count);
}

static void columns_write_table(const struct columns_writer *writer) {
	struct buf *out = &writer->columns->table;
	columns_add_names(out, writer);
	columns_add_colours(out, writer);
	columns_add_functions(out, writer);
	if (columns_has_hidden(writer)) {
		columns_add_missed(out, writer);
	}
	if (columns_has_marks(writer)) {
		columns_add_marks(out, writer);
	}
}

enum { PIECES = 3 }; // pieces of work in columns_write_all_frames() and columns_write_some_frames()

static void columns_write_both_counts(const struct columns_writer *writer) {
	if (writer->tree->deltas != NULL) {
		columns_add_deltas(&writer->columns->changes, writer);
	} else if (writer->tree->changes != NULL) {
		columns_write_changes(writer);
	}
}

/** Write one piece of the columns of a whole tree without gaps. */
static void columns_write_all_frames(void *context, size_t piece) {
	struct columns_writer *writer = context;
	if (piece == 0) {
		columns_write_both_counts(writer);
	} else if (piece == 1) {
		columns_write_all_names(writer);
	} else {
		columns_write_all_counts(writer);
	}
}

/** Write one piece of the columns of a tree with gaps or left-out frames. */
static void columns_write_some_frames(void *context, size_t piece) {
	struct columns_writer *writer = context;
	if (piece == 0) {
		columns_write_both_counts(writer);
		if (writer->choice->least > 0) {
			columns_count_missed(writer);
		}
	} else if (piece == 1) {
		columns_write_hidden(writer);
	} else {
		columns_write_kept(writer);
	}
}

/** Return the self count of the root. With --total, the self count of the root includes the part of
 * the total that is in no stack. */
static uint64_t columns_self_of_root(const struct tree *tree) {
	uint64_t self = tree->frames[0].count, sum = 0;
	for (size_t i = 0; !tree->gapless && i < tree->n; i++) {
		sum += tree->frames[i].count;
	}
	return tree->gapless ? self : self + tree->totals[0] - sum;
}

/** Write the columns of frames. */
static void columns_write_frames(struct columns_writer *writer, size_t threads) {
	const struct tree *tree = writer->tree;
	bool all = writer->choice->least == 0 && tree->gapless;
	writer->root_self = columns_self_of_root(tree);
	pool_share(threads, PIECES, all ? columns_write_all_frames : columns_write_some_frames,
		   writer);
	writer->gaps = columns_has_hidden(writer) || !tree->gapless;
	if (!writer->gaps) {
		buf_clear(&writer->columns->hidden);
		buf_clear(&writer->columns->gaps);
	}
}

/** The work that remains after the columns of frames are written. */
struct rest {
	struct columns_writer *writer;
	const struct columns_taker *taker;
};

/** Finish a part. The last part, the table of names, is finished first, because it takes
 * longest. */
static void columns_finish_part(void *context, size_t piece) {
	const struct rest *rest = context;
	size_t part = COLUMNS_PARTS - 1 - piece;
	if (part == COLUMNS_TABLE) {
		columns_collect_colours(rest->writer);
		columns_write_head(rest->writer);
		columns_write_table(rest->writer);
		rest->taker->take(rest->taker->context, COLUMNS_HEAD);
	}
	if (part != COLUMNS_HEAD) {
		rest->taker->take(rest->taker->context, part);
	}
}

void columns_write(struct columns *columns, const struct picture *picture, struct palette *palette,
		   const struct choice *choice, const struct offer *offer,
		   struct left_out *left_out, const struct columns_taker *taker) {
	struct columns_writer writer = {.picture = picture,
					.tree = picture->tree,
					.palette = palette,
					.choice = choice,
					.offer = offer,
					.columns = columns,
					.left_out = left_out};
	uint32_t root = columns_names_of(&writer);
	*left_out = (struct left_out){0};
	writer.numbers = mem_new(root + (size_t)1, sizeof(*writer.numbers));
	columns_number_name(&writer, root);
	columns_write_frames(&writer, taker->threads);
	if (columns_has_hidden(&writer)) {
		columns_add_hidden_names(&writer);
	}
	struct rest rest = {&writer, taker};
	pool_share(taker->threads, COLUMNS_PARTS, columns_finish_part, &rest);
	free(writer.numbers);
	free(writer.missed);
	ids_release(&writer.names);
	intern_release(&writer.colours);
	buf_release(&writer.colour_of_names);
}

void columns_release(struct columns *columns) {
	for (size_t part = 0; part < COLUMNS_PARTS; part++) {
		buf_release(columns_part(columns, part));
	}
}

/* --- A sample ------------------------------------------------------------------------------- */

enum {
	STRETCHES = 64,
	SAMPLED = 1 << 17
}; // number of pieces of a sample; number of frames in all pieces

/** Return the index of the first item, out of `items`, in one piece of the sample. Set `*n` to the
 * number of items in the piece. */
static size_t columns_stretch_of(size_t stretch, size_t items, double share, size_t *n) {
	*n = (size_t)((double)items / STRETCHES * share);
	return items / STRETCHES * stretch;
}

static void columns_sample_frames(struct buf *out, const struct tree *tree, const uint32_t *numbers,
				  double share, size_t stretch) {
	size_t n, first = columns_stretch_of(stretch, tree->n, share, &n);
	const struct call_item *frames = tree->frames + first;
	for (size_t i = 1; i < n; i++) {
		buf_add_varint(out, frames[i - 1].depth + UINT32_C(1) - frames[i].depth);
	}
	for (size_t i = 1; i < n; i++) {
		buf_add_varint(out, numbers[frames[i].name]);
	}
	for (size_t i = 1; i < n; i++) {
		buf_add_varint(out, frames[i].count);
	}
}

static void columns_sample_names(struct buf *out, const struct profile *profile,
				 const struct ids *order, double share, size_t stretch) {
	size_t n, first = columns_stretch_of(stretch, order->n, share, &n);
	struct str before = STR("");
	for (size_t i = first; i < first + n; i++) {
		struct str name = profile_name(profile, order->items[i]);
		unsigned char *at = (unsigned char *)buf_room(out, name.n + 2 * MOST_VARINT32);
		columns_end(out, columns_put_name(at, name, before));
		before = name;
	}
}

double columns_add_sample(struct buf *out, const struct picture *picture, const struct ids *order) {
	const struct tree *tree = picture->tree;
	double share = tree->n > SAMPLED ? SAMPLED / (double)tree->n : 1;
	uint32_t *numbers =
		mem_new(names_count(&picture->profile->names) + (size_t)1, sizeof(*numbers));
	for (size_t i = 0; i < order->n; i++) {
		numbers[order->items[i]] = (uint32_t)i;
	}
	for (size_t stretch = 0; stretch < STRETCHES; stretch++) {
		columns_sample_frames(out, tree, numbers, share, stretch);
		columns_sample_names(out, picture->profile, order, share, stretch);
	}
	free(numbers);
	return share;
}
