/**
 * The stacks of script functions in processes that run an interpreter of Python, Perl or another
 * language. A stack is read from outside its process, while the process runs. Nothing in the
 * process is changed.
 *
 * Any thread may call these functions.
 */
#pragma once

#include "base/str.h"
#include "script/language.h"

struct scripts;

/** Functions that are called when something about an interpreter was found. */
struct scripts_listener {
	// A new name was found. The numbers of names are 0, 1, 2 and so on, in the order of these
	// calls.
	void (*named)(void *context, struct str name);
	// A process runs an interpreter of this version. If the version is not known, the
	// interpreter is not read.
	void (*found)(void *context, int32_t pid, struct str version, bool known);
	// Reading the memory of a process was not permitted.
	void (*refused)(void *context, int32_t pid, int problem);
	void *context;
};

/** Make an empty table of processes. The listener is copied. Its functions are called while a lock
 * of the table is held. `debuginfod` allows requests to servers for missing debug files. */
struct scripts *scripts_new(const struct scripts_listener *listener, bool lines, bool debuginfod);

/** Return the language with the index `i`; or NULL after the last language. */
const struct script_language *scripts_language(size_t i);

/** Find out whether a process runs an interpreter. */
void scripts_look(struct scripts *scripts, int32_t pid);

/** If the file at `path`, which a process has mapped, may contain an interpreter, find out whether
 * the process runs this interpreter. */
void scripts_look_at(struct scripts *scripts, int32_t pid, struct str path);

/** Remember that a process has a new child process. The child starts with a copy of the process's
 * memory. */
void scripts_fork(struct scripts *scripts, int32_t pid, int32_t child);

/** Forget a process that has ended or becomes another program. After the process becomes another
 * program, the next file that it maps is searched for an interpreter, whatever the name of the
 * file. */
void scripts_forget(struct scripts *scripts, int32_t pid, bool starts);

/** Return whether the stacks of a process are read. */
bool scripts_reads(struct scripts *scripts, int32_t pid);

/** Read the stack of a thread for a sample that was taken at the time `now`. Set `language` to the
 * number of the stack's language. */
enum script_state scripts_read(struct scripts *scripts, int32_t pid,
			       const struct script_thread *thread, uint64_t now,
			       struct script_stack *stack, unsigned *language);

void scripts_free(struct scripts *scripts);
