/* Read recordings in several files. */
#include "perf/data/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

/** A file with records. Its next record is kept in memory. */
struct part {
	struct input *input;
	struct records records;
	struct record record;
	uint64_t time; // time of the next record
	bool ended;    // there is no further record
	bool waits;    // the next record was read
};

/** Open one part. Return 0, or -1 after diag_error(). */
static int parts_open_part(struct parts *parts, const char *path, struct diag *diag, bool swap) {
	struct part *part = MEM_APPEND(parts->items, parts->n, parts->capacity);
	*part = (struct part){.input = input_open(&(struct source){.path = path}, diag)};
	if (part->input == NULL || input_make_seekable(part->input) != 0) {
		return -1;
	}
	records_init_file(&part->records, part->input, diag, swap, 0, 0);
	return 0;
}

int parts_open(struct parts *parts, const char *path, struct diag *diag, bool swap) {
	enum { MOST = 1 << 16 };
	struct buf name = {0};
	int result = 0;
	for (int i = 0; i < MOST && result == 0; i++) {
		buf_clear(&name);
		buf_printf(&name, "%s.%d", path, i);
		if (access(buf_text(&name), F_OK) != 0) {
			result = errno == ENOENT || errno == ENOTDIR
					 ? 0
					 : diag_error(diag, "%s: cannot open: %s", buf_text(&name),
						      strerror(errno));
			break;
		}
		result = parts_open_part(parts, buf_text(&name), diag, swap);
	}
	buf_release(&name);
	return result;
}

/** Read the next record of a part, unless it is in memory already. Return 0, or -1 after
 * diag_error(). */
static int parts_look(struct part *part, parts_time *time, void *context) {
	if (part->waits || part->ended) {
		return 0;
	}
	int found = records_next(&part->records, &part->record);
	part->ended = found == 0;
	part->waits = found > 0;
	part->time = found > 0 ? time(context, &part->record) : UINT64_MAX;
	return found < 0 ? -1 : 0;
}

/** Choose the part with the earliest record, or NULL if all have ended. Set `limit` to the time up
 * to which this part has the earliest record. Return 0, or -1 after diag_error(). */
static int parts_choose(struct parts *parts, parts_time *time, void *context) {
	parts->last = NULL;
	parts->limit = UINT64_MAX;
	for (size_t i = 0; i < parts->n; i++) {
		struct part *part = &parts->items[i];
		if (parts_look(part, time, context) != 0) {
			return -1;
		}
		if (part->ended) {
			continue;
		}
		bool first = parts->last == NULL || part->time < parts->last->time;
		uint64_t other = !first                ? part->time
				 : parts->last == NULL ? UINT64_MAX
						       : parts->last->time;
		parts->limit = other < parts->limit ? other : parts->limit;
		parts->last = first ? part : parts->last;
	}
	return 0;
}

int parts_next(struct parts *parts, parts_time *time, void *context, struct record *record) {
	if (parts->last != NULL && parts_look(parts->last, time, context) != 0) {
		return -1;
	}
	if ((parts->last == NULL || parts->last->ended || parts->last->time > parts->limit) &&
	    parts_choose(parts, time, context) != 0) {
		return -1;
	}
	if (parts->last == NULL) {
		return 0;
	}
	*record = parts->last->record;
	parts->last->waits = false;
	return 1;
}

uint64_t parts_missing(const struct parts *parts) {
	uint64_t missing = 0;
	for (size_t i = 0; i < parts->n; i++) {
		missing += parts->items[i].records.missing;
	}
	return missing;
}

void parts_release(struct parts *parts) {
	for (size_t i = 0; i < parts->n; i++) {
		records_release(&parts->items[i].records);
		input_close(parts->items[i].input);
	}
	free(parts->items);
	*parts = (struct parts){0};
}
