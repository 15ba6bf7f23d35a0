/** Bytes as text: base64, as RFC 4648 describes it. */
#ifndef INFERNO_BASE64_H
#define INFERNO_BASE64_H

#include "base/output.h"

void base64_write(struct output *out, struct str bytes);

#endif
