/**
 * The functions that users wrote, in processes that run an interpreter: Python, Perl and others.
 * The stacks are read from outside, while the process runs. Nothing in it is changed.
 *
 * Any thread may call these functions.
 */
#ifndef INFERNO_SCRIPT_SCRIPTS_H
#define INFERNO_SCRIPT_SCRIPTS_H

#include "base/str.h"
#include "script/language.h"

struct scripts;

/** What becomes known about interpreters. */
struct scripts_listener {
	// A name got the next number, from 0 on.
	void (*named)(void *context, struct str name);
	// A process runs an interpreter of this version, or, if it is not known, of one that is not
	// read.
	void (*found)(void *context, int32_t pid, struct str version, bool known);
	// Reading the memory of a process was not permitted.
	void (*refused)(void *context, int32_t pid, int problem);
	void *context;
};

/** Make an empty table of processes. The listener is copied; it is called with a lock held.
 * `debuginfod` allows asking servers for missing debug files. */
struct scripts *scripts_new(const struct scripts_listener *listener, bool lines, bool debuginfod);

/** Return the language at `i`; NULL after the last. */
const struct script_language *scripts_language(size_t i);

/** Find out whether a process runs an interpreter. */
void scripts_look(struct scripts *scripts, int32_t pid);

/** Do so if a file that a process has mapped may have one. */
void scripts_look_at(struct scripts *scripts, int32_t pid, struct str path);

/** Note that a process has a child, which has the same memory. */
void scripts_fork(struct scripts *scripts, int32_t pid, int32_t child);

/** Forget a process that has ended or becomes another program. In that case, the next file that it
 * maps is looked at whatever its name is. */
void scripts_forget(struct scripts *scripts, int32_t pid, bool starts);

/** Return whether the stacks of a process are read. */
bool scripts_reads(struct scripts *scripts, int32_t pid);

/** Read the stack of a thread at a time. Set `language` to its number. */
enum script_state scripts_read(struct scripts *scripts, int32_t pid,
			       const struct script_thread *thread, uint64_t now,
			       struct script_stack *stack, unsigned *language);

void scripts_free(struct scripts *scripts);

#endif
