/* Processes and threads that run. */
#include "record/proc.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/read.h"

enum { PROC_MOST = 1 << 30 };

/** The files that could not be read. The collecting thread adds files, too. */
static struct {
	pthread_mutex_t lock;
	struct unread files;
} missing = {.lock = PTHREAD_MUTEX_INITIALIZER};

void proc_note(const char *path, int problem) {
	if (!unread_is_usual(problem)) {
		pthread_mutex_lock(&missing.lock);
		unread_note(&missing.files, path, problem);
		pthread_mutex_unlock(&missing.lock);
	}
}

int proc_warn(struct diag *diag) {
	struct buf text = {0};
	pthread_mutex_lock(&missing.lock);
	unread_format(&missing.files, &text);
	unread_release(&missing.files);
	pthread_mutex_unlock(&missing.lock);
	int result = text.n == 0 ? 0
				 : diag_warn(diag, "cannot read %s, and went on without it",
					     buf_text(&text));
	buf_release(&text);
	return result;
}

int proc_read(const char *path, struct buf *out) {
	int problem = read_whole(path, PROC_MOST, out);
	proc_note(path, problem);
	return problem;
}

int64_t proc_setting(const char *path, int64_t otherwise) {
	struct buf text = {0};
	int64_t value = proc_read(path, &text) != 0 || text.n == 0
				? otherwise
				: strtoll(buf_text(&text), NULL, 10);
	buf_release(&text);
	return value;
}

/** Return the next number among the names in a folder, or 0 after the last. */
static int32_t proc_next_number(DIR *folder, const char *path) {
	const struct dirent *entry;
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		uint64_t number;
		if (num_parse_u64(str_of(entry->d_name), &number) && number > 0 &&
		    number <= INT32_MAX) {
			return (int32_t)number;
		}
	}
	proc_note(path, errno);
	return 0;
}

bool proc_each_thread(int32_t pid, void (*each)(void *context, int32_t pid, int32_t tid),
		      void *context) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *folder = opendir(path);
	if (folder == NULL) {
		proc_note(path, errno);
		return false;
	}
	for (int32_t tid; (tid = proc_next_number(folder, path)) > 0;) {
		each(context, pid, tid);
	}
	closedir(folder);
	return true;
}

char proc_thread_state(int32_t pid, int32_t tid) {
	char path[64], state = 0;
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	proc_read(path, &text);
	// The name, in brackets, may contain any bytes. The state comes after it.
	size_t end = str_find_last(buf_str(&text), ')');
	if (end != STR_NONE && end + 2 < text.n) {
		state = text.p[end + 2];
	}
	buf_release(&text);
	return state;
}

void proc_each(void (*each)(void *context, int32_t pid), void *context) {
	DIR *folder = opendir("/proc");
	if (folder == NULL) {
		proc_note("/proc", errno);
		return;
	}
	for (int32_t pid; (pid = proc_next_number(folder, "/proc")) > 0;) {
		each(context, pid);
	}
	closedir(folder);
}

uid_t proc_owner(int32_t pid) {
	char path[32];
	struct stat about;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &about) == 0 ? about.st_uid : (uid_t)-1;
}

static void proc_add_children(void *children, int32_t pid, int32_t tid) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, tid);
	proc_read(path, children);
}

void proc_each_below(int32_t pid, void (*each)(void *context, int32_t pid), void *context) {
	struct buf children = {0};
	each(context, pid);
	proc_each_thread(pid, proc_add_children, &children);
	struct str rest = buf_str(&children);
	for (struct str word; (word = str_next_word(&rest)).n > 0;) {
		uint64_t child;
		if (num_parse_u64(word, &child) && child <= INT32_MAX) {
			proc_each_below((int32_t)child, each, context);
		}
	}
	buf_release(&children);
}

/** Times of a process, in the order of /proc/PID/stat: its own times, then the times of children
 * that it has waited for. */
struct stat_times {
	unsigned long long user, system, children_user, children_system;
};

/** Read /proc/PID/stat. Return the state of the process, or 'X' if the file cannot be read. */
static char proc_read_stat(int32_t pid, struct stat_times *times) {
	char path[32], state = 'X';
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	proc_read(path, &text);
	// The name, in brackets, may contain any bytes. The state comes after it.
	size_t end = str_find_last(buf_str(&text), ')');
	if (end == STR_NONE || sscanf(buf_text(&text) + end + 1,
				      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %llu "
				      "%llu",
				      &state, &times->user, &times->system, &times->children_user,
				      &times->children_system) != 5) {
		state = 'X';
	}
	buf_release(&text);
	return state;
}

static struct proc_time proc_in_seconds(unsigned long long user, unsigned long long system) {
	double ticks = (double)sysconf(_SC_CLK_TCK);
	return (struct proc_time){(double)user / ticks, (double)system / ticks};
}

bool proc_runs(int32_t pid, struct proc_time *time) {
	struct stat_times times;
	char state = proc_read_stat(pid, &times);
	if (state != 'X') {
		*time = proc_in_seconds(times.user, times.system);
	}
	return state != 'Z' && state != 'X';
}

struct proc_time proc_used(int32_t pid) {
	struct stat_times times = {0};
	(void)proc_read_stat(pid, &times);
	return proc_in_seconds(times.user + times.children_user,
			       times.system + times.children_system);
}
