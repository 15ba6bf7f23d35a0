/**
 * A control group for the program that is sampled. The counters of a group count every thread that
 * runs in the group, even if the thread runs only for a short time. Counters that a new thread
 * inherits would be worse. They start with a full period in each thread, so a thread that runs for
 * less than a period would get no sample.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

struct cgroup {
	int parent; // descriptor of the parent folder; -1: do not remove the group
	int fd;     // descriptor of the folder of the new group
	char name[32];
};

/** The value for no group. */
#define CGROUP_NONE ((struct cgroup){.parent = -1, .fd = -1})

/** Find the folder of a control group. `name` is one of these: the path of the group in the
 * hierarchy of groups, the path of its folder in the file system, the name of the group, or the
 * start of a container's id that is in the group's name. Return the number of groups found, and set
 * `path` to the folder of the first one. */
size_t cgroup_find(const char *name, struct buf *path);

/** Make a group below the group of a recorder. Also remove the groups that killed recorders have
 * left there. Return whether the group was made. A failure leaves nothing in the file system. */
bool cgroup_make(struct cgroup *group, pid_t recorder);

/** Move a process into the group. Return whether the process was moved. */
bool cgroup_move(const struct cgroup *group, pid_t pid);

/** Return the processor time that the threads of the group have used, in seconds; or 0 if the time
 * is not known. */
double cgroup_used(const struct cgroup *group);

/** If this process created the group, move the processes that still run back to the group of the
 * recorder, and remove the group. */
void cgroup_remove(struct cgroup *group);
