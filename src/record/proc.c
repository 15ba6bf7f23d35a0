/* Processes and threads that run. */
#include "record/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"

void proc_read(const char *path, struct buf *out) {
	enum { PART = 64 << 10 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : 1;
	while (n > 0) {
		n = read(fd, buf_room(out, PART), PART);
		out->n += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
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

bool proc_runs(int32_t pid, struct proc_time *time) {
	char path[32], state = 'X';
	unsigned long long user, system;
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	proc_read(path, &text);
	// The name, in brackets, may hold anything; the state comes after it.
	size_t end = str_find_last(buf_str(&text), ')');
	if (end != STR_NONE && sscanf(buf_text(&text) + end + 1,
				      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu",
				      &state, &user, &system) == 3) {
		double ticks = (double)sysconf(_SC_CLK_TCK);
		*time = (struct proc_time){(double)user / ticks, (double)system / ticks};
	}
	buf_release(&text);
	return state != 'Z' && state != 'X';
}
