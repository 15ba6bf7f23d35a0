/** Other profilers that sample instead of inferno: perf, dtrace, xctrace, sample, pmcstat. */
#pragma once

#include "base/input.h"
#include "base/opt.h"

/** Profilers, in the order of backend_names. */
enum backend {
	BACKEND_AUTO, // inferno's own sampler, or if there is none, the profiler of the system
	BACKEND_OWN,
	BACKEND_PERF,
	BACKEND_DTRACE,
	BACKEND_XCTRACE,
	BACKEND_SAMPLE,
	BACKEND_PMCSTAT
};

/** The names of the profilers, NULL-terminated. */
extern const char *const backend_names[];

/** Return the profiler of this system. */
enum backend backend_usual(void);

/** A request to a profiler. */
struct backend_job {
	enum backend backend; // a value other than AUTO and OWN
	/* the profiler's own arguments, as typed into a shell; NULL: use the fields below */
	const char *words;
	uint64_t rate;
	uint64_t period; // occurrences between two samples, instead of a rate; 0: not given
	const struct opt_list *events; // lists of event names; empty: the usual event
	const char *call_graph;        // call graph, as perf names it
	uint64_t compression;          // level of compression; 0: none
	double duration;               // time limit in seconds; 0: no limit
	char *const *program;          // the program; NULL: none
	const char *processes;         // process ids; NULL: sample the program or everything
	bool ignores_status;           // whether the profiler may fail
	const char *root; // flags of sudo, which runs the profiler; NULL: run it without sudo
};

/** The result of a run of a profiler. The caller releases the result, even after a failure. */
struct backend_result {
	struct source source; // the recording
	const char *format;   // name of the recording's format
	int status;           // exit status of the program, if known
	int fd;               // descriptor of the recording; -1: none
	struct buf text;
};

/** Run a profiler until it ends. SIGINT, SIGTERM and SIGHUP end the profiler, too. Leave no file,
 * unless the profiler's own arguments name an output. Return 0, or -1 after diag_error(). */
int backend_run(const struct backend_job *job, struct backend_result *result, struct diag *diag);

void backend_release(struct backend_result *result);
