/** Make the frames for the addresses in a recording that is folded, and note facts about the
 * quality of the recording. */
#ifndef INFERNO_PERF_ADDRESSES_H
#define INFERNO_PERF_ADDRESSES_H

#include "perf/data/quality.h"
#include "perf/deferred.h"
#include "perf/interpreted.h"
#include "perf/stack.h"

/** Flag of a lookup: the process is Java. */
enum { ADDRESS_IN_JAVA = 1 };

/** Bit fields of the value of an address. The first fields are the id, the kind and the mark of the
 * address's meaning; a mark of 1 says that the callers are left out. The next fields say whether
 * the caller is missing (enum quality_end), and which role the function has (enum
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

/** Return the role of the function at an address for the script that it runs. */
static inline enum interpreted_role address_role(uint64_t value) {
	return (enum interpreted_role)(value >> ROLE_AT & ROLE_MASK);
}

/** Return whether a value stands for a place in `deferred`. The name of such a place is not known
 * yet. */
static inline bool address_is_deferred(uint64_t value) {
	struct meaning meaning = address_meaning(value);
	return meaning.kind == MEANS_FRAME && (meaning.id & DEFERRED_FLAG) != 0;
}

/** Note the next frame of a stack for the report on quality. Frames come innermost first. */
static inline void address_note(uint64_t value, struct quality *quality) {
	quality_frame(quality, value >> NAMELESS_AT, value >> END_AT & END_MASK);
}

/** Zero-initialise all but the first five members. */
struct addresses {
	struct perf_names *names;
	bool srcline;
	struct quality *quality;
	struct deferred *deferred;
	struct interpreted *interpreted;
	struct meaning *symbols; // meanings of the symbols at an address
	size_t capacity;
	struct buf function, text;
};

/** Make the value of an address for struct lookup. `addresses` is a struct addresses. */
uint64_t addresses_make(void *addresses, const struct lookup_place *place,
			const struct symbol *symbols, size_t n);

/** Put a name into `text` as perf prints it. */
struct str addresses_clean(struct buf *text, struct str name);

void addresses_release(struct addresses *addresses);

#endif
