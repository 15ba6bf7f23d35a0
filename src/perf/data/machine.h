/** Keep the mappings of processes and the names of threads, as they are at the time of the current
 * record. */
#pragma once

#include "base/intern.h"
#include "perf/data/mappings.h"
#include "perf/data/runtime.h"
#include "symbols/symbols.h"

/** An image is code that processes have mapped: a file, the kernel, or the code of a JIT compiler.
 * Each file has one image, even if the file is mapped several times. */
struct image {
	uint32_t id;
	struct str name;       // name as perf prints it
	struct object *object; // object with the symbols; NULL: the image has no symbols, for
			       // example because it is a stack
	struct object *dump; // jitdump file of the JIT compiler that made this code; NULL: there is
			     // none
	bool is_in_memory;   // the image is a file without a name, in memory; perf prints addresses
			     // in it as offsets
	bool absolute;  // addresses in the image are addresses of the process or of the kernel, not
			// offsets in a file
	bool is_kernel; // the image is the kernel or a part of the kernel
};

struct machine_process {
	int32_t pid;
	struct mappings mappings;
	struct object *dump; // jitdump file of the process's JIT compiler; NULL: no jitdump file
			     // was seen
	size_t threads;      // number of threads that are known to be alive
	bool exited;
	bool execs; // the process has just called exec(), and has not mapped anything since
};

struct thread {
	int32_t pid, tid;
	struct str comm; // name of the thread; equal names share their bytes
	bool named;      // the name is known; false: `comm` is made from the thread's id
	uint32_t epoch;  // unique number of the thread's stack; a new stack, for example after
			 // exec(), gets a new number
	struct machine_process *process;
};

/** The contents of a record of a mapping (MMAP, MMAP2). */
struct mapped {
	int32_t pid;
	uint64_t start, size, offset;
	struct str path;
	struct build_id build_id;
	struct file_id id;
	bool executable, in_kernel;
};

enum { MACHINE_EXITED = 4096 };

struct machine {
	struct symbols *symbols;
	struct mappings kernel;
	struct intern images;    // keys: kind, name, and build-id or device and inode
	struct intern build_ids; // keys are names of files in the recording's list of build-ids;
				 // the value is the position in `listed`
	struct build_id *listed;
	size_t listed_capacity;
	bool is_here;      // the recording was made on this machine, under the running kernel
	bool is_elsewhere; // the recording was certainly made on another machine; if the recording
			   // is cut off, this may be unknown
	struct intern comms;
	struct intern threads, processes; // keys are ids; the value is a pointer to the struct
	// the processes that exited last, in a ring buffer
	struct machine_process *exited[MACHINE_EXITED];
	size_t exited_n;     // number of processes that exited
	struct thread *last; // the last thread that was looked up
	uint32_t next_state; // the next id of mappings
	uint32_t next_epoch; // the next number of a thread's stack
	struct arena arena;
};

void machine_init(struct machine *machine, struct symbols *symbols);

/** Remember the build-id that the recording's list has for a file. */
void machine_build_id(struct machine *machine, struct str path, struct build_id build_id);

void machine_map(struct machine *machine, const struct mapped *mapped);
void machine_comm(struct machine *machine, int32_t pid, int32_t tid, struct str comm);
void machine_fork(struct machine *machine, int32_t pid, int32_t tid, int32_t parent_pid,
		  int32_t parent_tid, bool exec);
void machine_exit(struct machine *machine, int32_t pid, int32_t tid);

/** Remember that a thread has a new stack, for example after exec. */
void machine_new_stack(struct machine *machine, int32_t pid, int32_t tid);

/** Remember that the kernel added a symbol for a BPF program. If `gone` is true, the kernel removed
 * the symbol. */
void machine_ksymbol(struct machine *machine, struct str name, uint64_t start, uint64_t size,
		     bool gone);

/** Return a thread. Add it if it is new. */
struct thread *machine_thread(struct machine *machine, int32_t pid, int32_t tid);

/** Return the runtime that made the code of an image, or RUNTIMES if the runtime is not known. Set
 * `minor` to the minor version, as runtime_of() does. */
enum runtime machine_runtime(const struct machine *machine, const struct image *image,
			     unsigned *minor);

/** Convert an address of a mapping to an address in the image's object. */
static inline uint64_t mapping_address(const struct mapping *mapping, uint64_t address) {
	return mapping->image->absolute ? address : address - mapping->start + mapping->offset;
}

/** Return an address as perf prints it. */
static inline uint64_t mapping_shown(const struct mapping *mapping, uint64_t address) {
	return mapping->image->is_in_memory ? address - mapping->start + mapping->offset
					    : mapping_address(mapping, address);
}

void machine_release(struct machine *machine);
