/** Recognise the format of an input. Every format states its evidence. The format with the most
 * evidence is chosen, whatever their order. */
#ifndef INFERNO_SNIFF_H
#define INFERNO_SNIFF_H

#include "base/input.h"
#include "collapse/collapser.h"

struct sniffed {
	const struct collapser *format; // NULL: no format, or two with the same evidence
	const struct collapser
		*rival; // the other one of two with the same evidence; then `format` is NULL
	const struct collapser
		*nearest; // the format with the most evidence, even if that is too little
	int evidence;
	int named;           // the evidence of the format that was named
	bool whole;          // all of the input was seen
	size_t skip;         // bytes before the profile, which are whole lines
	uint64_t skip_lines; // the number of these lines
};

enum { SNIFF_BINARY = 4 << 10 }; // bytes to look at in sniff_binary()

/** Keep the format with more evidence as the nearest one. One with as much is its rival. */
void sniff_compare(struct sniffed *best, const struct collapser *format, int evidence);

/** If an input that starts with these bytes cannot be a profile, return its kind, in words for a
 * message. Else return NULL. */
const char *sniff_binary(struct str bytes);

/**
 * Look at an input without taking anything. Lines before a profile, such as prompts and warnings in
 * a copied terminal, are skipped if the profile after them is clear. If the user named a format and
 * it recognises the input, no other is asked; NULL means that none was named. Return 0, or -1 after
 * diag_error() if the input cannot be read.
 */
int sniff_input(struct input *input, const struct collapser *named, struct sniffed *sniffed);

#endif
