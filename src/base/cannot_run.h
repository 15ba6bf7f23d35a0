/** Explain why a program cannot be run, and how to fix it. */
#pragma once

#include "base/diag.h"

/** Return whether a file that the kernel does not accept as a program is text, which a shell can
 * run as a script. The function allocates no memory, so a child process may call this function
 * after fork(). */
bool is_shell_text(const char *path);

/** Append the message of cannot_run() to `text`. */
void cannot_run_why(struct buf *text, const char *name, int error);

/** Report the cause and the remedy after exec() failed with `error`. `name` is the first word of
 * the command line. exec() searches a name without a slash in PATH. Return -1. */
int cannot_run(struct diag *diag, const char *name, int error);
