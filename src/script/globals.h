/** The addresses of an interpreter's symbols in a process. */
#ifndef INFERNO_SCRIPT_GLOBALS_H
#define INFERNO_SCRIPT_GLOBALS_H

#include "symbols/maps.h"

/** Find symbols, in the order of a list that NULL ends, in the file of a process that is mapped at
 * `map`. Values of symbols that are not there are 0. Return false unless the first is there. */
bool globals_find(int32_t pid, const struct map *map, const char *const *names, uint64_t *values);

#endif
