/* Make completion scripts for bash, zsh and fish from the tables of options. */
#include <stdio.h>

#include "cli/complete.h"

/** Call `add` for --no-NAME of an option, as if it were a separate option. */
static void complete_add_negation(struct buf *out, const char *words, const struct opt *row,
				  add_option *add) {
	struct buf name = {0}, help = {0};
	struct opt off = *row;
	buf_printf(&name, "no-%s", row->name);
	buf_printf(&help, "do not %s", row->help);
	off.name = buf_text(&name);
	off.help = buf_text(&help);
	off.letter = 0;
	add(out, words, &off);
	buf_release(&name);
	buf_release(&help);
}

void complete_each_option(struct buf *out, const struct command *command, const char *words,
			  add_option *add) {
	struct opt_table tables[OPT_TABLES];
	cli_tables(command, tables);
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		if ((at.row->flags & OPT_HIDDEN) == 0) {
			struct opt shown = opt_shown(tables, at);
			add(out, words, &shown);
		}
		if ((at.row->flags & OPT_NEGATABLE) != 0) {
			complete_add_negation(out, words, at.row, add);
		}
	}
}

/** Add text inside single quotes of a shell. */
static void complete_quoted(struct buf *out, const char *text) {
	buf_add_char(out, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'') {
			buf_add_text(out, "'\\''");
		} else {
			buf_add_char(out, *text);
		}
	}
	buf_add_char(out, '\'');
}

static void complete_bash_option(struct buf *out, const char *words, const struct opt *row) {
	(void)words;
	buf_printf(out, " --%s", row->name);
}

static void complete_bash_choices(struct buf *out, const char *words, const struct opt *row) {
	if (row->choices == NULL) {
		return;
	}
	buf_printf(out, "\t'%s --%s'", words, row->name);
	if (row->letter != 0) {
		buf_printf(out, "|'%s -%c'", words, row->letter);
	}
	for (struct str rest = opt_names(row->also), name; (name = str_next_word(&rest)).n > 0;) {
		buf_printf(out, "|'%s --%.*s'", words, (int)name.n, name.p);
	}
	buf_add_text(out, ") words='");
	for (size_t i = 0; row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s", i > 0 ? " " : "", row->choices[i]);
	}
	buf_add_text(out, "' ;;\n");
}

static void complete_plain_name(struct buf *out, const char *name, const char *brief) {
	(void)brief;
	buf_printf(out, " %s", name);
}

void complete_first_words(struct buf *out, add_name *add) {
	struct command command;
	add(out, "collapse", "fold a profile of a format");
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group == NULL) {
			add(out, command.name, command.brief);
		}
	}
	for (const struct builtin *builtin = builtins; builtin->names != NULL; builtin++) {
		char name[COMMAND_NAME_MAX];
		add(out, builtins_name(builtin, name), builtin->brief);
	}
}

void complete_second_words(struct buf *out, add_name *add) {
	struct command command;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL) {
			add(out, command.name, command.brief);
		}
	}
}

void complete_whole_names(struct buf *out, add_name *add) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		add(out, command_name(&command, '-', name), command.brief);
	}
}

void complete_link_names(struct buf *out) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		buf_printf(out, " inferno-%s", command_name(&command, '-', name));
		for (size_t n = 0; cli_other_name(&command, n, name); n++) {
			buf_printf(out, " %s", name);
		}
	}
}

bool complete_next_word(const struct command *command, size_t *i, char *builtin) {
	char name[COMMAND_NAME_MAX];
	bool found = cli_other_name(command, (*i)++, name);
	if (found && command->link != NULL && strcmp(name, command->link) == 0) {
		found = cli_other_name(command, (*i)++, name);
	}
	if (found) {
		bool ours = str_starts(str_of(name), STR("inferno-"));
		snprintf(builtin, COMMAND_NAME_MAX, "%s", name + (ours ? 8 : 0));
	}
	return found;
}

/** Add a branch of the shell's `case` that maps the other names of a command to its usual name. */
static void complete_canonical_name(struct buf *out, const struct command *command) {
	char name[COMMAND_NAME_MAX];
	const char *before = "\t";
	for (size_t i = 0; complete_next_word(command, &i, name); before = "|") {
		buf_printf(out, "%s%s", before, name);
	}
	if (*before == '|') {
		buf_printf(out, ") command=%s ;;\n", command_name(command, '-', name));
	}
}

/** Add the shell's `case` that maps the name of a link to the command that the link runs. */
static void complete_commands_of_links(struct buf *out) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	buf_add_text(out, "\t\tcase $command in\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.link != NULL) {
			buf_printf(out, "\t\t%s) command=%s ;;\n", command.link,
				   command_name(&command, '-', name));
		}
	}
	buf_add_text(out, "\t\t*) command=${command#inferno-} ;;\n\t\tesac\n");
}

static void complete_canonical_names(struct buf *out) {
	struct command command;
	buf_add_text(out, "\tcase $command in\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		complete_canonical_name(out, &command);
	}
	buf_add_text(out, "\tesac\n");
}

static void complete_bash_words(struct buf *out) {
	buf_add_text(out, "\t'') words='");
	complete_first_words(out, complete_plain_name);
	buf_add_text(out, "' ;;\n\tcollapse) words='");
	complete_second_words(out, complete_plain_name);
	buf_add_text(out, "' ;;\n\thelp|manpage) words='");
	complete_whole_names(out, complete_plain_name);
	buf_add_text(out, "' ;;\n\tcompletions) words='");
	complete_shell_names(out, complete_plain_name);
	buf_add_text(out, "' ;;\n");
}

static void complete_bash(struct buf *out) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	buf_add_text(
		out,
		"# bash completion for inferno\n"
		"_inferno() {\n"
		"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
		"words='' command\n"
		"\tif [ \"$current\" = = ]; then\n" // bash splits --option=value into three words
		"\t\tcurrent=''\n"
		"\telif [ \"$previous\" = = ]; then\n"
		"\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
		"\tfi\n"
		"\tcommand=${COMP_WORDS[0]##*/}\n"
		"\tif [ \"$command\" != inferno ]; then\n");
	complete_commands_of_links(out);
	buf_add_text(
		out,
		"\telif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\tcommand=''\n"
		"\telif [ \"$COMP_CWORD\" -gt 2 ] && [ \"${COMP_WORDS[1]}\" = collapse ]; then\n"
		"\t\tcommand=collapse-${COMP_WORDS[2]}\n"
		"\telse\n"
		"\t\tcommand=${COMP_WORDS[1]}\n"
		"\tfi\n");
	complete_canonical_names(out);
	buf_add_text(out, "\tcase $command in\n");
	complete_bash_words(out);
	for (size_t i = 0; command_at(i, &command); i++) {
		buf_printf(out, "\t%s) words='", command_name(&command, '-', name));
		complete_each_option(out, &command, name, complete_bash_option);
		buf_add_text(out, "' ;;\n");
	}
	buf_add_text(out, "\tesac\n\tcase \"$command $previous\" in\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		complete_each_option(out, &command, command_name(&command, '-', name),
				     complete_bash_choices);
	}
	buf_add_text(out, "\t' '*|'collapse '*|'help '*|'manpage '*|'completions '*) "
			  "compopt +o default +o bashdefault ;;\n"
			  "\t*) [[ $current == -* ]] || words='' ;;\n\tesac\n"
			  "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
			  "}\n"
			  "complete -o bashdefault -o default -F _inferno inferno");
	complete_link_names(out);
	buf_add_char(out, '\n');
}

/** Add text with a backslash before each character that _arguments and _describe interpret. */
static void complete_zsh_text(struct buf *out, const char *text) {
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '[' || *c == ']' || *c == ':' || *c == '\\') {
			buf_add_char(out, '\\');
		}
		buf_add_char(out, *c);
	}
}

/** Add the long name of an option, or both of its names in braces, which the shell expands to two
 * words. */
static void complete_zsh_names(struct buf *out, const struct opt *row) {
	const char *value = row->value != NULL ? "=" : "",
		   *letter_value = *value != '\0' ? "+" : "";
	bool again = row->type == OPT_LIST || row->type == OPT_COUNT;
	if (row->letter == 0) {
		buf_printf(out, "%s--%s%s", again ? "\\*" : "", row->name, value);
		return;
	}
	if (!again) {
		buf_printf(out, "'(-%c --%s)'", row->letter, row->name);
	}
	buf_printf(out, "{%s-%c%s,%s--%s%s}", again ? "\\*" : "", row->letter, letter_value,
		   again ? "\\*" : "", row->name, value);
}

static void complete_zsh_option(struct buf *out, const char *words, const struct opt *row) {
	(void)words;
	struct buf text = {0};
	buf_add_char(&text, '[');
	complete_zsh_text(&text, row->help);
	buf_add_char(&text, ']');
	if (row->value != NULL) {
		buf_printf(&text, row->bare == NULL ? ":%s:" : "::%s:", row->value);
		for (size_t i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
			buf_printf(&text, "%s%s", i == 0 ? "(" : " ", row->choices[i]);
		}
		buf_add_text(&text, row->choices != NULL    ? ")"
				    : row->type == OPT_PATH ? "_files"
							    : "");
	}
	buf_add_text(out, " \\\n\t\t\t");
	complete_zsh_names(out, row);
	complete_quoted(out, buf_text(&text));
	buf_release(&text);
}

/** Add a word and its description, in the form that _describe reads. */
static void complete_zsh_name(struct buf *out, const char *name, const char *brief) {
	struct buf text = {0};
	buf_printf(&text, "%s:", name);
	complete_zsh_text(&text, brief);
	buf_add_text(out, "\n\t\t\t");
	complete_quoted(out, buf_text(&text));
	buf_release(&text);
}

/** Add the completions for the arguments of a builtin, such as `help`. */
static void complete_zsh_words(struct buf *out, const char *pattern,
			       void (*words)(struct buf *out, add_name *add)) {
	buf_printf(out, "\t%s)\n\t\tnames=(", pattern);
	words(out, complete_zsh_name);
	buf_add_text(out, "\n\t\t)\n\t\t_describe command names\n\t\t;;\n");
}

static void complete_zsh(struct buf *out) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	buf_add_text(out, "#compdef inferno");
	complete_link_names(out);
	buf_add_text(out, "\n"
			  "_inferno() {\n"
			  "\tlocal command=${words[1]:t} shift_by=1\n"
			  "\tlocal -a names\n"
			  "\tif [[ $command != inferno ]]; then\n");
	complete_commands_of_links(out);
	buf_add_text(out, "\telif (( CURRENT == 2 )); then\n"
			  "\t\tcommand=''\n"
			  "\telif [[ $words[2] == collapse ]] && (( CURRENT > 3 )); then\n"
			  "\t\tcommand=collapse-$words[3] shift_by=3\n"
			  "\telse\n"
			  "\t\tcommand=$words[2] shift_by=2\n"
			  "\tfi\n");
	complete_canonical_names(out);
	buf_add_text(out, "\twords=(\"$command\" \"${(@)words[shift_by + 1, -1]}\")\n"
			  "\t(( CURRENT -= shift_by - 1 ))\n"
			  "\tcase $command in\n");
	complete_zsh_words(out, "''", complete_first_words);
	complete_zsh_words(out, "collapse", complete_second_words);
	complete_zsh_words(out, "help|manpage", complete_whole_names);
	buf_add_text(out, "\tcompletions) compadd --");
	complete_shell_names(out, complete_plain_name);
	buf_add_text(out, " ;;\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		buf_printf(out, "\t%s)\n\t\t_arguments -s -S", command_name(&command, '-', name));
		complete_each_option(out, &command, name, complete_zsh_option);
		buf_add_text(out, " \\\n\t\t\t'*:file:_files'\n\t\t;;\n");
	}
	buf_add_text(out, "\tesac\n}\n_inferno \"$@\"\n");
}

/** Add an option. `words` are arguments of fish's `complete`: the command, and perhaps a condition.
 */
static void complete_fish_option(struct buf *out, const char *words, const struct opt *row) {
	buf_printf(out, "complete %s -l %s", words, row->name);
	if (row->letter != 0) {
		buf_printf(out, " -s %c", row->letter);
	}
	if (row->value != NULL && row->bare == NULL) {
		buf_add_text(out, row->type == OPT_PATH ? " -r" : " -x");
	}
	for (size_t i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s%s", i == 0 ? " -a '" : " ", row->choices[i],
			   row->choices[i + 1] == NULL ? "'" : "");
	}
	buf_add_text(out, " -d ");
	complete_quoted(out, row->help);
	buf_add_char(out, '\n');
}

static void complete_fish_name(struct buf *out, const char *condition, const char *name,
			       const char *brief) {
	buf_printf(out, "complete -c inferno -n '%s' -f -a %s -d ", condition, name);
	complete_quoted(out, brief);
	buf_add_char(out, '\n');
}

static void complete_fish_first(struct buf *out, const char *name, const char *brief) {
	complete_fish_name(out, "__inferno_after", name, brief);
}

static void complete_fish_second(struct buf *out, const char *name, const char *brief) {
	complete_fish_name(out, "__inferno_after collapse", name, brief);
}

static void complete_fish_whole(struct buf *out, const char *name, const char *brief) {
	complete_fish_name(out, "__inferno_after help; or __inferno_after manpage", name, brief);
}

/** Add the options of a command, for all of its names. */
static void complete_fish_command(struct buf *out, const struct command *command) {
	char own[COMMAND_NAME_MAX], name[COMMAND_NAME_MAX];
	struct buf words = {0};
	command_name(command, '-', own);
	buf_printf(&words, "-c inferno -n '__inferno_is %s", own);
	for (size_t i = 0; complete_next_word(command, &i, name);) {
		buf_printf(&words, " %s", name);
	}
	buf_add_char(&words, '\'');
	complete_each_option(out, command, buf_text(&words), complete_fish_option);
	buf_clear(&words);
	buf_printf(&words, "-c inferno-%s", own);
	complete_each_option(out, command, buf_text(&words), complete_fish_option);
	for (size_t n = 0; cli_other_name(command, n, name); n++) {
		buf_printf(out, "complete -c %s -w inferno-%s\n", name, own);
	}
	buf_release(&words);
}

static void complete_fish(struct buf *out) {
	struct command command;
	buf_add_text(
		out,
		"# fish completion for inferno\n"
		"function __inferno_after -d 'Whether these words, and no more, are on the line'\n"
		"\tset -l words (commandline -opc)\n"
		"\ttest \"$words[2..]\" = \"$argv\"\n"
		"end\n"
		"function __inferno_is -d 'Whether the command has one of these names'\n"
		"\tset -l words (commandline -opc)\n"
		"\tif test \"$words[2]\" = collapse\n"
		"\t\tcontains -- \"collapse-$words[3]\" $argv\n"
		"\telse\n"
		"\t\tcontains -- \"$words[2]\" $argv\n"
		"\tend\n"
		"end\n"
		"complete -c inferno -n '__inferno_after completions' -f -a '");
	complete_shell_names(out, complete_plain_name);
	buf_add_text(out, "'\n");
	complete_first_words(out, complete_fish_first);
	complete_second_words(out, complete_fish_second);
	complete_whole_names(out, complete_fish_whole);
	for (size_t i = 0; command_at(i, &command); i++) {
		complete_fish_command(out, &command);
	}
}

static const struct {
	const char *name;
	void (*complete)(struct buf *out);
} shells[] = {
	{"bash", complete_bash},     {"zsh", complete_zsh},
	{"fish", complete_fish},     {"powershell", complete_powershell},
	{"elvish", complete_elvish},
};

void complete_shell_names(struct buf *out, add_name *add) {
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		add(out, shells[i].name, "");
	}
}

int complete_shell(struct buf *out, const char *shell) {
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].complete(out);
			return 0;
		}
	}
	return -1;
}
