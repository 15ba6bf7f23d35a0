/*
 * Two sorted folded texts, merged. No stack is taken apart: lines are compared as text, and what a
 * line shares with the one before is compared once, when the line is taken.
 */
#include "diff/merge.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"

void merge_expect(struct merge_side *side, uint64_t size) {
	// Room that is not used costs nothing, but growing touches memory again and again. Most
	// lines are longer than this; and a size that is not true must not ask for all memory.
	enum { SHORT_LINE = 64, MOST = 1 << 30 };
	size_t expected = size < MOST ? (size_t)size : MOST;
	(void)buf_room(&side->text, expected);
	side->lines = mem_grow(side->lines, &side->lines_capacity, expected / SHORT_LINE,
			       sizeof(*side->lines));
}

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
	return is_graphic(line.p[0]) && line.p[0] != '#' && stack->n <= UINT32_MAX;
}

/** Whether the rest of a stack is well-formed, of which another one starts with `common` bytes. */
static bool valid_from(struct str stack, size_t common) {
	// What is shared may end inside a character.
	while (common > 0 && common < stack.n && ((unsigned char)stack.p[common] & 0xc0) == 0x80) {
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

/** Adds a stack of the text. `common` is what it shares with the one before. False if it cannot be
 * merged. */
static bool add(struct merge_side *side, struct str before, struct str stack, uint64_t count,
		size_t common) {
	const uint64_t most = (uint64_t)1 << 62; // so that both scaled to one total have room
	side->sum += count;
	if (side->sum >= most) {
		return false;
	}
	if (common == stack.n && common == before.n && side->lines_n > 0) {
		side->lines[side->lines_n - 1].count += count;
		return true;
	}
	if (!ascends(before, stack, common) || !valid_from(stack, common)) {
		return false;
	}
	side->lines = mem_grow(side->lines, &side->lines_capacity, side->lines_n + 1,
			       sizeof(*side->lines));
	side->lines[side->lines_n++] = (struct merge_line){.count = count,
							   .at = (size_t)(stack.p - side->text.p),
							   .n = (uint32_t)stack.n,
							   .common = (uint32_t)common};
	return true;
}

static struct str stack_of(const struct merge_side *side, const struct merge_line *line) {
	return (struct str){side->text.p + line->at, line->n};
}

bool merge_take(struct merge_side *side, bool all) {
	struct str rest = str_from(buf_str(&side->text), side->taken), stack = STR("");
	size_t end = all ? rest.n : str_find_last(rest, '\n');
	if (end == STR_NONE) {
		return false;
	}
	rest = str_to(rest, end + !all);
	side->taken += rest.n;
	if (side->lines_n > 0) {
		stack = stack_of(side, &side->lines[side->lines_n - 1]);
	}
	while (rest.n > 0) {
		// What a line shares with the stack before holds no line end.
		struct str before = stack;
		size_t common = str_common_prefix(rest, before);
		size_t n = str_find(str_from(rest, common), '\n');
		n = n == STR_NONE ? rest.n : common + n;
		uint64_t count;
		if (!cut(str_to(rest, n), &stack, &count) ||
		    !add(side, before, stack, count, common < stack.n ? common : stack.n)) {
			return false;
		}
		rest = str_from(rest, n < rest.n ? n + 1 : n);
	}
	return true;
}

/** A place in a side. */
struct cursor {
	const struct merge_side *side;
	const struct merge_line *line, *end;
	size_t common; // bytes that its stack shares with the one written last
};

static struct cursor start(const struct merge_side *side) {
	return (struct cursor){side, side->lines, side->lines + side->lines_n, 0};
}

/** Goes on behind a stack that was written. */
static void step(struct cursor *cursor) {
	cursor->line++;
	cursor->common = cursor->line < cursor->end ? cursor->line->common : 0;
}

/** Which side has the next stack: below 0 the first, above 0 the second, 0 both. */
static int compare(struct cursor *a, struct cursor *b) {
	if (a->line == a->end || b->line == b->end) {
		return a->line == a->end ? 1 : -1;
	}
	if (a->common != b->common) { // both come behind what was written, so this tells
		return a->common > b->common ? -1 : 1;
	}
	struct str x = str_from(stack_of(a->side, a->line), a->common);
	struct str y = str_from(stack_of(b->side, b->line), b->common);
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
	while (a.line < a.end || b.line < b.end) {
		int order = compare(&a, &b);
		const struct cursor *next = order > 0 ? &b : &a;
		uint64_t count = order > 0 ? 0 : a.line->count;
		count = scaled ? num_share(count, before->sum, after->sum) : count;
		write_line(out, stack_of(next->side, next->line), count,
			   order < 0 ? 0 : b.line->count);
		if (order <= 0) {
			step(&a);
		}
		if (order >= 0) {
			step(&b);
		}
	}
}

void merge_release(struct merge_side *side) {
	buf_release(&side->text);
	free(side->lines);
	*side = (struct merge_side){0};
}
