/** Read the header at the start of a recording, and the recording's features. The features
 * describe, for example, the machine and the events. */
#pragma once

#include "base/input.h"
#include "perf/data/event.h"
#include "perf/data/machine.h"
#include "perf/data/perfdata.h"

enum { HEADER_PIPE_SIZE = 16, HEADER_FILE_SIZE = 104, FEATURE_WORDS = 4 };

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_RELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_COMMAND = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_DIRECTORY = 24,
	FEATURES = 64 * FEATURE_WORDS,
};

struct section {
	uint64_t offset, size;
};

struct header {
	bool swap, is_pipe;
	uint64_t attribute_size;
	struct section attributes, data;
	uint64_t features[FEATURE_WORDS]; // bit N of these words: the recording has feature N
};

/** The structs that receive the features. */
struct features {
	struct perfdata_events *events;
	struct machine *machine;
	struct buf texts[PERFDATA_TEXTS];
	struct buf tracing;
	struct perfdata_counts counts;
	bool cut_off;   // the file ends before the features
	bool has_parts; // the records are in separate files
};

/** Read the header at the start of the input. Leave the bytes of the header in the input. Return 0,
 * or -1 after diag_error(). */
int header_read(struct header *header, struct input *input, struct diag *diag);

/** Read the attributes of a file. Return 0, or -1 after diag_error(). */
int header_read_attributes(const struct header *header, struct input *input,
			   struct perfdata_events *events, struct diag *diag);

/** Read the features of a file. If the file ends before the end of a feature, set `cut_off`, and
 * read the part that is there. Return 0, or -1 after diag_error(). */
int header_read_features(const struct header *header, struct input *input,
			 struct features *features);

/** Read one feature. Ignore a damaged feature, because a recording can be read without features. */
void feature_read(struct features *features, uint64_t feature, struct str bytes, bool swap);

/** Store the build-id in a record of the list of build-ids, or in a record of a recording from a
 * pipe. */
void feature_read_build_id(struct features *features, uint16_t misc, struct str body, bool swap);

void features_release(struct features *features);
