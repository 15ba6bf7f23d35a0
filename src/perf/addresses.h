/** Make the frames for the addresses in a recording that is folded, and collect data about the
 * quality of the recording. */
#pragma once

#include "perf/data/quality.h"
#include "perf/deferred.h"
#include "perf/interpreted.h"
#include "perf/stack.h"

/** A flag for lookup_value(): the process is a Java process. */
enum { ADDRESS_IN_JAVA = 1 };

/** The value of an address consists of bit fields. The first fields are the id, the kind and the
 * mark of the address's meaning. The mark is 1 if the callers are to be left out. The next fields
 * say whether the caller is missing (enum quality_end), and which role the function has (enum
 * interpreted_role). For an address without a name, the bits from NAMELESS_AT are 1 plus the number
 * of the address's image in struct quality. */
enum {
	KIND_AT = 32,
	KIND_MASK = 7,
	MARK_AT = 35,
	END_AT = 36,
	END_MASK = 3,
	ROLE_AT = 38,
	ROLE_MASK = 7,
	NAMELESS_AT = 41
};

static inline struct meaning address_meaning(uint64_t value) {
	return (struct meaning){.kind = value >> KIND_AT & KIND_MASK,
				.mark = value >> MARK_AT & 1,
				.id = (uint32_t)value};
}

/** Return the role that the function at an address has for a script. */
static inline enum interpreted_role address_role(uint64_t value) {
	return (enum interpreted_role)(value >> ROLE_AT & ROLE_MASK);
}

/** Return whether a value stands for a place in `deferred`: an address whose name is not known
 * yet. */
static inline bool address_is_deferred(uint64_t value) {
	struct meaning meaning = address_meaning(value);
	return meaning.kind == MEANS_FRAME && (meaning.id & DEFERRED_FLAG) != 0;
}

/** Count the next frame of a stack in `quality`. Frames come innermost first. */
static inline void address_note(uint64_t value, struct quality *quality) {
	quality_frame(quality, value >> NAMELESS_AT, value >> END_AT & END_MASK);
}

/** Set the first five members, and zero all other members. */
struct addresses {
	struct perf_names *names;
	bool srcline;
	struct quality *quality;
	struct deferred *deferred;
	struct interpreted *interpreted;
	struct meaning *symbols; // scratch memory for the meanings of the symbols at an address
	size_t capacity;
	struct buf function, text;
};

/** Make the value of an address: a lookup_make function, whose context is a struct addresses. */
uint64_t addresses_make(void *addresses, const struct lookup_place *place,
			const struct symbol *symbols, size_t n);

/** Return a name in valid UTF-8, without control characters, and without blanks at its ends. The
 * result is in `text`. */
struct str addresses_clean(struct buf *text, struct str name);

void addresses_release(struct addresses *addresses);
