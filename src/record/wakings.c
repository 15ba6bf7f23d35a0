/* The event of one thread waking another. */
#include "record/wakings.h"

#include <stdlib.h>

#include "base/read.h"
#include "record/proc.h"
#include "record/root.h"
#include "record/tracefs.h"
#include "record/tracepoints.h"

/** Add the text of a file below the folder with the tracepoints; or nothing if it cannot be
 * read. */
static void wakings_read_tracing(const struct record_options *options, const char *path,
				 struct buf *text) {
	enum { MOST = 1 << 20 };
	int fd = options->root != NULL ? root_tracing(options->root, path)
				       : tracefs_open(NULL, path);
	proc_note(path, read_and_close(fd, MOST, text));
}

/** Return the kernel's id of the tracepoint; or 0 if the id cannot be read. */
static uint64_t wakings_read_number(const struct record_options *options) {
	struct buf text = {0};
	wakings_read_tracing(options, "sched/sched_waking/id", &text);
	uint64_t number = strtoull(buf_text(&text), NULL, 10);
	buf_release(&text);
	return number;
}

bool wakings_make(struct perf_event_attr *attr, const struct record_options *options) {
	enum { STACK_MOST = 16384 };
	const uint64_t stacks =
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	uint64_t number = wakings_read_number(options);
	if (number == 0) {
		return false;
	}
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = number;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->precise_ip = 0;
	attr->context_switch = 0;
	attr->inherit = attr->inherit_stat = 0; // the counter counts all threads
	attr->enable_on_exec = 0;
	attr->disabled = options->program == NULL || record_starts_late(options);
	attr->exclude_idle = 0; // timers wake threads even while no thread runs
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

void wakings_describe(struct buf *out, const struct record_options *options) {
	const struct event_places places = {.root = options->root};
	struct record_event event = {.tracepoint = WAKINGS_NAME,
				     .attr = {.type = PERF_TYPE_TRACEPOINT}};
	struct record_events events = {.items = &event, .n = 1};
	tracepoints_describe(&places, &events);
	buf_add_str(out, buf_str(&events.tracing));
	buf_release(&events.tracing);
}
