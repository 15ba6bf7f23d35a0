/** Declare the state of the folding of a recording. recording.c and timed.c share this state. */
#pragma once

#include "perf/addresses.h"
#include "perf/data/sample_fields.h"
#include "perf/file_io.h"
#include "perf/latency.h"
#include "perf/offcpu.h"
#include "perf/recording.h"
#include "perf/perf_sample.h"
#include "perf/unsampled.h"
#include "perf/wait.h"

/** The ways in which an event can show that threads do not run. The most useful way comes last. */
enum stop_source {
	STOP_BY_NOTHING,
	STOP_BY_SOFTWARE, // the event shows where a thread stops; separate records have the time at
			  // which the thread runs again
	STOP_BY_TRACEPOINT, // the event shows where a thread stops, and which thread runs next
	STOP_BY_TIME,       // the event shows for how long a thread did not run
};

/** An event of the recording. */
struct recorded_event {
	bool asked;       // recording_ask() was called for the event, so `kept` is set
	bool kept;        // the event's samples are kept
	uint64_t weight;  // count of each sample; 0: a sample counts its period
	uint64_t samples; // number of samples in the selected range of time
	size_t met;       // index of the event in the event selection; 0: the event was not seen
			  // yet
	enum stop_source stops; // for --off-cpu, --wall or --latency: the way in which the event
				// shows that threads do not run
	bool wakes; // for the same options: a sample of the event means that a thread wakes another
		    // thread
};

/** The state of --off-cpu, --wall and --latency. */
struct timed {
	bool wanted, prepared;
	enum stop_source best; // the most useful way of all events of the recording
	bool has_clock;        // for --wall or --latency: some event samples running threads
	bool early;            // all records so far are from the time before the sampling
	uint64_t switches;     // number of records that say that a thread starts to run or stops
	size_t next_at;        // in the tracepoint of a switch: offset of the id of the next thread
	size_t woken_at; // in the tracepoint of a wake-up: offset of the id of the woken thread
	uint32_t hidden; // frame in place of the kernel's frames, which may not be sampled
	struct offcpu offcpu;
	struct latency latency;   // used with --latency in place of `offcpu`
	uint64_t latency_changes; // number of times that a thread started to run
	struct perf_waits reasons;
};

struct recording {
	const struct perf_folding *folding;
	struct perf_recording_options *options; // a copy of the options of `folding`
	bool decided;                           // recording_decide() has decided what is counted
	struct perfdata *data;
	struct input *input;
	struct diag *diag;
	struct recorded_event *events; // the events; the index is the index of the event in the
				       // recording
	size_t events_n, events_capacity;
	struct perf_sample sample;
	const struct thread *thread; // thread of the last sample; `comm`: its name then, which a
				     // record may have changed since
	const char *comm;
	// with --per-cpu: 1 + the number of the last sample's processor
	uint32_t cpu, cpu_frame;
	struct lookup lookup;
	struct addresses addresses;
	struct deferred deferred;
	struct interpreted interpreted;
	struct file_io io;
	bool has_io; // some event is the end of a system call
	struct quality quality;
	struct sample_words note; // the note of the current sample for the quality; see
				  // recording_note()
	struct timed timed;
	struct perf_unsampled unsampled;
	struct str main_label; // label of the first thread, used for time without samples
};

void recording_set_task(struct recording *recording, const struct thread *thread, int32_t pid,
			int32_t tid);

/** Return the entry of an event, or NULL after diag_error(). */
struct recorded_event *recording_event(struct recording *recording,
				       const struct perfdata_event *event);

/** Set `*weight` to the time for which each sample of an event stands. If this time is the period
 * of the sample, set `*weight` to 0. Return false if the time is not known. */
bool recorded_event_time(const struct perfdata_event *event, uint64_t *weight);

/** Return whether an event is a dummy. A dummy has no samples: it exists because the kernel writes
 * other records for it. */
static inline bool recorded_event_is_dummy(const struct perfdata_event *event) {
	return event->type == EVENT_SOFTWARE && event->config == SOFTWARE_DUMMY;
}

/** Return the value of a frame; see perf/addresses.h. */
static inline uint64_t recording_value(struct recording *recording,
				       const struct perfdata_sample *sample,
				       const struct perfdata_frame *frame) {
	return lookup_value(&recording->lookup, sample, frame,
			    recording->sample.root.java ? ADDRESS_IN_JAVA : 0);
}

/** Push the frames of a sample. Return false if the sample must be left out. */
bool recording_push_frames(struct recording *recording, const struct perfdata_sample *sample);

/** Add the weight of the current stack to the data about quality. */
void recording_judge(struct recording *recording, const struct perfdata_sample *sample,
		     uint64_t weight);

/** Set the time of the current sample, which stands for the `span` ns before it was taken. */
void recording_set_time(struct recording *recording, const struct perfdata_sample *sample,
			uint64_t span);

/** Count the current stack, which stands for the `span` ns before the sample was taken. */
void recording_add(struct recording *recording, const struct perfdata_sample *sample, uint64_t span,
		   uint64_t count);

/** Return whether a sample stands for all time in the kernel. The recorder writes such samples if
 * the user may not sample the kernel. */
static inline bool recorded_sample_is_hidden(const struct perfdata_sample *sample) {
	return sample->event->exclude_kernel && sample->depth > 0 &&
	       sample->frames[0].place == PLACE_KERNEL;
}

/** Make the frames for time without a sample. */
void timed_init(struct recording *recording);

/** Decide how the samples of all events are counted, unless this is decided already. Call this
 * function when a record comes: then all events are known. Return 0, or -1 after diag_error(). */
int timed_prepare(struct recording *recording);

/** Decide whether the samples of an event are kept. */
void timed_ask(struct recording *recording, const struct perfdata_event *event,
	       struct recorded_event *asked);

/** Remember the thread that a tracepoint's sample names: the thread that runs next, or the thread
 * that is woken. */
void timed_note(struct recording *recording, const struct recorded_event *event,
		const struct perfdata_sample *sample);

/** Push the frame for the reason why a thread waited. Call this function before the frames of a
 * sample that stands for a wait are pushed. */
void timed_push_reason(struct recording *recording, const struct perfdata_sample *sample);

/** Count the current stack, or keep it until its thread runs again. */
void timed_count(struct recording *recording, const struct recorded_event *event,
		 const struct perfdata_sample *sample);

/** Leave out the current sample. Count neither the time of the sample nor the time of a wait that
 * follows it. */
void timed_leave_out(struct recording *recording, const struct recorded_event *event,
		     const struct perfdata_sample *sample);

/** Remember that a thread runs, stops, begins or ends. Return 0, or -1 after diag_error(). */
int timed_switch(struct recording *recording, const struct perfdata_switch *change);

/** Count the time of threads until the end of the recording. Fail if the recording lacks the needed
 * events, or if no thread is seen to run again. Return 0, or -1 after diag_error(). */
int timed_finish(struct recording *recording);

void timed_release(struct timed *timed);
