/* Find the command, set up its job from argv, run the job, write the result, and choose the exit
 * status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/bounded.h"
#include "base/browser.h"
#include "base/destination.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "commands/outputs.h"

static bool progress_shown;

/** Return whether standard error is a terminal that obeys control sequences. */
static bool main_is_terminal(void) {
	const char *terminal = getenv("TERM");
	return isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/** Return whether standard error is a terminal that should show colours. */
static bool main_wants_colour(void) {
	const char *no_color = getenv("NO_COLOR");
	return main_is_terminal() && (no_color == NULL || *no_color == '\0');
}

/** Return the end of a text that fits into one line of the terminal. */
static const char *main_fit(const char *text) {
	struct winsize size;
	bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
	size_t most = (known ? size.ws_col : 80) - (size_t)1, n = strlen(text);
	text += n > most ? n - most : 0;
	while (((unsigned char)*text & 0xc0) == 0x80) { // inside a character
		text++;
	}
	return text;
}

/** The thread that prints messages, used only while signal handlers are installed (see bounded.h);
 * otherwise the caller's thread prints. Printing has a time limit, because standard error may be a
 * pipe without a reader. */
static struct bounded printer = {.limits = {.stopped = STOP_MESSAGE, .total = STOP_HELPER}};

static void main_print_text(void *text) {
	fputs(text, stderr);
}

/** Print text to standard error. If printing takes too long after a signal, print nothing more. */
static void main_print(struct buf *text) {
	if (printer.lost > 0 ||
	    bounded_do(&printer, main_print_text, (void *)(uintptr_t)buf_text(text), NULL) !=
		    BOUNDED_LOST) {
		buf_release(text);
	}
}

static void main_end_progress(void) {
	if (progress_shown) {
		struct buf text = {0};
		buf_add_text(&text, "\r\033[K");
		progress_shown = false;
		main_print(&text);
	}
}

/** Print a line to standard error: `head`, then `text`. Control characters in `text` are replaced.
 * `head` is trusted, and ends in a blank unless it is empty. */
static void main_print_line(const char *head, const char *text) {
	struct buf line = {0};
	buf_printf(&line, "inferno: %s", head);
	utf8_add_shown(&line, str_of(text));
	buf_add_char(&line, '\n');
	main_print(&line);
}

/** Print one message, with its level in colour on a terminal. */
static void main_report(const char *level, const char *colour, const char *text) {
	char head[64];
	bool coloured = main_wants_colour();
	snprintf(head, sizeof(head), "%s%s:%s ", coloured ? colour : "", level,
		 coloured ? "\033[0m" : "");
	main_end_progress();
	main_print_line(head, text);
}

/** Print an error on standard error. */
static void main_print_error(const char *text) {
	main_report("error", "\033[1;31m", text);
}

static void main_show_message(void *context, enum inferno_level level, const char *text) {
	(void)context;
	if (level == INFERNO_WARNING) {
		main_report("warning", "\033[1;33m", text);
	} else if (level == INFERNO_NOTE) {
		main_report("note", "\033[1m", text);
	} else if (level == INFERNO_DONE) {
		main_end_progress();
		main_print_line("", text);
	} else if (main_is_terminal()) {
		// Put the cursor at the start of the line, because the output of another program
		// may begin here.
		struct buf line = {0};
		buf_printf(&line, "\r\033[K%s\r", main_fit(text));
		progress_shown = true;
		main_print(&line);
	}
}

void cli_print(const char *text) {
	fputs(text, stdout);
}

int cli_usage(const struct command *command, const char *text) {
	char name[COMMAND_NAME_MAX];
	main_print_error(text);
	if (command == NULL) {
		fprintf(stderr, "Try 'inferno --help'.\n");
	} else {
		fprintf(stderr, "Try 'inferno %s --help'.\n", command_name(command, ' ', name));
	}
	return EXIT_USAGE;
}

static int main_report_unwritten(const char *path, const char *problem) {
	struct buf text = {0};
	buf_printf(&text, "%s: cannot write: %s", path == NULL ? "standard output" : path, problem);
	main_print_error(buf_text(&text));
	buf_release(&text);
	return EXIT_FAILED;
}

/* --- Commands ------------------------------------------------------------------------------- */

/** Names of unfinished files, which a signal handler removes. If the array is full, further files
 * are not removed. */
static _Atomic(const char *) unfinished[4];

void destination_watch(const char *gone, const char *added) {
	for (size_t i = 0; i < sizeof(unfinished) / sizeof(unfinished[0]); i++) {
		const char *expected = gone;
		if (atomic_compare_exchange_strong(&unfinished[i], &expected, added)) {
			return;
		}
	}
}

static void main_remove_unfinished(void) {
	for (size_t i = 0; i < sizeof(unfinished) / sizeof(unfinished[0]); i++) {
		const char *path = atomic_load(&unfinished[i]);
		if (path != NULL) {
			unlink(path);
		}
	}
}

static _Noreturn void main_out_of_memory(void) {
	main_remove_unfinished();
	main_end_progress();
	fputs("inferno: error: out of memory\n", stderr); // allocates nothing
	_exit(EXIT_FAILED);
}

static _Atomic(struct inferno *) running;
static volatile sig_atomic_t interrupted; // the signal that interrupted the run

/** Handle a signal. If a run waits for the network, only interrupt the run, so that it cleans up.
 * In any other case, remove unfinished files and end the program. */
static void main_end_unfinished(int number) {
	struct inferno *job = atomic_load(&running);
	if (job != NULL && inferno_interrupt(job)) {
		interrupted = number;
		return;
	}
	main_remove_unfinished();
	signal(number, SIG_DFL);
	raise(number);
}

/** Catch the signals that end the program, so that unfinished files are removed. */
static void main_watch_signals(void) {
	static const int others[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGCONT,  SIGTSTP,
				     SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH, 0};
	for (int number = 1; number <= SIGRTMAX; number++) {
		size_t i = 0;
		while (others[i] != 0 && others[i] != number) {
			i++;
		}
		struct sigaction now, action = {.sa_handler = main_end_unfinished};
		// If a signal is ignored, as with nohup, or has another handler, do not change it.
		if (others[i] == 0 && sigaction(number, NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL) {
			sigaction(number, &action, NULL);
		}
	}
}

static int main_run_into(struct inferno *job, const struct command *command,
			 struct destination *to) {
	atomic_store(&running, job);
	enum inferno_status result = inferno_run(job, destination_write, to);
	atomic_store(&running, NULL);
	main_end_progress();
	if (interrupted != 0) {
		main_end_unfinished(interrupted);
	}
	if (result == INFERNO_BAD_USAGE) {
		return cli_usage(command, inferno_error(job));
	}
	if (to->error == EPIPE) { // the reader has closed the pipe, so no message is needed
		return EXIT_DONE;
	}
	if (to->error != 0) {
		return main_report_unwritten(to->path, strerror(to->error));
	}
	if (result == INFERNO_PROGRAM_FAILED) {
		main_print_error(inferno_error(job));
		return inferno_program_status(job);
	}
	if (result != INFERNO_OK) {
		main_print_error(inferno_error(job));
		return result == INFERNO_CONDITION_HOLDS ? EXIT_CONDITION : EXIT_FAILED;
	}
	return EXIT_DONE;
}

/** The output of a job. */
struct target {
	const char *path; // NULL: standard output
	unsigned flags;   // flags of enum destination_flags
};

/** Run a job whose result goes to a file or to standard output. */
static int main_run_to(struct inferno *job, const struct command *command, struct target target) {
	struct destination to;
	int status = EXIT_DONE;
	if (destination_open(&to, target.path, target.flags) != 0) {
		status = main_report_unwritten(target.path, destination_problem(&to).text);
	} else {
		status = main_run_into(job, command, &to);
	}
	bool complete = status == EXIT_DONE || status == EXIT_CONDITION;
	if (destination_close(&to, complete) != 0 && complete) {
		status = main_report_unwritten(target.path, destination_problem(&to).text);
	}
	return status;
}

static int main_show_picture(const char *path) {
	struct diag diag = {0};
	int result = browser_open(path, &diag);
	if (result != 0) {
		main_print_error(buf_text(&diag.error));
	}
	diag_release(&diag);
	return result == 0 ? EXIT_DONE : EXIT_FAILED;
}

/** Run a job and open its picture. The picture is the file that -o names, or a temporary file. */
static int main_run_and_show(struct inferno *job, const struct command *command, const char *format,
			     struct target target) {
	struct buf temporary = {0};
	if (target.path == NULL) {
		browser_name_file(&temporary, format == NULL ? "svg" : format);
		target = (struct target){buf_text(&temporary), DESTINATION_PRIVATE};
	}
	int status = main_run_to(job, command, target);
	if (status == EXIT_DONE && temporary.n > 0) {
		main_print_line("the picture is ", target.path);
	}
	if (status == EXIT_DONE) {
		status = main_show_picture(target.path);
	}
	buf_release(&temporary);
	return status;
}

/** Unless --format was given, choose the format by the name of the output. Return 0, or EXIT_USAGE
 * if the command cannot write this format. */
static int main_choose_format(struct inferno *job, const struct command *command, const char *path,
			      const char *given) {
	const struct exporter *exporter = NULL;
	struct diag diag = {0};
	int status = 0;
	if (path == NULL || given != NULL) {
		return 0;
	}
	if (output_of_name(command, NULL, path, &exporter, &diag) != 0) {
		status = cli_usage(command, buf_text(&diag.error));
	} else if (exporter != NULL && command->writes != 0) {
		inferno_set(job, "format", exporter->name);
	}
	diag_release(&diag);
	return status;
}

static int main_run_job(struct inferno *job, const struct command *command,
			const struct arguments *arguments) {
	static const struct source standard = {.path = "-"};
	const struct cli_options *cli = OPT_VALUES(&arguments->cli, TABLE_CLI, struct cli_options);
	struct target target = {.path = cli->output};
	if (cli->open && target.path != NULL && strcmp(target.path, "-") == 0) {
		return cli_usage(command, "--open needs a file to show, and '-o -' is "
					  "standard output");
	}
	if (!cli->open && command->draws && target.path == NULL && isatty(STDOUT_FILENO)) {
		return cli_usage(command,
				 "a picture is not for a terminal: use '-o FILE' or '--open', or "
				 "'-o -' if you mean it");
	}
	if (main_choose_format(job, command, target.path, arguments->format) != 0) {
		return EXIT_USAGE;
	}
	if (arguments->awaits && isatty(STDIN_FILENO)) {
		main_report(
			"note", "\033[1m",
			"waiting for input from the terminal: type it and press Ctrl-D, or press "
			"Ctrl-C and name a file");
	}
	if (target.path != NULL) {
		bool named = arguments->sources_n > 0;
		target.flags =
			destination_flags_for(target.path, named ? arguments->sources : &standard,
					      named ? arguments->sources_n : 1);
	}
	return cli->open ? main_run_and_show(job, command, arguments->format, target)
			 : main_run_to(job, command, target);
}

int cli_run(const struct command *command, int argc, char **argv) {
	char name[COMMAND_NAME_MAX];
	struct inferno *job = inferno_new(command_name(command, '-', name));
	if (job == NULL) {
		main_out_of_memory();
	}
	struct arguments arguments;
	int status = arguments_read(&arguments, job, command, argc, argv);
	const struct cli_options *cli = OPT_VALUES(&arguments.cli, TABLE_CLI, struct cli_options);
	if (status == 0 && cli->help) {
		cli_print_help(command, true);
	} else if (status == 0 && cli->version) {
		cli_print_version();
	} else if (status == 0 && cli->completions != NULL) {
		cli_print_completions(cli->completions);
	} else if (status == 0) {
		inferno_on_message(job, main_show_message, NULL);
		main_watch_signals();
		status = main_run_job(job, command, &arguments);
	}
	arguments_release(&arguments);
	inferno_free(job);
	return status;
}

/** Run a command under the name of one of FlameGraph's scripts. */
static int main_run_script(const char *called, const struct command *command, int argc,
			   char **argv) {
	struct perl_words words;
	int status = perl_read(&words, called, command, argc, argv);
	if (status == 0) {
		status = cli_run(command, (int)words.n, words.items);
	}
	perl_release(&words);
	return status;
}

/** Run the command that the name of a link selects. Pictures have the classic style, because users
 * of the program with this name expect that style. */
static int main_run_link(const struct command *command, int argc, char **argv) {
	char classic[] = "--style=classic", **words = mem_new((size_t)argc + 2, sizeof(*words));
	words[0] = classic;
	memcpy(words + 1, argv, ((size_t)argc + 1) * sizeof(*words));
	int status = cli_run(command, argc + 1, words);
	free(words);
	return status;
}

/** Run the command that the name of the program selects. `argv` has `argc` words and a NULL. */
static int main_run_called(const char *called, int argc, char **argv) {
	static const char prefix[] = "inferno-", cargo[] = "cargo-";
	const size_t prefix_n = sizeof(prefix) - 1, cargo_n = sizeof(cargo) - 1;
	bool prefixed = strncmp(called, prefix, prefix_n) == 0;
	const char *name = prefixed ? called + prefix_n : called;
	struct command command;
	if (!prefixed && command_of_link(name, &command)) {
		// 'cargo NAME' runs 'cargo-NAME NAME'.
		bool again = argc > 0 && strncmp(name, cargo, cargo_n) == 0 &&
			     strcmp(argv[0], name + cargo_n) == 0;
		return main_run_link(&command, argc - again, argv + again);
	}
	if (command_find(name, &command)) {
		return cli_run(&command, argc, argv);
	}
	if (perl_find(name, &command)) {
		return main_run_script(name, &command, argc, argv);
	}
	return builtins_run(argc, argv);
}

/**
 * Open each closed standard stream, so that no later file gets its number. Open an input stream
 * only for writing, and an output stream only for reading, so that using the stream still fails.
 */
static void main_open_standard_files(void) {
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0) {
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		}
	}
}

/** Let malloc() make a separate mapping for each large block, because a mapping can grow without a
 * copy. Reuse smaller blocks instead of returning them to the kernel, because the first access to a
 * page is slow. */
static void main_tune_allocator(void) {
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/** Refuse to run if the program file is setuid or setgid. All commands read and write files that
 * the user names, and some commands run programs, so any user would get the rights of the file's
 * owner or group. Return 0, or EXIT_FAILED. */
static int main_check_rights(void) {
	if (getuid() == geteuid() && getgid() == getegid()) {
		return 0;
	}
	main_print_error(
		"inferno must not be installed setuid or setgid, as it would read, write and "
		"run whatever any user names with the rights of its owner; remove these bits: "
		"chmod ug-s FILE");
	return EXIT_FAILED;
}

int main(int argc, char **argv) {
	mem_on_exhaustion(main_out_of_memory);
	main_tune_allocator();
	main_open_standard_files();
	if (main_check_rights() != 0) {
		return EXIT_FAILED;
	}
	// Ignore SIGPIPE and SIGXFSZ, so that a write fails instead. After a write to a closed
	// pipe, the program ends without a message; a file that is too large is reported.
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *called = argc == 0 ? "inferno" : slash == NULL ? argv[0] : slash + 1;
	int status = main_run_called(called, argc > 0 ? argc - 1 : 0, argv + 1);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_DONE && errno != EPIPE) {
		status = main_report_unwritten(NULL, strerror(errno));
	}
	if (bounded_any_lost()) {
		_exit(status); // hanging threads still use the memory that a clean-up would
			       // release
	}
	bounded_release(&printer);
	return status;
}
