/* Parse and check options, which are rows of a table. */
#include "base/opt.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"

bool opt_is_flag(const struct opt *row) {
	return row->type == OPT_BOOL || row->type == OPT_COUNT;
}

bool opt_next(const struct opt_table *tables, struct opt_place *place) {
	const struct opt *row = place->row == NULL ? tables[0].rows : place->row + 1;
	size_t table = place->table;
	while (row == NULL || row->type == OPT_END) {
		if (++table == OPT_TABLES) {
			*place = (struct opt_place){0};
			return false;
		}
		row = tables[table].rows;
	}
	*place = (struct opt_place){row, table, false};
	return true;
}

bool opt_names_have(const char *names, struct str name) {
	for (struct str rest = opt_names(names), word; (word = str_next_word(&rest)).n > 0;) {
		if (str_eq(word, name)) {
			return true;
		}
	}
	return false;
}

/** Return whether `name` is the name of a row. Compare the first byte inline: each start of the
 * program compares hundreds of rows, and nearly all of them differ in the first byte. */
static inline bool opt_is_named(const struct opt *row, struct str name) {
	return name.n > 0 && row->name[0] == name.p[0] && str_eq(str_of(row->name), name);
}

bool opt_has_name(const struct opt *row, struct str name) {
	return opt_is_named(row, name) || (row->also != NULL && opt_names_have(row->also, name));
}

struct opt_place opt_by_name(const struct opt_set *set, struct str name) {
	// if `name` is no-NAME, the rest NAME; otherwise empty
	struct str negated = str_starts(name, STR("no-")) ? str_from(name, strlen("no-")) : STR("");
	for (size_t table = 0; table < OPT_TABLES; table++) {
		const struct opt *row = set->tables[table].rows;
		for (; row != NULL && row->type != OPT_END; row++) {
			bool off = (row->flags & OPT_NEGATABLE) != 0 && opt_is_named(row, negated);
			if (off || opt_has_name(row, name)) {
				return (struct opt_place){row, table, off};
			}
		}
	}
	return (struct opt_place){0};
}

struct opt_place opt_by_letter(const struct opt_set *set, char letter) {
	struct opt_place place = {0};
	while (opt_next(set->tables, &place) && (letter == 0 || place.row->letter != letter)) {
	}
	return place;
}

struct opt opt_shown(const struct opt_table *tables, struct opt_place place) {
	struct opt shown = *place.row;
	for (struct opt_place at = {0}; opt_next(tables, &at) && at.table < place.table;) {
		if (at.row->letter == place.row->letter) {
			shown.letter = 0;
		}
	}
	return shown;
}

static int opt_fail_value(const struct opt *row, const char *value, const char *expected,
			  struct diag *diag) {
	return diag_error(diag, "--%s: expected %s, found '%s'", row->name, expected,
			  quote(str_of(value)).text);
}

static bool opt_in_bounds(const struct opt *row, double value) {
	if ((row->flags & OPT_POSITIVE) != 0) {
		return value > 0;
	}
	return (row->least == 0 && row->most == 0) || (value >= row->least && value <= row->most);
}

static int opt_fail_bounds(const struct opt *row, const char *value, const char *kind,
			   struct diag *diag) {
	char least[NUM_EXACT_MAX] = "", most[NUM_EXACT_MAX] = "", expected[96];
	num_format_exact(least, row->least);
	num_format_exact(most, fmin(row->most, DBL_MAX));
	if ((row->flags & OPT_POSITIVE) != 0) {
		snprintf(expected, sizeof(expected), "%s above 0", kind);
	} else if (row->least == 0 && row->most == 0) {
		snprintf(expected, sizeof(expected), "%s", kind);
	} else if (row->most >= HUGE_VAL) {
		snprintf(expected, sizeof(expected), "%s of at least %s", kind, least);
	} else {
		snprintf(expected, sizeof(expected), "%s from %s to %s", kind, least, most);
	}
	return opt_fail_value(row, value, expected, diag);
}

static int opt_set_uint(const struct opt *row, uint64_t *field, const char *value,
			struct diag *diag) {
	uint64_t number;
	bool parsed = num_parse_count(str_of(value), &number);
	if (!parsed && row->most == 0 && num_is_count(str_of(value))) {
		return diag_error(diag, "--%s: '%s' is too large", row->name,
				  quote(str_of(value)).text);
	}
	if (!parsed || !opt_in_bounds(row, (double)number)) {
		return opt_fail_bounds(row, value, "a whole number", diag);
	}
	*field = number;
	return 0;
}

static int opt_set_real(const struct opt *row, double *field, const char *value,
			struct diag *diag) {
	double number;
	if (!num_parse_real(str_of(value), &number) || !isfinite(number) ||
	    !opt_in_bounds(row, number)) {
		return opt_fail_bounds(row, value, "a number", diag);
	}
	*field = number;
	return 0;
}

static int opt_set_choice(const struct opt *row, unsigned *field, const char *value,
			  struct diag *diag) {
	struct buf expected = {0};
	buf_add_text(&expected, "one of");
	for (unsigned i = 0; row->choices[i] != NULL; i++) {
		if (strcmp(row->choices[i], value) == 0) {
			*field = i;
			buf_release(&expected);
			return 0;
		}
		buf_printf(&expected, "%s %s", i > 0 ? "," : "", row->choices[i]);
	}
	int result = opt_fail_value(row, value, buf_text(&expected), diag);
	buf_release(&expected);
	return result;
}

static int opt_set_text(struct opt_set *set, const struct opt *row, const char **field,
			const char *value, struct diag *diag) {
	const char *expected = row->check == NULL ? NULL : row->check(value);
	if (expected != NULL) {
		return opt_fail_value(row, value, expected, diag);
	}
	struct buf text = {0};
	if ((row->flags & OPT_UTF8) != 0) {
		utf8_repair(&text, str_of(value));
	} else {
		buf_add_text(&text, value);
	}
	*field = arena_copy(&set->arena, buf_text(&text), text.n);
	buf_release(&text);
	return 0;
}

static void *opt_field_of(const struct opt_set *set, struct opt_place place) {
	return (char *)set->values[place.table] + place.row->offset;
}

static int opt_set_field(struct opt_set *set, struct opt_place place, const char *value,
			 struct diag *diag) {
	const struct opt *row = place.row;
	void *field = opt_field_of(set, place);
	value = value == NULL ? row->bare : value;
	if ((value == NULL) != opt_is_flag(row)) {
		return diag_error(diag,
				  value == NULL ? "--%s needs a value" : "--%s takes no value",
				  row->name);
	}
	switch (row->type) {
	case OPT_BOOL:
		*(bool *)field = !place.off;
		return 0;
	case OPT_COUNT:
		++*(unsigned *)field;
		return 0;
	case OPT_UINT:
		return opt_set_uint(row, field, value, diag);
	case OPT_REAL:
		return opt_set_real(row, field, value, diag);
	case OPT_PATH:
		if (*value == '\0') {
			return opt_fail_value(row, value, "a file name", diag);
		}
		return opt_set_text(set, row, field, value, diag);
	case OPT_TEXT:
		return opt_set_text(set, row, field, value, diag);
	case OPT_CHOICE:
		return opt_set_choice(row, field, value, diag);
	case OPT_LIST: {
		struct opt_list *list = field;
		MEM_GROW(list->items, list->capacity, list->n + 1);
		int result = opt_set_text(set, row, &list->items[list->n], value, diag);
		list->n += result == 0;
		return result;
	}
	case OPT_END:
		break;
	}
	return 0;
}

int opt_set(struct opt_set *set, struct opt_place place, const char *value, struct diag *diag) {
	const struct opt *row = place.row;
	uint64_t bit = UINT64_C(1) << (row - set->tables[place.table].rows);
	bool once = row->type != OPT_COUNT && row->type != OPT_LIST &&
		    (row->flags & (OPT_REPEATABLE | OPT_NEGATABLE)) == 0;
	if (once && (set->given[place.table] & bit) != 0) {
		return diag_error(diag, "--%s is given twice", row->name);
	}
	if (opt_set_field(set, place, value, diag) != 0) {
		return -1;
	}
	set->given[place.table] |= bit;
	return 0;
}

bool opt_is_given(const struct opt_set *set, struct opt_place place) {
	return place.row != NULL &&
	       (set->given[place.table] >> (place.row - set->tables[place.table].rows) & 1) != 0;
}

bool opt_given(const struct opt_set *set, const char *name) {
	return opt_is_given(set, opt_by_name(set, str_of(name)));
}

int opt_finish(const struct opt_set *set, struct diag *diag) {
	for (struct opt_place at = {0}; opt_next(set->tables, &at);) {
		struct str rest = opt_is_given(set, at) ? opt_names(at.row->conflicts) : STR("");
		for (struct str name; (name = str_next_word(&rest)).n > 0;) {
			if (opt_is_given(set, opt_by_name(set, name))) {
				return diag_error(diag, "--%s and --%.*s cannot be used together",
						  at.row->name, (int)name.n, name.p);
			}
		}
	}
	return 0;
}

const void *opt_values(const struct opt_set *set, size_t table, size_t size) {
	if (set->tables[table].size != size) {
		abort();
	}
	return set->values[table];
}

bool opt_chosen(const struct opt_set *set, const char *name, const char *const *choices,
		unsigned *choice) {
	struct opt_place place = opt_by_name(set, str_of(name));
	if (place.row == NULL || place.row->choices != choices || !opt_is_given(set, place)) {
		return false;
	}
	memcpy(choice, (const char *)set->values[place.table] + place.row->offset, sizeof(*choice));
	return true;
}

const void *opt_of(const struct opt_set *set, const struct opt *rows, size_t size) {
	size_t table = 0;
	while (table < OPT_TABLES && set->tables[table].rows != rows) {
		table++;
	}
	return table < OPT_TABLES ? opt_values(set, table, size) : NULL;
}

bool opt_has(const struct opt_table *tables, const struct opt *rows) {
	size_t table = 0;
	while (table < OPT_TABLES && tables[table].rows != rows) {
		table++;
	}
	return table < OPT_TABLES;
}

size_t opt_distance(const char *a, const char *b) {
	enum { LONGEST = 40 };
	size_t n = strlen(a), m = strlen(b);
	if (n > LONGEST || m > LONGEST) {
		return SIZE_MAX;
	}
	size_t d[LONGEST + 1][LONGEST + 1];
	for (size_t i = 0; i <= n; i++) {
		for (size_t j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best) {
				best = d[i - 2][j - 2] + 1;
			}
			d[i][j] = best;
		}
	}
	return d[n][m];
}

/** Return the edit distance from a mistyped name to the name of a row. Return 0 if `name` has
 * several characters and is a prefix of the row's name, or if another program uses `name` for this
 * option. */
static size_t opt_row_distance(const struct opt *row, const char *name) {
	bool start = strlen(name) > 1 && str_starts(str_of(row->name), str_of(name));
	return start || opt_names_have(row->hint_for, str_of(name)) ? 0
								    : opt_distance(name, row->name);
}

const char *opt_suggest(const struct opt_set *set, const char *name) {
	const char *best = NULL;
	// a name at this distance or further is not similar
	size_t best_distance = strlen(name) / 3 + 2;
	for (struct opt_place at = {0}; opt_next(set->tables, &at);) {
		size_t distance = opt_row_distance(at.row, name);
		if ((at.row->flags & OPT_HIDDEN) == 0 && distance < best_distance) {
			best = at.row->name;
			best_distance = distance;
		}
	}
	return best;
}

void opt_init(struct opt_set *set, const struct opt_table *tables) {
	*set = (struct opt_set){0};
	struct diag silent = {0};
	for (size_t t = 0; t < OPT_TABLES; t++) {
		set->tables[t] = tables[t];
		set->values[t] = tables[t].size == 0 ? NULL : mem_new(1, tables[t].size);
	}
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		if (at.row->initial != NULL || (at.row->flags & OPT_ON) != 0) {
			opt_set_field(set, at, at.row->initial, &silent);
		}
	}
	diag_release(&silent);
}

/** Add the errors in the names that a row mentions. No other row may use the row's other names, and
 * the options in `conflicts` must exist. */
static void opt_check_names(const struct opt_set *set, const struct opt *row, struct buf *out) {
	struct str rest = opt_names(row->also), name;
	while ((name = str_next_word(&rest)).n > 0) {
		if (opt_by_name(set, name).row != row) {
			buf_printf(out, "--%s: its other name %.*s is taken\n", row->name,
				   (int)name.n, name.p);
		}
	}
	rest = opt_names(row->conflicts);
	while ((name = str_next_word(&rest)).n > 0) {
		if (opt_by_name(set, name).row == NULL) {
			buf_printf(out, "--%s: it conflicts with %.*s, which does not exist\n",
				   row->name, (int)name.n, name.p);
		}
	}
}

/** Add the error in a value that the row contains, such as its default. If `value` is NULL, add
 * nothing. */
static void opt_check_value(const struct opt_set *set, struct opt_place place, const char *value,
			    struct buf *out) {
	struct diag diag = {0};
	struct opt_set scratch;
	opt_init(&scratch, set->tables);
	if (value != NULL && opt_set_field(&scratch, place, value, &diag) != 0) {
		buf_printf(out, "%s (its default)\n", buf_text(&diag.error));
	}
	opt_release(&scratch);
	diag_release(&diag);
}

/** Add the errors of one row, including conflicts with the rows before it. */
static void opt_check_row(const struct opt_set *set, struct opt_place place, struct buf *out) {
	const struct opt *row = place.row;
	static const size_t sizes[] = {
		[OPT_BOOL] = sizeof(bool),         [OPT_COUNT] = sizeof(unsigned),
		[OPT_UINT] = sizeof(uint64_t),     [OPT_REAL] = sizeof(double),
		[OPT_TEXT] = sizeof(const char *), [OPT_PATH] = sizeof(const char *),
		[OPT_CHOICE] = sizeof(unsigned),   [OPT_LIST] = sizeof(struct opt_list),
	};
	if (opt_by_name(set, str_of(row->name)).row != row) {
		buf_printf(out, "--%s: the name is taken\n", row->name);
	}
	struct opt_place first = opt_by_letter(set, row->letter);
	bool yields = (row->flags & OPT_YIELDS) != 0 && first.table < place.table;
	if (row->letter != 0 && first.row != row && !yields) {
		buf_printf(out, "--%s: the letter %c is taken\n", row->name, row->letter);
	}
	if (row->offset + sizes[row->type] > set->tables[place.table].size) {
		buf_printf(out, "--%s: its field lies outside the struct\n", row->name);
	}
	if (row->help == NULL || row->help[0] == '\0' || row->help[strlen(row->help) - 1] == '.') {
		buf_printf(out, "--%s: the help is missing or ends in a full stop\n", row->name);
	}
	if ((row->value == NULL) != opt_is_flag(row)) {
		buf_printf(out, "--%s: a flag names no value, any other option does\n", row->name);
	}
	if (row->type != OPT_BOOL && (row->flags & (OPT_ON | OPT_NEGATABLE)) != 0) {
		buf_printf(out, "--%s: only an OPT_BOOL is turned on and off\n", row->name);
	}
	if (row->type != OPT_REAL && (row->flags & OPT_POSITIVE) != 0) {
		buf_printf(out, "--%s: only an OPT_REAL can be OPT_POSITIVE\n", row->name);
	}
	if (row->type != OPT_TEXT && row->type != OPT_LIST && (row->flags & OPT_UTF8) != 0) {
		buf_printf(out, "--%s: only text can be OPT_UTF8\n", row->name);
	}
	if ((row->type == OPT_CHOICE) != (row->choices != NULL)) {
		buf_printf(out, "--%s: choices go with OPT_CHOICE\n", row->name);
	}
	opt_check_names(set, row, out);
	opt_check_value(set, place, row->initial, out);
	opt_check_value(set, place, row->bare, out);
}

void opt_check(const struct opt_table *tables, struct buf *out) {
	struct opt_set set;
	opt_init(&set, tables);
	size_t rows[OPT_TABLES] = {0};
	for (struct opt_place at = {0}; opt_next(tables, &at);) {
		opt_check_row(&set, at, out);
		if (++rows[at.table] == OPT_ROWS + 1) {
			buf_printf(out, "a table has more than %d rows\n", OPT_ROWS);
		}
	}
	opt_release(&set);
}

void opt_release(struct opt_set *set) {
	for (struct opt_place at = {0}; opt_next(set->tables, &at);) {
		if (at.row->type == OPT_LIST) {
			free(((struct opt_list *)opt_field_of(set, at))->items);
		}
	}
	for (size_t t = 0; t < OPT_TABLES; t++) {
		free(set->values[t]);
	}
	arena_release(&set->arena);
	*set = (struct opt_set){0};
}
