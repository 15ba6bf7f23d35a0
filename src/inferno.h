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
 * A job is one command with its options and inputs. Make it, set options, add inputs, run it once,
 * free it. inferno_list() lists commands and formats, inferno_option() the options of a job.
 *
 * Threads: one job belongs to one thread at a time; only inferno_cancel() and inferno_interrupt()
 * may be called from any thread. Jobs are independent of one another, and may run at the same time.
 *
 * Ownership: strings that you pass are copied. Paths, names and bytes of inputs are borrowed until
 * inferno_run() returns. A profile is copied by inferno_add(). Strings that you get are valid until
 * inferno_free(), or for ever if no job is involved.
 *
 * Errors: a function that can fail returns an enum inferno_status; inferno_error() has the text.
 *
 * Memory: if it runs out, the call returns INFERNO_NO_MEMORY, or NULL, and frees all that the job
 * or the profile had. Later calls with it return the same; free it. The process goes on.
 *
 * Units: sizes are bytes, counts have the unit of the input (samples, microseconds, bytes) and at
 * most 63 bits.
 *
 * The process: the library keeps no state outside a job. It prints nothing. It changes no umask, no
 * environment, no locale and no signal handler. The commands record, cargo-flamegraph and doctor
 * always run in a child process, as after inferno_isolate(). Files are written only where an option
 * asks for it: palette.map in the current folder with "cp", the file that "svg" of the command diff
 * names, and the outputs of record and cargo-flamegraph, which write flamegraph.svg without
 * "output".
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

/** One command with its options and inputs. Opaque; inferno_free() releases it. */
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

/** The source of a profile. The strings and the memory that it points to are borrowed until
 * inferno_run() returns. */
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

/** Return a job for a command. Its name is that in INFERNO_COMMANDS: the words of the command line,
 * joined by hyphens ("flamegraph", "collapse-perf"). "stackcollapse-perf" and the like are other
 * names of "collapse-perf". Return NULL if there is no such command (errno is EINVAL), or if memory
 * ran out (ENOMEM). */
INFERNO_API struct inferno *inferno_new(const char *command);

/**
 * Set an option by its long name, without "--". `value` is text as on the command line; NULL for a
 * flag. An option that can be repeated is set once for each value. Both strings are copied.
 */
INFERNO_API enum inferno_status inferno_set(struct inferno *job, const char *option,
					    const char *value);

/** Add an input; several are read one after another. Without any, standard input is read. */
INFERNO_API enum inferno_status inferno_add(struct inferno *job,
					    const struct inferno_source *source);

/**
 * Run the job, once. `write` is called on this thread, gets the result piece by piece and returns
 * 0. Any other result stops the run, which then fails.
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

/**
 * Cancel a job: inferno_run() returns INFERNO_CANCELLED the next time that it reads or writes a
 * block, or within a tenth of a second if it waits for bytes or for the network. While a large
 * picture is arranged between reading and writing, or a named pipe without a writer is opened, the
 * call has no effect yet, unless the job is isolated. Cancelling a recording ends its program and
 * writes what was recorded, as Ctrl-C does; inferno_run() then returns as usual. May be called by a
 * signal handler, or by another thread, before or during the run.
 */
INFERNO_API void inferno_cancel(struct inferno *job);

/** Call `progress` at most once a second while inputs are read, when bytes have arrived: `done` of
 * `total` bytes of the input `name`; total 0: not known. If it returns nonzero, the job is
 * cancelled. It is called by one thread at a time, not always the one that called inferno_run(). */
INFERNO_API void inferno_on_progress(struct inferno *job,
				     int (*progress)(void *context, const char *name, uint64_t done,
						     uint64_t total),
				     void *context);

/**
 * Run the job in a child process, which fork() makes. Then a crash is INFERNO_FAILED, and `memory`
 * limits the bytes of address space that the run may add; 0 means no limit. If the run needs more,
 * the result is INFERNO_NO_MEMORY. All functions that you gave are called in this process. The
 * program gets a SIGCHLD when the run ends. The C library must support fork() in programs with
 * threads, as glibc and musl do.
 */
INFERNO_API void inferno_isolate(struct inferno *job, uint64_t memory);

/** Return the error of the last inferno_set(), inferno_add() or inferno_run(): one line without a
 * line end, or an empty text if there was no error. The text is valid until inferno_free(),
 * whatever is called in between. */
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

/* --- Lists of commands, formats and options
 * --------------------------------------------------------------------------- */

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

/** Return the name of the format of an input, as in INFERNO_INPUTS, by what the input contains; the
 * name of a file does not count. Return NULL if the input looks like no format or equally like two,
 * or cannot be read. Then `why`, of `size` bytes, gets one line that says which of these it is;
 * otherwise it becomes empty. `why` may be NULL. A descriptor is read from, so only a source that
 * can be opened again can be used afterwards. */
INFERNO_API const char *inferno_sniff(const struct inferno_source *source, char *why, size_t size);

/* --- A profile in memory --------------------------------------------------------------------- */

/** Stacks and their counts. Opaque; inferno_profile_free() releases it. It belongs to one thread at
 * a time. Use it as an input of any command, any number of times: it becomes a picture with
 * "flamegraph", another format with "convert". */
struct inferno_profile;

/** Return an empty profile, or NULL if memory ran out. `unit` is the unit of its counts, which
 * pictures and other formats name; NULL means "samples". Counts of "nanoseconds", "microseconds",
 * "milliseconds", "seconds" and "bytes" are shown as times and sizes, with or without words after
 * the unit ("nanoseconds of cpu", "bytes in use"). Any other text is a kind of event ("cycles"). */
INFERNO_API struct inferno_profile *inferno_profile_new(const char *unit);

/** Add `count` to a stack of `depth` functions, at least 1, the outermost first. Names are UTF-8;
 * a ';' in them becomes a ':', and a line end a blank, as in every input. Names are copied. Return
 * INFERNO_BAD_USAGE, and add nothing, if the stack is empty, or if the sum of all counts of the
 * profile would have more than 63 bits. Return INFERNO_NO_MEMORY if memory ran out. */
INFERNO_API enum inferno_status inferno_profile_add(struct inferno_profile *profile,
						    const char *const *stack, size_t depth,
						    uint64_t count);

/** Return the error of the last inferno_profile_add(), which names the stack, or an empty text. It
 * is valid until the next call with this profile. */
INFERNO_API const char *inferno_profile_error(const struct inferno_profile *profile);

/** Release a profile; NULL does nothing. */
INFERNO_API void inferno_profile_free(struct inferno_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
