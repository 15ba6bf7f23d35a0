/* Compares how a format reads an input as a whole and in pieces of a few bytes. The fast readers of
 * JSON run only on large pieces, so this also compares them with the general reader. */
#include "job.h"

#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/notices.h"
#include "profile/folded.h"

enum { PIECE_MOST = 5 };

static int fuzz_pieces_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

/** Add the results of a run to a text: its messages without line numbers, its tallies and its
 * stacks. */
static void fuzz_pieces_describe(struct buf *out, struct run *run, bool good) {
	struct output output;
	for (size_t i = 0; i < run->notices->n; i++) {
		buf_printf(out, "%d %s\n", (int)run->notices->items[i].level,
			   buf_text(&run->notices->items[i].text));
	}
	if (!good) {
		return; // the counts so far do not matter
	}
	buf_printf(out, "%llu samples\n", (unsigned long long)run->samples);
	for (size_t i = 0; i < TALLIES; i++) {
		buf_printf(out, "tally %llu\n", (unsigned long long)run->tallies[i]);
	}
	output_init(&output, fuzz_pieces_collect, out);
	folded_write(run->profile, &output, false);
	output_finish(&output);
	output_release(&output);
}

/** Read an input in pieces of up to `most` bytes, and describe the result. */
static void fuzz_pieces_read(const struct collapser *format, struct str input, size_t most,
			     struct buf *out) {
	const struct opt_table tables[OPT_TABLES] = {format->options};
	struct opt_set set;
	struct profile profile;
	struct notices notices = {0};
	struct run run = {.profile = &profile, .inputs = 1, .notices = &notices};
	struct random source = {input.n};
	int result = 0;
	opt_init(&set, tables);
	profile_init(&profile, PROFILE_STACKS);
	void *state = state_new(format, set.values[0], &run);
	struct block block = {.first = true};
	while (result == 0 && !block.last) {
		size_t n = 1 + random_below(&source, most);
		block.bytes = str_to(input, n < input.n ? n : input.n);
		input = str_from(input, block.bytes.n);
		block.last = input.n == 0;
		result = format->block(state, &block);
		block.first = false;
	}
	if (result == 0 && format->finish != NULL) {
		format->finish(state);
	}
	fuzz_pieces_describe(out, &run, result == 0 && !profile.overflow);
	format->release(state);
	profile_release(&profile);
	notices_release(&notices);
	buf_release(&run.name);
	buf_release(&run.text);
	opt_release(&set);
	free(state);
}

void fuzz_check_pieces(const char *command, struct str input) {
	static const struct str collapse = STR_INIT("collapse-");
	const struct collapser *format = str_starts(str_of(command), collapse)
						 ? collapse_find_format(command + collapse.n)
						 : NULL;
	struct buf whole = {0}, pieces = {0};
	if (format == NULL || (format->flags & FORMAT_ANY_CUT) == 0) {
		return;
	}
	fuzz_pieces_read(format, input, SIZE_MAX / 2, &whole);
	fuzz_pieces_read(format, input, PIECE_MOST, &pieces);
	fuzz_require(str_eq(buf_str(&whole), buf_str(&pieces)), "pieces are read differently",
		     buf_str(&pieces));
	buf_release(&whole);
	buf_release(&pieces);
}
