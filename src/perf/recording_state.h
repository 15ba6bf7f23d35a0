/** The state of folding a recording, which recording.c and timed.c share. */
#ifndef INFERNO_PERF_RECORDING_STATE_H
#define INFERNO_PERF_RECORDING_STATE_H

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
	STOP_BY_SOFTWARE, // shows where a thread stops; records of switches have the time at which
			  // the thread runs again
	STOP_BY_TRACEPOINT, // shows where a thread stops, and which thread runs next
	STOP_BY_TIME,       // shows for how long a thread did not run
};

/** An event of the recording. */
struct recorded_event {
	bool asked;       // whether timed_ask() has decided if the event's samples are kept
	bool kept;        // whether the event's samples are kept
	uint64_t weight;  // count of each sample; 0: its period
	uint64_t samples; // number of samples in the selected range of time
	size_t met;       // index of the event in the selection; 0: the event was not seen yet
	enum stop_source stops; // for --off-cpu, --wall or --latency: the way in which the event
				// shows that threads do not run
	bool wakes; // for these options: whether a sample of the event means that a thread wakes
		    // another thread
};

/** The state of --off-cpu, --wall and --latency. */
struct timed {
	bool wanted, prepared;
	enum stop_source best; // the most useful way that an event of the recording has
	bool has_clock;    // for --wall or --latency: whether some event samples running threads
	bool early;        // whether all records so far are from before the sampling
	uint64_t switches; // number of records of threads that start to run or stop
	size_t next_at;    // offset of the next thread's id in a tracepoint
	size_t woken_at;   // offset of the woken thread's id
	uint32_t hidden;   // frame that replaces the frames of the kernel
	struct offcpu offcpu;
	struct latency latency;   // used with --latency in place of `offcpu`
	uint64_t latency_changes; // number of times that a thread started to run
	struct perf_waits reasons;
};

struct recording {
	const struct perf_folding *folding;
	struct perf_recording_options *options; // those of `folding`
	bool decided; // whether timed_prepare() has decided which time is counted
	struct perfdata *data;
	struct input *input;
	struct diag *diag;
	struct recorded_event *events; // events by index
	size_t events_n, events_capacity;
	struct perf_sample sample;   // the current sample
	const struct thread *thread; // thread of the last sample, with its name at that time
	const char *comm;
	// processor of the last sample, with --per-cpu: its number + 1
	uint32_t cpu, cpu_frame;
	struct lookup lookup;
	struct addresses addresses;
	struct deferred deferred;
	struct interpreted interpreted;
	struct file_io io;
	bool has_io; // whether some event is the end of a system call
	struct quality quality;
	struct sample_words note; // fields of the current sample, for the remarks on quality
	struct timed timed;
	struct perf_unsampled unsampled;
	struct str main_label; // label of the first thread, used for time without samples
};

/** Set the task of the current sample. */
void recording_set_task(struct recording *recording, const struct thread *thread, int32_t pid,
			int32_t tid);

/** Return the entry of an event, or NULL after diag_error(). */
struct recorded_event *recording_event(struct recording *recording,
				       const struct perfdata_event *event);

/** Set `*weight` to the time that each sample of an event stands for, or to 0 if a sample's period
 * is this time. Return false if the time is not known. */
bool recorded_event_time(const struct perfdata_event *event, uint64_t *weight);

/** Return whether an event is a dummy: it has no samples, and exists only because of its other
 * records. */
static inline bool recorded_event_is_dummy(const struct perfdata_event *event) {
	return event->type == EVENT_SOFTWARE && event->config == SOFTWARE_DUMMY;
}

/** Return the value of a frame. */
static inline uint64_t recording_value(struct recording *recording,
				       const struct perfdata_sample *sample,
				       const struct perfdata_frame *frame) {
	return lookup_value(&recording->lookup, sample, frame,
			    recording->sample.root.java ? ADDRESS_IN_JAVA : 0);
}

/** Push the frames of a sample. Return false if the sample must be left out. */
bool recording_push_frames(struct recording *recording, const struct perfdata_sample *sample);

/** Add the weight of the current stack to the figures on quality. */
void recording_judge(struct recording *recording, const struct perfdata_sample *sample,
		     uint64_t weight);

/** Set the time of the current sample: it stands for the `span` ns before it was taken. */
void recording_set_time(struct recording *recording, const struct perfdata_sample *sample,
			uint64_t span);

/** Count the current stack. It stands for the `span` ns before the sample was taken. */
void recording_add(struct recording *recording, const struct perfdata_sample *sample, uint64_t span,
		   uint64_t count);

/** Return whether a sample stands for all time in the kernel. The recorder writes such a sample if
 * the user may not sample the kernel. */
static inline bool recorded_sample_is_hidden(const struct perfdata_sample *sample) {
	return sample->event->exclude_kernel && sample->depth > 0 &&
	       sample->frames[0].place == PLACE_KERNEL;
}

/** Prepare the frames for time without a sample. */
void timed_init(struct recording *recording);

/** Decide how the samples of all events are counted, unless this is decided already. Call this when
 * a record comes, because all events are known by then. Return 0, or -1 after diag_error(). */
int timed_prepare(struct recording *recording);

/** Decide whether the samples of an event are kept. */
void timed_ask(struct recording *recording, const struct perfdata_event *event,
	       struct recorded_event *asked);

/** Note the other thread of a tracepoint's sample: the thread that runs next, or is woken. */
void timed_note(struct recording *recording, const struct recorded_event *event,
		const struct perfdata_sample *sample);

/** Push the frame for the reason why a thread waited. Call this before the frames of a sample that
 * stands for the time of the wait. */
void timed_push_reason(struct recording *recording, const struct perfdata_sample *sample);

/** Count the current stack, or keep it until its thread runs again. */
void timed_count(struct recording *recording, const struct recorded_event *event,
		 const struct perfdata_sample *sample);

/** Leave out the current sample: count no time for the sample, and no time for the wait that may
 * follow it. */
void timed_leave_out(struct recording *recording, const struct recorded_event *event,
		     const struct perfdata_sample *sample);

/** Note that a thread runs, stops, begins or ends. Return 0, or -1 after diag_error(). */
int timed_switch(struct recording *recording, const struct perfdata_switch *change);

/** Count the time of threads until the end of the recording. Report which data the recording lacks:
 * the needed events, or any thread that runs again. Return 0, or -1 after diag_error(). */
int timed_finish(struct recording *recording);

void timed_release(struct timed *timed);

#endif
