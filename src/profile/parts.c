/* Keep further profiles of an input besides the main profile. */
#include "profile/parts.h"

#include <stdlib.h>

struct profile_part *profile_parts_add(struct profile_parts *parts, const struct profile *like) {
	struct profile_part *part = MEM_APPEND(parts->items, parts->n, parts->capacity);
	*part = (struct profile_part){.name = {0}};
	profile_init_like(&part->profile, like);
	return part;
}

void profile_parts_release(struct profile_parts *parts) {
	for (size_t i = 0; i < parts->n; i++) {
		profile_release(&parts->items[i].profile);
		buf_release(&parts->items[i].name);
	}
	free(parts->items);
	*parts = (struct profile_parts){0};
}
