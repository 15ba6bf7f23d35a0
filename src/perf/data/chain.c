/* Make the frames of a sample from its addresses. */
#include "perf/data/chain.h"

#include <stdlib.h>

#include "perf/data/records.h"

enum { UNWIND_MOST = 1024, WAITING_MOST = 1 << 12 };

/** The part of a call chain in user space: frames[start..end). */
struct user_chain {
	size_t start, end;
	bool limited; // the kernel stopped at its limit of frames
};

struct waiting_chain {
	struct perfdata_sample sample; // the sample owns its frames
	uint64_t cookie;
};

static void chain_reserve(struct chains *chains, size_t more) {
	MEM_GROW(chains->frames, chains->capacity, chains->n + more);
}

/** Add a frame. The caller has made room with chain_reserve(). */
static inline void chain_add_frame(struct chains *chains, uint64_t ip, enum perfdata_place place,
				   bool is_return) {
	chains->frames[chains->n++] = (struct perfdata_frame){ip, (uint8_t)place, is_return};
}

static enum perfdata_place chain_place_of_mode(unsigned mode) {
	return mode == MODE_KERNEL ? PLACE_KERNEL
	       : mode == MODE_USER ? PLACE_USER
				   : PLACE_ELSEWHERE;
}

static enum perfdata_place chain_place_of_context(uint64_t context) {
	return context == CONTEXT_KERNEL ? PLACE_KERNEL
	       : context == CONTEXT_USER ? PLACE_USER
					 : PLACE_ELSEWHERE;
}

/** Add the frames of a call chain. Return the index of the first frame in user space or, if there
 * is none, the number of frames. If a later record has the frames in user space, set `*cookie`. */
static size_t chain_add(struct chains *chains, enum perfdata_place place,
			const struct sample_words *chain, uint64_t *cookie) {
	size_t user = SIZE_MAX;
	bool is_return = false;
	chain_reserve(chains, chain->n);
	for (size_t i = 0; i < chain->n; i++) {
		uint64_t ip = chain->items[i];
		if (ip < CONTEXT_FIRST) {
			user = place == PLACE_USER && user == SIZE_MAX ? chains->n : user;
			chain_add_frame(chains, ip, place, is_return);
			is_return = true;
		} else if (ip == CONTEXT_USER_DEFERRED && i + 1 < chain->n) {
			*cookie = chain->items[++i];
		} else if (ip == CONTEXT_KERNEL || ip == CONTEXT_USER || ip == CONTEXT_HYPERVISOR ||
			   ip == CONTEXT_GUEST || ip == CONTEXT_GUEST_KERNEL ||
			   ip == CONTEXT_GUEST_USER) {
			place = chain_place_of_context(ip);
			is_return = false;
		} // skip other marks, because they are not addresses
	}
	return user == SIZE_MAX ? chains->n : user;
}

/** Return the largest number of frames in a call chain of the kernel. */
static size_t chain_most_frames(const struct perfdata_event *event) {
	enum { USUAL = 127 }; // default of kernel.perf_event_max_stack
	return event->frames_most > 0 ? event->frames_most : USUAL;
}

/* --- Recorded stacks ------------------------------------------------------------------------ */

static bool chain_is_data(void *context, uint64_t address) {
	const struct mapping *mapping = mappings_find(context, address);
	return mapping != NULL && !mapping->executable && mapping->image->object == NULL;
}

static struct object *chain_find_object(void *context, uint64_t address, uint64_t *file_address) {
	const struct mapping *mapping = mappings_find(context, address);
	if (mapping == NULL || !mapping->executable) {
		return NULL;
	}
	*file_address = mapping_address(mapping, address);
	return mapping->image->object;
}

/** Return the processor to which the recorded registers belong. If a recording does not name the
 * processor, as from a pipe, assume the processor of this machine. */
static struct str chain_arch_of(const struct chains *chains) {
#if defined(__x86_64__)
	return chains->arch->n == 0 ? STR("x86_64") : buf_str(chains->arch);
#elif defined(__aarch64__)
	return chains->arch->n == 0 ? STR("aarch64") : buf_str(chains->arch);
#else
	return buf_str(chains->arch);
#endif
}

/** Return libdw's process with these mappings. */
static struct unwound_process *chain_unwound_of(struct chains *chains,
						const struct mappings *mappings) {
	struct unwound *unwound = &chains->others[mappings->id % UNWOUND_MOST];
	if (unwound->process == NULL || unwound->id != mappings->id) {
		unwound_process_free(unwound->process);
		unwound->process = unwound_process_new(chains->machine->symbols);
		unwound->id = mappings->id;
		const struct mapping *mapping = mappings_next(mappings, 0);
		for (; mapping != NULL && unwound->process != NULL;
		     mapping = mappings_next(mappings, mapping->end)) {
			if (mapping->executable && mapping->image->object != NULL) {
				unwound_process_add(unwound->process, mapping->image->object,
						    mapping->start, mapping->offset);
			}
		}
	}
	return unwound->process;
}

/** Unwind a stack with libdw, for processors that our own unwinder does not support. Return how
 * many addresses were found. */
static size_t chain_unwind_by_libdw(struct chains *chains, const struct perfdata_sample *sample,
				    const struct sample_fields *fields, bool is_64,
				    enum unwind_end *end) {
	const struct recorded_stack stack = {.processor =
						     processor_named(chain_arch_of(chains), is_64),
					     .mask = sample->event->registers_user,
					     .values = fields->registers,
					     .n = fields->registers_n,
					     .bytes = fields->stack,
					     .swapped = fields->swapped};
	if (stack.processor == NULL) {
		return 0;
	}
	struct unwound_process *process =
		chain_unwound_of(chains, &sample->thread->process->mappings);
	return process == NULL ? 0
			       : unwind_other(process, &stack, chains->addresses, UNWIND_MOST, end);
}

/** Fill `stack` with the recorded stack and registers of a sample. Return false if the registers of
 * the sample are not known. */
static bool chain_take_stack(struct unwind_stack *stack, const struct perfdata_sample *sample,
			     const struct sample_fields *fields,
			     const struct unwind_processor *processor) {
	struct mappings *mappings = &sample->thread->process->mappings;
	stack->processor = processor;
	stack->bytes = fields->stack;
	stack->find = chain_find_object;
	stack->is_data = chain_is_data;
	stack->context = mappings;
	if (!unwind_registers(stack, sample->event->registers_user, fields->registers,
			      fields->registers_n)) {
		return false;
	}
	const struct mapping *mapping = mappings_find(mappings, stack->registers[processor->sp]);
	stack->end = mapping == NULL || mapping->executable ? 0 : mapping->end;
	return true;
}

/** Complete a stack that is cut off. Append the callers that its last frame had in an earlier
 * complete stack of the thread. Return whether the stack is then complete. */
static bool chain_append_remembered(struct chains *chains, const struct perfdata_sample *sample,
				    const struct sample_fields *fields, size_t found) {
	enum {
		LEAST = 32 << 10
	}; // if fewer bytes of the stack were copied, the callers often
	   // differ
	size_t before = chains->n;
	if (found < 2 || fields->stack.n < LEAST) {
		return false;
	}
	struct callers_key key = {sample->thread->epoch, chains->addresses[found - 1],
				  unwind_frames(chains->unwinder)[found - 2]};
	while (callers_next(&chains->callers, &key)) {
		if (key.address == 0) {
			return true;
		}
		chain_reserve(chains, 1);
		chain_add_frame(chains, key.address, PLACE_USER, false);
		if (chains->n - before >= UNWIND_MOST) {
			break;
		}
	}
	chains->n = before;
	return false;
}

/** Remember the caller of each frame of a complete stack. */
static void chain_remember_callers(struct chains *chains, const struct perfdata_sample *sample,
				   size_t found) {
	const struct unwind_frame *frames = unwind_frames(chains->unwinder);
	struct callers_key next = {.epoch = sample->thread->epoch};
	for (size_t i = found; i-- > 1;) {
		const struct callers_key key = {sample->thread->epoch, chains->addresses[i],
						frames[i - 1]};
		callers_set(&chains->callers, &key, &next);
		next = key;
	}
}

/** Find the caller of the last unwound frame in the call chain, frames[user..end), which the kernel
 * found by frame pointers. Follow the frame pointers in the recorded bytes until they reach
 * `record`, the address at which the frame stores its caller's frame pointer. Return the index of
 * the caller. If the frame pointers do not reach `record`, return SIZE_MAX. */
static size_t chain_find_caller(const struct chains *chains, const struct unwind_stack *stack,
				uint64_t record, size_t user, size_t end) {
	const struct unwind_processor *processor = stack->processor;
	uint64_t base = stack->registers[processor->sp], frame = stack->registers[processor->fp];
	bool known = record != 0 && (stack->known >> processor->fp & 1) != 0;
	for (size_t i = user + 1; i < end && known; i++) {
		enum { PAIR = 2 * sizeof(uint64_t) };
		uint64_t at = frame - base;
		if (frame == record) {
			return i;
		}
		if (stack->bytes.n < PAIR || at > stack->bytes.n - PAIR) {
			break;
		}
		const char *pair = stack->bytes.p + at;
		if ((load_u64(pair + sizeof(uint64_t)) & processor->mask) !=
		    (chains->frames[i].ip & processor->mask)) {
			break;
		}
		frame = load_u64(pair);
	}
	return SIZE_MAX;
}

/** Append callers from the call chain, frames[user..end), as long as the code of each frame keeps
 * the frame pointer. Return whether the stack is then complete. */
static bool chain_append(struct chains *chains, const struct unwind_stack *stack, size_t user,
			 size_t end, bool limited) {
	struct unwind_code code = {.keeps_frame_pointer = true};
	size_t i = chain_find_caller(chains, stack, unwind_record(chains->unwinder), user, end);
	if (i == SIZE_MAX) {
		return false;
	}
	for (; i < end && code.keeps_frame_pointer && !code.starts_thread; i++) {
		chain_reserve(chains, 1);
		uint64_t address = chains->frames[i].ip - 1;
		chain_add_frame(chains, address, PLACE_USER, false);
		code = unwind_code_at(chains->unwinder, stack, address);
	}
	return code.starts_thread || (i == end && code.keeps_frame_pointer && !limited);
}

/** Complete a stack that is cut off, with callers that are known from other stacks or from the call
 * chain. */
static bool chain_complete(struct chains *chains, const struct perfdata_sample *sample,
			   const struct sample_fields *fields, const struct unwind_stack *stack,
			   const struct user_chain *chain, size_t found, enum unwind_end end) {
	return (end == UNWIND_CUT && chain_append_remembered(chains, sample, fields, found)) ||
	       chain_append(chains, stack, chain->start, chain->end, chain->limited);
}

static uint8_t chain_root_of_end(enum unwind_end end) {
	return end == UNWIND_CUT ? ROOT_CUT : end == UNWIND_OTHER ? ROOT_OTHER_STACK : ROOT_WHOLE;
}

static void chain_count_end(struct perfdata_unwound *unwound, enum unwind_end end,
			    enum perfdata_root root) {
	unwound->whole += root == ROOT_WHOLE && end != UNWIND_BROKEN && end != UNWIND_FULL;
	unwound->cut += root == ROOT_CUT;
	unwound->other_stack += root == ROOT_OTHER_STACK;
	unwound->lost += end == UNWIND_BROKEN || end == UNWIND_FULL;
}

/** Replace the call chain's frames in user space by the unwound frames, which start at
 * `chain->end`. */
static void chain_replace(struct chains *chains, const struct user_chain *chain) {
	struct perfdata_frame *frames = chains->frames;
	size_t unwound = chains->n - chain->end;
	memmove(frames + chain->start, frames + chain->end, unwound * sizeof(*frames));
	chains->n = chain->start + unwound;
}

static void chain_add_addresses(struct chains *chains, size_t n) {
	chain_reserve(chains, n);
	for (size_t i = 0; i < n; i++) {
		chain_add_frame(chains, chains->addresses[i], PLACE_USER, false);
	}
}

/** Unwind a stack by call frame information. Return false if the registers of the stack are not
 * known. */
static bool chain_add_unwound(struct chains *chains, struct perfdata_sample *sample,
			      const struct sample_fields *fields, const struct user_chain *chain,
			      const struct unwind_processor *processor) {
	struct unwind_stack stack;
	enum unwind_end end = UNWIND_BROKEN;
	if (!chain_take_stack(&stack, sample, fields, processor)) {
		return false;
	}
	if (chains->unwinder == NULL) {
		chains->unwinder = unwinder_new(chains->machine->symbols);
	}
	size_t found = unwind(chains->unwinder, &stack, chains->addresses, UNWIND_MOST, &end);
	chain_add_addresses(chains, found);
	sample->root = chain_root_of_end(end);
	if (end == UNWIND_START) {
		chain_remember_callers(chains, sample, found);
	} else if (sample->root != ROOT_WHOLE) {
		size_t before = chains->n;
		bool whole = chain_complete(chains, sample, fields, &stack, chain, found, end);
		sample->root = whole ? ROOT_WHOLE : sample->root;
		chains->unwound.extended += chains->n > before;
	}
	chain_count_end(&chains->unwound, end, sample->root);
	return true;
}

/** Unwind the stack of a sample, and replace the call chain's frames in user space by the unwound
 * frames. */
static void chain_unwind_sample(struct chains *chains, struct perfdata_sample *sample,
				const struct sample_fields *fields,
				const struct user_chain *chain) {
	enum { ABI_64 = 2 };
	bool is_64 = fields->registers_abi == ABI_64;
	const struct unwind_processor *processor =
		is_64 && is_little_endian(fields->swapped)
			? unwind_processor_named(chain_arch_of(chains))
			: NULL;
	enum unwind_end end = UNWIND_BROKEN;
	if (chains->addresses == NULL) {
		chains->addresses = mem_new(UNWIND_MOST, sizeof(*chains->addresses));
	}
	if (processor != NULL) {
		if (!chain_add_unwound(chains, sample, fields, chain, processor)) {
			return;
		}
	} else {
		size_t found = chain_unwind_by_libdw(chains, sample, fields, is_64, &end);
		if (found == 0) {
			return;
		}
		chain_add_addresses(chains, found);
		sample->root = chain_root_of_end(end);
	}
	chain_replace(chains, chain);
}

/* --- Samples that wait ---------------------------------------------------------------------- */

static void chain_put_aside(struct chains *chains, const struct perfdata_sample *sample,
			    uint64_t cookie) {
	struct waiting_chain *waiting =
		MEM_APPEND(chains->waiting, chains->waiting_n, chains->waiting_capacity);
	struct perfdata_frame *frames = mem_new(sample->depth + 1, sizeof(*frames));
	memcpy(frames, sample->frames, sample->depth * sizeof(*frames));
	*waiting = (struct waiting_chain){*sample, cookie};
	waiting->sample.frames = frames;
	waiting->sample.raw = STR("");
}

bool chains_make(struct chains *chains, struct perfdata_sample *sample,
		 const struct sample_fields *fields, unsigned mode,
		 const struct sample_words *chain) {
	uint64_t cookie = 0;
	chains->n = 0;
	enum perfdata_place place = chain_place_of_mode(mode);
	struct user_chain user = {.start = chain_add(chains, place, chain, &cookie)};
	user.end = chains->n;
	user.limited = chains->n == chain_most_frames(sample->event);
	if (fields->stack.n > 0) {
		chain_unwind_sample(chains, sample, fields, &user);
	} else if (user.limited) {
		sample->root = ROOT_LIMITED;
	}
	if (chains->n == 0 && (sample->event->sample_type & SAMPLE_IP) != 0 && cookie == 0) {
		chain_reserve(chains, 1);
		chain_add_frame(chains, sample->ip, place, false);
	}
	sample->frames = chains->frames;
	sample->depth = chains->n;
	if (cookie == 0 || chains->waiting_n >= WAITING_MOST) {
		sample->root = cookie != 0 ? ROOT_CUT : sample->root;
		return true;
	}
	chain_put_aside(chains, sample, cookie);
	return false;
}

static int chain_pass_on(struct chains *chains, const struct waiting_chain *waiting, struct str ips,
			 bool swap, chains_ready *ready, void *context) {
	struct perfdata_sample sample = waiting->sample;
	chains->n = 0;
	chain_reserve(chains, sample.depth);
	memcpy(chains->frames, sample.frames, sample.depth * sizeof(*chains->frames));
	chains->n = sample.depth;
	struct sample_words chain = {0};
	uint64_t ignored = 0;
	for (size_t i = 0; i < ips.n; i += sizeof(uint64_t)) {
		*words_room(&chain, 1) = cursor_load_u64(ips.p + i, swap);
		chain.n++;
	}
	chain_add(chains, PLACE_USER, &chain, &ignored);
	free(chain.items);
	sample.frames = chains->frames;
	sample.depth = chains->n;
	return ready(context, &sample);
}

static void chain_forget(struct waiting_chain *waiting) {
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
		result = result == 0 ? chain_pass_on(chains, &waiting, ips, swap, ready, context)
				     : result;
		chain_forget(&waiting);
	}
	chains->waiting_n = kept;
	return result;
}

int chains_flush(struct chains *chains, chains_ready *ready, void *context) {
	int result = 0;
	for (size_t i = 0; i < chains->waiting_n; i++) {
		struct waiting_chain waiting = chains->waiting[i];
		waiting.sample.root = ROOT_CUT;
		result = result == 0
				 ? chain_pass_on(chains, &waiting, STR(""), false, ready, context)
				 : result;
		chain_forget(&waiting);
	}
	chains->waiting_n = 0;
	return result;
}

void chains_init(struct chains *chains, struct machine *machine, const struct buf *arch) {
	*chains = (struct chains){.machine = machine, .arch = arch};
}

void chains_release(struct chains *chains) {
	for (size_t i = 0; i < chains->waiting_n; i++) {
		chain_forget(&chains->waiting[i]);
	}
	unwinder_free(chains->unwinder);
	callers_release(&chains->callers);
	for (size_t i = 0; i < UNWOUND_MOST; i++) {
		unwound_process_free(chains->others[i].process);
	}
	free(chains->frames);
	free(chains->addresses);
	free(chains->waiting);
}
