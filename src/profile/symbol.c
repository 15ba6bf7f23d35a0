/* Repair and shorten names of functions as profilers print them. */
#include "profile/symbol.h"

enum { RUST_HASH = 17 }; // "h" and 16 hexadecimal digits

static bool symbol_ends_in_rust_hash(struct str name) {
	if (name.n < RUST_HASH) {
		return false;
	}
	struct str hash = str_from(name, name.n - RUST_HASH);
	return hash.p[0] == 'h' && str_all_hex(str_from(hash, 1));
}

struct escape {
	struct str code;
	char meaning;
};

/** Return the escape at the start of `text`, with the character for which it stands, or NULL. */
static const struct escape *symbol_find_escape(struct str text) {
	static const struct escape escapes[] = {
		{STR_INIT("$SP$"), '@'},  {STR_INIT("$BP$"), '*'},   {STR_INIT("$RF$"), '&'},
		{STR_INIT("$LT$"), '<'},  {STR_INIT("$GT$"), '>'},   {STR_INIT("$LP$"), '('},
		{STR_INIT("$RP$"), ')'},  {STR_INIT("$C$"), ','},    {STR_INIT("$u7e$"), '~'},
		{STR_INIT("$u20$"), ' '}, {STR_INIT("$u27$"), '\''}, {STR_INIT("$u3d$"), '='},
		{STR_INIT("$u5b$"), '['}, {STR_INIT("$u5d$"), ']'},  {STR_INIT("$u7b$"), '{'},
		{STR_INIT("$u7d$"), '}'}, {STR_INIT("$u3b$"), ';'},  {STR_INIT("$u2b$"), '+'},
		{STR_INIT("$u21$"), '!'}, {STR_INIT("$u22$"), '"'},
	};
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		if (str_starts(text, escapes[i].code)) {
			return &escapes[i];
		}
	}
	return NULL;
}

struct str symbol_repair_rust(struct str name, struct buf *scratch) {
	if (!symbol_ends_in_rust_hash(name)) {
		return name;
	}
	name = str_to(name, name.n - RUST_HASH);
	if (str_ends(name, STR("::"))) {
		name = str_to(name, name.n - 2);
	}
	if (str_starts(name, STR("_$"))) {
		name = str_from(name, 1);
	}
	buf_clear(scratch);
	while (name.n > 0) {
		const struct escape *escape = name.p[0] == '$' ? symbol_find_escape(name) : NULL;
		if (escape != NULL) {
			buf_add_char(scratch, escape->meaning);
			name = str_from(name, escape->code.n);
		} else if (name.p[0] == '$') {
			buf_add_str(scratch, name); // an unknown escape: keep the rest as it is
			break;
		} else if (str_starts(name, STR(".."))) {
			buf_add_text(scratch, "::");
			name = str_from(name, 2);
		} else {
			buf_add_char(scratch, name.p[0]);
			name = str_from(name, 1);
		}
	}
	return buf_str(scratch);
}

struct str symbol_cut_offset(struct str name) {
	size_t at = str_find_last_str(name, STR("+0x"));
	return at != STR_NONE && str_all_hex(str_from(name, at + 3)) ? str_to(name, at) : name;
}

static bool symbol_in_identifier(char c) {
	return is_alpha(c) || is_digit(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/** Return the length of the name of a C++ operator at `at`, such as "operator<<", if its signs
 * could be taken for a bracket or an arrow. Return 0 for any other text. */
static size_t symbol_operator_length(struct str name, size_t at) {
	static const struct str word = STR_INIT("operator");
	static const struct str signs[] = {STR_INIT("<=>"), STR_INIT("<<="), STR_INIT(">>="),
					   STR_INIT("->*"), STR_INIT("<<"),  STR_INIT(">>"),
					   STR_INIT("<="),  STR_INIT(">="),  STR_INIT("->"),
					   STR_INIT("<"),   STR_INIT(">")};
	if (!str_starts(str_from(name, at), word) ||
	    (at > 0 && symbol_in_identifier(name.p[at - 1]))) {
		return 0;
	}
	struct str rest = str_from(name, at + word.n);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (str_starts(rest, signs[i])) {
			return word.n + signs[i].n;
		}
	}
	return 0;
}

size_t symbol_step(struct str name, size_t at, int *depth) {
	size_t operator_name = name.p[at] == 'o' ? symbol_operator_length(name, at) : 0;
	bool is_arrow = name.p[at] == '-' && at + 1 < name.n && name.p[at + 1] == '>';
	*depth += bracket_step(name.p[at]);
	return operator_name > 0 ? operator_name : is_arrow ? 2 : 1;
}

bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece) {
	if (!*more) {
		return false;
	}
	int depth = 0;
	size_t end = str_find(*rest, '-') == STR_NONE ? 0 : rest->n; // most names have no arrow
	for (size_t i = 0; i < end; i += symbol_step(*rest, i, &depth)) {
		if (depth <= 0 && str_starts(str_from(*rest, i), STR("->"))) {
			*piece = str_to(*rest, i);
			*rest = str_from(*rest, i + strlen("->"));
			return true;
		}
	}
	*piece = *rest;
	*more = false;
	return true;
}

struct str symbol_cut_arguments(struct str name) {
	int depth = 0;
	size_t end = str_find(name, '(') == STR_NONE ? 0 : name.n;
	for (size_t i = 0; i < end; i += symbol_step(name, i, &depth)) {
		if (name.p[i] == '(' && depth == 0 && (i == 0 || name.p[i - 1] != '.') &&
		    !str_starts(str_from(name, i), STR("(anonymous namespace)"))) {
			return str_to(name, i);
		}
	}
	return name;
}
