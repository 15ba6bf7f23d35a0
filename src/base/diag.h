/**
 * Errors, warnings and notes: worded where they happen, counted here, printed by somebody else.
 *
 * A function that can fail describes the failure once, with diag_error(), and returns -1. Messages
 * are one line, lower case, without a full stop; "file:line: expected a count, found 'x'". What a
 * terminal might obey in them, such as control characters of a path, is replaced by `?`. One diag
 * belongs to one run and is not shared between threads without a lock.
 */
#ifndef INFERNO_DIAG_H
#define INFERNO_DIAG_H

#include "base/buf.h"

enum diag_level {
	DIAG_WARNING,  // something was lost or is odd; the run goes on
	DIAG_NOTE,     // wanted only by those who asked for more
	DIAG_PROGRESS, // for a terminal, replaced by the next
};

enum { DIAG_SHOWN = 10 }; // warnings of one kind that are shown; the rest is counted

struct diag_kind;

struct diag {
	void (*show)(void *context, enum diag_level level,
		     const char *text); // NULL: nobody listens
	void *context;
	bool quiet;       // no warnings and notes
	unsigned verbose; // 1: notes too
	bool lenient;     // bad data is a warning
	bool strict;      // a warning is an error
	struct buf error; // the first error, empty while there is none; whoever runs the run reads
			  // it here
	struct diag_kind *kinds;
};

/** Describe a failure. Return -1. Only the first is kept. */
__attribute__((format(printf, 2, 3))) int diag_error(struct diag *diag, const char *format, ...);

/**
 * Warn, or fails if the run is strict. Return 0 or -1. The format text is the kind of the
 * warning: of one kind DIAG_SHOWN are shown.
 */
__attribute__((format(printf, 2, 3))) int diag_warn(struct diag *diag, const char *format, ...);

/** A warning that is already worded; `kind` is text that stays valid. Counts for `times` of its
 * kind, shown once. */
int diag_warn_text(struct diag *diag, const char *kind, const char *text, uint64_t times);

/** Whether there was any warning, shown or not. */
bool diag_has_warned(const struct diag *diag);

__attribute__((format(printf, 2, 3))) void diag_note(struct diag *diag, const char *format, ...);

/** Tell how far the reading of `name` is: `done` of `total` bytes; total 0 when unknown. */
void diag_progress(struct diag *diag, const char *name, uint64_t done, uint64_t total);

/** Say how many warnings of each kind were not shown. Once, at the end of a run. */
void diag_summary(struct diag *diag);

void diag_release(struct diag *diag);

/** Text from outside, fit for a message: cut short, and as utf8_take_shown() returns it. */
struct quote {
	char text[88];
};
struct quote quote(struct str data);

#endif
