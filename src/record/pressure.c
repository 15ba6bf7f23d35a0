/* Signs that the kernel writes records faster than the recorder reads them. */
#include "record/pressure.h"

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/proc.h"

enum { FIRST = -20 }; // priority of threads that run before all others

bool pressure_may_hurry(void) {
	int before = getpriority(PRIO_PROCESS, 0);
	// on Linux, this is the priority of the thread
	bool may = setpriority(PRIO_PROCESS, 0, FIRST) == 0;
	if (may) {
		setpriority(PRIO_PROCESS, 0, before);
	}
	return may;
}

/** Ask the scheduler for short but prompt time slices. From Linux 6.12 on, every user may do
 * this. */
static void pressure_ask_for_short_slices(void) {
	const struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period; // in nanoseconds
	} wanted = {.size = sizeof(wanted),
		    .policy = SCHED_OTHER,
		    .nice = getpriority(PRIO_PROCESS, 0),
		    .runtime = 100000 /* the least */};
	(void)syscall(SYS_sched_setattr, 0, &wanted, 0);
}

void pressure_hurry(void) {
	if (setpriority(PRIO_PROCESS, 0, FIRST) != 0) {
		pressure_ask_for_short_slices();
	}
}

/** Return the number of threads that run or wait for a processor. */
static unsigned long pressure_count_running(void) {
	struct buf text = {0};
	unsigned long n = 0;
	proc_read("/proc/loadavg", &text);
	if (sscanf(buf_text(&text), "%*s %*s %*s %lu", &n) != 1) {
		n = 0;
	}
	buf_release(&text);
	return n;
}

bool pressure_is_high(const struct rings *rings, struct stream *stream, size_t cpus, bool hurries) {
	enum { MOST_RUNNING = 16 /* for each processor */, MOST_UNREAD = 256 << 20 };
	if (stream_size(stream) > MOST_UNREAD) {
		return true;
	}
	return !hurries && (rings->half_full || rings->lost > 0 ||
			    pressure_count_running() > MOST_RUNNING * cpus);
}
