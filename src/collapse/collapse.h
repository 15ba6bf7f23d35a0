/** The driver: read inputs in blocks, with a format and threads, into one profile. */
#pragma once

#include "base/input.h"
#include "collapse/collapser.h"

/** All formats, in the order of src/meson.build; NULL marks the end. */
extern const struct collapser *const collapse_formats[];

/** The names of all formats, in the same order. */
extern const char *const collapse_format_names[];

/** Return the format with the name `name`, or NULL if there is none. */
const struct collapser *collapse_find_format(const char *name);

/** An option to set for a format whose options are not given. An array ends with an item without a
 * name. */
struct collapse_setting {
	const char *option, *value; // name of the format's option, and its value; value NULL: the
				    // option is a flag
	/* texts for the message if the format lacks the option, such as "--from" and "does not know
	 * times"; `lacks` NULL: the option cuts by time; if the format lacks it, the profile keeps
	 * exact times, and the caller cuts the profile */
	const char *given, *lacks;
};

struct collapse {
	const struct collapser *format; // NULL: guess the format of each input
	// options of the format; NULL: the defaults, changed by `value` and `settings`
	const void *options;
	// Name of the value to count; NULL: the format's default. If `options` is set, `value` is
	// ignored, because the options choose the value; see collapse_set_value().
	const char *value;
	const struct collapse_setting *settings; // NULL: none
	const struct collapser *otherwise; // format to use for an unrecognised input; NULL: such an
					   // input is an error
	struct profile_parts *parts;    // called with the samples of other events, always from one
					// thread; may be NULL
	const struct perf_watch *watch; // called with each sample of a recording, always from one
					// thread; may be NULL
	unsigned threads; // number of threads; 0: chosen for each input by its size and kind
	struct diag *diag;
};

/** Read the sources one after another into `profile`. Return 0, or -1 after diag_error(). */
int collapse_sources(const struct collapse *collapse, const struct source *sources, size_t n,
		     struct profile *profile);
