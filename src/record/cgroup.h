/**
 * A control group for the program that is sampled. Counters of a group count everything that runs
 * in it, even for a short time. Inherited counters start with a full period in each new thread, so
 * a thread that runs for less than a period gets no sample.
 */
#ifndef INFERNO_RECORD_CGROUP_H
#define INFERNO_RECORD_CGROUP_H

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

/** Find the folder of a group by its path, below the root of its hierarchy or of the file system,
 * by its name, or by the start of a container's id in its name. Return the number of groups
 * found, and set `path` to the first. */
size_t cgroup_find(const char *name, struct buf *path);

/** Make a group below the group of a recorder. Also remove such groups of recorders that were
 * killed. Return whether the group was made. A failure leaves nothing in the file system. */
bool cgroup_make(struct cgroup *group, pid_t recorder);

/** Move a process into the group. Return whether the process was moved. */
bool cgroup_move(const struct cgroup *group, pid_t pid);

/** Return the seconds of processor time that were used in the group; or 0 if the time is not known.
 */
double cgroup_used(const struct cgroup *group);

/** Move the running processes back to the group of the recorder, and remove the group, if this
 * process created the group.
 */
void cgroup_remove(struct cgroup *group);

#endif
