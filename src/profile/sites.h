/**
 * Store sites. A site is a frame with all its details in the input, for example file, line, module
 * and address. A profile keeps sites only if profile_ask_sites() was called.
 *
 * The stacks that are added may contain ids of sites in place of ids of names. SITE_FLAG marks an
 * id of a site. profile_finish() moves the stacks of sites to the member `stacks` of struct sites,
 * and leaves stacks of names in the profile. In the profile, stacks with the same names are added
 * up. So sums, trees and text are the same as without sites.
 */
#pragma once

#include "base/buf.h"
#include "profile/stacks.h"
#include "profile/values.h"

/** A bit that is set in ids of sites, and never in ids of names. */
#define SITE_FLAG (UINT32_C(1) << 30)

/** The id for a site without a name. Only labels have no name. */
#define SITE_NO_NAME UINT32_MAX

enum site_kind {
	SITE_USER,   // code of the program and its libraries, or an unknown kind
	SITE_KERNEL, // code of the kernel
	SITE_JIT,    // code made at run time
	SITE_LABEL,  // a label of the stack, not a frame; see sites_add_label()
};

/** A site. Sites with the same fields have the same id. A field is 0 if it is not known. The struct
 * must have no padding, because its bytes are a key of a table. */
struct site {
	uint64_t address; // address in the file of the module; if the module is not known, address
			  // in the process
	uint32_t name;    // id of the frame's name
	uint32_t module;  // a result of sites_module()
	uint32_t file;    // source file; a result of sites_text()
	uint32_t line;    // line at which this frame calls the next frame; in the leaf, the sampled
			  // line
	uint32_t column;  // the first column is 1
	uint32_t start_line; // first line of the function
	uint32_t system;     // the function's name for the linker; a result of sites_text()
	uint16_t kind;       // a value of enum site_kind
	uint16_t inlined;    // 1: the function is inlined into its caller
};

/** A file that is mapped. Its fields are results of sites_text(). */
struct site_module {
	uint32_t file, build_id; // path, and build id as hexadecimal digits
};

/** The range in which a module was mapped: its first address, the address after its end, and the
 * offset of the first address in the file. All fields are 0 if the range is not known. */
struct site_place {
	uint64_t start, end, offset;
};

/** A label of a stack. A label has a text, or a number with a unit. */
struct site_label {
	struct str key, text, unit;
	uint64_t number; // a signed number, in two's complement
};

struct sites {
	struct intern table;       // keys are struct site
	struct intern texts;       // the first text is empty
	struct intern modules;     // keys are struct site_module; the first key is an unknown
				   // module
	struct site_place *places; // mapping of each module; the array may be too short, and then
				   // later modules have no mapping
	size_t places_n;

	// Set by profile_finish():
	bool finished;
	uint32_t *names;      // current id of each site's name; SITE_NO_NAME: a label
	struct stacks stacks; // stacks of sites: ids without SITE_FLAG, root first
	// for each stack of sites, the id of its stack of names; STACKS_NONE: the stack was left
	// out
	uint32_t *stack_of;
	struct values *values; // values of the stacks of sites; NULL: not kept
};

struct sites *sites_new(void);

/** Return the id of a text (sites_text), or the text with an id (sites_text_of). The empty text has
 * the id 0. The returned text is valid as long as the sites. */
uint32_t sites_text(struct sites *sites, struct str text);
struct str sites_text_of(const struct sites *sites, uint32_t text);

/** Return the id of a module (sites_module), or the module with an id (sites_module_of). */
uint32_t sites_module(struct sites *sites, struct str file, struct str build_id);
struct site_module sites_module_of(const struct sites *sites, uint32_t module);

/** Set the range in which a module is mapped. If the module has several mappings with the same load
 * address, the range covers all of them. Ignore a mapping with another load address, for example in
 * another process. */
void sites_set_place(struct sites *sites, uint32_t module, struct site_place place);
struct site_place sites_place_of(const struct sites *sites, uint32_t module);

/** Return the id of a site, with SITE_FLAG. Add the site if it is new. */
uint32_t sites_add(struct sites *sites, const struct site *site);

/** Return the id of a label. A label is not a frame. Labels can be anywhere in a stack of sites. */
uint32_t sites_add_label(struct sites *sites, const struct site_label *label);

/** Return the label of a site whose kind is SITE_LABEL. */
struct site_label sites_label(const struct sites *sites, const struct site *site);

/** Return a site by its id, with or without SITE_FLAG. */
static inline const struct site *sites_get(const struct sites *sites, uint32_t id) {
	return (const void *)sites->table.keys[id & ~SITE_FLAG]->bytes;
}

/** Return the id of the name of a frame. `id` is the id of a site or a name. Return SITE_NO_NAME
 * for a label. */
static inline uint32_t sites_name(const struct sites *sites, uint32_t id) {
	return (id & SITE_FLAG) == 0 ? id : sites_get(sites, id)->name;
}

/** Replace the sites in a stack by their names, and remove labels. The context is a struct
 * sites. */
bool sites_project(void *sites, struct ids *stack);

/** Add all sites of `from`. `names` has the new id of each name of `from`. Return the new id of
 * each site, with SITE_FLAG. The caller releases the ids with free(). */
uint32_t *sites_merge(struct sites *sites, const struct sites *from, const uint32_t *names);

/** Copy the stacks and values of a profile, before the sites in the stacks are replaced by names.
 * `values` may be NULL. A frame that is only a name becomes a site without details. Return the id
 * of the copy of each stack. The caller releases the ids with free(). */
uint32_t *sites_take(struct sites *sites, const struct stacks *stacks, const struct values *values);

/** Replace each id of a stack of names by `new_stacks[id]`. */
void sites_renumber(struct sites *sites, const uint32_t *new_stacks);

/** Replace each id of a name by `new_names[id]`. Before sites_take(), do nothing. */
void sites_rename(struct sites *sites, const uint32_t *new_names);

void sites_free(struct sites *sites);
