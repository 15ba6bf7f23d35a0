/*
 * Two sorted folded texts, merged. No stack is taken apart: lines are compared as text.
 *
 * Neighbours in a sorted text share most of their bytes. What a line shares with the one before is
 * compared once, when the line is read; only the rest is kept, which leaves little memory to be
 * touched; and while merging, no byte is compared that is known to be shared.
 */
#include "diff/merge.h"

#include "base/num.h"
#include "base/utf8.h"

/** A stack, and what all its lines count. The bytes behind the shared ones follow. */
struct merge_line {
	uint64_t count;
	uint32_t n;      // length of the stack
	uint32_t common; // bytes that it shares with the one before
};

void merge_expect(struct merge_side *side, uint64_t size) {
	// Room that is not used costs nothing, but growing moves what is there. A size that is not
	// true must not ask for all memory.
	enum { MOST = 1 << 30 };
	(void)buf_room(&side->lines, size < MOST ? (size_t)size : MOST);
}

enum { LONGEST_LINE = 1 << 20 };

/** Takes a line apart. False if it is not a plain one. */
static bool cut(struct str line, struct str *stack, uint64_t *count) {
	enum { SAFE_DIGITS = 18 };
	size_t n = line.n;
	uint64_t power = 1;
	*count = 0;
	for (; n > 0 && is_digit(line.p[n - 1]) && line.n - n < SAFE_DIGITS; n--) {
		*count += (uint64_t)(line.p[n - 1] - '0') * power;
		power *= 10;
	}
	if (n == line.n || n < 2 || line.p[n - 1] != ' ') {
		return false;
	}
	*stack = str_trim_end(str_to(line, n - 1));
	return is_graphic(line.p[0]) && line.p[0] != '#' && line.n <= LONGEST_LINE;
}

/** Whether a stack is well-formed, of which another such one starts with `common` bytes. */
static bool valid_from(struct str stack, size_t common) {
	// What is shared may end inside a character.
	while (common > 0 && (unsigned char)stack.p[common - 1] >= 0x80) {
		common--;
	}
	return utf8_valid(str_from(stack, common));
}

/** Whether a stack comes behind the one before, of which it shares `common` bytes and is not the
 * same. */
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

/** Adds a stack. `common` is what it shares with the one before. False if it cannot be merged. */
static bool add(struct merge_side *side, struct str before, struct str stack, uint64_t count,
		size_t common, bool ascii) {
	const uint64_t most = (uint64_t)1 << 62; // so that both scaled to one total have room
	side->sum += count;
	if (side->sum >= most) {
		return false;
	}
	if (common == stack.n && common == before.n) {
		count_again(side, count);
		return true;
	}
	// Where the one before has a byte inside a character, no ASCII ascends.
	if (!ascends(before, stack, common) || !(ascii || valid_from(stack, common))) {
		return false;
	}
	struct merge_line line = {count, (uint32_t)stack.n, (uint32_t)common};
	side->last = side->lines.n;
	buf_add(&side->lines, &line, sizeof(line));
	buf_add_str(&side->lines, str_from(stack, common));
	return true;
}

/** Length of the line that text starts with, from `at` on. `*ascii` tells whether what is behind
 * `at` is. */
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

/** Takes whole lines. Leaves the last stack in `*stack`, which is the one before them. */
static bool take_lines(struct merge_side *side, struct str rest, struct str *stack) {
	while (rest.n > 0) {
		// What a line shares with the stack before holds no line end.
		struct str before = *stack;
		size_t common = str_common_prefix(rest, before);
		bool ascii;
		size_t n = find_end(rest, common, &ascii);
		uint64_t count;
		if (!cut(str_to(rest, n), stack, &count) ||
		    !add(side, before, *stack, count, common < stack->n ? common : stack->n,
			 ascii)) {
			return false;
		}
		rest = str_from(rest, n < rest.n ? n + 1 : n);
	}
	return true;
}

bool merge_take(struct merge_side *side, struct buf *text, bool all) {
	struct str stack = str_to(buf_str(text), side->before);
	struct str rest = str_from(buf_str(text), side->taken);
	size_t end = all ? rest.n : str_find_last(rest, '\n') + 1; // 0 if there is none
	if (!take_lines(side, str_to(rest, end), &stack) || rest.n - end > LONGEST_LINE) {
		return false;
	}
	rest = str_from(rest, end);
	// The last stack and what was not taken go to the start.
	side->before = stack.n;
	side->taken = stack.n;
	text->n = stack.n + rest.n;
	if (stack.n > 0) {
		memmove(text->p, stack.p, stack.n);
		memmove(text->p + stack.n, rest.p, rest.n);
	}
	return true;
}

/** A place in a side. */
struct cursor {
	struct str rest; // lines behind it
	struct buf stack;
	uint64_t count;
	size_t common; // bytes that its stack shares with the one written last
	bool more;     // there is a stack
};

/** Goes to the next stack, behind one that was written. */
static void step(struct cursor *cursor) {
	struct merge_line line;
	cursor->more = cursor->rest.n > 0;
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

/** Which side has the next stack: below 0 the first, above 0 the second, 0 both. */
static int compare(struct cursor *a, struct cursor *b) {
	if (!a->more || !b->more) {
		return a->more ? -1 : 1;
	}
	if (a->common != b->common) { // both come behind what was written, so this tells
		return a->common > b->common ? -1 : 1;
	}
	struct str x = str_from(buf_str(&a->stack), a->common);
	struct str y = str_from(buf_str(&b->stack), b->common);
	size_t n = str_common_prefix(x, y);
	a->common = b->common = a->common + n; // now with the one of them that is written first
	if (n == x.n || n == y.n) {
		return (x.n > y.n) - (x.n < y.n);
	}
	return (unsigned char)x.p[n] < (unsigned char)y.p[n] ? -1 : 1;
}

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
		if (order <= 0) {
			step(&a);
		}
		if (order >= 0) {
			step(&b);
		}
	}
	buf_release(&a.stack);
	buf_release(&b.stack);
}

void merge_release(struct merge_side *side) {
	buf_release(&side->lines);
}
