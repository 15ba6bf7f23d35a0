/** SHA-256, as FIPS 180-4 describes it: the policy of a page names its style sheet by it. */
#ifndef INFERNO_SHA256_H
#define INFERNO_SHA256_H

#include "base/str.h"

enum { SHA256_SIZE = 32 };

/** Compute the hash of a text. */
void sha256(unsigned char hash[static SHA256_SIZE], struct str text);

#endif
