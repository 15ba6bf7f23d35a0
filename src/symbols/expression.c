/* Evaluate DWARF expressions in call frame information. */
#include <dwarf.h>

#include "symbols/cfi.h"
#include "symbols/dwarf_bytes.h"

enum { STACK_MOST = 64, STEPS_MOST = 1000, BLOCK_MOST = 64 << 10 };

struct evaluation {
	const struct cfi_state *state;
	struct dwarf_cursor at;
	const char *start;
	uint64_t stack[STACK_MOST];
	size_t n;
	bool bad;
};

static void expression_push(struct evaluation *run, uint64_t value) {
	if (run->n < STACK_MOST) {
		run->stack[run->n++] = value;
	} else {
		run->bad = true;
	}
}

static uint64_t expression_pop(struct evaluation *run) {
	if (run->n == 0) {
		run->bad = true;
		return 0;
	}
	return run->stack[--run->n];
}

/** Push a copy of the value that is `depth` values below the top. */
static void expression_pick(struct evaluation *run, uint64_t depth) {
	if (depth < run->n) {
		expression_push(run, run->stack[run->n - 1 - depth]);
	} else {
		run->bad = true;
	}
}

static void expression_push_register(struct evaluation *run, uint64_t number, int64_t offset) {
	if (number >= UNWIND_REGISTERS_MOST || (run->state->known >> number & 1) == 0) {
		run->bad = true;
	} else {
		expression_push(run, run->state->registers[number] + (uint64_t)offset);
	}
}

static void expression_dereference(struct evaluation *run, size_t size) {
	uint64_t value = 0, address = expression_pop(run);
	bool fits = size == 1 || size == 2 || size == 4 || size == 8;
	if (run->bad || !fits || !run->state->read(run->state->context, address, size, &value)) {
		run->bad = true;
	} else {
		expression_push(run, value);
	}
}

static void expression_jump(struct evaluation *run, int64_t distance) {
	ptrdiff_t at = run->at.p - run->start, size = run->at.end - run->start;
	if (distance < -at || distance > size - at) {
		run->bad = true;
	} else {
		run->at.p += distance;
	}
}

static void expression_divide(struct evaluation *run, uint8_t code) {
	uint64_t b = expression_pop(run), a = expression_pop(run);
	bool overflows = code == DW_OP_div && a == (uint64_t)INT64_MIN && b == UINT64_MAX;
	if (b == 0 || overflows) {
		run->bad = true;
	} else {
		expression_push(run,
				code == DW_OP_div ? (uint64_t)((int64_t)a / (int64_t)b) : a % b);
	}
}

static uint64_t expression_shift(uint8_t code, uint64_t a, uint64_t b) {
	bool negative = code == DW_OP_shra && (int64_t)a < 0;
	if (b > 63) {
		return negative ? UINT64_MAX : 0;
	}
	return code == DW_OP_shl   ? a << b
	       : code == DW_OP_shr ? a >> b
				   : (uint64_t)((int64_t)a >> b);
}

/** Execute an operation on two values. Return false for any other operation. */
static bool expression_step_binary(struct evaluation *run, uint8_t code) {
	uint64_t a = run->n > 1 ? run->stack[run->n - 2] : 0;
	uint64_t b = run->n > 0 ? run->stack[run->n - 1] : 0;
	uint64_t result;
	switch (code) {
	case DW_OP_and:
		result = a & b;
		break;
	case DW_OP_or:
		result = a | b;
		break;
	case DW_OP_xor:
		result = a ^ b;
		break;
	case DW_OP_plus:
		result = a + b;
		break;
	case DW_OP_minus:
		result = a - b;
		break;
	case DW_OP_mul:
		result = a * b;
		break;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		result = expression_shift(code, a, b);
		break;
	case DW_OP_eq:
		result = a == b;
		break;
	case DW_OP_ne:
		result = a != b;
		break;
	case DW_OP_lt:
		result = (int64_t)a < (int64_t)b;
		break;
	case DW_OP_le:
		result = (int64_t)a <= (int64_t)b;
		break;
	case DW_OP_gt:
		result = (int64_t)a > (int64_t)b;
		break;
	case DW_OP_ge:
		result = (int64_t)a >= (int64_t)b;
		break;
	default:
		return false;
	}
	(void)expression_pop(run);
	(void)expression_pop(run);
	expression_push(run, result);
	return true;
}

/** Execute an operation that pushes a constant. Return false for any other operation. */
static bool expression_step_constant(struct evaluation *run, uint8_t code) {
	switch (code) {
	case DW_OP_addr:
		expression_push(run, read_fixed(&run->at, 8) + run->state->bias);
		return true;
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
		expression_push(run, read_fixed(&run->at, (size_t)1 << (code - DW_OP_const1u) / 2));
		return true;
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
		expression_push(run,
				read_signed(&run->at, (size_t)1 << (code - DW_OP_const1s) / 2));
		return true;
	case DW_OP_constu:
		expression_push(run, read_uleb(&run->at));
		return true;
	case DW_OP_consts:
		expression_push(run, (uint64_t)read_sleb(&run->at));
		return true;
	default:
		return false;
	}
}

static void expression_swap_top(struct evaluation *run) {
	uint64_t b = expression_pop(run), a = expression_pop(run);
	expression_push(run, b);
	expression_push(run, a);
}

/** Move the top value below the next two values. */
static void expression_rotate(struct evaluation *run) {
	uint64_t c = expression_pop(run), b = expression_pop(run), a = expression_pop(run);
	expression_push(run, c);
	expression_push(run, a);
	expression_push(run, b);
}

/** Execute an operation that moves values. Return false for any other operation. */
static bool expression_step_stack(struct evaluation *run, uint8_t code) {
	switch (code) {
	case DW_OP_dup:
		expression_pick(run, 0);
		return true;
	case DW_OP_over:
		expression_pick(run, 1);
		return true;
	case DW_OP_pick:
		expression_pick(run, read_u8(&run->at));
		return true;
	case DW_OP_drop:
		(void)expression_pop(run);
		return true;
	case DW_OP_swap:
		expression_swap_top(run);
		return true;
	case DW_OP_rot:
		expression_rotate(run);
		return true;
	default:
		return false;
	}
}

/** Execute any other operation. */
static void expression_step_rest(struct evaluation *run, uint8_t code) {
	uint64_t value;
	switch (code) {
	case DW_OP_nop:
		break;
	case DW_OP_deref:
		expression_dereference(run, 8);
		break;
	case DW_OP_deref_size:
		expression_dereference(run, read_u8(&run->at));
		break;
	case DW_OP_bregx:
		value = read_uleb(&run->at);
		expression_push_register(run, value, read_sleb(&run->at));
		break;
	case DW_OP_plus_uconst:
		value = read_uleb(&run->at);
		expression_push(run, expression_pop(run) + value);
		break;
	case DW_OP_neg:
		expression_push(run, 0 - expression_pop(run));
		break;
	case DW_OP_not:
		expression_push(run, ~expression_pop(run));
		break;
	case DW_OP_abs:
		value = expression_pop(run);
		expression_push(run, (int64_t)value < 0 ? 0 - value : value);
		break;
	case DW_OP_div:
	case DW_OP_mod:
		expression_divide(run, code);
		break;
	case DW_OP_skip:
		expression_jump(run, (int64_t)read_signed(&run->at, 2));
		break;
	case DW_OP_bra: {
		int64_t distance = (int64_t)read_signed(&run->at, 2);
		expression_jump(run, expression_pop(run) != 0 ? distance : 0);
		break;
	}
	default:
		run->bad = true;
	}
}

static void expression_step(struct evaluation *run) {
	uint8_t code = read_u8(&run->at);
	if (code >= DW_OP_lit0 && code <= DW_OP_lit31) {
		expression_push(run, (uint64_t)(code - DW_OP_lit0));
	} else if (code >= DW_OP_breg0 && code <= DW_OP_breg31) {
		expression_push_register(run, (uint64_t)(code - DW_OP_breg0), read_sleb(&run->at));
	} else if (!expression_step_binary(run, code) && !expression_step_constant(run, code) &&
		   !expression_step_stack(run, code)) {
		expression_step_rest(run, code);
	}
}

bool cfi_evaluate(const char *block, const struct cfi_state *state, const uint64_t *first,
		  uint64_t *result) {
	// The code that made the row has checked that the block is complete.
	struct dwarf_cursor length = {block, block + sizeof(uint64_t) + 2, false};
	uint64_t size = read_uleb(&length);
	if (size > BLOCK_MOST) {
		return false;
	}
	struct evaluation run = {
		.state = state, .at = {length.p, length.p + size, false}, .start = length.p};
	if (first != NULL) {
		expression_push(&run, *first);
	}
	for (size_t steps = 0; cursor_left(&run.at) > 0 && !run.bad && !run.at.bad; steps++) {
		if (steps == STEPS_MOST) {
			return false;
		}
		expression_step(&run);
	}
	*result = run.n > 0 ? run.stack[run.n - 1] : 0;
	return run.n > 0 && !run.bad && !run.at.bad;
}
