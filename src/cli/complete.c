/* Completion scripts for bash, zsh and fish, from the tables. */
#include <stdio.h>

#include "cli/face.h"

typedef void add_option(struct buf *out, const char *words, const struct opt *row);

/** Calls `add` for the name that turns an option off, as if that were one of its own. */
static void add_negation(struct buf *out, const char *words, const struct opt *row,
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

/** Calls `add` for every option of a command that lists show. */
static void each_option(struct buf *out, const struct command *command, const char *words,
			add_option *add) {
	for (size_t t = 0; t < OPT_TABLES; t++) {
		const struct opt *row =
			t == TABLE_FACE ? face_table(command).rows : command->tables[t].rows;
		for (; row != NULL && row->type != OPT_END; row++) {
			if ((row->flags & OPT_HIDDEN) == 0) {
				add(out, words, row);
			}
			if ((row->flags & OPT_NEGATABLE) != 0) {
				add_negation(out, words, row, add);
			}
		}
	}
}

/** Adds text inside single quotes of a shell. */
static void quoted(struct buf *out, const char *text) {
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

static void bash_option(struct buf *out, const char *words, const struct opt *row) {
	(void)words;
	buf_printf(out, " --%s", row->name);
}

static void bash_choices(struct buf *out, const char *words, const struct opt *row) {
	if (row->choices == NULL) {
		return;
	}
	buf_printf(out, "\t'%s --%s'", words, row->name);
	if (row->letter != 0) {
		buf_printf(out, "|'%s -%c'", words, row->letter);
	}
	for (struct str rest = row->also == NULL ? STR("") : str_of(row->also); rest.n > 0;) {
		struct str name = str_cut(&rest, ' ');
		buf_printf(out, "|'%s --%.*s'", words, (int)name.n, name.p);
	}
	buf_add_text(out, ") words='");
	for (size_t i = 0; row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s", i > 0 ? " " : "", row->choices[i]);
	}
	buf_add_text(out, "' ;;\n");
}

/** Adds what can stand first on a command line. */
static void first_words(struct buf *out) {
	struct command command;
	buf_add_text(out, "help formats manpage completions collapse");
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group == NULL) {
			buf_printf(out, " %s", command.name);
		}
	}
}

/** Adds the whole names of all commands, `before` in front of each. */
static void whole_names(struct buf *out, const char *before) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		buf_printf(out, " %s%s", before, command_name(&command, '-', name));
	}
}

/** Adds the second words of the commands that have two. */
static void second_words(struct buf *out) {
	struct command command;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL) {
			buf_printf(out, " %s", command.name);
		}
	}
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
		"\tif [ \"$current\" = = ]; then\n" // bash cuts --option=value into three words
		"\t\tcurrent=''\n"
		"\telif [ \"$previous\" = = ]; then\n"
		"\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
		"\tfi\n"
		"\tcommand=${COMP_WORDS[0]##*/}\n"
		"\tcase $command in\n"
		"\tinferno-*) command=${command#inferno-} ;;\n"
		"\t*)\n"
		"\t\tcommand=${COMP_WORDS[1]-}\n"
		"\t\tif [ \"$COMP_CWORD\" -gt 2 ] && [ \"$command\" = collapse ]; then\n"
		"\t\t\tcommand=collapse-${COMP_WORDS[2]}\n"
		"\t\tfi\n"
		"\t\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\t\tcommand=''\n"
		"\t\tfi\n"
		"\t\t;;\n"
		"\tesac\n"
		"\tcase $command in\n"
		"\t'') words='");
	first_words(out);
	buf_add_text(out, "' ;;\n\tcollapse) words='");
	second_words(out);
	buf_add_text(out, "' ;;\n\thelp|manpage) words='");
	whole_names(out, "");
	buf_add_text(out, "' ;;\n\tcompletions) words='bash zsh fish' ;;\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		command_name(&command, '-', name);
		buf_printf(out, "\t%s) words='", name);
		each_option(out, &command, name, bash_option);
		buf_add_text(out, "' ;;\n");
	}
	buf_add_text(out, "\tesac\n\tcase \"$command $previous\" in\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		each_option(out, &command, command_name(&command, '-', name), bash_choices);
	}
	buf_add_text(out, "\t' '*|'collapse '*|'help '*|'manpage '*|'completions '*) ;;\n"
			  "\t*) [[ $current == -* ]] || words='' ;;\n\tesac\n"
			  "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
			  "}\n"
			  "complete -o bashdefault -o default -F _inferno inferno");
	whole_names(out, "inferno-");
	buf_add_char(out, '\n');
}

static void zsh_option(struct buf *out, const char *words, const struct opt *row) {
	(void)words;
	struct buf text = {0};
	buf_printf(&text, "--%s%s[", row->name, row->value != NULL ? "=" : "");
	for (const char *c = row->help; *c != '\0'; c++) {
		if (*c == '[' || *c == ']' || *c == ':') {
			buf_add_char(&text, '\\');
		}
		buf_add_char(&text, *c);
	}
	buf_add_char(&text, ']');
	if (row->value != NULL) {
		buf_printf(&text, ":%s:", row->value);
		for (size_t i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
			buf_printf(&text, "%s%s", i == 0 ? "(" : " ", row->choices[i]);
		}
		buf_add_text(&text, row->choices != NULL    ? ")"
				    : row->type == OPT_PATH ? "_files"
							    : "");
	}
	buf_add_text(out, " \\\n\t\t\t");
	quoted(out, buf_text(&text));
	buf_release(&text);
}

static void complete_zsh(struct buf *out) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	buf_add_text(out, "#compdef inferno");
	whole_names(out, "inferno-");
	buf_add_text(out, "\n"
			  "_inferno() {\n"
			  "\tlocal command=${words[1]:t} shift_by=1\n"
			  "\tif [[ $command == inferno-* ]]; then\n"
			  "\t\tcommand=${command#inferno-}\n"
			  "\telif (( CURRENT == 2 )); then\n"
			  "\t\tcompadd -- ");
	first_words(out);
	buf_add_text(out, "\n\t\treturn\n"
			  "\telif [[ $words[2] == collapse ]] && (( CURRENT == 3 )); then\n"
			  "\t\tcompadd --");
	second_words(out);
	buf_add_text(out, "\n\t\treturn\n"
			  "\telif [[ $words[2] == collapse ]]; then\n"
			  "\t\tcommand=collapse-$words[3] shift_by=3\n"
			  "\telse\n"
			  "\t\tcommand=$words[2] shift_by=2\n"
			  "\tfi\n"
			  "\twords=(\"$command\" \"${(@)words[shift_by + 1, -1]}\")\n"
			  "\t(( CURRENT -= shift_by - 1 ))\n"
			  "\tcase $command in\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		command_name(&command, '-', name);
		buf_printf(out, "\t%s)\n\t\t_arguments", name);
		each_option(out, &command, name, zsh_option);
		buf_add_text(out, " \\\n\t\t\t'*:file:_files'\n\t\t;;\n");
	}
	buf_add_text(out, "\thelp|manpage) compadd --");
	whole_names(out, "");
	buf_add_text(
		out,
		" ;;\n\tcompletions) compadd -- bash zsh fish ;;\n\tesac\n}\n_inferno \"$@\"\n");
}

/** `words` says for which command line: a command of the shell, and perhaps a condition. */
static void fish_option(struct buf *out, const char *words, const struct opt *row) {
	buf_printf(out, "complete %s -l %s", words, row->name);
	if (row->letter != 0) {
		buf_printf(out, " -s %c", row->letter);
	}
	if (row->value != NULL) {
		buf_add_text(out, row->type == OPT_PATH ? " -r" : " -x");
	}
	for (size_t i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s%s", i == 0 ? " -a '" : " ", row->choices[i],
			   row->choices[i + 1] == NULL ? "'" : "");
	}
	buf_add_text(out, " -d ");
	quoted(out, row->help);
	buf_add_char(out, '\n');
}

static void fish_command(struct buf *out, const struct command *command) {
	char name[COMMAND_NAME_MAX];
	struct buf words = {0};
	if (command->group == NULL) {
		buf_printf(out, "complete -c inferno -n __fish_use_subcommand -a %s -d ",
			   command->name);
		buf_printf(&words, "-c inferno -n '__fish_seen_subcommand_from %s'", command->name);
	} else {
		buf_printf(out, "complete -c inferno -n '__inferno_group %s' -a %s -d ",
			   command->group, command->name);
		buf_printf(&words,
			   "-c inferno -n '__fish_seen_subcommand_from %s; and "
			   "__fish_seen_subcommand_from %s'",
			   command->group, command->name);
	}
	quoted(out, command->brief);
	buf_add_char(out, '\n');
	each_option(out, command, buf_text(&words), fish_option);
	buf_clear(&words);
	buf_printf(&words, "-c inferno-%s", command_name(command, '-', name));
	each_option(out, command, buf_text(&words), fish_option);
	buf_release(&words);
}

static void complete_fish(struct buf *out) {
	struct command command;
	buf_add_text(out, "# fish completion for inferno\n"
			  "function __inferno_group\n"
			  "\tset -l words (commandline -opc)\n"
			  "\ttest (count $words) -eq 2; and test $words[2] = $argv[1]\n"
			  "end\n"
			  "complete -c inferno -n __fish_use_subcommand -f -a 'collapse formats "
			  "help manpage completions'\n"
			  "complete -c inferno -n '__fish_seen_subcommand_from completions' -f -a "
			  "'bash zsh fish'\n");
	for (size_t i = 0; command_at(i, &command); i++) {
		fish_command(out, &command);
	}
}

int complete_shell(struct buf *out, const char *shell) {
	static const struct {
		const char *name;
		void (*complete)(struct buf *out);
	} shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].complete(out);
			return 0;
		}
	}
	return -1;
}
