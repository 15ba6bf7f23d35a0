/* Open the kernel's counters, or simpler counters if the kernel refuses the requested ones. */
#include "record/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/ioctl_request.h"
#include "record/cgroup.h"
#include "record/event_names.h"
#include "record/proc.h"
#include "record/root.h"
#include "record/wakings.h"

static const char paranoid_path[] = "/proc/sys/kernel/perf_event_paranoid";

void counters_lack(struct counters *counters, const char *format, ...) {
	va_list args;
	if (counters->lacking.n > 0) {
		buf_add_text(&counters->lacking, "; ");
	}
	va_start(args, format);
	buf_vprintf(&counters->lacking, format, args);
	va_end(args);
}

/* --- Requests to the kernel ----------------------------------------------------------------- */

static int counters_open_one(const struct perf_event_attr *attr, int32_t tid, int cpu) {
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/** Open an event for all threads in the control group. */
static int counters_open_for_group(const struct counters *counters,
				   const struct perf_event_attr *attr, int cpu) {
	return counters->options->root != NULL
		       ? root_open(counters->options->root, attr, ROOT_GROUP, cpu)
		       : (int)syscall(SYS_perf_event_open, attr, counters->group.fd, cpu, -1,
				      PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);
}

/** Open an event of this process that never happens. */
static int counters_open_dummy(bool with_build_ids) {
	const struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
					     .config = PERF_COUNT_SW_DUMMY,
					     .size = PERF_ATTR_SIZE_VER5,
					     .exclude_kernel = 1,
					     .mmap = 1,
					     .mmap2 = 1,
					     .build_id = with_build_ids};
	return counters_open_one(&attr, 0, -1);
}

/** Return whether the kernel can add build-ids to records of mappings. It can from Linux 5.12
 * on. */
static bool counters_has_build_ids(void) {
	int fd = counters_open_dummy(true);
	if (fd >= 0) {
		close(fd);
	}
	return fd >= 0;
}

/** Return a bit mask of the registers that unwinding needs, by the numbers that perf has for
 * them. */
static uint64_t counters_user_registers(void) {
#if defined(__x86_64__)
	return 0xff0fff; // all registers except four segment registers
#elif defined(__aarch64__)
	return 0x1ffffffff; // x0 to x30, sp, pc
#else
	return 0;
#endif
}

/** Bytes of samples with copied stacks after which the kernel wakes the reading thread. */
enum { WAKE_SMALL = 32 << 10, WAKE_EARLY = 256 << 10, WAKE_LATE = 1 << 20 };

static void counters_ask_for_chains(struct perf_event_attr *attr,
				    const struct record_options *options) {
	int64_t most = proc_setting("/proc/sys/kernel/perf_event_max_stack", 0);
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = most > 0 && most <= UINT16_MAX ? (uint16_t)most : 0;
	if (options->chains == RECORD_DWARF) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user = counters_user_registers();
		attr->sample_stack_user = options->stack_size;
		attr->exclude_callchain_user = options->no_user_chain;
		// Samples with stacks are large, so wake the reader before the ring is full.
		attr->watermark = 1;
		attr->wakeup_watermark = options->hurries ? WAKE_LATE : WAKE_EARLY;
	}
}

/** Set whether an event records the mappings, starts, ends and names of processes. */
static void counters_record_changes(struct perf_event_attr *attr,
				    const struct record_options *options, bool wanted) {
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = wanted;
	attr->mmap_data =
		// perf unwinds only if all mappings are recorded
		wanted && options->chains == RECORD_DWARF;
	attr->build_id = wanted && counters_has_build_ids();
}

/** Wake the thread that reads script stacks at each sample, and record when threads stop. */
static void counters_wake_at_once(struct perf_event_attr *attr,
				  const struct record_options *options) {
	attr->watermark = 0;
	attr->wakeup_events = 1;
	// With RECORD_WALL, another event records the switches.
	attr->context_switch = options->time != RECORD_WALL;
}

/** Return the requested rate. If the kernel does not allow such a high rate, note this in
 * `lacking`, and return the highest allowed rate. */
static uint64_t counters_allowed_rate(struct counters *counters) {
	uint64_t rate = counters->options->rate;
	int64_t most = proc_setting("/proc/sys/kernel/perf_event_max_sample_rate", INT64_MAX);
	if (most > 0 && rate > (uint64_t)most) {
		counters_lack(counters,
			      "the rate is %lld samples a second instead of %llu (limit: "
			      "kernel.perf_event_max_sample_rate)",
			      (long long)most, (unsigned long long)rate);
		return (uint64_t)most;
	}
	return rate;
}

/** Make an event one of the kernel's software events, of which every occurrence is sampled. */
static void counters_make_software(struct perf_event_attr *attr, uint64_t event) {
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = event;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->precise_ip = 0;
}

/** Let an event record each moment when a thread stops running, as a sample and as a record of a
 * switch. The event happens only in the kernel. So if the kernel may not be sampled, there are only
 * the records of switches, and no samples. */
static void counters_make_switches(struct perf_event_attr *attr) {
	counters_make_software(attr, PERF_COUNT_SW_CONTEXT_SWITCHES);
	attr->context_switch = 1;
}

static void counters_add_switches(struct counters *counters) {
	struct perf_event_attr *attr = &counters->attrs[counters->events];
	counters->switch_event = counters->events++;
	*attr = counters->attrs[0];
	counters_make_switches(attr);
	counters_record_changes(attr, counters->options, false);
}

/** Return whether events that copy less of each stack are wanted. They do not work with several
 * runs of the program, because exec() would switch on both kinds of events in a later run. */
static bool counters_wants_short(const struct counters *counters) {
	return counters->may_shorten && counters->options->plan.repeat <= 1 &&
	       counters->attrs[0].sample_stack_user > COUNTERS_SHORT_STACK;
}

/** Return whether a separate event has to record changes such as new mappings. A disabled event
 * records no changes, and the first event is disabled before a delayed start of the sampling, and
 * after the change to shorter stacks. Before a delayed start, processes that already run need no
 * separate event: inferno reads their mappings from /proc when the sampling starts. With
 * counters_extends(), most of the recording has shorter stacks, so the event with shorter stacks
 * records the changes instead: each further event makes every switch between threads slower. */
static bool counters_has_own_changes(const struct counters *counters) {
	const struct record_options *options = counters->options;
	return (counters_wants_short(counters) && !counters_extends(options)) ||
	       (options->program != NULL && record_starts_late(options));
}

/** Add an event that takes no samples, and records changes from the program's start on. */
static void counters_add_changes(struct counters *counters) {
	struct perf_event_attr *attr = &counters->attrs[counters->events++];
	*attr = counters->attrs[0];
	counters_make_software(attr, PERF_COUNT_SW_DUMMY);
	attr->context_switch = 0;
	attr->enable_on_exec = counters->options->program != NULL;
	counters_record_changes(attr, counters->options, true);
}

/** Add events that copy less of each stack. The recorder switches to these events when memory gets
 * scarce, or when it reads script stacks. If no separate event records changes, the first event
 * with shorter stacks does while it is in use. */
static void counters_add_short(struct counters *counters) {
	counters->short_event = counters->events;
	for (unsigned i = 0; i < counters->asked; i++) {
		struct perf_event_attr *attr = &counters->attrs[counters->events++];
		*attr = counters->attrs[i];
		attr->sample_stack_user = COUNTERS_SHORT_STACK;
		attr->enable_on_exec = 0;
		counters_record_changes(attr, counters->options, counters->attrs[i].comm);
	}
}

/** Open a counter. Return a descriptor, or -1 with errno set. */
static int counters_open_any(struct counters *counters, const struct perf_event_attr *attr,
			     int32_t tid, int cpu) {
	struct root *root = counters->options->root;
	return counters->group.path.n > 0
		       ? root_open_group(root, attr, buf_text(&counters->group.path), cpu)
	       : counters->group.fd >= 0 ? counters_open_for_group(counters, attr, cpu)
	       : root == NULL            ? counters_open_one(attr, tid, cpu)
					 : root_open(root, attr, tid, cpu);
}

/** Add the event of waking a thread, if it can be opened. */
static void counters_add_wakings(struct counters *counters, int cpu) {
	const int32_t all = -1;
	struct perf_event_attr *attr = &counters->attrs[counters->events];
	*attr = counters->attrs[0];
	counters_record_changes(attr, counters->options, false);
	int fd = !counters->hides_kernel && wakings_make(attr, counters->options)
			 ? counters_open_any(counters, attr, all, cpu)
			 : -1;
	if (fd >= 0) {
		close(fd);
		counters->waking.event = counters->events++;
		counters->waking.tid = NO_THREAD;
		wakings_describe(&counters->description, counters->options);
	} else if (counters->options->wakers) {
		counters_lack(counters,
			      "who wakes threads is not known: only root may record that; "
			      "run as root, or use --root");
	}
}

/** Add the other events to the sampling event, now that the permissions are known. */
static void counters_add_others(struct counters *counters, int cpu) {
	const struct record_options *options = counters->options;
	if (counters_wants_short(counters)) {
		counters_add_short(counters);
	}
	if (counters->options->time == RECORD_WALL) {
		counters_add_switches(counters);
	}
	if (options->time != RECORD_ON_CPU) {
		counters_add_wakings(counters, cpu);
	}
	if (!counters->attrs[0].comm) {
		counters_add_changes(counters);
	}
}

bool record_copies_stacks(void) {
	return counters_user_registers() != 0;
}

/** Return the attributes that all requested events share. */
static struct perf_event_attr counters_usual_attr(const struct counters *counters, uint64_t rate) {
	const struct record_options *options = counters->options;
	bool everything = options->program == NULL && options->processes_n == 0;
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.freq = 1,
		.sample_freq = rate,
		// synth.c writes records with the same fields.
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.disabled = 1,
		.inherit = !everything,
		.inherit_stat = !everything && options->time == RECORD_ON_CPU,
		.enable_on_exec = options->program != NULL && !record_starts_late(options),
		.exclude_idle = everything,
		.exclude_guest = 1,
		.sample_id_all = 1,
		.use_clockid = 1, // jitdump files use this clock
		.clockid = CLOCK_MONOTONIC,
	};
	counters_ask_for_chains(&attr, options);
	if (options->code.scripts) {
		counters_wake_at_once(&attr, options);
	}
	return attr;
}

/** Set the period of an event to which the requested rate does not apply. */
static void counters_set_period(struct perf_event_attr *attr, const struct record_event *event,
				const struct record_options *options) {
	bool each = event_is_occurrence(&event->attr) && !options->rate_given;
	if (event->attr.sample_period != 0) {
		attr->freq = event->attr.freq;
		attr->sample_period = event->attr.sample_period;
	} else if (options->period != 0 || each) {
		attr->freq = 0;
		attr->sample_period = each && options->period == 0 ? 1 : options->period;
	}
}

/** Copy the type and the settings of a requested event into the usual attributes. */
static void counters_make_asked(struct perf_event_attr *attr, const struct record_event *event,
				const struct record_options *options) {
	const struct perf_event_attr *asked = &event->attr;
	attr->type = asked->type;
	attr->config = asked->config;
	attr->config1 = asked->config1; // the same field as the address of a breakpoint
	attr->config2 = asked->config2; // the same field as the length of a breakpoint
	attr->bp_type = asked->bp_type;
	attr->exclude_user = asked->exclude_user || options->kernel_only;
	attr->exclude_kernel = asked->exclude_kernel || options->user_only;
	attr->exclude_hv = asked->exclude_hv || options->user_only;
	attr->exclude_host = asked->exclude_host;
	attr->exclude_guest = event->guests ? asked->exclude_guest : 1;
	attr->exclude_idle |= asked->exclude_idle;
	attr->pinned = asked->pinned;
	attr->exclusive = asked->exclusive;
	// Request the exact address of the event, on processors that can provide it.
	bool cycles =
		asked->type == PERF_TYPE_HARDWARE && asked->config == PERF_COUNT_HW_CPU_CYCLES;
	attr->precise_ip = cycles && !event->exact ? 3 : asked->precise_ip;
	counters_set_period(attr, event, options);
}

const char record_io_events[] =
	"syscalls:sys_exit_read,syscalls:sys_exit_write,syscalls:sys_exit_pread64,"
	"syscalls:sys_exit_pwrite64,syscalls:sys_exit_readv,syscalls:sys_exit_writev,"
	"syscalls:sys_exit_preadv,syscalls:sys_exit_pwritev,syscalls:sys_exit_sendfile64,"
	"syscalls:sys_exit_fsync,syscalls:sys_exit_fdatasync,"
	"syscalls:sys_enter_read,syscalls:sys_enter_write,syscalls:sys_enter_pread64,"
	"syscalls:sys_enter_pwrite64,syscalls:sys_enter_readv,syscalls:sys_enter_writev,"
	"syscalls:sys_enter_preadv,syscalls:sys_enter_pwritev,syscalls:sys_enter_sendfile64,"
	"syscalls:sys_enter_fsync,syscalls:sys_enter_fdatasync";

/** Prepare an event of a system call. At the end of a call, the event records the result and the
 * program's stack. At the start, it records no stack. */
static void counters_make_io(struct perf_event_attr *attr, const struct record_event *event) {
	enum { STACK_MOST = 16384 };
	const uint64_t stacks =
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_type |= PERF_SAMPLE_RAW;
	attr->exclude_callchain_kernel = 1;
	if (attr->sample_stack_user > STACK_MOST) {
		attr->sample_stack_user = STACK_MOST;
	}
	if (strstr(event->name, "sys_enter_") != NULL) { // the call has no result yet
		attr->sample_type &= ~stacks;
		attr->sample_regs_user = attr->sample_stack_user = 0;
		attr->exclude_callchain_user = attr->exclude_callchain_kernel = 0;
		attr->wakeup_events = 0;
		attr->watermark = 1;
		attr->wakeup_watermark = WAKE_EARLY;
	}
}

bool counters_extends(const struct record_options *options) {
	return options->code.scripts && options->hurries && options->time == RECORD_ON_CPU &&
	       !record_counts_io(options);
}

int counters_init(struct counters *counters, const struct record_options *options,
		  struct diag *diag) {
	const struct record_events *events = options->events;
	*counters = (struct counters){
		.options = options,
		.diag = diag,
		.attrs = mem_new(2 * events->n + COUNTERS_OTHERS, sizeof(*counters->attrs)),
		.events = (unsigned)events->n,
		.asked = (unsigned)events->n,
		.own = -1,
		.group = {.fd = -1, .opened = -1},
		.may_shorten = !options->hurries || counters_extends(options)};
	if (options->chains == RECORD_DWARF && !record_copies_stacks()) {
		return diag_error(diag, "--call-graph dwarf is known only for x86_64 and aarch64; "
					"use --call-graph fp");
	}
	uint64_t rate = counters_allowed_rate(counters);
	bool fixed = true, occurrences = false;
	for (size_t i = 0; i < events->n; i++) {
		counters->attrs[i] = counters_usual_attr(counters, rate);
		counters_make_asked(&counters->attrs[i], &events->items[i], options);
		counters->attrs[i].context_switch &= i == 0; // one such event is enough
		if (record_counts_io(options)) {
			counters_make_io(&counters->attrs[i], &events->items[i]);
		}
		fixed = fixed && counters->attrs[i].freq == 0;
		occurrences = occurrences || (event_is_occurrence(&counters->attrs[i]) &&
					      counters->attrs[i].sample_period > 1);
	}
	// If each sample has its period, the kernel samples every occurrence and ignores the
	// requested period.
	for (size_t i = 0; i < events->n && fixed && occurrences; i++) {
		counters->attrs[i].sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	}
	if (options->time == RECORD_OFF_CPU) {
		counters_make_switches(&counters->attrs[0]);
	}
	cpus_find(&counters->cpus);
	return options->cpus == NULL ? 0 : cpus_keep(&counters->cpus, options->cpus, diag);
}

/* --- Refusals of the kernel ---------------------------------------------------------------- */

static bool counters_is_refusal(int problem) {
	return problem == EACCES || problem == EPERM;
}

/** Return whether an error means that no counter can count or sample this event. */
static bool counters_is_unknown(int problem) {
	return problem == ENOENT || problem == ENODEV || problem == EOPNOTSUPP || problem == EINVAL;
}

/** Return a phrase for the parts that are missing if the kernel may not be sampled. */
static const char *counters_lacks_without_kernel(const struct record_options *options) {
	if (options->time != RECORD_ON_CPU && options->processes_n > 0) {
		return "where threads wait is missing, except for those that wait already when the "
		       "recording starts: the time that each of them waits is recorded without "
		       "stacks";
	}
	return options->time == RECORD_OFF_CPU
		       ? "where threads wait is missing: only the time that each of them waits is "
			 "recorded, without stacks"
	       : options->time == RECORD_WALL
		       ? "where threads wait is missing: that time is recorded without stacks, and "
			 "time in the kernel is not sampled"
		       : "time in the kernel is not sampled";
}

static void counters_leave_out_kernel(struct counters *counters) {
	for (unsigned i = 0; i < counters->asked; i++) {
		counters->attrs[i].exclude_kernel = 1;
		counters->attrs[i].exclude_hv = 1;
	}
	counters->hides_kernel = true;
	counters_lack(counters,
		      "%s (kernel.perf_event_paranoid is %lld, and has to be 1 or less, or this "
		      "user needs CAP_PERFMON, or --root)",
		      counters_lacks_without_kernel(counters->options),
		      (long long)proc_setting(paranoid_path, 2));
}

static bool counters_copies_stacks(const struct perf_event_attr *attr) {
	return (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
}

/** Change all requested events from copied stacks to frame pointers. */
static void counters_copy_no_stacks(struct counters *counters) {
	for (unsigned i = 0; i < counters->asked; i++) {
		struct perf_event_attr *attr = &counters->attrs[i];
		attr->sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
		attr->sample_regs_user = attr->sample_stack_user = 0;
		attr->exclude_callchain_user = 0;
	}
}

/** Return whether an event happens only in the kernel, or must be sampled only in the kernel. */
static bool counters_needs_kernel(const struct perf_event_attr *attr) {
	return attr->exclude_user || attr->type == PERF_TYPE_TRACEPOINT;
}

/** Drop one setting that an event does not strictly need, and that can be the reason of the
 * kernel's error. Return false if there is no such setting. */
static bool counters_ask_for_less(struct counters *counters, unsigned event, int problem) {
	struct perf_event_attr *attr = &counters->attrs[event];
	if (event >= counters->asked) {
		return false;
	}
	const struct record_event *asked = &counters->options->events->items[event];
	if (counters_is_unknown(problem) && attr->precise_ip > 0 && !asked->exact) {
		attr->precise_ip = (attr->precise_ip - 1U) & 3U;
		return true;
	}
	if (counters_is_unknown(problem) && attr->exclude_guest && !asked->guests) {
		attr->exclude_guest = 0;
		return true;
	}
	if (counters_is_unknown(problem) && attr->type == PERF_TYPE_HARDWARE && asked->automatic) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_CPU_CLOCK;
		attr->exclude_guest = 1;
		diag_note(counters->diag, "no hardware counter takes samples here: sampling "
					  "cpu-clock instead of cycles");
		return true;
	}
	if ((counters_is_unknown(problem) || problem == ENOSYS) && counters->options->any_chains &&
	    counters_copies_stacks(attr) && event == 0) {
		counters_copy_no_stacks(counters);
		return true;
	}
	bool everything = counters->options->program == NULL && counters->options->processes_n == 0;
	if (counters_is_refusal(problem) && !attr->exclude_kernel && !everything &&
	    !counters_needs_kernel(attr)) {
		counters_leave_out_kernel(counters);
		return true;
	}
	return false;
}

/** If a process belongs to another user, report this. Return whether it belongs to another user. */
static bool counters_report_owner(struct counters *counters, int32_t tid) {
	char path[32];
	struct stat about;
	snprintf(path, sizeof(path), "/proc/%d", tid);
	if (tid < 0 || counters->options->program != NULL || stat(path, &about) != 0 ||
	    about.st_uid == geteuid()) {
		return false;
	}
	diag_error(counters->diag,
		   "process %d belongs to another user (its id is %u); run as that user or as root",
		   tid, about.st_uid);
	return true;
}

/** Add the names of the usual hardware events that this machine counts, separated by commas. */
static void counters_format_hardware(struct buf *text) {
	static const char *const names[] = {"cycles",       "instructions", "cache-references",
					    "cache-misses", "branches",     "branch-misses",
					    "bus-cycles",   "ref-cycles"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct perf_event_attr attr = {
			.size = PERF_ATTR_SIZE_VER5, .exclude_kernel = 1, .disabled = 1};
		(void)event_by_name(str_of(names[i]), &attr);
		int fd = counters_open_one(&attr, 0, -1);
		if (fd >= 0) {
			buf_printf(text, "%s%s", text->n > 0 ? ", " : "", names[i]);
			close(fd);
		}
	}
}

/** Report that there is no counter for an event, and list the events that exist. Return -1. */
static int counters_fail_unknown(const struct counters *counters,
				 const struct record_event *asked) {
	struct buf hardware = {0};
	counters_format_hardware(&hardware);
	bool any = hardware.n > 0;
	diag_error(counters->diag,
		   "this machine cannot sample %s; %s%s%scpu-clock and task-clock sample time, "
		   "and page-faults, context-switches and tracepoints work",
		   asked->name,
		   any ? "of the hardware it counts "
		       : "it has no hardware counters, as most virtual machines: ",
		   buf_text(&hardware), any ? "; " : "");
	buf_release(&hardware);
	return -1;
}

/** Report an error of the kernel, with the attributes of the event. Return -1. */
static int counters_fail_otherwise(const struct counters *counters, unsigned event, int problem) {
	const struct perf_event_attr *attr = &counters->attrs[event];
	const struct record_events *events = counters->options->events;
	struct buf text = {0};
	buf_printf(&text, "cannot take samples: the kernel refuses perf_event_open: %s (%s",
		   strerror(problem),
		   event < counters->asked ? events->items[event].name : "an event of its own");
	buf_printf(&text, attr->freq ? " at %llu Hz" : ", one of %llu",
		   (unsigned long long)(attr->freq ? attr->sample_freq : attr->sample_period));
	if (attr->sample_stack_user > 0) {
		buf_printf(&text, ", %u bytes of each stack", attr->sample_stack_user);
	}
	buf_add_text(&text, "); less may be allowed: --event cpu-clock --freq 99 --call-graph fp; "
			    "'inferno doctor' tells what is possible here");
	diag_error(counters->diag, "%s", buf_text(&text));
	buf_release(&text);
	return -1;
}

/** Report why samples cannot be taken, and how to fix it. Return -1. */
static int counters_fail(struct counters *counters, unsigned event, int32_t tid, int problem) {
	struct diag *diag = counters->diag;
	const long long strict = 3; // a level that Debian and Ubuntu add
	long long paranoid = proc_setting(paranoid_path, 2);
	if (counters_is_refusal(problem) && counters_report_owner(counters, tid)) {
		return -1;
	}
	if (problem == EACCES && tid < 0) {
		return diag_error(diag,
				  "sampling all processes is not allowed "
				  "(kernel.perf_event_paranoid is %lld); run as root, or: sudo "
				  "sysctl kernel.perf_event_paranoid=0",
				  paranoid);
	}
	if (problem == EACCES && paranoid >= strict) {
		return diag_error(diag,
				  "this kernel does not let ordinary users take samples "
				  "(kernel.perf_event_paranoid is %lld); run as root, or: sudo "
				  "sysctl kernel.perf_event_paranoid=2",
				  paranoid);
	}
	const struct record_event *asked =
		event < counters->asked ? &counters->options->events->items[event] : NULL;
	if (problem == EACCES && asked != NULL && counters_needs_kernel(&counters->attrs[event])) {
		return diag_error(diag,
				  "%s: events in the kernel are not for ordinary users "
				  "(kernel.perf_event_paranoid is %lld); record with --root, as "
				  "root, or: sudo sysctl kernel.perf_event_paranoid=1",
				  asked->name, paranoid);
	}
	if (counters_is_refusal(problem)) {
		return diag_error(diag,
				  "a security policy forbids taking samples, as in a container; "
				  "start the container with --cap-add PERFMON, or with a seccomp "
				  "profile that allows perf_event_open");
	}
	if (problem == ENOSYS) {
		return diag_error(diag, "this system has no perf events: its kernel is built "
					"without them, or only imitates Linux");
	}
	if (problem == EMFILE || problem == ENFILE) {
		return diag_error(
			diag,
			"too many open files: sampling takes one for each thread%s; raise "
			"the limit with 'ulimit -n'",
			counters->any_cpu ? "" : " on each processor");
	}
	if (counters_is_unknown(problem) && asked != NULL && !asked->automatic) {
		return counters_fail_unknown(counters, asked);
	}
	return counters_fail_otherwise(counters, event, problem);
}

/** Open one counter. The first call for an event also determines what the kernel allows. Return a
 * descriptor, or -1 with errno set. */
static int counters_try_one(struct counters *counters, unsigned event, int32_t tid, int cpu) {
	int fd;
	if (counters->tried == 0) {
		counters_record_changes(&counters->attrs[0], counters->options,
					!counters_has_own_changes(counters));
	}
	do {
		fd = counters_open_any(counters, &counters->attrs[event], tid, cpu);
	} while (fd < 0 && counters->tried <= event &&
		 counters_ask_for_less(counters, event, errno));
	if (fd >= 0 && counters->tried <= event) {
		counters->tried = event + 1;
		if (counters->tried == counters->asked) {
			counters_add_others(counters, cpu);
		}
		if (event == 0 && counters->options->chains == RECORD_DWARF &&
		    !counters_copies_stacks(&counters->attrs[0])) {
			diag_done(counters->diag, "stacks are found by frame pointers: this kernel "
						  "copies none");
		}
	}
	return fd;
}

/** Return the thread for which to open a counter of an event: -1 for one counter of all threads, or
 * NO_THREAD if none is to be opened, because such a counter is open already or `any_cpu` is set.
 * Wakeups must be counted for all threads, because the kernel reports a wakeup for the waker, which
 * may be any thread or an interrupt. */
static int32_t counters_thread_of(struct counters *counters, unsigned event, int32_t tid) {
	if (counters->waking.event == 0 || event != counters->waking.event) {
		return tid;
	}
	if (counters->waking.tid == NO_THREAD) {
		counters->waking.tid = tid;
	}
	return counters->waking.tid == tid && !counters->any_cpu ? -1 : NO_THREAD;
}

enum { THREAD_HAS_ENDED = 2 };

/** Open the counters of a thread on one processor. Return what counters_add() returns, or
 * THREAD_HAS_ENDED. */
static int counters_add_on(struct counters *counters, int32_t tid, int cpu) {
	for (unsigned event = 0; event < counters->events; event++) {
		struct counter counter = {.cpu = cpu,
					  .tid = counters_thread_of(counters, event, tid),
					  .event = event};
		// With `any_cpu`, the requested events copy short stacks, too.
		bool is_spare = counters->any_cpu && counters_is_short(counters, event);
		if (counter.tid == NO_THREAD || is_spare) {
			continue;
		}
		counter.fd = counters_try_one(counters, event, counter.tid, cpu);
		if (counter.fd < 0 && errno == ESRCH && counters->options->program == NULL) {
			return THREAD_HAS_ENDED;
		}
		if (counter.fd < 0 && errno == EMFILE && !counters->any_cpu &&
		    counters->options->processes_n > 0) {
			return COUNTERS_TOO_MANY;
		}
		if (counter.fd < 0 && !(errno == ENODEV && counters->tried > event)) {
			return counters_fail(counters, event, tid, errno);
		}
		*MEM_APPEND(counters->items, counters->n, counters->capacity) = counter;
	}
	return 0;
}

int counters_add(struct counters *counters, int32_t tid) {
	const int any = -1;
	int result = counters->any_cpu ? counters_add_on(counters, tid, any) : 0;
	for (size_t i = 0; i < counters->cpus.n && result == 0 && !counters->any_cpu; i++) {
		result = counters_add_on(counters, tid, counters->cpus.items[i]);
	}
	return result == THREAD_HAS_ENDED ? 0 : result;
}

/** Set up an event so that its samples fit into small rings. */
static void counters_shrink(struct perf_event_attr *attr) {
	if (attr->sample_stack_user > COUNTERS_SHORT_STACK) {
		attr->sample_stack_user = COUNTERS_SHORT_STACK;
	}
	if (attr->watermark) {
		attr->wakeup_watermark = WAKE_SMALL;
	}
}

void counters_take_any_cpu(struct counters *counters) {
	counters->any_cpu = true;
	for (unsigned event = 0; event < counters->events; event++) {
		// The kernel provides no ring for an inherited counter of all processors.
		counters->attrs[event].inherit = counters->attrs[event].inherit_stat = 0;
		counters_shrink(&counters->attrs[event]);
	}
	counters_lack(counters,
		      "threads that start from now on are not sampled, as there are too many to "
		      "watch them on each of %zu processors",
		      counters->cpus.n);
}

void counters_clear(struct counters *counters) {
	for (size_t i = 0; i < counters->n; i++) {
		if (counters->items[i].fd >= 0) {
			close(counters->items[i].fd);
		}
	}
	counters->n = 0;
	counters->waking.tid = NO_THREAD;
}

int counters_add_own(struct counters *counters) {
	const int32_t own = 0;
	// If two processes have the same counters, the kernel may swap the counters between them. A
	// further counter that is not inherited prevents this for the counters of this process.
	counters->own = counters_open_dummy(false);
	return counters->own < 0 ? counters_fail(counters, 0, own, errno)
				 : counters_add(counters, own);
}

/** Open a control group, unless the helper of --root will open it. Return 0, or -1 after
 * diag_error(). */
static int counters_open_group(struct counters *counters, const char *name, struct buf *path) {
	size_t n = cgroup_find(name, path);
	if (n == 0) {
		return diag_error(counters->diag,
				  "--cgroup: there is no control group '%s'; systemd-cgls and "
				  "/proc/PID/cgroup show them",
				  quote(str_of(name)).text);
	}
	if (n > 1) {
		return diag_error(counters->diag,
				  "--cgroup: %zu control groups are called '%s'; name one by its "
				  "path, such as %s",
				  n, quote(str_of(name)).text, buf_text(path));
	}
	if (counters->options->root != NULL) {
		buf_add_str(&counters->group.path, buf_str(path));
		return 0;
	}
	counters->group.opened = open(buf_text(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	counters->group.fd = counters->group.opened;
	return counters->group.fd >= 0 ? 0
				       : diag_error(counters->diag, "--cgroup: %s: cannot open: %s",
						    buf_text(path), strerror(errno));
}

int counters_add_group(struct counters *counters, const char *name) {
	struct buf path = {0};
	int result = counters_open_group(counters, name, &path);
	buf_release(&path);
	return result == 0 ? counters_add(counters, -1) : -1;
}

bool counters_use_group(struct counters *counters, int group) {
	const struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
					     .config = PERF_COUNT_SW_CPU_CLOCK,
					     .size = PERF_ATTR_SIZE_VER5,
					     .disabled = 1};
	counters->group.fd = group;
	int fd = counters_open_for_group(counters, &attr, counters->cpus.items[0]);
	if (fd < 0) {
		counters->group.fd = -1;
		return false;
	}
	close(fd);
	for (unsigned i = 0; i < counters->asked; i++) {
		// The processes that the program starts are in the control group, too, so they need
		// not inherit the counters.
		counters->attrs[i].inherit = counters->attrs[i].inherit_stat = 0;
	}
	return true;
}

void counters_start(const struct counters *counters) {
	for (size_t i = 0; i < counters->n; i++) {
		if (counters->attrs[counters->items[i].event].enable_on_exec) {
			ioctl(counters->items[i].fd, PERF_EVENT_IOC_ENABLE, 0);
		}
	}
}

uint64_t counter_id(const struct counter *counter) {
	uint64_t id;
	const ioctl_request ask = (ioctl_request)PERF_EVENT_IOC_ID;
	return counter->fd >= 0 && ioctl(counter->fd, ask, &id) == 0 ? id : 0;
}

bool counters_is_short(const struct counters *counters, unsigned event) {
	return counters->short_event != 0 && event >= counters->short_event &&
	       event < counters->short_event + counters->asked;
}

/** Each requested event may have a variant that copies shorter stacks; only one of the two is in
 * use. Return whether this event is the one that is not in use, and takes no samples. */
static bool counters_is_spare(const struct counters *counters, unsigned event) {
	return counters->short_event != 0 &&
	       (counters->shortened ? event < counters->asked : counters_is_short(counters, event));
}

void counters_enable(const struct counters *counters) {
	for (size_t i = 0; i < counters->n; i++) {
		if (!counters_is_spare(counters, counters->items[i].event)) {
			ioctl(counters->items[i].fd, PERF_EVENT_IOC_ENABLE, 0);
		}
	}
}

void counters_shorten(struct counters *counters, bool shortened) {
	if (counters->short_event == 0 || counters->shortened == shortened) {
		return;
	}
	counters->shortened = shortened;
	// Enable one kind of events before the other kind is disabled, so that no change is missed.
	for (int disables = 0; disables < 2; disables++) {
		for (size_t i = 0; i < counters->n; i++) {
			unsigned event = counters->items[i].event;
			bool asked = event < counters->asked;
			bool wanted = asked != shortened;
			if ((asked || counters_is_short(counters, event)) &&
			    wanted == (disables == 0)) {
				ioctl(counters->items[i].fd,
				      wanted ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
			}
		}
	}
}

void counters_disable(const struct counters *counters) {
	for (size_t i = 0; i < counters->n; i++) {
		ioctl(counters->items[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	}
}

uint64_t counters_total(const struct counters *counters) {
	uint64_t sum = 0;
	for (size_t i = 0; i < counters->n; i++) {
		uint64_t count;
		unsigned event = counters->items[i].event;
		event -= counters_is_short(counters, event) ? counters->short_event : 0;
		if (event == 0 &&
		    read(counters->items[i].fd, &count, sizeof(count)) == sizeof(count)) {
			sum += count;
		}
	}
	return sum;
}

bool counters_count_time(const struct counters *counters) {
	const struct perf_event_attr *attr = &counters->attrs[0];
	if (attr->exclude_user || attr->exclude_kernel != counters->hides_kernel) {
		return false;
	}
	return attr->type == PERF_TYPE_SOFTWARE ? attr->config == PERF_COUNT_SW_CPU_CLOCK ||
							  attr->config == PERF_COUNT_SW_TASK_CLOCK
						: attr->type == PERF_TYPE_HARDWARE &&
							  attr->config == PERF_COUNT_HW_CPU_CYCLES;
}

double counters_per_nanosecond(const struct counters *counters, double user) {
	if (!counters_count_time(counters)) {
		return 0;
	}
	return counters->attrs[0].type == PERF_TYPE_SOFTWARE ? 1
	       : user > 0 ? (double)counters_total(counters) / (user * 1e9)
			  : 0;
}

void counters_release(struct counters *counters) {
	counters_clear(counters);
	if (counters->own >= 0) {
		close(counters->own);
	}
	if (counters->group.opened >= 0) {
		close(counters->group.opened);
	}
	buf_release(&counters->group.path);
	free(counters->attrs);
	free(counters->items);
	free(counters->cpus.items);
	buf_release(&counters->lacking);
	buf_release(&counters->description);
}
