/*
 * JSON in pieces. The parser first finds the end of a token, and then examines the token. If a
 * piece ends inside a token, the start of the token is kept until the next pieces complete it. Most
 * profiles in JSON consist mainly of long arrays of whole numbers, so these arrays are read in one
 * loop.
 */
#include "collapse/json_parser.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"

/** The tokens that may come next. */
enum json_state {
	JSON_VALUE,        // a value
	JSON_VALUE_OR_END, // the first item of an array, or the end of the array
	JSON_KEY,          // a key
	JSON_KEY_OR_END,   // the first key of an object, or the end of the object
	JSON_COLON,
	JSON_MORE_OR_END, // a comma, or the end of the innermost object or array
	JSON_NOTHING,     // the text is complete
};

struct json_parser {
	const struct json_calls *calls;
	void *context;
	enum json_state state;
	struct buf open;  // `{` or `[` for each open value
	struct buf token; // the start of a token, from earlier pieces
	bool in_token;    // whether the last piece ended inside a token
	bool is_string;   // whether this token is a string; otherwise it is a number or a word
	bool is_escaped;  // whether the part so far ends after a backslash
	bool has_escapes; // whether the string has a backslash
	struct buf text;  // a string with its escapes resolved
	struct str piece; // the bytes that are being read
	size_t at;        // number of bytes that were read
	size_t counted;   // number of bytes of `piece` up to which line ends are counted in `line`
	uint64_t line;    // the line number at `counted`, from 1
	const char *error;
};

bool json_parser_fail(struct json_parser *parser, const char *error) {
	parser->error = parser->error == NULL ? error : parser->error;
	return false;
}

const char *json_parser_error(const struct json_parser *parser) {
	return parser->error;
}

/** Count the lines up to the current position in the text. */
uint64_t json_parser_line(struct json_parser *parser) {
	while (parser->counted < parser->at) {
		struct str rest = str_from(str_to(parser->piece, parser->at), parser->counted);
		size_t end = str_find(rest, '\n');
		parser->line += end != STR_NONE;
		parser->counted = end == STR_NONE ? parser->at : parser->counted + end + 1;
	}
	return parser->line;
}

/* --- The order of tokens -------------------------------------------------------------------- */

/** Check that a value may begin here, and set which tokens may follow the value. If no value may
 * begin here, describe the fault and return false. */
static bool json_parser_begin_value(struct json_parser *parser) {
	static const char *const faults[] = {
		[JSON_KEY] = "the key of an object is not a string",
		[JSON_KEY_OR_END] = "the key of an object is not a string",
		[JSON_COLON] = "a key has no ':' after it",
		[JSON_NOTHING] = "more text comes after its end",
	};
	if (parser->state == JSON_MORE_OR_END) {
		return json_parser_fail(parser, parser->open.p[parser->open.n - 1] == '{'
							? "',' or '}' is missing in an object"
							: "',' or ']' is missing in an array");
	}
	if (parser->state != JSON_VALUE && parser->state != JSON_VALUE_OR_END) {
		return json_parser_fail(parser, faults[parser->state]);
	}
	parser->state = parser->open.n > 0 ? JSON_MORE_OR_END : JSON_NOTHING;
	return true;
}

static bool json_parser_open(struct json_parser *parser, char bracket) {
	if (!json_parser_begin_value(parser)) {
		return false;
	}
	parser->state = bracket == '{' ? JSON_KEY_OR_END : JSON_VALUE_OR_END;
	buf_add_char(&parser->open, bracket);
	return parser->calls->open(parser->context, bracket == '{');
}

static bool json_parser_close(struct json_parser *parser, char bracket) {
	enum json_state empty = bracket == '}' ? JSON_KEY_OR_END : JSON_VALUE_OR_END;
	char opening = bracket == '}' ? '{' : '[';
	bool is_match = parser->open.n > 0 && parser->open.p[parser->open.n - 1] == opening;
	if (!is_match || (parser->state != empty && parser->state != JSON_MORE_OR_END)) {
		bool is_value = parser->state <= JSON_VALUE_OR_END;
		return is_value ? json_parser_fail(parser, "a value is missing")
				: json_parser_begin_value(parser);
	}
	parser->open.n--;
	parser->state = parser->open.n > 0 ? JSON_MORE_OR_END : JSON_NOTHING;
	return parser->calls->close(parser->context);
}

/** Read a comma or a colon. */
static bool json_parser_separate(struct json_parser *parser, char c) {
	if (c == ':' && parser->state == JSON_COLON) {
		parser->state = JSON_VALUE;
		return true;
	}
	if (c == ',' && parser->state == JSON_MORE_OR_END) {
		parser->state = parser->open.p[parser->open.n - 1] == '{' ? JSON_KEY : JSON_VALUE;
		return true;
	}
	return parser->state <= JSON_VALUE_OR_END ? json_parser_fail(parser, "a value is missing")
						  : json_parser_begin_value(parser);
}

/* --- Strings -------------------------------------------------------------------------------- */

/** Return the index of the first quote, backslash or control byte, or the length of the text.
 * Eight bytes are compared at a time. */
static size_t json_parser_plain(struct str text) {
	enum { WORD = sizeof(uint64_t) };
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	size_t i = 0;
	for (; i + WORD <= text.n; i += WORD) {
		uint64_t word = load_u64(text.p + i), quote = word ^ (ones * '"'),
			 slash = word ^ (ones * '\\');
		uint64_t found = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
				  ((word - ones * ' ') & ~word)) &
				 tops;
		// one of the eight bytes was found
		if (found != 0) {
			break;
		}
	}
	while (i < text.n && text.p[i] != '"' && text.p[i] != '\\' &&
	       (unsigned char)text.p[i] >= ' ') {
		i++;
	}
	return i;
}

/** Return the length of a string up to its quote or to a control byte, or STR_NONE if the string
 * continues in the next piece. */
static size_t json_parser_string_end(struct json_parser *parser, struct str text) {
	size_t i = parser->is_escaped ? 1 : 0;
	parser->is_escaped = false;
	while (i < text.n) {
		i += json_parser_plain(str_from(text, i));
		if (i == text.n || text.p[i] != '\\') {
			break;
		}
		parser->has_escapes = true;
		i += 2; // the character after the backslash is a part of the escape
	}
	parser->is_escaped = i > text.n;
	return i < text.n ? i : STR_NONE;
}

/** Read four hexadecimal digits. */
static bool json_parser_hex(struct str text, uint32_t *code) {
	enum { DIGITS = 4 };
	*code = 0;
	for (size_t i = 0; i < DIGITS; i++) {
		if (i == text.n || !is_hex(text.p[i])) {
			return false;
		}
		char c = text.p[i];
		*code = *code * 16 + (uint32_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return true;
}

/** Add the character of an escape such as \u00e9, and cut its digits off `*rest`. Replace one half
 * of a surrogate pair by U+FFFD. Return false if digits are missing. */
static bool json_parser_add_unicode(struct buf *out, struct str *rest) {
	enum { DIGITS = 4, SECOND = 6 };
	const uint32_t high = 0xd800, low = 0xdc00, end = 0xe000, above = 0x10000;
	uint32_t code, second;
	if (!json_parser_hex(*rest, &code)) {
		return false;
	}
	*rest = str_from(*rest, DIGITS);
	if (code < high || code >= end) {
		utf8_add(out, code);
	} else if (code < low && str_starts(*rest, STR("\\u")) &&
		   json_parser_hex(str_from(*rest, 2), &second) && second >= low && second < end) {
		utf8_add(out, above + ((code - high) << 10) + (second - low));
		*rest = str_from(*rest, SECOND);
	} else {
		buf_add_text(out, UTF8_REPLACEMENT);
	}
	return true;
}

/** Put a string into `text`, with its escapes resolved. */
static bool json_parser_unescape(struct json_parser *parser, struct str rest) {
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	struct buf *out = &parser->text;
	buf_clear(out);
	for (size_t at; (at = str_find(rest, '\\')) != STR_NONE;) {
		buf_add_str(out, str_to(rest, at));
		char c = rest.p[at + 1];
		const char *letter = c == '\0' ? NULL : strchr(letters, c);
		rest = str_from(rest, at + 2);
		if (letter != NULL) {
			buf_add_char(out, meanings[letter - letters]);
		} else if (c != 'u') {
			return json_parser_fail(parser, "a string has an unknown escape");
		} else if (!json_parser_add_unicode(out, &rest)) {
			return json_parser_fail(parser,
						"four hexadecimal digits are missing after '\\u'");
		}
	}
	buf_add_str(out, rest);
	return true;
}

static bool json_parser_string(struct json_parser *parser, struct str text) {
	if (parser->has_escapes) {
		if (!json_parser_unescape(parser, text)) {
			return false;
		}
		text = buf_str(&parser->text);
	}
	if (parser->state == JSON_KEY || parser->state == JSON_KEY_OR_END) {
		parser->state = JSON_COLON;
		return parser->calls->key(parser->context, text);
	}
	return json_parser_begin_value(parser) &&
	       parser->calls->value(parser->context, JSON_STRING, text);
}

/* --- Numbers and words ---------------------------------------------------------------------- */

static bool json_parser_is_word(char c) {
	return is_digit(c) || is_alpha(c) || c == '.' || c == '-' || c == '+';
}

/** Cut digits off the front. Return false if there is no digit. */
static bool json_parser_digits(struct str *text) {
	size_t n = 0;
	while (n < text->n && is_digit(text->p[n])) {
		n++;
	}
	*text = str_from(*text, n);
	return n > 0;
}

/** Return a description of the fault in a number, or NULL if the number has no fault. */
static const char *json_parser_number_fault(struct str text) {
	text = str_from(text, text.n > 0 && text.p[0] == '-');
	if (!json_parser_digits(&text)) {
		return "a number has no digit after '-'";
	}
	if (text.n > 0 && text.p[0] == '.') {
		text = str_from(text, 1);
		if (!json_parser_digits(&text)) {
			return "a number has no digit after '.'";
		}
	}
	if (text.n > 0 && (text.p[0] | 0x20) == 'e') {
		text = str_from(text, 1);
		text = str_from(text, text.n > 0 && (text.p[0] == '+' || text.p[0] == '-'));
		if (!json_parser_digits(&text)) {
			return "a number has no digit in its exponent";
		}
	}
	return text.n > 0 ? "a number is malformed" : NULL;
}

/** Return the kind of a word: true, false or null. For any other text, return JSON_STRING. */
static enum json_kind json_parser_word_kind(struct str text) {
	return str_eq(text, STR("null"))                                 ? JSON_MISSING
	       : str_eq(text, STR("true")) || str_eq(text, STR("false")) ? JSON_OTHER
									 : JSON_STRING;
}

static bool json_parser_number(struct json_parser *parser, struct str text) {
	const char *fault = json_parser_number_fault(text);
	size_t sign = text.p[0] == '-';
	if (fault != NULL) {
		return json_parser_fail(parser, fault);
	}
	// End the number after a leading zero. If a digit follows the zero, this digit begins a new
	// token, which is a fault.
	bool has_zero = text.n > sign + 1 && text.p[sign] == '0' && is_digit(text.p[sign + 1]);
	return json_parser_begin_value(parser) && (!has_zero || json_parser_begin_value(parser)) &&
	       parser->calls->value(parser->context, JSON_NUMBER, text);
}

static bool json_parser_word(struct json_parser *parser, struct str text) {
	if (parser->state == JSON_NOTHING) {
		return json_parser_begin_value(parser);
	}
	if (text.p[0] == '-' || is_digit(text.p[0])) {
		return json_parser_number(parser, text);
	}
	enum json_kind kind = json_parser_word_kind(text);
	if (kind == JSON_STRING) {
		bool is_near = text.p[0] == 'n' || text.p[0] == 't' || text.p[0] == 'f';
		return json_parser_fail(parser, is_near ? "a word is none of true, false and null"
							: "a character begins no value");
	}
	return json_parser_begin_value(parser) &&
	       parser->calls->value(parser->context, kind, STR(""));
}

/** Return the length of a number or a word, or STR_NONE if it may continue in the next piece. */
static size_t json_parser_word_end(struct str text) {
	size_t n = 0;
	while (n < text.n && json_parser_is_word(text.p[n])) {
		n++;
	}
	return n < text.n ? n : STR_NONE;
}

/** Read a number of at most SAFE_DIGITS digits, with a comma or a `]` after it. Return the length
 * of the number, or 0 if the text does not begin with such a number. */
static size_t json_parser_integer(struct str text, uint64_t *number) {
	enum { SAFE_DIGITS = 18 };
	size_t n = num_take_digits(text, number);
	bool is_safe = n > 0 && n <= SAFE_DIGITS && n < text.n && (n == 1 || text.p[0] != '0');
	return is_safe && (text.p[n] == ',' || text.p[n] == ']') ? n : 0;
}

enum { INTEGERS_MOST = 256 };

/** Return a number in which a bit is set for each of the next 64 bytes that is not a digit. */
static uint64_t json_parser_find_ends(const char *bytes) {
	enum { WORD = sizeof(uint64_t) };
	const uint64_t gather = UINT64_C(0x0102040810204080); // the highest bits of eight bytes
	uint64_t ends = 0;
	for (unsigned i = 0; i < WORD; i++) {
		uint64_t others = num_others(load_u64(bytes + i * WORD));
		ends |= ((others >> (WORD - 1)) * gather >> (64 - WORD)) << (i * WORD);
	}
	return ends;
}

/** Read numbers of up to eight digits, each with a comma after it and without blanks, as most
 * profiles have them. Move `*rest` past the last comma. Return the number of items. First find the
 * ends of all numbers in 64 bytes, so that reading a number need not wait for the previous number.
 * This saves a quarter of the time for a file of numbers. */
static size_t json_parser_dense_integers(struct str *rest, uint64_t *items) {
	enum { WORD = sizeof(uint64_t), WINDOW = 64, LENGTH = WORD };
	size_t n = 0;
	bool goes_on = true;
	while (goes_on && rest->n >= WINDOW + WORD && n + WINDOW / 2 <= INTEGERS_MOST) {
		const char *bytes = rest->p;
		size_t start = 0;
		for (uint64_t ends = json_parser_find_ends(bytes); ends != 0; ends &= ends - 1) {
			size_t end = (size_t)__builtin_ctzll(ends), length = end - start;
			bool has_zero = length > 1 && bytes[start] == '0';
			if (bytes[end] != ',' || length - 1 >= LENGTH || has_zero) {
				goes_on = false;
				break;
			}
			items[n++] = num_eight_digits(load_u64(bytes + start), length);
			start = end + 1;
		}
		*rest = str_from(*rest, start);
		goes_on = goes_on && start > 0;
	}
	return n;
}

/** Read whole numbers that are the next items of an array. Set `*taken` to the number of items that
 * were read. Return false to stop. */
static bool json_parser_integers(struct json_parser *parser, size_t *taken) {
	uint64_t items[INTEGERS_MOST];
	struct str rest = str_from(parser->piece, parser->at);
	size_t n = json_parser_dense_integers(&rest, items);
	parser->state = n > 0 ? JSON_VALUE : parser->state;
	while (n < INTEGERS_MOST) {
		size_t length = json_parser_integer(rest, &items[n]);
		if (length == 0) {
			break;
		}
		n++;
		if (rest.p[length] == ']') {
			rest = str_from(rest, length);
			parser->state = JSON_MORE_OR_END;
			break;
		}
		parser->state = JSON_VALUE;
		rest = str_from(rest, length + 1);
		rest = str_from(rest, json_blanks(rest));
	}
	parser->at = parser->piece.n - rest.n;
	*taken = n;
	return n == 0 || parser->calls->integers(parser->context, items, n);
}

/* --- Pieces --------------------------------------------------------------------------------- */

struct json_parser *json_parser_new(const struct json_calls *calls, void *context) {
	struct json_parser *parser = mem_new(1, sizeof(*parser));
	parser->calls = calls;
	parser->context = context;
	parser->line = 1;
	return parser;
}

/** Read a string or a word to its end, or to the end of the piece. If an earlier piece ended inside
 * the token, `token` has the start. */
static bool json_parser_end_token(struct json_parser *parser) {
	// longest token that is kept: longer than any name
	static const size_t longest = (size_t)1 << 30;
	struct str rest = str_from(parser->piece, parser->at);
	bool is_string = parser->is_string;
	size_t n = is_string ? json_parser_string_end(parser, rest) : json_parser_word_end(rest);
	struct str text = str_to(rest, n == STR_NONE ? rest.n : n);
	parser->in_token = n == STR_NONE;
	parser->at += text.n;
	if (parser->in_token || parser->token.n > 0) {
		if (parser->token.n + text.n > longest) {
			return json_parser_fail(parser, "a string is longer than a gigabyte");
		}
		buf_add_str(&parser->token, text);
		text = buf_str(&parser->token);
	}
	if (parser->in_token) {
		return true;
	}
	if (is_string && parser->piece.p[parser->at++] != '"') {
		return json_parser_fail(parser, "a string has a control character");
	}
	bool goes_on =
		is_string ? json_parser_string(parser, text) : json_parser_word(parser, text);
	buf_clear(&parser->token);
	return goes_on;
}

/** Read the next items of an array, if they are numbers or objects. `c` is the first byte of the
 * first item. Set `*taken` to the number of numbers that were read, or to the length of the objects
 * that were read. Return false to stop. */
static bool json_parser_items(struct json_parser *parser, char c, size_t *taken) {
	*taken = 0;
	if (is_digit(c) && parser->calls->integers != NULL) {
		return json_parser_integers(parser, taken);
	}
	if (c == '{' && parser->calls->objects != NULL) {
		*taken = parser->calls->objects(parser->context,
						str_from(parser->piece, parser->at));
		if (*taken == STR_NONE) {
			return false;
		}
		parser->at += *taken;
		parser->state = *taken > 0 ? JSON_MORE_OR_END : parser->state;
	}
	return true;
}

/** Read the next token, which begins with `c`. Return false to stop. */
static bool json_parser_token(struct json_parser *parser, char c) {
	size_t taken = 0;
	if (parser->state <= JSON_VALUE_OR_END && parser->open.n > 0 &&
	    parser->open.p[parser->open.n - 1] == '[') {
		if (!json_parser_items(parser, c, &taken)) {
			return false;
		}
		if (taken > 0) {
			return true;
		}
	}
	if (c == '"' || json_parser_is_word(c)) {
		parser->is_string = c == '"';
		parser->has_escapes = parser->is_escaped = false;
		parser->at += parser->is_string;
		return json_parser_end_token(parser);
	}
	parser->at++;
	return c == '{' || c == '['   ? json_parser_open(parser, c)
	       : c == '}' || c == ']' ? json_parser_close(parser, c)
	       : c == ',' || c == ':' ? json_parser_separate(parser, c)
	       : parser->state == JSON_NOTHING
		       ? json_parser_fail(parser, "more text comes after its end")
		       : json_parser_fail(parser, "a character begins no value");
}

bool json_parser_feed(struct json_parser *parser, struct str bytes) {
	parser->piece = bytes;
	parser->at = parser->counted = 0;
	bool goes_on = bytes.n == 0 || !parser->in_token || json_parser_end_token(parser);
	while (goes_on && parser->at < bytes.n) {
		parser->at += json_blanks(str_from(bytes, parser->at));
		goes_on = parser->at == bytes.n || json_parser_token(parser, bytes.p[parser->at]);
	}
	json_parser_line(parser);
	return goes_on;
}

bool json_parser_end(struct json_parser *parser, bool may_be_open) {
	// Add a blank, which completes a number or a word at the end of the text.
	if (!json_parser_feed(parser, STR(" "))) {
		return false;
	}
	bool in_array = parser->open.n == 1 && parser->open.p[0] == '[' && !parser->in_token;
	return parser->state == JSON_NOTHING || (may_be_open && in_array) ||
	       json_parser_fail(parser, "unexpected end");
}

void json_parser_free(struct json_parser *parser) {
	if (parser != NULL) {
		buf_release(&parser->open);
		buf_release(&parser->token);
		buf_release(&parser->text);
		free(parser);
	}
}
