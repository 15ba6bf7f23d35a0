/* Sampling programs: preparing, the thread that collects, and the end. */
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bounded.h"
#include "base/stop.h"
#include "perf/data/perfdata.h"
#include "perf/data/records.h"
#include "record/attach.h"
#include "record/delays.h"
#include "record/cgroup.h"
#include "record/synth.h"
#include "record/preamble.h"
#include "record/pressure.h"
#include "record/proc.h"
#include "record/rings.h"
#include "record/root.h"
#include "record/running.h"
#include "record/runtimes.h"
#include "record/samplers.h"
#include "record/stream.h"
#include "record/waiters.h"
#include "record/workload.h"
#include "symbols/held.h"

/** A running process that is sampled. */
struct attached {
	struct proc_time before, now;
};

/** Indexes of the polled descriptors. The descriptors of the rings come last. */
enum { POLLED_SIGNALS, POLLED_EXIT, POLLED_SAMPLERS, POLLED_RINGS };

/** Times of the sampling, in nanoseconds. */
struct recorder_times {
	int64_t begin;    // time when to begin to sample; 0: it has begun
	int64_t deadline; // time when to stop; 0: never
	int64_t started;  // time when the program was started
	bool stopped;
	int64_t stopped_at;
	int64_t killed_at; // time in milliseconds when the program was killed; 0: it was not killed
	bool is_awaited;   // whether the program got a signal to end, and its runtime writes names
			   // before it ends
};

/** Sums over all runs of the program: the number of runs, processor time, and stopped threads. */
struct recorder_totals {
	struct record_runs runs;
	uint64_t early;             // number of runs that ended before the sampling began
	struct proc_time unsampled; // processor time used by the program before the sampling
	struct proc_time used;      // processor time used by all sampled processes
	bool hidden;                // whether unsampled time in the kernel was added
	struct record_stops stops;
};

struct recorder {
	struct record_options options;
	struct diag *diag;
	struct counters counters;
	struct rings rings;
	struct stream stream;
	struct workload workload;
	struct cgroup group; // control group of the program, if it has one
	struct runtimes runtimes;
	struct delays delays;
	struct running running; // result, written by the collecting thread until it ends
	struct bounded bounded; // runs the reads of other processes that may hang
	pthread_t thread;       // the collecting thread
	bool collects;          // whether the thread was started
	atomic_bool unwanted;

	// Used by the collecting thread only:
	struct pollfd *polled;
	size_t polled_n;
	struct recorder_times times;
	struct attached *attached; // processor times of the processes in the options
	struct recorder_totals totals;
	struct diag late; // for messages of later runs, because the main thread uses `diag`
};

/* --- Preparing ------------------------------------------------------------------------------ */

/** Make a control group for the program, if that is allowed. Only a recording of RECORD_ON_CPU uses
 * a group. stop_catch() comes before the group: otherwise a signal would end this process, and
 * nothing would remove the group. */
static void recorder_make_group(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct counters *counters = &recorder->counters;
	struct cgroup *group = &recorder->group;
	pid_t program = recorder->workload.pid;
	if (options->program == NULL || options->time != RECORD_ON_CPU || stop_catch() != 0) {
		return;
	}
	if (options->root != NULL) {
		group->fd = options->plan.repeat > 1 ? -1 : root_make_group(options->root, program);
	} else if (cgroup_make(group, getpid()) && options->plan.repeat <= 1 &&
		   !cgroup_move(group, program)) {
		cgroup_remove(group);
	}
	if (group->fd >= 0 && !counters_use_group(counters, group->fd)) {
		cgroup_remove(&recorder->group);
	}
}

/** Open the counters for the chosen program, processes or group. */
static int recorder_add_counters(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	if (options->group != NULL) {
		return counters_add_group(&recorder->counters, options->group);
	}
	recorder_make_group(recorder);
	if (recorder->group.fd >= 0) {
		return counters_add(&recorder->counters, recorder->group.fd);
	}
	if (options->program != NULL) {
		return options->plan.repeat > 1
			       ? counters_add_own(&recorder->counters)
			       : counters_add(&recorder->counters, (int32_t)recorder->workload.pid);
	}
	return options->processes_n > 0 ? attach(&recorder->counters)
					: counters_add(&recorder->counters, -1);
}

/** Make the process that becomes the program, if there is one. */
static int recorder_make_program(struct recorder *recorder) {
	return recorder->options.program == NULL
		       ? 0
		       : workload_fork(&recorder->workload, recorder->options.program,
				       &recorder->runtimes, recorder->diag);
}

/** Note if the stacks of threads that are already waiting cannot be read. */
static void recorder_note_closed(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct buf text = {0};
	for (size_t i = 0; i < options->processes_n && text.n == 0; i++) {
		if (!waiters_can_read(options->processes[i], &text)) {
			counters_lack(&recorder->counters, "%s", buf_text(&text));
		}
	}
	buf_release(&text);
}

static int recorder_prepare(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct counters *counters = &recorder->counters;
	if (counters_init(counters, options, recorder->diag) != 0 ||
	    (options->plan.repeat <= 1 && recorder_make_program(recorder) != 0) ||
	    recorder_add_counters(recorder) != 0 || rings_map(&recorder->rings, counters) != 0 ||
	    (options->plan.repeat > 1 && recorder_make_program(recorder) != 0)) {
		return -1;
	}
	if (options->time != RECORD_ON_CPU) {
		recorder_note_closed(recorder);
	}
	if (options->code.scripts && counters->any_cpu) {
		counters_lack(counters,
			      "the functions of interpreters are not read, as there are too "
			      "many threads");
	}
	return counters->lacking.n == 0
		       ? 0
		       : diag_warn(recorder->diag, "%s", buf_text(&counters->lacking));
}

/** Return the runtimes whose functions are read, with a bit for each runtime. Functions of node are
 * read only if stacks are copied, because their frames are on the native stack. */
static unsigned recorder_read_runtimes(const struct record_options *options) {
	unsigned node = options->chains == RECORD_DWARF ? 1U << RUNTIME_NODE : 0;
	return options->code.scripts ? node | 1U << RUNTIME_PYTHON : 0;
}

struct recorder *recorder_new(const struct record_options *options, struct diag *diag) {
	struct recorder *recorder = mem_new(1, sizeof(*recorder));
	recorder->options = *options;
	recorder->options.hurries = pressure_may_hurry();
	recorder->diag = diag;
	recorder->group = CGROUP_NONE;
	recorder->bounded.limits = (struct bounded_limits){
		.stalled = 8000, .stopped = STOP_STALLED, .total = STOP_ANSWER};
	recorder->attached = mem_new(options->processes_n + 1, sizeof(*recorder->attached));
	if (options->code.runtimes && options->program != NULL) {
		runtimes_init(&recorder->runtimes, recorder_read_runtimes(options));
	}
	recorder->running.reads_python = options->code.scripts;
	stream_init(&recorder->stream);
	if (recorder_prepare(recorder) != 0) {
		recorder_free(recorder);
		return NULL;
	}
	return recorder;
}

/* --- The thread that collects --------------------------------------------------------------- */

static int64_t recorder_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static double recorder_seconds_of(const struct timeval *time) {
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/** Return the time some seconds later, or 0 if `seconds` is 0. */
static int64_t recorder_later(int64_t time, double seconds) {
	const double second = 1e9, most = 1e9;
	return seconds > 0 ? time + (int64_t)(fmin(seconds, most) * second) : 0;
}

/** Stop sampling, and send the signal `number` to the program, or kill it on the second call. If
 * `number` is 0, the program got the signal already. */
static void recorder_stop(struct recorder *recorder, int number) {
	if (recorder->times.stopped) {
		workload_signal(&recorder->workload, SIGKILL);
		recorder->times.killed_at = stop_now();
		return;
	}
	recorder->times.stopped = true;
	recorder->times.stopped_at = recorder_now();
	counters_disable(&recorder->counters);
	if (number != 0) {
		workload_signal(&recorder->workload, number);
	}
}

/** Context of the functions that are called for each process. */
struct listing {
	struct recorder *recorder;
	struct buf *bytes;
};

static void recorder_add_process(void *context, int32_t pid) {
	struct listing *listing = context;
	preamble_add_process(listing->bytes, pid);
	if (listing->recorder->rings.samplers != NULL) {
		samplers_look(listing->recorder->rings.samplers, pid);
	}
	if (listing->recorder->options.code.runtimes) {
		running_add(&listing->recorder->running, pid);
	}
}

/** Add the running processes to the stream: their names, their mappings, and which of their threads
 * wait. */
static void recorder_add_running(struct recorder *recorder, struct waiters *waiters) {
	const struct record_options *options = &recorder->options;
	struct listing listing = {recorder, waiters->out};
	for (size_t i = 0; i < options->processes_n; i++) {
		recorder_add_process(&listing, options->processes[i]);
		if (options->time != RECORD_ON_CPU) {
			preamble_add_switches(waiters, options->processes[i]);
		}
	}
	if (options->program == NULL && options->processes_n == 0) {
		proc_each(recorder_add_process, &listing);
	}
}

static void recorder_note_processes(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	for (size_t i = 0; i < options->processes_n; i++) {
		struct attached *attached = &recorder->attached[i];
		proc_runs(options->processes[i], &attached->before);
		attached->now = attached->before;
	}
}

/** Context of recorder_add_early(). */
struct early {
	struct recorder *recorder;
	struct waiters *waiters;
};

static void recorder_add_early(void *context, int32_t pid) {
	struct early *early = context;
	struct recorder *recorder = early->recorder;
	struct proc_time used = proc_used(pid);
	recorder->totals.unsampled.user += used.user;
	recorder->totals.unsampled.system += used.system;
	if (recorder->options.time != RECORD_ON_CPU) {
		preamble_add_switches(early->waiters, pid);
	}
}

/** Remember the processor time and the waits of the program and its children before the sampling
 * begins. Their names and mappings need not be read: the kernel records these from the start of the
 * processes. */
static void recorder_note_early(struct recorder *recorder, struct waiters *waiters) {
	struct early early = {recorder, waiters};
	proc_each_below((int32_t)recorder->workload.pid, recorder_add_early, &early);
}

/** Context of reading other processes when the sampling begins. Reading may hang if a process has
 * mapped a file from a network server that does not answer. */
struct beginning {
	struct recorder *recorder;
	struct waiters waiters;
	struct buf bytes;
};

/** Read the data of processes that must be read before the sampling begins. */
static void recorder_look_before(void *context) {
	struct beginning *beginning = context;
	const struct record_options *options = &beginning->recorder->options;
	bool stops = options->time != RECORD_ON_CPU && options->code.stops;
	for (size_t i = 0; i < options->processes_n && stops; i++) {
		waiters_stop(&beginning->waiters, options->processes[i]);
	}
}

/** Read the data of running processes. */
static void recorder_look_around(void *context) {
	struct beginning *beginning = context;
	struct recorder *recorder = beginning->recorder;
	if (recorder->options.program != NULL) {
		recorder_note_early(recorder, &beginning->waiters);
	} else {
		recorder_add_running(recorder, &beginning->waiters);
	}
}

/** Run one of the two functions above with a time limit, unless the other one hangs. Return whether
 * the function ended in time. */
static bool recorder_look(struct beginning *beginning, void (*work)(void *context)) {
	struct bounded *bounded = &beginning->recorder->bounded;
	return bounded->lost == 0 && bounded_do(bounded, work, beginning, NULL) == BOUNDED_DONE;
}

/** Begin to sample. Record new mappings, names and threads of running processes before these
 * processes are read, so that no change is missed. */
static void recorder_begin(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct beginning *beginning = mem_new(1, sizeof(*beginning));
	beginning->recorder = recorder;
	waiters_init(&beginning->waiters, &recorder->counters, &beginning->bytes);
	bool looked = recorder_look(beginning, recorder_look_before);
	int64_t start = recorder_now();
	recorder->times.begin = 0;
	if (recorder->times.deadline == 0) { // only before the first run
		recorder->times.deadline = recorder_later(start, options->plan.duration);
	}
	if (options->program == NULL || record_starts_late(options)) {
		counters_enable(&recorder->counters);
	}
	if (options->program == NULL) {
		recorder_note_processes(recorder);
	}
	if (looked) {
		beginning->waiters.time = (uint64_t)start;
		looked = recorder_look(beginning, recorder_look_around);
	}
	if (recorder->bounded.lost > 0) {
		return; // the hanging function may still write into this memory
	}
	if (looked) {
		recorder->totals.stops = beginning->waiters.stops;
		stream_add(&recorder->stream, beginning->bytes.p, beginning->bytes.n);
	}
	waiters_release(&beginning->waiters);
	buf_release(&beginning->bytes);
	free(beginning);
}

/** React to signals, and to times that have been reached. */
static void recorder_heed(struct recorder *recorder) {
	bool for_all;
	for (int number; (number = stop_next(&for_all)) != 0;) {
		recorder_stop(recorder, for_all ? 0 : number);
	}
	if (recorder->times.begin != 0 && !recorder->times.stopped &&
	    recorder_now() >= recorder->times.begin) {
		recorder_begin(recorder);
	}
	bool late = recorder->times.deadline != 0 && recorder_now() >= recorder->times.deadline;
	if (!recorder->times.stopped && (late || atomic_load(&recorder->unwanted))) {
		recorder_stop(recorder, SIGTERM);
	}
}

/** Remember that the program starts, and switch on the counters of the group. If
 * recorder_make_group() has not moved the process that becomes the program into the group, move it.
 */
static void recorder_start_group(struct recorder *recorder) {
	const struct workload *workload = &recorder->workload;
	struct buf bytes = {0};
	synth_starting(&bytes, (int32_t)workload->pid, STR("inferno"));
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
	if (recorder->options.plan.repeat > 1) {
		(void)cgroup_move(&recorder->group, workload->pid);
	}
	counters_start(&recorder->counters);
}

/** Start the program. Return 0, or -1 after diag_error(). */
static int recorder_start_program(struct recorder *recorder, struct diag *diag) {
	const struct record_options *options = &recorder->options;
	recorder->times.started = recorder_now();
	recorder->times.begin = recorder_later(recorder->times.started, options->plan.delay);
	if (recorder->times.begin != 0 && !record_starts_late(options)) {
		recorder->rings.skip_from = (uint64_t)recorder->times.started;
		recorder->rings.skip_until = (uint64_t)recorder->times.begin;
	}
	if (recorder->group.fd >= 0) {
		recorder_start_group(recorder);
	}
	return workload_start(&recorder->workload, options->program[0], diag);
}

/** Add up the resources that a run of the program used. */
static void recorder_note_run(struct recorder *recorder) {
	const double second = 1e9;
	const struct rusage *usage = &recorder->workload.usage;
	struct record_runs *runs = &recorder->totals.runs;
	double time = (double)(recorder_now() - recorder->times.started) / second;
	runs->least = runs->n == 0 ? time : fmin(runs->least, time);
	runs->most = fmax(runs->most, time);
	runs->sum += time;
	runs->n++;
	recorder->totals.used.user += recorder_seconds_of(&usage->ru_utime);
	recorder->totals.used.system += recorder_seconds_of(&usage->ru_stime);
	if (recorder->times.begin != 0) {
		recorder->totals.unsampled.user += recorder_seconds_of(&usage->ru_utime);
		recorder->totals.unsampled.system += recorder_seconds_of(&usage->ru_stime);
		recorder->totals.early++;
	}
}

/** Start the program again, if it has to run again. Return false if it was not started. */
static bool recorder_run_again(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct workload *workload = &recorder->workload;
	if (recorder->totals.runs.n >= options->plan.repeat || recorder->times.stopped ||
	    (workload->status != 0 && !options->plan.ignore_status)) {
		return false;
	}
	workload_release(workload);
	// Drain the rings before the span of skipped samples is cleared.
	rings_drain(&recorder->rings, &recorder->stream);
	bool runs = workload_fork(workload, options->program, &recorder->runtimes,
				  &recorder->late) == 0 &&
		    recorder_start_program(recorder, &recorder->late) == 0;
	recorder->polled[POLLED_EXIT].fd = workload->exit_fd;
	return runs;
}

/** Return whether to stop waiting for a program that was asked to end. A program that writes the
 * names of its functions when it ends gets more time. */
static bool recorder_is_late(struct recorder *recorder) {
	int64_t age = stop_age();
	if (!recorder->times.stopped || age < STOP_PROGRAM) {
		return false;
	}
	if (recorder->times.killed_at != 0) {
		return stop_now() - recorder->times.killed_at >= STOP_STALLED;
	}
	if (!recorder->times.is_awaited && age < STOP_RUNTIME && recorder->options.code.runtimes) {
		recorder->times.is_awaited = running_has_java((int32_t)recorder->workload.pid);
	}
	return !recorder->times.is_awaited || age >= STOP_RUNTIME;
}

/** Return whether the program or all sampled processes have ended. */
static bool recorder_has_ended(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	if (options->program != NULL) {
		if (!workload_ended(&recorder->workload, false)) {
			if (!recorder_is_late(recorder)) {
				return false;
			}
			workload_leave(&recorder->workload);
		}
		recorder_note_run(recorder);
		return !recorder_run_again(recorder);
	}
	bool runs = options->processes_n == 0;
	for (size_t i = 0; i < options->processes_n; i++) {
		runs |= proc_runs(options->processes[i], &recorder->attached[i].now);
	}
	return recorder->times.stopped || !runs;
}

/** Return the longest time to wait, in milliseconds. */
static int recorder_patience(const struct recorder *recorder) {
	enum { MOST = 100, MILLISECOND = 1000000 };
	int64_t next =
		recorder->times.begin != 0 ? recorder->times.begin : recorder->times.deadline;
	int64_t left = next == 0 || recorder->times.stopped
			       ? MOST
			       : (next - recorder_now()) / MILLISECOND + 1;
	return left < 0 ? 0 : left > MOST ? MOST : (int)left;
}

/** Wait until a ring has many records, the samplers have examined some, a signal comes, the program
 * ends, or a time limit has passed. */
static void recorder_wait_a_little(struct recorder *recorder) {
	if (poll(recorder->polled, recorder->polled_n, recorder_patience(recorder)) <= 0) {
		return;
	}
	for (size_t i = 0; i < recorder->polled_n; i++) {
		if (i == POLLED_SAMPLERS && (recorder->polled[i].revents & POLLIN) != 0) {
			samplers_heed(recorder->rings.samplers);
		}
		if ((recorder->polled[i].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
			recorder->polled[i].fd = -1; // all threads of this counter have ended
		}
	}
}

/** If the kernel may not be sampled, add the time that one process spent in the kernel, as a sample
 * of one frame. */
static void recorder_add_hidden(struct recorder *recorder, int32_t pid,
				const struct proc_time *time, double per_nanosecond) {
	struct buf bytes = {0};
	struct synth_at at = {.pid = pid, .tid = pid, .time = (uint64_t)recorder_now()};
	double count = time->system * 1e9 * per_nanosecond;
	const struct counters *counters = &recorder->counters;
	bool counts = (counters->attrs[0].sample_type & PERF_SAMPLE_PERIOD) != 0;
	if (counts && counters->hides_kernel && count >= 1 && counters->n > 0) {
		synth_sample(&bytes, &counters->attrs[0], counter_id(&counters->items[0]), &at,
			     SYNTH_HIDDEN_KERNEL, (uint64_t)count);
		stream_add(&recorder->stream, bytes.p, bytes.n);
		recorder->totals.hidden = true;
	}
	buf_release(&bytes);
}

/** Return the reason why a part of the time may be in no sample. */
static enum perfdata_reason recorder_reason_of(const struct recorder *recorder, double used) {
	const double most = 0.95;
	bool left = cgroup_used(&recorder->group) < most * used;
	return recorder->group.fd >= 0 ? (left ? REASON_LEFT : REASON_SHORT_AS_ROOT)
	       : recorder->options.program == NULL || geteuid() == 0 ? REASON_SHORT_AS_ROOT
								     : REASON_SHORT;
}

/** Add a record of the total count of `pid` and its children. A clock's count is computed from
 * their processor time, and a count of cycles is read from the counters. `used` is this processor
 * time in seconds, and `system` is the part of it in the kernel. */
static void recorder_add_total(struct recorder *recorder, int32_t pid, double used, double system) {
	const struct counters *counters = &recorder->counters;
	const struct perf_event_attr *attr = &counters->attrs[0];
	const struct record_options *options = &recorder->options;
	bool inherits = attr->inherit || recorder->group.fd >= 0;
	if (!inherits || options->time != RECORD_ON_CPU || !counters_count_time(counters)) {
		return;
	}
	double count = used * 1e9;
	if (attr->type != PERF_TYPE_SOFTWARE) {
		double hidden = attr->exclude_kernel ? system * 1e9 : 0;
		count = (double)counters_total(counters) +
			hidden * counters_per_nanosecond(counters, used - system);
	}
	struct buf bytes = {0};
	const struct synth_at at = {.pid = pid, .tid = pid, .time = (uint64_t)recorder_now()};
	synth_total(&bytes, &at, (uint64_t)count, recorder_reason_of(recorder, used));
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
}

/** Return the processor time that a process has used since the sampling began. */
static struct proc_time recorder_time_of(const struct attached *attached) {
	return (struct proc_time){attached->now.user - attached->before.user,
				  attached->now.system - attached->before.system};
}

/** The possible error of times in /proc, in seconds. */
#define CLOCK_TICKS 0.05

/** Add up the processor time of the sampled processes, and add the records that are computed from
 * it. */
static void recorder_measure(struct recorder *recorder) {
	const struct workload *workload = &recorder->workload;
	struct proc_time *used = &recorder->totals.used;
	if (recorder->times.begin != 0 && recorder->totals.early == recorder->totals.runs.n) {
		return; // the sampling has not begun
	}
	if (recorder->options.program != NULL) {
		used->user = fmax(0, used->user - recorder->totals.unsampled.user);
		used->system = fmax(0, used->system - recorder->totals.unsampled.system);
		recorder_add_hidden(recorder, (int32_t)workload->pid, used,
				    counters_per_nanosecond(&recorder->counters, used->user));
		recorder_add_total(recorder, (int32_t)workload->pid, used->user + used->system,
				   used->system);
		return;
	}
	for (size_t i = 0; i < recorder->options.processes_n; i++) {
		struct proc_time time = recorder_time_of(&recorder->attached[i]);
		used->user += time.user;
		used->system += time.system;
	}
	double per_nanosecond = counters_per_nanosecond(&recorder->counters, used->user);
	for (size_t i = 0; i < recorder->options.processes_n; i++) {
		struct proc_time time = recorder_time_of(&recorder->attached[i]);
		recorder_add_hidden(recorder, recorder->options.processes[i], &time,
				    per_nanosecond);
	}
	if (recorder->options.processes_n > 0) {
		// The counters include ended threads and children.
		double counted = (double)counters_total(&recorder->counters) / 1e9;
		recorder_add_total(recorder, recorder->options.processes[0],
				   fmax(counted, used->user + used->system - CLOCK_TICKS),
				   used->system);
	}
}

/** Add a record with the time at which the recording ends, because threads that still wait have
 * waited until this time. */
static void recorder_add_end(struct recorder *recorder) {
	struct buf bytes = {0};
	synth_time(&bytes, (uint64_t)(recorder->times.stopped ? recorder->times.stopped_at
							      : recorder_now()));
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
}

/** Copy less of each stack if the kernel writes records faster than they are read: shorter stacks
 * are better than lost samples. */
static void recorder_relieve(struct recorder *recorder) {
	struct counters *counters = &recorder->counters;
	struct rings *rings = &recorder->rings;
	bool is_short = rings->stack_most <= COUNTERS_SHORT_STACK ||
			counters->attrs[0].sample_stack_user <= COUNTERS_SHORT_STACK;
	if (is_short || recorder->times.begin != 0 ||
	    !pressure_is_high(rings, &recorder->stream, counters->cpus.n,
			      recorder->options.hurries)) {
		return;
	}
	struct buf bytes = {0};
	counters_shorten(counters, true);
	rings->stack_most = COUNTERS_SHORT_STACK;
	if (rings->samplers != NULL) {
		samplers_extend_no_more(rings->samplers);
	}
	synth_mark(&bytes, MARK_SHORTENED, STR("[stacks shortened]"), (uint64_t)recorder_now());
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
}

/** As long as threads read script stacks, let the kernel copy less of each stack, and let these
 * threads read the rest of deep stacks, because the program has to wait while the kernel copies. */
static void recorder_copy_less(struct recorder *recorder) {
	const struct samplers *samplers = recorder->rings.samplers;
	bool is_short = recorder->rings.stack_most <= COUNTERS_SHORT_STACK;
	if (samplers != NULL && !is_short && recorder->times.begin == 0 &&
	    !recorder->times.stopped) {
		counters_shorten(&recorder->counters, samplers_extends(samplers));
	}
}

/** Remove the program's control group. */
static void recorder_remove_group(struct recorder *recorder) {
	cgroup_remove(&recorder->group);
	if (recorder->options.root != NULL) {
		root_leave_group(recorder->options.root);
	}
}

/** Add records of the time that threads of a process have waited for a processor. */
static void recorder_add_delays_of(void *delays, int32_t pid) {
	delays_add(delays, pid);
}

/** If wake-ups are not recorded, add at intervals records of the time that threads have waited for
 * a processor. */
static void recorder_add_delays(struct recorder *recorder) {
	const int64_t between = 100000000; // ns
	const struct record_options *options = &recorder->options;
	struct delays *delays = &recorder->delays;
	int64_t time = recorder_now();
	if (options->time == RECORD_ON_CPU || recorder->counters.waking.event != 0 ||
	    recorder->times.begin != 0 || time < delays->next) {
		return;
	}
	struct buf bytes = {0};
	delays->next = time + between;
	delays->time = (uint64_t)time;
	delays->out = &bytes;
	if (options->program != NULL) {
		proc_each_below((int32_t)recorder->workload.pid, recorder_add_delays_of, delays);
	}
	for (size_t i = 0; i < options->processes_n; i++) {
		delays_add(delays, options->processes[i]);
	}
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
}

/** Add the findings about interpreters. */
static void recorder_add_facts(struct recorder *recorder) {
	struct buf bytes = {0};
	if (recorder->rings.samplers != NULL) {
		samplers_take_facts(recorder->rings.samplers, &bytes);
		stream_add(&recorder->stream, bytes.p, bytes.n);
	}
	buf_release(&bytes);
}

/** Ask runtimes for the names of their functions, unless the names were read from outside. */
static void recorder_ask_running(struct recorder *recorder) {
	const struct samplers *samplers = recorder->rings.samplers;
	for (size_t i = 0; i < recorder->running.n && samplers != NULL; i++) {
		struct running_runtime *item = &recorder->running.items[i];
		item->is_read = samplers_reads(samplers, item->pid);
	}
	running_ask(&recorder->running);
}

static void *recorder_collect(void *context) {
	struct recorder *recorder = context;
	pressure_hurry();
	while (!recorder_has_ended(recorder)) {
		recorder_wait_a_little(recorder);
		rings_drain(&recorder->rings, &recorder->stream);
		recorder_relieve(recorder);
		recorder_copy_less(recorder);
		recorder_heed(recorder);
		recorder_add_delays(recorder);
	}
	counters_disable(&recorder->counters);
	if (recorder->rings.samplers != NULL) {
		samplers_stop(recorder->rings.samplers);
	}
	rings_drain(&recorder->rings, &recorder->stream);
	recorder_add_facts(recorder);
	recorder_measure(recorder);
	recorder_remove_group(recorder);
	if (recorder->bounded.lost == 0) {
		recorder_ask_running(recorder);
	}
	recorder_add_end(recorder);
	stream_end(&recorder->stream);
	return NULL;
}

static void recorder_add_polled(struct recorder *recorder, int fd) {
	recorder->polled[recorder->polled_n++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

static void recorder_list_polled(struct recorder *recorder) {
	const struct samplers *samplers = recorder->rings.samplers;
	recorder->polled = mem_new(recorder->rings.n + POLLED_RINGS, sizeof(*recorder->polled));
	recorder_add_polled(recorder, stop_fd());
	recorder_add_polled(recorder,
			    recorder->options.program == NULL ? -1 : recorder->workload.exit_fd);
	recorder_add_polled(recorder, samplers == NULL ? -1 : samplers_fd(samplers));
	for (size_t i = 0; i < recorder->rings.n; i++) {
		// The samplers must examine the records in the rings before the records are moved.
		recorder_add_polled(recorder, samplers == NULL ? recorder->rings.items[i].fd : -1);
	}
}

/* --- Start and end -------------------------------------------------------------------------- */

static void recorder_add_waker(void *bytes, int32_t pid) {
	preamble_add_process(bytes, pid);
}

static void recorder_read_wakers(void *bytes) {
	proc_each(recorder_add_waker, bytes);
}

/** Add all processes, because any of them may wake a thread. */
static void recorder_add_wakers(struct recorder *recorder, struct buf *out) {
	struct buf *bytes = mem_new(1, sizeof(*bytes));
	enum bounded_result result =
		bounded_do(&recorder->bounded, recorder_read_wakers, bytes, NULL);
	if (result == BOUNDED_DONE) {
		buf_add_str(out, buf_str(bytes));
	}
	if (result != BOUNDED_LOST) {
		buf_release(bytes);
		free(bytes);
	}
}

/** Start the program, or begin to sample the running processes. The counters of a program switch
 * themselves on when the program starts. */
static int recorder_let_go(struct recorder *recorder) {
	const struct record_options *options = &recorder->options;
	struct buf bytes = {0};
	preamble_add_head(&bytes, &recorder->counters);
	if (options->code.scripts && !recorder->counters.any_cpu) {
		recorder->rings.drops_switches = options->time == RECORD_ON_CPU;
		recorder->rings.samplers = samplers_new(&recorder->counters, &bytes);
		samplers_start(recorder->rings.samplers, &recorder->rings);
	}
	if (options->wakers) {
		recorder_add_wakers(recorder, &bytes);
	}
	stream_add(&recorder->stream, bytes.p, bytes.n);
	buf_release(&bytes);
	if (options->program != NULL && recorder_start_program(recorder, recorder->diag) != 0) {
		return -1;
	}
	if (options->plan.delay == 0 && options->program == NULL) {
		recorder_begin(recorder);
	} else if (options->plan.delay == 0) {
		recorder->times.deadline = recorder_later(recorder_now(), options->plan.duration);
	} else if (options->program == NULL) {
		recorder->times.begin = recorder_later(recorder_now(), options->plan.delay);
	}
	return 0;
}

int recorder_start(struct recorder *recorder) {
	if (stop_catch() != 0) {
		return diag_error(recorder->diag, "cannot catch signals: %s", strerror(errno));
	}
	held_start();
	if (recorder_let_go(recorder) != 0) {
		return -1;
	}
	recorder_list_polled(recorder);
	int problem = pthread_create(&recorder->thread, NULL, recorder_collect, recorder);
	recorder->collects = problem == 0;
	return problem == 0
		       ? 0
		       : diag_error(recorder->diag, "cannot start a thread: %s", strerror(problem));
}

bool recorder_wait(struct recorder *recorder, unsigned milliseconds) {
	return stream_wait(&recorder->stream, milliseconds);
}

ptrdiff_t recorder_read(void *recorder, void *bytes, size_t size) {
	struct recorder *own = recorder;
	size_t n = stream_take(&own->stream, bytes, size);
	runtimes_see(&own->runtimes, bytes, n);
	return (ptrdiff_t)n;
}

/** Wait until the thread has ended. The thread ends after the program. */
static void recorder_join(struct recorder *recorder) {
	if (recorder->collects) {
		pthread_join(recorder->thread, NULL);
		recorder->collects = false;
	}
}

int recorder_finish(struct recorder *recorder, struct record_end *end) {
	atomic_store(&recorder->unwanted, true); // has no effect if the reader has seen the end
	stream_abandon(&recorder->stream);
	recorder_join(recorder);
	const struct workload *workload = &recorder->workload;
	*end = (struct record_end){
		.runs = recorder->totals.runs,
		.stopped = recorder->times.stopped,
		.early = recorder->times.begin != 0 &&
			 recorder->totals.early == recorder->totals.runs.n,
		.user = recorder->totals.used.user,
		.system = recorder->totals.used.system,
		.user_only = recorder->counters.hides_kernel,
		.hidden = recorder->totals.hidden,
		.stops = recorder->totals.stops,
	};
	if (recorder->options.program != NULL) {
		end->unended = workload->left ? (int32_t)workload->pid : 0;
		end->left =
			tasks_left(&recorder->rings.tasks, (int32_t)workload->pid, &end->left_n);
	}
	if (workload->ended && WIFSIGNALED(workload->status)) {
		end->signal = WTERMSIG(workload->status);
		end->status = 128 + end->signal;
	} else if (workload->ended) {
		end->status = WEXITSTATUS(workload->status);
	}
	if (recorder->late.error.n > 0) {
		return diag_error(recorder->diag, "%s", buf_text(&recorder->late.error));
	}
	int problem = runtimes_remove_logs(&recorder->runtimes);
	if (problem != 0 &&
	    diag_warn(recorder->diag,
		      "logs of node, isolate-*-v8.log, may be left in the current folder: %s",
		      strerror(problem)) != 0) {
		return -1;
	}
	return proc_warn(recorder->diag);
}

void recorder_format_runtimes(const struct recorder *recorder, struct buf *text) {
	runtimes_format(&recorder->runtimes, text);
}

bool recorder_format_running(const struct recorder *recorder, size_t i, struct buf *text,
			     bool *good) {
	return recorder->bounded.lost == 0 && running_format(&recorder->running, i, text, good);
}

void recorder_free(struct recorder *recorder) {
	if (recorder == NULL) {
		return;
	}
	atomic_store(&recorder->unwanted, true);
	stream_abandon(&recorder->stream);
	recorder_join(recorder);
	held_stop();
	workload_release(&recorder->workload);
	cgroup_remove(&recorder->group);
	if (!recorder->options.code.keep_maps) {
		runtimes_remove_maps(&recorder->runtimes);
	}
	(void)runtimes_remove_logs(&recorder->runtimes); // if the recording was abandoned
	if (recorder->bounded.lost > 0) {
		return; // a hanging thread may still use this memory
	}
	bounded_release(&recorder->bounded);
	running_release(&recorder->running, recorder->options.code.keep_maps);
	runtimes_release(&recorder->runtimes);
	samplers_free(recorder->rings.samplers);
	rings_release(&recorder->rings);
	delays_release(&recorder->delays);
	counters_release(&recorder->counters);
	stream_release(&recorder->stream);
	free(recorder->polled);
	free(recorder->attached);
	diag_release(&recorder->late);
	free(recorder);
}
