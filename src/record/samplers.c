/* Threads that read the script stacks of samples. */
#include "record/samplers.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "record/pressure.h"
#include "record/proc.h"
#include "record/script_records.h"
#include "record/stackcopy.h"
#include "script/budget.h"
#include "script/scripts.h"

/** The script stack that was read for a sample. The state SCRIPT_NONE means that there is no
 * stack. */
struct sampled {
	uint64_t place; // offset of the sample in the ring
	uint32_t state, language;
	uint32_t n, cut; // number of frames, which follow the struct; whether frames are missing
	uint32_t lock;
	uint32_t counts_for; // number of samples that it counts for; 0: it is left out
	uint32_t more;       // number of bytes of the native stack, which follow the frames
};

/** The highest address of a thread's stack: the outermost frame is below it, and nothing is read
 * from this address on. */
struct sampler_end {
	int32_t pid, tid;
	uint64_t address;
};

enum { SAMPLER_ENDS = 64 };

/** The state of the thread that examines one ring. */
struct sampler {
	struct samplers *samplers;
	const struct ring *ring;
	pthread_t thread;
	bool runs;
	int fd;                                // descriptor to wait for; -1: its counter has ended
	pthread_mutex_t looks;                 // protects the members from `seen` to `sampled`
	uint64_t seen;                         // the ring was examined up to this offset
	struct buf joined;                     // scratch memory
	struct buf whole;                      // copy of a whole native stack
	struct sampler_end ends[SAMPLER_ENDS]; // by the id of the thread, modulo SAMPLER_ENDS
	struct str more; // the bytes of `whole` that the kernel has not copied
	struct script_stack stack;
	struct budget budget;
	uint64_t sampled;     // time for which threads ran, in nanoseconds
	pthread_mutex_t lock; // protects `queue`
	struct buf queue;     // items of struct sampled
	size_t taken;         // number of used bytes at its start
};

struct samplers {
	const struct counters *counters;
	const struct rings *rings;
	struct scripts *scripts;
	struct sampler *items;
	size_t n;
	int wake, stop;    // eventfds
	int found;         // eventfd, which is readable if some process has an interpreter
	atomic_bool reads; // whether some process has an interpreter
	atomic_bool stopping;
	// Whether to read the parts of native stacks that the kernel does not copy.
	atomic_bool extends;
	bool weighs; // whether a sample may stand for other samples, which are left out
	// Nanoseconds for which a thread runs between two samples; 0: not known.
	uint64_t per_sample;
	pthread_mutex_t lock; // protects `facts`
	struct buf facts;
};

/* --- Facts ---------------------------------------------------------------------------------- */

static void samplers_on_name(void *context, struct str name) {
	struct samplers *samplers = context;
	pthread_mutex_lock(&samplers->lock);
	// The names have consecutive numbers, in the order of these records.
	script_record_text(&samplers->facts, SCRIPTED_NAME, 0, 0, name);
	pthread_mutex_unlock(&samplers->lock);
}

static void samplers_on_found(void *context, int32_t pid, struct str version, bool known) {
	struct samplers *samplers = context;
	pthread_mutex_lock(&samplers->lock);
	script_record_text(&samplers->facts, SCRIPTED_FOUND, pid, known, version);
	pthread_mutex_unlock(&samplers->lock);
	if (known && !atomic_exchange(&samplers->reads, true)) {
		const uint64_t one = 1;
		(void)!write(samplers->found, &one, sizeof(one));
	}
}

/** Add the reason why the memory of a process may not be read, and the remedy. */
static void samplers_format_refusal(struct buf *text, int32_t pid, int problem) {
	int64_t scope = proc_setting("/proc/sys/kernel/yama/ptrace_scope", 0);
	uid_t owner = proc_owner(pid);
	buf_printf(text, "process %d may not be read", pid);
	if (problem == ENOSYS) {
		buf_add_text(text, ": the kernel has no process_vm_readv");
	} else if (geteuid() == 0) {
		buf_add_text(text, "; start the container with --cap-add SYS_PTRACE");
	} else if (owner != geteuid()) {
		buf_printf(text, "; it needs root, as it belongs to user %u", (unsigned)owner);
	} else if (scope > 0) {
		buf_printf(text,
			   ": kernel.yama.ptrace_scope is %lld; run it under 'inferno record -- "
			   "COMMAND', or run inferno as root, or 'sysctl "
			   "kernel.yama.ptrace_scope=0'",
			   (long long)scope);
	} else {
		buf_add_text(text, "; run inferno as root");
	}
}

static void samplers_on_refused(void *context, int32_t pid, int problem) {
	struct samplers *samplers = context;
	struct buf text = {0};
	if (problem == ESRCH) {
		return; // the process has ended
	}
	samplers_format_refusal(&text, pid, problem);
	pthread_mutex_lock(&samplers->lock);
	script_record_text(&samplers->facts, SCRIPTED_REFUSED, pid, (uint32_t)problem,
			   buf_str(&text));
	pthread_mutex_unlock(&samplers->lock);
	buf_release(&text);
}

void samplers_take_facts(struct samplers *samplers, struct buf *out) {
	pthread_mutex_lock(&samplers->lock);
	buf_add_str(out, buf_str(&samplers->facts));
	buf_clear(&samplers->facts);
	pthread_mutex_unlock(&samplers->lock);
}

struct samplers *samplers_new(const struct counters *counters, struct buf *out) {
	struct samplers *samplers = mem_new(1, sizeof(*samplers));
	samplers->counters = counters;
	atomic_store(&samplers->extends, counters_extends(counters->options));
	samplers->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	samplers->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	samplers->found = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&samplers->lock, NULL);
	samplers->scripts =
		scripts_new(&(struct scripts_listener){.named = samplers_on_name,
						       .found = samplers_on_found,
						       .refused = samplers_on_refused,
						       .context = samplers},
			    counters->options->code.lines, counters->options->code.debuginfod);
	for (size_t i = 0; scripts_language(i) != NULL; i++) {
		script_record_language(out, (uint32_t)i, scripts_language(i));
	}
	return samplers;
}

int samplers_fd(const struct samplers *samplers) {
	return samplers->wake;
}

void samplers_heed(struct samplers *samplers) {
	uint64_t ignored;
	(void)!read(samplers->wake, &ignored, sizeof(ignored));
}

void samplers_look(struct samplers *samplers, int32_t pid) {
	scripts_look(samplers->scripts, pid);
}

bool samplers_reads(const struct samplers *samplers, int32_t pid) {
	return scripts_reads(samplers->scripts, pid);
}

/* --- Records of processes, which the collecting thread sees ---------------------------------- */

/** The first fields of a record about a process that starts or ends, or that gets a name or a
 * mapping. */
struct sampler_record {
	struct perf_event_header header;
	uint32_t pid, second, third;
};

/** Return whether a record may show that a process has an interpreter. */
static bool samplers_is_of_process(const struct perf_event_header *header) {
	bool exec = header->type == PERF_RECORD_COMM &&
		    (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	return header->type == PERF_RECORD_MMAP2 || header->type == PERF_RECORD_FORK || exec;
}

void samplers_note(struct samplers *samplers, const char *record, size_t size) {
	enum { PATH_AT = 72 };
	struct sampler_record head;
	if (size < sizeof(head)) {
		return;
	}
	memcpy(&head, record, sizeof(head));
	int32_t pid = (int32_t)head.pid;
	if (head.header.type == PERF_RECORD_MMAP2 && size > PATH_AT) {
		struct str path = {record + PATH_AT, strnlen(record + PATH_AT, size - PATH_AT)};
		scripts_look_at(samplers->scripts, pid, path);
	} else if (head.header.type == PERF_RECORD_FORK && head.pid != head.second) {
		scripts_fork(samplers->scripts, (int32_t)head.second, pid);
	} else if ((head.header.type == PERF_RECORD_EXIT && head.pid == head.third) ||
		   (head.header.type == PERF_RECORD_COMM && samplers_is_of_process(&head.header))) {
		scripts_forget(samplers->scripts, pid, head.header.type == PERF_RECORD_COMM);
	}
}

/* --- The thread of a processor --------------------------------------------------------------- */

/** A sample that is being examined. */
struct sampler_sample {
	uint64_t place, after; // offsets of its start and its end in the ring
	int32_t pid, tid;
	uint64_t time;
	bool old; // whether a later sample of the same thread exists already
};

enum { SAMPLES_AT_ONCE = 16 };

/** Copy the start of a record. Return the size of the record, or 0 if it is invalid. */
static size_t samplers_copy_head(struct sampler *sampler, uint64_t place, uint64_t head,
				 void *bytes, size_t n) {
	const size_t page = sampler->samplers->rings->page;
	struct perf_event_header header;
	memcpy(&header,
	       ring_record_at(sampler->ring, page, place, sizeof(header), &sampler->joined),
	       sizeof(header));
	if (header.size < sizeof(header) || header.size > head - place) {
		return 0;
	}
	n = n < header.size ? n : header.size;
	memcpy(bytes, ring_record_at(sampler->ring, page, place, n, &sampler->joined), n);
	return header.size;
}

/** The first fields of all samples that the recorder takes. */
struct sampler_fields {
	struct perf_event_header header;
	uint64_t id, address;
	uint32_t pid, tid;
	uint64_t time;
};

/** List the new samples, at most SAMPLES_AT_ONCE. Set `*pressing` if a record shows that a process
 * may have an interpreter. Return the number of samples. */
static size_t samplers_list(struct sampler *sampler, uint64_t head, struct sampler_sample *samples,
			    bool *pressing) {
	size_t n = 0;
	while (sampler->seen < head && n < SAMPLES_AT_ONCE) {
		struct sampler_fields fields = {0};
		size_t size =
			samplers_copy_head(sampler, sampler->seen, head, &fields, sizeof(fields));
		if (size == 0) {
			sampler->seen = head; // the collecting thread counts the loss
			break;
		}
		if (fields.header.type == PERF_RECORD_SAMPLE) {
			samples[n++] = (struct sampler_sample){
				sampler->seen,       sampler->seen + size, (int32_t)fields.pid,
				(int32_t)fields.tid, fields.time,          false};
		}
		*pressing |= samplers_is_of_process(&fields.header);
		sampler->seen += size;
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			samples[i].old |= samples[i].tid == samples[j].tid;
		}
	}
	return n;
}

/** The first fields after the header of a context-switch record (PERF_RECORD_SWITCH). In a
 * PERF_RECORD_SWITCH_CPU_WIDE, from a counter of a whole processor, the ids of the other thread
 * come before these fields. */
struct sampler_switch {
	uint32_t pid, tid;
	uint64_t time;
};

/** Return the time of a record if the record is a switch of this thread. Otherwise return 0. Set
 * `*size` to the size of the record, or to 0 if it is invalid, and `*out` to whether the thread
 * stops. */
static uint64_t samplers_switch_time(struct sampler *sampler, uint64_t place, uint64_t head,
				     int32_t tid, size_t *size, bool *out) {
	struct {
		struct perf_event_header header;
		struct sampler_switch own, after_other;
	} record = {0};
	*size = samplers_copy_head(sampler, place, head, &record, sizeof(record));
	*out = (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	if (*size == 0 || (record.header.type != PERF_RECORD_SWITCH &&
			   record.header.type != PERF_RECORD_SWITCH_CPU_WIDE)) {
		return 0;
	}
	struct sampler_switch found = record.own;
	if (record.header.type == PERF_RECORD_SWITCH_CPU_WIDE) {
		memcpy(&found, (const char *)&record.own + sizeof(uint64_t), sizeof(found));
	}
	return (int32_t)found.tid == tid ? found.time : 0;
}

/** Return for how many nanoseconds a thread has run since a sample; or UINT64_MAX if a record is
 * invalid. Set `*again` if the thread still runs, or ran again after it had stopped. */
static uint64_t samplers_ran(struct sampler *sampler, const struct sampler_sample *sample,
			     bool *again) {
	uint64_t ran = 0,
		 since = sample->time; // `since`: start of its current run; 0: it is stopped
	struct timespec now;
	const struct perf_event_mmap_page *page =
		(const struct perf_event_mmap_page *)(const void *)sampler->ring->pages;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	size_t size;
	clock_gettime(CLOCK_MONOTONIC, &now);
	*again = false;
	for (uint64_t place = sample->after; place < head; place += size) {
		bool out;
		uint64_t time =
			samplers_switch_time(sampler, place, head, sample->tid, &size, &out);
		if (size == 0) {
			return UINT64_MAX;
		}
		if (time != 0) {
			ran += out && since != 0 ? time - since : 0;
			since = out ? 0 : time;
			*again |= !out;
		}
	}
	*again |= since != 0;
	uint64_t end = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return ran + (since != 0 && end > since ? end - since : 0);
}

/** Set the state of a complete stack. The state depends on how long the stack's thread ran between
 * the sample and the reading of the stack. */
static void samplers_check(struct sampler *sampler, const struct sampler_sample *sample,
			   enum script_state *state) {
	const uint64_t soon = 150000, late = 500000; // ns
	bool again;
	if (*state != SCRIPT_SNAPSHOT) {
		return;
	}
	uint64_t ran = samplers_ran(sampler, sample, &again);
	if (ran < soon && !again) {
		*state = SCRIPT_EXACT;
	} else if (sample->old || ran > late) {
		*state = SCRIPT_TORN; // by now the thread may run other functions
	}
}

/** Return where the stack of a thread ends, if this is known. Otherwise return `most`. */
static uint64_t samplers_end_of_stack(const struct sampler *sampler,
				      const struct sampler_sample *sample, uint64_t sp,
				      uint64_t most) {
	const struct sampler_end *end = &sampler->ends[(uint32_t)sample->tid % SAMPLER_ENDS];
	bool known = end->pid == sample->pid && end->tid == sample->tid && end->address > sp;
	return known && end->address < most ? end->address : most;
}

/** Find the end of a thread's stack. On x86_64, the C library puts a struct there that contains its
 * own address at two offsets. Such structs are aligned. */
static void samplers_find_end(struct sampler *sampler, const struct sampler_sample *sample,
			      uint64_t sp, struct str stack) {
	enum { ALIGNED = 64, SIZE = 24, OTHER = 8, AGAIN = 16 };
	for (uint64_t at = (ALIGNED - sp % ALIGNED) % ALIGNED; at + SIZE <= stack.n;
	     at += ALIGNED) {
		uint64_t own, other, again;
		memcpy(&own, stack.p + at, sizeof(own));
		memcpy(&other, stack.p + at + OTHER, sizeof(other));
		memcpy(&again, stack.p + at + AGAIN, sizeof(again));
		if (own == sp + at && again == own && other != own) {
			sampler->ends[(uint32_t)sample->tid % SAMPLER_ENDS] =
				(struct sampler_end){sample->pid, sample->tid, own};
			return;
		}
	}
}

/** If the kernel has copied only the innermost part of a stack, read the rest. The thread may have
 * run since the sample, so the last copied bytes are read, too, and compared. They are equal as
 * long as the thread has not returned to the functions whose frames are in the rest. */
static void samplers_extend(struct sampler *sampler, const struct sampler_sample *sample,
			    const struct stackcopy *copy, struct script_thread *thread) {
	enum { OVERLAP = 512 };
	struct samplers *samplers = sampler->samplers;
	const size_t wanted = samplers->counters->options->stack_size;
	struct remote remote = {.pid = sample->pid};
	const uint64_t sp = thread->registers[SCRIPT_SP];
	const size_t n = copy->n;
	if (!atomic_load(&samplers->extends) || n < copy->room || n >= wanted || n < OVERLAP ||
	    sp + wanted < sp) {
		return; // nothing is missing
	}
	uint64_t end = samplers_end_of_stack(sampler, sample, sp, sp + wanted);
	if (end <= sp + n) {
		return;
	}
	size_t size = (size_t)(end - sp) - n + OVERLAP;
	char *bytes = buf_room(&sampler->whole, n + size);
	memcpy(bytes, thread->copy.p, n);
	char last[OVERLAP];
	memcpy(last, bytes + n - OVERLAP, OVERLAP);
	const struct remote_piece piece = {sp + n - OVERLAP, bytes + n - OVERLAP, size};
	size_t got = remote_read_pieces(&remote, &piece, 1);
	if (remote.problem == EPERM) {
		atomic_store(&samplers->extends, false);
	}
	if (got <= OVERLAP || memcmp(last, bytes + n - OVERLAP, OVERLAP) != 0) {
		return;
	}
	thread->copy =
		(struct str){bytes, (n + got - OVERLAP) / sizeof(uint64_t) * sizeof(uint64_t)};
	sampler->more = str_from(thread->copy, n);
	samplers_find_end(sampler, sample, sp, thread->copy);
}

/** Find the registers and the copied stack in a sample. Registers and copy are valid until the next
 * record is examined. Return false if the sample lacks one of them. */
static bool samplers_find_copy(struct sampler *sampler, const struct sampler_sample *sample,
			       struct script_thread *thread) {
	const struct rings *rings = sampler->samplers->rings;
	const struct perf_event_attr *attr = rings->attr;
	struct stackcopy copy;
	size_t size = (size_t)(sample->after - sample->place);
	const char *record =
		ring_record_at(sampler->ring, rings->page, sample->place, size, &sampler->joined);
	if (!stackcopy_find(attr, record, size, &copy) || copy.registers == 0) {
		return false;
	}
	const char *next = record + copy.registers;
	for (unsigned i = 0; i < SCRIPT_REGISTERS; i++) {
		if ((attr->sample_regs_user >> i & 1) != 0) {
			memcpy(&thread->registers[i], next, sizeof(thread->registers[i]));
			next += sizeof(thread->registers[i]);
		}
	}
	thread->has_registers = true;
	thread->copy = (struct str){record + copy.at + sizeof(uint64_t), copy.n};
	samplers_extend(sampler, sample, &copy, thread);
	return true;
}

/** Return the processor time that this thread has used, in nanoseconds. */
static uint64_t samplers_used(void) {
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/** Add an item, its frames and its bytes of the native stack to the queue. */
static void samplers_queue(struct sampler *sampler, const struct sampled *sampled) {
	pthread_mutex_lock(&sampler->lock);
	if (sampler->taken == sampler->queue.n) {
		buf_clear(&sampler->queue);
		sampler->taken = 0;
	}
	buf_add(&sampler->queue, sampled, sizeof(*sampled));
	buf_add(&sampler->queue, sampler->stack.frames,
		sampled->n * sizeof(*sampler->stack.frames));
	buf_add(&sampler->queue, sampler->more.p, sampled->more);
	pthread_mutex_unlock(&sampler->lock);
}

/** Read the script stack of the thread that a sample is from. `counts_for` is the number of samples
 * that this sample counts for. */
static void samplers_read(struct sampler *sampler, const struct sampler_sample *sample,
			  uint32_t counts_for) {
	struct script_thread thread = {.tid = sample->tid};
	struct script_stack *stack = &sampler->stack;
	unsigned language = 0;
	const struct record_options *options = sampler->samplers->counters->options;
	sampler->more = STR("");
	if (!samplers_find_copy(sampler, sample, &thread) && record_counts_io(options) &&
	    options->chains == RECORD_DWARF) {
		return; // this is the start of a system call; only its end needs a stack
	}
	enum script_state state = scripts_read(sampler->samplers->scripts, sample->pid, &thread,
					       sample->time, stack, &language);
	if (state == SCRIPT_NONE && counts_for == 1 && sampler->more.n == 0) {
		return;
	}
	samplers_check(sampler, sample, &state);
	stack->lock = state == SCRIPT_TORN ? SCRIPT_LOCK_UNKNOWN : stack->lock;
	stack->n = state == SCRIPT_TORN || state == SCRIPT_NONE ? 0 : stack->n;
	const struct sampled sampled = {.place = sample->place,
					.state = state,
					.language = language,
					.n = (uint32_t)stack->n,
					.cut = stack->cut,
					.lock = stack->lock,
					.counts_for = counts_for,
					.more = (uint32_t)sampler->more.n};
	samplers_queue(sampler, &sampled);
}

/** Read the script stack of a sample, or leave the sample out if reading takes too much time. */
static void samplers_spend(struct sampler *sampler, const struct sampler_sample *sample) {
	struct samplers *samplers = sampler->samplers;
	if (!samplers->weighs || !scripts_reads(samplers->scripts, sample->pid)) {
		samplers_read(sampler, sample, 1);
		return;
	}
	uint32_t counts_for = budget_next(&sampler->budget);
	sampler->sampled += samplers->per_sample;
	if (counts_for == 0) {
		samplers_queue(sampler, &(struct sampled){.place = sample->place});
		return;
	}
	uint64_t before = samplers_used();
	samplers_read(sampler, sample, counts_for);
	budget_spend(&sampler->budget, samplers->per_sample > 0 ? sampler->sampled : sample->time,
		     samplers_used() - before);
}

/** Examine the new records. Wake the collecting thread if a process may have an interpreter, or if
 * a quarter of the ring is full. */
static void samplers_look_at_ring(struct sampler *sampler) {
	const struct perf_event_mmap_page *page =
		(const struct perf_event_mmap_page *)(const void *)sampler->ring->pages;
	struct sampler_sample samples[SAMPLES_AT_ONCE];
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	bool pressing = false;
	while (sampler->seen < head) {
		size_t n = samplers_list(sampler, head, samples, &pressing);
		for (size_t i = 0; i < n; i++) {
			samplers_spend(sampler, &samples[i]);
		}
		head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	}
	uint64_t tail = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE);
	if (pressing || head - tail >= sampler->ring->size / 4) {
		const uint64_t one = 1;
		(void)!write(sampler->samplers->wake, &one, sizeof(one));
	}
}

/** The counter of a ring has ended. Return the descriptor of another counter that writes into the
 * ring, or -1. */
static int samplers_next_fd(const struct sampler *sampler) {
	const struct counters *counters = sampler->samplers->counters;
	for (size_t i = 0; i < counters->n; i++) {
		const struct counter *counter = &counters->items[i];
		struct pollfd polled = {.fd = counter->fd, .events = POLLIN};
		bool same = counter->cpu == sampler->ring->cpu &&
			    (counter->cpu >= 0 || counter->tid == sampler->ring->tid);
		if (same && counter->fd >= 0 && poll(&polled, 1, 0) >= 0 &&
		    (polled.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0) {
			return counter->fd;
		}
	}
	return -1;
}

/** Bind this thread to the processor of its ring. If allowed, give it priority over the threads
 * that are sampled there. */
static void samplers_settle(const struct sampler *sampler) {
	const struct sched_param first = {.sched_priority = 1};
	cpu_set_t *cpus = CPU_ALLOC((size_t)sampler->ring->cpu + 1);
	size_t size = CPU_ALLOC_SIZE((size_t)sampler->ring->cpu + 1);
	if (cpus != NULL && sampler->ring->cpu >= 0) {
		CPU_ZERO_S(size, cpus);
		CPU_SET_S((size_t)sampler->ring->cpu, size, cpus);
		(void)sched_setaffinity(0, size, cpus);
	}
	CPU_FREE(cpus);
	if (sched_setscheduler(0, SCHED_FIFO, &first) != 0) {
		pressure_hurry();
	}
}

/** Wait for a sample. As long as no process has an interpreter, wait for a short time instead,
 * because samples would wake this thread for nothing. */
static void samplers_wait(struct sampler *sampler) {
	enum { PATIENCE = 100, MEANWHILE = 20, WITHOUT_EVENTS = 2 }; // ms
	struct samplers *samplers = sampler->samplers;
	bool reads = atomic_load(&samplers->reads);
	struct pollfd polled[] = {{.fd = reads ? sampler->fd : samplers->found, .events = POLLIN},
				  {.fd = samplers->stop, .events = POLLIN}};
	(void)poll(polled, 2, !reads ? MEANWHILE : sampler->fd < 0 ? WITHOUT_EVENTS : PATIENCE);
	if ((polled[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
		sampler->fd = samplers_next_fd(sampler);
	}
}

static void *samplers_run(void *context) {
	struct sampler *sampler = context;
	samplers_settle(sampler);
	while (!atomic_load(&sampler->samplers->stopping)) {
		samplers_wait(sampler);
		pthread_mutex_lock(&sampler->looks);
		samplers_look_at_ring(sampler);
		pthread_mutex_unlock(&sampler->looks);
	}
	return NULL;
}

/** Return whether a sample may count for others. It may in a recording of on-CPU time, without
 * waits for I/O, if all events are sampled at a rate or after a period, so that each sample is one
 * of many. */
static bool samplers_may_weigh(const struct counters *counters) {
	const struct record_options *options = counters->options;
	bool may = options->time == RECORD_ON_CPU && !record_counts_io(options);
	for (unsigned i = 0; i < counters->asked; i++) {
		const struct perf_event_attr *attr = &counters->attrs[i];
		may = may && (attr->sample_type & PERF_SAMPLE_PERIOD) != 0 &&
		      (attr->freq || attr->sample_period > 1);
	}
	return may;
}

/** Return for how many nanoseconds a thread runs between two samples; or 0 if this is not known. */
static uint64_t samplers_time_per_sample(const struct counters *counters) {
	const double second = 1e9;
	const struct perf_event_attr *attr = &counters->attrs[0];
	if (counters->asked > 1 || !counters_count_time(counters)) {
		return 0;
	}
	return attr->freq                         ? (uint64_t)(second / (double)attr->sample_freq)
	       : attr->type == PERF_TYPE_SOFTWARE ? attr->sample_period
						  : 0;
}

void samplers_start(struct samplers *samplers, const struct rings *rings) {
	samplers->rings = rings;
	samplers->weighs = samplers_may_weigh(samplers->counters);
	samplers->per_sample = samplers_time_per_sample(samplers->counters);
	samplers->n = rings->n;
	samplers->items = mem_new(rings->n + 1, sizeof(*samplers->items));
	for (size_t i = 0; i < rings->n; i++) {
		struct sampler *sampler = &samplers->items[i];
		sampler->samplers = samplers;
		sampler->ring = &rings->items[i];
		sampler->fd = rings->items[i].fd;
		sampler->stack.frames = mem_new(SCRIPT_DEPTH_MOST, sizeof(*sampler->stack.frames));
		pthread_mutex_init(&sampler->lock, NULL);
		pthread_mutex_init(&sampler->looks, NULL);
		sampler->runs = pthread_create(&sampler->thread, NULL, samplers_run, sampler) == 0;
	}
}

/** Report how many samples were left out, and how to read all. */
static void samplers_note_left_out(struct samplers *samplers) {
	enum { ROUNDED = 10 };
	const struct perf_event_attr *attr = &samplers->counters->attrs[0];
	struct buf text = {0};
	uint64_t all = 0, left_out = 0, widest = 1;
	for (size_t i = 0; i < samplers->n; i++) {
		const struct budget *budget = &samplers->items[i].budget;
		all += budget->read + budget->left_out;
		left_out += budget->left_out;
		widest = budget->widest > widest ? budget->widest : widest;
	}
	if (left_out == 0) {
		return;
	}
	uint64_t rate = attr->sample_freq / widest;
	rate = rate > ROUNDED ? rate / ROUNDED * ROUNDED : rate + (rate == 0);
	buf_printf(&text,
		   "reading all stacks would take more than %d%% of the program's time, so %llu of "
		   "%llu samples were left out, and the others count for them; to read all, use ",
		   BUDGET_PERCENT, (unsigned long long)left_out, (unsigned long long)all);
	if (attr->freq) {
		buf_printf(&text, "--freq %llu", (unsigned long long)rate);
	} else {
		buf_add_text(&text, "a larger --period");
	}
	script_record_text(&samplers->facts, SCRIPTED_LEFT_OUT, 0, 0, buf_str(&text));
	buf_release(&text);
}

void samplers_stop(struct samplers *samplers) {
	const uint64_t one = 1;
	if (atomic_exchange(&samplers->stopping, true)) {
		return;
	}
	(void)!write(samplers->stop, &one, sizeof(one));
	for (size_t i = 0; i < samplers->n; i++) {
		if (samplers->items[i].runs) {
			pthread_join(samplers->items[i].thread, NULL);
			samplers->items[i].runs = false;
			samplers_look_at_ring(&samplers->items[i]);
		}
	}
	samplers_note_left_out(samplers);
}

/* --- Taking the stacks ----------------------------------------------------------------------- */

/** Return whether there is a sample among the unexamined records before `head`. */
static bool samplers_has_sample(struct sampler *sampler, uint64_t head) {
	struct perf_event_header header = {0};
	size_t size;
	for (uint64_t place = sampler->seen; place < head; place += size) {
		size = samplers_copy_head(sampler, place, head, &header, sizeof(header));
		if (size == 0 || header.type == PERF_RECORD_SAMPLE) {
			return size > 0;
		}
	}
	return false;
}

uint64_t samplers_limit(struct samplers *samplers, size_t ring, uint64_t head) {
	enum { TRIES = 8, BETWEEN_NS = 250000 };
	struct sampler *sampler = &samplers->items[ring];
	if (!sampler->runs) {
		return UINT64_MAX;
	}
	for (int i = 0; i < TRIES; i++) {
		pthread_mutex_lock(&sampler->looks);
		bool waits = i + 1 < TRIES && atomic_load(&samplers->reads) &&
			     samplers_has_sample(sampler, head);
		if (!waits) {
			samplers_look_at_ring(sampler);
		}
		uint64_t seen = sampler->seen;
		pthread_mutex_unlock(&sampler->looks);
		if (!waits) {
			return seen;
		}
		nanosleep(&(struct timespec){.tv_nsec = BETWEEN_NS}, NULL);
	}
	return 0; // not reached
}

/** Return the size of an item in the queue. */
static size_t samplers_size(const struct sampled *sampled) {
	return sizeof(*sampled) + sampled->n * sizeof(struct script_frame) + sampled->more;
}

bool samplers_extends(const struct samplers *samplers) {
	return atomic_load(&samplers->reads) && atomic_load(&samplers->extends);
}

void samplers_extend_no_more(struct samplers *samplers) {
	atomic_store(&samplers->extends, false);
}

uint32_t samplers_take(struct samplers *samplers, size_t ring, uint64_t place, const char *record,
		       struct buf *out, struct buf *more) {
	struct sampler *sampler = &samplers->items[ring];
	struct sampler_fields fields;
	struct sampled sampled = {0};
	uint32_t counts_for = 1;
	memcpy(&fields, record, sizeof(fields));
	pthread_mutex_lock(&sampler->lock);
	while (sampler->taken < sampler->queue.n) {
		memcpy(&sampled, sampler->queue.p + sampler->taken, sizeof(sampled));
		if (sampled.place >= place) {
			break;
		}
		sampler->taken += samplers_size(&sampled);
	}
	bool found = sampler->taken < sampler->queue.n && sampled.place == place;
	if (found) {
		counts_for = sampled.counts_for;
	}
	if (found && sampled.state != SCRIPT_NONE) {
		static const enum scripted_state states[] = {[SCRIPT_EXACT] = SCRIPTED_EXACT,
							     [SCRIPT_SNAPSHOT] = SCRIPTED_SNAPSHOT,
							     [SCRIPT_TORN] = SCRIPTED_TORN};
		const struct synth_at at = {(int32_t)fields.pid, (int32_t)fields.tid, fields.time};
		struct script_stack stack = {
			.frames = (struct script_frame *)(void *)(sampler->queue.p +
								  sampler->taken + sizeof(sampled)),
			.n = sampled.n,
			.cut = sampled.cut != 0,
			.lock = (enum script_lock)sampled.lock};
		samplers_take_facts(samplers, out);
		script_record_stack(out, &at, states[sampled.state], sampled.language, &stack);
	}
	if (found) {
		sampler->taken += samplers_size(&sampled);
		buf_add(more, sampler->queue.p + sampler->taken - sampled.more, sampled.more);
	}
	pthread_mutex_unlock(&sampler->lock);
	return counts_for;
}

void samplers_free(struct samplers *samplers) {
	if (samplers == NULL) {
		return;
	}
	samplers_stop(samplers);
	for (size_t i = 0; i < samplers->n; i++) {
		struct sampler *sampler = &samplers->items[i];
		buf_release(&sampler->queue);
		buf_release(&sampler->joined);
		buf_release(&sampler->whole);
		free(sampler->stack.frames);
		pthread_mutex_destroy(&sampler->lock);
		pthread_mutex_destroy(&sampler->looks);
	}
	scripts_free(samplers->scripts);
	buf_release(&samplers->facts);
	pthread_mutex_destroy(&samplers->lock);
	close(samplers->wake);
	close(samplers->stop);
	close(samplers->found);
	free(samplers->items);
	free(samplers);
}
