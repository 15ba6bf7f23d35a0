/* The messages of a worker about one block. */
#include "collapse/notices.h"

#include <stdlib.h>

/** Return the last notice of a kind, and set the number of notices of that kind. */
static struct notice *notices_find_kind(struct notices *notices, const char *kind, size_t *count) {
	struct notice *last = NULL;
	*count = 0;
	for (size_t i = 0; i < notices->n; i++) {
		if (notices->items[i].kind == kind) {
			last = &notices->items[i];
			++*count;
		}
	}
	return last;
}

int run_notice(struct run *run, enum notice_level level, uint64_t number, const char *format, ...) {
	struct notices *notices = run->notices;
	if (level == NOTICE_NOTE && !notices->notes) {
		return 0;
	}
	if (level == NOTICE_BAD) {
		level = notices->lenient ? NOTICE_WARNING : NOTICE_ERROR;
	}
	if (level == NOTICE_WARNING && notices->strict) {
		level = NOTICE_ERROR;
	}
	size_t count;
	struct notice *last = notices_find_kind(notices, format, &count);
	if (count >= DIAG_SHOWN && level != NOTICE_ERROR) {
		last->times++;
		return 0;
	}
	struct notice *notice = MEM_APPEND(notices->items, notices->n, notices->capacity);
	*notice = (struct notice){.level = level, .kind = format, .line = number, .times = 1};
	va_list args;
	va_start(args, format);
	buf_vprintf(&notice->text, format, args);
	va_end(args);
	return level == NOTICE_ERROR ? -1 : 0;
}

static int notices_show_one(const struct notice *notice, const char *name, uint64_t line,
			    struct diag *diag) {
	struct buf text = {0};
	buf_add_text(&text, name);
	if (line > 0) {
		buf_printf(&text, ":%llu", (unsigned long long)line);
	}
	buf_add_text(&text, ": ");
	buf_add_str(&text, buf_str(&notice->text));
	int result = 0;
	if (notice->level == NOTICE_ERROR) {
		result = diag_error(diag, "%s", buf_text(&text));
	} else if (notice->level == NOTICE_WARNING) {
		result = diag_warn_text(diag, notice->kind, buf_text(&text), notice->times);
	} else {
		diag_note(diag, "%s", buf_text(&text));
	}
	buf_release(&text);
	return result;
}

static void notices_clear(struct notices *notices) {
	for (size_t i = 0; i < notices->n; i++) {
		buf_release(&notices->items[i].text);
	}
	notices->n = 0;
}

/** Return the number that a line of a block has in the input. The number 0 stands for no line. */
static uint64_t notices_line_in_input(uint64_t line, uint64_t lines_before, uint64_t lines) {
	if (line == 0) {
		return 0;
	}
	if (line == RUN_AT_END) {
		return lines_before + lines;
	}
	return line <= INT64_MAX ? lines_before + line : lines_before - (RUN_AT_END - 1 - line);
}

int notices_show(struct notices *notices, const char *name, uint64_t lines_before, uint64_t lines,
		 struct diag *diag) {
	int result = 0;
	for (size_t i = 0; i < notices->n && result == 0; i++) {
		result = notices_show_one(
			&notices->items[i], name,
			notices_line_in_input(notices->items[i].line, lines_before, lines), diag);
	}
	notices_clear(notices);
	return result;
}

void notices_release(struct notices *notices) {
	notices_clear(notices);
	free(notices->items);
	*notices = (struct notices){0};
}
