/**
 * Errors, warnings and notes. The code that finds a problem passes the text of the message. diag.c
 * counts the messages. The program prints them.
 *
 * A function that can fail describes the failure once, with diag_error(), and returns -1. A message
 * is one line, in lower case, without a full stop: "file:line: expected a count, found 'x'".
 * Control characters, for example in a path, become `?`. A diag belongs to one run. Threads that
 * share a diag need a lock.
 */
#pragma once

#include <stdatomic.h>

#include "base/buf.h"

enum diag_level {
	DIAG_WARNING,  // data was lost or is unusual; the run continues
	DIAG_NOTE,     // shown only with --verbose
	DIAG_PROGRESS, // for a terminal; the next progress message replaces this one
	DIAG_DONE,     // a result, such as "wrote out.svg"; shown unless --quiet
};

enum { DIAG_SHOWN = 10 }; // how many warnings of one kind are shown; others are only counted

struct diag_kind;

/** Whether the run waits for the network. If the wait is interrupted, the run ends. */
enum diag_wait { DIAG_NO_WAIT, DIAG_WAITING, DIAG_INTERRUPTED };

struct diag {
	void (*show)(void *context, enum diag_level level,
		     const char *text); // NULL: messages are dropped
	void *context;
	bool quiet;       // neither warnings nor notes are shown
	bool has_status;  // diag_status() was called, so no other progress is shown
	unsigned verbose; // 1: notes are shown, too
	bool lenient;     // bad data causes a warning, not an error
	bool strict;      // a warning ends the run as an error
	struct buf error; // the first error, for the caller of the run; empty: no error
	struct diag_kind *kinds;
	atomic_int wait; // a value of enum diag_wait
	atomic_bool cancelled;
	/** A function that gets the progress: `done` bytes of the input `name` were read. `total`
	 * is 0 if the size of the input is not known. The function returns false to cancel the run.
	 * NULL: no function. */
	bool (*on_progress)(void *context, const char *name, uint64_t done, uint64_t total);
};

/** Describe a failure. Return -1. Only the text of the first failure is kept. */
__attribute__((format(printf, 2, 3))) int diag_error(struct diag *diag, const char *format, ...);

/** Report that a sum of counts is too large. `path` is the input, or NULL. Return -1. */
int diag_error_sum(struct diag *diag, const char *path);

/** Warn and return 0. In a strict run, report an error instead and return -1. Warnings with the
 * same `format` are of one kind. The first DIAG_SHOWN of each kind are shown. */
__attribute__((format(printf, 2, 3))) int diag_warn(struct diag *diag, const char *format, ...);

/** Warn with a complete text. `kind` must stay valid. The text is shown once, but counts as `times`
 * warnings. */
int diag_warn_text(struct diag *diag, const char *kind, const char *text, uint64_t times);

/** Return whether there was any warning, shown or not. */
bool diag_has_warned(const struct diag *diag);

__attribute__((format(printf, 2, 3))) void diag_note(struct diag *diag, const char *format, ...);

/** Report a result, such as "wrote out.svg". */
__attribute__((format(printf, 2, 3))) void diag_done(struct diag *diag, const char *format, ...);

/** Report that `done` of `total` bytes of `name` were read. `total` is 0 if the size is not known.
 */
void diag_progress(struct diag *diag, const char *name, uint64_t done, uint64_t total);

/** Report the progress as a complete text. The new text replaces the previous one. */
void diag_status(struct diag *diag, const char *text);

/** Begin a wait for the network. Return false if the run was interrupted already. */
bool diag_begin_wait(struct diag *diag);
void diag_end_wait(struct diag *diag);

/** Interrupt a wait. A signal handler may call this function. Return false if the run is not
 * waiting. */
bool diag_interrupt(struct diag *diag);

static inline bool diag_is_interrupted(struct diag *diag) {
	return atomic_load_explicit(&diag->wait, memory_order_relaxed) == DIAG_INTERRUPTED;
}

/** Cancel the run: the next read or write of the run fails. A signal handler may call this
 * function. */
void diag_cancel(struct diag *diag);

static inline bool diag_is_cancelled(struct diag *diag) {
	return atomic_load_explicit(&diag->cancelled, memory_order_relaxed);
}

/** Report how many warnings of each kind were not shown. Call this once, at the end of a run. */
void diag_summary(struct diag *diag);

void diag_release(struct diag *diag);

/**
 * Return the beginning of a text from outside, for use in a message. If the text does not fit, cut
 * it off and append `...`. Replace unsafe characters as utf8_take_shown() does.
 */
struct quote {
	char text[88];
};
struct quote quote(struct str data);
