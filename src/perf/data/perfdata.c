/* Read a recording in the order of time. */
#include "perf/data/perfdata.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "perf/data/chain.h"
#include "perf/data/header.h"
#include "perf/data/order.h"
#include "perf/data/parts.h"
#include "perf/data/sample_fields.h"

struct perfdata {
	struct input *input;
	struct diag *diag;
	struct header header;
	struct perfdata_events events;
	bool named; // events_finish() was called after the last change
	struct features features;
	struct symbols *symbols;
	struct machine machine;
	struct records records;
	struct parts parts; // further files of a recording in several files
	struct order order;
	struct chains chains;
	struct perfdata_quality quality;
	const struct perfdata_consumer *consumer;
	struct sample_words chain;   // call chain of the current sample
	struct sample_fields fields; // fields of the current sample
	uint64_t read;               // number of records that were read
	int32_t starting;            // process that will become the program; 0: it has done so
	time_t shown;                // time when progress was last shown
};

/* --- Records of the kernel, in the order of time -------------------------------------------- */

/** A record that is being processed, with the state of its reading. */
struct turn {
	struct perfdata *data;
	const struct record *record;
	struct perfdata_event *event;
	struct cursor body;
};

static int perfdata_on_mmap(struct turn *turn) {
	struct cursor *body = &turn->body;
	struct mapped mapped = {0};
	mapped.pid = (int32_t)cursor_u32(body);
	cursor_u32(body);
	mapped.start = cursor_u64(body);
	mapped.size = cursor_u64(body);
	mapped.offset = cursor_u64(body);
	mapped.executable = (turn->record->misc & MISC_MMAP_DATA) == 0;
	if (turn->record->type == RECORD_MMAP2) {
		enum { PROTECTION_EXECUTE = 4, FILE_ID = 24 };
		struct cursor id = {.swap = body->swap};
		struct str bytes = cursor_take(body, FILE_ID);
		id.p = bytes.p;
		id.n = bytes.n;
		if ((turn->record->misc & MISC_MMAP_BUILD_ID) != 0) {
			struct str size = cursor_take(&id, 4);
			mapped.build_id.size = size.n == 0 ? 0 : (uint8_t)size.p[0];
			if (mapped.build_id.size > BUILD_ID_MAX) {
				mapped.build_id.size = BUILD_ID_MAX;
			}
			struct str build_id = cursor_take(&id, mapped.build_id.size);
			memcpy(mapped.build_id.bytes, build_id.p, build_id.n);
		} else {
			mapped.id.major = cursor_u32(&id);
			mapped.id.minor = cursor_u32(&id);
			mapped.id.inode = cursor_u64(&id);
			mapped.id.generation = cursor_u64(&id);
		}
		mapped.executable = (cursor_u32(body) & PROTECTION_EXECUTE) != 0;
		cursor_u32(body);
	}
	mapped.path = cursor_text((struct str){body->p, body->n});
	mapped.path = str_to(mapped.path, mapped.path.n < PATH_MAX ? mapped.path.n : PATH_MAX);
	unsigned mode = turn->record->misc & MODE_MASK;
	mapped.in_kernel = mode == MODE_KERNEL;
	if (!body->failed && (mode == MODE_KERNEL || mode == MODE_USER)) {
		machine_map(&turn->data->machine, &mapped);
		if (!mapped.in_kernel) {
			machine_thread(&turn->data->machine, mapped.pid, mapped.pid)
				->process->execs = false;
		}
	}
	return 0;
}

/** Return the time of a record that is not a sample, or 0 if it has no time. */
static uint64_t perfdata_time_of(const struct turn *turn) {
	return event_time(turn->event, false, turn->record->body, turn->body.swap);
}

/** Pass a change of a thread to the consumer. Leave out records without a time, which perf itself
 * has written. */
static int perfdata_report(struct turn *turn, enum perfdata_change change, int32_t pid,
			   int32_t tid) {
	struct perfdata *data = turn->data;
	uint64_t time = perfdata_time_of(turn);
	if (data->consumer->switched == NULL || time == 0 || time == UINT64_MAX) {
		return 0;
	}
	const struct perfdata_switch report = {
		.change = change,
		.time = time,
		.pid = pid,
		.tid = tid,
		.thread = machine_thread(&data->machine, pid, tid),
	};
	return data->consumer->switched(data->consumer->context, &report);
}

static int perfdata_on_comm(struct turn *turn) {
	int32_t pid = (int32_t)cursor_u32(&turn->body), tid = (int32_t)cursor_u32(&turn->body);
	struct str comm = cursor_text((struct str){turn->body.p, turn->body.n});
	if (turn->body.failed) {
		return 0;
	}
	if ((turn->record->misc & MISC_COMM_STARTING) != 0) {
		turn->data->starting = pid;
	} else if (pid == turn->data->starting && (turn->record->misc & MISC_COMM_EXEC) != 0) {
		turn->data->starting = 0;
	}
	machine_comm(&turn->data->machine, pid, tid, comm);
	if ((turn->record->misc & MISC_COMM_EXEC) == 0) {
		return 0;
	}
	machine_new_stack(&turn->data->machine, pid, tid);
	machine_thread(&turn->data->machine, pid, tid)->process->execs = true;
	return perfdata_report(turn, CHANGE_EXEC, pid, tid);
}

static int perfdata_on_task(struct turn *turn) {
	int32_t pid = (int32_t)cursor_u32(&turn->body), parent = (int32_t)cursor_u32(&turn->body);
	int32_t tid = (int32_t)cursor_u32(&turn->body),
		parent_tid = (int32_t)cursor_u32(&turn->body);
	if (turn->body.failed) {
		return 0;
	}
	if (turn->record->type == RECORD_EXIT) {
		// If the new program has the rights of another user, the kernel removes the
		// counters of the thread before the new program is mapped.
		const struct thread *thread = machine_thread(&turn->data->machine, pid, tid);
		if (thread->process->execs && pid == tid) {
			turn->data->quality.barred = thread;
		}
		int result = perfdata_report(turn, CHANGE_EXIT, pid, tid);
		machine_exit(&turn->data->machine, pid, tid);
		return result;
	}
	machine_fork(&turn->data->machine, pid, tid, parent, parent_tid,
		     (turn->record->misc & MISC_FORK_EXEC) != 0);
	return perfdata_report(turn, CHANGE_BORN, pid, tid);
}

static int perfdata_on_switch(struct turn *turn) {
	struct sample_fields fields = {.pid = -1, .tid = -1};
	enum { PREEMPTED = MISC_SWITCH_OUT | MISC_SWITCH_PREEMPTED };
	unsigned how = turn->record->misc & PREEMPTED;
	enum perfdata_change change = how == PREEMPTED         ? CHANGE_PREEMPTED
				      : how == MISC_SWITCH_OUT ? CHANGE_STOPS
							       : CHANGE_RUNS;
	sample_read_trailer(turn->event, turn->record->body, turn->body.swap, &fields);
	return perfdata_report(turn, change, fields.pid, fields.tid);
}

static int perfdata_on_lost(struct turn *turn) {
	if (turn->record->type == RECORD_LOST) {
		cursor_u64(&turn->body); // skip the id
	}
	turn->data->quality.lost += cursor_u64(&turn->body);
	return 0;
}

static int perfdata_on_ksymbol(struct turn *turn) {
	uint64_t start = cursor_u64(&turn->body);
	uint32_t size = cursor_u32(&turn->body);
	cursor_u16(&turn->body); // skip the type
	bool gone = (cursor_u16(&turn->body) & 1) != 0;
	struct str name = cursor_text((struct str){turn->body.p, turn->body.n});
	if (!turn->body.failed && start == MARK_SHORTENED) {
		turn->data->quality.shortened = perfdata_time_of(turn);
	} else if (!turn->body.failed) {
		machine_ksymbol(&turn->data->machine, name, start, size, gone);
	}
	return 0;
}

static int perfdata_hand_over(struct perfdata *data, struct perfdata_sample *sample) {
	data->quality.truncated += sample->root == ROOT_CUT || sample->root == ROOT_LIMITED;
	data->quality.limited += sample->root == ROOT_LIMITED;
	data->quality.other_stack += sample->root == ROOT_OTHER_STACK;
	int result = data->consumer->sample(data->consumer->context, sample);
	return diag_is_interrupted(data->diag) ? diag_error(data->diag, "interrupted") : result;
}

static void perfdata_count_broken(struct perfdata *data, const struct record *record) {
	uint64_t at = record_offset(record);
	if (data->quality.broken++ == 0 || at < data->quality.broken_at) {
		data->quality.broken_at = at;
	}
}

static int perfdata_on_sample(struct turn *turn) {
	struct perfdata *data = turn->data;
	struct sample_fields *fields = &data->fields;
	data->quality.samples++;
	turn->event->samples++;
	if (!sample_read(turn->event, turn->record->body, turn->body.swap, fields, &data->chain)) {
		perfdata_count_broken(data, turn->record);
		return 0;
	}
	if (fields->pid == data->starting && data->starting != 0) {
		data->quality.samples--;
		turn->event->samples--;
		return 0;
	}
	struct thread *thread = machine_thread(&data->machine, fields->pid, fields->tid);
	struct perfdata_sample sample = {
		.event = turn->event,
		.time = fields->time,
		.period = fields->period,
		.ip = fields->ip,
		.pid = fields->pid,
		.tid = fields->tid,
		.cpu = fields->cpu,
		.thread = thread,
		.has_chain = (turn->event->sample_type & SAMPLE_CALLCHAIN) != 0,
		.raw = fields->raw,
	};
	unsigned mode = turn->record->misc & MODE_MASK;
	return chains_make(&data->chains, &sample, fields, mode, &data->chain)
		       ? perfdata_hand_over(data, &sample)
		       : 0;
}

static int perfdata_hand_over_late(void *context, struct perfdata_sample *sample) {
	return perfdata_hand_over(context, sample);
}

/** Read a record with the frames in user space of earlier call chains. */
static int perfdata_on_deferred(struct turn *turn) {
	struct perfdata *data = turn->data;
	struct sample_fields fields = {.pid = -1, .tid = -1};
	uint64_t cookie = cursor_u64(&turn->body), n = cursor_u64(&turn->body);
	struct str ips = cursor_take_items(&turn->body, n, sizeof(uint64_t));
	sample_read_trailer(turn->event, turn->record->body, turn->body.swap, &fields);
	return chains_complete(&data->chains, fields.tid, cookie, ips, turn->body.swap,
			       perfdata_hand_over_late, data);
}

/** Pass to the consumer the time that a thread has waited for a processor. */
static int perfdata_report_delay(struct turn *turn, int32_t pid, int32_t tid, uint64_t delay) {
	struct perfdata *data = turn->data;
	const struct perfdata_switch report = {.change = CHANGE_DELAYED,
					       .time = perfdata_time_of(turn),
					       .pid = pid,
					       .tid = tid,
					       .thread = machine_thread(&data->machine, pid, tid),
					       .delay = delay};
	return data->consumer->switched == NULL
		       ? 0
		       : data->consumer->switched(data->consumer->context, &report);
}

/** Pass to the consumer the script functions that were read in a process with an interpreter. */
static int perfdata_report_scripted(struct turn *turn) {
	struct perfdata *data = turn->data;
	struct scripted scripted;
	if (data->consumer->scripted == NULL || !scripted_read(&turn->body, &scripted)) {
		return 0;
	}
	scripted.time = perfdata_time_of(turn);
	return data->consumer->scripted(data->consumer->context, &scripted);
}

/** Pass to the consumer the count of an event in a thread that has ended, or in all threads. */
static int perfdata_on_read(struct turn *turn) {
	struct perfdata *data = turn->data;
	unsigned misc = turn->record->misc;
	if ((misc & MISC_READ_SCRIPT) != 0) {
		return perfdata_report_scripted(turn);
	}
	int32_t pid = (int32_t)cursor_u32(&turn->body), tid = (int32_t)cursor_u32(&turn->body);
	uint64_t count = cursor_u64(&turn->body);
	if (!turn->body.failed && (misc & MISC_READ_DELAY) != 0) {
		return perfdata_report_delay(turn, pid, tid, count);
	}
	if (turn->body.failed || data->consumer->used == NULL) {
		return 0;
	}
	const struct perfdata_used used = {
		.event = turn->event,
		.pid = pid,
		.tid = tid,
		.thread = machine_thread(&data->machine, pid, tid),
		.count = count,
		.is_total = (misc & MISC_READ_TOTAL) != 0,
		.reason = (enum perfdata_reason)((misc & MISC_READ_REASONS) >> MISC_READ_REASON_AT),
	};
	return data->consumer->used(data->consumer->context, &used);
}

typedef int record_handler(struct turn *turn);
static record_handler *const handlers[RECORD_FIRST_OF_PERF] = {
	[RECORD_MMAP] = perfdata_on_mmap,
	[RECORD_LOST] = perfdata_on_lost,
	[RECORD_COMM] = perfdata_on_comm,
	[RECORD_EXIT] = perfdata_on_task,
	[RECORD_FORK] = perfdata_on_task,
	[RECORD_READ] = perfdata_on_read,
	[RECORD_SAMPLE] = perfdata_on_sample,
	[RECORD_MMAP2] = perfdata_on_mmap,
	[RECORD_LOST_SAMPLES] = perfdata_on_lost,
	[RECORD_SWITCH] = perfdata_on_switch,
	[RECORD_SWITCH_CPU_WIDE] = perfdata_on_switch,
	[RECORD_KSYMBOL] = perfdata_on_ksymbol,
	[RECORD_CALLCHAIN_DEFERRED] = perfdata_on_deferred,
};

static struct perfdata_event *perfdata_event_of(struct perfdata *data,
						const struct record *record) {
	bool swap = data->header.swap;
	return record->type == RECORD_SAMPLE ? events_of_sample(&data->events, record->body, swap)
					     : events_of_other(&data->events, record->body, swap);
}

static int perfdata_deliver(struct perfdata *data, const struct record *record) {
	struct turn turn = {
		.data = data, .record = record, .event = perfdata_event_of(data, record)};
	if (turn.event == NULL) {
		if (record->type == RECORD_SAMPLE) {
			perfdata_count_broken(data, record);
		}
		return 0;
	}
	turn.body = (struct cursor){record->body.p, record->body.n, data->header.swap, false};
	return handlers[record->type](&turn);
}

/** Process all records that order_next() returns. */
static int perfdata_drain(struct perfdata *data) {
	int result = 0;
	const struct order_item *item;
	while ((item = order_next(&data->order)) != NULL) {
		result = result == 0 ? perfdata_deliver(data, &item->record) : result;
		chunk_let_go(&data->records, item->record.chunk);
	}
	return result;
}

/** Finish the list of events before the first record that needs an event. The record is at byte
 * `at`, and all events come before it. */
static int perfdata_finish_events(struct perfdata *data, unsigned long long at) {
	if (data->events.n == 0) {
		return diag_error(data->diag,
				  "%s: byte %llu: a record comes before the first event",
				  input_name(data->input), at);
	}
	data->named = true;
	return events_finish(&data->events)
		       ? 0
		       : diag_error(data->diag,
				    "%s: byte %llu: the samples of its %zu events cannot be told "
				    "apart; record them one by one",
				    input_name(data->input), at, data->events.n);
}

static int perfdata_on_kernel_record(struct perfdata *data, const struct record *record) {
	if (handlers[record->type] == NULL) {
		return 0;
	}
	if (!data->named && perfdata_finish_events(data, record_offset(record)) != 0) {
		return -1;
	}
	const struct perfdata_event *event = perfdata_event_of(data, record);
	uint64_t time = event == NULL ? 0
				      : event_time(event, record->type == RECORD_SAMPLE,
						   record->body, data->header.swap);
	if (time == 0 || time == UINT64_MAX) {
		return perfdata_deliver(data,
					record); // perf itself wrote this record to describe the
						 // state before the recording
	}
	chunk_hold(record->chunk);
	order_add(&data->order, time, record);
	if (order_is_full(&data->order, data->records.chunks)) {
		order_half(&data->order);
		return perfdata_drain(data);
	}
	return 0;
}

/** Determine whether the recording was made on this machine, under the running kernel. */
static void perfdata_compare_machine(struct perfdata *data) {
	struct utsname here;
	bool is_known = uname(&here) == 0;
	const char *const own[PERFDATA_TEXTS] = {[PERFDATA_HOSTNAME] = here.nodename,
						 [PERFDATA_RELEASE] = here.release,
						 [PERFDATA_ARCH] = here.machine};
	data->machine.is_here = is_known;
	data->machine.is_elsewhere = false;
	for (size_t i = 0; i < PERFDATA_TEXTS && is_known; i++) {
		bool same = str_eq(perfdata_text(data, (enum perfdata_text)i), str_of(own[i]));
		data->machine.is_here &= same;
		data->machine.is_elsewhere |=
			!same && perfdata_text(data, (enum perfdata_text)i).n > 0;
	}
}

/* --- Records of perf, as they come ---------------------------------------------------------- */

static int perfdata_on_attribute(struct perfdata *data, const struct record *record) {
	bool swap = data->header.swap;
	struct cursor body = {record->body.p, record->body.n, swap, false};
	uint32_t size = body.n < 8 ? 0 : cursor_load_u32(body.p + 4, swap);
	struct str attribute = cursor_take(&body, size);
	if (body.failed || !events_add(&data->events, attribute, swap)) {
		return diag_error(
			data->diag, "%s: byte %llu: an event of %u bytes is not supported",
			input_name(data->input), (unsigned long long)record_offset(record), size);
	}
	while (body.n >= sizeof(uint64_t)) {
		events_add_id(&data->events, cursor_u64(&body), data->events.n - 1);
	}
	data->named = false;
	return 0;
}

static void perfdata_on_event_update(struct perfdata *data, const struct record *record) {
	enum { UPDATE_NAME = 2 };
	struct cursor body = {record->body.p, record->body.n, data->header.swap, false};
	uint64_t what = cursor_u64(&body), id = cursor_u64(&body);
	const struct intern_key *key = intern_find(&data->events.ids, &id, sizeof(id));
	if (what == UPDATE_NAME && key != NULL) {
		events_name(&data->events, (size_t)key->value - 1,
			    cursor_text((struct str){body.p, body.n}));
	}
}

static void perfdata_on_feature(struct perfdata *data, const struct record *record) {
	struct cursor body = {record->body.p, record->body.n, data->header.swap, false};
	uint64_t feature = cursor_u64(&body);
	feature_read(&data->features, feature, (struct str){body.p, body.n}, data->header.swap);
	perfdata_compare_machine(data);
	data->named = false;
}

static int perfdata_on_perf_record(struct perfdata *data, const struct record *record) {
	switch (record->type) {
	case RECORD_ATTRIBUTE:
		return perfdata_on_attribute(data, record);
	case RECORD_EVENT_UPDATE:
		perfdata_on_event_update(data, record);
		return 0;
	case RECORD_FEATURE:
		perfdata_on_feature(data, record);
		return 0;
	case RECORD_BUILD_ID:
		feature_read_build_id(&data->features, record->misc, record->body,
				      data->header.swap);
		return 0;
	case RECORD_FINISHED_ROUND:
		order_round(&data->order);
		return perfdata_drain(data);
	default:
		return 0;
	}
}

/* --- The whole ------------------------------------------------------------------------------ */

static void perfdata_show_progress(struct perfdata *data) {
	enum { EVERY = 1 << 12 };
	if (++data->read % EVERY != 0) {
		return;
	}
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (data->shown == 0) {
		data->shown = now.tv_sec;
	} else if (now.tv_sec > data->shown) {
		data->shown = now.tv_sec;
		diag_progress(data->diag, input_name(data->input), data->records.offset,
			      data->records.is_pipe ? input_size(data->input) : data->records.end);
	}
}

static int perfdata_finish(struct perfdata *data) {
	order_all(&data->order);
	if (perfdata_drain(data) != 0 ||
	    chains_flush(&data->chains, perfdata_hand_over_late, data) != 0) {
		return -1;
	}
	data->quality.late = data->order.late;
	data->quality.first = data->order.oldest;
	data->quality.last = data->order.newest;
	bool is_file = !data->header.is_pipe;
	uint64_t size = is_file ? input_seekable_size(data->input) : UINT64_MAX;
	bool features_cut_off = data->features.cut_off;
	data->quality.cut_off = data->records.missing > 0 || features_cut_off ||
				parts_missing(&data->parts) > 0 ||
				(is_file && data->header.data.size == 0);
	data->quality.end =
		data->records.offset > size || features_cut_off ? size : data->records.offset;
	return 0;
}

static int perfdata_on_record(struct perfdata *data, const struct record *record) {
	perfdata_show_progress(data);
	return record->type < RECORD_FIRST_OF_PERF ? perfdata_on_kernel_record(data, record)
						   : perfdata_on_perf_record(data, record);
}

/** Return the time of a record that the kernel wrote. */
static uint64_t perfdata_time_in_part(void *context, const struct record *record) {
	struct perfdata *data = context;
	const struct perfdata_event *event =
		record->type < RECORD_FIRST_OF_PERF ? perfdata_event_of(data, record) : NULL;
	return event == NULL ? 0
			     : event_time(event, record->type == RECORD_SAMPLE, record->body,
					  data->header.swap);
}

/** Read the other files, whose records come in the order of time. */
static int perfdata_read_parts(struct perfdata *data) {
	struct record record;
	int found = 0;
	order_all(&data->order);
	if (perfdata_drain(data) != 0 ||
	    (data->parts.n > 0 && !data->named && perfdata_finish_events(data, 0) != 0)) {
		return -1;
	}
	while ((found = parts_next(&data->parts, perfdata_time_in_part, data, &record)) > 0) {
		uint64_t time = perfdata_time_in_part(data, &record);
		bool known = record.type < RECORD_FIRST_OF_PERF && handlers[record.type] != NULL;
		perfdata_show_progress(data);
		if (time != 0 && time != UINT64_MAX) {
			order_note(&data->order, time);
		}
		if (known && perfdata_deliver(data, &record) != 0) {
			return -1;
		}
	}
	if (found == 0 && data->features.has_parts && data->parts.n == 0 &&
	    data->quality.samples == 0) {
		return diag_error(
			data->diag,
			"%s: byte %llu: the records of this recording are in other files, data.0 "
			"and so on, which are not here; give the whole folder",
			input_name(data->input), (unsigned long long)data->records.offset);
	}
	return found;
}

int perfdata_read(struct perfdata *data, const struct perfdata_consumer *consumer) {
	struct record record;
	int found;
	data->consumer = consumer;
	while ((found = records_next(&data->records, &record)) > 0) {
		if (perfdata_on_record(data, &record) != 0) {
			return -1;
		}
	}
	return found < 0 || perfdata_read_parts(data) != 0 ? -1 : perfdata_finish(data);
}

/** Open the other files of a recording in several files, if the path of the recording is known. */
static int perfdata_open_parts(struct perfdata *data) {
	const char *path = input_path(data->input);
	return path == NULL ? 0 : parts_open(&data->parts, path, data->diag, data->header.swap);
}

static int perfdata_open_file(struct perfdata *data) {
	const struct header *header = &data->header;
	if (input_make_seekable(data->input) != 0 ||
	    header_read_attributes(header, data->input, &data->events, data->diag) != 0 ||
	    header_read_features(header, data->input, &data->features) != 0) {
		return -1;
	}
	perfdata_compare_machine(data);
	records_init_file(&data->records, data->input, data->diag, header->swap,
			  header->data.offset, header->data.size);
	return data->features.has_parts ? perfdata_open_parts(data) : 0;
}

static int perfdata_open_pipe(struct perfdata *data) {
	char head[HEADER_PIPE_SIZE];
	for (size_t n = 0; n < sizeof(head);) {
		ptrdiff_t part = input_read(data->input, head + n, sizeof(head) - n);
		if (part <= 0) {
			return -1; // this cannot fail, because the header was checked before
		}
		n += (size_t)part;
	}
	records_init_pipe(&data->records, data->input, data->diag, data->header.swap, sizeof(head));
	return 0;
}

struct perfdata *perfdata_open(struct input *input, const struct symbols_options *options,
			       struct diag *diag) {
	struct perfdata *data = mem_new(1, sizeof(*data));
	data->input = input;
	data->diag = diag;
	data->symbols = symbols_new(options, diag);
	machine_init(&data->machine, data->symbols);
	data->features.events = &data->events;
	data->features.machine = &data->machine;
	chains_init(&data->chains, &data->machine, &data->features.texts[PERFDATA_ARCH]);
	if (header_read(&data->header, input, diag) != 0 ||
	    (data->header.is_pipe ? perfdata_open_pipe(data) : perfdata_open_file(data)) != 0) {
		perfdata_close(data);
		return NULL;
	}
	return data;
}

const struct perfdata_events *perfdata_events(const struct perfdata *data) {
	return &data->events;
}

const struct machine *perfdata_machine(const struct perfdata *data) {
	return &data->machine;
}

struct symbols *perfdata_symbols(const struct perfdata *data) {
	return data->symbols;
}

const struct perfdata_quality *perfdata_quality(const struct perfdata *data) {
	return &data->quality;
}

struct perfdata_unwound perfdata_unwound(const struct perfdata *data) {
	return data->chains.unwound;
}

struct perfdata_counts perfdata_counts(const struct perfdata *data) {
	return data->features.counts;
}

struct str perfdata_text(const struct perfdata *data, enum perfdata_text which) {
	return buf_str(&data->features.texts[which]);
}

struct str perfdata_tracing(const struct perfdata *data) {
	return data->features.tracing.n > 0 ? buf_str(&data->features.tracing)
					    : buf_str(&data->records.tracing);
}

bool perfdata_swapped(const struct perfdata *data) {
	return data->header.swap;
}

void perfdata_close(struct perfdata *data) {
	if (data == NULL) {
		return;
	}
	chains_release(&data->chains);
	order_release(&data->order);
	parts_release(&data->parts);
	records_release(&data->records);
	machine_release(&data->machine);
	symbols_free(data->symbols);
	features_release(&data->features);
	events_release(&data->events);
	free(data->chain.items);
	free(data);
}
