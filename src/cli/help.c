/* --help, the overview and the list of formats, from the tables. */
#include <stdio.h>

#include "cli/face.h"

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

/** The help of a row with what the row knows besides: choices, default, conflicts. */
static void describe(struct buf *out, const struct opt *row) {
	buf_add_text(out, row->help);
	for (size_t i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
		buf_printf(out, "%s%s", i == 0 ? ": " : ", ", row->choices[i]);
	}
	if (row->initial != NULL && row->initial[0] != '\0') {
		buf_printf(out, " [%s]", row->initial);
	}
	if ((row->flags & OPT_ON) != 0) {
		buf_add_text(out, " [on]");
	}
	if (row->also != NULL) {
		struct str rest = str_of(row->also);
		buf_add_text(out, " (also ");
		for (bool first = true; rest.n > 0; first = false) {
			struct str name = str_cut(&rest, ' ');
			buf_printf(out, "%s--%.*s", first ? "" : ", ", (int)name.n, name.p);
		}
		buf_add_char(out, ')');
	}
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
		buf_printf(out, " %s", row->value);
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

/** Add the rows of one group, from all tables, under a heading. */
static void help_group(struct buf *out, const struct opt_table *tables, const char *group) {
	buf_printf(out, "\n%s:\n", group);
	for (size_t t = 0; t < OPT_TABLES; t++) {
		for (const struct opt *row = tables[t].rows; row != NULL && row->type != OPT_END;
		     row++) {
			if ((row->flags & OPT_HIDDEN) == 0 && strcmp(group_of(row), group) == 0) {
				help_row(out, row);
			}
		}
	}
}

/** Whether a row is the first of its group, so that the group stands where it is first met. */
static bool opens_group(const struct opt_table *tables, size_t table, const struct opt *row) {
	for (size_t t = 0; t <= table; t++) {
		for (const struct opt *other = tables[t].rows;
		     other != NULL && other->type != OPT_END; other++) {
			if (other == row) {
				return true;
			}
			if ((other->flags & OPT_HIDDEN) == 0 &&
			    strcmp(group_of(other), group_of(row)) == 0) {
				return false;
			}
		}
	}
	return true;
}

static void help_options(struct buf *out, const struct opt_table *tables) {
	for (size_t t = 0; t < OPT_TABLES; t++) {
		for (const struct opt *row = tables[t].rows; row != NULL && row->type != OPT_END;
		     row++) {
			if ((row->flags & OPT_HIDDEN) == 0 && opens_group(tables, t, row)) {
				help_group(out, tables, group_of(row));
			}
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
	for (size_t t = 0; t < OPT_TABLES; t++) {
		tables[t] = t == TABLE_FACE ? face_table(command) : command->tables[t];
	}
	help_options(out, tables);
}

/** The width of the longest name of a command, or of a format alone. */
static int widest_name(bool formats) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	size_t widest = 0;
	for (size_t i = 0; command_at(i, &command); i++) {
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
	buf_add_text(out, "\n"
			  "Every command also answers to its words joined by '-', and to a link of "
			  "that name:\n"
			  "'inferno collapse perf', 'inferno collapse-perf' and "
			  "'inferno-collapse-perf' are one.\n");
}

void help_formats(struct buf *out) {
	struct command command;
	for (size_t i = 0; command_at(i, &command); i++) {
		if (command.group != NULL && command.format != NULL) {
			buf_printf(out, "%-*s  %s\n", widest_name(true), command.name,
				   command.brief);
		}
	}
}
