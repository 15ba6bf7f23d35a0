/** Read the fields of a sample. */
#pragma once

#include "perf/data/event.h"

/** Marks in a call chain. A mark says in which kind of code the following addresses are. */
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED \
	((uint64_t)-640) // a cookie follows; a later record with this cookie has the rest of the
			 // chain
#define CONTEXT_GUEST ((uint64_t)-2048)
#define CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define CONTEXT_GUEST_USER ((uint64_t)-2560)
#define CONTEXT_FIRST ((uint64_t)-4095) // this value and all higher values are marks

/** A growing array of words of eight bytes. */
struct sample_words {
	uint64_t *items;
	size_t n, capacity;
};

enum { REGISTERS_MOST = 64 };

struct sample_fields {
	uint64_t ip, time, id, period;
	int32_t pid, tid;
	uint32_t cpu;
	struct str raw;
	uint64_t registers_abi; // 0: no registers were recorded; 1: registers of 32 bits; 2:
				// registers of 64 bits
	uint64_t registers[REGISTERS_MOST];
	size_t registers_n;
	struct str stack;
	bool swapped; // the byte order of the stack differs from the byte order of this machine
};

/** Read the fields of a sample, and store its call chain in `chain`. The fields `raw` and `stack`
 * point into `body`. Return false if the fields need more bytes than `body` has. */
bool sample_read(const struct perfdata_event *event, struct str body, bool swap,
		 struct sample_fields *fields, struct sample_words *chain);

/** Read the fields at the end of a record that is not a sample, such as the thread and the time.
 * Leave missing fields unchanged. */
void sample_read_trailer(const struct perfdata_event *event, struct str body, bool swap,
			 struct sample_fields *fields);

/** Make room for `n` words at the end, and return a pointer to this room. */
uint64_t *words_room(struct sample_words *words, size_t n);
