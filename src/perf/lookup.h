/** Look up the addresses of a recording: find the file that is mapped at an address, and the
 * symbols there. The consumer is the code that uses the symbols. The consumer makes a value for
 * each distinct address only once. The value stands for the frames or the text that the consumer
 * has for the address. */
#pragma once

#include "base/intern.h"
#include "perf/data/perfdata.h"
#include "perf/stack.h"

enum { LOOKUP_BITS = 15 };

/** An address to look up. */
struct lookup_place {
	struct perfdata_location location;
	uint32_t flags; // flags of the consumer; a number below 32
	bool is_return; // the address is a return address: the call is just before it
	bool deferred;  // the symbols are not known yet; lookup_symbols() finds them at the end of
			// the input
};

/** Return whether a location is in code that a runtime has generated in memory. */
bool lookup_is_made(const struct perfdata_location *location);

/** A function that makes the value of an address with these symbols, innermost first. If no
 * function is known, `n` is 0. The value must not be 0, because 0 marks an empty entry of the
 * memo. */
typedef uint64_t lookup_make(void *context, const struct lookup_place *place,
			     const struct symbol *symbols, size_t n);

/** Set `data`, `make` and `context`, and zero all other members. */
struct lookup {
	struct perfdata *data;
	lookup_make *make;
	void *context;
	bool by_address; // equal symbols at different addresses get different values
	bool defers;     // generated code gets its symbols at the end of the input, because some
			 // runtimes publish them late

	// A memo of recent addresses in processes. Without it, each address would need two
	// searches: one for the mapping, and one for the value of the address in the mapped image.
	struct lookup_recent {
		uint64_t ip;
		uint32_t state; // id of the process's mappings
		uint32_t flags;
		uint64_t value; // 0: the entry is empty
	} recent[1 << LOOKUP_BITS];
	struct intern all; // keys are an image, and an address or a list of symbols; the value is
			   // the value of the address
};

/** Return the entry of the memo for an address. */
static inline struct lookup_recent *lookup_slot(struct lookup *lookup, uint64_t ip) {
	uint64_t hash = ip * UINT64_C(0x9e3779b97f4a7c15);
	return &lookup->recent[hash >> (64 - LOOKUP_BITS)];
}

/** Return the place of a frame of a sample. */
struct lookup_place lookup_place_of(const struct lookup *lookup,
				    const struct perfdata_sample *sample,
				    const struct perfdata_frame *frame, uint32_t flags);

/** Find the symbols of a place at a given time, and return their number. Set `*moves` to whether
 * the code at this place may change over time. */
size_t lookup_symbols(const struct lookup *lookup, const struct lookup_place *place, uint64_t time,
		      const struct symbol **symbols, bool *moves);

uint64_t lookup_slow(struct lookup *lookup, const struct perfdata_sample *sample,
		     const struct perfdata_frame *frame, uint32_t flags,
		     struct lookup_recent *recent);

static inline uint64_t lookup_value(struct lookup *lookup, const struct perfdata_sample *sample,
				    const struct perfdata_frame *frame, uint32_t flags) {
	const struct mappings *mappings =
		perfdata_mappings(perfdata_machine(lookup->data), sample, frame);
	struct lookup_recent *recent = lookup_slot(lookup, frame->ip);
	uint32_t state = mappings == NULL ? 0 : mappings->id, key = flags << 1 | frame->is_return;
	if (recent->ip != frame->ip || recent->state != state || recent->flags != key) {
		*recent = (struct lookup_recent){frame->ip, state, key, 0};
	}
	return recent->value != 0 ? recent->value
				  : lookup_slow(lookup, sample, frame, flags, recent);
}

/** Return the frame of a symbol at a place. If the symbol is NULL, return the frame of an unknown
 * function. The texts of the frame may contain any bytes. The member `address` of the frame is
 * empty. */
struct perf_frame lookup_frame(const struct lookup_place *place, const struct symbol *symbol);

void lookup_release(struct lookup *lookup);
