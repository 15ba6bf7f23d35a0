/** Run work in a child process, so that a crash or a lack of memory does not affect the parent. The
 * child sends its output and its messages to the parent through a pipe. Each message, and each part
 * of the output, is one piece. */
#pragma once

#include "base/diag.h"

enum isolated_kind {
	ISOLATED_BYTES,    // a piece of the result
	ISOLATED_MESSAGE,  // a message; `detail` is its level
	ISOLATED_PROGRESS, // `a` of the `b` bytes of an input are read
	ISOLATED_ERROR,    // the text of the error
	ISOLATED_END,      // the last piece; `detail` is the result of the work, `a` is for the
			   // caller's use
	ISOLATED_NO_MEMORY,
};

/** The header of a piece. In the pipe, `size` bytes follow the header. */
struct isolated_piece {
	enum isolated_kind kind;
	int detail;
	uint64_t a, b;
	size_t size;
};

struct isolated {
	uint64_t memory;             // bytes of address space that the child may add; 0: no limit
	void (*work)(void *context); // runs in the child, and sends ISOLATED_END as its last piece
	// called in the parent, at least ten times a second; returns whether to stop the work
	bool (*is_stopped)(void *context);
	/** A function that is called in the parent with each piece. The bytes of a piece are valid
	 * until the next piece. The function returns 0, or -1 to get no further ISOLATED_BYTES. */
	int (*take)(void *context, const struct isolated_piece *piece, const char *bytes);
	void *context;
};

/** Send a piece to the parent. Any thread of the child may call this function. Return 0, or -1 if
 * writing to the pipe failed. */
int isolated_send(const struct isolated_piece *piece, const void *bytes);

/**
 * Run work in a child process, and return when the child has ended. If is_stopped() returns true,
 * send SIGTERM to the child. Return 0 if all pieces came, and 1 if the child ran out of memory.
 * Otherwise return -1 after diag_error().
 */
int isolated_run(const struct isolated *isolated, struct diag *diag);
