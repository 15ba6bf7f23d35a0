/**
 * Where the result goes: standard output, or a file that gets its name when it is complete.
 *
 * The result is compressed if the name of the file ends in .gz or .zst.
 *
 * The file has no name until the result is complete, so a run that ends early leaves no file. On a
 * file system that has no files without names, the file gets a temporary name, which
 * destination_watch() announces. If no new file can be created in the folder, the existing file is
 * overwritten in place when the result is complete.
 *
 * On a terminal, control characters, for example in a name of a function, are replaced.
 *
 * Only the kernel follows symbolic links, because the kernel may refuse to follow links of other
 * users.
 */
#ifndef INFERNO_DESTINATION_H
#define INFERNO_DESTINATION_H

#include "base/diag.h"
#include "base/input.h"
#include "base/output.h"
#include "base/compressor.h"

struct destination {
	const char *path;              // NULL: standard output
	const char *given;             // the path as the user gave it, for messages
	char *real;                    // the path with all links followed; owned
	char *temporary;               // temporary name of the file; owned; NULL: it has none
	const char *problem;           // reason for destination_problem(); NULL: the text of errno
	struct compressor *compressor; // for a name that ends in .gz or .zst; else NULL
	struct buf pending;            // the start of a character, for a terminal
	int fd;
	int folder;    // descriptor of the folder of the file; -1: none
	int error;     // errno of the write that failed
	bool waits;    // the file gets its name at the end
	bool in_place; // at the end, the result is copied into the existing file
	bool replaces; // a file of that name exists
	bool made;     // this run made that file, as the target of a link
	bool is_input; // the file is also an input
};

enum destination_flags {
	DESTINATION_IS_INPUT = 1, // the file is also an input, so it must not be written in place
	DESTINATION_PRIVATE = 2,  // only the owner may read and write the file
};

/** Open `path`; NULL or "-" is standard output. Return 0, or -1 with errno set. */
int destination_open(struct destination *to, const char *path, unsigned flags);

/** Write all bytes: an output_fn with the destination as context. */
int destination_write(void *to, const void *bytes, size_t size);

/** Return whether written bytes can be replaced: the destination is a regular file and not
 * compressed. */
bool destination_can_seek(const struct destination *to);

/** Replace the first bytes of a destination that can seek. Return 0, or -1 with errno set. */
int destination_replace_start(struct destination *to, const void *bytes, size_t size);

/** Close the destination. If the result is `complete`, give the file its name. If the result is not
 * complete, remove the file. Return 0, or -1 with errno set. Call this even if destination_open()
 * failed. */
int destination_close(struct destination *to, bool complete);

/** Why a file cannot be written, and how to fix it. */
struct destination_problem {
	char text[320];
};

/** Return why the last call failed, in words for a message. */
struct destination_problem destination_problem(const struct destination *to);

/** Return DESTINATION_IS_INPUT if one of the sources is the file at `path`, or 0 if none is. */
unsigned destination_flags_for(const char *path, const struct source *sources, size_t n);

/** Create a file, and let `fill` write it. If `fill` returns -1 after diag_error(), no file is
 * left. Return 0, or -1 after diag_error(). */
int destination_fill(const char *path, unsigned flags,
		     int (*fill)(struct output *out, void *context), void *context,
		     struct diag *diag);

/**
 * Announce a temporary file: pass its name as `added` before it is created, and as `gone` after it
 * was removed or renamed. The other argument is NULL. The string is valid from the first call to
 * the second. This function does nothing. The symbol of this function is weak, so that a program
 * may define its own function.
 */
void destination_watch(const char *gone, const char *added);

#endif
