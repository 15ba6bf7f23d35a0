/* Keep the script stacks of a recording. */
#include "perf/interpreted.h"

#include <stdlib.h>

#include "base/utf8.h"

/* --- Records -------------------------------------------------------------------------------- */

/** Store from a record the traits of a language, and the names and roles of its interpreter's
 * native functions. */
static void interpreted_take_language(struct interpreted *interpreted, struct str text) {
	struct str line = str_cut(&text, '\n');
	struct intern_key *language = intern_get(&interpreted->languages, line.p, line.n);
	if (language->id + 1 != interpreted->languages.count) {
		return; // the language is known already
	}
	while (text.n > 0) {
		line = str_cut(&text, '\n');
		unsigned trait = str_eq(line, STR("J"))   ? TRAIT_MAKES_CODE
				 : str_eq(line, STR("T")) ? TRAIT_RUNS_THREADS
				 : str_eq(line, STR("N")) ? TRAIT_HIDES_NAMELESS
							  : 0;
		if (trait != 0) {
			language->value |= trait;
			continue;
		}
		enum interpreted_role role = str_starts(line, STR("L"))   ? ROLE_LOOP
					     : str_starts(line, STR("W")) ? ROLE_LOCK
					     : str_starts(line, STR("S")) ? ROLE_SLEEP
									  : ROLE_GLUE;
		struct str name = str_from(line, line.n > 0);
		bool is_start = str_ends(name, STR("*"));
		name.n -= is_start;
		intern_get(is_start ? &interpreted->starts : &interpreted->roles, name.p, name.n)
			->value = role;
	}
}

/** Return memory for a stack. Reuse the memory of a stack that its sample has already used or, if
 * very many stacks wait, the memory of the first stack. */
static struct interpreted_stack *interpreted_place(struct interpreted *interpreted) {
	enum {
		MOST = 1 << 12
	}; // largest number of stacks: samples may come late, because they
	   // wait for their callers
	for (size_t i = 0; i < interpreted->stacks_n; i++) {
		if (!interpreted->stacks[i].waits) {
			return &interpreted->stacks[i];
		}
	}
	if (interpreted->stacks_n >= MOST) {
		return &interpreted->stacks[0];
	}
	struct interpreted_stack *stack = MEM_APPEND(interpreted->stacks, interpreted->stacks_n,
						     interpreted->stacks_capacity);
	*stack = (struct interpreted_stack){0};
	return stack;
}

static void interpreted_take_stack(struct interpreted *interpreted,
				   const struct scripted *scripted) {
	enum { STATE = (1 << SCRIPTED_LANGUAGE_AT) - 1, FRAME = 2 * sizeof(uint32_t), HALF = 32 };
	struct interpreted_stack *stack = interpreted_place(interpreted);
	struct cursor cursor = scripted->stack;
	uint32_t n = cursor_u32(&cursor), flags = cursor_u32(&cursor);
	uint32_t state = scripted->value & STATE;
	stack->pid = scripted->pid;
	stack->tid = scripted->tid;
	stack->time = scripted->time;
	stack->state = state < SCRIPTED_STATES ? (enum scripted_state)state : SCRIPTED_TORN;
	stack->language = scripted->value >> SCRIPTED_LANGUAGE_AT;
	stack->waits = true;
	stack->cut = (flags & SCRIPTED_CUT) != 0;
	stack->has_lock = (flags & SCRIPTED_LOCK_HELD) != 0;
	stack->lacks_lock = (flags & SCRIPTED_LOCK_NOT_HELD) != 0;
	stack->n = 0;
	interpreted->counts[stack->state]++;
	for (uint32_t i = 0; i < n && cursor.n >= FRAME; i++) {
		uint32_t name = cursor_u32(&cursor), how = cursor_u32(&cursor);
		uint64_t rest = how >> SCRIPTED_RETURN_AT;
		uint64_t returns_to = (how & SCRIPTED_RETURN) != 0 ? rest << HALF | name : 0;
		if (name < interpreted->names.count || returns_to != 0) {
			*MEM_APPEND(stack->frames, stack->n, stack->capacity) =
				(struct interpreted_frame){name, (how & SCRIPTED_ENTRY) != 0,
							   returns_to};
		}
	}
}

/** Count a process that runs a version of an interpreter. Count the process only once for each
 * version: after exec(), the same process may be found again. */
static void interpreted_take_version(struct interpreted *interpreted, struct intern *versions,
				     const struct scripted *scripted) {
	struct buf key = {0};
	uint32_t before = interpreted->counted.count;
	buf_printf(&key, "%d ", scripted->pid);
	buf_add_str(&key, scripted->text);
	intern_get(&interpreted->counted, key.p, key.n);
	if (interpreted->counted.count > before) {
		intern_get(versions, scripted->text.p, scripted->text.n)->value++;
	}
	buf_release(&key);
}

void interpreted_take(struct interpreted *interpreted, const struct scripted *scripted) {
	struct intern *versions =
		scripted->value != 0 ? &interpreted->found : &interpreted->unknown;
	switch (scripted->kind) {
	case SCRIPTED_LANGUAGE:
		interpreted_take_language(interpreted, scripted->text);
		break;
	case SCRIPTED_NAME:
		intern_get(&interpreted->names, scripted->text.p, scripted->text.n);
		break;
	case SCRIPTED_FOUND:
		interpreted_take_version(interpreted, versions, scripted);
		break;
	case SCRIPTED_REFUSED:
		if (interpreted->refused.n == 0) {
			buf_add_str(&interpreted->refused, scripted->text);
		}
		break;
	case SCRIPTED_STACK:
		interpreted_take_stack(interpreted, scripted);
		break;
	case SCRIPTED_LEFT_OUT:
		buf_set_str(&interpreted->left_out, scripted->text);
		break;
	case SCRIPTED_KINDS:
		break;
	}
}

/* --- Samples -------------------------------------------------------------------------------- */

const struct interpreted_stack *interpreted_find(struct interpreted *interpreted, int32_t tid,
						 uint64_t time) {
	for (size_t i = 0; i < interpreted->stacks_n; i++) {
		struct interpreted_stack *stack = &interpreted->stacks[i];
		if (stack->waits && stack->tid == tid && stack->time == time) {
			stack->waits = false;
			return stack;
		}
	}
	return NULL;
}

uint32_t interpreted_frame_id(struct interpreted *interpreted, struct profile *profile,
			      uint32_t number) {
	struct intern_key *key = interpreted->names.keys[number];
	struct buf name = {0};
	if (key->value > 0) {
		return (uint32_t)(key->value - 1);
	}
	utf8_repair(&name, intern_str(key));
	buf_replace(&name, ';', ':');
	for (size_t i = 0; i < name.n; i++) {
		bool control = (unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f;
		name.p[i] = control ? '?' : name.p[i];
	}
	key->value = 1 + profile_frame(profile, name.n == 0 ? STR("[unknown]") : buf_str(&name));
	buf_release(&name);
	return (uint32_t)(key->value - 1);
}

enum interpreted_role interpreted_role(const struct interpreted *interpreted, struct str function) {
	// Remove a suffix such as `.cold`: the compiler moves rarely executed parts of a function
	// into `function.cold`.
	size_t dot = str_find(function, '.');
	function = dot == STR_NONE ? function : str_to(function, dot);
	const struct intern_key *key = intern_find(&interpreted->roles, function.p, function.n);
	for (uint32_t i = 0; i < interpreted->starts.count && key == NULL; i++) {
		const struct intern_key *start = interpreted->starts.keys[i];
		key = str_starts(function, intern_str(start)) ? start : NULL;
	}
	return key == NULL ? ROLE_NONE : (enum interpreted_role)key->value;
}

unsigned interpreted_traits(const struct interpreted *interpreted, uint32_t language) {
	return language < interpreted->languages.count
		       ? (unsigned)interpreted->languages.keys[language]->value
		       : 0;
}

struct str interpreted_language(const struct interpreted *interpreted, uint32_t number) {
	return number < interpreted->languages.count
		       ? intern_str(interpreted->languages.keys[number])
		       : STR("script");
}

/* --- Quality -------------------------------------------------------------------------------- */

/** Add the versions. If several processes run a version, add the number of these processes, too. */
static void interpreted_add_versions(struct buf *text, const struct intern *versions) {
	for (uint32_t i = 0; i < versions->count; i++) {
		buf_add_text(text, i == 0 ? "" : ", ");
		utf8_add_shown(text, intern_str(versions->keys[i]));
		if (versions->keys[i]->value > 1) {
			buf_printf(text, " (%llu processes)",
				   (unsigned long long)versions->keys[i]->value);
		}
	}
}

void interpreted_format(const struct interpreted *interpreted, struct buf *text) {
	static const char *const names[] = {[SCRIPTED_EXACT] = "exact",
					    [SCRIPTED_SNAPSHOT] = "read later",
					    [SCRIPTED_TORN] = "torn"};
	const double percent = 100;
	uint64_t all = 0;
	for (size_t i = 0; i < SCRIPTED_STATES; i++) {
		all += interpreted->counts[i];
	}
	if (interpreted->found.count == 0) {
		return;
	}
	interpreted_add_versions(text, &interpreted->found);
	buf_printf(text, ": %llu stacks", (unsigned long long)all);
	for (size_t i = 0; i < SCRIPTED_STATES && all > 0; i++) {
		if (interpreted->counts[i] > 0) {
			buf_printf(text, ", %s ", names[i]);
			buf_add_fixed(text, percent * (double)interpreted->counts[i] / (double)all,
				      1);
			buf_add_char(text, '%');
		}
	}
	if (interpreted->left_out.n > 0) {
		buf_add_text(text, "; ");
		utf8_add_shown(text, buf_str(&interpreted->left_out));
	}
}

void interpreted_format_problems(const struct interpreted *interpreted, struct buf *text) {
	if (interpreted->unknown.count > 0) {
		interpreted_add_versions(text, &interpreted->unknown);
		buf_add_text(text, ": this version is not known, so its functions are not shown");
	}
	if (interpreted->refused.n > 0) {
		buf_add_text(text, text->n > 0 ? "; " : "");
		utf8_add_shown(text, buf_str(&interpreted->refused));
	}
}

void interpreted_release(struct interpreted *interpreted) {
	for (size_t i = 0; i < interpreted->stacks_n; i++) {
		free(interpreted->stacks[i].frames);
	}
	free(interpreted->stacks);
	intern_release(&interpreted->names);
	intern_release(&interpreted->roles);
	intern_release(&interpreted->starts);
	intern_release(&interpreted->languages);
	intern_release(&interpreted->images);
	intern_release(&interpreted->found);
	intern_release(&interpreted->unknown);
	intern_release(&interpreted->counted);
	buf_release(&interpreted->refused);
	buf_release(&interpreted->left_out);
}
