/** Declare the functions of libdw, which inlines_open() loads, and a function that visits the units
 * of debug information. */
#pragma once

#include <elfutils/libdw.h>
#include <gelf.h>

#include "symbols/inlines.h"

/** Pointers to functions of libdw: dw.tag() is dwarf_tag(). Functions of libelf, on which libdw
 * depends, have names that begin with `elf_`. */
// clang-format off
#define LIBDW_FUNCTIONS(function) \
	function(attr) function(attr_integrate) function(begin_elf) function(child) \
	function(cu_getdwarf) function(cu_info) function(diecu) function(diename) function(end) function(errmsg) \
	function(filesrc) function(formref_die) function(formstring) function(formudata) \
	function(get_units) function(getsrc_die) function(getsrcfiles) \
	function(linecol) function(lineno) function(linesrc) function(new_oom_handler) \
	function(ranges) function(setalt) function(siblingof) function(srclang) function(tag)
#define LIBDW_ELF_FUNCTIONS(function) \
	function(elf_end) function(elf_getshdrstrndx) function(elf_memory) function(elf_nextscn) \
	function(elf_strptr) function(elf_version) function(gelf_getshdr) function(gelf_update_shdr)
#define LIBDW_FIELD(name) __typeof__(dwarf_##name) *name;
#define LIBDW_ELF_FIELD(name) __typeof__(name) *name;

struct libdw_functions {
	LIBDW_FUNCTIONS(LIBDW_FIELD) LIBDW_ELF_FUNCTIONS(LIBDW_ELF_FIELD)
	__typeof__(dwarf_errno) *take_error; // not named `errno`, because errno is a macro
};
// clang-format on

extern struct libdw_functions dw;

/** Call `visit` with the top entry of each unit; the types and functions of the unit are below this
 * entry. Stop when `visit` returns false. */
void inlines_visit_units(struct inlines *inlines, bool (*visit)(void *context, Dwarf_Die *unit),
			 void *context);
