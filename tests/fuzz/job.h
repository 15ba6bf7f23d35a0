/** Runs commands of the library in fuzz targets, and checks their results. */
#pragma once

#include "inferno.h"

#include "binary.h"

/** A command, and its result after job_run(). */
struct job {
	struct inferno *inferno;
	enum inferno_status status;
	struct buf out;
	size_t warnings;
};

/** Prepare a command. */
void job_init(struct job *job, const char *command);

/** Set an option. A failure is a finding. NULL is the value of a flag. */
void job_set(struct job *job, const char *name, const char *value);

/** Add an input, whose bytes are borrowed until the job has run. */
void job_add(struct job *job, struct str input);

/** Run the command, and check the rules for all commands: messages are lines of text, the status
 * agrees with the error, and the usage is right. */
void job_run(struct job *job);

void job_release(struct job *job);

/** Cut the next part off an input. Lines of two per cent signs separate the parts. */
struct str fuzz_part(struct str *rest);

/** Cut the count off the end of a folded line. The rest is the stack. */
uint64_t fuzz_take_count(struct str *line);

enum { FUZZ_COUNTS_MOST = 2 };

/** Check that folded text is UTF-8 and sorted, has each stack once, and has this number of counts
 * on each line. Add up each count in `sums`. Return false if a sum does not fit. */
bool fuzz_check_folded(struct str text, size_t counts, uint64_t sums[FUZZ_COUNTS_MOST]);

/** Return whether reading folded text does not change it. A reader drops a byte order mark, trims
 * lines, takes `# ` for a comment, and refuses NUL. */
bool fuzz_survives_reading(struct str text);

/** If the blocks of a format may end anywhere, require the same result for an input in pieces and
 * as a whole. Do not check other commands. */
void fuzz_check_pieces(const char *command, struct str input);
