/** The command lines of other profilers. */
#pragma once

#include "base/process.h"
#include "commands/backend.h"

/** A run of another profiler. */
struct session {
	const struct backend_job *job;
	struct diag *diag;
	struct arena arena; // texts of command lines
	struct words words;
	const char *name;       // program of the profiler, for messages
	const char *variable;   // environment variable that names the program; NULL: none
	char *folder;           // temporary folder; NULL: none
	const char *path;       // path of the recording
	struct process program; // the sampled program; if .pid is 0, the profiler starts it
};

/** A profiler that inferno can run. */
struct profiler {
	const char *variable; // environment variable with the profiler's path
	const char *program;
	const char *format;
	const char *outputs; // options of the profiler that name an output, separated by blanks
	// add the process before all other words; NULL: the profiler can start programs
	int (*add_first)(struct session *session);
	bool has_time;                       // whether it ends by itself after --duration
	bool passes_status;                  // whether it exits with the status of the program
	int (*add)(struct session *session); // add its usual arguments and the target
	// Add the command that prints the recording; NULL: inferno reads the recording itself.
	void (*add_export)(struct session *session);
};

/** Return the profiler of a backend that is not BACKEND_AUTO or BACKEND_OWN. */
const struct profiler *profiler_of(enum backend backend);

/** Add sudo if the job asks for it. */
void profiler_add_sudo(struct session *session);

/** Add the program of a profiler to the command line, and note the program's name. */
void profiler_add_program(struct session *session, const struct profiler *profiler);
