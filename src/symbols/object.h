/** Declare the fields of objects, and the functions for each kind of object. Only the files in
 * src/symbols include this header. */
#pragma once

#include "base/bounded.h"
#include "symbols/file.h"
#include "symbols/inlines.h"
#include "symbols/jit.h"
#include "symbols/kallsyms.h"
#include "symbols/table.h"

/** A slot of a map whose keys are addresses. A zeroed map is empty. */
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

/** Return the slot of a key. If the key is new, add a slot that is not `used`; the caller sets
 * `used`. The slot is valid until the next call. */
struct address_slot *address_map_slot(struct address_map *map, uint64_t key);
void address_map_release(struct address_map *map);

struct cfi;

struct object {
	struct object_file file;
	struct str key; // unique key of the object; see symbols_key_of()
	enum object_state state;
	bool opened, searched_mapped, searched_inlines;
	bool lost; // reading the object took too long; the read may still go on, so do not touch
		   // the object
	bool no_inlines;      // reading the debug information took too long
	uint64_t shift;       // number to add to an address before it is looked up in the table
	struct file *mapped;  // the file that was mapped
	struct file *debug;   // the file with the symbols, if this is not `mapped`
	struct file *packed;  // the unpacked file in `.gnu_debugdata`
	struct file *inlined; // the file with the inlined functions, if it is neither `mapped` nor
			      // `debug`
	struct table table;
	struct kallsyms *kallsyms; // OBJECT_KERNEL, OBJECT_MODULE: symbols to use instead of the
				   // table
	uint16_t group;            // OBJECT_MODULE: the group of the module's symbols in `kallsyms`
	// OBJECT_JIT, OBJECT_JITDUMP: the user of the process when the process was first seen
	uint32_t user;
	struct perf_map map;
	struct jitdump dump;
	struct inlines *inlines; // debug information with inlined functions; NULL: not found, or
				 // not searched for
	struct address_map frames;
	struct cfi *cfi; // data of the unwinder; NULL: not searched for
	struct object *next;
};

struct symbols {
	struct symbols_options options;
	struct diag *diag;
	struct symbols_missing missing;
	struct unread unread;
	struct intern keys;
	struct intern frames; // distinct lists of frames at addresses
	struct object *objects;
	struct object *kernel;     // the first object of the kind OBJECT_KERNEL
	struct kallsyms *kallsyms; // symbols of the running kernel; NULL: not read yet
	struct demangler demangler;
	struct arena arena; // memory for frames, names of stubs and copied texts
	struct buf scratch;
	struct bounded bounded; // runs the work that may hang
	// a separate struct for the thread of `bounded`, which must not use this one; NULL: not
	// made yet
	struct symbols *away;
	struct object_work *work; // memory for the work of `bounded`; NULL: not allocated yet
};

/** Work on an object. The work may hang, because it reads files. */
struct object_work {
	void (*task)(struct object_work *work);
	struct symbols *symbols; // symbols with which objects are opened
	struct object *object;
	struct cfi *cfi; // members from here on: arguments and results of the task
	uint64_t address;
	size_t size, n;
	char bytes[16];
	struct inline_frame frames[INLINES_MOST];
};

/** Return the memory for work on an object. The members `symbols` and `object` are set. All work
 * uses the same memory, so end one piece of work before the next call. */
struct object_work *object_work(struct symbols *symbols, struct object *object);

/** Do the work. Return whether the work was completed. If it was not completed, do not touch its
 * memory, which may still be in use. */
bool object_do(struct symbols *symbols, struct object_work *work,
	       void (*task)(struct object_work *work));

/** A symbol that contains an address, before its name is demangled. */
struct hit {
	struct str name;
	uint64_t start;  // address in the object
	uint64_t linked; // the requested address as a linked address, as in debug information
	bool is_linked;  // whether `linked` is known
	bool plain;      // the name is certainly not mangled
};

/** Open the symbols of an object, unless they are open already. */
void object_open(struct symbols *symbols, struct object *object);

/** Return the file of an object that was mapped. Open the file if it is not open yet. Return NULL
 * if the file is not found. */
struct file *object_mapped(struct symbols *symbols, struct object *object);

/** Open the symbols of the kernel (kernel_open) or of a module (module_open). Find a symbol in them
 * (kernel_find). */
void kernel_open(struct symbols *symbols, struct object *object);
void module_open(struct symbols *symbols, struct object *object);
bool kernel_find(const struct object *object, uint64_t address, struct hit *hit);

/** Release the unwinder's data about an object. */
void cfi_free(struct cfi *cfi);
