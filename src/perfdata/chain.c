/* Turn the addresses of a sample into frames. */
#include "perfdata/chain.h"

#include <stdlib.h>

#include "perfdata/records.h"

enum { UNWIND_MOST = 1024, WAITING_MOST = 1 << 12 };

struct waiting_chain {
	struct perfdata_sample sample; // it owns its frames
	uint64_t cookie;
};

/** Make room for more frames. */
static void reserve(struct chains *chains, size_t more) {
	chains->frames = mem_grow(chains->frames, &chains->capacity, chains->n + more,
				  sizeof(*chains->frames));
}

/** Add a frame, for which there is room. */
static inline void add_frame(struct chains *chains, uint64_t ip, enum perfdata_place place,
			     bool is_return) {
	chains->frames[chains->n++] = (struct perfdata_frame){ip, (uint8_t)place, is_return};
}

static enum perfdata_place place_of_mode(unsigned mode) {
	return mode == MODE_KERNEL ? PLACE_KERNEL
	       : mode == MODE_USER ? PLACE_USER
				   : PLACE_ELSEWHERE;
}

static enum perfdata_place place_of_context(uint64_t context) {
	return context == CONTEXT_KERNEL ? PLACE_KERNEL
	       : context == CONTEXT_USER ? PLACE_USER
					 : PLACE_ELSEWHERE;
}

/** Add the frames of a call chain. Return where the user's frames begin. Set `*cookie` if a later
 * record has them. */
static size_t add_chain(struct chains *chains, enum perfdata_place place, const struct words *chain,
			uint64_t *cookie) {
	size_t user = SIZE_MAX;
	bool is_return = false;
	reserve(chains, chain->n);
	for (size_t i = 0; i < chain->n; i++) {
		uint64_t ip = chain->items[i];
		if (ip < CONTEXT_FIRST) {
			user = place == PLACE_USER && user == SIZE_MAX ? chains->n : user;
			add_frame(chains, ip, place, is_return);
			is_return = true;
		} else if (ip == CONTEXT_USER_DEFERRED && i + 1 < chain->n) {
			*cookie = chain->items[++i];
		} else if (ip == CONTEXT_KERNEL || ip == CONTEXT_USER || ip == CONTEXT_HYPERVISOR ||
			   ip == CONTEXT_GUEST || ip == CONTEXT_GUEST_KERNEL ||
			   ip == CONTEXT_GUEST_USER) {
			place = place_of_context(ip);
			is_return = false;
		} // other marks are not addresses
	}
	return user == SIZE_MAX ? chains->n : user;
}

/* --- Recorded stacks ------------------------------------------------------------------------ */

static struct object *find_object(void *context, uint64_t address, uint64_t *file_address) {
	const struct mapping *mapping = mappings_find(context, address);
	if (mapping == NULL || !mapping->executable) {
		return NULL;
	}
	*file_address = mapping_address(mapping, address);
	return mapping->image->object;
}

/** Return the processor that the recorded registers belong to. A recording from a pipe does not
 * name it; take it to be this one. */
static struct str arch_of(const struct chains *chains) {
#ifdef __x86_64__
	return chains->arch->n == 0 ? STR("x86_64") : buf_str(chains->arch);
#else
	return buf_str(chains->arch);
#endif
}

/** Return the process that has these mappings, as libdw's unwinder knows it. */
static struct unwound_process *unwound_of(struct chains *chains, const struct mappings *mappings) {
	struct unwound *unwound = &chains->unwound[mappings->id % UNWOUND_MOST];
	if (unwound->process == NULL || unwound->id != mappings->id) {
		unwound_process_free(unwound->process);
		unwound->process = unwound_process_new(chains->machine->symbols);
		unwound->id = mappings->id;
		for (size_t i = 0; i < mappings->n && unwound->process != NULL; i++) {
			const struct mapping *mapping = &mappings->items[i];
			if (mapping->executable && mapping->image->object != NULL) {
				unwound_process_add(unwound->process, mapping->image->object,
						    mapping->start, mapping->offset);
			}
		}
	}
	return unwound->process;
}

/** Unwind a stack of another processor than x86_64. Return how many addresses were found. */
static size_t unwind_by_libdw(struct chains *chains, const struct perfdata_sample *sample,
			      const struct sample_fields *fields, bool is_64,
			      enum unwind_end *end) {
	const struct recorded_stack stack = {.processor = processor_named(arch_of(chains), is_64),
					     .mask = sample->event->registers_user,
					     .values = fields->registers,
					     .n = fields->registers_n,
					     .bytes = fields->stack,
					     .swapped = fields->swapped};
	if (stack.processor == NULL) {
		return 0;
	}
	struct unwound_process *process = unwound_of(chains, sample->thread->process->mappings);
	return process == NULL ? 0
			       : unwind_other(process, &stack, chains->addresses, UNWIND_MOST, end);
}

/** Unwind a stack of x86_64. Return how many addresses were found. */
static size_t unwind_by_cfi(struct chains *chains, const struct perfdata_sample *sample,
			    const struct sample_fields *fields, enum unwind_end *end) {
	struct unwind_stack stack = {.bytes = fields->stack,
				     .find = find_object,
				     .context = sample->thread->process->mappings};
	if (!unwind_registers(&stack, sample->event->registers_user, fields->registers,
			      fields->registers_n)) {
		return 0;
	}
	if (chains->unwinder == NULL) {
		chains->unwinder = unwinder_new(chains->machine->symbols);
	}
	return unwind_x86_64(chains->unwinder, &stack, chains->addresses, UNWIND_MOST, end);
}

/**
 * Find where the call chain, frames[user..n), continues the unwound frames, frames[n..unwound):
 * after a frame that both have, and only if the stack gets no shorter. Return the index of the
 * first frame to append, SIZE_MAX if there is none. Set `*keep` to the number of unwound frames
 * before it.
 */
static size_t find_meeting(const struct chains *chains, size_t user, size_t n, size_t unwound,
			   size_t *keep) {
	for (size_t i = unwound; i > n; i--) {
		uint64_t ip = chains->frames[i - 1].ip;
		for (size_t k = user; k < n; k++) {
			bool is_longer = i - (k + 1) >= unwound - n;
			if (is_longer && chains->frames[k].ip == ip + chains->frames[k].is_return) {
				*keep = i - n;
				return k + 1;
			}
		}
	}
	return SIZE_MAX;
}

/**
 * Replace the user's frames of the call chain, from `user` on, by the unwound frames, from `n` on.
 * If these are cut off, continue them with frames of the call chain. Return whether the stack is
 * still cut off.
 */
static bool splice(struct chains *chains, size_t user, size_t n, bool is_cut) {
	size_t unwound = chains->n, keep = unwound - n, tail = SIZE_MAX;
	if (is_cut) {
		tail = find_meeting(chains, user, n, unwound, &keep);
	}
	reserve(chains, n - user);
	for (size_t k = tail; k < n; k++) { // none if `tail` is SIZE_MAX
		chains->frames[chains->n++] = chains->frames[k];
	}
	struct perfdata_frame *frames = chains->frames;
	size_t spliced = chains->n - unwound;
	memmove(frames + user, frames + n, keep * sizeof(*frames));
	memmove(frames + user + keep, frames + unwound, spliced * sizeof(*frames));
	chains->n = user + keep + spliced;
	return is_cut && tail == SIZE_MAX;
}

static void add_unwound(struct chains *chains, struct perfdata_sample *sample,
			const struct sample_fields *fields, size_t user) {
	enum { ABI_64 = 2 };
	bool is_64 = fields->registers_abi == ABI_64;
	enum unwind_end end = UNWIND_BROKEN;
	size_t n = chains->n, found;
	if (chains->addresses == NULL) {
		chains->addresses = mem_new(UNWIND_MOST, sizeof(*chains->addresses));
	}
	if (is_64 && str_eq(arch_of(chains), STR("x86_64"))) {
		found = unwind_by_cfi(chains, sample, fields, &end);
	} else {
		found = unwind_by_libdw(chains, sample, fields, is_64, &end);
	}
	if (found == 0) {
		return;
	}
	reserve(chains, found);
	for (size_t i = 0; i < found; i++) {
		add_frame(chains, chains->addresses[i], PLACE_USER, false);
	}
	sample->truncated = splice(chains, user, n, end == UNWIND_CUT);
}

/* --- Samples that wait ---------------------------------------------------------------------- */

static void put_aside(struct chains *chains, const struct perfdata_sample *sample,
		      uint64_t cookie) {
	chains->waiting = mem_grow(chains->waiting, &chains->waiting_capacity,
				   chains->waiting_n + 1, sizeof(*chains->waiting));
	struct waiting_chain *waiting = &chains->waiting[chains->waiting_n++];
	struct perfdata_frame *frames = mem_new(sample->depth + 1, sizeof(*frames));
	memcpy(frames, sample->frames, sample->depth * sizeof(*frames));
	*waiting = (struct waiting_chain){*sample, cookie};
	waiting->sample.frames = frames;
	waiting->sample.raw = STR("");
}

bool chains_make(struct chains *chains, struct perfdata_sample *sample,
		 const struct sample_fields *fields, unsigned mode, const struct words *chain) {
	uint64_t cookie = 0;
	chains->n = 0;
	enum perfdata_place place = place_of_mode(mode);
	size_t user = add_chain(chains, place, chain, &cookie);
	if (fields->stack.n > 0) {
		add_unwound(chains, sample, fields, user);
	}
	if (chains->n == 0 && (sample->event->sample_type & SAMPLE_IP) != 0 && cookie == 0) {
		reserve(chains, 1);
		add_frame(chains, sample->ip, place, false);
	}
	sample->frames = chains->frames;
	sample->depth = chains->n;
	if (cookie == 0 || chains->waiting_n >= WAITING_MOST) {
		sample->truncated |= cookie != 0;
		return true;
	}
	put_aside(chains, sample, cookie);
	return false;
}

static int pass_on(struct chains *chains, const struct waiting_chain *waiting, struct str ips,
		   bool swap, chains_ready *ready, void *context) {
	struct perfdata_sample sample = waiting->sample;
	chains->n = 0;
	reserve(chains, sample.depth);
	memcpy(chains->frames, sample.frames, sample.depth * sizeof(*chains->frames));
	chains->n = sample.depth;
	struct words chain = {0};
	uint64_t ignored = 0;
	for (size_t i = 0; i < ips.n; i += sizeof(uint64_t)) {
		*words_room(&chain, 1) = cursor_load_u64(ips.p + i, swap);
		chain.n++;
	}
	add_chain(chains, PLACE_USER, &chain, &ignored);
	free(chain.items);
	sample.frames = chains->frames;
	sample.depth = chains->n;
	return ready(context, &sample);
}

static void forget(struct waiting_chain *waiting) {
	free((void *)(uintptr_t)waiting->sample.frames);
}

int chains_complete(struct chains *chains, int32_t tid, uint64_t cookie, struct str ips, bool swap,
		    chains_ready *ready, void *context) {
	size_t kept = 0;
	int result = 0;
	for (size_t i = 0; i < chains->waiting_n; i++) {
		struct waiting_chain waiting = chains->waiting[i];
		if (waiting.cookie != cookie || waiting.sample.tid != tid) {
			chains->waiting[kept++] = waiting;
			continue;
		}
		result =
			result == 0 ? pass_on(chains, &waiting, ips, swap, ready, context) : result;
		forget(&waiting);
	}
	chains->waiting_n = kept;
	return result;
}

int chains_flush(struct chains *chains, chains_ready *ready, void *context) {
	int result = 0;
	for (size_t i = 0; i < chains->waiting_n; i++) {
		struct waiting_chain waiting = chains->waiting[i];
		waiting.sample.truncated = true;
		result = result == 0 ? pass_on(chains, &waiting, STR(""), false, ready, context)
				     : result;
		forget(&waiting);
	}
	chains->waiting_n = 0;
	return result;
}

void chains_init(struct chains *chains, struct machine *machine, const struct buf *arch) {
	*chains = (struct chains){.machine = machine, .arch = arch};
}

void chains_release(struct chains *chains) {
	for (size_t i = 0; i < chains->waiting_n; i++) {
		forget(&chains->waiting[i]);
	}
	unwinder_free(chains->unwinder);
	for (size_t i = 0; i < UNWOUND_MOST; i++) {
		unwound_process_free(chains->unwound[i].process);
	}
	free(chains->frames);
	free(chains->addresses);
	free(chains->waiting);
}
