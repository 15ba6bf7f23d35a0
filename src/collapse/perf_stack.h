/**
 * Stack lines of `perf script`, and the names of their frames.
 *
 * Everything here runs once for each distinct line, so the rules may be plain. Only
 * perf_has_plain_address() is for every line.
 */
#ifndef INFERNO_PERF_STACK_H
#define INFERNO_PERF_STACK_H

#include "collapse/memo.h"

/** A stack line: "ADDRESS FUNCTION+0xOFFSET (MODULE)". */
struct perf_stack_line {
	struct str address, function, module;
};

/** Take a stack line apart that has all its parts; false if it has not, or more digits than an
 * address. */
bool perf_stack_split(struct str line, struct perf_stack_line *parts);

/** The same, where perf was not asked for the function or the module: it is empty then. Unless it
 * comes after an event, such a line must have an ordinary address. */
bool perf_stack_split_part(struct str line, bool after_event, struct perf_stack_line *parts);

/** Return the stack line in the text that follows an event, without the columns around it; empty
 * if there is none. */
struct str perf_stack_in(struct str payload);

/** Columns of an ordinary stack line: a tab, the address right-aligned, a blank, the function. */
enum { PERF_ADDRESS_COLUMNS = 16, PERF_AFTER_ADDRESS = 1 + PERF_ADDRESS_COLUMNS + 1 };

/** Return whether a word may be an address: hexadecimal digits, not too many. */
static inline bool perf_is_address(struct str word) {
	return word.n > 0 && word.n <= PERF_ADDRESS_COLUMNS && str_all_hex(word);
}

/** The highest bit of each of eight bytes that is no blank; they are letters, digits and such. */
static inline uint64_t perf_not_blank(uint64_t bytes) {
	const uint64_t all = UINT64_C(0x0101010101010101);
	return ((bytes & 0x5f * all) + 0x7f * all) & 0x80 * all;
}

/**
 * Whether `text`, which may go on after its line, starts with an ordinary address: a word without
 * capitals in 16 columns, right-aligned, after one tab and before a blank.
 */
static inline bool perf_has_plain_address(struct str text) {
	if (text.n < PERF_AFTER_ADDRESS || text.p[0] != '\t' ||
	    text.p[PERF_AFTER_ADDRESS - 1] != ' ') {
		return false;
	}
	const uint64_t all = UINT64_C(0x0101010101010101);
	uint64_t left = load_u64(text.p + 1),
		 right = load_u64(text.p + 1 + PERF_ADDRESS_COLUMNS / 2);
	// 0x20 to 0x3f or 0x60 to 0x7f, of which only the blank has no other bit.
	uint64_t others = ((left ^ 0x20 * all) | (right ^ 0x20 * all)) & 0xa0 * all;
	uint64_t first = perf_not_blank(left), second = perf_not_blank(right);
	// After what is no blank comes none.
	uint64_t gaps = (first << 8 & ~first) | ((second << 8 | first >> 56) & ~second);
	return others == 0 && gaps == 0 && second != 0;
}

/** What a line that is no stack line may be. */
enum perf_other {
	PERF_WEIRD,
	PERF_SOURCE,  // what the fields srcline and srccode print: "  main.c:12", "|12  int x;"
	PERF_COLUMNS, // what other fields print after the stack, which ends it: " insn: 48 8b 01"
	PERF_INSTRUCTION, // what brstackinsn prints
};

/** Tell what a line is that is no stack line. */
enum perf_other perf_other_of(struct str line);

/** Return the source that a line names: the file and the line, or the library; empty if it is not
 * known. */
struct str perf_source_of(struct str line);

/** The options that decide what frames are called. */
struct perf_naming {
	bool addrs, jit, kernel, by_package;
};

/** What names are made with. Zero-initialise all but `options` and `profile`. */
struct perf_names {
	struct perf_naming options;
	struct profile *profile;
	struct ids lists;
	struct buf name, scratch;
};

/** Return the name of a function as perf printed it, less what no name has: its offset, and a hash
 * of Rust's. Good until the next call. */
struct str perf_raw_name(struct perf_names *names, const struct perf_stack_line *line);

bool perf_is_kernel_module(struct str module);

/** Return what a stack line means: the frames of a function with this raw name. `java`: the process
 * is Java. */
struct meaning perf_name_line(struct perf_names *names, const struct perf_stack_line *line,
			      struct str raw, bool java);

/** Add the name of an unknown function's frame with its address to a text. */
void perf_address_text(struct buf *text, struct str name, struct str address);

/** Return the id of a frame of an unknown function whose name shows its address as well. */
uint32_t perf_add_address(struct perf_names *names, uint32_t frame, struct str address);

/** Return the id of a frame whose name shows its source as well. */
uint32_t perf_add_source(struct perf_names *names, uint32_t frame, struct str source);

void perf_names_release(struct perf_names *names);

#endif
