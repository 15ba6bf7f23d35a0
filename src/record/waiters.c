/* The stacks of threads that wait when the sampling begins. */
#include "record/waiters.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/proc.h"

enum {
	FUNCTIONS_AT = 0x10000, // offset of the first function's address from the start of the
				// hidden kernel
	FUNCTION_SIZE = 16,
	FUNCTIONS_MOST = 4096,
	CHAIN_MOST = 127,
	STACK_MOST = 60000, // most bytes of a stack, so that a sample has less than 64 KiB
	ALL_MOST = 64 << 20 // most bytes of all stacks together
};

/** A thread that is being read. */
struct waiter {
	int32_t pid, tid;
	struct synth_stack stack;
	// addresses of the kernel, then of the program; a mark precedes each group
	uint64_t chain[CHAIN_MOST + 3];
	struct buf copy;
};

static void waiters_read_file(const struct waiter *waiter, const char *name, struct buf *text) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", waiter->pid, waiter->tid, name);
	proc_read(path, text);
}

static void waiters_push(struct waiter *waiter, uint64_t address) {
	if (waiter->stack.chain_n < CHAIN_MOST + 2) {
		waiter->chain[waiter->stack.chain_n++] = address;
	}
}

/* --- The kernel's part ------------------------------------------------------------------------ */

/** Return a made-up address for a function of the kernel. If the function is new, add a symbol for
 * it. Real addresses are not used, because readers would have to look them up. */
static uint64_t waiters_address_of(struct waiters *waiters, struct str function) {
	uint32_t before = waiters->functions.count;
	uint32_t id = intern_get(&waiters->functions, function.p, function.n)->id;
	uint64_t start = SYNTH_HIDDEN_KERNEL + FUNCTIONS_AT + (uint64_t)id * FUNCTION_SIZE;
	if (id == before) {
		synth_symbol(waiters->out, start, FUNCTION_SIZE, function);
	}
	return start + FUNCTION_SIZE / 2; // callers are looked up one byte before their address
}

static void waiters_push_function(struct waiters *waiters, struct waiter *waiter, struct str name) {
	if (name.n == 0 || is_digit(name.p[0]) || waiters->functions.count >= FUNCTIONS_MOST) {
		return;
	}
	if (waiter->stack.chain_n == 0) {
		waiters_push(waiter, PERF_CONTEXT_KERNEL);
	}
	waiters_push(waiter, waiters_address_of(waiters, name));
}

/** Read the functions of the kernel in which a thread waits. Root sees the whole stack, and the
 * owner only the innermost function. */
static void waiters_read_kernel(const struct waiter *waiter, struct buf *text) {
	waiters_read_file(waiter, "stack", text);
	if (text->n == 0) {
		buf_add_text(text, "[<0>] ");
		waiters_read_file(waiter, "wchan", text);
	}
}

/** Add the functions of a kernel stack, from lines such as "[<0>] do_wait+0x1c/0x70 [module]". */
static void waiters_add_kernel(struct waiters *waiters, struct waiter *waiter, struct str text) {
	struct lines lines = {.rest = text};
	struct str line;
	while (lines_next(&lines, &line)) {
		(void)str_next_word(&line);
		struct str name = str_next_word(&line);
		waiters_push_function(waiters, waiter, str_cut(&name, '+'));
	}
}

/* --- Registers -------------------------------------------------------------------------------- */

/** The place at which a thread waits. */
struct waiters_place {
	long call;         // number of the system call; -1: none
	uint64_t argument; // first argument of the call
	uint64_t sp, ip;
};

/** Read the place at which a thread waits, without stopping the thread. Return false if the thread
 * runs, or may not be read. */
static bool waiters_read_place(const struct waiter *waiter, struct waiters_place *place) {
	enum { ALL = 4 };
	struct buf text = {0};
	unsigned long long first = 0, sp = 0, ip = 0;
	long call = -1;
	waiters_read_file(waiter, "syscall", &text);
	int n = sscanf(buf_text(&text), "%ld 0x%llx 0x%*x 0x%*x 0x%*x 0x%*x 0x%*x 0x%llx 0x%llx",
		       &call, &first, &sp, &ip);
	if (n != ALL && sscanf(buf_text(&text), "-1 0x%llx 0x%llx", &sp, &ip) != 2) {
		ip = 0;
	}
	buf_release(&text);
	*place = (struct waiters_place){n == ALL ? call : -1, first, sp, ip};
	return ip != 0;
}

/** Return whether the file that a thread's system call uses is a pipe or a terminal. If a read from
 * a pipe or a terminal is interrupted, the kernel restarts the read, and no data is lost. */
static bool waiters_is_patient_file(const struct waiter *waiter,
				    const struct waiters_place *place) {
	static const char *const kinds[] = {"pipe:", "/dev/pts/", "/dev/tty"};
	char path[64], target[64] = "";
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", waiter->pid, (int)place->argument);
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	target[n < 0 ? 0 : n] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (str_starts(str_of(target), str_of(kinds[i]))) {
			return true;
		}
	}
	return false;
}

/** Return whether the kernel continues the system call of a thread that was stopped for a moment.
 * Some calls, such as epoll_wait, may fail with EINTR instead. */
static bool waiters_is_resumed(const struct waiter *waiter, const struct waiters_place *place) {
	static const long calls[] = {
#ifdef SYS_poll
		SYS_poll,  SYS_select,    SYS_pause,
#endif
		SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_wait4,          SYS_waitid,
		SYS_ppoll, SYS_pselect6,  SYS_rt_sigsuspend,   SYS_restart_syscall};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (place->call == calls[i]) {
			return true;
		}
	}
	return (place->call == SYS_read || place->call == SYS_write) &&
	       waiters_is_patient_file(waiter, place);
}

#if defined(__x86_64__)
/** Fill the registers that perf records, from those that ptrace() returns. */
static void waiters_fill_registers(struct synth_stack *stack,
				   const struct user_regs_struct *found) {
	const uint64_t values[] = {found->rax, found->rbx, found->rcx, found->rdx, found->rsi,
				   found->rdi, found->rbp, found->rsp, found->rip, found->eflags,
				   found->cs,  found->ss,  found->r8,  found->r9,  found->r10,
				   found->r11, found->r12, found->r13, found->r14, found->r15};
	_Static_assert(sizeof(values) <= sizeof(stack->registers), "they fit");
	memcpy(stack->registers, values, sizeof(values));
	stack->sp = found->rsp;
	stack->ip = found->rip;
	stack->fp = found->rbp;
}

/** Fill the registers that can be read without stopping the thread. */
static void waiters_fill_place(struct synth_stack *stack, const struct waiters_place *at) {
	waiters_fill_registers(stack, &(struct user_regs_struct){.rsp = at->sp, .rip = at->ip});
}
#elif defined(__aarch64__)
static void waiters_fill_registers(struct synth_stack *stack,
				   const struct user_regs_struct *found) {
	enum { FRAME_POINTER = 29, PC_AT = 32 };
	memcpy(stack->registers, found->regs, sizeof(found->regs));
	stack->registers[PC_AT - 1] = found->sp;
	stack->registers[PC_AT] = found->pc;
	stack->sp = found->sp;
	stack->ip = found->pc;
	stack->fp = found->regs[FRAME_POINTER];
}

static void waiters_fill_place(struct synth_stack *stack, const struct waiters_place *at) {
	waiters_fill_registers(stack, &(struct user_regs_struct){.sp = at->sp, .pc = at->ip});
}
#else
// perf's registers of other processors are not recorded (counters.c).
static void waiters_fill_place(struct synth_stack *stack, const struct waiters_place *at) {
	stack->sp = at->sp;
	stack->ip = at->ip;
}
#endif

/* --- Threads that are stopped for a moment ---------------------------------------------------- */

/** Pause for a moment; return false if all pauses together have become too long. */
static bool waiters_pause(struct waiters *waiters) {
	enum { MOST = 2000, PAUSE_NS = 500000 };
	return waiters->pauses++ < MOST &&
	       nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL) == 0;
}

#if defined(__x86_64__) || defined(__aarch64__)
/** Wait until a thread has stopped. On a busy machine, it may take long until the
 * thread runs and can stop, so the number of pauses is limited. Return whether the thread has
 * stopped. */
static bool waiters_wait_for_stop(struct waiters *waiters, int32_t tid) {
	int status = 0;
	pid_t found = waitpid(tid, &status, __WALL | WNOHANG);
	while (found == 0 && waiters_pause(waiters)) {
		found = waitpid(tid, &status, __WALL | WNOHANG);
	}
	return found == tid && WIFSTOPPED(status);
}

/** Stop a thread, read its registers and let it continue. Set `*time` to the seconds for which it
 * was stopped. Return whether the registers were read. */
static bool waiters_read_stopped(struct waiters *waiters, int32_t tid, struct synth_stack *stack,
				 double *time) {
	struct timespec from, to;
	struct user_regs_struct registers = {0};
	struct iovec into = {&registers, sizeof(registers)};
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) {
		return false; // a debugger traces it already, or tracing is not allowed
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	bool read = ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0 &&
		    waiters_wait_for_stop(waiters, tid);
	read = read && ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &into) == 0;
	if (read) {
		waiters_fill_registers(stack, &registers);
	}
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	*time = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	return read;
}
#else
static bool waiters_read_stopped(struct waiters *waiters, int32_t tid, struct synth_stack *stack,
				 double *time) {
	(void)waiters;
	(void)tid;
	(void)time;
	(void)stack;
	return false; // the order of other processors' registers is not known
}
#endif

/** The registers and functions of a thread that was stopped for a moment. */
struct waiters_stopped {
	struct synth_stack stack; // only the registers are set
	struct buf kernel; // functions of the kernel in which the thread waited before it was
			   // stopped, because the system call may be restarted
};

/** Give a thread that was stopped the time to wait again. On a busy machine, the thread needs a
 * moment to get a processor. If the thread does not wait again before the sampling begins, its
 * stack is not read. */
static void waiters_let_wait(struct waiters *waiters, int32_t pid, int32_t tid) {
	char state = proc_thread_state(pid, tid);
	while ((state == 'R' || state == 't') && waiters_pause(waiters)) {
		state = proc_thread_state(pid, tid);
	}
}

/** Read the registers of a thread if the thread waits, and if stopping the thread does no harm. */
static void waiters_stop_one(void *context, int32_t pid, int32_t tid) {
	enum { MOST = 2000 };
	struct waiters *waiters = context;
	const struct waiter waiter = {.pid = pid, .tid = tid};
	struct waiters_stopped stopped = {0};
	struct waiters_place place;
	double time = 0;
	if (waiters->stopped.count >= MOST || proc_thread_state(pid, tid) != 'S' ||
	    !waiters_read_place(&waiter, &place) || !waiters_is_resumed(&waiter, &place)) {
		return;
	}
	waiters_read_kernel(&waiter, &stopped.kernel);
	bool read = waiters_read_stopped(waiters, tid, &stopped.stack, &time);
	waiters->stops.n += time > 0;
	waiters->stops.longest = time > waiters->stops.longest ? time : waiters->stops.longest;
	waiters_let_wait(waiters, pid, tid);
	if (!read) {
		buf_release(&stopped.kernel);
		return;
	}
	size_t id = intern_get(&waiters->stopped, &tid, sizeof(tid))->id;
	MEM_GROW(waiters->details, waiters->capacity, id + 1);
	waiters->details[id] = stopped;
}

/** Arguments of waiters_stop_all(). */
struct stopping {
	struct waiters *waiters;
	int32_t pid;
};

static void *waiters_stop_all(void *context) {
	struct stopping *stopping = context;
	proc_each_thread(stopping->pid, waiters_stop_one, stopping->waiters);
	return NULL;
}

void waiters_stop(struct waiters *waiters, int32_t pid) {
	struct stopping stopping = {waiters, pid};
	pthread_t thread;
	// The stops are made by a new thread: when it ends, the kernel no longer traces the threads
	// that did not stop in time.
	if (pthread_create(&thread, NULL, waiters_stop_all, &stopping) == 0) {
		pthread_join(thread, NULL);
	}
}

/* --- The program's part ----------------------------------------------------------------------- */

/** Copy the stack, beginning at its innermost byte, up to its end or `most` bytes. */
static void waiters_copy_stack(struct waiter *waiter, size_t most) {
	enum { PAGE = 4096, PARTS = STACK_MOST / PAGE + 2 };
	struct iovec from[PARTS], into;
	uint64_t at = waiter->stack.sp, end = at + most;
	size_t n = 0;
	// The copy ends at the first page that is not mapped; each part is copied completely or not
	// at all.
	for (; at < end && n < PARTS; n++) {
		uint64_t next = (at | (PAGE - 1)) + 1;
		next = next < end ? next : end;
		from[n] = (struct iovec){(void *)(uintptr_t)at, (size_t)(next - at)};
		at = next;
	}
	into = (struct iovec){buf_room(&waiter->copy, most), most};
	ssize_t copied = process_vm_readv(waiter->tid, &into, 1, from, n, 0);
	waiter->copy.n = copied < 0 ? 0 : (size_t)copied / sizeof(uint64_t) * sizeof(uint64_t);
	waiter->stack.copy = buf_str(&waiter->copy);
}

/** Return a word of the copied stack; or 0 outside of it. */
static uint64_t waiters_word_at(const struct waiter *waiter, uint64_t address) {
	uint64_t at = address - waiter->stack.sp, word = 0;
	if (address >= waiter->stack.sp && at + sizeof(word) <= waiter->stack.copy.n) {
		memcpy(&word, waiter->stack.copy.p + at, sizeof(word));
	}
	return word;
}

/** Follow the frame pointers, as the kernel does in the samples that it takes. */
static void waiters_add_callers(struct waiter *waiter) {
	uint64_t frame = waiter->stack.fp;
	waiters_push(waiter, PERF_CONTEXT_USER);
	waiters_push(waiter, waiter->stack.ip);
	while (frame != 0 && frame % sizeof(uint64_t) == 0) {
		uint64_t caller = waiters_word_at(waiter, frame + sizeof(uint64_t));
		uint64_t next = waiters_word_at(waiter, frame);
		if (caller == 0) {
			return;
		}
		waiters_push(waiter, caller);
		frame = next > frame ? next : 0;
	}
}

/** Add the program's part of the stack. */
static void waiters_add_user(const struct waiters *waiters, struct waiter *waiter) {
	const uint32_t wanted = waiters->counters->attrs[waiters->event].sample_stack_user;
	if (waiters->bytes < ALL_MOST) {
		waiters_copy_stack(waiter, wanted > 0 && wanted < STACK_MOST ? wanted : STACK_MOST);
		waiters_add_callers(waiter);
	}
}

/** If a thread was stopped and still waits at the same place, return the registers and functions
 * that were read then; otherwise return NULL. */
static const struct waiters_stopped *waiters_find_stopped(const struct waiters *waiters,
							  int32_t tid,
							  const struct waiters_place *place) {
	const struct intern_key *key = intern_find(&waiters->stopped, &tid, sizeof(tid));
	const struct waiters_stopped *found = key == NULL ? NULL : &waiters->details[key->id];
	bool there = found != NULL && found->stack.sp == place->sp && found->stack.ip == place->ip;
	return there ? found : NULL;
}

/** Read the stack of a thread that does not run. */
static void waiters_read_waiter(struct waiters *waiters, struct waiter *waiter) {
	struct waiters_place place;
	struct buf text = {0};
	bool known = waiters_read_place(waiter, &place);
	const struct waiters_stopped *stopped =
		known ? waiters_find_stopped(waiters, waiter->tid, &place) : NULL;
	if (stopped != NULL) {
		waiter->stack = stopped->stack;
	} else if (known) {
		waiters_fill_place(&waiter->stack, &place);
	}
	if (stopped == NULL) {
		waiters_read_kernel(waiter, &text);
	}
	waiter->stack.chain = waiter->chain;
	waiters_add_kernel(waiters, waiter,
			   stopped != NULL ? buf_str(&stopped->kernel) : buf_str(&text));
	if (known) {
		waiters_add_user(waiters, waiter);
	}
	buf_release(&text);
}

/* --- The whole -------------------------------------------------------------------------------- */

void waiters_init(struct waiters *waiters, const struct counters *counters, struct buf *out) {
	*waiters =
		(struct waiters){.counters = counters, .event = counters->switch_event, .out = out};
}

/** Return the id that samples of an event have, or 0 if no counter of the event is open. */
static uint64_t waiters_id_of(const struct counters *counters, unsigned event) {
	for (size_t i = 0; i < counters->n; i++) {
		if (counters->items[i].event == event && counters->items[i].fd >= 0) {
			return counter_id(&counters->items[i]);
		}
	}
	return 0;
}

void waiters_add(struct waiters *waiters, int32_t pid, int32_t tid, char state) {
	const struct perf_event_attr *attr = &waiters->counters->attrs[waiters->event];
	const struct synth_at at = {pid, tid, waiters->time};
	struct waiter waiter = {.pid = pid, .tid = tid};
	uint64_t id = waiters_id_of(waiters->counters, waiters->event);
	if (id == 0 || state == 'Z' || state == 'X') {
		return;
	}
	waiters_read_waiter(waiters, &waiter);
	if (waiter.stack.chain_n > 0) {
		synth_stack(waiters->out, attr, id, &at, &waiter.stack);
		waiters->bytes += waiter.stack.copy.n;
	}
	buf_release(&waiter.copy);
}

bool waiters_can_read(int32_t pid, struct buf *text) {
	char path[64], byte;
	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool denied = fd < 0 ? errno == EACCES || errno == EPERM
			     : read(fd, &byte, 1) < 0 && errno == EPERM;
	if (fd >= 0) {
		close(fd);
	}
	if (denied) {
		int64_t scope = proc_setting("/proc/sys/kernel/yama/ptrace_scope", 0);
		buf_add_text(text,
			     "threads that wait for the whole recording have no stacks, as their "
			     "memory may not be read");
		if (scope > 0) {
			buf_printf(text, " (kernel.yama.ptrace_scope is %lld, and has to be 0)",
				   (long long)scope);
		}
	}
	return !denied;
}

void waiters_release(struct waiters *waiters) {
	intern_release(&waiters->functions);
	for (uint32_t i = 0; i < waiters->stopped.count; i++) {
		buf_release(&waiters->details[i].kernel);
	}
	intern_release(&waiters->stopped);
	free(waiters->details);
}
