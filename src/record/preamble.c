/* The start of a stream, from /proc and the like. */
#include "record/preamble.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/str.h"
#include "perfdata/header.h"
#include "perfdata/records.h"
#include "record/proc.h"

/* --- Records -------------------------------------------------------------------------------- */

static void add_u32(struct buf *out, uint32_t value) {
	buf_add(out, &value, sizeof(value));
}

static void add_u64(struct buf *out, uint64_t value) {
	buf_add(out, &value, sizeof(value));
}

static void add_zeros(struct buf *out, size_t n) {
	memset(buf_room(out, n), 0, n);
	out->n += n;
}

/** Begin a record. Return where it is, for end_record(). */
static size_t begin_record(struct buf *out, uint32_t type, uint16_t misc) {
	struct perf_event_header head = {.type = type, .misc = misc};
	buf_add(out, &head, sizeof(head));
	return out->n - sizeof(head);
}

/** Fill a record up to whole words, and set its size. */
static void end_record(struct buf *out, size_t start) {
	struct perf_event_header head;
	add_zeros(out, (8 - (out->n - start) % 8) % 8);
	memcpy(&head, out->p + start, sizeof(head));
	head.size = (uint16_t)(out->n - start);
	memcpy(out->p + start, &head, sizeof(head));
}

/** Add a text with a NUL, up to whole words, cut off if it is longer than any path. */
static void add_path(struct buf *out, struct str path) {
	enum { LONGEST = 4095 };
	size_t n = path.n < LONGEST ? path.n : LONGEST;
	buf_add(out, path.p, n);
	add_zeros(out, 8 - n % 8);
}

/** End a record of the kernel's kind. Its last fields, thread, time and processor, are zero: it
 * was so before anything else. */
static void end_kernel_record(struct buf *out, size_t start) {
	enum { TRAILER = 3 * sizeof(uint64_t) };
	add_zeros(out, TRAILER);
	end_record(out, start);
}

static void add_mapping(struct buf *out, const struct mapped *mapped) {
	enum { READ_AND_EXECUTE = 5, PRIVATE = 2, FILE_ID = 24 };
	const struct build_id *id = &mapped->build_id;
	unsigned mode = mapped->in_kernel ? MODE_KERNEL : MODE_USER;
	uint16_t misc = (uint16_t)(mode | (id->size > 0 ? MISC_MMAP_BUILD_ID : 0));
	size_t start = begin_record(out, RECORD_MMAP2, misc);
	add_u32(out, (uint32_t)mapped->pid);
	add_u32(out, (uint32_t)mapped->pid);
	add_u64(out, mapped->start);
	add_u64(out, mapped->size);
	add_u64(out, mapped->offset);
	size_t file_id = out->n;
	add_zeros(out, FILE_ID);
	if (id->size > 0) {
		out->p[file_id] = (char)id->size;
		memcpy(out->p + file_id + 4, id->bytes, sizeof(id->bytes));
	}
	add_u32(out, READ_AND_EXECUTE);
	add_u32(out, PRIVATE);
	add_path(out, mapped->path);
	end_kernel_record(out, start);
}

static void add_comm(struct buf *out, int32_t pid, int32_t tid, struct str comm) {
	size_t start = begin_record(out, RECORD_COMM, 0);
	add_u32(out, (uint32_t)pid);
	add_u32(out, (uint32_t)tid);
	add_path(out, comm);
	end_kernel_record(out, start);
}

/* --- The head ------------------------------------------------------------------------------- */

static void add_text_feature(struct buf *out, enum feature feature, const char *text) {
	enum { PADDED = 64 };
	size_t start = begin_record(out, RECORD_FEATURE, 0), n = strlen(text) + 1;
	size_t padded = (n + PADDED - 1) / PADDED * PADDED;
	add_u64(out, feature);
	add_u32(out, (uint32_t)padded);
	buf_add(out, text, n);
	add_zeros(out, padded - n);
	end_record(out, start);
}

static void add_machine(struct buf *out) {
	struct utsname here;
	if (uname(&here) == 0) {
		add_text_feature(out, FEATURE_HOSTNAME, here.nodename);
		add_text_feature(out, FEATURE_RELEASE, here.release);
		add_text_feature(out, FEATURE_ARCH, here.machine);
	}
}

/** Find where the kernel's code begins. Return false if that is hidden. */
static bool find_kernel(uint64_t *address) {
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[256], kind;
	unsigned long long value = 0;
	*address = 0;
	while (file != NULL && *address == 0 && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "%llx %c %255s", &value, &kind, name) == 3 &&
		    strcmp(name, "_text") == 0) {
			*address = value;
			break;
		}
	}
	if (file != NULL) {
		fclose(file);
	}
	return *address != 0;
}

/** Add the mapping of the kernel, whose offset tells where a symbol is. */
static void add_kernel(struct buf *out) {
	const uint64_t upper_half = UINT64_C(1) << 63;
	struct mapped kernel = {.pid = -1, .in_kernel = true, .path = STR("[kernel.kallsyms]")};
	if (find_kernel(&kernel.start)) {
		kernel.offset = kernel.start;
		kernel.path = STR("[kernel.kallsyms]_text");
	} else {
		kernel.start = upper_half;
	}
	kernel.size = UINT64_MAX - kernel.start;
	kernel.build_id = kernel_build_id();
	add_mapping(out, &kernel);
}

/** Add the mapping of a module, from a line such as "name 4096 1 - Live 0xffffffffc0000000". */
static void add_module(struct buf *out, struct str line) {
	char name[128], path[136];
	unsigned long long size, start;
	char text[512];
	snprintf(text, sizeof(text), "%.*s", (int)(line.n < 500 ? line.n : 500), line.p);
	if (sscanf(text, "%127s %llu %*s %*s %*s %llx", name, &size, &start) == 3 && start != 0) {
		snprintf(path, sizeof(path), "[%s]", name);
		add_mapping(out, &(struct mapped){.pid = -1,
						  .in_kernel = true,
						  .start = start,
						  .size = size,
						  .path = str_of(path)});
	}
}

static void add_modules(struct buf *out) {
	struct buf text = {0};
	proc_read("/proc/modules", &text);
	struct lines lines = {.rest = buf_str(&text)};
	struct str line;
	while (lines_next(&lines, &line)) {
		add_module(out, line);
	}
	buf_release(&text);
}

void preamble_add_head(struct buf *out, const struct perf_event_attr *attr) {
	const uint64_t size = HEADER_PIPE_SIZE;
	buf_add_text(out, "PERFILE2");
	add_u64(out, size);
	size_t start = begin_record(out, RECORD_ATTRIBUTE, 0);
	buf_add(out, attr, attr->size);
	end_record(out, start);
	add_machine(out);
	if (!attr->exclude_kernel) {
		add_kernel(out);
		add_modules(out);
	}
}

/* --- Running processes ---------------------------------------------------------------------- */

/** Add the mapping that a line of /proc/PID/maps tells of, if it is code. */
static void add_user_mapping(struct buf *out, int32_t pid, struct str line) {
	unsigned long long start, end, offset;
	char rights[8];
	int path = 0;
	char text[4096 + 128];
	snprintf(text, sizeof(text), "%.*s", (int)(line.n < 4200 ? line.n : 4200), line.p);
	if (sscanf(text, "%llx-%llx %7s %llx %*s %*s %n", &start, &end, rights, &offset, &path) <
		    4 ||
	    rights[2] != 'x' || path == 0) {
		return;
	}
	add_mapping(out, &(struct mapped){.pid = pid,
					  .start = start,
					  .size = end - start,
					  .offset = offset,
					  .path = text[path] == '\0' ? STR("//anon")
								     : str_of(text + path)});
}

static void add_mappings(struct buf *out, int32_t pid) {
	char path[64];
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	proc_read(path, &text);
	struct lines lines = {.rest = buf_str(&text)};
	struct str line;
	while (lines_next(&lines, &line)) {
		add_user_mapping(out, pid, line);
	}
	buf_release(&text);
}

static void add_thread(void *context, int32_t pid, int32_t tid) {
	char path[64];
	struct buf comm = {0};
	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	proc_read(path, &comm);
	struct str name = buf_str(&comm);
	if (name.n > 0) {
		add_comm(context, pid, tid, str_to(name, name.n - 1)); // without the line end
	}
	buf_release(&comm);
}

void preamble_add_process(struct buf *out, int32_t pid) {
	proc_each_thread(pid, add_thread, out);
	add_mappings(out, pid);
}
