/* A control group for the program that is sampled. */
#include "record/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "record/proc.h"

static const char prefix[] = "inferno-", members[] = "cgroup.procs";

/* --- The group of a process ----------------------------------------------------------------- */

/** Return whether a list of words, separated by commas, contains a word. */
static bool cgroup_has_word(struct str list, struct str word) {
	while (list.n > 0) {
		if (str_eq(str_cut(&list, ','), word)) {
			return true;
		}
	}
	return false;
}

/** Find the path of a process's group in a hierarchy: either in the hierarchy of the controller
 * perf_event (cgroup v1), or in the unified hierarchy (v2). Return false if the process has no
 * group there. */
static bool cgroup_find_group(struct str groups, bool unified, struct str *path) {
	struct lines lines = {.rest = groups};
	struct str line;
	while (lines_next(&lines, &line)) {
		struct str number = str_cut(&line, ':'), controllers = str_cut(&line, ':');
		if (unified ? str_eq(number, STR("0")) && controllers.n == 0
			    : cgroup_has_word(controllers, STR("perf_event"))) {
			*path = line;
			return true;
		}
	}
	return false;
}

/** Replace escapes such as \040 by the bytes that they stand for. */
static void cgroup_add_decoded(struct buf *out, struct str text) {
	for (size_t i = 0; i < text.n; i++) {
		bool coded = text.p[i] == '\\' && text.n - i > 3;
		int code = coded ? (text.p[i + 1] & 7) << 6 | (text.p[i + 2] & 7) << 3 |
					   (text.p[i + 3] & 7)
				 : text.p[i];
		buf_add_char(out, (char)code);
		i += coded ? 3 : 0;
	}
}

/** Make the path of a group, from a line about a mounted file system. Return false if the line is
 * about another file system, or if that file system does not show the group. */
static bool cgroup_locate(struct str line, bool unified, struct str group, struct buf *path) {
	enum { ROOT_WORD = 3, POINT_WORD = 4 };
	struct str words[5] = {{0}}, rest = line;
	for (size_t i = 0; i <= POINT_WORD; i++) {
		words[i] = str_next_word(&rest);
	}
	size_t dash = str_find_str(rest, STR(" - "));
	rest = dash == STR_NONE ? STR("") : str_from(rest, dash + 3);
	struct str type = str_next_word(&rest), root = words[ROOT_WORD];
	(void)str_next_word(&rest); // the device
	struct str options = str_next_word(&rest);
	if (unified ? !str_eq(type, STR("cgroup2"))
		    : !str_eq(type, STR("cgroup")) ||
			      !cgroup_has_word(options, STR("perf_event"))) {
		return false;
	}
	root.n = str_eq(root, STR("/")) ? 0 : root.n;
	if (!str_starts(group, root) || (group.n > root.n && group.p[root.n] != '/')) {
		return false;
	}
	buf_clear(path);
	cgroup_add_decoded(path, words[POINT_WORD]);
	buf_add_str(path, str_from(group, root.n));
	return true;
}

/** Open the folder of a process's group. Return a descriptor, or -1. */
static int cgroup_open_group_of(pid_t pid) {
	char own[32];
	struct buf groups = {0}, mounts = {0}, path = {0};
	struct str group = STR(""), line;
	int fd = -1;
	snprintf(own, sizeof(own), "/proc/%d/cgroup", (int)pid);
	proc_read(own, &groups);
	proc_read("/proc/self/mountinfo", &mounts);
	for (int unified = 0; unified < 2 && fd < 0; unified++) {
		struct lines lines = {.rest = buf_str(&mounts)};
		bool known = cgroup_find_group(buf_str(&groups), unified, &group);
		while (known && fd < 0 && lines_next(&lines, &line)) {
			if (cgroup_locate(line, unified, group, &path)) {
				fd = open(buf_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			}
		}
		if (known && !unified) {
			break; // this hierarchy of v1 has the controller
		}
	}
	buf_release(&groups);
	buf_release(&mounts);
	buf_release(&path);
	return fd;
}

/* --- Groups by name ------------------------------------------------------------------------- */

/** Find the folder of the hierarchy of groups that the kernel's counters use. Return false if it is
 * not mounted. */
static bool cgroup_find_root(struct buf *path) {
	struct buf mounts = {0};
	struct str line;
	bool found = false;
	proc_read("/proc/self/mountinfo", &mounts);
	for (int unified = 0; unified < 2 && !found; unified++) {
		struct lines lines = {.rest = buf_str(&mounts)};
		while (!found && lines_next(&lines, &line)) {
			found = cgroup_locate(line, unified, STR(""), path);
		}
	}
	buf_release(&mounts);
	return found;
}

static bool cgroup_is_folder(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

struct group_search {
	struct str name;
	struct buf *found;
	size_t n;
};

/** Return whether a folder has the wanted name, with or without .scope or .service; or whether its
 * name contains the id of a container and this id begins with the wanted text. */
static bool cgroup_is_wanted(const struct group_search *search, struct str name) {
	enum { ID_LEAST = 8 };
	struct str scope = STR(".scope"), service = STR(".service"), plain = name;
	size_t at = str_find_last(name, '-'); // docker-ID.scope
	bool is_id = search->name.n >= ID_LEAST && str_all_hex(search->name);
	plain.n -= str_ends(plain, scope) ? scope.n : str_ends(plain, service) ? service.n : 0;
	return str_eq(name, search->name) || str_eq(plain, search->name) ||
	       (is_id && str_starts(str_from(name, at == STR_NONE ? 0 : at + 1), search->name));
}

/** Search the folders below a path. The function appends to the path, and restores it before it
 * returns. */
static void cgroup_search_below(struct group_search *search, struct buf *path, unsigned depth) {
	enum { DEEPEST = 32 };
	DIR *folder = depth < DEEPEST ? opendir(buf_text(path)) : NULL;
	size_t n = path->n;
	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.') {
			continue;
		}
		buf_printf(path, "/%s", entry->d_name);
		if (cgroup_is_wanted(search, str_of(entry->d_name)) && search->n++ == 0) {
			buf_add_str(search->found, buf_str(path));
		}
		cgroup_search_below(search, path, depth + 1);
		path->n = n;
	}
	if (folder != NULL) {
		closedir(folder);
	}
}

size_t cgroup_find(const char *name, struct buf *path) {
	struct buf root = {0};
	struct group_search search = {.name = str_of(name), .found = path};
	if (!cgroup_find_root(&root)) {
		return 0;
	}
	buf_clear(path);
	if (!str_starts(str_of(name), buf_str(&root))) {
		buf_printf(path, "%s%s", buf_text(&root), name[0] == '/' ? "" : "/");
	}
	buf_add_text(path, name);
	search.n = cgroup_is_folder(buf_text(path));
	if (search.n == 0) {
		buf_clear(path);
		cgroup_search_below(&search, &root, 0);
	}
	buf_release(&root);
	return search.n;
}

/* --- Moving processes ----------------------------------------------------------------------- */

/** Move a process into a group, by writing its id into the group's list. Return whether the process
 * was moved. */
static bool cgroup_add_member(int folder, pid_t pid) {
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", (int)pid);
	int fd = openat(folder, members, O_WRONLY | O_CLOEXEC);
	bool moved = fd >= 0 && write(fd, text, (size_t)n) == n;
	if (fd >= 0) {
		close(fd);
	}
	return moved;
}

/** Add the contents of a file in a folder. */
static void cgroup_read_at(int folder, const char *name, struct buf *out) {
	char path[64];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		proc_read(path, out);
		close(fd);
	}
}

/** Move all processes of a group to another one. Return whether there were any processes. */
static bool cgroup_move_members(int from, int to) {
	struct buf text = {0};
	bool any = false;
	cgroup_read_at(from, members, &text);
	struct lines lines = {.rest = buf_str(&text)};
	for (struct str line; lines_next(&lines, &line);) {
		uint64_t pid;
		if (num_parse_u64(line, &pid) && pid > 0 && pid <= INT32_MAX) {
			(void)cgroup_add_member(to, (pid_t)pid); // the process may have ended
			any = true;
		}
	}
	buf_release(&text);
	return any;
}

/** Open the list of names in a folder, or return NULL. */
static DIR *cgroup_open_list(int folder) {
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	if (entries == NULL && copy >= 0) {
		close(copy);
	}
	return entries;
}

static void cgroup_empty(int folder, int to, int depth);

/** Empty and remove the subgroups of a group. The program may have made such subgroups. */
static void cgroup_remove_inner(int folder, int to, int depth) {
	DIR *entries = cgroup_open_list(folder);
	const struct dirent *entry;
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		int inner = entry->d_type != DT_DIR || entry->d_name[0] == '.'
				    ? -1
				    : openat(folder, entry->d_name,
					     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (inner >= 0) {
			cgroup_empty(inner, to, depth + 1);
			close(inner);
			unlinkat(folder, entry->d_name, AT_REMOVEDIR);
		}
	}
	if (entries != NULL) {
		closedir(entries);
	}
}

/** Move all processes of a group and of its subgroups to another group, and remove the
 * subgroups. */
static void cgroup_empty(int folder, int to, int depth) {
	enum { MOST_DEPTH = 16, MOST_TRIES = 100 };
	if (depth < MOST_DEPTH) {
		cgroup_remove_inner(folder, to, depth);
	}
	for (int i = 0; i < MOST_TRIES && cgroup_move_members(folder, to); i++) {
	} // try again: further processes may have started
}

/* --- The group ------------------------------------------------------------------------------ */

static bool cgroup_runs(pid_t pid) {
	return kill(pid, 0) == 0 || errno != ESRCH;
}

/** Remove the groups of recorders that no longer run. Also remove the group of an earlier recorder
 * that had the process id of this recorder. */
static void cgroup_remove_stale(int parent, pid_t recorder) {
	DIR *entries = cgroup_open_list(parent);
	const struct dirent *entry;
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		struct str name = str_of(entry->d_name), start = str_of(prefix);
		uint64_t pid;
		if (str_starts(name, start) && num_parse_u64(str_from(name, start.n), &pid) &&
		    pid > 0 && pid <= INT32_MAX &&
		    ((pid_t)pid == recorder || !cgroup_runs((pid_t)pid))) {
			unlinkat(parent, entry->d_name,
				 AT_REMOVEDIR); // this fails if a process runs in the group
		}
	}
	if (entries != NULL) {
		closedir(entries);
	}
}

bool cgroup_make(struct cgroup *group, pid_t recorder) {
	*group = CGROUP_NONE;
	group->parent = cgroup_open_group_of(recorder);
	if (group->parent < 0) {
		return false;
	}
	cgroup_remove_stale(group->parent, recorder);
	snprintf(group->name, sizeof(group->name), "%s%d", prefix, (int)recorder);
	if (mkdirat(group->parent, group->name, 0755) == 0) {
		group->fd = openat(group->parent, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (group->fd < 0) {
			unlinkat(group->parent, group->name, AT_REMOVEDIR);
		}
	}
	if (group->fd < 0) {
		cgroup_remove(group);
	}
	return group->fd >= 0;
}

bool cgroup_move(const struct cgroup *group, pid_t pid) {
	return group->fd >= 0 && cgroup_add_member(group->fd, pid);
}

double cgroup_used(const struct cgroup *group) {
	const double million = 1e6;
	unsigned long long microseconds = 0;
	struct buf text = {0};
	if (group->fd >= 0) {
		cgroup_read_at(group->fd, "cpu.stat", &text);
	}
	if (sscanf(buf_text(&text), "usage_usec %llu", &microseconds) != 1) {
		microseconds = 0;
	}
	buf_release(&text);
	return (double)microseconds / million;
}

/** Remove the folder of the group. For a moment, a process that has just ended may prevent this. */
static void cgroup_remove_folder(const struct cgroup *group) {
	enum { MOST_TRIES = 100, MILLISECOND = 1000000 };
	const struct timespec pause = {.tv_nsec = 2 * MILLISECOND};
	for (int i = 0; i < MOST_TRIES; i++) {
		cgroup_empty(group->fd, group->parent, 0);
		if (unlinkat(group->parent, group->name, AT_REMOVEDIR) == 0 || errno != EBUSY) {
			return;
		}
		nanosleep(&pause, NULL);
	}
}

void cgroup_remove(struct cgroup *group) {
	if (group->fd >= 0 && group->parent >= 0) {
		cgroup_remove_folder(group);
	}
	if (group->fd >= 0) {
		close(group->fd);
	}
	if (group->parent >= 0) {
		close(group->parent);
	}
	*group = CGROUP_NONE;
}
