/**
 * Turn addresses into names. One `struct symbols` serves a whole run. Each file is opened once,
 * when its first address is looked up, and each distinct address is resolved once. A file is not
 * used if its build-id differs from the recorded build-id.
 *
 * An object is anything that holds code: an ELF file, the kernel, a module, the vdso, code of a JIT
 * compiler, or a BPF program. The kind of an object determines the meaning of its addresses.
 *
 * A `struct symbols` and all its objects belong to one thread. Names and frames are valid until
 * symbols_free().
 */
#ifndef INFERNO_SYMBOLS_SYMBOLS_H
#define INFERNO_SYMBOLS_SYMBOLS_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/str.h"
#include "base/unread.h"

struct symbols_options {
	struct str symfs;     // folder that stands for `/`; empty: none
	struct str debug_dir; // folders to search besides /usr/lib/debug, separated by `:`
	struct str kallsyms;  // file to read instead of /proc/kallsyms; used for any kernel
	struct str vmlinux;   // file with the kernel's symbols; its build-id must match
	struct str cache;     // build-id cache; empty: $HOME/.debug
	bool no_inline;       // whether to return only the function that holds the address
	bool srcline;         // whether to fill in `file` and `line`
	bool debuginfod;      // whether to fetch missing debug files from the network
	bool live; // processes are sampled now: a file is used only if it is proven to be the file
		   // that a process has mapped
	struct unread *unread; // set by symbols_new(): notes files that cannot be read
};

enum object_kind {
	OBJECT_ELF,    // a mapped file; addresses are file offsets: ip - start + page offset
	OBJECT_VDSO,   // the same
	OBJECT_KERNEL, // addresses are the kernel's, as recorded
	OBJECT_MODULE, // a kernel module; addresses are the kernel's, as recorded
	OBJECT_JIT, // anonymous code of `pid`, named by perf-PID.map; addresses are the process's
	OBJECT_JITDUMP, // code in the jitdump file `path`; addresses are the process's. From the
			// mapping of the file's first page on, the file names anonymous code of the
			// process, and is preferred to a perf map
	OBJECT_BPF,     // `path` is the name of the program, `start` its address
};

enum { BUILD_ID_MAX = 20 };

struct build_id {
	uint8_t size; // 0: not known
	uint8_t bytes[BUILD_ID_MAX];
};

/** The identity of a file on this machine. */
struct file_id {
	uint32_t major, minor; // numbers of the device
	uint64_t inode;        // inode; 0: not known
	uint64_t generation; // generation of the inode; differs between two files that had the same
			     // inode one after the other
};

/** The facts about an object in a recording. In every field, zero means "not known". */
struct object_file {
	enum object_kind kind;
	struct str path; // copied
	struct build_id build_id;
	struct file_id id;
	uint32_t pid; // OBJECT_JIT: the process with the code; otherwise a process that had the
		      // file mapped
	// range where that process had the file mapped; for the kernel, the range of its text
	uint64_t map_start, map_end;
	bool unproven;      // OBJECT_KERNEL: the recording does not identify the kernel
	uint32_t inner_pid; // OBJECT_JIT: the number of that process in its own pid namespace
	uint64_t start;     // OBJECT_MODULE, OBJECT_BPF: address at which the object was loaded
	// OBJECT_KERNEL: a symbol (`_text` or `_stext`) and its recorded address. Both come from
	// the kernel's mapping `[kernel.kallsyms]_text`. The address shows where the kernel was
	// loaded, because another boot may load the same kernel at another address.
	struct str reference;
	uint64_t reference_address;
};

struct symbol {
	struct str name; // demangled, without parameters
	uint64_t start;  // address of the function in the object; `+0x1f` is relative to it
	struct str file; // source file; empty: not known or not requested
	struct str dir;  // folder of `file`, if that is a relative path; empty: not known
	uint32_t line;   // 0: not known
	uint32_t column; // 0: not known
	bool inlined;    // whether it is inlined into the next symbol
};

/** Add the path of a symbol's source file. If the file is not known, add nothing. */
void symbol_add_source(struct buf *out, const struct symbol *symbol);

/** How the symbols of an object were found, or why no symbols were found. */
enum object_state {
	OBJECT_UNTRIED,    // no address was looked up yet
	OBJECT_NAMED,      // a full symbol table
	OBJECT_STRIPPED,   // only exported functions have names
	OBJECT_NAMELESS,   // its file has no symbols
	OBJECT_MISSING,    // its file is not there
	OBJECT_REPLACED,   // a file of that name is there, but its build-id differs
	OBJECT_UNREADABLE, // its file is not an ELF file, is broken, or may not be read
	OBJECT_DISTRUSTED, // the file with the names does not belong to the user of the process
	OBJECT_RESTRICTED, // /proc/kallsyms shows no addresses to this user
	OBJECT_FOREIGN,    // the recording was made under another kernel
	OBJECT_GIVEN_UP,   // reading its file took too long
	OBJECT_UNSURE,     // the kernel of the recording is not known
};

/** Libraries, files and time that were needed and are missing. */
struct symbols_missing {
	bool libdw;       // libdw: no inlined functions and no source lines
	bool unwinder;    // libdw for unwinding: recorded stacks of some processors are not unwound
	bool liblzma;     // liblzma: no symbols from parts packed by xz
	bool debuginfod;  // libdebuginfod: no debug files from servers
	bool libiberty;   // libiberty: mangled names of C++ and Rust remain as they are
	bool split_debug; // a file with a part of the debug information: no inlined functions from
			  // it
	bool given_up;    // time: reading some files took too long
};

struct symbols;
struct object;

/** Make an empty table of symbols. The texts of the options are copied. `diag` gets notes, and is
 * borrowed until symbols_free(). */
struct symbols *symbols_new(const struct symbols_options *options, struct diag *diag);
void symbols_free(struct symbols *symbols);

/** Return the libraries and files that were missing so far. */
const struct symbols_missing *symbols_missing(const struct symbols *symbols);

/** Return the object of a file, adding it if it is new. This opens no file. */
struct object *symbols_object(struct symbols *symbols, const struct object_file *file);

/**
 * Resolve an address. Set `*frames` to the symbols there, innermost first: inlined functions, then
 * the function that holds the address, which is not inlined. Return the number of functions, or 0
 * if nothing is known. Addresses with the same symbols get the same pointer. An address without
 * symbols gets NULL.
 *
 * With `caller`, the address is a return address. The function is looked up at that address, as
 * perf does; inlined functions and lines are looked up one byte before it. Addresses from unwind.h
 * are already one byte before, so pass them without `caller`.
 */
size_t symbols_at(struct symbols *symbols, struct object *object, uint64_t address, bool caller,
		  const struct symbol **frames);

/** Resolve an address of an OBJECT_JITDUMP. The code of such an object may move, so the address is
 * resolved as of the time `time` on the jitdump's clock. */
size_t symbols_at_time(struct symbols *symbols, struct object *object, uint64_t address,
		       uint64_t time, const struct symbol **frames);

enum object_state object_state(const struct object *object);

/** Write the build-id of an object in hexadecimal digits, with a NUL after them. `object` may be
 * NULL. Return the digits, or an empty text if the build-id is not known. */
struct str object_build_id_text(const struct object *object, char text[2 * BUILD_ID_MAX + 1]);
enum object_kind object_kind(const struct object *object);

/** Copy up to `size` bytes of the object's file, from a file offset on. Return the number of copied
 * bytes. */
size_t object_read(struct symbols *symbols, struct object *object, uint64_t offset, void *bytes,
		   size_t size);

/** Return the files that could not be read so far. */
struct unread *symbols_unread(struct symbols *symbols);

/** Get the build-id of the running kernel; size 0 if it is not known. Return 0, or the errno of
 * reading the file that contains it. */
int kernel_build_id(struct build_id *id);
extern const char kernel_notes_path[];

/** Return the build-id of the vdso of this process; size 0 if it is not known. */
struct build_id vdso_build_id(void);

/** Return whether two build-ids are the same. Old recordings pad short build-ids with zeros. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/** Return the kind of the object in a mapping with this name: OBJECT_VDSO, OBJECT_JITDUMP,
 * OBJECT_JIT for anonymous memory (perf maps may name code there), or OBJECT_ELF for any other
 * name. */
enum object_kind object_kind_of(struct str mapping);

#endif
