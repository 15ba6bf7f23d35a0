/* Run other profilers, and find their recordings. */
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

#include "base/cannot_run.h"
#include "base/opt.h"
#include "base/scratch.h"
#include "base/stop.h"
#include "commands/profilers.h"

const char *const backend_names[] = {"auto",    "own",    "perf",    "dtrace",
				     "xctrace", "sample", "pmcstat", NULL};

enum backend backend_usual(void) {
#if defined(__APPLE__)
	return BACKEND_XCTRACE;
#elif defined(__FreeBSD__)
	return BACKEND_PMCSTAT;
#elif defined(__sun)
	return BACKEND_DTRACE;
#else
	return BACKEND_PERF;
#endif
}

/* --- Preparing ------------------------------------------------------------------------------ */

/** Return the output file that the profiler's own arguments name, or NULL if they name none. Search
 * from the word `first`. */
static const char *backend_named_output(const struct words *words, size_t first,
					const char *options) {
	for (size_t i = first; i < words->n; i++) {
		struct str rest = str_of(words->items[i]), name = str_cut(&rest, '=');
		bool joined = name.n < strlen(words->items[i]);
		if (opt_names_have(options, name)) {
			return joined ? rest.p : words->items[i + 1];
		}
		// A letter and its value in one word, such as -oFILE.
		struct str letter = {name.p, name.n < 2 ? 0 : 2};
		if (name.n > 2 && name.p[1] != '-' && opt_names_have(options, letter)) {
			return words->items[i] + 2;
		}
	}
	return NULL;
}

/** The session whose folder backend_clean_up() removes, even if the process ends early; NULL:
 * none. */
static const struct session *backend_unfinished;

/** Remove the temporary folder and the recording. Allocate no memory, because this function also
 * runs after memory ran out. */
static void backend_clean_up(void) {
	if (backend_unfinished != NULL) {
		(void)unlink(backend_unfinished->path);
		(void)rmdir(backend_unfinished->folder);
	}
}

/** Make a temporary folder, and a path in this folder for the recording. */
static int backend_make_folder(struct session *session) {
	struct buf text = {0};
	buf_printf(&text, "%s/inferno-XXXXXX", scratch_folder());
	char *folder = arena_copy(&session->arena, buf_text(&text), text.n);
	buf_add_text(&text, "/out.trace"); // xctrace requires this suffix
	char *path = arena_copy(&session->arena, buf_text(&text), text.n);
	buf_release(&text);
	if (atexit(backend_clean_up) != 0 || mkdtemp(folder) == NULL) {
		return diag_error(session->diag, "cannot make the folder '%s': %s", folder,
				  strerror(errno));
	}
	memcpy(path, folder, strlen(folder)); // the folder has its final name now
	session->folder = folder;
	session->path = path;
	backend_unfinished = session;
	return 0;
}

/** Make the command line. If the user named no output, also make a temporary folder. */
static int backend_prepare(struct session *session, const struct profiler *profiler) {
	const struct backend_job *job = session->job;
	profiler_add_sudo(session);
	profiler_add_program(session, profiler);
	size_t first = session->words.n;
	if (profiler->add_first != NULL && profiler->add_first(session) != 0) {
		return -1;
	}
	if (job->words != NULL) {
		// the text was checked before, so this does not fail
		(void)words_split(&session->words, job->words, &session->arena);
	}
	session->path = backend_named_output(&session->words, first, profiler->outputs);
	if (session->path == NULL && backend_make_folder(session) != 0) {
		return -1;
	}
	return profiler->add(session);
}

/* --- Running -------------------------------------------------------------------------------- */

static double backend_seconds_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/** Wait for the end of a program. If the program still runs after `duration` seconds, send it
 * SIGINT. Stop waiting if a signal came. */
static void backend_limit(const struct process *process, double duration) {
	enum { BETWEEN_NS = 20000000 };
	double end = backend_seconds_now() + duration;
	siginfo_t about = {0};
	while (backend_seconds_now() < end && about.si_pid == 0 && stop_age() < 0 &&
	       waitid(P_PID, (id_t)process->pid, &about, WEXITED | WNOHANG | WNOWAIT) == 0) {
		nanosleep(&(struct timespec){.tv_nsec = BETWEEN_NS}, NULL);
	}
	if (about.si_pid == 0 && stop_age() < 0) {
		kill(process->pid, SIGINT);
	}
}

/** Check that the profiler exists. If the profiler does not exist, report how to install it or how
 * to name its file. */
static int backend_check_profiler(const struct session *session, const struct profiler *profiler) {
	struct buf path = {0}, why = {0};
	bool found = process_find(session->name, &path);
	buf_release(&path);
	if (found) {
		return 0;
	}
	if (session->variable != NULL) {
		cannot_run_why(&why, session->name,
			       access(session->name, F_OK) == 0 ? EACCES : ENOENT);
		diag_error(session->diag,
			   "%s in the environment names '%s': %s; name another, or unset %s",
			   session->variable, quote(str_of(session->name)).text, buf_text(&why),
			   session->variable);
		buf_release(&why);
		return -1;
	}
	return diag_error(
		session->diag,
		"no folder of PATH has the profiler '%s'; install it%s, or name its file: "
		"%s=/path/to/%s inferno ...",
		profiler->program,
		strcmp(profiler->program, "perf") == 0 ? " (Debian: linux-perf)" : "",
		profiler->variable, profiler->program);
}

/** Run a profiler to its end. Return the status of the profiler, or -1 after diag_error(). */
static int backend_run_profiler(const struct session *session, const struct profiler *profiler) {
	struct process process;
	bool by_sudo = session->words.items[0] != session->name; // sudo searches its own PATH
	if (!by_sudo && backend_check_profiler(session, profiler) != 0) {
		return -1;
	}
	if (process_start(&process, session->words.items, 0, session->diag) != 0) {
		process_wait(&process);
		return -1;
	}
	process.passes = true;
	if (session->job->duration > 0 && !profiler->has_time) {
		backend_limit(&process, session->job->duration);
	}
	return process_wait(&process);
}

/** Make the user the owner of the files that a profiler has written as root. */
static void backend_give_back(struct session *session) {
	struct process process;
	struct buf owner = {0};
	if (session->job->root == NULL) {
		return;
	}
	words_release(&session->words);
	profiler_add_sudo(session);
	buf_printf(&owner, "%ld:%ld", (long)getuid(), (long)getgid());
	words_add_all(&session->words, "chown", "-R", buf_text(&owner), session->path, NULL);
	(void)process_start(&process, session->words.items, 0, session->diag);
	(void)process_wait(&process); // a file that cannot be read is reported later
	buf_release(&owner);
}

/** Wait for the program, if this process started it, and return its exit status. If the program is
 * no longer `wanted`, ask it to end first. */
static int backend_end_program(struct session *session, bool wanted) {
	if (session->program.pid != 0 && !wanted) {
		kill(session->program.pid, SIGTERM);
	}
	return process_wait(&session->program);
}

static int backend_remove_entry(const char *path, const struct stat *about, int kind,
				struct FTW *place) {
	(void)about, (void)kind, (void)place;
	(void)remove(path);
	return 0;
}

/** Remove the temporary folder. The recording is nearly always a single file, so first try to
 * remove only this file. */
static void backend_remove_folder(const struct session *session) {
	enum { OPEN_FOLDERS = 16 };
	backend_clean_up();
	if (backend_unfinished != NULL && access(session->folder, F_OK) == 0) {
		nftw(session->folder, backend_remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	}
	backend_unfinished = NULL;
}

/** Open the recording. Return 0, or -1 after diag_error(). */
static int backend_open_recording(const struct session *session, struct backend_result *result) {
	result->fd = open(session->path, O_RDONLY | O_CLOEXEC);
	if (result->fd < 0) {
		return diag_error(session->diag, "'%s' recorded nothing: %s: %s",
				  quote(str_of(session->name)).text,
				  quote(str_of(session->path)).text, strerror(errno));
	}
	result->source = (struct source){.kind = SOURCE_DESCRIPTOR, .fd = result->fd};
	return 0;
}

/** Run the profiler to print its recording as text. */
static int backend_export(struct session *session, const struct profiler *profiler,
			  struct backend_result *result) {
	struct process process;
	words_release(&session->words);
	profiler_add_program(session, profiler);
	profiler->add_export(session);
	int failed =
		process_start(&process, session->words.items, PROCESS_TAKE, session->diag) != 0;
	int error = failed ? 0 : process_exchange(&process, STR(""), &result->text);
	int status = process_wait(&process);
	if (!failed && (status != 0 || error != 0)) {
		return diag_error(session->diag, "'%s %s' failed with status %d",
				  quote(str_of(session->name)).text, session->words.items[1],
				  status);
	}
	result->source = (struct source){
		.kind = SOURCE_MEMORY, .memory = buf_text(&result->text), .size = result->text.n};
	return failed ? -1 : 0;
}

/** Run the profiler, and open its recording. */
static int backend_record(struct session *session, const struct profiler *profiler,
			  struct backend_result *result) {
	const struct backend_job *job = session->job;
	int status = backend_run_profiler(session, profiler);
	if (status < 0) {
		return -1;
	}
	backend_give_back(session);
	bool interrupted = status == 128 + SIGINT || status == 128 + SIGTERM || stop_age() >= 0;
	bool good = status == 0 || interrupted;
	if (profiler->add_first != NULL) {
		result->status =
			backend_end_program(session, good && stop_age() < 0 && job->duration == 0);
	} else if (profiler->passes_status && job->program != NULL) {
		result->status = status;
		good = true;
	}
	if (!good && !job->ignores_status) {
		return diag_error(session->diag, "'%s' failed with status %d",
				  quote(str_of(session->name)).text, status);
	}
	return profiler->add_export != NULL ? backend_export(session, profiler, result)
					    : backend_open_recording(session, result);
}

/** Start the program if the profiler cannot start programs, make the command line, and record. */
static int backend_prepare_and_record(struct session *session, struct backend_result *result) {
	const struct backend_job *job = session->job;
	const struct profiler *profiler = profiler_of(job->backend);
	bool starts = profiler->add_first != NULL && job->program != NULL;
	if (starts && process_start(&session->program, job->program, 0, session->diag) != 0) {
		return -1;
	}
	int outcome = backend_prepare(session, profiler) == 0
			      ? backend_record(session, profiler, result)
			      : -1;
	(void)backend_end_program(session, false); // after a failure, the program still runs
	result->source.name = profiler->program;
	return outcome;
}

int backend_run(const struct backend_job *job, struct backend_result *result, struct diag *diag) {
	struct session session = {.job = job, .diag = diag, .program = {.in = -1, .out = -1}};
	*result = (struct backend_result){.fd = -1, .format = profiler_of(job->backend)->format};
	if (stop_catch() != 0) {
		return diag_error(diag, "cannot catch signals: %s", strerror(errno));
	}
	int outcome = backend_prepare_and_record(&session, result);
	// Remove the folder now: the recording can still be read through its descriptor.
	backend_remove_folder(&session);
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
