/* Find the reasons why threads wait. */
#include "perf/wait.h"

#include <stdlib.h>

#include "base/mem.h"
#include "perf/offcpu.h"

enum perf_wait_state {
	STATE_NONE,
	STATE_CHILD,
	STATE_DISK,
	STATE_EVENT,
	STATE_FILE_LOCK,
	STATE_LOCK,
	STATE_MEMORY,
	STATE_MESSAGE,
	STATE_NETWORK,
	STATE_PIPE,
	STATE_POLL,
	STATE_SIGNAL,
	STATE_SOCKET,
	STATE_STOPPED,
	STATE_TERMINAL,
	STATE_TIMER,
	STATES
};

static const char *const frames[STATES] = {
	[STATE_CHILD] = "[waiting: child]",     [STATE_DISK] = "[waiting: disk]",
	[STATE_EVENT] = "[waiting: event]",     [STATE_FILE_LOCK] = "[waiting: file lock]",
	[STATE_LOCK] = "[waiting: lock]",       [STATE_MEMORY] = "[waiting: memory]",
	[STATE_MESSAGE] = "[waiting: message]", [STATE_NETWORK] = "[waiting: network]",
	[STATE_PIPE] = "[waiting: pipe]",       [STATE_POLL] = "[waiting: poll]",
	[STATE_SIGNAL] = "[waiting: signal]",   [STATE_SOCKET] = "[waiting: socket]",
	[STATE_STOPPED] = "[waiting: stopped]", [STATE_TERMINAL] = "[waiting: terminal]",
	[STATE_TIMER] = "[waiting: timer]",
};

/** Functions of the kernel, from Linux 4 to 6. `*` stands for any end of a name. */
static const struct {
	const char *function;
	enum perf_wait_state state;
} functions[] = {
	{"do_wait", STATE_CHILD},
	{"kernel_clone", STATE_CHILD}, // the parent waits in this function after vfork()
	{"kernel_wait4", STATE_CHILD},
	{"wait_for_vfork_done", STATE_CHILD},
	{"balance_dirty_pages*", STATE_DISK},
	{"blk_mq_get_tag", STATE_DISK},
	{"folio_wait_*", STATE_DISK},
	{"io_schedule*", STATE_DISK},
	{"jbd2_log_wait_commit", STATE_DISK},
	{"nfs_wait_*", STATE_DISK},
	{"rpc_wait_bit_killable", STATE_DISK},
	{"submit_bio_wait", STATE_DISK},
	{"wait_on_page_*", STATE_DISK},
	{"eventfd_read", STATE_EVENT},
	{"fanotify_read", STATE_EVENT},
	{"fuse_dev_do_read*", STATE_EVENT},
	{"inotify_read", STATE_EVENT},
	{"io_cqring_wait*", STATE_EVENT},
	{"signalfd_read*", STATE_SIGNAL},
	{"userfaultfd_*", STATE_EVENT},
	{"flock_lock_inode_wait", STATE_FILE_LOCK},
	{"locks_lock_inode_wait", STATE_FILE_LOCK},
	{"posix_lock_inode_wait", STATE_FILE_LOCK},
	{"fcntl_setlk*", STATE_FILE_LOCK},
	{"__futex_*", STATE_LOCK},
	{"__mutex_lock*", STATE_LOCK},
	{"__rt_mutex_*", STATE_LOCK},
	{"do_semtimedop", STATE_LOCK},
	{"__do_semtimedop", STATE_LOCK},
	{"down_*", STATE_LOCK},
	{"futex_*", STATE_LOCK},
	{"mutex_lock*", STATE_LOCK},
	{"rt_mutex_*", STATE_LOCK},
	{"rwsem_down_*", STATE_LOCK},
	{"__alloc_pages*", STATE_MEMORY},
	{"mem_cgroup_handle_over_high*", STATE_MEMORY},
	{"mem_cgroup_oom_synchronize", STATE_MEMORY},
	{"throttle_direct_reclaim", STATE_MEMORY},
	{"do_mq_timedreceive", STATE_MESSAGE},
	{"do_mq_timedsend", STATE_MESSAGE},
	{"do_msgrcv*", STATE_MESSAGE},
	{"do_msgsnd*", STATE_MESSAGE},
	{"wq_sleep*", STATE_MESSAGE},
	{"inet_*", STATE_NETWORK},
	{"sk_stream_wait_*", STATE_NETWORK},
	{"sk_wait_data", STATE_NETWORK},
	{"tcp_*", STATE_NETWORK},
	{"udp_*", STATE_NETWORK},
	{"udpv6_*", STATE_NETWORK},
	{"anon_pipe_*", STATE_PIPE},
	{"fifo_open", STATE_PIPE},
	{"fifo_pipe_*", STATE_PIPE},
	{"pipe_read", STATE_PIPE},
	{"pipe_wait*", STATE_PIPE},
	{"pipe_write", STATE_PIPE},
	{"do_epoll_wait", STATE_POLL},
	{"do_poll*", STATE_POLL},
	{"do_select", STATE_POLL},
	{"do_sys_poll", STATE_POLL},
	{"ep_poll", STATE_POLL},
	{"poll_schedule_timeout*", STATE_POLL},
	{"__do_sys_pause", STATE_SIGNAL},
	{"__arm64_sys_pause", STATE_SIGNAL},
	{"__x64_sys_pause", STATE_SIGNAL},
	{"__arm64_sys_rt_sigsuspend", STATE_SIGNAL},
	{"__x64_sys_rt_sigsuspend", STATE_SIGNAL},
	{"do_sigtimedwait", STATE_SIGNAL},
	{"sigsuspend", STATE_SIGNAL},
	{"sys_pause", STATE_SIGNAL},
	{"netlink_recvmsg", STATE_SOCKET},
	{"packet_recvmsg", STATE_SOCKET},
	{"unix_*", STATE_SOCKET},
	{"vsock_*", STATE_SOCKET},
	{"do_freezer_trap", STATE_STOPPED},
	{"do_signal_stop", STATE_STOPPED},
	{"ptrace_stop", STATE_STOPPED},
	{"n_tty_*", STATE_TERMINAL},
	{"tty_wait_until_sent", STATE_TERMINAL},
	{"do_nanosleep", STATE_TIMER},
	{"hrtimer_nanosleep*", STATE_TIMER},
	{"msleep*", STATE_TIMER},
	{"timerfd_read*", STATE_TIMER},
	{"usleep_range*", STATE_TIMER},
};

static bool perf_wait_matches(struct str name, const char *function) {
	struct str wanted = str_of(function);
	return str_ends(wanted, STR("*")) ? str_starts(name, str_to(wanted, wanted.n - 1))
					  : str_eq(name, wanted);
}

/** Return the reason for the wait of a thread that stopped in a function. */
static enum perf_wait_state perf_wait_state_of(struct str name) {
	struct str mark = STR("_[k]"); // with --annotate-kernel, names of the kernel end in this
				       // mark
	name.n -= str_ends(name, mark) ? mark.n : 0;
	name = str_cut(&name, '.'); // cut off the compiler's suffix, such as .isra.0
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (perf_wait_matches(name, functions[i].function)) {
			return functions[i].state;
		}
	}
	return STATE_NONE;
}

uint32_t perf_wait_frame(struct perf_waits *waits, uint32_t function) {
	function = profile_name_id(waits->profile, function);
	if (function >= waits->n) {
		size_t n = (size_t)function + 1;
		MEM_GROW(waits->known, waits->capacity, n);
		memset(waits->known + waits->n, 0, n - waits->n);
		waits->n = n;
	}
	uint8_t *known = &waits->known[function];
	if (*known == 0) {
		*known = (uint8_t)(1 + perf_wait_state_of(profile_name(waits->profile, function)));
	}
	enum perf_wait_state state = (enum perf_wait_state)(*known - 1);
	return state == STATE_NONE ? OFFCPU_NO_FRAME
				   : profile_frame(waits->profile, str_of(frames[state]));
}

void perf_waits_release(struct perf_waits *waits) {
	free(waits->known);
}
