/* Processes and threads that run. */
#include "record/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"

void proc_read_open(int fd, struct buf *out) {
	enum { PART = 64 << 10 };
	ssize_t n = fd < 0 ? 0 : 1;
	while (n > 0) {
		n = read(fd, buf_room(out, PART), PART);
		out->n += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
}

void proc_read(const char *path, struct buf *out) {
	proc_read_open(open(path, O_RDONLY | O_CLOEXEC), out);
}

/** Return the next number that is a name in a folder; 0 after the last. */
static int32_t next_number(DIR *folder) {
	const struct dirent *entry;
	while ((entry = readdir(folder)) != NULL) {
		uint64_t number;
		if (num_parse_u64(str_of(entry->d_name), &number) && number > 0 &&
		    number <= INT32_MAX) {
			return (int32_t)number;
		}
	}
	return 0;
}

bool proc_each_thread(int32_t pid, void (*each)(void *context, int32_t pid, int32_t tid),
		      void *context) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *folder = opendir(path);
	if (folder == NULL) {
		return false;
	}
	for (int32_t tid; (tid = next_number(folder)) > 0;) {
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
	// The name, in brackets, may hold anything; the state comes after it.
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
		return;
	}
	for (int32_t pid; (pid = next_number(folder)) > 0;) {
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

static void add_children(void *children, int32_t pid, int32_t tid) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, tid);
	proc_read(path, children);
}

void proc_each_below(int32_t pid, void (*each)(void *context, int32_t pid), void *context) {
	struct buf children = {0};
	each(context, pid);
	proc_each_thread(pid, add_children, &children);
	struct str rest = buf_str(&children);
	for (struct str word; (word = str_next_word(&rest)).n > 0;) {
		uint64_t child;
		if (num_parse_u64(word, &child) && child <= INT32_MAX) {
			proc_each_below((int32_t)child, each, context);
		}
	}
	buf_release(&children);
}

/** Times of a process, in the order of its file: its own, then those of children that it has waited
 * for. */
struct stat_times {
	unsigned long long user, system, children_user, children_system;
};

/** Read what /proc/PID/stat says. Return the state of the process, or 'X' if nothing is known. */
static char read_stat(int32_t pid, struct stat_times *times) {
	char path[32], state = 'X';
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	proc_read(path, &text);
	// The name, in brackets, may hold anything; the state comes after it.
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

static struct proc_time in_seconds(unsigned long long user, unsigned long long system) {
	double ticks = (double)sysconf(_SC_CLK_TCK);
	return (struct proc_time){(double)user / ticks, (double)system / ticks};
}

bool proc_runs(int32_t pid, struct proc_time *time) {
	struct stat_times times;
	char state = read_stat(pid, &times);
	if (state != 'X') {
		*time = in_seconds(times.user, times.system);
	}
	return state != 'Z' && state != 'X';
}

struct proc_time proc_used(int32_t pid) {
	struct stat_times times = {0};
	(void)read_stat(pid, &times);
	return in_seconds(times.user + times.children_user, times.system + times.children_system);
}
