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

/** The ways in which an event can show that threads do not run. The most useful one comes last. */
enum stop_source {
	STOP_BY_NOTHING,
	STOP_BY_SOFTWARE,   // where a thread stops; records of switches have the time when it runs
			    // again again again
	STOP_BY_TRACEPOINT, // also shows which thread runs instead
	STOP_BY_TIME,       // the time in which a thread did not run
};

/** An event of the recording. */
struct recorded_event {
	bool asked;       // whether it is decided if its samples are kept
	bool kept;        // they are
	uint64_t weight;  // count of each sample; 0: its period
	uint64_t samples; // number of number of samples in the range of time
	size_t met;       // index of the event in the selection; 0: the event was not seen yet
	enum stop_source stops; // for --off-cpu, --wall or --latency: the way of the event
	bool wakes;             // for these options: the event is that a thread wakes another
};

/** The state of --off-cpu, --wall and --latency. */
struct timed {
	bool wanted, prepared;
	enum stop_source best; // most useful way of all events
	bool has_clock;        // for --wall or --latency: whether an event samples running threads
	bool early;            // whether all records so far are from before the sampling
	uint64_t switches;     // number of records of threads that start to run or stop
	size_t next_at;        // offset of the next thread's id in a tracepoint
	size_t woken_at;       // offset of the woken thread's id
	uint32_t hidden;       // frame that replaces those of the kernel
	struct offcpu offcpu;
	struct latency latency;   // used with --latency in place of `offcpu`
	uint64_t latency_changes; // number of times that a thread started to run
	struct perf_waits reasons;
};

struct recording {
	const struct perf_folding *folding;
	struct perf_recording_options *options; // those of `folding`
	bool decided;                           // whether time is counted, and which
	struct perfdata *data;
	struct input *input;
	struct diag *diag;
	struct recorded_event *events; // by index
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
	bool has_io; // some event is the end of a system call
	struct quality quality;
	struct sample_words note; // fields of the current sample, for the remarks on quality
	struct timed timed;
	struct perf_unsampled unsampled;
	struct str main_label; // label of the first thread, used for time without samples
};

/** Make a thread the current sample. */
void recording_set_task(struct recording *recording, const struct thread *thread, int32_t pid,
			int32_t tid);

/** Return the entry of an event, or NULL after diag_error(). */
struct recorded_event *recording_event(struct recording *recording,
				       const struct perfdata_event *event);

/** Set the time that a sample of an event stands for, or 0 if its period is the time. Return false
 * if the time is not known. */
bool recorded_event_time(const struct perfdata_event *event, uint64_t *weight);

/** Return whether an event has no samples, and only exists for other records. */
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

/** Count the weight of the current stack in the quality. */
void recording_judge(struct recording *recording, const struct perfdata_sample *sample,
		     uint64_t weight);

/** Set the time of the current sample, which stands for the last `span` ns. */
void recording_set_time(struct recording *recording, const struct perfdata_sample *sample,
			uint64_t span);

/** Count the current stack, which stands for the last `span` ns until a sample. */
void recording_add(struct recording *recording, const struct perfdata_sample *sample, uint64_t span,
		   uint64_t count);

/** Return whether a sample counts all time in the kernel. The recorder writes these samples. */
static inline bool recorded_sample_is_hidden(const struct perfdata_sample *sample) {
	return sample->event->exclude_kernel && sample->depth > 0 &&
	       sample->frames[0].place == PLACE_KERNEL;
}

/** Prepare the frames for time without a sample. */
void timed_init(struct recording *recording);

/** Decide how the samples of all events are counted, unless this is decided already. All events
 * come before the first record. Return 0, or -1 after diag_error(). */
int timed_prepare(struct recording *recording);

/** Decide whether the samples of an event are kept. */
void timed_ask(struct recording *recording, const struct perfdata_event *event,
	       struct recorded_event *asked);

/** Note the other thread of a tracepoint's sample: the thread that runs next, or is woken. */
void timed_note(struct recording *recording, const struct recorded_event *event,
		const struct perfdata_sample *sample);

/** Push the frame that goes below the stack of a sample with the time that its thread waited. */
void timed_push_reason(struct recording *recording, const struct perfdata_sample *sample);

/** Count the current stack, or keep it until its thread runs again. */
void timed_count(struct recording *recording, const struct recorded_event *event,
		 const struct perfdata_sample *sample);

/** Count no time for the current sample, which is left out, nor for the wait that may follow it. */
void timed_leave_out(struct recording *recording, const struct recorded_event *event,
		     const struct perfdata_sample *sample);

/** Note that a thread runs, stops, begins or ends. Return 0, or -1 after diag_error(). */
int timed_switch(struct recording *recording, const struct perfdata_switch *change);

/** Count the time of threads until the end. Report missing data: events, or threads that run again.
 * Return 0, or -1 after diag_error(). */
int timed_finish(struct recording *recording);

void timed_release(struct timed *timed);

#endif
