/** Options as rows of a table. A row holds everything about an option. Parsing, --help, the manual
 * page, the completions and the library's inferno_set() all read the same rows. */
#pragma once

#include "base/diag.h"
#include "base/mem.h"

enum opt_type {
	OPT_END,    // the last row of a table
	OPT_BOOL,   // bool
	OPT_COUNT,  // unsigned: how often the option was given
	OPT_UINT,   // uint64_t
	OPT_REAL,   // double
	OPT_TEXT,   // const char *
	OPT_PATH,   // const char *
	OPT_CHOICE, // unsigned: the index in choices
	OPT_LIST,   // struct opt_list
};

enum opt_flags {
	OPT_HIDDEN = 1,     // the option works, but is not listed
	OPT_REPEATABLE = 2, // the option may be given again, as OPT_COUNT and OPT_LIST always may
	OPT_ON = 4,         // the option is an OPT_BOOL that is true by default
	OPT_NEGATABLE = 8,  // the option is an OPT_BOOL that --no-NAME turns off; the last of
			    // several wins
	OPT_POSITIVE = 16,  // the value of an OPT_REAL must be above 0
	OPT_UTF8 = 32,      // ill-formed bytes in an OPT_TEXT or OPT_LIST become U+FFFD
	OPT_YIELDS = 64,    // the letter is ignored if an earlier table has an option with the same
			    // letter
	OPT_BRIEF = 128,    // the help of this OPT_CHOICE does not list the choices
};

/** An example of a command. An array of examples ends with an item whose command is NULL. */
struct example {
	const char *command; // as typed into a shell
	const char *meaning; // a phrase, lower case, no full stop
};

struct opt_list {
	const char **items;
	size_t n, capacity;
};

struct opt {
	enum opt_type type;
	const char *name;    // without "--"
	char letter;         // 0: no letter
	size_t offset;       // offset of the field in the struct of values; the macros below set it
	const char *value;   // name of the value in the help, in capitals; NULL for OPT_BOOL and
			     // OPT_COUNT
	const char *bare;    // value of an option that is given without a value; NULL: a value is
			     // required
	const char *initial; // default, as a user would write it; NULL: zero
	const char *const *choices; // values of an OPT_CHOICE, ended by NULL
	const char *help;           // one line, lower case, no full stop
	const char *group;          // heading in the help under which the option is listed
	// names of the option in other programs, separated by blanks; may be NULL
	const char *hint_for;
	unsigned flags;
	const char *also;      // other names of the option, separated by blanks
	const char *conflicts; // names of options that cannot be given together with this option,
			       // separated by blanks
	double least, most;    // bounds of OPT_UINT and OPT_REAL; both 0: no bounds
	/** A function that checks a value that is a text. The function returns NULL, or a
	 * description of the expected value, such as "a colour such as #1f9e3a". */
	const char *(*check)(const char *value);
};

/** Set `type` and `offset` of a row for a field of the struct `owner`. If the C type of the field
 * is wrong, the macro does not compile. */
#define OPT_FIELD_(kind, ctype, owner, field) \
	.type = (kind), .offset = _Generic(&((owner *)0)->field, ctype * : offsetof(owner, field))
#define OPT_IS_BOOL(owner, field) OPT_FIELD_(OPT_BOOL, bool, owner, field)
#define OPT_IS_COUNT(owner, field) OPT_FIELD_(OPT_COUNT, unsigned, owner, field)
#define OPT_IS_UINT(owner, field) OPT_FIELD_(OPT_UINT, uint64_t, owner, field)
#define OPT_IS_REAL(owner, field) OPT_FIELD_(OPT_REAL, double, owner, field)
#define OPT_IS_TEXT(owner, field) OPT_FIELD_(OPT_TEXT, const char *, owner, field)
#define OPT_IS_PATH(owner, field) OPT_FIELD_(OPT_PATH, const char *, owner, field)
#define OPT_IS_CHOICE(owner, field) OPT_FIELD_(OPT_CHOICE, unsigned, owner, field)
#define OPT_IS_LIST(owner, field) OPT_FIELD_(OPT_LIST, struct opt_list, owner, field)

/** Rows, ended by an OPT_END row, and the size of the struct that they set. */
struct opt_table {
	const struct opt *rows;
	size_t size;
};

enum { OPT_TABLES = 13, OPT_ROWS = 64 }; // limits: tables of one command, rows of one table

/** The values of all options of one command. */
struct opt_set {
	struct opt_table tables[OPT_TABLES];
	void *values[OPT_TABLES];   // struct of values of each table; NULL: no such table
	uint64_t given[OPT_TABLES]; // for each table, one bit for each row: whether the option was
				    // given
	struct arena arena;         // memory of the texts of values
};

/** A row in the tables of a command. */
struct opt_place {
	const struct opt *row; // NULL: no row
	size_t table;
	bool off; // the user gave the option as --no-NAME
};

/** Advance `place` to the next row of OPT_TABLES tables. For a zeroed place, the next row is the
 * first row. After the last row, zero the place and return false. */
bool opt_next(const struct opt_table *tables, struct opt_place *place);

/** Allocate the values, and set them to their defaults. `tables` has OPT_TABLES items. Unused items
 * are zeroed. */
void opt_init(struct opt_set *set, const struct opt_table *tables);

/** Return whether `name` is the name of a row, or one of its other names. */
bool opt_has_name(const struct opt *row, struct str name);

struct opt_place opt_by_name(const struct opt_set *set, struct str name);
struct opt_place opt_by_letter(const struct opt_set *set, char letter);

/** Return the row as the help shows it. If a row of an earlier table has the same letter, the
 * returned row has no letter. */
struct opt opt_shown(const struct opt_table *tables, struct opt_place place);

/** Return whether the option takes no value on a command line. */
bool opt_is_flag(const struct opt *row);

/** Return whether the option at a place was given. For a place without a row, return false. */
bool opt_is_given(const struct opt_set *set, struct opt_place place);

/** Return whether the option was given. `name` is any of its names. */
bool opt_given(const struct opt_set *set, const char *name);

/** Return whether this command has an option with this name and these choices, and the option was
 * given. In this case, set `*choice` to the index of the chosen value. */
bool opt_chosen(const struct opt_set *set, const char *name, const char *const *choices,
		unsigned *choice);

/** Return the values of a table as a pointer to `type`, the struct that the rows set. End the
 * process if `type` has the wrong size. */
#define OPT_VALUES(set, table, type) ((const type *)opt_values((set), (table), sizeof(type)))
const void *opt_values(const struct opt_set *set, size_t table, size_t size);

/** Return the values of the table that has these rows, or NULL if no table has them. */
#define OPT_OF(set, rows, type) ((const type *)opt_of((set), (rows), sizeof(type)))
const void *opt_of(const struct opt_set *set, const struct opt *rows, size_t size);

/** Return whether any of the OPT_TABLES items of `tables` has these rows. */
bool opt_has(const struct opt_table *tables, const struct opt *rows);

/** Set an option from its value as text. For a flag, or an option that is given without its value,
 * `value` is NULL. Return 0, or -1 after diag_error(). */
int opt_set(struct opt_set *set, struct opt_place place, const char *value, struct diag *diag);

/** Check that no two options that conflict were given. Return 0, or -1 after diag_error(). */
int opt_finish(const struct opt_set *set, struct diag *diag);

/** Return the option name closest to a misspelt name, or NULL if no name is similar. */
const char *opt_suggest(const struct opt_set *set, const char *name);

/** Return how many edits of one character turn one word into the other. Swapping neighbouring
 * characters is one edit. If a word has more than 40 characters, return SIZE_MAX. */
size_t opt_distance(const char *a, const char *b);

/** Return the names in a field such as `also` as a text, which the caller reads with
 * str_next_word(). For NULL, return an empty text. */
static inline struct str opt_names(const char *names) {
	return names == NULL ? STR("") : str_of(names);
}

/** Return whether the list `names`, separated by blanks, contains `name`. NULL is an empty list. */
bool opt_names_have(const char *names, struct str name);

/** Add the errors of a table to `out`, one on each line. Only a unit test calls this function. */
void opt_check(const struct opt_table *tables, struct buf *out);

void opt_release(struct opt_set *set);
