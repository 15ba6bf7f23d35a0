/** The file palette.map: colours of names that stay the same from picture to picture (--cp). */
#pragma once

#include "base/diag.h"
#include "base/mem.h"
#include "picture/rgb.h"

struct palette_entry;

/** A zeroed map is empty. */
struct palette_map {
	struct palette_entry *entries;
	struct arena arena;
};

/** Read palette.map from the working directory, if it exists. Return 0, or -1 after diag_error(),
 * also if more than three quarters of its lines are not colours. */
int palette_map_read(struct palette_map *map, struct diag *diag);

/** Return the colour of a name, or NULL. */
const struct rgb *palette_map_find(const struct palette_map *map, struct str name);

/** Set the colour of a name. */
void palette_map_set(struct palette_map *map, struct str name, struct rgb colour);

/** Replace palette.map in one step. Keep the entries that other runs have added since it was read.
 * Return 0, or -1 after diag_error(). */
int palette_map_write(struct palette_map *map, struct diag *diag);

void palette_map_release(struct palette_map *map);
