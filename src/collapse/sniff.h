/** Recognise the format of an input. Every format states its evidence. The format with the most
 * evidence is chosen, and the order of formats does not matter. */
#pragma once

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

/** Compare the evidence of a format with the most evidence so far. If the format has more, make it
 * `nearest`; if it has as much, make it `rival`. */
void sniff_compare(struct sniffed *best, const struct collapser *format, int evidence);

/** If an input that starts with these bytes cannot be a profile, return the kind of the input, as
 * words for a message. If the input may be a profile, return NULL. */
const char *sniff_binary(struct str bytes);

/**
 * Recognise the format of an input, without taking any bytes. Lines before a profile, such as
 * prompts and warnings that were copied from a terminal, are skipped if the format of the profile
 * after them is clear. `named` is the format that the user named, or NULL. If this format
 * recognises the input, no other format is tried. Return 0, or -1 after diag_error() if the input
 * cannot be read.
 */
int sniff_input(struct input *input, const struct collapser *named, struct sniffed *sniffed);
