/** Compute the counts of the instructions of a function. Code in src/analysis may not depend on
 * src/symbols, which reads program files. For `inferno report`, src/commands therefore passes in a
 * struct code_reader. */
#pragma once

#include "analysis/site_sums.h"

struct instruction {
	uint64_t address; // address as in the sites of the profile
	uint64_t shown;   // address as other tools print it
	struct str text;
	struct str file; // source file; empty: not known
	uint32_t line;
	uint64_t self; // count of the stacks that end in this instruction
};

struct machine_code {
	struct instruction *items;
	size_t n;
	struct str function; // function that contains the address; another function if the wanted
			     // function is inlined
};

/** Functions that read machine code, and fetch sources. */
struct code_reader {
	void *context;
	/** Find the instructions of the function at an address of a file. The instructions are
	 * valid as long as the reader. Return NULL, or the reason why the function has no
	 * instructions. */
	const char *(*read)(void *context, struct str file, struct str build_id, uint64_t address,
			    struct machine_code *code);
	/** Fetch a source file of the program with a build-id, and put the path of the copy into
	 * `path`. Return false if no server has the source file. If this pointer is NULL, no
	 * sources are fetched. */
	bool (*fetch_source)(void *context, struct str source, struct str build_id,
			     struct buf *path);
};

/** The address at which most of a function's samples are. */
struct hot_address {
	uint32_t module; // module in the sites; 0: no address is known
	uint64_t address;
	uint64_t self; // count of the stacks that end at this address; 0: the function only calls
		       // other functions
};

/** Find the hottest address of the function with this name. */
struct hot_address instructions_find(const struct view *view, uint32_t name);

/** Set the self counts of instructions, which are in the order of their addresses. Return the sum
 * of the counts. */
uint64_t instructions_count(const struct view *view, uint32_t module, struct machine_code *code);
