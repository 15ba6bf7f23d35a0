/*
 * A reader of JSON in pieces.
 *
 * A piece may end anywhere, so what is unfinished is kept: the token, and a bracket for each value
 * around it. Values that nobody asks for are checked and dropped.
 */
#include "collapse/json.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

/** What may come next, between tokens. */
enum expected {
	VALUE,
	FIRST_ITEM, // or the end of the array
	FIRST_KEY,  // or the end of the object
	KEY,
	COLON,
	COMMA, // or the end of what is open
	NOTHING,
};

enum token { BETWEEN, IN_STRING, IN_WORD };

/** A member of an item; its key and its text stand in `texts`. */
struct member {
	enum json_kind kind;
	size_t key, key_n, text, text_n;
};

struct json_item {
	bool is_object;
	struct member *members;
	size_t n, capacity;
	struct buf texts;
};

struct json {
	const char *name;
	json_on_item *on_item;
	void *context;
	enum expected expected;
	enum token token;
	bool escaped;    // the string's next byte follows a backslash
	bool is_key;     // the string is one
	bool wanted;     // the key read last is that of the array
	bool found;      // the array was there
	bool stopped;    // by an item
	size_t items;    // how many values are open around an item; 0: the array is not open
	struct buf open; // `{` or `[` for each value that is open, outermost first
	struct buf text; // of the token so far
	struct json_item item;
	uint64_t line, item_line;
	const char *error;
};

struct json *json_new(const char *name, json_on_item *on_item, void *context) {
	struct json *json = mem_new(1, sizeof(*json));
	json->name = name;
	json->on_item = on_item;
	json->context = context;
	json->line = 1;
	return json;
}

static bool fail(struct json *json, const char *error) {
	json->error = error;
	return false;
}

static void count_lines(struct json *json, struct str text) {
	for (size_t at; (at = str_find(text, '\n')) != STR_NONE;) {
		text = str_from(text, at + 1);
		json->line++;
	}
}

/* --- Strings -------------------------------------------------------------------------------- */

static void add_point(struct buf *out, uint32_t point) {
	if (point < 0x80) {
		buf_add_char(out, (char)point);
		return;
	}
	size_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3; // bytes after the first
	static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
	buf_add_char(out, (char)(heads[more] | point >> 6 * more));
	while (more-- > 0) {
		buf_add_char(out, (char)(0x80 | (point >> 6 * more & 0x3f)));
	}
}

/** Take `uXXXX` off the front of `*text`. */
static bool take_unit(struct str *text, uint32_t *unit) {
	enum { LENGTH = 5 };
	*unit = 0;
	if (text->n < LENGTH || text->p[0] != 'u') {
		return false;
	}
	for (size_t i = 1; i < LENGTH; i++) {
		char c = text->p[i];
		if (!is_hex(c)) {
			return false;
		}
		*unit = *unit << 4 | (uint32_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*text = str_from(*text, LENGTH);
	return true;
}

/** Resolve the escape at the start of `*text`, which stands after a backslash. */
static bool add_escape(struct buf *out, struct str *text) {
	static const char codes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *code = text->n == 0 ? NULL : memchr(codes, text->p[0], sizeof(codes) - 1);
	if (code != NULL) {
		buf_add_char(out, meanings[code - codes]);
		*text = str_from(*text, 1);
		return true;
	}
	uint32_t point, low;
	if (!take_unit(text, &point)) {
		return false;
	}
	if (point >= 0xd800 && point < 0xe000) { // half of a pair
		struct str rest = str_from(*text, str_starts(*text, STR("\\u")));
		bool pair = point < 0xdc00 && rest.n < text->n && take_unit(&rest, &low) &&
			    low >= 0xdc00 && low < 0xe000;
		*text = pair ? rest : *text;
		point = pair ? 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
	}
	add_point(out, point);
	return true;
}

/** Add a string whose escapes are resolved. */
static bool add_string(struct buf *out, struct str text) {
	for (size_t at; (at = str_find(text, '\\')) != STR_NONE;) {
		buf_add_str(out, str_to(text, at));
		text = str_from(text, at + 1);
		if (!add_escape(out, &text)) {
			return false;
		}
	}
	buf_add_str(out, text);
	return true;
}

/* --- Values --------------------------------------------------------------------------------- */

static bool is_number(struct str text) {
	text = str_from(text, str_starts(text, STR("-")));
	bool zero = str_starts(text, STR("0"));
	size_t whole = 0, digits;
	while (whole < text.n && is_digit(text.p[whole])) {
		whole++;
	}
	text = str_from(text, whole);
	if (whole == 0 || (zero && whole > 1)) {
		return false;
	}
	if (str_starts(text, STR("."))) {
		for (digits = 1; digits < text.n && is_digit(text.p[digits]); digits++) {
		}
		text = str_from(text, digits);
		if (digits == 1) {
			return false;
		}
	}
	if (str_starts(text, STR("e")) || str_starts(text, STR("E"))) {
		text = str_from(text, 1);
		text = str_from(text, str_starts(text, STR("+")) || str_starts(text, STR("-")));
		return text.n > 0 && str_all_digits(text);
	}
	return text.n == 0;
}

static bool is_in_item(const struct json *json) {
	return json->items > 0 && json->open.n == json->items + 1 && json->item.is_object;
}

/** Note where a value begins. */
static void begin_value(struct json *json, bool is_object) {
	if (json->items > 0 && json->open.n == json->items) {
		json->item_line = json->line;
		json->item.is_object = is_object;
		json->item.n = json->item.texts.n = 0;
	}
}

/** Keep the value of the member whose key was read last, if it is one of an item. */
static void set_member(struct json *json, enum json_kind kind, size_t text) {
	if (is_in_item(json)) {
		struct member *member = &json->item.members[json->item.n - 1];
		member->kind = kind;
		member->text = text;
		member->text_n = json->item.texts.n - text;
	}
}

static bool end_value(struct json *json) {
	json->expected = json->open.n == 0 ? NOTHING : COMMA;
	if (json->items > 0 && json->open.n == json->items) {
		json->stopped = !json->on_item(json->context, &json->item, json->item_line);
	}
	return true;
}

static bool end_key(struct json *json) {
	struct buf *texts = &json->item.texts;
	struct json_item *item = &json->item;
	size_t at = texts->n;
	if (!add_string(texts, buf_str(&json->text))) {
		return fail(json, "a string has a bad escape");
	}
	struct str key = {texts->p + at, texts->n - at};
	json->wanted = json->open.n == 1 && str_eq(key, str_of(json->name));
	json->expected = COLON;
	if (is_in_item(json)) {
		item->members = mem_grow(item->members, &item->capacity, item->n + 1,
					 sizeof(*item->members));
		item->members[item->n++] = (struct member){.key = at, .key_n = key.n};
	} else {
		texts->n = at;
	}
	return true;
}

static bool end_string(struct json *json) {
	json->token = BETWEEN;
	if (json->is_key) {
		return end_key(json);
	}
	size_t at = json->item.texts.n;
	if (!add_string(&json->item.texts, buf_str(&json->text))) {
		return fail(json, "a string has a bad escape");
	}
	set_member(json, JSON_STRING, at);
	json->item.texts.n = is_in_item(json) ? json->item.texts.n : at;
	return end_value(json);
}

static bool end_word(struct json *json) {
	struct str word = buf_str(&json->text);
	size_t at = json->item.texts.n;
	json->token = BETWEEN;
	if (is_number(word)) {
		if (is_in_item(json)) {
			buf_add_str(&json->item.texts, word);
		}
		set_member(json, JSON_NUMBER, at);
	} else if (str_eq(word, STR("null"))) {
		set_member(json, JSON_MISSING, at);
	} else if (str_eq(word, STR("true")) || str_eq(word, STR("false"))) {
		set_member(json, JSON_OTHER, at);
	} else {
		return fail(json, "expected a value");
	}
	return end_value(json);
}

/* --- Structure ------------------------------------------------------------------------------ */

/** Enter an object or an array. */
static bool open_value(struct json *json, char bracket) {
	bool is_root = json->open.n == 0;
	bool is_wanted = (is_root && bracket == '[') || (json->open.n == 1 && json->wanted);
	set_member(json, JSON_OTHER, json->item.texts.n);
	begin_value(json, bracket == '{');
	buf_add_char(&json->open, bracket);
	json->expected = bracket == '{' ? FIRST_KEY : FIRST_ITEM;
	if (is_wanted) {
		json->found = true;
		json->items = json->open.n;
	}
	return true;
}

static bool close_value(struct json *json) {
	if (json->open.n == json->items) {
		json->items = 0;
	}
	json->open.n--;
	return end_value(json);
}

static bool start_string(struct json *json, bool is_key) {
	json->token = IN_STRING;
	json->is_key = is_key;
	json->escaped = false;
	buf_clear(&json->text);
	return true;
}

static bool start_value(struct json *json, char c) {
	if (json->open.n == 0 && c != '{' && c != '[') {
		return fail(json, "expected an object or an array");
	}
	if (json->open.n == 1 && json->wanted && c != '[') {
		return fail(json, "the member with the events is not an array");
	}
	if (c == '{' || c == '[') {
		return open_value(json, c);
	}
	begin_value(json, false);
	if (c == '"') {
		return start_string(json, false);
	}
	json->token = IN_WORD;
	buf_clear(&json->text);
	buf_add_char(&json->text, c);
	return true;
}

/** Take a byte that is no blank and is in no token. */
static bool take_byte(struct json *json, char c) {
	bool in_object = json->open.n > 0 && json->open.p[json->open.n - 1] == '{';
	switch (json->expected) {
	case FIRST_ITEM:
		return c == ']' ? close_value(json) : start_value(json, c);
	case VALUE:
		return start_value(json, c);
	case FIRST_KEY:
	case KEY:
		if (c == '}' && json->expected == FIRST_KEY) {
			return close_value(json);
		}
		return c == '"' ? start_string(json, true) : fail(json, "expected a key");
	case COLON:
		json->expected = VALUE;
		return c == ':' || fail(json, "expected a colon");
	case COMMA:
		if (c == (in_object ? '}' : ']')) {
			return close_value(json);
		}
		json->expected = in_object ? KEY : VALUE;
		return c == ',' ||
		       fail(json, in_object ? "expected a comma or the end of the object"
					    : "expected a comma or the end of the array");
	case NOTHING:
		break;
	}
	return fail(json, "there is something after its end");
}

/* --- Pieces --------------------------------------------------------------------------------- */

/** Read on in a string. Return how many bytes were taken, its last quote included. */
static size_t read_string(struct json *json, struct str rest, bool *good) {
	size_t n = 0;
	while (n < rest.n && (json->escaped || rest.p[n] != '"')) {
		json->escaped = !json->escaped && rest.p[n] == '\\';
		n++;
	}
	buf_add_str(&json->text, str_to(rest, n));
	count_lines(json, str_to(rest, n));
	if (n < rest.n) {
		*good = end_string(json);
		n++;
	}
	return n;
}

/** Read on in a number or such. */
static size_t read_word(struct json *json, struct str rest, bool *good) {
	size_t n = 0;
	while (n < rest.n && (is_digit(rest.p[n]) || is_alpha(rest.p[n]) || rest.p[n] == '.' ||
			      rest.p[n] == '-' || rest.p[n] == '+')) {
		n++;
	}
	buf_add_str(&json->text, str_to(rest, n));
	if (n < rest.n) {
		*good = end_word(json);
	}
	return n;
}

static size_t read_between(struct json *json, struct str rest, bool *good) {
	char c = rest.p[0];
	json->line += c == '\n';
	if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
		*good = take_byte(json, c);
	}
	return 1;
}

/** Whether the text may end here. */
static bool check_end(struct json *json) {
	bool in_array = json->items == 1 && json->open.n == 1 && json->token == BETWEEN;
	if (json->expected != NOTHING && !in_array) {
		return fail(json, "unexpected end");
	}
	return json->found || fail(json, "there is no array of events in it");
}

bool json_feed(struct json *json, struct str bytes, bool last) {
	bool good = true;
	while (bytes.n > 0 && good && !json->stopped) {
		size_t taken = json->token == IN_STRING ? read_string(json, bytes, &good)
			       : json->token == IN_WORD ? read_word(json, bytes, &good)
							: read_between(json, bytes, &good);
		bytes = str_from(bytes, taken);
	}
	return good && (!last || json->stopped || check_end(json));
}

const char *json_error(const struct json *json) {
	return json->error;
}

uint64_t json_line(const struct json *json) {
	return json->line;
}

void json_free(struct json *json) {
	if (json != NULL) {
		buf_release(&json->open);
		buf_release(&json->text);
		buf_release(&json->item.texts);
		free(json->item.members);
		free(json);
	}
}

bool json_is_object(const struct json_item *item) {
	return item->is_object;
}

enum json_kind json_member(const struct json_item *item, const char *name, struct str *text) {
	*text = STR("");
	for (size_t i = item->n; i > 0; i--) {
		const struct member *member = &item->members[i - 1];
		if (str_eq(str_from(str_to(buf_str(&item->texts), member->key + member->key_n),
				    member->key),
			   str_of(name))) {
			*text = (struct str){item->texts.p + member->text, member->text_n};
			return member->kind;
		}
	}
	return JSON_MISSING;
}
