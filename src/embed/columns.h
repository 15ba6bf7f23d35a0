/** The columns of a packed profile: numbers and names, before compression. docs/picture.md has the
 * format. */
#pragma once

#include "base/buf.h"
#include "embed/choice.h"
#include "picture/palette.h"

struct picture;

/** The frames that were left out. */
struct left_out {
	size_t frames;   // number of frames
	uint64_t weight; // sum of their counts
	size_t names;    // number of their names that are left out, too
};

/** The columns, in parts that follow one another in the file. */
struct columns {
	struct buf head;
	struct buf shape, names, self, hidden, gaps, changes; // of frames
	struct buf table;                                     // the names, and data for each name
};

enum {
	COLUMNS_PARTS = sizeof(struct columns) / sizeof(struct buf),
	COLUMNS_HEAD = 0,
	COLUMNS_TABLE = COLUMNS_PARTS - 1,
};

/** Return a part, 0 to COLUMNS_PARTS - 1. */
static inline struct buf *columns_part(struct columns *columns, size_t part) {
	struct buf *parts[COLUMNS_PARTS] = {&columns->head,    &columns->shape,  &columns->names,
					    &columns->self,    &columns->hidden, &columns->gaps,
					    &columns->changes, &columns->table};
	return parts[part];
}

/** A function that is called with each part as soon as the part is complete, on any thread. */
struct columns_taker {
	void (*take)(void *context, size_t part);
	void *context;
	size_t threads;
};

/**
 * Write the columns of a picture's tree, or of the chosen part of it, into zeroed `columns`, and
 * pass each complete part on. `offer` has the candidates of the choice. If `offer` is NULL, all
 * names are written. `palette` has the colours of names. Set `*left_out`.
 */
void columns_write(struct columns *columns, const struct picture *picture, struct palette *palette,
		   const struct choice *choice, const struct offer *offer,
		   struct left_out *left_out, const struct columns_taker *taker);

void columns_release(struct columns *columns);

/** Add a sample of all frames and names, which compresses about as well as the whole columns.
 * `order` has the ids of the names in the order of their first frames. Return the share of the
 * sample in the whole. */
double columns_add_sample(struct buf *out, const struct picture *picture, const struct ids *order);

/** Add a text with its length, in the format of packs. */
void columns_add_text(struct buf *out, struct str text);
