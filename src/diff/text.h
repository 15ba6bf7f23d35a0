/** Write two profiles as folded text with two counts per line. */
#ifndef INFERNO_DIFF_TEXT_H
#define INFERNO_DIFF_TEXT_H

#include "base/output.h"
#include "profile/compared.h"

/** Write `STACK BEFORE AFTER` lines, in the order of the bytes of the stacks. With `normalized`,
 * counts before are scaled to the total after, each rounded down. */
void diff_write_text(struct output *out, const struct compared *compared, bool normalized);

#endif
