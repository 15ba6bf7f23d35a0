/* Find the files that processes had mapped, and prove that they are those. */
#include "symbols/mapped.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/read.h"
#include "symbols/held.h"
#include "symbols/opening.h"

/** Return the build-id of an open file if it is near its start, as it usually is. */
static struct build_id early_build_id(int fd) {
	enum { START = 16 << 10 };
	char bytes[START];
	struct build_id id = {.size = 0};
	struct elf elf;
	ptrdiff_t n = read_part(fd, 0, bytes, sizeof(bytes));
	if (n > 0 && elf_init(&elf, (struct str){bytes, (size_t)n})) {
		id = elf_build_id(&elf);
		elf_release(&elf);
	}
	return id;
}

static bool is_path(struct str path) {
	return path.n > 1 && path.p[0] == '/' && path.p[1] != '/' &&
	       memchr(path.p, '\0', path.n) == NULL;
}

/* --- Places --------------------------------------------------------------------------------- */

/** Open the path of a file on this machine, below a folder. */
static int open_below(struct str folder, const struct object_file *wanted, struct buf *path) {
	errno = ENOENT;
	buf_clear(path);
	buf_add_str(path, folder);
	buf_add_str(path, wanted->path);
	return is_path(wanted->path) ? open_object(OWN_ROOT, buf_text(path)) : -1;
}

static int open_own_path(const struct object_file *wanted) {
	struct buf path = {0};
	int fd = open_below(STR(""), wanted, &path), problem = errno;
	buf_release(&path);
	errno = problem;
	return fd;
}

/** Open the link by which the kernel names what is mapped, even if it was removed. Root may. */
static int open_map_file(const struct object_file *wanted) {
	char path[96];
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", wanted->pid,
		 (unsigned long long)wanted->map_start, (unsigned long long)wanted->map_end);
	return open_object(OWN_ROOT, path);
}

/** Open the program of the process, which may be another file. */
static int open_program(const struct object_file *wanted) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/exe", wanted->pid);
	return open_object(OWN_ROOT, path);
}

/** Open the path of a file below the root folder of its process. */
static int open_in_root(const struct object_file *wanted) {
	struct buf path = {0};
	errno = ENOENT;
	int root = is_path(wanted->path) ? open_root(wanted->pid) : -1;
	int fd = -1, problem = errno;
	if (root >= 0) {
		buf_add_str(&path, wanted->path);
		fd = open_object(root, buf_text(&path));
		problem = errno;
		close(root);
		buf_release(&path);
	}
	errno = problem;
	return fd;
}

struct place {
	int (*open)(const struct object_file *wanted);
	bool sure; // that another file is there says something about the wanted one
};

enum { PLACES = 3 };

/** Where to look, for a process that sees the same files as this one, and for others. */
static const struct place own_places[PLACES] = {
	{open_own_path, true}, {open_map_file, false}, {open_program, false}};
static const struct place other_places[PLACES] = {
	{open_map_file, false}, {open_program, false}, {open_in_root, true}};

static const struct place *places_of(const struct object_file *wanted) {
	return has_other_root(wanted->pid) ? other_places : own_places;
}

int open_mapped(const struct object_file *wanted) {
	const struct place *places = places_of(wanted);
	for (size_t i = 0; i < PLACES; i++) {
		int fd = places[i].open(wanted);
		if (fd < 0) {
			continue;
		}
		struct build_id id = early_build_id(fd);
		bool same = wanted->build_id.size > 0 ? build_id_equal(&id, &wanted->build_id)
						      : file_id_matches(fd, &wanted->id);
		if (same) {
			return fd;
		}
		close(fd);
	}
	return -1;
}

/* --- The search ----------------------------------------------------------------------------- */

/** The search for a file that was mapped. */
struct search {
	const struct symbols_options *options;
	const struct object_file *wanted;
	struct file *file;       // NULL: not found yet
	enum object_state state; // the first problem other than that no file is there
	int problem;             // why the file's own path could not be opened
};

/** Return whether an open file is known to be another one than the wanted one, before all of it is
 * read. If processes are sampled now, a file without a build-id needs the same device and inode. */
static bool is_other(const struct search *search, int fd) {
	const struct object_file *wanted = search->wanted;
	if (wanted->build_id.size == 0) {
		return search->options->live && !file_id_matches(fd, &wanted->id);
	}
	struct build_id id = early_build_id(fd);
	return id.size > 0 && !build_id_equal(&id, &wanted->build_id);
}

/** Take a descriptor, or close it if it is of another file. */
static void try_descriptor(struct search *search, int fd, const char *path) {
	const struct build_id *wanted = &search->wanted->build_id;
	enum object_state problem = OBJECT_REPLACED;
	struct file *file = NULL;
	if (fd >= 0 && is_other(search, fd)) {
		close(fd);
	} else {
		file = file_open_descriptor(fd, path, &problem);
		unread_note(search->options->unread, path, file == NULL ? errno : 0);
	}
	if (file != NULL && wanted->size > 0 && !build_id_equal(&file->build_id, wanted)) {
		file_free(file);
		file = NULL;
		problem = OBJECT_REPLACED;
	}
	search->file = file;
	search->state = search->state == OBJECT_MISSING ? problem : search->state;
}

/** Try the path of the file on this machine, below the folder of --symfs. */
static void try_own_path(struct search *search) {
	struct buf path = {0};
	if (search->file == NULL) {
		int fd = open_below(search->options->symfs, search->wanted, &path);
		search->problem = fd < 0 ? errno : 0;
		errno = search->problem;
		try_descriptor(search, fd, buf_text(&path));
	}
	buf_release(&path);
}

/** Try a descriptor of a place of the process. */
static void try_foreign(struct search *search, int fd, bool sure) {
	struct buf path = {0};
	enum object_state state = search->state;
	buf_add_str(&path, search->wanted->path);
	try_descriptor(search, fd, buf_text(&path));
	search->state = sure ? search->state : state;
	buf_release(&path);
}

/** Try what was opened while the process ran, and what it shows now. */
static void try_process(struct search *search) {
	const struct place *places = places_of(search->wanted);
	for (size_t i = 0; i < PLACES && search->file == NULL; i++) {
		try_foreign(search, places[i].open(search->wanted), places[i].sure);
	}
	if (search->file == NULL) {
		try_foreign(search, held_open(search->wanted), false);
	}
}

/** Return whether what can be found through the process of a file can be proven to be the file: the
 * id of the process may since belong to another one. */
static bool has_process(const struct search *search) {
	const struct object_file *wanted = search->wanted;
	return search->options->symfs.n == 0 && wanted->pid != 0 &&
	       (wanted->build_id.size > 0 || wanted->id.inode != 0);
}

/** Try where perf keeps files by their build-id. */
static void try_cache(struct search *search) {
	struct buf path = {0};
	const char *name = search->wanted->kind == OBJECT_VDSO ? "vdso" : "elf";
	if (search->file == NULL && search->wanted->build_id.size > 0 &&
	    cache_path(search->options, &search->wanted->build_id, name, &path)) {
		try_descriptor(search, open_object(OWN_ROOT, buf_text(&path)), buf_text(&path));
	}
	buf_release(&path);
}

struct file *find_mapped(const struct symbols_options *options, const struct object_file *wanted,
			 enum object_state *state) {
	struct search search = {.options = options, .wanted = wanted, .state = OBJECT_MISSING};
	if (options->live && has_process(&search)) {
		try_process(&search);
	}
	try_own_path(&search);
	if (search.file == NULL && !options->live && has_process(&search)) {
		int fd = open_in_root(wanted);
		if (fd >= 0) { // otherwise it is likely another process, of another user
			try_foreign(&search, fd, true);
		}
	}
	try_cache(&search);
	if (search.file == NULL) {
		unread_note_wanted(options->unread, wanted->path.p, search.problem);
	}
	*state = search.state;
	return search.file;
}
