/** Make the frames of a sample. The frames come from the kernel's call chain, or from the unwinding
 * of the recorded user stack. A later record may hold the call chain's frames in user space. */
#pragma once

#include "perf/data/callers.h"
#include "perf/data/machine.h"
#include "perf/data/perfdata.h"
#include "perf/data/sample_fields.h"
#include "symbols/unwind_other.h"

/** A sample that waits for the frames in user space of its call chain. */
struct waiting_chain;

/** A process whose stacks libdw unwinds. */
struct unwound {
	uint32_t id; // id of the process's mappings
	struct unwound_process *process;
};

enum { UNWOUND_MOST = 16 };

struct chains {
	struct machine *machine;
	const struct buf *arch;          // name of the recording's processor
	struct unwinder *unwinder;       // unwinder for x86_64 and aarch64
	struct callers callers;          // callers of frames in complete stacks
	struct perfdata_unwound unwound; // how the unwinding of stacks by `unwinder` ended
	// Processes of libdw, for the processors that `unwinder` does not support. The index is the
	// id of the mappings, modulo UNWOUND_MOST.
	struct unwound others[UNWOUND_MOST];
	struct perfdata_frame *frames; // frames of the current sample
	size_t n, capacity;
	uint64_t *addresses; // addresses of unwound frames
	struct waiting_chain *waiting;
	size_t waiting_n, waiting_capacity;
};

typedef int chains_ready(void *context, struct perfdata_sample *sample);

void chains_init(struct chains *chains, struct machine *machine, const struct buf *arch);

/** Fill the frames of a sample. `chain` is the call chain of the sample. `mode` is the processor
 * mode of the sample's `ip`. If the rest of the chain comes in a later record, keep the sample
 * until this record comes, and return false. If too many samples wait already, keep only the chain
 * that is known, and return true. */
bool chains_make(struct chains *chains, struct perfdata_sample *sample,
		 const struct sample_fields *fields, unsigned mode,
		 const struct sample_words *chain);

/** Complete those samples of a thread that wait for the frames with this cookie, and pass these
 * samples to `ready`. Return 0, or the value with which `ready` stopped. */
int chains_complete(struct chains *chains, int32_t tid, uint64_t cookie, struct str ips, bool swap,
		    chains_ready *ready, void *context);

/** Pass the samples that still wait for frames to `ready`. */
int chains_flush(struct chains *chains, chains_ready *ready, void *context);

void chains_release(struct chains *chains);
