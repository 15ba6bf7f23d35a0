/** Read folded text, for the formats folded and recursive. */
#pragma once

#include "collapse/collapser.h"
#include "profile/folded.h"

enum { FOLDED_TALLY_FRACTION }; // number of lines whose count has a fraction

struct folded_input {
	STATE_HEAD(void);
	struct folded_lines lines;
	struct folded_reader *reader;
	bool strict; // a line without a whole count ends the run, unless the run is lenient
};

/** The sniff() of both formats. Each of the first lines must be a stack and a count, or only a
 * count. Logs and tables have such lines, too, so the evidence is weak unless half of the stacks
 * have more than one frame. */
int folded_input_sniff(struct str bytes, bool whole);

/** Split a line that folded_cut_plain() cannot split. Return 1 if the line has a stack, 0 if the
 * line is left out, or -1 if the run must end. `strict` has the meaning of the member of struct
 * folded_input. */
int folded_input_cut(struct run *run, bool strict, struct str text, uint64_t number,
		     struct folded_line *line);

/* Functions of struct collapser. */

void folded_input_init(void *state);
int folded_input_block(void *state, const struct block *block);
void folded_input_finish(void *state);
void folded_input_release(void *state);

#define FOLDED_TALLIES \
	{ [FOLDED_TALLY_FRACTION] = "dropped the fractions of counts" }

/** The members of struct collapser that are equal for the formats folded and recursive. */
#define FOLDED_INPUT_MEMBERS                                                          \
	.state_size = sizeof(struct folded_input), .sniff = folded_input_sniff,       \
	.block = folded_input_block, .cut = cut_lines, .finish = folded_input_finish, \
	.release = folded_input_release, .tallies = FOLDED_TALLIES,                   \
	.expects = "folded text (on each line a stack, a blank and a count)"
