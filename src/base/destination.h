/**
 * Where the result goes: standard output, or a file that takes its name when it is complete.
 *
 * Until then the bytes have no name, so that a run which ends early, however it ends, leaves
 * nothing. Where the file system cannot do that, they have a temporary name, of which
 * destination_watch() learns. A folder that takes no new files keep its file: it is written in
 * place, at the end.
 */
#ifndef INFERNO_DESTINATION_H
#define INFERNO_DESTINATION_H

#include "base/diag.h"
#include "base/input.h"
#include "base/output.h"

struct destination {
	const char *path;    // NULL: standard output
	char *real;          // the same without links; owned
	char *temporary;     // the name of the bytes; owned; NULL: they have none
	const char *problem; // what destination_problem() says; NULL: the text of errno
	int fd;
	int error;     // errno of the write that failed
	bool waits;    // what is written takes the name of the file in the end
	bool in_place; // by being copied into the file that is there
	bool replaces; // there is a file of that name
	bool is_input; // it is read, too
};

enum destination_flags {
	DESTINATION_IS_INPUT = 1, // the file is read, too, so it is never written in place
	DESTINATION_PRIVATE = 2,  // a new file is for its owner only
};

/** Open `path`; NULL or "-" is standard output. Return 0, or -1 with errno set. */
int destination_open(struct destination *to, const char *path, unsigned flags);

/** Write all bytes; an output_fn, with the destination as context. */
int destination_write(void *to, const void *bytes, size_t size);

/**
 * Close. A file takes its name if the result is `complete`, or else leaves no trace. Return 0, or
 * -1 with errno set. To be called even if destination_open() failed.
 */
int destination_close(struct destination *to, bool complete);

/** Return why the last call failed, in words for a message. */
const char *destination_problem(const struct destination *to);

/** Return the flags that `path` has if one of the sources is the same file. */
unsigned destination_flags_for(const char *path, const struct source *sources, size_t n);

/** Write a file with what `fill` adds. Return 0, or -1 after diag_error(). */
int destination_fill(const char *path, unsigned flags,
		     void (*fill)(struct output *out, const void *context), const void *context,
		     struct diag *diag);

/**
 * Called before a file `added` is made that must not be left, and with `gone` when there is none
 * any more; the other is NULL. The string stays valid in between. This one does nothing, being a
 * weak symbol: a program may have its own.
 */
void destination_watch(const char *gone, const char *added);

#endif
