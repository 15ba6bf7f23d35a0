/* Fold recordings of perf while they are read. */
#include "perf/recording.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "profile/packages.h"

const char *const perf_weights[] = {"period", "samples", "time", NULL};

#ifdef HAVE_PERF_DATA

#include "base/num.h"
#include "perf/offcpu.h"
#include "perf/deferred.h"
#include "perf/queue.h"
#include "perf/unsampled.h"
#include "perf/wait.h"
#include "perf/data/address_memo.h"
#include "perf/data/quality.h"

/** Flags of an address whose meaning depends on the process; see address_memo_recent(). */
enum { ADDRESS_IN_JAVA = 1, ADDRESS_MOVES = 2 };

/** Kinds of meanings: with --by-package, an address of the idle loop; an address that gets its name
 * at the end of the recording, whose id is the number of its place. */
enum { MEANS_IDLE = MEANS_OTHER, MEANS_LATE };

/** In place of the root of a stack that was put off, whose number follows: no frame has this id. */
#define LATE_STACK UINT32_MAX

/** Places of frames whose address was replaced by its memo value. */
enum { PLACE_RESOLVED = PLACE_USER + 1, PLACE_RESOLVED_KERNEL };

/** Fields of a memo value: the id, the kind and the mark of the meaning, and for the quality what
 * the address says if it has no caller. If it has no name, the bits from NAMELESS_AT on are 1 + the
 * number of its image there. */
enum { KIND_AT = 32, KIND_MASK = 7, MARK_AT = 35, END_AT = 36, END_MASK = 3, NAMELESS_AT = 38 };

/** What an event tells about threads that do not run, the most useful last. */
enum stop_source {
	STOP_BY_NOTHING,
	STOP_BY_SOFTWARE,   // where a thread stops; records of switches tell when it runs again
	STOP_BY_TRACEPOINT, // also which thread runs instead
	STOP_BY_TIME,       // how long a thread did not run
};

/** An event of the recording. */
struct event {
	bool asked;              // ask() has decided whether its samples are kept
	struct profile *profile; // NULL: they are left out
	uint64_t weight;         // count of each sample; 0: its period
	bool weighed;            // its count is that of the event, not of samples
	uint64_t samples;        // in the range of time
	size_t met;              // index in the selection; 0: it was not met
	enum stop_source offcpu; // with --off-cpu or --wall
	bool wakes;              // with these: a thread wakes another
};

struct recording {
	const struct perf_folding *folding;
	struct perfdata *data;
	struct input *input;
	struct diag *diag;
	struct event *events; // by index
	size_t events_n, events_capacity;

	const struct thread *thread; // of the last sample, with its name and root frame then
	const char *comm;
	uint32_t root;
	bool java;
	bool wants_times;
	struct buf label; // of its thread, if times are wanted
	uint32_t cpu,
		cpu_frame; // of the last sample, with --per-cpu; the number of the processor, + 1
	uint32_t truncated,
		other_stack; // frames in place of callers that were not recorded
	struct intern roots; // by name and ids: 1 + frame, and whether it is Java

	struct address_memo memo;
	struct stack stack;
	struct meaning *symbols; // meanings of the symbols at an address
	size_t symbols_capacity;
	struct buf function, text;
	struct quality quality;

	bool waits;    // samples whose names come late are put off
	bool in_order; // and with them all that comes after them
	bool queues;   // which has begun
	struct perf_queue queue;
	struct perfdata_frame *resolved; // frames of a sample for the queue
	size_t resolved_capacity;
	uint64_t *late_names; // memo values of places that got their names; NULL: not yet
	struct deferred late;
	struct ids *late_ids; // by late stack: its ids; empty if it was left out
	uint64_t *known;      // memo values of the frames of a sample
	size_t known_capacity;

	bool timed, prepared;  // for --off-cpu and --wall
	enum stop_source best; // the most useful of what the events tell
	bool has_clock;        // with --wall: some event tells where threads run
	bool early;            // the records so far are from before the sampling
	struct offcpu offcpu;
	struct perf_unsampled unsampled;
	struct buf main_label; // of the first thread, for times that are not sampled
	struct perf_waits reasons;
	uint64_t switches; // number of records that tell when threads run and stop
	size_t woken_at;   // that of the woken thread's
	int32_t woken;     // the thread that the current sample wakes
	size_t next_at;    // the place of the next thread's id in a tracepoint
	uint32_t hidden;   // frame in place of the kernel's
};

bool perf_is_recording(struct str start) {
	return perfdata_is(start);
}

/* --- Names ---------------------------------------------------------------------------------- */

/** Put a name into `text` as `perf script` prints it. */
static struct str clean(struct buf *text, struct str name) {
	buf_clear(text);
	utf8_repair(text, name);
	for (size_t i = 0; i < text->n; i++) {
		bool control = (unsigned char)text->p[i] < 0x20 || text->p[i] == 0x7f;
		text->p[i] = control ? '?' : text->p[i];
	}
	return str_trim(buf_str(text));
}

static bool is_listed(const struct opt_list *list, struct str name) {
	for (size_t i = 0; i < list->n; i++) {
		if (str_eq(name, str_of(list->items[i]))) {
			return true;
		}
	}
	return false;
}

/** Add the source of a symbol to the name of its innermost frame. */
static void add_source(struct recording *recording, struct meaning *meaning,
		       const struct symbol *symbol) {
	struct perf_names *names = recording->folding->names;
	struct buf *text = &recording->text;
	(void)clean(text, symbol->file);
	buf_printf(text, ":%u", symbol->line);
	uint32_t *id = &meaning->id;
	if (meaning->kind == MEANS_FRAMES) {
		uint32_t *list = names->lists.items + meaning->id;
		id = &list[*list];
	}
	*id = perf_add_source(names, *id, buf_str(text));
}

/** Name one symbol, or an unknown address if it is NULL. Set its mark if no callers are wanted. */
static struct meaning name_symbol(struct recording *recording,
				  const struct perfdata_location *location,
				  const struct symbol *symbol) {
	const struct perf_folding *folding = recording->folding;
	struct perf_names *names = folding->names;
	bool inlined = symbol != NULL && symbol->inlined, by_package = names->options.by_package;
	struct str module = location->image == NULL ? STR("[unknown]") : location->image->name;
	struct str gone = STR(" (deleted)");
	char address[24];
	int n = snprintf(address, sizeof(address), "%llx", (unsigned long long)location->shown);
	struct perf_stack_line line = {.address = {address, (size_t)n}};
	line.function =
		clean(&recording->function, symbol == NULL ? STR("[unknown]") : symbol->name);
	line.module = inlined ? STR("inlined") : clean(&recording->text, module);
	line.module.n -= str_ends(line.module, gone) ? gone.n : 0;
	struct str raw = perf_raw_name(names, &line);
	if (by_package && perf_is_kernel_module(line.module) && packages_is_idle(raw)) {
		return (struct meaning){.kind = MEANS_IDLE};
	}
	bool last = by_package || is_listed(folding->skip_after, raw);
	struct meaning meaning = perf_name_line(names, &line, raw, recording->java);
	if (symbol == NULL && names->options.addrs && meaning.kind == MEANS_FRAME) {
		meaning.id = perf_add_address(names, meaning.id, line.address);
	}
	if (folding->srcline && symbol != NULL && symbol->file.n > 0) {
		add_source(recording, &meaning, symbol);
	}
	meaning.mark = last;
	return meaning;
}

/** Add the frames of a meaning to the open list. */
static void add_to_list(struct ids *lists, struct meaning meaning) {
	if (meaning.kind != MEANS_FRAMES) {
		ids_push(lists, meaning.id);
		return;
	}
	for (size_t i = 1; i <= lists->items[meaning.id]; i++) {
		ids_push(lists, lists->items[meaning.id + i]);
	}
}

/** Return the meaning of an address with these symbols, innermost first. */
static struct meaning join_symbols(struct recording *recording,
				   const struct perfdata_location *location,
				   const struct symbol *symbols, size_t n) {
	struct ids *lists = &recording->folding->names->lists;
	struct meaning meaning = {.kind = MEANS_UNKNOWN};
	size_t named = 0;
	for (size_t i = 0; (i < n || i == 0) && meaning.mark == 0; i++) {
		meaning = name_symbol(recording, location, n == 0 ? NULL : &symbols[i]);
		if (meaning.kind == MEANS_IDLE) {
			return meaning;
		}
		recording->symbols = mem_grow(recording->symbols, &recording->symbols_capacity,
					      named + 1, sizeof(*recording->symbols));
		recording->symbols[named++] = meaning;
	}
	uint16_t mark = meaning.mark;
	size_t list = frame_lists_open(lists);
	while (named > 0) {
		add_to_list(lists, recording->symbols[--named]);
	}
	meaning = frame_lists_close(lists, list);
	meaning.mark = mark;
	return meaning;
}

static uint64_t pack(struct meaning meaning, uint64_t nameless, enum quality_end end) {
	return nameless << NAMELESS_AT | (uint64_t)end << END_AT |
	       (uint64_t)meaning.mark << MARK_AT | (uint64_t)meaning.kind << KIND_AT | meaning.id;
}

static inline struct meaning unpack(uint64_t known) {
	return (struct meaning){.kind = known >> KIND_AT & KIND_MASK,
				.mark = known >> MARK_AT & 1,
				.id = (uint32_t)known};
}

/** Return the memo value of a location: its meaning. */
static uint64_t name_location(struct recording *recording, const struct perfdata_location *location,
			      const struct symbol *symbols, size_t n) {
	uint64_t nameless =
		n > 0 ? 0 : 1 + (uint64_t)quality_image(&recording->quality, location->image);
	struct meaning meaning = join_symbols(recording, location, symbols, n);
	return pack(meaning, nameless,
		    meaning.mark != 0 ? QUALITY_FIRST : quality_end_of(location, symbols, n));
}

/** Return the memo value of a location whose name comes late. */
static uint64_t put_off(struct recording *recording, const struct perfdata_location *location,
			bool is_return) {
	const struct deferred_place place = {*location, is_return, recording->java};
	return pack((struct meaning){.kind = MEANS_LATE,
				     .id = deferred_place(&recording->late, &place)},
		    0, QUALITY_OPEN);
}

/** Return the meaning of an address that was not met lately. `*moves` says that it must not be
 * remembered. */
static uint64_t look_up(struct recording *recording, const struct perfdata_sample *sample,
			const struct mappings *mappings, const struct perfdata_frame *frame,
			bool *moves) {
	struct perfdata_location location = address_locate(mappings, frame), key = location;
	const struct symbol *symbols = NULL;
	bool late = recording->waits && deferred_is(&location);
	size_t n = 0;
	*moves = false;
	if (!late) {
		n = location_symbols(recording->data, &location, frame->is_return, sample->time,
				     &symbols, moves);
	}
	if (!late && (!recording->folding->names->options.addrs || (*moves && n > 0))) {
		key.address = (uintptr_t)symbols; // each list of symbols has its own value
	}
	uint32_t flags = (recording->java ? ADDRESS_IN_JAVA : 0) | (*moves ? ADDRESS_MOVES : 0);
	uint64_t *known = address_memo_any(&recording->memo, &key, flags << 1 | frame->is_return);
	if (*known == 0) {
		*known = late ? put_off(recording, &location, frame->is_return)
			      : name_location(recording, &location, symbols, n);
	}
	return *known;
}

/** Replace the memo's value of a place by that of its name, if that has come. */
static inline uint64_t named_late(const struct recording *recording, uint64_t known) {
	return recording->late_names != NULL && unpack(known).kind == MEANS_LATE
		       ? recording->late_names[unpack(known).id]
		       : known;
}

/** Return the memo's value for the address of a frame. */
static inline uint64_t known_at(struct recording *recording, const struct perfdata_sample *sample,
				const struct perfdata_frame *frame) {
	if (frame->place == PLACE_RESOLVED || frame->place == PLACE_RESOLVED_KERNEL) {
		return named_late(recording, frame->ip);
	}
	const struct mappings *mappings =
		perfdata_mappings(perfdata_machine(recording->data), sample, frame);
	struct address_recent *recent = address_memo_recent(&recording->memo, mappings, frame,
							    recording->java ? ADDRESS_IN_JAVA : 0);
	uint64_t known = recent->value;
	if (known == 0) {
		bool moves;
		known = look_up(recording, sample, mappings, frame, &moves);
		recent->value = moves ? 0 : known;
	}
	return named_late(recording, known);
}

/* --- Samples -------------------------------------------------------------------------------- */

/** Return the event line that `perf script` would print for a sample, up to the ids. */
static struct perf_line line_of(struct buf *text, const struct perfdata_sample *sample) {
	struct str comm = clean(text, sample->thread->comm);
	size_t start = (size_t)(comm.p - text->p);
	buf_printf(text, " %d/%d", sample->pid, sample->tid);
	struct perf_line line = {.head = buf_str(text), .comm = {text->p + start, comm.n}};
	line.ids = str_from(line.head, str_find_last(line.head, ' ') + 1);
	return line;
}

/** Return the root frame of a thread's stacks, times 2, plus 1 if it is Java. */
static uint64_t name_root(struct recording *recording, const struct perfdata_sample *sample) {
	struct perf_process *process = recording->folding->process;
	const struct perf_line line = line_of(&recording->function, sample);
	perf_process_set(process, &line);
	return (uint64_t)process->root << 1 | process->java;
}

/** Find the root frame of a sample's stack. */
static void set_root(struct recording *recording, const struct perfdata_sample *sample) {
	const struct perf_process *options = recording->folding->process;
	struct str comm = sample->thread->comm;
	struct {
		const char *comm;
		int32_t pid, tid;
	} key = {comm.p, options->pid || options->tid ? sample->pid : 0,
		 options->tid ? sample->tid : 0};
	recording->thread = sample->thread;
	recording->comm = comm.p;
	struct intern_key *known = intern_get(&recording->roots, &key, sizeof(key));
	if (known->value == 0) {
		known->value = 1 + name_root(recording, sample);
	}
	if (recording->wants_times) {
		const struct perf_line line = line_of(&recording->function, sample);
		perf_process_label(&recording->label, &line);
	}
	recording->root = (uint32_t)((known->value - 1) >> 1);
	recording->java = ((known->value - 1) & 1) != 0;
}

/** Set how much time a sample of an event stands for; 0 if its period says it. Return false if that
 * is not known. */
static bool find_time(const struct perfdata_event *event, uint64_t *weight) {
	const uint64_t second = 1000000000;
	bool is_clock = event->type == EVENT_SOFTWARE && (event->config == SOFTWARE_CPU_CLOCK ||
							  event->config == SOFTWARE_TASK_CLOCK);
	*weight = is_clock || event->rate == 0 ? 0 : second / event->rate;
	return is_clock || (event->is_frequency && event->rate > 0);
}

static enum stop_source stop_source_of(const struct perfdata_event *event) {
	bool software = event->type == EVENT_SOFTWARE;
	struct str name = perf_event_plain(event->name);
	return str_eq(name, STR("offcpu-time"))                         ? STOP_BY_TIME
	       : str_eq(name, STR("sched:sched_switch"))                ? STOP_BY_TRACEPOINT
	       : software && event->config == SOFTWARE_CONTEXT_SWITCHES ? STOP_BY_SOFTWARE
									: STOP_BY_NOTHING;
}

/** Return the most useful of what the events tell about threads that do not run. */
static enum stop_source best_source(const struct recording *recording) {
	const struct perfdata_events *events = perfdata_events(recording->data);
	enum stop_source best = STOP_BY_NOTHING;
	for (size_t i = 0; i < events->n; i++) {
		enum stop_source other = stop_source_of(events->items[i]);
		best = other > best ? other : best;
	}
	return best;
}

/** Return the place of a field in a tracepoint, from the kernel's description, or if there is none,
 * where it usually is. */
static size_t find_field(const struct perfdata *data, struct str name, struct str field,
			 size_t usually) {
	struct str text = perfdata_tracing(data);
	size_t at = str_find_str(text, name);
	text = at == STR_NONE ? STR("") : str_from(text, at);
	at = str_find_str(text, field);
	text = at == STR_NONE ? STR("") : str_from(text, at + field.n);
	uint64_t offset;
	return num_parse_u64(str_cut(&text, ';'), &offset) && offset < UINT16_MAX ? (size_t)offset
										  : usually;
}

static bool is_dummy(const struct perfdata_event *event) {
	return event->type == EVENT_SOFTWARE && event->config == SOFTWARE_DUMMY;
}

/** Decide whether the samples of an event are kept with --off-cpu or --wall. */
static int ask_timed(struct recording *recording, const struct perfdata_event *event,
		     struct event *asked) {
	asked->offcpu = stop_source_of(event);
	asked->wakes = str_eq(perf_event_plain(event->name), STR("sched:sched_waking"));
	bool clock = asked->offcpu == STOP_BY_NOTHING && recording->folding->options->wall &&
		     !is_dummy(event) && !recording->has_clock;
	if (clock && !find_time(event, &asked->weight)) {
		return 0;
	}
	recording->has_clock |= clock;
	if (clock || (asked->offcpu != STOP_BY_NOTHING && asked->offcpu == recording->best)) {
		asked->profile = recording->folding->profile;
	}
	return 0;
}

/** Decide whether the samples of an event are kept, and what each counts. */
static int ask(struct recording *recording, const struct perfdata_event *event,
	       struct event *asked) {
	const struct perf_folding *folding = recording->folding;
	const struct perfdata_events *events = perfdata_events(recording->data);
	size_t several = 0;
	asked->asked = true;
	if (recording->timed) {
		return ask_timed(recording, event, asked);
	}
	for (size_t i = 0; i < events->n; i++) {
		several += !is_dummy(events->items[i]);
	}
	struct event_select *select = folding->select;
	if (several > 1) {
		event_select_keep_all(select);
		folding->names->profile = folding->process->profile = event_select_profile(select);
	}
	bool made, kept = event_select_meet(
			   select, &(struct perf_event){.named = true, .name = event->name}, &made);
	if (made) {
		diag_note(recording->diag, "%s: " EVENT_SELECT_NOTE, input_name(recording->input),
			  quote(perf_event_plain(event->name)).text);
	}
	asked->met = select->current;
	asked->profile = kept ? event_select_current(select)->profile : NULL;
	asked->weight = folding->options->weight == PERF_WEIGHT_SAMPLES;
	asked->weighed = asked->weight == 0 && !event->is_frequency && event->rate == 1;
	if (folding->options->per_cpu && (event->sample_type & SAMPLE_CPU) == 0) {
		return diag_error(recording->diag,
				  "%s: the samples do not say on which processor they were taken; "
				  "record with: perf record --sample-cpu",
				  input_name(recording->input));
	}
	if (folding->options->weight == PERF_WEIGHT_TIME && asked->profile != NULL &&
	    !find_time(event, &asked->weight)) {
		return diag_error(recording->diag,
				  "%s: cannot tell how much time a sample of '%s' stands for; "
				  "record a clock, such as cpu-clock, or by frequency (-F)",
				  input_name(recording->input), quote(event->name).text);
	}
	return 0;
}

/** Return what is known of an event, NULL after diag_error(). */
static struct event *event_of(struct recording *recording, const struct perfdata_event *event) {
	size_t before = recording->events_n, n = (size_t)event->index + 1;
	if (n > before) {
		recording->events = mem_grow(recording->events, &recording->events_capacity, n,
					     sizeof(*recording->events));
		memset(recording->events + before, 0, (n - before) * sizeof(*recording->events));
		recording->events_n = n;
	}
	struct event *asked = &recording->events[event->index];
	return asked->asked || ask(recording, event, asked) == 0 ? asked : NULL;
}

/** What became of a frame. */
enum pushed {
	PUSHED,
	PUSHED_IDLE, // the sample is left out
	PUSHED_LAST, // no callers are wanted
};

/** Push the frames of a memo value, which some samples have in common. */
static inline enum pushed push_known(struct recording *recording, uint64_t known,
				     uint64_t samples) {
	struct meaning meaning = unpack(known);
	quality_frame(&recording->quality, known >> NAMELESS_AT, known >> END_AT & END_MASK);
	if (meaning.kind == MEANS_IDLE) {
		recording->quality.idle += samples;
		return PUSHED_IDLE;
	}
	stack_push_meaning(&recording->stack, &recording->folding->names->lists, meaning);
	return meaning.mark != 0 ? PUSHED_LAST : PUSHED;
}

/** Push the root frame. With --skip-after, a stack whose callers are cut off has none. Return false
 * if the sample must be left out. */
static bool push_root(struct recording *recording, enum pushed pushed, enum perfdata_root root) {
	bool by_package = recording->folding->names->options.by_package;
	if (pushed == PUSHED_LAST && !by_package) {
		return true;
	}
	if (stack_depth(&recording->stack) == 0) {
		recording->quality.empty++;
		return false;
	}
	if (root != ROOT_WHOLE && pushed != PUSHED_LAST) {
		stack_push(&recording->stack, root == ROOT_OTHER_STACK ? recording->other_stack
								       : recording->truncated);
	}
	stack_push(&recording->stack, recording->root);
	return true;
}

/** Push the frames of a sample. Return false if the sample must be left out. */
static bool add_frames(struct recording *recording, const struct perfdata_sample *sample) {
	enum pushed pushed = PUSHED;
	for (size_t i = 0; i < sample->depth; i++) {
		__builtin_prefetch(address_memo_slot(&recording->memo, sample->frames[i].ip));
	}
	quality_start_stack(&recording->quality);
	for (size_t i = 0; i < sample->depth && pushed == PUSHED; i++) {
		pushed = push_known(recording, known_at(recording, sample, &sample->frames[i]), 1);
	}
	return pushed != PUSHED_IDLE && push_root(recording, pushed, sample->root);
}

/** Add the frame of a processor to the stack. The recorder does not know that of all samples. */
static void push_cpu(struct recording *recording, uint32_t cpu) {
	const uint32_t unknown = UINT32_MAX;
	char name[24] = "[cpu unknown]";
	if (recording->cpu != cpu + 1 || cpu == unknown) {
		if (cpu != unknown) {
			snprintf(name, sizeof(name), "[cpu %u]", cpu);
		}
		recording->cpu = cpu + 1;
		recording->cpu_frame =
			profile_frame(recording->folding->names->profile, str_of(name));
	}
	stack_push(&recording->stack, recording->cpu_frame);
}

static struct offcpu_moment moment_of(const struct recording *recording,
				      const struct perfdata_sample *sample) {
	return (struct offcpu_moment){sample->tid, recording->root, sample->time,
				      buf_str(&recording->label)};
}

/** Tell the profile when the next stack was sampled, or that it lasted for `span` ns until then. */
static inline void tell_time(struct recording *recording, struct profile *profile,
			     const struct perfdata_sample *sample, uint64_t span) {
	if (!recording->wants_times) {
		return;
	}
	if ((sample->event->sample_type & SAMPLE_TIME) == 0) {
		profile_at_no_time(profile);
		return;
	}
	profile_during(profile, buf_str(&recording->label),
		       span < sample->time ? sample->time - span : sample->time, sample->time);
}

/** Return how long a thread ran, to which a sample stands. What exceeds the time of a sample was
 * in the kernel, if that was not sampled. */
static uint64_t time_of_run(struct recording *recording, const struct event *event,
			    const struct perfdata_sample *sample) {
	const struct offcpu_moment moment = moment_of(recording, sample);
	uint64_t usual = event->weight > 0 ? event->weight : sample->period;
	uint64_t ran = offcpu_seen(&recording->offcpu, &moment);
	recording->quality.counted += ran > usual ? ran : usual;
	if (ran > usual && sample->event->exclude_kernel) {
		recording->quality.hidden += ran - usual;
		const uint32_t ids[] = {recording->root, recording->hidden};
		tell_time(recording, event->profile, sample, ran);
		profile_add(event->profile, ids, 2, ran - usual);
		return usual;
	}
	return ran > 0 ? ran : usual;
}

static bool is_in_kernel(const struct perfdata_frame *frame) {
	return frame->place == PLACE_KERNEL || frame->place == PLACE_RESOLVED_KERNEL;
}

/** Return whether a sample stands for all time in the kernel. The recorder makes such samples. */
static bool is_hidden(const struct perfdata_sample *sample) {
	return sample->event->exclude_kernel && sample->depth > 0 &&
	       is_in_kernel(&sample->frames[0]);
}

/** Count the weight of the current stack in the quality. */
static void judge_stack(struct recording *recording, const struct perfdata_event *event,
			enum perfdata_root root, uint64_t weight) {
	bool chained = (event->sample_type & SAMPLE_CALLCHAIN) != 0 && event->stack_size == 0;
	quality_end_stack(&recording->quality, weight, chained && root == ROOT_WHOLE,
			  event->stack_size > 0);
}

/** Return the frame of what a thread waits for with the stack of a sample; OFFCPU_NO_FRAME if its
 * frames in the kernel do not tell, or are not known. */
static uint32_t reason_of(struct recording *recording, const struct perfdata_sample *sample) {
	const struct ids *lists = &recording->folding->names->lists;
	uint32_t found = OFFCPU_NO_FRAME;
	for (size_t i = 0; i < sample->depth && found == OFFCPU_NO_FRAME; i++) {
		const struct perfdata_frame *frame = &sample->frames[i];
		if (!is_in_kernel(frame)) {
			continue;
		}
		struct meaning meaning = unpack(known_at(recording, sample, frame));
		size_t several = meaning.kind == MEANS_FRAMES ? lists->items[meaning.id] : 0;
		if (meaning.kind == MEANS_FRAME) {
			found = perf_wait_frame(&recording->reasons, meaning.id);
		}
		for (size_t k = several; k > 0 && found == OFFCPU_NO_FRAME;
		     k--) { // innermost first
			found = perf_wait_frame(&recording->reasons, lists->items[meaning.id + k]);
		}
	}
	return found;
}

/** Count the stack of a sample with --off-cpu or --wall, or keep it until its thread runs again. */
static void count_timed(struct recording *recording, struct event *event,
			const struct perfdata_sample *sample) {
	const struct offcpu_moment moment = moment_of(recording, sample);
	if (event->offcpu == STOP_BY_NOTHING) {
		if (!is_hidden(sample)) {
			uint64_t time = time_of_run(recording, event, sample);
			judge_stack(recording, sample->event, sample->root, time);
			tell_time(recording, event->profile, sample, time);
			profile_add(event->profile, stack_ids(&recording->stack),
				    stack_depth(&recording->stack), time);
		}
		return;
	}
	judge_stack(recording, sample->event, sample->root, sample->period);
	if (event->offcpu == STOP_BY_TIME) {
		tell_time(recording, event->profile, sample, sample->period);
		profile_add(event->profile, stack_ids(&recording->stack),
			    stack_depth(&recording->stack), sample->period);
		return;
	}
	if (sample->tid != 0) { // thread 0 is the idle task
		offcpu_stack(&recording->offcpu, &moment, stack_ids(&recording->stack),
			     stack_depth(&recording->stack), reason_of(recording, sample));
	}
}

/** Push the frame below the stack of a sample that counts time in which its thread waited. */
static void push_reason(struct recording *recording, const struct perfdata_sample *sample) {
	uint32_t reason = reason_of(recording, sample);
	if (reason == OFFCPU_NO_FRAME && recording->folding->options->wall) {
		reason = recording->offcpu.waiting;
	}
	if (reason != OFFCPU_NO_FRAME) {
		stack_push(&recording->stack, reason);
	}
}

/** Count the stack of a sample. */
static void count_stack(struct recording *recording, struct event *event,
			const struct perfdata_sample *sample) {
	if (recording->timed) {
		count_timed(recording, event, sample);
		return;
	}
	uint64_t count = event->weight > 0 ? event->weight : sample->period;
	event->weighed |= count > 1;
	recording->quality.counted += count;
	recording->quality.hidden += is_hidden(sample) ? count : 0;
	judge_stack(recording, sample->event, sample->root, count);
	tell_time(recording, event->profile, sample, 0);
	profile_add(event->profile, stack_ids(&recording->stack), stack_depth(&recording->stack),
		    count);
}

/** Put off a sample if some frame gets its name late. Return whether that is so. */
static bool put_off_sample(struct recording *recording, struct event *event,
			   const struct perfdata_sample *sample) {
	bool late = false;
	recording->known = mem_grow(recording->known, &recording->known_capacity, sample->depth,
				    sizeof(*recording->known));
	for (size_t i = 0; i < sample->depth; i++) {
		recording->known[i] = known_at(recording, sample, &sample->frames[i]);
		late |= unpack(recording->known[i]).kind == MEANS_LATE;
	}
	if (late) {
		const struct deferred_head head = {.event = sample->event->index,
						   .root = recording->root,
						   .cpu = sample->cpu,
						   .outermost = sample->root};
		uint64_t count = event->weight > 0 ? event->weight : sample->period;
		event->weighed |= count > 1;
		uint32_t ids[] = {LATE_STACK, deferred_add(&recording->late, &head,
							   recording->known, sample->depth, count)};
		if (recording->wants_times) {
			tell_time(recording, event->profile, sample, 0);
			moments_add(event->profile->moments, ids, 2, count);
		}
	}
	return late;
}

/** Return the memo value of a place that gets its name now. */
static uint64_t name_place(struct recording *recording, const struct deferred_place *place) {
	const struct symbol *symbols = NULL;
	bool moves;
	size_t n = location_symbols(recording->data, &place->location, place->is_return, 0,
				    &symbols, &moves);
	recording->java = place->java;
	return name_location(recording, &place->location, symbols, n);
}

/** Add a stack whose times were noted with its number, when its samples were put off. */
static void add_late_stack(struct recording *recording, size_t number,
			   const struct deferred_stack *stack) {
	struct profile *profile = recording->events[stack->head.event].profile;
	struct moments *moments = profile->moments;
	const uint32_t *ids = stack_ids(&recording->stack);
	size_t depth = stack_depth(&recording->stack);
	profile->moments = NULL;
	profile_add(profile, ids, depth, stack->count);
	profile->moments = moments;
	if (recording->wants_times) {
		ids_add(&recording->late_ids[number], ids, depth);
	}
}

/** Replace the number of a stack that was put off by its frames. */
static bool name_late_stack(void *context, struct ids *stack) {
	const struct ids *late_ids = context;
	if (stack->n != 2 || stack->items[0] != LATE_STACK) {
		return true;
	}
	const struct ids *found = &late_ids[stack->items[1]];
	stack->n = 0;
	ids_add(stack, found->items, found->n);
	return found->n > 0;
}

/** Replace the numbers of all stacks that were put off. */
static void name_late_stacks(struct recording *recording) {
	for (size_t i = 0; i < recording->events_n && recording->wants_times; i++) {
		struct profile *profile = recording->events[i].profile;
		if (profile != NULL) {
			moments_remake(profile->moments, name_late_stack, recording->late_ids);
		}
	}
	for (uint32_t i = 0; i < recording->late.stacks.count; i++) {
		ids_release(&recording->late_ids[i]);
	}
}

/** Count samples that were put off, and have their stack in common. */
static void count_late_stack(struct recording *recording, size_t number,
			     const struct deferred_stack *stack, const uint64_t *names) {
	enum pushed pushed = PUSHED;
	recording->root = stack->head.root;
	quality_start_stack(&recording->quality);
	for (size_t i = 0; i < stack->n && pushed == PUSHED; i++) {
		struct meaning meaning = unpack(stack->frames[i]);
		uint64_t known = meaning.kind == MEANS_LATE ? names[meaning.id] : stack->frames[i];
		pushed = push_known(recording, known, stack->samples);
	}
	if (pushed != PUSHED_IDLE && push_root(recording, pushed, stack->head.outermost)) {
		if (recording->folding->options->per_cpu) {
			push_cpu(recording, stack->head.cpu);
		}
		const struct perfdata_events *events = perfdata_events(recording->data);
		recording->quality.counted += stack->count;
		judge_stack(recording, events->items[stack->head.event], stack->head.outermost,
			    stack->count);
		add_late_stack(recording, number, stack);
	}
	stack_clear(&recording->stack);
}

/** Count all samples that were put off. */
static void count_late(struct recording *recording) {
	const struct deferred *late = &recording->late;
	uint64_t *names = mem_new(late->places_n + 1, sizeof(*names));
	struct deferred_stack stack;
	for (size_t i = 0; i < late->places_n; i++) {
		names[i] = name_place(recording, &late->places[i]);
	}
	recording->late_ids = mem_new(late->stacks.count, sizeof(*recording->late_ids));
	for (size_t i = 0; deferred_stack(late, i, &stack); i++) {
		count_late_stack(recording, i, &stack, names);
	}
	if (late->stacks.count > 0) {
		name_late_stacks(recording);
	}
	free(recording->late_ids);
	free(names);
}

/** Return the id of a thread in the fields of a tracepoint; 0 if it is not there. */
static int32_t thread_at(const struct recording *recording, const struct perfdata_sample *sample,
			 size_t at) {
	return sample->raw.n < at + sizeof(uint32_t)
		       ? 0
		       : (int32_t)cursor_load_u32(sample->raw.p + at,
						  perfdata_swapped(recording->data));
}

/** End the sleep of the thread that a switch starts. */
static void run_next(struct recording *recording, const struct perfdata_sample *sample) {
	int32_t tid = thread_at(recording, sample, recording->next_at);
	if (tid != 0) {
		offcpu_in(&recording->offcpu, tid, sample->time);
	}
}

/** Return whether a function of the kernel is the first one of an interrupt. */
static bool is_interrupt(struct str function) {
	static const char *const starts[] = {"asm_sysvec_", "asm_common_interrupt", "el0t_64_irq",
					     "el1h_64_irq"};
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (str_starts(function, str_of(starts[i]))) {
			return true;
		}
	}
	return false;
}

/** End the waiting of a thread that the sampled one wakes. With --wakers, the stack of the sample
 * is added, innermost function first, after a frame `--`, as is usual where both meet. */
static void wake(struct recording *recording, const struct perfdata_sample *sample) {
	int32_t tid = recording->woken;
	struct ids waker = {0};
	if (recording->folding->options->wakers && offcpu_waits(&recording->offcpu, tid)) {
		set_root(recording, sample);
		ids_push(&waker, profile_frame(recording->offcpu.profile, STR("--")));
		(void)add_frames(recording, sample);
		const uint32_t *ids = stack_ids(&recording->stack);
		for (size_t i = stack_depth(&recording->stack); i > 0; i--) {
			ids_push(&waker, ids[i - 1]);
			if (is_interrupt(profile_name(recording->offcpu.profile, ids[i - 1]))) {
				break; // what it has interrupted wakes nobody
			}
		}
		stack_clear(&recording->stack);
	}
	offcpu_wake(&recording->offcpu, tid, sample->time, waker.items, waker.n);
	ids_release(&waker);
}

/** Return whether an event takes no samples. It may record what threads do before others take
 * samples. */
static bool has_dummy(const struct perfdata_events *events) {
	for (size_t i = 0; i < events->n; i++) {
		if (is_dummy(events->items[i])) {
			return true;
		}
	}
	return false;
}

/** Decide what the samples of all events count. All events come before the first record. */
static int prepare_timed(struct recording *recording) {
	enum { NEXT_AT = 56, WOKEN_AT = 24 }; // usually
	const struct perfdata_events *events = perfdata_events(recording->data);
	if (recording->prepared) {
		return 0;
	}
	recording->prepared = true;
	recording->best = best_source(recording);
	recording->early = has_dummy(events);
	recording->next_at = find_field(recording->data, STR("name: sched_switch\n"),
					STR("next_pid;\toffset:"), NEXT_AT);
	recording->woken_at = find_field(recording->data, STR("name: sched_waking\n"),
					 STR("\tfield:pid_t pid;\toffset:"), WOKEN_AT);
	for (size_t i = 0; i < events->n; i++) {
		if (event_of(recording, events->items[i]) == NULL) {
			return -1;
		}
	}
	return 0;
}

static int count_sample(struct recording *recording, const struct perfdata_sample *sample) {
	const struct perf_folding *folding = recording->folding;
	if (recording->timed && prepare_timed(recording) != 0) {
		return -1;
	}
	struct event *event = event_of(recording, sample->event);
	if (event == NULL) {
		return -1;
	}
	if (event->offcpu == STOP_BY_TRACEPOINT && event->profile != NULL) {
		run_next(recording, sample);
	}
	if (event->wakes) {
		recording->quality.wakings++;
		wake(recording, sample);
	}
	if (folding->range.given &&
	    perf_range_place_of(&folding->range, sample->time) != PERF_INSIDE) {
		return 0;
	}
	event->samples++;
	recording->early &= event->wakes; // which is recorded earlier
	if (event->profile == NULL) {
		return 0;
	}
	if (sample->thread != recording->thread || sample->thread->comm.p != recording->comm) {
		set_root(recording, sample);
	}
	if (sample->event->index == 0) {
		perf_unsampled_add(&recording->unsampled, recording->root, sample->period);
	}
	if (recording->waits && !recording->in_order && put_off_sample(recording, event, sample)) {
		return 0;
	}
	if (event->offcpu == STOP_BY_TIME) {
		push_reason(recording, sample);
	}
	if (add_frames(recording, sample)) {
		if (folding->options->per_cpu) {
			push_cpu(recording, sample->cpu);
		}
		count_stack(recording, event, sample);
	}
	stack_clear(&recording->stack);
	return 0;
}

/** Note that a thread runs, stops, begins or ends. */
static int note_switch(struct recording *recording, const struct perfdata_switch *change) {
	struct offcpu *offcpu = &recording->offcpu;
	if (!recording->timed || change->tid == 0) {
		return 0;
	}
	if (prepare_timed(recording) != 0) {
		return -1;
	}
	recording->early &= change->change > CHANGE_STOPS;
	if (recording->best != STOP_BY_SOFTWARE || recording->early) {
		return 0;
	}
	const struct perfdata_sample sample = {
		.thread = change->thread, .pid = change->pid, .tid = change->tid};
	set_root(recording, &sample);
	const struct offcpu_moment moment = {change->tid, recording->root, change->time,
					     buf_str(&recording->label)};
	recording->switches += change->change <= CHANGE_STOPS;
	switch (change->change) {
	case CHANGE_RUNS:
	case CHANGE_EXEC:
		offcpu_in(offcpu, change->tid, change->time);
		break;
	case CHANGE_PREEMPTED:
	case CHANGE_STOPS:
		offcpu_out(offcpu, &moment, change->change == CHANGE_PREEMPTED);
		break;
	case CHANGE_BORN:
		offcpu_born(offcpu, &moment);
		break;
	case CHANGE_DELAYED:
		offcpu_delayed(offcpu, change->tid, change->delay);
		break;
	case CHANGE_EXIT:
		offcpu_exit(offcpu, &moment);
		break;
	}
	return 0;
}

/** Note what a thread has used, or all of them. */
static int on_used(void *context, const struct perfdata_used *used) {
	struct recording *recording = context;
	struct perf_unsampled *unsampled = &recording->unsampled;
	const struct perfdata_sample sample = {
		.thread = used->thread, .pid = used->pid, .tid = used->tid};
	if (used->event->index != 0 || recording->timed) {
		return 0;
	}
	set_root(recording, &sample);
	if (!used->is_total) {
		perf_unsampled_end(unsampled, recording->root, used->count);
		return 0;
	}
	unsampled->total += used->count;
	unsampled->main = recording->root;
	recording->quality.reason = used->reason;
	buf_clear(&recording->main_label);
	buf_add_str(&recording->main_label, buf_str(&recording->label));
	return 0;
}

/** Return the smallest time that is said not to be sampled; 0 if the event does not count time. */
static uint64_t least_unsampled(const struct perfdata_event *event) {
	const uint64_t least = 10000000; // ns
	uint64_t ignored;
	return event->type == EVENT_SOFTWARE && find_time(event, &ignored) ? least : 0;
}

/** Have the time that belongs to no other thread be that of a program that may not be sampled, if
 * there is one. */
static void find_barred(struct recording *recording) {
	const struct thread *barred = perfdata_quality(recording->data)->barred;
	if (barred != NULL) {
		const struct perfdata_sample sample = {
			.thread = barred, .pid = barred->pid, .tid = barred->tid};
		set_root(recording, &sample);
		recording->unsampled.main = recording->root;
		recording->quality.reason = REASON_BARRED;
	}
}

/** Count what was used below a root frame and not sampled. */
static void count_unsampled(struct recording *recording, struct profile *profile, uint32_t root,
			    uint64_t count) {
	bool barred =
		recording->quality.reason == REASON_BARRED && root == recording->unsampled.main;
	struct str name = barred ? STR("[not permitted]") : STR("[not sampled]");
	uint32_t ids[3];
	size_t n = 0;
	if (recording->folding->options->per_cpu) {
		ids[n++] = profile_frame(recording->folding->names->profile, STR("[cpu unknown]"));
	}
	ids[n++] = root;
	ids[n++] = profile_frame(recording->folding->names->profile, name);
	if (recording->wants_times) {
		uint64_t last = perfdata_quality(recording->data)->last;
		profile_during(profile, buf_str(&recording->main_label), last, last);
	}
	profile_add(profile, ids, n, count);
}

/** Count what was used and not sampled, if the recording tells. Return 0, or -1 after
 * diag_error(). */
static int add_unsampled(struct recording *recording) {
	const struct perf_folding *folding = recording->folding;
	struct perf_unsampled *unsampled = &recording->unsampled;
	if (unsampled->total == 0 || perfdata_events(recording->data)->n == 0 ||
	    folding->range.given || folding->options->weight == PERF_WEIGHT_SAMPLES) {
		return 0;
	}
	find_barred(recording);
	const struct perfdata_event *first = perfdata_events(recording->data)->items[0];
	uint64_t missing = perf_unsampled_divide(unsampled, least_unsampled(first));
	struct event *event = missing == 0 ? NULL : event_of(recording, first);
	if (missing == 0 || event == NULL || event->profile == NULL) {
		return missing == 0 || event != NULL ? 0 : -1;
	}
	event->samples += event->samples == 0; // so that it counts as met
	event->weighed = true;
	recording->quality.unsampled = missing;
	recording->quality.counted += missing;
	for (size_t i = 0; i < unsampled->n; i++) {
		if (unsampled->roots[i].used > 0) {
			count_unsampled(recording, event->profile, (uint32_t)i,
					unsampled->roots[i].used);
		}
	}
	return 0;
}

/* --- What waits for names, in order --------------------------------------------------------- */

/** Queue a sample if its names come late, or if an earlier one is queued. Return whether it is. */
static bool queue_sample(struct recording *recording, const struct perfdata_sample *sample,
			 int32_t woken) {
	if (sample->thread != recording->thread || sample->thread->comm.p != recording->comm) {
		set_root(recording, sample);
	}
	recording->resolved = mem_grow(recording->resolved, &recording->resolved_capacity,
				       sample->depth + 1, sizeof(*recording->resolved));
	memset(recording->resolved, 0, sample->depth * sizeof(*recording->resolved));
	for (size_t i = 0; i < sample->depth; i++) {
		uint64_t known = known_at(recording, sample, &sample->frames[i]);
		recording->resolved[i].ip = known;
		recording->resolved[i].place =
			is_in_kernel(&sample->frames[i]) ? PLACE_RESOLVED_KERNEL : PLACE_RESOLVED;
		recording->queues |= unpack(known).kind == MEANS_LATE;
	}
	if (recording->queues) {
		struct perfdata_sample resolved = *sample;
		resolved.frames = recording->resolved;
		perf_queue_sample(&recording->queue, &resolved, woken);
	}
	return recording->queues;
}

/** Name the places that got their names late, and count what is queued. */
static int take_queue(struct recording *recording) {
	const struct deferred *late = &recording->late;
	struct perf_queue queue = recording->queue;
	int result = 0;
	recording->queue = (struct perf_queue){0};
	recording->queues = recording->waits = false;
	recording->late_names = mem_new(late->places_n + 1, sizeof(*recording->late_names));
	for (size_t i = 0; i < late->places_n; i++) {
		recording->late_names[i] = name_place(recording, &late->places[i]);
	}
	for (size_t i = 0; i < queue.n && result == 0; i++) {
		struct thread thread;
		recording->thread = NULL;
		if (queue.items[i].event == NULL) {
			struct perfdata_switch change = perf_queue_get_switch(&queue, i, &thread);
			result = note_switch(recording, &change);
		} else {
			struct perfdata_sample sample = perf_queue_get_sample(&queue, i, &thread);
			recording->woken = queue.items[i].woken;
			result = count_sample(recording, &sample);
		}
	}
	recording->thread = NULL;
	perf_queue_release(&queue);
	return result;
}

static int add_sample(void *context, const struct perfdata_sample *sample) {
	struct recording *recording = context;
	int32_t woken = 0;
	if (recording->timed && sample->raw.n > 0) {
		if (prepare_timed(recording) != 0) {
			return -1;
		}
		const struct event *event = event_of(recording, sample->event);
		woken = event == NULL || !event->wakes
				? 0
				: thread_at(recording, sample, recording->woken_at);
	}
	bool waits = recording->waits && recording->in_order && (sample->raw.n == 0 || woken != 0);
	recording->woken = woken;
	if (!waits || !queue_sample(recording, sample, woken)) {
		return count_sample(recording, sample);
	}
	return perf_queue_is_full(&recording->queue) ? take_queue(recording) : 0;
}

static int on_switch(void *context, const struct perfdata_switch *change) {
	struct recording *recording = context;
	if (!recording->queues) {
		return note_switch(recording, change);
	}
	perf_queue_switch(&recording->queue, change);
	return perf_queue_is_full(&recording->queue) ? take_queue(recording) : 0;
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Tell the selection which events were met. The first listed event with samples counts as the
 * first one met. */
static void tell_events(const struct recording *recording) {
	bool first = true;
	for (size_t i = 0; i < recording->events_n; i++) {
		const struct event *event = &recording->events[i];
		if (event->met > 0 && event->samples > 0) {
			struct perf_met *met = &recording->folding->select->met[event->met];
			met->samples += event->samples;
			met->weighed |= event->weighed;
			met->starts_input |= first;
			first = false;
		}
	}
}

/** Report what --off-cpu or --wall lacks: events, or threads that run again. Return 0, or -1 after
 * diag_error(). */
static int judge_timed(struct recording *recording) {
	const char *name = input_name(recording->input);
	bool wall = recording->folding->options->wall;
	if (prepare_timed(recording) != 0) {
		return -1;
	}
	if (recording->best == STOP_BY_NOTHING) {
		return diag_error(recording->diag,
				  "%s: no event tells when threads do not run; record with: perf "
				  "record -g -e context-switches -c 1 --switch-events",
				  name);
	}
	if (wall && !recording->has_clock) {
		return diag_error(recording->diag,
				  "%s: no event tells where threads run; record with: inferno "
				  "record --wall",
				  name);
	}
	uint64_t left = offcpu_left(&recording->offcpu);
	if (left > 0 && recording->offcpu.ended == 0 && recording->switches == 0) {
		return diag_error(
			recording->diag,
			"%s: no thread is seen to run again; record with --switch-events, or "
			"record sched:sched_switch on all processors (-a)",
			name);
	}
	if (recording->switches > 0) {
		offcpu_finish(&recording->offcpu, perfdata_quality(recording->data)->last);
		return 0;
	}
	diag_note(recording->diag, "%s: left out threads that are not seen to run again: %llu",
		  name, (unsigned long long)left);
	return 0;
}

static int read_all(struct recording *recording) {
	const struct perfdata_consumer consumer = {
		.sample = add_sample, .switched = on_switch, .used = on_used, .context = recording};
	const char *name = input_name(recording->input);
	if (perfdata_read(recording->data, &consumer) != 0) {
		return -1;
	}
	if (recording->queues && take_queue(recording) != 0) {
		return -1;
	}
	if (!recording->in_order) {
		count_late(recording);
	}
	if (add_unsampled(recording) != 0) {
		return -1;
	}
	tell_events(recording);
	const struct perfdata_quality *quality = perfdata_quality(recording->data);
	bool any_unsampled = recording->quality.unsampled > 0;
	*recording->folding->samples += quality->samples + recording->switches + any_unsampled;
	if (quality->samples == 0 && recording->switches == 0 && !any_unsampled) {
		return diag_error(recording->diag, "%s: byte %llu: the recording %s", name,
				  (unsigned long long)quality->end,
				  quality->cut_off ? "is cut off before its first sample"
						   : "ends without a sample");
	}
	if (recording->timed && judge_timed(recording) != 0) {
		return -1;
	}
	recording->quality.switches = recording->switches;
	buf_clear(&recording->text);
	quality_word(&recording->text, &recording->quality, recording->data, name);
	profile_remark(recording->folding->profile, buf_str(&recording->text));
	return quality_say(&recording->quality, recording->data, name, recording->diag);
}

/** Prepare the frames that stand for time. */
static void prepare_frames(struct recording *recording) {
	struct profile *profile = recording->folding->profile;
	recording->offcpu.profile = recording->reasons.profile = profile;
	recording->offcpu.running = recording->folding->options->wall;
	recording->offcpu.waiting = profile_frame(profile, STR("[waiting]"));
	recording->offcpu.runnable = profile_frame(profile, STR("[runnable]"));
	recording->hidden = profile_frame(profile, STR("[kernel, not permitted]"));
}

int perf_fold_recording(const struct perf_folding *folding, struct input *input,
			struct diag *diag) {
	struct symbols_options options = perfdata_symbols_options(&folding->options->symbols);
	struct recording *recording = mem_new(1, sizeof(*recording));
	options.srcline = folding->srcline;
	options.live = folding->options->live;
	folding->select->input_starts = false; // tell_events() decides that
	recording->folding = folding;
	recording->truncated = profile_frame(folding->names->profile, STR("[truncated]"));
	recording->other_stack = profile_frame(folding->names->profile, STR("[other stack]"));
	recording->timed = folding->options->off_cpu || folding->options->wall;
	recording->quality.recorder = folding->options->recorder;
	if (recording->timed) {
		prepare_frames(recording);
	}
	// The order of samples matters to a timeline, and to threads that sleep.
	recording->waits = folding->options->recorder;
	recording->in_order = recording->timed || folding->profile->form != PROFILE_STACKS;
	recording->wants_times = profile_wants_times(folding->profile);
	recording->input = input;
	recording->diag = diag;
	recording->data = perfdata_open(input, &options, diag);
	int result = recording->data == NULL ? -1 : read_all(recording);
	perfdata_close(recording->data);
	address_memo_release(&recording->memo);
	intern_release(&recording->roots);
	stack_release(&recording->stack);
	free(recording->symbols);
	buf_release(&recording->function);
	buf_release(&recording->label);
	buf_release(&recording->main_label);
	perf_unsampled_release(&recording->unsampled);
	buf_release(&recording->text);
	quality_release(&recording->quality);
	offcpu_release(&recording->offcpu);
	perf_waits_release(&recording->reasons);
	deferred_release(&recording->late);
	perf_queue_release(&recording->queue);
	free(recording->resolved);
	free(recording->late_names);
	free(recording->known);
	free(recording->events);
	free(recording);
	return result;
}

#else

bool perf_is_recording(struct str start) {
	(void)start;
	return false;
}

int perf_fold_recording(const struct perf_folding *folding, struct input *input,
			struct diag *diag) {
	(void)folding;
	(void)input;
	(void)diag;
	return -1; // never called, as no input is a recording
}

#endif
