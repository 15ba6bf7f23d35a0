/* Find the files that processes have mapped, and check that they are still the same files. */
#include "symbols/mapped.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/read.h"
#include "symbols/held.h"
#include "symbols/opening.h"

/** Return the build-id of an open file. Search only near the start of the file, where the build-id
 * usually is. */
static struct build_id mapped_early_build_id(int fd) {
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

static bool mapped_is_path(struct str path) {
	return path.n > 1 && path.p[0] == '/' && path.p[1] != '/' &&
	       memchr(path.p, '\0', path.n) == NULL;
}

/* --- Places --------------------------------------------------------------------------------- */

/** Open the path of a file on this machine, below a folder. */
static int mapped_open_below(struct str folder, const struct object_file *wanted,
			     struct buf *path) {
	errno = ENOENT;
	buf_set_str(path, folder);
	buf_add_str(path, wanted->path);
	return mapped_is_path(wanted->path) ? open_object(OWN_ROOT, buf_text(path)) : -1;
}

static int mapped_open_own_path(const struct object_file *wanted) {
	struct buf path = {0};
	int fd = mapped_open_below(STR(""), wanted, &path), problem = errno;
	buf_release(&path);
	errno = problem;
	return fd;
}

/** Open a mapped file, even a removed one, through its link in /proc/PID/map_files. Only root may
 * follow this link. */
static int mapped_open_map_file(const struct object_file *wanted) {
	char path[96];
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", wanted->pid,
		 (unsigned long long)wanted->map_start, (unsigned long long)wanted->map_end);
	return open_object(OWN_ROOT, path);
}

/** Open the program that the process runs. The program may be another file than the wanted file. */
static int mapped_open_program(const struct object_file *wanted) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/exe", wanted->pid);
	return open_object(OWN_ROOT, path);
}

/** Open the path of a file below the root folder of its process. */
static int mapped_open_in_root(const struct object_file *wanted) {
	struct buf path = {0};
	errno = ENOENT;
	int root = mapped_is_path(wanted->path) ? open_root(wanted->pid) : -1;
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

struct mapped_place {
	int (*open)(const struct object_file *wanted);
	bool sure; // if a different file is at this place, the wanted file was replaced
};

enum { PLACES = 3 };

/**
 * The places to search. `own_places` is for processes that see the same files as this process, and
 * `other_places` is for all other processes.
 */
static const struct mapped_place own_places[PLACES] = {
	{mapped_open_own_path, true}, {mapped_open_map_file, false}, {mapped_open_program, false}};
static const struct mapped_place other_places[PLACES] = {
	{mapped_open_map_file, false}, {mapped_open_program, false}, {mapped_open_in_root, true}};

static const struct mapped_place *mapped_places_of(const struct object_file *wanted) {
	return has_other_root(wanted->pid) ? other_places : own_places;
}

int open_mapped(const struct object_file *wanted) {
	const struct mapped_place *places = mapped_places_of(wanted);
	for (size_t i = 0; i < PLACES; i++) {
		int fd = places[i].open(wanted);
		if (fd < 0) {
			continue;
		}
		struct build_id id = mapped_early_build_id(fd);
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
struct mapped_search {
	const struct symbols_options *options;
	const struct object_file *wanted;
	struct file *file;       // the file; NULL: not found yet
	enum object_state state; // the first problem other than a missing file
	int problem;             // errno from opening the file's own path
};

/** Return whether an open file is certainly not the wanted file. Read only the start of the file.
 * If processes are sampled now, and no build-id was recorded, compare the device and the inode. */
static bool mapped_is_other(const struct mapped_search *search, int fd) {
	const struct object_file *wanted = search->wanted;
	if (wanted->build_id.size == 0) {
		return search->options->live && !file_id_matches(fd, &wanted->id);
	}
	struct build_id id = mapped_early_build_id(fd);
	return id.size > 0 && !build_id_equal(&id, &wanted->build_id);
}

/** Use a descriptor if it belongs to the wanted file. Otherwise, close the descriptor. */
static void mapped_try_descriptor(struct mapped_search *search, int fd, const char *path) {
	const struct build_id *wanted = &search->wanted->build_id;
	enum object_state problem = OBJECT_REPLACED;
	struct file *file = NULL;
	if (fd >= 0 && mapped_is_other(search, fd)) {
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
static void mapped_try_own_path(struct mapped_search *search) {
	struct buf path = {0};
	if (search->file == NULL) {
		int fd = mapped_open_below(search->options->symfs, search->wanted, &path);
		search->problem = fd < 0 ? errno : 0;
		errno = search->problem;
		mapped_try_descriptor(search, fd, buf_text(&path));
	}
	buf_release(&path);
}

/** Try a descriptor that was not opened by the file's own path. Unless `sure` is set, leave the
 * search's state unchanged. */
static void mapped_try_foreign(struct mapped_search *search, int fd, bool sure) {
	struct buf path = {0};
	enum object_state state = search->state;
	buf_add_str(&path, search->wanted->path);
	mapped_try_descriptor(search, fd, buf_text(&path));
	search->state = sure ? search->state : state;
	buf_release(&path);
}

/** Try the files in /proc that belong to the process. If none of them is the wanted file, try the
 * descriptor that held.c opened while the process ran. */
static void mapped_try_process(struct mapped_search *search) {
	const struct mapped_place *places = mapped_places_of(search->wanted);
	for (size_t i = 0; i < PLACES && search->file == NULL; i++) {
		mapped_try_foreign(search, places[i].open(search->wanted), places[i].sure);
	}
	if (search->file == NULL) {
		mapped_try_foreign(search, held_open(search->wanted), false);
	}
}

/** Return whether a file that was found through the process can be verified to be the wanted file.
 * The check is needed because another process may have the process id by now. */
static bool mapped_has_process(const struct mapped_search *search) {
	const struct object_file *wanted = search->wanted;
	return search->options->symfs.n == 0 && wanted->pid != 0 &&
	       (wanted->build_id.size > 0 || wanted->id.inode != 0);
}

static void mapped_try_cache(struct mapped_search *search) {
	struct buf path = {0};
	const char *name = search->wanted->kind == OBJECT_VDSO ? "vdso" : "elf";
	if (search->file == NULL && search->wanted->build_id.size > 0 &&
	    cache_path(search->options, &search->wanted->build_id, name, &path)) {
		mapped_try_descriptor(search, open_object(OWN_ROOT, buf_text(&path)),
				      buf_text(&path));
	}
	buf_release(&path);
}

struct file *find_mapped(const struct symbols_options *options, const struct object_file *wanted,
			 enum object_state *state) {
	struct mapped_search search = {
		.options = options, .wanted = wanted, .state = OBJECT_MISSING};
	if (options->live && mapped_has_process(&search)) {
		mapped_try_process(&search);
	}
	mapped_try_own_path(&search);
	if (search.file == NULL && !options->live && mapped_has_process(&search)) {
		int fd = mapped_open_in_root(wanted);
		// on failure, the process id probably belongs to a process of another user by now
		if (fd >= 0) {
			mapped_try_foreign(&search, fd, true);
		}
	}
	mapped_try_cache(&search);
	if (search.file == NULL) {
		unread_note_wanted(options->unread, wanted->path.p, search.problem);
	}
	*state = search.state;
	return search.file;
}
