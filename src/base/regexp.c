/* Compile and match regular expressions of the user. */
#include "base/regexp.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

enum { REPEATED_MOST = 2000, SIZE_MOST = 1 << 30, DEEPEST = 100 };

/** The size of a regular expression with all its repetitions written out. */
struct extent {
	uint64_t before, last; // size of all items before the last item, and size of the last item
};

static uint64_t regexp_capped(uint64_t size) {
	return size < SIZE_MOST ? size : SIZE_MOST + 1;
}

static void regexp_add_item(struct extent *extent, uint64_t size) {
	extent->before = regexp_capped(extent->before + extent->last);
	extent->last = size;
}

/** Remove the rest of a bracket expression, after its `[`, from the start of the text. */
static void regexp_take_bracket(struct str *rest) {
	bool named = false; // in a class such as [:alpha:]
	size_t at = str_starts(*rest, STR("^")) ? 1 : 0;
	at += at < rest->n && rest->p[at] == ']';
	for (; at < rest->n && (named || rest->p[at] != ']'); at++) {
		bool opens = rest->p[at] == '[' && at + 1 < rest->n &&
			     memchr(":.=", rest->p[at + 1], 3) != NULL;
		named = opens || (named && rest->p[at] != ']');
	}
	*rest = str_from(*rest, at < rest->n ? at + 1 : at);
}

/** Remove the counts of a repetition, up to its `}`, from the start of the text. Return the largest
 * count. */
static uint64_t regexp_take_counts(struct str *rest) {
	uint64_t highest = 1, count = 0;
	size_t at = 0;
	for (; at < rest->n && rest->p[at] != '}'; at++) {
		count = is_digit(rest->p[at])
				? regexp_capped(10 * count + (uint64_t)(rest->p[at] - '0'))
				: 0;
		highest = count > highest ? count : highest;
	}
	*rest = str_from(*rest, at < rest->n ? at + 1 : at);
	return highest;
}

bool regexp_is_large(const char *text) {
	struct str rest = str_of(text);
	struct extent extents[DEEPEST] = {{0, 0}};
	size_t depth = 0;
	while (rest.n > 0) {
		struct extent *extent = &extents[depth];
		char c = rest.p[0];
		rest = str_from(rest, 1);
		if (c == '(') {
			regexp_add_item(extent, 0);
			if (++depth == DEEPEST) {
				return true;
			}
			extents[depth] = (struct extent){0, 0};
		} else if (c == ')' && depth > 0) {
			regexp_add_item(extent, 0);
			extents[--depth].last = extent->before + 1;
		} else if (c == '{') {
			extent->last = regexp_capped(extent->last * regexp_take_counts(&rest));
		} else {
			regexp_add_item(extent, 1);
			if (c == '[') {
				regexp_take_bracket(&rest);
			} else if (c == '\\') {
				rest = str_from(rest, rest.n > 0);
			}
		}
	}
	regexp_add_item(&extents[depth], 0);
	return extents[depth].before > REPEATED_MOST + strlen(text);
}

/** Make sure that there is memory for a small regular expression, or call inferno_out_of_memory().
 * If memory runs out in regcomp(), glibc 2.36 frees some memory twice. */
static void regexp_reserve(void) {
	enum {
		ENOUGH = 512 << 10
	}; // a size that malloc() takes from its heap, not from a mapping
	   // of its own
	size_t room = 0;
	free(mem_grow(NULL, &room, ENOUGH, 1));
}

bool regexp_init(struct regexp *regexp, const char *text, int flags, struct buf *why) {
	struct buf ignored = {0};
	why = why == NULL ? &ignored : why;
	if (regexp_is_large(text)) {
		buf_add_text(why, "it is too large when all repetitions are written out");
		buf_release(&ignored);
		return false;
	}
	regexp_reserve();
	int error = regcomp(&regexp->compiled, text, REG_EXTENDED | flags);
	if (error == REG_ESPACE) {
		inferno_out_of_memory();
	}
	if (error != 0) {
		char reason[200];
		regerror(error, &regexp->compiled, reason, sizeof(reason));
		buf_add_text(why, reason);
	}
	buf_release(&ignored);
	return error == 0;
}

bool regexp_matches(const struct regexp *regexp, const char *text, size_t n, regmatch_t *found,
		    int flags) {
	errno = 0; // reset errno: if memory runs out, some versions of glibc return "no match" and
		   // set ENOMEM
	int result = regexec(&regexp->compiled, text, n, found, flags);
	if (result != 0 && (result != REG_NOMATCH || errno == ENOMEM)) {
		inferno_out_of_memory();
	}
	return result == 0;
}

void regexp_release(struct regexp *regexp) {
	regfree(&regexp->compiled);
}

const char *regexp_check(const char *text) {
	struct regexp regexp;
	if (regexp_is_large(text)) {
		return "a regular expression with fewer repetitions";
	}
	if (!regexp_init(&regexp, text, 0, NULL)) {
		return "a regular expression, as for 'grep -E'";
	}
	regexp_release(&regexp);
	return NULL;
}
