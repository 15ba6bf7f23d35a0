/** Collect the source of one function, with the counts of its lines, for all formats of reports. */
#pragma once

#include "export/hottest.h"

/** A line of source. */
struct listing_line {
	uint32_t number;
	bool counted;   // the line has counts; false: it is shown because it is near a line with
			// counts
	bool after_gap; // lines directly before this line are left out
	uint64_t self, total; // 0: no counts
	struct str text;      // empty: the source is missing
};

struct listing_file {
	struct str path; // path in the profile
	int error;       // errno from reading the source; 0: it was read
	bool is_other;   // the source has fewer lines than the profile says
	struct buf source;
	struct listing_line *lines;
	size_t n;
	size_t left_out; // number of lines with counts that did not fit into the report
	uint64_t left_self;
};

struct source_list {
	const struct hottest *hottest;
	struct listing_file *files; // files; the file with the largest total comes first
	size_t n;
	bool asks_servers; // sources that this machine lacks are fetched from servers
	uint64_t unknown;  // self counts of the function that belong to no line
};

/** Return whether the options choose a report on the source of a function. */
bool listing_is_wanted(const struct opt_set *options);

/** Collect the lines of the function that --list names. JSON and CSV show all lines with counts. In
 * text and Markdown, `cut` is set: they show as many lines as fit. Return 0, or -1 after
 * diag_error(). Call listing_release() in both cases. */
int listing_init(struct source_list *listing, const struct hottest *hottest,
		 const struct opt_set *options, bool cut, struct diag *diag);

/** Add a line of source, cut to a width. Remove control characters, and replace tabs by blanks. */
void listing_add_source(struct buf *out, struct str text, size_t width);

/** Add a remark on a file: why its source cannot be read or is probably another version, or how
 * many lines are left out. Otherwise, add nothing. */
void listing_add_remark(struct buf *out, const struct source_list *listing,
			const struct listing_file *file);

void listing_release(struct source_list *listing);
