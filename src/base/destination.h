/** Where the result goes: standard output, or a file that takes its name when it is complete. */
#ifndef INFERNO_DESTINATION_H
#define INFERNO_DESTINATION_H

#include "base/diag.h"
#include "base/output.h"

struct destination {
	const char *path; // NULL: standard output
	char *real;       // the same without links; owned
	char *temporary;  // written first, renamed in the end; owned; NULL: written directly
	int fd;
	int error; // errno of the write that failed
};

/** Opens `path`; NULL or "-" is standard output. Returns 0, or -1 with errno set. */
int destination_open(struct destination *to, const char *path);

/** Writes all bytes; an output_fn, with the destination as context. */
int destination_write(void *to, const void *bytes, size_t size);

/**
 * Closes. A file takes its name if the result is `complete`, or else leaves no trace. Returns 0, or
 * -1 with errno set. To be called even if destination_open() failed.
 */
int destination_close(struct destination *to, int complete);

/** Writes a file with what `fill` adds. Returns 0, or -1 after diag_error(). */
int destination_fill(const char *path, void (*fill)(struct output *out, const void *context),
		     const void *context, struct diag *diag);

/** Removes the files that have no name yet, of all destinations; from a handler of signals that end
 * the program. */
void destination_remove_unfinished(void);

#endif
