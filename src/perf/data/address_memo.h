/** Remember what a consumer computed for each address, so that it looks up names only once. */
#ifndef INFERNO_PERFDATA_ADDRESS_MEMO_H
#define INFERNO_PERFDATA_ADDRESS_MEMO_H

#include "base/intern.h"
#include "perf/data/perfdata.h"

enum { ADDRESS_MEMO_BITS = 15 };

/** Zeroed memory is an empty memo. */
struct address_memo {
	// Recent addresses, in processes. Any other address takes two more searches: for the
	// mapping, and for the value of the address in the image.
	struct address_recent {
		uint64_t ip;
		uint32_t state; // of the mappings
		uint32_t flags;
		uint64_t value; // 0: the place is empty
	} recent[1 << ADDRESS_MEMO_BITS];
	struct intern all; // by image and address
};

/** Return the place in the memo of all frames with the same hash. */
static inline struct address_recent *address_memo_slot(struct address_memo *memo, uint64_t ip) {
	uint64_t hash = ip * UINT64_C(0x9e3779b97f4a7c15);
	return &memo->recent[hash >> (64 - ADDRESS_MEMO_BITS)];
}

/** Return the place of a frame in the memo. `flags`, below 64, are the consumer's. The value is 0
 * if the frame was not met lately. */
static inline struct address_recent *address_memo_recent(struct address_memo *memo,
							 const struct mappings *mappings,
							 const struct perfdata_frame *frame,
							 uint32_t flags) {
	uint32_t state = mappings == NULL ? 0 : mappings->id;
	flags = flags << 1 | frame->is_return;
	struct address_recent *recent = address_memo_slot(memo, frame->ip);
	if (recent->ip != frame->ip || recent->state != state || recent->flags != flags) {
		*recent = (struct address_recent){frame->ip, state, flags, 0};
	}
	return recent;
}

/** Find what is mapped at the address of a frame. */
static inline struct perfdata_location address_locate(const struct mappings *mappings,
						      const struct perfdata_frame *frame) {
	const struct mapping *mapping =
		mappings == NULL ? NULL : mappings_find(mappings, frame->ip);
	return mapping == NULL ? (struct perfdata_location){NULL, frame->ip, frame->ip}
			       : (struct perfdata_location){mapping->image,
							    mapping_address(mapping, frame->ip),
							    mapping_shown(mapping, frame->ip)};
}

/** Return the value of a location, which the caller sets. It is shared by all processes, and 0 at
 * first. */
static inline uint64_t *address_memo_any(struct address_memo *memo,
					 const struct perfdata_location *location, uint32_t flags) {
	struct {
		uint64_t address;
		uint32_t image, flags;
	} key = {location->address, location->image == NULL ? 0 : 1 + location->image->id, flags};
	return &intern_get(&memo->all, &key, sizeof(key))->value;
}

static inline void address_memo_release(struct address_memo *memo) {
	intern_release(&memo->all);
}

/** Return the symbols at a location, innermost first; 0 if nothing is known. `*moves` tells that
 * the code may change over time. */
static inline size_t location_symbols(const struct perfdata *data,
				      const struct perfdata_location *location, bool is_return,
				      uint64_t time, const struct symbol **symbols, bool *moves) {
	struct symbols *names = perfdata_symbols(data);
	const struct image *image = location->image;
	size_t n = 0;
	*moves = image != NULL && image->dump != NULL;
	if (*moves) {
		n = symbols_at_time(names, image->dump, location->address, time, symbols);
	}
	return n > 0 || image == NULL || image->object == NULL
		       ? n
		       : symbols_at(names, image->object, location->address, is_return, symbols);
}

#endif
