/* Make the texts of --help, the overview and the list of formats. */
#include <stdio.h>

#include "cli/cli.h"
#include "export/exporter.h"

enum { WIDTH = 80, HELP_COLUMN = 28, HELP_LINES = 48 }; // two screens

/** Add text wrapped to WIDTH, every line indented. Empty lines between paragraphs are kept. The
 * last line of `out` already has `column` columns. */
static void help_wrap(struct buf *out, const char *text, size_t indent, size_t column) {
	struct str rest = str_of(text);
	bool line_start = column == 0;
	while (rest.n > 0) {
		if (rest.p[0] == '\n') {
			buf_add_char(out, '\n');
			rest = str_from(rest, 1);
			line_start = true;
			column = 0;
			continue;
		}
		size_t n = 0;
		while (n < rest.n && rest.p[n] != ' ' && rest.p[n] != '\n') {
			n++;
		}
		if (!line_start && column + 1 + n > WIDTH) {
			buf_add_char(out, '\n');
			line_start = true;
			column = 0;
		}
		if (line_start) {
			buf_printf(out, "%*s", (int)(indent > column ? indent - column : 0), "");
			column = indent;
		} else {
			buf_add_char(out, ' ');
			column++;
		}
		buf_add(out, rest.p, n);
		column += n;
		line_start = false;
		rest = str_from(rest, n < rest.n && rest.p[n] == ' ' ? n + 1 : n);
	}
	buf_add_char(out, '\n');
}

/** Return the part of a text before `end`, or the whole text if it does not contain `end`. */
static struct str help_before(const char *text, const char *end) {
	size_t n = str_find_str(str_of(text), str_of(end));
	return n == STR_NONE ? str_of(text) : str_to(str_of(text), n);
}

/** Add the help of a row, its choices, its default and its aliases. If `brief`, add only the first
 * clause of the help and the default. */
static void help_describe(struct buf *out, const struct opt *row, bool brief) {
	if (brief) {
		buf_add_str(out, help_before(row->help, "; "));
		if (row->initial != NULL) {
			buf_printf(out, " [%s]", row->initial);
		}
		return;
	}
	buf_add_text(out, row->help);
	bool lists = row->choices != NULL && (row->flags & OPT_BRIEF) == 0;
	for (size_t i = 0; lists && row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s", i == 0 ? "; one of " : ", ", row->choices[i]);
	}
	if (row->initial != NULL && row->initial[0] != '\0') {
		buf_printf(out, " [%s]", row->initial);
	}
	if ((row->flags & OPT_ON) != 0) {
		buf_add_text(out, " [on]");
	}
	const char *before = " (also ";
	for (struct str rest = opt_names(row->also), name; (name = str_next_word(&rest)).n > 0;) {
		buf_printf(out, "%s--%.*s", before, (int)name.n, name.p);
		before = ", ";
	}
	buf_add_text(out, row->also == NULL ? "" : ")");
	if (row->type == OPT_LIST) {
		buf_add_text(out, " (repeatable)");
	}
}

static void help_row(struct buf *out, const struct opt *row, bool brief) {
	struct buf text = {0};
	size_t before = out->n;
	const char *no = (row->flags & OPT_NEGATABLE) != 0 ? "[no-]" : "";
	if (row->letter != 0) {
		buf_printf(out, "  -%c, --%s%s", row->letter, no, row->name);
	} else {
		buf_printf(out, "      --%s%s", no, row->name);
	}
	if (row->value != NULL) {
		buf_printf(out, row->bare == NULL ? " %s" : " [%s]", row->value);
	}
	size_t column = out->n - before;
	if (column + 2 > HELP_COLUMN) {
		buf_add_char(out, '\n');
		column = 0;
	}
	buf_printf(out, "%*s", (int)(HELP_COLUMN - column), "");
	help_describe(&text, row, brief);
	buf_add_char(&text, '\0');
	struct buf wrapped = {0};
	help_wrap(&wrapped, text.p, HELP_COLUMN, 0);
	buf_add_str(out, str_from(buf_str(&wrapped), HELP_COLUMN));
	buf_release(&wrapped);
	buf_release(&text);
}

static const char *help_group_of(const struct opt *row) {
	return row->group != NULL ? row->group : "Options";
}

/** The command whose help describes the options of a table, by the index of the table. The help of
 * other commands only names these options. If the item is NULL, the help of every command describes
 * the options. */
static const char *const describers[OPT_TABLES] = {[TABLE_RECORDING] = "record",
						   [TABLE_STACKS] = "flamegraph",
						   [TABLE_GRAPH] = "flamegraph",
						   [TABLE_COLOURS] = "flamegraph",
						   [TABLE_PICTURE] = "flamegraph"};

static bool help_is_described_by(const struct opt_place *place, const char *describer) {
	return describers[place->table] != NULL && strcmp(describers[place->table], describer) == 0;
}

/** A help text under construction. A brief help describes the usual options, each with the first
 * clause of its help, and only names the other options. */
struct help {
	struct buf *out;
	const struct command *command;
	const struct opt_table *tables;
	bool brief;
};

/** Return whether the help describes the option of a row. Otherwise, the help shows only its name,
 * or nothing if the option is hidden. */
static bool help_describes(const struct help *help, const struct opt_place *place) {
	const struct command *command = help->command;
	if ((place->row->flags & OPT_HIDDEN) != 0) {
		return false;
	}
	return help->brief && command->usual != NULL
		       ? opt_names_have(command->usual, str_of(place->row->name))
		       : describers[place->table] == NULL ||
				 help_is_described_by(place, command->name);
}

/** Add the rows of one group, from all tables, under a heading. If `group` is NULL, add the rows of
 * all groups. */
static void help_group(const struct help *help, const char *group) {
	buf_printf(help->out, "\n%s:\n", group == NULL ? "Options" : group);
	for (struct opt_place at = {0}; opt_next(help->tables, &at);) {
		if (help_describes(help, &at) &&
		    (group == NULL || strcmp(help_group_of(at.row), group) == 0)) {
			struct opt shown = opt_shown(help->tables, at);
			help_row(help->out, &shown, help->brief);
		}
	}
}

/** Return whether a row is the first one that is described under its heading. */
static bool help_opens_group(const struct help *help, const struct opt_place *place) {
	struct opt_place at = {0};
	while (opt_next(help->tables, &at) && at.row != place->row) {
		if (help_describes(help, &at) &&
		    strcmp(help_group_of(at.row), help_group_of(place->row)) == 0) {
			return false;
		}
	}
	return help_describes(help, place);
}

/** Name the options that the help of the command `describer` describes. If `describer` is NULL,
 * name the options that a brief help leaves out. */
static void help_name_others(const struct help *help, const char *describer) {
	struct buf names = {0};
	for (struct opt_place at = {0}; opt_next(help->tables, &at);) {
		bool listed = describer != NULL
				      ? help_is_described_by(&at, describer) &&
						strcmp(help->command->name, describer) != 0
				      : describers[at.table] == NULL ||
						help_is_described_by(&at, help->command->name);
		if (listed && (at.row->flags & OPT_HIDDEN) == 0 && !help_describes(help, &at)) {
			buf_printf(&names, "%s--%s", names.n == 0 ? "" : " ", at.row->name);
		}
	}
	if (names.n > 0 && describer != NULL) {
		buf_printf(help->out, "\nAs 'inferno help %s' describes them:\n", describer);
		help_wrap(help->out, buf_text(&names), 2, 0);
	} else if (names.n > 0) {
		buf_add_text(help->out, "\nMore options:\n");
		help_wrap(help->out, buf_text(&names), 2, 0);
	}
	buf_release(&names);
}

/** Add lines that name the commands which show more help. */
static void help_refer(const struct help *help, const char *name) {
	const bool draws = help->command->tables[TABLE_PICTURE].rows != NULL;
	if (help->brief) {
		buf_printf(help->out, "\n'inferno help %s' describes all options%s.\n", name,
			   draws && strcmp(name, "flamegraph") != 0
				   ? ";\n\'inferno help flamegraph\' those of pictures"
				   : "");
	} else if (help->command->details != NULL) {
		buf_printf(help->out, "\n'inferno manpage %s | man -l -' tells more.\n", name);
	}
}

static void help_write(const struct help *help) {
	enum { EXAMPLES = 3 };
	const struct command *command = help->command;
	char name[COMMAND_NAME_MAX];
	command_name(command, ' ', name);
	const struct example *e = command->examples;
	for (int n = 0; e != NULL && e->command != NULL && (n < EXAMPLES || !help->brief);
	     e++, n++) {
		buf_printf(help->out, "  %s\n", e->command);
		help_wrap(help->out, e->meaning, 6, 0);
	}
	buf_printf(help->out, "\ninferno %s: %s\n\nUsage: inferno %s [OPTION...] %s\n\n", name,
		   command->brief, name, command->operands);
	struct buf about = {0};
	buf_add_str(&about,
		    help->brief ? help_before(command->about, "\n\n") : str_of(command->about));
	help_wrap(help->out, buf_text(&about), 0, 0);
	buf_release(&about);
	if (help->brief) {
		help_group(help, NULL);
		help_name_others(help, NULL);
	}
	for (struct opt_place at = {0}; !help->brief && opt_next(help->tables, &at);) {
		if (help_opens_group(help, &at)) {
			help_group(help, help_group_of(at.row));
		}
	}
	if (!help->brief) {
		help_name_others(help, "record");
		help_name_others(help, "flamegraph");
	}
	help_refer(help, name);
}

void help_command(struct buf *out, const struct command *command, bool brief) {
	struct opt_table tables[OPT_TABLES];
	cli_tables(command, tables);
	struct help help = {.out = out, .command = command, .tables = tables};
	size_t start = out->n, lines = 0;
	help_write(&help);
	for (size_t at = start; at < out->n; at++) {
		lines += out->p[at] == '\n';
	}
	if (brief && lines > HELP_LINES) {
		out->n = start;
		help.brief = true;
		help_write(&help);
	}
}

static void help_line(struct buf *out, const char *name, const char *brief) {
	enum { WIDEST = 18 }; // room for the name of a command with its operand
	buf_printf(out, "  %-*s  %s\n", WIDEST, name, brief);
}

/** Add the commands of a task under a heading. The commands of all formats together take one line.
 */
static void help_task(struct buf *out, enum command_task task) {
	static const char *const headings[TASKS] = {[TASK_RECORD] = "Record",
						    [TASK_DRAW] = "Draw",
						    [TASK_FOLD] = "Fold",
						    [TASK_COMPARE] = "Compare",
						    [TASK_CUT] = "Cut and merge"};
	struct command command;
	char name[COMMAND_NAME_MAX];
	bool has_formats = false;
	buf_printf(out, "\n%s:\n", headings[task]);
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.task == task && command.format == NULL) {
			help_line(out, command_name(&command, ' ', name), command.brief);
		} else if (command.task == task && !has_formats) {
			help_line(out, "collapse FORMAT",
				  "fold a profile; 'inferno formats' lists all formats");
			has_formats = true;
		}
	}
}

void help_overview(struct buf *out) {
	buf_add_text(out, "  inferno record ./program\n"
			  "      run a program, and draw where it spends its time\n"
			  "  inferno flamegraph perf.data > out.svg\n"
			  "      draw a profile; its format is recognised\n"
			  "\n"
			  "Usage: inferno COMMAND [OPTION...] [FILE...]\n"
			  "\n"
			  "inferno turns the output of any profiler into a flame graph.\n");
	for (enum command_task task = 0; task < TASKS; task++) {
		help_task(out, task);
	}
	buf_add_text(out, "\nHelp:\n");
	for (const struct builtin *builtin = builtins; builtin->names != NULL; builtin++) {
		char text[2 * COMMAND_NAME_MAX], name[COMMAND_NAME_MAX];
		snprintf(text, sizeof(text), "%s%s%s", builtins_name(builtin, name),
			 *builtin->operand == '\0' ? "" : " ", builtin->operand);
		help_line(out, text, builtin->brief);
	}
	buf_add_text(out,
		     "\n"
		     "A command can also be written with '-' between its words, or be called by a "
		     "link:\n"
		     "'inferno collapse perf', 'inferno collapse-perf' and "
		     "'inferno-collapse-perf' are the same.\n");
}

void help_formats(struct buf *out) {
	struct command command;
	int widest = 0;
	for (size_t i = 0; command_at(i, &command); i++) {
		int n = command.format == NULL ? 0 : (int)strlen(command.name);
		widest = n > widest ? n : widest;
	}
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.format != NULL) {
			buf_printf(out, "%-*s  %s\n", widest, command.name, command.brief);
		}
	}
	buf_add_text(out, "\nWritten, by the name of the output or --format:\n");
	for (size_t i = 0; exporters[i] != NULL; i++) {
		buf_printf(out, "%-*s  %s\n", widest, exporters[i]->name, exporters[i]->brief);
	}
}
