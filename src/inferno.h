/**
 * libinferno: turns profiles into folded stacks, flame graphs and other formats.
 *
 *     static int write_bytes(void *file, const void *bytes, size_t size) {
 *             return fwrite(bytes, 1, size, file) == size ? 0 : -1;
 *     }
 *
 *     struct inferno *job = inferno_new("collapse-perf");
 *     inferno_set(job, "tid", NULL);
 *     inferno_add(job, &(struct inferno_source){.path = "out.perf"});
 *     if (inferno_run(job, write_bytes, stdout) != INFERNO_OK) {
 *             fprintf(stderr, "%s\n", inferno_error(job));
 *     }
 *     inferno_free(job);
 *
 * A job is one command with its options and inputs. Make a job, set options, add inputs, run the
 * job once, and free it. inferno_list() lists commands and formats; inferno_option() lists the
 * options of a job.
 *
 * Threads: one job belongs to one thread at a time; only inferno_cancel() and inferno_interrupt()
 * may be called from any thread. Jobs are independent of one another, and may run at the same time.
 *
 * Ownership: strings that you pass are copied. Paths, names and bytes of inputs are borrowed until
 * inferno_run() returns. A profile is copied by inferno_add(). Strings that functions return are
 * valid until inferno_free(); if a function has neither a job nor a profile, they are always valid.
 *
 * Errors: a function that can fail returns an enum inferno_status; inferno_error() has the text.
 *
 * Memory: if memory runs out, the call returns INFERNO_NO_MEMORY or NULL, and releases everything
 * that the job or the profile has. Later calls with this job or profile return the same; the caller
 * still frees the job or the profile. The process continues.
 *
 * Units: sizes are bytes, counts have the unit of the input (for example samples, microseconds or
 * bytes) and at most 63 bits.
 *
 * The process: the library keeps no state outside a job, and prints nothing. The library changes no
 * umask, no environment, no locale and no signal handler. The commands record, cargo-flamegraph and
 * doctor always run in a child process, as after inferno_isolate(). The library writes only these
 * files: palette.map in the current folder with "cp", the file that "svg" of the command diff
 * names, and the outputs of record and cargo-flamegraph. Without the option "output", these two
 * commands write flamegraph.svg.
 *
 * No argument may be NULL unless its description says so. Later versions add functions, values of
 * enums, and fields in the place of `reserved` ones, which are zero.
 */
#ifndef INFERNO_H
#define INFERNO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INFERNO_API __attribute__((visibility("default")))

/** One command with its options and inputs. The struct is opaque. inferno_free() releases the job.
 */
struct inferno;

enum inferno_status {
	INFERNO_OK = 0,
	INFERNO_FAILED = -1, // an input or output could not be read, recognised, parsed or written
	INFERNO_BAD_USAGE = -2, // an unknown option, a bad value, options that exclude each other
	INFERNO_CONDITION_HOLDS = 1, // a condition of "fail-if" holds; inferno_error() says which
	INFERNO_PROGRAM_FAILED = 2,  // the job was done, but the recorded program failed
	// the job was cancelled by inferno_cancel() or by the function for progress
	INFERNO_CANCELLED = -3,
	INFERNO_NO_MEMORY = -4, // memory ran out; see "Memory" above
};

enum inferno_level {
	INFERNO_WARNING,  // data was left out or is unusual
	INFERNO_NOTE,     // shown only with the option "verbose"
	INFERNO_PROGRESS, // progress of a long run; each text replaces the previous one
	INFERNO_DONE,     // a result, such as a file that was written
};

enum inferno_source_kind {
	INFERNO_PATH,       // `path`; "-" is standard input
	INFERNO_MEMORY,     // `size` bytes at `memory`
	INFERNO_DESCRIPTOR, // `fd`, read to its end and not closed
	INFERNO_PROFILE,    // `profile`, copied by inferno_add()
};

/** The source of a profile. The strings and the memory of a source are borrowed until inferno_run()
 * returns. */
struct inferno_source {
	enum inferno_source_kind kind;
	const char *path;
	const void *memory;
	size_t size;
	int fd;
	const char *name; // name in messages; NULL: the path, or the kind
	const struct inferno_profile *profile;
	const void *reserved[4];
};

/** Return a job for a command. `command` is a name from the list INFERNO_COMMANDS: the words of the
 * command line, joined by hyphens ("flamegraph", "collapse-perf"). Aliases such as
 * "stackcollapse-perf" are accepted, too. Return NULL if there is no such command (errno is
 * EINVAL), or if memory ran out (ENOMEM). */
INFERNO_API struct inferno *inferno_new(const char *command);

/**
 * Set an option by its long name, without "--". `value` is text as on the command line; NULL for a
 * flag. To give an option several values, call this function once for each value. The name and the
 * value are copied.
 */
INFERNO_API enum inferno_status inferno_set(struct inferno *job, const char *option,
					    const char *value);

/** Add an input. Several inputs are read one after another. A job without inputs reads standard
 * input. */
INFERNO_API enum inferno_status inferno_add(struct inferno *job,
					    const struct inferno_source *source);

/**
 * Run the job. A job can run only once. The library calls `write` on this thread with each piece of
 * the result. If `write` returns a value other than 0, the run stops and fails.
 */
INFERNO_API enum inferno_status
inferno_run(struct inferno *job, int (*write)(void *context, const void *bytes, size_t size),
	    void *context);

/**
 * Interrupt a run that waits for the network: the run cleans up, and inferno_run() fails soon.
 * Return 1. If the run does not wait, return 0 and let the run continue. A signal handler or
 * another thread may call this function.
 */
INFERNO_API int inferno_interrupt(struct inferno *job);

/**
 * Cancel a job: inferno_run() returns INFERNO_CANCELLED the next time that it reads or writes a
 * block, or within a tenth of a second if it waits for bytes or for the network. While a large
 * picture is arranged between reading and writing, or a named pipe without a writer is opened, the
 * call has no effect yet, unless the job is isolated. Cancelling a recording ends its program and
 * writes what was recorded, as Ctrl-C does; inferno_run() then returns as usual. A signal handler
 * or another thread may call this function, before or during the run.
 */
INFERNO_API void inferno_cancel(struct inferno *job);

/** While inputs are read, call `progress` at most once a second, and only after new bytes were
 * read: `done` of `total` bytes of the input `name`. A `total` of 0 means that the size is not
 * known. If `progress` returns nonzero, the job is cancelled. Only one thread at a time calls
 * `progress`, but not always the thread that called inferno_run(). */
INFERNO_API void inferno_on_progress(struct inferno *job,
				     int (*progress)(void *context, const char *name, uint64_t done,
						     uint64_t total),
				     void *context);

/**
 * Run the job in a child process, which fork() makes. If the child crashes, the result is
 * INFERNO_FAILED. `memory` limits the bytes of address space that the run may add; 0 means no
 * limit. If the run needs more memory, the result is INFERNO_NO_MEMORY. The functions that the
 * caller passed, such as `write`, run in the calling process, not in the child. The calling process
 * gets a SIGCHLD when the run ends. The C library must support fork() in programs with threads, as
 * glibc and musl do.
 */
INFERNO_API void inferno_isolate(struct inferno *job, uint64_t memory);

/** Return the error of the last inferno_set(), inferno_add() or inferno_run(): one line without a
 * line end, or an empty text if there was no error. The text is valid until inferno_free(); later
 * calls do not change the text. */
INFERNO_API const char *inferno_error(const struct inferno *job);

/** Return the exit status of the program that the last inferno_run() recorded, or 128 plus the
 * number of the signal that ended the program. */
INFERNO_API int inferno_program_status(const struct inferno *job);

/** Pass every warning, note and report of progress to `show`. Only one thread at a time calls
 * `show`, but not always the thread that called inferno_run(). Errors are not passed to `show`;
 * inferno_error() returns the error. */
INFERNO_API void inferno_on_message(struct inferno *job,
				    void (*show)(void *context, enum inferno_level level,
						 const char *text),
				    void *context);

/** Release a job; NULL does nothing. */
INFERNO_API void inferno_free(struct inferno *job);

/** Return the version of the library, such as "0.1.0". */
INFERNO_API const char *inferno_version(void);

/* --- Lists of commands, formats and options --------------------------------------------------- */

enum inferno_things {
	INFERNO_COMMANDS, // for inferno_new()
	INFERNO_INPUTS,   // formats that are read: FORMAT in the command "collapse-FORMAT"
	INFERNO_OUTPUTS,  // formats for the option "format"; each command writes some of them
};

struct inferno_item {
	char name[64];
	const char *brief; // one line
	const void *reserved[4];
};

/** Describe the item with the index `i` of a list. Return 1, or 0 after the last item. */
INFERNO_API int inferno_list(enum inferno_things list, size_t i, struct inferno_item *item);

struct inferno_option {
	const char *name;           // without "--"
	char letter;                // 0: none
	const char *value;          // name of its value, such as "N" or "FILE"; NULL: it is a flag
	const char *initial;        // its default, as text; NULL: none
	const char *const *choices; // all its possible values, ended by NULL; NULL: any text
	const char *help;           // one line
	int repeats;                // whether it may be set more than once
	const void *reserved[4];
};

/** Describe the option with the index `i` of a job's command. Return 1, or 0 after the last option.
 */
INFERNO_API int inferno_option(const struct inferno *job, size_t i, struct inferno_option *option);

/** Return the name of the format of an input, as in INFERNO_INPUTS, judging by its content and not
 * by the name of the file. Return NULL if the input looks like no format or equally like two
 * formats, or cannot be read. Write the reason for NULL as one line into `why`, which has `size`
 * bytes; for any other result, make `why` empty. `why` may be NULL. The function reads the
 * beginning of the source, so a descriptor cannot be used as an input afterwards. */
INFERNO_API const char *inferno_sniff(const struct inferno_source *source, char *why, size_t size);

/* --- A profile in memory --------------------------------------------------------------------- */

/** Stacks and their counts. The struct is opaque. inferno_profile_free() releases the profile. Only
 * one thread at a time may use a profile. A profile can be the input of any number of jobs: the
 * command "flamegraph" draws the profile, and "convert" writes the profile in another format. */
struct inferno_profile;

/** Return an empty profile, or NULL if memory ran out. `unit` is the unit of the counts, which
 * pictures and other formats show; NULL means "samples". Counts of "nanoseconds", "microseconds",
 * "milliseconds", "seconds" and "bytes" are shown as times and sizes, with or without words after
 * the unit ("nanoseconds of cpu", "bytes in use"). Any other text is a kind of event ("cycles"). */
INFERNO_API struct inferno_profile *inferno_profile_new(const char *unit);

/** Add `count` to a stack of `depth` functions, the outermost first. `depth` is at least 1. Names
 * are UTF-8. In a name, a ';' becomes a ':', and a line end becomes a blank, as in every input.
 * Names are copied. Return INFERNO_BAD_USAGE, and add nothing, if the stack is empty, or if the sum
 * of all counts of the profile would have more than 63 bits. Return INFERNO_NO_MEMORY if memory ran
 * out. */
INFERNO_API enum inferno_status inferno_profile_add(struct inferno_profile *profile,
						    const char *const *stack, size_t depth,
						    uint64_t count);

/** Return the error of the last inferno_profile_add(), which names the stack, or an empty text. The
 * text is valid until the next call with this profile. */
INFERNO_API const char *inferno_profile_error(const struct inferno_profile *profile);

/** Release a profile; NULL does nothing. */
INFERNO_API void inferno_profile_free(struct inferno_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
