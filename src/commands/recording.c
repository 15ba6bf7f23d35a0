/* Sample a program, or read what was sampled, and write all that is asked for. */
#include "commands/recording.h"

#include <signal.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/process.h"
#include "commands/results.h"
#include "plot/svg.h"
#include "profile/folded.h"
#include "record/record.h"

struct recording {
	const struct command_run *run;
	const struct recording_options *options;
	const struct recording_subject *subject;
	struct results results;
	struct recorder *recorder; // NULL: a recording is read
	int32_t *processes;
	size_t processes_n;
	struct profile profile;
	struct picture picture;
};

/* --- Options -------------------------------------------------------------------------------- */

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

const char *recording_check_processes(const char *text) {
	struct str list = str_of(text);
	bool good = !str_ends(list, STR(","));
	do {
		good = next_process(&list) != 0 && good;
	} while (list.n > 0);
	return good ? NULL : "the numbers of processes, such as 1234 or 1234,1235";
}

int recording_check(const struct opt_set *set, bool reads, struct diag *diag) {
	const struct recording_options *options =
		OPT_VALUES(set, TABLE_RECORDING, struct recording_options);
	for (size_t i = 0; i < options->outputs.n; i++) {
		enum result_kind kind = result_kind_of(options->outputs.items[i]);
		if (kind == RESULT_UNKNOWN) {
			return diag_error(diag,
					  "'%s': the name of an output has to end in .svg, "
					  ".folded or .data",
					  quote(str_of(options->outputs.items[i])).text);
		}
		if (kind == RESULT_RECORDING && reads) {
			return diag_error(diag,
					  "--perfdata reads a recording, so '%s' would be a "
					  "copy",
					  quote(str_of(options->outputs.items[i])).text);
		}
		if (kind == RESULT_FOLDED && opt_given(set, "flamechart")) {
			return diag_error(diag, "--flamechart keeps the order of stacks, which "
						"folded stacks do not have");
		}
	}
	return 0;
}

/* --- Sampling ------------------------------------------------------------------------------- */

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
	const struct recording_options *options = recording->options;
	const struct recording_subject *subject = recording->subject;
	struct record_options wanted = {
		.program = subject->program,
		.rate = options->rate,
		.event = options->event,
		.time = options->off_cpu ? RECORD_OFF_CPU
			: options->wall  ? RECORD_WALL
					 : RECORD_ON_CPU,
		.delay = options->delay,
		.duration = options->duration,
		.no_user_chain = results_have(&recording->results, RESULT_RECORDING),
	};
	const char *call_graph = options->call_graph;
	if (call_graph == NULL) {
		bool copies = subject->copies_stacks && !options->frame_pointers;
		call_graph = copies && record_copies_stacks() ? "dwarf" : "fp";
	}
	(void)parse_call_graph(call_graph, &wanted);
	if (subject->program != NULL) {
		process_note(subject->program, recording->run->diag);
	}
	if (subject->processes != NULL) {
		read_processes(recording, subject->processes);
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
	if (n > 0) {
		results_append(&recording->results, RESULT_RECORDING, bytes, (size_t)n);
	}
	return n;
}

/** Return what messages call the recording. */
static const char *name_of(const struct recording *recording) {
	if (recording->subject->program == NULL) {
		return "the recording";
	}
	const char *path = recording->subject->program[0], *slash = strrchr(path, '/');
	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* --- Folding -------------------------------------------------------------------------------- */

/** Set the options of the format that record shares with it. */
static int set_format(struct opt_set *set, const struct recording_options *options,
		      struct diag *diag) {
	const struct {
		bool given;
		struct str name;
	} flags[] = {{true, STR("from-recorder")},
		     {options->no_inline, STR("no-inline")},
		     {options->off_cpu, STR("off-cpu")},
		     {options->wall, STR("wall")}};
	int result = 0;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags) && result == 0; i++) {
		if (flags[i].given) {
			result = opt_set(set, opt_by_name(set, flags[i].name), NULL, diag);
		}
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
	struct source source = {.path = recording->subject->perfdata};
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
	if (!results_have(&recording->results, RESULT_PICTURE)) {
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
			   quote(str_of(recording->subject->program[0])).text, end->signal,
			   strsignal(end->signal));
	} else {
		diag_error(diag, "'%s' failed with status %d",
			   quote(str_of(recording->subject->program[0])).text, end->status);
	}
	return COMMAND_PROGRAM_FAILED;
}

/** Say how much time is not in the result. */
static int judge_time(const struct recording *recording, const struct record_end *end) {
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

static void fill_folded(struct output *out, void *profile) {
	folded_write(profile, out);
}

static void fill_picture(struct output *out, void *picture) {
	svg_write(out, picture);
}

/** Sample or read, fold, and write. */
static int work(struct recording *recording) {
	struct record_end end = {0};
	int result = recording->subject->perfdata != NULL ? 0 : start(recording);
	result = result == 0 ? fold(recording) : result;
	if (recording->recorder != NULL && result == 0) {
		recorder_finish(recording->recorder, &end);
		result = judge_time(recording, &end);
	}
	// The picture takes the stacks apart, so it comes last.
	struct results *results = &recording->results;
	bool done =
		result == 0 && results_complete(results, RESULT_RECORDING) == 0 &&
		results_write(results, RESULT_FOLDED, fill_folded, &recording->profile) == 0 &&
		draw(recording) == 0 &&
		results_write(results, RESULT_PICTURE, fill_picture, &recording->picture) == 0 &&
		palette_save(&recording->picture.palette, recording->run->diag) == 0;
	return done ? judge_program(recording, &end) : -1;
}

static void release(struct recording *recording) {
	recorder_free(recording->recorder);
	results_release(&recording->results);
	free(recording->processes);
	picture_release(&recording->picture);
	profile_release(&recording->profile);
}

int recording_run(const struct command_run *run, const struct recording_subject *subject) {
	const struct graph_options *graph = OPT_VALUES(run->set, TABLE_GRAPH, struct graph_options);
	struct recording recording = {
		.run = run,
		.subject = subject,
		.options = OPT_VALUES(run->set, TABLE_RECORDING, struct recording_options)};
	profile_init(&recording.profile, graph->flamechart ? PROFILE_TIMELINE : PROFILE_STACKS);
	int result = picture_init(&recording.picture,
				  OPT_VALUES(run->set, TABLE_PICTURE, struct picture_options),
				  graph, run->set, run->diag);
	if (result == 0) {
		// Open the files before anything runs, as they may not be writable.
		result = results_open(&recording.results, &recording.options->outputs,
				      "flamegraph.svg", run->diag);
		result = result == 0 ? work(&recording) : result;
	}
	release(&recording);
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct recording_options, field)

const struct opt recording_rows[] = {
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
	{FIELD(TEXT, call_graph), .name = "call-graph", .value = "HOW", .check = check_call_graph,
	 .group = "Sampling",
	 .help = "how stacks are found: by frame pointers (fp), or by copying up to SIZE bytes of "
		 "each and unwinding them (dwarf,SIZE; 64000 if not given); by default fp, for "
		 "cargo "
		 "flamegraph dwarf"},
	{FIELD(BOOL, frame_pointers), .letter = 'g', .name = "fp", .conflicts = "call-graph",
	 .group = "Sampling", .help = "the same as --call-graph fp"},
	{FIELD(BOOL, off_cpu), .name = "off-cpu", .conflicts = "event freq", .group = "Sampling",
	 .help = "record where threads wait instead of where they run, in nanoseconds"},
	{FIELD(BOOL, wall), .name = "wall", .conflicts = "off-cpu", .group = "Sampling",
	 .help = "record where threads run and where they wait, in nanoseconds; the frame "
		 "[waiting] is under the frame that waits"},
	{FIELD(REAL, delay), .name = "delay", .value = "SECONDS", .flags = OPT_POSITIVE,
	 .group = "Sampling", .help = "start sampling after this time; the command runs meanwhile"},
	{FIELD(REAL, duration), .name = "duration", .value = "SECONDS", .flags = OPT_POSITIVE,
	 .group = "Sampling",
	 .help = "stop this long after the sampling started, and end the command"},
	{FIELD(BOOL, no_inline), .name = "no-inline", .group = "Stacks",
	 .help = "leave out functions that the compiler inlined"},
	{FIELD(LIST, skip_after), .name = "skip-after", .value = "NAME", .group = "Stacks",
	 .help = "cut off the callers of this function"},
	{.type = OPT_END},
};
