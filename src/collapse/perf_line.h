/** Lines of `perf script` that are no stack lines, and the range of time that an option can cut out
 * of them. */
#ifndef INFERNO_PERF_LINE_H
#define INFERNO_PERF_LINE_H

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

/** Return the index of the colon of "[CPU] TIME:", where the CPU may be missing, and set where the
 * time starts, if nothing else follows the ids; else return STR_NONE. */
size_t perf_line_time(struct str after_ids, size_t *start);

/** Return the last word of a text that is an address in its column; empty if there is none. */
struct str perf_last_address(struct str text);

/** Set the time and what follows it, if "[CPU] TIME:" or "TIME:" follows the ids; else return
 * false.
 */
bool perf_line_set_time(struct str after_ids, struct perf_line *parts);

/** Return whether a line is no event line but a record that an option such as --show-mmap-events
 * has perf print, or part of the dump of one. */
bool perf_line_is_record(struct str line, const struct perf_line *parts);

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

/** Checks the value of --from or --to. */
const char *perf_check_time(const char *value);

#endif
