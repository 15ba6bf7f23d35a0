/* Find the offsets of the members of structs in debug information. Many units contain the same
 * type, so the search ends with the unit that completes the list. */
#include "symbols/members.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debuginfod.h"
#include "symbols/libdw.h"

enum { MEMBERS_DEEPEST = 16, MEMBERS_MOST = 1 << 16 };

struct members_search {
	const struct layout_member *members;
	uint32_t *offsets;
	size_t left;    // number of members whose struct was not found yet
	bool *found;    // for each member, whether its struct was found
	unsigned steps; // number of members that were examined; limited, because broken types may
			// contain themselves
};

uint16_t members_first(const uint32_t *offsets, const int *list) {
	for (; *list >= 0; list++) {
		if (offsets[*list] < MEMBER_NOWHERE) {
			return (uint16_t)offsets[*list];
		}
	}
	return MEMBER_NOWHERE;
}

bool members_agree(const struct layout_member *members, const uint32_t *offsets) {
	bool agree = true;
	for (size_t i = 0; members[i].type != NULL; i++) {
		agree = agree && (members[i].only == 0 || offsets[i] == members[i].only);
	}
	return agree;
}

/** Follow typedefs and qualifiers. Return false if they do not lead to a complete struct or
 * union. */
static bool members_go_to_struct(Dwarf_Die *die) {
	for (unsigned steps = 0; steps < MEMBERS_DEEPEST; steps++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;
		switch (dw.tag(die)) {
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			return dw.attr(die, DW_AT_declaration, &attribute) == NULL;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
			break;
		default:
			return false;
		}
		if (dw.formref_die(dw.attr(die, DW_AT_type, &attribute), &next) == NULL) {
			return false;
		}
		*die = next;
	}
	return false;
}

/** Put the type of a member into `type`, and add the member's offset to `*offset`. */
static bool members_enter(Dwarf_Die *member, Dwarf_Die *type, uint64_t *offset) {
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;
	// A member of a union has no offset.
	if (dw.attr(member, DW_AT_data_member_location, &attribute) != NULL &&
	    dw.formudata(&attribute, &value) != 0) {
		return false;
	}
	*offset += value;
	return dw.formref_die(dw.attr(member, DW_AT_type, &attribute), type) != NULL;
}

/** Find a member by its name, and put its type into `type`. Search in members without a name,
 * too. */
static bool members_find_one(struct members_search *search, Dwarf_Die *outer, struct str name,
			     Dwarf_Die *type, uint64_t *offset, unsigned depth) {
	Dwarf_Die die;
	uint64_t start = *offset;
	if (depth > MEMBERS_DEEPEST || dw.child(outer, &die) != 0) {
		return false;
	}
	do {
		const char *own = dw.tag(&die) == DW_TAG_member ? dw.diename(&die) : "";
		*offset = start;
		if (own != NULL && str_eq(str_of(own), name)) {
			return members_enter(&die, type, offset);
		}
		Dwarf_Die inner;
		if (own == NULL && members_enter(&die, &inner, offset) &&
		    members_go_to_struct(&inner) &&
		    members_find_one(search, &inner, name, type, offset, depth + 1)) {
			return true;
		}
	} while (++search->steps < MEMBERS_MOST && dw.siblingof(&die, &die) == 0);
	return false;
}

/** Return the offset of a member, or MEMBER_NONE. */
static uint32_t members_offset(struct members_search *search, const Dwarf_Die *type,
			       const char *path) {
	Dwarf_Die outer = *type, inner;
	uint64_t offset = 0;
	struct str rest = str_of(path);
	while (rest.n > 0) {
		size_t dot = str_find(rest, '.');
		struct str name = dot == STR_NONE ? rest : str_to(rest, dot);
		rest = dot == STR_NONE ? STR("") : str_from(rest, dot + 1);
		if (!members_find_one(search, &outer, name, &inner, &offset, 0)) {
			return MEMBER_NONE;
		}
		outer = inner;
		if (rest.n > 0 && !members_go_to_struct(&outer)) {
			return MEMBER_NONE;
		}
	}
	return offset < MEMBER_NONE ? (uint32_t)offset : MEMBER_NONE;
}

static uint32_t members_size(Dwarf_Die *type) {
	Dwarf_Attribute attribute;
	Dwarf_Word value = MEMBER_NONE;
	(void)dw.formudata(dw.attr(type, DW_AT_byte_size, &attribute), &value);
	return value < MEMBER_NONE ? (uint32_t)value : MEMBER_NONE;
}

/** Set the offsets of those wanted members that belong to this type. */
static void members_take(struct members_search *search, const Dwarf_Die *die, const char *name) {
	for (size_t i = 0; search->members[i].type != NULL; i++) {
		Dwarf_Die type = *die;
		const struct layout_member *member = &search->members[i];
		if (search->found[i] || strcmp(member->type, name) != 0 ||
		    !members_go_to_struct(&type)) {
			continue;
		}
		search->offsets[i] = member->path == NULL
					     ? members_size(&type)
					     : members_offset(search, &type, member->path);
		search->found[i] = true;
		search->left--;
	}
}

/** Examine the types of a unit. Return whether some wanted structs are still missing. */
static bool members_visit(void *context, Dwarf_Die *unit) {
	struct members_search *search = context;
	Dwarf_Die die;
	bool more = search->left > 0 && dw.child(unit, &die) == 0;
	while (more && search->left > 0) {
		int tag = dw.tag(&die);
		const char *name = tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
						   tag == DW_TAG_typedef
					   ? dw.diename(&die)
					   : NULL;
		if (name != NULL) {
			members_take(search, &die, name);
		}
		more = dw.siblingof(&die, &die) == 0;
	}
	return search->left > 0;
}

/** Return a separate file with the debug information, or NULL. */
static struct file *members_find_debug(const struct symbols_options *options,
				       const struct object_file *wanted, const struct file *mapped,
				       struct symbols_missing *missing) {
	struct diag diag = {.quiet = true};
	struct buf path = {0};
	enum object_state ignored = OBJECT_MISSING;
	struct file *file = find_debug(options, wanted, mapped, STR(".debug_info"));
	if (file == NULL && options->debuginfod && mapped->build_id.size > 0 &&
	    debuginfod_fetch(&mapped->build_id, &diag, &path, &missing->debuginfod)) {
		file = file_open(buf_text(&path), &ignored);
		if (file != NULL && !build_id_equal(&file->build_id, &mapped->build_id)) {
			file_free(file);
			file = NULL;
		}
	}
	buf_release(&path);
	return file;
}

static void members_read(struct inlines *inlines, const struct layout_member *members,
			 uint32_t *offsets) {
	struct members_search search = {.members = members, .offsets = offsets};
	while (members[search.left].type != NULL) {
		offsets[search.left++] = MEMBER_NONE;
	}
	search.found = mem_new(search.left + 1, sizeof(*search.found));
	inlines_visit_units(inlines, members_visit, &search);
	free(search.found);
}

bool members_find(int fd, const struct symbols_options *options, const struct object_file *wanted,
		  const struct layout_member *members, uint32_t *offsets) {
	enum object_state state = OBJECT_MISSING;
	struct symbols_missing missing = {0};
	struct file *mapped = file_open_descriptor(fd, wanted->path.p, &state);
	if (mapped == NULL) {
		return false;
	}
	bool own = elf_section(&mapped->elf, STR(".debug_info")) != NULL ||
		   elf_section(&mapped->elf, STR(".zdebug_info")) != NULL;
	struct file *debug = own ? NULL : members_find_debug(options, wanted, mapped, &missing);
	const struct file *file = own ? mapped : debug;
	struct inlines *inlines = file == NULL ? NULL : inlines_open(options, file, &missing);
	if (inlines != NULL) {
		members_read(inlines, members, offsets);
	}
	inlines_free(inlines);
	file_free(debug);
	file_free(mapped);
	return inlines != NULL;
}
