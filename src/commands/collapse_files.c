/*
 * Fold the sizes of all files below a folder.
 *
 * The walk is a loop over the folders from the named one to the current one. Only the current
 * folder is open, so the number of descriptors does not depend on the depth. The parent of the
 * current folder is opened again as `..`. Names are visited in sorted order, so that every run
 * counts a file with several hard links under the same name.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "commands/outputs.h"

struct collapse_files_options {
	bool allocated, one_file_system;
};

/** A folder from the named one to the current one. */
struct folder {
	dev_t device;
	ino_t inode;
	size_t path; // length of its path in `walk->path`
	size_t at, n, capacity;
	char **names; // sorted names, in the arena
	struct arena arena;
};

struct collapse_files_walk {
	const struct collapse_files_options *options;
	struct diag *diag;
	struct profile *profile;
	struct ids ids;         // frames of the current file or folder
	struct buf path, text;  // path of this file or folder, for messages; scratch memory
	struct intern linked;   // device and inode of files with several names that were seen
	struct folder *folders; // open folders, outermost first
	size_t n, capacity;
	int current; // descriptor of the innermost folder; AT_FDCWD: none was entered
	uint64_t unreadable;
};

/** Add a frame to the stack. In the name, replace blanks, control characters and semicolons by `_`,
 * because folded text uses them as separators. */
static void collapse_files_push_frame(struct collapse_files_walk *walk, struct str name) {
	struct buf *text = &walk->text;
	buf_clear(text);
	utf8_repair(text, name);
	for (size_t i = 0; i < text->n; i++) {
		unsigned char c = (unsigned char)text->p[i];
		text->p[i] = c <= ' ' || c == 0x7f || c == ';' ? '_' : text->p[i];
	}
	ids_push(&walk->ids, profile_frame(walk->profile, buf_str(text)));
}

/** Add a frame for each folder in a path that the user gave. */
static void collapse_files_push_path(struct collapse_files_walk *walk, const char *path) {
	struct str rest = str_of(path);
	while (rest.n > 0) {
		struct str name = str_cut(&rest, '/');
		if (name.n > 0) {
			collapse_files_push_frame(walk, name);
		}
	}
	if (walk->ids.n == 0) {
		collapse_files_push_frame(walk, STR("/"));
	}
}

/** Add a file or folder with its size. Add a file with several hard links only once. */
static void collapse_files_add(struct collapse_files_walk *walk, const struct stat *about) {
	if (!S_ISDIR(about->st_mode) && about->st_nlink > 1) {
		uint64_t key[2] = {(uint64_t)about->st_dev, (uint64_t)about->st_ino};
		struct intern_key *known = intern_get(&walk->linked, key, sizeof(key));
		if (known->value++ > 0) {
			return;
		}
	}
	uint64_t size = walk->options->allocated ? (uint64_t)about->st_blocks * 512
						 : (uint64_t)about->st_size;
	profile_add(walk->profile, walk->ids.items, walk->ids.n, size);
}

/* --- Folders -------------------------------------------------------------------------------- */

static int collapse_files_by_name(const void *a, const void *b) {
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/** Read and sort the names in a folder. Return 0, or -1 with errno set; the names read so far
 * remain. */
static int collapse_files_read_names(struct folder *folder, DIR *stream) {
	const struct dirent *entry;
	while (errno = 0, (entry = readdir(stream)) != NULL) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
			continue;
		}
		*MEM_APPEND(folder->names, folder->n, folder->capacity) =
			arena_copy(&folder->arena, name, strlen(name));
	}
	int problem = errno;
	if (folder->n > 0) {
		qsort(folder->names, folder->n, sizeof(*folder->names), collapse_files_by_name);
	}
	errno = problem;
	return problem == 0 ? 0 : -1;
}

static int collapse_files_warn_unreadable(struct collapse_files_walk *walk) {
	walk->unreadable++;
	return diag_warn(walk->diag, "%s: cannot be read: %s", buf_text(&walk->path),
			 strerror(errno));
}

static void collapse_files_set_current(struct collapse_files_walk *walk, int fd) {
	if (walk->current >= 0) {
		close(walk->current);
	}
	walk->current = fd;
}

/** Open the list of names of the folder at `fd`, or return NULL with errno set. Fail if this user
 * may not search the folder, because visiting its files and returning to its parent need this
 * right. */
static DIR *collapse_files_open_list(int fd) {
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return again < 0 ? NULL : fdopendir(again); // this fails only if memory runs out
}

/** Enter a folder in the current one. Return 0, or -1 with errno set if the folder was not entered,
 * or some of its names are missing. */
static int collapse_files_enter_folder(struct collapse_files_walk *walk, const char *name,
				       int flags) {
	int fd = openat(walk->current, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	DIR *list = NULL;
	struct stat about;
	if (fd < 0 || fstat(fd, &about) != 0 || (list = collapse_files_open_list(fd)) == NULL) {
		int problem = errno;
		if (fd >= 0) {
			close(fd);
		}
		errno = problem;
		return -1;
	}
	struct folder *folder = MEM_APPEND(walk->folders, walk->n, walk->capacity);
	*folder = (struct folder){
		.device = about.st_dev, .inode = about.st_ino, .path = walk->path.n};
	collapse_files_set_current(walk, fd);
	int result = collapse_files_read_names(folder, list), problem = errno;
	closedir(list);
	errno = problem;
	return result;
}

/** Remove the innermost folder from the list, and its frame from the stack. */
static void collapse_files_drop_folder(struct collapse_files_walk *walk) {
	struct folder *folder = &walk->folders[--walk->n];
	arena_release(&folder->arena);
	free(folder->names);
	walk->ids.n--;
}

/** Go back to the parent of the current folder. */
static int collapse_files_leave_folder(struct collapse_files_walk *walk) {
	struct stat about;
	collapse_files_drop_folder(walk);
	if (walk->n == 0) {
		collapse_files_set_current(walk, AT_FDCWD);
		return 0;
	}
	const struct folder *outer = &walk->folders[walk->n - 1];
	walk->path.n = outer->path;
	int fd = openat(walk->current, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found = fd >= 0 && fstat(fd, &about) == 0 && about.st_dev == outer->device &&
		     about.st_ino == outer->inode;
	collapse_files_set_current(walk, fd);
	return found ? 0
		     : diag_error(walk->diag, "%s: a folder in it was moved while it was read",
				  buf_text(&walk->path));
}

/* --- The walk ------------------------------------------------------------------------------- */

/** Count a file or folder in the current folder, and enter it if it is a folder. With
 * `one_file_system`, skip a folder on another file system. */
static int collapse_files_visit(struct collapse_files_walk *walk, const char *name) {
	struct stat about;
	walk->path.n = walk->folders[walk->n - 1].path;
	if (walk->path.n > 0 && walk->path.p[walk->path.n - 1] != '/') {
		buf_add_char(&walk->path, '/');
	}
	buf_add_text(&walk->path, name);
	if (fstatat(walk->current, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
		return collapse_files_warn_unreadable(walk);
	}
	if (S_ISDIR(about.st_mode) && walk->options->one_file_system &&
	    about.st_dev != walk->folders[0].device) {
		return 0;
	}
	collapse_files_push_frame(walk, str_of(name));
	collapse_files_add(walk, &about);
	size_t entered = walk->n;
	int result = 0;
	if (S_ISDIR(about.st_mode) && collapse_files_enter_folder(walk, name, O_NOFOLLOW) != 0) {
		result = collapse_files_warn_unreadable(walk);
	}
	walk->ids.n -= walk->n == entered;
	return result;
}

/** Walk an operand: a file, a folder, or a symbolic link to a file or folder. */
static int collapse_files_walk_source(struct collapse_files_walk *walk,
				      const struct source *source) {
	struct stat about;
	if (source->kind != SOURCE_PATH) {
		return diag_error(walk->diag,
				  "standard input is not a folder: name a folder by its path");
	}
	buf_set_text(&walk->path, source->path);
	walk->ids.n = 0;
	if (stat(source->path, &about) != 0 ||
	    (S_ISDIR(about.st_mode) && collapse_files_enter_folder(walk, source->path, 0) != 0)) {
		return diag_error(walk->diag, "%s: cannot be read: %s", source->path,
				  strerror(errno));
	}
	collapse_files_push_path(walk, source->path);
	collapse_files_add(walk, &about);
	int result = 0;
	while (result == 0 && walk->n > 0) {
		struct folder *folder = &walk->folders[walk->n - 1];
		result = folder->at == folder->n
				 ? collapse_files_leave_folder(walk)
				 : collapse_files_visit(walk, folder->names[folder->at++]);
	}
	return result;
}

static void collapse_files_walk_release(struct collapse_files_walk *walk) {
	while (walk->n > 0) {
		collapse_files_drop_folder(walk);
	}
	collapse_files_set_current(walk, AT_FDCWD);
	free(walk->folders);
	intern_release(&walk->linked);
	ids_release(&walk->ids);
	buf_release(&walk->path);
	buf_release(&walk->text);
}

static int collapse_files_walk_all(struct collapse_files_walk *walk, const struct source *sources,
				   size_t n) {
	int result = 0;
	for (size_t i = 0; i < n && result == 0; i++) {
		result = collapse_files_walk_source(walk, &sources[i]);
	}
	if (result == 0 && walk->unreadable > 0) {
		result = diag_warn(walk->diag,
				   "left out folders and files that could not be read: %llu",
				   (unsigned long long)walk->unreadable);
	}
	if (result == 0 && walk->profile->overflow) {
		result = diag_error_sum(walk->diag, NULL);
	}
	return result;
}

static int collapse_files_fill(const struct command_run *run, struct profile *profile) {
	struct collapse_files_walk walk = {
		.options = OPT_VALUES(run->set, TABLE_OWN, struct collapse_files_options),
		.diag = run->diag,
		.profile = profile,
		.current = AT_FDCWD};
	int result = collapse_files_walk_all(&walk, run->sources, run->sources_n);
	collapse_files_walk_release(&walk);
	return result;
}

static int collapse_files_run(const struct command_run *run) {
	return output_run(run, collapse_files_fill);
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct collapse_files_options, allocated), .name = "allocated",
	 .help = "count the space on disk instead of the lengths of files"},
	{OPT_IS_BOOL(struct collapse_files_options, one_file_system), .name = "one-file-system",
	 .letter = 'x', .also = "xdev",
	 .help = "leave out folders on other file systems than FOLDER"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno collapse files . > sizes.folded", "count the bytes below the current folder"},
	{"inferno collapse files --allocated . | inferno flamegraph --countname=bytes > disk.svg",
	 "show which files use the space on the disk"},
	{NULL, NULL},
};

const struct command command_collapse_files = {
	.group = "collapse",
	.name = "files",
	.brief = "fold the sizes of all files below a folder",
	.task = TASK_FOLD,
	.about = "Counts the bytes of files and folders. Each file and each folder is a frame; its "
		 "callers are the folders that contain it. A folder itself also has a size. "
		 "Symbolic links are not followed, except a link that the command line names. A "
		 "file with several hard links is counted once, under the first of its names. A "
		 "warning names each file or folder that cannot be read. In names, blanks and "
		 "semicolons become '_'.",
	.examples = examples,
	.operands = "FOLDER...",
	.operands_least = 1,
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {options, sizeof(struct collapse_files_options)}},
	.output = "folded",
	.writes = EXPORT_ONE,
	.run = collapse_files_run,
	.lacks_nthreads = true,
};
