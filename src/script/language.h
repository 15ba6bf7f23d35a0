/** The interface of a language. Its functions recognise the language's interpreter in a process,
 * and read the stack of a thread from outside the process. NAME.c defines language_NAME, and is
 * listed in src/meson.build. In these files, functions that return a bool and say nothing about it
 * return false if memory cannot be read or is not as expected. */
#pragma once

#include "base/str.h"
#include "script/remote.h"
#include "symbols/members.h"

enum { LANGUAGE_GLOBALS = 48, LANGUAGE_MEMBERS = 48, SCRIPT_DEPTH_MOST = 4096 };

/** The completeness of a stack that was read. */
enum script_state {
	SCRIPT_NONE,     // no function of the language was found in the thread
	SCRIPT_EXACT,    // the stack is from the time of the sample
	SCRIPT_SNAPSHOT, // the stack is complete, but may be some microseconds younger than the
			 // sample
	SCRIPT_TORN,     // the stack changed while it was read, or is invalid
};

/** Flags of a frame. */
enum {
	SCRIPT_ENTRY = 1,  // the interpreter's loop was entered for this function
	SCRIPT_RETURN = 2, // not a function: the functions before this frame return to this address
			   // of the native stack
	// from this bit on: the high half of the address; `name` is the low half
	SCRIPT_RETURN_AT = 16,
};

struct script_frame {
	uint32_t name; // number of the name, or the low half of an address
	uint32_t flags;
};

/** Whether a thread holds the interpreter's lock (the GIL), so that no other thread can run
 * functions of the language. */
enum script_lock { SCRIPT_LOCK_UNKNOWN, SCRIPT_LOCK_HELD, SCRIPT_LOCK_NOT_HELD };

/** A stack, innermost frame first. */
struct script_stack {
	struct script_frame *frames; // frames, with room for SCRIPT_DEPTH_MOST
	size_t n;
	bool cut;              // whether there are more frames
	enum script_lock lock; // whether the thread holds the lock
};

/** Add a return address on the native stack: the functions added before it return to this address.
 * This is for languages that generate machine code. */
static inline void script_stack_add_return(struct script_stack *stack, uint64_t address) {
	const unsigned half = 32;
	stack->frames[stack->n++] = (struct script_frame){
		.name = (uint32_t)address,
		.flags = SCRIPT_RETURN | (uint32_t)(address >> half) << SCRIPT_RETURN_AT};
}

/** A process with an interpreter. */
struct script_process {
	struct remote remote;
	struct str path;                    // path of the file that contains the interpreter
	uint64_t globals[LANGUAGE_GLOBALS]; // addresses of the symbols that the language lists in
					    // `globals`; 0: the symbol is missing
	bool has_offsets; // whether debug information gave the offsets of the language's members
	uint32_t offsets[LANGUAGE_MEMBERS];
	uint64_t now; // time of the current sample, in nanoseconds
	bool lines;   // whether names have the current line
	void *state;  // state of the language
	// Return the number of a name, adding the name if it is new.
	uint32_t (*name)(void *context, struct str text);
	void *context;
};

/** Registers of the processor, by the numbers that perf has for them. */
enum {
#if defined(__aarch64__)
	SCRIPT_FP = 29,
	SCRIPT_SP = 31,
	SCRIPT_PC = 32,
#else
	SCRIPT_FP = 6,
	SCRIPT_SP = 7,
	SCRIPT_PC = 8,
#endif
	SCRIPT_REGISTERS = 33,
};

/** A sampled thread, with its registers and the copy of its stack. */
struct script_thread {
	int32_t tid;
	bool has_registers;                   // whether the sample has the two members below
	uint64_t registers[SCRIPT_REGISTERS]; // registers of the program, by perf's numbers
	struct str copy;                      // copy of the stack, from the stack pointer upwards
};

struct script_language {
	const char *name;           // "python"
	const char *title;          // "Python"
	const char *const *files;   // parts of the names of files that may contain the interpreter
	const char *const *globals; // names of the interpreter's symbols; the first one exists in
				    // every version
	const char *const *loops;   // native functions that run functions of the language
	// Native functions to leave out, if they are between functions of `loops`; a `*` at the end
	// of a name stands for any text.
	const char *const *glue;
	const char *const *locks;  // native functions that wait for the lock of the interpreter, or
				   // NULL; a `*` as in `glue`
	const char *const *sleeps; // native functions of other libraries, or NULL; they wait for
				   // the lock only if the interpreter calls them from its loop
	const struct layout_member
		*members;    // members of the interpreter's structs, or NULL; open() needs their
			     // offsets if it does not know the version
	bool makes_code;     // the interpreter compiles functions to machine code
	bool hides_nameless; // nameless functions of the interpreter are hidden, because it exports
			     // few of its functions
	bool runs_threads;   // the functions that start the interpreter's threads are hidden

	/** Find the version of the interpreter, add it to `version`, and set `state`. Return false
	 * if the version is not known. If it is not known, but debug information has the offsets of
	 * the language's `members`, this function is called again with these offsets. */
	bool (*open)(struct script_process *process, struct buf *version);

	/** Read the stack of a thread. Return SCRIPT_SNAPSHOT if the stack is complete, or
	 * SCRIPT_EXACT if it was read only from the copy of the stack. */
	enum script_state (*read)(struct script_process *process,
				  const struct script_thread *thread, struct script_stack *stack);

	/** Release `state`. */
	void (*close)(struct script_process *process);
};
