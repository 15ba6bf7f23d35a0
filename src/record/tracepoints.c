/* Finding tracepoints by name or pattern. */
#include "record/tracepoints.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"
#include "base/read.h"
#include "record/proc.h"
#include "record/root.h"
#include "record/tracefs.h"

static int tracepoints_open_file(const struct event_places *places, const char *path) {
	return places->root == NULL ? tracefs_open(places->tracing, path)
				    : root_tracing(places->root, path);
}

/** List a folder. Return 0, or -1 with errno set. */
static int tracepoints_list(const struct event_places *places, const char *path,
			    struct buf *names) {
	int fd = tracepoints_open_file(places, path);
	buf_clear(names);
	int problem = fd < 0 ? errno : tracefs_list(fd, names);
	errno = problem;
	return problem == 0 ? 0 : -1;
}

/** Read the number of a tracepoint. Return 0, or -1 with errno set. */
static int tracepoints_read_id(const struct event_places *places, const char *system,
			       const char *name, uint64_t *id) {
	enum { NUMBER_MOST = 32 };
	struct buf path = {0}, text = {0};
	buf_printf(&path, "%s/%s/id", system, name);
	int problem =
		read_and_close(tracepoints_open_file(places, buf_text(&path)), NUMBER_MOST, &text);
	bool known = problem == 0 && num_parse_u64(str_trim(buf_str(&text)), id);
	buf_release(&path);
	buf_release(&text);
	errno = problem;
	return known ? 0 : -1;
}

static int tracepoints_fail(int problem, const char *system, const char *name, struct diag *diag) {
	if (problem == ENODEV) {
		return diag_error(diag,
				  "--event: '%s:%s' needs tracefs, which is not mounted; type: "
				  "sudo mount -t tracefs none /sys/kernel/tracing",
				  system, name);
	}
	if (problem == EACCES || problem == EPERM) {
		return diag_error(diag,
				  "--event: '%s:%s': only root may look up tracepoints; record "
				  "with --root, or as root",
				  system, name);
	}
	return diag_error(diag, "--event: '%s:%s': cannot read tracefs: %s", system, name,
			  strerror(problem));
}

struct tracepoints_search {
	const struct event_places *places;
	const char *name;
	void (*add)(void *context, const char *name, uint64_t id);
	void *context;
	int found;
};

/** Copy the next line of a list into `name`. Return false at the end. */
static bool tracepoints_next_name(struct str *rest, struct buf *name) {
	buf_set_str(name, str_cut(rest, '\n'));
	return name->n > 0;
}

/** Find the tracepoints of one system. */
static void tracepoints_search_system(struct tracepoints_search *search, const char *system) {
	struct buf names = {0}, name = {0}, whole = {0};
	(void)tracepoints_list(search->places, system, &names); // a failure leaves `names` empty
	uint64_t id;
	for (struct str rest = buf_str(&names); tracepoints_next_name(&rest, &name);) {
		if (fnmatch(search->name, buf_text(&name), 0) == 0 &&
		    tracepoints_read_id(search->places, system, buf_text(&name), &id) == 0) {
			buf_clear(&whole);
			buf_printf(&whole, "%s:%s", system, buf_text(&name));
			search->add(search->context, buf_text(&whole), id);
			search->found++;
		}
	}
	buf_release(&names);
	buf_release(&name);
	buf_release(&whole);
}

int tracepoints_find(const struct event_places *places, const char *system, const char *name,
		     void (*add)(void *context, const char *name, uint64_t id), void *context,
		     struct diag *diag) {
	struct tracepoints_search search = {places, name, add, context, 0};
	struct buf systems = {0}, one = {0};
	int result = tracepoints_list(places, ".", &systems);
	if (result != 0) {
		tracepoints_fail(errno, system, name, diag);
	}
	for (struct str rest = buf_str(&systems);
	     result == 0 && tracepoints_next_name(&rest, &one);) {
		if (fnmatch(system, buf_text(&one), 0) == 0) {
			tracepoints_search_system(&search, buf_text(&one));
		}
	}
	buf_release(&systems);
	buf_release(&one);
	return result == 0 ? search.found : -1;
}

void tracepoints_each(const struct event_places *places,
		      void (*each)(void *context, struct str system, struct str name),
		      void *context) {
	struct buf systems = {0}, one = {0}, names = {0};
	(void)tracepoints_list(places, ".", &systems);
	for (struct str rest = buf_str(&systems); tracepoints_next_name(&rest, &one);) {
		(void)tracepoints_list(places, buf_text(&one), &names);
		for (struct str left = buf_str(&names); left.n > 0;) {
			each(context, buf_str(&one), str_cut(&left, '\n'));
		}
	}
	buf_release(&systems);
	buf_release(&one);
	buf_release(&names);
}

/* --- Descriptions for perf ------------------------------------------------------------------ */

static void tracepoints_add_u32(struct buf *out, uint32_t value) {
	buf_add(out, &value, sizeof(value));
}

enum { FILE_MOST = 1 << 20 };

/** Add a file, after its size in eight bytes. */
static void tracepoints_add_file(struct buf *out, const struct event_places *places,
				 const char *path) {
	struct buf text = {0};
	proc_note(path, read_and_close(tracepoints_open_file(places, path), FILE_MOST, &text));
	uint64_t size = text.n;
	buf_add(out, &size, sizeof(size));
	buf_add_str(out, buf_str(&text));
	buf_release(&text);
}

/** Add a text with its NUL. */
static void tracepoints_add_name(struct buf *out, struct str name) {
	buf_add_str(out, name);
	buf_add_char(out, '\0');
}

/** Add one tracepoint, as a system with one event. */
static void tracepoints_describe_one(struct buf *out, const struct event_places *places,
				     const char *whole) {
	struct str name = str_of(whole), system = str_cut(&name, ':');
	struct buf path = {0};
	tracepoints_add_name(out, system);
	tracepoints_add_u32(out, 1);
	buf_printf(&path, "%.*s/%.*s/format", (int)system.n, system.p, (int)name.n, name.p);
	tracepoints_add_file(out, places, buf_text(&path));
	buf_release(&path);
}

/** Add the parts before the tracepoints: about the machine, and about the buffers of ftrace. */
static void tracepoints_describe_machine(struct buf *out, const struct event_places *places) {
	static const char magic[] = {23, 8, 68};
	const char big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	buf_add(out, magic, sizeof(magic));
	buf_add_text(out, "tracing");
	tracepoints_add_name(out, STR("0.6"));
	buf_add_char(out, big_endian);
	buf_add_char(out, (char)sizeof(long));
	tracepoints_add_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
	tracepoints_add_name(out, STR("header_page"));
	tracepoints_add_file(out, places, "header_page");
	tracepoints_add_name(out, STR("header_event"));
	tracepoints_add_file(out, places, "header_event");
	tracepoints_add_u32(out, 0); // events of ftrace
}

void tracepoints_describe(const struct event_places *places, struct record_events *events) {
	struct buf *out = &events->tracing;
	const uint64_t nothing[2] = {0}; // symbols, formats of printk, names of processes
	uint32_t n = 0;
	for (size_t i = 0; i < events->n; i++) {
		n += events->items[i].attr.type == PERF_TYPE_TRACEPOINT;
	}
	if (n == 0) {
		return;
	}
	tracepoints_describe_machine(out, places);
	tracepoints_add_u32(out, n);
	for (size_t i = 0; i < events->n; i++) {
		const struct record_event *event = &events->items[i];
		if (event->attr.type == PERF_TYPE_TRACEPOINT) {
			tracepoints_describe_one(out, places, event->tracepoint);
		}
	}
	buf_add(out, nothing, sizeof(nothing));
}
