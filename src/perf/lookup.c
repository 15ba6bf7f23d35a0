/* Look up the addresses of a recording. */
#include "perf/lookup.h"

bool lookup_is_made(const struct perfdata_location *location) {
	const struct image *image = location->image;
	return image != NULL && image->object != NULL && object_kind(image->object) == OBJECT_JIT;
}

/** Return whether a runtime may publish the symbols at a location later. */
static bool perf_lookup_is_late(const struct perfdata_location *location) {
	return lookup_is_made(location) && location->image->dump == NULL;
}

struct lookup_place lookup_place_of(const struct lookup *lookup,
				    const struct perfdata_sample *sample,
				    const struct perfdata_frame *frame, uint32_t flags) {
	const struct mappings *mappings =
		perfdata_mappings(perfdata_machine(lookup->data), sample, frame);
	const struct mapping *mapping =
		mappings == NULL ? NULL : mappings_find(mappings, frame->ip);
	struct lookup_place place = {
		.location = {.address = frame->ip, .shown = frame->ip},
		.flags = flags,
		.is_return = frame->is_return,
	};
	if (mapping != NULL) {
		place.location.image = mapping->image;
		place.location.address = mapping_address(mapping, frame->ip);
		place.location.shown = mapping_shown(mapping, frame->ip);
	}
	place.deferred = lookup->defers && perf_lookup_is_late(&place.location);
	return place;
}

size_t lookup_symbols(const struct lookup *lookup, const struct lookup_place *place, uint64_t time,
		      const struct symbol **symbols, bool *moves) {
	struct symbols *names = perfdata_symbols(lookup->data);
	const struct perfdata_location *location = &place->location;
	const struct image *image = location->image;
	size_t n = 0;
	*moves = image != NULL && image->dump != NULL;
	if (*moves) {
		n = symbols_at_time(names, image->dump, location->address, time, symbols);
	}
	return n > 0 || image == NULL || image->object == NULL
		       ? n
		       : symbols_at(names, image->object, location->address, place->is_return,
				    symbols);
}

uint64_t lookup_slow(struct lookup *lookup, const struct perfdata_sample *sample,
		     const struct perfdata_frame *frame, uint32_t flags,
		     struct lookup_recent *recent) {
	const struct lookup_place place = lookup_place_of(lookup, sample, frame, flags);
	const struct image *image = place.location.image;
	const struct symbol *symbols = NULL;
	bool moves = false;
	size_t n =
		place.deferred ? 0 : lookup_symbols(lookup, &place, sample->time, &symbols, &moves);
	struct {
		uint64_t address;
		uint32_t image, flags;
	} key = {place.location.address, image == NULL ? 0 : 1 + image->id,
		 flags << 2 | (uint32_t)moves << 1 | place.is_return};
	if (!place.deferred && (!lookup->by_address || (moves && n > 0))) {
		key.address = (uintptr_t)symbols; // use the list of symbols as the key, so that
						  // each list gets one value
	}
	// All processes that map an image share the values of its addresses.
	struct intern_key *known = intern_get(&lookup->all, &key, sizeof(key));
	if (known->value == 0) {
		known->value = lookup->make(lookup->context, &place, symbols, n);
	}
	recent->value = moves ? 0 : known->value;
	return known->value;
}

struct perf_frame lookup_frame(const struct lookup_place *place, const struct symbol *symbol) {
	const struct image *image = place->location.image;
	struct perf_frame frame = {.function = STR("[unknown]")};
	if (symbol != NULL) {
		frame.function = symbol->name;
	}
	perf_frame_set_module(&frame, symbol != NULL && symbol->inlined ? STR("inlined")
				      : image == NULL                   ? STR("[unknown]")
									: image->name);
	return frame;
}

void lookup_release(struct lookup *lookup) {
	intern_release(&lookup->all);
}
