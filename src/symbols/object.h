/** The fields of objects, shared by the files of this room, and the functions for each kind of
 * object. */
#ifndef INFERNO_SYMBOLS_OBJECT_H
#define INFERNO_SYMBOLS_OBJECT_H

#include "base/bounded.h"
#include "symbols/file.h"
#include "symbols/inlines.h"
#include "symbols/jit.h"
#include "symbols/kallsyms.h"
#include "symbols/table.h"

/** A map whose keys are addresses. A zeroed map is empty. */
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

/** Return the slot of a key. If the key is new, add an object that is not `used`. The slot is valid
 * until the next call. */
struct address_slot *address_map_slot(struct address_map *map, uint64_t key);
void address_map_release(struct address_map *map);

struct cfi;

struct object {
	struct object_file file;
	struct str key; // key that identifies the object; see symbols_key_of()
	enum object_state state;
	bool opened, searched_mapped, searched_inlines;
	bool lost; // whether reading the object took too long; the read may still go on, so do not
		   // touch the object
	bool no_inlines;      // whether reading the debug information took too long
	uint64_t shift;       // number to add to an address before it is looked up in the table
	struct file *mapped;  // the file that was mapped
	struct file *debug;   // the file with the symbols, if this is not `mapped`
	struct file *packed;  // `.gnu_debugdata`, unpacked
	struct file *inlined; // the file with the inlined functions, if this is neither `mapped`
			      // nor `debug`
	struct table table;
	struct kallsyms *kallsyms; // OBJECT_KERNEL, OBJECT_MODULE: use this instead of the table
	uint16_t group;            // OBJECT_MODULE: the group of its symbols in `kallsyms`
	// OBJECT_JIT, OBJECT_JITDUMP: the user of the process, when it was first seen
	uint32_t user;
	struct perf_map map;
	struct jitdump dump;
	struct inlines *inlines; // NULL: there is no such information, or it was not searched for
	struct address_map frames;
	struct cfi *cfi; // data of the unwinder; NULL: not searched for
	struct object *next;
};

struct symbols {
	struct symbols_options options;
	struct diag *diag;
	struct symbols_missing missing;
	struct unread unread;
	struct intern keys;        // keys of objects
	struct intern frames;      // distinct lists of frames at addresses
	struct object *objects;    // all objects
	struct object *kernel;     // the first object of the kind OBJECT_KERNEL
	struct kallsyms *kallsyms; // symbols of the running kernel, after they were read
	struct demangler demangler;
	struct arena arena; // memory of frames, names of stubs, copied texts
	struct buf scratch;
	struct bounded bounded; // runs the work that may hang
	// symbols that the thread of `bounded` uses in place of these; NULL: none yet
	struct symbols *away;
	struct object_work *work; // memory for the work of `bounded`; NULL: none yet
};

/** Work on an object that may hang, because it reads files. */
struct object_work {
	void (*task)(struct object_work *work);
	struct symbols *symbols; // symbols with which objects are opened
	struct object *object;
	struct cfi *cfi; // arguments and results of the task
	uint64_t address;
	size_t size, n;
	char bytes[16];
	struct inline_frame frames[INLINES_MOST];
};

/** Return memory for work on an object, zeroed except for the frames. */
struct object_work *object_work(struct symbols *symbols, struct object *object);

/** Do the work. Return whether it was completed. If the work was not completed, do not touch its
 * memory, which may still be in use. */
bool object_do(struct symbols *symbols, struct object_work *work,
	       void (*task)(struct object_work *work));

/** A symbol that holds an address, before its name is demangled. */
struct hit {
	struct str name;
	uint64_t start;  // address in the object
	uint64_t linked; // the requested address, as in debug information
	bool is_linked;  // whether `linked` is known
	bool plain;      // whether the name is certainly not mangled
};

/** Open the symbols of an object, unless they are open already. */
void object_open(struct symbols *symbols, struct object *object);

/** Return the file that was mapped. Open the file if it is not open yet. Return NULL if there is no
 * such file. */
struct file *object_mapped(struct symbols *symbols, struct object *object);

/** Open the symbols of the kernel or of a module, and find a symbol. */
void kernel_open(struct symbols *symbols, struct object *object);
void module_open(struct symbols *symbols, struct object *object);
bool kernel_find(const struct object *object, uint64_t address, struct hit *hit);

/** Release the unwinder's part of an object. */
void cfi_free(struct cfi *cfi);

#endif
