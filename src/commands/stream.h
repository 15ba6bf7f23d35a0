/** Reading profiles of any formats stack by stack, in bounded memory. */
#ifndef INFERNO_COMMANDS_STREAM_H
#define INFERNO_COMMANDS_STREAM_H

#include "commands/command.h"

/** Who takes the stacks. */
struct folded_stream {
	/** Take a stack in UTF-8, which shares `common` bytes with `before`, the stack of the last
	 * call. In the first call of an input, `before` is empty. Return 0, or -1 after
	 * diag_error(). */
	int (*take)(void *context, struct str before, struct str stack, size_t common,
		    uint64_t count);
	void *context;
};

/** Read a source. Folded text is passed on directly; another format is folded first. Return 0,
 * or -1 after diag_error(). */
int stream_read(const struct command_run *run, const struct source *source,
		const struct folded_stream *stream);

/** Return whether an input is folded text, or is to be read as such. Nothing is consumed. Return -1
 * after diag_error(). */
int stream_is_folded(struct input *input);

/** Read an open input of folded text whose lines are short and in UTF-8, each a stack, a blank and
 * a count. Return 1, 0 if the input is not like that or has no line, or -1 after diag_error() or
 * when `take` has failed. */
int stream_read_plain(struct input *input, const struct folded_stream *stream, struct diag *diag);

/** Read a value of --memory, such as 64M. Return bytes, or 0 if it is none or out of bounds. */
uint64_t stream_memory(const char *text);

/** The row of --memory, for the field `memory` of a command's options. */
#define STREAM_MEMORY(owner)                                                                      \
	{                                                                                         \
		OPT_IS_TEXT(owner, memory),                                                       \
			.name = "memory", .value = "SIZE", .initial = "256M",                     \
			.check = stream_check_memory, .group = "Resources",                       \
			.help = "use about this much memory for stacks, at least 16M; what does " \
				"not fit "                                                        \
				"goes to files without names in $TMPDIR or /tmp"                  \
	}

/** Check a value of --memory, for struct opt. */
const char *stream_check_memory(const char *text);

#endif
