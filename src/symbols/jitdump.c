/* Jitdump files: which code a JIT made, where and when, with its source lines. */
#include <stdlib.h>

#include "base/mem.h"
#include "symbols/jit.h"

enum {
	FILE_HEADER = 40,
	RECORD_HEADER = 16,
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	DEBUG_INFO = 2,
	UNWINDING_INFO = 4,
	LOAD_HEADER = 40, // after the record's header
	MOVE_HEADER = 48,
	DEBUG_HEADER = 16,
	UNWINDING_HEADER = 24,
	LINE_HEADER = 16,
};

#define MAGIC UINT32_C(0x4a695444) // `JiTD`

static uint32_t read_u32(const struct jitdump *dump, const char *p) {
	uint32_t value;
	memcpy(&value, p, sizeof(value));
	return dump->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t read_u64(const struct jitdump *dump, const char *p) {
	uint64_t value;
	memcpy(&value, p, sizeof(value));
	return dump->swapped ? __builtin_bswap64(value) : value;
}

/** What the records before a CODE_LOAD tell about its code. */
struct pending {
	uint64_t address;
	struct str lines;
	uint32_t line_count;
	struct str eh_frame;
};

static void add_code(struct jitdump *dump, struct jitdump_code code, uint64_t size) {
	code.end = code.start + size < code.start ? UINT64_MAX : code.start + size;
	if (size == 0) {
		return;
	}
	dump->codes = mem_grow(dump->codes, &dump->capacity, dump->n + 1, sizeof(*dump->codes));
	dump->codes[dump->n++] = code;
}

static void load(struct jitdump *dump, struct str body, uint64_t time, struct pending *pending) {
	if (body.n < LOAD_HEADER) {
		return;
	}
	struct str rest = str_from(body, LOAD_HEADER);
	size_t length = str_find(rest, '\0');
	struct jitdump_code code = {.start = read_u64(dump, body.p + 16),
				    .time = time,
				    .name = str_to(rest, length == STR_NONE ? rest.n : length),
				    .eh_frame = pending->eh_frame};
	if (pending->address == code.start) {
		code.lines = pending->lines;
		code.line_count = pending->line_count;
	}
	add_code(dump, code, read_u64(dump, body.p + 24));
	*pending = (struct pending){0};
}

/** Add the code again, at its new place. A lookup finds the newest code at a given time. */
static void move(struct jitdump *dump, struct str body, uint64_t time) {
	if (body.n < MOVE_HEADER) {
		return;
	}
	uint64_t from = read_u64(dump, body.p + 16), size = read_u64(dump, body.p + 32);
	// Search only recent code, which is what usually moves. In a broken file, a search of all
	// code could take hours.
	enum { RECENT = 10000 };
	size_t first = dump->n > RECENT ? dump->n - RECENT : 0;
	for (size_t i = dump->n; i > first; i--) {
		struct jitdump_code code = dump->codes[i - 1];
		if (code.start == from) {
			code.start = read_u64(dump, body.p + 24);
			code.time = time;
			code.line_count = 0; // its lines have the old addresses
			add_code(dump, code, size);
			return;
		}
	}
}

static void take_lines(const struct jitdump *dump, struct str body, struct pending *pending) {
	if (body.n >= DEBUG_HEADER) {
		uint64_t n = read_u64(dump, body.p + 8);
		pending->address = read_u64(dump, body.p);
		pending->lines = str_from(body, DEBUG_HEADER);
		pending->line_count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	}
}

static void take_unwinding(const struct jitdump *dump, struct str body, struct pending *pending) {
	if (body.n < UNWINDING_HEADER) {
		return;
	}
	uint64_t size = read_u64(dump, body.p), header = read_u64(dump, body.p + 8);
	struct str rest = str_from(body, UNWINDING_HEADER);
	if (size <= rest.n && header <= size) {
		pending->eh_frame = str_to(rest, (size_t)(size - header));
	}
}

static int compare_codes(const void *a, const void *b) {
	const struct jitdump_code *left = a, *right = b;
	int order = (left->start > right->start) - (left->start < right->start);
	return order != 0 ? order : (left->time > right->time) - (left->time < right->time);
}

static void sort_codes(struct jitdump *dump) {
	if (dump->n > 0) {
		qsort(dump->codes, dump->n, sizeof(*dump->codes), compare_codes);
	}
	uint64_t reach = 0;
	for (size_t i = 0; i < dump->n; i++) {
		reach = dump->codes[i].end > reach ? dump->codes[i].end : reach;
		dump->codes[i].reach = reach;
	}
}

static void read_records(struct jitdump *dump, struct str rest) {
	struct pending pending = {0};
	while (rest.n >= RECORD_HEADER) {
		uint32_t id = read_u32(dump, rest.p), size = read_u32(dump, rest.p + 4);
		uint64_t time = read_u64(dump, rest.p + 8);
		if (size < RECORD_HEADER || size > rest.n) {
			break;
		}
		struct str body = {rest.p + RECORD_HEADER, size - RECORD_HEADER};
		switch (id) {
		case CODE_LOAD:
			load(dump, body, time, &pending);
			break;
		case CODE_MOVE:
			move(dump, body, time);
			break;
		case DEBUG_INFO:
			take_lines(dump, body, &pending);
			break;
		case UNWINDING_INFO:
			take_unwinding(dump, body, &pending);
			break;
		default:
			break;
		}
		rest = str_from(rest, size);
	}
}

bool jitdump_take(struct jitdump *dump, struct buf *bytes) {
	struct str all = buf_str(bytes);
	if (all.n < FILE_HEADER) {
		return false;
	}
	uint32_t magic = read_u32(dump, all.p);
	dump->swapped = magic == __builtin_bswap32(MAGIC);
	uint32_t header = read_u32(dump, all.p + 8);
	if ((magic != MAGIC && !dump->swapped) || header < FILE_HEADER || header > all.n) {
		return false;
	}
	dump->bytes = *bytes;
	*bytes = (struct buf){0};
	read_records(dump, str_from(all, header));
	sort_codes(dump);
	return true;
}

const struct jitdump_code *jitdump_find(const struct jitdump *dump, uint64_t address,
					uint64_t time) {
	size_t low = 0, high = dump->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (dump->codes[middle].start <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const struct jitdump_code *best = NULL;
	for (; low > 0 && dump->codes[low - 1].reach > address; low--) {
		const struct jitdump_code *code = &dump->codes[low - 1];
		if (code->end > address && code->time <= time &&
		    (best == NULL || code->time > best->time)) {
			best = code;
		}
	}
	return best;
}

bool jitdump_find_line(const struct jitdump *dump, const struct jitdump_code *code,
		       uint64_t address, struct jitdump_line *line) {
	struct str rest = code->lines;
	struct str file = {"", 0};
	bool found = false;
	for (uint32_t i = 0; i < code->line_count && rest.n >= LINE_HEADER; i++) {
		uint64_t start = read_u64(dump, rest.p);
		uint32_t number = read_u32(dump, rest.p + 8);
		rest = str_from(rest, LINE_HEADER);
		size_t end = str_find(rest, '\0');
		if (end == STR_NONE) {
			break;
		}
		struct str name = str_to(rest, end);
		rest = str_from(rest, end + 1);
		file = str_eq(name, STR("\xff")) ? file : name; // 0xff: the same file as before
		if (start <= address && (!found || start >= line->address)) {
			*line = (struct jitdump_line){start, file, number};
			found = true;
		}
	}
	return found;
}

void jitdump_release(struct jitdump *dump) {
	buf_release(&dump->bytes);
	free(dump->codes);
	*dump = (struct jitdump){0};
}
