/**
 * Write the result to standard output or to a file.
 *
 * The result is compressed if the name of the file ends in .gz or .zst.
 *
 * The file has no name until the result is complete, so a run that ends early leaves no file. If
 * the file system does not support files without names, the file gets a temporary name, which
 * destination_watch() announces. If no new file can be created in the folder, the existing file is
 * overwritten in place when the result is complete.
 *
 * If the output is a terminal, control characters are replaced, because names of functions may
 * contain them.
 *
 * This code does not follow symbolic links itself. Only the kernel follows links, because the
 * kernel may refuse to follow the links of other users.
 */
#pragma once

#include "base/diag.h"
#include "base/input.h"
#include "base/output.h"
#include "base/compressor.h"

struct destination {
	const char *path;              // NULL: standard output
	const char *given;             // the path as the user gave it, for messages
	char *real;                    // the path with all links followed; owned
	char *temporary;               // temporary name of the file; owned; NULL: the file has no
				       // temporary name
	const char *problem;           // reason of a failure; NULL: use the text of errno
	struct compressor *compressor; // for a name that ends in .gz or .zst; else NULL
	struct buf pending;            // the first bytes of an incomplete character, for a terminal
	int fd;
	int folder;    // descriptor of the folder of the file; -1: none
	int error;     // errno of the write that failed
	bool waits;    // the file gets its name at the end
	bool in_place; // at the end, the result is copied into the existing file
	bool replaces; // a file of this name exists, and is replaced
	bool made;     // this run created the existing file as the target of a link
	bool is_input; // the file is also an input
};

enum destination_flags {
	DESTINATION_IS_INPUT = 1, // the output is also an input, so the output must not be written
				  // in place
	DESTINATION_PRIVATE = 2,  // only the owner may read and write the file
};

/** Open `path`; NULL or "-" is standard output. Return 0, or -1 with errno set. */
int destination_open(struct destination *to, const char *path, unsigned flags);

/** Write all bytes: an output_fn with the destination as context. */
int destination_write(void *to, const void *bytes, size_t size);

/** Return whether bytes that are already written can be replaced. This is so if the destination is
 * a regular file and is not compressed. */
bool destination_can_seek(const struct destination *to);

/** Replace the first bytes of a destination for which destination_can_seek() is true. Return 0, or
 * -1 with errno set. */
int destination_replace_start(struct destination *to, const void *bytes, size_t size);

/** Close the destination. If the result is `complete`, give the file its name. If the result is not
 * complete, remove the file. Return 0, or -1 with errno set. Call this even if destination_open()
 * failed. */
int destination_close(struct destination *to, bool complete);

/** The reason why a file cannot be written, and how to fix the problem. */
struct destination_problem {
	char text[320];
};

/** Return the reason for the failure that set errno last, for a message. */
struct destination_problem destination_problem(const struct destination *to);

/** Return DESTINATION_IS_INPUT if one of the sources is the file at `path`. Otherwise return 0. */
unsigned destination_flags_for(const char *path, const struct source *sources, size_t n);

/** Create a file, and let `fill` write it. If `fill` returns -1 after diag_error(), remove the
 * file. Return 0, or -1 after diag_error(). */
int destination_fill(const char *path, unsigned flags,
		     int (*fill)(struct output *out, void *context), void *context,
		     struct diag *diag);

/**
 * Announce a temporary file: pass the name as `added` before the file is created, and as `gone`
 * after the file was removed or renamed. If one argument is a name, the other argument is NULL. The
 * string is valid until the call with `gone` returns. This function does nothing, but its symbol is
 * weak: a program may define its own destination_watch().
 */
void destination_watch(const char *gone, const char *added);
