/** A helper that runs as root, through sudo: it opens the kernel's counters and the files with its
 * symbols, and passes the descriptors on. The recorder and its program stay the user's. */
#ifndef INFERNO_RECORD_ROOT_H
#define INFERNO_RECORD_ROOT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/diag.h"

struct root;

/** Files in which only root sees addresses. */
enum root_file { ROOT_KALLSYMS, ROOT_MODULES, ROOT_FILES };

/** Start the helper. `flags` are words for sudo, separated by blanks. Return NULL after
 * diag_error(). */
struct root *root_start(const char *flags, struct diag *diag);

/** Means the control group of root_make_group(), in place of a thread. */
#define ROOT_GROUP INT32_MIN

/** Open a counter of a thread; 0 is this one. Return a descriptor, or -1 with errno set. */
int root_open(struct root *root, const struct perf_event_attr *attr, int32_t tid, int cpu);

/** Open a counter of the control group whose folder has this path. */
int root_open_group(struct root *root, const struct perf_event_attr *attr, const char *path,
		    int cpu);

/** Do what tracefs_open() does, as root. */
int root_tracing(struct root *root, const char *path);

/** Return the path of a copy in memory of a file as root sees it; NULL if it cannot be read. It is
 * there until root_free(). */
const char *root_file(struct root *root, enum root_file file);

/** Make a control group, and move a process there. After this, the helper runs on without sudo.
 * Return a descriptor of the group's folder, or -1 with errno set. */
int root_make_group(struct root *root, pid_t program);

/** End the helper, which is no longer needed. If there is a group, it only waits for
 * root_leave_group() from now on, or for the end of this process. */
void root_end(struct root *root);

/** Have the group removed. */
void root_leave_group(struct root *root);

void root_free(struct root *root);

/** Run as the helper, for the recorder that listens under this name and wrote a secret to standard
 * input, until the recorder ends. Return 0, or -1 after diag_error(). */
int root_serve(const char *name, struct diag *diag);

#endif
