/*
 * Fuzz target for command lines. The first line of the input chooses the command, and the other
 * lines are its arguments. The arguments are parsed three times: as arguments of the command, as
 * arguments of the FlameGraph script that it replaces, and as options of the library. The command
 * runs only if it touches no file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "cli/cli.h"

#include "binary.h"

enum { WORDS_MOST = 32 };

/** Arguments, ended by NULL. They point into `text`. */
struct vector {
	char *words[WORDS_MOST + 1];
	int n;
	struct buf text;
};

static void fuzz_options_take_words(struct vector *vector, struct str input) {
	*vector = (struct vector){0};
	buf_add_str(&vector->text, input);
	buf_replace(&vector->text, '\0', '0');
	(void)buf_text(&vector->text);
	for (char *line = vector->text.p; line != NULL && vector->n < WORDS_MOST;) {
		vector->words[vector->n++] = strsep(&line, "\n");
	}
}

/** Check that standard error has only lines of text without control bytes. */
static void fuzz_options_check_printed(struct str text) {
	fuzz_require(utf8_valid(text), "a message is no UTF-8", text);
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		fuzz_require(c >= ' ' || c == '\n', "a message has a control byte", text);
	}
}

static int fuzz_options_drop(void *context, const void *bytes, size_t size) {
	(void)context;
	(void)bytes;
	(void)size;
	return 0;
}

/** Return whether a word may be an option of this row. */
static bool fuzz_options_may_name(const char *word, const struct opt *row) {
	struct str names = opt_names(row->also);
	bool may = strstr(word, row->name) != NULL ||
		   (row->letter != 0 && word[0] == '-' && strchr(word, row->letter) != NULL);
	while (names.n > 0 && !may) {
		may = str_has(str_of(word), str_next_word(&names));
	}
	return may;
}

/** Return whether a command can run here: it must only read standard input, which is empty, and
 * must not name a file or a program. */
static bool fuzz_options_is_harmless(const struct command *command, const struct vector *vector) {
	struct opt_place place = {0};
	bool harmless = !command->runs_program && command->operands_least == 0 &&
			!command->names_outputs && strcmp(command->name, "doctor") != 0 &&
			strcmp(command->name, "script") != 0;
	while (harmless && opt_next(command->tables, &place)) {
		bool touches = place.row->type == OPT_PATH || strcmp(place.row->name, "cp") == 0;
		for (int i = 0; i < vector->n && touches && harmless; i++) {
			harmless = !fuzz_options_may_name(vector->words[i], place.row);
		}
	}
	return harmless;
}

/** Read arguments, and run the command if it touches no file. */
static void fuzz_options_try_arguments(const struct command *command, int argc, char **argv,
				       bool harmless) {
	char name[COMMAND_NAME_MAX];
	struct inferno *job = inferno_new(command_name(command, '-', name));
	struct arguments arguments;
	int status = arguments_read(&arguments, job, command, argc, argv);
	fuzz_require(status == 0 || status == EXIT_USAGE, "another status for wrong usage",
		     STR(""));
	if (status == 0 && harmless && arguments.sources_n == 0) {
		enum inferno_status result = inferno_run(job, fuzz_options_drop, NULL);
		fuzz_require((result == INFERNO_OK) == (*inferno_error(job) == '\0'),
			     "status and error disagree", str_of(inferno_error(job)));
		fuzz_options_check_printed(str_of(inferno_error(job)));
	}
	arguments_release(&arguments);
	inferno_free(job);
}

/** Set options by their names, as a program that uses the library does, and check whether they may
 * be combined. */
static void fuzz_options_try_options(const struct command *command, const struct vector *vector) {
	struct opt_set set;
	struct diag diag = {0};
	opt_init(&set, command->tables);
	bool sound = true;
	for (int i = 1; i < vector->n && sound; i++) {
		struct str value = str_of(vector->words[i]), name = str_cut(&value, '=');
		name = str_starts(name, STR("--")) ? str_from(name, 2) : name;
		struct opt_place place = opt_by_name(&set, name);
		bool bare = name.p + name.n == value.p;
		sound = place.row == NULL ||
			opt_set(&set, place, bare ? NULL : value.p, &diag) == 0;
	}
	sound = sound && opt_finish(&set, &diag) == 0;
	if (sound && command->check != NULL) {
		sound = command->check(&set, command->operands_least, &diag) == 0;
	}
	fuzz_require(sound == (diag.error.n == 0), "an error without a word, or a word without one",
		     buf_str(&diag.error));
	fuzz_options_check_printed(buf_str(&diag.error));
	opt_release(&set);
	diag_release(&diag);
}

static void fuzz_options_try_script(const char *called, const struct vector *vector) {
	struct command command;
	struct perl_words words;
	if (!perl_find(called, &command)) {
		return;
	}
	int status = perl_read(&words, called, &command, vector->n - 1,
			       (char **)(uintptr_t)(vector->words + 1));
	if (status == 0) {
		fuzz_options_try_arguments(&command, (int)words.n, words.items, false);
	}
	perl_release(&words);
}

static void fuzz_options_try_all(struct vector *vector) {
	struct command command;
	const char *called = vector->words[0];
	const char *slash = strrchr(called, '/');
	fuzz_options_try_script(slash == NULL ? called : slash + 1, vector);
	for (size_t i = 0; builtins[i].names != NULL; i++) {
		char name[COMMAND_NAME_MAX];
		if (strcmp(called, builtins_name(&builtins[i], name)) == 0) {
			(void)builtins_run(vector->n, vector->words);
		}
	}
	if (command_find(called, &command)) {
		fuzz_options_try_options(&command, vector);
		fuzz_options_try_arguments(&command, vector->n - 1, vector->words + 1,
					   fuzz_options_is_harmless(&command, vector));
	}
}

void fuzz_options(struct str input, struct random *source) {
	(void)source;
	static FILE *nowhere;
	FILE *out = stdout, *err = stderr;
	char *printed = NULL;
	size_t printed_n = 0;
	struct vector vector;
	if (nowhere == NULL) {
		nowhere = fopen("/dev/null", "w");
		fuzz_require(nowhere != NULL && freopen("/dev/null", "r", stdin) != NULL,
			     "no /dev/null", STR(""));
	}
	fuzz_options_take_words(&vector, input);
	FILE *memory = open_memstream(&printed, &printed_n);
	fuzz_require(memory != NULL, "no memory", STR(""));
	stdout = nowhere;
	stderr = memory;
	fuzz_options_try_all(&vector);
	stdout = out;
	stderr = err;
	fclose(memory);
	fuzz_options_check_printed((struct str){printed, printed_n});
	free(printed);
	buf_release(&vector.text);
}
