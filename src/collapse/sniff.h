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
	int named;           // the evidence of the format that was named
	bool whole;          // all of the input was seen
	size_t skip;         // bytes of other text in front of the profile, all in whole lines
	uint64_t skip_lines; // the same in lines
};

enum { SNIFF_BINARY = 4 << 10 }; // bytes that are looked at for the next

/** Return what an input is that starts with these bytes and can be no profile, in words for a
 * message, or NULL. */
const char *sniff_binary(struct str bytes);

/**
 * Look at an input without taking anything. What stands in front of a profile when a terminal is
 * copied, such as prompts and warnings, is skipped if the profile after it is clear. If the user
 * named a format, and it recognises the input, no other is asked; NULL: none was named. Return 0,
 * or -1 after diag_error() when it cannot be read.
 */
int sniff_input(struct input *input, const struct collapser *named, struct sniffed *sniffed);

#endif
