/** Fields of comma-separated values. */
#ifndef INFERNO_CSV_H
#define INFERNO_CSV_H

#include "base/buf.h"

/** Take characters off the front of a line until its fields are used up. */
struct csv {
	struct str rest;
	bool ended; // no field is left
};

static inline struct csv csv_start(struct str line) {
	return (struct csv){.rest = line};
}

enum csv_result { CSV_FIELD, CSV_END, CSV_BAD };

/**
 * Take the next field; quotes around it are gone and those doubled inside are single. It lives in
 * the line or in `scratch`, until that changes. CSV_BAD: a quote is not closed, or not by a comma's
 * side.
 */
enum csv_result csv_next(struct csv *csv, struct buf *scratch, struct str *field);

#endif
