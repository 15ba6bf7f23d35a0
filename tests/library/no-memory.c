/* Make every allocation of every call of the library fail once. The call must report the failure
 * and release its memory and descriptors, and the process must go on. tests/library/examples builds
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <inferno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* --- An allocator that fails once ------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *bytes, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *bytes);

// The number of allocations before the failing one, or a negative number if none fails. Child
// processes share it.
static atomic_long *left = &(atomic_long){-1};
static atomic_long blocks; // blocks in use

static bool no_memory_is_next(void) {
	bool next = *left >= 0 && atomic_fetch_sub(left, 1) == 0;
	errno = next ? ENOMEM : errno;
	return next;
}

static void *no_memory_count(void *bytes) {
	blocks += bytes != NULL;
	return bytes;
}

void *malloc(size_t size) {
	return no_memory_is_next() ? NULL : no_memory_count(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
	return no_memory_is_next() ? NULL : no_memory_count(__libc_calloc(count, size));
}

void *realloc(void *bytes, size_t size) {
	if (no_memory_is_next()) {
		return NULL;
	}
	void *moved = __libc_realloc(bytes, size);
	blocks += bytes == NULL && moved != NULL;
	return moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
	return no_memory_is_next() ? NULL : no_memory_count(__libc_memalign(alignment, size));
}

void free(void *bytes) {
	blocks -= bytes != NULL;
	__libc_free(bytes);
}

/* --- The calls -------------------------------------------------------------------------------- */

static const char *path; // path of a folded text
static const char *self; // path of this program
static bool isolated;

static int no_memory_skip(void *context, const void *bytes, size_t size) {
	(void)bytes;
	*(size_t *)context += size;
	return 0;
}

/** Add stacks, some of them new. */
static enum inferno_status no_memory_fill(struct inferno_profile *profile) {
	enum inferno_status status = INFERNO_OK;
	for (unsigned i = 0; i < 4000 && status == INFERNO_OK; i++) {
		char name[64];
		snprintf(name, sizeof(name), "function_%u", i / 2);
		status = inferno_profile_add(profile, (const char *[]){"main", name}, 2, i);
	}
	return status;
}

/** Make a job of a command and a source, and run it. */
static enum inferno_status no_memory_run(const char *command, const char *option, const char *value,
					 const struct inferno_source *source) {
	size_t size = 0;
	errno = 0;
	struct inferno *job = inferno_new(command);
	if (job == NULL) {
		return errno == ENOMEM ? INFERNO_NO_MEMORY : INFERNO_BAD_USAGE;
	}
	if (isolated) {
		inferno_isolate(job, 0);
	}
	enum inferno_status status = inferno_set(job, option, value);
	status = status == INFERNO_OK ? inferno_add(job, source) : status;
	status = status == INFERNO_OK ? inferno_run(job, no_memory_skip, &size) : status;
	if (status == INFERNO_NO_MEMORY && (strcmp(inferno_error(job), "out of memory") != 0 ||
					    inferno_set(job, option, value) != status)) {
		status = INFERNO_BAD_USAGE;
	}
	// Record writes a file instead.
	if (status == INFERNO_OK && size == 0 && source->path != self) {
		status = INFERNO_BAD_USAGE;
	}
	inferno_free(job);
	return status;
}

static enum inferno_status no_memory_draw_profile(void) {
	struct inferno_profile *profile = inferno_profile_new("microseconds");
	enum inferno_status status = profile == NULL ? INFERNO_NO_MEMORY : no_memory_fill(profile);
	if (status == INFERNO_OK) {
		status = no_memory_run(
			"flamegraph", "title", "x",
			&(struct inferno_source){.kind = INFERNO_PROFILE, .profile = profile});
	} else if (profile != NULL &&
		   inferno_profile_add(profile, (const char *[]){"x"}, 1, 1) != status) {
		status = INFERNO_BAD_USAGE;
	}
	inferno_profile_free(profile);
	return status;
}

static enum inferno_status no_memory_fold(void) {
	return no_memory_run("convert", "format", "folded", &(struct inferno_source){.path = path});
}

static enum inferno_status no_memory_threads(void) {
	return no_memory_run("collapse-folded", "nthreads", "3",
			     &(struct inferno_source){.path = path});
}

static enum inferno_status no_memory_page(void) {
	return no_memory_run("flamegraph", "format", "html",
			     &(struct inferno_source){.path = path});
}

static enum inferno_status no_memory_report(void) {
	return no_memory_run("report", "max-lines", "60", &(struct inferno_source){.path = path});
}

static enum inferno_status no_memory_apart(void) {
	isolated = true;
	enum inferno_status status = no_memory_fold();
	isolated = false;
	return status;
}

/** Sample this program, which is busy for a moment. The threads of the recorder allocate, too. */
static enum inferno_status no_memory_record(void) {
	return no_memory_run("record", "output", "record.svg",
			     &(struct inferno_source){.path = self});
}

static enum inferno_status no_memory_sniff(void) {
	char why[128] = "";
	const char *name = inferno_sniff(&(struct inferno_source){.path = path}, why, sizeof(why));
	return name != NULL && strcmp(name, "folded") == 0 ? INFERNO_OK
	       : strcmp(why, "out of memory") == 0         ? INFERNO_NO_MEMORY
							   : INFERNO_FAILED;
}

static enum inferno_status no_memory_wrong_option(void) {
	struct inferno *job = inferno_new("flamegraph");
	if (job == NULL) {
		return errno == ENOMEM ? INFERNO_NO_MEMORY : INFERNO_BAD_USAGE;
	}
	enum inferno_status status = inferno_set(job, "titel", "x");
	const char *first = inferno_error(job);
	if (status == INFERNO_BAD_USAGE) {
		status = inferno_set(job, "title", "x");
		bool kept = strstr(first, "did you mean '--title'?") != NULL; // valid until the end
		status = kept ? status : INFERNO_FAILED;
	}
	inferno_free(job);
	return status;
}

/* --- The test --------------------------------------------------------------------------------- */

static int no_memory_next_descriptor(void) {
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(fd);
	return fd;
}

/** Make allocation 1, 1 + step, and so on of a call fail, until the call succeeds. */
static bool no_memory_try_some(const char *name, enum inferno_status (*call)(void), long step) {
	enum { MOST = 100000 };
	enum inferno_status status = call(); // the C library keeps what it allocates first
	long n = 0, kept = 0, before = blocks;
	int fd = no_memory_next_descriptor();
	for (; status == INFERNO_OK && n < MOST; n += step) {
		*left = n;
		status = call();
		bool reached = *left < 0;
		*left = -1;
		kept += blocks - before;
		before = blocks;
		if (!reached) {
			break;
		}
		// If a call of the C library such as fopen() fails, the status may be another one.
		if (status != INFERNO_NO_MEMORY && status != INFERNO_FAILED &&
		    status != INFERNO_OK) {
			break;
		}
		status = INFERNO_OK;
	}
	bool good = status == INFERNO_OK && n > 0 && kept == 0 && no_memory_next_descriptor() == fd;
	printf("%s: %ld allocations, status %d, %ld blocks kept: %s\n", name, n, (int)status, kept,
	       good ? "good" : "bad");
	return good;
}

static bool no_memory_try(const char *name, enum inferno_status (*call)(void)) {
	return no_memory_try_some(name, call, 1);
}

int main(int argc, char **argv) {
	if (argc == 1) {
		for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 50;) {
		}
		return 0;
	}
	self = argv[0];
	path = argv[1];
	setvbuf(stdout, NULL, _IOLBF, 0);
	left = mmap(NULL, sizeof(*left), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*left = -1;
	bool good = no_memory_try("fold a file", no_memory_fold);
	good &= no_memory_try("draw a profile", no_memory_draw_profile);
	good &= no_memory_try("three threads", no_memory_threads);
	good &= no_memory_try("draw a page", no_memory_page);
	good &= no_memory_try("report", no_memory_report);
	good &= no_memory_try("an isolated job", no_memory_apart);
	good &= no_memory_try("recognise", no_memory_sniff);
	good &= no_memory_try("a wrong option", no_memory_wrong_option);
	// Each recording takes a third of a second, so try few allocations. Skip this if the kernel
	// allows no sampling.
	if (no_memory_record() == INFERNO_OK) {
		good &= no_memory_try_some("record", no_memory_record, 997);
	}
	puts(good ? "all good" : "some bad");
	return good ? 0 : 1;
}
