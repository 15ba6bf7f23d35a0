/*
 * Reading folded text.
 *
 * Folded text is usually sorted, so a line shares most of its frames with the line before. Only its
 * other frames are looked up, those of some lines at once. If the text is not sorted, sorting many
 * lines at a time takes less time than looking up all their frames.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "profile/folded.h"

/** A frame's name in the text, with its hash. */
struct name {
	struct str text;
	uint64_t hash;
	const struct intern_key *guess; // the key with the same hash, if there is one
};

/** A line whose names have not been looked up. */
struct pending {
	size_t shared; // number of frames that it shares with the line before
	size_t fresh;  // number of its other frames
	bool odd;      // its first other frame may come before an earlier one of the same caller
	struct stack_row row;
};

enum { PENDING_LINES = 32, PENDING_NAMES = 128 };

/** A line to be sorted. */
struct unsorted {
	size_t at; // where its stack begins in `text`
	size_t n;
	struct stack_row row;
};

/** Unsorted lines, as many as are sorted at a time. */
struct batch {
	struct buf text; // their stacks
	struct unsorted *lines;
	size_t n, capacity;
};

enum { BATCH_SIZE = 64 << 20, BATCH_LINES = 1 << 20 }; // limits: bytes of text, lines

struct folded_reader {
	struct profile *profile;
	bool drop_recursion;
	struct str previous; // the stack of the last line: in the caller's text, or in `kept`
	struct buf kept;
	size_t *ends; // where its frames end
	size_t depth, ends_capacity;
	uint64_t lines,
		descents; // number of stacks, and of those that sort before the stack before them
	bool in_no_order; // there were many descents
	bool unclear;     // not sorted, or some name is not the text between two semicolons
	struct batch batch;
	struct pending pending[PENDING_LINES];
	size_t pending_n;
	struct name names[PENDING_NAMES]; // to look up
	size_t names_n;
	struct ids fresh;    // ids of the pending lines' other frames
	struct ids ids;      // of the last stack
	struct ids distinct; // the same, without recursion
	struct buf repaired;
};

struct folded_reader *folded_reader_new(struct profile *profile) {
	struct folded_reader *reader = mem_new(1, sizeof(*reader));
	reader->profile = profile;
	return reader;
}

void folded_drop_recursion(struct folded_reader *reader) {
	reader->drop_recursion = true;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** A count at the end of some text. */
struct count {
	uint64_t value;
	bool fraction;
};

/** Parse digits, perhaps a point, perhaps more digits. */
static bool parse_count(struct str text, struct count *count) {
	size_t point = str_find(text, '.');
	struct str fraction = point == STR_NONE ? STR("") : str_from(text, point + 1);
	text = str_from(text, str_starts(text, STR("+")));
	count->fraction = false;
	for (size_t i = 0; i < fraction.n; i++) {
		count->fraction |= fraction.p[i] != '0';
	}
	return str_all_digits(fraction) &&
	       num_parse_u64(point == STR_NONE ? text : str_to(text, point), &count->value);
}

/** Take a count, and the separator before it, off the end of `*text`. */
static bool take_count_after(struct str *text, char separator, struct count *count) {
	const char *at = text->n == 0 ? NULL : memrchr(text->p, separator, text->n);
	if (at == NULL || !parse_count(str_from(*text, (size_t)(at - text->p) + 1), count)) {
		return false;
	}
	*text = str_trim_end(str_to(*text, (size_t)(at - text->p)));
	return true;
}

static bool take_count(struct str *text, struct count *count) {
	return take_count_after(text, ' ', count) || take_count_after(text, '\t', count);
}

enum folded_kind folded_cut(struct str text, bool one_count, struct folded_line *line) {
	struct str stack = str_trim(text);
	struct count after, before;
	if (stack.n == 0 || str_starts(stack, STR("# "))) {
		return FOLDED_NOTHING;
	}
	if (!take_count(&stack, &after) || stack.n == 0) {
		return FOLDED_NO_COUNT;
	}
	*line = (struct folded_line){
		.stack = stack, .count = after.value, .fraction = after.fraction};
	if (!one_count && folded_ends_in_count(stack) && take_count(&stack, &before) &&
	    stack.n > 0) {
		line->stack = stack;
		line->before = before.value;
		line->two_counts = true;
		line->fraction |= before.fraction;
	}
	return FOLDED_STACK;
}

bool folded_ends_in_count(struct str text) {
	size_t n = text.n;
	while (n > 0 && (is_digit(text.p[n - 1]) || text.p[n - 1] == '.')) {
		n--;
	}
	return n < text.n && n > 0 && (text.p[n - 1] == ' ' || text.p[n - 1] == '\t');
}

/* --- Frames --------------------------------------------------------------------------------- */

static uint32_t frame_id(struct folded_reader *reader, const struct name *name) {
	if (name->guess != NULL && str_eq(intern_str(name->guess), name->text)) {
		return name->guess->id; // a known name needs no repair
	}
	if (utf8_valid(name->text)) {
		uint32_t id = profile_text_frame(reader->profile, name->text);
		reader->unclear |= profile_name(reader->profile, id).n != name->text.n;
		return id;
	}
	reader->unclear = true; // repaired text may have another place in the order
	return profile_text_frame(reader->profile, utf8_repaired(&reader->repaired, name->text));
}

/** Look up the pending names. They are far apart in memory, so each is prefetched a few names
 * before it is needed. */
static void look_up_names(struct folded_reader *reader) {
	enum { AHEAD = 8 };
	const struct intern *table = &reader->profile->names.table;
	size_t fetched = 0;
	for (size_t i = 0; i < reader->names_n; i++) {
		for (; fetched < reader->names_n && fetched <= i + AHEAD; fetched++) {
			struct name *name = &reader->names[fetched];
			name->guess = intern_guess(table, name->hash);
		}
		ids_push(&reader->fresh, frame_id(reader, &reader->names[i]));
	}
	reader->names_n = 0;
}

/** Add a stack without the frames that equal their caller. */
static void add_without_recursion(struct folded_reader *reader, struct stack_row row) {
	struct ids *ids = &reader->distinct;
	ids->n = 0;
	for (size_t i = 0; i < row.depth; i++) {
		if (i == 0 || row.ids[i] != row.ids[i - 1]) {
			ids_push(ids, row.ids[i]);
		}
	}
	profile_add(reader->profile, ids->items, ids->n, row.count);
}

/** Add a line, and note if its first other frame may be out of order. */
static void add_line(struct folded_reader *reader, struct stack_row row,
		     const struct pending *pending) {
	struct calls *calls = &reader->profile->calls;
	profile_add_line(reader->profile, row, pending->shared);
	if (pending->odd && pending->fresh > 0 && calls->links == NULL && calls->path_n > 0) {
		ids_push(&calls->odd, calls->path[pending->shared + 1]);
	}
}

static void add_pending(struct folded_reader *reader, const struct pending *pending,
			const uint32_t *fresh) {
	struct stack_row row = pending->row;
	reader->ids.n = pending->shared;
	for (size_t i = 0; i < pending->fresh; i++) { // usually one or two
		ids_push(&reader->ids, fresh[i]);
	}
	row.ids = reader->ids.items;
	row.depth = (uint32_t)reader->ids.n;
	if (reader->drop_recursion) {
		add_without_recursion(reader, row);
	} else if (reader->profile->form == PROFILE_STACKS) {
		profile_add(reader->profile, row.ids, row.depth, row.count);
	} else {
		add_line(reader, row, pending);
	}
}

/** Add the pending lines. */
static void flush(struct folded_reader *reader) {
	size_t at = 0;
	struct calls *calls = &reader->profile->calls;
	bool in_order = calls->in_order == calls->n;
	look_up_names(reader);
	for (size_t i = 0; i < reader->pending_n; i++) {
		add_pending(reader, &reader->pending[i], reader->fresh.items + at);
		at += reader->pending[i].fresh;
	}
	reader->pending_n = reader->fresh.n = 0;
	calls->in_order = in_order && !reader->unclear ? calls->n : 0;
}

/** Note the frames of a stack's text from `at` on. Return how many there are. */
static size_t read_frames(struct folded_reader *reader, struct str stack, size_t at) {
	const struct intern *table = &reader->profile->names.table;
	size_t before = reader->depth;
	for (bool more = true; more;) {
		struct str rest = str_from(stack, at);
		size_t n = str_find(rest, ';');
		more = n != STR_NONE;
		n = more ? n : rest.n;
		reader->ends = mem_grow(reader->ends, &reader->ends_capacity, reader->depth + 1,
					sizeof(*reader->ends));
		reader->ends[reader->depth++] = at + n;
		if (reader->names_n == PENDING_NAMES) {
			look_up_names(reader);
		}
		uint64_t hash = hash_bytes(rest.p, n, table->seed);
		intern_prefetch_slot(table, hash);
		reader->names[reader->names_n++] = (struct name){str_to(rest, n), hash, NULL};
		at += n + 1;
	}
	return reader->depth - before;
}

/** Note the frames of a stack whose text shares `common` bytes with the last one. */
static struct pending read_stack(struct folded_reader *reader, struct str stack, size_t common) {
	size_t shared = reader->depth;
	// A frame is shared if it ends at the same place in both texts.
	while (shared > 0 && (reader->ends[shared - 1] > common ||
			      (reader->ends[shared - 1] == common && common < stack.n &&
			       stack.p[common] != ';'))) {
		shared--;
	}
	reader->depth = shared;
	reader->previous = stack;
	size_t at = shared == 0 ? 0 : reader->ends[shared - 1] + 1;
	bool more = shared == 0 || at <= stack.n;
	return (struct pending){.shared = shared,
				.fresh = more ? read_frames(reader, stack, at) : 0};
}

/**
 * Return whether the first new frame of a stack, which shares `common` bytes with the last one, may
 * come before earlier frames of the same caller, although the text is sorted: it puts "a b" before
 * "a;c", and the name "a" comes before "a b". Note if the text is not sorted.
 */
static bool is_odd(struct folded_reader *reader, struct str stack, size_t common) {
	struct str last = reader->previous;
	if (common == last.n) {
		return false; // it is longer, or the same
	}
	reader->unclear |=
		common == stack.n || (unsigned char)last.p[common] > (unsigned char)stack.p[common];
	return common < stack.n && stack.p[common] == ';';
}

/** Add a stack, which shares `common` bytes with the last one. */
static void add_stack(struct folded_reader *reader, struct str stack, size_t common,
		      struct stack_row row) {
	bool odd = is_odd(reader, stack, common);
	struct pending pending = read_stack(reader, stack, common);
	pending.odd = odd;
	pending.row = row;
	reader->pending[reader->pending_n++] = pending;
	if (reader->pending_n == PENDING_LINES) {
		flush(reader);
	}
}

void folded_let_go(struct folded_reader *reader) {
	flush(reader);
	if (reader->previous.p != reader->kept.p) {
		buf_clear(&reader->kept);
		buf_add_str(&reader->kept, reader->previous);
	}
	reader->previous = buf_str(&reader->kept);
}

/* --- No order ------------------------------------------------------------------------------- */

/** Sort the lines of the batch, and add them. */
static void add_batch(struct folded_reader *reader) {
	struct batch *batch = &reader->batch;
	struct sort_item *items = mem_new(batch->n, sizeof(*items));
	for (size_t i = 0; i < batch->n; i++) {
		items[i].bytes = batch->text.p + batch->lines[i].at;
		items[i].len = (uint32_t)batch->lines[i].n;
		items[i].id = (uint32_t)i;
	}
	sort_bytes(items, batch->n);
	for (size_t i = 0; i < batch->n; i++) {
		struct str stack = {items[i].bytes, items[i].len};
		sort_prefetch(items, batch->n, i);
		size_t common =
			i == 0 ? str_common_prefix(stack, reader->previous) : sort_common(items, i);
		add_stack(reader, stack, common, batch->lines[items[i].id].row);
	}
	folded_let_go(reader);
	buf_clear(&batch->text);
	batch->n = 0;
	free(items);
}

/** Keep a line to be sorted. */
static void add_to_batch(struct folded_reader *reader, struct str stack, struct stack_row row) {
	struct batch *batch = &reader->batch;
	if (batch->text.p == NULL) {
		(void)buf_room(&batch->text,
			       BATCH_SIZE); // untouched memory is free; moving it is not
	}
	if (batch->n > 0 && (batch->text.n + stack.n > BATCH_SIZE || batch->n == BATCH_LINES)) {
		add_batch(reader);
		calls_look_up(&reader->profile->calls); // a later batch may have the same stacks
	}
	batch->lines =
		mem_grow(batch->lines, &batch->capacity, batch->n + 1, sizeof(*batch->lines));
	batch->lines[batch->n++] = (struct unsorted){batch->text.n, stack.n, row};
	buf_add_str(&batch->text, stack);
}

/**
 * Count a line that sorts before the one before it. If there are few, sorted texts with the same
 * stacks may follow one another, so look up each call from now on. If there are many, the text is
 * not sorted.
 */
static void note_descent(struct folded_reader *reader) {
	enum { PATIENCE = 64, SELDOM = 8 };
	if (reader->profile->form != PROFILE_CALLS) {
		return;
	}
	if (++reader->descents <= reader->lines / SELDOM) {
		calls_look_up(&reader->profile->calls);
	} else {
		reader->in_no_order = reader->descents > PATIENCE;
	}
}

size_t folded_common(const struct folded_reader *reader, struct str text) {
	return str_common_prefix(text, reader->previous);
}

void folded_add(struct folded_reader *reader, const struct folded_line *line, size_t common) {
	struct str stack = line->stack, previous = reader->previous;
	struct stack_row row = {
		.count = line->count, .before = line->before, .two_counts = line->two_counts};
	common = common < stack.n ? common : stack.n;
	reader->lines++;
	if (reader->in_no_order) {
		add_to_batch(reader, stack, row);
		return;
	}
	if (common < stack.n && common < previous.n &&
	    (unsigned char)stack.p[common] < (unsigned char)previous.p[common]) {
		note_descent(reader);
	}
	add_stack(reader, stack, common, row);
}

static void batch_release(struct batch *batch) {
	buf_release(&batch->text);
	free(batch->lines);
	*batch = (struct batch){0};
}

void folded_finish(struct folded_reader *reader) {
	if (reader->batch.n > 0) {
		add_batch(reader);
	}
	batch_release(&reader->batch); // the next step needs the memory
}

void folded_reader_free(struct folded_reader *reader) {
	batch_release(&reader->batch);
	buf_release(&reader->kept);
	buf_release(&reader->repaired);
	ids_release(&reader->fresh);
	ids_release(&reader->ids);
	ids_release(&reader->distinct);
	free(reader->ends);
	free(reader);
}
