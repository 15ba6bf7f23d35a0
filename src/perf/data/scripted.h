/**
 * Read the records of script stacks: the stacks of script functions that the recorder has read from
 * processes with an interpreter. These records have the type READ and a special bit in `misc`.
 * Programs such as perf ignore the contents of READ records.
 */
#pragma once

#include "perf/data/cursor.h"

enum scripted_kind {
	SCRIPTED_LANGUAGE, // several lines: the name of the language, then native functions of the
			   // interpreter, each after a letter for its role (L, G, W or S), and
			   // traits of the language (J, T or N)
	SCRIPTED_NAME,     // the value is the number of a name
	SCRIPTED_FOUND,    // a process runs this interpreter; the value says whether the process's
			   // script stacks are read
	SCRIPTED_REFUSED,  // the reason why the memory of a process may not be read
	SCRIPTED_STACK,    // the script stack for the next sample of a thread; both have the same
			   // time
	SCRIPTED_LEFT_OUT, // how many samples were left out, the reason, and the remedy
	SCRIPTED_KINDS,
};

/** The completeness of a stack, as in enum script_state. */
enum scripted_state { SCRIPTED_EXACT, SCRIPTED_SNAPSHOT, SCRIPTED_TORN, SCRIPTED_STATES };

/** Flags of a frame. A frame with SCRIPTED_RETURN is not a function, but the native address to
 * which the functions before it return. The name of such a frame is the low half of the address.
 * The flags from the bit SCRIPTED_RETURN_AT on are the high half. */
enum { SCRIPTED_ENTRY = 1, SCRIPTED_RETURN = 2, SCRIPTED_RETURN_AT = 16 };

enum { SCRIPTED_LANGUAGE_AT = 8 };

/** Flags of a stack. SCRIPTED_CUT: the stack has more frames than were recorded. The other flags
 * say whether the thread holds the lock of the interpreter. If both are unset, this is not
 * known. */
enum { SCRIPTED_CUT = 1, SCRIPTED_LOCK_HELD = 2, SCRIPTED_LOCK_NOT_HELD = 4 };

struct scripted {
	enum scripted_kind kind;
	int32_t pid, tid;
	uint64_t time;
	uint32_t value; // for a stack: its state; from the bit SCRIPTED_LANGUAGE_AT on, its
			// language
	struct str text;
	struct cursor stack; // the number of frames and the flags of the stack; then the name and
			     // the flags of each frame, innermost first
};

/** Read the body of a record. Return false if the body is damaged. */
bool scripted_read(struct cursor *body, struct scripted *scripted);
