/* Start programs, write their input, read their output, and wait for their end. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cannot_run.h"
#include "base/stop.h"

extern char **environ;

/* --- Command lines -------------------------------------------------------------------------- */

void words_add(struct words *words, const char *word) {
	words->items = mem_grow(words->items, &words->capacity, words->n + 2, sizeof(char *));
	words->items[words->n++] = (char *)(uintptr_t)word; // exec() does not change the words
	words->items[words->n] = NULL;
}

void words_add_all(struct words *words, ...) {
	va_list more;
	va_start(more, words);
	for (const char *word; (word = va_arg(more, const char *)) != NULL;) {
		words_add(words, word);
	}
	va_end(more);
}

/**
 * Add a quoted part of a word. Return the text after the closing quote, or NULL if there is no
 * closing quote.
 */
static const char *process_take_quoted(const char *at, struct buf *word) {
	char quote_mark = *at++;
	for (; *at != quote_mark; at++) {
		// Between double quotes, a backslash is special only before one of these
		// characters.
		bool quotes = quote_mark == '"' && *at == '\\' && at[1] != '\0' &&
			      strchr("\\\"$`", at[1]) != NULL;
		at += quotes;
		if (*at == '\0') {
			return NULL;
		}
		buf_add_char(word, *at);
	}
	return at + 1;
}

/** Add the next word. Return the text after the word, or NULL if a closing quote is missing. */
static const char *process_take_word(const char *at, struct buf *word) {
	while (at != NULL && *at != '\0' && strchr(" \t\n", *at) == NULL) {
		if (*at == '\'' || *at == '"') {
			at = process_take_quoted(at, word);
			continue;
		}
		at += *at == '\\' && at[1] != '\0';
		buf_add_char(word, *at++);
	}
	return at;
}

const char *words_split(struct words *words, const char *text, struct arena *arena) {
	struct buf word = {0};
	const char *at = text + strspn(text, " \t\n");
	while (at != NULL && *at != '\0') {
		buf_clear(&word);
		at = process_take_word(at, &word);
		words_add(words, arena_copy(arena, buf_text(&word), word.n));
		at = at == NULL ? NULL : at + strspn(at, " \t\n");
	}
	buf_release(&word);
	return at == NULL ? "a quote is not closed" : words->n == 0 ? "it is empty" : NULL;
}

void words_release(struct words *words) {
	free(words->items);
	*words = (struct words){0};
}

static bool process_is_plain(const char *word) {
	static const char plain[] = "%+,-./:=@_";
	const char *c = word;
	while (is_alpha(*c) || is_digit(*c) || (*c != '\0' && strchr(plain, *c) != NULL)) {
		c++;
	}
	return *c == '\0' && c > word;
}

/** Add a word, quoted as a shell needs it. */
static void process_add_quoted(struct buf *text, const char *word) {
	if (process_is_plain(word)) {
		buf_add_text(text, word);
		return;
	}
	buf_add_char(text, '\'');
	for (const char *c = word; *c != '\0'; c++) {
		if (*c == '\'') {
			buf_add_text(text, "'\\''");
		} else {
			buf_add_char(text, *c);
		}
	}
	buf_add_char(text, '\'');
}

void process_note(char *const *words, struct diag *diag) {
	struct buf text = {0};
	for (size_t i = 0; words[i] != NULL; i++) {
		buf_add_text(&text, i > 0 ? " " : "");
		process_add_quoted(&text, words[i]);
	}
	diag_note(diag, "running: %s", buf_text(&text));
	buf_release(&text);
}

static bool process_is_program(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

bool process_find(const char *name, struct buf *path) {
	const char *folders = strchr(name, '/') != NULL ? NULL : getenv("PATH");
	struct str rest = str_of(folders == NULL ? "" : folders);
	bool found = false;
	if (folders == NULL) {
		buf_add_text(path, name);
		return process_is_program(buf_text(path));
	}
	while (rest.n > 0 && !found) {
		buf_clear(path);
		struct str folder = str_cut(&rest, ':');
		buf_add_str(path, folder.n == 0 ? STR(".") : folder);
		buf_printf(path, "/%s", name);
		found = process_is_program(buf_text(path));
	}
	return found;
}

/* --- Start and end -------------------------------------------------------------------------- */

static void process_close_end(int *fd) {
	if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
}

/** Make a pipe whose ends are closed in other programs. Return false if the pipe cannot be made. */
static bool process_open_pipe(int ends[2]) {
	if (pipe(ends) != 0) {
		return false;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

void process_init_attributes(posix_spawnattr_t *attributes, short flags) {
	sigset_t ignored;
	posix_spawnattr_init(attributes);
	posix_spawnattr_setflags(attributes, (short)(flags | POSIX_SPAWN_SETSIGDEF));
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_setsigdefault(attributes, &ignored);
}

/** Start a program with `in` and `out` as standard input and output. If `in` or `out` is -1, the
 * program inherits this process's standard input or output. Return 0 or an errno. */
static int process_spawn(struct process *process, char *const *words, int in, int out) {
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	process_init_attributes(&attributes, 0);
	int error = in < 0 ? 0 : posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (error == 0 && out >= 0) {
		error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	}
	if (error == 0) {
		error = posix_spawnp(&process->pid, words[0], &actions, &attributes, words,
				     environ);
	}
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

int process_start(struct process *process, char *const *words, unsigned pipes, struct diag *diag) {
	int in[2] = {-1, -1}, out[2] = {-1, -1}, error = 0;
	*process = (struct process){.in = -1, .out = -1};
	process_note(words, diag);
	if (((pipes & PROCESS_FEED) != 0 && !process_open_pipe(in)) ||
	    ((pipes & PROCESS_TAKE) != 0 && !process_open_pipe(out))) {
		error = errno;
	}
	process->in = in[1];
	process->out = out[0];
	error = error != 0 ? error : process_spawn(process, words, in[0], out[1]);
	process_close_end(&in[0]);
	process_close_end(&out[1]);
	if (error == 0) {
		return 0;
	}
	process->pid = 0;
	return cannot_run(diag, words[0], error);
}

/* --- The end -------------------------------------------------------------------------------- */

/** State of a wait for a program. */
struct progress {
	int64_t start; // time when the wait began
	int64_t last;  // time when the program last used the processor or moved bytes
	int64_t used;  // processor time that the program had used at the time `last`
};

/** Return how much processor time a program has used, in microseconds, or 0 if the time is not
 * known. */
static int64_t process_used_by(pid_t pid) {
	enum { MILLION = 1000000, THOUSAND = 1000 };
	int64_t used = 0;
#ifdef _POSIX_CPUTIME
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0) {
		used = (int64_t)time.tv_sec * MILLION + time.tv_nsec / THOUSAND;
	}
#endif
	(void)pid;
	return used;
}

/** Return whether to give up the wait for a program. Give up if a signal asked for the end, and the
 * program makes no progress or takes too long. `moved` says whether the program has just read or
 * written bytes. */
static bool process_is_given_up(struct progress *progress, pid_t pid, bool moved) {
	int64_t used = stop_age() < 0 ? 0 : process_used_by(pid);
	if (moved || used != progress->used) {
		progress->last = stop_now();
		progress->used = used;
	}
	return stop_is_over(progress->last, STOP_STALLED) ||
	       stop_is_over(progress->start, STOP_HELPER);
}

static struct progress process_progress_of(void) {
	return (struct progress){.start = stop_now(), .last = stop_now()};
}

/** If the program gets the signals of this process, send the next one to the program, unless the
 * terminal has sent the signal to the program already. */
static void process_pass_signal(const struct process *process) {
	bool for_all;
	int number = process->passes ? stop_next(&for_all) : 0;
	if (number != 0 && !for_all) {
		// Send SIGTERM instead of SIGHUP, because some programs do not catch SIGHUP.
		kill(process->pid, number == SIGHUP ? SIGTERM : number);
	}
}

/** Wait until a program has ended, or until process_is_given_up(). Return whether the program has
 * ended. */
static bool process_wait_patiently(const struct process *process, int *status) {
	const struct timespec pause = {.tv_nsec = 5000000};
	struct progress progress = process_progress_of();
	pid_t found = 0;
	while ((found = waitpid(process->pid, status, WNOHANG)) == 0 ||
	       (found < 0 && errno == EINTR)) {
		process_pass_signal(process);
		if (process_is_given_up(&progress, process->pid, false)) {
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/** Kill a program, or leave it running if it cannot be killed, for example because it runs as root.
 * Return whether the program has ended. */
static bool process_end_program(pid_t pid, int *status) {
	static const int signals[] = {SIGTERM, SIGKILL};
	const struct timespec pause = {.tv_nsec = 5000000};
	enum { LOOKS = 20 };
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		kill(pid, signals[i]);
		for (int k = 0; k < LOOKS; k++) {
			if (waitpid(pid, status, WNOHANG) == pid) {
				return true;
			}
			nanosleep(&pause, NULL);
		}
	}
	return false;
}

int process_wait(struct process *process) {
	int status = 0;
	process_close_end(&process->in);
	process_close_end(&process->out);
	if (process->pid == 0) {
		return 0;
	}
	if (stop_is_caught()) {
		if (!process_wait_patiently(process, &status) &&
		    !process_end_program(process->pid, &status)) {
			status = SIGKILL; // the status is not known: treat the program as killed
		}
	} else {
		while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
		}
	}
	process->pid = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- Its input and output --------------------------------------------------------------- */

static bool process_is_transient(int error) {
	return error == EINTR || error == EAGAIN;
}

/** Write a part of the program's input. Close the pipe after the last part. Return 0 or an errno.
 */
static int process_feed(struct process *process, struct str *input) {
	ssize_t n = input->n == 0 ? 0 : write(process->in, input->p, input->n);
	int error = n >= 0 || process_is_transient(errno) ? 0 : errno;
	*input = str_from(*input, n > 0 ? (size_t)n : 0);
	if (input->n == 0 || error != 0) {
		process_close_end(&process->in);
	}
	return error == EPIPE ? 0 : error;
}

/** Read a part of the program's output. Close the pipe at the end of the output. Return 0 or an
 * errno. */
static int process_take(struct process *process, struct buf *output) {
	enum { PIECE = 1 << 16 };
	ssize_t n = read(process->out, buf_room(output, PIECE), PIECE);
	if (n < 0 && process_is_transient(errno)) {
		return 0;
	}
	output->n += n > 0 ? (size_t)n : 0;
	int error = n < 0 ? errno : 0;
	if (n <= 0) {
		process_close_end(&process->out);
	}
	return error;
}

/** Wait until a pipe is ready. If signals are caught, wait only a short time. Return the number of
 * ready pipes, or -1 with errno set. */
static int process_wait_for_pipes(struct pollfd *polled, nfds_t n) {
	enum { SLICE = 20 };
	int found = poll(polled, n, stop_is_caught() ? SLICE : -1);
	return found < 0 && errno == EINTR ? 0 : found;
}

int process_exchange(struct process *process, struct str input, struct buf *output) {
	struct progress progress = process_progress_of();
	int error = 0;
	if (process->in >= 0) {
		fcntl(process->in, F_SETFL, O_NONBLOCK);
	}
	while (process->out >= 0 && error == 0) {
		struct pollfd polled[] = {{.fd = process->out, .events = POLLIN},
					  {.fd = process->in, .events = POLLOUT}};
		int found = process_wait_for_pipes(polled, sizeof(polled) / sizeof(*polled));
		if (found <= 0) {
			bool over =
				found == 0 && process_is_given_up(&progress, process->pid, false);
			error = found < 0 ? errno : over ? ETIMEDOUT : 0;
			continue;
		}
		(void)process_is_given_up(&progress, process->pid, true);
		if (polled[1].revents != 0) {
			error = process_feed(process, &input);
		}
		if (polled[0].revents != 0 && error == 0) {
			error = process_take(process, output);
		}
	}
	return error;
}
