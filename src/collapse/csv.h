/** Fields of comma-separated values. */
#pragma once

#include "base/buf.h"

/** The fields of a line, which csv_next() cuts off its front. */
struct csv {
	struct str rest;
	bool ended; // whether no field is left
};

static inline struct csv csv_start(struct str line) {
	return (struct csv){.rest = line};
}

enum csv_result { CSV_FIELD, CSV_END, CSV_BAD };

/**
 * Take the next field. Remove the quotes around the field, and replace each pair of quotes in the
 * field by one quote. The field points into the line or into `scratch`, and is valid until that
 * memory changes. Return CSV_BAD if the closing quote is missing, or if neither a comma nor the end
 * of the line follows it.
 */
enum csv_result csv_next(struct csv *csv, struct buf *scratch, struct str *field);
