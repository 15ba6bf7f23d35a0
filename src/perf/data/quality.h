/** Report the quality of a recording in one line: the share of lost samples, of stacks that are cut
 * off, and of frames without a name. Add a remedy for each fault. */
#pragma once

#include "perf/data/perfdata.h"

/** The state of the callers after the last frame of a stack. */
enum quality_end {
	QUALITY_OPEN,  // not known, because the last frame is in the kernel or has no name
	QUALITY_FIRST, // complete, because the last frame is the first function of a thread
	QUALITY_INNER, // missing, because the last frame is not the first function of a thread
};

enum { QUALITY_NOTED = 8 };

/** Notes of the frames of the current stack. */
struct quality_stack {
	size_t depth;
	uint64_t leaf, last;           // the innermost and the outermost frame, as passed to
				       // quality_frame()
	enum quality_end end;          // state of the callers after the stack's last frame
	uint32_t noted[QUALITY_NOTED]; // images of the stack's frames without a name
	size_t noted_n;
};

/** A zeroed struct has nothing to report. The weight of a stack is its count in the picture:
 * time, or events. */
struct quality {
	uint64_t weight;    // weight of all stacks
	uint64_t nameless;  // weight of the stacks whose innermost function has no name
	uint64_t *by_image; // parts of `nameless` for each image; the index is 1 + the image's id,
			    // or 0 for frames outside of images
	uint64_t orphaned;  // weight of stacks without callers
	uint64_t *in_image; // for each image, weight of stacks with a nameless frame in it; the
			    // index is 1 + the image's id
	uint64_t missing;   // weight of stacks with frames in missing files
	uint64_t cut;       // weight of stacks that could not be unwound because of missing files
	const struct image **images;
	size_t capacity, in_capacity, images_capacity, n;
	uint64_t empty, idle, unlocked; // samples that were left out
	uint64_t counted;               // count of all samples
	uint64_t wakings;               // number of samples that only show wake-ups, on the whole
					// machine
	uint64_t switches;              // number of times that a thread ran or stopped
	uint64_t hidden;    // part of `counted` that was spent in the kernel, which this user may
			    // not sample
	uint64_t unsampled; // part of `counted` that is in no sample
	enum perfdata_reason reason; // reason why `unsampled` is in no sample
	struct buf scripts;          // phrase on interpreters and the quality of their stacks
	struct buf unread_scripts;   // phrase on interpreters that could not be read
	bool recorder;               // advice is for users of `inferno record`
	struct quality_stack stack;
};

/** Return the index under which the frames of an image are counted. For frames at addresses where
 * nothing is mapped, `image` is NULL. */
uint32_t quality_image(struct quality *quality, const struct image *image);

/** Return the state of the callers for a stack whose last frame is at a location with these
 * symbols. */
enum quality_end quality_end_of(const struct perfdata_location *location,
				const struct symbol *symbols, size_t n);

/** Start the next stack. */
static inline void quality_start_stack(struct quality *quality) {
	quality->stack.depth = 0;
	quality->stack.noted_n = 0;
}

/** Remember that the current stack has a frame without a name in an image. */
void quality_note_image(struct quality *quality, uint32_t image);

/** Add the weight of the current stack to the images in which it has frames without a name.
 * `unwound` says that the callers come from the unwinding of a recorded stack. */
void quality_count_images(struct quality *quality, uint64_t weight, bool unwound);

/** Remember the next frame of a stack. Frames come innermost first. `nameless` is 1 + the number of
 * the image if the frame has no name, else 0. */
static inline void quality_frame(struct quality *quality, uint64_t nameless, enum quality_end end) {
	if (quality->stack.depth++ == 0) {
		quality->stack.leaf = nameless;
	}
	if (nameless > 0) {
		quality_note_image(quality, (uint32_t)(nameless - 1));
	}
	quality->stack.end = end;
	quality->stack.last = nameless;
}

/** Count the stack, unless it has no frames. `chained` says that the callers were found by frame
 * pointers, and that the stack is not known to be cut off. `unwound` says that the callers come
 * from the unwinding of a recorded stack. */
static inline void quality_end_stack(struct quality *quality, uint64_t weight, bool chained,
				     bool unwound) {
	if (quality->stack.depth == 0) {
		return;
	}
	quality->weight += weight;
	if (quality->stack.leaf > 0) {
		quality->nameless += weight;
		quality->by_image[quality->stack.leaf - 1] += weight;
	}
	if (quality->stack.noted_n > 0) {
		quality_count_images(quality, weight, unwound);
	}
	quality->orphaned += chained && quality->stack.end == QUALITY_INNER ? weight : 0;
}

/** Add the report to `text`, without advice. */
void quality_format(struct buf *text, const struct quality *quality, const struct perfdata *data,
		    const char *name);

/** Report the quality. If the recording has a fault, report a warning. If it has no fault, report a
 * note or, for users of `inferno record`, a result. Return 0, or -1 after diag_error(). */
int quality_report(const struct quality *quality, const struct perfdata *data, const char *name,
		   struct diag *diag);

void quality_release(struct quality *quality);
