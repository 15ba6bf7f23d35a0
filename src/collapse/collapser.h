/**
 * A format: one file, one constant `struct collapser collapse_NAME` at its end, one word in
 * src/meson.build.
 *
 * The driver reads blocks of whole lines, and passes them to block(). The format fills
 * `run->profile`. With several threads, each worker has its own state and profile, so a format must
 * not keep data outside its state.
 */
#pragma once

#include "base/input.h"
#include "base/opt.h"
#include "profile/parts.h"

/** A part of one input. A block never spans inputs. */
struct block {
	// whole lines, except with FORMAT_ANY_CUT; the last block may lack its last line end
	struct str bytes;
	bool first, last; // whether this is the first or the last block of its input; an empty
			  // input has one empty block that is both
};

enum { TALLIES = 6 };

/**
 * Everything that a format may access outside its state, except the files that its options name.
 * Each worker has its own run. The driver sets every field before init(). The format adds to
 * `profile`, counts in `lines`, `known`, `samples` and `tallies`, and reports with run_warn() and
 * similar functions.
 */
struct run {
	struct profile *profile;
	uint64_t lines;   // number of lines of the current block; set by block()
	size_t inputs;    // the number of inputs
	uint64_t known;   // number of lines that were recognised without parsing
	uint64_t samples; // number of samples read so far, including those that were left out
	uint64_t tallies[TALLIES]; // counts of the texts in `tallies` of struct collapser
	// used by run_warn() and similar functions
	struct notices *notices;
	const char *value; // the name that --value asks for; NULL: none
	// called with the samples of other events; NULL: these samples are left out
	struct profile_parts *parts;
	const struct perf_watch *watch; // called with each sample of a recording; may be NULL
	// Scratch memory: `name` for the format, `text` for run_frame().
	struct buf name, text;
};

/** The first members of the state of every format: its options, whose type is `void` if the format
 * has none, and its run. */
#define STATE_HEAD(options_type)     \
	const options_type *options; \
	struct run *run

struct state_head {
	STATE_HEAD(void);
};

/** The number to pass to run_notice() for the last line, in a message about the end of an input. */
#define RUN_AT_END UINT64_MAX

/** Return the number to pass to run_notice() for a line that may be before the current block. The
 * number 0 is the last line before the block, and -1 is the line before that one. */
static inline uint64_t run_line(int64_t number) {
	return number > 0 ? (uint64_t)number : RUN_AT_END - 1 - (uint64_t)-number;
}

enum notice_level {
	NOTICE_ERROR, // bad data is an error even if the run is lenient
	NOTICE_BAD,   // bad data: an error, or a warning if the run is lenient
	NOTICE_WARNING,
	NOTICE_NOTE, // a note that is shown only with --verbose
};

/** Report a problem in line `number` of the current block. The first line of the block has the
 * number 1. The message begins with the name of the input and the line number. If `number` is 0,
 * the message has no line number. Return 0, or -1 if the run must end. */
__attribute__((format(printf, 4, 5))) int run_notice(struct run *run, enum notice_level level,
						     uint64_t number, const char *format, ...);

#define run_error(run, number, ...) run_notice(run, NOTICE_ERROR, number, __VA_ARGS__)
#define run_bad(run, number, ...) run_notice(run, NOTICE_BAD, number, __VA_ARGS__)
#define run_warn(run, number, ...) run_notice(run, NOTICE_WARNING, number, __VA_ARGS__)

/** Call `line` for each line of a block, without its line end, and count the lines. Return 0, or
 * the first other result of `line`, which ends the run. */
static inline int run_lines(struct run *run, const struct block *block, void *state,
			    int (*line)(void *state, struct str line, uint64_t number)) {
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	for (struct str text; result == 0 && lines_next(&lines, &text);) {
		result = line(state, text, lines.number);
	}
	run->lines = lines.number;
	return result;
}

/** Return how many lines end in a block. A block may end inside a line, but the last block ends its
 * last line. `*open` says whether the last line continues in the next block; pass the same variable
 * for each block. */
static inline uint64_t run_count_lines(const struct block *block, bool *open) {
	struct lines lines = {.rest = block->bytes};
	struct str line;
	while (lines_next(&lines, &line)) {
		*open = lines.rest.n == 0 && block->bytes.p[block->bytes.n - 1] != '\n';
	}
	return lines.number - (block->bytes.n > 0 && *open) + (block->last && *open);
}

/** Cut after the last line end: a cut() for formats in which every line is a sample. */
static inline size_t cut_lines(struct str bytes) {
	return str_find_last(bytes, '\n') + 1; // 0 if no line ends there
}

/** Cut after the last line that ends a sample: for the cut() of formats. */
static inline size_t cut_after(struct str bytes, bool (*ends_sample)(struct str line)) {
	for (size_t end = str_find_last(bytes, '\n'); end != STR_NONE;) {
		size_t before = str_find_last(str_to(bytes, end), '\n');
		if (ends_sample(str_from(str_to(bytes, end), before + 1))) { // STR_NONE + 1 is 0
			return end + 1;
		}
		end = before;
	}
	return 0;
}

/** Answers of sniff(), in bits of evidence. */
enum {
	SNIFF_NO = 0,
	SNIFF_HINT = 2, // weak evidence: the text only resembles the format
	// enough evidence to suggest the format in a message, but not to choose it
	SNIFF_COULD_BE = 4,
	SNIFF_LIKELY = 5, // just enough evidence to choose the format
	SNIFF_SHAPE = 16, // a line that has the form of the format
	SNIFF_MAGIC = 40, // five bytes that only this format has
	SNIFF_MORE = -1,  // undecided: call sniff() again with more bytes
};

enum format_flags {
	// never guess this format, because another format reads the same input
	FORMAT_NAMED_ONLY = 1,
	// samples are added one by one, so the count of a single sample is known
	FORMAT_BY_SAMPLE = 2,
	FORMAT_ANY_CUT = 4, // blocks may end anywhere, not only after lines
	// if the user named this format, pass it the lines before the profile, too: it reports them
	FORMAT_FROM_START = 8,
};

/** A value that --value can name, and the option by which the format counts it. */
struct collapser_value {
	const char *option; // "": no option, because this value is the default
	const char *name; // name of the value; NULL: any other name, which is passed to the option
	const char *setting; // value to give to the option; NULL: the option is a flag, or takes
			     // the name of the value
	const char *unit;    // unit of the counts; NULL: that of the format
};

struct collapser {
	const char *name;
	const char *const *aliases; // other names of the command, NULL-terminated; may be NULL
	const char *brief, *about;  // as in struct command
	const struct example *examples;
	const char *usual;        // options for a short --help, as in struct command; NULL: all
	struct opt_table options; // the table may be empty
	// an item without an option ends the list; NULL: the format has one value
	const struct collapser_value *values;
	size_t state_size;
	unsigned flags; // values of enum format_flags

	/** Return how strong the evidence is that an input has this format: a number such as
	 * SNIFF_LIKELY. `bytes` are the start of the input, or the entire input if `whole` is set.
	 * The function has no side effects. NULL: the evidence is that of sniff_read(). */
	int (*sniff)(struct str bytes, bool whole);

	/** Initialise a state. The first members are already set, and all others are zeroed. NULL:
	 * nothing to initialise. */
	void (*init)(void *state);

	/** Return how strong the evidence is that read() can read an input that starts with these
	 * bytes. The format with the most evidence reads the input. NULL: the format is always
	 * text. */
	int (*sniff_read)(struct str start);

	/** Read a binary input to its end. Messages name a byte, not a line. Return 0, or -1 after
	 * diag_error(). */
	int (*read)(void *state, struct input *input, struct diag *diag);

	/** Read one block. Return 0, or -1 if the run must end. */
	int (*block)(void *state, const struct block *block);

	/** Return whether other workers can start, after `state` has read some whole samples. NULL:
	 * all workers can start at once. */
	bool (*ready)(const void *state);

	/** Copy the facts that the first worker has read from the start of the input. NULL: nothing
	 * to copy. */
	void (*follow)(void *state, const void *first);

	/** Return where the last complete sample in `bytes` ends, or 0. NULL: inputs of this format
	 * cannot be cut, so one thread reads them. */
	size_t (*cut)(struct str bytes);

	/** The unit of counts with default options, such as "microseconds". NULL: samples, or
	 * the unit that the input names. */
	const char *unit;

	/** If the input names the unit of its counts, add the unit to the empty buffer `unit`, as
	 * words in UTF-8. NULL: inputs of this format never name the unit. */
	void (*find_unit)(const void *state, struct buf *unit);

	/** After the last input, make the decisions that need the states of all workers. NULL: no
	 * such decisions. Return 0, or -1 after diag_error(). Not called for a run that failed. */
	int (*decide)(void *const *states, size_t n, struct diag *diag);

	/** After the last input, add the samples that were kept until then. NULL: no samples are
	 * kept. Not called for a run that failed. */
	void (*finish)(void *state);

	/** Release all memory of the state. */
	void (*release)(void *state);

	/** Texts of the tallies, such as "left out samples without frames". Each tally above 0 is
	 * reported as a warning at the end. */
	const char *const tallies[TALLIES];

	/**
	 * The expected input ("the output of 'perf script'"). If the inputs are not empty, but have
	 * no samples, the error message asks whether the input is the output that this text
	 * describes. NULL: the driver does not check.
	 */
	const char *expects;
};

/** Return how strong the evidence is that an input has a format, as its sniff() does. */
static inline int collapser_sniff(const struct collapser *format, struct str bytes, bool whole) {
	return format->sniff != NULL ? format->sniff(bytes, whole) : format->sniff_read(bytes);
}

/** Return a new state. The caller releases and frees the state. */
static inline void *state_new(const struct collapser *format, const void *options,
			      struct run *run) {
	const struct state_head head = {options, run};
	void *state = mem_new(1, format->state_size);
	memcpy(state, &head, sizeof(head));
	if (format->init != NULL) {
		format->init(state);
	}
	return state;
}
