/** Other profilers that sample instead of inferno: perf, dtrace, xctrace, sample, pmcstat. */
#ifndef INFERNO_COMMANDS_BACKEND_H
#define INFERNO_COMMANDS_BACKEND_H

#include "base/input.h"
#include "base/opt.h"

/** Profilers, in the order of backend_names. */
enum backend {
	BACKEND_AUTO, // inferno's own sampler, or else that of the system
	BACKEND_OWN,
	BACKEND_PERF,
	BACKEND_DTRACE,
	BACKEND_XCTRACE,
	BACKEND_SAMPLE,
	BACKEND_PMCSTAT
};

/** Their names, NULL-terminated. */
extern const char *const backend_names[];

/** Return the profiler of this system. */
enum backend backend_usual(void);

/** The work for a profiler. */
struct backend_job {
	enum backend backend; // one of another program
	const char *words;    // its own arguments, as typed into a shell; NULL: by the fields below
	uint64_t rate;
	uint64_t period; // occurrences between two samples, instead of a rate; 0: not given
	const struct opt_list *events; // lists of names; none: the usual one
	const char *call_graph;        // as perf names it
	uint64_t compression;          // level; 0: none
	double duration;               // in seconds; 0: no limit
	char *const *program;          // NULL: not wanted
	const char *processes;         // NULL: not wanted; without a program: all
	bool ignores_status;           // the profiler may fail
	const char *root; // flags of sudo, which runs the profiler; NULL: it is run as it is
};

/** The result of the work. Release it in any case. */
struct backend_result {
	struct source source; // the recording
	const char *format;   // its name
	int status;           // exit status of the program, if known
	int fd;               // descriptor of the recording; -1: none
	struct buf text;
};

/** Run a profiler until it ends. SIGINT, SIGTERM and SIGHUP end it, too. No file is left, unless
 * the profiler's own arguments name one. Return 0, or -1 after diag_error(). */
int backend_run(const struct backend_job *job, struct backend_result *result, struct diag *diag);

void backend_release(struct backend_result *result);

#endif
