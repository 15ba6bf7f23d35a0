/** Writing JSON. */
#ifndef INFERNO_JSON_TEXT_H
#define INFERNO_JSON_TEXT_H

#include "base/buf.h"

/** Add a string, without control characters for a terminal. The text is well-formed. */
void json_add_string(struct buf *out, struct str text);

#endif
