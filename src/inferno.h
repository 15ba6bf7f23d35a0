/**
 * libinferno: profiles in, folded stacks or a flame graph out.
 *
 *     struct inferno *job = inferno_new("collapse-perf");
 *     inferno_set(job, "tid", NULL);
 *     inferno_add(job, &(struct inferno_source){.path = "out.perf"});
 *     if (inferno_run(job, write_bytes, file) != INFERNO_OK) {
 *             fprintf(stderr, "%s\n", inferno_error(job));
 *     }
 *     inferno_free(job);
 *
 * 'inferno help COMMAND' lists the options of a command. The library keeps no state outside a job
 * and changes none of the process. It never prints, and never ends the process unless memory runs
 * out. It writes files only where an option asks for it: palette.map in the current folder with
 * "cp", the file that "svg" of the command diff names, and the outputs of the command record. That
 * command runs a program, and catches SIGINT, SIGTERM and SIGHUP until it ends. No argument may be
 * NULL unless its description says so. One job belongs to one thread at a time; jobs are
 * independent of one another.
 */
#ifndef INFERNO_H
#define INFERNO_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INFERNO_API __attribute__((visibility("default")))

/** One command with its options and inputs. Opaque; inferno_free() releases it. */
struct inferno;

enum inferno_status {
	INFERNO_OK = 0,
	INFERNO_FAILED = -1,    // could not read, recognise, parse or write
	INFERNO_BAD_USAGE = -2, // an unknown option, a bad value, options that exclude each other
	INFERNO_CONDITION_HOLDS = 1, // a condition of "fail-if" holds; inferno_error() says which
	INFERNO_PROGRAM_FAILED = 2,  // all was done, but the recorded program failed
};

enum inferno_level {
	INFERNO_WARNING,  // something was left out or is odd
	INFERNO_NOTE,     // with the option "verbose" only
	INFERNO_PROGRESS, // how far a long run is; each text replaces the one before
	INFERNO_DONE,     // a result, such as a file that was written
};

enum inferno_source_kind {
	INFERNO_PATH,       // `path`; "-" is standard input
	INFERNO_MEMORY,     // `size` bytes at `memory`
	INFERNO_DESCRIPTOR, // `fd`, read to its end and not closed
};

/** Where a profile comes from. What it points to is borrowed until inferno_run() returns. */
struct inferno_source {
	enum inferno_source_kind kind;
	const char *path;
	const void *memory;
	size_t size;
	int fd;
	const char *name; // what messages call it; NULL: the path, or the kind
};

/** Return a job for a command, named as on the command line ("collapse-perf", "flamegraph"). Return
 * NULL if there is no such command. */
INFERNO_API struct inferno *inferno_new(const char *command);

/**
 * Set an option by its long name, without "--". `value` is text as on the command line; NULL for a
 * flag. An option that can be repeated is set once for each value. Both strings are copied.
 */
INFERNO_API enum inferno_status inferno_set(struct inferno *job, const char *option,
					    const char *value);

/** Add an input; several are read one after another. Without any, standard input is read. */
INFERNO_API void inferno_add(struct inferno *job, const struct inferno_source *source);

/**
 * Run the job, once. `write` is called on this thread, gets the result piece by piece and returns
 * 0, or anything else to stop the run, which then fails.
 */
INFERNO_API enum inferno_status
inferno_run(struct inferno *job, int (*write)(void *context, const void *bytes, size_t size),
	    void *context);

/**
 * Interrupt a run that waits for the network: it cleans up, and inferno_run() fails soon. Return 1,
 * or 0 if the run does not wait, in which case it goes on. May be called by a signal handler, or by
 * another thread.
 */
INFERNO_API int inferno_interrupt(struct inferno *job);

/** Return what went wrong in the last call: one line without a line end, empty if nothing did. The
 * text is valid until inferno_free(), whatever is called in between. */
INFERNO_API const char *inferno_error(const struct inferno *job);

/** Return the exit status of the program that the last inferno_run() recorded, or 128 plus the
 * number of the signal that ended it. */
INFERNO_API int inferno_program_status(const struct inferno *job);

/** Pass every warning, note and report of progress to `show`. It is called by one thread at a time,
 * not always the one that called inferno_run(). Errors are not passed; see inferno_error(). */
INFERNO_API void inferno_on_message(struct inferno *job,
				    void (*show)(void *context, enum inferno_level level,
						 const char *text),
				    void *context);

/** Release a job; NULL does nothing. */
INFERNO_API void inferno_free(struct inferno *job);

/** Return the version of the library, such as "0.1.0". */
INFERNO_API const char *inferno_version(void);

/** Report that memory ran out, and end the process. This is a weak symbol: a program may define its
 * own function of this name, which must not return. */
INFERNO_API void inferno_out_of_memory(void);

#ifdef __cplusplus
}
#endif

#endif
