/** Machine code and sources for reports: files are opened as for recordings. */
#ifndef INFERNO_COMMANDS_DISASSEMBLY_H
#define INFERNO_COMMANDS_DISASSEMBLY_H

#include "analysis/instructions.h"
#include "base/diag.h"

/** Prepare to read machine code; `debuginfod` asks servers for missing debug files, and for
 * sources. Release it with disassembly_free(). */
struct code_reader *disassembly_new(bool debuginfod, struct diag *diag);

void disassembly_free(struct code_reader *reader);

#endif
