/* The fast reader of records. */
#include "collapse/json_record.h"

#include "base/num.h"

/** Return the length of a text up to the first quote. If a backslash, a control byte or the end
 * comes earlier, return STR_NONE. */
static size_t json_record_plain(struct str text) {
	size_t n = 0;
	while (n < text.n && text.p[n] != '"' && text.p[n] != '\\' &&
	       (unsigned char)text.p[n] >= ' ') {
		n++;
	}
	return n < text.n && text.p[n] == '"' ? n : STR_NONE;
}

/** Return the length of a number up to its exponent, or STR_NONE if the text does not begin with a
 * number. */
static size_t json_record_number(struct str text) {
	uint64_t ignored;
	size_t n = text.n > 0 && text.p[0] == '-', first = n;
	n += num_take_digits(str_from(text, n), &ignored);
	if (n == first || (n > first + 1 && text.p[first] == '0')) {
		return STR_NONE;
	}
	if (n < text.n && text.p[n] == '.') {
		size_t decimals = num_take_digits(str_from(text, n + 1), &ignored);
		return decimals == 0 ? STR_NONE : n + 1 + decimals;
	}
	return n;
}

static size_t json_record_value(struct str text, bool is_string) {
	return is_string ? json_record_plain(text) : json_record_number(text);
}

/** Cut the character `c`, and the blanks around it, off the front. Return false if the text begins
 * with another character. */
static bool json_record_take(struct str *rest, char c) {
	*rest = str_from(*rest, json_blanks(*rest));
	if (rest->n == 0 || rest->p[0] != c) {
		return false;
	}
	*rest = str_from(*rest, 1);
	*rest = str_from(*rest, json_blanks(*rest));
	return true;
}

size_t json_record_field(struct str key, const char *const *keys) {
	size_t field = 0;
	while (keys[field] != NULL && !str_eq(key, str_of(keys[field]))) {
		field++;
	}
	return keys[field] == NULL ? JSON_FIELDS_MOST : field;
}

/** Add the next member to the shape. Move `*rest` to the end of the member, which is a quote if the
 * value is a string. */
static bool json_record_learn_member(struct json_shape *shape, struct str text, struct str *rest,
				     const char *const *keys) {
	struct json_shape_value *value = &shape->values[shape->n];
	if (shape->n == JSON_SHAPE_MOST || rest->n == 0 || rest->p[0] != '"') {
		return false;
	}
	*rest = str_from(*rest, 1);
	size_t n = json_record_plain(*rest);
	if (n == STR_NONE) {
		return false;
	}
	value->from = shape->end;
	value->field = json_record_field(str_to(*rest, n), keys);
	*rest = str_from(*rest, n + 1);
	if (!json_record_take(rest, ':')) {
		return false;
	}
	value->is_string = rest->n > 0 && rest->p[0] == '"';
	*rest = str_from(*rest, value->is_string);
	value->until = text.n - rest->n;
	n = json_record_value(*rest, value->is_string);
	*rest = str_from(*rest, n == STR_NONE ? 0 : n);
	shape->end = text.n - rest->n;
	shape->n++;
	return n != STR_NONE;
}

void json_shape_learn(struct json_shape *shape, struct str text, const char *const *keys) {
	struct str rest = text;
	bool goes_on = json_record_take(&rest, '{');
	shape->n = shape->end = 0;
	while (goes_on && json_record_learn_member(shape, text, &rest, keys)) {
		rest = str_from(rest, shape->values[shape->n - 1].is_string);
		struct str last = rest;
		goes_on = json_record_take(&rest, ',');
		if (!goes_on && json_record_take(&last, '}')) {
			size_t bracket = str_find(str_from(text, shape->end), '}');
			buf_set_str(&shape->example, str_to(text, shape->end + bracket + 1));
			return;
		}
	}
	shape->n = 0;
}

/** Move `*rest` past an expected text. Return false if another text follows. */
static inline bool json_record_skip(struct str *rest, const char *text, size_t n) {
	enum { WORD = sizeof(uint64_t) };
	if (n > rest->n) {
		return false;
	}
	// for such short texts, memcmp() takes longer
	size_t i = 0;
	for (; i + WORD <= n; i += WORD) {
		if (load_u64(rest->p + i) != load_u64(text + i)) {
			return false;
		}
	}
	for (; i < n; i++) {
		if (rest->p[i] != text[i]) {
			return false;
		}
	}
	*rest = str_from(*rest, n);
	return true;
}

size_t json_shape_match(const struct json_shape *shape, struct str text,
			struct json_field *fields) {
	// The last item is for values that are not wanted.
	struct json_field found[JSON_FIELDS_MOST + 1] = {{0}};
	const char *example = shape->example.p;
	struct str rest = text;
	for (size_t i = 0; i < shape->n; i++) {
		const struct json_shape_value *value = &shape->values[i];
		if (!json_record_skip(&rest, example + value->from, value->until - value->from)) {
			return 0;
		}
		size_t n = json_record_value(rest, value->is_string);
		if (n == STR_NONE) {
			return 0;
		}
		found[value->field] = (struct json_field){
			value->is_string ? JSON_STRING : JSON_NUMBER, str_to(rest, n)};
		rest = str_from(rest, n);
	}
	if (shape->n == 0 ||
	    !json_record_skip(&rest, example + shape->end, shape->example.n - shape->end)) {
		return 0;
	}
	memcpy(fields, found, JSON_FIELDS_MOST * sizeof(*fields));
	return text.n - rest.n;
}
