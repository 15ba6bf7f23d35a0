/**
 * Read the stack lines of `perf script`, and make the names of frames.
 *
 * These functions run once for each distinct line, so they need not be fast. Only
 * perf_has_plain_address() runs for every line.
 */
#pragma once

#include "base/opt.h"
#include "profile/meaning.h"

/** A frame from a stack line or from a recording. */
struct perf_frame {
	struct str function; // name of the function, with the offset if perf prints it;
			     // "[unknown]": no name
	struct str module;   // the file, or a word in place of a file
	// address in hexadecimal digits; for a recording, it is set only if names show addresses
	struct str address;
	bool inlined; // the function is inlined into the next frame
	bool kernel;
};

/** Determine from the module of a frame whether the frame is in the kernel, and whether it is
 * inlined. */
void perf_frame_set_module(struct perf_frame *frame, struct str module);

/** Split a stack line, "ADDRESS FUNCTION+0xOFFSET (MODULE)", that has all parts. Return false if a
 * part is missing, or if the address has too many digits. */
bool perf_stack_split(struct str line, struct perf_frame *parts);

/** Split a stack line in which the function or the module may be missing, because perf's options
 * left out a field. If both are missing, the line must have an ordinary address, unless
 * `after_event` is set. */
bool perf_stack_split_part(struct str line, bool after_event, struct perf_frame *parts);

/**
 * Remove the offset from `text`, which is the text after the address of an ordinary stack line:
 * "FUNCTION+0xOFFSET (MODULE)". The meaning of the line does not depend on the offset. Return the
 * result, which is in `scratch`. Return an empty text for any other line.
 */
struct str perf_without_offset(struct str text, struct buf *scratch);

/** Return the stack line in the text after an event, without other columns. If there is no stack
 * line, return an empty text. */
struct str perf_stack_in(struct str payload);

/** Widths in an ordinary stack line: a tab, the right-aligned address, a blank, and the
 * function. */
enum { PERF_ADDRESS_COLUMNS = 16, PERF_AFTER_ADDRESS = 1 + PERF_ADDRESS_COLUMNS + 1 };

/** Return whether a word may be an address: up to 16 hexadecimal digits. */
static inline bool perf_is_address(struct str word) {
	return word.n > 0 && word.n <= PERF_ADDRESS_COLUMNS && str_all_hex(word);
}

/** Return a word in which the highest bit of each byte is set if this byte of `bytes` is not a
 * blank. The bytes must be printable ASCII characters. */
static inline uint64_t perf_not_blank(uint64_t bytes) {
	const uint64_t all = UINT64_C(0x0101010101010101);
	return ((bytes & 0x5f * all) + 0x7f * all) & 0x80 * all;
}

/** Return whether `text` starts with an ordinary address: a word without capitals, right-aligned in
 * 16 columns, after one tab and before a blank. `text` may continue after its first line. */
static inline bool perf_has_plain_address(struct str text) {
	if (text.n < PERF_AFTER_ADDRESS || text.p[0] != '\t' ||
	    text.p[PERF_AFTER_ADDRESS - 1] != ' ') {
		return false;
	}
	const uint64_t all = UINT64_C(0x0101010101010101);
	uint64_t left = load_u64(text.p + 1),
		 right = load_u64(text.p + 1 + PERF_ADDRESS_COLUMNS / 2);
	// Test that all bytes are from 0x20 to 0x3f or from 0x60 to 0x7f. Among such bytes, only
	// the blank has no bits in the mask 0x5f.
	uint64_t others = ((left ^ 0x20 * all) | (right ^ 0x20 * all)) & 0xa0 * all;
	uint64_t first = perf_not_blank(left), second = perf_not_blank(right);
	// Test that no blank follows a byte that is not a blank.
	uint64_t gaps = (first << 8 & ~first) | ((second << 8 | first >> 56) & ~second);
	return others == 0 && gaps == 0 && second != 0;
}

/** Kinds of lines that are not stack lines. */
enum perf_other {
	PERF_WEIRD,
	PERF_SOURCE,      // printed by the fields srcline and srccode: "  main.c:12", "|12  int x;"
	PERF_COLUMNS,     // printed by other fields; the end of the stack: " insn: 48 8b 01"
	PERF_INSTRUCTION, // printed by the field brstackinsn
};

/** Return the kind of a line that is not a stack line. */
enum perf_other perf_other_of(struct str line);

/** Return the source that a line names: the file and the line, or the library. If it is not known,
 * return an empty text. */
struct str perf_source_of(struct str line);

/** The options for the names of frames. */
struct perf_naming {
	bool addrs, jit, kernel, by_package;
	const struct opt_list *skip_after; // functions whose callers are left out
};

/** The state of making names. Set `options` and `profile`, and zero all other members. */
struct perf_names {
	struct perf_naming options;
	struct profile *profile;
	struct ids lists;
	struct buf name, scratch;
};

/** With --by-package: the kind of the meaning of a frame in the idle loop. */
enum { MEANS_IDLE = MEANS_OTHER };

/** Marks of meanings. */
enum {
	PERF_ENDS_STACK = 1, // the callers are left out
	// the name of the frame shows its address; the id stands for the name without the address
	PERF_SHOWS_ADDRESS = 2,
};

/** Return the meaning of a frame. `java` says whether the process is a Java process. */
struct meaning perf_name_frame(struct perf_names *names, const struct perf_frame *frame, bool java);

/** Append to `text` the name of a frame of an unknown function, with its address. */
void perf_address_text(struct buf *text, struct str name, struct str address);

/** Return the id of a frame of an unknown function whose name shows its address. */
uint32_t perf_add_address(struct perf_names *names, uint32_t frame, struct str address);

/** Give the frames of a meaning the details of `site`. The profile must keep sites. The innermost
 * frame gets all details. The frames into which it is inlined get only the module, the address and
 * the kind. */
void perf_add_site(struct perf_names *names, struct meaning *meaning, const struct site *site);

/** Return a site with the module of a frame, but without a name. */
struct site perf_site_of(struct perf_names *names, const struct perf_frame *frame,
			 struct str build_id);

/** Return the id of a frame with a source such as "main.c:12" as a detail. If `show` is true, add
 * the source to the frame's name, too. */
uint32_t perf_set_source(struct perf_names *names, uint32_t frame, struct str source, bool show);

/** Return the id of a frame whose name shows its source. */
uint32_t perf_add_source(struct perf_names *names, uint32_t frame, struct str source);

void perf_names_release(struct perf_names *names);
