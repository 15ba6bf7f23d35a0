/**
 * Addresses as frames, for formats that have addresses and the mappings of their process. Symbols
 * are read from the mapped files. Each distinct address is looked up only once.
 */
#pragma once

#include "collapse/collapser.h"
#include "profile/ids.h"

struct native_options {
	bool no_inline, addrs;
	const char *symfs, *debug_dir;
};

/** Rows for a table of options. `field` of `owner` is a struct native_options. */
#define NATIVE_OPTION_ROWS(owner, field)                                                         \
	{OPT_IS_BOOL(owner, field.addrs), .name = "addrs", .group = "Names of addresses",        \
	 .help = "show the address of frames without a symbol"},                                 \
		{OPT_IS_BOOL(owner, field.no_inline), .name = "no-inline",                       \
		 .group = "Names of addresses",                                                  \
		 .help = "leave out functions that the compiler inlined"},                       \
		{OPT_IS_PATH(owner, field.symfs), .name = "symfs", .value = "FOLDER",            \
		 .group = "Names of addresses",                                                  \
		 .help = "look for programs and libraries below this folder"},                   \
	{                                                                                        \
		OPT_IS_TEXT(owner, field.debug_dir), .name = "debug-dir", .value = "FOLDERS",    \
						     .group = "Names of addresses",              \
						     .help = "look for debug files in these "    \
							     "folders as well, separated by ':'" \
	}

/** A mapping in the memory of a process. */
struct native_mapping {
	// first address, address after the last one, offset in the file
	uint64_t start, end, offset;
	struct str file;     // path of the file, or a name such as [vdso]; empty: not known
	struct str build_id; // hexadecimal digits; empty: not known
};

#define NATIVE_NO_MAPPING SIZE_MAX

struct native;

/** Make an empty table of mappings. The options and the run are borrowed. Each option may be zero,
 * which is its default. */
struct native *native_new(const struct native_options *options, struct run *run);

/** Drop the mappings and addresses of an input. The mapped files stay open. */
void native_clear(struct native *native);

void native_free(struct native *native);

/** Add a mapping. Its texts are copied. Return its index. */
size_t native_map(struct native *native, const struct native_mapping *mapping);

/** Add the mapping in a line of /proc/PID/maps, or in a line such as `00400000-00fcb000: FILE` or
 * `400000-800000 FILE (@FF00) BUILDID`. Return false for any other line. */
bool native_map_line(struct native *native, struct str line);

/** Cut a hexadecimal number, with or without 0x, off the front of a text. Return false if there is
 * no number, or if the number has more than 64 bits. */
bool native_take_hex(struct str *text, uint64_t *number);

/** Return the index of the mapping that contains an address. If no mapping contains the address,
 * but the missing start of the next mapping's file would contain it, return the index of the next
 * mapping. Otherwise, return NATIVE_NO_MAPPING. */
size_t native_find(struct native *native, uint64_t address);

/** An address in a stack. */
struct native_address {
	uint64_t address;
	size_t mapping; // index of its mapping, or NATIVE_NO_MAPPING
	bool is_return; // whether it is a return address; if so, the address before it is looked up
};

/** Fill in the module of a site, and the address in that module. */
void native_set_module(struct native *native, struct native_address at, struct site *site);

/** Add the frames of an address, outermost first. An address without symbols is one frame: `[FILE]`
 * or `[unknown]`, or with the option `addrs` `[FILE <12ab>]`. */
void native_frames(struct native *native, struct native_address at, struct ids *frames);

/** Print, with --verbose, the number of addresses without symbols. Return 0, or -1 if the run must
 * end. */
int native_report(struct native *native);
