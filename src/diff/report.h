/** The functions that changed most, as text, JSON or Markdown. */
#ifndef INFERNO_REPORT_H
#define INFERNO_REPORT_H

#include "base/output.h"
#include "diff/functions.h"
#include "profile/compared.h"

enum report_form { REPORT_TEXT, REPORT_JSON, REPORT_MARKDOWN };

struct report {
	enum report_form form;
	size_t most; // functions in a list
	const struct functions *functions;
	const struct yardstick *yardstick;
	struct str unit; // what is counted, empty if that is not known
};

void report_write(struct output *out, const struct report *report);

/** Write all functions of one profile as JSON, those with the highest counts of their own first.
 * The profile becomes calls. */
void report_write_one(struct output *out, struct profile *profile);

#endif
