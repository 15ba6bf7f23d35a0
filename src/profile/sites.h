/**
 * Sites: frames with all that an input says about them, such as file, line, module and address. A
 * profile keeps them only if profile_ask_sites() was called.
 *
 * While stacks are added, the id of a site stands in place of that of its name. SITE_FLAG tells the
 * two apart. profile_finish() moves these stacks to `stacks` here, and leaves those of names in the
 * profile, where stacks with the same names are added up. So sums, trees and text are the same as
 * without sites.
 */
#ifndef INFERNO_SITES_H
#define INFERNO_SITES_H

#include "base/buf.h"
#include "profile/stacks.h"
#include "profile/values.h"

/** Set in the ids of sites, and in no id of a name. */
#define SITE_FLAG (UINT32_C(1) << 30)

/** In place of the id of a name: a label has none. */
#define SITE_NO_NAME UINT32_MAX

enum site_kind {
	SITE_USER,   // code of the program and its libraries, or not known
	SITE_KERNEL, // code of the kernel
	SITE_JIT,    // code made at run time
	SITE_LABEL,  // no frame, but a label of the stack; see sites_add_label()
};

/** A site. Two with the same fields have the same id. A field is 0 if it is not known. The struct
 * has no gaps, as it is a key. */
struct site {
	uint64_t address; // in the file of its module; without a module, that of the process
	uint32_t name;    // the id of the frame's name
	uint32_t module;  // see sites_module()
	uint32_t file;    // of the source, a text of sites_text()
	uint32_t line;    // where it calls the next frame; of the last frame, where it was sampled
	uint32_t column;  // from 1
	uint32_t start_line; // of the function
	uint32_t system;     // the function's name for the linker, a text
	uint16_t kind;       // of enum site_kind
	uint16_t inlined;    // 1: the function is inlined into its caller
};

/** A file that is mapped. Its fields are texts of sites_text(). */
struct site_module {
	uint32_t file, build_id; // the latter in hexadecimal digits
};

/** Where a module was mapped: the first byte, the byte after the last, where the first one is in
 * the file. All are 0 if that is not known. */
struct site_place {
	uint64_t start, end, offset;
};

/** A label of a stack. It has a text, or a number with a unit. */
struct site_label {
	struct str key, text, unit;
	uint64_t number; // two's complement
};

struct sites {
	struct intern table;       // of struct site
	struct intern texts;       // the first is empty
	struct intern modules;     // of struct site_module; the first is the one that is not known
	struct site_place *places; // of the first modules
	size_t places_n;

	// Set by profile_finish():
	bool finished;
	uint32_t *names;       // by site: the present id of its name; SITE_NO_NAME: a label
	struct stacks stacks;  // of sites: ids without SITE_FLAG, root first
	uint32_t *stack_of;    // by stack of sites: the stack of names, STACKS_NONE: left out
	struct values *values; // of these stacks; NULL: not asked for
};

struct sites *sites_new(void);

/** Return the number of a text, 0 for the empty one, and a text. It lives as long as the sites. */
uint32_t sites_text(struct sites *sites, struct str text);
struct str sites_text_of(const struct sites *sites, uint32_t text);

/** Return the number of a module, and a module. */
uint32_t sites_module(struct sites *sites, struct str file, struct str build_id);
struct site_module sites_module_of(const struct sites *sites, uint32_t module);

/** Say where a module is mapped. If it is mapped in several parts, the place is that of all of
 * them. If it is mapped elsewhere in another process, the first place stays. */
void sites_set_place(struct sites *sites, uint32_t module, struct site_place place);
struct site_place sites_place_of(const struct sites *sites, uint32_t module);

/** Return the id of a site, with SITE_FLAG, adding it if it is new. */
uint32_t sites_add(struct sites *sites, const struct site *site);

/** Return the id of a label, which can stand anywhere in a stack of sites. It has no frame. */
uint32_t sites_add_label(struct sites *sites, const struct site_label *label);

/** Return the label of a site of this kind. */
struct site_label sites_label(const struct sites *sites, const struct site *site);

/** Return a site by its id, with or without SITE_FLAG. */
static inline const struct site *sites_get(const struct sites *sites, uint32_t id) {
	return (const void *)sites->table.keys[id & ~SITE_FLAG]->bytes;
}

/** Return the id of the name of a frame, which is a site or a name; SITE_NO_NAME for a label. */
static inline uint32_t sites_name(const struct sites *sites, uint32_t id) {
	return (id & SITE_FLAG) == 0 ? id : sites_get(sites, id)->name;
}

/** Replace the sites in a stack by their names. The context is a struct sites. */
bool sites_project(void *sites, struct ids *stack);

/** Add all sites of `from`. `names` gives the ids that its names have here. Return the new id of
 * each, with SITE_FLAG. The caller releases them with free(). */
uint32_t *sites_merge(struct sites *sites, const struct sites *from, const uint32_t *names);

/** Take over the stacks of a profile, and its values, which may be NULL, before they become those
 * of names. Names become sites that have nothing else. */
void sites_take(struct sites *sites, const struct stacks *stacks, const struct values *values);

/** Give every stack of names its new id. */
void sites_renumber(struct sites *sites, const uint32_t *new_stacks);

/** Give every name its new id. */
void sites_rename(struct sites *sites, const uint32_t *new_names);

void sites_free(struct sites *sites);

#endif
