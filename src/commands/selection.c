/* Keeping, cutting and leaving out stacks. Each name is matched once. */
#include "commands/selection.h"

#include <stdlib.h>

#include "base/regexp.h"
#include "commands/stream.h"

#define FIELD(kind, field) OPT_IS_##kind(struct selection_options, field)

const char selection_names[] = "keep ignore root trim hide fold-recursion";

const struct opt selection_rows[] = {
	{FIELD(LIST, keep), .name = "keep", .value = "REGEX", .check = stream_check_pattern,
	 .group = "Stacks",
	 .help = "keep stacks with a frame that matches; given again, each must match a frame"},
	{FIELD(LIST, ignore), .name = "ignore", .value = "REGEX", .check = stream_check_pattern,
	 .group = "Stacks", .help = "leave out stacks with a frame that matches"},
	{FIELD(LIST, root), .name = "root", .value = "REGEX", .check = stream_check_pattern,
	 .group = "Stacks",
	 .help = "cut off the callers of the first frame that matches, and leave out stacks "
		 "without one"},
	{FIELD(LIST, trim), .name = "trim", .value = "REGEX", .check = stream_check_pattern,
	 .group = "Stacks", .help = "cut off the callees of the first frame that matches"},
	{FIELD(LIST, hide), .name = "hide", .value = "REGEX", .check = stream_check_pattern,
	 .group = "Stacks",
	 .help = "leave out frames that match; their callers call their callees"},
	{FIELD(BOOL, fold_recursion), .name = "fold-recursion", .group = "Stacks",
	 .help = "leave out frames that equal their caller"},
	{.type = OPT_END},
};

/** The patterns that match a name. From KEEP on there is one bit for each pattern of --keep. */
enum selection_mark {
	SELECT_IGNORE = 1,
	SELECT_ROOT = 2,
	SELECT_TRIM = 4,
	SELECT_HIDE = 8,
	SELECT_KEEP = 16
};

enum { SELECT_KEEP_MOST = 28, SELECT_LONGEST = 64 << 10 }; // bytes of a name that are matched

struct selection {
	const struct selection_options *options;
	uint32_t *marks; // by the id of a name
	uint32_t keep;   // all bits of --keep
	uint64_t kept;
};

int selection_check(const struct selection_options *options, struct diag *diag) {
	return options->keep.n <= SELECT_KEEP_MOST
		       ? 0
		       : diag_error(diag, "--keep can be given %d times", SELECT_KEEP_MOST);
}

/** Mark the names that a pattern matches. */
static void selection_mark(struct selection *selection, const struct profile *profile,
			   const char *text, uint32_t mark) {
	struct regexp regexp;
	struct buf name = {0};
	if (!regexp_init(&regexp, text, REG_NOSUB, NULL)) {
		return; // cannot be: the options were checked
	}
	for (uint32_t id = 0; id < profile->names.table.count; id++) {
		struct str whole = profile_name(profile, id);
		buf_clear(&name);
		buf_add_str(&name,
			    str_to(whole, whole.n < SELECT_LONGEST ? whole.n : SELECT_LONGEST));
		bool found = regexp_matches(&regexp, buf_text(&name), 0, NULL, 0);
		selection->marks[id] |= found ? mark : 0;
	}
	buf_release(&name);
	regexp_release(&regexp);
}

static void selection_mark_list(struct selection *selection, const struct profile *profile,
				const struct opt_list *list, uint32_t mark) {
	for (size_t i = 0; i < list->n; i++) {
		selection_mark(selection, profile, list->items[i], mark);
	}
}

/** Return the place of the first frame from `at` on that has a mark, or the depth. */
static uint32_t selection_find(const struct selection *selection, const struct stack_row *stack,
			       uint32_t at, uint32_t mark) {
	while (at < stack->depth && (selection->marks[stack->ids[at]] & mark) == 0) {
		at++;
	}
	return at;
}

/** Return whether the stack is kept. */
static bool selection_keeps(const struct selection *selection, const struct stack_row *stack) {
	uint32_t marks = 0;
	for (uint32_t d = 0; d < stack->depth; d++) {
		marks |= selection->marks[stack->ids[d]];
	}
	return (marks & SELECT_IGNORE) == 0 && (marks & selection->keep) == selection->keep &&
	       (selection->options->root.n == 0 || (marks & SELECT_ROOT) != 0);
}

static bool selection_change(void *context, struct stack_row *stack) {
	struct selection *selection = context;
	const struct selection_options *options = selection->options;
	if (!selection_keeps(selection, stack)) {
		return false;
	}
	uint32_t from = options->root.n > 0 ? selection_find(selection, stack, 0, SELECT_ROOT) : 0;
	uint32_t to = selection_find(selection, stack, from, SELECT_TRIM), n = 0;
	to += to < stack->depth;
	for (uint32_t d = from; d < to; d++) {
		uint32_t id = stack->ids[d];
		bool again = options->fold_recursion && n > 0 && stack->ids[n - 1] == id;
		if ((selection->marks[id] & SELECT_HIDE) == 0 && !again) {
			stack->ids[n++] = id;
		}
	}
	stack->depth = n;
	selection->kept += n > 0;
	return n > 0;
}

int selection_apply(const struct selection_options *options, struct profile *profile,
		    struct diag *diag) {
	if (options->keep.n + options->ignore.n + options->root.n + options->trim.n +
			    options->hide.n ==
		    0 &&
	    !options->fold_recursion) {
		return 0;
	}
	profile_make_calls(profile, NULL, NULL); // which splits names at semicolons
	struct selection selection = {
		.options = options,
		.marks = mem_new(profile->names.table.count, sizeof(*selection.marks)),
		.keep = (uint32_t)(((1ULL << options->keep.n) - 1) * SELECT_KEEP)};
	for (size_t i = 0; i < options->keep.n; i++) {
		selection_mark(&selection, profile, options->keep.items[i],
			       (uint32_t)SELECT_KEEP << i);
	}
	selection_mark_list(&selection, profile, &options->ignore, SELECT_IGNORE);
	selection_mark_list(&selection, profile, &options->root, SELECT_ROOT);
	selection_mark_list(&selection, profile, &options->trim, SELECT_TRIM);
	selection_mark_list(&selection, profile, &options->hide, SELECT_HIDE);
	profile_make_calls(profile, selection_change, &selection);
	free(selection.marks);
	return selection.kept > 0 ? 0 : diag_error(diag, "the options leave no stack");
}
