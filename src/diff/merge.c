/*
 * Two folded texts, merged. No stack is taken apart: lines are compared as text.
 *
 * Neighbours in a sorted text share most of their bytes. The start that a line shares with the one
 * before is found once, when the line is read. Only the rest is kept, which saves memory, and
 * merging never compares bytes that are known to be shared. A text that is not sorted is sorted in
 * parts that fit into a processor's cache; the parts are merged in the same way.
 */
#include "diff/merge.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/folded.h"

/** A stack, and the sum of its lines. Its bytes follow, without those that it shares with the stack
 * before. */
struct merge_line {
	uint64_t count;
	uint32_t n;      // length of the stack
	uint32_t common; // bytes that it shares with the stack before
};

void merge_expect(struct merge_side *side, uint64_t size) {
	// Ask for ample room: it costs nothing if unused, and growing would copy the stacks. Limit
	// it, as the size may be wrong.
	enum { MOST = 1 << 30, SHARE = 3 };
	(void)buf_room(&side->lines, (size_t)(size < MOST ? size : MOST) / SHARE);
}

enum { LONGEST_LINE = 1 << 20, MOST_LINES = 1 << 18 }; // that are sorted together

/** Take a line apart. Return false if it is not a plain one. */
static bool cut(struct str line, struct str *stack, uint64_t *count) {
	return folded_cut_plain(line, true, stack, count) && line.n <= LONGEST_LINE;
}

/** Return whether a stack sorts after the one before, which differs but shares `common` bytes. */
static bool ascends(struct str before, struct str stack, size_t common) {
	return common < stack.n && (common == before.n || (unsigned char)stack.p[common] >
								  (unsigned char)before.p[common]);
}

static void count_again(struct merge_side *side, uint64_t count) {
	struct merge_line line;
	memcpy(&line, side->lines.p + side->last, sizeof(line));
	line.count += count;
	memcpy(side->lines.p + side->last, &line, sizeof(line));
}

/** Add a stack that sorts after the one before, with which it shares `common` bytes. */
static void append(struct merge_side *side, struct str stack, uint64_t count, size_t common) {
	struct merge_line line = {count, (uint32_t)stack.n, (uint32_t)common};
	side->last = side->lines.n;
	buf_add(&side->lines, &line, sizeof(line));
	buf_add_str(&side->lines, str_from(stack, common));
}

/** Add a stack that shares `common` bytes with the one before. If `good`, the other bytes are known
 * to be well-formed. Return false if the stack cannot be merged. */
static bool add(struct merge_side *side, struct str before, struct str stack, uint64_t count,
		size_t common, bool good) {
	bool again = common == stack.n && common == before.n;
	side->descends = !again && !ascends(before, stack, common);
	if (side->descends || !(again || good || utf8_valid_from(stack, common)) ||
	    !num_add(side->sum, count, &side->sum)) {
		return false;
	}
	if (again) {
		count_again(side, count);
	} else {
		append(side, stack, count, common);
	}
	return true;
}

/** Return the length of the first line of the text, at least `at`. Set `*ascii` to
 * whether its bytes from `at` on are known to be ASCII. */
static size_t find_end(struct str text, size_t at, bool *ascii) {
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	uint64_t seen = 0;
	size_t i = at;
	for (uint64_t word; i + sizeof(word) <= text.n; i += sizeof(word)) {
		word = load_u64(text.p + i);
		uint64_t ends = word ^ ones * '\n';
		ends = (ends - ones) & ~ends & high;
		if (ends != 0) {
			seen |= word & (ends - 1);
			*ascii = (seen & high) == 0;
			return i + (size_t)__builtin_ctzll(ends) / 8;
		}
		seen |= word;
	}
	size_t n = str_find(str_from(text, i), '\n');
	*ascii = false;
	return n == STR_NONE ? text.n : i + n;
}

/** Read the whole lines in the first `end` bytes of `*rest`, and take them off it. `*stack` is the
 * stack of the line before, and becomes that of the last line read. */
static bool take_lines(struct merge_side *side, struct str *rest, size_t end, struct str *stack) {
	struct str lines = str_to(*rest, end);
	bool taken = true;
	while (lines.n > 0 && taken) {
		// The start that a line shares with the stack before holds no line end.
		struct str before = *stack;
		size_t common = str_common_prefix(lines, before);
		bool ascii;
		size_t n = find_end(lines, common, &ascii);
		uint64_t count;
		taken = cut(str_to(lines, n), stack, &count) &&
			add(side, before, *stack, count, common < stack->n ? common : stack->n,
			    ascii);
		lines = taken ? str_from(lines, n < lines.n ? n + 1 : n) : lines;
	}
	*rest = str_from(*rest, (size_t)(lines.p - rest->p));
	return taken;
}

bool merge_take(struct merge_side *side, struct buf *text, bool all) {
	struct str stack = str_to(buf_str(text), side->before);
	struct str rest = str_from(buf_str(text), side->taken);
	size_t end = all ? rest.n : str_find_last(rest, '\n') + 1; // 0 if there is none
	bool taken = take_lines(side, &rest, end, &stack);
	if (!taken && side->descends && side->taken == 0) { // the whole text is still there
		merge_release(side);
		side->descends = true;
		return false;
	}
	stack.n = taken ? stack.n : 0; // so that nothing is compared with it
	if ((!taken && !side->descends) || (taken && rest.n > LONGEST_LINE)) {
		return false;
	}
	// Move the last stack and the bytes that were not read to the start.
	side->before = stack.n;
	side->taken = stack.n;
	text->n = stack.n + rest.n;
	if (stack.n > 0) {
		memmove(text->p, stack.p, stack.n);
	}
	if (rest.n > 0) {
		memmove(text->p + stack.n, rest.p, rest.n);
	}
	return taken;
}

/* --- Merging two sides ---------------------------------------------------------------------- */

/** A place in a side. */
struct cursor {
	struct str rest; // lines after it
	struct buf stack;
	uint64_t count;
	size_t common; // bytes that its stack shares with the one written last
	bool more;     // there is another stack
};

/** Go to the next stack after writing one. */
static void step(struct cursor *cursor) {
	struct merge_line line;
	cursor->more = cursor->rest.n > 0;
	cursor->common = 0;
	if (cursor->more) {
		memcpy(&line, cursor->rest.p, sizeof(line));
		struct str rest = str_from(cursor->rest, sizeof(line));
		cursor->count = line.count;
		cursor->common = cursor->stack.n = line.common;
		buf_add(&cursor->stack, rest.p, line.n - line.common);
		cursor->rest = str_from(rest, line.n - line.common);
	}
}

static struct cursor start(const struct merge_side *side) {
	struct cursor cursor = {.rest = buf_str(&side->lines)};
	step(&cursor);
	return cursor;
}

/** Return which side has the next stack: below 0 the first, above 0 the second, 0 both. */
static int compare(struct cursor *a, struct cursor *b) {
	if (!a->more || !b->more) {
		return a->more ? -1 : 1;
	}
	if (a->common != b->common) { // the one that shares more with the last stack comes first
		return a->common > b->common ? -1 : 1;
	}
	struct str x = str_from(buf_str(&a->stack), a->common);
	struct str y = str_from(buf_str(&b->stack), b->common);
	size_t n = str_common_prefix(x, y);
	a->common = b->common = a->common + n; // what the two share, as one of them is written next
	if (n == x.n || n == y.n) {
		return (x.n > y.n) - (x.n < y.n);
	}
	return (unsigned char)x.p[n] < (unsigned char)y.p[n] ? -1 : 1;
}

/** Go on after a stack of the first side, of the second or of both. */
static void step_both(struct cursor *a, struct cursor *b, int order) {
	if (order <= 0) {
		step(a);
	}
	if (order >= 0) {
		step(b);
	}
}

/* --- Any order ------------------------------------------------------------------------------ */

/** Merge a side into another. Return false if the sum is too large. */
static bool join(struct merge_side *into, struct merge_side *from) {
	struct merge_side both = {.sum = into->sum};
	struct cursor a = start(into), b = start(from);
	(void)buf_room(&both.lines, into->lines.n + from->lines.n);
	while (a.more || b.more) {
		size_t common = a.common > b.common ? a.common : b.common;
		int order = compare(&a, &b);
		append(&both, buf_str(order > 0 ? &b.stack : &a.stack),
		       (order > 0 ? 0 : a.count) + (order < 0 ? 0 : b.count), common);
		step_both(&a, &b, order);
	}
	buf_release(&a.stack);
	buf_release(&b.stack);
	bool fits = num_add(both.sum, from->sum, &both.sum);
	merge_release(into);
	merge_release(from);
	*into = both;
	return fits;
}

/** Sort the lines that were read. */
static void sort_lines(struct merge_any *any, const char *text) {
	any->items = mem_grow(any->items, &any->items_capacity, any->n, sizeof(*any->items));
	for (size_t i = 0; i < any->n; i++) {
		const struct merge_read *line = &any->lines[i];
		any->items[i] = (struct sort_item){
			.bytes = text + line->at, .len = line->n, .id = (uint32_t)i};
	}
	sort_bytes(any->items, any->n);
}

/** Add the lines to a side in their order. They are well-formed. */
static bool add_in_order(struct merge_side *side, const struct merge_any *any) {
	struct str before = STR("");
	for (size_t i = 0; i < any->n; i++) {
		const struct sort_item *item = &any->items[i];
		sort_prefetch(any->items, any->n, i);
		struct str stack = {item->bytes, item->len};
		if (!add(side, before, stack, any->lines[item->id].count,
			 sort_common(any->items, i), true)) {
			return false;
		}
		before = stack;
	}
	return true;
}

void merge_go_on(struct merge_any *any, struct merge_side *side) {
	any->runs[0] = *side;
	any->runs_n = side->lines.n > 0;
	*side = (struct merge_side){0};
}

/** Sort the lines that were read into a run. Join runs so that the whole takes n log n time; after
 * the last one, join them all. */
static bool end_run(struct merge_any *any, struct buf *text, bool last) {
	if (any->n > 0) {
		struct merge_side *run = &any->runs[any->runs_n++];
		sort_lines(any, text->p);
		merge_expect(run, text->n);
		if (!add_in_order(run, any)) {
			return false;
		}
		any->n = 0;
	}
	for (struct merge_side *run; any->runs_n > 1; any->runs_n--) {
		run = &any->runs[any->runs_n - 1];
		if (!last && run[-1].lines.n / 2 >= run->lines.n) {
			break;
		}
		if (!join(&run[-1], run)) {
			return false;
		}
	}
	// Move the bytes that were not read to the start.
	struct str rest = str_from(buf_str(text), any->taken);
	buf_clear(text);
	if (rest.n > 0) {
		memmove(text->p, rest.p, rest.n);
		text->n = rest.n;
	}
	any->taken = 0;
	return true;
}

/** Read whole lines of a text. */
static bool take_any_lines(struct merge_any *any, const char *text, struct str rest) {
	struct lines lines = {.rest = rest};
	struct str line, stack;
	uint64_t count;
	if (str_find(rest, '\0') != STR_NONE || !utf8_valid(rest)) {
		return false;
	}
	while (lines_next(&lines, &line)) {
		if (!cut(line, &stack, &count)) {
			return false;
		}
		any->lines = mem_grow(any->lines, &any->capacity, any->n + 1, sizeof(*any->lines));
		any->lines[any->n++] = (struct merge_read){
			.count = count, .at = (uint32_t)(stack.p - text), .n = (uint32_t)stack.n};
	}
	return true;
}

bool merge_take_any(struct merge_any *any, struct buf *text, bool all, struct merge_side *side) {
	struct str rest = str_from(buf_str(text), any->taken);
	size_t end = all ? rest.n : str_find_last(rest, '\n') + 1; // 0 if there is none
	if (!take_any_lines(any, text->p, str_to(rest, end)) || rest.n - end > LONGEST_LINE) {
		return false;
	}
	any->taken += end;
	if ((all || any->taken >= any->most || any->n >= MOST_LINES) && !end_run(any, text, all)) {
		return false;
	}
	if (all && any->runs_n > 0) {
		*side = any->runs[0];
		any->runs[0] = (struct merge_side){0};
		any->runs_n = 0;
	}
	return true;
}

/* --- The result ----------------------------------------------------------------------------- */

static void write_line(struct output *out, struct str stack, uint64_t before, uint64_t after) {
	output_add_str(out, stack);
	output_add_char(out, ' ');
	output_add_u64(out, before);
	output_add_char(out, ' ');
	output_add_u64(out, after);
	output_add_char(out, '\n');
}

void merge_write(struct output *out, const struct merge_side *before,
		 const struct merge_side *after, bool normalized) {
	struct cursor a = start(before), b = start(after);
	bool scaled = normalized && before->sum > 0;
	while (a.more || b.more) {
		int order = compare(&a, &b);
		uint64_t count = order > 0 ? 0 : a.count;
		count = scaled ? num_share(count, before->sum, after->sum) : count;
		write_line(out, buf_str(order > 0 ? &b.stack : &a.stack), count,
			   order < 0 ? 0 : b.count);
		step_both(&a, &b, order);
	}
	buf_release(&a.stack);
	buf_release(&b.stack);
}

void merge_release(struct merge_side *side) {
	buf_release(&side->lines);
	*side = (struct merge_side){0};
}

void merge_release_any(struct merge_any *any) {
	for (size_t i = 0; i < any->runs_n; i++) {
		merge_release(&any->runs[i]);
	}
	free(any->lines);
	free(any->items);
}
