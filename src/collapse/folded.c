/*
 * folded: one stack a line, `frame;frame;frame COUNT`, as every collapser writes it.
 *
 * Folded text is usually sorted, so a line shares most of its frames with the one before; only the
 * others are looked up, those of some lines at a time. Where it is not, sorting the lines of a good
 * part of it costs less than looking up all their frames.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"

enum tally { TALLY_FRACTION };

/** A frame's name in the block, and its hash. */
struct name {
	struct str text;
	uint64_t hash;
	const struct intern_key *guess; // of the key, if it is there
};

/** A line that was read but not added. */
struct pending {
	size_t shared; // frames, with the line before
	size_t fresh;  // how many others it has
	struct stack_row row;
};

enum { PENDING_LINES = 32, PENDING_NAMES = 128 };

/** A line that waits to be sorted. */
struct unsorted {
	size_t at; // of the stack, in `text`
	size_t n;
	struct stack_row row;
};

/** Lines in no order, as many as are sorted at a time. */
struct batch {
	struct buf text; // their stacks
	struct unsorted *lines;
	size_t n, capacity;
};

enum { BATCH_SIZE = 64 << 20 }; // bytes of text

struct state {
	struct run *run;
	struct str previous; // the stack of the line before: in the block, or in `kept`
	struct buf kept;
	size_t *ends; // where its frames end in it
	size_t depth, ends_capacity;
	uint64_t descents; // lines that sort below the one before them
	bool in_no_order;  // there were many
	struct batch batch;
	struct pending pending[PENDING_LINES];
	size_t pending_n;
	struct name names[PENDING_NAMES]; // that are to be looked up
	size_t names_n;
	struct ids fresh; // what was looked up: the other frames of the pending lines
	struct ids ids;   // the frames of the stack that was added last
	struct buf repaired;
};

static void init(void *memory, const void *options, struct run *run) {
	(void)options;
	((struct state *)memory)->run = run;
}

/** A count at the end of some text. */
struct count {
	uint64_t value;
	bool fraction; // it had one that is not zero, and was cut
};

/** Digits, perhaps a point, perhaps more digits. */
static bool parse_count(struct str text, struct count *count) {
	size_t point = str_find(text, '.');
	struct str fraction = point == STR_NONE ? STR("") : str_from(text, point + 1);
	count->fraction = false;
	for (size_t i = 0; i < fraction.n; i++) {
		count->fraction |= fraction.p[i] != '0';
	}
	return str_all_digits(fraction) &&
	       num_parse_u64(point == STR_NONE ? text : str_to(text, point), &count->value);
}

/** Takes a count, and the blank or tab before it, off the end of `*text`. */
static bool take_count_behind(struct str *text, char separator, struct count *count) {
	const char *at = text->n == 0 ? NULL : memrchr(text->p, separator, text->n);
	if (at == NULL || !parse_count(str_from(*text, (size_t)(at - text->p) + 1), count)) {
		return false;
	}
	*text = str_trim_end(str_to(*text, (size_t)(at - text->p)));
	return true;
}

static bool take_count(struct str *text, struct count *count) {
	return take_count_behind(text, ' ', count) || take_count_behind(text, '\t', count);
}

static uint32_t frame_id(struct state *state, const struct name *name) {
	struct stacks *stacks = state->run->stacks;
	if (name->guess != NULL && str_eq(intern_str(name->guess), name->text)) {
		return name->guess->id; // a name that is there already is known to be good
	}
	if (utf8_valid(name->text)) {
		return stacks_frame(stacks, name->text);
	}
	buf_clear(&state->repaired);
	utf8_repair(&state->repaired, name->text);
	return stacks_frame(stacks, buf_str(&state->repaired));
}

/** Looks up the names that wait for it. They are far apart in memory, so each is fetched a few
 * names before it is needed. */
static void look_up_names(struct state *state) {
	enum { AHEAD = 8 };
	size_t fetched = 0;
	for (size_t i = 0; i < state->names_n; i++) {
		for (; fetched < state->names_n && fetched <= i + AHEAD; fetched++) {
			state->names[fetched].guess = intern_guess(&state->run->stacks->names,
								   state->names[fetched].hash);
		}
		ids_push(&state->fresh, frame_id(state, &state->names[i]));
	}
	state->names_n = 0;
}

static void add_pending(struct state *state, const struct pending *pending, const uint32_t *fresh) {
	struct stacks *stacks = state->run->stacks;
	struct stack_row row = pending->row;
	state->ids.n = pending->shared;
	for (size_t i = 0; i < pending->fresh; i++) {
		ids_push(&state->ids, fresh[i]);
	}
	row.ids = state->ids.items;
	row.depth = (uint32_t)state->ids.n;
	if ((stacks->mode & STACKS_TAKE_LINES) != 0) {
		stacks_add_line(stacks, row, pending->shared);
	} else {
		stacks_add(stacks, row.ids, row.depth, row.count);
	}
}

/** Adds the pending lines. */
static void flush(struct state *state) {
	size_t at = 0;
	look_up_names(state);
	for (size_t i = 0; i < state->pending_n; i++) {
		add_pending(state, &state->pending[i], state->fresh.items + at);
		at += state->pending[i].fresh;
	}
	state->pending_n = state->fresh.n = 0;
}

/** Notes the frames of a stack's text from `at` on. Returns how many these are. */
static size_t read_frames(struct state *state, struct str stack, size_t at) {
	const struct intern *table = &state->run->stacks->names;
	size_t before = state->depth;
	for (bool more = true; more;) {
		struct str rest = str_from(stack, at);
		size_t n = str_find(rest, ';');
		more = n != STR_NONE;
		n = more ? n : rest.n;
		state->ends = mem_grow(state->ends, &state->ends_capacity, state->depth + 1,
				       sizeof(*state->ends));
		state->ends[state->depth++] = at + n;
		if (state->names_n == PENDING_NAMES) {
			look_up_names(state);
		}
		uint64_t hash = hash_bytes(rest.p, n, table->seed);
		intern_prefetch_slot(table, hash);
		state->names[state->names_n++] = (struct name){str_to(rest, n), hash, NULL};
		at += n + 1;
	}
	return state->depth - before;
}

/** Notes the frames of a stack whose text shares `common` bytes with the one before. */
static struct pending read_stack(struct state *state, struct str stack, size_t common) {
	size_t shared = state->depth;
	// A frame is shared if it ends in both texts where it does in one.
	while (shared > 0 &&
	       (state->ends[shared - 1] > common || (state->ends[shared - 1] == common &&
						     common < stack.n && stack.p[common] != ';'))) {
		shared--;
	}
	state->depth = shared;
	state->previous = stack;
	size_t at = shared == 0 ? 0 : state->ends[shared - 1] + 1;
	bool more = shared == 0 || at <= stack.n;
	return (struct pending){.shared = shared,
				.fresh = more ? read_frames(state, stack, at) : 0};
}

/** Adds a stack, which shares `common` bytes with the one before. */
static void add_stack(struct state *state, struct str stack, size_t common, struct stack_row row) {
	struct pending pending = read_stack(state, stack, common);
	pending.row = row;
	state->pending[state->pending_n++] = pending;
	if (state->pending_n == PENDING_LINES) {
		flush(state);
	}
}

/** Lets go of the text that the stack before is in. */
static void keep_previous(struct state *state) {
	flush(state);
	if (state->previous.p != state->kept.p) {
		buf_clear(&state->kept);
		buf_add_str(&state->kept, state->previous);
	}
	state->previous = buf_str(&state->kept);
}

/** Adds the lines that wait to be sorted. */
static void add_batch(struct state *state) {
	struct batch *batch = &state->batch;
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
			i == 0 ? str_common_prefix(stack, state->previous) : sort_common(items, i);
		add_stack(state, stack, common, batch->lines[items[i].id].row);
	}
	keep_previous(state);
	buf_clear(&batch->text);
	batch->n = 0;
	free(items);
}

/** Has a line wait until it is sorted. */
static void add_to_batch(struct state *state, struct str stack, struct stack_row row) {
	struct batch *batch = &state->batch;
	if (batch->text.p == NULL) {
		(void)buf_room(&batch->text, BATCH_SIZE); // not touched costs nothing, moving does
	}
	if (batch->n > 0 && (batch->text.n + stack.n > BATCH_SIZE || batch->n == UINT32_MAX)) {
		add_batch(state);
		calls_look_up(&state->run->stacks->calls); // others may have the same stacks
	}
	batch->lines =
		mem_grow(batch->lines, &batch->capacity, batch->n + 1, sizeof(*batch->lines));
	batch->lines[batch->n++] = (struct unsorted){batch->text.n, stack.n, row};
	buf_add_str(&batch->text, stack);
}

static void batch_release(struct batch *batch) {
	buf_release(&batch->text);
	free(batch->lines);
	*batch = (struct batch){0};
}

static void finish(void *memory) {
	struct state *state = memory;
	if (state->batch.n > 0) {
		add_batch(state);
	}
	batch_release(&state->batch); // what follows needs memory, too
}

/** Notices that text is in no order. */
static void note_descent(struct state *state) {
	enum { PATIENCE = 64, SELDOM = 8 };
	unsigned mode = state->run->stacks->mode;
	state->in_no_order = ++state->descents > PATIENCE &&
			     state->descents > state->run->samples / SELDOM &&
			     (mode & (STACKS_TAKE_LINES | STACKS_KEEP_ORDER)) == STACKS_TAKE_LINES;
}

/** Takes the stack of the next line. */
static int take_stack(struct state *state, struct str stack, size_t common, struct stack_row row) {
	common = common < stack.n ? common : stack.n;
	state->run->samples++;
	if (state->in_no_order) {
		add_to_batch(state, stack, row);
		return 0;
	}
	if (common < stack.n && common < state->previous.n &&
	    (unsigned char)stack.p[common] < (unsigned char)state->previous.p[common]) {
		note_descent(state);
	}
	add_stack(state, stack, common, row);
	return 0;
}

/** Any line; `common` is how many bytes it shares with the stack before. */
static int line(struct state *state, struct str text, size_t common, uint64_t number) {
	struct str stack = str_trim(text);
	if (stack.n == 0 || str_starts(stack, STR("# "))) {
		return 0;
	}
	struct count after, before;
	if (!take_count(&stack, &after) || stack.n == 0) {
		const char *hint = str_starts(stack, STR("<")) ? "; is this a picture?" : "";
		return run_warn(state->run, number, "expected a count behind a stack, found '%s'%s",
				quote(text).text, hint);
	}
	struct str rest = stack;
	bool two = (state->run->stacks->mode & (STACKS_TAKE_LINES | STACKS_ONE_COUNT)) ==
			   STACKS_TAKE_LINES &&
		   take_count(&rest, &before) && rest.n > 0;
	state->run->tallies[TALLY_FRACTION] += after.fraction || (two && before.fraction);
	stack = two ? rest : stack;
	common = stack.p == text.p ? common : str_common_prefix(stack, state->previous);
	return take_stack(state, stack, common,
			  (struct stack_row){.count = after.value,
					     .before = two ? before.value : 0,
					     .two_counts = two});
}

/** Whether text ends in a blank and what may be a count. */
static bool may_have_count(struct str text) {
	size_t n = text.n;
	while (n > 0 && (is_digit(text.p[n - 1]) || text.p[n - 1] == '.')) {
		n--;
	}
	return n < text.n && n > 0 && (text.p[n - 1] == ' ' || text.p[n - 1] == '\t');
}

/** Cuts an ordinary line: graphic characters at the ends of the stack, one blank, and one count of
 * a few digits. False if it may be another. */
static bool cut_plain(struct str text, struct str *stack, uint64_t *count) {
	*stack = text;
	return num_take_behind(stack, count) && stack->n > 0 &&
	       is_graphic(stack->p[stack->n - 1]) && is_graphic(text.p[0]) && text.p[0] != '#' &&
	       !may_have_count(*stack);
}

static int block(void *memory, const struct block *block) {
	struct state *state = memory;
	struct str rest = block->bytes;
	uint64_t number = 0;
	int result = 0;
	while (rest.n > 0 && result == 0) {
		// What a line shares with the stack before holds no line end.
		size_t common = str_common_prefix(rest, state->previous);
		size_t n = str_find(str_from(rest, common), '\n');
		struct str text = str_to(rest, n == STR_NONE ? rest.n : common + n);
		rest = str_from(rest, n == STR_NONE ? rest.n : text.n + 1);
		number++;
		struct str stack;
		struct stack_row row = {0};
		result = cut_plain(text, &stack, &row.count) ? take_stack(state, stack, common, row)
							     : line(state, text, common, number);
	}
	keep_previous(state); // the block goes
	state->run->lines = number;
	return result;
}

static void release(void *memory) {
	struct state *state = memory;
	batch_release(&state->batch);
	buf_release(&state->kept);
	buf_release(&state->repaired);
	ids_release(&state->fresh);
	ids_release(&state->ids);
	free(state->ends);
}

/** Every line must be a stack and a count; a `;` in a stack makes it more than a guess. */
static int sniff(struct str bytes, bool whole) {
	enum { LOOK_AT = 64, SURE = 8 };
	struct lines lines = {.rest = bytes};
	size_t stacks = 0, separators = 0;
	for (struct str text; stacks < LOOK_AT && lines_next_whole(&lines, whole, &text);) {
		struct str stack = str_trim(text);
		if (stack.n == 0 || str_starts(stack, STR("# "))) {
			continue;
		}
		struct count count;
		if (!take_count(&stack, &count) || stack.n == 0) {
			return SNIFF_NO;
		}
		stacks++;
		separators += str_find(stack, ';') != STR_NONE;
	}
	if (stacks == 0) {
		return whole ? SNIFF_NO : SNIFF_MORE;
	}
	return separators >= SURE ? 3 * SNIFF_SHAPE
	       : separators > 0   ? 2 * SNIFF_SHAPE
				  : SNIFF_LIKELY;
}

static const struct example examples[] = {
	{"inferno collapse folded monday.folded tuesday.folded > both.folded",
	 "add up two foldings"},
	{NULL, NULL},
};

const struct collapser collapse_folded = {
	.name = "folded",
	.brief = "add up and sort folded stacks",
	.about = "Folded text has one stack a line: the frames from the root to the leaf, "
		 "separated by semicolons, then a "
		 "blank and a count. Equal stacks are added up. Empty lines and lines that begin "
		 "with '# ' are skipped; a "
		 "line without a count is named and left out. A fraction of a count is dropped.",
	.examples = examples,
	.options_size = 0,
	.state_size = sizeof(struct state),
	.sniff = sniff,
	.init = init,
	.block = block,
	.cut = cut_lines,
	.finish = finish,
	.release = release,
	.tallies = {[TALLY_FRACTION] = "lines whose count has a fraction, which is dropped"},
	.expects = "folded text (a stack, a blank and a count a line)",
};
