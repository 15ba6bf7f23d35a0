/* Fold recordings of perf while they are read. */
#include "perf/recording.h"

#include <stdio.h>
#include <stdlib.h>

const char *const perf_weights[] = {"period", "samples", "time", NULL};
const char *const file_io_counts[] = {"none", "bytes", "time", NULL};

const char *perf_time_unit(const struct perf_recording_options *options) {
	return options->io == FILE_IO_BYTES  ? "bytes"
	       : options->io == FILE_IO_TIME ? "nanoseconds of reading and writing"
	       : options->off_cpu            ? "nanoseconds of waits"
	       : options->wall               ? "nanoseconds of wall time of threads"
	       : options->latency            ? "nanoseconds of latency"
					     : "nanoseconds";
}

#ifdef HAVE_PERF_DATA

#include "perf/recording_state.h"

bool perf_is_recording(struct str start) {
	return perfdata_is(start);
}

/* --- Threads -------------------------------------------------------------------------------- */

void recording_set_task(struct recording *recording, const struct thread *thread, int32_t pid,
			int32_t tid) {
	struct str comm = addresses_clean(&recording->addresses.function, thread->comm);
	recording->thread = thread;
	recording->comm = thread->comm.p;
	recording->sample.root = perf_process_of_ids(recording->folding->process, comm, pid, tid);
}

/* --- Time ----------------------------------------------------------------------------------- */

/** Use the count for which the recording was made, such as wall time, unless the options choose
 * another count. A recording states this count before its first sample, so call this function at
 * the first record that is counted. Later calls do nothing. Return 0, or -1 after diag_error(). */
static int recording_decide(struct recording *recording) {
	if (recording->decided) {
		return 0;
	}
	struct perf_recording_options *options = recording->options;
	struct event_select *select = recording->folding->select;
	struct perfdata_counts counts = perfdata_counts(recording->data);
	bool chosen = perf_counts_time(options) || options->io != FILE_IO_NONE ||
		      select->wanted != NULL || select->by_value ||
		      options->weight != PERF_WEIGHT_PERIOD || options->per_cpu;
	recording->decided = true;
	if (!chosen) {
		options->off_cpu = counts.off_cpu;
		options->wall = counts.wall;
		options->latency = counts.latency;
		options->wakers |= counts.wakers;
		options->io = counts.io ? FILE_IO_BYTES : FILE_IO_NONE;
	}
	bool timed = perf_counts_time(options), special = timed || options->io != FILE_IO_NONE;
	if (!event_select_time(select, special ? perf_time_unit(options) : "")) {
		return diag_error(
			recording->diag,
			"%s: its counts are not those of the recordings before it; choose "
			"one for all with --wall, --off-cpu, --latency, or --value and the "
			"name of an event",
			input_name(recording->input));
	}
	if (special) {
		recording->folding->names->profile = recording->folding->process->profile =
			event_select_profile(select);
	}
	if (timed) {
		timed_init(recording);
	}
	return 0;
}

/* --- Events --------------------------------------------------------------------------------- */

bool recorded_event_time(const struct perfdata_event *event, uint64_t *weight) {
	const uint64_t second = 1000000000;
	bool is_clock = event->type == EVENT_SOFTWARE && (event->config == SOFTWARE_CPU_CLOCK ||
							  event->config == SOFTWARE_TASK_CLOCK);
	*weight = is_clock || event->rate == 0 ? 0 : second / event->rate;
	return is_clock || (event->is_frequency && event->rate > 0);
}

/** Pass an event to the selection, which decides whether the samples of the event are kept. */
static void recording_select(struct recording *recording, const struct perfdata_event *event,
			     struct recorded_event *asked) {
	const struct perf_folding *folding = recording->folding;
	const struct perfdata_events *events = perfdata_events(recording->data);
	struct event_select *select = folding->select;
	size_t several = 0;
	for (size_t i = 0; i < events->n; i++) {
		several += !recorded_event_is_dummy(events->items[i]);
	}
	if (several > 1) {
		event_select_keep_all(select);
		folding->names->profile = folding->process->profile = event_select_profile(select);
	}
	const struct perf_event named = {.named = true, .name = event->name};
	bool made, kept = event_select_meet(select, &named, &made);
	if (made) {
		diag_note(recording->diag, "%s: " EVENT_SELECT_NOTE, input_name(recording->input),
			  quote(perf_event_plain(event->name)).text);
	}
	asked->met = select->current;
	asked->kept = kept;
}

/** Decide whether the samples of an event are kept, and what each sample counts. */
static int recording_ask(struct recording *recording, const struct perfdata_event *event,
			 struct recorded_event *asked) {
	const struct perf_folding *folding = recording->folding;
	asked->asked = true;
	if (recording->timed.wanted) {
		timed_ask(recording, event, asked);
		return 0;
	}
	if (folding->options->io != FILE_IO_NONE) {
		asked->kept = file_io_call(event).n > 0;
		recording->has_io |= asked->kept;
		return 0;
	}
	recording_select(recording, event, asked);
	asked->weight = folding->options->weight == PERF_WEIGHT_SAMPLES;
	event_select_current(folding->select)->weighed |=
		asked->weight == 0 && !event->is_frequency && event->rate == 1;
	if (folding->options->per_cpu && (event->sample_type & SAMPLE_CPU) == 0) {
		return diag_error(recording->diag,
				  "%s: the samples do not say on which processor they were taken; "
				  "record with: perf record --sample-cpu",
				  input_name(recording->input));
	}
	if (folding->options->weight == PERF_WEIGHT_TIME && asked->kept &&
	    !recorded_event_time(event, &asked->weight)) {
		return diag_error(recording->diag,
				  "%s: cannot tell how much time a sample of '%s' stands for; "
				  "record a clock, such as cpu-clock, or by frequency (-F)",
				  input_name(recording->input), quote(event->name).text);
	}
	return 0;
}

struct recorded_event *recording_event(struct recording *recording,
				       const struct perfdata_event *event) {
	size_t before = recording->events_n, n = (size_t)event->index + 1;
	if (n > before) {
		MEM_GROW(recording->events, recording->events_capacity, n);
		memset(recording->events + before, 0, (n - before) * sizeof(*recording->events));
		recording->events_n = n;
	}
	struct recorded_event *asked = &recording->events[event->index];
	return asked->asked || recording_ask(recording, event, asked) == 0 ? asked : NULL;
}

/* --- Stacks --------------------------------------------------------------------------------- */

/** The effect that a frame has on its sample, because of an option. */
enum pushed {
	PUSHED,
	PUSHED_IDLE, // the sample must be left out
	PUSHED_LAST, // the callers must be left out
};

static inline enum pushed recording_push(struct recording *recording, uint64_t value) {
	struct meaning meaning = address_meaning(value);
	address_note(value, &recording->quality);
	if (meaning.kind == MEANS_IDLE) {
		recording->quality.idle++;
		return PUSHED_IDLE;
	}
	recording->sample.unnamed |= address_is_deferred(value);
	stack_push_meaning(&recording->sample.stack, &recording->folding->names->lists, meaning);
	return meaning.mark != 0 ? PUSHED_LAST : PUSHED;
}

/** Push the root frame. With --skip-after, a stack whose outer callers are left out gets no root
 * frame. Return false if the sample must be left out. */
static bool recording_push_root(struct recording *recording, enum pushed pushed,
				enum perfdata_root root) {
	bool by_package = recording->folding->names->options.by_package;
	if (pushed == PUSHED_LAST && !by_package) {
		return true;
	}
	if (stack_depth(&recording->sample.stack) == 0) {
		recording->quality.empty++;
		return false;
	}
	if (root != ROOT_WHOLE && pushed != PUSHED_LAST) {
		struct str name =
			root == ROOT_OTHER_STACK ? STR("[other stack]") : STR("[truncated]");
		stack_push(&recording->sample.stack,
			   profile_frame(recording->folding->names->profile, name));
	}
	stack_push(&recording->sample.stack, recording->sample.root.frame);
	return true;
}

/** Push script functions, from `*next` on: up to the function for which the interpreter's loop was
 * called, or up to the next return address. If `all` is set, push all further functions. */
static void recording_push_script(struct recording *recording,
				  const struct interpreted_stack *script, size_t *next, bool all) {
	struct profile *profile = recording->folding->names->profile;
	while (*next < script->n) {
		const struct interpreted_frame *frame = &script->frames[(*next)++];
		if (frame->returns_to == 0) {
			uint32_t id =
				interpreted_frame_id(&recording->interpreted, profile, frame->name);
			stack_push(&recording->sample.stack, id);
		}
		if ((frame->is_entry || frame->returns_to != 0) && !all) {
			return;
		}
	}
}

/** Push a frame with a remark if a script stack is cut off or could not be read. */
static void recording_push_script_note(struct recording *recording,
				       const struct interpreted_stack *script) {
	struct profile *profile = recording->folding->names->profile;
	struct buf *text = &recording->addresses.text;
	if (script->state == SCRIPTED_TORN) {
		buf_clear(text);
		buf_add_char(text, '[');
		buf_add_str(text, interpreted_language(&recording->interpreted, script->language));
		buf_add_text(text, ", unread]");
		stack_push(&recording->sample.stack, profile_frame(profile, buf_str(text)));
	} else if (script->cut) {
		stack_push(&recording->sample.stack, profile_frame(profile, STR("[truncated]")));
	}
}

/** Return whether the next functions of a script return to this native frame. */
static bool recording_returns_to(const struct interpreted_stack *script, size_t next,
				 const struct perfdata_frame *frame) {
	while (next < script->n && script->frames[next].returns_to == 0) {
		next++;
	}
	// `ip` may be in the call, one byte before the return address.
	return next < script->n && (script->frames[next].returns_to == frame->ip ||
				    script->frames[next].returns_to == frame->ip + 1);
}

/** The state of a loop over the native frames of a sample that has a script stack. */
struct script_walk {
	const struct interpreted_stack *script;
	size_t next;         // index of the next script function
	unsigned traits;     // traits of the script's language
	bool calls_loop;     // this frame, or a frame that it calls, is the interpreter's loop
	bool has_left_names; // this frame and its callers belong to the runtime, or were found by
			     // chance
};

/** If a thread waits for the interpreter's lock, return the index of the outermost native frame
 * that belongs to the wait. Otherwise return SIZE_MAX. */
static size_t recording_find_lock(struct recording *recording,
				  const struct perfdata_sample *sample) {
	size_t found = SIZE_MAX;
	uint64_t image = 0; // 1 + the number of the image of the nameless frames; 0: no image
	bool asleep = false;
	for (size_t i = 0; i < sample->depth; i++) {
		uint64_t value = recording_value(recording, sample, &sample->frames[i]);
		enum interpreted_role role = address_role(value);
		uint64_t nameless = value >> NAMELESS_AT;
		if (role == ROLE_LOOP) {
			asleep &= image == 0 ||
				  interpreted_has_image(&recording->interpreted, image - 1);
			return found == SIZE_MAX && asleep ? i - 1 : found;
		}
		found = role == ROLE_LOCK ? i : found;
		if (role != ROLE_GLUE) {
			asleep = role == ROLE_SLEEP ||
				 (asleep && nameless > 0 && (image == 0 || nameless == image));
			image = role == ROLE_SLEEP ? 0 : nameless;
		}
	}
	return found;
}

/** Return the role that a native function has for a script. */
static enum interpreted_role recording_role(const struct recording *recording, uint64_t value,
					    struct script_walk *walk) {
	enum interpreted_role role = address_role(value);
	uint64_t nameless = value >> NAMELESS_AT;
	role = role > ROLE_MADE ? ROLE_NONE : role;
	// Leave out nameless frames of a stripped interpreter between two script functions, and
	// frames of code that Python generates for perf.
	bool own = nameless > 0 && interpreted_has_image(&recording->interpreted, nameless - 1);
	bool makes_code = (walk->traits & TRAIT_MAKES_CODE) != 0;
	if (role == ROLE_MADE) {
		walk->has_left_names |= makes_code;
		return makes_code || walk->calls_loop ? ROLE_MADE : ROLE_NONE;
	}
	role = (walk->calls_loop && role == ROLE_NONE && own) || walk->has_left_names ? ROLE_GLUE
										      : role;
	walk->calls_loop |= role == ROLE_LOOP;
	return role;
}

/** Push script functions at the frame of the interpreter's loop, or at the frame to which the
 * script functions return. */
static void recording_enter_script(struct recording *recording, const struct perfdata_frame *frame,
				   uint64_t value, struct script_walk *walk) {
	bool returns = (walk->traits & TRAIT_MAKES_CODE) != 0 &&
		       recording_returns_to(walk->script, walk->next, frame);
	if (returns && value >> NAMELESS_AT > 0) {
		interpreted_note_image(&recording->interpreted, (value >> NAMELESS_AT) - 1);
	}
	walk->has_left_names &= !returns;
	if (returns || (address_role(value) == ROLE_LOOP && !walk->has_left_names)) {
		recording_push_script(recording, walk->script, &walk->next, false);
	}
}

/** Push the frames of a sample, with the functions of a script in place of the interpreter's
 * functions. Set `*whole` if missing callers do not matter, because they are frames of the
 * interpreter, which would be left out. */
static enum pushed recording_push_both(struct recording *recording,
				       const struct perfdata_sample *sample,
				       const struct interpreted_stack *script, bool *whole) {
	enum pushed pushed = PUSHED;
	bool native = recording->folding->options->native || script->n == 0;
	struct script_walk walk = {
		.script = script,
		.traits = interpreted_traits(&recording->interpreted, script->language)};
	const size_t lock = script->lacks_lock ? recording_find_lock(recording, sample) : SIZE_MAX;
	const bool hides = (walk.traits & TRAIT_HIDES_NAMELESS) != 0;
	walk.calls_loop = hides || (walk.traits & TRAIT_MAKES_CODE) != 0;
	*whole = !native && !script->cut && (walk.traits & TRAIT_RUNS_THREADS) != 0;
	for (size_t i = 0; i < sample->depth && hides; i++) {
		// Look up all frames first, so that the interpreter's file is known before
		// functions of this file are left out.
		(void)recording_value(recording, sample, &sample->frames[i]);
	}
	for (size_t i = 0; i < sample->depth && pushed == PUSHED; i++) {
		uint64_t value = recording_value(recording, sample, &sample->frames[i]);
		recording_enter_script(recording, &sample->frames[i], value, &walk);
		if (*whole && walk.next == script->n) {
			break;
		}
		enum interpreted_role role = recording_role(recording, value, &walk);
		if (role == ROLE_NONE || native) {
			pushed = recording_push(recording, value);
		} else if (role != ROLE_MADE && value >> NAMELESS_AT == 0) {
			address_note(value, &recording->quality);
		}
		if (i == lock) {
			struct profile *profile = recording->folding->names->profile;
			stack_push(&recording->sample.stack,
				   profile_frame(profile, STR("[waiting for the GIL]")));
		}
	}
	if (pushed == PUSHED) {
		recording_push_script(recording, script, &walk.next, true);
		recording_push_script_note(recording, script);
	}
	return pushed;
}

static enum pushed recording_push_native(struct recording *recording,
					 const struct perfdata_sample *sample) {
	enum pushed pushed = PUSHED;
	for (size_t i = 0; i < sample->depth && pushed == PUSHED; i++) {
		pushed = recording_push(recording,
					recording_value(recording, sample, &sample->frames[i]));
	}
	return pushed;
}

bool recording_push_frames(struct recording *recording, const struct perfdata_sample *sample) {
	for (size_t i = 0; i < sample->depth; i++) {
		__builtin_prefetch(lookup_slot(&recording->lookup, sample->frames[i].ip));
	}
	quality_start_stack(&recording->quality);
	const struct interpreted_stack *script =
		interpreted_find(&recording->interpreted, sample->tid, sample->time);
	recording->sample.has_lock = script != NULL && script->has_lock;
	bool merges = script != NULL && !recording->folding->names->options.by_package;
	bool whole = false;
	enum pushed pushed = merges ? recording_push_both(recording, sample, script, &whole)
				    : recording_push_native(recording, sample);
	return pushed != PUSHED_IDLE &&
	       recording_push_root(recording, pushed, whole ? ROOT_WHOLE : sample->root);
}

/** Add the frame of a processor to the stack. Some samples of the recorder have no processor. */
static void recording_push_cpu(struct recording *recording, uint32_t cpu) {
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
	stack_push(&recording->sample.stack, recording->cpu_frame);
}

/* --- Quality -------------------------------------------------------------------------------- */

/** Flags in the first word of a note. The flags say how the callers of a stack were found. */
enum { NOTE_CHAINED = 1, NOTE_UNWOUND = 2 };

/** Store the frames of a sample that concern the quality in a note, until all frames have names. */
static void recording_note(struct recording *recording, const struct perfdata_sample *sample,
			   uint64_t how, uint64_t weight) {
	recording->note.n = 0;
	uint64_t *note = words_room(&recording->note, sample->depth + 1);
	size_t n = 0;
	note[n++] = how;
	for (size_t i = 0; i < sample->depth; i++) {
		uint64_t value = recording_value(recording, sample, &sample->frames[i]);
		bool last = i + 1 == sample->depth || address_meaning(value).mark != 0;
		if (i == 0 || last || value >> NAMELESS_AT > 0 || address_is_deferred(value)) {
			note[n++] = value;
		}
		if (last) {
			break;
		}
	}
	deferred_note(&recording->deferred, note, n, weight);
}

void recording_judge(struct recording *recording, const struct perfdata_sample *sample,
		     uint64_t weight) {
	const struct perfdata_event *event = sample->event;
	bool unwound = event->stack_size > 0;
	bool chained = (event->sample_type & SAMPLE_CALLCHAIN) != 0 && !unwound &&
		       sample->root == ROOT_WHOLE;
	if (recording->sample.unnamed) {
		recording_note(recording, sample,
			       (chained ? NOTE_CHAINED : 0) | (unwound ? NOTE_UNWOUND : 0), weight);
	} else {
		quality_end_stack(&recording->quality, weight, chained, unwound);
	}
}

/** Count a note in the data about quality. `values` has the value of each place. */
static void recording_check_note(struct recording *recording, const struct intern_key *key,
				 const uint64_t *values) {
	uint64_t how, value;
	struct quality *quality = &recording->quality;
	memcpy(&how, key->bytes, sizeof(how));
	quality_start_stack(quality);
	for (size_t at = sizeof(how); at < key->len; at += sizeof(value)) {
		memcpy(&value, key->bytes + at, sizeof(value));
		struct meaning meaning = address_meaning(value);
		value = address_is_deferred(value) ? values[meaning.id & ~DEFERRED_FLAG] : value;
		address_note(value, quality);
		if (address_meaning(value).mark != 0) {
			break;
		}
	}
	quality_end_stack(quality, key->value, (how & NOTE_CHAINED) != 0,
			  (how & NOTE_UNWOUND) != 0);
}

/** At the end of the input, name the places whose symbols were not known before, and count the
 * notes about quality. Replace the places in the stacks of all profiles. */
static void recording_name_deferred(struct recording *recording) {
	struct deferred *deferred = &recording->deferred;
	const struct perf_folding *folding = recording->folding;
	struct meaning *meanings = mem_new(deferred->n + 1, sizeof(*meanings));
	uint64_t *values = mem_new(deferred->n + 1, sizeof(*values));
	for (size_t i = 0; i < deferred->n; i++) {
		struct lookup_place place = deferred->places[i];
		const struct symbol *symbols = NULL;
		bool moves;
		place.deferred = false;
		size_t n = lookup_symbols(&recording->lookup, &place, 0, &symbols, &moves);
		values[i] = addresses_make(&recording->addresses, &place, symbols, n);
		meanings[i] = address_meaning(values[i]);
	}
	for (uint32_t i = 0; i < deferred->notes.count; i++) {
		recording_check_note(recording, deferred->notes.keys[i], values);
	}
	struct deferred_names names = {
		.meanings = meanings,
		.lists = &folding->names->lists,
		.kept = (size_t)folding->options->per_cpu + folding->names->options.by_package,
		.turn = folding->options->wakers ? profile_frame(folding->names->profile, STR("--"))
						 : DEFERRED_FLAG,
	};
	for (size_t i = 0; i < folding->select->n && deferred->n > 0; i++) {
		struct profile *profile = folding->select->met[i].profile;
		if (i == 0 || profile != folding->select->met[0].profile) {
			profile_change_stacks(profile, deferred_name_stack, &names);
		}
	}
	ids_release(&names.copy);
	free(values);
	free(meanings);
}

/* --- Samples -------------------------------------------------------------------------------- */

void recording_set_time(struct recording *recording, const struct perfdata_sample *sample,
			uint64_t span) {
	recording->sample.timed = (sample->event->sample_type & SAMPLE_TIME) != 0;
	recording->sample.from = span < sample->time ? sample->time - span : sample->time;
	recording->sample.to = sample->time;
}

void recording_add(struct recording *recording, const struct perfdata_sample *sample, uint64_t span,
		   uint64_t count) {
	recording_set_time(recording, sample, span);
	recording->sample.count = count;
	perf_sample_fold(&recording->sample);
}

/** Count the current stack. */
static void recording_count(struct recording *recording, struct recorded_event *event,
			    const struct perfdata_sample *sample) {
	if (recording->timed.wanted) {
		timed_count(recording, event, sample);
		return;
	}
	uint64_t count = event->weight > 0 ? event->weight : sample->period;
	recording->quality.counted += count;
	recording->quality.hidden += recorded_sample_is_hidden(sample) ? count : 0;
	recording_judge(recording, sample, count);
	recording->sample.period = sample->period;
	recording_add(recording, sample, 0, count);
}

/** Pass a sample to the live view: its innermost function or, if the name of this function is not
 * known, its file. */
static void recording_show(struct recording *recording, const struct perfdata_sample *sample) {
	const struct perf_watch *watch = recording->folding->watch;
	const struct perf_names *names = recording->folding->names;
	struct str function = STR("[unknown]");
	if (sample->depth > 0) {
		uint64_t value = recording_value(recording, sample, &sample->frames[0]);
		struct meaning meaning = address_meaning(value);
		if (address_is_deferred(value)) {
			const struct lookup_place *place =
				&recording->deferred.places[meaning.id & ~DEFERRED_FLAG];
			function = place->location.image->name;
		} else if (meaning.kind == MEANS_FRAME) {
			function = profile_frame_name(names->profile, meaning.id);
		} else if (meaning.kind == MEANS_FRAMES && names->lists.items[meaning.id] > 0) {
			function = profile_frame_name(names->profile,
						      names->lists.items[meaning.id + 1]);
		}
	}
	watch->sample(watch->context, function, perfdata_quality(recording->data)->lost);
}

/** Fold a sample of an event that is kept. */
static void recording_fold(struct recording *recording, struct recorded_event *event,
			   const struct perfdata_sample *sample) {
	recording->sample.event = &recording->folding->select->met[event->met];
	if (sample->thread != recording->thread || sample->thread->comm.p != recording->comm) {
		recording_set_task(recording, sample->thread, sample->pid, sample->tid);
	}
	if (sample->event->index == 0) {
		perf_unsampled_add(&recording->unsampled, recording->sample.root.frame,
				   sample->period);
	}
	if (event->stops == STOP_BY_TIME) {
		timed_push_reason(recording, sample);
	}
	bool pushed = recording_push_frames(recording, sample);
	if (recording->folding->options->gil && !recording->sample.has_lock) {
		recording->quality.unlocked++;
		timed_leave_out(recording, event, sample);
	} else if (pushed) {
		if (recording->folding->options->per_cpu) {
			recording_push_cpu(recording, sample->cpu);
		}
		recording_count(recording, event, sample);
	}
	perf_sample_clear(&recording->sample);
}

/** Take a sample of --io. The leaf of its stack is the system call. */
static void recording_take_io(struct recording *recording, struct recorded_event *event,
			      const struct perfdata_sample *sample) {
	struct profile *profile = recording->folding->names->profile;
	struct buf *text = &recording->addresses.text;
	if (!file_io_end(&recording->io, sample, recording->folding->options->io, &event->weight)) {
		(void)interpreted_find(&recording->interpreted, sample->tid, sample->time);
		return;
	}
	buf_clear(text);
	buf_add_char(text, '[');
	buf_add_str(text, file_io_call(sample->event));
	buf_add_char(text, ']');
	stack_push(&recording->sample.stack, profile_frame(profile, buf_str(text)));
	recording_fold(recording, event, sample);
}

static int recording_sample(void *context, const struct perfdata_sample *sample) {
	struct recording *recording = context;
	const struct perf_folding *folding = recording->folding;
	if (recording_decide(recording) != 0) {
		return -1;
	}
	if (recording->timed.wanted && timed_prepare(recording) != 0) {
		return -1;
	}
	struct recorded_event *event = recording_event(recording, sample->event);
	if (event == NULL) {
		return -1;
	}
	if (folding->watch != NULL) {
		recording_show(recording, sample);
	}
	timed_note(recording, event, sample);
	if (perf_range_place_of(folding->range, sample->time) != PERF_INSIDE) {
		return 0;
	}
	event->samples++;
	recording->timed.early &= event->wakes; // the stack is recorded before the wake-up
	if (folding->options->io != FILE_IO_NONE) {
		recording_take_io(recording, event, sample);
	} else if (event->kept) {
		recording_fold(recording, event, sample);
	}
	return 0;
}

static int recording_scripted(void *context, const struct scripted *scripted) {
	struct recording *recording = context;
	interpreted_take(&recording->interpreted, scripted);
	return 0;
}

static int recording_switch(void *context, const struct perfdata_switch *change) {
	struct recording *recording = context;
	if (recording_decide(recording) != 0) {
		return -1;
	}
	return timed_switch(recording, change);
}

/* --- Time that is in no sample -------------------------------------------------------------- */

/** Remember the processor time that a thread, or all threads together, have used. */
static int recording_used(void *context, const struct perfdata_used *used) {
	struct recording *recording = context;
	struct perf_unsampled *unsampled = &recording->unsampled;
	if (recording_decide(recording) != 0) {
		return -1;
	}
	if (used->event->index != 0 || recording->timed.wanted ||
	    recording->folding->options->io != FILE_IO_NONE || recording->folding->options->gil) {
		return 0;
	}
	recording_set_task(recording, used->thread, used->pid, used->tid);
	if (!used->is_total) {
		perf_unsampled_end(unsampled, recording->sample.root.frame, used->count);
		return 0;
	}
	unsampled->total += used->count;
	unsampled->main = recording->sample.root.frame;
	recording->quality.reason = used->reason;
	recording->main_label = recording->sample.root.label;
	return 0;
}

/** Return the smallest unsampled time that is reported, or 0 if the event does not count time. */
static uint64_t recording_least(const struct perfdata_event *event) {
	const uint64_t least = 10000000; // nanoseconds
	uint64_t ignored;
	return event->type == EVENT_SOFTWARE && recorded_event_time(event, &ignored) ? least : 0;
}

/** If some program may not be sampled, assign to this program the time that belongs to no other
 * thread. */
static void recording_find_barred(struct recording *recording) {
	const struct thread *barred = perfdata_quality(recording->data)->barred;
	if (barred != NULL) {
		recording_set_task(recording, barred, barred->pid, barred->tid);
		recording->unsampled.main = recording->sample.root.frame;
		recording->quality.reason = REASON_BARRED;
	}
}

/** Count the time that the threads with a root frame used and that no sample covers. */
static void recording_count_unsampled(struct recording *recording, struct perf_met *event,
				      uint32_t root, uint64_t count) {
	struct profile *profile = event->profile;
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
	if (profile_wants_times(profile)) {
		uint64_t last = perfdata_quality(recording->data)->last;
		profile_during(profile, recording->main_label, last, last);
	}
	perf_sample_tell_values(event, 0, count);
	profile_add(profile, ids, n, count);
}

/** Count the time that threads used and that no sample covers, if the recording says how much time
 * they used. Return 0, or -1 after diag_error(). */
static int recording_add_unsampled(struct recording *recording) {
	const struct perf_folding *folding = recording->folding;
	struct perf_unsampled *unsampled = &recording->unsampled;
	if (unsampled->total == 0 || perfdata_events(recording->data)->n == 0 ||
	    folding->range->given || folding->options->weight == PERF_WEIGHT_SAMPLES) {
		return 0;
	}
	recording_find_barred(recording);
	const struct perfdata_event *first = perfdata_events(recording->data)->items[0];
	uint64_t missing = perf_unsampled_divide(unsampled, recording_least(first));
	struct recorded_event *event = missing == 0 ? NULL : recording_event(recording, first);
	if (missing == 0 || event == NULL || !event->kept) {
		return missing == 0 || event != NULL ? 0 : -1;
	}
	event->samples += event->samples == 0; // count one sample, so that the event counts as seen
	struct perf_met *met = &folding->select->met[event->met];
	met->weighed = true;
	recording->quality.unsampled = missing;
	recording->quality.counted += missing;
	for (size_t i = 0; i < unsampled->n; i++) {
		if (unsampled->roots[i].used > 0) {
			recording_count_unsampled(recording, met, (uint32_t)i,
						  unsampled->roots[i].used);
		}
	}
	return 0;
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Pass the events that were seen to the selection. The first listed event with samples counts as
 * the first event that was seen. */
static void recording_report_events(const struct recording *recording) {
	bool first = true;
	for (size_t i = 0; i < recording->events_n; i++) {
		const struct recorded_event *event = &recording->events[i];
		if (event->met > 0 && event->samples > 0) {
			struct perf_met *met = &recording->folding->select->met[event->met];
			met->samples += event->samples;
			met->starts_input |= first;
			first = false;
		}
	}
}

static int recording_read(struct recording *recording) {
	const struct perfdata_consumer consumer = {.sample = recording_sample,
						   .switched = recording_switch,
						   .used = recording_used,
						   .scripted = recording_scripted,
						   .context = recording};
	const char *name = input_name(recording->input);
	if (perfdata_read(recording->data, &consumer) != 0) {
		return -1;
	}
	if (recording_add_unsampled(recording) != 0) {
		return -1;
	}
	recording_report_events(recording);
	const struct perfdata_quality *quality = perfdata_quality(recording->data);
	bool any_unsampled = recording->quality.unsampled > 0;
	*recording->folding->samples +=
		quality->samples + recording->timed.switches + any_unsampled;
	if (quality->samples == 0 && recording->timed.switches == 0 && !any_unsampled) {
		return diag_error(recording->diag, "%s: byte %llu: the recording %s", name,
				  (unsigned long long)quality->end,
				  quality->cut_off ? "is cut off before its first sample"
						   : "ends without a sample");
	}
	if (recording->timed.wanted && timed_finish(recording) != 0) {
		return -1;
	}
	if (recording->folding->options->io != FILE_IO_NONE && !recording->has_io) {
		return diag_error(recording->diag,
				  "%s: the recording has no system calls; record with: inferno "
				  "record --io -o out.data -- COMMAND",
				  name);
	}
	recording_name_deferred(recording);
	recording->quality.switches = recording->timed.switches;
	interpreted_format(&recording->interpreted, &recording->quality.scripts);
	interpreted_format_problems(&recording->interpreted, &recording->quality.unread_scripts);
	buf_clear(&recording->addresses.text);
	quality_format(&recording->addresses.text, &recording->quality, recording->data, name);
	profile_remark(recording->folding->profile, buf_str(&recording->addresses.text));
	return quality_report(&recording->quality, recording->data, name, recording->diag);
}

static void recording_release(struct recording *recording) {
	lookup_release(&recording->lookup);
	addresses_release(&recording->addresses);
	deferred_release(&recording->deferred);
	interpreted_release(&recording->interpreted);
	timed_release(&recording->timed);
	file_io_release(&recording->io);
	perf_unsampled_release(&recording->unsampled);
	quality_release(&recording->quality);
	stack_release(&recording->sample.stack);
	free(recording->note.items);
	free(recording->events);
	free(recording);
}

int perf_fold_recording(const struct perf_folding *given, struct input *input, struct diag *diag) {
	struct perf_recording_options chosen = *given->options;
	struct perf_folding own = *given, *folding = &own;
	struct symbols_options options = perfdata_symbols_options(&chosen.symbols);
	struct recording *recording = mem_new(1, sizeof(*recording));
	options.srcline = folding->srcline || profile_wants_sites(folding->profile);
	options.live = folding->options->live;
	folding->select->input_starts = false; // recording_report_events() decides this
	folding->options = recording->options = &chosen;
	folding->profile->has_lines = true;
	recording->folding = folding;
	recording->quality.recorder = folding->options->recorder;
	recording->input = input;
	recording->diag = diag;
	recording->data = perfdata_open(input, &options, diag);
	recording->addresses = (struct addresses){.names = folding->names,
						  .srcline = folding->srcline,
						  .quality = &recording->quality,
						  .deferred = &recording->deferred,
						  .interpreted = &recording->interpreted};
	recording->lookup.data = recording->data;
	recording->lookup.make = addresses_make;
	recording->lookup.context = &recording->addresses;
	recording->lookup.by_address =
		folding->names->options.addrs || profile_wants_sites(folding->profile);
	recording->lookup.defers = folding->options->recorder;
	int result = recording->data == NULL ? -1 : recording_read(recording);
	perfdata_close(recording->data);
	recording_release(recording);
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
	return -1; // never called, because this build recognises no recordings
}

#endif
