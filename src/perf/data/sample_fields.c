/* Read the fields of a sample. */
#include "perf/data/sample_fields.h"

/** Bits of `read_format`. The bits say which values a counter has in a sample. */
enum {
	READ_TIME_ENABLED = 1 << 0,
	READ_TIME_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4,
};

enum { BRANCH_HARDWARE_INDEX = 1 << 17, BRANCH_WORDS = 3 };

uint64_t *words_room(struct sample_words *words, size_t n) {
	MEM_GROW(words->items, words->capacity, words->n + n);
	return words->n == 0 ? words->items : words->items + words->n; // `items` may be NULL
}

/** Skip the values of counters. */
static void sample_skip_read(struct cursor *cursor, uint64_t format) {
	size_t times =
		(size_t)__builtin_popcountll(format & (READ_TIME_ENABLED | READ_TIME_RUNNING));
	size_t extra = (size_t)__builtin_popcountll(format & (READ_ID | READ_LOST));
	if ((format & READ_GROUP) == 0) {
		cursor_take(cursor, 8 * (1 + times + extra));
		return;
	}
	uint64_t counters = cursor_u64(cursor);
	cursor_take(cursor, 8 * times);
	cursor_take_items(cursor, counters, 8 * (1 + extra));
}

static void sample_read_chain(struct cursor *cursor, struct sample_words *chain) {
	uint64_t n = cursor_u64(cursor);
	struct str bytes = cursor_take_items(cursor, n, sizeof(uint64_t));
	uint64_t *to = words_room(chain, bytes.n / sizeof(uint64_t));
	for (size_t i = 0; i < bytes.n; i += sizeof(uint64_t)) {
		*to++ = cursor_load_u64(bytes.p + i, cursor->swap);
	}
	chain->n += bytes.n / sizeof(uint64_t);
}

static void sample_skip_branches(struct cursor *cursor, uint64_t branch_sample_type) {
	uint64_t n = cursor_u64(cursor);
	if ((branch_sample_type & BRANCH_HARDWARE_INDEX) != 0) {
		cursor_u64(cursor);
	}
	cursor_take_items(cursor, n, BRANCH_WORDS * sizeof(uint64_t));
}

static void sample_read_registers(struct cursor *cursor, uint64_t mask,
				  struct sample_fields *fields) {
	fields->registers_abi = cursor_u64(cursor);
	if (fields->registers_abi == 0) {
		return;
	}
	size_t n = (size_t)__builtin_popcountll(mask);
	for (size_t i = 0; i < n; i++) {
		fields->registers[i] = cursor_u64(cursor);
	}
	fields->registers_n = n;
}

static void sample_read_stack(struct cursor *cursor, struct sample_fields *fields) {
	uint64_t size = cursor_u64(cursor);
	if (size == 0) {
		return;
	}
	struct str stack = cursor_take(cursor, size);
	uint64_t used = cursor_u64(cursor); // number of bytes of the stack; the other bytes are
					    // padding
	fields->stack = str_to(stack, used < stack.n ? (size_t)used : stack.n);
}

/** Read the fields at the start of a sample, which have one word each. */
static void sample_read_words(struct cursor *cursor, uint64_t type, struct sample_fields *fields) {
	if ((type & SAMPLE_IDENTIFIER) != 0) {
		fields->id = cursor_u64(cursor);
	}
	if ((type & SAMPLE_IP) != 0) {
		fields->ip = cursor_u64(cursor);
	}
	if ((type & SAMPLE_TID) != 0) {
		fields->pid = (int32_t)cursor_u32(cursor);
		fields->tid = (int32_t)cursor_u32(cursor);
	}
	if ((type & SAMPLE_TIME) != 0) {
		fields->time = cursor_u64(cursor);
	}
	if ((type & SAMPLE_ADDR) != 0) {
		cursor_u64(cursor);
	}
	if ((type & SAMPLE_ID) != 0) {
		fields->id = cursor_u64(cursor);
	}
	if ((type & SAMPLE_STREAM_ID) != 0) {
		cursor_u64(cursor);
	}
	if ((type & SAMPLE_CPU) != 0) {
		fields->cpu = cursor_u32(cursor);
		cursor_u32(cursor);
	}
	if ((type & SAMPLE_PERIOD) != 0) {
		fields->period = cursor_u64(cursor);
	}
}

bool sample_read(const struct perfdata_event *event, struct str body, bool swap,
		 struct sample_fields *fields, struct sample_words *chain) {
	struct cursor cursor = {body.p, body.n, swap, false};
	uint64_t type = event->sample_type;
	fields->pid = fields->tid = -1;
	fields->ip = fields->time = fields->id = fields->cpu = 0;
	fields->period = event->is_frequency ? 1 : event->rate;
	fields->raw = fields->stack = STR("");
	fields->swapped = swap;
	fields->registers_abi = fields->registers_n = 0;
	sample_read_words(&cursor, type, fields);
	if ((type & SAMPLE_READ) != 0) {
		sample_skip_read(&cursor, event->read_format);
	}
	chain->n = 0;
	if ((type & SAMPLE_CALLCHAIN) != 0) {
		sample_read_chain(&cursor, chain);
	}
	if ((type & SAMPLE_RAW) != 0) {
		fields->raw = cursor_take(&cursor, cursor_u32(&cursor));
	}
	if ((type & SAMPLE_BRANCH_STACK) != 0) {
		sample_skip_branches(&cursor, event->branch_sample_type);
	}
	if ((type & SAMPLE_REGS_USER) != 0) {
		sample_read_registers(&cursor, event->registers_user, fields);
	}
	if ((type & SAMPLE_STACK_USER) != 0) {
		sample_read_stack(&cursor, fields);
	}
	return !cursor.failed;
}

void sample_read_trailer(const struct perfdata_event *event, struct str body, bool swap,
			 struct sample_fields *fields) {
	const uint64_t words = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID |
			       SAMPLE_CPU | SAMPLE_IDENTIFIER;
	uint64_t type = event->sample_type;
	size_t n = 8 * (size_t)__builtin_popcountll(type & words);
	if (!event->has_trailer || n > body.n) {
		return;
	}
	struct cursor cursor = {body.p + body.n - n, n, swap, false};
	sample_read_words(
		&cursor,
		type & (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU),
		fields);
}
