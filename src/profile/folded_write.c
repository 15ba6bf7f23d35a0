/*
 * Write folded text.
 *
 * Stacks are sorted without comparing their text. First, each name gets a rank: its place in the
 * sorted names. Then each stack becomes an array of ranks, with the highest byte of each rank
 * first. The stacks are sorted by the bytes of these arrays.
 *
 * To give the order of the text, a name needs two ranks: one for `name;` inside a stack, and one
 * for `name` at the end of a stack. For example, `b`, `b c` and `b;d` is the order of three stacks,
 * because a blank sorts before `;`. A name contains no `;`, so no array of ranks is a prefix of
 * another array. The arrays have the same order as the texts.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "profile/folded.h"

/** The two ranks of each name, and the name of each rank. */
struct ranks {
	uint32_t *last, *inner;
	struct str *names;
	unsigned width; // number of bytes of a rank in a stack
};

/** Return whether `b` sorts before `a;`. `b` must sort after `a`. */
static bool folded_write_comes_between(struct str a, struct str b) {
	return str_starts(b, a) && (unsigned char)b.p[a.n] < ';';
}

static struct str folded_write_sorted_str(const struct sort_item *item) {
	return (struct str){item->bytes, item->len};
}

/** Give the next rank to the name of `item`. */
static void folded_write_add_rank(struct ranks *ranks, uint32_t *rank_of, uint32_t *rank,
				  const struct sort_item *item) {
	rank_of[item->id] = *rank;
	ranks->names[*rank] = folded_write_sorted_str(item);
	++*rank;
}

/** Return the number of bytes of a rank: 2, 3 or 4. With few bytes, the ranks of most stacks fit
 * into the memory of their ids. */
static unsigned folded_write_rank_width(const struct names *names) {
	uint64_t ranks = 2 * (uint64_t)names_count(names);
	return ranks <= UINT64_C(1) << 16 ? 2 : ranks <= UINT64_C(1) << 24 ? 3 : 4;
}

/** Give every name its two ranks. */
static struct ranks folded_write_rank_names(const struct names *names) {
	uint32_t n = names_count(names), rank = 0;
	struct sort_item *sorted = intern_sort(&names->table);
	struct ranks ranks = {mem_new(n, sizeof(uint32_t)), mem_new(n, sizeof(uint32_t)),
			      mem_new(mem_times(n, 2), sizeof(*ranks.names)),
			      folded_write_rank_width(names)};
	struct ids open = {0}; // names that have no inner rank yet; each name is a prefix of the
			       // next
	for (uint32_t i = 0; i <= n; i++) {
		for (; open.n > 0; open.n--) {
			const struct sort_item *last = &sorted[open.items[open.n - 1]];
			if (i < n &&
			    folded_write_comes_between(folded_write_sorted_str(last),
						       folded_write_sorted_str(&sorted[i]))) {
				break;
			}
			folded_write_add_rank(&ranks, ranks.inner, &rank, last);
		}
		if (i < n) {
			folded_write_add_rank(&ranks, ranks.last, &rank, &sorted[i]);
			ids_push(&open, i);
		}
	}
	ids_release(&open);
	free(sorted);
	return ranks;
}

static void folded_write_ranks_release(struct ranks *ranks) {
	free(ranks->last);
	free(ranks->inner);
	free(ranks->names);
}

/** Write a rank with its highest byte first, so that the order of the bytes is the order of the
 * ranks. Nearly all ranks have two bytes. Without this special case, a fold takes 2 to 4 % more
 * instructions. */
static inline void folded_write_put_rank(char *to, uint32_t rank, unsigned width) {
	if (width == 2) {
		to[0] = (char)(rank >> CHAR_BIT);
		to[1] = (char)rank;
		return;
	}
	for (unsigned i = width; i-- > 0; rank >>= CHAR_BIT) {
		to[i] = (char)rank;
	}
}

static inline uint32_t folded_write_rank_at(const char *from, unsigned width) {
	const unsigned char *bytes = (const void *)from;
	if (width == 2) {
		return (uint32_t)bytes[0] << CHAR_BIT | bytes[1];
	}
	uint32_t rank = 0;
	for (unsigned i = 0; i < width; i++) {
		rank = rank << CHAR_BIT | bytes[i];
	}
	return rank;
}

/** Write the ranks of a stack's ids. */
static inline void folded_write_put_ranks(char *to, struct stack_row stack,
					  const struct ranks *ranks, unsigned width) {
	if (stack.depth == 0) {
		return;
	}
	uint32_t last = stack.depth - 1;
	for (uint32_t d = 0; d < last; d++, to += width) {
		folded_write_put_rank(to, ranks->inner[stack.ids[d]], width);
	}
	folded_write_put_rank(to, ranks->last[stack.ids[last]], width);
}

/** Replace the ids of a stack by ranks. If stacks are not kept and the ranks fit, write the ranks
 * into the key of the stack. Otherwise, write them into a new key with the same count. Return the
 * key with the ranks. */
static struct intern_key *folded_write_rank_stack(struct intern_key *key, struct stack_row stack,
						  const struct ranks *ranks, bool keeps_stacks,
						  struct arena *arena) {
	size_t size = stack.depth * (size_t)ranks->width;
	struct intern_key *ranked = key;
	if (keeps_stacks || size > key->len) {
		ranked = arena_take(arena, sizeof(*ranked) + size);
		ranked->value = key->value;
	}
	if (ranks->width == 2) { // pass a constant, so that the compiler makes a shorter loop
		folded_write_put_ranks(ranked->bytes, stack, ranks, 2);
	} else {
		folded_write_put_ranks(ranked->bytes, stack, ranks, ranks->width);
	}
	return ranked;
}

/** Return all stacks as ranks, in the order of their text. The caller releases the result with
 * free(). Unless stacks are kept, destroy the stacks of the profile. */
static struct sort_item *folded_write_sort_stacks(struct stacks *stacks, const struct ranks *ranks,
						  bool keeps_stacks, struct arena *arena) {
	uint32_t n = stacks->table.count;
	struct ids room = {0};
	if (!keeps_stacks) {
		intern_seal(&stacks->table);
	}
	struct sort_item *items = mem_new(n, sizeof(*items));
	for (uint32_t i = 0; i < n; i++) {
		struct stack_row stack = stacks_get(stacks, i, &room);
		items[i].bytes = folded_write_rank_stack(stacks->table.keys[i], stack, ranks,
							 keeps_stacks, arena)
					 ->bytes;
		items[i].len = stack.depth * ranks->width;
	}
	ids_release(&room);
	sort_bytes(items, n);
	return items;
}

/** Return the count of a sorted stack. */
static uint64_t folded_write_count_of(const struct sort_item *item) {
	const char *key = item->bytes - offsetof(struct intern_key, bytes);
	return ((const struct intern_key *)(const void *)key)->value;
}

/** The text of the stack that was written last. */
struct line {
	struct buf text; // the names of the stack, each followed by a `;`
	size_t *ends;    // end of each name in the text, including its `;`
	size_t capacity;
};

/** Set `line` to the text of a stack, whose first `shared` frames are already in `line`. */
static void folded_write_set_line(struct line *line, struct str stack, size_t shared,
				  const struct ranks *ranks) {
	size_t depth = stack.n / ranks->width;
	MEM_GROW(line->ends, line->capacity, depth);
	line->text.n = shared == 0 ? 0 : line->ends[shared - 1];
	for (size_t d = shared; d < depth; d++) {
		uint32_t rank = folded_write_rank_at(stack.p + d * ranks->width, ranks->width);
		struct str name = ranks->names[rank];
		char *at = buf_room(&line->text, name.n + 1);
		memcpy(at, name.p, name.n);
		at[name.n] = ';';
		line->ends[d] = line->text.n += name.n + 1;
	}
}

static inline void folded_write_line(struct output *out, struct str stack, uint64_t count) {
	output_add(out, stack.p, stack.n);
	output_add_char(out, ' ');
	output_add_u64(out, count);
	output_add_char(out, '\n');
}

static void folded_write_stacks(struct profile *profile, struct output *out, bool keeps_stacks) {
	struct stacks *stacks = &profile->stacks;
	struct ranks ranks = folded_write_rank_names(&profile->names);
	struct arena arena = {0};
	struct sort_item *sorted = folded_write_sort_stacks(stacks, &ranks, keeps_stacks, &arena);
	struct line line = {0};
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		sort_prefetch(sorted, stacks->table.count, i);
		size_t shared = sort_common(sorted, i) / ranks.width;
		folded_write_set_line(&line, folded_write_sorted_str(&sorted[i]), shared, &ranks);
		struct str stack = str_to(buf_str(&line.text), line.text.n - (line.text.n > 0));
		folded_write_line(out, stack, folded_write_count_of(&sorted[i]));
	}
	buf_release(&line.text);
	free(line.ends);
	free(sorted);
	arena_release(&arena);
	folded_write_ranks_release(&ranks);
}

/** A step of the work for a call: write the stack that ends in the call, or write the stacks of its
 * callees. */
struct folded_write_part {
	uint32_t rank, call;
	bool ends;
};

struct folded_write_parts {
	struct folded_write_part *items; // steps that are left; the last step is done next
	size_t n, capacity;
};

static int folded_write_last_first(const void *a, const void *b) {
	const struct folded_write_part *x = a, *y = b;
	return (x->rank < y->rank) - (x->rank > y->rank);
}

static void folded_write_push_part(struct folded_write_parts *parts,
				   struct folded_write_part part) {
	*MEM_APPEND(parts->items, parts->n, parts->capacity) = part;
}

/** Push the steps for the callees of a caller. The callees have distinct names. */
static void folded_write_push_parts(struct folded_write_parts *parts, const struct calls *calls,
				    uint32_t caller, const struct ranks *ranks) {
	size_t before = parts->n;
	const struct call_link *links = calls->links;
	for (uint32_t at = links[caller].child; at != 0; at = links[at].next) {
		const struct call_item *call = &calls->items[at];
		if (call->is_stack) {
			folded_write_push_part(parts, (struct folded_write_part){
							      ranks->last[call->name], at, true});
		}
		if (links[at].child != 0) {
			folded_write_push_part(parts, (struct folded_write_part){
							      ranks->inner[call->name], at, false});
		}
	}
	qsort(parts->items + before, parts->n - before, sizeof(*parts->items),
	      folded_write_last_first);
}

/** Append a call and a `;` to `line`, which holds the text of the caller's stack. Return the text
 * without the last `;`. */
static struct str folded_write_set_line_to_call(struct line *line, const struct call_item *call,
						struct str name) {
	size_t level = call->depth - 1;
	MEM_GROW(line->ends, line->capacity, level + 1);
	line->text.n = level == 0 ? 0 : line->ends[level - 1];
	buf_add_str(&line->text, name);
	buf_add_char(&line->text, ';');
	line->ends[level] = line->text.n;
	return str_to(buf_str(&line->text), line->text.n - 1);
}

/** Write the stacks of the calls, in the order of their text. */
static void folded_write_calls(struct profile *profile, struct output *out) {
	struct calls *calls = &profile->calls;
	struct ranks ranks = folded_write_rank_names(&profile->names);
	struct folded_write_parts parts = {0};
	struct line line = {0};
	calls_link(calls);
	if (calls->items[0].is_stack) {
		folded_write_line(out, STR(""), calls->items[0].count);
	}
	folded_write_push_parts(&parts, calls, 0, &ranks);
	while (parts.n > 0) {
		struct folded_write_part part = parts.items[--parts.n];
		const struct call_item *call = &calls->items[part.call];
		struct str stack = folded_write_set_line_to_call(
			&line, call, names_get(&profile->names, call->name));
		if (part.ends) {
			folded_write_line(out, stack, call->count);
		} else {
			folded_write_push_parts(&parts, calls, part.call, &ranks);
		}
	}
	free(parts.items);
	buf_release(&line.text);
	free(line.ends);
	folded_write_ranks_release(&ranks);
}

void folded_write(struct profile *profile, struct output *out, bool keeps_stacks) {
	profile_finish(profile);
	if (profile->calls.n == 0 && profile->timeline.n == 0) {
		folded_write_stacks(profile, out, keeps_stacks);
	} else {
		profile_make_calls(profile, NULL, NULL);
		folded_write_calls(profile, out);
	}
}

void folded_write_counts(struct output *out, struct change counts, const struct change *totals) {
	if (totals != NULL && totals->before > 0) {
		counts.before = num_share(counts.before, totals->before, totals->after);
	}
	output_add_char(out, ' ');
	output_add_u64(out, counts.before);
	output_add_char(out, ' ');
	output_add_u64(out, counts.after);
	output_add_char(out, '\n');
}
