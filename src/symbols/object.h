/** What the files of this room share: the inside of objects, and what each kind of them can do. */
#ifndef INFERNO_SYMBOLS_OBJECT_H
#define INFERNO_SYMBOLS_OBJECT_H

#include "symbols/file.h"
#include "symbols/inlines.h"
#include "symbols/jit.h"
#include "symbols/kallsyms.h"
#include "symbols/table.h"

/** Distinct addresses and what is known of each. A zeroed map is an empty one. */
struct address_slot {
	uint64_t key;
	const void *value;
	uint32_t n;
	bool used;
};

struct address_map {
	struct address_slot *slots;
	size_t mask, n;
	uint64_t seed;
};

/** Return the slot of a key, adding it, not `used`, if it is new. Valid until the next call. */
struct address_slot *address_map_slot(struct address_map *map, uint64_t key);
void address_map_release(struct address_map *map);

struct cfi;

struct object {
	struct object_file file;
	struct str key; // what makes it distinct
	enum object_state state;
	bool opened, searched_mapped, searched_inlines;
	bool moved;          // OBJECT_MODULE: not where the kernel's table has it
	uint64_t shift;      // what to add to an address to look it up in the table
	struct file *mapped; // the file that was mapped
	struct file *debug;  // where the symbols are, if that is another
	struct file *packed; // `.gnu_debugdata`, unpacked
	struct table table;
	struct kallsyms *kallsyms; // OBJECT_KERNEL, OBJECT_MODULE: instead of the table
	uint16_t group;            // OBJECT_MODULE: its symbols in that
	struct perf_map map;
	struct jitdump dump;
	struct inlines *inlines; // NULL: none, or not asked yet
	struct address_map frames;
	struct cfi *cfi; // the unwinder's; NULL: not asked yet
	struct object *next;
};

struct symbols {
	struct symbols_options options;
	struct diag *diag;
	struct symbols_missing missing;
	struct intern keys;
	struct object *objects;    // all of them
	struct object *kernel;     // the first OBJECT_KERNEL
	struct kallsyms *kallsyms; // the running kernel's, once read
	struct demangler demangler;
	struct arena arena; // frames, names of stubs, copied texts
	struct buf scratch;
};

/** A symbol that holds an address, before its name is demangled. */
struct hit {
	struct str name;
	uint64_t start;  // in the object's addresses
	uint64_t linked; // the address that was asked for, as debug information has it
	bool is_linked;  // whether that is known
	bool plain;      // the name is never mangled
};

/** Open the symbols of an object, unless that was done. */
void object_open(struct symbols *symbols, struct object *object);

/** Return the file that was mapped, opening it if need be; NULL if there is none. */
struct file *object_mapped(struct symbols *symbols, struct object *object);

/** Open the kernel's or a module's symbols, and find one. */
void kernel_open(struct symbols *symbols, struct object *object);
void module_open(struct symbols *symbols, struct object *object);
bool kernel_find(const struct object *object, uint64_t address, struct hit *hit);

/** Release what the unwinder keeps with an object. */
void cfi_free(struct cfi *cfi);

#endif
