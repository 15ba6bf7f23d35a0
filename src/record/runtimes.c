/* Environment variables that make runtimes name the code that they generate. */
#include "record/runtimes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "perf/data/header.h"
#include "perf/data/records.h"
#include "perf/data/runtime.h"

/** A runtime, and the environment variable that makes it write perf maps. */
static const struct variable {
	const char *name, *variable, *value;
	const char *settled; // if the user's value contains this text, nothing is added; NULL: any
			     // value is enough
} runtimes_known[RUNTIMES] = {
	[RUNTIME_NODE] = {"node", "NODE_OPTIONS", "--perf-basic-prof", "--perf-"},
	// Old versions do not know the last option, and would refuse to start. The first option
	// prevents this. JDK 8 does not read this variable.
	[RUNTIME_JAVA] = {"Java", "JDK_JAVA_OPTIONS",
			  "-XX:+IgnoreUnrecognizedVMOptions -XX:+PreserveFramePointer "
			  "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit",
			  "DumpPerfMapAtExit"},
	[RUNTIME_PYTHON] = {"Python", "PYTHONPERFSUPPORT", "1", NULL},
	[RUNTIME_DOTNET] = {".NET", "DOTNET_PerfMapEnabled", "1", NULL},
};

void runtimes_init(struct runtimes *runtimes, unsigned read) {
	*runtimes = (struct runtimes){.start = time(NULL), .skipped = HEADER_PIPE_SIZE};
	for (unsigned i = 0; i < RUNTIMES; i++) {
		const struct variable *runtime = &runtimes_known[i];
		const char *now = getenv(runtime->variable);
		bool settled = now != NULL &&
			       (runtime->settled == NULL || strstr(now, runtime->settled) != NULL);
		settled |= (read >> i & 1) != 0;
		runtimes->set |= settled ? 0 : 1U << i;
	}
}

void runtimes_set(const struct runtimes *runtimes) {
	for (unsigned i = 0; i < RUNTIMES; i++) {
		const struct variable *runtime = &runtimes_known[i];
		const char *now = getenv(runtime->variable);
		struct buf value = {0};
		if ((runtimes->set >> i & 1) == 0) {
			continue;
		}
		buf_printf(&value, "%s%s%s", now == NULL ? "" : now,
			   now == NULL || *now == '\0' ? "" : " ", runtime->value);
		setenv(runtime->variable, buf_text(&value), true);
		buf_release(&value);
	}
}

/* --- Which run ------------------------------------------------------------------------------ */

/** Return whether the variable of a runtime was set, and this version of the runtime reads the
 * variable. */
static bool runtimes_heeds(const struct runtimes *runtimes, enum runtime runtime, unsigned minor) {
	return runtime != RUNTIMES && (runtimes->set >> runtime & 1) != 0 &&
	       (runtime != RUNTIME_PYTHON || minor >= runtime_first_python());
}

static bool runtimes_has_process(const struct runtimes *runtimes, int32_t pid) {
	for (size_t i = 0; i < runtimes->n; i++) {
		if (runtimes->processes[i] == pid) {
			return true;
		}
	}
	return false;
}

static void runtimes_add_process(struct runtimes *runtimes, int32_t pid) {
	if (!runtimes_has_process(runtimes, pid)) {
		*MEM_APPEND(runtimes->processes, runtimes->n, runtimes->capacity) = pid;
	}
}

static int32_t runtimes_number_at(const struct buf *record, size_t at) {
	int32_t number = 0;
	if (at + sizeof(number) <= record->n) {
		memcpy(&number, record->p + at, sizeof(number));
	}
	return number;
}

/** Remember the runtime of a mapped file. */
static void runtimes_see_mapping(struct runtimes *runtimes) {
	enum { PID_AT = 8, PATH_AT = 72 };
	const struct buf *record = &runtimes->record;
	if (record->n <= PATH_AT) {
		return;
	}
	struct str path = {record->p + PATH_AT, strnlen(record->p + PATH_AT, record->n - PATH_AT)};
	unsigned minor;
	enum runtime runtime = runtime_of(path, &minor);
	if (runtimes_heeds(runtimes, runtime, minor)) {
		runtimes->seen |= 1U << runtime;
		runtimes_add_process(runtimes, runtimes_number_at(record, PID_AT));
	}
}

/** Remember a new process: it runs the runtime of its parent. */
static void runtimes_see_fork(struct runtimes *runtimes) {
	enum { PID_AT = 8, PARENT_AT = 12 };
	if (runtimes_has_process(runtimes, runtimes_number_at(&runtimes->record, PARENT_AT))) {
		runtimes_add_process(runtimes, runtimes_number_at(&runtimes->record, PID_AT));
	}
}

/** Copy further bytes of a record until `record` has `size` bytes. Return the number of copied
 * bytes. */
static size_t runtimes_take(struct runtimes *runtimes, const char *bytes, size_t n, size_t size) {
	size_t missing = size - runtimes->record.n, taken = n < missing ? n : missing;
	buf_add(&runtimes->record, bytes, taken);
	return taken;
}

/** Read the bytes up to the end of a record's header, or to the end of a record of interest. Return
 * the number of bytes read. */
static size_t runtimes_see_some(struct runtimes *runtimes, const char *bytes, size_t n) {
	enum { HEAD = 8, SIZE_AT = 6, TYPE_BYTES = 4 };
	uint32_t type;
	uint16_t size;
	size_t taken = runtimes->record.n < HEAD ? runtimes_take(runtimes, bytes, n, HEAD) : 0;
	if (runtimes->record.n < HEAD) {
		return taken;
	}
	memcpy(&type, runtimes->record.p, TYPE_BYTES);
	memcpy(&size, runtimes->record.p + SIZE_AT, sizeof(size));
	if (type != RECORD_MMAP2 && type != RECORD_FORK) {
		runtimes->skipped = size < HEAD ? SIZE_MAX : (size_t)size - HEAD;
		buf_clear(&runtimes->record);
		return taken;
	}
	taken += runtimes_take(runtimes, bytes + taken, n - taken, size < HEAD ? HEAD : size);
	if (runtimes->record.n >= size) {
		(type == RECORD_FORK ? runtimes_see_fork : runtimes_see_mapping)(runtimes);
		buf_clear(&runtimes->record);
	}
	return taken;
}

void runtimes_see(struct runtimes *runtimes, const char *bytes, size_t n) {
	while (n > 0 && runtimes->set != 0) {
		size_t skipped = runtimes->skipped < n ? runtimes->skipped : n;
		runtimes->skipped -= skipped;
		size_t seen = skipped + (skipped < n ? runtimes_see_some(runtimes, bytes + skipped,
									 n - skipped)
						     : 0);
		bytes += seen;
		n -= seen;
	}
}

void runtimes_format(const struct runtimes *runtimes, struct buf *text) {
	for (unsigned i = 0; i < RUNTIMES; i++) {
		const struct variable *runtime = &runtimes_known[i];
		if ((runtimes->seen >> i & 1) != 0) {
			buf_printf(text, "%s%s for %s", text->n == 0 ? "" : ", ", runtime->variable,
				   runtime->name);
		}
	}
}

/* --- Files of the runtimes ------------------------------------------------------------------- */

/** Remove a file that was written since the start. Keep an older file, because another process
 * wrote it. Return 0, or an errno. */
static int runtimes_remove_new(const struct runtimes *runtimes, const char *path) {
	struct stat about;
	if (lstat(path, &about) == 0 && S_ISREG(about.st_mode) &&
	    about.st_mtime >= runtimes->start && unlink(path) != 0) {
		return errno;
	}
	return 0;
}

void runtimes_remove_maps(const struct runtimes *runtimes) {
	static const char *const names[] = {"perf", "perfinfo" /* of .NET */};
	for (size_t i = 0; i < runtimes->n; i++) {
		for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			char path[64];
			snprintf(path, sizeof(path), "/tmp/%s-%d.map", names[j],
				 runtimes->processes[i]);
			(void)runtimes_remove_new(runtimes, path);
		}
	}
}

/** Return whether a file is the log that node writes with perf maps: "isolate-0x12ab-PID-v8.log".
 */
static bool runtimes_is_log(const struct runtimes *runtimes, const char *name) {
	unsigned long long address;
	int pid, end = 0;
	return sscanf(name, "isolate-0x%llx-%d-v8.log%n", &address, &pid, &end) == 2 && end > 0 &&
	       name[end] == '\0' && runtimes_has_process(runtimes, pid);
}

int runtimes_remove_logs(const struct runtimes *runtimes) {
	if (runtimes->n == 0) {
		return 0;
	}
	DIR *folder = opendir(".");
	if (folder == NULL) {
		return errno;
	}
	const struct dirent *entry;
	int problem = 0;
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		if (runtimes_is_log(runtimes, entry->d_name)) {
			int failure = runtimes_remove_new(runtimes, entry->d_name);
			problem = failure != 0 ? failure : problem;
		}
	}
	problem = errno != 0 ? errno : problem;
	closedir(folder);
	return problem;
}

void runtimes_release(struct runtimes *runtimes) {
	free(runtimes->processes);
	buf_release(&runtimes->record);
}
