/* Reading profiles stack by stack. */
#include "commands/stream.h"

#include <errno.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/utf8.h"
#include "collapse/blocks.h"
#include "collapse/folded_input.h"
#include "collapse/sniff.h"
#include "collapse/value.h"
#include "commands/reading.h"
#include "profile/unit.h"

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

/* --- Folded text ---------------------------------------------------------------------------- */

struct stream_options {
	const struct folded_stream *stream;
	int *failed; // result: -1 after diag_error()
};

/** An input of folded text, and the function that gets each of its stacks. */
struct giving {
	const struct folded_stream *stream;
	struct folded_lines lines;
	uint64_t given; // number of stacks so far
};

/** The state of a format that passes its stacks to a function and not to a profile. */
struct text {
	STATE_HEAD(struct stream_options);
	struct giving giving;
	struct buf repaired;
};

/** Pass a stack to the receiver. */
static int stream_give(struct giving *giving, struct str stack, size_t common, uint64_t count) {
	const struct folded_stream *stream = giving->stream;
	int result = stream->take(stream->context, giving->lines.before, stack, common, count);
	giving->lines.before = stack;
	giving->given++;
	return result;
}

/** Pass the stacks of a block to the receiver, up to a line that must be repaired or reported.
 * Return 1 if the block has such a line, 0 if it has none, or -1 after diag_error(). */
static int stream_give_plain(struct giving *giving) {
	struct folded_lines *lines = &giving->lines;
	int result = 0;
	while (result == 0 && folded_lines_next(lines)) {
		struct str stack;
		uint64_t count;
		if (!folded_cut_plain(lines->line, true, &stack, &count)) {
			return 1;
		}
		size_t common = lines->common < stack.n ? lines->common : stack.n;
		if (!utf8_valid_from(stack, common)) {
			return 1;
		}
		result = stream_give(giving, stack, common, count);
	}
	return result;
}

/** Repair or report a line that stream_give_plain() could not pass on, and pass its stack to the
 * receiver. */
static int stream_give_odd(struct text *text) {
	struct folded_lines *lines = &text->giving.lines;
	struct folded_line found;
	int result = folded_input_cut(text->run, false, lines->line, lines->number, &found);
	if (result != 1) {
		return result;
	}
	bool good = utf8_valid(found.stack);
	struct str stack = good ? found.stack : utf8_repaired(&text->repaired, found.stack);
	result = stream_give(&text->giving, stack, str_common_prefix(stack, lines->before),
			     found.count);
	if (!good) { // the next repair overwrites this stack
		folded_lines_keep(lines);
	}
	return result;
}

static void stream_text_init(void *state) {
	struct text *text = state;
	text->giving.stream = text->options->stream;
}

static int stream_text_block(void *state, const struct block *block) {
	struct text *text = state;
	struct folded_lines *lines = &text->giving.lines;
	int result = 0;
	if (block->first) {
		lines->before = STR("");
	}
	folded_lines_begin(lines, block->bytes);
	while (result == 0 && lines->rest.n > 0) {
		result = stream_give_plain(&text->giving);
		result = result == 1 ? stream_give_odd(text) : result;
	}
	// Copy the last line, because the next block overwrites this block.
	folded_lines_keep(lines);
	if (text->run->samples == 0 && text->giving.given > 0) {
		// Add a stack: if the profile were empty, the driver would warn.
		profile_add(text->run->profile, NULL, 0, 0);
	}
	text->run->samples = text->giving.given;
	text->run->lines = lines->number;
	*text->options->failed = result;
	return result;
}

static void stream_text_release(void *state) {
	struct text *text = state;
	folded_lines_release(&text->giving.lines);
	buf_release(&text->repaired);
}

static const struct collapser text_format = {
	.name = "folded",
	.state_size = sizeof(struct text),
	.sniff = folded_input_sniff,
	.init = stream_text_init,
	.block = stream_text_block,
	.release = stream_text_release,
	.tallies = FOLDED_TALLIES,
	.expects = "a profile",
};

/* --- Inputs --------------------------------------------------------------------------------- */

/** Read folded text. */
static int stream_read_folded(const struct command_run *run, const struct source *source,
			      const struct folded_stream *stream) {
	int failed = 0;
	struct stream_options options = {stream, &failed};
	struct profile unused;
	struct collapse collapse = {
		.format = &text_format, .options = &options, .threads = 1, .diag = run->diag};
	profile_init(&unused, PROFILE_STACKS);
	int result = collapse_sources(&collapse, source, 1, &unused);
	profile_release(&unused);
	return result == 0 ? failed : result;
}

static int stream_write_scratch(void *context, const void *bytes, size_t len) {
	return scratch_write(*(int *)context, bytes, len);
}

/** Write a profile as folded text to a scratch file. */
static int stream_write_folded(struct profile *profile, int fd, struct diag *diag) {
	struct output out;
	output_init(&out, stream_write_scratch, &fd);
	folded_write(profile, &out, false);
	int result = output_finish(&out) == 0 && lseek(fd, 0, SEEK_SET) == 0 ? 0 : -1;
	if (result != 0) {
		scratch_fail(diag, "write", errno);
	}
	output_release(&out);
	return result;
}

/** Warn if an input counts something else than the inputs before it. Return 0, or -1 if the run
 * must end. */
static int stream_check_unit(const struct profile *profile, const struct source *source,
			     const struct folded_stream *stream, struct diag *diag) {
	struct str unit = buf_str(&profile->unit);
	if (stream->unit == NULL || unit.n == 0) {
		return 0;
	}
	int result = unit_check(buf_str(stream->unit), unit, source->path, diag);
	buf_set_str(stream->unit, unit);
	return result;
}

/** Fold an input of any format. Write the folded text to a file first, so that the profile and the
 * changed stacks are not in memory at the same time. */
static int stream_read_other(const struct command_run *run, const struct source *source,
			     const struct folded_stream *stream) {
	struct diag *diag = run->diag;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	int result = reading_run(run, source, 1, &profile);
	bool any = profile_count(&profile) > 0;
	result = result == 0 ? stream_check_unit(&profile, source, stream, diag) : -1;
	int fd = result == 0 ? scratch_open() : -1;
	if (result == 0 && fd < 0) {
		result = scratch_fail(diag, "write", errno);
	}
	result = result == 0 ? stream_write_folded(&profile, fd, diag) : result;
	profile_release(&profile);
	if (result == 0 && any) {
		const struct source folded = {
			.kind = SOURCE_DESCRIPTOR, .fd = fd, .name = source->path};
		result = stream_read_folded(run, &folded, stream);
	}
	if (fd >= 0) {
		close(fd);
	}
	return result;
}

int stream_is_folded(struct input *input) {
	enum { START = 64 << 10 };
	struct str start;
	struct sniffed sniffed;
	bool whole;
	if (input_peek(input, START, &start, &whole) != 0) {
		return -1;
	}
	if (sniff_binary(start) != NULL) {
		return 0;
	}
	return sniff_input(input, NULL, &sniffed) != 0
		       ? -1
		       : sniffed.format == NULL || sniffed.format == collapse_find_format("folded");
}

int stream_read_plain(struct input *input, const struct folded_stream *stream, struct diag *diag) {
	struct blocks blocks = {.input = input, .diag = diag};
	struct giving giving = {.stream = stream};
	struct buf buffer = {0};
	struct str block;
	bool last = false;
	int result = 0; // result of the lines so far
	while (result == 0 && !last) {
		enum blocks_result read = blocks_next(&blocks, cut_lines, &buffer, &block, &last);
		if (read != BLOCKS_ONE) {
			result = read == BLOCKS_FAILED ? -1 : 1;
			break;
		}
		folded_lines_begin(&giving.lines, block);
		result = stream_give_plain(&giving);
		folded_lines_keep(&giving.lines);
	}
	folded_lines_release(&giving.lines);
	blocks_release(&blocks);
	buf_release(&buffer);
	return result < 0 ? -1 : result == 0 && giving.given > 0;
}

int stream_read(const struct command_run *run, const struct source *from,
		const struct folded_stream *stream) {
	struct source source = *from;
	source.input = input_open(&source, run->diag);
	int folded = source.input == NULL ? -1 : stream_is_folded(source.input);
	const char *value = reading_value(run->set);
	if (folded == 1 && value != NULL) {
		folded = collapse_set_value(NULL, &text_format, value, run->diag);
	}
	if (folded < 0) {
		input_close(source.input);
		return -1;
	}
	return folded == 1 ? stream_read_folded(run, &source, stream)
			   : stream_read_other(run, &source, stream);
}
