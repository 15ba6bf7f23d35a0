/** A sample, taken out of its record. */
#ifndef INFERNO_PERFDATA_SAMPLE_H
#define INFERNO_PERFDATA_SAMPLE_H

#include "perfdata/event.h"

/** Marks in a call chain: what follows was running there. */
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) // then a cookie: the rest comes later
#define CONTEXT_GUEST ((uint64_t)-2048)
#define CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define CONTEXT_GUEST_USER ((uint64_t)-2560)
#define CONTEXT_FIRST ((uint64_t)-4095) // from here on everything is a mark

/** Words of eight bytes in a row that grows. */
struct words {
	uint64_t *items;
	size_t n, capacity;
};

enum { REGISTERS_MOST = 64 };

struct sample_fields {
	uint64_t ip, time, id, period;
	int32_t pid, tid;
	uint32_t cpu;
	struct str raw;
	uint64_t registers_abi; // 0: none were recorded, 1: of 32 bits, 2: of 64 bits
	uint64_t registers[REGISTERS_MOST];
	size_t registers_n;
	struct str stack;
};

/** Read the fields of a sample; the call chain goes into `chain`. What borrows does so from `body`.
 * False if the fields go over the end. */
bool sample_read(const struct perfdata_event *event, struct str body, bool swap,
		 struct sample_fields *fields, struct words *chain);

/** Read the process, the thread and the processor that other records end with. Fields that are not
 * there stay as they are. */
void sample_read_trailer(const struct perfdata_event *event, struct str body, bool swap,
			 struct sample_fields *fields);

/** Make room for `n` words at the end and return where they go. */
uint64_t *words_room(struct words *words, size_t n);

#endif
