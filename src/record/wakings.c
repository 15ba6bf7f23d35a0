/* The event that one thread wakes another. */
#include "record/wakings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/records.h"
#include "record/made.h"
#include "record/root.h"
#include "record/tracefs.h"

/** Read a file below the folder with the tracepoints; nothing if it is not shown. */
static void read_tracing(const struct record_options *options, const char *path, struct buf *text) {
	enum { PART = 4096 };
	int fd = options->root != NULL ? root_tracing(options->root, path)
				       : tracefs_open(NULL, path);
	ssize_t n = fd < 0 ? 0 : 1;
	while (n > 0) {
		n = read(fd, buf_room(text, PART), PART);
		text->n += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
}

/** Return the number of the tracepoint; 0 if it is not shown. */
static uint64_t read_number(const struct record_options *options) {
	struct buf text = {0};
	read_tracing(options, "sched/sched_waking/id", &text);
	uint64_t number = strtoull(buf_text(&text), NULL, 10);
	buf_release(&text);
	return number;
}

bool wakings_make(struct perf_event_attr *attr, const struct record_options *options) {
	enum { STACK_MOST = 16384 };
	const uint64_t stacks =
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	uint64_t number = read_number(options);
	if (number == 0) {
		return false;
	}
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = number;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->precise_ip = 0;
	attr->context_switch = 0;
	attr->exclude_idle = 0; // a timer wakes threads while nothing runs
	attr->sample_type |= PERF_SAMPLE_RAW;
	if (!options->wakers) {
		attr->sample_type &= ~stacks;
		attr->sample_regs_user = attr->sample_stack_user = 0;
		attr->exclude_callchain_user = 0;
	} else if (attr->sample_stack_user > STACK_MOST) {
		attr->sample_stack_user = STACK_MOST;
	}
	return true;
}

/** Add a text with its NUL. */
static void add_name(struct buf *out, const char *name) {
	buf_add(out, name, strlen(name) + 1);
}

/** Add a file with its size before it. */
static void add_file(struct buf *out, const struct record_options *options, const char *path) {
	struct buf text = {0};
	read_tracing(options, path, &text);
	made_u64(out, text.n);
	buf_add(out, text.p, text.n);
	buf_release(&text);
}

void wakings_describe(struct buf *out, const struct record_options *options) {
	static const char magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const uint16_t one = 1;
	struct buf data = {0};
	buf_add(&data, magic, sizeof(magic));
	add_name(&data, "0.6");                                // the version of this form
	buf_add_char(&data, *(const char *)&one == 1 ? 0 : 1); // the order of bytes
	buf_add_char(&data, sizeof(long));
	made_u32(&data, (uint32_t)sysconf(_SC_PAGESIZE));
	add_name(&data, "header_page");
	add_file(&data, options, "header_page");
	add_name(&data, "header_event");
	add_file(&data, options, "header_event");
	made_u32(&data, 0); // events of the function tracer
	made_u32(&data, 1); // systems
	add_name(&data, "sched");
	made_u32(&data, 1); // events in it
	add_file(&data, options, "sched/sched_waking/format");
	made_u32(&data, 0); // symbols of the kernel
	made_u32(&data, 0); // formats of its messages
	made_u64(&data, 0); // names of threads
	made_zeros(&data, (8 - data.n % 8) % 8);
	size_t start = made_begin(out, RECORD_TRACING_DATA, 0);
	made_u32(out, (uint32_t)data.n);
	struct perf_event_header head;
	memcpy(&head, out->p + start, sizeof(head));
	head.size = (uint16_t)(out->n - start); // without what follows
	memcpy(out->p + start, &head, sizeof(head));
	buf_add(out, data.p, data.n);
	buf_release(&data);
}
