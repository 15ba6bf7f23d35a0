/*
 * ljp: the file that the agent lightweight-java-profiler writes.
 *
 * Each stack has a record: the count, the number of frames, and the frames from the leaf to the
 * root, one on each line. A memo remembers the lines of callers.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/text.h"

struct ljp_options {
	bool lines;
};

enum ljp_tally { TALLY_NO_FRAMES, TALLY_ASTRAY };

/** The state of the record to which lines belong. */
enum ljp_record { RECORD_NONE, RECORD_OPEN, RECORD_LEFT_OUT };

struct ljp_state {
	STATE_HEAD(struct ljp_options);
	bool finished; // the last record has ended
	enum ljp_record record;
	uint64_t count;
	// number of frames that the record announces; number of frames that were read
	uint64_t promised, frames;
	struct stack stack;
	struct memo memo; // meanings of lines with callers
};

/** A line, split into words. The place in parentheses is a separate member. */
struct ljp_words {
	struct str words[3];
	size_t n; // number of words; above 3: too many words
	struct str place;
};

static void ljp_add_words(struct ljp_words *words, struct str rest) {
	for (struct str word; (word = text_next_word(&rest)).n > 0; words->n++) {
		if (words->n < sizeof(words->words) / sizeof(words->words[0])) {
			words->words[words->n] = word;
		}
	}
}

/** Split a line into words. The place is everything from the first `(` to the last `)`. */
static struct ljp_words ljp_cut_words(struct str line) {
	struct ljp_words words = {.place = STR("")};
	size_t open = str_find(line, '('), close = str_find_last(line, ')');
	if (open == STR_NONE || close == STR_NONE || close < open) {
		ljp_add_words(&words, line);
		return words;
	}
	words.place = str_from(str_to(line, close + 1), open);
	ljp_add_words(&words, str_to(line, open));
	ljp_add_words(&words, str_from(line, close + 1));
	return words;
}

/* --- Records -------------------------------------------------------------------------------- */

/** End the open record. Warn if frames are missing. */
static int ljp_end_record(struct ljp_state *state, uint64_t number) {
	int result = 0;
	if (state->record == RECORD_OPEN) {
		if (state->frames < state->promised) {
			result = run_warn(
				state->run, number,
				"the stack before this line has %llu frames, not %llu as announced",
				(unsigned long long)state->frames,
				(unsigned long long)state->promised);
		}
		stack_end(&state->stack, state->run, state->count, TALLY_NO_FRAMES);
	}
	stack_clear(&state->stack);
	state->record = RECORD_NONE;
	return result;
}

static struct meaning ljp_parse_frame(struct ljp_state *state, struct str method,
				      struct str place) {
	buf_set_str(&state->run->name, method);
	if (state->options->lines) {
		buf_add_str(&state->run->name, place);
	}
	return meaning_of_name(state->run, buf_str(&state->run->name));
}

static int ljp_add_frame(struct ljp_state *state, struct meaning meaning, uint64_t number) {
	stack_push_meaning(&state->stack, NULL, meaning);
	if (state->frames++ != state->promised) {
		return 0;
	}
	return run_warn(state->run, number, "the stack has more frames than the %llu announced",
			(unsigned long long)state->promised);
}

/** Begin a record at a line of three words. The last word is the leaf. */
static int ljp_begin_record(struct ljp_state *state, const struct ljp_words *words, struct str line,
			    uint64_t number) {
	if (ljp_end_record(state, number) != 0) {
		return -1;
	}
	state->record = RECORD_LEFT_OUT;
	if (words->n != 3 || !num_parse_u64(words->words[0], &state->count) ||
	    !num_parse_u64(words->words[1], &state->promised)) {
		return run_warn(state->run, number,
				"left out a stack: expected a count, a number of frames and a "
				"method, found '%s'",
				quote(line).text);
	}
	state->run->samples++;
	state->record = RECORD_OPEN;
	state->frames = 0;
	return ljp_add_frame(state, ljp_parse_frame(state, words->words[2], words->place), number);
}

/** Report a record without frames, and leave it out: it has the samples whose stacks the profiler
 * could not read. */
static int ljp_lost_samples(struct ljp_state *state, struct str count, uint64_t number) {
	state->run->samples++;
	if (ljp_end_record(state, number) != 0) {
		return -1;
	}
	return run_warn(state->run, number, "left out samples without a stack: %s",
			quote(count).text);
}

static int ljp_caller_line(struct ljp_state *state, const struct ljp_words *words, struct str line,
			   uint64_t number) {
	if (state->record == RECORD_LEFT_OUT) {
		return 0;
	}
	if (state->record == RECORD_NONE) {
		state->run->tallies[TALLY_ASTRAY]++;
		return 0;
	}
	struct str method = words->n == 1 ? words->words[0] : STR("");
	struct meaning meaning = ljp_parse_frame(state, method, words->place);
	memo_add(&state->memo, line, 0, meaning);
	return ljp_add_frame(state, meaning, number);
}

/** Read a line that is not in the memo. */
static int ljp_new_line(struct ljp_state *state, struct str line, uint64_t number) {
	struct ljp_words words = ljp_cut_words(line);
	bool numbers = words.n > 0 && str_all_digits(words.words[0]) &&
		       (words.n == 1 || str_all_digits(words.words[1]));
	if (words.n == 0 && words.place.n == 0) {
		return 0;
	}
	if (words.n == 3 || (words.n > 3 && numbers)) {
		return ljp_begin_record(state, &words, line, number);
	}
	if (words.place.n == 0 && numbers) {
		return ljp_lost_samples(state, words.words[0], number);
	}
	if (words.n > 1) {
		return run_warn(state->run, number, "expected a stack or a caller, found '%s'",
				quote(line).text);
	}
	return ljp_caller_line(state, &words, line, number);
}

static int ljp_line(void *memory, struct str raw, uint64_t number) {
	struct ljp_state *state = memory;
	struct str line = text_line(raw);
	if (state->finished) {
		return 0;
	}
	struct str rest = line;
	if (str_eq(text_next_word(&rest), STR("Total"))) {
		state->finished = true;
		return ljp_end_record(state, number);
	}
	struct meaning meaning = {.kind = MEANS_UNKNOWN};
	if (state->record == RECORD_OPEN) {
		meaning = memo_find(&state->memo, line, 0);
	}
	return meaning.kind == MEANS_UNKNOWN ? ljp_new_line(state, line, number)
					     : ljp_add_frame(state, meaning, number);
}

static int ljp_block(void *memory, const struct block *block) {
	struct ljp_state *state = memory;
	int result = run_lines(state->run, block, state, ljp_line);
	if (block->last) {
		result = result == 0 ? ljp_end_record(state, RUN_AT_END) : result;
		state->finished = false;
	}
	return result;
}

static void ljp_release(void *memory) {
	struct ljp_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
}

/** Return whether a line begins a record: it has two numbers, a method and its place. */
static bool ljp_is_record(struct str line) {
	struct ljp_words words = ljp_cut_words(line);
	return words.n == 3 && str_all_digits(words.words[0]) && str_all_digits(words.words[1]) &&
	       str_ends(text_line(line), STR(")")) && !str_starts(words.words[2], STR("("));
}

static int ljp_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool record = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct str text = text_trim_start(text_line(line));
		if (record &&
		    (ljp_is_record(text) || str_starts(text, STR("Total trace count = ")))) {
			return 2 * SNIFF_MAGIC;
		}
		struct str rest = text;
		bool lost = text.n > 0 && str_all_digits(text_next_word(&rest)) &&
			    text_trim_start(rest).n == 0;
		if (!record && text.n > 0 && !lost && !ljp_is_record(text)) {
			return str_starts(text, STR("Total trace count = ")) ? SNIFF_HINT
									     : SNIFF_NO;
		}
		record |= text.n > 0 && !lost;
	}
	return record ? SNIFF_SHAPE : whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct ljp_options, lines), .name = "lines",
	 .help = "keep the file and line of every frame"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"java -agentpath:/path/to/liblagent.so=file=traces.txt -jar app.jar",
	 "profile a program until it ends"},
	{"inferno collapse ljp traces.txt > out.folded", "fold its stacks"},
	{NULL, NULL},
};

const struct collapser collapse_ljp = {
	.name = "ljp",
	.aliases = (const char *const[]){"stackcollapse-ljp", NULL},
	.brief = "fold the traces of lightweight-java-profiler",
	.about = "Reads the file that the agent lightweight-java-profiler writes when a Java "
		 "program ends. For each stack, the file has a count, the number of frames, and "
		 "the frames. Everything after the line 'Total' is skipped. Samples whose stack "
		 "the agent could not walk are reported and left out.",
	.examples = examples,
	.options = {options, sizeof(struct ljp_options)},
	.state_size = sizeof(struct ljp_state),
	.sniff = ljp_sniff,
	.block = ljp_block,
	.release = ljp_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out stacks without frames",
		    [TALLY_ASTRAY] = "left out callers that belong to no stack"},
	.expects = "the traces of lightweight-java-profiler",
};
