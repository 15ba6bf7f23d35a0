/*
 * Change stacks. The patterns are matched once for each name, and the results are kept. If a stack
 * begins with the same frames as the previous stack, only its other frames are looked up.
 */
#include "merge/shape.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/regexp.h"
#include "base/rewrite.h"

/** The patterns that match a name. The bits from MARK_FOCUS on stand for the patterns of --focus,
 * one bit for each pattern. */
enum shape_mark { MARK_IGNORE = 1, MARK_ROOT = 2, MARK_TRIM = 4, MARK_HIDE = 8, MARK_FOCUS = 16 };

enum { FOCUS_MOST = 28 };

struct name {
	uint32_t marks;
	struct str text; // name after the rules were applied; empty: the frame is left out
};

struct pattern {
	struct regexp regexp;
	uint32_t mark;
};

struct shape_frame {
	size_t end;    // offset of the frame's end in the last stack
	uint32_t name; // index in `names`
};

struct shape {
	struct shape_options options;
	struct pattern *patterns;
	size_t patterns_n, patterns_capacity;
	uint32_t focus; // bits of all patterns of --focus
	struct rewrite rewrite;
	struct intern table; // names in the input; their ids are indexes in `names`
	struct name *names;
	size_t names_capacity;
	struct arena texts;         // texts of changed names
	struct shape_frame *frames; // frames of the last stack
	size_t depth, capacity;
	struct buf results[2]; // results of the last two calls
	size_t last;
	struct buf name;
};

/* --- Patterns and rules --------------------------------------------------------------------- */

static void shape_add_patterns(struct shape *shape, const struct opt_list *list, uint32_t mark) {
	for (size_t i = 0; i < list->n; i++) {
		MEM_GROW(shape->patterns, shape->patterns_capacity, shape->patterns_n + 1);
		struct pattern *pattern = &shape->patterns[shape->patterns_n];
		pattern->mark = mark == MARK_FOCUS ? mark << i : mark;
		shape->focus |= mark == MARK_FOCUS ? pattern->mark : 0;
		// Ignore the result: the options were checked before, so this cannot fail.
		shape->patterns_n += regexp_init(&pattern->regexp, list->items[i], REG_NOSUB, NULL);
	}
}

struct shape *shape_new(const struct shape_options *options, struct diag *diag) {
	struct shape *shape = mem_new(1, sizeof(*shape));
	shape->options = *options;
	int result = rewrite_init(&shape->rewrite, options->rules, options->renames, diag);
	if (options->focus->n > FOCUS_MOST) {
		result = diag_error(diag, "--focus can be given %d times", FOCUS_MOST);
	}
	if (result != 0) {
		shape_free(shape);
		return NULL;
	}
	shape_add_patterns(shape, options->focus, MARK_FOCUS);
	shape_add_patterns(shape, options->ignore, MARK_IGNORE);
	shape_add_patterns(shape, options->root, MARK_ROOT);
	shape_add_patterns(shape, options->trim, MARK_TRIM);
	shape_add_patterns(shape, options->hide, MARK_HIDE);
	return shape;
}

/* --- Names and stacks ----------------------------------------------------------------------- */

/** Apply the rules and the patterns to a new name. */
static struct name shape_look_at(struct shape *shape, struct str text) {
	struct name name = {.text = text};
	struct str head = rewrite_head(text);
	buf_set_str(&shape->name, head);
	bool changed = rewrite_apply(&shape->rewrite, &shape->name);
	for (size_t i = 0; i < shape->patterns_n; i++) {
		const struct pattern *pattern = &shape->patterns[i];
		bool found = regexp_matches(&pattern->regexp, buf_text(&shape->name), 0, NULL, 0);
		name.marks |= found ? pattern->mark : 0;
	}
	if (changed) {
		rewrite_end(&shape->rewrite, &shape->name, str_from(text, head.n));
		name.text.n = shape->name.n;
		name.text.p = arena_copy(&shape->texts, shape->name.p, shape->name.n);
		name.marks |= name.text.n == 0 ? MARK_HIDE : 0;
	}
	return name;
}

/** Return the index of a name. */
static uint32_t shape_name_index(struct shape *shape, struct str text) {
	uint32_t known = shape->table.count;
	const struct intern_key *key = intern_get(&shape->table, text.p, text.n);
	if (key->id == known) {
		MEM_GROW(shape->names, shape->names_capacity, (size_t)known + 1);
		shape->names[known] = shape_look_at(shape, intern_str(key));
	}
	return key->id;
}

/** Split a stack into frames. The stack shares its first `common` bytes with the previous stack. */
static void shape_take_apart(struct shape *shape, struct str stack, size_t common) {
	size_t depth = shape->depth;
	while (depth > 0 && shape->frames[depth - 1].end >= common) {
		depth--;
	}
	size_t at = depth == 0 ? 0 : shape->frames[depth - 1].end + 1;
	for (bool more = true; more;) {
		size_t n = str_find(str_from(stack, at), ';');
		more = n != STR_NONE;
		n = more ? n : stack.n - at;
		*MEM_APPEND(shape->frames, depth, shape->capacity) = (struct shape_frame){
			at + n, shape_name_index(shape, str_to(str_from(stack, at), n))};
		at += n + 1;
	}
	shape->depth = depth;
}

/** Return the index of the first frame from `at` that has a mark, or `depth`. */
static size_t shape_find_mark(const struct shape *shape, size_t at, uint32_t mark) {
	while (at < shape->depth && (shape->names[shape->frames[at].name].marks & mark) == 0) {
		at++;
	}
	return at;
}

/** Return whether the options keep the stack. */
static bool shape_is_kept(const struct shape *shape) {
	uint32_t marks = 0;
	for (size_t i = 0; i < shape->depth; i++) {
		marks |= shape->names[shape->frames[i].name].marks;
	}
	return (marks & MARK_IGNORE) == 0 && (marks & shape->focus) == shape->focus &&
	       (shape->options.root->n == 0 || (marks & MARK_ROOT) != 0);
}

/** Join the frames from `from` to before `to` that the options keep. Return the result without
 * blanks at its ends. */
static struct str shape_join(struct shape *shape, struct buf *out, size_t from, size_t to) {
	struct str caller = {0};
	buf_clear(out);
	for (size_t i = from; i < to; i++) {
		const struct name *name = &shape->names[shape->frames[i].name];
		bool again = shape->options.fold_recursion && caller.p != NULL &&
			     str_eq(caller, name->text);
		if ((name->marks & MARK_HIDE) != 0 || again) {
			continue;
		}
		if (caller.p != NULL) {
			buf_add_char(out, shape->options.separator);
		}
		buf_add_str(out, name->text);
		caller = name->text;
	}
	return str_trim(buf_str(out));
}

bool shape_stack(struct shape *shape, struct str stack, size_t common, struct shaped *shaped) {
	shape_take_apart(shape, stack, common);
	if (!shape_is_kept(shape)) {
		return false;
	}
	size_t from = shape->options.root->n > 0 ? shape_find_mark(shape, 0, MARK_ROOT) : 0;
	size_t to = shape_find_mark(shape, from, MARK_TRIM);
	to += to < shape->depth;
	shaped->before = str_trim(buf_str(&shape->results[shape->last]));
	shaped->stack = shape_join(shape, &shape->results[1 - shape->last], from, to);
	if (shaped->stack.n == 0) {
		return false;
	}
	shape->last = 1 - shape->last;
	shaped->common = str_common_prefix(shaped->before, shaped->stack);
	return true;
}

void shape_free(struct shape *shape) {
	for (size_t i = 0; i < shape->patterns_n; i++) {
		regexp_release(&shape->patterns[i].regexp);
	}
	rewrite_release(&shape->rewrite);
	free(shape->patterns);
	intern_release(&shape->table);
	free(shape->names);
	free(shape->frames);
	arena_release(&shape->texts);
	buf_release(&shape->results[0]);
	buf_release(&shape->results[1]);
	buf_release(&shape->name);
	free(shape);
}
