/**
 * The functions of scripts, in processes that run an interpreter of Python, Perl or another
 * language. The stacks are read from outside, while the process runs, and nothing in the process is
 * changed.
 *
 * Any thread may call these functions.
 */
#ifndef INFERNO_SCRIPT_SCRIPTS_H
#define INFERNO_SCRIPT_SCRIPTS_H

#include "base/str.h"
#include "script/language.h"

struct scripts;

/** A listener to the findings about interpreters. */
struct scripts_listener {
	// A name got the next number, from 0 on.
	void (*named)(void *context, struct str name);
	// A process runs an interpreter of this version. If the version is not known, the
	// interpreter is not read.
	void (*found)(void *context, int32_t pid, struct str version, bool known);
	// Reading the memory of a process was not permitted.
	void (*refused)(void *context, int32_t pid, int problem);
	void *context;
};

/** Make an empty table of processes. The listener is copied, and its functions are called while a
 * lock is held. `debuginfod` allows requests to servers for missing debug files. */
struct scripts *scripts_new(const struct scripts_listener *listener, bool lines, bool debuginfod);

/** Return the language with the index `i`; or NULL after the last language. */
const struct script_language *scripts_language(size_t i);

/** Find out whether a process runs an interpreter. */
void scripts_look(struct scripts *scripts, int32_t pid);

/** Find out whether a process runs an interpreter, if a file that it has mapped may contain one. */
void scripts_look_at(struct scripts *scripts, int32_t pid, struct str path);

/** Note that a process has a child, which has the same memory. */
void scripts_fork(struct scripts *scripts, int32_t pid, int32_t child);

/** Forget a process that has ended or becomes another program. After the process becomes another
 * program, the next file that it maps is searched for an interpreter, whatever the name of the
 * file. */
void scripts_forget(struct scripts *scripts, int32_t pid, bool starts);

/** Return whether the stacks of a process are read. */
bool scripts_reads(struct scripts *scripts, int32_t pid);

/** Read the stack of a thread for a sample that was taken at a given time. Set `language` to the
 * number of the stack's language. */
enum script_state scripts_read(struct scripts *scripts, int32_t pid,
			       const struct script_thread *thread, uint64_t now,
			       struct script_stack *stack, unsigned *language);

void scripts_free(struct scripts *scripts);

#endif
