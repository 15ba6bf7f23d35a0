/* folded: one stack on each line, with one count, or with an earlier and a later count. */
#include "profile/folded.h"

#include <stdlib.h>

#include "export/exporter.h"

/*
 * An entry: a stack that ends in a callee, or all stacks that continue after this callee. The tree
 * sorts callees by name, but lines of text have another order. For example, the line of `b c` comes
 * between the lines of `b` and of `b;d`, because a blank sorts before `;`. So each callee becomes
 * up to two entries, and the entries are sorted. The writer keeps the entries of all open frames in
 * one array.
 */
struct entry {
	struct str name;
	size_t frame;
	bool inner; // the stacks continue after the callee: the text of the entry is the name and a
		    // `;`
};

/** A frame that is open. */
struct folded_level {
	size_t next, end; // range of the frame's remaining entries
	size_t text;      // length of the text up to the frame's name
};

struct folded_writer {
	struct output *out;
	const struct view *view;
	size_t *ends; // for each frame, the first frame after all its direct and indirect callees
	struct entry *entries;
	size_t entries_n, entries_capacity;
	struct folded_level *levels;
	size_t levels_n, levels_capacity;
	struct buf text;
};

static int folded_compare_entries(const void *a, const void *b) {
	const struct entry *x = a, *y = b;
	size_t shared = x->name.n < y->name.n ? x->name.n : y->name.n;
	int order = shared == 0 ? 0 : memcmp(x->name.p, y->name.p, shared);
	if (order != 0) {
		return order;
	}
	// Compare the first bytes after the shared part. The end of a text sorts before every byte.
	int x_next = x->name.n > shared ? (unsigned char)x->name.p[shared] : x->inner ? ';' : -1;
	int y_next = y->name.n > shared ? (unsigned char)y->name.p[shared] : y->inner ? ';' : -1;
	return x_next - y_next;
}

static void folded_find_ends(struct folded_writer *writer) {
	const struct tree *tree = writer->view->tree;
	size_t *path = mem_new(tree->n, sizeof(*path)); // the open frame at each depth
	size_t open = 0;
	writer->ends = mem_new(tree->n, sizeof(*writer->ends));
	for (size_t i = 0; i <= tree->n; i++) {
		size_t depth = i < tree->n ? tree->frames[i].depth : 0;
		while (open > depth) {
			writer->ends[path[--open]] = i;
		}
		if (i < tree->n) {
			path[open++] = i;
		}
	}
	free(path);
}

static void folded_add_entry(struct folded_writer *writer, size_t frame, bool inner) {
	*MEM_APPEND(writer->entries, writer->entries_n, writer->entries_capacity) = (struct entry){
		tree_name(writer->view->profile, &writer->view->tree->frames[frame]), frame, inner};
}

/** Open a frame: append the entries of its callees, and sort them. */
static void folded_open_frame(struct folded_writer *writer, size_t frame) {
	struct folded_level level = {.next = writer->entries_n, .text = writer->text.n};
	bool sorted = true;
	for (size_t i = frame + 1; i < writer->ends[frame]; i = writer->ends[i]) {
		if (writer->view->tree->frames[i].is_stack) {
			folded_add_entry(writer, i, false);
		}
		if (writer->ends[i] > i + 1) {
			folded_add_entry(writer, i, true);
		}
	}
	level.end = writer->entries_n;
	for (size_t i = level.next + 1; i < level.end && sorted; i++) {
		sorted = folded_compare_entries(&writer->entries[i - 1], &writer->entries[i]) < 0;
	}
	if (!sorted) {
		qsort(writer->entries + level.next, level.end - level.next,
		      sizeof(*writer->entries), folded_compare_entries);
	}
	*MEM_APPEND(writer->levels, writer->levels_n, writer->levels_capacity) = level;
}

static void folded_write_stack(struct folded_writer *writer, const struct entry *entry) {
	const struct view *view = writer->view;
	output_add_str(writer->out, buf_str(&writer->text));
	output_add_str(writer->out, entry->name);
	folded_write_counts(writer->out, view->tree->changes[entry->frame].self,
			    view->normalized ? &view->compared->scale.totals : NULL);
}

/** Handle the next entry of the deepest open frame. */
static void folded_step(struct folded_writer *writer) {
	struct folded_level *level = &writer->levels[writer->levels_n - 1];
	writer->text.n = level->text;
	if (level->next == level->end) {
		writer->levels_n--;
		writer->entries_n =
			writer->levels_n == 0 ? 0 : writer->levels[writer->levels_n - 1].end;
		return;
	}
	struct entry entry = writer->entries[level->next++];
	if (!entry.inner) {
		folded_write_stack(writer, &entry);
		return;
	}
	buf_add_str(&writer->text, entry.name);
	buf_add_char(&writer->text, ';');
	folded_open_frame(writer, entry.frame);
}

/** Write `STACK BEFORE AFTER` lines, in the order of the bytes of the stacks. */
static void folded_write_two(struct output *out, const struct view *view) {
	struct folded_writer writer = {.out = out, .view = view};
	if (view->tree->n == 0) {
		return;
	}
	folded_find_ends(&writer);
	if (view->tree->frames[0].is_stack) {
		folded_write_stack(&writer, &(struct entry){.name = STR("")});
	}
	folded_open_frame(&writer, 0);
	while (writer.levels_n > 0) {
		folded_step(&writer);
	}
	free(writer.ends);
	free(writer.entries);
	free(writer.levels);
	buf_release(&writer.text);
}

static int folded_export(void *state, struct output *out, const struct view *view,
			 const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	if (view->compared != NULL) {
		folded_write_two(out, view);
	} else {
		folded_write(view->profile, out, view->keeps_stacks);
	}
	return 0;
}

const struct exporter exporter_folded = {
	.name = "folded",
	.suffixes = ".folded .collapsed .stacks .txt",
	.brief = "text: on each line a stack and its count, or its counts before and after",
	.needs = EXPORT_ONE | EXPORT_TWO,
	.write = folded_export,
};
