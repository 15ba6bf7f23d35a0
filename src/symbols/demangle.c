/* Demangling by libiberty. */
#include "symbols/demangle.h"

#include <stdlib.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

#include "base/buf.h"

#ifdef HAVE_LIBIBERTY
// Longer names are rare, and a crafted one could take very long.
enum { MANGLED_MAX = 16 << 10 };

static bool is_mangled(struct str name) {
	return str_starts(name, STR("_Z")) || str_starts(name, STR("_R")) ||
	       str_starts(name, STR("_D")) || str_starts(name, STR("_GLOBAL_")) ||
	       str_starts(name, STR("___Z"));
}

/** Cut off the parameters, which D's demangler always writes. Those after `!` are a template's. */
static void cut_parameters(char *name) {
	size_t open = str_find_opening(str_of(name));
	if (open != STR_NONE && open > 0 && name[open - 1] != '!') {
		name[open] = '\0';
	}
}

/** Return the demangled text, to be released with free(); NULL if the name is not mangled. */
static char *demangled(struct str name) {
	if (!is_mangled(name) || name.n > MANGLED_MAX) {
		return NULL;
	}
	struct buf text = {0};
	buf_add_str(&text, name);
	char *plain = cplus_demangle(buf_text(&text), DMGL_NO_OPTS);
	if (plain == NULL && str_starts(name, STR("_D"))) {
		plain = dlang_demangle(buf_text(&text), DMGL_NO_OPTS);
		if (plain != NULL) {
			cut_parameters(plain);
		}
	}
	buf_release(&text);
	return plain;
}

bool demangle_fails(struct str name) {
	(void)name;
	return false;
}
#else
static char *demangled(struct str name) {
	(void)name;
	return NULL;
}

bool demangle_fails(struct str name) {
	return str_starts(name, STR("_Z")) ||
	       (str_starts(name, STR("_R")) && name.n > 2 && name.p[2] >= 'A' && name.p[2] <= 'Z');
}
#endif

/** The text of a demangled name, after its length. */
struct remembered {
	size_t n;
	char text[];
};

static struct remembered *remember(struct demangler *demangler, struct str name) {
	struct remembered *kept = arena_take(&demangler->arena, sizeof(*kept) + name.n + 1);
	kept->n = name.n;
	memcpy(kept->text, name.p, name.n);
	kept->text[name.n] = '\0';
	return kept;
}

/** Return the demangled name, with its suffix unchanged. */
static struct remembered *find_name(struct demangler *demangler, struct str name) {
	bool stub = str_ends(name, STR("@plt"));
	char *plain = demangled(stub ? str_to(name, name.n - strlen("@plt")) : name);
	if (plain == NULL) {
		return remember(demangler, name);
	}
	struct buf text = {0};
	buf_add_text(&text, plain);
	buf_add_text(&text, stub ? "@plt" : "");
	struct remembered *kept = remember(demangler, buf_str(&text));
	buf_release(&text);
	free(plain);
	return kept;
}

struct str demangle(struct demangler *demangler, struct str name) {
	struct intern_key *key = intern_get(&demangler->names, name.p, name.n);
	if (key->value == 0) {
		key->value = (uint64_t)(uintptr_t)find_name(demangler, name);
	}
	const struct remembered *kept = (const struct remembered *)(uintptr_t)key->value;
	return (struct str){kept->text, kept->n};
}

void demangler_release(struct demangler *demangler) {
	intern_release(&demangler->names);
	arena_release(&demangler->arena);
	*demangler = (struct demangler){0};
}
