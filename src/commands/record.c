/* The command record: sample a program that the command line names. */
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "base/utf8.h"
#include "collapse/sniff.h"
#include "commands/outputs.h"
#include "commands/recording.h"
#include "commands/sampling.h"

extern const struct command command_record;

/** The targets other than a program. */
struct own_options {
	const char *processes, *perfdata, *group, *user;
	const char *helps; // name of the recorder's socket, if this process is its helper
	bool everything;
};

/** Return the words of the command line as an array for exec(), or NULL if there are none. */
static char **record_program_of(const struct command_run *run) {
	if (run->sources_n == 0) {
		return NULL;
	}
	char **program = mem_new(run->sources_n + 1, sizeof(*program));
	for (size_t i = 0; i < run->sources_n; i++) {
		program[i] = strdup(run->sources[i].path);
		if (program[i] == NULL) {
			inferno_out_of_memory();
		}
	}
	return program;
}

static void record_free_program(char **program) {
	for (size_t i = 0; program != NULL && program[i] != NULL; i++) {
		free(program[i]);
	}
	free(program);
}

/** Return whether a source is a file in a format that is recognised. */
static bool record_is_profile(const struct source *source) {
	struct diag diag = {0};
	struct sniffed sniffed = {0};
	struct input *input = source_is_file(source) ? input_open(source, &diag) : NULL;
	bool found =
		input != NULL && sniff_input(input, NULL, &sniffed) == 0 && sniffed.format != NULL;
	if (input != NULL) {
		input_close(input);
	}
	diag_release(&diag);
	return found;
}

/** Print a hint for users who expect this command to draw a profile. The link flamegraph, which
 * runs this command, is also the name of another program that draws. */
static int record_check_program(const struct command_run *run) {
	if (run->sources_n != 1) {
		return 0;
	}
	const char *name = run->sources[0].path;
	struct buf path = {0};
	bool wrong = !process_find(name, &path) && record_is_profile(&run->sources[0]);
	buf_release(&path);
	return wrong ? diag_error(
			       run->diag,
			       "%s is a profile, not a program; to draw it: inferno flamegraph %s",
			       name, name)
		     : 0;
}

/** Without --style, choose the modern style, and set the title of a flame graph to the name of the
 * program. `title` owns the text of the title. */
static void record_choose_look(const struct command_run *run, struct buf *title) {
	struct graph_options *graph = run->set->values[TABLE_GRAPH];
	struct picture_options *picture = run->set->values[TABLE_PICTURE];
	if (opt_given(run->set, "style")) {
		return;
	}
	graph->style = STYLE_MODERN;
	if (picture->title == NULL && !graph->flamechart && run->sources_n > 0) {
		const char *path = run->sources[0].path, *slash = strrchr(path, '/');
		utf8_repair(title, str_of(slash == NULL ? path : slash + 1));
		picture->title = buf_text(title);
	}
}

static int record_run(const struct command_run *run) {
	const struct own_options *options = OPT_VALUES(run->set, TABLE_OWN, struct own_options);
	if (options->helps != NULL) {
		return sampling_serve_root(options->helps, run->diag);
	}
	char **program = record_program_of(run);
	struct buf title = {0};
	record_choose_look(run, &title);
	const struct recording_target target = {.program = program,
						.processes = options->processes,
						.everything = options->everything,
						.group = options->group,
						.user = options->user,
						.perfdata = options->perfdata};
	int result = record_check_program(run) == 0 ? recording_run(run, &target) : -1;
	record_free_program(program);
	buf_release(&title);
	return result;
}

/** Check that exactly one target is given. */
static int record_check(const struct opt_set *set, size_t operands, struct diag *diag) {
	const struct own_options *options = OPT_VALUES(set, TABLE_OWN, struct own_options);
	if (options->helps != NULL) {
		return 0;
	}
	bool in_group = options->group != NULL && !options->everything; // -a has no effect then
	int ways = (operands > 0) + (options->processes != NULL) + options->everything + in_group +
		   (options->user != NULL) + (options->perfdata != NULL);
	if (ways != 1) {
		return diag_error(diag, ways == 0 ? "expected a command to run, or one of --pid, "
						    "--uid, --cgroup, --all-cpus and --perfdata; "
						    "to draw folded stacks: inferno flamegraph FILE"
						  : "a command to run, --pid, --uid, --cgroup, "
						    "--all-cpus and --perfdata exclude each other");
	}
	return recording_check(&command_record, set, options->perfdata != NULL, diag);
}

#define FIELD(kind, field) OPT_IS_##kind(struct own_options, field)

static const struct opt own_rows[] = {
	{FIELD(TEXT, processes), .name = "pid", .letter = 'p', .value = "PID,...",
	 .check = recording_check_processes, .conflicts = "repeat", .group = "Instead of a command",
	 .help = "sample running processes, until they end or Ctrl-C is pressed"},
	{FIELD(BOOL, everything), .name = "all-cpus", .letter = 'a', .conflicts = "repeat",
	 .group = "Instead of a command", .help = "sample all processes, until Ctrl-C is pressed"},
	{FIELD(TEXT, group), .name = "cgroup", .letter = 'G', .value = "NAME",
	 .conflicts = "repeat", .group = "Instead of a command",
	 .help = "sample a control group, for example of a container, until Ctrl-C is pressed; "
		 "NAME is its path, its name, or the start of a container's id"},
	{FIELD(TEXT, user), .name = "uid", .also = "user", .letter = 'u', .value = "USER",
	 .conflicts = "repeat", .group = "Instead of a command",
	 .help = "sample the running processes of this user, and all processes that these start, "
		 "until they end or Ctrl-C is pressed"},
	{FIELD(PATH, perfdata), .name = "perfdata", .value = "FILE",
	 .conflicts = "freq count event cpus user-only kernel-only call-graph fp delay duration "
		      "repeat backend cmd",
	 .group = "Instead of a command", .help = "sample nothing, but read this perf recording"},
	{FIELD(TEXT, helps), .name = "root-helper", .value = "NAME", .flags = OPT_HIDDEN,
	 .help = "open counters as root for 'inferno record --root', which starts this helper "
		 "itself"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno record ./program", "run a program, and draw where it spends its time"},
	{"inferno record -o out.svg -o out.folded -- ./program --fast",
	 "run a program, draw a picture, and write folded stacks"},
	{"inferno record --repeat 50 ./short", "add up the samples of 50 runs of a short program"},
	{"inferno record --pid 1234 --duration 10", "sample a running process for ten seconds"},
	{NULL, NULL},
};

const struct command command_record = {
	.name = "record",
	.link = "flamegraph",
	.brief = "sample a program while it runs, and draw a flame graph",
	.task = TASK_RECORD,
	.about = "Runs a command, samples the command and all processes that it starts, and "
		 "writes a flame graph when the command ends. perf is not needed, and no recording "
		 "is stored unless --output names a file that ends in .data. The flame graph has "
		 "the modern style. With --style=classic, or if the command is called as "
		 "flamegraph, it has the classic style.\n"
		 "\n"
		 "A line on standard error says how many samples were taken. If samples were lost, "
		 "stacks were cut off, or frames have no names, the line also says how to avoid "
		 "this.\n"
		 "\n"
		 "Ctrl-C ends the command, and inferno still writes the result. A second Ctrl-C "
		 "kills the command. If the command fails, inferno writes the result and ends with "
		 "the same status.",
	.details =
		"inferno copies and unwinds stacks, so stacks are complete even if programs have "
		"no frame pointers. The frame [truncated] stands for missing callers, and [other "
		"stack] for callers on a stack that was not copied.\n\n"
		"If the kernel forbids a part of the sampling, inferno samples the rest, and a "
		"message names the missing part. Without a hardware counter, inferno samples "
		"cpu-clock. For users who may not sample the kernel, the stacks contain only the "
		"functions of programs, and the frame [kernel, not permitted] has the time in the "
		"kernel.\n\n"
		"--event takes the names of 'perf list': hardware and cache events, software "
		"events, raw events such as r1a8, cpu/event=0x3c,umask=1/, mem:ADDRESS:w, and "
		"tracepoints and probes such as 'sched:*', with modifiers such as :u. Each "
		"occurrence of a tracepoint or a fault is a sample, unless --count or --freq says "
		"otherwise. The events of a group in braces are sampled separately.\n\n"
		"With --root, sudo runs a helper that opens the counters and reads the kernel's "
		"symbols. The command runs as the user, and the files belong to the user.\n\n"
		"For root, and with --root, inferno runs the command in a separate control group. "
		"Then even very short threads and processes get samples. Without a control group, "
		"a thread that runs for less than the time between two samples gets no sample. The "
		"frame [not sampled] then shows the time of each thread that no sample covers.\n\n"
		"In processes that run Python (2.7, 3.6 to 3.14), Perl, PHP, Ruby, Lua, node or "
		"Java (8, 11, 17, 21, 25), the functions of the script replace those of the "
		"interpreter, for example script.py:handler; --native keeps both. At each sample, "
		"inferno reads the functions of the script from the memory of the process, and "
		"changes nothing in the process. A message says how many of these stacks were "
		"exact. With --no-script, inferno does not read these functions.\n\n"
		"Java, .NET and, with --no-script, node and Python from 3.12 on generate code at "
		"run time, and publish the symbols of this code only on request. So inferno runs "
		"the command with DOTNET_PerfMapEnabled=1 and, in JDK_JAVA_OPTIONS, "
		"-XX:+PreserveFramePointer and -XX:+DumpPerfMapAtExit, in addition to the present "
		"values of these variables. With --no-script or --fp, it also sets "
		"NODE_OPTIONS=--perf-basic-prof, and with --no-script, PYTHONPERFSUPPORT=1. If one "
		"of these runtimes ran, a message says so. At the end, inferno removes the files "
		"with the symbols, except if it writes a recording (.data), which needs these "
		"files. --no-runtime-env sets no variables.\n\ninferno asks a Java program that "
		"already runs for its symbols, with the rights of the program's user, if the "
		"version is Java 17 or newer. Java then keeps a thread that waits for further "
		"requests. If inferno does not read the stacks of a version of Java from memory, "
		"all interpreted methods have the same frame, Interpreter, and the callers of "
		"compiled methods are shown only if Java was started with "
		"-XX:+PreserveFramePointer. If Java is killed, it publishes no symbols. Other "
		"runtimes have to be restarted, and a warning says how.\n\n"
		"With --backend, another profiler samples, and inferno reads its recording: perf; "
		"dtrace; xctrace or sample on macOS; pmcstat on FreeBSD. inferno's own sampler "
		"works only on Linux. On other systems, auto means xctrace (macOS), pmcstat "
		"(FreeBSD) or dtrace (illumos). dtrace, xctrace, sample and pmcstat were tested "
		"only with mock programs. sample attaches to a command that has already started, "
		"so samples of its first moments are missing. sample also rounds --duration up to "
		"whole seconds. pmcstat counts cycles instead of time, so --freq assumes a "
		"processor of 3 GHz.\n\n"
		"After Ctrl-C, inferno writes the result within a second. It waits for up to five "
		"seconds if Java still writes its symbols, or if another profiler still writes its "
		"recording. If reading a process or a file takes longer, inferno leaves it out, "
		"and a message names it. If the command does not end, inferno leaves it "
		"running.\n\n"
		"A link to inferno with the name flamegraph runs this command. Option "
		"--completions SHELL prints the completions for bash, zsh, fish, powershell or "
		"elvish.",
	.examples = examples,
	.usual = "pid all-cpus output open freq event off-cpu wall latency delay duration root",
	.operands = "[COMMAND [ARGUMENT...]]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {own_rows, sizeof(struct own_options)},
		   [TABLE_RECORDING] = {recording_rows, sizeof(struct recording_options)},
		   [TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		   [TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		   [TABLE_COLOURS] = {colour_rows, sizeof(struct colour_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.check = record_check,
	.output = "svg",
	.writes = EXPORT_ONE,
	.suffixes = RECORDING_SUFFIX,
	.run = record_run,
	.lacks_nthreads = true,
	.runs_program = true,
	.names_outputs = true,
};
