/*
 * Find inlined functions in debug information. libdw reads this information, but this file makes
 * the index of addresses. libdw gets the bytes of files in memory. libdw never opens a file by its
 * name, because opening a file may hang for ever.
 */
#include "symbols/inlines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/limits.h"
#include "symbols/debug_image.h"
#include "symbols/dynlib.h"
#include "symbols/libdw.h"
#include "symbols/opening.h"
#include "symbols/ranges.h"

struct libdw_functions dw;

#define ROW(name) DYNLIB_ROW(dwarf_##name, &dw.name),
#define ELF_ROW(name) DYNLIB_ROW(name, &dw.name),
static const struct dynlib_function functions[] = {LIBDW_FUNCTIONS(ROW) LIBDW_ELF_FUNCTIONS(ELF_ROW)
							   DYNLIB_ROW(dwarf_errno, &dw.take_error),
						   DYNLIB_END};

static struct dynlib_library libdw = {.file = "libdw.so.1", .functions = functions};

enum { DEEPEST = 100 };

#define TOP UINT32_MAX // an index that stands for the function itself

/** An inlined call, or the function that contains it. */
struct inlines_call {
	Dwarf_Die die;
	uint32_t parent; // index of the call that contains this call; TOP: the function itself
	uint32_t depth;
};

struct inlines_function {
	Dwarf_Die die;
	bool read;
	struct inlines_call *calls;
	size_t call_count, call_capacity;
	struct ranges ranges; // address ranges of the inlined calls
};

struct inlines_unit {
	Dwarf_Die die;   // entry of the unit with the lines
	Dwarf_Die split; // entry of the unit with the functions; equal to `die` unless the unit is
			 // split
	bool read, deep;
	struct inlines_function *functions;
	size_t function_count, function_capacity;
	struct ranges ranges; // address ranges of the functions
};

/** Debug information that libdw has open. */
struct debug {
	Elf *elf;
	Dwarf *dwarf;     // NULL: not open
	struct str bytes; // copy of the ELF file in memory
	struct buf image; // the unpacked sections, if any were compressed
};

/** A scope: a namespace, class or function in which names are nested. In the unit, the bytes of a
 * scope enclose the bytes of its members. */
struct inlines_scope {
	uintptr_t start, end;
	uint32_t parent;  // index of the scope around this scope; TOP: no scope
	const char *name; // name; memory of libdw
};

/** All scopes of a unit. Each scope comes before the scopes inside it. */
struct scopes {
	struct inlines_scope *items;
	size_t n, capacity;
};

struct inlines {
	const struct file *file; // borrowed
	struct debug debug;
	struct debug shared; // the file into which dwz moved the debug information that several
			     // files share
	struct file *shared_file;
	uint64_t split_bytes; // bytes of files with split units
	uint64_t room; // number of units, functions, calls and ranges that may still be added
	struct inlines_unit *units;
	size_t unit_count, unit_capacity;
	struct ranges ranges; // address ranges of units
	struct intern names;  // names of functions; the key is the entry of the abstract function
	struct intern scopes; // scopes of units; the key is the unit
	struct arena arena;
};

/** End the process if libdw runs out of memory. For clang, `noreturn` must be an attribute, because
 * libdw expects a function of this type. */
__attribute__((noreturn)) static void inlines_end_without_memory(void) {
	inferno_out_of_memory();
}

/** Subtract `n` items from `room`. Return whether there was enough. Real debug information has far
 * fewer items than bytes. A crafted file may have more items than bytes, because many functions can
 * share a list of ranges. */
static bool inlines_take_room(struct inlines *inlines, uint64_t n) {
	bool fits = n <= inlines->room;
	inlines->room -= fits ? n : inlines->room;
	return fits;
}

/** Increase `room` by the largest number of items that the debug information of a file may have. */
static void inlines_add_room(struct inlines *inlines, const struct file *file) {
	enum { BYTES = 16 }; // smallest number of bytes of an item
	inlines->room += file_unpacks_most(file) / BYTES;
}

/** Add the ranges of a function or unit. Return whether the function or unit has any ranges. */
static bool inlines_add_ranges(struct inlines *inlines, struct ranges *ranges, Dwarf_Die *die,
			       uint32_t item) {
	Dwarf_Addr base = 0, start = 0, end = 0;
	bool any = false;
	for (ptrdiff_t at = 0; (at = dw.ranges(die, at, &base, &start, &end)) > 0;) {
		// The linker sets addresses of discarded code to 0, or to the highest values.
		if (start != 0 && end > start && start < UINT64_MAX - 1) {
			if (!inlines_take_room(inlines, 1)) {
				break;
			}
			ranges_add(ranges, start, end, item);
			any = true;
		}
	}
	return any;
}

/* --- Units ---------------------------------------------------------------------------------- */

static void inlines_add_function(struct inlines *inlines, struct inlines_unit *unit,
				 Dwarf_Die *die) {
	if (unit->function_count >= UINT32_MAX - 1 || !inlines_take_room(inlines, 1) ||
	    !inlines_add_ranges(inlines, &unit->ranges, die, (uint32_t)unit->function_count)) {
		return;
	}
	*MEM_APPEND(unit->functions, unit->function_count, unit->function_capacity) =
		(struct inlines_function){.die = *die};
}

/** Return whether to search for functions in a scope with this tag. With `deep`, search inside
 * functions, too. */
static bool inlines_holds_functions(int tag, bool deep) {
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		return deep;
	default:
		return false;
	}
}

static void inlines_collect_functions(struct inlines *inlines, struct inlines_unit *unit,
				      Dwarf_Die *scope, unsigned depth) {
	Dwarf_Die die;
	if (depth > DEEPEST || dw.child(scope, &die) != 0) {
		return;
	}
	do {
		int tag = dw.tag(&die);
		if (tag == DW_TAG_subprogram) {
			inlines_add_function(inlines, unit, &die);
		}
		if (inlines_holds_functions(tag, unit->deep)) {
			inlines_collect_functions(inlines, unit, &die, depth + 1);
		}
	} while (dw.siblingof(&die, &die) == 0);
}

static void inlines_release_functions(struct inlines_unit *unit) {
	for (size_t i = 0; i < unit->function_count; i++) {
		free(unit->functions[i].calls);
		ranges_release(&unit->functions[i].ranges);
	}
	free(unit->functions);
	ranges_release(&unit->ranges);
	unit->functions = NULL;
	unit->function_count = unit->function_capacity = 0;
}

static void inlines_read_functions(struct inlines *inlines, struct inlines_unit *unit, bool deep) {
	inlines_release_functions(unit);
	unit->read = true;
	unit->deep = deep;
	inlines_collect_functions(inlines, unit, &unit->split, 0);
	ranges_finish(&unit->ranges);
}

/** Find the function of a unit that holds an address. Search inside functions only if no function
 * is found. */
static struct inlines_function *inlines_find_function(struct inlines *inlines,
						      struct inlines_unit *unit, uint64_t address) {
	if (!unit->read) {
		inlines_read_functions(inlines, unit, false);
	}
	uint32_t found = ranges_find(&unit->ranges, address);
	if (found == RANGES_NONE && !unit->deep) {
		inlines_read_functions(inlines, unit, true);
		found = ranges_find(&unit->ranges, address);
	}
	return found == RANGES_NONE ? NULL : &unit->functions[found];
}

/** Add the ranges of the functions of a unit that has no ranges itself. */
static void inlines_add_function_ranges(struct inlines *inlines, struct inlines_unit *unit,
					uint32_t number) {
	inlines_read_functions(inlines, unit, false);
	for (size_t i = 0; i < unit->ranges.n; i++) {
		const struct range *range = &unit->ranges.items[i];
		ranges_add(&inlines->ranges, range->start, range->end, number);
	}
}

static void inlines_add_unit(struct inlines *inlines, Dwarf_Die *die, const Dwarf_Die *split) {
	// a unit takes as much memory as this number of ranges, including the memory of libdw
	enum { ITEMS = 8 };
	if (!inlines_take_room(inlines, ITEMS)) {
		return;
	}
	MEM_GROW(inlines->units, inlines->unit_capacity, inlines->unit_count + 1);
	uint32_t number = (uint32_t)inlines->unit_count++;
	struct inlines_unit *unit = &inlines->units[number];
	*unit = (struct inlines_unit){.die = *die, .split = *split};
	if (!inlines_add_ranges(inlines, &inlines->ranges, die, number)) {
		inlines_add_function_ranges(inlines, unit, number);
	}
}

/* --- Split units ---------------------------------------------------------------------------- */

/** Return the text of an attribute in this program's copy of the file, if at least `n` bytes of the
 * copy may be overwritten there. Otherwise return NULL. */
static char *inlines_writable_text(const struct inlines *inlines, Dwarf_Attribute *attribute,
				   size_t n) {
	const char *text = dw.formstring(attribute);
	uintptr_t start = (uintptr_t)inlines->debug.bytes.p, at = (uintptr_t)text;
	bool inside = at >= start && at - start < inlines->debug.bytes.n &&
		      n <= inlines->debug.bytes.n - (at - start);
	return text == NULL || (strlen(text) + 1 < n && !inside) ? NULL : (char *)at;
}

static Dwarf_Attribute *inlines_split_name(Dwarf_Die *unit, Dwarf_Attribute *attribute) {
	Dwarf_Attribute *name = dw.attr(unit, DW_AT_dwo_name, attribute);
	return name != NULL ? name : dw.attr(unit, DW_AT_GNU_dwo_name, attribute);
}

/**
 * Make libdw read the split unit from an open file. libdw opens the file that the unit names. So,
 * during the call, replace this name by the path of the descriptor, in the copy of the debug
 * information. Return whether libdw found the split unit.
 */
static bool inlines_link_split(const struct inlines *inlines, Dwarf_Die *unit, int fd,
			       Dwarf_Die *split) {
	char place[32], saved[sizeof(place)];
	size_t n = (size_t)snprintf(place, sizeof(place), "/dev/fd/%d", fd) + 1;
	Dwarf_Attribute attribute;
	char *text = inlines_writable_text(inlines, inlines_split_name(unit, &attribute), n);
	if (text == NULL) {
		return false;
	}
	memcpy(saved, text, n);
	memcpy(text, place, n);
	// In a broken file, the path may have overwritten more than the name, so check what libdw
	// reads.
	const char *seen = dw.formstring(inlines_split_name(unit, &attribute));
	bool found = seen == text &&
		     dw.cu_info(unit->cu, NULL, NULL, NULL, split, NULL, NULL, NULL) == 0;
	memcpy(text, saved, n);
	if (!found || split->addr == NULL) {
		return false;
	}
	dw.new_oom_handler(dw.cu_getdwarf(split->cu), inlines_end_without_memory);
	return true;
}

/** Copy a file with split units into memory. Return the descriptor of the copy, or -1. */
static int inlines_copy_split(struct inlines *inlines, const char *path) {
	const struct file_rules rules = {.most = LIMIT_SPLIT};
	enum object_state ignored = OBJECT_MISSING;
	struct file *file =
		file_open_descriptor(open_regular(OWN_ROOT, path, &rules), path, &ignored);
	if (file == NULL) {
		return -1;
	}
	uint64_t size = file->elf.bytes.n;
	bool fits = inlines->split_bytes + size <= LIMIT_SPLITS &&
		    debug_unpacked_size(&file->elf, true) <= file_unpacks_most(file);
	inlines->split_bytes += fits ? size : 0;
	inlines_add_room(inlines, file);
	int fd = fits ? file_copy(file) : -1;
	file_free(file);
	return fd;
}

/** Add the folder of a path, with its slash. */
static void inlines_add_folder(struct buf *out, const char *path) {
	size_t slash = str_find_last(str_of(path), '/');
	buf_add_str(out, str_to(str_of(path), slash == STR_NONE ? 0 : slash + 1));
}

/** Open the file with the split unit. The file with the split unit is next to this file, or in the
 * folder in which the unit was compiled. */
static int inlines_open_split(struct inlines *inlines, Dwarf_Die *unit) {
	Dwarf_Attribute attribute;
	const char *name = dw.formstring(inlines_split_name(unit, &attribute));
	const char *folder = dw.formstring(dw.attr(unit, DW_AT_comp_dir, &attribute));
	struct buf path = {0};
	if (name == NULL) {
		return -1;
	}
	if (name[0] != '/') {
		inlines_add_folder(&path, inlines->file->path);
	}
	buf_add_text(&path, name);
	int fd = inlines_copy_split(inlines, buf_text(&path));
	if (fd < 0 && name[0] != '/' && folder != NULL) {
		buf_set_text(&path, folder);
		buf_add_char(&path, '/');
		buf_add_text(&path, name);
		fd = inlines_copy_split(inlines, buf_text(&path));
	}
	buf_release(&path);
	return fd;
}

/** If the file has only the skeleton of a unit, find the split unit with the rest. Return whether
 * the split unit was found. */
static bool inlines_find_split(struct inlines *inlines, Dwarf_Die *unit, Dwarf_Die *split) {
	int fd = inlines_open_split(inlines, unit);
	bool found = fd >= 0 && inlines_link_split(inlines, unit, fd, split);
	if (fd >= 0) {
		close(fd);
	}
	return found;
}

static void inlines_read_units(struct inlines *inlines, struct symbols_missing *missing) {
	Dwarf_CU *cu = NULL, *next = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;
	// Pass NULL for the split unit, because libdw would open its file.
	while (inlines->unit_count < UINT32_MAX - 1 && inlines->room > 0 &&
	       dw.get_units(inlines->debug.dwarf, cu, &next, &version, &type, &die, NULL) == 0) {
		cu = next;
		int tag = dw.tag(&die);
		bool skeleton = type == DW_UT_skeleton;
		bool whole = !skeleton || inlines_find_split(inlines, &die, &split);
		missing->split_debug = missing->split_debug || !whole;
		if (tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit) {
			inlines_add_unit(inlines, &die, skeleton && whole ? &split : &die);
		}
	}
	ranges_finish(&inlines->ranges);
}

/* --- Files ---------------------------------------------------------------------------------- */

/** Hide sections that are not needed, because libdw unpacks all compressed sections that it sees.
 * In the debug file of libc, the hidden sections have a third of the unpacked bytes. Hiding them
 * saves a tenth of the time to read a small recording. */
static void inlines_hide_sections(Elf *elf, bool lines) {
	size_t names = 0;
	if (dw.elf_getshdrstrndx(elf, &names) != 0) {
		return;
	}
	for (Elf_Scn *section = NULL; (section = dw.elf_nextscn(elf, section)) != NULL;) {
		GElf_Shdr header;
		const char *name = dw.gelf_getshdr(section, &header) == NULL
					   ? NULL
					   : dw.elf_strptr(elf, names, header.sh_name);
		if (name != NULL && !debug_is_needed(str_of(name), lines)) {
			header.sh_type = SHT_NOBITS;
			(void)dw.gelf_update_shdr(section, &header);
		}
	}
}

/** Read the sections that are needed. */
static void inlines_want_sections(const struct elf *elf, bool lines) {
	for (size_t i = 1; i < elf->section_count; i++) {
		const struct elf_section *section = &elf->sections[i];
		if (str_has(section->name, STR("debug")) && section->type != SHT_NOBITS &&
		    debug_is_needed(section->name, lines)) {
			(void)elf_raw(elf, section);
		}
	}
}

static void inlines_close_debug(struct debug *debug) {
	if (debug->dwarf != NULL) {
		dw.end(debug->dwarf);
	}
	if (debug->elf != NULL) {
		dw.elf_end(debug->elf);
	}
	buf_release(&debug->image);
	*debug = (struct debug){0};
}

/** Open the debug information of a file. Unpack compressed sections first, because libdw takes
 * twice as long to unpack them. */
static bool inlines_open_debug(struct debug *debug, const struct file *file, bool lines) {
	uint64_t unpacked = debug_unpacked_size(&file->elf, lines);
	if (unpacked > file_unpacks_most(file)) {
		errno = EFBIG;
		return false;
	}
	bool made = unpacked > 0 && debug_image_make(&debug->image, &file->elf, lines);
	if (!made) {
		inlines_want_sections(&file->elf, lines);
	}
	debug->bytes = made ? buf_str(&debug->image) : file->elf.bytes;
	debug->elf = dw.elf_memory((char *)(uintptr_t)debug->bytes.p, debug->bytes.n);
	if (debug->elf != NULL && !made) {
		// When libdw unpacks a section, it changes headers in the copy. No code reads these
		// headers again.
		inlines_hide_sections(debug->elf, lines);
	}
	debug->dwarf = debug->elf == NULL ? NULL : dw.begin_elf(debug->elf, DWARF_C_READ, NULL);
	if (debug->dwarf != NULL) {
		dw.new_oom_handler(debug->dwarf, inlines_end_without_memory);
	}
	return debug->dwarf != NULL;
}

/** Find the file with the debug information that several files share. Search by its build-id, and
 * then by its path. The path may be relative to the folder of this file. */
static struct file *inlines_find_shared(const struct symbols_options *options,
					const struct file *file) {
	struct str link = elf_data(&file->elf, elf_section(&file->elf, STR(".gnu_debugaltlink")));
	struct str name = elf_text(link, 0);
	struct str id = link.n > name.n ? str_from(link, name.n + 1) : STR("");
	struct object_file wanted = {.build_id = {.size = (uint8_t)id.n}};
	enum object_state ignored = OBJECT_MISSING;
	struct buf path = {0};
	if (name.n == 0 || id.n == 0 || id.n > BUILD_ID_MAX) {
		return NULL;
	}
	memcpy(wanted.build_id.bytes, id.p, id.n);
	struct file *found = find_debug(options, &wanted, NULL, STR(".debug_info"));
	if (found == NULL) {
		inlines_add_folder(&path, name.p[0] == '/' ? "" : file->path);
		buf_add_str(&path, name);
		found = file_open(buf_text(&path), &ignored);
		buf_release(&path);
	}
	if (found != NULL && !build_id_equal(&found->build_id, &wanted.build_id)) {
		file_free(found);
		found = NULL;
	}
	return found;
}

/** Give libdw the shared debug information, if this file refers to it. */
static void inlines_open_shared(struct inlines *inlines, const struct symbols_options *options,
				struct symbols_missing *missing) {
	if (elf_section(&inlines->file->elf, STR(".gnu_debugaltlink")) == NULL) {
		return;
	}
	inlines->shared_file = inlines_find_shared(options, inlines->file);
	if (inlines->shared_file != NULL &&
	    inlines_open_debug(&inlines->shared, inlines->shared_file, options->srcline)) {
		dw.setalt(inlines->debug.dwarf, inlines->shared.dwarf);
	} else {
		missing->split_debug = true;
	}
}

bool inlines_lack_memory(void) {
	int error = dw.take_error == NULL ? 0 : dw.take_error();
	return error != 0 && strcmp(dw.errmsg(error), "out of memory") == 0;
}

struct inlines *inlines_open(const struct symbols_options *options, const struct file *file,
			     struct symbols_missing *missing) {
	if (!dynlib_load(&libdw)) {
		missing->libdw = true;
		return NULL;
	}
	struct inlines *inlines = mem_new(1, sizeof(*inlines));
	inlines->file = file;
	inlines_add_room(inlines, file);
	(void)dw.elf_version(EV_CURRENT);
	if (!inlines_open_debug(&inlines->debug, file, options->srcline)) {
		inlines_free(inlines);
		return NULL;
	}
	inlines_open_shared(inlines, options, missing);
	inlines_read_units(inlines, missing);
	return inlines;
}

static void inlines_release_scopes(struct inlines *inlines) {
	for (uint32_t i = 0; i < inlines->scopes.count; i++) {
		struct scopes *scopes = (struct scopes *)(uintptr_t)inlines->scopes.keys[i]->value;
		free(scopes->items);
		free(scopes);
	}
	intern_release(&inlines->scopes);
}

void inlines_free(struct inlines *inlines) {
	if (inlines == NULL) {
		return;
	}
	for (size_t i = 0; i < inlines->unit_count; i++) {
		inlines_release_functions(&inlines->units[i]);
	}
	free(inlines->units);
	ranges_release(&inlines->ranges);
	intern_release(&inlines->names);
	inlines_release_scopes(inlines);
	arena_release(&inlines->arena);
	inlines_close_debug(&inlines->debug);
	inlines_close_debug(&inlines->shared);
	file_free(inlines->shared_file);
	free(inlines);
}

/* --- Calls ---------------------------------------------------------------------------------- */

static void inlines_collect_calls(struct inlines *inlines, struct inlines_function *function,
				  Dwarf_Die *scope, uint32_t parent, uint32_t depth) {
	Dwarf_Die die;
	if (depth > DEEPEST || dw.child(scope, &die) != 0) {
		return;
	}
	do {
		int tag = dw.tag(&die);
		if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block) {
			inlines_collect_calls(inlines, function, &die, parent, depth + 1);
		} else if (tag == DW_TAG_inlined_subroutine &&
			   function->call_count < UINT32_MAX - 1 && inlines_take_room(inlines, 1)) {
			uint32_t own = (uint32_t)function->call_count;
			*MEM_APPEND(function->calls, function->call_count,
				    function->call_capacity) =
				(struct inlines_call){die, parent, depth};
			(void)inlines_add_ranges(inlines, &function->ranges, &die, own);
			inlines_collect_calls(inlines, function, &die, own, depth + 1);
		}
	} while (dw.siblingof(&die, &die) == 0);
}

/** Return the innermost call that contains an address, or TOP. */
static uint32_t inlines_find_call(struct inlines *inlines, struct inlines_function *function,
				  uint64_t address) {
	if (!function->read) {
		function->read = true;
		inlines_collect_calls(inlines, function, &function->die, TOP, 0);
		ranges_finish(&function->ranges);
	}
	uint32_t found = ranges_find(&function->ranges, address);
	return found == RANGES_NONE ? TOP : found;
}

/* --- Names ---------------------------------------------------------------------------------- */

static const char *inlines_attribute_text(Dwarf_Die *die, unsigned name) {
	Dwarf_Attribute attribute;
	return dw.formstring(dw.attr_integrate(die, name, &attribute));
}

/** Go from the entry of a function to its first declaration, which is nested in the scopes. */
static void inlines_go_to_origin(Dwarf_Die *die) {
	for (unsigned steps = 0; steps < DEEPEST; steps++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;
		if (dw.formref_die(dw.attr(die, DW_AT_abstract_origin, &attribute), &next) ==
			    NULL &&
		    dw.formref_die(dw.attr(die, DW_AT_specification, &attribute), &next) == NULL) {
			return;
		}
		*die = next;
	}
}

/** Return the name of a scope for use in the names of its members. Return NULL if the names of the
 * members do not contain the name of the scope. */
static const char *inlines_scope_name(Dwarf_Die *scope, int tag) {
	const char *name = dw.diename(scope);
	return !inlines_holds_functions(tag, false) ? NULL
	       : name != NULL                       ? name
	       : tag == DW_TAG_namespace            ? "(anonymous namespace)"
						    : "{unnamed type}";
}

/** Collect the scopes inside the scope `outer`, whose bytes end at `end`. */
static void inlines_collect_scopes(struct scopes *scopes, Dwarf_Die *outer, uint32_t parent,
				   uintptr_t end, unsigned depth) {
	Dwarf_Die die, next;
	bool more = depth <= DEEPEST && dw.child(outer, &die) == 0;
	for (; more; die = next) {
		int tag = dw.tag(&die);
		uint32_t inner = parent;
		more = dw.siblingof(&die, &next) == 0;
		if (!inlines_holds_functions(tag, true)) {
			continue;
		}
		uintptr_t start = (uintptr_t)die.addr, stop = more ? (uintptr_t)next.addr : end;
		const char *name = inlines_scope_name(&die, tag);
		if (name != NULL && scopes->n < TOP) {
			inner = (uint32_t)scopes->n;
			*MEM_APPEND(scopes->items, scopes->n, scopes->capacity) =
				(struct inlines_scope){start, stop, parent, name};
		}
		inlines_collect_scopes(scopes, &die, inner, stop, depth + 1);
	}
}

/** Return the scopes of the unit of an entry. Collect the scopes only once, because libdw would
 * search the whole unit for each name. libdw would also recurse for each nested scope, and a
 * hostile file may have millions of them. */
static const struct scopes *inlines_scopes(struct inlines *inlines, Dwarf_Die *die) {
	const void *unit = die->cu;
	struct intern_key *known = intern_get(&inlines->scopes, &unit, sizeof(unit));
	if (known->value == 0) {
		struct scopes *scopes = mem_new(1, sizeof(*scopes));
		Dwarf_Die top;
		if (dw.diecu(die, &top, NULL, NULL) != NULL) {
			inlines_collect_scopes(scopes, &top, TOP, UINTPTR_MAX, 0);
		}
		known->value = (uint64_t)(uintptr_t)scopes;
	}
	return (const struct scopes *)(uintptr_t)known->value;
}

/** Add the names of the scopes around an entry. */
static void inlines_add_scopes(struct buf *name, const struct scopes *scopes,
			       const Dwarf_Die *die) {
	const char *around[DEEPEST + 1];
	uintptr_t at = (uintptr_t)die->addr;
	size_t low = 0, high = scopes->n, n = 0;
	while (low < high) { // find the first scope that starts at the entry or after it
		size_t middle = low + (high - low) / 2;
		if (scopes->items[middle].start < at) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (uint32_t i = low == 0 ? TOP : (uint32_t)low - 1; i != TOP;
	     i = scopes->items[i].parent) {
		if (at < scopes->items[i].end) {
			around[n++] = scopes->items[i].name;
		}
	}
	while (n > 0) {
		buf_add_text(name, around[--n]);
		buf_add_text(name, "::");
	}
}

/** Return whether the language of a unit puts scopes before names, as C++ does. */
static bool inlines_has_scopes(Dwarf_Die *unit) {
	switch (dw.srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Go:
	case -1:
		return false;
	default:
		return true;
	}
}

/** Return a plain name with the names of its scopes before it. */
static struct str inlines_scoped_name(struct inlines *inlines, Dwarf_Die *unit, Dwarf_Die *origin,
				      const char *plain) {
	struct buf name = {0};
	if (inlines_has_scopes(unit)) {
		inlines_add_scopes(&name, inlines_scopes(inlines, origin), origin);
	}
	buf_add_text(&name, plain);
	struct str kept = {arena_copy(&inlines->arena, name.p, name.n), name.n};
	buf_release(&name);
	return kept;
}

static struct str inlines_make_name(struct inlines *inlines, Dwarf_Die *unit, Dwarf_Die *die) {
	const char *mangled = inlines_attribute_text(die, DW_AT_linkage_name);
	mangled = mangled != NULL ? mangled : inlines_attribute_text(die, DW_AT_MIPS_linkage_name);
	if (mangled != NULL && mangled[0] != '\0') {
		return str_of(mangled);
	}
	const char *plain = inlines_attribute_text(die, DW_AT_name);
	if (plain == NULL) {
		return (struct str){"", 0};
	}
	Dwarf_Die origin = *die;
	inlines_go_to_origin(&origin);
	return inlines_scoped_name(inlines, unit, &origin, plain);
}

/** Return the name of a function. The name is made only once for each abstract function. */
static struct str inlines_name_of(struct inlines *inlines, Dwarf_Die *unit, Dwarf_Die *die) {
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *die;
	(void)dw.formref_die(dw.attr(die, DW_AT_abstract_origin, &attribute), &origin);
	const void *key = origin.addr;
	struct intern_key *known = intern_get(&inlines->names, &key, sizeof(key));
	if (known->value == 0) {
		struct str *name = arena_take(&inlines->arena, sizeof(*name));
		*name = inlines_make_name(inlines, unit, die);
		known->value = (uint64_t)(uintptr_t)name;
	}
	return *(const struct str *)(uintptr_t)known->value;
}

/* --- Lines ---------------------------------------------------------------------------------- */

static uint32_t inlines_attribute_number(Dwarf_Die *die, unsigned name) {
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;
	(void)dw.formudata(dw.attr(die, name, &attribute), &value);
	return value > UINT32_MAX ? 0 : (uint32_t)value;
}

static struct str inlines_text_or_none(const char *text) {
	return text == NULL ? (struct str){"", 0} : str_of(text);
}

/** Set the file and the line of a frame to those of an address. */
static void inlines_fill_line(Dwarf_Die *unit, uint64_t address, struct inline_frame *frame) {
	Dwarf_Line *line = dw.getsrc_die(unit, address);
	int number = 0, column = 0;
	if (line == NULL || dw.lineno(line, &number) != 0) {
		return;
	}
	(void)dw.linecol(line, &column);
	frame->file = inlines_text_or_none(dw.linesrc(line, NULL, NULL));
	frame->line = number < 0 ? 0 : (uint32_t)number;
	frame->column = column < 0 ? 0 : (uint32_t)column;
}

/** Set the file and the line of a frame to those from which an inlined function is called. */
static void inlines_fill_call(Dwarf_Die *unit, Dwarf_Die *call, struct inline_frame *frame) {
	Dwarf_Files *files = NULL;
	size_t n = 0;
	uint32_t file = inlines_attribute_number(call, DW_AT_call_file);
	if (dw.getsrcfiles(unit, &files, &n) == 0 && file < n) {
		frame->file = inlines_text_or_none(dw.filesrc(files, file, NULL, NULL));
	}
	frame->line = inlines_attribute_number(call, DW_AT_call_line);
	frame->column = inlines_attribute_number(call, DW_AT_call_column);
}

/** If the path of a source file is relative, set its folder. */
static void inlines_fill_folder(Dwarf_Die *unit, struct inline_frame *frame) {
	if (frame->file.n > 0 && frame->file.p[0] != '/') {
		frame->dir = inlines_text_or_none(inlines_attribute_text(unit, DW_AT_comp_dir));
	}
}

/* --- Units, for other files ----------------------------------------------------------------- */

/** Visit the partial units, into which dwz moved types of other units. Return false if a visit
 * returned false. */
static bool inlines_visit_partial(Dwarf *dwarf, bool (*visit)(void *context, Dwarf_Die *unit),
				  void *context) {
	Dwarf_CU *cu = NULL, *next = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;
	bool more = dwarf != NULL;
	while (more && dw.get_units(dwarf, cu, &next, &version, &type, &die, NULL) == 0) {
		cu = next;
		more = dw.tag(&die) != DW_TAG_partial_unit || visit(context, &die);
	}
	return more;
}

void inlines_visit_units(struct inlines *inlines, bool (*visit)(void *context, Dwarf_Die *unit),
			 void *context) {
	bool more = true;
	for (size_t i = 0; i < inlines->unit_count && more; i++) {
		more = visit(context, &inlines->units[i].split);
	}
	if (more && inlines_visit_partial(inlines->debug.dwarf, visit, context)) {
		(void)inlines_visit_partial(inlines->shared.dwarf, visit, context);
	}
}

/* --- Addresses ------------------------------------------------------------------------------ */

size_t inlines_at(struct inlines *inlines, uint64_t address, bool lines,
		  struct inline_frame *frames) {
	uint32_t number = ranges_find(&inlines->ranges, address);
	if (number == RANGES_NONE) {
		return 0;
	}
	struct inlines_unit *unit = &inlines->units[number];
	struct inlines_function *function = inlines_find_function(inlines, unit, address);
	struct inline_frame here = {0};
	size_t n = 0;
	if (lines) {
		inlines_fill_line(&unit->die, address, &here);
		inlines_fill_folder(&unit->die, &here);
	}
	if (function == NULL) {
		frames[0] = here;
		return here.line != 0 ? 1 : 0;
	}
	for (uint32_t at = inlines_find_call(inlines, function, address);
	     at != TOP && n + 1 < INLINES_MOST;) {
		struct inlines_call *call = &function->calls[at];
		here.name = inlines_name_of(inlines, &unit->split, &call->die);
		frames[n++] = here;
		here = (struct inline_frame){0};
		if (lines) {
			inlines_fill_call(&unit->split, &call->die, &here);
			inlines_fill_folder(&unit->die, &here);
		}
		at = call->parent;
	}
	here.name = inlines_name_of(inlines, &unit->split, &function->die);
	frames[n++] = here;
	return n;
}
