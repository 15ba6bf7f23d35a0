/**
 * Keep the script stacks of a recording. A script stack is a stack of functions of a script, which
 * the recorder reads from a process that runs an interpreter. In the recording, each script stack
 * comes before its sample. In the sample's stack, script functions replace the native functions of
 * the interpreter.
 */
#pragma once

#include "base/intern.h"
#include "perf/data/scripted.h"
#include "profile/profile.h"

/** The role that a native function has for a script. */
enum interpreted_role {
	ROLE_NONE,
	ROLE_LOOP,  // the function is the interpreter's loop, which runs functions of a language
	ROLE_GLUE,  // the function comes between functions with ROLE_LOOP, and is left out
	ROLE_MADE,  // the function is generated code of a runtime
	ROLE_LOCK,  // the function waits for the lock of the interpreter
	ROLE_SLEEP, // the function waits for the lock of the interpreter if all functions between
		    // it and the interpreter's loop are nameless
};

/** A function of a script. */
struct interpreted_frame {
	uint32_t name;       // number of the function's name
	bool is_entry;       // the interpreter's loop was entered for this function
	uint64_t returns_to; // not 0: this entry is not a function, but the address to which the
			     // functions before it return
};

/** A stack, innermost frame first. */
struct interpreted_stack {
	int32_t pid, tid;
	uint64_t time;
	enum scripted_state state;
	uint32_t language;
	bool waits; // the sample of this stack has not come yet
	bool cut;
	bool has_lock, lacks_lock; // the thread holds the lock of the interpreter, or does not hold
				   // it; both false: not known
	struct interpreted_frame *frames;
	size_t n, capacity;
};

/** A zeroed struct is empty. */
struct interpreted {
	struct intern roles; // keys are names of native functions; the value is the role
	// keys are names of script functions, in the order of their numbers; the value is 1 + the
	// id of the frame
	struct intern names;
	struct intern starts;    // keys are starts of names of native functions; the value is the
				 // role of all functions with this start
	struct intern images;    // numbers of the files with interpreters
	struct intern languages; // names of languages, in the order of their numbers
	struct interpreted_stack *stacks;
	size_t stacks_n, stacks_capacity;
	struct intern found;   // versions of interpreters whose stacks are read; the value is the
			       // number of processes
	struct intern unknown; // versions of interpreters whose stacks cannot be read
	struct intern counted; // pairs of a process and a version that are counted already
	struct buf refused;    // reasons why the memory of processes may not be read
	struct buf left_out;   // how many samples were left out, and why
	uint64_t counts[SCRIPTED_STATES];
};

/** Process a record about scripts. */
void interpreted_take(struct interpreted *interpreted, const struct scripted *scripted);

/** Return the script stack of a sample, or NULL if no stack was read. The stack is valid until the
 * next record. */
const struct interpreted_stack *interpreted_find(struct interpreted *interpreted, int32_t tid,
						 uint64_t time);

/** Return the id of the frame for a script function. `name` is the number of its name. */
uint32_t interpreted_frame_id(struct interpreted *interpreted, struct profile *profile,
			      uint32_t name);

enum interpreted_role interpreted_role(const struct interpreted *interpreted, struct str function);

/** Mark a file as containing an interpreter (interpreted_note_image), or return whether the file is
 * marked (interpreted_has_image). `image` is the number of the file in struct quality. */
static inline void interpreted_note_image(struct interpreted *interpreted, uint64_t image) {
	intern_get(&interpreted->images, &image, sizeof(image));
}

static inline bool interpreted_has_image(const struct interpreted *interpreted, uint64_t image) {
	return intern_find(&interpreted->images, &image, sizeof(image)) != NULL;
}

/** Traits of a language. Each trait is a bit. */
enum {
	TRAIT_MAKES_CODE = 1,     // functions of the language are generated code
	TRAIT_RUNS_THREADS = 2,   // leave out the functions that start threads of the interpreter
	TRAIT_HIDES_NAMELESS = 4, // leave out functions of the interpreter without names
};

unsigned interpreted_traits(const struct interpreted *interpreted, uint32_t language);

struct str interpreted_language(const struct interpreted *interpreted, uint32_t number);

/** Add a phrase about the interpreters and the quality of their stacks. If there were no
 * interpreters, add nothing. */
void interpreted_format(const struct interpreted *interpreted, struct buf *text);

/** Add a phrase about the interpreters whose stacks could not be read, with the reasons. If all
 * could be read, add nothing. */
void interpreted_format_problems(const struct interpreted *interpreted, struct buf *text);

void interpreted_release(struct interpreted *interpreted);
