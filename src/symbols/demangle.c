/* Demangle names with libiberty. */
#include "symbols/demangle.h"

#include <setjmp.h>
#include <stdlib.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

#include "base/buf.h"

#ifdef HAVE_LIBIBERTY
// Limits for crafted names. Each part of a mangled name can repeat another part twice, so 200 bytes
// may become gigabytes.
enum {
	MANGLED_MAX = 16 << 10,
	PLAIN_MAX = 256 << 10,
	USUAL = 8, // a demangled name is usually at most 8 times as long as the mangled name
	// for all names together, the largest number of bytes beyond the usual length
	LONGER_MAX = 32 << 20,
	D_REPEATS_MAX = 20, // largest number of back references in a name of D, because the
			    // demangler for D cannot be stopped
};

/** The part of a name that is demangled already. */
struct printed {
	struct buf text;
	size_t most;
	jmp_buf too_long;
};

static void demangle_print(const char *text, size_t n, void *context) {
	struct printed *printed = context;
	if (n > printed->most - printed->text.n) {
		longjmp(printed->too_long, 1); // this leaks nothing: libiberty keeps no memory on
					       // the heap here
	}
	buf_add(&printed->text, text, n);
}

/** Demangle a name of C++ or Rust. Return false if the name is not mangled in this way, or is too
 * long. */
static bool demangle_bounded(const char *name, struct printed *printed) {
	enum { OPTIONS = DMGL_AUTO };
	if (setjmp(printed->too_long) != 0) {
		return false;
	}
	bool found = rust_demangle_callback(name, OPTIONS, demangle_print, printed) != 0;
	if (!found) {
		buf_clear(&printed->text);
		found = cplus_demangle_v3_callback(name, OPTIONS, demangle_print, printed) != 0;
	}
	return found;
}

/** Return the number of occurrences of a letter in a text. */
static size_t demangle_count(struct str text, char letter) {
	size_t n = 0;
	for (size_t i = 0; i < text.n; i++) {
		n += text.p[i] == letter;
	}
	return n;
}

static bool demangle_is_mangled(struct str name) {
	return str_starts(name, STR("_Z")) || str_starts(name, STR("_R")) ||
	       str_starts(name, STR("_D")) || str_starts(name, STR("_GLOBAL_")) ||
	       str_starts(name, STR("___Z"));
}

/** Remove the parameters, which D's demangler always writes. Keep the parameters of a template,
 * which come after `!`. */
static void demangle_cut_parameters(char *name) {
	size_t open = str_find_opening(str_of(name));
	if (open != STR_NONE && open > 0 && name[open - 1] != '!') {
		name[open] = '\0';
	}
}

static bool demangle_d(const char *name, struct printed *printed) {
	char *plain = str_starts(str_of(name), STR("_D")) &&
				      demangle_count(str_of(name), 'Q') <= D_REPEATS_MAX
			      ? dlang_demangle(name, DMGL_NO_OPTS)
			      : NULL;
	if (plain != NULL) {
		demangle_cut_parameters(plain);
		buf_add_text(&printed->text, plain);
	}
	free(plain);
	return plain != NULL;
}

/** Add the plain form of a name. Return false if the name is not mangled, or if its plain form is
 * too long. */
static bool demangle_add(struct demangler *demangler, struct str name, struct buf *plain) {
	if (!demangle_is_mangled(name) || name.n > MANGLED_MAX) {
		return false;
	}
	size_t usual = name.n * USUAL, left = LONGER_MAX - demangler->longer;
	struct printed printed = {.most = left < PLAIN_MAX ? usual + left : PLAIN_MAX};
	struct buf text = {0};
	buf_add_str(&text, name);
	bool found = demangle_bounded(buf_text(&text), &printed);
	size_t n = printed.text.n;
	demangler->longer += n <= usual ? 0 : n - usual < left ? n - usual : left;
	if (!found) {
		buf_clear(&printed.text);
		found = demangle_d(buf_text(&text), &printed);
	}
	if (found) {
		buf_add_str(plain, buf_str(&printed.text));
	}
	buf_release(&text);
	buf_release(&printed.text);
	return found;
}

bool demangle_fails(struct str name) {
	(void)name;
	return false;
}
#else
static bool demangle_add(struct demangler *demangler, struct str name, struct buf *plain) {
	(void)demangler, (void)name, (void)plain;
	return false;
}

bool demangle_fails(struct str name) {
	return str_starts(name, STR("_Z")) ||
	       (str_starts(name, STR("_R")) && name.n > 2 && name.p[2] >= 'A' && name.p[2] <= 'Z');
}
#endif

struct remembered {
	size_t n;
	char text[];
};

static struct remembered *demangle_remember(struct demangler *demangler, struct str name) {
	struct remembered *kept = arena_take(&demangler->arena, sizeof(*kept) + name.n + 1);
	kept->n = name.n;
	memcpy(kept->text, name.p, name.n);
	kept->text[name.n] = '\0';
	return kept;
}

/** Return the demangled name. Keep a suffix such as `@plt`. */
static struct remembered *demangle_find_name(struct demangler *demangler, struct str name) {
	bool stub = str_ends(name, STR("@plt"));
	struct str mangled = stub ? str_to(name, name.n - strlen("@plt")) : name;
	struct buf text = {0};
	if (!demangle_add(demangler, mangled, &text)) {
		return demangle_remember(demangler, name);
	}
	buf_add_text(&text, stub ? "@plt" : "");
	struct remembered *kept = demangle_remember(demangler, buf_str(&text));
	buf_release(&text);
	return kept;
}

struct str demangle(struct demangler *demangler, struct str name) {
	struct intern_key *key = intern_get(&demangler->names, name.p, name.n);
	if (key->value == 0) {
		key->value = (uint64_t)(uintptr_t)demangle_find_name(demangler, name);
	}
	const struct remembered *kept = (const struct remembered *)(uintptr_t)key->value;
	return (struct str){kept->text, kept->n};
}

void demangler_release(struct demangler *demangler) {
	intern_release(&demangler->names);
	arena_release(&demangler->arena);
	*demangler = (struct demangler){0};
}
