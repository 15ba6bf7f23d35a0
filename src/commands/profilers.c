/* The command lines of perf, dtrace, xctrace, sample and pmcstat. */
#include "commands/profilers.h"

#include <math.h>
#include <stdlib.h>

/** Add a word that contains a number. */
__attribute__((format(printf, 2, 3))) static void profilers_add_made(struct session *session,
								     const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	words_add(&session->words, arena_copy(&session->arena, buf_text(&text), text.n));
	buf_release(&text);
}

void profiler_add_sudo(struct session *session) {
	if (session->job->root != NULL) {
		words_add(&session->words, "sudo");
		(void)words_split(&session->words, session->job->root, &session->arena);
		words_add(&session->words, "--");
	}
}

void profiler_add_program(struct session *session, const struct profiler *profiler) {
	const char *named = getenv(profiler->variable);
	bool is_named = named != NULL && *named != '\0';
	session->name = is_named ? named : profiler->program;
	session->variable = is_named ? profiler->variable : NULL;
	words_add(&session->words, session->name);
}

/** Return the only process in the options. If there are several, return NULL after diag_error(),
 * because most profilers sample only one process at a time. */
static const char *profilers_one_process(const struct session *session) {
	const char *process = session->job->processes;
	if (strchr(process, ',') != NULL) {
		diag_error(session->diag, "'%s' samples one process at a time",
			   quote(str_of(session->name)).text);
		return NULL;
	}
	return process;
}

/** Add an option for the process. Return 0, or -1 after diag_error(). */
static int profilers_add_process(struct session *session, const char *option) {
	const char *process = profilers_one_process(session);
	words_add_all(&session->words, option, process, NULL);
	return process == NULL ? -1 : 0;
}

static void profilers_add_program(struct session *session) {
	for (char *const *word = session->job->program; word != NULL && *word != NULL; word++) {
		words_add(&session->words, *word);
	}
}

/* --- perf ----------------------------------------------------------------------------------- */

static int profilers_add_perf(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	if (job->words == NULL) {
		words_add_all(words, "record", "--no-buildid-cache", job->period > 0 ? "-c" : "-F",
			      NULL);
		profilers_add_made(session, "%llu",
				   (unsigned long long)(job->period > 0 ? job->period : job->rate));
		words_add_all(words, "--call-graph", job->call_graph, NULL);
		for (size_t i = 0; i < job->events->n; i++) {
			if (strcmp(job->events->items[i], "auto") != 0) {
				words_add_all(words, "-e", job->events->items[i], NULL);
			}
		}
	}
	if (job->compression > 0) {
		profilers_add_made(session, "--compression-level=%llu",
				   (unsigned long long)job->compression);
	}
	if (session->folder != NULL) {
		words_add_all(words, "-o", session->path, NULL);
	}
	if (job->program != NULL) {
		words_add(words, "--");
		profilers_add_program(session);
	} else if (job->processes != NULL) {
		words_add_all(words, "-p", job->processes, NULL);
	} else {
		words_add(words, "-a");
	}
	return 0;
}

#ifdef HAVE_PERF_DATA
enum { READS_PERF_DATA = true };
#else
enum { READS_PERF_DATA = false };
#endif

static void profilers_add_perf_script(struct session *session) {
	words_add_all(&session->words, "script", "-i", session->path, NULL);
}

/* --- dtrace --------------------------------------------------------------------------------- */

/** Add a program in the form for dtrace: one word, which dtrace splits at blanks. */
static int profilers_add_joined(struct session *session) {
	struct buf text = {0};
	bool good = true;
	for (char *const *word = session->job->program; *word != NULL; word++) {
		good = good && strpbrk(*word, " \t\n") == NULL && **word != '\0';
		buf_printf(&text, "%s%s", text.n == 0 ? "" : " ", *word);
	}
	words_add(&session->words, "-c");
	profilers_add_made(session, "%s", buf_text(&text));
	buf_release(&text);
	return good ? 0
		    : diag_error(session->diag, "dtrace cannot run a program with a blank in its "
						"name or its arguments; use --pid");
}

static int profilers_add_dtrace(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	if (job->words == NULL) {
		words_add_all(words, "-x", "ustackframes=100", "-n", NULL);
		profilers_add_made(
			session, "profile-%llu%s { @[ustack(100)] = count(); }",
			(unsigned long long)job->rate,
			job->program == NULL && job->processes == NULL ? "" : " /pid == $target/");
	}
	if (session->folder != NULL) {
		words_add_all(words, "-o", session->path, NULL);
	}
	return job->program != NULL     ? profilers_add_joined(session)
	       : job->processes != NULL ? profilers_add_process(session, "-p")
					: 0;
}

/* --- xctrace -------------------------------------------------------------------------------- */

static int profilers_add_xctrace(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	if (job->words == NULL) {
		words_add_all(words, "record", "--template", "Time Profiler", NULL);
	}
	if (session->folder != NULL) {
		words_add_all(words, "--output", session->path, NULL);
	}
	if (job->program != NULL) {
		words_add_all(words, "--target-stdout", "-", "--launch", "--", NULL);
		profilers_add_program(session);
	} else if (job->processes == NULL) {
		words_add(words, "--all-processes");
	}
	return job->processes == NULL ? 0 : profilers_add_process(session, "--attach");
}

static void profilers_add_xctrace_export(struct session *session) {
	words_add_all(&session->words, "export", "--input", session->path, "--xpath",
		      "/trace-toc/*/data/table[@schema=\"time-profile\"]", NULL);
}

/* --- sample --------------------------------------------------------------------------------- */

/** Add the arguments of sample for the duration in whole seconds and the interval in milliseconds.
 * Without --duration, pass a duration of a day, so that sample runs until the program ends. */
static void profilers_add_sample_times(struct session *session) {
	const struct backend_job *job = session->job;
	const uint64_t second = 1000, most = 86400;
	uint64_t between = job->rate > second ? 1 : second / job->rate;
	profilers_add_made(session, "%.0f", job->duration > 0 ? ceil(job->duration) : (double)most);
	profilers_add_made(session, "%llu", (unsigned long long)between);
}

static int profilers_add_sample_process(struct session *session) {
	const struct backend_job *job = session->job;
	if (job->program == NULL && job->processes == NULL) {
		return diag_error(session->diag,
				  "'%s' samples one process: name a command or --pid",
				  quote(str_of(session->name)).text);
	}
	if (job->program != NULL) {
		profilers_add_made(session, "%ld", (long)session->program.pid);
	} else if (profilers_one_process(session) != NULL) {
		words_add(&session->words, job->processes);
	} else {
		return -1;
	}
	return 0;
}

static int profilers_add_sample(struct session *session) {
	if (session->job->words == NULL) {
		profilers_add_sample_times(session);
		words_add(&session->words, "-mayDie"); // -mayDie: look up the names of functions
						       // before the program ends
	}
	if (session->folder != NULL) {
		words_add_all(&session->words, "-file", session->path, NULL);
	}
	return 0;
}

/* --- pmcstat -------------------------------------------------------------------------------- */

static int profilers_add_pmcstat(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	bool everything = job->program == NULL && job->processes == NULL;
	if (job->words == NULL) {
		// pmcstat takes a sample after a number of cycles, not after a time, so assume a
		// processor of 3 GHz.
		const double cycles = 3e9;
		words_add(words, "-n");
		profilers_add_made(session, "%.0f", fmax(1, cycles / (double)job->rate));
		if (!everything) {
			words_add(words, "-d"); // children, too
		}
		words_add_all(words, everything ? "-S" : "-P", "unhalted-cycles", NULL);
	}
	if (session->folder != NULL) {
		words_add_all(words, "-O", session->path, NULL);
	}
	profilers_add_program(session);
	return job->processes == NULL ? 0 : profilers_add_process(session, "-t");
}

static void profilers_add_pmcstat_export(struct session *session) {
	words_add_all(&session->words, "-R", session->path, "-z", "128", "-G", "-", NULL);
}

/* --- All ------------------------------------------------------------------------------------ */

const struct profiler *profiler_of(enum backend backend) {
	static const struct profiler profilers[] = {
		[BACKEND_PERF] = {.variable = "PERF",
				  .program = "perf",
				  .format = "perf",
				  .outputs = "-o --output",
				  .passes_status = true,
				  .add = profilers_add_perf,
				  .add_export = READS_PERF_DATA ? NULL : profilers_add_perf_script},
		[BACKEND_DTRACE] = {.variable = "DTRACE",
				    .program = "dtrace",
				    .format = "dtrace",
				    .outputs = "-o",
				    .add = profilers_add_dtrace},
		[BACKEND_XCTRACE] = {.variable = "XCTRACE",
				     .program = "xctrace",
				     .format = "xctrace",
				     .outputs = "--output",
				     .add = profilers_add_xctrace,
				     .add_export = profilers_add_xctrace_export},
		[BACKEND_SAMPLE] = {.variable = "SAMPLE",
				    .program = "sample",
				    .format = "sample",
				    .outputs = "-file",
				    .add_first = profilers_add_sample_process,
				    .has_time = true,
				    .add = profilers_add_sample},
		[BACKEND_PMCSTAT] = {.variable = "PMCSTAT",
				     .program = "pmcstat",
				     .format = "pmc",
				     .outputs = "-O",
				     .add = profilers_add_pmcstat,
				     .add_export = profilers_add_pmcstat_export},
	};
	return &profilers[backend];
}
