/** Write JSON. */
#pragma once

#include "base/buf.h"

/** Add a JSON string, with its quotes. Escape quotes, backslashes, and the characters for which
 * utf8_is_shown() is false. `text` is well-formed UTF-8. */
void json_add_string(struct buf *out, struct str text);
