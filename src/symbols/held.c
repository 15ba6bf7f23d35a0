/* Open the files of processes while the processes run, and hold them open. */
#include "symbols/held.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/bounded.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/stop.h"
#include "symbols/mapped.h"

enum {
	FILES_MOST = 512,
	TRIES_MOST = 4, // most attempts to open one file; if a process ends before the file is
			// opened, the next process that maps the file gives another chance
	SPARE = 64,     // number of descriptors that are left for other uses
};

struct held_file {
	struct object_file file; // last noted mapping of the file; owns the path
	int fd;                  // descriptor; -1: not open
	unsigned tries;
	bool waits; // the file is still to be opened
};

static struct held {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool runs;
	atomic_bool ends;
	struct bounded bounded;
	int most;           // the largest number of a descriptor that is kept
	struct intern keys; // keys of files; the value is 1 + the index
	struct buf key;     // scratch memory
	struct held_file files[FILES_MOST];
	size_t n, next; // number of noted files; index of the first file that may be still to be
			// opened
} held = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/** Make the key of a file. The key consists of the build-id, or the device and inode, and the path.
 * The path is needed because several files may share a build-id. */
static struct str held_key_of(const struct object_file *file) {
	struct buf *key = &held.key;
	buf_clear(key);
	buf_add(key, &file->build_id.size, 1);
	buf_add(key, file->build_id.bytes, file->build_id.size);
	if (file->build_id.size == 0) {
		buf_add(key, &file->id.major, sizeof(file->id.major));
		buf_add(key, &file->id.minor, sizeof(file->id.minor));
		buf_add(key, &file->id.inode, sizeof(file->id.inode));
	}
	buf_add_str(key, file->path);
	return buf_str(key);
}

/** Find a noted file. If `add` is set, note a new file if there is room. Return NULL if the file is
 * not noted. */
static struct held_file *held_find(const struct object_file *file, bool add) {
	struct str key = held_key_of(file);
	struct intern_key *known = add && held.n < FILES_MOST
					   ? intern_get(&held.keys, key.p, key.n)
					   : intern_find(&held.keys, key.p, key.n);
	if (known != NULL && known->value == 0) {
		known->value = ++held.n;
		held.files[held.n - 1] = (struct held_file){.fd = -1};
	}
	return known == NULL ? NULL : &held.files[known->value - 1];
}

/** Return the next file to be opened, or NULL. */
static struct held_file *held_next_waiting(void) {
	for (size_t i = 0; i < held.n; i++) {
		size_t at = (held.next + i) % held.n;
		if (held.files[at].waits) {
			held.next = at;
			return &held.files[at];
		}
	}
	return NULL;
}

/** A file that is being opened. The struct is on the heap, because a thread may use it even after
 * the wait for the file was given up. */
struct opening {
	struct object_file wanted;
	int fd;
};

static void held_open_wanted(void *context) {
	struct opening *opening = context;
	opening->fd = open_mapped(&opening->wanted);
}

/** Open a file without the lock, and keep it. */
static void held_open_one(struct held_file *file) {
	struct opening *opening = mem_new(1, sizeof(*opening));
	*opening = (struct opening){.wanted = file->file, .fd = -1};
	file->file.path = STR("");
	file->waits = false;
	pthread_mutex_unlock(&held.lock);
	enum bounded_result result =
		bounded_do(&held.bounded, held_open_wanted, opening, &held.ends);
	int fd = result == BOUNDED_DONE ? opening->fd : -1;
	if (result != BOUNDED_LOST) {
		free((void *)(uintptr_t)opening->wanted.path.p);
		free(opening);
	}
	pthread_mutex_lock(&held.lock);
	if (fd > held.most || (fd >= 0 && file->fd >= 0)) {
		close(fd);
	} else if (fd >= 0) {
		file->fd = fd;
	}
}

static void *held_open_files(void *context) {
	(void)context;
	pthread_mutex_lock(&held.lock);
	while (!atomic_load(&held.ends)) {
		struct held_file *file = held_next_waiting();
		if (file != NULL) {
			held_open_one(file);
		} else {
			pthread_cond_wait(&held.changed, &held.lock);
		}
	}
	pthread_mutex_unlock(&held.lock);
	return NULL;
}

void held_start(void) {
	struct rlimit limit = {.rlim_cur = 0};
	sigset_t all, before;
	if (held.runs) {
		return;
	}
	(void)getrlimit(RLIMIT_NOFILE, &limit);
	held.most = limit.rlim_cur > INT32_MAX ? INT32_MAX - SPARE : (int)limit.rlim_cur - SPARE;
	atomic_store(&held.ends, false);
	held.bounded.limits = (struct bounded_limits){
		.stalled = 8000, .stopped = STOP_STALLED, .total = STOP_SYMBOLS};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); // block all signals, so that other threads
						     // handle them
	held.runs = pthread_create(&held.thread, NULL, held_open_files, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void held_note(const struct object_file *file) {
	if (!held.runs || file->path.n == 0 || file->path.p[0] != '/' ||
	    (file->build_id.size == 0 && file->id.inode == 0)) {
		return;
	}
	pthread_mutex_lock(&held.lock);
	struct held_file *one = held_find(file, true);
	if (one != NULL && one->fd < 0 && !one->waits && one->tries < TRIES_MOST) {
		char *path = malloc(file->path.n);
		one->tries++;
		one->waits = path != NULL;
		one->file = *file;
		if (path != NULL) {
			memcpy(path, file->path.p, file->path.n);
			one->file.path = (struct str){path, file->path.n};
			pthread_cond_signal(&held.changed);
		}
	}
	pthread_mutex_unlock(&held.lock);
}

int held_open(const struct object_file *wanted) {
	int fd = -1;
	pthread_mutex_lock(&held.lock);
	const struct held_file *file = held.n == 0 ? NULL : held_find(wanted, false);
	if (file != NULL && file->fd >= 0) {
		fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	}
	pthread_mutex_unlock(&held.lock);
	return fd;
}

void held_stop(void) {
	if (held.runs) {
		pthread_mutex_lock(&held.lock);
		atomic_store(&held.ends, true);
		pthread_cond_signal(&held.changed);
		pthread_mutex_unlock(&held.lock);
		pthread_join(held.thread, NULL);
		bounded_release(&held.bounded);
		held.bounded = (struct bounded){.thread = NULL};
	}
	for (size_t i = 0; i < held.n; i++) {
		if (held.files[i].fd >= 0) {
			close(held.files[i].fd);
		}
		if (held.files[i].waits) {
			free((void *)(uintptr_t)held.files[i].file.path.p);
		}
	}
	intern_release(&held.keys);
	buf_release(&held.key);
	held.keys = (struct intern){0};
	held.runs = false;
	held.n = held.next = 0;
}
