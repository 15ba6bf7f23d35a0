/*
 * Read folded text.
 *
 * Folded text is usually sorted, so a line shares most of its frames with the previous line. Only
 * its other frames, the fresh frames, are looked up, for a batch of lines at once. In unsorted
 * text, a line shares its first frames with some earlier line, which prefixes.h finds. Reading and
 * drawing 35 MB of unsorted text in this way takes five sixths of the time, and half of the memory,
 * of sorting the lines first.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "profile/folded.h"
#include "profile/prefixes.h"

/** A line whose fresh frames were not looked up yet. */
struct folded_read_pending {
	struct stack_row row;
	size_t shared; // number of frames that the line shares with the previous line
	size_t fresh;  // number of the line's fresh frames
	bool odd;      // the first fresh frame may sort before an earlier sibling
	// For unsorted text:
	struct str stack;
	// index of the first hash of the line's starts, and number of these hashes
	size_t hashes, pieces;
};

/** Lines whose fresh frames were not looked up yet. */
struct folded_read_batch {
	struct folded_read_pending *lines;
	size_t n, capacity;
	struct intern_query *names; // names of the fresh frames of all lines
	size_t names_n, names_capacity;
};

enum { MOST_LINES = 32 }; // a batch of this size stays in the first-level cache

/** The first frames of a stack, which may be found again for later stacks. */
struct folded_read_mark {
	size_t hash;  // index of the hash of these frames
	size_t frame; // index of the last of these frames in the batch's names
};

struct folded_reader {
	struct profile *profile;
	bool drop_recursion;
	uint64_t lines,
		descents; // number of stacks, and number of descents: stacks that sort before the
			  // previous stack
	bool in_no_order; // there were many descents
	bool looks_up;    // each call is looked up
	struct prefixes prefixes;
	struct folded_read_mark *marks; // marks of the pending lines
	size_t marks_n, marks_capacity;
	struct folded_read_batch batch;
	bool unclear; // the text is not sorted, or some name differs from its text in the line
	size_t *ends; // end of each frame in the text of the last stack
	size_t depth, ends_capacity;
	struct ids fresh;    // ids of the batch's fresh frames
	struct ids ids;      // ids of the last stack
	struct ids distinct; // ids of the last stack, without direct recursion
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

/* --- Frames --------------------------------------------------------------------------------- */

static uint32_t folded_read_frame_id(struct folded_reader *reader,
				     const struct intern_query *query) {
	if (intern_guess_is_right(query)) {
		return query->guess->id; // a known name is valid, so it needs no repair
	}
	if (utf8_valid(query->text)) {
		uint32_t id = profile_text_frame(reader->profile, query->text);
		reader->unclear |= profile_name(reader->profile, id).n != query->text.n;
		return id;
	}
	reader->unclear = true; // after the repair, the name may sort differently
	return profile_text_frame(reader->profile, utf8_repaired(&reader->repaired, query->text));
}

/** Look up the names of the batch, and store their ids in `fresh`. */
static void folded_read_look_up_names(struct folded_reader *reader) {
	struct folded_read_batch *batch = &reader->batch;
	reader->fresh.n = 0;
	intern_guess_all(&reader->profile->names.table, batch->names, batch->names_n);
	for (size_t i = 0; i < batch->names_n; i++) {
		ids_push(&reader->fresh, folded_read_frame_id(reader, &batch->names[i]));
	}
	batch->names_n = 0;
}

/** Add a stack, after dropping every frame that equals its caller. */
static void folded_read_add_without_recursion(struct folded_reader *reader, struct stack_row row) {
	struct ids *ids = &reader->distinct;
	ids->n = 0;
	for (size_t i = 0; i < row.depth; i++) {
		if (i == 0 || row.ids[i] != row.ids[i - 1]) {
			ids_push(ids, row.ids[i]);
		}
	}
	profile_add(reader->profile, ids->items, ids->n, row.count);
}

/** Add a line. Note whether its first fresh frame may be out of order. */
static void folded_read_add_line(struct folded_reader *reader, struct stack_row row,
				 const struct folded_read_pending *pending) {
	struct calls *calls = &reader->profile->calls;
	profile_add_line(reader->profile, row, pending->shared);
	if (pending->odd && pending->fresh > 0 && calls->links == NULL && calls->path_n > 0) {
		ids_push(&calls->odd, calls->path[pending->shared + 1]);
	}
}

static void folded_read_add_pending(struct folded_reader *reader,
				    const struct folded_read_pending *pending,
				    const uint32_t *fresh) {
	struct stack_row row = pending->row;
	reader->ids.n = pending->shared;
	// push ids one by one, because a line usually has one or two fresh frames
	for (size_t i = 0; i < pending->fresh; i++) {
		ids_push(&reader->ids, fresh[i]);
	}
	row.ids = reader->ids.items;
	row.depth = (uint32_t)reader->ids.n;
	if (reader->drop_recursion) {
		folded_read_add_without_recursion(reader, row);
	} else if (reader->profile->form == PROFILE_STACKS) {
		profile_add(reader->profile, row.ids, row.depth, row.count);
	} else {
		folded_read_add_line(reader, row, pending);
	}
}

/** Remember the name and the end of each frame in a text. The text begins `at` bytes after the
 * start of its stack. Return the number of frames. */
static size_t folded_read_note_frames(struct folded_reader *reader, struct str text, size_t at) {
	struct folded_read_batch *batch = &reader->batch;
	uint64_t seed = reader->profile->names.table.seed;
	size_t before = reader->depth;
	for (bool more = true; more;) {
		size_t n = str_find(text, ';');
		more = n != STR_NONE;
		n = more ? n : text.n;
		*MEM_APPEND(reader->ends, reader->depth, reader->ends_capacity) = at + n;
		*MEM_APPEND(batch->names, batch->names_n, batch->names_capacity) =
			(struct intern_query){.text = str_to(text, n),
					      .hash = hash_bytes(text.p, n, seed)};
		text = str_from(text, more ? n + 1 : n);
		at += n + 1;
	}
	return reader->depth - before;
}

/** Remember the frames that a stack does not share with the previous stack. Both stacks begin with
 * the same `common` bytes. */
static void folded_read_note_fresh(struct folded_reader *reader, struct folded_read_pending *line,
				   struct str stack, size_t common) {
	size_t shared = reader->depth;
	// whether the stack continues within a name after the shared bytes
	bool splits = common < stack.n && stack.p[common] != ';';
	// A frame is shared if it ends at the same index in both texts.
	while (shared > 0 && (reader->ends[shared - 1] > common ||
			      (reader->ends[shared - 1] == common && splits))) {
		shared--;
	}
	size_t at = shared == 0 ? 0 : reader->ends[shared - 1] + 1;
	bool more = shared == 0 || at <= stack.n;
	line->shared = reader->depth = shared;
	line->fresh = more ? folded_read_note_frames(reader, str_from(stack, at), at) : 0;
}

/** Add the lines of the batch to the profile, and empty the batch. */
static void folded_read_flush(struct folded_reader *reader) {
	struct folded_read_batch *batch = &reader->batch;
	struct calls *calls = &reader->profile->calls;
	bool in_order = calls->in_order == calls->n;
	size_t at = 0;
	folded_read_look_up_names(reader);
	for (size_t i = 0; i < batch->n; i++) {
		folded_read_add_pending(reader, &batch->lines[i], reader->fresh.items + at);
		at += batch->lines[i].fresh;
	}
	calls->in_order = in_order && !reader->unclear ? calls->n : 0;
	batch->n = 0;
}

/** Return a new line of the batch. */
static struct folded_read_pending *folded_read_new_line(struct folded_read_batch *batch) {
	return MEM_APPEND(batch->lines, batch->n, batch->capacity);
}

/**
 * Return whether the first new frame of a stack may sort before earlier callees of the same caller,
 * although the text is sorted. In sorted text, "a b" comes before "a;c", although the name "a"
 * sorts before the name "a b". `common` is the number of bytes that the stack shares with the
 * previous stack. Set `unclear` if the text is not sorted.
 */
static bool folded_read_is_odd(struct folded_reader *reader, struct str before, struct str stack,
			       size_t common) {
	if (common == before.n) {
		return false; // the stack equals the previous stack, or is longer
	}
	reader->unclear |= common == stack.n ||
			   (unsigned char)before.p[common] > (unsigned char)stack.p[common];
	return common < stack.n && stack.p[common] == ';';
}

/** Add a stack that shares `common` bytes with the previous stack. */
static void folded_read_add_stack(struct folded_reader *reader, struct str before, struct str stack,
				  size_t common, struct stack_row row) {
	if (reader->batch.n == MOST_LINES) {
		folded_read_flush(reader);
	}
	struct folded_read_pending *line = folded_read_new_line(&reader->batch);
	*line = (struct folded_read_pending){
		.row = row, .odd = folded_read_is_odd(reader, before, stack, common)};
	folded_read_note_fresh(reader, line, stack, common);
}

/* --- No order ------------------------------------------------------------------------------- */

/**
 * Choose the starts of a stack to remember. A start is the first pieces of the stack's text; see
 * prefixes.h. The start of `known` pieces is known already, and each chosen start is longer. The
 * first frame after the known start has the index `first` in the batch's names. The distances
 * between chosen starts grow, so that a stack that shares few frames with other stacks needs little
 * memory.
 */
static void folded_read_mark_starts(struct folded_reader *reader,
				    const struct folded_read_pending *pending, size_t known,
				    size_t first) {
	size_t marked = 0, complete = 0, next = known;
	for (size_t piece = known; piece < pending->pieces; piece++) {
		while (complete < reader->depth &&
		       reader->ends[complete] < (piece + 1) * PREFIX_PIECE) {
			complete++; // count the frame as complete: its semicolon is in the start
		}
		if (complete > marked && piece >= next) {
			next = piece + (piece - known) + 1;
			*MEM_APPEND(reader->marks, reader->marks_n, reader->marks_capacity) =
				(struct folded_read_mark){pending->hashes + piece,
							  first + complete - 1};
			marked = complete;
		}
	}
}

/** Find the longest known start of a pending stack, and note the frames after it as fresh. */
static void folded_read_find_start(struct folded_reader *reader,
				   struct folded_read_pending *pending, struct call_tail *tail) {
	struct prefixes *prefixes = &reader->prefixes;
	struct str stack = pending->stack;
	size_t first = reader->batch.names_n, at = 0;
	size_t known = prefixes_find(prefixes, pending->hashes, pending->pieces, &tail->call);
	if (known > 0) { // if no start is known, `at` stays 0
		at = str_find_last(str_to(stack, known * PREFIX_PIECE), ';') + 1;
	}
	reader->depth = 0;
	tail->found = 0;
	tail->row = pending->row;
	tail->row.depth = (uint32_t)folded_read_note_frames(reader, str_from(stack, at), at);
	folded_read_mark_starts(reader, pending, known, first);
}

/** Add the pending lines, and remember their starts. */
static void folded_read_flush_unsorted(struct folded_reader *reader) {
	struct profile *profile = reader->profile;
	struct prefixes *prefixes = &reader->prefixes;
	struct call_tail tails[MOST_TAILS];
	struct folded_read_batch *batch = &reader->batch;
	size_t n = batch->n, at = 0;
	for (size_t i = 0; i < n; i++) {
		folded_read_find_start(reader, &batch->lines[i], &tails[i]);
	}
	folded_read_look_up_names(reader);
	for (size_t i = 0; i < n; i++) {
		tails[i].row.ids = reader->fresh.items + at;
		at += tails[i].row.depth;
	}
	profile->overflow |= !calls_add_tails(&profile->calls, tails, n);
	for (size_t i = 0; i < reader->marks_n; i++) { // the ids were replaced by indices of calls
		const struct folded_read_mark *mark = &reader->marks[i];
		prefixes_add(prefixes, prefixes->hashes[mark->hash],
			     reader->fresh.items[mark->frame]);
	}
	batch->n = reader->marks_n = prefixes->hashes_n = 0;
}

/** Add the stack of a line of unsorted text. */
static void folded_read_add_unsorted(struct folded_reader *reader, struct str stack,
				     struct stack_row row) {
	enum { MANY = 4096 };
	struct folded_read_batch *batch = &reader->batch;
	struct folded_read_pending *pending = folded_read_new_line(batch);
	*pending = (struct folded_read_pending){
		.row = row, .stack = stack, .hashes = reader->prefixes.hashes_n};
	pending->pieces = prefixes_hash(&reader->prefixes, stack);
	if (batch->n == MOST_TAILS || reader->prefixes.hashes_n > MANY) {
		folded_read_flush_unsorted(reader);
	}
}

/** From now on, look up each call before adding it. */
static void folded_read_look_up_calls(struct folded_reader *reader) {
	if (!reader->looks_up) {
		folded_read_flush(reader);
		calls_look_up(&reader->profile->calls);
		reader->looks_up = true;
	}
}

/** From now on, expect unsorted lines. */
static void folded_read_expect_no_order(struct folded_reader *reader) {
	folded_read_flush(reader);
	calls_look_up(&reader->profile->calls);
	reader->profile->calls.in_order = 0;
	reader->in_no_order = true;
}

/**
 * Count a descent: a line that sorts before the previous line. If at most one line in eight is a
 * descent, look up each call from now on, because the text may be several sorted texts with the
 * same stacks. If there are more descents, and more than 64 of them, treat the text as unsorted.
 */
static void folded_read_note_descent(struct folded_reader *reader) {
	enum { PATIENCE = 64, SELDOM = 8 };
	if (reader->profile->form != PROFILE_CALLS || reader->drop_recursion) {
		return;
	}
	if (++reader->descents <= reader->lines / SELDOM) {
		folded_read_look_up_calls(reader);
	} else if (reader->descents > PATIENCE) {
		folded_read_expect_no_order(reader);
	}
}

struct str folded_add(struct folded_reader *reader, struct str before,
		      const struct folded_line *line, size_t common) {
	struct str stack = line->stack;
	struct stack_row row = {
		.count = line->count, .before = line->before, .two_counts = line->two_counts};
	common = common < stack.n ? common : stack.n;
	reader->lines++;
	if (!reader->in_no_order && common < stack.n && common < before.n &&
	    (unsigned char)stack.p[common] < (unsigned char)before.p[common]) {
		folded_read_note_descent(reader);
	}
	if (reader->in_no_order) {
		folded_read_add_unsorted(reader, stack, row);
		return STR("");
	}
	folded_read_add_stack(reader, before, stack, common, row);
	return stack;
}

void folded_let_go(struct folded_reader *reader) {
	if (reader->in_no_order) {
		folded_read_flush_unsorted(reader);
	} else {
		folded_read_flush(reader);
	}
}

void folded_finish(struct folded_reader *reader) {
	// release the prefixes first, because the next step needs memory
	prefixes_release(&reader->prefixes);
}

void folded_reader_free(struct folded_reader *reader) {
	free(reader->batch.lines);
	free(reader->batch.names);
	prefixes_release(&reader->prefixes);
	free(reader->marks);
	buf_release(&reader->repaired);
	ids_release(&reader->fresh);
	ids_release(&reader->ids);
	ids_release(&reader->distinct);
	free(reader->ends);
	free(reader);
}
