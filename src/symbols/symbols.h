/**
 * Turn addresses into names. A run uses one `struct symbols`. Each file is opened once, when its
 * first address is looked up. Each distinct address is resolved once. If the build-id of a file
 * differs from the recorded build-id, the file is not used.
 *
 * An object is anything that holds code: an ELF file, the kernel, a module, the vdso, code of a JIT
 * compiler, or a BPF program. The kind of an object determines the meaning of its addresses.
 *
 * A `struct symbols` and all its objects belong to one thread. Names and frames are valid until
 * symbols_free().
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "base/str.h"
#include "base/unread.h"

struct symbols_options {
	struct str symfs;     // folder to use in place of `/`; empty: none
	struct str debug_dir; // folders to search besides /usr/lib/debug, separated by `:`
	struct str kallsyms;  // file to read instead of /proc/kallsyms; used for every kernel
	struct str vmlinux;   // file with the kernel's symbols; its build-id must match
	struct str cache;     // build-id cache; empty: $HOME/.debug
	bool no_inline;       // return no inlined functions
	bool srcline;         // fill in `file` and `line` of symbols
	bool debuginfod;      // fetch missing debug files from the network
	bool live; // processes are sampled now: use a file only if it is certainly the file that a
		   // process has mapped
	struct unread *unread; // notes of files that cannot be read; set by symbols_new()
};

enum object_kind {
	OBJECT_ELF,    // a mapped file; addresses are file offsets: ip - start + page offset
	OBJECT_VDSO,   // the vdso; addresses as for OBJECT_ELF
	OBJECT_KERNEL, // the kernel; addresses are as recorded
	OBJECT_MODULE, // a kernel module; addresses are as recorded
	OBJECT_JIT, // code of the process `pid`, named by perf-PID.map; addresses are the process's
	OBJECT_JITDUMP, // anonymous code of a process that has mapped the jitdump file `path`;
			// addresses are those of the process; after this mapping, the file has
			// precedence over a perf map
	OBJECT_BPF,     // a BPF program; `path` is its name, `start` is its address
};

enum { BUILD_ID_MAX = 20 };

struct build_id {
	uint8_t size; // 0: not known
	uint8_t bytes[BUILD_ID_MAX];
};

/** The device and the inode of a file on this machine. */
struct file_id {
	uint32_t major, minor; // numbers of the device
	uint64_t inode;        // inode; 0: not known
	uint64_t generation;   // changes with each reuse of the inode; 0: not known
};

/** The recorded properties of an object. In each field, zero means "not known". */
struct object_file {
	enum object_kind kind;
	struct str path; // symbols_object() copies the text
	struct build_id build_id;
	struct file_id id;
	uint32_t pid; // OBJECT_JIT: the process with the code; other kinds: a process that had
		      // mapped the file
	// range in which the process `pid` had mapped the file; OBJECT_KERNEL: range of the
	// kernel's text
	uint64_t map_start, map_end;
	bool unproven;      // OBJECT_KERNEL: the recording does not identify the kernel
	uint32_t inner_pid; // OBJECT_JIT: the id of the process in its own pid namespace
	uint64_t start;     // OBJECT_MODULE, OBJECT_BPF: address at which the object was loaded
	// OBJECT_KERNEL: a symbol (`_text` or `_stext`) and its recorded address. Both come from
	// the kernel's mapping `[kernel.kallsyms]_text`. Both are needed because each boot may load
	// the kernel at another address.
	struct str reference;
	uint64_t reference_address;
};

struct symbol {
	struct str name; // demangled, without parameters
	uint64_t start;  // address of the function in the object; an offset such as `+0x1f` is
			 // relative to this address
	struct str file; // source file; empty: not known or not requested
	struct str dir;  // folder of `file`, if `file` is a relative path; empty: not known
	uint32_t line;   // 0: not known
	uint32_t column; // 0: not known
	bool inlined;    // the function is inlined into the next symbol
};

/** Add the path of a symbol's source file. If the file is not known, add nothing. */
void symbol_add_source(struct buf *out, const struct symbol *symbol);

/** How the symbols of an object were found, or why no symbols were found. */
enum object_state {
	OBJECT_UNTRIED,    // no address was looked up yet
	OBJECT_NAMED,      // a full symbol table was found
	OBJECT_STRIPPED,   // only exported functions have names
	OBJECT_NAMELESS,   // the file has no symbols
	OBJECT_MISSING,    // the file does not exist
	OBJECT_REPLACED,   // a file of this name exists, but its build-id differs
	OBJECT_UNREADABLE, // the file is not an ELF file, is damaged, or may not be read
	OBJECT_DISTRUSTED, // the file with the names does not belong to the user of the process
	OBJECT_RESTRICTED, // the kernel hides the addresses in /proc/kallsyms from this user
	OBJECT_FOREIGN,    // the recording is from another kernel
	OBJECT_GIVEN_UP,   // reading the file took too long
	OBJECT_UNSURE,     // the kernel of the recording is not known
};

/** Libraries and files that were needed but are missing. The comment of each member says what is
 * left out then. */
struct symbols_missing {
	bool libdw;       // libdw is missing: no inlined functions and no source lines
	bool unwinder;    // libdw is missing: recorded stacks of some processors are not unwound
	bool liblzma;     // liblzma is missing: no symbols from parts that are packed with xz
	bool debuginfod;  // libdebuginfod is missing: no debug files from servers
	bool libiberty;   // libiberty is missing: names of C++ and Rust stay mangled
	bool split_debug; // a file with a part of the debug information is missing: no inlined
			  // functions from this part
	bool given_up;    // reading some files was given up, because it took too long or no time
			  // was left: some or all names of these files are left out
};

struct symbols;
struct object;

/** Make an empty table of symbols. Copy the texts of the options. `diag` gets notes, and is
 * borrowed until symbols_free(). */
struct symbols *symbols_new(const struct symbols_options *options, struct diag *diag);
void symbols_free(struct symbols *symbols);

/** Return the libraries and files that were missing so far. */
const struct symbols_missing *symbols_missing(const struct symbols *symbols);

/** Return the object of a file. Add the object if it is new. The file is not opened yet. */
struct object *symbols_object(struct symbols *symbols, const struct object_file *file);

/**
 * Find the symbols at an address. Set `*frames` to them, innermost first: inlined functions, then
 * the function that contains the address. Return their number. Addresses with the same symbols get
 * the same pointer. If there are no symbols, set `*frames` to NULL and return 0.
 *
 * If `caller` is set, the address is a return address. Look up the function at this address, as
 * perf does. Look up inlined functions and lines one byte before it, in the call. unwind() returns
 * addresses that are already one byte before the return address, so pass them without `caller`.
 */
size_t symbols_at(struct symbols *symbols, struct object *object, uint64_t address, bool caller,
		  const struct symbol **frames);

/** Find the symbols at an address of an OBJECT_JITDUMP. The code of such an object may move, so use
 * the code that was at the address at `time`, on the jitdump's clock. For an object of another
 * kind, call symbols_at(). If the result is 0, do not read `*frames`. */
size_t symbols_at_time(struct symbols *symbols, struct object *object, uint64_t address,
		       uint64_t time, const struct symbol **frames);

enum object_state object_state(const struct object *object);

/** Write the build-id of an object in hexadecimal digits, with a NUL after them. `object` may be
 * NULL. Return the digits, or an empty text if the build-id is not known. */
struct str object_build_id_text(const struct object *object, char text[2 * BUILD_ID_MAX + 1]);
enum object_kind object_kind(const struct object *object);

/** Copy up to `size` bytes of the object's file, but at most 16, starting at a file offset. Return
 * the number of copied bytes. */
size_t object_read(struct symbols *symbols, struct object *object, uint64_t offset, void *bytes,
		   size_t size);

/** Return the notes of files that could not be read so far. */
struct unread *symbols_unread(struct symbols *symbols);

/** Read the build-id of the running kernel. If it is not known, set its size to 0. Return 0, or the
 * errno of the failed read of `kernel_notes_path`. */
int kernel_build_id(struct build_id *id);
extern const char kernel_notes_path[];

/** Return the build-id of the vdso of this process. If it is not known, its size is 0. */
struct build_id vdso_build_id(void);

/** Return whether two build-ids are the same. Ignore zeros at the end, because old recordings pad
 * short build-ids with zeros. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/** Return the kind of the object in a mapping with this name: OBJECT_VDSO, OBJECT_JITDUMP,
 * OBJECT_JIT for anonymous memory, in which a perf map may name code, or OBJECT_ELF for any other
 * name. */
enum object_kind object_kind_of(struct str mapping);
