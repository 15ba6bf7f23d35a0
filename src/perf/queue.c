/* Samples and switches that wait for names. */
#include "perf/queue.h"

#include <stdlib.h>

#include "base/mem.h"

static struct perf_queued *add(struct perf_queue *queue, const struct thread *thread) {
	queue->items =
		mem_grow(queue->items, &queue->capacity, queue->n + 1, sizeof(*queue->items));
	struct perf_queued *item = &queue->items[queue->n++];
	*item = (struct perf_queued){.comm = thread->comm};
	return item;
}

void perf_queue_sample(struct perf_queue *queue, const struct perfdata_sample *sample,
		       int32_t woken) {
	struct intern_key *frames =
		intern_get(&queue->frames, sample->frames, sample->depth * sizeof(*sample->frames));
	struct perf_queued *item = add(queue, sample->thread);
	item->event = sample->event;
	item->time = sample->time;
	item->period = sample->period;
	item->pid = sample->pid;
	item->tid = sample->tid;
	item->cpu = sample->cpu;
	item->frames = frames->id;
	item->woken = woken;
	item->root = sample->root;
}

void perf_queue_switch(struct perf_queue *queue, const struct perfdata_switch *change) {
	struct perf_queued *item = add(queue, change->thread);
	item->time = change->time;
	item->pid = change->pid;
	item->tid = change->tid;
	item->change = (uint8_t)change->change;
	item->period = change->delay;
}

bool perf_queue_is_full(const struct perf_queue *queue) {
	enum { MOST = 1 << 21 };
	return queue->n >= MOST;
}

static const struct thread *thread_of(const struct perf_queued *item, struct thread *thread) {
	*thread = (struct thread){.pid = item->pid, .tid = item->tid, .comm = item->comm};
	return thread;
}

struct perfdata_sample perf_queue_get_sample(const struct perf_queue *queue, size_t i,
					     struct thread *thread) {
	const struct perf_queued *item = &queue->items[i];
	const struct intern_key *key = queue->frames.keys[item->frames];
	return (struct perfdata_sample){
		.event = item->event,
		.time = item->time,
		.period = item->period,
		.pid = item->pid,
		.tid = item->tid,
		.cpu = item->cpu,
		.thread = thread_of(item, thread),
		.frames = (const struct perfdata_frame *)(const void *)key->bytes,
		.depth = key->len / sizeof(struct perfdata_frame),
		.has_chain = true,
		.root = item->root,
	};
}

struct perfdata_switch perf_queue_get_switch(const struct perf_queue *queue, size_t i,
					     struct thread *thread) {
	const struct perf_queued *item = &queue->items[i];
	return (struct perfdata_switch){(enum perfdata_change)item->change,
					item->time,
					item->pid,
					item->tid,
					thread_of(item, thread),
					item->period};
}

void perf_queue_release(struct perf_queue *queue) {
	free(queue->items);
	intern_release(&queue->frames);
	*queue = (struct perf_queue){0};
}
