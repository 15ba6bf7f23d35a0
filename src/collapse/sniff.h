/** Which format is it? Every format is asked for its evidence; the highest bid wins, order never
 * decides. */
#ifndef INFERNO_SNIFF_H
#define INFERNO_SNIFF_H

#include "base/input.h"
#include "collapse/collapser.h"

struct sniffed {
	const struct collapser *format; // NULL: none, or two with the same evidence
	const struct collapser
		*rival; // of two with the same evidence, the other; `format` is NULL then
	const struct collapser *nearest; // the one with most evidence, even if it is not enough
	int evidence;
};

/** What the bytes, all there is if `whole`, look like; `*more` tells that a longer look may change
 * the answer. */
struct sniffed sniff_bytes(struct str bytes, bool whole, bool *more);

enum { SNIFF_BINARY = 4 << 10 }; // bytes that are looked at for the next

/** Return what an input is that starts with these bytes and is no text, in words for a message, or
 * NULL. */
const char *sniff_binary(struct str bytes);

/** Look at an input without taking anything. Return 0, or -1 after diag_error() when it cannot be
 * read. */
int sniff_input(struct input *input, struct sniffed *sniffed);

#endif
