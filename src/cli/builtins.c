/* The builtins, which are commands of the program and not of the library (help, formats, manpage,
 * completions ...), and the errors for unknown commands. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"

void cli_print_version(void) {
	cli_print("inferno ");
	cli_print(inferno_version());
	cli_print("\n");
}

static void builtins_print(struct buf *text) {
	cli_print(buf_text(text));
	buf_release(text);
}

void cli_print_help(const struct command *command, bool brief) {
	struct buf text = {0};
	if (command == NULL) {
		help_overview(&text);
	} else {
		help_command(&text, command, brief);
	}
	builtins_print(&text);
}

/** Report wrong usage of the program as a whole, with a format of printf(). Return EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) static int builtins_report_usage(const char *format, ...) {
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	int status = cli_usage(NULL, buf_text(&text));
	buf_release(&text);
	return status;
}

int cli_print_completions(const char *shell) {
	struct buf text = {0};
	int result = complete_shell(&text, shell);
	builtins_print(&text);
	return result;
}

static bool builtins_is_group(const char *builtin) {
	struct command command;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL && strcmp(command.group, builtin) == 0) {
			return true;
		}
	}
	return false;
}

/** Find the command that the first words name. Return the number of words in its name, or 0 if no
 * command has this name. */
static int builtins_find_command(int argc, char **argv, struct command *command) {
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

bool cli_other_name(const struct command *command, size_t i, char *name) {
	char own[COMMAND_NAME_MAX];
	command_name(command, '-', own);
	for (size_t a = 0; command->aliases != NULL && command->aliases[a] != NULL; a++) {
		// An alias that starts with the command's name belongs to inferno. All other
		// aliases are names of other programs.
		if (str_starts(str_of(command->aliases[a]), str_of(own)) && i-- == 0) {
			snprintf(name, COMMAND_NAME_MAX, "inferno-%s", command->aliases[a]);
			return true;
		}
	}
	if (command->link != NULL && i-- == 0) {
		snprintf(name, COMMAND_NAME_MAX, "%s", command->link);
		return true;
	}
	for (const char *const *script = perl_names; *script != NULL; script++) {
		struct command found;
		char other[COMMAND_NAME_MAX];
		bool is_one = command_find(*script, &found) || perl_find(*script, &found);
		if (is_one && strcmp(command_name(&found, '-', other), own) == 0 && i-- == 0) {
			snprintf(name, COMMAND_NAME_MAX, "%s", *script);
			return true;
		}
	}
	return false;
}

/* --- Unknown words -------------------------------------------------------------------------- */

/** A search for the name that is most similar to a mistyped word. */
struct builtins_nearest {
	const char *typed;
	char name[COMMAND_NAME_MAX]; // the words that a person types after "inferno"
	size_t distance;             // distance of `name` from the typed words
};

/** Remember `name` if its form `tried` is more similar to the mistyped word than the best name so
 * far. Add `handicap` to the distance of a form that differs from the word. */
static void builtins_consider(struct builtins_nearest *nearest, const char *tried, size_t handicap,
			      const char *name) {
	size_t distance = opt_distance(nearest->typed, tried);
	distance += distance == 0 || distance == SIZE_MAX ? 0 : handicap;
	if (distance < nearest->distance) {
		snprintf(nearest->name, sizeof(nearest->name), "%s", name);
		nearest->distance = distance;
	}
}

/** Find the command whose name is most similar to the typed words. If the first word names a group
 * of commands, search only this group. */
static struct builtins_nearest builtins_find_nearest(const char *typed, const char *group) {
	struct builtins_nearest nearest = {.typed = typed, .distance = strlen(typed) / 3 + 2};
	struct command command;
	char spoken[COMMAND_NAME_MAX], name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		command_name(&command, ' ', spoken);
		if (group == NULL) {
			builtins_consider(&nearest, spoken, 0, spoken);
			builtins_consider(&nearest, command_name(&command, '-', name), 0, spoken);
		}
		if (command.group != NULL && (group == NULL || strcmp(command.group, group) == 0)) {
			// Try the second words of commands only in a group, because the short names
			// of formats are similar to many words.
			builtins_consider(&nearest, command.name, group == NULL ? 1 : 0, spoken);
		}
	}
	for (const struct builtin *builtin = builtins; group == NULL && builtin->names != NULL;
	     builtin++) {
		builtins_consider(&nearest, builtins_name(builtin, name), 0, name);
	}
	return nearest;
}

static int builtins_report_unknown(const char *typed, struct builtins_nearest nearest) {
	struct quote quoted = quote(str_of(typed));
	if (nearest.name[0] == '\0') {
		return builtins_report_usage("unknown command '%s'", quoted.text);
	}
	return builtins_report_usage("unknown command '%s'; did you mean 'inferno %s'?",
				     quoted.text, nearest.name);
}

/** Report an unknown command, and suggest the most similar one. Return EXIT_USAGE. */
static int builtins_report_unknown_command(int argc, char **argv) {
	if (argv[0][0] == '-') {
		return cli_usage(
			NULL,
			"options come after a command: inferno flamegraph --title 'My program'");
	}
	char both[COMMAND_NAME_MAX];
	snprintf(both, sizeof(both), "%s %s", argv[0], argc > 1 ? argv[1] : "");
	if (argc > 1 && builtins_is_group(argv[0])) {
		return builtins_report_unknown(both, builtins_find_nearest(argv[1], argv[0]));
	}
	struct builtins_nearest one = builtins_find_nearest(argv[0], NULL);
	if (one.distance > 0 && access(argv[0], F_OK) == 0) {
		return builtins_report_usage(
			"'%s' is a file, not a command; did you mean 'inferno flamegraph %s'?",
			quote(str_of(argv[0])).text, quote(str_of(argv[0])).text);
	}
	struct builtins_nearest two = builtins_find_nearest(both, NULL);
	if (argc > 1 && one.distance > 0 && two.name[0] != '\0') {
		return builtins_report_unknown(both, two);
	}
	return builtins_report_unknown(argv[0], one);
}

/* --- The builtins --------------------------------------------------------------------------- */

static const struct builtin *builtins_find(const char *name) {
	for (const struct builtin *builtin = builtins; builtin->names != NULL; builtin++) {
		if (opt_names_have(builtin->names, str_of(name))) {
			return builtin;
		}
	}
	return NULL;
}

const char *builtins_name(const struct builtin *builtin, char *out) {
	struct str rest = str_of(builtin->names), name = str_next_word(&rest);
	snprintf(out, COMMAND_NAME_MAX, "%.*s", (int)name.n, name.p);
	return out;
}

static int builtins_print_own_help(const struct builtin *builtin) {
	char name[COMMAND_NAME_MAX];
	builtins_name(builtin, name);
	printf("inferno %s: %s\n\nUsage: inferno %s%s%s\n", name, builtin->brief, name,
	       *builtin->operand == '\0' ? "" : " ", builtin->operand);
	return EXIT_DONE;
}

static int builtins_report_help(int argc, char **argv) {
	struct command command;
	const struct builtin *builtin = argc == 0 ? NULL : builtins_find(argv[0]);
	if (argc == 0 || (argc == 1 && builtins_is_group(argv[0]))) {
		cli_print_help(NULL, false);
		return EXIT_DONE;
	}
	if (builtin != NULL) {
		return builtins_print_own_help(builtin);
	}
	if (builtins_find_command(argc, argv, &command) == 0) {
		return builtins_report_unknown_command(argc, argv);
	}
	cli_print_help(&command, false);
	return EXIT_DONE;
}

static int builtins_report_formats(int argc, char **argv) {
	(void)argc, (void)argv;
	struct buf text = {0};
	help_formats(&text);
	builtins_print(&text);
	return EXIT_DONE;
}

static int builtins_report_man_page(int argc, char **argv) {
	struct command command;
	if (argc > 0 && builtins_find(argv[0]) != NULL) {
		return builtins_report_usage(
			"'%s' has no manual page of its own: see 'man inferno'", argv[0]);
	}
	if (builtins_find_command(argc, argv, &command) == 0) {
		return builtins_report_unknown_command(argc, argv);
	}
	struct buf text = {0};
	man_command(&text, &command);
	builtins_print(&text);
	return EXIT_DONE;
}

#define NO_SHELL \
	"completions needs a shell: inferno completions bash, zsh, fish, powershell or elvish"

static int builtins_report_completions(int argc, char **argv) {
	return argc == 1 && cli_print_completions(argv[0]) == 0 ? EXIT_DONE
								: cli_usage(NULL, NO_SHELL);
}

static int builtins_report_commands(int argc, char **argv) {
	(void)argc, (void)argv;
	struct command command;
	char name[COMMAND_NAME_MAX], other[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		printf("%s\n", command_name(&command, '-', name));
		for (size_t n = 0; cli_other_name(&command, n, other); n++) {
			printf("%s %s\n", name, other);
		}
	}
	return EXIT_DONE;
}

static int builtins_report_version(int argc, char **argv) {
	(void)argc, (void)argv;
	cli_print_version();
	return EXIT_DONE;
}

const struct builtin builtins[] = {
	{"formats", "", NULL, "list the formats that can be read and written",
	 builtins_report_formats},
	{"commands", "", NULL, "list all names of the commands, for scripts",
	 builtins_report_commands},
	{"help --help -h", "COMMAND", NULL, "describe a command", builtins_report_help},
	{"manpage", "COMMAND", "manpage needs a command: inferno manpage collapse perf",
	 "print the manual page of a command", builtins_report_man_page},
	{"completions", "SHELL", NO_SHELL, "print the completions for a shell, such as bash",
	 builtins_report_completions},
	{"version --version -V", "", NULL, "print the version", builtins_report_version},
	{NULL, NULL, NULL, NULL, NULL},
};

static int builtins_run_one(const struct builtin *builtin, int argc, char **argv) {
	if (argc > 0 && opt_names_have("--help -h", str_of(argv[0]))) {
		return builtins_print_own_help(builtin);
	}
	if (argc > 0 && *builtin->operand == '\0') {
		return builtins_report_usage("no argument expected, found '%s'",
					     quote(str_of(argv[0])).text);
	}
	if (argc == 0 && builtin->lacking != NULL) {
		return cli_usage(NULL, builtin->lacking);
	}
	return builtin->run(argc, argv);
}

int builtins_run(int argc, char **argv) {
	struct command command;
	if (argc == 0) {
		struct buf text = {0};
		help_overview(&text);
		fputs(buf_text(&text), stderr);
		buf_release(&text);
		return EXIT_USAGE;
	}
	const struct builtin *builtin = builtins_find(argv[0]);
	if (builtin != NULL) {
		return builtins_run_one(builtin, argc - 1, argv + 1);
	}
	int taken = builtins_find_command(argc, argv, &command);
	if (taken > 0) {
		return cli_run(&command, argc - taken, argv + taken);
	}
	if (builtins_is_group(argv[0]) && (argc == 1 || argv[1][0] == '-')) {
		bool help = argc > 1 && opt_names_have("--help -h", str_of(argv[1]));
		return help ? builtins_report_help(0, NULL)
			    : cli_usage(NULL, "which format? 'inferno formats' lists them");
	}
	return builtins_report_unknown_command(argc, argv);
}
