/* --help, the overview and the list of formats, from the tables. */
#include <stdio.h>

#include "cli/face.h"
#include "export/exporter.h"

enum { WIDTH = 80, HELP_COLUMN = 28 };

/** Add text wrapped to WIDTH, every line indented. Empty lines between paragraphs stay. */
static void wrap(struct buf *out, const char *text, size_t indent, size_t column) {
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

/** Add the help of a row, its choices, its default and its other names. */
static void describe(struct buf *out, const struct opt *row) {
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

static void help_row(struct buf *out, const struct opt *row) {
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
	describe(&text, row);
	buf_add_char(&text, '\0');
	struct buf wrapped = {0};
	wrap(&wrapped, text.p, HELP_COLUMN, 0);
	buf_add_str(out, str_from(buf_str(&wrapped), HELP_COLUMN));
	buf_release(&wrapped);
	buf_release(&text);
}

static const char *group_of(const struct opt *row) {
	return row->group != NULL ? row->group : "Options";
}

static bool is_shown_in(const struct opt *row, const char *group) {
	return (row->flags & OPT_HIDDEN) == 0 && strcmp(group_of(row), group) == 0;
}

/** Add the rows of one group, from all tables, under a heading. */
static void help_group(struct buf *out, const struct opt_table *tables, const char *group) {
	buf_printf(out, "\n%s:\n", group);
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		if (is_shown_in(at.row, group)) {
			struct opt shown = opt_shown(tables, at);
			help_row(out, &shown);
		}
	}
}

/** Return the first row that is shown in a group. */
static const struct opt *first_of_group(const struct opt_table *tables, const char *group) {
	struct opt_place at = {0};
	while (opt_next(tables, &at) && !is_shown_in(at.row, group)) {
	}
	return at.row;
}

/** Add the groups, in the order of their first rows. */
static void help_options(struct buf *out, const struct opt_table *tables) {
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		if (at.row == first_of_group(tables, group_of(at.row))) {
			help_group(out, tables, group_of(at.row));
		}
	}
}

void help_command(struct buf *out, const struct command *command) {
	char name[COMMAND_NAME_MAX];
	command_name(command, ' ', name);
	for (const struct example *e = command->examples; e != NULL && e->command != NULL; e++) {
		buf_printf(out, "  %s\n", e->command);
		wrap(out, e->meaning, 6, 0);
	}
	buf_printf(out, "\ninferno %s: %s\n\nUsage: inferno %s [OPTION...] %s\n\n", name,
		   command->brief, name, command->operands);
	wrap(out, command->about, 0, 0);
	struct opt_table tables[OPT_TABLES];
	face_tables(command, tables);
	help_options(out, tables);
}

/** Return the length of the longest name of a command, or with `formats` of a format. */
static int widest_name(bool formats) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	size_t widest = 0;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (formats && command.format == NULL) {
			continue;
		}
		size_t n = strlen(formats ? command.name : command_name(&command, ' ', name));
		widest = n > widest ? n : widest;
	}
	return (int)widest;
}

static void help_line(struct buf *out, const char *name, const char *brief) {
	buf_printf(out, "  %-*s  %s\n", widest_name(false), name, brief);
}

void help_overview(struct buf *out) {
	buf_add_text(out, "  perf script | inferno collapse perf | inferno flamegraph > out.svg\n"
			  "      draw a flame graph of what 'perf record -g' recorded\n"
			  "  inferno flamegraph out.perf > out.svg\n"
			  "      the same from a file, in one step: raw profiles are recognised\n"
			  "\n"
			  "Usage: inferno COMMAND [OPTION...] [FILE...]\n"
			  "\n"
			  "inferno turns what a profiler prints into a flame graph.\n"
			  "\n"
			  "Commands:\n");
	struct command command;
	char name[COMMAND_NAME_MAX];
	for (size_t i = 0; command_at(i, &command); i++) {
		help_line(out, command_name(&command, ' ', name), command.brief);
	}
	for (const struct word *word = own_words; word->names != NULL; word++) {
		char text[2 * COMMAND_NAME_MAX];
		snprintf(text, sizeof(text), "%s%s%s", words_name(word, name),
			 *word->operand == '\0' ? "" : " ", word->operand);
		help_line(out, text, word->brief);
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
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL && command.format != NULL) {
			buf_printf(out, "%-*s  %s\n", widest_name(true), command.name,
				   command.brief);
		}
	}
	buf_add_text(out, "\nWritten, by the name of the output or --format:\n");
	for (size_t i = 0; exporters[i] != NULL; i++) {
		buf_printf(out, "%-*s  %s\n", widest_name(true), exporters[i]->name,
			   exporters[i]->brief);
	}
}
