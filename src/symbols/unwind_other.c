/* Unwind recorded stacks with libdw. */
#include "symbols/unwind_other.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/dynlib.h"
#include "symbols/object.h"

/** Pointers to functions of libdwfl: dwfl.begin() is dwfl_begin(). */
// clang-format off
#define FUNCTIONS(function) \
	function(attach_state) function(begin) function(end) function(frame_pc) \
	function(getthread_frames) function(report_begin) function(report_elf) \
	function(report_end) function(thread_state_register_pc) function(thread_state_registers)
#define FIELD(name) __typeof__(dwfl_##name) *name;
#define ROW(name) DYNLIB_ROW(dwfl_##name, &dwfl.name),

static struct { FUNCTIONS(FIELD) } dwfl;
static const struct dynlib_function functions[] = {FUNCTIONS(ROW) DYNLIB_END};
// clang-format on

static struct dynlib_library library = {.file = "libdw.so.1", .functions = functions};

/* --- Processors ------------------------------------------------------------------------------ */

enum { NO_REGISTER = 0xff };

/** A processor: perf's numbers of its registers, and the DWARF numbers of the same registers, which
 * libdw uses. */
struct processor {
	const char *name; // name of the processor, or the start of the name
	bool is_64;
	uint8_t pc, sp;         // perf's numbers of the program counter and the stack pointer
	uint8_t first, end;     // perf's numbers from `first` to `end` - 1 are also the DWARF
				// numbers
	uint8_t link, dwarf_lr; // perf's and DWARF's number of the link register, if they differ
	const uint8_t *others;  // DWARF number of each register; NULL: use the members from `first`
				// to `dwarf_lr`
};

static const uint8_t i386_registers[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};

static const struct processor processors[] = {
	{.name = "x86_64", .pc = 8, .sp = 7, .end = 9, .others = i386_registers},
	{.name = "i", .pc = 8, .sp = 7, .end = 9, .others = i386_registers},
	{.name = "aarch64", .is_64 = true, .pc = 32, .sp = 31, .end = 32, .link = NO_REGISTER},
	{.name = "aarch64", .pc = 15, .sp = 13, .end = 16, .link = NO_REGISTER},
	{.name = "arm", .pc = 15, .sp = 13, .end = 16, .link = NO_REGISTER},
	{.name = "riscv64",
	 .is_64 = true,
	 .pc = 0,
	 .sp = 2,
	 .first = 1,
	 .end = 32,
	 .link = NO_REGISTER},
	{.name = "ppc64", .is_64 = true, .pc = 32, .sp = 1, .end = 32, .link = 36, .dwarf_lr = 65},
	{.name = "s390x", .is_64 = true, .pc = 33, .sp = 15, .end = 16, .link = NO_REGISTER},
};

const struct processor *processor_named(struct str arch, bool is_64) {
	for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
		if (processors[i].is_64 == is_64 && str_starts(arch, str_of(processors[i].name))) {
			return &processors[i];
		}
	}
	return NULL;
}

static unsigned unwind_other_dwarf_number(const struct processor *processor, unsigned perf) {
	if (perf == processor->link && processor->others == NULL) {
		return processor->dwarf_lr;
	}
	if (perf < processor->first || perf >= processor->end) {
		return NO_REGISTER;
	}
	return processor->others == NULL ? perf : processor->others[perf];
}

/* --- Processes ------------------------------------------------------------------------------- */

struct unwound_process {
	struct symbols *symbols;
	Dwfl *dwfl;
	bool is_ready;    // all mappings are added
	bool is_attached; // libdw has determined the processor from the files
	const struct object *last;
	uint64_t last_bias;

	// The stack that is being unwound.
	const struct recorded_stack *stack;
	uint64_t base; // address of the first recorded byte
	uint64_t pc;
	bool cut; // libdw requested bytes after the recorded bytes
	uint64_t *addresses;
	size_t n, most;
};

/** Tell libdw that there is no debug file: the mapped file has all data for unwinding. */
static int unwind_other_find_no_debug(Dwfl_Module *module, void **data, const char *name,
				      Dwarf_Addr base, const char *file, const char *link,
				      GElf_Word checksum, char **found) {
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)checksum;
	(void)found;
	return -1;
}

struct unwound_process *unwound_process_new(struct symbols *symbols) {
	static const Dwfl_Callbacks callbacks = {.find_debuginfo = unwind_other_find_no_debug};
	Dwfl *session = dynlib_load(&library) ? dwfl.begin(&callbacks) : NULL;
	if (session == NULL) {
		symbols->missing.unwinder = true;
		return NULL;
	}
	struct unwound_process *process = mem_new(1, sizeof(*process));
	process->symbols = symbols;
	process->dwfl = session;
	dwfl.report_begin(session);
	return process;
}

void unwound_process_free(struct unwound_process *process) {
	if (process != NULL) {
		dwfl.end(process->dwfl);
		free(process);
	}
}

void unwound_process_add(struct unwound_process *process, struct object *object, uint64_t start,
			 uint64_t offset) {
	struct file *file = object_mapped(process->symbols, object);
	uint64_t linked = 0;
	if (file == NULL || !elf_address(&file->elf, offset, &linked)) {
		return;
	}
	uint64_t bias = start - linked;
	if (object != process->last || bias != process->last_bias) {
		// libdw maps the file, so give libdw a private copy, which no other process can
		// truncate.
		int fd = file_copy(file);
		if (fd >= 0 && dwfl.report_elf(process->dwfl, file->path, file->path, fd, bias,
					       true) == NULL) {
			close(fd);
		}
		process->last = object;
		process->last_bias = bias;
	}
}

/* --- Callbacks for libdw --------------------------------------------------------------------- */

enum { ONLY_THREAD = 1 };

static pid_t unwind_other_next_thread(Dwfl *session, void *context, void **thread) {
	(void)session;
	bool first = *thread == NULL;
	*thread = context;
	return first ? ONLY_THREAD : 0;
}

static bool unwind_other_get_thread(Dwfl *session, pid_t tid, void *context, void **thread) {
	(void)session;
	*thread = context;
	return tid == ONLY_THREAD;
}

static bool unwind_other_read_memory(Dwfl *session, Dwarf_Addr address, Dwarf_Word *value,
				     void *context) {
	(void)session;
	struct unwound_process *process = context;
	const struct recorded_stack *stack = process->stack;
	size_t size = stack->processor->is_64 ? sizeof(uint64_t) : sizeof(uint32_t);
	uint64_t at = address - process->base;
	if (stack->bytes.n < size || at > stack->bytes.n - size) {
		process->cut = process->cut || address >= process->base;
		return false;
	}
	if (stack->processor->is_64) {
		uint64_t word;
		memcpy(&word, stack->bytes.p + at, sizeof(word));
		*value = stack->swapped ? __builtin_bswap64(word) : word;
	} else {
		uint32_t word;
		memcpy(&word, stack->bytes.p + at, sizeof(word));
		*value = stack->swapped ? __builtin_bswap32(word) : word;
	}
	return true;
}

static bool unwind_other_set_registers(Dwfl_Thread *thread, void *context) {
	const struct unwound_process *process = context;
	const struct recorded_stack *stack = process->stack;
	size_t at = 0;
	for (unsigned i = 0; i < 64 && at < stack->n; i++) {
		if ((stack->mask >> i & 1) == 0) {
			continue;
		}
		unsigned number = unwind_other_dwarf_number(stack->processor, i);
		Dwarf_Word value = stack->values[at++];
		if (number != NO_REGISTER &&
		    !dwfl.thread_state_registers(thread, (int)number, 1, &value)) {
			return false;
		}
	}
	dwfl.thread_state_register_pc(thread, process->pc);
	return true;
}

static int unwind_other_add_frame(Dwfl_Frame *frame, void *context) {
	struct unwound_process *process = context;
	Dwarf_Addr pc = 0;
	bool is_activation = false;
	if (!dwfl.frame_pc(frame, &pc, &is_activation) || pc == 0 || process->n == process->most) {
		return DWARF_CB_ABORT;
	}
	process->addresses[process->n++] = pc - (is_activation ? 0 : 1);
	return DWARF_CB_OK;
}

/** Report to libdw that all mappings are added, and prepare it for unwinding. Return false if libdw
 * cannot use the mappings. */
static bool unwind_other_attach(struct unwound_process *process) {
	static const Dwfl_Thread_Callbacks callbacks = {.next_thread = unwind_other_next_thread,
							.get_thread = unwind_other_get_thread,
							.memory_read = unwind_other_read_memory,
							.set_initial_registers =
								unwind_other_set_registers};
	return dwfl.report_end(process->dwfl, NULL, NULL) == 0 &&
	       dwfl.attach_state(process->dwfl, NULL, ONLY_THREAD, &callbacks, process);
}

/** Find a recorded register by perf's number. */
static bool unwind_other_find_register(const struct recorded_stack *stack, unsigned number,
				       uint64_t *value) {
	uint64_t before = stack->mask & ((UINT64_C(1) << number) - 1);
	size_t at = (size_t)__builtin_popcountll(before);
	if ((stack->mask >> number & 1) == 0 || at >= stack->n) {
		return false;
	}
	*value = stack->values[at];
	return true;
}

size_t unwind_other(struct unwound_process *process, const struct recorded_stack *stack,
		    uint64_t *addresses, size_t most, enum unwind_end *end) {
	if (!unwind_other_find_register(stack, stack->processor->pc, &process->pc) ||
	    !unwind_other_find_register(stack, stack->processor->sp, &process->base)) {
		return 0;
	}
	process->stack = stack;
	process->addresses = addresses;
	process->n = 0;
	process->most = most;
	process->cut = false;
	if (!process->is_ready) {
		process->is_ready = true;
		process->is_attached = unwind_other_attach(process);
	}
	int result = process->is_attached ? dwfl.getthread_frames(process->dwfl, ONLY_THREAD,
								  unwind_other_add_frame, process)
					  : -1;
	if (process->n == 0 && most > 0) {
		addresses[process->n++] = process->pc;
	}
	// If libdw finds no return address, it takes the frame for the outermost frame.
	*end = process->n == most ? UNWIND_FULL
	       : process->cut     ? UNWIND_CUT
	       : result == 0      ? UNWIND_START
				  : UNWIND_BROKEN;
	return process->n;
}
