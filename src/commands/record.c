/* The command record: sample a program, or read what was sampled, and write all that is asked for.
 */
#include "record/record.h"

#include <signal.h>
#include <stdlib.h>

#include "base/destination.h"
#include "base/num.h"
#include "commands/command.h"
#include "plot/svg.h"
#include "profile/folded.h"

struct options {
	struct opt_list outputs;
	uint64_t rate;
	unsigned event;
	const char *call_graph, *processes, *perfdata;
	bool frame_pointers, everything, ignore_status, no_inline;
	double duration;
	struct opt_list skip_after;
};

enum kind { KIND_PICTURE, KIND_FOLDED, KIND_RECORDING, KIND_UNKNOWN };

static const char *const suffixes[] = {".svg", ".folded", ".data"};

static const char *const default_outputs[] = {"flamegraph.svg"};

/** A file to be written. */
struct result {
	const char *path;
	enum kind kind;
	struct destination to;
	bool opened;
};

struct recording {
	const struct command_run *run;
	const struct options *options;
	struct result *results;
	size_t results_n;
	struct recorder *recorder; // NULL: a recording is read
	char **program;            // NULL-terminated; NULL: running processes
	int32_t *processes;
	size_t processes_n;
	struct profile profile;
	struct picture picture;
};

/* --- Options -------------------------------------------------------------------------------- */

static enum kind kind_of(const char *path) {
	size_t kind = 0;
	while (kind < KIND_UNKNOWN && !str_ends(str_of(path), str_of(suffixes[kind]))) {
		kind++;
	}
	return (enum kind)kind;
}

/** Read --call-graph. Return whether it is one. */
static bool parse_call_graph(const char *text, struct record_options *options) {
	struct str rest = str_of(text), how = str_cut(&rest, ',');
	uint64_t size = RECORD_STACK_DEFAULT;
	bool sized = how.n < strlen(text);
	bool dwarf = str_eq(how, STR("dwarf"));
	if (sized && (!num_parse_u64(rest, &size) || size < 8 || size > RECORD_STACK_MOST)) {
		return false;
	}
	options->chains = dwarf ? RECORD_DWARF : RECORD_FRAME_POINTERS;
	options->stack_size = (uint32_t)(size / 8 * 8);
	return dwarf || (str_eq(how, STR("fp")) && !sized);
}

static const char *check_call_graph(const char *text) {
	struct record_options ignored;
	return parse_call_graph(text, &ignored)
		       ? NULL
		       : "fp, dwarf or dwarf,SIZE with up to 65528 bytes of each stack";
}

/** Read the next number of a list of processes. Return 0 if it is none. */
static int32_t next_process(struct str *list) {
	uint64_t number;
	struct str word = str_cut(list, ',');
	return num_parse_u64(word, &number) && number <= INT32_MAX ? (int32_t)number : 0;
}

static const char *check_processes(const char *text) {
	struct str list = str_of(text);
	bool good = !str_ends(list, STR(","));
	do {
		good = next_process(&list) != 0 && good;
	} while (list.n > 0);
	return good ? NULL : "the numbers of processes, such as 1234 or 1234,1235";
}

static int check_outputs(const struct opt_set *set, const struct options *options,
			 struct diag *diag) {
	for (size_t i = 0; i < options->outputs.n; i++) {
		enum kind kind = kind_of(options->outputs.items[i]);
		if (kind == KIND_UNKNOWN) {
			return diag_error(diag,
					  "'%s': the name of an output has to end in .svg, "
					  ".folded or .data",
					  quote(str_of(options->outputs.items[i])).text);
		}
		if (kind == KIND_RECORDING && options->perfdata != NULL) {
			return diag_error(diag,
					  "--perfdata reads a recording, so '%s' would be a "
					  "copy",
					  quote(str_of(options->outputs.items[i])).text);
		}
		if (kind == KIND_FOLDED && opt_given(set, "flamechart")) {
			return diag_error(diag, "--flamechart keeps the order of stacks, which "
						"folded stacks do not have");
		}
	}
	return 0;
}

static int check(const struct opt_set *set, size_t operands, struct diag *diag) {
	const struct options *options = OPT_VALUES(set, TABLE_OWN, struct options);
	int ways = (operands > 0) + (options->processes != NULL) + options->everything +
		   (options->perfdata != NULL);
	if (ways != 1) {
		return diag_error(diag, ways == 0 ? "expected a command to run, or one of --pid, "
						    "--all-cpus and --perfdata"
						  : "a command to run, --pid, --all-cpus and "
						    "--perfdata exclude each other");
	}
	return check_outputs(set, options, diag);
}

/* --- Files ---------------------------------------------------------------------------------- */

static int fail_write(const struct recording *recording, const struct result *result) {
	return diag_error(recording->run->diag, "%s: cannot write: %s", result->path,
			  destination_problem(&result->to));
}

/** Open the outputs before anything runs, as they may not be writable. */
static int open_results(struct recording *recording) {
	const struct opt_list *given = &recording->options->outputs;
	const char *const *paths = given->n > 0 ? given->items : default_outputs;
	size_t n = given->n > 0 ? given->n : 1;
	recording->results = mem_new(n, sizeof(*recording->results));
	for (size_t i = 0; i < n; i++) {
		struct result *result = &recording->results[recording->results_n++];
		*result = (struct result){.path = paths[i], .kind = kind_of(paths[i])};
		result->opened = true;
		if (destination_open(&result->to, result->path, 0) != 0) {
			return fail_write(recording, result);
		}
	}
	return 0;
}

/** Give an output its name. Return 0, or -1 after diag_error(). */
static int complete(struct recording *recording, struct result *result) {
	result->opened = false;
	if (result->to.error != 0) {
		int problem = result->to.error;
		destination_close(&result->to, false);
		return diag_error(recording->run->diag, "%s: cannot write: %s", result->path,
				  strerror(problem));
	}
	if (destination_close(&result->to, true) != 0) {
		return fail_write(recording, result);
	}
	diag_done(recording->run->diag, "wrote %s", result->path);
	return 0;
}

/** Write the outputs of one kind. */
static int write_kind(struct recording *recording, enum kind kind) {
	int status = 0;
	for (size_t i = 0; i < recording->results_n && status == 0; i++) {
		struct result *result = &recording->results[i];
		if (result->kind != kind) {
			continue;
		}
		struct output out;
		output_init(&out, destination_write, &result->to);
		if (kind == KIND_FOLDED) {
			folded_write(&recording->profile, &out);
		} else if (kind == KIND_PICTURE) {
			svg_write(&out, &recording->picture);
		}
		(void)output_finish(&out); // the destination keeps the error
		output_release(&out);
		status = complete(recording, result);
	}
	return status;
}

/** Return whether a kind of output is wanted. */
static bool wants(const struct recording *recording, enum kind kind) {
	for (size_t i = 0; i < recording->results_n; i++) {
		if (recording->results[i].kind == kind) {
			return true;
		}
	}
	return false;
}

/* --- Sampling ------------------------------------------------------------------------------- */

/** Make the words of the command line an array for exec(). */
static char **program_of(const struct command_run *run) {
	char **program = mem_new(run->sources_n + 1, sizeof(*program));
	for (size_t i = 0; i < run->sources_n; i++) {
		program[i] = strdup(run->sources[i].path);
		if (program[i] == NULL) {
			inferno_out_of_memory();
		}
	}
	return program;
}

static void read_processes(struct recording *recording, const char *text) {
	struct str list = str_of(text);
	size_t capacity = 0;
	while (list.n > 0) {
		recording->processes = mem_grow(recording->processes, &capacity,
						recording->processes_n + 1, sizeof(int32_t));
		recording->processes[recording->processes_n++] = next_process(&list);
	}
}

static int start(struct recording *recording) {
	const struct options *options = recording->options;
	struct record_options wanted = {
		.rate = options->rate,
		.event = options->event,
		.duration = options->duration,
		.no_user_chain = wants(recording, KIND_RECORDING),
	};
	(void)parse_call_graph(options->call_graph, &wanted);
	if (recording->run->sources_n > 0) {
		wanted.program = recording->program = program_of(recording->run);
	}
	if (options->processes != NULL) {
		read_processes(recording, options->processes);
	}
	wanted.processes = recording->processes;
	wanted.processes_n = recording->processes_n;
	recording->recorder = recorder_new(&wanted, recording->run->diag);
	return recording->recorder == NULL ? -1 : recorder_start(recording->recorder);
}

/** Take some of the recording for the reader, and write it where it is wanted. */
static ptrdiff_t take(void *context, void *bytes, size_t size) {
	struct recording *recording = context;
	ptrdiff_t n = recorder_read(recording->recorder, bytes, size);
	for (size_t i = 0; i < recording->results_n && n > 0; i++) {
		struct result *result = &recording->results[i];
		if (result->kind == KIND_RECORDING && result->to.error == 0) {
			(void)destination_write(&result->to, bytes, (size_t)n); // keeps the error
		}
	}
	return n;
}

/** Return what messages call the recording. */
static const char *name_of(const struct recording *recording) {
	if (recording->program == NULL) {
		return "the recording";
	}
	const char *path = recording->program[0], *slash = strrchr(path, '/');
	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* --- Folding -------------------------------------------------------------------------------- */

/** Set the options of the format that record shares with it. */
static int set_format(struct opt_set *set, const struct options *options, struct diag *diag) {
	int result = 0;
	if (options->no_inline) {
		result = opt_set(set, opt_by_name(set, STR("no-inline")), NULL, diag);
	}
	for (size_t i = 0; i < options->skip_after.n && result == 0; i++) {
		result = opt_set(set, opt_by_name(set, STR("skip-after")),
				 options->skip_after.items[i], diag);
	}
	return result;
}

/** Fold a recording, which may still go on. Return 0, or -1 after diag_error(). */
static int fold(struct recording *recording) {
	struct diag *diag = recording->run->diag;
	const struct collapser *perf = collapse_find_format("perf");
	const struct opt_table tables[OPT_TABLES] = {
		[TABLE_OWN] = {perf->options, perf->options_size}};
	struct source source = {.path = recording->options->perfdata};
	if (recording->recorder != NULL) {
		source = (struct source){.kind = SOURCE_FUNCTION,
					 .read = take,
					 .context = recording,
					 .name = name_of(recording)};
	}
	struct opt_set set;
	opt_init(&set, tables);
	int result = set_format(&set, recording->options, diag);
	if (result == 0) {
		const struct collapse collapse = {.format = perf,
						  .options = set.values[TABLE_OWN],
						  .threads = 1,
						  .diag = diag};
		result = collapse_sources(&collapse, &source, 1, &recording->profile);
	}
	opt_release(&set);
	return result;
}

/** Draw the picture. */
static int draw(struct recording *recording) {
	const struct graph_options *options =
		OPT_VALUES(recording->run->set, TABLE_GRAPH, struct graph_options);
	if (!wants(recording, KIND_PICTURE)) {
		return 0;
	}
	if (picture_draw(&recording->picture, &recording->profile, options, recording->run->diag) !=
	    0) {
		return -1;
	}
	return recording->picture.total > 0
		       ? 0
		       : diag_error(recording->run->diag, "no stack counts are left to draw");
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Say how the program ended if it failed. Ending it is no failure. Return 0 or
 * COMMAND_PROGRAM_FAILED. */
static int judge_program(const struct recording *recording, const struct record_end *end) {
	struct diag *diag = recording->run->diag;
	bool was_ended = end->signal == SIGINT || end->signal == SIGTERM ||
			 (end->stopped && end->signal == SIGKILL);
	*recording->run->program_status = end->status;
	if (end->status == 0 || was_ended || recording->options->ignore_status) {
		return 0;
	}
	if (end->signal != 0) {
		diag_error(diag, "'%s' was ended by signal %d (%s)",
			   quote(str_of(recording->program[0])).text, end->signal,
			   strsignal(end->signal));
	} else {
		diag_error(diag, "'%s' failed with status %d",
			   quote(str_of(recording->program[0])).text, end->status);
	}
	return COMMAND_PROGRAM_FAILED;
}

/** Say how much time was not sampled. */
static int judge_time(const struct recording *recording, const struct record_end *end) {
	const double least = 0.1;
	double all = end->user + end->system;
	if (!end->user_only || recording->program == NULL || end->system < least) {
		return 0;
	}
	return diag_warn(recording->run->diag,
			 "%.0f %% of the processor time was in the kernel, and is not in the "
			 "result",
			 100 * end->system / all);
}

/** Sample or read, fold, and write. */
static int work(struct recording *recording) {
	struct record_end end = {0};
	int result = recording->options->perfdata != NULL ? 0 : start(recording);
	result = result == 0 ? fold(recording) : result;
	if (recording->recorder != NULL && result == 0) {
		recorder_finish(recording->recorder, &end);
		result = judge_time(recording, &end);
	}
	// The picture takes the stacks apart, so it comes last.
	bool done = result == 0 && write_kind(recording, KIND_RECORDING) == 0 &&
		    write_kind(recording, KIND_FOLDED) == 0 && draw(recording) == 0 &&
		    write_kind(recording, KIND_PICTURE) == 0 &&
		    palette_save(&recording->picture.palette, recording->run->diag) == 0;
	return done ? judge_program(recording, &end) : -1;
}

static void release(struct recording *recording) {
	recorder_free(recording->recorder);
	for (size_t i = 0; i < recording->results_n; i++) {
		if (recording->results[i].opened) {
			destination_close(&recording->results[i].to, false);
		}
	}
	for (size_t i = 0; recording->program != NULL && recording->program[i] != NULL; i++) {
		free(recording->program[i]);
	}
	free(recording->program);
	free(recording->processes);
	free(recording->results);
	picture_release(&recording->picture);
	profile_release(&recording->profile);
}

static int run(const struct command_run *run) {
	const struct graph_options *graph = OPT_VALUES(run->set, TABLE_GRAPH, struct graph_options);
	struct recording recording = {.run = run,
				      .options = OPT_VALUES(run->set, TABLE_OWN, struct options)};
	profile_init(&recording.profile, graph->flamechart ? PROFILE_TIMELINE : PROFILE_STACKS);
	int result = picture_init(&recording.picture,
				  OPT_VALUES(run->set, TABLE_PICTURE, struct picture_options),
				  graph, run->set, run->diag);
	if (result == 0) {
		result = open_results(&recording) != 0 ? -1 : work(&recording);
	}
	release(&recording);
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct options, field)

static const struct opt option_rows[] = {
	{FIELD(LIST, outputs), .name = "output", .letter = 'o', .value = "FILE", .group = "Output",
	 .help = "write here; the format follows the name: .svg, .folded, or .data for a recording "
		 "that perf reads, too; flamegraph.svg if not given"},
	{FIELD(BOOL, ignore_status), .name = "ignore-status", .group = "Output",
	 .help = "succeed even if the command fails"},
	{FIELD(UINT, rate), .name = "freq", .letter = 'F', .value = "HZ", .initial = "997",
	 .least = 1, .most = 1000000, .group = "Sampling",
	 .help = "samples a second of each busy thread"},
	{FIELD(CHOICE, event), .name = "event", .letter = 'e', .value = "EVENT", .initial = "auto",
	 .choices = record_events, .group = "Sampling",
	 .help = "what to sample; auto is cycles, or cpu-clock where there is no such counter"},
	{FIELD(TEXT, call_graph), .name = "call-graph", .value = "HOW", .initial = "fp",
	 .check = check_call_graph, .group = "Sampling",
	 .help = "how stacks are found: by frame pointers (fp), or by copying up to SIZE bytes of "
		 "each and unwinding them (dwarf,SIZE; 64000 if not given)"},
	{FIELD(BOOL, frame_pointers), .letter = 'g', .name = "fp", .conflicts = "call-graph",
	 .group = "Sampling", .help = "the same as --call-graph fp"},
	{FIELD(TEXT, processes), .name = "pid", .letter = 'p', .value = "PID,...",
	 .check = check_processes, .group = "Sampling",
	 .help = "sample running processes, until they end or Ctrl-C is pressed"},
	{FIELD(BOOL, everything), .name = "all-cpus", .letter = 'a', .group = "Sampling",
	 .help = "sample all processes, until Ctrl-C is pressed"},
	{FIELD(REAL, duration), .name = "duration", .value = "SECONDS", .flags = OPT_POSITIVE,
	 .group = "Sampling", .help = "stop after this time, and end the command"},
	{FIELD(PATH, perfdata), .name = "perfdata", .value = "FILE",
	 .conflicts = "freq event call-graph fp duration", .group = "Sampling",
	 .help = "sample nothing, but read this recording of perf"},
	{FIELD(BOOL, no_inline), .name = "no-inline", .group = "Stacks",
	 .help = "leave out functions that the compiler inlined"},
	{FIELD(LIST, skip_after), .name = "skip-after", .value = "NAME", .group = "Stacks",
	 .help = "cut off the callers of this function"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno record ./program", "run a program, and draw where its time goes"},
	{"inferno record --call-graph dwarf -o out.svg -o out.folded -- ./program --fast",
	 "do so for a program without frame pointers, and write folded stacks, too"},
	{"inferno record --pid 1234 --duration 10", "sample a running process for ten seconds"},
	{NULL, NULL},
};

const struct command command_record = {
	.name = "record",
	.brief = "sample a program while it runs, and draw a flame graph",
	.about = "Runs a command, samples it and all processes that it starts, and writes a flame "
		 "graph when it ends. perf is not needed. Stacks are folded while they are "
		 "sampled, so no other file is written, unless --output names one.\n\n"
		 "What the kernel does not allow is left out, and one line says what that is: "
		 "without a hardware counter cpu-clock is sampled; users who may not sample the "
		 "kernel get the stacks of their programs.\n\n"
		 "Ctrl-C ends the command; the result is still written. If the command fails, so "
		 "does inferno, with the same status, after it has written the result.",
	.examples = examples,
	.operands = "[COMMAND [ARGUMENT...]]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct options)},
		   [TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.check = check,
	.run = run,
	.one_thread = true,
	.runs_program = true,
	.names_outputs = true,
};
