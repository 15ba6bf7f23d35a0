/* Records that the recorder writes itself. */
#include "record/synth.h"

#include <string.h>

#include "perf/data/records.h"

void synth_u32(struct buf *out, uint32_t value) {
	buf_add(out, &value, sizeof(value));
}

void synth_u64(struct buf *out, uint64_t value) {
	buf_add(out, &value, sizeof(value));
}

void synth_zeros(struct buf *out, size_t n) {
	memset(buf_room(out, n), 0, n);
	out->n += n;
}

size_t synth_begin(struct buf *out, uint32_t type, uint16_t misc) {
	struct perf_event_header head = {.type = type, .misc = misc};
	buf_add(out, &head, sizeof(head));
	return out->n - sizeof(head);
}

void synth_end(struct buf *out, size_t start) {
	struct perf_event_header head;
	synth_zeros(out, (8 - (out->n - start) % 8) % 8);
	memcpy(&head, out->p + start, sizeof(head));
	head.size = (uint16_t)(out->n - start);
	memcpy(out->p + start, &head, sizeof(head));
}

void synth_text(struct buf *out, struct str text) {
	enum { LONGEST = 4095 };
	size_t n = text.n < LONGEST ? text.n : LONGEST;
	buf_add(out, text.p, n);
	synth_zeros(out, 8 - n % 8);
}

void synth_end_with(struct buf *out, size_t start, const struct synth_at *at) {
	synth_u32(out, (uint32_t)at->pid);
	synth_u32(out, (uint32_t)at->tid);
	synth_u64(out, at->time);
	synth_zeros(out, 2 * sizeof(uint64_t));
	synth_end(out, start);
}

_Static_assert(sizeof(struct file_id) == 24, "it has the form of the record");

void synth_mapping(struct buf *out, const struct mapped *mapped) {
	enum { READ_AND_EXECUTE = 5, PRIVATE = 2, FILE_ID = 24 };
	const struct build_id *id = &mapped->build_id;
	unsigned mode = mapped->in_kernel ? MODE_KERNEL : MODE_USER;
	uint16_t misc = (uint16_t)(mode | (id->size > 0 ? MISC_MMAP_BUILD_ID : 0));
	size_t start = synth_begin(out, RECORD_MMAP2, misc);
	synth_u32(out, (uint32_t)mapped->pid);
	synth_u32(out, (uint32_t)mapped->pid);
	synth_u64(out, mapped->start);
	synth_u64(out, mapped->size);
	synth_u64(out, mapped->offset);
	size_t file_id = out->n;
	synth_zeros(out, FILE_ID);
	if (id->size > 0) {
		out->p[file_id] = (char)id->size;
		memcpy(out->p + file_id + 4, id->bytes, sizeof(id->bytes));
	} else {
		memcpy(out->p + file_id, &mapped->id, sizeof(mapped->id));
	}
	synth_u32(out, READ_AND_EXECUTE);
	synth_u32(out, PRIVATE);
	synth_text(out, mapped->path);
	synth_end_with(out, start, &(struct synth_at){0});
}

static void synth_add_comm(struct buf *out, uint16_t misc, int32_t pid, int32_t tid,
			   struct str comm) {
	size_t start = synth_begin(out, RECORD_COMM, misc);
	synth_u32(out, (uint32_t)pid);
	synth_u32(out, (uint32_t)tid);
	synth_text(out, comm);
	synth_end_with(out, start, &(struct synth_at){0});
}

static void synth_add_symbol(struct buf *out, uint64_t address, uint32_t size, struct str name,
			     uint64_t time) {
	const uint16_t kind[] = {2 /* code other than that of BPF */, 0 /* new */};
	size_t start = synth_begin(out, RECORD_KSYMBOL, MODE_KERNEL);
	synth_u64(out, address);
	synth_u32(out, size);
	buf_add(out, kind, sizeof(kind));
	synth_text(out, name);
	synth_end_with(out, start, &(struct synth_at){.time = time});
}

void synth_comm(struct buf *out, int32_t pid, int32_t tid, struct str comm) {
	synth_add_comm(out, 0, pid, tid, comm);
}

void synth_starting(struct buf *out, int32_t pid, struct str comm) {
	synth_add_comm(out, MISC_COMM_STARTING, pid, pid, comm);
}

void synth_symbol(struct buf *out, uint64_t address, uint32_t size, struct str name) {
	synth_add_symbol(out, address, size, name, 0);
}

void synth_mark(struct buf *out, uint64_t address, struct str name, uint64_t time) {
	synth_add_symbol(out, address, 1, name, time);
}

void synth_switch(struct buf *out, const struct synth_at *at, bool runs) {
	synth_end_with(out, synth_begin(out, RECORD_SWITCH, runs ? 0 : MISC_SWITCH_OUT), at);
}

void synth_delay(struct buf *out, const struct synth_at *at, uint64_t delay) {
	size_t start = synth_begin(out, RECORD_READ, MISC_READ_DELAY);
	synth_u32(out, (uint32_t)at->pid);
	synth_u32(out, (uint32_t)at->tid);
	synth_u64(out, delay);
	synth_end_with(out, start, at);
}

void synth_total(struct buf *out, const struct synth_at *at, uint64_t count, unsigned reason) {
	uint16_t misc = (uint16_t)(MISC_READ_TOTAL | reason << MISC_READ_REASON_AT);
	size_t start = synth_begin(out, RECORD_READ, misc);
	synth_u32(out, (uint32_t)at->pid);
	synth_u32(out, (uint32_t)at->tid);
	synth_u64(out, count);
	synth_end_with(out, start, at);
}

void synth_time(struct buf *out, uint64_t time) {
	size_t start = synth_begin(out, RECORD_LOST_SAMPLES, 0);
	synth_u64(out, 0); // no lost samples
	synth_end_with(out, start, &(struct synth_at){.time = time});
}

/** Begin a sample. Return its offset, for synth_end(). */
static size_t synth_begin_sample(struct buf *out, const struct perf_event_attr *attr, uint64_t id,
				 const struct synth_at *at, uint64_t address, uint64_t period) {
	size_t start = synth_begin(out, RECORD_SAMPLE, MODE_KERNEL);
	synth_u64(out, id);
	synth_u64(out, address);
	synth_u32(out, (uint32_t)at->pid);
	synth_u32(out, (uint32_t)at->tid);
	synth_u64(out, at->time);
	synth_u32(out, UINT32_MAX); // the processor is not known
	synth_zeros(out, sizeof(uint32_t));
	if ((attr->sample_type & PERF_SAMPLE_PERIOD) != 0) {
		synth_u64(out, period);
	}
	return start;
}

void synth_stack(struct buf *out, const struct perf_event_attr *attr, uint64_t id,
		 const struct synth_at *at, const struct synth_stack *stack) {
	enum { ABI_64 = 2 };
	size_t start = synth_begin_sample(out, attr, id, at, stack->chain[1], 1);
	bool copied = stack->ip != 0 && stack->copy.n > 0;
	synth_u64(out, stack->chain_n);
	buf_add(out, stack->chain, stack->chain_n * sizeof(*stack->chain));
	if ((attr->sample_type & PERF_SAMPLE_STACK_USER) == 0) {
		synth_end(out, start);
		return;
	}
	synth_u64(out, copied ? ABI_64 : 0);
	if (copied) {
		size_t n = (size_t)__builtin_popcountll(attr->sample_regs_user);
		buf_add(out, stack->registers, n * sizeof(*stack->registers));
	}
	synth_u64(out, copied ? stack->copy.n : 0);
	if (copied) {
		buf_add(out, stack->copy.p, stack->copy.n);
		synth_u64(out, stack->copy.n); // all bytes of the copy are used
	}
	synth_end(out, start);
}

void synth_sample(struct buf *out, const struct perf_event_attr *attr, uint64_t id,
		  const struct synth_at *at, uint64_t address, uint64_t period) {
	enum { ADDRESSES = 2 }; // addresses include the marks of their kinds
	size_t start = synth_begin_sample(out, attr, id, at, address, period);
	synth_u64(out, ADDRESSES);
	synth_u64(out, PERF_CONTEXT_KERNEL);
	synth_u64(out, address);
	if ((attr->sample_type & PERF_SAMPLE_STACK_USER) != 0) {
		synth_zeros(out, 2 * sizeof(uint64_t)); // neither registers nor a stack
	}
	synth_end(out, start);
}
