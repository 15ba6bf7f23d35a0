/* Runs other profilers, and finds what they recorded. */
#include "commands/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/opt.h"
#include "base/process.h"
#include "base/scratch.h"

struct session {
	const struct backend_job *job;
	struct diag *diag;
	struct arena arena; // texts of command lines
	struct words words;
	char *folder;     // a temporary one; NULL: there is none
	const char *path; // of what is recorded
};

/** What is known of a profiler. */
struct tool {
	const char *variable; // that names the program
	const char *program;
	const char *format;
	const char *outputs; // its options that name what it writes, separated by blanks
	int (*add)(struct session *session); // add its usual arguments and what is sampled
};

const char *const backend_names[] = {"own", "perf", "dtrace", "xctrace", NULL};

enum backend backend_usual(void) {
#if defined(__linux__)
	return BACKEND_PERF;
#elif defined(__APPLE__)
	return BACKEND_XCTRACE;
#else
	return BACKEND_DTRACE;
#endif
}

/* --- Command lines -------------------------------------------------------------------------- */

/** Add a word with a number in it. */
__attribute__((format(printf, 2, 3))) static void add_made(struct session *session,
							   const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	words_add(&session->words, arena_copy(&session->arena, buf_text(&text), text.n));
	buf_release(&text);
}

/** Add an option for the one process that a profiler can sample at a time. */
static int add_process(struct session *session, const char *option) {
	const char *process = session->job->processes;
	if (strchr(process, ',') != NULL) {
		return diag_error(session->diag, "'%s' samples one process at a time",
				  quote(str_of(session->words.items[0])).text);
	}
	words_add_all(&session->words, option, process, NULL);
	return 0;
}

static void add_program(struct session *session) {
	for (char *const *word = session->job->program; word != NULL && *word != NULL; word++) {
		words_add(&session->words, *word);
	}
}

static int add_perf(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	if (job->words == NULL) {
		words_add_all(words, "record", "--no-buildid-cache", "-F", NULL);
		add_made(session, "%llu", (unsigned long long)job->rate);
		words_add_all(words, "--call-graph", job->call_graph, NULL);
		if (job->event != NULL) {
			words_add_all(words, "-e", job->event, NULL);
		}
	}
	if (job->compression > 0) {
		add_made(session, "--compression-level=%llu", (unsigned long long)job->compression);
	}
	if (session->folder != NULL) {
		words_add_all(words, "-o", session->path, NULL);
	}
	if (job->program != NULL) {
		words_add(words, "--");
		add_program(session);
	} else if (job->processes != NULL) {
		words_add_all(words, "-p", job->processes, NULL);
	} else {
		words_add(words, "-a");
	}
	return 0;
}

/** Add a program as dtrace takes it: one word, which it cuts at blanks. */
static int add_joined(struct session *session) {
	struct buf text = {0};
	bool good = true;
	for (char *const *word = session->job->program; *word != NULL; word++) {
		good = good && strpbrk(*word, " \t\n") == NULL && **word != '\0';
		buf_printf(&text, "%s%s", text.n == 0 ? "" : " ", *word);
	}
	words_add(&session->words, "-c");
	add_made(session, "%s", buf_text(&text));
	buf_release(&text);
	return good ? 0
		    : diag_error(session->diag, "dtrace cannot run a program with a blank in its "
						"name or its arguments; use --pid");
}

static int add_dtrace(struct session *session) {
	const struct backend_job *job = session->job;
	struct words *words = &session->words;
	if (job->words == NULL) {
		words_add_all(words, "-x", "ustackframes=100", "-n", NULL);
		add_made(session, "profile-%llu%s { @[ustack(100)] = count(); }",
			 (unsigned long long)job->rate,
			 job->program == NULL && job->processes == NULL ? "" : " /pid == $target/");
	}
	if (session->folder != NULL) {
		words_add_all(words, "-o", session->path, NULL);
	}
	return job->program != NULL     ? add_joined(session)
	       : job->processes != NULL ? add_process(session, "-p")
					: 0;
}

static int add_xctrace(struct session *session) {
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
		add_program(session);
	} else if (job->processes == NULL) {
		words_add(words, "--all-processes");
	}
	return job->processes == NULL ? 0 : add_process(session, "--attach");
}

static const struct tool tools[] = {
	[BACKEND_PERF] = {"PERF", "perf", "perf", "-o --output", add_perf},
	[BACKEND_DTRACE] = {"DTRACE", "dtrace", "dtrace", "-o", add_dtrace},
	[BACKEND_XCTRACE] = {"XCTRACE", "xctrace", "xctrace", "--output", add_xctrace},
};

/** Return the file that the profiler's own arguments name for its output, or NULL. */
static const char *named_output(const struct words *words, const char *options) {
	for (size_t i = 1; i < words->n; i++) {
		struct str rest = str_of(words->items[i]), name = str_cut(&rest, '=');
		bool joined = name.n < strlen(words->items[i]);
		if (opt_names_have(options, name)) {
			return joined ? rest.p : words->items[i + 1];
		}
		bool letter = str_starts(name, STR("-o")) && opt_names_have(options, STR("-o"));
		if (letter && !str_starts(name, STR("--"))) {
			return words->items[i] + 2;
		}
	}
	return NULL;
}

static void add_tool(struct session *session, const struct tool *tool) {
	const char *named = getenv(tool->variable);
	words_add(&session->words, named == NULL || *named == '\0' ? tool->program : named);
}

/** Make the command line, and a temporary folder if the output has no name. */
static int prepare(struct session *session, const struct tool *tool) {
	const struct backend_job *job = session->job;
	add_tool(session, tool);
	if (job->words != NULL) {
		(void)words_split(&session->words, job->words, &session->arena); // it was checked
	}
	session->path = named_output(&session->words, tool->outputs);
	if (session->path == NULL) {
		struct buf text = {0};
		buf_printf(&text, "%s/inferno-XXXXXX", scratch_folder());
		char *folder = arena_copy(&session->arena, buf_text(&text), text.n);
		buf_add_text(&text, "/out.trace"); // the name that xctrace wants
		if (mkdtemp(folder) == NULL) {
			buf_release(&text);
			return diag_error(session->diag, "cannot make the folder '%s': %s", folder,
					  strerror(errno));
		}
		memcpy(text.p, folder, strlen(folder));
		session->folder = folder;
		session->path = arena_copy(&session->arena, buf_text(&text), text.n);
		buf_release(&text);
	}
	return tool->add(session);
}

/* --- Running -------------------------------------------------------------------------------- */

/** The profiler that runs; 0: none. A signal handler has no other way to know it. */
static volatile sig_atomic_t running;

/** Pass a signal on, unless the terminal has sent it to the profiler, too. */
static void on_signal(int number, siginfo_t *about, void *context) {
	(void)context;
	int before = errno;
#ifdef SI_KERNEL
	bool for_all = about->si_code == SI_KERNEL;
#else
	bool for_all = number == SIGINT && about->si_pid == 0;
#endif
	if (running > 0 && !for_all) {
		kill((pid_t)running, number);
	}
	errno = before;
}

static double seconds_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/** Let a program run for some time at most. */
static void limit(const struct process *process, double duration) {
	enum { BETWEEN_NS = 20000000 };
	double end = seconds_now() + duration;
	siginfo_t about = {0};
	while (seconds_now() < end && about.si_pid == 0 &&
	       waitid(P_PID, (id_t)process->pid, &about, WEXITED | WNOHANG | WNOWAIT) == 0) {
		nanosleep(&(struct timespec){.tv_nsec = BETWEEN_NS}, NULL);
	}
	if (about.si_pid == 0) {
		kill(process->pid, SIGINT);
	}
}

/** Run a profiler to its end. Return its status, or -1 after diag_error(). */
static int run(const struct session *session) {
	struct process process;
	if (process_start(&process, session->words.items, 0, session->diag) != 0) {
		process_wait(&process);
		return -1;
	}
	running = (sig_atomic_t)process.pid;
	if (session->job->duration > 0) {
		limit(&process, session->job->duration);
	}
	int status = process_wait(&process);
	running = 0;
	return status;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
	(void)about, (void)kind, (void)place;
	(void)remove(path);
	return 0;
}

/** Open what was recorded. Return 0, or -1 after diag_error(). */
static int open_recording(const struct session *session, struct backend_result *result) {
	result->fd = open(session->path, O_RDONLY | O_CLOEXEC);
	if (result->fd < 0) {
		return diag_error(session->diag, "'%s' recorded nothing: %s: %s",
				  quote(str_of(session->words.items[0])).text,
				  quote(str_of(session->path)).text, strerror(errno));
	}
	result->source = (struct source){
		.kind = SOURCE_DESCRIPTOR, .fd = result->fd, .name = session->words.items[0]};
	return 0;
}

/** Have xctrace print what it recorded. */
static int export_trace(struct session *session, struct backend_result *result) {
	const struct tool *tool = &tools[BACKEND_XCTRACE];
	struct process process;
	words_release(&session->words);
	add_tool(session, tool);
	words_add_all(&session->words, "export", "--input", session->path, "--xpath",
		      "/trace-toc/*/data/table[@schema=\"time-profile\"]", NULL);
	int failed =
		process_start(&process, session->words.items, PROCESS_TAKE, session->diag) != 0;
	int error = failed ? 0 : process_exchange(&process, STR(""), &result->text);
	int status = process_wait(&process);
	if (!failed && (status != 0 || error != 0)) {
		return diag_error(session->diag, "'%s export' failed with status %d",
				  quote(str_of(session->words.items[0])).text, status);
	}
	result->source = (struct source){.kind = SOURCE_MEMORY,
					 .memory = buf_text(&result->text),
					 .size = result->text.n,
					 .name = tool->program};
	return failed ? -1 : 0;
}

/** Record, and find what was recorded. */
static int record(struct session *session, struct backend_result *result) {
	const struct backend_job *job = session->job;
	int status = run(session);
	if (status < 0) {
		return -1;
	}
	bool interrupted = status == 128 + SIGINT || status == 128 + SIGTERM;
	result->status = job->backend == BACKEND_PERF && job->program != NULL ? status : 0;
	if (status != 0 && !interrupted && result->status == 0 && !job->ignores_status) {
		return diag_error(session->diag, "'%s' failed with status %d",
				  quote(str_of(session->words.items[0])).text, status);
	}
	return job->backend == BACKEND_XCTRACE ? export_trace(session, result)
					       : open_recording(session, result);
}

int backend_run(const struct backend_job *job, struct backend_result *result, struct diag *diag) {
	static const int caught[] = {SIGINT, SIGTERM};
	enum { CAUGHT = sizeof(caught) / sizeof(*caught), OPEN_FOLDERS = 16 };
	const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	struct sigaction before[CAUGHT];
	struct session session = {.job = job, .diag = diag};
	const struct tool *tool = &tools[job->backend];
	*result = (struct backend_result){.fd = -1, .format = tool->format};
	for (size_t i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN) {
			sigaction(caught[i], &action, NULL);
		}
	}
	int outcome = prepare(&session, tool) == 0 ? record(&session, result) : -1;
	// What was recorded stays readable through its descriptor.
	if (session.folder != NULL) {
		nftw(session.folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	}
	for (size_t i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], &before[i], NULL);
	}
	result->source.name = tool->program;
	words_release(&session.words);
	arena_release(&session.arena);
	return outcome;
}

void backend_release(struct backend_result *result) {
	if (result->format != NULL && result->fd >= 0) {
		close(result->fd);
	}
	buf_release(&result->text);
}
