/** Bytes as text: base64, as RFC 4648 describes it. */
#pragma once

#include "base/buf.h"
#include "base/output.h"

void base64_write(struct output *out, struct str bytes);

/** Decode base64, and append the bytes. Return false if the text is not valid base64. */
bool base64_read(struct buf *out, struct str text);
