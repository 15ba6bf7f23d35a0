/* All formats, in the order of src/meson.build. */
#include <string.h>

#include "collapse/collapse.h"
#include "format-names.h"

#define FORMAT(name) extern const struct collapser collapse_##name;
#include "formats.h"
#undef FORMAT

#define FORMAT(name) &collapse_##name,
const struct collapser *const collapse_formats[] = {
#include "formats.h"
	NULL,
};
#undef FORMAT

const char *const collapse_format_names[] = {FORMAT_NAMES, NULL};

const struct collapser *collapse_find_format(const char *name) {
	size_t i = 0;
	while (collapse_formats[i] != NULL && strcmp(collapse_formats[i]->name, name) != 0) {
		i++;
	}
	return collapse_formats[i];
}
