/*
 * Find symbols of the kernel and its modules. Symbols of another kernel are refused. After another
 * boot, the kernel may be at other addresses: its symbols are used only if they can be shifted to
 * the recorded addresses.
 */
#include <errno.h>
#include <unistd.h>

#include "base/input.h"
#include "base/limits.h"
#include "base/read.h"
#include "symbols/elf_symbols.h"
#include "symbols/object.h"
#include "symbols/opening.h"
#include "symbols/xz.h"

const char kernel_notes_path[] = "/sys/kernel/notes";

/** Read the build-id in a file of ELF notes. Return 0, or the errno of the failed read. */
static int kernel_notes_build_id(const char *path, struct build_id *id) {
	enum { NOTES_MOST = 1 << 20 };
	struct buf notes = {0};
	int problem = read_whole(path, NOTES_MOST, &notes);
	*id = elf_note_build_id(problem == 0 ? buf_str(&notes) : STR(""), false);
	buf_release(&notes);
	return problem;
}

int kernel_build_id(struct build_id *id) {
	return kernel_notes_build_id(kernel_notes_path, id);
}

/* --- The kernel ----------------------------------------------------------------------------- */

static const struct table *kernel_table_of(const struct object *object) {
	return object->kallsyms != NULL ? &object->kallsyms->table : &object->table;
}

/** Compute the difference between the recorded addresses and the addresses of the symbols. */
static void kernel_find_shift(struct object *object) {
	const struct object_file *file = &object->file;
	if (file->reference.n == 0 || file->reference_address == 0) {
		return;
	}
	const struct table_entry *entry = table_named(kernel_table_of(object), file->reference);
	if (entry != NULL) {
		object->shift = entry->start - file->reference_address;
	}
}

/**
 * Use the symbols of a vmlinux file. Return false if the file belongs to another kernel or has no
 * symbols.
 */
static bool kernel_use_vmlinux(struct symbols *symbols, struct object *object, struct file *file) {
	const struct build_id *recorded = &object->file.build_id;
	if (file != NULL && (recorded->size == 0 || build_id_equal(&file->build_id, recorded))) {
		elf_add_symbols(&file->elf, elf_section_of_type(&file->elf, SHT_SYMTAB), 0, 0,
				&object->table);
		table_finish(&object->table, &symbols->demangler);
	}
	if (object->table.n == 0) {
		file_free(file);
		return false;
	}
	object->debug = file;
	object->state = OBJECT_NAMED;
	return true;
}

/** Use the symbols of a kallsyms file. Return false if the file was not read, or has no
 * addresses. */
static bool kernel_use_kallsyms(struct object *object, struct kallsyms *kallsyms) {
	if (kallsyms == NULL || kallsyms->table.n == 0) {
		if (kallsyms != NULL && kallsyms->restricted) {
			object->state = OBJECT_RESTRICTED;
		}
		return false;
	}
	object->kallsyms = kallsyms;
	object->state = OBJECT_NAMED;
	return true;
}

static struct kallsyms *kernel_read_kallsyms(struct symbols *symbols, struct str path) {
	if (symbols->kallsyms == NULL) {
		struct buf text = {0};
		buf_add_str(&text, path);
		symbols->kallsyms = kallsyms_read(buf_text(&text), &symbols->demangler);
		int problem = symbols->kallsyms == NULL ? errno : 0;
		if (str_eq(path, symbols->options.kallsyms)) {
			unread_note_wanted(&symbols->unread, buf_text(&text), problem);
		} else {
			unread_note(&symbols->unread, buf_text(&text), problem);
		}
		buf_release(&text);
	}
	return symbols->kallsyms;
}

static bool kernel_is_running(struct symbols *symbols, const struct object *object) {
	struct build_id running;
	unread_note(&symbols->unread, kernel_notes_path, kernel_build_id(&running));
	return object->file.build_id.size > 0 && running.size > 0 &&
	       build_id_equal(&object->file.build_id, &running);
}

/** Return whether the recorded kernel begins and ends at the same addresses as the running kernel.
 * If it does, both are almost certainly the same: another build has another size, and after another
 * boot, the kernel is usually at another address. */
static bool kernel_is_in_same_place(const struct object *object) {
	static const struct str ends[] = {STR_INIT("_etext"), STR_INIT("_edata")};
	const struct object_file *file = &object->file;
	const struct table *table = kernel_table_of(object);
	// The table keeps only one of several symbols at one address, so compare addresses, not
	// names.
	const struct table_entry *start = table_find(table, file->reference_address);
	bool same = false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const struct table_entry *end = table_named(table, ends[i]);
		same |= end != NULL && end->start == file->map_end;
	}
	return same && file->reference.n > 0 && start != NULL &&
	       start->start == file->reference_address;
}

/** Use the symbols of the running kernel, if it is the recorded kernel. */
static bool kernel_use_running(struct symbols *symbols, struct object *object) {
	bool running = kernel_is_running(symbols, object);
	if ((!running && !object->file.unproven) ||
	    !kernel_use_kallsyms(object, kernel_read_kallsyms(symbols, STR("/proc/kallsyms")))) {
		return false;
	}
	if (!running && !kernel_is_in_same_place(object)) {
		object->kallsyms = NULL;
		object->state = OBJECT_UNSURE;
		return false;
	}
	return true;
}

/** Use the copy of kallsyms that perf puts into its build-id cache. */
static bool kernel_use_cached(struct symbols *symbols, struct object *object) {
	struct buf path = {0};
	bool used = symbols->kallsyms == NULL &&
		    cache_path(&symbols->options, &object->file.build_id, "kallsyms", &path) &&
		    kernel_use_kallsyms(object, kernel_read_kallsyms(symbols, buf_str(&path)));
	buf_release(&path);
	return used;
}

/** Drop a kallsyms file that could not be used, so that another file can be read. */
static void kernel_forget_kallsyms(struct symbols *symbols, const struct object *object) {
	if (object->kallsyms == NULL && object == symbols->kernel) {
		kallsyms_free(symbols->kallsyms);
		symbols->kallsyms = NULL;
	}
}

static void kernel_find_running(struct symbols *symbols, struct object *object) {
	const struct symbols_options *options = &symbols->options;
	enum object_state ignored = OBJECT_MISSING;
	object->state = object->file.unproven ? OBJECT_UNSURE : OBJECT_FOREIGN;
	if (options->vmlinux.n > 0) {
		struct buf path = {0};
		buf_add_str(&path, options->vmlinux);
		struct file *file = file_open(buf_text(&path), &ignored);
		unread_note_wanted(&symbols->unread, buf_text(&path), file == NULL ? errno : 0);
		buf_release(&path);
		if (kernel_use_vmlinux(symbols, object, file)) {
			return;
		}
	}
	if (options->kallsyms.n > 0 &&
	    kernel_use_kallsyms(object, kernel_read_kallsyms(symbols, options->kallsyms))) {
		return;
	}
	kernel_forget_kallsyms(symbols, object);
	if (kernel_use_running(symbols, object)) {
		return;
	}
	kernel_forget_kallsyms(symbols, object);
	if (kernel_use_cached(symbols, object)) {
		return;
	}
	kernel_forget_kallsyms(symbols, object);
	if (object->file.build_id.size > 0) {
		(void)kernel_use_vmlinux(symbols, object,
					 find_debug(options, &object->file, NULL, STR(".symtab")));
	}
}

void kernel_open(struct symbols *symbols, struct object *object) {
	kernel_find_running(symbols, object);
	if (object->state == OBJECT_NAMED) {
		kernel_find_shift(object);
	}
}

bool kernel_find(const struct object *object, uint64_t address, struct hit *hit) {
	const struct table_entry *entry =
		table_find(kernel_table_of(object), address + object->shift);
	if (entry == NULL || (object->group != KALLSYMS_KERNEL && entry->group != object->group)) {
		return false;
	}
	*hit = (struct hit){.name = str_of(entry->name),
			    .start = entry->start - object->shift,
			    .linked = address + object->shift,
			    .is_linked = object->kallsyms == NULL};
	return true;
}

/* --- Modules -------------------------------------------------------------------------------- */

/** Return the name of a module. For example, the name is `snd-pcm` for
 * `/lib/modules/6.1/kernel/sound/core/snd-pcm.ko.xz`, and `snd_pcm` for `[snd_pcm]`. */
static struct str kernel_module_name(struct str path) {
	size_t slash = str_find_last(path, '/');
	struct str name = slash == STR_NONE ? path : str_from(path, slash + 1);
	if (name.n > 1 && name.p[0] == '[') {
		name = str_from(name, 1);
		size_t bracket = str_find(name, ']');
		return bracket == STR_NONE ? name : str_to(name, bracket);
	}
	size_t dot = str_find_str(name, STR(".ko"));
	return dot == STR_NONE ? name : str_to(name, dot);
}

/** Return whether the loaded module certainly differs from the recorded module. */
static bool kernel_is_other_module(struct symbols *symbols, const struct object *object,
				   struct str name) {
	if (object->file.build_id.size == 0 || str_find(name, '/') != STR_NONE) {
		return false;
	}
	struct buf path = {0};
	buf_add_text(&path, "/sys/module/");
	buf_add_str(&path, name);
	buf_replace(&path, '-', '_');
	buf_add_text(&path, "/notes/.note.gnu.build-id");
	struct build_id loaded;
	unread_note(&symbols->unread, buf_text(&path),
		    kernel_notes_build_id(buf_text(&path), &loaded));
	buf_release(&path);
	return loaded.size > 0 && !build_id_equal(&loaded, &object->file.build_id);
}

/**
 * Return whether the kernel's table has the module at the recorded address. This is so if the first
 * symbol of the module is in the first 64 KiB from this address on. If the address is not known,
 * return true for any place.
 */
static bool kernel_is_in_place(const struct object *object) {
	enum { NEAR = 64 << 10 };
	const struct table *table = &object->kallsyms->table;
	for (size_t i = 0; i < table->n; i++) {
		const struct table_entry *entry = &table->entries[i];
		if (entry->group == object->group) {
			return object->file.start == 0 ||
			       (entry->start >= object->file.start &&
				entry->start - object->file.start < NEAR);
		}
	}
	return false;
}

static bool kernel_use_loaded(struct symbols *symbols, struct object *object) {
	struct object *kernel = symbols->kernel;
	struct str name = kernel_module_name(object->file.path);
	if (kernel == NULL || kernel->kallsyms == NULL || kernel->shift != 0 ||
	    kernel_is_other_module(symbols, object, name)) {
		return false;
	}
	object->kallsyms = kernel->kallsyms;
	object->group = kallsyms_group(kernel->kallsyms, name);
	if (object->group == KALLSYMS_KERNEL || !kernel_is_in_place(object)) {
		object->kallsyms = NULL;
		return false;
	}
	object->state = OBJECT_NAMED;
	return true;
}

/** Read a module's file from a descriptor, and unpack gzip and zstd. Return false with errno set if
 * the file cannot be read, or if its contents are too large. */
static bool kernel_read_module_bytes(int fd, struct buf *bytes) {
	enum { PART = 256 << 10 };
	struct diag silent = {.quiet = true};
	struct input *input = input_open(
		&(struct source){.kind = SOURCE_DESCRIPTOR, .fd = fd, .name = "module"}, &silent);
	uint64_t most = input == NULL ? 0 : limit_unpacked(input_size(input));
	most = most < LIMIT_MODULE ? most : LIMIT_MODULE;
	ptrdiff_t n = input == NULL ? -1 : 1;
	errno = 0;
	while (n > 0 && bytes->n <= most) {
		n = input_read(input, buf_room(bytes, PART), PART);
		bytes->n += n > 0 ? (size_t)n : 0;
	}
	int problem = n > 0 ? EFBIG : errno;
	input_close(input);
	diag_release(&silent);
	errno = problem;
	return n == 0;
}

/** Read a module's file, which may be packed. The name comes from the recording, so the file may be
 * any file. */
static struct file *kernel_read_module(struct symbols *symbols, struct str path) {
	struct buf bytes = {0}, unpacked = {0}, name = {0};
	buf_add_str(&name, symbols->options.symfs);
	buf_add_str(&name, path);
	const struct file_rules rules = {.most = LIMIT_MODULE, .filled = true};
	int fd = open_regular(OWN_ROOT, buf_text(&name), &rules);
	bool packed = str_ends(path, STR(".xz"));
	bool good = fd >= 0 && kernel_read_module_bytes(fd, &bytes) &&
		    (!packed || xz_unpack(buf_str(&bytes), &unpacked, limit_unpacked(bytes.n),
					  &symbols->missing.liblzma));
	unread_note(&symbols->unread, buf_text(&name), good ? 0 : errno);
	struct file *file = good ? file_take(buf_text(&name), packed ? &unpacked : &bytes) : NULL;
	if (fd >= 0) {
		close(fd);
	}
	buf_release(&bytes);
	buf_release(&unpacked);
	buf_release(&name);
	return file;
}

/**
 * Use the functions of a module's file. The section `.text` of the file starts at the address at
 * which the module was loaded.
 */
static void kernel_use_module_file(struct symbols *symbols, struct object *object) {
	struct file *file = kernel_read_module(symbols, object->file.path);
	const struct build_id *recorded = &object->file.build_id;
	object->state = OBJECT_MISSING;
	if (file == NULL) {
		return;
	}
	const struct elf_section *text = elf_section(&file->elf, STR(".text"));
	if (recorded->size > 0 && !build_id_equal(&file->build_id, recorded)) {
		object->state = OBJECT_REPLACED;
	} else if (text != NULL) {
		elf_add_symbols(&file->elf, elf_section_of_type(&file->elf, SHT_SYMTAB),
				(uint64_t)(text - file->elf.sections), object->file.start,
				&object->table);
		table_finish(&object->table, &symbols->demangler);
		object->state = object->table.n > 0 ? OBJECT_NAMED : OBJECT_NAMELESS;
	}
	object->debug = file;
}

void module_open(struct symbols *symbols, struct object *object) {
	struct object *kernel = symbols->kernel;
	if (kernel != NULL) {
		object_open(symbols, kernel);
	}
	if (kernel_use_loaded(symbols, object)) {
		return;
	}
	if (object->file.path.n > 0 && object->file.path.p[0] == '/') {
		kernel_use_module_file(symbols, object);
	} else {
		bool unsure = kernel != NULL && kernel->state == OBJECT_UNSURE;
		bool named = kernel != NULL && kernel->state == OBJECT_NAMED;
		object->state = unsure ? OBJECT_UNSURE : named ? OBJECT_MISSING : OBJECT_FOREIGN;
	}
}
