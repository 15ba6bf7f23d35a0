/* Reading profiles stack by stack. */
#include "commands/stream.h"

#include <errno.h>
#include <unistd.h>

#include "base/regexp.h"
#include "base/scratch.h"
#include "base/utf8.h"
#include "collapse/folded_input.h"
#include "collapse/sniff.h"
#include "commands/reading.h"

/* --- Options -------------------------------------------------------------------------------- */

enum { MEGABYTES_LEAST = 16, MEGABYTES_MOST = 1 << 24 };

uint64_t stream_memory(const char *text) {
	struct str number = str_of(text);
	uint64_t value;
	unsigned shift = str_ends(number, STR("G")) ? 30 : 20;
	if (!str_ends(number, STR("G")) && !str_ends(number, STR("M"))) {
		return 0;
	}
	if (!num_parse_u64(str_to(number, number.n - 1), &value) || value > MEGABYTES_MOST) {
		return 0;
	}
	uint64_t megabytes = value << (shift - 20);
	return megabytes < MEGABYTES_LEAST || megabytes > MEGABYTES_MOST ? 0 : megabytes << 20;
}

const char *stream_check_memory(const char *text) {
	return stream_memory(text) != 0 ? NULL : "a size of at least 16M, such as 64M or 2G";
}

const char *stream_check_pattern(const char *text) {
	struct regexp regexp;
	if (regexp_is_large(text)) {
		return "a regular expression with fewer repetitions";
	}
	if (!regexp_init(&regexp, text, 0, NULL)) {
		return "a regular expression, as for 'grep -E'";
	}
	regexp_release(&regexp);
	return NULL;
}

/* --- Folded text ---------------------------------------------------------------------------- */

struct options {
	const struct stream *stream;
	int *failed; // set to -1 after diag_error()
};

/** The state of a format that hands its stacks on, not to a profile. */
struct text {
	STATE_HEAD;
	struct str previous; // the last stack: in the block, or in `kept`
	struct buf kept, repaired;
};

static int give(struct text *text, struct str stack, size_t common, uint64_t count) {
	const struct stream *stream = text->options->stream;
	return stream->take(stream->context, text->previous, stack, common, count);
}

/** Add a stack that is not in UTF-8. */
static int add_repaired(struct text *text, struct str stack, uint64_t count) {
	stack = utf8_repaired(&text->repaired, stack);
	int result = give(text, stack, str_common_prefix(stack, text->previous), count);
	buf_clear(&text->kept);
	buf_add_str(&text->kept, stack);
	text->previous = buf_str(&text->kept);
	return result;
}

/** Add a stack whose first `common` bytes are those of the last one, or of its line. */
static int add(struct text *text, struct str stack, size_t common, uint64_t count) {
	common = common < stack.n ? common : stack.n;
	if (text->run->samples++ == 0) {
		// The profile stays empty otherwise, and the driver would warn of that.
		profile_add(text->run->profile, NULL, 0, 0);
	}
	if (!utf8_valid_from(stack, common)) {
		return add_repaired(text, stack, count);
	}
	int result = give(text, stack, common, count);
	text->previous = stack;
	return result;
}

static int add_odd(struct text *text, struct str line, uint64_t number) {
	struct folded_line found;
	int result = folded_input_cut(text->run, false, line, number, &found);
	return result == 1 ? add(text, found.stack, str_common_prefix(found.stack, text->previous),
				 found.count)
			   : result;
}

static int text_block(void *state, const struct block *block) {
	struct text *text = state;
	struct str rest = block->bytes, stack;
	uint64_t number = 0, count;
	int result = 0;
	if (block->first) {
		text->previous = STR("");
	}
	while (rest.n > 0 && result == 0) {
		// Bytes that a line shares with the last stack contain no line end.
		size_t common = str_common_prefix(rest, text->previous);
		size_t n = str_find(str_from(rest, common), '\n');
		struct str line = str_to(rest, n == STR_NONE ? rest.n : common + n);
		rest = str_from(rest, n == STR_NONE ? rest.n : line.n + 1);
		number++;
		result = folded_cut_plain(line, true, &stack, &count)
				 ? add(text, stack, common, count)
				 : add_odd(text, line, number);
	}
	if (text->previous.p != text->kept.p) { // the next block overwrites this one
		buf_clear(&text->kept);
		buf_add_str(&text->kept, text->previous);
	}
	text->previous = buf_str(&text->kept);
	text->run->lines = number;
	*text->options->failed = result;
	return result;
}

static void text_release(void *state) {
	struct text *text = state;
	buf_release(&text->kept);
	buf_release(&text->repaired);
}

static const struct collapser text_format = {
	.name = "folded",
	.state_size = sizeof(struct text),
	.sniff = folded_input_sniff,
	.block = text_block,
	.release = text_release,
	.tallies = FOLDED_TALLIES,
	.expects = "a profile",
};

/* --- Inputs --------------------------------------------------------------------------------- */

/** Read folded text. */
static int read_folded(const struct command_run *run, const struct source *source,
		       const struct stream *stream) {
	int failed = 0;
	struct options options = {stream, &failed};
	struct profile unused;
	struct collapse collapse = {
		.format = &text_format, .options = &options, .threads = 1, .diag = run->diag};
	profile_init(&unused, PROFILE_STACKS);
	int result = collapse_sources(&collapse, source, 1, &unused);
	profile_release(&unused);
	return result == 0 ? failed : result;
}

static int write_scratch(void *context, const void *bytes, size_t len) {
	return scratch_write(*(int *)context, bytes, len);
}

/** Write a profile as folded text to a scratch file. */
static int write_folded(struct profile *profile, int fd, struct diag *diag) {
	struct output out;
	output_init(&out, write_scratch, &fd);
	folded_write(profile, &out);
	int result = output_finish(&out) == 0 && lseek(fd, 0, SEEK_SET) == 0 ? 0 : -1;
	if (result != 0) {
		scratch_fail(diag, "write", errno);
	}
	output_release(&out);
	return result;
}

/** Fold an input of any format. The folded text goes through a file, so that the profile and what
 * becomes of its stacks are not in memory together. */
static int read_other(const struct command_run *run, const struct source *source,
		      const struct stream *stream) {
	struct diag *diag = run->diag;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	int result = reading_run(run, source, 1, &profile);
	bool any = profile_count(&profile) > 0;
	int fd = result == 0 ? scratch_open() : -1;
	if (result == 0 && fd < 0) {
		result = scratch_fail(diag, "write", errno);
	}
	result = result == 0 ? write_folded(&profile, fd, diag) : result;
	profile_release(&profile);
	if (result == 0 && any) {
		const struct source folded = {
			.kind = SOURCE_DESCRIPTOR, .fd = fd, .name = source->path};
		result = read_folded(run, &folded, stream);
	}
	if (fd >= 0) {
		close(fd);
	}
	return result;
}

/** Return whether an input is folded text, or is to be read as such; -1 after diag_error(). */
static int is_folded(struct input *input) {
	enum { START = 64 << 10 };
	struct str start;
	bool whole;
	if (input_peek(input, START, &start, &whole) != 0) {
		return -1;
	}
	return sniff_binary(start) == NULL ? reading_is_folded(input) : 0;
}

int stream_read(const struct command_run *run, const struct source *from,
		const struct stream *stream) {
	struct source source = *from;
	source.input = input_open(&source, run->diag);
	int folded = source.input == NULL ? -1 : is_folded(source.input);
	if (folded < 0) {
		input_close(source.input);
		return -1;
	}
	return folded == 1 ? read_folded(run, &source, stream) : read_other(run, &source, stream);
}
