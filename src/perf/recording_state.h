/** The state of folding a recording, which recording.c and timed.c share. */
#ifndef INFERNO_PERF_RECORDING_STATE_H
#define INFERNO_PERF_RECORDING_STATE_H

#include "perf/addresses.h"
#include "perf/data/sample.h"
#include "perf/file_io.h"
#include "perf/latency.h"
#include "perf/offcpu.h"
#include "perf/recording.h"
#include "perf/sample.h"
#include "perf/unsampled.h"
#include "perf/wait.h"

/** The ways in which an event shows that threads do not run, the most useful last. */
enum stop_source {
	STOP_BY_NOTHING,
	STOP_BY_SOFTWARE,   // where a thread stops; records of switches have the time when it runs
			    // again
	STOP_BY_TRACEPOINT, // also which thread runs instead
	STOP_BY_TIME,       // how long a thread did not run
};

/** An event of the recording. */
struct recorded_event {
	bool asked;             // it is decided whether its samples are kept
	bool kept;              // they are
	uint64_t weight;        // count of each sample; 0: its period
	uint64_t samples;       // samples in the range of time
	size_t met;             // index in the selection; 0: it was not seen
	enum stop_source stops; // with --off-cpu, --wall or --latency
	bool wakes;             // with these: a thread wakes another
};

/** The state of --off-cpu, --wall and --latency. */
struct timed {
	bool wanted, prepared;
	enum stop_source best; // the most useful way of all events
	bool has_clock;        // with --wall or --latency: some event samples running threads
	bool early;            // the records so far are from before the sampling
	uint64_t switches;     // number of records of threads that start to run or stop
	size_t next_at;        // the place of the next thread's id in a tracepoint
	size_t woken_at;       // offset of the woken thread's id
	uint32_t hidden;       // frame in place of the kernel's
	struct offcpu offcpu;
	struct latency latency;   // with --latency, in place of `offcpu`
	uint64_t latency_changes; // times that it was told of a thread that starts to run
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
	struct perf_sample sample;   // the current one
	const struct thread *thread; // thread of the last sample, with its name at that time
	const char *comm;
	uint32_t cpu, cpu_frame; // of the last sample, with --per-cpu: its number + 1
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
	struct str main_label; // label of the first thread, for time that is in no sample
};

/** Make a thread the current one. */
void recording_set_task(struct recording *recording, const struct thread *thread, int32_t pid,
			int32_t tid);

/** Return the entry of an event, NULL after diag_error(). */
struct recorded_event *recording_event(struct recording *recording,
				       const struct perfdata_event *event);

/** Set the time of an event's sample; 0 if its period is the time. Return false if that
 * is not known. */
bool recorded_event_time(const struct perfdata_event *event, uint64_t *weight);

/** Return whether an event only carries other records. */
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

/** Set the time of the current sample, which lasted for `span` ns. */
void recording_set_time(struct recording *recording, const struct perfdata_sample *sample,
			uint64_t span);

/** Count the current stack, which lasted for `span` ns until a sample. */
void recording_add(struct recording *recording, const struct perfdata_sample *sample, uint64_t span,
		   uint64_t count);

/** Return whether a sample counts all time in the kernel. The recorder makes such samples. */
static inline bool recorded_sample_is_hidden(const struct perfdata_sample *sample) {
	return sample->event->exclude_kernel && sample->depth > 0 &&
	       sample->frames[0].place == PLACE_KERNEL;
}

/** Prepare the frames for time without a sample. */
void timed_init(struct recording *recording);

/** Decide how the samples of all events count, unless that was done. All events come before the
 * first record. Return 0, or -1 after diag_error(). */
int timed_prepare(struct recording *recording);

/** Decide whether the samples of an event are kept. */
void timed_ask(struct recording *recording, const struct perfdata_event *event,
	       struct recorded_event *asked);

/** Note the other thread of a tracepoint's sample: the one that runs next, or is woken. */
void timed_note(struct recording *recording, const struct recorded_event *event,
		const struct perfdata_sample *sample);

/** Push the frame below the stack of a sample that tells how long its thread waited. */
void timed_push_reason(struct recording *recording, const struct perfdata_sample *sample);

/** Count the current stack, or keep it until its thread runs again. */
void timed_count(struct recording *recording, const struct recorded_event *event,
		 const struct perfdata_sample *sample);

/** Note that a thread runs, stops, begins or ends. Return 0, or -1 after diag_error(). */
int timed_switch(struct recording *recording, const struct perfdata_switch *change);

/** Count the time of threads until the end. Report missing data: events, or threads that run again.
 * Return 0, or -1 after diag_error(). */
int timed_finish(struct recording *recording);

void timed_release(struct timed *timed);

#endif
