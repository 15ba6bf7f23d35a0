/* Make the manual page of a command, in mdoc, from the tables of options. */
#include <stdio.h>

#include "cli/cli.h"

enum { WIDTH = 78 };

/** Add text, escaped for roff. */
static void man_escape(struct buf *out, struct str text) {
	if (str_starts(text, STR("."))) {
		buf_add_text(out, "\\&");
	}
	for (size_t i = 0; i < text.n; i++) {
		switch (text.p[i]) {
		case '\\':
			buf_add_text(out, "\\e");
			break;
		case '-':
			buf_add_text(out, "\\-");
			break;
		case '\'':
			buf_add_text(out, "\\(aq");
			break;
		default:
			buf_add_char(out, text.p[i]);
		}
	}
}

/** Add running text, escaped for roff. Start a new line with every sentence. */
static void man_flow(struct buf *out, struct str text) {
	size_t line = out->n;
	bool sentence_ended = false;
	for (struct str rest = text; rest.n > 0;) {
		struct str word = str_cut(&rest, ' ');
		if (out->n > line) {
			bool full = out->n - line + 1 + word.n > WIDTH;
			buf_add_char(out, full || sentence_ended ? '\n' : ' ');
			line = full || sentence_ended ? out->n : line;
		}
		man_escape(out, word);
		sentence_ended = str_ends(word, STR(".")) || str_ends(word, STR(".)")) ||
				 str_ends(word, STR("?"));
	}
}

static void man_paragraphs(struct buf *out, const char *text) {
	for (struct str rest = str_of(text); rest.n > 0;) {
		size_t end = str_find_str(rest, STR("\n\n"));
		man_flow(out, end == STR_NONE ? rest : str_to(rest, end));
		buf_add_char(out, '\n');
		rest = end == STR_NONE ? str_from(rest, rest.n) : str_from(rest, end + 2);
		if (rest.n > 0) {
			buf_add_text(out, ".Pp\n");
		}
	}
}

static void man_option(struct buf *out, const struct opt *row) {
	buf_add_text(out, ".It ");
	if (row->letter != 0) {
		buf_printf(out, "Fl %c , ", row->letter);
	}
	buf_printf(out, "Fl \\-%s", row->name);
	if ((row->flags & OPT_NEGATABLE) != 0) {
		buf_printf(out, " , Fl \\-no-%s", row->name);
	}
	if (row->value != NULL) {
		buf_printf(out, row->bare == NULL ? " Ar %s" : " Op Ar %s", row->value);
	}
	buf_add_char(out, '\n');
	man_flow(out, str_of(row->help));
	buf_add_text(out, str_ends(str_of(row->help), STR(".")) ? "\n" : ".\n");
	bool lists = row->choices != NULL && (row->flags & OPT_BRIEF) == 0;
	for (size_t i = 0; lists && row->choices[i] != NULL; i++) {
		bool last = row->choices[i + 1] == NULL;
		buf_printf(out, "%s.Cm %s%s\n", i == 0 ? "One of\n" : "", row->choices[i],
			   last ? " ." : " ,");
	}
	if (row->initial != NULL && row->initial[0] != '\0') {
		buf_add_text(out, "The default is ");
		man_escape(out, str_of(row->initial));
		buf_add_text(out, ".\n");
	}
	if ((row->flags & OPT_ON) != 0) {
		buf_add_text(out, "This is the default.\n");
	}
	for (struct str rest = opt_names(row->also), name; (name = str_next_word(&rest)).n > 0;) {
		buf_printf(out, "Also\n.Fl \\-%.*s .\n", (int)name.n, name.p);
	}
	if (row->type == OPT_LIST) {
		buf_add_text(out, "Can be given more than once.\n");
	}
}

static void man_title(struct buf *out, const char *name) {
	buf_add_text(out, ".Dd " INFERNO_DATE "\n.Dt INFERNO-");
	for (; *name != '\0'; name++) {
		buf_add_char(out, (char)(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name));
	}
	buf_add_text(out, " 1\n.Os\n");
}

void man_command(struct buf *out, const struct command *command) {
	char name[COMMAND_NAME_MAX];
	command_name(command, '-', name);
	man_title(out, name);
	buf_printf(out, ".Sh NAME\n.Nm inferno-%s\n.Nd ", name);
	man_escape(out, str_of(command->brief));
	buf_printf(out,
		   "\n.Sh SYNOPSIS\n.Nm inferno %s\n.Op Ar option ...\n.Ar %s\n.Sh DESCRIPTION\n",
		   command_name(command, ' ', name), command->operands);
	man_paragraphs(out, command->about);
	if (command->details != NULL) {
		buf_add_text(out, ".Pp\n");
		man_paragraphs(out, command->details);
	}
	buf_add_text(out, ".Pp\nThe options are:\n.Bl -tag -width Ds\n");
	struct opt_table tables[OPT_TABLES];
	cli_tables(command, tables);
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		if ((at.row->flags & OPT_HIDDEN) == 0) {
			struct opt shown = opt_shown(tables, at);
			man_option(out, &shown);
		}
	}
	buf_add_text(out, ".El\n.Sh EXIT STATUS\n"
			  ".Bl -tag -width Ds\n"
			  ".It 0\nAll went well; there may have been warnings.\n"
			  ".It 1\nSomething could not be read, recognised, parsed or written.\n"
			  ".It 2\nThe command was called the wrong way.\n"
			  ".It 5\nA condition of\n.Ql inferno diff \\-\\-fail\\-if\nholds.\n");
	if (command->runs_program) {
		buf_add_text(out,
			     ".It other\nThe status of the command that was run, if it failed; "
			     "128 plus the number of the signal, if a signal ended the command.\n");
	}
	buf_add_text(out, ".El\n.Sh EXAMPLES\n");
	for (const struct example *e = command->examples; e != NULL && e->command != NULL; e++) {
		man_flow(out, str_of(e->meaning));
		buf_add_text(out, ":\n.Dl ");
		man_escape(out, str_of(e->command));
		buf_add_text(out, e[1].command != NULL ? "\n.Pp\n" : "\n");
	}
	buf_add_text(out, ".Sh SEE ALSO\n.Xr inferno 1 ,\n.Xr inferno-folded 5\n");
}
