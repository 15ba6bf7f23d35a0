/* Open ELF files, and search for debug files. */
#include "symbols/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "symbols/contents.h"
#include "symbols/opening.h"
#include "symbols/xz.h"

static struct file *file_new(const char *path) {
	struct file *file = mem_new(1, sizeof(*file));
	struct buf text = {0};
	buf_add_text(&text, path);
	(void)buf_text(&text);
	file->path = text.p;
	file->copy = -1;
	return file;
}

struct file *file_open_descriptor(int fd, const char *path, enum object_state *state) {
	if (fd < 0) {
		*state = errno == EACCES || errno == EPERM || errno == EFBIG ? OBJECT_UNREADABLE
									     : OBJECT_MISSING;
		return NULL;
	}
	struct file *file = file_new(path);
	*state = OBJECT_UNREADABLE;
	file->contents = contents_open(fd);
	int problem = file->contents == NULL ? errno : 0;
	if (file->contents == NULL || !elf_init_file(&file->elf, file->contents)) {
		problem = problem == 0 ? file_problem(file) : problem;
		file_free(file);
		errno = problem;
		return NULL;
	}
	file->build_id = elf_build_id(&file->elf);
	return file;
}

struct file *file_open(const char *path, enum object_state *state) {
	return file_open_descriptor(open_object(OWN_ROOT, path), path, state);
}

struct file *file_take(const char *path, struct buf *owned) {
	struct file *file = file_new(path);
	file->owned = *owned;
	*owned = (struct buf){0};
	if (!elf_init(&file->elf, buf_str(&file->owned))) {
		file_free(file);
		return NULL;
	}
	file->build_id = elf_build_id(&file->elf);
	return file;
}

void file_free(struct file *file) {
	if (file != NULL) {
		if (file->copy >= 0) {
			close(file->copy);
		}
		elf_release(&file->elf);
		contents_free(file->contents);
		buf_release(&file->owned);
		free(file->path);
		free(file);
	}
}

int file_problem(const struct file *file) {
	return file->contents == NULL ? 0 : contents_problem(file->contents);
}

int file_copy(struct file *file) {
	if (file->copy < 0 && file->contents != NULL) {
		file->copy = contents_duplicate(file->contents);
	}
	return file->copy < 0 ? -1 : fcntl(file->copy, F_DUPFD_CLOEXEC, 0);
}

uint64_t file_unpacks_most(const struct file *file) {
	return limit_unpacked(file->contents == NULL ? file->owned.n
						     : contents_on_disk(file->contents));
}

/* --- Where files are ------------------------------------------------------------------------ */

/** Add the path of a build-id: its first byte, a slash, and the rest, as hexadecimal digits. */
static void file_add_build_id(struct buf *path, const struct build_id *id) {
	for (size_t i = 0; i < id->size; i++) {
		buf_printf(path, i == 1 ? "/%02x" : "%02x", id->bytes[i]);
	}
}

bool cache_path(const struct symbols_options *options, const struct build_id *build_id,
		const char *name, struct buf *path) {
	const char *home = getenv("HOME");
	if (build_id->size < 2 || (options->cache.n == 0 && home == NULL)) {
		return false;
	}
	buf_set_str(path, options->cache.n > 0 ? options->cache : str_of(home));
	buf_add_text(path, options->cache.n > 0 ? "/.build-id/" : "/.debug/.build-id/");
	file_add_build_id(path, build_id);
	buf_printf(path, "/%s", name);
	return true;
}

/* --- Separate debug files ------------------------------------------------------------------- */

struct debug_search {
	const struct symbols_options *options;
	int root; // descriptor of the folder to which all paths are relative
	const struct file *mapped;
	struct build_id build_id;
	struct str section;
	uint32_t checksum;
	bool cached; // the file is in a cache, which may belong to another user
	struct buf path;
};

/** Number of bytes of all files whose checksums were computed. */
static atomic_uint_least64_t bytes_summed;

static void file_make_table(uint32_t table[256]) {
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t value = i;
		for (int bit = 0; bit < 8; bit++) {
			value = (value >> 1) ^ ((value & 1) != 0 ? UINT32_C(0xedb88320) : 0);
		}
		table[i] = value;
	}
}

/** Return whether a file has the checksum of a debug link, which is a usual CRC-32. If this file or
 * all such files together are large, return false without reading the file. */
static bool file_has_checksum(const struct file *file, uint32_t wanted) {
	uint32_t table[256], sum = UINT32_MAX;
	unsigned char bytes[64 << 10];
	uint64_t size = file->elf.bytes.n;
	if (size > LIMIT_CHECKSUM || file->contents == NULL ||
	    atomic_fetch_add(&bytes_summed, size) + size > LIMIT_CHECKSUMS) {
		return false;
	}
	file_make_table(table);
	size_t n;
	for (uint64_t at = 0; (n = contents_copy(file->contents, at, bytes, sizeof(bytes))) > 0;
	     at += n) {
		for (size_t i = 0; i < n; i++) {
			sum = table[(sum ^ bytes[i]) & 0xff] ^ (sum >> 8);
		}
	}
	return ~sum == wanted;
}

/** Open the file at the search's path, if it is the right debug file and has the wanted section. */
static struct file *file_try_debug(struct debug_search *search, bool linked) {
	enum object_state ignored = OBJECT_MISSING;
	const char *path = buf_text(&search->path);
	struct file *file = file_open_descriptor(open_object(search->root, path), path, &ignored);
	if (file == NULL) {
		(search->cached ? unread_note : unread_note_wanted)(search->options->unread, path,
								    errno);
		return NULL;
	}
	const struct elf_section *section = elf_section(&file->elf, search->section);
	bool right = section != NULL && section->type != SHT_NOBITS;
	if (search->build_id.size > 0 && file->build_id.size > 0) {
		right = right && build_id_equal(&search->build_id, &file->build_id);
	} else {
		right = right && linked && file_has_checksum(file, search->checksum);
	}
	if (!right) {
		file_free(file);
		return NULL;
	}
	return file;
}

/** Call `try` for each debug directory until it finds a file. Return the file, or NULL. */
static struct file *file_each_directory(struct debug_search *search, struct str rest,
					struct file *(*try)(struct debug_search *search,
							    struct str directory,
							    struct str rest)) {
	struct str directories = search->root != OWN_ROOT ? STR("") : search->options->debug_dir;
	struct file *file = NULL;
	while (directories.n > 0 && file == NULL) {
		buf_clear(&search->path);
		file = try(search, str_cut(&directories, ':'), rest);
	}
	if (file == NULL) {
		buf_set_str(&search->path, search->options->symfs);
		file = try(search, STR("/usr/lib/debug"), rest);
	}
	return file;
}

static struct file *file_try_by_id(struct debug_search *search, struct str directory,
				   struct str rest) {
	buf_add_str(&search->path, directory);
	buf_add_text(&search->path, "/.build-id/");
	file_add_build_id(&search->path, &search->build_id);
	buf_add_str(&search->path, rest);
	return file_try_debug(search, false);
}

static struct file *file_try_linked(struct debug_search *search, struct str directory,
				    struct str rest) {
	buf_add_str(&search->path, directory);
	buf_add_str(&search->path, rest);
	return file_try_debug(search, true);
}

/** Search for the file that the debug link names: next to the mapped file, in the folder `.debug`
 * there, and in the debug directories. */
static struct file *file_find_linked(struct debug_search *search) {
	struct str name = elf_debuglink(&search->mapped->elf, &search->checksum);
	struct str own = str_of(search->mapped->path);
	size_t slash = str_find_last(own, '/');
	if (name.n == 0 || slash == STR_NONE || str_find(name, '/') != STR_NONE) {
		return NULL;
	}
	struct str folder = str_to(own, slash + 1);
	static const char *const between[] = {"", ".debug/"};
	for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
		buf_set_str(&search->path, folder);
		buf_add_text(&search->path, between[i]);
		struct file *file = file_try_linked(search, name, STR(""));
		if (file != NULL) {
			return file;
		}
	}
	struct str symfs = search->options->symfs;
	struct buf rest = {0};
	buf_add_str(&rest, str_starts(folder, symfs) ? str_from(folder, symfs.n) : folder);
	buf_add_str(&rest, name);
	struct file *file = file_each_directory(search, buf_str(&rest), file_try_linked);
	buf_release(&rest);
	return file;
}

/** Search the folders in which debug files are installed. */
static struct file *file_find_installed(struct debug_search *search) {
	struct file *file = NULL;
	if (search->build_id.size > 1) {
		file = file_each_directory(search, STR(".debug"), file_try_by_id);
	}
	return file != NULL || search->mapped == NULL ? file : file_find_linked(search);
}

/** Search below the root folder of the process `wanted->pid`, if this folder differs from the root
 * folder of this process. */
static struct file *file_find_in_process(struct debug_search *search,
					 const struct object_file *wanted) {
	if (!search->options->live || wanted->pid == 0 || !has_other_root(wanted->pid)) {
		return NULL;
	}
	search->root = open_root(wanted->pid);
	unread_note(search->options->unread, wanted->path.p, search->root < 0 ? errno : 0);
	struct file *file = search->root < 0 ? NULL : file_find_installed(search);
	if (search->root >= 0) {
		close(search->root);
	}
	search->root = OWN_ROOT;
	return file;
}

struct file *find_debug(const struct symbols_options *options, const struct object_file *wanted,
			const struct file *mapped, struct str section) {
	struct debug_search search = {.options = options,
				      .root = OWN_ROOT,
				      .mapped = mapped,
				      .build_id = wanted->build_id,
				      .section = section};
	if (search.build_id.size == 0 && mapped != NULL) {
		search.build_id = mapped->build_id;
	}
	struct file *file = file_find_installed(&search);
	if (file == NULL) {
		file = file_find_in_process(&search, wanted);
	}
	static const char *const names[] = {"debug", "elf"};
	search.cached = true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && file == NULL; i++) {
		if (cache_path(options, &search.build_id, names[i], &search.path)) {
			file = file_try_debug(&search, false);
		}
	}
	buf_release(&search.path);
	return file;
}

struct file *file_packed_symbols(const struct file *file, bool *missing) {
	struct str packed = elf_data(&file->elf, elf_section(&file->elf, STR(".gnu_debugdata")));
	struct buf bytes = {0};
	if (packed.n == 0 || !xz_unpack(packed, &bytes, limit_unpacked(packed.n), missing)) {
		buf_release(&bytes);
		return NULL;
	}
	return file_take(file->path, &bytes);
}
