/* The start of a stream, from /proc and similar files. */
#include "record/preamble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/read.h"
#include "perf/data/header.h"
#include "perf/data/records.h"
#include "record/synth.h"
#include "record/proc.h"
#include "record/wakings.h"
#include "symbols/held.h"
#include "symbols/maps.h"

/* --- The head ------------------------------------------------------------------------------- */

static void preamble_add_text_feature(struct buf *out, enum feature feature, const char *text) {
	enum { PADDED = 64 };
	size_t start = synth_begin(out, RECORD_FEATURE, 0), n = strlen(text) + 1;
	size_t padded = (n + PADDED - 1) / PADDED * PADDED;
	synth_u64(out, feature);
	synth_u32(out, (uint32_t)padded);
	buf_add(out, text, n);
	synth_zeros(out, padded - n);
	synth_end(out, start);
}

/** Add the command that made the recording, with only those options that choose the count. If there
 * are no such options, add nothing. */
static void preamble_add_command(struct buf *out, const struct record_options *options) {
	const char *const words[] = {"inferno", "record", options->counts,
				     options->wakers ? "--wakers" : NULL};
	uint32_t n = options->wakers ? 4 : 3;
	if (options->counts == NULL) {
		return;
	}
	size_t start = synth_begin(out, RECORD_FEATURE, 0);
	synth_u64(out, FEATURE_COMMAND);
	synth_u32(out, n);
	for (uint32_t i = 0; i < n; i++) {
		synth_u32(out, (uint32_t)strlen(words[i]) + 1);
		buf_add(out, words[i], strlen(words[i]) + 1);
	}
	synth_end(out, start);
}

static void preamble_add_machine(struct buf *out) {
	struct utsname here;
	if (uname(&here) == 0) {
		preamble_add_text_feature(out, FEATURE_HOSTNAME, here.nodename);
		preamble_add_text_feature(out, FEATURE_RELEASE, here.release);
		preamble_add_text_feature(out, FEATURE_ARCH, here.machine);
	}
}

/** Return the address of `_text` in lines from `*at` on, or 0. Move `*at` after the lines that were
 * read. An incomplete last line is not read. */
static uint64_t preamble_find_text(struct str text, size_t *at) {
	uint64_t address = 0;
	for (size_t end; address == 0 && (end = str_find(str_from(text, *at), '\n')) != STR_NONE;) {
		struct str line = str_to(str_from(text, *at), end);
		address = str_ends(line, STR(" _text")) ? strtoull(line.p, NULL, 16) : 0;
		*at += end + 1;
	}
	return address;
}

/** Find where the kernel's code begins. Return false if the address is hidden, or the file cannot
 * be read. */
static bool preamble_find_kernel(const char *kallsyms, uint64_t *address) {
	enum { PIECE = 64 << 10 };
	const char *path = kallsyms == NULL ? "/proc/kallsyms" : kallsyms;
	struct buf text = {0};
	size_t at = 0;
	int fd = read_open(path);
	ptrdiff_t n = fd < 0 ? -1 : 1;
	*address = 0;
	while (n > 0 && *address == 0) {
		n = read_start(fd, buf_room(&text, PIECE), PIECE);
		text.n += n > 0 ? (size_t)n : 0;
		*address = preamble_find_text(buf_str(&text), &at);
	}
	proc_note(path, n < 0 ? errno : 0);
	if (fd >= 0) {
		close(fd);
	}
	buf_release(&text);
	return *address != 0;
}

/** Add the mapping of the kernel. The offset of this mapping is the address of the symbol `_text`,
 * if this address is known. */
static void preamble_add_kernel(struct buf *out, const char *kallsyms) {
	const uint64_t upper_half = UINT64_C(1) << 63;
	struct mapped kernel = {.pid = -1, .in_kernel = true, .path = STR("[kernel.kallsyms]")};
	if (preamble_find_kernel(kallsyms, &kernel.start)) {
		kernel.offset = kernel.start;
		kernel.path = STR("[kernel.kallsyms]_text");
	} else {
		kernel.start = upper_half;
	}
	kernel.size = UINT64_MAX - kernel.start;
	proc_note(kernel_notes_path, kernel_build_id(&kernel.build_id));
	synth_mapping(out, &kernel);
}

/** Add the mapping of a module, from a line such as "name 4096 1 - Live 0xffffffffc0000000". */
static void preamble_add_module(struct buf *out, struct str line) {
	char name[128], path[136];
	unsigned long long size, start;
	char text[512];
	snprintf(text, sizeof(text), "%.*s", (int)(line.n < 500 ? line.n : 500), line.p);
	if (sscanf(text, "%127s %llu %*s %*s %*s %llx", name, &size, &start) == 3 && start != 0) {
		snprintf(path, sizeof(path), "[%s]", name);
		synth_mapping(out, &(struct mapped){.pid = -1,
						    .in_kernel = true,
						    .start = start,
						    .size = size,
						    .path = str_of(path)});
	}
}

static void preamble_add_modules(struct buf *out, const char *modules) {
	struct buf text = {0};
	proc_read(modules == NULL ? "/proc/modules" : modules, &text);
	struct lines lines = {.rest = buf_str(&text)};
	struct str line;
	while (lines_next(&lines, &line)) {
		preamble_add_module(out, line);
	}
	buf_release(&text);
}

/** Add an event, and the ids that its samples have. */
static void preamble_add_event(struct buf *out, const struct counters *counters, unsigned event) {
	enum { MOST_IDS = 8000 }; // a record has at most 64 KiB
	const struct perf_event_attr *attr = &counters->attrs[event];
	size_t start = synth_begin(out, RECORD_ATTRIBUTE, 0);
	buf_add(out, attr, attr->size);
	for (size_t i = 0, ids = 0; i < counters->n && ids < MOST_IDS; i++) {
		// Samples of a variant that copies less of each stack belong to the requested
		// event.
		unsigned own = counters->items[i].event;
		own -= counters_is_short(counters, own) ? counters->short_event : 0;
		if (own == event) {
			synth_u64(out, counter_id(&counters->items[i]));
			ids++;
		}
	}
	synth_end(out, start);
}

/** Add the name of an event. */
static void preamble_add_event_name(struct buf *out, const struct counters *counters,
				    unsigned event, const char *name) {
	enum { UPDATE_NAME = 2 };
	size_t i = 0;
	while (i < counters->n && counters->items[i].event != event) {
		i++;
	}
	if (i < counters->n) {
		size_t start = synth_begin(out, RECORD_EVENT_UPDATE, 0);
		synth_u64(out, UPDATE_NAME);
		synth_u64(out, counter_id(&counters->items[i]));
		synth_text(out, str_of(name));
		synth_end(out, start);
	}
}

/** Add the descriptions of tracepoints. The descriptions follow a record with their size. */
static void preamble_add_tracing(struct buf *out, struct str tracing) {
	const size_t word = sizeof(uint64_t), padding = (word - tracing.n % word) % word;
	if (tracing.n == 0) {
		return;
	}
	struct perf_event_header head = {.type = RECORD_TRACING_DATA,
					 .size = sizeof(head) + sizeof(uint32_t)};
	buf_add(out, &head, sizeof(head));
	synth_u32(out, (uint32_t)(tracing.n + padding));
	buf_add_str(out, tracing);
	synth_zeros(out, padding);
}

void preamble_add_head(struct buf *out, const struct counters *counters) {
	const uint64_t size = HEADER_PIPE_SIZE;
	buf_add_text(out, "PERFILE2");
	synth_u64(out, size);
	for (unsigned event = 0; event < counters->events; event++) {
		if (!counters_is_short(counters, event)) {
			preamble_add_event(out, counters, event);
		}
	}
	preamble_add_machine(out);
	preamble_add_command(out, counters->options);
	preamble_add_tracing(out, buf_str(&counters->options->events->tracing));
	preamble_add_tracing(out, buf_str(&counters->description));
	for (unsigned event = 0; event < counters->asked; event++) {
		const struct record_event *asked = &counters->options->events->items[event];
		// the type and the number do not show the name
		if (asked->attr.type > PERF_TYPE_SOFTWARE || asked->named) {
			preamble_add_event_name(out, counters, event, asked->name);
		}
	}
	if (counters->waking.event != 0) {
		preamble_add_event_name(out, counters, counters->waking.event, WAKINGS_NAME);
	}
	if (!counters->hides_kernel) {
		preamble_add_kernel(out, counters->options->kallsyms);
		preamble_add_modules(out, counters->options->modules);
	} else {
		synth_symbol(out, SYNTH_HIDDEN_KERNEL, 1, STR("[kernel, not permitted]"));
	}
}

/* --- Running processes ---------------------------------------------------------------------- */

/** Add a mapping of code, and request that its file is opened while the process runs. */
static void preamble_add_mapping(struct buf *out, int32_t pid, const struct map *map) {
	const struct object_file file = {.kind = OBJECT_ELF,
					 .path = map->path,
					 .build_id = map->build_id,
					 .id = map->id,
					 .pid = (uint32_t)pid,
					 .map_start = map->start,
					 .map_end = map->end};
	synth_mapping(out, &(struct mapped){.pid = pid,
					    .start = map->start,
					    .size = map->end - map->start,
					    .offset = map->offset,
					    .path = map->path.n == 0 ? STR("//anon") : map->path,
					    .build_id = map->build_id,
					    .id = map->id});
	held_note(&file);
}

static void preamble_add_mappings(struct buf *out, int32_t pid) {
	struct maps maps;
	struct map map;
	if (!maps_open(&maps, (uint32_t)pid)) {
		proc_note("/proc/PID/maps", errno);
		return;
	}
	while (maps_next(&maps, &map)) {
		if (map.executable) {
			preamble_add_mapping(out, pid, &map);
		}
	}
	maps_close(&maps);
}

static void preamble_add_thread(void *context, int32_t pid, int32_t tid) {
	char path[64];
	struct buf comm = {0};
	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	proc_read(path, &comm);
	struct str name = buf_str(&comm);
	if (name.n > 0) {
		synth_comm(context, pid, tid, str_to(name, name.n - 1)); // without the line end
	}
	buf_release(&comm);
}

void preamble_add_process(struct buf *out, int32_t pid) {
	proc_each_thread(pid, preamble_add_thread, out);
	preamble_add_mappings(out, pid);
}

static void preamble_add_switch(void *context, int32_t pid, int32_t tid) {
	struct waiters *waiters = context;
	const struct synth_at at = {pid, tid, waiters->time};
	char state = proc_thread_state(pid, tid);
	if (state != 0 && state != 'R') {
		waiters_add(waiters, pid, tid, state);
	}
	if (state != 0) {
		synth_switch(waiters->out, &at, state == 'R');
	}
}

void preamble_add_switches(struct waiters *waiters, int32_t pid) {
	proc_each_thread(pid, preamble_add_switch, waiters);
}
