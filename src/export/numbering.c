/* Number the names of a tree. */
#include "export/numbering.h"

#include <stdlib.h>

void numbering_init(struct numbering *numbering, const struct view *view) {
	const struct tree *tree = view->tree;
	size_t names = names_count(&view->profile->names);
	*numbering = (struct numbering){.numbers = mem_new(names + 1, sizeof(uint32_t)),
					.frames = mem_new(names + 1, sizeof(uint32_t))};
	for (size_t i = 1; i < tree->n; i++) {
		uint32_t id = tree->frames[i].name;
		uint32_t number = numbering->numbers[id];
		// The array starts with zeros, and 0 is the number of the first name, too. So check
		// that the name with this number is `id`.
		if (number >= numbering->n || tree->frames[numbering->frames[number]].name != id) {
			numbering->numbers[id] = numbering->n;
			numbering->frames[numbering->n++] = (uint32_t)i;
		}
	}
}

void numbering_release(struct numbering *numbering) {
	free(numbering->numbers);
	free(numbering->frames);
}
