/** Lines of `perf script` that are no stack lines, and the range of time that an option can cut out
 * of them. */
#ifndef INFERNO_PERF_LINE_H
#define INFERNO_PERF_LINE_H

#include "base/buf.h"
#include "collapse/decimal.h"

/**
 * An event line: "COMM [PID/]TID [CPU] TIME: [PERIOD] EVENT: PAYLOAD". Any part may be missing:
 * perf prints the fields that it was asked for.
 */
struct perf_line {
	struct str head; // the line up to the end of the ids
	struct str comm; // the name, with the blanks around it
	struct str ids;  // empty if missing
	struct str time; // empty if missing
	struct str rest; // what follows the time, or else the CPU, or else the ids
	bool certain;    // a CPU or a time follows the ids
	bool nameless;   // perf was not asked for the name, or it is empty without ids
	bool weak;       // an event line only if a stack line follows: there are no ids, or
			 // they end the line
};

/** Take an event line apart. */
void perf_line_split(struct str line, struct perf_line *parts);

/** What follows the time of an event line. */
struct perf_event {
	struct str name; // as printed, with its modifier
	bool named, period_too_large;
	uint64_t period;
	struct str payload;
};

/** Read the part of an event line that follows the time. */
struct perf_event perf_event_of(const struct perf_line *line);

/** Return an event's name without a modifier such as `:u` or `:ppp`. */
struct str perf_event_plain(struct str name);

/** Return the last word of a text that is an address in its column; empty if there is none. */
struct str perf_last_address(struct str text);

/** Return whether a line is no event line but a record that an option such as --show-mmap-events
 * has perf print, or part of the dump of one. */
bool perf_line_is_record(struct str line, const struct perf_line *parts);

/**
 * The event line that was read last. Most lines differ from the one before in nothing but the ids,
 * the CPU, the time and the period, and need not be taken apart again. Zeroed, no line was read.
 */
struct perf_last {
	struct buf start; // the name, or without one all up to the ids; empty if no line can be
			  // like it
	bool named;
	struct buf event; // what follows the time; empty if no line can have the same
	size_t name;      // where the event's name starts in it, if a period comes before it; or 0
	uint64_t period;
};

/** Remember a line. */
void perf_last_keep(struct perf_last *last, const struct perf_line *line,
		    const struct perf_event *event);

/** Remember another process with the same event. */
void perf_last_keep_process(struct perf_last *last, const struct perf_line *line);

/** Return whether the same event follows the time of a line, and set its period. */
bool perf_last_has_event(const struct perf_last *last, const struct perf_line *line,
			 uint64_t *period);

/** Take apart the line at the start of `text` if it is like the last one: `line` gets all but
 * `rest`. Return its length with its line end; 0 if it is not like that, or has no line end. */
size_t perf_last_take(const struct perf_last *last, struct str text, struct perf_line *line,
		      uint64_t *period);

/** Forget the line. */
void perf_last_forget(struct perf_last *last);

void perf_last_release(struct perf_last *last);

/** The time in the brackets that --from and --to are. */
struct perf_range {
	bool given;
	struct decimal from, to;
};

/** Reads the options' values; NULL is one that was not given. */
struct perf_range perf_range_of(const char *from, const char *to);

enum perf_place { PERF_INSIDE, PERF_OUTSIDE, PERF_WITHOUT_TIME };

/** Where a time stands; everything is inside when no range was given. */
enum perf_place perf_range_place(const struct perf_range *range, struct str time);

/** The same for a time in nanoseconds. */
enum perf_place perf_range_place_of(const struct perf_range *range, uint64_t nanoseconds);

/** Checks the value of --from or --to. */
const char *perf_check_time(const char *value);

#endif
