/* Sample a program, or read a recording, and write all outputs. */
#include "commands/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/browser.h"
#include "base/num.h"
#include "base/process.h"
#include "base/stop.h"
#include "commands/backend.h"
#include "commands/postprocess.h"
#include "commands/output_files.h"
#include "commands/sampling.h"
#include "picture/picture.h"

struct recording_session {
	const struct command_run *run;
	const struct recording_options *options;
	const struct recording_target *target;
	struct output_files outputs;
	struct sampling *sampling; // recorder; NULL: a recording is read
	bool at_end;               // whether the recording was read to its end
	bool empty;                // whether the recording has no sample
	enum backend backend;
	struct backend_result recorded; // recording by another profiler
	struct profile profile;
	const char *usual;           // name of the output if no output is given
	struct profile_parts events; // outputs for events besides the first one
};

/* --- Options -------------------------------------------------------------------------------- */

bool recording_parse_call_graph(const char *text, unsigned *how, uint32_t *stack_size) {
	static const char *const names[] = {
		[CALL_GRAPH_AUTO] = "auto", [CALL_GRAPH_FP] = "fp", [CALL_GRAPH_DWARF] = "dwarf"};
	enum { NAMES = sizeof(names) / sizeof(*names) };
	struct str rest = str_of(text), name = str_cut(&rest, ',');
	uint64_t size = RECORD_STACK_DEFAULT;
	bool sized = name.n < strlen(text);
	for (*how = 0; *how < NAMES && !str_eq(name, str_of(names[*how]));) {
		++*how;
	}
	if (sized && (*how != CALL_GRAPH_DWARF || !num_parse_u64(rest, &size) || size < 8 ||
		      size > RECORD_STACK_MOST)) {
		return false;
	}
	*stack_size = (uint32_t)(size / 8 * 8);
	return *how < NAMES;
}

static const char *recording_check_call_graph(const char *text) {
	unsigned ignored_how;
	uint32_t ignored_size;
	return recording_parse_call_graph(text, &ignored_how, &ignored_size)
		       ? NULL
		       : "auto, fp, dwarf or dwarf,SIZE with up to 65528 bytes of each stack";
}

int32_t recording_next_process(struct str *list) {
	uint64_t number;
	struct str word = str_cut(list, ',');
	return num_parse_u64(word, &number) && number <= INT32_MAX ? (int32_t)number : 0;
}

const char *recording_check_processes(const char *text) {
	struct str list = str_of(text);
	bool good = !str_ends(list, STR(","));
	do {
		good = recording_next_process(&list) != 0 && good;
	} while (list.n > 0);
	return good ? NULL : "the numbers of processes, such as 1234 or 1234,1235";
}

/** Return the profiler that takes the samples. */
static enum backend recording_backend_of(const struct recording_options *options) {
	return options->backend != BACKEND_AUTO             ? (enum backend)options->backend
	       : options->cmd != NULL || !sampling_exists() ? backend_usual()
							    : BACKEND_OWN;
}

/** Check that inferno can sample by itself, and knows the events. */
static int recording_check_own(const struct recording_options *options, struct diag *diag) {
	if (!sampling_exists()) {
		return diag_error(diag,
				  "inferno has a sampler of its own only on Linux, and not in "
				  "this build; --backend names profilers that can sample");
	}
	if (options->cmd != NULL) {
		return diag_error(diag, "--cmd has arguments for another profiler, so it does not "
					"go with --backend own");
	}
	return sampling_check_events(&options->events, diag);
}

/** Return whether an output is a recording of perf, which no exporter writes. */
static bool recording_is_recording(const char *path) {
	struct str suffix = exporter_suffix(path), own = STR(RECORDING_SUFFIX);
	return suffix.n == own.n && strncasecmp(suffix.p, own.p, own.n) == 0;
}

/** Check that the profiler that samples supports the options. */
static int recording_check_backend(const struct opt_set *set,
				   const struct recording_options *options, struct diag *diag) {
	static const char *const own[] = {"off-cpu",   "wall",       "latency", "io",
					  "wakers",    "delay",      "repeat",  "cpus",
					  "user-only", "kernel-only"};
	static const char *const perf[] = {"event",      "event-filter", "count",
					   "call-graph", "fp",           "no-inline",
					   "skip-after", "per-thread",   "per-cpu"};
	enum { OWN = sizeof(own) / sizeof(*own), PERF = sizeof(perf) / sizeof(*perf) };
	enum backend backend = recording_backend_of(options);
	if (options->cmd != NULL && str_all_digits(str_of(options->cmd))) {
		return diag_error(diag,
				  "-c is --cmd, arguments for another profiler; to take every %sth "
				  "occurrence of an event: --count %s",
				  options->cmd, options->cmd);
	}
	if (backend == BACKEND_OWN) {
		return recording_check_own(options, diag);
	}
	if (options->root != NULL && options->duration > 0) {
		return diag_error(diag, "--duration cannot end a profiler that --root has run as "
					"root");
	}
	size_t more = backend == BACKEND_PERF ? OWN : OWN + PERF;
	for (size_t i = 0; i < more; i++) {
		const char *name = i < OWN ? own[i] : perf[i - OWN];
		if (opt_given(set, name)) {
			return diag_error(diag, "--%s is not for --backend %s", name,
					  backend_names[backend]);
		}
	}
	for (size_t i = 0; more == OWN + PERF && i < options->outputs.n; i++) {
		const char *path = options->outputs.items[i];
		if (recording_is_recording(path)) {
			return diag_error(diag,
					  "--backend %s makes no recording of perf, so '%s' "
					  "cannot be written",
					  backend_names[backend], quote(str_of(path)).text);
		}
	}
	return 0;
}

/** Return whether an event measures the time in which threads run. */
static bool recording_is_clock(struct str event) {
	static const char *const clocks[] = {"auto", "cycles", "cpu-cycles", "cpu-clock",
					     "task-clock"};
	struct str name = str_cut(&event, ':');
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		if (str_eq(name, str_of(clocks[i]))) {
			return true;
		}
	}
	return false;
}

/** With --wall or --latency, check that the events measure the time in which threads run. */
static int recording_check_wall(const struct recording_options *options, struct diag *diag) {
	bool needs_clock = options->folding.wall || options->folding.latency;
	for (size_t i = 0; i < options->events.n && needs_clock; i++) {
		struct str rest = str_of(options->events.items[i]);
		do {
			struct str event = str_cut(&rest, ',');
			if (!recording_is_clock(event)) {
				return diag_error(diag,
						  "--%s adds up time, which '%s' does not measure; "
						  "leave out --event, or use --event cpu-clock",
						  options->folding.wall ? "wall" : "latency",
						  quote(event).text);
			}
		} while (rest.n > 0);
	}
	return 0;
}

/** Check the names of the outputs. If `reads` is set, refuse outputs that are recordings. Set
 * `*shown` if a browser can show one of the outputs. */
static int recording_check_outputs(const struct command *command, const struct opt_set *set,
				   bool reads, bool *shown, struct diag *diag) {
	const struct recording_options *options =
		OPT_VALUES(set, TABLE_RECORDING, struct recording_options);
	for (size_t i = 0; i < options->outputs.n; i++) {
		const char *path = options->outputs.items[i];
		const struct exporter *exporter;
		if (output_files_exporter(command, set, path, &exporter, diag) != 0) {
			return -1;
		}
		if (exporter == NULL && reads) {
			return diag_error(diag,
					  "--perfdata reads a recording, so '%s' would be a copy",
					  quote(str_of(path)).text);
		}
		*shown |= exporter != NULL && (exporter->needs & EXPORT_SHOWN) != 0;
	}
	return 0;
}

int recording_check(const struct command *command, const struct opt_set *set, bool reads,
		    struct diag *diag) {
	const struct recording_options *options =
		OPT_VALUES(set, TABLE_RECORDING, struct recording_options);
	bool draws = options->outputs.n == 0; // flamegraph.svg
	if (recording_check_outputs(command, set, reads, &draws, diag) != 0) {
		return -1;
	}
	if (options->repeat > 1 && options->delay > 0 &&
	    (options->folding.off_cpu || options->folding.wall)) {
		return diag_error(diag,
				  "--delay with --repeat leaves out samples, and not the time "
				  "that threads wait");
	}
	if (options->folding.wakers && !options->folding.off_cpu && !options->folding.wall) {
		return diag_error(diag, "--wakers needs --off-cpu or --wall, which show where "
					"threads wait");
	}
	if (options->folding.io && options->folding.event_filter != NULL &&
	    strcmp(options->folding.event_filter, "bytes") != 0 &&
	    strcmp(options->folding.event_filter, "time") != 0) {
		return diag_error(diag, "--value %s: with --io it is bytes or time",
				  quote(str_of(options->folding.event_filter)).text);
	}
	if (options->open && !draws) {
		return diag_error(diag,
				  "--open needs a picture: an output whose name ends in .svg or "
				  ".html");
	}
	return reads ? 0
	       : recording_check_wall(options, diag) != 0
		       ? -1
		       : recording_check_backend(set, options, diag);
}

static const char *recording_check_root(const char *flags) {
	return *flags == '\0' || *flags == '-'
		       ? NULL
		       : "flags of sudo, such as --root='-E -n'; without any: --root -- COMMAND";
}

/* --- Sampling ------------------------------------------------------------------------------- */

static const char *recording_call_graph_of(const struct recording_session *recording) {
	const struct recording_options *options = recording->options;
	return options->frame_pointers       ? "fp"
	       : options->call_graph != NULL ? options->call_graph
					     : "auto";
}

/** Return the value of perf's option --call-graph. With perf, copies of whole stacks are not the
 * default, because perf writes them to disk: 64 MB a second for each busy thread. */
static const char *recording_perf_call_graph(const struct recording_session *recording) {
	const char *how = recording_call_graph_of(recording);
	bool copies = recording->target->copies_stacks && sampling_copies_stacks();
	if (strcmp(how, "auto") == 0) {
		how = copies ? "dwarf" : "fp";
	}
	return strcmp(how, "dwarf") == 0 ? "dwarf,64000" : how;
}

/** Copy a recording to the output files that are recordings. Return 0, or -1 after diag_error(). */
static int recording_copy(struct recording_session *recording) {
	enum { PIECE = 1 << 16 };
	struct buf bytes = {0};
	int fd = recording->recorded.fd;
	ssize_t n = 0;
	for (off_t at = 0; (n = pread(fd, buf_room(&bytes, PIECE), PIECE, at)) > 0; at += n) {
		output_files_append(&recording->outputs, bytes.p, (size_t)n);
	}
	buf_release(&bytes);
	return n == 0 ? 0
		      : diag_error(recording->run->diag, "cannot read what was recorded: %s",
				   strerror(errno));
}

/** Let another profiler sample. Return 0, or -1 after diag_error(). */
static int recording_run_backend(struct recording_session *recording, struct record_end *end) {
	const struct recording_options *options = recording->options;
	const struct backend_job job = {
		.backend = recording->backend,
		.words = options->cmd,
		.rate = options->rate,
		.events = &options->events,
		.period = options->period,
		.call_graph = recording_perf_call_graph(recording),
		.compression = options->compression,
		.duration = options->duration,
		.program = recording->target->program,
		.processes = recording->target->processes,
		.ignores_status = options->ignore_status,
		.root = options->root,
	};
	int result = backend_run(&job, &recording->recorded, recording->run->diag);
	end->status = recording->recorded.status;
	end->signal = end->status > 128 ? end->status - 128 : 0;
	end->stopped = stop_age() >= 0;
	return result == 0 && output_files_record(&recording->outputs) ? recording_copy(recording)
								       : result;
}

/** Start inferno's own sampler. Return 0, or -1 after diag_error(). */
static int recording_start(struct recording_session *recording) {
	const struct sampling_config config = {
		.options = recording->options,
		.target = recording->target,
		.call_graph = recording_call_graph_of(recording),
		.keeps_recording = output_files_record(&recording->outputs),
		.rate_given = opt_given(recording->run->set, "freq"),
	};
	recording->sampling = sampling_start(&config, recording->run->diag);
	return recording->sampling == NULL ? -1 : 0;
}

/** Write a part of the recording, in the form for files to outputs that can seek, and in the form
 * for pipes to all others. */
static void recording_store(struct recording_session *recording, const void *bytes, size_t n) {
	struct buf out = {0};
	if (output_files_record(&recording->outputs)) {
		sampling_store(recording->sampling, bytes, n, &out);
		output_files_append_to(&recording->outputs, true, out.p, out.n);
		output_files_append_to(&recording->outputs, false, bytes, n);
	}
	buf_release(&out);
}

/** Write the end of the recording. */
static void recording_end_store(struct recording_session *recording) {
	struct buf out = {0}, start = {0};
	if (recording->sampling != NULL && output_files_record(&recording->outputs)) {
		sampling_end_store(recording->sampling, &out, &start);
		output_files_append_to(&recording->outputs, true, out.p, out.n);
		output_files_replace_start(&recording->outputs, start.p, start.n);
	}
	buf_release(&out);
	buf_release(&start);
}

/** Read a part of the recording for the collapser, and write this part to the outputs that are
 * recordings. */
static ptrdiff_t recording_take(void *context, void *bytes, size_t size) {
	struct recording_session *recording = context;
	ptrdiff_t n = sampling_read(recording->sampling, bytes, size);
	if (n > 0) {
		recording_store(recording, bytes, (size_t)n);
	}
	recording->at_end = n == 0;
	return n;
}

/** Return the name of the recording in messages. */
static const char *recording_name_of(const struct recording_session *recording) {
	if (recording->target->program == NULL) {
		return "the recording";
	}
	const char *path = recording->target->program[0], *slash = strrchr(path, '/');
	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* --- Folding -------------------------------------------------------------------------------- */

/** Set those options of the format that are also options of the command record. */
static int recording_set_format(struct opt_set *set, const struct recording_options *options,
				bool live, struct diag *diag) {
	const struct {
		bool given;
		struct str name;
	} flags[] = {{true, STR("from-recorder")},
		     {live, STR("from-running")},
		     {options->folding.no_inline, STR("no-inline")},
		     {options->folding.off_cpu, STR("off-cpu")},
		     {options->folding.wall, STR("wall")},
		     {options->folding.latency, STR("latency")},
		     {options->folding.wakers, STR("wakers")},
		     {options->folding.per_thread, STR("per-thread")},
		     {options->folding.per_cpu, STR("per-cpu")},
		     {options->folding.native, STR("native")},
		     {options->folding.gil, STR("gil")},
		     {options->folding.debuginfod, STR("debuginfod")}};
	int result = 0;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags) && result == 0; i++) {
		if (flags[i].given) {
			result = opt_set(set, opt_by_name(set, flags[i].name), NULL, diag);
		}
	}
	if (options->folding.io && result == 0) {
		const char *what = options->folding.event_filter;
		return opt_set(set, opt_by_name(set, STR("io")), what == NULL ? "bytes" : what,
			       diag);
	}
	if (options->folding.event_filter != NULL && result == 0) {
		result = opt_set(set, opt_by_name(set, STR("event-filter")),
				 options->folding.event_filter, diag);
	}
	for (size_t i = 0; i < options->folding.skip_after.n && result == 0; i++) {
		result = opt_set(set, opt_by_name(set, STR("skip-after")),
				 options->folding.skip_after.items[i], diag);
	}
	return result;
}

/** Fold a recording, which may still be running. Return 0, or -1 after diag_error(). */
static int recording_fold_session(struct recording_session *recording) {
	struct diag *diag = recording->run->diag;
	bool other = recording->backend != BACKEND_OWN;
	const struct collapser *format =
		collapse_find_format(other ? recording->recorded.format : "perf");
	const struct opt_table tables[OPT_TABLES] = {[TABLE_OWN] = format->options};
	struct source source = {.path = recording->target->perfdata};
	if (other) {
		source = recording->recorded.source;
	} else if (recording->sampling != NULL) {
		source = (struct source){.kind = SOURCE_FUNCTION,
					 .read = recording_take,
					 .context = recording,
					 .name = recording_name_of(recording)};
	}
	struct opt_set set;
	opt_init(&set, tables);
	bool live = recording->sampling != NULL;
	int result = strcmp(format->name, "perf") != 0
			     ? 0
			     : recording_set_format(&set, recording->options, live, diag);
	const struct perf_watch watch = sampling_watch(recording->sampling);
	const char *kallsyms = sampling_kallsyms(recording->sampling);
	if (result == 0 && kallsyms != NULL) {
		result = opt_set(&set, opt_by_name(&set, STR("kallsyms")), kallsyms, diag);
	}
	if (result == 0) {
		const struct collapse collapse = {
			.format = format,
			.options = set.values[TABLE_OWN],
			.parts = recording->sampling != NULL ? &recording->events : NULL,
			.watch = watch.sample == NULL ? NULL : &watch,
			.threads = 1,
			.diag = diag};
		result = collapse_sources(&collapse, &source, 1, &recording->profile);
	}
	opt_release(&set);
	return result;
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Report the durations of a program's runs. */
static void recording_report_runs(const struct recording_session *recording,
				  const struct record_runs *runs) {
	const double second = 1, milliseconds = 1e3;
	struct buf text = {0};
	double mean = runs->sum / (double)runs->n, scale = mean < second ? milliseconds : 1;
	unsigned places = mean < second ? 1 : 2;
	const char *unit = mean < second ? "ms" : "s";
	if (recording->options->repeat <= 1 || runs->n == 0) {
		return;
	}
	buf_printf(&text, "ran %llu time%s: ", (unsigned long long)runs->n,
		   runs->n == 1 ? "" : "s");
	buf_add_fixed(&text, mean * scale, places);
	buf_printf(&text, " %s on average, ", unit);
	buf_add_fixed(&text, runs->least * scale, places);
	buf_add_text(&text, " to ");
	buf_add_fixed(&text, runs->most * scale, places);
	diag_done(recording->run->diag, "%s %s", buf_text(&text), unit);
	buf_release(&text);
}

/** If the program failed, report how it ended. A program that was ended by SIGINT, SIGTERM or
 * SIGHUP, or was killed by inferno, has not failed, and with --ignore-status no program has. Return
 * 0 or COMMAND_PROGRAM_FAILED. */
static int recording_check_program(const struct recording_session *recording,
				   const struct record_end *end) {
	struct diag *diag = recording->run->diag;
	bool was_ended = end->signal == SIGINT || end->signal == SIGTERM || end->signal == SIGHUP ||
			 (end->stopped && end->signal == SIGKILL);
	*recording->run->program_status = end->status;
	if (end->status == 0 || was_ended || recording->options->ignore_status) {
		return 0;
	}
	struct buf text = {0};
	buf_printf(&text, "'%s' ", quote(str_of(recording->target->program[0])).text);
	if (end->signal != 0) {
		buf_printf(&text, "was ended by signal %d (%s)", end->signal,
			   strsignal(end->signal));
	} else {
		buf_printf(&text, "failed with status %d", end->status);
	}
	if (recording->options->repeat > 1) {
		buf_printf(&text, " in run %llu of %llu", (unsigned long long)end->runs.n,
			   (unsigned long long)recording->options->repeat);
	}
	buf_add_text(&text, recording->empty ? " before a sample was taken" : "");
	diag_error(diag, "%s", buf_text(&text));
	buf_release(&text);
	return COMMAND_PROGRAM_FAILED;
}

/** Report the share of the processor time that is missing in the result, because the kernel was not
 * sampled. */
static int recording_check_time(const struct recording_session *recording,
				const struct record_end *end) {
	const double least = 0.5;
	double share = end->system > 0 ? 100 * end->system / (end->user + end->system) : 0;
	if (!end->user_only || end->hidden || share < least) {
		return 0;
	}
	return diag_warn(recording->run->diag,
			 "%.0f %% of the processor time was in the kernel, and is not in the "
			 "result",
			 share);
}

/** Add advice on how to get more samples of a program. */
static void recording_add_remedy(struct buf *text, const struct recording_options *options) {
	const unsigned often = 9999, many = 20;
	if (options->rate < often && !options->folding.off_cpu) {
		buf_printf(text, "--freq %u takes more, ", often);
	}
	buf_printf(text, "--repeat %llu runs it %s",
		   (unsigned long long)(options->repeat > 1 ? options->repeat * many : many),
		   options->repeat > 1 ? "more often" : "again");
}

/** Report why there are no samples, and how to get samples. Return -1. */
static int recording_fail_empty(const struct recording_session *recording,
				const struct record_end *end) {
	const struct recording_options *options = recording->options;
	char *const *program = recording->target->program;
	struct buf text = {0};
	if (program != NULL) {
		buf_printf(&text, "'%s'", quote(str_of(program[0])).text);
	} else {
		buf_add_text(&text, recording->target->processes != NULL ? "the process" : "all");
	}
	if (end->early) {
		buf_add_text(&text, " ended before the sampling began; use a shorter --delay");
	} else if (program == NULL) {
		buf_add_text(&text, " did not run while it was sampled; --wall shows where threads "
				    "wait");
	} else if (end->stopped) {
		buf_add_text(&text, " was stopped before a sample was taken");
	} else {
		buf_printf(&text, " ended before %s; ",
			   options->folding.off_cpu ? "it waited for anything"
						    : "a sample was taken");
		recording_add_remedy(&text, options);
	}
	diag_error(recording->run->diag, "%s", buf_text(&text));
	buf_release(&text);
	return -1;
}

/** Report the environment variables that were set for the program, if a runtime used them. */
static void recording_report_environment(const struct recording_session *recording) {
	struct buf text = {0};
	sampling_format_runtimes(recording->sampling, &text);
	if (text.n > 0) {
		diag_done(recording->run->diag,
			  "set %s, to get the names of functions (--no-runtime-env sets nothing)",
			  buf_text(&text));
	}
	buf_release(&text);
}

/** Report which running programs wrote the names of their functions, and how to make the others
 * publish the names. Return 0, or -1 after diag_error(). */
static int recording_report_running(const struct recording_session *recording) {
	struct diag *diag = recording->run->diag;
	struct buf text = {0};
	int result = 0;
	bool good;
	for (size_t i = 0; sampling_format_running(recording->sampling, i, &text, &good); i++) {
		if (text.n > 0 && good) {
			diag_done(diag, "%s", buf_text(&text));
		} else if (text.n > 0 && diag_warn(diag, "%s", buf_text(&text)) != 0) {
			result = -1;
		}
		buf_clear(&text);
	}
	buf_release(&text);
	return result;
}

/** Report that the program did not end on request. Return 0, or -1 after diag_error(). */
static int recording_report_unended(const struct recording_session *recording,
				    const struct record_end *end) {
	return end->unended == 0
		       ? 0
		       : diag_warn(recording->run->diag,
				   "'%s' (process %d) was asked to end but still runs, and is no "
				   "longer sampled; to end it: kill -KILL %d",
				   quote(str_of(recording->target->program[0])).text, end->unended,
				   end->unended);
}

/** Report that processes which the program has started still run, and are no longer sampled. */
static void recording_report_left(const struct recording_session *recording,
				  const struct record_end *end) {
	struct buf path = {0}, name = {0};
	if (end->left == 0) {
		return;
	}
	buf_printf(&path, "/proc/%d/comm", end->left);
	int fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);
	enum { NAME = 64 };
	ssize_t n = fd < 0 ? 0 : read(fd, buf_room(&name, NAME), NAME);
	name.n = n > 1 ? (size_t)n - 1 : 0; // remove the line end
	if (fd >= 0) {
		close(fd);
	}
	bool one = end->left_n == 1;
	diag_done(recording->run->diag,
		  "'%s' (process %d)%s, which the command has started, still run%s and %s no "
		  "longer sampled; to sample again: inferno record --pid %d",
		  quote(buf_str(&name)).text, end->left, one ? "" : " and others", one ? "s" : "",
		  one ? "is" : "are", end->left);
	buf_release(&path);
	buf_release(&name);
}

/** Report how many threads were stopped, and for how long. */
static void recording_report_stops(const struct recording_session *recording,
				   const struct record_stops *stops) {
	const double milliseconds = 1e3;
	char longest[NUM_FIXED_MAX];
	if (stops->n > 0) {
		longest[num_format_fixed(longest, stops->longest * milliseconds, 1)] = '\0';
		diag_done(recording->run->diag,
			  "to read their registers, %llu waiting threads were stopped once, the "
			  "longest for %s ms; to stop none: --nonblocking",
			  (unsigned long long)stops->n, longest);
	}
}

/** Wait for the end of the sampling, and report what happened. Return 0, COMMAND_PROGRAM_FAILED if
 * the program failed before a sample was taken, or -1 after diag_error(). */
static int recording_finish(struct recording_session *recording, struct record_end *end) {
	struct diag *diag = recording->run->diag;
	if (recording->empty) {
		buf_clear(&diag->error); // the message of the reader is about a file
	}
	if (sampling_finish(recording->sampling, end) != 0) {
		return -1;
	}
	recording_report_runs(recording, &end->runs);
	recording_report_environment(recording);
	if (recording_report_running(recording) != 0 ||
	    recording_report_unended(recording, end) != 0) {
		return -1;
	}
	recording_report_left(recording, end);
	recording_report_stops(recording, &end->stops);
	if (!recording->empty) {
		return recording_check_time(recording, end);
	}
	int result = recording_check_program(recording, end);
	return result != 0 ? result : recording_fail_empty(recording, end);
}

/** Open the first picture in the browser if the options ask for it. */
static int recording_show_session(const struct recording_session *recording) {
	return recording->options->open
		       ? browser_open(output_files_shown(&recording->outputs), recording->run->diag)
		       : 0;
}

/** Write a profile to its open files. If writing a file fails, still write the others. */
static int recording_write_profile(const struct recording_session *recording,
				   struct output_files *outputs, struct profile *profile) {
	const struct command_run *run = recording->run;
	const char *command = recording->options->post_process;
	if (command != NULL && postprocess_run(profile, command, run->diag) != 0) {
		return -1;
	}
	const struct transform transform = picture_transform(run->set);
	struct view view = {.profile = profile, .transform = &transform};
	int result = output_files_write(outputs, &view);
	view_release(&view);
	return result;
}

/** Make the names of the files for an event other than the first. Leave out recordings, because one
 * recording contains all events. */
static void recording_name_outputs(const struct recording_session *recording, struct str event,
				   struct opt_list *names, struct arena *arena) {
	const struct opt_list *outputs = &recording->options->outputs;
	for (size_t i = 0; i < (outputs->n == 0 ? 1 : outputs->n); i++) {
		const char *path = outputs->n == 0 ? recording->usual : outputs->items[i];
		struct buf name = {0};
		if (recording_is_recording(path)) {
			continue;
		}
		output_files_name_part(path, event, &name);
		*MEM_APPEND(names->items, names->n, names->capacity) =
			arena_copy(arena, buf_text(&name), name.n);
		buf_release(&name);
	}
}

/** Write the samples of an event other than the first. */
static int recording_write_event(struct recording_session *recording, struct profile_part *event) {
	const struct command_run *run = recording->run;
	struct opt_list names = {0};
	struct arena arena = {0};
	struct output_files outputs = {.diag = run->diag};
	recording_name_outputs(recording, buf_str(&event->name), &names, &arena);
	int result = names.n == 0 ? 0 : output_files_open(&outputs, run, &names, NULL);
	if (result == 0 && names.n > 0) {
		profile_remark(&event->profile, buf_str(&recording->profile.remarks));
		result = recording_write_profile(recording, &outputs, &event->profile);
	}
	output_files_release(&outputs);
	free(names.items);
	arena_release(&arena);
	return result;
}

static int recording_write_events(struct recording_session *recording) {
	int result = 0;
	for (size_t i = 0; i < recording->events.n; i++) {
		if (recording_write_event(recording, &recording->events.items[i]) != 0) {
			result = -1;
		}
	}
	return result;
}

/** Write all outputs. Return 0, or -1 after diag_error() if an output could not be written. */
static int recording_write_all(struct recording_session *recording) {
	struct output_files *outputs = &recording->outputs;
	recording_end_store(recording);
	bool stored = output_files_end_record(outputs) == 0;
	bool first = recording_write_profile(recording, outputs, &recording->profile) == 0;
	bool others = recording_write_events(recording) == 0;
	return stored && first && others ? recording_show_session(recording) : -1;
}

/** Sample, or read a recording. Fold the samples, and write all outputs. */
static int recording_work(struct recording_session *recording) {
	struct record_end end = {0};
	int result = recording->backend != BACKEND_OWN     ? recording_run_backend(recording, &end)
		     : recording->target->perfdata != NULL ? 0
							   : recording_start(recording);
	result = result == 0 ? recording_fold_session(recording) : result;
	recording->empty =
		result != 0 && recording->at_end && profile_count(&recording->profile) == 0;
	if (recording->sampling != NULL && (result == 0 || recording->empty)) {
		result = recording_finish(recording, &end);
	}
	if (result != 0) {
		return result;
	}
	return recording_write_all(recording) == 0 ? recording_check_program(recording, &end) : -1;
}

static void recording_release_session(struct recording_session *recording) {
	sampling_free(recording->sampling);
	backend_release(&recording->recorded);
	output_files_release(&recording->outputs);
	profile_release(&recording->profile);
	profile_parts_release(&recording->events);
}

int recording_run(const struct command_run *run, const struct recording_target *target) {
	const struct graph_options *graph = OPT_VALUES(run->set, TABLE_GRAPH, struct graph_options);
	struct recording_session recording = {
		.run = run,
		.target = target,
		.options = OPT_VALUES(run->set, TABLE_RECORDING, struct recording_options)};
	recording.backend =
		target->perfdata != NULL ? BACKEND_OWN : recording_backend_of(recording.options);
	profile_init(&recording.profile, graph->flamechart ? PROFILE_TIMELINE : PROFILE_STACKS);
	struct str suffixes = str_of(output_chosen(run)->suffixes);
	struct buf usual = {0};
	buf_add_text(&usual, "flamegraph");
	buf_add_str(&usual, str_next_word(&suffixes));
	recording.usual = buf_text(&usual);
	// Open the files before the program runs, so that a file that cannot be written is reported
	// before the sampling.
	int result = output_files_open(&recording.outputs, run, &recording.options->outputs,
				       recording.usual);
	unsigned needs = output_files_needs(&recording.outputs);
	needs |= opt_given(run->set, "with-lines") ? EXPORT_SITES : 0;
	exporter_ask(needs, graph->flamechart, &recording.profile);
	result = result == 0 ? recording_work(&recording) : result;
	recording_release_session(&recording);
	buf_release(&usual);
	stop_release();
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct recording_options, field)

const struct opt recording_rows[] = {
	{FIELD(LIST, outputs), .name = "output", .letter = 'o', .value = "FILE", .group = "Output",
	 .help = "write to this file; its suffix chooses the format, such as .svg, .html (a page "
		 "with tables and filters), .folded, .json (a report on all functions), .pprof, or "
		 ".data (a recording that perf reads, too); by default, flamegraph.svg"},
	{FIELD(BOOL, open), .name = "open", .group = "Output",
	 .help = "show the picture in the browser"},
	{FIELD(BOOL, ignore_status), .name = "ignore-status", .group = "Output",
	 .help = "exit with status 0 even if the command fails"},
	{FIELD(UINT, rate), .name = "freq", .letter = 'F', .value = "HZ", .initial = "997",
	 .least = 1, .most = 1000000, .group = "Sampling",
	 .help = "samples per second of each busy thread"},
	{FIELD(LIST, events), .name = "event", .letter = 'e', .value = "EVENT,...",
	 .group = "Sampling",
	 .help = "sample this event; it has the same name as in perf, such as cache-misses, "
		 "page-faults or sched:*; by default cycles, or cpu-clock if the processor does "
		 "not count cycles"},
	{FIELD(UINT, period), .name = "count", .value = "N", .least = 1, .most = 1e15,
	 .conflicts = "freq", .group = "Sampling",
	 .help = "take a sample after every N occurrences of an event, or, for a clock, after "
		 "every N nanoseconds"},
	{FIELD(TEXT, folding.event_filter), .name = "event-filter", .also = "value",
	 .value = "NAME", .conflicts = "off-cpu wall latency", .group = "Output",
	 .help = "if there are several events, write only this event; by default, inferno writes "
		 "files for each event: out.svg for the first, out.EVENT.svg for the others"},
	{FIELD(TEXT, cpus), .name = "cpus", .also = "cpu", .letter = 'C', .value = "LIST",
	 .check = sampling_check_cpus, .group = "Sampling",
	 .help = "sample on these processors only, such as 0-3,6"},
	{FIELD(BOOL, user_only), .name = "user-only", .group = "Sampling",
	 .help = "sample programs, and not the kernel"},
	{FIELD(BOOL, kernel_only), .name = "kernel-only", .conflicts = "user-only",
	 .group = "Sampling",
	 .help = "sample the kernel only; stacks still contain the callers in programs"},
	{FIELD(TEXT, call_graph), .name = "call-graph", .value = "HOW",
	 .check = recording_check_call_graph, .group = "Sampling", .initial = "auto",
	 .help = "how to find callers: fp follows frame pointers; dwarf,SIZE copies up to SIZE "
		 "bytes of each stack, by default 64000, and unwinds the copy; auto is dwarf, or "
		 "fp if stacks cannot be copied"},
	{FIELD(BOOL, frame_pointers), .letter = 'g', .name = "fp", .conflicts = "call-graph",
	 .group = "Sampling", .help = "the same as --call-graph fp"},
	{FIELD(BOOL, folding.off_cpu), .name = "off-cpu", .conflicts = "event freq count",
	 .group = "Sampling",
	 .help = "record where threads wait instead of where they run, in nanoseconds"},
	{FIELD(BOOL, folding.wall), .name = "wall", .conflicts = "off-cpu", .group = "Sampling",
	 .help = "record where threads run and where they wait, in nanoseconds; waits have a frame "
		 "such as [waiting] or [runnable] above the function that waits"},
	{FIELD(BOOL, folding.latency), .name = "latency", .conflicts = "off-cpu wall",
	 .group = "Sampling",
	 .help = "record where threads run, and divide each nanosecond by the number of threads "
		 "that run at that moment, to show which functions delay the end of the program"},
	{FIELD(BOOL, folding.io), .name = "io",
	 .conflicts = "event freq count off-cpu wall latency wakers", .group = "Sampling",
	 .help = "record the system calls that read and write files, pipes and sockets, and count "
		 "their bytes, or, with --value time, the nanoseconds that they take; needs root"},
	{FIELD(BOOL, folding.wakers), .name = "wakers", .group = "Sampling",
	 .help = "with --off-cpu or --wall, show which thread ended a wait: after the frame "
		 "[waiting], add a frame -- and the stack of that thread, innermost function "
		 "first; needs root"},
	{FIELD(CHOICE, backend), .name = "backend", .value = "PROFILER", .initial = "auto",
	 .choices = backend_names, .group = "Sampling",
	 .help = "the profiler to use: 'own' is inferno itself; 'auto' is 'own' on Linux, and the "
		 "profiler of the system elsewhere; the environment variables PERF, DTRACE, "
		 "XCTRACE, SAMPLE and PMCSTAT name the programs to run"},
	{FIELD(TEXT, cmd), .name = "cmd", .letter = 'c', .value = "ARGUMENTS",
	 .check = postprocess_check, .conflicts = "freq count event call-graph fp",
	 .group = "Sampling",
	 .help = "sample with the profiler that --backend names, or else with the profiler of this "
		 "system (perf on Linux), and pass these arguments to it, for example 'record -e "
		 "branch-misses -g'"},
	{FIELD(UINT, compression), .name = "compression-level", .letter = 'z', .value = "N",
	 .bare = "1", .least = 1, .most = 22, .group = "Sampling",
	 .help = "with --backend perf, compress the recording of perf; with other profilers, this "
		 "option has no effect"},
	{FIELD(REAL, delay), .name = "delay", .value = "SECONDS", .flags = OPT_POSITIVE,
	 .group = "Sampling",
	 .help = "start the command at once, but start sampling only after this time"},
	{FIELD(REAL, duration), .name = "duration", .value = "SECONDS", .flags = OPT_POSITIVE,
	 .group = "Sampling",
	 .help = "sample for this time, then end the command; processes that ran before the "
		 "sampling continue to run"},
	{FIELD(UINT, repeat), .name = "repeat", .value = "N", .initial = "1", .least = 1,
	 .most = 1000000, .group = "Sampling",
	 .help = "run the command N times, and add up the samples; stop if a run fails, unless "
		 "--ignore-status is given; --delay applies to each run"},
	{FIELD(TEXT, root), .name = "root", .value = "SUDO-FLAGS", .bare = "",
	 .check = recording_check_root, .group = "Sampling",
	 .help = "sample as root: sudo runs a helper that opens the counters; the command itself "
		 "runs as the user; with --backend, sudo runs the profiler, which runs the "
		 "command; all output files belong to the user"},
	{FIELD(BOOL, no_runtime_env), .name = "no-runtime-env", .group = "Stacks",
	 .help = "do not set the environment variables that make node, Java, Python and .NET "
		 "publish the names of compiled functions, and do not request these names from a "
		 "running Java"},
	{FIELD(BOOL, no_script), .name = "no-script", .group = "Stacks",
	 .help = "do not read the functions of Python, Perl, PHP, Ruby, Lua, node and Java"},
	{FIELD(BOOL, folding.native), .name = "native", .group = "Stacks",
	 .help = "also show the functions of the interpreter itself"},
	{FIELD(BOOL, folding.gil), .name = "gil", .conflicts = "latency no-script",
	 .group = "Stacks",
	 .help = "count only the Python threads that hold the global interpreter lock (GIL)"},
	{FIELD(BOOL, nonblocking), .name = "nonblocking", .group = "Stacks",
	 .help = "never stop a thread; without this option, --wall and --off-cpu stop each waiting "
		 "thread of a running process once, to read its stack"},
	{FIELD(BOOL, lines), .name = "lines", .group = "Stacks",
	 .help = "add a line number to functions of scripts: the line that ran, or, for node and "
		 "Java, the line where the function begins; for PHP, also add the file"},
	{FIELD(BOOL, folding.no_inline), .name = "no-inline", .group = "Stacks",
	 .help = "leave out functions that the compiler inlined"},
	{FIELD(BOOL, folding.debuginfod), .name = "debuginfod", .group = "Stacks",
	 .help = "ask the servers in DEBUGINFOD_URLS for missing debug files"},
	{FIELD(BOOL, folding.per_thread), .name = "per-thread", .group = "Stacks",
	 .help = "give each thread its own root frame, of the thread's name, its process id and "
		 "its thread id"},
	{FIELD(BOOL, folding.per_cpu), .name = "per-cpu", .conflicts = "off-cpu wall latency",
	 .group = "Stacks", .help = "add a root frame for each processor, such as [cpu 3]"},
	{FIELD(LIST, folding.skip_after), .name = "skip-after", .value = "NAME", .group = "Stacks",
	 .help = "cut off the callers of this function"},
	{FIELD(TEXT, post_process), .name = "post-process", .value = "COMMAND",
	 .check = postprocess_check, .conflicts = "flamechart", .group = "Stacks",
	 .help = "pass the folded stacks through this command, for example 'rustfilt' or \"sed "
		 "s/foo/bar/\""},
	{.type = OPT_END},
};
