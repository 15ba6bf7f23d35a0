/** Run other programs, for example cargo, profilers and filters. */
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include "base/diag.h"

struct process {
	pid_t pid;   // 0: no program runs
	int in, out; // this process's ends of the pipes to the program's standard input and from
		     // its standard output; -1: no pipe, and the program inherits the file
	bool passes; // pass signals that ask for the end (stop.h) on to the program
};

/** The pipes of a program: PROCESS_FEED for its input, PROCESS_TAKE for its output. */
enum process_pipes { PROCESS_FEED = 1, PROCESS_TAKE = 2 };

/** A command line under construction. The words are borrowed. A zeroed struct is an empty command
 * line. */
struct words {
	char **items; // NULL-terminated, for exec()
	size_t n, capacity;
};

void words_add(struct words *words, const char *word);

/** Add several words; the last argument is NULL. */
__attribute__((sentinel)) void words_add_all(struct words *words, ...);

/** Split a command line as a shell does, without expansion of variables or patterns. Copy the words
 * into the arena. Return NULL, or the reason why the text cannot be split. */
const char *words_split(struct words *words, const char *text, struct arena *arena);

void words_release(struct words *words);

/** Find the file of a program. Search a name without a slash in PATH. Return false if the file is
 * not found; the content of `path` is then undefined. */
bool process_find(const char *name, struct buf *path);

/** Report the command line of a program as a note, quoted as a shell needs it. */
void process_note(char *const *words, struct diag *diag);

/** Initialise the attributes of a program to start, with `flags` of posix_spawnattr_setflags().
 * This program ignores some signals, but most programs expect their default action, so restore it.
 */
void process_init_attributes(posix_spawnattr_t *attributes, short flags);

/** Start the program that the first word names. A name without a slash is searched in PATH. `pipes`
 * has values of enum process_pipes. Return 0, or -1 after diag_error(). Call process_wait() in both
 * cases. */
int process_start(struct process *process, char *const *words, unsigned pipes, struct diag *diag);

/** Write `input` to the program and append its output to `output`, until the program closes its
 * output. If the program does not read all of its input, this is not an error. Return 0 or an
 * errno. The errno is ETIMEDOUT if a signal asked for the end (stop.h) and the program makes no
 * progress or takes too long. */
int process_exchange(struct process *process, struct str input, struct buf *output);

/** Close the pipes and wait until the program ends. Return the program's exit status, or 128 plus
 * the number of the signal that ended the program. If no program was started, return 0. If a signal
 * asked this process to end (stop.h) and the program makes no progress or takes too long, kill the
 * program. If the program cannot be killed, leave it running. */
int process_wait(struct process *process);
