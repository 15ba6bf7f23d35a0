/** Functions of V8, in the JSON of its profilers: members of `callFrame`. */
#pragma once

#include "collapse/collapser.h"
#include "collapse/json_parser.h"
#include "profile/memo.h"

/** A function that is being read. A zeroed struct is empty. */
struct v8_function {
	struct buf name, url;
	uint64_t line, column; // from 1; 0: not known
};

void v8_function_clear(struct v8_function *function);

/** Read a member of `callFrame`. Unknown members are ignored. */
void v8_function_read(struct v8_function *function, struct str key, enum json_kind kind,
		      struct str text);

/** Return the frame of the function, or a site if the profile keeps sites. A function without a
 * name is named by its file and line: `(anonymous app.js:3)`. */
uint32_t v8_function_frame(struct v8_function *function, struct run *run, struct memo *names);

void v8_function_release(struct v8_function *function);
