/* Open objects, and find the symbols at their addresses. */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/stop.h"
#include "symbols/debuginfod.h"
#include "symbols/elf_symbols.h"
#include "symbols/gopclntab.h"
#include "symbols/mapped.h"
#include "symbols/maps.h"
#include "symbols/object.h"
#include "symbols/opening.h"
#include "symbols/startup.h"

/* --- Distinct addresses --------------------------------------------------------------------- */

static size_t symbols_slot_of(const struct address_map *map, uint64_t key) {
	size_t i = (size_t)hash_bytes(&key, sizeof(key), map->seed) & map->mask;
	while (map->slots[i].used && map->slots[i].key != key) {
		i = (i + 1) & map->mask;
	}
	return i;
}

static void symbols_grow(struct address_map *map) {
	enum { FIRST = 64 };
	struct address_map old = *map;
	size_t slots = old.slots == NULL ? FIRST : 2 * (old.mask + 1);
	map->seed = hash_seed();
	map->mask = slots - 1;
	map->slots = mem_new(slots, sizeof(*map->slots));
	for (size_t i = 0; old.slots != NULL && i <= old.mask; i++) {
		if (old.slots[i].used) {
			map->slots[symbols_slot_of(map, old.slots[i].key)] = old.slots[i];
		}
	}
	free(old.slots);
}

struct address_slot *address_map_slot(struct address_map *map, uint64_t key) {
	if (map->slots == NULL || map->n * 2 > map->mask) {
		symbols_grow(map);
	}
	struct address_slot *slot = &map->slots[symbols_slot_of(map, key)];
	if (!slot->used) {
		slot->key = key;
		map->n++;
	}
	return slot;
}

void address_map_release(struct address_map *map) {
	free(map->slots);
	*map = (struct address_map){0};
}

/* --- Objects -------------------------------------------------------------------------------- */

static struct str symbols_keep(struct symbols *symbols, struct str text) {
	return (struct str){arena_copy(&symbols->arena, text.p, text.n), text.n};
}

enum { STALLED = 8000 }; // time limit for a file that does not respond, in milliseconds

struct symbols *symbols_new(const struct symbols_options *options, struct diag *diag) {
	struct symbols *symbols = mem_new(1, sizeof(*symbols));
	struct symbols_options *own = &symbols->options;
	*own = *options;
	own->symfs = symbols_keep(symbols, options->symfs);
	while (own->symfs.n > 0 && own->symfs.p[own->symfs.n - 1] == '/') {
		own->symfs.n--;
	}
	own->debug_dir = symbols_keep(symbols, options->debug_dir);
	own->kallsyms = symbols_keep(symbols, options->kallsyms);
	own->vmlinux = symbols_keep(symbols, options->vmlinux);
	own->cache = symbols_keep(symbols, options->cache);
	own->unread = &symbols->unread;
	symbols->diag = diag;
	symbols->bounded.limits = (struct bounded_limits){
		.stalled = STALLED, .stopped = STOP_STALLED, .total = STOP_SYMBOLS};
	return symbols;
}

static void symbols_release_object(struct object *object) {
	inlines_free(object->inlines);
	file_free(object->mapped);
	file_free(object->debug);
	file_free(object->packed);
	file_free(object->inlined);
	table_release(&object->table);
	perf_map_release(&object->map);
	jitdump_release(&object->dump);
	address_map_release(&object->frames);
	cfi_free(object->cfi);
	free(object);
}

/** Release the memory for work in the second thread. Return false if some work may still run. */
static bool symbols_end_work(struct symbols *symbols) {
	if (symbols->bounded.lost > 0) {
		return false;
	}
	bounded_release(&symbols->bounded);
	if (symbols->away != NULL) {
		demangler_release(&symbols->away->demangler);
		arena_release(&symbols->away->arena);
		buf_release(&symbols->away->scratch);
		unread_release(&symbols->away->unread);
		free(symbols->away->work);
		free(symbols->away);
	}
	free(symbols->work);
	return true;
}

void symbols_free(struct symbols *symbols) {
	if (symbols == NULL || !symbols_end_work(symbols)) {
		return;
	}
	for (struct object *object = symbols->objects; object != NULL;) {
		struct object *next = object->next;
		symbols_release_object(object);
		object = next;
	}
	kallsyms_free(symbols->kallsyms);
	intern_release(&symbols->keys);
	intern_release(&symbols->frames);
	demangler_release(&symbols->demangler);
	arena_release(&symbols->arena);
	buf_release(&symbols->scratch);
	unread_release(&symbols->unread);
	free(symbols);
}

const struct symbols_missing *symbols_missing(const struct symbols *symbols) {
	return &symbols->missing;
}

/** If a read from a file has failed, note the file as unread. */
static void symbols_note_problem(struct symbols *symbols, struct file *file) {
	if (file != NULL && !file->noted && file_problem(file) != 0) {
		unread_note_wanted(&symbols->unread, file->path, file_problem(file));
		file->noted = true;
	}
}

struct unread *symbols_unread(struct symbols *symbols) {
	for (struct object *object = symbols->objects; object != NULL; object = object->next) {
		symbols_note_problem(symbols, object->mapped);
		symbols_note_problem(symbols, object->debug);
		symbols_note_problem(symbols, object->inlined);
	}
	return &symbols->unread;
}

/** Make a unique key for an object. A path alone is not unique: it may name different files in
 * different containers. The code of a JIT compiler belongs to its process. */
static struct str symbols_key_of(struct symbols *symbols, const struct object_file *file) {
	struct buf *key = &symbols->scratch;
	bool own = file->kind == OBJECT_JIT;
	bool placed = file->kind == OBJECT_BPF || file->kind == OBJECT_MODULE;
	buf_clear(key);
	buf_printf(key, "%d %u %llx ", (int)file->kind, own ? file->pid : 0,
		   (unsigned long long)(placed ? file->start : 0));
	if (file->build_id.size == 0) {
		buf_add(key, &file->id, sizeof(file->id));
	}
	buf_add(key, &file->build_id.size, 1);
	buf_add(key, file->build_id.bytes, file->build_id.size);
	buf_add_str(key, own ? STR("") : file->path);
	return buf_str(key);
}

struct object *symbols_object(struct symbols *symbols, const struct object_file *file) {
	struct str bytes = symbols_key_of(symbols, file);
	struct intern_key *key = intern_get(&symbols->keys, bytes.p, bytes.n);
	if (key->value != 0) {
		return (struct object *)(uintptr_t)key->value;
	}
	struct object *object = mem_new(1, sizeof(*object));
	object->file = *file;
	object->file.path = symbols_keep(symbols, file->path);
	object->file.reference = symbols_keep(symbols, file->reference);
	object->next = symbols->objects;
	symbols->objects = object;
	if (file->kind == OBJECT_JIT || file->kind == OBJECT_JITDUMP) {
		// Read the user now: the process may have ended when its names are read.
		object->user = symbols->options.live ? process_user(file->pid) : 0;
	}
	if (file->kind == OBJECT_KERNEL && symbols->kernel == NULL) {
		symbols->kernel = object;
	}
	key->value = (uint64_t)(uintptr_t)object;
	return object;
}

enum object_kind object_kind_of(struct str mapping) {
	static const struct str anonymous[] = {
		STR_INIT("//anon"),  STR_INIT("/anon_hugepage"), STR_INIT("/dev/zero"),
		STR_INIT("/memfd:"), STR_INIT("/SYSV"),          STR_INIT("[heap]"),
		STR_INIT("[stack"),  STR_INIT("[anon:"),         STR_INIT("anon_inode:"),
	};
	for (size_t i = 0; i < sizeof(anonymous) / sizeof(anonymous[0]); i++) {
		if (str_starts(mapping, anonymous[i])) {
			return OBJECT_JIT;
		}
	}
	size_t slash = str_find_last(mapping, '/');
	struct str name = slash == STR_NONE ? mapping : str_from(mapping, slash + 1);
	if (str_starts(name, STR("jit-")) && str_ends(name, STR(".dump"))) {
		return OBJECT_JITDUMP;
	}
	return str_eq(mapping, STR("[vdso]")) ? OBJECT_VDSO : OBJECT_ELF;
}

void symbol_add_source(struct buf *out, const struct symbol *symbol) {
	if (symbol->dir.n > 0) {
		buf_add_str(out, symbol->dir);
		buf_add_char(out, '/');
	}
	buf_add_str(out, symbol->file);
}

struct str object_build_id_text(const struct object *object, char text[2 * BUILD_ID_MAX + 1]) {
	static const char digits[] = "0123456789abcdef";
	const struct build_id none = {0};
	const struct build_id *id = object == NULL                   ? &none
				    : object->file.build_id.size > 0 ? &object->file.build_id
				    : object->mapped != NULL         ? &object->mapped->build_id
								     : &none;
	for (size_t i = 0; i < id->size; i++) {
		text[2 * i] = digits[id->bytes[i] >> 4];
		text[2 * i + 1] = digits[id->bytes[i] & 0xf];
	}
	text[2 * (size_t)id->size] = '\0';
	return (struct str){text, 2 * (size_t)id->size};
}

enum object_state object_state(const struct object *object) {
	return object->lost ? OBJECT_GIVEN_UP : object->state;
}

enum object_kind object_kind(const struct object *object) {
	return object->file.kind;
}

/* --- Work that may never end ---------------------------------------------------------------- */

struct object_work *object_work(struct symbols *symbols, struct object *object) {
	if (symbols->work == NULL) {
		symbols->work = mem_new(1, sizeof(*symbols->work));
	}
	struct object_work *work = symbols->work;
	work->symbols = symbols;
	work->object = object;
	work->cfi = NULL;
	work->n = 0;
	return work;
}

/** Return the `struct symbols` for work in another thread. The struct shares with `symbols` only
 * the texts of the options, `diag`, the kernel and `kallsyms`. */
static struct symbols *symbols_away_of(struct symbols *symbols) {
	if (symbols->away == NULL) {
		symbols->away = mem_new(1, sizeof(*symbols->away));
		symbols->away->options = symbols->options;
		symbols->away->options.unread = &symbols->away->unread;
		symbols->away->diag = symbols->diag;
	}
	if (symbols->unread.n > 0) {
		unread_copy(&symbols->away->unread, &symbols->unread);
	}
	symbols->away->kernel = symbols->kernel;
	symbols->away->kallsyms = symbols->kallsyms;
	return symbols->away;
}

/** Copy the results of work in another thread that are not in the object, such as notes of unread
 * files. */
static void symbols_come_back(struct symbols *symbols) {
	const struct symbols *away = symbols->away;
	if (away->unread.n > symbols->unread.n) {
		unread_copy(&symbols->unread, &away->unread);
	}
	symbols->kallsyms = away->kallsyms;
	symbols->missing.libdw |= away->missing.libdw;
	symbols->missing.debuginfod |= away->missing.debuginfod;
	symbols->missing.unwinder |= away->missing.unwinder;
	symbols->missing.liblzma |= away->missing.liblzma;
	symbols->missing.split_debug |= away->missing.split_debug;
}

static void symbols_do_task(void *context) {
	struct object_work *work = context;
	work->task(work);
}

bool object_do(struct symbols *symbols, struct object_work *work,
	       void (*task)(struct object_work *work)) {
	enum { LOST_MOST = 3 };
	if (!bounded_is_needed()) {
		task(work);
		return true;
	}
	enum bounded_result result = BOUNDED_REFUSED;
	if (symbols->bounded.lost < LOST_MOST) {
		work->task = task;
		work->symbols = symbols_away_of(symbols);
		result = bounded_do(&symbols->bounded, symbols_do_task, work, NULL);
	}
	if (result == BOUNDED_DONE) {
		symbols_come_back(symbols);
		return true;
	}
	symbols->missing.given_up = true;
	if (result == BOUNDED_LOST) { // the work may still use this memory, so drop the pointers
		symbols->away = NULL;
		symbols->work = NULL;
	}
	return false;
}

/* --- ELF files ------------------------------------------------------------------------------ */

/** Copy the vdso of this process. */
static struct file *symbols_copy_vdso(void) {
	enum { MOST = 64 << 10 };
	const char *start = (const char *)getauxval(AT_SYSINFO_EHDR);
	struct elf elf;
	struct buf bytes = {0};
	if (start == NULL || !elf_init(&elf, (struct str){start, 4096})) {
		return NULL;
	}
	// The section headers are the last part of the file. The headers are mapped, too, because
	// the kernel maps whole pages.
	uint64_t size =
		elf_integer(&elf, start + offsetof(Elf64_Ehdr, e_shoff), 8) +
		elf_integer(&elf, start + offsetof(Elf64_Ehdr, e_shnum), 2) * sizeof(Elf64_Shdr);
	elf_release(&elf);
	if (size > MOST) {
		return NULL;
	}
	buf_add(&bytes, start, (size_t)size);
	return file_take("[vdso]", &bytes);
}

/** Copy the vdso of this process, if it is the recorded vdso. */
static struct file *symbols_own_vdso(const struct build_id *recorded) {
	struct file *file = recorded->size == 0 ? NULL : symbols_copy_vdso();
	if (file != NULL && !build_id_equal(&file->build_id, recorded)) {
		file_free(file);
		return NULL;
	}
	return file;
}

struct build_id vdso_build_id(void) {
	struct build_id id = {.size = 0};
	struct file *file = symbols_copy_vdso();
	if (file != NULL) {
		id = file->build_id;
		file_free(file);
	}
	return id;
}

static void symbols_open_mapped_file(struct object_work *work) {
	struct object *object = work->object;
	if (object->file.kind == OBJECT_VDSO) {
		object->mapped = symbols_own_vdso(&object->file.build_id);
	}
	if (object->mapped == NULL) {
		object->mapped =
			find_mapped(&work->symbols->options, &object->file, &object->state);
	}
}

struct file *object_mapped(struct symbols *symbols, struct object *object) {
	enum object_kind kind = object->file.kind;
	bool is_elf = kind == OBJECT_ELF || kind == OBJECT_VDSO;
	if (!object->searched_mapped && is_elf && !object->lost) {
		struct object_work *work = object_work(symbols, object);
		object->searched_mapped = true;
		object->lost = !object_do(symbols, work, symbols_open_mapped_file);
	}
	return object->lost ? NULL : object->mapped;
}

/** Add the names in a stripped file: the names of exported functions and of Go functions. If the
 * file has packed symbols (`.gnu_debugdata`), add the names of all other functions; otherwise, add
 * the names of start functions. */
static void symbols_add_stripped(struct symbols *symbols, struct object *object) {
	struct file *mapped = object->mapped;
	elf_add_symbols(&mapped->elf, elf_section_of_type(&mapped->elf, SHT_DYNSYM), 0, 0,
			&object->table);
	elf_end_symbols(&mapped->elf, &object->table);
	gopclntab_add(&mapped->elf, &symbols->arena, &object->table);
	errno = 0;
	object->packed = file_packed_symbols(mapped, &symbols->missing.liblzma);
	unread_note(&symbols->unread, mapped->path, object->packed == NULL ? errno : 0);
	object->state = object->table.n > 0 ? OBJECT_STRIPPED : OBJECT_NAMELESS;
	if (object->packed != NULL) {
		const struct elf *packed = &object->packed->elf;
		elf_add_symbols(packed, elf_section_of_type(packed, SHT_SYMTAB), 0, 0,
				&object->table);
		object->state = OBJECT_NAMED;
	} else {
		startup_add(&mapped->elf, &object->table);
	}
}

/** Fetch the debug file of an object from the debuginfod servers, if the options allow it. Return
 * NULL if the servers have no such file, or if the file belongs to another build. */
static struct file *symbols_fetch_debug(struct symbols *symbols, const struct object *object,
					const struct file *mapped) {
	const struct build_id *id = object->file.build_id.size > 0 || mapped == NULL
					    ? &object->file.build_id
					    : &mapped->build_id;
	struct buf path = {0};
	struct file *file = NULL;
	enum object_state ignored = OBJECT_MISSING;
	if (symbols->options.debuginfod && id->size > 0 &&
	    debuginfod_fetch(id, symbols->diag, &path, &symbols->missing.debuginfod)) {
		file = file_open(buf_text(&path), &ignored);
		unread_note(&symbols->unread, buf_text(&path), file == NULL ? errno : 0);
	}
	if (file != NULL && !build_id_equal(&file->build_id, id)) {
		file_free(file);
		file = NULL;
	}
	buf_release(&path);
	return file;
}

static bool symbols_has_symbols(const struct file *file) {
	return file != NULL && elf_section_of_type(&file->elf, SHT_SYMTAB) != NULL;
}

/** For each segment of a debug file that has the size 0 in the file, use the size in memory. */
static void symbols_restore_segments(struct elf *elf) {
	for (size_t i = 0; i < elf->segment_count; i++) {
		if (elf->segments[i].file_size == 0) {
			elf->segments[i].file_size = elf->segments[i].memory_size;
		}
	}
}

static void symbols_elf_open(struct symbols *symbols, struct object *object) {
	struct file *mapped = object_mapped(symbols, object);
	object->debug = find_debug(&symbols->options, &object->file, mapped, STR(".symtab"));
	if (object->debug == NULL && !symbols_has_symbols(mapped)) {
		object->debug = symbols_fetch_debug(symbols, object, mapped);
	}
	if (object->debug == NULL && mapped == NULL) {
		return;
	}
	const struct elf *full = object->debug != NULL ? &object->debug->elf : &mapped->elf;
	const struct elf_section *section = elf_section_of_type(full, SHT_SYMTAB);
	if (section != NULL && elf_data(full, section).n > 0) {
		object->state = OBJECT_NAMED;
		elf_add_symbols(full, section, 0, 0, &object->table);
	} else if (mapped != NULL) {
		symbols_add_stripped(symbols, object);
	}
	if (mapped != NULL) {
		elf_add_stubs(&mapped->elf, &symbols->arena, &object->table);
	} else {
		symbols_restore_segments(&object->debug->elf);
	}
	table_finish(&object->table, &symbols->demangler);
}

static bool symbols_elf_find(struct object *object, uint64_t offset, uint64_t time,
			     struct hit *hit) {
	(void)time;
	const struct file *file = object->mapped != NULL ? object->mapped : object->debug;
	if (file == NULL || !elf_address(&file->elf, offset, &hit->linked)) {
		return false;
	}
	hit->is_linked = true;
	const struct table_entry *entry = table_find(&object->table, hit->linked);
	if (entry == NULL) {
		return false;
	}
	hit->name = str_of(entry->name);
	hit->start = offset - (hit->linked - entry->start);
	return true;
}

/* --- Other kinds ---------------------------------------------------------------------------- */

static bool symbols_find_in_kernel(struct object *object, uint64_t address, uint64_t time,
				   struct hit *hit) {
	(void)time;
	return kernel_find(object, address, hit);
}

static bool symbols_read_map(struct symbols *symbols, struct object *object,
			     const struct jit_place *place, struct str folder, uint32_t pid) {
	struct buf path = {0};
	buf_add_str(&path, folder);
	buf_printf(&path, "/tmp/perf-%u.map", pid);
	int problem = perf_map_read(&object->map, place, buf_text(&path));
	unread_note_wanted(&symbols->unread, buf_text(&path), problem);
	object->state = problem == EPERM ? OBJECT_DISTRUSTED : object->state;
	buf_release(&path);
	return problem == 0;
}

/** Return the root folder below which the files of an object's process are opened, and the users
 * who may own these files. */
static struct jit_place symbols_place_of(struct symbols *symbols, const struct object *object) {
	uint32_t pid = object->file.pid;
	struct jit_place place = {.root = OWN_ROOT, .users = {object->user, process_user(pid)}};
	if (symbols->options.symfs.n == 0 && pid != 0) {
		place.root = open_root(pid);
		unread_note(&symbols->unread, "/proc/PID/root", place.root < 0 ? errno : 0);
	}
	return place;
}

/** Read the perf map of a process. The name of the map contains the id that the process has in its
 * own pid namespace. This id may differ from the id in the namespace of this process. */
static bool symbols_read_own_map(struct symbols *symbols, struct object *object,
				 const struct jit_place *place) {
	struct str symfs = symbols->options.symfs;
	uint32_t pid = object->file.pid;
	uint32_t inner = object->file.inner_pid;
	if (inner == 0 && symbols->options.live) {
		inner = inner_pid(pid);
		unread_note(&symbols->unread, "/proc/PID/status", errno);
	}
	inner = inner == 0 ? pid : inner;
	struct jit_place here = *place;
	here.root = OWN_ROOT;
	bool below = place->root != OWN_ROOT;
	bool other = symbols->options.live && below && has_other_root(pid);
	return (other && symbols_read_map(symbols, object, place, STR(""), inner)) ||
	       symbols_read_map(symbols, object, &here, symfs, pid) ||
	       (inner != pid && symbols_read_map(symbols, object, &here, symfs, inner)) ||
	       (below && symbols_read_map(symbols, object, place, STR(""), inner));
}

static void symbols_jit_open(struct symbols *symbols, struct object *object) {
	struct jit_place place = symbols_place_of(symbols, object);
	object->state = OBJECT_MISSING;
	if (symbols_read_own_map(symbols, object, &place)) {
		object->state = object->map.ranges.n > 0 ? OBJECT_NAMED : OBJECT_NAMELESS;
	}
	if (place.root >= 0) {
		close(place.root);
	}
}

static bool symbols_jit_find(struct object *object, uint64_t address, uint64_t time,
			     struct hit *hit) {
	(void)time;
	hit->plain = true;
	return perf_map_find(&object->map, address, &hit->name, &hit->start);
}

static bool symbols_read_dump(struct symbols *symbols, struct object *object,
			      const struct jit_place *place, const char *path) {
	int problem = jitdump_read(&object->dump, place, path);
	unread_note_wanted(&symbols->unread, path, problem);
	object->state = problem == EPERM ? OBJECT_DISTRUSTED : object->state;
	return problem == 0;
}

static void symbols_jitdump_open(struct symbols *symbols, struct object *object) {
	struct buf path = {0};
	size_t folder = symbols->options.symfs.n;
	buf_add_str(&path, symbols->options.symfs);
	buf_add_str(&path, object->file.path);
	struct jit_place place = symbols_place_of(symbols, object), here = place;
	here.root = OWN_ROOT;
	bool below = place.root != OWN_ROOT;
	bool other = symbols->options.live && below && has_other_root(object->file.pid);
	const char *text = buf_text(&path);
	object->state = OBJECT_MISSING;
	if ((other && symbols_read_dump(symbols, object, &place, text + folder)) ||
	    symbols_read_dump(symbols, object, &here, text) ||
	    (below && symbols_read_dump(symbols, object, &place, text + folder))) {
		object->state = OBJECT_NAMED;
	}
	if (place.root >= 0) {
		close(place.root);
	}
	buf_release(&path);
}

static bool symbols_jitdump_hit(struct object *object, uint64_t address, uint64_t time,
				struct hit *hit) {
	const struct jitdump_code *code = jitdump_find(&object->dump, address, time);
	if (code == NULL) {
		return false;
	}
	hit->name = code->name;
	hit->start = code->start;
	hit->plain = true;
	return true;
}

static void symbols_bpf_open(struct symbols *symbols, struct object *object) {
	(void)symbols;
	object->state = OBJECT_NAMED;
}

static bool symbols_bpf_find(struct object *object, uint64_t address, uint64_t time,
			     struct hit *hit) {
	(void)address;
	(void)time;
	*hit = (struct hit){.name = object->file.path, .start = object->file.start, .plain = true};
	return true;
}

static const struct symbols_kind {
	void (*open)(struct symbols *symbols, struct object *object);
	bool (*find)(struct object *object, uint64_t address, uint64_t time, struct hit *hit);
} kinds[] = {
	[OBJECT_ELF] = {symbols_elf_open, symbols_elf_find},
	[OBJECT_VDSO] = {symbols_elf_open, symbols_elf_find},
	[OBJECT_KERNEL] = {kernel_open, symbols_find_in_kernel},
	[OBJECT_MODULE] = {module_open, symbols_find_in_kernel},
	[OBJECT_JIT] = {symbols_jit_open, symbols_jit_find},
	[OBJECT_JITDUMP] = {symbols_jitdump_open, symbols_jitdump_hit},
	[OBJECT_BPF] = {symbols_bpf_open, symbols_bpf_find},
};

static void symbols_open_as_kind(struct object_work *work) {
	kinds[work->object->file.kind].open(work->symbols, work->object);
}

void object_open(struct symbols *symbols, struct object *object) {
	if (!object->opened && !object->lost) {
		struct object_work *work = object_work(symbols, object);
		object->opened = true;
		object->lost = !object_do(symbols, work, symbols_open_as_kind);
	}
}

/* --- Frames --------------------------------------------------------------------------------- */

static bool symbols_has_debug_information(const struct file *file) {
	return file != NULL && (elf_section(&file->elf, STR(".debug_info")) != NULL ||
				elf_section(&file->elf, STR(".zdebug_info")) != NULL);
}

/** Return the debug information of an object. Open it if necessary. */
static struct inlines *symbols_inlines_of(struct symbols *symbols, struct object *object) {
	if (object->searched_inlines) {
		return object->inlines;
	}
	object->searched_inlines = true;
	const struct file *file = symbols_has_debug_information(object->debug)    ? object->debug
				  : symbols_has_debug_information(object->mapped) ? object->mapped
										  : NULL;
	if (file == NULL && object->file.kind != OBJECT_KERNEL) {
		object->inlined = find_debug(&symbols->options, &object->file, object->mapped,
					     STR(".debug_info"));
		file = object->inlined;
	}
	errno = 0;
	object->inlines =
		file == NULL ? NULL : inlines_open(&symbols->options, file, &symbols->missing);
	if (file != NULL && object->inlines == NULL && !symbols->missing.libdw) {
		unread_note_wanted(&symbols->unread, file->path, errno);
	}
	return object->inlines;
}

static void symbols_find_inlines(struct object_work *work) {
	struct inlines *inlines = symbols_inlines_of(work->symbols, work->object);
	work->n = inlines == NULL ? 0
				  : inlines_at(inlines, work->address,
					       work->symbols->options.srcline, work->frames);
	if (inlines_lack_memory()) {
		unread_note(&work->symbols->unread, work->object->file.path.p, ENOMEM);
	}
}

/** Find the functions at an address in debug information, and return their number. Return 0 if
 * there is no debug information, or if the options do not ask for it. */
static size_t symbols_debug_frames(struct symbols *symbols, struct object *object,
				   const struct hit *hit, bool caller,
				   struct inline_frame *frames) {
	const struct symbols_options *options = &symbols->options;
	bool wanted = (!options->no_inline || options->srcline) && hit->is_linked &&
		      object->file.kind != OBJECT_MODULE && !object->no_inlines;
	if (!wanted) {
		return 0;
	}
	struct object_work *work = object_work(symbols, object);
	work->address = hit->linked - (caller ? 1 : 0);
	if (!object_do(symbols, work, symbols_find_inlines)) {
		object->no_inlines = true;
		return 0;
	}
	memcpy(frames, work->frames, work->n * sizeof(*frames));
	return work->n;
}

static struct str symbols_name_of(struct symbols *symbols, struct str name) {
	symbols->missing.libiberty |= demangle_fails(name);
	return demangle(&symbols->demangler, name);
}

/** Make the symbols of an address from frames of debug information. `n` is at least 1, and the last
 * frame is the function itself. A name that is not mangled is borrowed from the object. */
static struct symbol *symbols_make_frames(struct symbols *symbols, const struct hit *hit,
					  const struct inline_frame *frames, size_t n) {
	struct symbol *made = arena_take(&symbols->arena, n * sizeof(*made));
	for (size_t i = 0; i < n; i++) {
		bool own = i + 1 == n;
		struct str name = own && hit->name.n > 0 ? hit->name : frames[i].name;
		made[i] = (struct symbol){
			.name = own && hit->plain ? name : symbols_name_of(symbols, name),
			.start = hit->start,
			.file = frames[i].file,
			.dir = frames[i].dir,
			.line = frames[i].line,
			.column = frames[i].column,
			.inlined = !own,
		};
	}
	return made;
}

/**
 * Return the frames of an address. Addresses with equal frames share the memory of these frames.
 */
static struct symbol *symbols_share_frames(struct symbols *symbols, const struct hit *hit,
					   const struct inline_frame *frames, size_t n) {
	struct buf *text = &symbols->scratch;
	buf_clear(text);
	// Names never move in memory, so the address of a name can stand for the name in the key.
	buf_add(text, &hit->name.p, sizeof(hit->name.p));
	buf_add(text, &hit->start, sizeof(hit->start));
	buf_add(text, frames, n * sizeof(*frames));
	struct intern_key *key = intern_get(&symbols->frames, text->p, text->n);
	if (key->value == 0) {
		key->value = (uint64_t)(uintptr_t)symbols_make_frames(symbols, hit, frames, n);
	}
	return (struct symbol *)(uintptr_t)key->value;
}

/** Keep only the frame of the function itself, but with the line of the innermost frame, which is
 * being executed. */
static size_t symbols_drop_inlined(struct inline_frame *frames, size_t n) {
	if (n > 1) {
		struct str name = frames[n - 1].name;
		frames[0].name = name;
	}
	return n > 0 ? 1 : 0;
}

/** Fill in the line from a jitdump. */
static void symbols_jit_line(struct symbols *symbols, struct object *object, uint64_t address,
			     uint64_t time, struct inline_frame *frame) {
	enum {
		LONGEST = 1024
	}; // largest number of bytes of a path; in a damaged file, a path may
	   // be huge
	struct jitdump_line line;
	const struct jitdump_code *code = jitdump_find(&object->dump, address, time);
	if (symbols->options.srcline && code != NULL &&
	    jitdump_find_line(&object->dump, code, address, &line)) {
		frame->file = str_to(line.file, line.file.n < LONGEST ? line.file.n : LONGEST);
		frame->line = line.line;
	}
}

/** Resolve an address for the first time. */
static struct symbol *symbols_resolve(struct symbols *symbols, struct object *object,
				      uint64_t address, uint64_t time, bool caller, size_t *n) {
	struct inline_frame frames[INLINES_MOST] = {{.line = 0}};
	struct hit hit = {.start = address};
	object_open(symbols, object);
	if (object->lost) {
		*n = 0;
		return NULL;
	}
	bool named = kinds[object->file.kind].find(object, address, time, &hit);
	// For a caller, symbols_debug_frames() looks up the byte before the address. Do not call it
	// if the address is the first byte of a function: the byte before it belongs to another
	// function.
	if (!named || !caller || hit.start < address) {
		*n = symbols_debug_frames(symbols, object, &hit, caller, frames);
	}
	if (object->file.kind == OBJECT_JITDUMP) {
		symbols_jit_line(symbols, object, address, time, &frames[0]);
	}
	if (symbols->options.no_inline) {
		*n = symbols_drop_inlined(frames, *n);
	}
	if (named && *n == 0) {
		*n = 1;
	}
	// If the function itself has no name, return no frames.
	if (*n == 0 || (!named && frames[*n - 1].name.n == 0)) {
		*n = 0;
		return NULL;
	}
	return symbols_share_frames(symbols, &hit, frames, *n);
}

size_t symbols_at(struct symbols *symbols, struct object *object, uint64_t address, bool caller,
		  const struct symbol **frames) {
	uint64_t key = address << 1 | (caller ? 1 : 0);
	struct address_slot *slot = address_map_slot(&object->frames, key);
	if (!slot->used) {
		size_t n = 0;
		slot->value = symbols_resolve(symbols, object, address, UINT64_MAX, caller, &n);
		slot->n = (uint32_t)n;
		slot->used = true;
	}
	*frames = slot->value;
	return slot->n;
}

size_t symbols_at_time(struct symbols *symbols, struct object *object, uint64_t address,
		       uint64_t time, const struct symbol **frames) {
	if (object->file.kind != OBJECT_JITDUMP) {
		return symbols_at(symbols, object, address, false, frames);
	}
	object_open(symbols, object);
	const struct jitdump_code *code =
		object->lost ? NULL : jitdump_find(&object->dump, address, time);
	if (code == NULL) {
		return 0;
	}
	// Use the piece of code and the offset in it as the key: the code at an address may change,
	// but a piece of code does not.
	uint64_t key = (uint64_t)(code - object->dump.codes) << 32 | (address - code->start);
	struct address_slot *slot = address_map_slot(&object->frames, key);
	if (!slot->used) {
		size_t n = 0;
		slot->value = symbols_resolve(symbols, object, address, time, false, &n);
		slot->n = (uint32_t)n;
		slot->used = true;
	}
	*frames = slot->value;
	return slot->n;
}

/* --- Files ---------------------------------------------------------------------------------- */

static void symbols_read_bytes(struct object_work *work) {
	const struct elf_section all = {.offset = work->address, .size = work->size};
	struct str there = elf_raw(&work->object->mapped->elf, &all);
	work->n = there.n;
	memcpy(work->bytes, there.p, there.n);
}

size_t object_read(struct symbols *symbols, struct object *object, uint64_t offset, void *bytes,
		   size_t size) {
	if (object_mapped(symbols, object) == NULL) {
		return 0;
	}
	struct object_work *work = object_work(symbols, object);
	work->address = offset;
	work->size = size < sizeof(work->bytes) ? size : sizeof(work->bytes);
	if (!object_do(symbols, work, symbols_read_bytes)) {
		object->lost = true;
		return 0;
	}
	memcpy(bytes, work->bytes, work->n);
	return work->n;
}
