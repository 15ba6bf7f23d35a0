/**
 * Options as rows of a table. A row is all there is to know of an option; parsing, --help, the
 * manual page, the completions and the library's inferno_set() read the same rows.
 */
#ifndef INFERNO_OPT_H
#define INFERNO_OPT_H

#include "base/diag.h"
#include "base/mem.h"

enum opt_type {
	OPT_END,    // the row after the last
	OPT_BOOL,   // bool
	OPT_COUNT,  // unsigned: how often it was given
	OPT_UINT,   // uint64_t
	OPT_REAL,   // double
	OPT_TEXT,   // const char *
	OPT_PATH,   // const char *
	OPT_CHOICE, // unsigned: the index in choices
	OPT_LIST,   // struct opt_list
};

enum opt_flags {
	OPT_HIDDEN = 1,     // works, but lists do not show it
	OPT_REPEATABLE = 2, // may be given again; OPT_COUNT and OPT_LIST rows always may
	OPT_ON = 4,         // an OPT_BOOL that is true from the start
	OPT_NEGATABLE = 8,  // an OPT_BOOL that --no-NAME turns off; the last one given wins
	OPT_POSITIVE = 16,  // an OPT_REAL that has to be above 0
	OPT_UTF8 = 32,      // an OPT_TEXT or OPT_LIST whose ill-formed bytes become U+FFFD
};

/** A line of a command's examples; an array of them ends with a NULL command. */
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
	const char *name; // without "--"
	char letter;      // 0: none
	size_t offset;    // of the field in the struct of values; from OPT_FIELD
	const char
		*value; // what help calls the value, in capitals; NULL for OPT_BOOL and OPT_COUNT
	const char *initial;        // default, as a user would write it; NULL: zero
	const char *const *choices; // of OPT_CHOICE, NULL-terminated
	const char *help;           // one line, lower case, no full stop
	const char *group;          // heading in the help
	const char *hint_for; // other programs' words for it, separated by blanks; may be NULL
	unsigned flags;
	const char *also;      // further names, separated by blanks
	const char *conflicts; // names that it cannot stand with, separated by blanks
	double least, most;    // of OPT_UINT and OPT_REAL; both 0: no bounds
	// Checks an OPT_TEXT value: NULL, or what was expected ("a colour such as #1f9e3a")
	const char *(*check)(const char *value);
};

/** Type and offset of a field; does not compile where the field has another type than the row says.
 */
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

/** Rows, ended by an OPT_END row, and the size of the plain struct that they fill. */
struct opt_table {
	const struct opt *rows;
	size_t size;
};

enum { OPT_TABLES = 5, OPT_ROWS = 64 }; // tables of one command, rows of one table: at the most

/** The values of all options of one command. */
struct opt_set {
	struct opt_table tables[OPT_TABLES];
	void *values[OPT_TABLES];   // by table; NULL where there is none
	uint64_t given[OPT_TABLES]; // a bit a row
	struct arena arena;         // text of the values
};

/** Where a row is found. */
struct opt_place {
	const struct opt *row; // NULL: there is none
	size_t table;
	bool off; // it was asked for by the name that turns it off
};

/** Step to the next row of OPT_TABLES tables; a zeroed place steps to the first. Return false, and
 * zero the place, after the last. */
bool opt_next(const struct opt_table *tables, struct opt_place *place);

/** Prepare values with their defaults. `tables` has OPT_TABLES items, unused ones zeroed. */
void opt_init(struct opt_set *set, const struct opt_table *tables);

struct opt_place opt_by_name(const struct opt_set *set, struct str name);
struct opt_place opt_by_letter(const struct opt_set *set, char letter);

/** Whether the option takes no value on a command line. */
bool opt_is_flag(const struct opt *row);

/** Whether it was given, by any of its names. */
bool opt_given(const struct opt_set *set, const char *name);

/** Return the values of a table as the struct that its rows fill; ends the process if that has
 * another size. */
#define OPT_VALUES(set, table, type) ((const type *)opt_values((set), (table), sizeof(type)))
const void *opt_values(const struct opt_set *set, size_t table, size_t size);

/** Set an option from text; a flag takes NULL. Return 0, or -1 after diag_error(). */
int opt_set(struct opt_set *set, struct opt_place place, const char *value, struct diag *diag);

/** Check what was given together. Return 0, or -1 after diag_error(). */
int opt_finish(const struct opt_set *set, struct diag *diag);

/** The name closest to a misspelt one, or NULL when none is near. */
const char *opt_suggest(const struct opt_set *set, const char *name);

/** How many single-character edits lie between two words; swapping neighbours is one edit. */
size_t opt_distance(const char *a, const char *b);

/** Return the names of a row, such as `also`, to be cut by str_next_word(); none for NULL. */
static inline struct str opt_names(const char *names) {
	return names == NULL ? STR("") : str_of(names);
}

/** Whether `names`, separated by blanks, holds `name`. NULL holds nothing. */
bool opt_names_have(const char *names, struct str name);

/** Add what is wrong with a table to `out`, a line each. For the unit test. */
void opt_check(const struct opt_table *tables, struct buf *out);

void opt_release(struct opt_set *set);

#endif
