/* Methods of Java, in the form of stack traces. */
#include "collapse/java.h"

#include "collapse/text.h"

bool java_method(struct str line, struct str *method) {
	line = text_trim_start(line);
	size_t end = str_starts(line, STR("at ")) ? str_find(line, '(') : STR_NONE;
	if (end == STR_NONE) {
		return false;
	}
	*method = str_from(str_to(line, end), 3);
	return true;
}

size_t java_packages_length(struct str method) {
	size_t dot = str_find_last(method, '.');
	size_t before = dot == STR_NONE ? STR_NONE : str_find_last(str_to(method, dot), '.');
	return before == STR_NONE ? 0 : before + 1;
}

size_t java_slashed_packages_length(struct str method) {
	size_t slash = str_find_last(method, '/');
	return slash == STR_NONE ? 0 : slash + 1;
}

/** Return whether a byte is part of a word: a letter, perhaps beyond ASCII, a digit or `_`. */
static bool java_in_word(char c) {
	return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/** Return whether a byte continues a UTF-8 character. */
static bool java_continues(char c) {
	return ((unsigned char)c & 0xc0) == 0x80;
}

/** Add packages, each word shortened to its first character. */
static void java_add_short(struct buf *out, struct str packages) {
	bool inside = false; // after the first character of a word
	for (size_t i = 0; i < packages.n; i++) {
		char c = packages.p[i];
		if (!inside || !java_in_word(c)) {
			buf_add_char(out, c);
		}
		while (!inside && java_in_word(c) && i + 1 < packages.n &&
		       java_continues(packages.p[i + 1])) {
			buf_add_char(out, packages.p[++i]);
		}
		inside = java_in_word(c);
	}
}

/** Add a method's name. The first `n` bytes of a name are its packages. */
static void java_add_method(struct buf *out, struct str method, size_t n,
			    enum java_packages packages) {
	if (packages == JAVA_WHOLE_PACKAGES) {
		buf_add_str(out, method);
		return;
	}
	if (packages == JAVA_SHORT_PACKAGES) {
		java_add_short(out, str_to(method, n));
	}
	buf_add_str(out, str_from(method, n));
}

struct meaning java_frame(struct run *run, struct str method, size_t n,
			  enum java_packages packages) {
	buf_clear(&run->name);
	java_add_method(&run->name, method, n, packages);
	return meaning_of_name(run, buf_str(&run->name));
}
