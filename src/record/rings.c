/* The buffers that the kernel writes records into. */
#include "record/rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "perf/data/records.h"
#include "record/samplers.h"
#include "record/stackcopy.h"
#include "symbols/held.h"

enum {
	RING_LEAST = 16 << 10,
	RING_MANY = 128 << 10,  // smallest size to start with if there are many rings
	RING_ALL = 256 << 20,   // most memory for many or large rings
	RING_SMALL = 512 << 10, // size for call chains; warn if rings are smaller
	RING_MEDIUM = 4 << 20,  // size for copied stacks
	// size for copied stacks, as long as all rings take no more than RING_ALL
	RING_LARGE = 32 << 20,
};

/** Return the ring that a counter can use, or NULL if it must be mapped first. Search from the end:
 * the rings of this thread were added last. */
static struct ring *rings_of(const struct rings *rings, const struct counter *counter) {
	for (size_t i = rings->n; i > 0; i--) {
		struct ring *ring = &rings->items[i - 1];
		if (ring->cpu == counter->cpu && (ring->cpu >= 0 || ring->tid == counter->tid)) {
			return ring;
		}
		if (ring->cpu < 0) {
			break;
		}
	}
	return NULL;
}

/** Map a ring. Return 0, or -1 with errno set. */
static int rings_map_one(struct rings *rings, const struct counter *counter) {
	void *pages = mmap(NULL, rings->page + rings->wanted, PROT_READ | PROT_WRITE, MAP_SHARED,
			   counter->fd, 0);
	if (pages == MAP_FAILED) {
		return -1;
	}
	*MEM_APPEND(rings->items, rings->n, rings->capacity) = (struct ring){.fd = counter->fd,
									     .cpu = counter->cpu,
									     .tid = counter->tid,
									     .pages = pages,
									     .size = rings->wanted};
	return 0;
}

static void rings_unmap(struct rings *rings) {
	for (size_t i = 0; i < rings->n; i++) {
		munmap(rings->items[i].pages, rings->page + rings->items[i].size);
	}
	rings->n = 0;
}

/** Map all rings with the wanted size. Return 0, or -1 with errno set. */
static int rings_map_all(struct rings *rings, const struct counters *counters) {
	int result = 0;
	for (size_t i = 0; i < counters->n && result == 0; i++) {
		const struct counter *counter = &counters->items[i];
		const struct ring *ring = rings_of(rings, counter);
		if (counter->fd < 0) {
			continue;
		}
		// Before Linux 6.2 counters of one thread may not share a ring.
		bool shared = ring != NULL &&
			      ioctl(counter->fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) == 0;
		result = shared ? 0 : rings_map_one(rings, counter);
	}
	return result;
}

static int rings_fail(const struct counters *counters, int problem) {
	return problem == EPERM
		       ? diag_error(counters->diag,
				    "the kernel gives no memory for samples; raise 'ulimit -l' or "
				    "kernel.perf_event_mlock_kb")
		       : diag_error(counters->diag, "the kernel gives no memory for samples: %s",
				    strerror(problem));
}

/** Return the size to try first. The size is large if stacks are copied, because a copy takes up to
 * 64 KB, and the collecting thread may have to wait for a processor. */
static size_t rings_first_size(const struct counters *counters) {
	bool copies = (counters->attrs[0].sample_type & PERF_SAMPLE_STACK_USER) != 0;
	size_t size = copies ? RING_LARGE : RING_SMALL;
	while (size > RING_MEDIUM && size > RING_ALL / counters->cpus.n) {
		size /= 2;
	}
	while (counters->any_cpu && size > RING_MANY && size > RING_ALL / counters->n) {
		size /= 2;
	}
	return size;
}

int rings_map(struct rings *rings, struct counters *counters) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first = rings_first_size(counters);
	*rings = (struct rings){.page = page,
				.wanted = first,
				.attr = &counters->attrs[0],
				.waking_attr = counters->waking.event == 0
						       ? NULL
						       : &counters->attrs[counters->waking.event],
				.stack_most = SIZE_MAX};
	while (rings_map_all(rings, counters) != 0) {
		if ((errno != EPERM && errno != ENOMEM) || rings->wanted / 2 < RING_LEAST) {
			return rings_fail(counters, errno);
		}
		rings_unmap(rings);
		rings->wanted /= 2;
	}
	if (rings->wanted < first && rings->wanted < RING_SMALL) {
		counters_lack(counters,
			      "the kernel's buffers have %zu KiB instead of %d, so samples may be "
			      "lost (limits: kernel.perf_event_mlock_kb, 'ulimit -l')",
			      rings->wanted >> 10, RING_SMALL >> 10);
	}
	return 0;
}

/** Return whether a record is a sample that is left out. */
static bool rings_is_skipped(const struct rings *rings, const char *record, size_t size) {
	enum {
		TIME_AT = 32
	}; // the time comes after the header, the id, the address, and the process and thread
	struct perf_event_header header;
	uint64_t time = 0;
	if (rings->skip_until == 0) {
		return false;
	}
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE && size >= TIME_AT + sizeof(time)) {
		memcpy(&time, record + TIME_AT, sizeof(time));
	}
	return time >= rings->skip_from && time < rings->skip_until;
}

/** Remember the number of samples for which the kernel had no room. */
static void rings_note_lost(struct rings *rings, const char *record, size_t size) {
	enum {
		COUNT_AT = sizeof(struct perf_event_header) + sizeof(uint64_t)
	}; // the number comes after the id
	uint64_t count = 0;
	if (size >= COUNT_AT + sizeof(count)) {
		memcpy(&count, record + COUNT_AT, sizeof(count));
		rings->lost += count;
	}
}

/** The start of a record of a mapping (MMAP2). The path follows. */
struct mapping_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	union {
		struct file_id id;
		struct {
			uint8_t size, unused[3];
			uint8_t bytes[BUILD_ID_MAX];
		} build_id;
	} file;
	uint32_t protection, flags;
};
_Static_assert(sizeof(struct mapping_record) == 72, "it has the form of the record");

/** Request that the file of a mapping is opened while its process runs. */
static void rings_note_mapping(const char *record, size_t size) {
	struct mapping_record mapping;
	if (size <= sizeof(mapping)) {
		return;
	}
	memcpy(&mapping, record, sizeof(mapping));
	const char *path = record + sizeof(mapping);
	struct object_file file = {.kind = OBJECT_ELF,
				   .path = {path, strnlen(path, size - sizeof(mapping))},
				   .pid = mapping.pid,
				   .map_start = mapping.start,
				   .map_end = mapping.start + mapping.size};
	if ((mapping.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) == 0) {
		file.id = mapping.file.id;
	} else if (mapping.file.build_id.size <= BUILD_ID_MAX) {
		file.build_id.size = mapping.file.build_id.size;
		memcpy(file.build_id.bytes, mapping.file.build_id.bytes, file.build_id.size);
	}
	if ((mapping.header.misc & MODE_MASK) == MODE_USER &&
	    (mapping.protection & PROT_EXEC) != 0) {
		held_note(&file);
	}
}

/** Remember the facts that records other than samples contain. */
static void rings_note(struct rings *rings, const char *record, size_t size) {
	struct perf_event_header header;
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_LOST) {
		rings_note_lost(rings, record, size);
	} else if (header.type == PERF_RECORD_MMAP2) {
		rings_note_mapping(record, size);
	}
}

/** Multiply the period of a sample by the number of samples that it counts for. */
static void rings_weigh(const struct rings *rings, char *sample, size_t size, uint32_t counts_for) {
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	uint64_t period;
	size_t at =
		sizeof(struct perf_event_header) +
		sizeof(period) * (size_t)__builtin_popcountll(rings->attr->sample_type & before);
	if (at + sizeof(period) <= size) {
		memcpy(&period, sample + at, sizeof(period));
		period = period <= INT64_MAX / counts_for ? period * counts_for : period;
		memcpy(sample + at, &period, sizeof(period));
	}
}

/** Add a record to the records for the stream, unless it is skipped. Of a copied stack, add only
 * the used bytes. `counts_for` is the number of samples that a sample counts for. */
static void rings_take(struct rings *rings, const char *record, size_t size, uint32_t counts_for) {
	struct stackcopy copy;
	size_t start = rings->records.n;
	if (rings_is_skipped(rings, record, size)) {
		return;
	}
	rings_note(rings, record, size);
	tasks_note(&rings->tasks, record, size);
	if (stackcopy_find(rings->attr, record, size, &copy) ||
	    (rings->waking_attr != NULL &&
	     stackcopy_find(rings->waking_attr, record, size, &copy))) {
		stackcopy_add(&rings->records, record, &copy, buf_str(&rings->more),
			      rings->stack_most);
	} else {
		buf_add(&rings->records, record, size);
	}
	if (counts_for > 1) {
		rings_weigh(rings, rings->records.p + start, rings->records.n - start, counts_for);
	}
}

/** Move the collected records into the stream. */
static void rings_flush(struct rings *rings, struct stream *stream) {
	stream_add(stream, rings->records.p, rings->records.n);
	buf_clear(&rings->records);
}

const char *ring_record_at(const struct ring *ring, size_t page, uint64_t tail, size_t size,
			   struct buf *joined) {
	const char *data = ring->pages + page;
	size_t from = (size_t)(tail & (ring->size - 1)), before_end = ring->size - from;
	if (size <= before_end) {
		return data + from;
	}
	buf_clear(joined);
	buf_add(joined, data + from, before_end);
	buf_add(joined, data, size - before_end);
	return joined->p;
}

static const char *rings_record_at(struct rings *rings, const struct ring *ring, uint64_t tail,
				   size_t size) {
	return ring_record_at(ring, rings->page, tail, size, &rings->joined);
}

/** Remember the facts that a record contains. Return 0 if the record is left out, or the number of
 * samples that it counts for, or 1 if it is not a sample. */
static uint32_t rings_ask_samplers(struct rings *rings, const struct ring *ring, uint64_t place,
				   const char *record, size_t size) {
	struct perf_event_header header;
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE && !rings_is_skipped(rings, record, size)) {
		return samplers_take(rings->samplers, (size_t)(ring - rings->items), place, record,
				     &rings->records, &rings->more);
	}
	samplers_note(rings->samplers, record, size);
	bool is_switch =
		header.type == PERF_RECORD_SWITCH || header.type == PERF_RECORD_SWITCH_CPU_WIDE;
	return rings->drops_switches && is_switch ? 0 : 1;
}

/** Move the records of one ring, and free the space of each record as soon as it is moved. Return
 * whether there were any records. */
static bool rings_drain_one(struct rings *rings, struct ring *ring, struct stream *stream) {
	enum { BATCH = 128 << 10 };
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)(void *)ring->pages;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	if (rings->samplers != NULL) {
		uint64_t limit =
			samplers_limit(rings->samplers, (size_t)(ring - rings->items), head);
		head = limit < head ? limit : head;
	}
	if (head == tail) {
		return false;
	}
	rings->half_full |= head - tail >= ring->size / 2;
	while (tail != head) {
		// a record's header never continues at the start of the ring
		struct perf_event_header header;
		memcpy(&header, rings_record_at(rings, ring, tail, sizeof(header)), sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail) {
			// The size cannot be right (a size of 0 was seen once), so the offset of
			// the next record is not known. Drop all records up to `head`.
			rings->lost++;
			__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
			break;
		}
		const char *record = rings_record_at(rings, ring, tail, header.size);
		buf_clear(&rings->more);
		uint32_t counts_for =
			rings->samplers == NULL
				? 1
				: rings_ask_samplers(rings, ring, tail, record, header.size);
		if (counts_for > 0) {
			rings_take(rings, record, header.size, counts_for);
		}
		tail += header.size;
		__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
		if (rings->records.n >= BATCH) {
			rings_flush(rings, stream);
		}
	}
	rings_flush(rings, stream);
	return true;
}

bool rings_drain(struct rings *rings, struct stream *stream) {
	bool any = false;
	for (size_t i = 0; i < rings->n; i++) {
		any |= rings_drain_one(rings, &rings->items[i], stream);
	}
	if (any) {
		const struct perf_event_header round = {.type = RECORD_FINISHED_ROUND,
							.size = sizeof(round)};
		stream_add(stream, &round, sizeof(round));
	}
	return any;
}

void rings_release(struct rings *rings) {
	rings_unmap(rings);
	free(rings->items);
	buf_release(&rings->records);
	buf_release(&rings->joined);
	buf_release(&rings->more);
	tasks_release(&rings->tasks);
}
