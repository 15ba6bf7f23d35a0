/**
 * Records of script stacks: the stacks of script functions that the recorder read from processes
 * with an interpreter. These records have the type READ, and are marked by a bit. Other readers of
 * recordings do not use the contents of READ records.
 */
#ifndef INFERNO_PERFDATA_SCRIPTED_H
#define INFERNO_PERFDATA_SCRIPTED_H

#include "perf/data/cursor.h"

enum scripted_kind {
	SCRIPTED_LANGUAGE, // lines: the name of the language; then lines that begin with L, G, W or
			   // S and name functions of the interpreter; then J if the interpreter
			   // makes code
	SCRIPTED_NAME,     // the value is the number of a name
	SCRIPTED_FOUND,    // a process runs this interpreter; the value says whether the process's
			   // script stacks are read
	SCRIPTED_REFUSED,  // the reason why a process may not be read
	SCRIPTED_STACK,    // the stack of the next sample of a thread, taken at the same time
	SCRIPTED_LEFT_OUT, // how many samples were left out, the reason, and the remedy
	SCRIPTED_KINDS,
};

/** The completeness of a stack, as in enum script_state. */
enum scripted_state { SCRIPTED_EXACT, SCRIPTED_SNAPSHOT, SCRIPTED_TORN, SCRIPTED_STATES };

/** Flags of a frame. A frame with SCRIPTED_RETURN is not a function, but an address of the native
 * stack to which the functions before it return. The name of such a frame is the low half of the
 * address, and the flags from SCRIPTED_RETURN_AT on are the rest. */
enum { SCRIPTED_ENTRY = 1, SCRIPTED_RETURN = 2, SCRIPTED_RETURN_AT = 16 };

enum { SCRIPTED_LANGUAGE_AT = 8 };

/** Flags of a stack. They say whether the stack has more frames than recorded, and whether the
 * thread holds the lock of the interpreter. If neither of the last two flags is set, it is not
 * known whether the thread holds the lock. */
enum { SCRIPTED_CUT = 1, SCRIPTED_LOCK_HELD = 2, SCRIPTED_LOCK_NOT_HELD = 4 };

/** A record. */
struct scripted {
	enum scripted_kind kind;
	int32_t pid, tid;
	uint64_t time;
	uint32_t value; // for a stack: its state, and from the bit SCRIPTED_LANGUAGE_AT on, its
			// language
	struct str text;
	struct cursor stack; // number of frames, and flags of the stack; then the name and the
			     // flags of each frame, innermost first
};

/** Read the body of a record. Return false if the body is damaged. */
bool scripted_read(struct cursor *body, struct scripted *scripted);

#endif
