/* Finds the command, fills it from argv, runs it, writes the result, and turns what happened into a
 * status. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/destination.h"
#include "cli/browser.h"
#include "cli/face.h"

static bool progress_shown;

static void end_progress(void) {
	if (progress_shown) {
		fputs("\r\033[K", stderr);
		progress_shown = false;
	}
}

/** Whether standard error is a terminal on which colours are welcome. */
static bool wants_colour(void) {
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
	return isatty(STDERR_FILENO) && (no_color == NULL || *no_color == '\0') &&
	       (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/** Prints one message, its level in colour where somebody may like that. */
static void say(const char *level, const char *colour, const char *text) {
	bool coloured = wants_colour();
	end_progress();
	fprintf(stderr, "inferno: %s%s:%s %s\n", coloured ? colour : "", level,
		coloured ? "\033[0m" : "", text);
}

void face_error(const char *text) {
	say("error", "\033[1;31m", text);
}

static void show_message(void *context, enum inferno_level level, const char *text) {
	(void)context;
	if (level == INFERNO_WARNING) {
		say("warning", "\033[1;33m", text);
	} else if (level == INFERNO_NOTE) {
		say("note", "\033[1m", text);
	} else if (isatty(STDERR_FILENO)) {
		fprintf(stderr, "\r\033[K%s", text);
		progress_shown = true;
	}
}

void face_print(const char *text) {
	fputs(text, stdout);
}

int face_usage(const struct command *command, const char *text) {
	char name[COMMAND_NAME_MAX];
	face_error(text);
	if (command == NULL) {
		fprintf(stderr, "Try 'inferno --help'.\n");
	} else {
		fprintf(stderr, "Try 'inferno %s --help'.\n", command_name(command, ' ', name));
	}
	return EXIT_USAGE;
}

static int say_errno(const char *path) {
	struct buf text = {0};
	buf_printf(&text, "%s: cannot write: %s", path == NULL ? "standard output" : path,
		   strerror(errno));
	face_error(buf_text(&text));
	buf_release(&text);
	return EXIT_FAILED;
}

/* --- Commands ------------------------------------------------------------------------------- */

static void end_unfinished(int number) {
	destination_remove_unfinished();
	signal(number, SIG_DFL);
	raise(number);
}

/** Has signals that end the program leave no unfinished file behind. */
static void watch_signals(void) {
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (signal(numbers[i], end_unfinished) == SIG_IGN) {
			signal(numbers[i], SIG_IGN); // as nohup wants it
		}
	}
}

static int run_into(struct inferno *job, const struct command *command, struct destination *to) {
	enum inferno_status result = inferno_run(job, destination_write, to);
	end_progress();
	if (result == INFERNO_BAD_USAGE) {
		return face_usage(command, inferno_error(job));
	}
	if (to->error == EPIPE) { // whoever reads has seen enough
		return EXIT_DONE;
	}
	if (to->error != 0) {
		errno = to->error;
		return say_errno(to->path);
	}
	if (result != INFERNO_OK) {
		face_error(inferno_error(job));
		return result == INFERNO_CONDITION_HOLDS ? EXIT_CONDITION : EXIT_FAILED;
	}
	return EXIT_DONE;
}

/** Runs a job whose result goes to a file, or with NULL to standard output. */
static int run_to(struct inferno *job, const struct command *command, const char *path) {
	struct destination to;
	int status = EXIT_DONE;
	if (destination_open(&to, path) != 0) {
		status = say_errno(path);
	} else {
		status = run_into(job, command, &to);
	}
	bool complete = status == EXIT_DONE || status == EXIT_CONDITION;
	if (destination_close(&to, complete) != 0 && complete) {
		status = say_errno(path);
	}
	return status;
}

/** Runs a job whose picture is looked at: the file that was asked for, or a temporary one. */
static int run_and_show(struct inferno *job, const struct command *command, const char *path) {
	char *temporary = NULL;
	if (path == NULL) {
		path = temporary = browser_new_file();
	}
	if (path == NULL) {
		return say_errno("a temporary file");
	}
	int status = run_to(job, command, path);
	if (status == EXIT_DONE && temporary != NULL) {
		fprintf(stderr, "inferno: the picture is %s\n", path);
	} else if (temporary != NULL) {
		unlink(temporary);
	}
	if (status == EXIT_DONE && browser_open(path) != 0) {
		status = EXIT_FAILED;
	}
	free(temporary);
	return status;
}

static int run_job(struct inferno *job, const struct command *command,
		   const struct face_options *face) {
	if (face->open) {
		return face->output != NULL && strcmp(face->output, "-") == 0
			       ? face_usage(command, "--open needs a file to show, and '-o -' is "
						     "standard output")
			       : run_and_show(job, command, face->output);
	}
	if (command->draws && face->output == NULL && isatty(STDOUT_FILENO)) {
		return face_usage(command,
				  "a picture is not for a terminal: use '-o FILE' or '--open', or "
				  "'-o -' if you mean it");
	}
	return run_to(job, command, face->output);
}

static void print_version(void) {
	face_print("inferno ");
	face_print(inferno_version());
	face_print("\n");
}

static void print_help(const struct command *command) {
	struct buf text = {0};
	if (command == NULL) {
		help_overview(&text);
	} else {
		help_command(&text, command);
	}
	face_print(buf_text(&text));
	buf_release(&text);
}

static int run_command(const struct command *command, int argc, char **argv) {
	char name[COMMAND_NAME_MAX];
	struct inferno *job = inferno_new(command_name(command, '-', name));
	struct arguments arguments;
	int status = arguments_read(&arguments, job, command, argc, argv);
	const struct face_options *face = arguments.face.values[TABLE_FACE];
	if (status == 0 && face->help) {
		print_help(command);
	} else if (status == 0 && face->version) {
		print_version();
	} else if (status == 0) {
		inferno_on_message(job, show_message, NULL);
		watch_signals();
		status = run_job(job, command, face);
	}
	opt_release(&arguments.face);
	inferno_free(job);
	return status;
}

/** Runs a command that was called by the name of one of FlameGraph's scripts. */
static int run_script(const char *called, const struct command *command, int argc, char **argv) {
	struct perl_words words;
	int status = perl_read(&words, called, command, argc, argv);
	if (status == 0) {
		status = run_command(command, (int)words.n, words.items);
	}
	perl_release(&words);
	return status;
}

int face_find_command(int argc, char **argv, struct command *command) {
	char name[COMMAND_NAME_MAX];
	if (argc >= 1 && command_find(argv[0], command)) {
		return 1;
	}
	if (argc >= 2) {
		snprintf(name, sizeof(name), "%s-%s", argv[0], argv[1]);
		return command_find(name, command) ? 2 : 0;
	}
	return 0;
}

static bool is_group(const char *word) {
	struct command command;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL && strcmp(command.group, word) == 0) {
			return true;
		}
	}
	return false;
}

/* --- The program's own words: help, formats, manpage, completions --------------------------- */

/** Wrong usage of the program as a whole, worded like printf() does. Returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) static int say_usage(const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	int status = face_usage(NULL, buf_text(&text));
	buf_release(&text);
	return status;
}

static int no_argument(const char *found) {
	return say_usage("no argument expected, found '%s'", quote(str_of(found)).text);
}

static int say_help(int argc, char **argv) {
	struct command command;
	if (argc == 0 || (argc == 1 && is_group(argv[0]))) {
		print_help(NULL);
		return EXIT_DONE;
	}
	if (face_find_command(argc, argv, &command) == 0) {
		return face_unknown_command(argc, argv);
	}
	print_help(&command);
	return EXIT_DONE;
}

static int say_formats(int argc, char **argv) {
	if (argc > 0) {
		return no_argument(argv[0]);
	}
	struct buf text = {0};
	help_formats(&text);
	face_print(buf_text(&text));
	buf_release(&text);
	return EXIT_DONE;
}

static int say_man_page(int argc, char **argv) {
	struct command command;
	if (argc == 0 || face_find_command(argc, argv, &command) == 0) {
		return argc == 0 ? face_usage(
					   NULL,
					   "manpage needs a command: inferno manpage collapse perf")
				 : face_unknown_command(argc, argv);
	}
	struct buf text = {0};
	man_command(&text, &command);
	face_print(buf_text(&text));
	buf_release(&text);
	return EXIT_DONE;
}

static int say_completions(int argc, char **argv) {
	struct buf text = {0};
	if (argc != 1 || complete_shell(&text, argv[0]) != 0) {
		return face_usage(
			NULL, "completions needs a shell: inferno completions bash, zsh or fish");
	}
	face_print(buf_text(&text));
	buf_release(&text);
	return EXIT_DONE;
}

static int say_commands(int argc, char **argv) {
	if (argc > 0) {
		return no_argument(argv[0]);
	}
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		printf("%s\n", command_name(&command, '-', name));
		for (size_t a = 0; command.aliases != NULL && command.aliases[a] != NULL; a++) {
			// A longer form of the name is ours, any other is that of another program.
			bool longer = str_starts(str_of(command.aliases[a]), str_of(name));
			printf("%s %s%s\n", name, longer ? "inferno-" : "", command.aliases[a]);
		}
	}
	return EXIT_DONE;
}

static int say_version(int argc, char **argv) {
	if (argc > 0) {
		return no_argument(argv[0]);
	}
	print_version();
	return EXIT_DONE;
}

struct word {
	const char *names; // separated by blanks
	int (*run)(int argc, char **argv);
};

static const struct word words[] = {
	{"help --help -h", say_help},     {"version --version -V", say_version},
	{"formats", say_formats},         {"manpage", say_man_page},
	{"completions", say_completions}, {"commands", say_commands},
};

/** The name that is nearest to a mistyped word. */
struct nearest {
	const char *typed;
	char name[COMMAND_NAME_MAX];
	size_t distance; // farther away is another word
};

static void consider(struct nearest *nearest, const char *name) {
	size_t distance = opt_distance(nearest->typed, name);
	if (distance < nearest->distance) {
		snprintf(nearest->name, sizeof(nearest->name), "%s", name);
		nearest->distance = distance;
	}
}

/** The command nearest to a word, or the format of a group of commands. */
static struct nearest find_nearest(const char *typed, const char *group) {
	struct nearest nearest = {.typed = typed, .distance = strlen(typed) / 3 + 2};
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		if (group == NULL) {
			consider(&nearest, command_name(&command, ' ', name));
			consider(&nearest, command_name(&command, '-', name));
		} else if (command.group != NULL && strcmp(command.group, group) == 0) {
			consider(&nearest, command.name);
		}
	}
	for (size_t i = 0; group == NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		struct str rest = str_of(words[i].names);
		struct str first = str_cut(&rest, ' ');
		snprintf(name, sizeof(name), "%.*s", (int)first.n, first.p);
		consider(&nearest, name);
	}
	return nearest;
}

static int say_unknown(const char *typed, const char *group, const char *nearest) {
	struct quote quoted = quote(str_of(typed));
	if (*nearest == '\0') {
		return say_usage("unknown command '%s'", quoted.text);
	}
	return say_usage("unknown command '%s'; did you mean '%s%s%s'?", quoted.text,
			 group == NULL ? "" : group, group == NULL ? "" : " ", nearest);
}

int face_unknown_command(int argc, char **argv) {
	if (argv[0][0] == '-') {
		return face_usage(
			NULL,
			"options come after a command: inferno flamegraph --title 'My program'");
	}
	char both[COMMAND_NAME_MAX];
	snprintf(both, sizeof(both), "%s %s", argv[0], argc > 1 ? argv[1] : "");
	if (argc > 1 && is_group(argv[0])) {
		return say_unknown(both, argv[0], find_nearest(argv[1], argv[0]).name);
	}
	if (access(argv[0], F_OK) == 0) {
		return say_usage(
			"'%s' is a file, not a command; did you mean 'inferno flamegraph %s'?",
			quote(str_of(argv[0])).text, quote(str_of(argv[0])).text);
	}
	struct nearest two = find_nearest(both, NULL);
	if (argc > 1 && two.name[0] != '\0') {
		return say_unknown(both, NULL, two.name);
	}
	return say_unknown(argv[0], NULL, find_nearest(argv[0], NULL).name);
}

static int run_words(int argc, char **argv) {
	struct command command;
	if (argc == 0) {
		struct buf text = {0};
		help_overview(&text);
		fputs(buf_text(&text), stderr);
		buf_release(&text);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (opt_names_have(words[i].names, argv[0])) {
			return words[i].run(argc - 1, argv + 1);
		}
	}
	int taken = face_find_command(argc, argv, &command);
	if (taken > 0) {
		return run_command(&command, argc - taken, argv + taken);
	}
	if (is_group(argv[0]) && (argc == 1 || argv[1][0] == '-')) {
		bool help = argc > 1 && opt_names_have("--help -h", argv[1]);
		return help ? say_help(0, NULL)
			    : face_usage(NULL, "which format? 'inferno formats' lists them");
	}
	return face_unknown_command(argc, argv);
}

/**
 * Makes sure that files opened later are not taken for the standard ones. A standard file that is
 * closed stays one that cannot be used: it is opened the wrong way round.
 */
static void open_standard_files(void) {
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0) {
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		}
	}
}

/** Gives large blocks mappings of their own, which grow without a copy, and uses smaller ones again
 * instead of giving them back: the first touch of a page is dear. */
static void tune_allocator(void) {
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int main(int argc, char **argv) {
	tune_allocator();
	open_standard_files();
	// A closed pipe shall be seen as a write that fails, and end the run quietly.
	signal(SIGPIPE, SIG_IGN);
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *called = argc == 0 ? "inferno" : slash == NULL ? argv[0] : slash + 1;
	if (strncmp(called, "inferno-", 8) == 0) {
		called += 8;
	}
	struct command command;
	int status;
	if (command_find(called, &command)) {
		status = run_command(&command, argc - 1, argv + 1);
	} else if (perl_find(called, &command)) {
		status = run_script(called, &command, argc - 1, argv + 1);
	} else {
		status = run_words(argc > 0 ? argc - 1 : 0, argv + 1);
	}
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_DONE && errno != EPIPE) {
		status = say_errno(NULL);
	}
	return status;
}
