/* Read jitdump files. A jitdump file contains the code that a JIT compiler has generated. For
 * each piece of code, it has the address, the time at which the code was written, and the source
 * lines. */
#include <stdlib.h>

#include "base/intern.h"
#include "base/mem.h"
#include "base/search.h"
#include "symbols/jit.h"

enum {
	FILE_HEADER = 40,
	RECORD_HEADER = 16,
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	DEBUG_INFO = 2,
	UNWINDING_INFO = 4,
	LOAD_HEADER = 40, // size of a CODE_LOAD record before its name, without the record's header
	MOVE_HEADER = 48,
	DEBUG_HEADER = 16,
	UNWINDING_HEADER = 24,
	LINE_HEADER = 16,
};

#define MAGIC UINT32_C(0x4a695444) // `JiTD`

static uint32_t jitdump_read_u32(const struct jitdump *dump, const char *p) {
	uint32_t value;
	memcpy(&value, p, sizeof(value));
	return dump->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t jitdump_read_u64(const struct jitdump *dump, const char *p) {
	uint64_t value;
	memcpy(&value, p, sizeof(value));
	return dump->swapped ? __builtin_bswap64(value) : value;
}

/** Details of the code of the next CODE_LOAD record, from the records before it. */
struct jitdump_pending {
	uint64_t address;
	struct str entries;
	uint32_t entry_count;
	struct str eh_frame;
};

/** A map from a start address to 1 + the index of the newest code at this address. The map is empty
 * until some code moves. */
struct newest {
	struct intern starts;
	bool kept;
};

static void jitdump_keep_newest(const struct jitdump *dump, struct newest *newest, size_t index) {
	uint64_t start = dump->codes[index].start;
	intern_get(&newest->starts, &start, sizeof(start))->value = index + 1;
}

static void jitdump_add_code(struct jitdump *dump, struct newest *newest, struct jitdump_code code,
			     uint64_t size) {
	enum { MOST = INT32_MAX };
	code.end = code.start + size < code.start ? UINT64_MAX : code.start + size;
	if (code.end == code.start || dump->n >= MOST) {
		return;
	}
	*MEM_APPEND(dump->codes, dump->n, dump->capacity) = code;
	if (newest->kept) {
		jitdump_keep_newest(dump, newest, dump->n - 1);
	}
}

static void jitdump_load(struct jitdump *dump, struct newest *newest, struct str body,
			 uint64_t time, struct jitdump_pending *pending) {
	if (body.n < LOAD_HEADER) {
		return;
	}
	struct str rest = str_from(body, LOAD_HEADER);
	size_t length = str_find(rest, '\0');
	struct jitdump_code code = {.start = jitdump_read_u64(dump, body.p + 16),
				    .time = time,
				    .name = str_to(rest, length == STR_NONE ? rest.n : length),
				    .eh_frame = pending->eh_frame};
	if (pending->address == code.start) {
		code.entries = pending->entries;
		code.entry_count = pending->entry_count;
	}
	jitdump_add_code(dump, newest, code, jitdump_read_u64(dump, body.p + 24));
	*pending = (struct jitdump_pending){0};
}

/** Handle a CODE_MOVE record: add the moved code again, at its new address. jitdump_find() finds
 * the newest code at a given time. */
static void jitdump_move(struct jitdump *dump, struct newest *newest, struct str body,
			 uint64_t time) {
	if (body.n < MOVE_HEADER) {
		return;
	}
	for (size_t i = 0; i < dump->n && !newest->kept; i++) {
		jitdump_keep_newest(dump, newest, i);
	}
	newest->kept = true;
	uint64_t from = jitdump_read_u64(dump, body.p + 16),
		 size = jitdump_read_u64(dump, body.p + 32);
	const struct intern_key *key = intern_find(&newest->starts, &from, sizeof(from));
	if (key != NULL) {
		struct jitdump_code code = dump->codes[key->value - 1];
		code.start = jitdump_read_u64(dump, body.p + 24);
		code.time = time;
		code.entry_count = 0; // leave out its lines, which have the old addresses
		jitdump_add_code(dump, newest, code, size);
	}
}

static void jitdump_take_lines(const struct jitdump *dump, struct str body,
			       struct jitdump_pending *pending) {
	if (body.n >= DEBUG_HEADER) {
		uint64_t n = jitdump_read_u64(dump, body.p + 8);
		pending->address = jitdump_read_u64(dump, body.p);
		pending->entries = str_from(body, DEBUG_HEADER);
		pending->entry_count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	}
}

static void jitdump_take_unwinding(const struct jitdump *dump, struct str body,
				   struct jitdump_pending *pending) {
	if (body.n < UNWINDING_HEADER) {
		return;
	}
	uint64_t size = jitdump_read_u64(dump, body.p), header = jitdump_read_u64(dump, body.p + 8);
	struct str rest = str_from(body, UNWINDING_HEADER);
	if (size <= rest.n && header <= size) {
		pending->eh_frame = str_to(rest, (size_t)(size - header));
	}
}

static void jitdump_find_spans(struct jitdump *dump) {
	for (size_t i = 0; i < dump->n; i++) {
		const struct jitdump_code *code = &dump->codes[i];
		spans_add(&dump->spans, code->start, code->end, code->time, (uint32_t)i);
	}
	spans_finish(&dump->spans);
}

static void jitdump_read_records(struct jitdump *dump, struct str rest) {
	struct jitdump_pending pending = {0};
	struct newest newest = {.kept = false};
	while (rest.n >= RECORD_HEADER) {
		uint32_t id = jitdump_read_u32(dump, rest.p),
			 size = jitdump_read_u32(dump, rest.p + 4);
		uint64_t time = jitdump_read_u64(dump, rest.p + 8);
		if (size < RECORD_HEADER || size > rest.n) {
			break;
		}
		struct str body = {rest.p + RECORD_HEADER, size - RECORD_HEADER};
		switch (id) {
		case CODE_LOAD:
			jitdump_load(dump, &newest, body, time, &pending);
			break;
		case CODE_MOVE:
			jitdump_move(dump, &newest, body, time);
			break;
		case DEBUG_INFO:
			jitdump_take_lines(dump, body, &pending);
			break;
		case UNWINDING_INFO:
			jitdump_take_unwinding(dump, body, &pending);
			break;
		default:
			break;
		}
		rest = str_from(rest, size);
	}
	intern_release(&newest.starts);
}

bool jitdump_take(struct jitdump *dump, struct buf *bytes) {
	struct str all = buf_str(bytes);
	if (all.n < FILE_HEADER) {
		return false;
	}
	uint32_t magic = jitdump_read_u32(dump, all.p);
	dump->swapped = magic == __builtin_bswap32(MAGIC);
	uint32_t header = jitdump_read_u32(dump, all.p + 8);
	if ((magic != MAGIC && !dump->swapped) || header < FILE_HEADER || header > all.n) {
		return false;
	}
	dump->bytes = *bytes;
	*bytes = (struct buf){0};
	jitdump_read_records(dump, str_from(all, header));
	jitdump_find_spans(dump);
	return true;
}

const struct jitdump_code *jitdump_find(const struct jitdump *dump, uint64_t address,
					uint64_t time) {
	size_t found = spans_find(&dump->spans, address, time);
	return found == SPANS_NONE ? NULL : &dump->codes[found];
}

/* --- Lines ---------------------------------------------------------------------------------- */

static int jitdump_compare_lines(const void *a, const void *b) {
	const struct jitdump_line *left = a, *right = b;
	int order = (left->address > right->address) - (left->address < right->address);
	return order != 0 ? order : (left->place > right->place) - (left->place < right->place);
}

/** Read the lines of a piece of code, and sort them. */
static void jitdump_read_lines(const struct jitdump *dump, struct jitdump_code *code) {
	struct str rest = code->entries, file = {"", 0};
	size_t capacity = 0;
	for (uint32_t i = 0; i < code->entry_count && rest.n >= LINE_HEADER; i++) {
		struct jitdump_line line = {.address = jitdump_read_u64(dump, rest.p),
					    .line = jitdump_read_u32(dump, rest.p + 8),
					    .place = i};
		rest = str_from(rest, LINE_HEADER);
		size_t end = str_find(rest, '\0');
		if (end == STR_NONE) {
			break;
		}
		struct str name = str_to(rest, end);
		rest = str_from(rest, end + 1);
		file = str_eq(name, STR("\xff")) ? file : name; // 0xff: the same file as in the
								// previous line
		line.file = file;
		*MEM_APPEND(code->lines, code->line_count, capacity) = line;
	}
	if (code->line_count > 0) {
		qsort(code->lines, code->line_count, sizeof(*code->lines), jitdump_compare_lines);
	}
	code->entry_count = 0; // do not read the lines again
}

bool jitdump_find_line(struct jitdump *dump, const struct jitdump_code *code, uint64_t address,
		       struct jitdump_line *line) {
	if (code->entry_count > 0) {
		jitdump_read_lines(dump, &dump->codes[code - dump->codes]);
	}
	size_t before = search_up_to(code->lines, code->line_count, sizeof(*code->lines), address);
	if (before > 0) {
		*line = code->lines[before - 1];
	}
	return before > 0;
}

void jitdump_release(struct jitdump *dump) {
	buf_release(&dump->bytes);
	for (size_t i = 0; i < dump->n; i++) {
		free(dump->codes[i].lines);
	}
	free(dump->codes);
	spans_release(&dump->spans);
	*dump = (struct jitdump){0};
}
