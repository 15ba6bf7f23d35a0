/**
 * The older profiles that pprof reads: the binary CPU profiles of gperftools, and as text, lists of
 * contentions, of threads, and of goroutines. All of them contain addresses, and end with the
 * mappings. CPU profiles, heap profiles and contentions of Java programs end with the names of the
 * addresses instead.
 */
#pragma once

#include "collapse/native.h"
#include "collapse/number_list.h"

/** One stack with its two values. */
struct pprof_legacy_sample {
	uint64_t values[2];
	size_t at, n; // its range in the list of addresses, leaf first
};

/** The kind of an older profile. */
struct pprof_legacy_kind {
	size_t values; // how many values a stack has, 1 or 2
	struct str names[2], units[2];
	bool is_java;
	// a line after the first one; 0, or -1 if the run must end; NULL: the profile is binary
	int (*line)(void *legacy, struct str line, uint64_t number);
};

/** Zero-initialise all but `run` and `options`. */
struct pprof_legacy {
	struct run *run;
	const struct native_options *options;
	const char *wanted;            // name of the value to count; NULL: the last value
	struct pprof_legacy_kind kind; // `values` is 0 before the first line of an input
	struct buf text;               // memory of a name or a unit that was read from the input;
				       // `kind` points to it
	struct intern names;           // of Java: addresses; the value is 1 + the frame
	struct native *native;         // NULL: no input was read yet
	struct number_list addresses;
	struct pprof_legacy_sample *samples;
	size_t n, capacity;
	// of contentions: one in `period` is sampled; cycles in a second, 0: not known
	uint64_t period, cycles;
	bool has_samples, has_maps, in_thread;
	struct ids stack;
};

/** Return whether an input that starts with these bytes is a CPU profile of gperftools. */
bool pprof_legacy_is_cpu(struct str start);

/** Return whether text that starts with these bytes is an older profile. */
bool pprof_legacy_is_text(struct str start);

/** Read a CPU profile to its end, and add it to the profile. Return 0, or -1 after diag_error(). */
int pprof_legacy_read_cpu(struct pprof_legacy *legacy, struct input *input, struct diag *diag);

/** Read a line of text. Return 0, or -1 if the run must end. */
int pprof_legacy_line(void *legacy, struct str line, uint64_t number);

/** Add the stacks of a text to the profile, at the end of an input. Return 0, or -1 if the run must
 * end. */
int pprof_legacy_end_text(struct pprof_legacy *legacy);

/** Set `*unit` to the unit of the counts, and `*name` to the name of the counted value. */
void pprof_legacy_unit(const struct pprof_legacy *legacy, struct str *name, struct str *unit);

void pprof_legacy_release(struct pprof_legacy *legacy);
