/**
 * The script stacks of a recording, and the native functions of interpreters, which script
 * functions replace in stacks. The recorder reads script stacks from processes that run an
 * interpreter. In the recording, each script stack comes before its sample.
 */
#ifndef INFERNO_PERF_INTERPRETED_H
#define INFERNO_PERF_INTERPRETED_H

#include "base/intern.h"
#include "perf/data/scripted.h"
#include "profile/profile.h"

/** The role of a native function for the script. */
enum interpreted_role {
	ROLE_NONE,
	ROLE_LOOP,  // it runs functions of a language
	ROLE_GLUE,  // it is between functions with ROLE_LOOP, and is left out
	ROLE_MADE,  // it is in code that a runtime made
	ROLE_LOCK,  // it waits for the lock of the interpreter
	ROLE_SLEEP, // it waits for the lock of the interpreter, but only if all functions between
		    // it and the interpreter's loop are nameless
};

/** A function of a script. */
struct interpreted_frame {
	uint32_t name;       // number of its name
	bool is_entry;       // whether the interpreter's loop was entered for it
	uint64_t returns_to; // if not 0: this entry is not a function, but the address to which the
			     // functions before it return
};

/** A stack, innermost frame first. */
struct interpreted_stack {
	int32_t pid, tid;
	uint64_t time;
	enum scripted_state state;
	uint32_t language;
	bool waits; // whether the sample of this stack has not come yet
	bool cut;
	bool has_lock, lacks_lock; // whether the thread holds the lock, or does not hold it; both
				   // false: not known
	struct interpreted_frame *frames;
	size_t n, capacity;
};

/** A zeroed struct is empty. */
struct interpreted {
	struct intern roles; // names of functions; the value is the role
	// names of script functions, in the order of their numbers; the value is 1 + the id of the
	// frame
	struct intern names;
	struct intern starts;    // starts of function names; the value is the role of all functions
				 // whose names begin so
	struct intern images;    // numbers of the files with interpreters
	struct intern languages; // names of languages, in the order of their numbers
	struct interpreted_stack *stacks;
	size_t stacks_n, stacks_capacity;
	struct intern found;   // versions of interpreters that are read; the value is the number of
			       // processes
	struct intern unknown; // versions of interpreters that are not read
	struct intern counted; // pairs of a process and a version that were counted
	struct buf refused;    // reasons why processes may not be read
	struct buf left_out;   // how many samples were left out, and why
	uint64_t counts[SCRIPTED_STATES];
};

/** Process a record. */
void interpreted_take(struct interpreted *interpreted, const struct scripted *scripted);

/** Return the script stack of a sample; or NULL if no stack was read. The stack is valid until the
 * next record. */
const struct interpreted_stack *interpreted_find(struct interpreted *interpreted, int32_t tid,
						 uint64_t time);

/** Return the id of the frame with a name. */
uint32_t interpreted_frame_id(struct interpreted *interpreted, struct profile *profile,
			      uint32_t name);

/** Return the role of a native function. */
enum interpreted_role interpreted_role(const struct interpreted *interpreted, struct str function);

/** Note that a file contains an interpreter (interpreted_note_image), or return whether this was
 * noted (interpreted_has_image). `image` is the number of the file in struct quality. */
static inline void interpreted_note_image(struct interpreted *interpreted, uint64_t image) {
	intern_get(&interpreted->images, &image, sizeof(image));
}

static inline bool interpreted_has_image(const struct interpreted *interpreted, uint64_t image) {
	return intern_find(&interpreted->images, &image, sizeof(image)) != NULL;
}

/** Traits of a language. Each trait is a bit. */
enum {
	TRAIT_MAKES_CODE = 1,     // its functions are in code that its runtime makes
	TRAIT_RUNS_THREADS = 2,   // the functions that start its interpreter's threads are left out
	TRAIT_HIDES_NAMELESS = 4, // functions of its interpreter without names are left out
};

/** Return the traits of a language. */
unsigned interpreted_traits(const struct interpreted *interpreted, uint32_t language);

/** Return the name of a language. */
struct str interpreted_language(const struct interpreted *interpreted, uint32_t number);

/** Add a phrase with the interpreters and the quality of their stacks. Without interpreters, add
 * nothing. */
void interpreted_format(const struct interpreted *interpreted, struct buf *text);

/** Add a phrase that names the interpreters that could not be read, and says why. If all
 * interpreters were read, add nothing. */
void interpreted_format_problems(const struct interpreted *interpreted, struct buf *text);

void interpreted_release(struct interpreted *interpreted);

#endif
