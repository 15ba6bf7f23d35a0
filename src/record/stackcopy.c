/* The copy of a stack at the end of a sample. */
#include "record/stackcopy.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };

/** The fields at the start of a sample that this program requests and that have one word each. */
static const uint64_t first_words = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				    PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
static const uint64_t known_fields = first_words | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
				     PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

static uint64_t stackcopy_word_at(const char *record, size_t at) {
	uint64_t word;
	memcpy(&word, record + at, sizeof(word));
	return word;
}

/** Return the offset at which the copy of the stack begins, after the other fields. If these fields
 * are longer than the record, return a number above `size`. */
static size_t stackcopy_skip_fields(const struct perf_event_attr *attr, const char *record,
				    size_t size) {
	size_t at = sizeof(struct perf_event_header) +
		    WORD * (size_t)__builtin_popcountll(attr->sample_type & first_words);
	if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) != 0 && at + WORD <= size) {
		uint64_t n = stackcopy_word_at(record, at);
		at += n < size ? WORD * (1 + (size_t)n) : size;
	}
	if ((attr->sample_type & PERF_SAMPLE_RAW) != 0 && at + WORD <= size) {
		uint32_t n;
		memcpy(&n, record + at, sizeof(n));
		at += sizeof(n) + (size_t)n; // the data are padded to a whole word
	}
	if ((attr->sample_type & PERF_SAMPLE_REGS_USER) != 0 && at + WORD <= size) {
		bool any = stackcopy_word_at(record, at) != PERF_SAMPLE_REGS_ABI_NONE;
		int n = any ? __builtin_popcountll(attr->sample_regs_user) : 0;
		at += WORD * (1 + (size_t)n);
	}
	return at;
}

bool stackcopy_find(const struct perf_event_attr *attr, const char *record, size_t size,
		    struct stackcopy *found) {
	struct perf_event_header header;
	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE ||
	    (attr->sample_type & PERF_SAMPLE_STACK_USER) == 0 ||
	    (attr->sample_type & ~known_fields) != 0) {
		return false;
	}
	size_t at = stackcopy_skip_fields(attr, record, size);
	if (at % WORD != 0 || at + WORD > size) {
		return false;
	}
	uint64_t room = stackcopy_word_at(record, at);
	if (room == 0 || room % WORD != 0 || room != size - at - 2 * WORD) {
		return false; // without a copy, there is only the size
	}
	uint64_t n = stackcopy_word_at(record, size - WORD);
	size_t registers = WORD * (size_t)__builtin_popcountll(attr->sample_regs_user);
	bool has_them = (attr->sample_type & PERF_SAMPLE_REGS_USER) != 0 && at > registers + WORD &&
			stackcopy_word_at(record, at - registers - WORD) == PERF_SAMPLE_REGS_ABI_64;
	*found = (struct stackcopy){.at = at,
				    .n = (size_t)((n < room ? n : room) / WORD * WORD),
				    .room = (size_t)room,
				    .registers = has_them ? at - registers : 0};
	return true;
}

void stackcopy_add(struct buf *out, const char *record, const struct stackcopy *copy,
		   struct str more, size_t most) {
	const size_t room = (UINT16_MAX - copy->at - 2 * WORD) / WORD * WORD;
	most = most < room ? most / WORD * WORD : room;
	size_t copied = copy->n < most ? copy->n : most;
	size_t added = more.n < most - copied ? more.n : most - copied;
	uint64_t n = copied + added;
	struct perf_event_header header;
	size_t start = out->n;
	buf_add(out, record, copy->at);
	buf_add(out, &n, sizeof(n));
	if (n > 0) {
		buf_add(out, record + copy->at + WORD, copied);
		buf_add(out, more.p, added);
		buf_add(out, &n, sizeof(n));
	}
	memcpy(&header, record, sizeof(header));
	header.size = (uint16_t)(out->n - start);
	memcpy(out->p + start, &header, sizeof(header));
}
