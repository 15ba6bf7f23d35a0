/** A helper process that runs as root, through sudo. The helper opens the kernel's counters and the
 * files with the kernel's symbols, and passes their descriptors to the recorder. The recorder and
 * the sampled program run as the user. */
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/diag.h"

struct root;

/** Files that show addresses only to root. */
enum root_file { ROOT_KALLSYMS, ROOT_MODULES, ROOT_FILES };

/** Start the helper. `flags` are words for sudo, separated by blanks. Return NULL after
 * diag_error(). */
struct root *root_start(const char *flags, struct diag *diag);

/** A value that root_open() accepts in place of a thread: it means the control group of
 * root_make_group(). */
#define ROOT_GROUP INT32_MIN

/** Open a counter of a thread. The id 0 means the calling thread. Return a descriptor, or -1 with
 * errno set. */
int root_open(struct root *root, const struct perf_event_attr *attr, int32_t tid, int cpu);

/** Open a counter of the control group with the folder `path`. Return a descriptor, or -1 with
 * errno set. */
int root_open_group(struct root *root, const struct perf_event_attr *attr, const char *path,
		    int cpu);

/** Open a file of tracefs as root, in the same way as tracefs_open(). */
int root_tracing(struct root *root, const char *path);

/** Let root read a file, and copy it into memory. Return the path of the copy, or NULL if the file
 * cannot be read. The copy exists until root_free(). */
const char *root_file(struct root *root, enum root_file file);

/** Make a control group, and move a process into this group. From then on, the helper runs without
 * sudo. Return a descriptor of the group's folder, or -1 with errno set. */
int root_make_group(struct root *root, pid_t program);

/** End the helper, which is no longer needed. A helper that made a control group remains until
 * root_leave_group() or the end of this process. */
void root_end(struct root *root);

/** Let the helper remove the group. */
void root_leave_group(struct root *root);

void root_free(struct root *root);

/** Run as the helper until the recorder ends. The recorder listens on a socket with this name, and
 * has written a secret to standard input. Return 0, or -1 after diag_error(). */
int root_serve(const char *name, struct diag *diag);
