/** Machine code and sources for reports. Program files are found and opened in the same way as for
 * recordings. */
#pragma once

#include "analysis/instructions.h"
#include "base/diag.h"

/** Prepare to read machine code. If `debuginfod` is set, request missing debug files and sources
 * from servers. The caller releases the result with disassembly_free(). */
struct code_reader *disassembly_new(bool debuginfod, struct diag *diag);

void disassembly_free(struct code_reader *reader);
