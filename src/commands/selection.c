/* Keep, cut and leave out stacks. The patterns are matched once for each name, not for each frame.
 */
#include "commands/selection.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/view.h"
#include "base/regexp.h"
#include "base/rewrite.h"
#include "commands/reading.h"
#include "perf/line.h"

#define FIELD(kind, field) OPT_IS_##kind(struct selection_options, field)

const char selection_names[] =
	"keep ignore root trim hide fold-recursion min-share from to rename rules";

const struct opt selection_rows[] = {
	{FIELD(LIST, keep), .name = "keep", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks",
	 .help = "keep stacks with a frame that matches; if given several times, every REGEX must "
		 "match a frame"},
	{FIELD(LIST, ignore), .name = "ignore", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks", .help = "leave out stacks with a frame that matches"},
	{FIELD(LIST, root), .name = "root", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks",
	 .help = "cut off the callers of the outermost frame that matches, and leave out stacks "
		 "without a match"},
	{FIELD(LIST, trim), .name = "trim", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks", .help = "cut off the callees of the outermost frame that matches"},
	{FIELD(LIST, hide), .name = "hide", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks",
	 .help = "leave out frames that match; the callees of such a frame become callees of its "
		 "caller"},
	{FIELD(BOOL, fold_recursion), .name = "fold-recursion", .group = "Stacks",
	 .help = "leave out frames that equal their caller"},
	{FIELD(REAL, least_share), .name = "min-share", .value = "PERCENT", .least = 0, .most = 100,
	 .group = "Stacks",
	 .help = "cut off call paths with less than this share of all counts, and add their counts "
		 "to the caller"},
	{FIELD(TEXT, from), .name = "from", .value = "SECONDS", .group = "Stacks",
	 .check = perf_check_time,
	 .help = "leave out samples before this time; for perf, a time as 'perf script' prints it; "
		 "for other inputs, the time since the first sample"},
	{FIELD(TEXT, to), .name = "to", .value = "SECONDS", .group = "Stacks",
	 .check = perf_check_time, .help = "leave out samples at this time and later"},
	READING_ESTIMATE_ROW(struct selection_options, estimate_stacks),
	{FIELD(LIST, renames), .name = "rename", .value = "RULE", .group = "Stacks",
	 .help = "change the names of frames by a rule such as '0x[0-9a-f]+ => 0x...'"},
	{FIELD(PATH, rules), .name = "rules", .value = "FILE", .group = "Stacks",
	 .help = "apply the rules in this file, one on each line, before the rules of --rename"},
	{.type = OPT_END},
};

/** The patterns that match a name. The bits from KEEP on stand for the patterns of --keep. */
enum selection_mark {
	SELECT_IGNORE = 1,
	SELECT_ROOT = 2,
	SELECT_TRIM = 4,
	SELECT_HIDE = 8,
	SELECT_KEEP = 16
};

enum { SELECT_KEEP_MOST = 28 };

struct selection {
	const struct selection_options *options;
	uint32_t *marks; // marks by the id of a name, after the rules were applied
	uint32_t *ids;   // new ids by the id of a name, after the rules were applied
	uint32_t keep;   // bits of all patterns of --keep
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
		return; // this cannot fail, as the options were checked
	}
	for (uint32_t id = 0; id < profile->names.table.count; id++) {
		buf_set_str(&name, rewrite_head(profile_name(profile, id)));
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

/** Return the index of the first frame from `at` that has a mark, or the depth. */
static uint32_t selection_find(const struct selection *selection, const struct stack_row *stack,
			       uint32_t at, uint32_t mark) {
	while (at < stack->depth && (selection->marks[stack->ids[at]] & mark) == 0) {
		at++;
	}
	return at;
}

/** Return whether the options keep a stack. */
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
	for (uint32_t d = 0; d < stack->depth; d++) {
		stack->ids[d] = selection->ids[stack->ids[d]];
	}
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

/** Apply the rules to each name. A name that becomes empty is hidden. Return 0, or -1 after
 * diag_error(). */
static int selection_rename(struct selection *selection, struct profile *profile,
			    struct diag *diag) {
	uint32_t n = profile->names.table.count;
	struct rewrite rewrite;
	struct buf name = {0};
	selection->ids = mem_new(n, sizeof(*selection->ids));
	int result = rewrite_init(&rewrite, selection->options->rules, &selection->options->renames,
				  diag);
	for (uint32_t id = 0; id < n && result == 0; id++) {
		struct str whole = profile_name(profile, id), head = rewrite_head(whole);
		selection->ids[id] = id;
		buf_set_str(&name, head);
		if (rewrite_apply(&rewrite, &name)) {
			rewrite_end(&rewrite, &name, str_from(whole, head.n));
			selection->ids[id] = intern_get(&profile->names.table, name.p, name.n)->id;
		}
	}
	buf_release(&name);
	rewrite_release(&rewrite);
	return result;
}

/** Mark the names that the options match. Call this after the rules were applied. */
static void selection_mark_names(struct selection *selection, const struct profile *profile) {
	const struct selection_options *options = selection->options;
	uint32_t n = profile->names.table.count;
	selection->marks = mem_new(n, sizeof(*selection->marks));
	for (size_t i = 0; i < options->keep.n; i++) {
		selection_mark(selection, profile, options->keep.items[i],
			       (uint32_t)SELECT_KEEP << i);
	}
	selection_mark_list(selection, profile, &options->ignore, SELECT_IGNORE);
	selection_mark_list(selection, profile, &options->root, SELECT_ROOT);
	selection_mark_list(selection, profile, &options->trim, SELECT_TRIM);
	selection_mark_list(selection, profile, &options->hide, SELECT_HIDE);
	for (uint32_t id = 0; id < n; id++) { // a rule may make a name empty
		selection->marks[id] |= profile_name(profile, id).n == 0 ? SELECT_HIDE : 0;
	}
}

/** Return whether the options change stacks one by one. */
static bool selection_is_used(const struct selection_options *options) {
	return options->keep.n + options->ignore.n + options->root.n + options->trim.n +
			       options->hide.n + options->renames.n >
		       0 ||
	       options->fold_recursion || options->rules != NULL;
}

/* --- Small call paths ----------------------------------------------------------------------- */

/** Copy those frames of a tree that have a total of at least `least`, or a depth of at most 1. The
 * count of any other frame is added to its nearest copied caller. Set `places` to the copied frame
 * in which each frame is counted. Return the number of copied frames. */
static size_t selection_copy_large(const struct tree *tree, uint64_t least, struct call_item *items,
				   uint32_t *places) {
	uint32_t *open = mem_new(tree->levels + 1, sizeof(*open)); // copied frames, by depth
	size_t n = 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (frame->depth <= 1 || tree->totals[i] >= least) {
			items[n] = *frame;
			open[frame->depth] = (uint32_t)n++;
		} else {
			struct call_item *caller = &items[open[frame->depth - 1]];
			caller->count += frame->count;
			caller->is_stack |= frame->is_stack;
			open[frame->depth] = open[frame->depth - 1];
		}
		places[i] = open[frame->depth];
	}
	free(open);
	return n;
}

/** Replace the calls of a profile by the frames of its tree that are large enough. */
static void selection_replace_calls(struct calls *calls, const struct tree *tree, uint64_t least) {
	struct call_item *items = mem_new(tree->n, sizeof(*items));
	uint32_t *places = mem_new(tree->n, sizeof(*places));
	size_t n = selection_copy_large(tree, least, items, places);
	for (size_t i = 0; i < tree->ends_n; i++) {
		calls->ends[i] = tree->ends[i] == CALLS_NONE ? CALLS_NONE : places[tree->ends[i]];
	}
	calls->stacks = 0;
	for (size_t i = 0; i < n; i++) {
		calls->stacks += items[i].is_stack;
	}
	calls_replace(calls, items, NULL, n);
	free(places);
}

/** Cut off call paths with a share below `percent`. Return 0, or -1 after diag_error(). */
static int selection_prune(struct profile *profile, double percent, struct diag *diag) {
	struct view view = {.profile = profile};
	profile_make_calls(profile, NULL, NULL);
	int result = view_arrange(&view, diag);
	if (result == 0) {
		double least = ceil((double)view.sum * percent / 100);
		selection_replace_calls(&profile->calls, view.tree, (uint64_t)least);
	}
	view_release(&view);
	return result;
}

int selection_apply(const struct selection_options *options, struct profile *profile,
		    struct diag *diag) {
	struct selection selection = {
		.options = options,
		.keep = (uint32_t)(((1ULL << options->keep.n) - 1) * SELECT_KEEP)};
	int result = 0;
	if (selection_is_used(options)) {
		profile_make_calls(profile, NULL, NULL); // this splits names at semicolons
		result = selection_rename(&selection, profile, diag);
		if (result == 0) {
			selection_mark_names(&selection, profile);
			profile_make_calls(profile, selection_change, &selection);
			if (profile->sites != NULL) {
				sites_rename(profile->sites, selection.ids);
			}
			result = selection.kept > 0
					 ? 0
					 : diag_error(diag, "the options leave no stack");
		}
		free(selection.marks);
		free(selection.ids);
	}
	return result == 0 && options->least_share > 0
		       ? selection_prune(profile, options->least_share, diag)
		       : result;
}
