/* The buffers that the kernel writes records into. */
#include "record/rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/records.h"

enum {
	RING_LEAST = 16 << 10,
	RING_MANY = 128 << 10, // the least that many rings start with
	RING_ALL = 256 << 20,  // the most memory of many rings
};

/** Return the ring of a counter, which is one of the last if it is the thread's. */
static struct ring *ring_of(const struct rings *rings, const struct counter *counter) {
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
static int map_one(struct rings *rings, const struct counter *counter) {
	void *pages = mmap(NULL, rings->page + rings->wanted, PROT_READ | PROT_WRITE, MAP_SHARED,
			   counter->fd, 0);
	if (pages == MAP_FAILED) {
		return -1;
	}
	rings->items =
		mem_grow(rings->items, &rings->capacity, rings->n + 1, sizeof(*rings->items));
	rings->items[rings->n++] = (struct ring){.fd = counter->fd,
						 .cpu = counter->cpu,
						 .tid = counter->tid,
						 .pages = pages,
						 .size = rings->wanted};
	return 0;
}

static void unmap(struct rings *rings) {
	for (size_t i = 0; i < rings->n; i++) {
		munmap(rings->items[i].pages, rings->page + rings->items[i].size);
	}
	rings->n = 0;
}

/** Map all rings with the wanted size. Return 0, or -1 with errno set. */
static int map_all(struct rings *rings, const struct counters *counters) {
	int result = 0;
	for (size_t i = 0; i < counters->n && result == 0; i++) {
		const struct counter *counter = &counters->items[i];
		const struct ring *ring = ring_of(rings, counter);
		if (counter->fd < 0) {
			continue;
		}
		// Before Linux 6.2 counters of one thread may not share a ring.
		bool shared = ring != NULL &&
			      ioctl(counter->fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) == 0;
		result = shared ? 0 : map_one(rings, counter);
	}
	return result;
}

static int fail(const struct counters *counters, int problem) {
	return problem == EPERM
		       ? diag_error(counters->diag,
				    "the kernel gives no memory for samples; raise 'ulimit -l' or "
				    "kernel.perf_event_mlock_kb")
		       : diag_error(counters->diag, "the kernel gives no memory for samples: %s",
				    strerror(problem));
}

int rings_map(struct rings *rings, struct counters *counters, size_t size) {
	*rings = (struct rings){.page = (size_t)sysconf(_SC_PAGESIZE), .wanted = size};
	while (counters->any_cpu && rings->wanted > RING_MANY &&
	       rings->wanted > RING_ALL / counters->n) {
		rings->wanted /= 2;
	}
	size = rings->wanted;
	while (map_all(rings, counters) != 0) {
		if ((errno != EPERM && errno != ENOMEM) || rings->wanted / 2 < RING_LEAST) {
			return fail(counters, errno);
		}
		unmap(rings);
		rings->wanted /= 2;
	}
	if (rings->wanted < size) {
		counters_lack(counters,
			      "the kernel's buffers have %zu KiB instead of %zu, so samples may be "
			      "lost (limits: kernel.perf_event_mlock_kb, 'ulimit -l')",
			      rings->wanted >> 10, size >> 10);
	}
	return 0;
}

/** Return whether a record is a sample that is left out. */
static bool is_skipped(const struct rings *rings, const char *record, uint16_t size) {
	enum { TIME_AT = 32 }; // after the header, the id, the address, and the process and thread
	struct perf_event_header header;
	uint64_t time = 0;
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE && size >= TIME_AT + sizeof(time)) {
		memcpy(&time, record + TIME_AT, sizeof(time));
	}
	return time >= rings->skip_from && time < rings->skip_until;
}

/** Add whole records to the stream, without samples that are left out. */
static void add_wanted(const struct rings *rings, struct stream *stream) {
	const char *at = rings->records.p, *end = at + rings->records.n, *from = at;
	while (at < end) {
		struct perf_event_header header;
		memcpy(&header, at, sizeof(header));
		if (is_skipped(rings, at, header.size)) {
			stream_add(stream, from, (size_t)(at - from));
			from = at + header.size;
		}
		at += header.size;
	}
	stream_add(stream, from, (size_t)(end - from));
}

/** Move the records of one ring. Return whether there were any. */
static bool drain_one(struct rings *rings, struct ring *ring, struct stream *stream) {
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)(void *)ring->pages;
	const char *data = ring->pages + rings->page;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	if (head == tail) {
		return false;
	}
	size_t from = (size_t)(tail & (ring->size - 1)), n = (size_t)(head - tail);
	size_t before_end = ring->size - from;
	if (rings->skip_until != 0) {
		buf_clear(&rings->records);
		buf_add(&rings->records, data + from, n < before_end ? n : before_end);
		buf_add(&rings->records, data, n < before_end ? 0 : n - before_end);
		add_wanted(rings, stream);
	} else if (n <= before_end) {
		stream_add(stream, data + from, n);
	} else {
		stream_add(stream, data + from, before_end);
		stream_add(stream, data, n - before_end);
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return true;
}

bool rings_drain(struct rings *rings, struct stream *stream) {
	bool any = false;
	for (size_t i = 0; i < rings->n; i++) {
		any |= drain_one(rings, &rings->items[i], stream);
	}
	if (any) {
		const struct perf_event_header round = {.type = RECORD_FINISHED_ROUND,
							.size = sizeof(round)};
		stream_add(stream, &round, sizeof(round));
	}
	return any;
}

void rings_release(struct rings *rings) {
	unmap(rings);
	free(rings->items);
	buf_release(&rings->records);
}
