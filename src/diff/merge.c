/* Two sorted folded texts, merged. No stack is taken apart: equal lines are compared as text. */
#include "diff/merge.h"

#include "base/num.h"
#include "base/utf8.h"

/** A place in a text. */
struct cursor {
	struct str rest;  // what comes behind the line
	struct str stack; // of the line
	uint64_t count;
	size_t common; // bytes that the stack shares with the one before
	bool more;     // there is a line
};

/** Takes a line apart. False if it is not a plain one. */
static bool cut(struct cursor *cursor, struct str line) {
	enum { SAFE_DIGITS = 18 };
	size_t n = line.n;
	uint64_t power = 1;
	cursor->count = 0;
	for (; n > 0 && is_digit(line.p[n - 1]) && line.n - n < SAFE_DIGITS; n--) {
		cursor->count += (uint64_t)(line.p[n - 1] - '0') * power;
		power *= 10;
	}
	if (n == line.n || n < 2 || line.p[n - 1] != ' ') {
		return false;
	}
	cursor->stack = str_trim_end(str_to(line, n - 1));
	return is_graphic(line.p[0]) && line.p[0] != '#';
}

/** Goes to the next line. False if it is not a plain one. */
static bool next(struct cursor *cursor) {
	struct str rest = cursor->rest;
	cursor->more = rest.n > 0;
	if (!cursor->more) {
		return true;
	}
	// What a line shares with the stack before holds no line end.
	cursor->common = str_common_prefix(rest, cursor->stack);
	size_t n = str_find(str_from(rest, cursor->common), '\n');
	struct str line = str_to(rest, n == STR_NONE ? rest.n : cursor->common + n);
	cursor->rest = str_from(rest, n == STR_NONE ? rest.n : line.n + 1);
	return cut(cursor, line);
}

/** Whether a stack comes behind the one before it, of which it shares `common` bytes, or is the
 * same. */
static bool ascends(struct str before, struct str stack, size_t common) {
	if (common >= stack.n) {
		return stack.n == before.n;
	}
	return common == before.n ||
	       (unsigned char)stack.p[common] > (unsigned char)before.p[common];
}

bool merge_takes(struct str text, uint64_t *sum) {
	const uint64_t most = (uint64_t)1 << 62; // so that both scaled to one total have room
	struct cursor cursor = {.rest = text, .stack = STR("")};
	struct str before = cursor.stack;
	*sum = 0;
	for (bool good = next(&cursor); cursor.more; good = next(&cursor)) {
		size_t common = cursor.common < before.n ? cursor.common : before.n;
		if (!good || !ascends(before, cursor.stack, common)) {
			return false;
		}
		common = common < cursor.stack.n ? common : cursor.stack.n;
		// A shared part may end inside a character.
		while (common > 0 && common < cursor.stack.n &&
		       ((unsigned char)cursor.stack.p[common] & 0xc0) == 0x80) {
			common--;
		}
		*sum += cursor.count;
		if (*sum >= most || !utf8_valid(str_from(cursor.stack, common))) {
			return false;
		}
		before = cursor.stack;
	}
	return text.n > 0;
}

static void write_line(struct output *out, struct str stack, uint64_t before, uint64_t after) {
	output_add_str(out, stack);
	output_add_char(out, ' ');
	output_add_u64(out, before);
	output_add_char(out, ' ');
	output_add_u64(out, after);
	output_add_char(out, '\n');
}

/** A stack of a side, and the line behind those of it. */
struct side {
	struct str stack;
	uint64_t count;
	bool more; // there is a stack
	struct cursor behind;
};

/** Goes to the next stack, which may have several lines. */
static void step(struct side *side) {
	struct cursor *behind = &side->behind;
	side->more = behind->more;
	side->stack = behind->stack;
	side->count = 0;
	while (behind->more && str_eq(behind->stack, side->stack)) {
		side->count += behind->count;
		next(behind);
	}
}

static struct side start(struct str text) {
	struct side side = {.behind = {.rest = text, .stack = STR("")}};
	next(&side.behind);
	step(&side);
	return side;
}

void merge_write(struct output *out, struct str before, struct str after, struct change totals,
		 bool normalized) {
	struct side a = start(before), b = start(after);
	bool scaled = normalized && totals.before > 0;
	while (a.more || b.more) {
		int order = !b.more ? -1 : !a.more ? 1 : str_compare(a.stack, b.stack);
		uint64_t count = order > 0 ? 0 : a.count;
		count = scaled ? num_share(count, totals.before, totals.after) : count;
		write_line(out, order > 0 ? b.stack : a.stack, count, order < 0 ? 0 : b.count);
		if (order <= 0) {
			step(&a);
		}
		if (order >= 0) {
			step(&b);
		}
	}
}
