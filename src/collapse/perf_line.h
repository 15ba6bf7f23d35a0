/** Event lines of `perf script`, and the range of time that an option can cut out of them. */
#ifndef INFERNO_PERF_LINE_H
#define INFERNO_PERF_LINE_H

#include "collapse/decimal.h"

/** "COMM [PID/]TID [CPU] TIME: [PERIOD] EVENT: FIELDS". */
struct perf_line {
	struct str comm, ids, time;
	struct str rest; // behind the colon of the time
};

/** False when no time follows the ids, or there are none. */
bool perf_line_split(struct str line, struct perf_line *parts);

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
