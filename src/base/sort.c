/*
 * Sort texts with multikey quicksort, eight bytes at a time. These eight bytes, the word of an
 * item, are kept next to the pointer to the text, so that a comparison rarely reads the text
 * itself.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/str.h"

/** Return eight bytes of a text, from the index `at`, as a number, with the first byte as the
 * highest byte of the number. Bytes after the end of the text are 0. */
static uint64_t sort_word_at(const struct sort_item *item, size_t at) {
	if (at + sizeof(uint64_t) <= item->len) {
		return __builtin_bswap64(load_u64(item->bytes + at));
	}
	uint64_t word = 0;
	for (size_t i = at; i < item->len; i++) {
		word |= (uint64_t)(unsigned char)item->bytes[i] << (56 - 8 * (i - at));
	}
	return word;
}

/** Return whether `a` sorts before `b`. The word of each item holds the bytes from the index `at`
 * on. The bytes before `at` are equal. */
static bool sort_is_before(const struct sort_item *a, const struct sort_item *b, size_t at) {
	if (a->word != b->word) {
		return a->word < b->word;
	}
	size_t shorter = a->len < b->len ? a->len : b->len;
	size_t from = at < shorter ? at : shorter; // a word pads the shorter text with zeros, but
						   // the longer text may contain real zeros
	return str_compare((struct str){a->bytes + from, a->len - from},
			   (struct str){b->bytes + from, b->len - from}) < 0;
}

/** Sort a few items that share their first `at` bytes. Set the word of each item to `at`, and that
 * of the first item to 0: sort_common() needs the number of bytes that are known to be equal. */
static void sort_insertion(struct sort_item *items, size_t n, size_t at) {
	for (size_t i = 1; i < n; i++) {
		struct sort_item item = items[i];
		size_t j = i;
		for (; j > 0 && sort_is_before(&item, &items[j - 1], at); j--) {
			items[j] = items[j - 1];
		}
		items[j] = item;
	}
	for (size_t i = 0; i < n; i++) {
		items[i].word = i == 0 ? 0 : at;
	}
}

/** Return the next random number, below `n`. The author of an input cannot predict this number. */
static size_t sort_random_below(uint64_t *random, size_t n) {
	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t)(*random >> 33) % n;
}

/** Return the median of the words of three random items. If the choice were fixed, an attacker
 * could craft an input that is slow to sort. */
static uint64_t sort_median_word(const struct sort_item *items, size_t n, uint64_t *random) {
	uint64_t a = items[sort_random_below(random, n)].word;
	uint64_t b = items[sort_random_below(random, n)].word;
	uint64_t c = items[sort_random_below(random, n)].word;
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	return c < low ? low : c > high ? high : c;
}

static void sort_swap(struct sort_item *a, struct sort_item *b) {
	struct sort_item item = *a;
	*a = *b;
	*b = item;
}

/** The numbers of words below, equal to and above a pivot. */
struct sort_parts {
	size_t below, equal, above;
};

static struct sort_parts sort_partition(struct sort_item *items, size_t n, uint64_t pivot) {
	size_t less = 0, more = n;
	for (size_t i = 0; i < more;) {
		if (items[i].word < pivot) {
			sort_swap(&items[less++], &items[i++]);
		} else if (items[i].word > pivot) {
			sort_swap(&items[--more], &items[i]);
		} else {
			i++;
		}
	}
	return (struct sort_parts){less, more - less, n - more};
}

enum { FEW = 12 };

/** Prefetch the bytes at the index `at` of a later item, for a loop over `n` items that is now at
 * the item `i`. */
static void sort_prefetch_word(const struct sort_item *items, size_t n, size_t i, size_t at) {
	enum { AHEAD = 12 };
	if (i + AHEAD < n) {
		__builtin_prefetch(items[i + AHEAD].bytes + at);
	}
}

/** Load the words at the index `at`. Return whether all words are equal. Set `*more` to whether any
 * item is longer than `at`. */
static bool sort_load_words(struct sort_item *items, size_t n, size_t at, bool *more) {
	bool same = true;
	*more = false;
	for (size_t i = 0; i < n; i++) {
		sort_prefetch_word(items, n, i, at);
		*more |= items[i].len > at;
		items[i].word = sort_word_at(&items[i], at);
		same &= items[i].word == items[0].word;
	}
	return same;
}

static int sort_compare_lengths(const void *a, const void *b) {
	const struct sort_item *x = a, *y = b;
	return (x->len > y->len) - (x->len < y->len);
}

/** Sort items by length. The items differ only in the number of zero bytes at their ends.
 * sort_insertion() alone would take quadratic time for many such items. */
static void sort_ended(struct sort_item *items, size_t n, size_t at) {
	size_t same = 1;
	while (same < n && items[same].len == items[0].len) {
		same++;
	}
	if (same < n) {
		qsort(items, n, sizeof(*items), sort_compare_lengths);
	}
	sort_insertion(items, n, at);
}

/** Load the next words that are not all equal, and set `*at` to their index. Return how many items
 * are not sorted yet. If all texts have ended, or if there are only a few items, sort them and
 * return 0. */
static size_t sort_next_words(struct sort_item *items, size_t n, size_t *at) {
	bool more = n > FEW;
	do {
		*at += sizeof(uint64_t);
	} while (more && sort_load_words(items, n, *at, &more));
	if (more) {
		return n;
	}
	(n > FEW ? sort_ended : sort_insertion)(items, n, *at);
	return 0;
}

/** Sort items that are equal before the index `at`. The words of the items are loaded from the
 * index `at`. */
static void sort_items(struct sort_item *items, size_t n, size_t at, uint64_t *random) {
	while (n > FEW) {
		struct sort_parts parts =
			sort_partition(items, n, sort_median_word(items, n, random));
		struct sort_item *equal = items + parts.below, *above = equal + parts.equal;
		size_t next = at, open = sort_next_words(equal, parts.equal, &next);
		// Continue the loop with the largest part and recurse for the others, so that the
		// recursion is at most log2(n) deep.
		if (open >= parts.below && open >= parts.above) {
			sort_items(items, parts.below, at, random);
			sort_items(above, parts.above, at, random);
			items = equal;
			n = open;
			at = next;
		} else if (parts.below >= parts.above) {
			sort_items(equal, open, next, random);
			sort_items(above, parts.above, at, random);
			n = parts.below;
		} else {
			sort_items(items, parts.below, at, random);
			sort_items(equal, open, next, random);
			items = above;
			n = parts.above;
		}
	}
	sort_insertion(items, n, at);
}

size_t sort_common(const struct sort_item *items, size_t i) {
	if (i == 0) {
		return 0;
	}
	const struct sort_item *item = &items[i], *before = item - 1;
	size_t known = item->len < before->len ? item->len : before->len;
	known = item->word < known ? (size_t)item->word : known;
	return known + str_common_prefix((struct str){item->bytes + known, item->len - known},
					 (struct str){before->bytes + known, before->len - known});
}

void sort_bytes(struct sort_item *items, size_t n) {
	uint64_t random = n > FEW ? hash_seed() : 0;
	for (size_t i = 0; i < n; i++) {
		items[i].word = sort_word_at(&items[i], 0);
	}
	sort_items(items, n, 0, &random);
}
