/** The mappings and the names of threads at the time of the current record. */
#ifndef INFERNO_PERFDATA_MACHINE_H
#define INFERNO_PERFDATA_MACHINE_H

#include "base/intern.h"
#include "perf/data/mappings.h"
#include "perf/data/runtime.h"
#include "symbols/symbols.h"

/** Something that is mapped: a file, the kernel, code of a JIT. Each distinct one has one image. */
struct image {
	uint32_t id;
	struct str name;       // as perf prints it
	struct object *object; // NULL: it has no symbols, such as a stack
	struct object *dump;   // for code that a JIT made: its jitdump file; may be NULL
	bool is_in_memory;     // it is a file without a name: perf prints offsets in it
	bool absolute;         // its addresses are in the process or in the kernel, not in a file
	bool is_kernel;        // it is the kernel or a part of it
};

struct machine_process {
	int32_t pid;
	struct mappings mappings;
	struct object *dump; // the jitdump file of its JIT; NULL: none was seen
	size_t threads;      // threads known to be alive
	bool exited;
	bool execs; // it has become a program, and nothing is mapped since
};

struct thread {
	int32_t pid, tid;
	struct str comm; // equal names share the same bytes
	bool named;      // false: `comm` is made up from the id
	uint32_t epoch;  // a number of its own, which changes when it gets a new stack
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
	struct intern images;    // by kind, name, build-id or device and inode
	struct intern build_ids; // of the recording's list: names to positions in `listed`
	struct build_id *listed;
	size_t listed_capacity;
	bool is_here;      // the recording was made on this machine, under this kernel
	bool is_elsewhere; // the line says that it was not; a line that is cut off may not say it
	struct intern comms;
	struct intern threads, processes;               // by id; the value is a pointer
	struct machine_process *exited[MACHINE_EXITED]; // the last ones that exited; a ring
	size_t exited_n;                                // number of processes that exited
	struct thread *last;                            // the last thread that was looked up
	uint32_t next_state;                            // the next id of mappings
	uint32_t next_epoch;                            // of a thread's stack
	struct arena arena;
};

void machine_init(struct machine *machine, struct symbols *symbols);

/** Note the build-id that the recording's list has for a file. */
void machine_build_id(struct machine *machine, struct str path, struct build_id build_id);

void machine_map(struct machine *machine, const struct mapped *mapped);
void machine_comm(struct machine *machine, int32_t pid, int32_t tid, struct str comm);
void machine_fork(struct machine *machine, int32_t pid, int32_t tid, int32_t parent_pid,
		  int32_t parent_tid, bool exec);
void machine_exit(struct machine *machine, int32_t pid, int32_t tid);

/** Note that a thread has a new stack, as after exec. */
void machine_new_stack(struct machine *machine, int32_t pid, int32_t tid);

/** Note that the kernel got or lost a symbol: a BPF program. */
void machine_ksymbol(struct machine *machine, struct str name, uint64_t start, uint64_t size,
		     bool gone);

/** Return the thread, adding it if it is new. */
struct thread *machine_thread(struct machine *machine, int32_t pid, int32_t tid);

/** Return the runtime that made the code of an image; RUNTIMES if none is known. `minor` is that of
 * runtime_of(). */
enum runtime machine_runtime(const struct machine *machine, const struct image *image,
			     unsigned *minor);

/** Return an address in the terms of the image's object. */
static inline uint64_t mapping_address(const struct mapping *mapping, uint64_t address) {
	return mapping->image->absolute ? address : address - mapping->start + mapping->offset;
}

/** Return an address as perf prints it. */
static inline uint64_t mapping_shown(const struct mapping *mapping, uint64_t address) {
	return mapping->image->is_in_memory ? address - mapping->start + mapping->offset
					    : mapping_address(mapping, address);
}

void machine_release(struct machine *machine);

#endif
