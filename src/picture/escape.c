/* Text escaped for XML, CSS and JavaScript. */
#include "picture/escape.h"

#include "base/utf8.h"

/** Return the number of bytes of the character at the start of `s`, which is not empty, if XML
 * cannot hold the character; otherwise return 0. */
static size_t escape_forbidden(struct str s) {
	unsigned char c = (unsigned char)s.p[0];
	if (c < 0x20) {
		return c != '\t' && c != '\n' && c != '\r';
	}
	return str_starts(s, STR("\xef\xbf\xbe")) || str_starts(s, STR("\xef\xbf\xbf")) ? 3 : 0;
}

/** Bytes that may need escaping: control characters, markup, quotes, and the first byte of U+FFFE
 * and U+FFFF. */
// clang-format off
static const bool is_special[256] = {
	true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true,
	true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true,
	['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true, ['\''] = true, [0xef] = true,
};
// clang-format on

/** Write the plain start of `*text`, and cut it off. Return false when nothing is left. */
static bool escape_write_plain(struct output *out, struct str *text) {
	size_t n = 0;
	while (n < text->n && !is_special[(unsigned char)text->p[n]]) {
		n++;
	}
	output_add(out, text->p, n);
	*text = str_from(*text, n);
	return text->n > 0;
}

static struct str escape_entity(char c) {
	switch (c) {
	case '&':
		return STR("&amp;");
	case '<':
		return STR("&lt;");
	case '>':
		return STR("&gt;");
	case '"':
		return STR("&quot;");
	case '\'':
		return STR("&#39;");
		// In an attribute, a parser would replace these characters by blanks. It would
		// change CR everywhere.

	case '\t':
		return STR("&#9;");
	case '\n':
		return STR("&#10;");
	case '\r':
		return STR("&#13;");
	default:
		return STR("\xef"); // the first byte of a character that XML allows
	}
}

void escape_xml(struct output *out, struct str text) {
	while (escape_write_plain(out, &text)) {
		size_t bad = escape_forbidden(text);
		output_add_str(out, bad > 0 ? STR(UTF8_REPLACEMENT) : escape_entity(text.p[0]));
		text = str_from(text, bad > 0 ? bad : 1);
	}
}

void escape_comment(struct output *out, struct str text) {
	bool after_hyphen = false;
	while (text.n > 0) {
		size_t bad = escape_forbidden(text);
		if (after_hyphen && text.p[0] == '-') {
			output_add_char(out, ' ');
		}
		after_hyphen = text.p[0] == '-';
		output_add_str(out, bad > 0 ? STR(UTF8_REPLACEMENT) : str_to(text, 1));
		text = str_from(text, bad > 0 ? bad : 1);
	}
	if (after_hyphen) {
		output_add_char(out, ' ');
	}
}

static bool escape_is_css_syntax(char c) {
	return c == '"' || c == '\\' || c == '\n' || c == '\r';
}

void escape_css(struct output *out, struct str text) {
	output_add_text(out, "&quot;");
	while (text.n > 0) {
		size_t n = 0;
		while (n < text.n && !escape_is_css_syntax(text.p[n])) {
			n++;
		}
		escape_xml(out, str_to(text, n));
		text = str_from(text, n);
		if (text.n > 0) {
			// A line end would end the string, even if it is escaped.
			bool is_line_end = text.p[0] == '\n' || text.p[0] == '\r';
			output_add_text(out, is_line_end        ? " "
					     : text.p[0] == '"' ? "\\&quot;"
								: "\\\\");
			text = str_from(text, 1);
		}
	}
	output_add_text(out, "&quot;");
}

/** Return the character at the start of `s` if a JavaScript string inside XML or HTML must escape
 * it; otherwise return 0. */
static uint32_t escape_needs_code(struct str s) {
	unsigned char c = (unsigned char)s.p[0];
	if (c < 0x20 || strchr("'\"\\<>&]", c) != NULL) {
		return c;
	}
	return str_starts(s, STR("\xe2\x80\xa8"))   ? 0x2028
	       : str_starts(s, STR("\xe2\x80\xa9")) ? 0x2029
						    : 0;
}

void escape_js(struct output *out, struct str text) {
	static const char digits[] = "0123456789abcdef";
	output_add_char(out, '\'');
	while (text.n > 0) {
		size_t bad = escape_forbidden(text);
		uint32_t code = escape_needs_code(text);
		if (bad > 0) {
			output_add_text(out, UTF8_REPLACEMENT);
		} else if (code != 0) {
			const char escaped[] = {'\\',
						'u',
						digits[code >> 12 & 15],
						digits[code >> 8 & 15],
						digits[code >> 4 & 15],
						digits[code & 15]};
			output_add(out, escaped, sizeof(escaped));
		} else {
			output_add_char(out, text.p[0]);
		}
		text = str_from(text, bad > 0 ? bad : code >= 0x80 ? 3 : 1);
	}
	output_add_char(out, '\'');
}
