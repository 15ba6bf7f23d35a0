/**
 * Format counts with the unit of a profile, for example `3.83 s of CPU`, `1.21 G cycles` or `44.1
 * MiB`. viewer/units.js formats counts in the same way. tests/vectors/units.tsv has the results
 * that the code in C and the code in JavaScript must give.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"

enum { UNIT_MAX = 64 }; // size of a buffer for unit_format() and unit_format_exact()

enum unit_kind {
	UNIT_PLAIN,  // counts are written with all their digits
	UNIT_EVENTS, // large counts are written with a prefix: k, M, G and so on
	UNIT_TIME,
	UNIT_BYTES,
};

struct unit {
	enum unit_kind kind;
	double scale;       // number of nanoseconds in one unit, if the kind is UNIT_TIME
	struct str base;    // name of the unit after exact counts, such as `ns`
	struct str subject; // words after a count, such as `of CPU` or `cycles`
};

/** Return the unit with the name that a profile gives it. The unit borrows the name. Counts of
 * samples, and counts of a unit without a name, are written with all digits. */
struct unit unit_of(struct str name);

/** Return the power of ten that converts a time in this unit to nanoseconds, or -1 if the unit is
 * not a unit of time. */
int unit_power(struct str name);

/** Add the name of the unit in which the samples of a perf event are counted. If the event counts
 * time, leave out its modifiers. For example, `cpu-clock:u` gives `nanoseconds of cpu-clock`. */
void unit_name_of_event(struct buf *name, struct str event);

/** Add the name of the unit of a value that has a type and a unit, as in pprof. For example, the
 * type inuse_space with the unit bytes gives `bytes in use`. */
void unit_name_of_value(struct buf *name, struct str type, struct str unit);

/** Set `*type` and `*unit` to those from which unit_name_of_value() made the name. For any other
 * name, guess them. Both texts borrow the name. */
void unit_split_name(struct str name, struct str *type, struct str *unit);

/** If an input counts something else than the inputs before it, warn that the sums mean nothing.
 * Names whose first words are equal count the same, and an empty name is not known. Return 0, or -1
 * if the run must end. */
int unit_check(struct str before, struct str name, const char *input, struct diag *diag);

/** Return a unit whose counts are written with all their digits. The unit borrows the name. */
struct unit unit_plain(struct str name);

/** Write a count with its prefix or its unit of time or memory, without the words after it. Round
 * the count to three digits if it is written in a larger unit than its own. Return the number of
 * bytes. */
size_t unit_format(char *out, const struct unit *unit, uint64_t count);

/** If unit_format() rounds the count, write the exact count and return the number of bytes.
 * Otherwise return 0. */
size_t unit_format_exact(char *out, const struct unit *unit, uint64_t count);

/** Return whether a blank separates a count from the words after it. */
bool unit_is_spaced(const struct unit *unit);
