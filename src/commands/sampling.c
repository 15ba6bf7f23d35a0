/* Inferno's own sampler. The sampler makes a recording, which is read while the sampling continues.
 */
#include "commands/sampling.h"

#ifndef LOAD_LIBRARIES
#include <nss.h>
#endif
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/num.h"
#include "base/process.h"
#include "record/counters.h"
#include "record/cpus.h"
#include "perf/data/stored.h"
#include "record/events.h"
#include "record/live.h"
#include "record/proc.h"
#include "record/root.h"
#include "record/tracepoints.h"
#include "symbols/dynlib.h"

struct sampling {
	struct diag *diag;
	struct recorder *recorder;
	int32_t *processes;
	size_t processes_n;
	struct live *live; // NULL: no line on the terminal
	struct root *root; // helper that runs as root; NULL: none
	struct record_events events;
	struct stored stored;
};

bool sampling_exists(void) {
	return true;
}

bool sampling_copies_stacks(void) {
	return record_copies_stacks();
}

static void sampling_read_processes(struct sampling *sampling, const char *text) {
	struct str list = str_of(text);
	size_t capacity = 0;
	while (list.n > 0) {
		*MEM_APPEND(sampling->processes, sampling->processes_n, capacity) =
			recording_next_process(&list);
	}
}

/** The search for processes of a user. */
struct user_search {
	struct sampling *sampling;
	size_t capacity;
	uid_t user;
};

/** Add a process of the wanted user, except this process. */
static void sampling_add_process_of(void *context, int32_t pid) {
	struct user_search *search = context;
	struct sampling *sampling = search->sampling;
	if (pid != (int32_t)getpid() && proc_owner(pid) == search->user) {
		*MEM_APPEND(sampling->processes, sampling->processes_n, search->capacity) = pid;
	}
}

/** List the processes of a user, by name or number. Return 0, or -1 after diag_error(). */
static int sampling_find_processes_of(struct sampling *sampling, const char *name) {
	uint64_t number = 0;
#ifndef LOAD_LIBRARIES
	// In a static program, use only the files in /etc: other sources of user names are
	// libraries, which need the C library of this system.

	__nss_configure_lookup("passwd", "files");
#endif
	const struct passwd *user = getpwnam(name);
	if (user == NULL && !num_parse_u64(str_of(name), &number)) {
		return diag_error(sampling->diag,
				  dynlib_can_load() ? "--uid: there is no user '%s'"
						    : "--uid: /etc/passwd has no user '%s'; if "
						      "there is one, give its number, which 'id "
						      "-u' prints",
				  quote(str_of(name)).text);
	}
	struct user_search search = {.sampling = sampling,
				     .user = user != NULL ? user->pw_uid : (uid_t)number};
	proc_each(sampling_add_process_of, &search);
	return sampling->processes_n > 0
		       ? 0
		       : diag_error(sampling->diag, "--uid: no process of '%s' runs",
				    quote(str_of(name)).text);
}

const char *sampling_check_cpus(const char *list) {
	return cpus_check(list) ? NULL : "numbers of processors, such as 0-3,6";
}

/** Find the events to sample. Return 0, or -1 after diag_error(). */
static int sampling_find_events(struct record_events *events, const struct opt_list *lists,
				const struct event_places *places, struct diag *diag) {
	int result = 0;
	for (size_t i = 0; i < lists->n && result == 0; i++) {
		result = record_events_add(events, lists->items[i], places, diag);
	}
	if (lists->n == 0 && result == 0) {
		record_events_add_usual(events);
	}
	return result;
}

int sampling_check_events(const struct opt_list *lists, struct diag *diag) {
	struct record_events events = {0};
	const struct event_places places = {.later = true};
	int result = sampling_find_events(&events, lists, &places, diag);
	record_events_release(&events);
	return result;
}

/** Return whether this process is root, and there is no sudo, as in most containers. */
static bool sampling_is_root_without_sudo(void) {
	struct buf path = {0};
	bool is_root = geteuid() == 0 && !process_find("sudo", &path);
	buf_release(&path);
	return is_root;
}

/** Start the helper of --root, unless it cannot help. Return 0, or -1 after diag_error(). */
static int sampling_ask_root(struct sampling *sampling, const char *flags,
			     struct record_options *wanted) {
	if (sampling_is_root_without_sudo()) {
		return 0;
	}
	sampling->root = root_start(flags, sampling->diag);
	if (sampling->root == NULL) {
		return -1;
	}
	wanted->root = sampling->root;
	wanted->kallsyms = root_file(sampling->root, ROOT_KALLSYMS);
	wanted->modules = root_file(sampling->root, ROOT_MODULES);
	return 0;
}

/** Open the counters, with the helper of --root if this option is given, and start sampling. */
static int sampling_open_and_start(struct sampling *sampling, struct record_options *wanted,
				   const struct recording_options *options) {
	if (options->root != NULL && sampling_ask_root(sampling, options->root, wanted) != 0) {
		return -1;
	}
	const struct event_places places = {.root = sampling->root};
	const char *calls[] = {record_io_events};
	const struct opt_list io = {.items = calls, .n = 1};
	if (sampling_find_events(&sampling->events,
				 record_counts_io(wanted) ? &io : &options->events, &places,
				 sampling->diag) != 0) {
		return -1;
	}
	tracepoints_describe(&places, &sampling->events);
	sampling->recorder = recorder_new(wanted, sampling->diag);
	if (sampling->root != NULL) {
		root_end(sampling->root); // all counters are open
	}
	if (sampling->recorder == NULL) {
		return -1;
	}
	sampling->live = live_new(sampling->recorder, sampling->diag);
	int result = recorder_start(sampling->recorder);
	if (result == 0) {
		live_start(sampling->live);
	}
	return result;
}

/** Choose how to find callers. For `auto`, copy stacks if they can be unwound. */
static void sampling_choose_chains(struct record_options *wanted, const char *call_graph,
				   struct diag *diag) {
	unsigned how;
	(void)recording_parse_call_graph(call_graph, &how, &wanted->stack_size);
	wanted->any_chains = how == CALL_GRAPH_AUTO;
	wanted->chains = how == CALL_GRAPH_FP ? RECORD_FRAME_POINTERS : RECORD_DWARF;
	if (how == CALL_GRAPH_AUTO && !record_copies_stacks()) {
		wanted->chains = RECORD_FRAME_POINTERS;
		diag_done(diag, "stacks are found by frame pointers: those of this processor "
				"cannot be unwound from copies");
	}
}

struct sampling *sampling_start(const struct sampling_config *config, struct diag *diag) {
	const struct recording_options *options = config->options;
	const struct recording_target *target = config->target;
	struct sampling *sampling = mem_new(1, sizeof(*sampling));
	struct record_options wanted = {
		.program = target->program,
		.rate = options->rate,
		.rate_given = config->rate_given,
		.period = options->period,
		.events = &sampling->events,
		.wakers = options->folding.wakers,
		.time = options->folding.off_cpu                            ? RECORD_OFF_CPU
			: options->folding.wall || options->folding.latency ? RECORD_WALL
									    : RECORD_ON_CPU,
		.counts = options->folding.io        ? "--io"
			  : options->folding.off_cpu ? "--off-cpu"
			  : options->folding.wall    ? "--wall"
			  : options->folding.latency ? "--latency"
						     : NULL,
		.code = {.runtimes = !options->no_runtime_env,
			 .keep_maps = config->keeps_recording,
			 .scripts = !options->no_script,
			 .lines = options->lines,
			 .debuginfod = options->folding.debuginfod,
			 .stops = !options->nonblocking},
		.plan = {options->delay, options->duration, options->repeat,
			 options->ignore_status},
		.cpus = options->cpus,
		.group = target->group,
		.user_only = options->user_only,
		.kernel_only = options->kernel_only,
		.may_have_ended = target->user != NULL,
		.no_user_chain = config->keeps_recording,
	};
	*sampling = (struct sampling){.diag = diag};
	sampling_choose_chains(&wanted, config->call_graph, diag);
	if (target->program != NULL) {
		process_note(target->program, diag);
	}
	if (target->processes != NULL) {
		sampling_read_processes(sampling, target->processes);
	}
	bool found =
		target->user == NULL || sampling_find_processes_of(sampling, target->user) == 0;
	wanted.processes = sampling->processes;
	wanted.processes_n = sampling->processes_n;
	if (!found || sampling_open_and_start(sampling, &wanted, options) != 0) {
		sampling_free(sampling);
		return NULL;
	}
	return sampling;
}

ptrdiff_t sampling_read(struct sampling *sampling, void *bytes, size_t size) {
	live_wait(sampling->live);
	return recorder_read(sampling->recorder, bytes, size);
}

struct perf_watch sampling_watch(struct sampling *sampling) {
	return live_watch(sampling == NULL ? NULL : sampling->live);
}

void sampling_store(struct sampling *sampling, const void *bytes, size_t n, struct buf *out) {
	stored_take(&sampling->stored, bytes, n, out);
}

void sampling_end_store(struct sampling *sampling, struct buf *out, struct buf *start) {
	stored_end(&sampling->stored, out, start);
}

const char *sampling_kallsyms(const struct sampling *sampling) {
	return sampling == NULL || sampling->root == NULL
		       ? NULL
		       : root_file(sampling->root, ROOT_KALLSYMS);
}

int sampling_finish(struct sampling *sampling, struct record_end *end) {
	return recorder_finish(sampling->recorder, end);
}

void sampling_format_runtimes(const struct sampling *sampling, struct buf *text) {
	recorder_format_runtimes(sampling->recorder, text);
}

bool sampling_format_running(const struct sampling *sampling, size_t i, struct buf *text,
			     bool *good) {
	return recorder_format_running(sampling->recorder, i, text, good);
}

void sampling_free(struct sampling *sampling) {
	if (sampling == NULL) {
		return;
	}
	live_free(sampling->live);
	recorder_free(sampling->recorder);
	root_free(sampling->root);
	record_events_release(&sampling->events);
	stored_release(&sampling->stored);
	free(sampling->processes);
	free(sampling);
}

int sampling_serve_root(const char *name, struct diag *diag) {
	return root_serve(name, diag);
}
