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

/** A map from addresses to facts about each. Zeroed maps are empty. */
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

/** Return the slot of a key. Add one that is not `used` if the key is new. Valid until the next
 * call. */
struct address_slot *address_map_slot(struct address_map *map, uint64_t key);
void address_map_release(struct address_map *map);

struct cfi;

struct object {
	struct object_file file;
	struct str key; // identifies it; see symbols_key_of()
	enum object_state state;
	bool opened, searched_mapped, searched_inlines;
	bool lost;            // reading it took too long, and may still go on: leave it alone
	bool no_inlines;      // its debug information took too long
	uint64_t shift;       // what to add to an address to look it up in the table
	struct file *mapped;  // the file that was mapped
	struct file *debug;   // the file with the symbols, if that is another one
	struct file *packed;  // `.gnu_debugdata`, unpacked
	struct file *inlined; // the file with the inlined functions, if that is yet another one
	struct table table;
	struct kallsyms *kallsyms; // OBJECT_KERNEL, OBJECT_MODULE: use this instead of the table
	uint16_t group;            // OBJECT_MODULE: the group of its symbols there
	uint32_t user;             // OBJECT_JIT, OBJECT_JITDUMP: of the process, when it was seen
	struct perf_map map;
	struct jitdump dump;
	struct inlines *inlines; // NULL: there is none, or it was not looked for
	struct address_map frames;
	struct cfi *cfi; // for the unwinder; NULL: not looked for
	struct object *next;
};

struct symbols {
	struct symbols_options options;
	struct diag *diag;
	struct symbols_missing missing;
	struct unread unread;
	struct intern keys;        // of objects
	struct intern frames;      // distinct lists of frames at addresses
	struct object *objects;    // all objects
	struct object *kernel;     // the first OBJECT_KERNEL
	struct kallsyms *kallsyms; // the running kernel's, once read
	struct demangler demangler;
	struct arena arena; // frames, names of stubs, copied texts
	struct buf scratch;
	struct bounded bounded; // does the work that may hang
	struct symbols *away; // the symbols that its thread uses in place of these; NULL: none yet
	struct object_work *work; // memory for its work; NULL: none yet
};

/** Work on an object that may hang, because it reads files. */
struct object_work {
	void (*task)(struct object_work *work);
	struct symbols *symbols; // to open objects with
	struct object *object;
	struct cfi *cfi; // arguments and results of the task
	uint64_t address;
	size_t size, n;
	char bytes[16];
	struct inline_frame frames[INLINES_MOST];
};

/** Return memory for work on an object, zeroed except for the frames. */
struct object_work *object_work(struct symbols *symbols, struct object *object);

/** Do the work. Return whether it was done; if not, do not touch its memory: it may still be in
 * use. */
bool object_do(struct symbols *symbols, struct object_work *work,
	       void (*task)(struct object_work *work));

/** A symbol that holds an address, before its name is demangled. */
struct hit {
	struct str name;
	uint64_t start;  // in the object's addresses
	uint64_t linked; // the requested address, as debug information has it
	bool is_linked;  // `linked` is known
	bool plain;      // the name is never mangled
};

/** Open the symbols of an object, unless they are open. */
void object_open(struct symbols *symbols, struct object *object);

/** Return the file that was mapped. Open it if that was not done. Return NULL if there is none. */
struct file *object_mapped(struct symbols *symbols, struct object *object);

/** Open the symbols of the kernel or of a module, and find a symbol. */
void kernel_open(struct symbols *symbols, struct object *object);
void module_open(struct symbols *symbols, struct object *object);
bool kernel_find(const struct object *object, uint64_t address, struct hit *hit);

/** Release the unwinder's part of an object. */
void cfi_free(struct cfi *cfi);

#endif
