/* The plugin table: all formats, as src/meson.build lists them. */
#include "collapse/collapse.h"

#define FORMAT(name) extern const struct collapser collapse_##name;
#include "formats.h"
#undef FORMAT

#define FORMAT(name) &collapse_##name,
const struct collapser *const collapse_formats[] = {
#include "formats.h"
	NULL,
};
#undef FORMAT
