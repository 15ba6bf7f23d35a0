/*
 * FlameGraph's scripts: stackcollapse-perf.pl, flamegraph.pl and so on. If the program has the name
 * of such a script, it first translates the script's command line. As in the scripts, options may
 * be abbreviated, may begin with one hyphen, and may be repeated; the last one counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "cli/cli.h"
#include "script-names.h"

/** A script whose options differ from the options of its command, or whose name is not an alias of
 * a command. */
struct perl_script {
	const char *name, *command;
	// names of the script's options; NULL: the same as those of the command
	const char *options;
	const char *lacking; // options of the script that inferno does not have
	const char *instead; // advice on a way to do the same
};

static const struct perl_script scripts[] = {
	{"flamegraph", "flamegraph",
	 "bgcolors colors countname cp encoding factor flamechart fontsize fonttype fontwidth hash "
	 "height help inverted minwidth nameattr nametype negate notes random reverse subtitle "
	 "title total width",
	 NULL, NULL},
	{"stackcollapse-perf", "collapse-perf",
	 "addrs all context event-filter help inline jit kernel pid srcline tid", "context inline",
	 "'perf script' prints inlined functions itself; for source lines, use --srcline"},
	{"difffolded", "diff", NULL, NULL, NULL},
};

const char *const perl_names[] = {SCRIPT_NAMES, NULL};

/* --- Scripts -------------------------------------------------------------------------------- */

static const struct perl_script *perl_find_script(const char *name) {
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		if (strcmp(scripts[i].name, name) == 0) {
			return &scripts[i];
		}
	}
	return NULL;
}

/** Cut the suffix of the language, such as `.pl`, off a name. Return false if the name has no such
 * suffix, or is too long. */
static bool perl_cut_language(const char *called, char *name) {
	static const char *const ends[] = {".pl", ".awk", ".py", ".php"};
	struct str rest = str_of(called);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (str_ends(rest, str_of(ends[i])) && rest.n < COMMAND_NAME_MAX) {
			rest.n -= strlen(ends[i]);
			snprintf(name, COMMAND_NAME_MAX, "%.*s", (int)rest.n, rest.p);
			return true;
		}
	}
	return false;
}

bool perl_find(const char *called, struct command *command) {
	char name[COMMAND_NAME_MAX];
	if (!perl_cut_language(called, name)) {
		return false;
	}
	const struct perl_script *script = perl_find_script(name);
	if (script != NULL) {
		return command_find(script->command, command);
	}
	return str_starts(str_of(name), STR("stackcollapse")) && command_find(name, command);
}

/* --- Options -------------------------------------------------------------------------------- */

/** The options that a word may abbreviate. */
struct matches {
	struct str typed;
	struct buf names; // names of the matching options, separated by ", --"
	char name[64];    // the last matching option
	size_t n;
	bool exact;
};

static void perl_consider(struct matches *matches, struct str name) {
	if (matches->exact || name.n < matches->typed.n || name.n >= sizeof(matches->name) ||
	    strncasecmp(name.p, matches->typed.p, matches->typed.n) != 0) {
		return;
	}
	matches->exact = name.n == matches->typed.n;
	matches->n = matches->exact ? 1 : matches->n + 1;
	buf_printf(&matches->names, "%s--%.*s", matches->names.n > 0 ? ", " : "", (int)name.n,
		   name.p);
	snprintf(matches->name, sizeof(matches->name), "%.*s", (int)name.n, name.p);
}

static void perl_consider_names(struct matches *matches, const char *names) {
	for (struct str rest = opt_names(names), name; (name = str_next_word(&rest)).n > 0;) {
		perl_consider(matches, name);
	}
}

struct perl {
	const struct command *command;
	const struct perl_script *script; // row of the script; NULL: it has none
	struct opt_set set;               // options by name
	struct perl_words *words;
};

/** Find all options that `typed` may abbreviate: options of the script, or options of the command
 * if the script has no list of its own. */
static void perl_find_matches(const struct perl *perl, struct matches *matches) {
	if (perl->script != NULL && perl->script->options != NULL) {
		perl_consider_names(matches, perl->script->options);
		return;
	}
	struct opt_table own[OPT_TABLES] = {perl->command->tables[TABLE_OWN]};
	for (struct opt_place at = {0}; opt_next(own, &at);) {
		perl_consider(matches, str_of(at.row->name));
		perl_consider_names(matches, at.row->also);
		if ((at.row->flags & OPT_NEGATABLE) != 0) {
			char name[64];
			snprintf(name, sizeof(name), "no-%s", at.row->name);
			perl_consider(matches, str_of(name));
		}
	}
}

/** Add a word, and remove an earlier word for the same option. */
static void perl_add_word(struct perl_words *words, const char *option, const struct buf *text) {
	for (size_t i = 0; option != NULL && i < words->n; i++) {
		if (words->options[i] != NULL && strcmp(words->options[i], option) == 0) {
			words->n--;
			memmove(words->items + i, words->items + i + 1,
				(words->n - i) * sizeof(*words->items));
			memmove(words->options + i, words->options + i + 1,
				(words->n - i) * sizeof(*words->options));
			break;
		}
	}
	words->options[words->n] = option;
	words->items[words->n++] = arena_copy(&words->arena, buf_str(text).p, text->n);
}

static int perl_fail_matches(const struct perl *perl, struct matches *matches) {
	struct buf text = {0};
	buf_printf(&text, "'--%s' may be any of %s", quote(matches->typed).text,
		   buf_text(&matches->names));
	int status = cli_usage(perl->command, buf_text(&text));
	buf_release(&text);
	return status;
}

/** Add an option of the script. The value of the option is `value`, or the next word. */
static int perl_add_option(struct perl *perl, const char *name, const char *value, char ***next) {
	if (perl->script != NULL && opt_names_have(perl->script->lacking, str_of(name))) {
		char text[256];
		snprintf(text, sizeof(text), "%s.pl has --%s, but this program does not: %s",
			 perl->script->name, name, perl->script->instead);
		return cli_usage(perl->command, text);
	}
	const struct opt *row = opt_by_name(&perl->set, str_of(name)).row;
	bool flag = row == NULL || opt_is_flag(row);
	if (!flag && value == NULL && **next != NULL) {
		value = *(*next)++;
	}
	struct buf text = {0};
	buf_printf(&text, "--%s", name);
	if (value != NULL) {
		buf_printf(&text, "=%s", value);
		// A plain number means pixels in flamegraph.pl, but per cent in this program.
		bool pixels = perl->script == &scripts[0] && strcmp(name, "minwidth") == 0 &&
			      strspn(value, "0123456789.") == strlen(value) && *value != '\0';
		buf_add_text(&text, pixels ? "px" : "");
	}
	bool repeats = row != NULL && (row->type == OPT_LIST || row->type == OPT_COUNT);
	perl_add_word(perl->words, repeats || row == NULL ? NULL : row->name, &text);
	buf_release(&text);
	return 0;
}

/** Translate a word that begins with a hyphen. `next` points to the words after it. */
static int perl_add_hyphened(struct perl *perl, const char *word, char ***next) {
	struct str rest = str_of(word + (word[1] == '-' ? 2 : 1));
	bool has_value = str_find(rest, '=') != STR_NONE;
	struct matches matches = {.typed = str_cut(&rest, '=')};
	bool letter = word[1] != '-' && matches.typed.n == 1;
	const struct opt *row = letter ? opt_by_letter(&perl->set, matches.typed.p[0]).row : NULL;
	if (row != NULL) { // an option letter of this program
		matches.n = 1;
		snprintf(matches.name, sizeof(matches.name), "%s", row->name);
	} else if (matches.typed.n > 0) {
		perl_find_matches(perl, &matches);
	}
	char negated[sizeof(matches.name)];
	if (matches.n == 0 && matches.typed.n > 2 && strncasecmp(matches.typed.p, "no", 2) == 0) {
		snprintf(negated, sizeof(negated), "no-%.*s", (int)matches.typed.n - 2,
			 matches.typed.p + 2);
		matches.typed = str_of(negated); // --nox means --no-x
		perl_find_matches(perl, &matches);
	}
	int status = 0;
	if (matches.n == 1) {
		status = perl_add_option(perl, matches.name, has_value ? rest.p : NULL, next);
	} else if (matches.n > 1) {
		status = perl_fail_matches(perl, &matches);
	} else { // an option of this program
		struct buf text = {0};
		buf_add_text(&text, word);
		perl_add_word(perl->words, NULL, &text);
		buf_release(&text);
	}
	buf_release(&matches.names);
	return status;
}

/* --- All words ------------------------------------------------------------------------------ */

int perl_read(struct perl_words *words, const char *called, const struct command *command, int argc,
	      char **argv) {
	char name[COMMAND_NAME_MAX];
	perl_cut_language(called, name);
	struct perl perl = {.command = command, .script = perl_find_script(name), .words = words};
	struct opt_table tables[OPT_TABLES];
	cli_tables(command, tables);
	opt_init(&perl.set, tables);
	*words = (struct perl_words){0};
	words->items = mem_new((size_t)argc + 1, sizeof(*words->items));
	words->options = mem_new((size_t)argc + 1, sizeof(*words->options));
	int status = 0;
	bool options = true;
	for (char **next = argv; status == 0 && *next != NULL;) {
		char *word = *next++;
		options = options && strcmp(word, "--") != 0;
		if (options && word[0] == '-' && word[1] != '\0') {
			status = perl_add_hyphened(&perl, word, &next);
		} else {
			words->items[words->n++] = word;
		}
	}
	opt_release(&perl.set);
	return status;
}

void perl_release(struct perl_words *words) {
	free(words->items);
	free(words->options);
	arena_release(&words->arena);
}
