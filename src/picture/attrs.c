/*
 * Attributes that a file gives to the frames of some functions. A line is a name and fields after
 * it, separated by tabs; a field is `key=value`.
 */
#include "picture/attrs.h"

#include <stdlib.h>

#include "base/input.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "profile/tree.h"

/** The position in the file, and the function of the current line. */
struct attrs_place {
	const char *path;
	unsigned long long line;
	struct diag *diag;
	struct function_attrs *function;
	struct intern known; // keys: function and attribute; the value is the attribute's index in
			     // the function
	struct buf key;
};

static char attrs_lower(char c) {
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/** Return whether `s` begins with `head`, which is in lower case. Ignore case. */
static bool attrs_starts_caseless(struct str s, const char *head) {
	size_t i = 0;
	while (head[i] != '\0' && i < s.n && attrs_lower(s.p[i]) == head[i]) {
		i++;
	}
	return head[i] == '\0';
}

/** Return whether `s` begins with one of the words. NULL ends the list of words. */
static bool attrs_starts_with_any(struct str s, const char *const *heads) {
	while (*heads != NULL && !attrs_starts_caseless(s, *heads)) {
		heads++;
	}
	return *heads != NULL;
}

/** Return whether `s` begins with `head`, which is in lower case. Ignore case, control characters
 * and blanks. */
static bool attrs_starts_loosely(struct str s, const char *head) {
	size_t i = 0;
	for (; *head != '\0'; head++, i++) {
		while (i < s.n && (unsigned char)s.p[i] <= ' ') {
			i++;
		}
		if (i == s.n || attrs_lower(s.p[i]) != *head) {
			return false;
		}
	}
	return true;
}

/** Return whether an attribute may have that name. The name must be ASCII, and its prefix, if any,
 * must be declared by the picture. */
static bool attrs_is_legal_name(struct str name) {
	if (attrs_starts_loosely(name, "xmlns")) {
		return false;
	}
	if (str_starts(name, STR("xlink:")) || str_starts(name, STR("fg:"))) {
		str_cut(&name, ':');
	}
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		if (!is_alpha(c) && c != '_' &&
		    (i == 0 || (!is_digit(c) && c != '-' && c != '.'))) {
			return false;
		}
	}
	return name.n > 0;
}

/** Return whether an attribute could run a script: a handler of events, or a link to code. */
static bool attrs_is_script(struct str name, struct str value) {
	if (attrs_starts_loosely(name, "on")) {
		return true;
	}
	bool is_link =
		attrs_starts_loosely(name, "href") || attrs_starts_loosely(name, "xlink:href");
	return is_link &&
	       (attrs_starts_loosely(value, "javascript:") ||
		attrs_starts_loosely(value, "vbscript:") || attrs_starts_loosely(value, "data:"));
}

/** Return whether no browser interprets the value of an attribute as CSS. */
static bool attrs_is_plain(struct str name) {
	static const char *const plain[] = {"id", "class", "target", "href", "xlink:href"};
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (str_eq(name, str_of(plain[i]))) {
			return true;
		}
	}
	return str_starts(name, STR("data-")) || str_starts(name, STR("aria-"));
}

/** Return whether an attribute could load another file. Loading would reveal to a server that
 * someone opens the picture. CSS functions can load files, and a backslash can hide the name of
 * such a function. */
static bool attrs_is_request(struct str name, struct str value) {
	static const char *const local[] = {"url(#", "url('#", "url(\"#", NULL};
	static const char *const functions[] = {"url(", "src(", "image(", "image-set(", NULL};
	for (size_t i = 0; i < value.n && !attrs_is_plain(name); i++) {
		struct str rest = str_from(value, i);
		if (rest.p[0] == '\\' || (attrs_starts_with_any(rest, functions) &&
					  !attrs_starts_with_any(rest, local))) {
			return true;
		}
	}
	return false;
}

/** Warn of an attribute. Return 0, or -1 if warnings are errors. */
static int attrs_warn(const struct attrs_place *place, const char *what, struct str name) {
	struct buf text = {0};
	buf_printf(&text, "%s:%llu: %s: '%s'", place->path, place->line, what, quote(name).text);
	int result = diag_warn_text(place->diag, what, buf_text(&text), 1);
	buf_release(&text);
	return result;
}

static int attrs_warn_duplicate(const struct attrs_place *place, struct str name) {
	return attrs_warn(place, "duplicate attribute, the later value counts", name);
}

static bool attrs_has_attr(const struct function_attrs *function, struct str name) {
	for (size_t i = 0; i < function->n; i++) {
		if (str_eq(function->items[i].name, name)) {
			return true;
		}
	}
	return false;
}

/** Find the number of an attribute of the function. A new attribute gets the next number. */
static size_t attrs_number_of(struct attrs_place *place, struct str name) {
	buf_clear(&place->key);
	buf_add(&place->key, &place->function, sizeof(place->function));
	buf_add_str(&place->key, name);
	uint32_t known = place->known.count;
	struct intern_key *key = intern_get(&place->known, place->key.p, place->key.n);
	if (place->known.count > known) {
		key->value = place->function->n;
	}
	return (size_t)key->value;
}

static void attrs_add_attr(struct function_attrs *function, struct str name, struct str value) {
	*MEM_APPEND(function->items, function->n, function->capacity) = (struct attr){name, value};
}

/** Set an attribute, or ignore it after a warning. A later value replaces an earlier value. */
static int attrs_set_attr(struct attrs_place *place, struct str name, struct str value) {
	struct function_attrs *function = place->function;
	if (!attrs_is_legal_name(name)) {
		return attrs_warn(place, "not a legal attribute name, ignored", name);
	}
	if (attrs_is_script(name, value)) {
		return attrs_warn(place, "attribute could run a script, ignored", name);
	}
	if (attrs_is_request(name, value)) {
		return attrs_warn(place, "attribute could load another file, ignored", name);
	}
	size_t number = attrs_number_of(place, name);
	if (number < function->n) {
		function->items[number].value = value;
		return attrs_warn_duplicate(place, name);
	}
	attrs_add_attr(function, name, value);
	return 0;
}

static int attrs_set_title(struct attrs_place *place, struct str value) {
	bool again = place->function->has_title;
	place->function->has_title = true;
	place->function->title = value;
	return again ? attrs_warn_duplicate(place, STR("title")) : 0;
}

/** Cut the value of an extra attribute off the front of `*s`. The value is in quotes, or ends at
 * white space. Return false if a quote is not closed. */
static bool attrs_take_value(struct str *s, struct str *value) {
	if (s->n > 0 && s->p[0] == '"') {
		*s = str_from(*s, 1);
		if (str_find(*s, '"') == STR_NONE) {
			return false;
		}
		*value = str_cut(s, '"');
		return true;
	}
	size_t n = 0;
	while (n < s->n && utf8_space_at_start(str_from(*s, n)) == 0) {
		n++;
	}
	*value = str_to(*s, n);
	*s = str_from(*s, n);
	return true;
}

/** Set further attributes: `k=v k2="v 2"`. */
static int attrs_set_extras(struct attrs_place *place, struct str s) {
	int result = 0;
	for (s = str_trim_start(s); s.n > 0 && result == 0; s = str_trim_start(s)) {
		size_t n = 0;
		while (n < s.n && s.p[n] != '=' && utf8_space_at_start(str_from(s, n)) == 0) {
			n++;
		}
		struct str name = str_to(s, n), value;
		s = str_from(s, n);
		if (s.n == 0 || s.p[0] != '=') {
			result = attrs_warn(place, "attribute has no value, ignored", name);
			continue;
		}
		s = str_from(s, 1);
		if (!attrs_take_value(&s, &value)) {
			return attrs_warn(place, "attribute has no closing quote, ignored", name);
		}
		result = attrs_set_attr(place, name, value);
	}
	return result;
}

static struct str attrs_unquote(struct str value) {
	bool quoted = value.n >= 2 && value.p[0] == '"' && value.p[value.n - 1] == '"';
	return quoted ? str_to(str_from(value, 1), value.n - 2) : value;
}

/** Read `key=value`; ignore a field without a key or without `=`. */
static int attrs_read_field(struct attrs_place *place, struct str field) {
	struct str value = field;
	struct str key = str_trim(str_cut(&value, '='));
	if (key.n == 0 || str_find(field, '=') == STR_NONE) {
		return 0;
	}
	value = attrs_unquote(str_trim(value));
	if (str_eq(key, STR("title"))) {
		return attrs_set_title(place, value);
	}
	if (str_eq(key, STR("href"))) {
		return attrs_set_attr(place, STR("xlink:href"), value);
	}
	if (str_eq(key, STR("id")) || str_eq(key, STR("class")) || str_eq(key, STR("target"))) {
		return attrs_set_attr(place, key, value);
	}
	if (str_eq(key, STR("g_extra")) || str_eq(key, STR("a_extra"))) {
		return attrs_set_extras(place, value);
	}
	return attrs_warn(place, "unknown attribute, ignored", key);
}

static struct function_attrs *attrs_function_of(struct attrs *attrs, struct str name) {
	struct function_attrs *function;
	HASH_FIND(hh, attrs->functions, name.p, name.n, function);
	if (function == NULL) {
		function = mem_new(1, sizeof(*function));
		function->name = name;
		HASH_ADD_KEYPTR(hh, attrs->functions, function->name.p, function->name.n, function);
	}
	return function;
}

static int attrs_read_line(struct attrs *attrs, struct attrs_place *place, struct str line) {
	int result = 0;
	line = str_trim(line);
	if (line.n > 0) {
		place->function = attrs_function_of(attrs, str_cut(&line, '\t'));
	}
	while (line.n > 0 && result == 0) {
		result = attrs_read_field(place, str_cut(&line, '\t'));
	}
	return result;
}

/** Add the attributes that the attributes in the file imply. */
static void attrs_finish(struct function_attrs *function) {
	function->is_link = attrs_has_attr(function, STR("xlink:href"));
	if (function->is_link && !attrs_has_attr(function, STR("target"))) {
		attrs_add_attr(function, STR("target"), STR("_top"));
	}
	// Without this attribute, the viewer would take the name from the title.
	if (function->has_title && !attrs_has_attr(function, STR("data-name"))) {
		attrs_add_attr(function, STR("data-name"), tree_label(function->name));
	}
}

int attrs_read(struct attrs *attrs, const char *path, struct diag *diag) {
	struct buf bytes = {0};
	int result = input_read_file(path, &bytes, diag);
	utf8_repair(&attrs->text, buf_str(&bytes));
	buf_release(&bytes);
	struct lines lines = {.rest = buf_str(&attrs->text)};
	struct attrs_place place = {.path = path, .diag = diag};
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		place.line = lines.number;
		result = attrs_read_line(attrs, &place, line);
	}
	intern_release(&place.known);
	buf_release(&place.key);
	for (struct function_attrs *f = attrs->functions; f != NULL; f = f->hh.next) {
		attrs_finish(f);
	}
	return result;
}

void attrs_release(struct attrs *attrs) {
	struct function_attrs *function, *next;
	HASH_ITER(hh, attrs->functions, function, next) {
		HASH_DEL(attrs->functions, function);
		free(function->items);
		free(function);
	}
	buf_release(&attrs->text);
}
