/** Read profiles of any formats stack by stack, in bounded memory. */
#pragma once

#include "commands/command.h"

/** The receiver of the stacks. */
struct folded_stream {
	/** A function that is called with each stack, in UTF-8. The first `common` bytes of the
	 * stack equal the first bytes of `before`, the stack of the previous call. In the first
	 * call of an input, `before` is empty. Return 0, or -1 after diag_error(). */
	int (*take)(void *context, struct str before, struct str stack, size_t common,
		    uint64_t count);
	void *context;
	struct buf *unit; // unit of the inputs so far, empty at first; NULL: it does not matter
};

/** Read a source. The stacks of folded text are passed on directly; a profile of another format is
 * folded first. Return 0, or -1 after diag_error(). */
int stream_read(const struct command_run *run, const struct source *source,
		const struct folded_stream *stream);

/** Return whether an input is folded text, or must be read as folded text. No bytes of the input
 * are consumed. Return -1 after diag_error(). */
int stream_is_folded(struct input *input);

/** Read an open input of folded text. Each line must be short, in UTF-8, and consist of a stack, a
 * blank and a count. Return 1 if all lines were read, 0 if the input has another form or no lines,
 * or -1 after diag_error() or after `take` has failed. */
int stream_read_plain(struct input *input, const struct folded_stream *stream, struct diag *diag);

/** Read a value of --memory, such as 64M. Return the number of bytes, or 0 if the text is not a
 * size or is out of bounds. */
uint64_t stream_memory(const char *text);

/** The row of --memory, for the field `memory` of a command's options. */
#define STREAM_MEMORY(owner)                                                                   \
	{                                                                                      \
		OPT_IS_TEXT(owner, memory),                                                    \
			.name = "memory", .value = "SIZE", .initial = "256M",                  \
			.check = stream_check_memory, .group = "Resources",                    \
			.help = "use about this much memory for stacks, at least 16M; stacks " \
				"that do not fit go to files without names in $TMPDIR or /tmp" \
	}

/** Check a value of --memory, for struct opt. */
const char *stream_check_memory(const char *text);
