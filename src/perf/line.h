/** Read the lines of `perf script` that are not stack lines. Check times against the range that
 * options select. */
#pragma once

#include "base/buf.h"
#include "base/decimal.h"
#include "base/diag.h"

/** An event line: "COMM [PID/]TID [CPU] TIME: [PERIOD] EVENT: PAYLOAD". Any part may be missing,
 * because perf prints only the fields that its options select. */
struct perf_line {
	struct str head; // the line up to the end of the ids
	struct str comm; // the command name, with blanks around it
	struct str ids;  // empty if missing
	struct str time; // empty if missing
	// text after the time; in a line without a time, text after the CPU or the ids
	struct str rest;
	bool certain;  // a CPU or a time follows the ids
	bool nameless; // the name is missing, or is empty in a line without ids
	bool weak; // the line has no ids or ends after the ids, so it is an event line only if a
		   // stack line follows
};

/** A thread and its process. */
struct perf_task {
	struct str comm; // name, perhaps with blanks around it
	struct str pid;  // process id; "?": not known
	struct str tid;
};

/** Split an event line into its parts. */
void perf_line_split(struct str line, struct perf_line *parts);

struct perf_task perf_line_task(const struct perf_line *line);

/** The part of an event line after the time. */
struct perf_event {
	struct str name; // name as printed, with its modifier
	bool named, has_period, period_too_large;
	uint64_t period; // 1 if the line has no period
	struct str payload;
};

/** Read the part of an event line after the time. */
struct perf_event perf_event_of(const struct perf_line *line);

/** Return an event's name without a modifier such as `:u` or `:ppp`. */
struct str perf_event_plain(struct str name);

/** Return the last word of a text that is an address in the column of addresses. If there is no
 * such word, return an empty text. */
struct str perf_last_address(struct str text);

/** Return whether a line is a record, or part of the dump of a record. perf prints records for
 * options such as --show-mmap-events. */
bool perf_line_is_record(struct str line, const struct perf_line *parts);

/** The last event line. Most event lines differ from the previous event line only in the ids, the
 * CPU, the time and the period. Such a line is read without perf_line_split(). A zeroed struct has
 * no line. */
struct perf_last {
	struct buf start; // the text before the ids, with the name; empty: no line matches
	bool named;
	struct buf event; // text after the time; empty: no line matches
	size_t name;      // offset of the event's name in `event`, after the period
	uint64_t period;
};

/** Remember a line. */
void perf_last_keep(struct perf_last *last, const struct perf_line *line,
		    const struct perf_event *event);

/** Remember the name of the process in another line that has the same event as the last line. */
void perf_last_keep_process(struct perf_last *last, const struct perf_line *line);

/** Return whether the text after the time of a line has the same event as the last line. If the
 * event is the same, set the period. */
bool perf_last_has_event(const struct perf_last *last, const struct perf_line *line,
			 uint64_t *period);

/** Split the line at the start of `text`, if it has the form of the last line. Do not set `rest`.
 * Return the length of the line with its line end. Return 0 if the line has another form, or no
 * line end. */
size_t perf_last_take(const struct perf_last *last, struct str text, struct perf_line *line,
		      uint64_t *period);

/** Drop the last line. */
void perf_last_forget(struct perf_last *last);

void perf_last_release(struct perf_last *last);

/** The range of times that --from and --to select, and the times that were compared with it. */
struct perf_range {
	bool given;
	struct decimal from, to;
	bool inside, outside;       // whether some time was inside, and some outside
	struct decimal first, last; // the first and the last time outside
};

/** Read the values of --from and --to. NULL means that an option was not given. */
struct perf_range perf_range_of(const char *from, const char *to);

enum perf_place { PERF_INSIDE, PERF_OUTSIDE, PERF_WITHOUT_TIME };

/** Return whether a time is inside or outside the range. If no range was given, every time is
 * inside. If a range was given and `time` is not a number, return PERF_WITHOUT_TIME. */
enum perf_place perf_range_place(struct perf_range *range, struct str time);

/** Return whether a time in nanoseconds is inside or outside the range. */
enum perf_place perf_range_place_of(struct perf_range *range, uint64_t nanoseconds);

/** Add the times that were compared with `from` to those of `range`. */
void perf_range_merge(struct perf_range *range, const struct perf_range *from);

/** If all times were outside the range, warn, and name the first and the last of them. Return 0, or
 * -1 if the run must end. */
int perf_range_check(const struct perf_range *range, struct diag *diag);

/** Check the value of --from or --to. Return NULL, or a description of the expected value. */
const char *perf_check_time(const char *value);
