/* Count the time in which threads ran and in which they did not run, for --off-cpu, --wall and
 * --latency. */
#include "base/num.h"
#include "perf/recording_state.h"

/* --- Events --------------------------------------------------------------------------------- */

/** Return whether time is divided by the number of threads that run. */
static bool perf_timed_divides(const struct recording *recording) {
	return recording->folding->options->latency;
}

static enum stop_source perf_timed_source(const struct perfdata_event *event) {
	bool software = event->type == EVENT_SOFTWARE;
	struct str name = perf_event_plain(event->name);
	return str_eq(name, STR("offcpu-time"))                         ? STOP_BY_TIME
	       : str_eq(name, STR("sched:sched_switch"))                ? STOP_BY_TRACEPOINT
	       : software && event->config == SOFTWARE_CONTEXT_SWITCHES ? STOP_BY_SOFTWARE
									: STOP_BY_NOTHING;
}

/** Return the offset of a field in a tracepoint, from the kernel's description of the tracepoint.
 * If there is no description, return the usual offset of the field. */
static size_t perf_timed_find_field(const struct perfdata *data, struct str name, struct str field,
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

void timed_init(struct recording *recording) {
	struct timed *timed = &recording->timed;
	struct profile *profile = recording->folding->profile;
	timed->wanted = true;
	timed->offcpu.profile = timed->reasons.profile = profile;
	timed->offcpu.deferred = &recording->deferred;
	timed->offcpu.running = recording->folding->options->wall;
	timed->offcpu.only_stacks = recording->folding->options->gil;
	timed->offcpu.waiting = profile_frame(profile, STR("[waiting]"));
	timed->offcpu.runnable = profile_frame(profile, STR("[runnable]"));
	timed->hidden = profile_frame(profile, STR("[kernel, not permitted]"));
}

int timed_prepare(struct recording *recording) {
	enum { NEXT_AT = 56, WOKEN_AT = 24 }; // the usual offsets
	struct timed *timed = &recording->timed;
	const struct perfdata_events *events = perfdata_events(recording->data);
	if (timed->prepared) {
		return 0;
	}
	timed->prepared = true;
	for (size_t i = 0; i < events->n; i++) {
		enum stop_source source = perf_timed_source(events->items[i]);
		timed->best = source > timed->best ? source : timed->best;
		// A dummy event may record the actions of threads before other events take samples.
		timed->early |= recorded_event_is_dummy(events->items[i]);
	}
	timed->next_at = perf_timed_find_field(recording->data, STR("name: sched_switch\n"),
					       STR("next_pid;\toffset:"), NEXT_AT);
	timed->woken_at = perf_timed_find_field(recording->data, STR("name: sched_waking\n"),
						STR("\tfield:pid_t pid;\toffset:"), WOKEN_AT);
	for (size_t i = 0; i < events->n; i++) {
		if (recording_event(recording, events->items[i]) == NULL) {
			return -1;
		}
	}
	return 0;
}

void timed_ask(struct recording *recording, const struct perfdata_event *event,
	       struct recorded_event *asked) {
	struct timed *timed = &recording->timed;
	asked->stops = perf_timed_source(event);
	asked->wakes = str_eq(perf_event_plain(event->name), STR("sched:sched_waking"));
	bool runs = recording->folding->options->wall || perf_timed_divides(recording);
	bool clock = asked->stops == STOP_BY_NOTHING && runs && !recorded_event_is_dummy(event) &&
		     !timed->has_clock;
	if (clock && !recorded_event_time(event, &asked->weight)) {
		return;
	}
	timed->has_clock |= clock;
	bool stops = asked->stops != STOP_BY_NOTHING && !perf_timed_divides(recording);
	if (clock || (stops && asked->stops == timed->best)) {
		asked->kept = true;
	}
}

/* --- Samples -------------------------------------------------------------------------------- */

static struct offcpu_moment perf_timed_moment(const struct recording *recording,
					      const struct perfdata_sample *sample) {
	return (struct offcpu_moment){sample->tid, recording->sample.root.frame, sample->time,
				      recording->sample.root.label};
}

/** Return the running time for which a sample stands. If the kernel was not sampled, the thread may
 * have run for longer than the usual time of a sample: then count the rest as time in the kernel,
 * and return the usual time. */
static uint64_t perf_timed_run(struct recording *recording, const struct recorded_event *event,
			       const struct perfdata_sample *sample) {
	const struct offcpu_moment moment = perf_timed_moment(recording, sample);
	uint64_t usual = event->weight > 0 ? event->weight : sample->period;
	uint64_t ran = offcpu_seen(&recording->timed.offcpu, &moment);
	recording->quality.counted += ran > usual ? ran : usual;
	if (ran > usual && sample->event->exclude_kernel) {
		recording->quality.hidden += ran - usual;
		const uint32_t ids[] = {recording->sample.root.frame, recording->timed.hidden};
		recording_set_time(recording, sample, ran);
		perf_sample_tell_time(&recording->sample);
		profile_add(recording->folding->profile, ids, 2, ran - usual);
		return usual;
	}
	return ran > 0 ? ran : usual;
}

/** Return the frame for the reason why a thread waits. `meaning` is the meaning of a kernel
 * function in which the thread stops. If the function does not show the reason, return
 * OFFCPU_NO_FRAME. */
static uint32_t perf_timed_reason_in(struct recording *recording, struct meaning meaning) {
	const struct ids *lists = &recording->folding->names->lists;
	uint32_t found = OFFCPU_NO_FRAME;
	if (meaning.kind == MEANS_FRAME) {
		return perf_wait_frame(&recording->timed.reasons, meaning.id);
	}
	size_t n = meaning.kind == MEANS_FRAMES ? lists->items[meaning.id] : 0;
	for (; n > 0 && found == OFFCPU_NO_FRAME; n--) { // innermost first
		found = perf_wait_frame(&recording->timed.reasons, lists->items[meaning.id + n]);
	}
	return found;
}

/** Return the frame for the reason why the thread of a sample waits. If the kernel frames of the
 * sample are not known or do not show the reason, return OFFCPU_NO_FRAME. */
static uint32_t perf_timed_reason(struct recording *recording,
				  const struct perfdata_sample *sample) {
	uint32_t found = OFFCPU_NO_FRAME;
	for (size_t i = 0; i < sample->depth && found == OFFCPU_NO_FRAME; i++) {
		const struct perfdata_frame *frame = &sample->frames[i];
		if (frame->place == PLACE_KERNEL) {
			uint64_t value = recording_value(recording, sample, frame);
			found = perf_timed_reason_in(recording, address_meaning(value));
		}
	}
	return found;
}

void timed_push_reason(struct recording *recording, const struct perfdata_sample *sample) {
	uint32_t reason = perf_timed_reason(recording, sample);
	if (reason == OFFCPU_NO_FRAME && recording->timed.offcpu.running) {
		reason = recording->timed.offcpu.waiting;
	}
	if (reason != OFFCPU_NO_FRAME) {
		stack_push(&recording->sample.stack, reason);
	}
}

/** Count the current stack with the thread's share of the time. */
static void perf_timed_divide(struct recording *recording, const struct recorded_event *event,
			      const struct perfdata_sample *sample) {
	struct latency *latency = &recording->timed.latency;
	if (sample->tid == 0) {
		return; // thread 0 is the idle task
	}
	latency_set(latency, sample->tid, true);
	uint64_t ran = event->weight > 0 ? event->weight : sample->period;
	uint64_t count = latency_share(latency, ran);
	recording->quality.counted += count;
	recording->quality.hidden += recorded_sample_is_hidden(sample) ? count : 0;
	recording_judge(recording, sample, count);
	recording_add(recording, sample, ran, count);
}

void timed_count(struct recording *recording, const struct recorded_event *event,
		 const struct perfdata_sample *sample) {
	if (perf_timed_divides(recording)) {
		perf_timed_divide(recording, event, sample);
		return;
	}
	if (event->stops == STOP_BY_NOTHING) {
		if (!recorded_sample_is_hidden(sample)) {
			uint64_t time = perf_timed_run(recording, event, sample);
			recording_judge(recording, sample, time);
			recording_add(recording, sample, time, time);
		}
		return;
	}
	recording_judge(recording, sample, sample->period);
	if (event->stops == STOP_BY_TIME) {
		recording_add(recording, sample, sample->period, sample->period);
	} else if (sample->tid != 0) { // thread 0 is the idle task
		const struct offcpu_moment moment = perf_timed_moment(recording, sample);
		offcpu_stack(&recording->timed.offcpu, &moment, stack_ids(&recording->sample.stack),
			     stack_depth(&recording->sample.stack),
			     perf_timed_reason(recording, sample));
	}
}

void timed_leave_out(struct recording *recording, const struct recorded_event *event,
		     const struct perfdata_sample *sample) {
	const struct offcpu_moment moment = perf_timed_moment(recording, sample);
	if (!recording->timed.wanted) {
		return;
	}
	if (event->stops == STOP_BY_NOTHING) {
		(void)offcpu_seen(&recording->timed.offcpu, &moment);
	} else if (event->stops != STOP_BY_TIME && sample->tid != 0) {
		offcpu_stack(&recording->timed.offcpu, &moment, NULL, 0, OFFCPU_NO_FRAME);
	}
}

/* --- Other threads -------------------------------------------------------------------------- */

/** Return the id of a thread at an offset in the fields of a tracepoint. If the field is missing,
 * return 0. */
static int32_t perf_timed_thread_at(const struct recording *recording,
				    const struct perfdata_sample *sample, size_t at) {
	return sample->raw.n < at + sizeof(uint32_t)
		       ? 0
		       : (int32_t)cursor_load_u32(sample->raw.p + at,
						  perfdata_swapped(recording->data));
}

/** Return whether a function of the kernel is the first function of an interrupt. */
static bool perf_timed_is_interrupt(struct str function) {
	static const char *const starts[] = {"asm_sysvec_", "asm_common_interrupt", "el0t_64_irq",
					     "el1h_64_irq"};
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (str_starts(function, str_of(starts[i]))) {
			return true;
		}
	}
	return false;
}

/** Add a frame `--`, and then the stack of a sample whose thread wakes another thread, innermost
 * function first. By convention, `--` separates the stacks of two threads. */
static void perf_timed_add_waker(struct recording *recording, const struct perfdata_sample *sample,
				 struct ids *waker) {
	struct profile *profile = recording->timed.offcpu.profile;
	recording_set_task(recording, sample->thread, sample->pid, sample->tid);
	ids_push(waker, profile_frame(profile, STR("--")));
	(void)recording_push_frames(recording, sample);
	const uint32_t *ids = stack_ids(&recording->sample.stack);
	for (size_t i = stack_depth(&recording->sample.stack); i > 0; i--) {
		uint32_t id = ids[i - 1];
		ids_push(waker, id);
		if ((id & DEFERRED_FLAG) == 0 &&
		    perf_timed_is_interrupt(profile_frame_name(profile, id))) {
			break; // the interrupt wakes the thread; the interrupted thread has nothing
			       // to do with it
		}
	}
	perf_sample_clear(&recording->sample);
}

/** Remember a switch from one thread to the next, from the sample of a tracepoint. Do nothing
 * unless each switch has a sample: otherwise most threads would seem to run all the time. Thread 0
 * is the idle task. */
static void perf_timed_replace(struct recording *recording, const struct perfdata_sample *sample) {
	struct timed *timed = &recording->timed;
	int32_t next = perf_timed_thread_at(recording, sample, timed->next_at);
	if (sample->event->is_frequency || sample->event->rate != 1) {
		return;
	}
	if (sample->tid != 0) {
		latency_set(&timed->latency, sample->tid, false);
	}
	if (next != 0) {
		latency_set(&timed->latency, next, true);
		timed->latency_changes++;
	}
}

void timed_note(struct recording *recording, const struct recorded_event *event,
		const struct perfdata_sample *sample) {
	struct timed *timed = &recording->timed;
	if (event->stops == STOP_BY_TRACEPOINT && perf_timed_divides(recording)) {
		perf_timed_replace(recording, sample);
	} else if (event->stops == STOP_BY_TRACEPOINT && event->kept) {
		int32_t next = perf_timed_thread_at(recording, sample, timed->next_at);
		if (next != 0) {
			offcpu_in(&timed->offcpu, next, sample->time);
		}
	}
	if (event->wakes) {
		int32_t tid = perf_timed_thread_at(recording, sample, timed->woken_at);
		struct ids waker = {0};
		recording->quality.wakings++;
		if (recording->folding->options->wakers && offcpu_waits(&timed->offcpu, tid)) {
			perf_timed_add_waker(recording, sample, &waker);
		}
		offcpu_wake(&timed->offcpu, tid, sample->time, waker.items, waker.n);
		ids_release(&waker);
	}
}

/** Process a record which says that a thread starts or stops running. */
static void perf_timed_change(struct timed *timed, const struct perfdata_switch *change) {
	bool runs = change->change == CHANGE_RUNS || change->change == CHANGE_EXEC;
	if (!timed->early && change->change != CHANGE_BORN && change->change != CHANGE_DELAYED) {
		latency_set(&timed->latency, change->tid, runs);
		timed->latency_changes += change->change <= CHANGE_STOPS;
	}
}

int timed_switch(struct recording *recording, const struct perfdata_switch *change) {
	struct timed *timed = &recording->timed;
	struct offcpu *offcpu = &timed->offcpu;
	if (!timed->wanted || change->tid == 0) {
		return 0;
	}
	if (timed_prepare(recording) != 0) {
		return -1;
	}
	timed->early &= change->change > CHANGE_STOPS;
	if (perf_timed_divides(recording)) {
		perf_timed_change(timed, change);
		return 0;
	}
	if (timed->best != STOP_BY_SOFTWARE || timed->early) {
		return 0;
	}
	recording_set_task(recording, change->thread, change->pid, change->tid);
	const struct offcpu_moment moment = {change->tid, recording->sample.root.frame,
					     change->time, recording->sample.root.label};
	timed->switches += change->change <= CHANGE_STOPS;
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

/* --- The end -------------------------------------------------------------------------------- */

/** Fail if the recording lacks data that --latency needs. Return 0, or -1 after diag_error(). */
static int perf_timed_check_latency(struct recording *recording) {
	const char *name = input_name(recording->input);
	if (recording->timed.latency_changes == 0) {
		return diag_error(recording->diag,
				  "%s: --latency needs the times when threads start to run, which "
				  "this recording lacks; record with: inferno record --latency, or "
				  "perf record -g -F 997 -e cpu-clock --switch-events",
				  name);
	}
	if (!recording->timed.has_clock) {
		return diag_error(recording->diag,
				  "%s: no event tells where threads run; record with: inferno "
				  "record --latency",
				  name);
	}
	return 0;
}

int timed_finish(struct recording *recording) {
	struct timed *timed = &recording->timed;
	const char *name = input_name(recording->input);
	if (timed_prepare(recording) != 0) {
		return -1;
	}
	if (perf_timed_divides(recording)) {
		return perf_timed_check_latency(recording);
	}
	if (timed->best == STOP_BY_NOTHING) {
		return diag_error(recording->diag,
				  "%s: no event tells when threads do not run; record with: perf "
				  "record -g -e context-switches -c 1 --switch-events",
				  name);
	}
	if (timed->offcpu.running && !timed->has_clock) {
		return diag_error(recording->diag,
				  "%s: no event tells where threads run; record with: inferno "
				  "record --wall",
				  name);
	}
	uint64_t left = offcpu_left(&timed->offcpu);
	if (left > 0 && timed->offcpu.ended == 0 && timed->switches == 0) {
		return diag_error(
			recording->diag,
			"%s: no thread is seen to run again; record with --switch-events, or "
			"record sched:sched_switch on all processors (-a)",
			name);
	}
	if (timed->switches > 0) {
		offcpu_finish(&timed->offcpu, perfdata_quality(recording->data)->last);
		return 0;
	}
	diag_note(recording->diag, "%s: left out threads that are not seen to run again: %llu",
		  name, (unsigned long long)left);
	return 0;
}

void timed_release(struct timed *timed) {
	offcpu_release(&timed->offcpu);
	perf_waits_release(&timed->reasons);
	latency_release(&timed->latency);
}
