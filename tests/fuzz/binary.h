/** Fuzz targets that take binary input. binary.c runs them. */
#pragma once

#include "base/buf.h"

#include "../random.h"

/** A target tests one input. The random numbers of a target depend only on the size of the input,
 * so that a finding can be repeated. A finding ends the process. */
typedef void fuzz_target(struct str input, struct random *source);

fuzz_target fuzz_elf, fuzz_unwind, fuzz_inlines, fuzz_map, fuzz_jitdump, fuzz_kallsyms;
fuzz_target fuzz_frames;
fuzz_target fuzz_recording, fuzz_maps, fuzz_json;
fuzz_target fuzz_merge, fuzz_filter, fuzz_diff;
fuzz_target fuzz_packed, fuzz_page, fuzz_compared, fuzz_palette;
fuzz_target fuzz_options;

/** Report a finding and end the process unless `holds`. */
void fuzz_require(bool holds, const char *what, struct str detail);
