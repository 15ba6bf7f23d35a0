/** Recognise the format of an input. Every format states its evidence. The format with the most
 * evidence is chosen, and the order of formats does not matter. */
#ifndef INFERNO_SNIFF_H
#define INFERNO_SNIFF_H

#include "base/input.h"
#include "collapse/collapser.h"

struct sniffed {
	const struct collapser *format; // NULL: no format was found, or two have the same evidence
	const struct collapser *rival;  // the second of two formats with the same evidence; in that
					// case `format` is NULL
	const struct collapser
		*nearest; // the format with the most evidence, even if the evidence is too weak
	int evidence;
	int named;           // evidence of the named format
	bool whole;          // whether the whole input was examined
	size_t skip;         // number of bytes before the profile, which are whole lines
	uint64_t skip_lines; // the number of these lines
};

enum { SNIFF_BINARY = 4 << 10 }; // number of bytes that sniff_binary() examines

/** Keep the format with the most evidence as `nearest`, and a format with the same evidence as
 * `rival`. */
void sniff_compare(struct sniffed *best, const struct collapser *format, int evidence);

/** If an input that starts with these bytes cannot be a profile, return its kind, in words for a
 * message. Else return NULL. */
const char *sniff_binary(struct str bytes);

/**
 * Look at an input without taking anything. Lines before a profile, such as prompts and warnings in
 * a copied terminal, are skipped if the profile after them is clear. If the user named a format and
 * it recognises the input, no other format is tried. `named` is NULL if the user named none. Return
 * 0, or -1 after diag_error() if the input cannot be read.
 */
int sniff_input(struct input *input, const struct collapser *named, struct sniffed *sniffed);

#endif
