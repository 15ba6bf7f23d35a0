/** A program of the user that changes folded stacks (--post-process). */
#pragma once

#include "base/diag.h"
#include "profile/profile.h"

/** Check the command line of a program. Return NULL, or a description of the expected value. */
const char *postprocess_check(const char *command);

/** Replace the stacks of a profile by the output of the program. Return 0, or -1 after
 * diag_error(). */
int postprocess_run(struct profile *profile, const char *command, struct diag *diag);
