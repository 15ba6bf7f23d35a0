/* Count errors, warnings and notes, and format their texts. */
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/utf8.h"

struct diag_kind {
	const char *name;
	uint64_t count;
	struct buf last; // text of the last warning that was shown
	UT_hash_handle hh;
};

/** Show a message, with control characters replaced. */
static void diag_show(struct diag *diag, enum diag_level level, const char *text) {
	if (diag->show != NULL) {
		struct buf shown = {0};
		utf8_add_shown(&shown, str_of(text));
		diag->show(diag->context, level, buf_text(&shown));
		buf_release(&shown);
	}
}

static int diag_fail(struct diag *diag, const char *text) {
	if (diag->error.n == 0) {
		utf8_add_shown(&diag->error, str_of(text));
		buf_text(&diag->error); // adds a NUL
	}
	return -1;
}

int diag_error(struct diag *diag, const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	int result = diag_fail(diag, buf_text(&text));
	buf_release(&text);
	return result;
}

int diag_error_sum(struct diag *diag, const char *path) {
	return diag_error(diag, "%s%sthe counts are too large: a sum needs more than 63 bits",
			  path == NULL ? "" : path, path == NULL ? "" : ": ");
}

static struct diag_kind *diag_kind_of(struct diag *diag, const char *name) {
	struct diag_kind *kind;
	HASH_FIND_STR(diag->kinds, name, kind);
	if (kind == NULL) {
		kind = mem_new(1, sizeof(*kind));
		kind->name = name;
		HASH_ADD_KEYPTR(hh, diag->kinds, kind->name, strlen(kind->name), kind);
	}
	return kind;
}

int diag_warn_text(struct diag *diag, const char *name, const char *text, uint64_t times) {
	if (diag->strict) {
		return diag_fail(diag, text);
	}
	struct diag_kind *kind = diag_kind_of(diag, name);
	bool shown = kind->count < DIAG_SHOWN;
	kind->count += times;
	if (shown) {
		buf_set_text(&kind->last, text);
		if (!diag->quiet) {
			diag_show(diag, DIAG_WARNING, text);
		}
	}
	return 0;
}

int diag_warn(struct diag *diag, const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	int result = diag_warn_text(diag, format, buf_text(&text), 1);
	buf_release(&text);
	return result;
}

bool diag_has_warned(const struct diag *diag) {
	return diag->kinds != NULL;
}

/** Show a message that is neither an error nor a warning. */
__attribute__((format(printf, 3, 0))) static void
diag_report(struct diag *diag, enum diag_level level, const char *format, va_list args) {
	struct buf text = {0};
	buf_vprintf(&text, format, args);
	diag_show(diag, level, buf_text(&text));
	buf_release(&text);
}

void diag_note(struct diag *diag, const char *format, ...) {
	if (!diag->quiet && diag->verbose > 0) {
		va_list args;
		va_start(args, format);
		diag_report(diag, DIAG_NOTE, format, args);
		va_end(args);
	}
}

void diag_done(struct diag *diag, const char *format, ...) {
	if (!diag->quiet) {
		va_list args;
		va_start(args, format);
		diag_report(diag, DIAG_DONE, format, args);
		va_end(args);
	}
}

void diag_progress(struct diag *diag, const char *name, uint64_t done, uint64_t total) {
	if (diag->on_progress != NULL && !diag->on_progress(diag->context, name, done, total)) {
		diag_cancel(diag);
	}
	if (diag->show == NULL || diag->quiet || diag->has_status) {
		return;
	}
	struct buf text = {0};
	buf_printf(&text, "%s: read %.0f", quote(str_of(name)).text, (double)done / 1e6);
	if (total > 0) {
		buf_printf(&text, " of %.0f", (double)total / 1e6);
	}
	buf_add_text(&text, " MB");
	diag_show(diag, DIAG_PROGRESS, buf_text(&text));
	buf_release(&text);
}

void diag_status(struct diag *diag, const char *text) {
	if (diag->show != NULL && !diag->quiet) {
		diag->has_status = true;
		diag_show(diag, DIAG_PROGRESS, text);
	}
}

/** Change the state of the wait from `from` to `to`. Return false if the current state is not
 * `from`. */
static bool diag_change_wait(struct diag *diag, int from, int to) {
	return atomic_compare_exchange_strong(&diag->wait, &from, to);
}

bool diag_begin_wait(struct diag *diag) {
	return diag_change_wait(diag, DIAG_NO_WAIT, DIAG_WAITING);
}

void diag_end_wait(struct diag *diag) {
	(void)diag_change_wait(diag, DIAG_WAITING, DIAG_NO_WAIT);
}

bool diag_interrupt(struct diag *diag) {
	return diag_change_wait(diag, DIAG_WAITING, DIAG_INTERRUPTED);
}

void diag_cancel(struct diag *diag) {
	atomic_store(&diag->cancelled, true);
	(void)diag_interrupt(diag);
}

void diag_summary(struct diag *diag) {
	for (struct diag_kind *kind = diag->kinds; kind != NULL; kind = kind->hh.next) {
		if (kind->count > DIAG_SHOWN && !diag->quiet) {
			struct buf text = {0};
			buf_printf(&text, "and %llu more like it; the last shown was: %s",
				   (unsigned long long)(kind->count - DIAG_SHOWN),
				   buf_text(&kind->last));
			diag_show(diag, DIAG_WARNING, buf_text(&text));
			buf_release(&text);
		}
	}
}

void diag_release(struct diag *diag) {
	struct diag_kind *kind, *next;
	HASH_ITER(hh, diag->kinds, kind, next) {
		HASH_DEL(diag->kinds, kind); // NOLINT(clang-analyzer-unix.Malloc): not freed yet
		buf_release(&kind->last);
		free(kind);
	}
	buf_release(&diag->error);
}

struct quote quote(struct str data) {
	struct quote out;
	enum { ROOM = sizeof(out.text) - sizeof("...") };
	size_t at = 0;
	while (data.n > 0) {
		struct str shown = utf8_take_shown(&data);
		if (at + shown.n > ROOM) {
			memcpy(out.text + at, "...", 3);
			at += 3;
			break;
		}
		memcpy(out.text + at, shown.p, shown.n);
		at += shown.n;
	}
	out.text[at] = '\0';
	return out;
}
