/* Apply rules that change names. */
#include "base/rewrite.h"

#include <stdlib.h>

#include "base/input.h"
#include "base/regexp.h"
#include "base/utf8.h"

struct rewrite_rule {
	struct regexp regexp;
	struct buf replacement;
};

/** Add a rule. Return 0, or -1 after diag_error(). The error begins with `where`. */
static int rewrite_add(struct rewrite *rewrite, struct str text, const char *where,
		       struct diag *diag) {
	size_t arrow = str_find_str(text, STR("=>"));
	if (arrow == STR_NONE || str_trim(str_to(text, arrow)).n == 0) {
		return diag_error(diag, "%s: expected 'REGEX => REPLACEMENT', found '%s'", where,
				  quote(text).text);
	}
	struct buf regexp = {0}, why = {0};
	struct rewrite_rule rule = {.replacement = {0}};
	buf_add_str(&regexp, str_trim(str_to(text, arrow)));
	if (!regexp_init(&rule.regexp, buf_text(&regexp), 0, &why)) {
		(void)diag_error(diag, "%s: '%s' is not a regular expression: %s", where,
				 quote(buf_str(&regexp)).text, buf_text(&why));
		buf_release(&regexp);
		buf_release(&why);
		return -1;
	}
	buf_release(&regexp);
	buf_add_str(&rule.replacement, str_trim(str_from(text, arrow + 2)));
	buf_text(&rule.replacement); // adds a NUL after the bytes
	*MEM_APPEND(rewrite->rules, rewrite->n, rewrite->capacity) = rule;
	return 0;
}

/** Read the rules in a file. */
static int rewrite_read(struct rewrite *rewrite, const char *path, struct diag *diag) {
	struct buf bytes = {0}, where = {0};
	int result = input_read_file(path, &bytes, diag);
	struct lines lines = {.rest = buf_str(&bytes)};
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		line = str_trim(line);
		if (line.n > 0 && line.p[0] != '#') {
			buf_clear(&where);
			buf_printf(&where, "%s:%llu", path, (unsigned long long)lines.number);
			result = rewrite_add(rewrite, line, buf_text(&where), diag);
		}
	}
	buf_release(&bytes);
	buf_release(&where);
	return result;
}

/** Add the replacement for a match. In the replacement, \0 stands for the match, \1 to \9 for the
 * groups of the match, and \\ for a backslash. */
static void rewrite_add_replacement(struct buf *out, const char *replacement, const char *text,
				    const regmatch_t *found) {
	for (const char *p = replacement; *p != '\0'; p++) {
		if (*p == '\\' && is_digit(p[1])) {
			const regmatch_t *group = &found[*++p - '0'];
			if (group->rm_so >= 0) {
				buf_add(out, text + group->rm_so,
					(size_t)(group->rm_eo - group->rm_so));
			}
		} else {
			p += *p == '\\' && p[1] == '\\';
			buf_add_char(out, *p);
		}
	}
}

/** Replace the name by the result of a rule. Keep the memory of the old name for the next
 * result. */
static void rewrite_take(struct rewrite *rewrite, struct buf *name) {
	struct buf old = *name;
	*name = rewrite->next;
	rewrite->next = old;
}

/** Replace the matches of a rule in the name, but no more than MATCHES_MOST matches: an attacker
 * may craft a very long name. */
static void rewrite_apply_rule(struct rewrite *rewrite, const struct rewrite_rule *rule,
			       struct buf *name) {
	enum { GROUPS = 10, MATCHES_MOST = 1000 };
	regmatch_t found[GROUPS];
	const char *text = buf_text(name);
	buf_clear(&rewrite->next);
	for (size_t i = 0; i < MATCHES_MOST && regexp_matches(&rule->regexp, text, GROUPS, found,
							      i > 0 ? REG_NOTBOL : 0);
	     i++) {
		buf_add(&rewrite->next, text, (size_t)found[0].rm_so);
		rewrite_add_replacement(&rewrite->next, rule->replacement.p, text, found);
		text += found[0].rm_eo;
		if (*text == '\0') {
			break;
		}
		if (found[0].rm_so == found[0].rm_eo) { // copy one character after an empty match,
							// or the loop would not advance
			buf_add_char(&rewrite->next, *text++);
		}
	}
	buf_add_text(&rewrite->next, text);
	rewrite_take(rewrite, name);
}

int rewrite_init(struct rewrite *rewrite, const char *path, const struct opt_list *renames,
		 struct diag *diag) {
	*rewrite = (struct rewrite){0};
	int result = path == NULL ? 0 : rewrite_read(rewrite, path, diag);
	for (size_t i = 0; i < renames->n && result == 0; i++) {
		result = rewrite_add(rewrite, str_of(renames->items[i]), "--rename", diag);
	}
	return result;
}

struct str rewrite_head(struct str name) {
	enum { LONGEST = 64 << 10 };
	return str_to(name, name.n < LONGEST ? name.n : LONGEST);
}

bool rewrite_apply(struct rewrite *rewrite, struct buf *name) {
	struct buf before = {0};
	if (rewrite->n == 0) {
		return false;
	}
	buf_add_str(&before, buf_str(name));
	for (size_t i = 0; i < rewrite->n; i++) {
		rewrite_apply_rule(rewrite, &rewrite->rules[i], name);
	}
	bool changed = !str_eq(buf_str(name), buf_str(&before));
	buf_release(&before);
	return changed;
}

void rewrite_end(struct rewrite *rewrite, struct buf *name, struct str rest) {
	buf_add_str(name, rest);
	if (!utf8_valid(buf_str(name))) {
		buf_clear(&rewrite->next);
		utf8_repair(&rewrite->next, buf_str(name));
		rewrite_take(rewrite, name);
	}
}

void rewrite_release(struct rewrite *rewrite) {
	for (size_t i = 0; i < rewrite->n; i++) {
		regexp_release(&rewrite->rules[i].regexp);
		buf_release(&rewrite->rules[i].replacement);
	}
	free(rewrite->rules);
	buf_release(&rewrite->next);
	*rewrite = (struct rewrite){0};
}
