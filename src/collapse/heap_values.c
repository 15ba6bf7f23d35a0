/* Values of memory. */
#include "collapse/heap_values.h"

#include "profile/unit.h"

const char *const heap_value_names[] = {
	"inuse_space", "inuse_objects", "alloc_space", "alloc_objects",
	"peak_space",  "peak_objects",  NULL};
const char *const heap_value_names_without_peak[] = {"inuse_space", "inuse_objects", "alloc_space",
						     "alloc_objects", NULL};

/** Return the unit of a value, as pprof names it: "bytes" or "count". */
static struct str heap_values_unit(enum heap_value value) {
	bool is_space =
		value == HEAP_INUSE_SPACE || value == HEAP_ALLOC_SPACE || value == HEAP_PEAK_SPACE;
	return is_space ? STR("bytes") : STR("count");
}

void heap_value_unit(enum heap_value value, struct buf *unit) {
	unit_name_of_value(unit, str_of(heap_value_names[value]), heap_values_unit(value));
}

void heap_value_add(struct run *run, const struct ids *stack, const uint64_t *counts, size_t n,
		    enum heap_value chosen) {
	bool counts_any = counts[chosen] > 0;
	for (size_t i = 0; i < n && profile_wants_values(run->profile); i++) {
		profile_next_value(run->profile, str_of(heap_value_names[i]),
				   heap_values_unit((enum heap_value)i), counts[i]);
		counts_any |= counts[i] > 0;
	}
	if (counts_any) {
		profile_add(run->profile, stack->items, stack->n, counts[chosen]);
	}
}
