/* Apply the options that change the stacks of a profile, before the stacks become a tree. */
#include "analysis/transform.h"

#include <stdlib.h>

#define FIELD(kind, field) OPT_IS_##kind(struct transform_options, field)

const struct opt transform_rows[] = {
	{FIELD(LIST, base), .name = "base", .flags = OPT_UTF8, .value = "NAME", .group = "Stacks",
	 .help = "keep only stacks in which this function calls another, and cut off its callers"},
	{FIELD(BOOL, reverse), .name = "reverse", .group = "Stacks",
	 .help = "merge stacks from the leaf, to show the callers of each function"},
	{.type = OPT_END},
};

/** Add the line of folded text for a row. Return the length of its frames. */
static size_t transform_add_line(struct buf *out, const struct profile *profile,
				 const struct stack_row *row) {
	for (size_t d = 0; d < row->depth; d++) {
		if (d > 0) {
			buf_add_char(out, ';');
		}
		buf_add_str(out, profile_name(profile, row->ids[d]));
	}
	size_t frames = out->n;
	if (row->two_counts) {
		buf_add_char(out, ' ');
		buf_add_u64(out, row->before);
	}
	buf_add_char(out, ' ');
	buf_add_u64(out, row->count);
	return frames;
}

/** Check that the rows are sorted: no line may sort before the stack of the previous line. */
static int transform_check_order(const struct profile *profile, struct diag *diag) {
	struct buf lines[2] = {{0}, {0}};
	size_t frames[2] = {0, 0};
	int result = 0;
	for (size_t i = 0; i < profile->timeline.n && result == 0; i++) {
		size_t here = i % 2, before = 1 - here;
		buf_clear(&lines[here]);
		frames[here] =
			transform_add_line(&lines[here], profile, &profile->timeline.rows[i]);
		struct str stack_before = str_to(buf_str(&lines[before]), frames[before]);
		if (str_compare(buf_str(&lines[here]), stack_before) < 0) {
			result = diag_error(diag,
					    "the input is not sorted: '%s' comes after '%s'; leave "
					    "out --no-sort",
					    quote(buf_str(&lines[here])).text,
					    quote(stack_before).text);
		}
	}
	buf_release(&lines[0]);
	buf_release(&lines[1]);
	return result;
}

/** Return the ids of the names that --base gives. The caller releases the ids with free(). */
static uint32_t *transform_base_ids(struct profile *profile, const struct opt_list *names,
				    size_t *n) {
	uint32_t *ids = mem_new(names->n, sizeof(*ids));
	*n = 0;
	for (size_t i = 0; i < names->n; i++) {
		struct str name = str_of(names->items[i]);
		if (str_find(name, ';') == STR_NONE) { // a name with a `;` is the name of no frame
			ids[(*n)++] = profile_text_frame(profile, name);
		}
	}
	return ids;
}

static bool transform_has_id(const uint32_t *ids, size_t n, uint32_t id) {
	for (size_t i = 0; i < n; i++) {
		if (ids[i] == id) {
			return true;
		}
	}
	return false;
}

/** Cut off the callers of the wanted frame that is nearest to the leaf, so that this frame becomes
 * the root. The leaf itself is not searched. Return false if the row has no wanted frame. */
static bool transform_cut_row(struct stack_row *row, const uint32_t *wanted, size_t wanted_n) {
	for (uint32_t d = row->depth < 2 ? 0 : row->depth - 1; d > 0; d--) {
		if (transform_has_id(wanted, wanted_n, row->ids[d - 1])) {
			row->ids += d - 1;
			row->depth -= d - 1;
			return true;
		}
	}
	return false;
}

/** Mark the frames of wakers: all frames after the first separator, except the separators between
 * two wakers. */
static void transform_mark_row(struct profile *profile, struct stack_row *row, uint32_t separator,
			       struct buf *name) {
	bool waker = false, after_separator = false;
	for (size_t d = 0; d < row->depth; d++) {
		// A separator has a frame before it and after it. Of two separators in a row, the
		// second is a frame.
		if (row->ids[d] == separator && d > 0 && d + 1 < row->depth && !after_separator) {
			waker = after_separator = true;
			continue;
		}
		after_separator = false;
		if (waker) {
			buf_set_str(name, profile_name(profile, row->ids[d]));
			buf_add_str(name, STR("_[w]"));
			row->ids[d] = profile_text_frame(profile, buf_str(name));
		}
	}
}

/** The changes to make to each stack. */
struct rework {
	struct profile *profile;
	const struct transform *transform;
	uint32_t *base; // ids of the names that --base gives
	size_t base_n;
	uint32_t separator; // id of the name before the stack of a waker
	struct buf name;
};

/** Replace a name by `text`, a part of it. Keep a name of blanks. */
static void transform_trim_name(struct profile *profile, uint32_t *id, struct str text) {
	if (text.n > 0 && text.n < profile_name(profile, *id).n) {
		*id = profile_text_frame(profile, text);
	}
}

/** Remove the blanks at both ends of a stack, which a line of folded text does not have either. */
static void transform_trim_row(struct profile *profile, struct stack_row *row) {
	if (row->depth > 0) {
		uint32_t *root = &row->ids[0], *leaf = &row->ids[row->depth - 1];
		transform_trim_name(profile, root, str_trim_start(profile_name(profile, *root)));
		transform_trim_name(profile, leaf, str_trim_end(profile_name(profile, *leaf)));
	}
}

static bool transform_cut_stack(void *context, struct stack_row *row) {
	const struct rework *rework = context;
	if (rework->profile->names.blank_ends) {
		transform_trim_row(rework->profile, row);
	}
	return rework->transform->base == NULL ||
	       transform_cut_row(row, rework->base, rework->base_n);
}

static bool transform_mark_stack(void *context, struct stack_row *row) {
	struct rework *rework = context;
	if (rework->transform->marks_wakers) {
		transform_mark_row(rework->profile, row, rework->separator, &rework->name);
	}
	return true;
}

/** For a timeline: change the rows, and reverse their order. */
static void transform_turn_rows(struct profile *profile, struct rework *rework) {
	size_t kept = 0;
	for (size_t i = 0; i < profile->timeline.n; i++) {
		struct stack_row row = profile->timeline.rows[i];
		if (transform_cut_stack(rework, &row) && transform_mark_stack(rework, &row)) {
			profile->timeline.rows[kept++] = row;
		}
	}
	profile->timeline.n = kept;
	for (size_t a = 0, b = kept; a + 1 < b; a++) {
		struct stack_row row = profile->timeline.rows[--b];
		profile->timeline.rows[b] = profile->timeline.rows[a];
		profile->timeline.rows[a] = row;
	}
}

int transform_apply(const struct transform *transform, struct profile *profile, struct diag *diag) {
	struct rework rework = {.profile = profile, .transform = transform};
	int result = 0;
	if (profile->form == PROFILE_TIMELINE) {
		profile_finish(profile);
	}
	if (transform->needs_order && transform_check_order(profile, diag) != 0) {
		return -1;
	}
	if (transform->base != NULL) {
		rework.base = transform_base_ids(profile, transform->base, &rework.base_n);
	}
	if (transform->marks_wakers) {
		rework.separator = profile_text_frame(profile, STR("--"));
	}
	if (transform->keeps_order) {
		transform_turn_rows(profile, &rework);
	} else {
		bool changes = transform->base != NULL || profile->names.blank_ends;
		profile_make_calls(profile, changes ? transform_cut_stack : NULL, &rework);
		if (transform->reverse && !profile_reverse(profile)) {
			result = diag_error(diag, "the stacks are too deep, and share too few "
						  "frames, to be drawn from the leaf");
		}
		if (transform->marks_wakers) {
			profile_make_calls(profile, transform_mark_stack, &rework);
		}
		profile_sort_names(profile);
	}
	free(rework.base);
	buf_release(&rework.name);
	return result;
}
