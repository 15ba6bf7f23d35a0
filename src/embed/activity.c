/* Packs the times at which frames were active. */
#include "embed/activity.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/num.h"
#include "embed/pack.h"
#include "picture/picture.h"
#include "viewer-constants.h"

enum { MOST_BYTES = 4 << 20 }; // most packed bytes with --data=auto

/** The count of a frame in a bucket of a thread. */
struct item {
	uint64_t bucket, count;
	uint32_t earlier : 1; // in a comparison: whether the count is in the earlier profile
	uint32_t thread : 31; // number of the thread in the page
	uint32_t entry;       // number of the frame; see activity_number_frames()
};

/** The state of packing. */
struct work {
	const struct picture *picture;
	const struct pack *pack;
	const struct tree *tree;
	const struct time_buckets *time_buckets;
	uint32_t *threads; // numbers in the page, by thread
	uint32_t *shown;   // threads, by number in the page
	// Counts by number in the page; the counts of the earlier profile come last.
	uint64_t *totals;
	size_t shown_n, others;
	bool uncounted;    // there may be more threads than `others` says
	size_t sides;      // number of profiles
	uint32_t *numbers; // entries in the lists, by frame
	struct item *items;
	size_t n;
	bool hidden; // whether the pack lacks some frames
	struct buf out;
};

/* --- Sums ----------------------------------------------------------------------------------- */

static int activity_compare_by_entry(const void *left, const void *right) {
	const struct item *a = left, *b = right;
	return a->entry != b->entry       ? (a->entry > b->entry ? 1 : -1)
	       : a->earlier != b->earlier ? (a->earlier > b->earlier ? 1 : -1)
	       : a->bucket != b->bucket   ? (a->bucket > b->bucket ? 1 : -1)
					  : (a->thread > b->thread) - (a->thread < b->thread);
}

/** Add two weights, up to the largest number. */
static uint64_t activity_add_weights(uint64_t a, uint64_t b) {
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/** Return the self count of an item's frame. Call this before activity_number_frames():
 * `item->entry` must still be the frame's index in the tree. */
static uint64_t activity_self(const struct tree *tree, const struct item *item) {
	const struct change *self = tree->changes == NULL ? NULL : &tree->changes[item->entry].self;
	return self == NULL    ? tree->frames[item->entry].count
	       : item->earlier ? self->before
			       : self->after;
}

/** Divide the self count of each frame among its items, in proportion to their weights. */
static void activity_share_out(struct work *work) {
	qsort(work->items, work->n, sizeof(*work->items), activity_compare_by_entry);
	for (size_t start = 0, end = 0; start < work->n; start = end) {
		const struct item *first = &work->items[start];
		uint64_t sum = 0, weight = 0, done = 0, self = activity_self(work->tree, first);
		for (; end < work->n && work->items[end].entry == first->entry &&
		       work->items[end].earlier == first->earlier;
		     end++) {
			sum = activity_add_weights(sum, work->items[end].count);
		}
		for (size_t i = start; i < end; i++) {
			struct item *item = &work->items[i];
			weight = activity_add_weights(weight, item->count);
			uint64_t all = num_share(weight, sum, self);
			item->count = all - done;
			done = all;
		}
	}
}

/** Make the items from the times of the stacks. The entry of an item is its frame's index in the
 * tree, until activity_number_frames() replaces it. */
static void activity_make_items(struct work *work) {
	const struct time_buckets *buckets = work->time_buckets;
	uint64_t first = buckets->first >> buckets->shift;
	work->items = mem_new(buckets->cells_n, sizeof(*work->items));
	for (size_t i = 0; i <= buckets->mask; i++) {
		const struct time_bucket_cell *cell = &buckets->cells[i];
		uint32_t frame = cell->count == 0 ? CALLS_NONE : work->tree->ends[cell->stack];
		if (frame != CALLS_NONE) {
			work->items[work->n++] = (struct item){
				.bucket = cell->bucket - first,
				.count = cell->count,
				.earlier = buckets->compared && cell->stack < buckets->later,
				.thread = cell->thread & INT32_MAX,
				.entry = frame};
		}
	}
	if (buckets->weights) {
		activity_share_out(work);
	}
}

/* --- Threads -------------------------------------------------------------------------------- */

struct rank {
	struct str label;
	uint64_t total;
	uint32_t thread;
};

/** Compare threads: the thread with the higher count comes first. */
static int activity_compare_ranks(const void *left, const void *right) {
	const struct rank *a = left, *b = right;
	return a->total != b->total ? (a->total < b->total ? 1 : -1)
				    : str_compare(a->label, b->label);
}

/** Return the index of an item's thread among the threads of both profiles. */
static size_t activity_list(const struct work *work, const struct item *item) {
	return item->earlier * work->shown_n + item->thread;
}

/** Number the threads by their counts. The last number is for all threads that are not shown. */
static void activity_rank_threads(struct work *work) {
	const struct intern *labels = &work->time_buckets->threads;
	struct rank *ranks = mem_new(labels->count, sizeof(*ranks));
	size_t n = 0;
	for (uint32_t t = 0; t < labels->count; t++) {
		ranks[t] = (struct rank){intern_str(labels->keys[t]), 0, t};
	}
	for (size_t i = 0; i < work->n; i++) {
		uint64_t *total = &ranks[work->items[i].thread].total;
		*total = activity_add_weights(*total, work->items[i].count);
	}
	// Thread 0 stands for all threads without a label of their own, and is never shown by
	// itself.
	size_t unknown = ranks[0].total > 0;
	qsort(ranks + 1, labels->count - (size_t)1, sizeof(*ranks), activity_compare_ranks);
	while (n + 1 < labels->count && ranks[n + 1].total > 0) {
		n++;
	}
	size_t most = ACTIVITY_THREADS, kept = n + unknown <= most ? n : most - 1;
	work->others = n - kept + unknown;
	work->uncounted = unknown > 0 && labels->count >= TIME_BUCKETS_THREADS;
	work->shown_n = kept + (work->others > 0);
	for (size_t r = 1; r < labels->count; r++) {
		work->threads[ranks[r].thread] = (uint32_t)(r <= kept ? r - 1 : kept);
		if (r <= kept) {
			work->shown[r - 1] = ranks[r].thread;
		}
	}
	work->threads[0] = (uint32_t)kept;
	for (size_t i = 0; i < work->n; i++) {
		struct item *item = &work->items[i];
		item->thread = work->threads[item->thread] & INT32_MAX;
		work->totals[activity_list(work, item)] += item->count;
	}
	free(ranks);
}

/* --- Packing -------------------------------------------------------------------------------- */

/** Compute the entry of each frame: its number in the pack. If frames were left out of the pack,
 * the entry is twice this number, and the next odd number is the entry for the frame's left-out
 * callees. */
static void activity_number_frames(struct work *work) {
	const struct tree *tree = work->tree;
	const struct pack *pack = work->pack;
	// `path`: entries of the last kept frames, by depth; `kept`: number of kept frames so far
	uint32_t *path = mem_new(tree->levels, sizeof(*path)), kept = 0;
	work->hidden = pack->left_out.frames > 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (!work->hidden) {
			work->numbers[i] = (uint32_t)i;
		} else if (choice_has(&pack->choice, tree, i)) {
			work->numbers[i] = path[frame->depth] = 2 * kept++;
		} else {
			path[frame->depth] = path[frame->depth - 1];
			work->numbers[i] = path[frame->depth] + 1;
		}
	}
	for (size_t i = 0; i < work->n; i++) {
		work->items[i].entry = work->numbers[work->items[i].entry];
	}
	free(path);
}

static int activity_compare_by_thread(const void *left, const void *right) {
	const struct item *a = left, *b = right;
	return a->earlier != b->earlier ? (a->earlier > b->earlier ? 1 : -1)
	       : a->thread != b->thread ? (a->thread > b->thread ? 1 : -1)
	       : a->bucket != b->bucket ? (a->bucket > b->bucket ? 1 : -1)
					: (a->entry > b->entry) - (a->entry < b->entry);
}

/** Sort the items, add up equal ones, and drop items with a count of 0. */
static void activity_sort_items(struct work *work) {
	size_t kept = 0;
	qsort(work->items, work->n, sizeof(*work->items), activity_compare_by_thread);
	for (size_t i = 0; i < work->n; i++) {
		const struct item *item = &work->items[i];
		if (item->count == 0) {
			continue;
		}
		if (kept > 0 && activity_compare_by_thread(&work->items[kept - 1], item) == 0) {
			work->items[kept - 1].count += item->count;
		} else {
			work->items[kept++] = *item;
		}
	}
	work->n = kept;
}

/** Double the width of the buckets. `*first` is the index of the first bucket, counted from time 0;
 * update it. */
static void activity_widen(struct work *work, uint64_t *first) {
	uint64_t half = *first / 2;
	for (size_t i = 0; i < work->n; i++) {
		struct item *item = &work->items[i];
		item->bucket = (*first + item->bucket) / 2 - half;
	}
	*first = half;
	activity_sort_items(work);
}

/** Write the number of items in each bucket of each thread. */
static void activity_add_lengths(struct work *work, uint64_t buckets) {
	size_t i = 0, lists = work->sides * work->shown_n;
	for (size_t list = 0; list < lists; list++) {
		for (uint64_t b = 0; b < buckets; b++) {
			size_t start = i;
			while (i < work->n && activity_list(work, &work->items[i]) == list &&
			       work->items[i].bucket == b) {
				i++;
			}
			buf_add_varint(&work->out, i - start);
		}
	}
}

static void activity_add_entries(struct work *work) {
	const struct item *before = NULL;
	for (size_t i = 0; i < work->n; i++) {
		const struct item *item = &work->items[i];
		bool same = before != NULL &&
			    activity_list(work, before) == activity_list(work, item) &&
			    before->bucket == item->bucket;
		buf_add_varint(&work->out, same ? item->entry - before->entry : item->entry);
		before = item;
	}
}

static void activity_add_threads(struct work *work) {
	const struct time_buckets *buckets = work->time_buckets;
	size_t named = work->shown_n - (work->others > 0);
	for (size_t t = 0; t < work->shown_n; t++) {
		columns_add_text(&work->out,
				 t < named ? intern_str(buckets->threads.keys[work->shown[t]])
					   : STR(""));
		for (size_t side = 0; side < work->sides; side++) {
			buf_add_varint(&work->out, work->totals[side * work->shown_n + t]);
		}
	}
}

/** Write all lists to `out`, and pack them into the activity. */
static void activity_write_columns(struct work *work, struct activity *activity, uint64_t first) {
	struct buf *out = &work->out;
	activity->start = first * activity->width;
	activity->buckets = 0;
	for (size_t i = 0; i < work->n; i++) {
		uint64_t bucket = work->items[i].bucket;
		activity->buckets = bucket >= activity->buckets ? bucket + 1 : activity->buckets;
	}
	buf_clear(out);
	buf_add_varint(out, TIMES_VERSION);
	buf_add_varint(out, (work->hidden ? TIMES_HIDDEN : 0U) |
				    (work->sides > 1 ? TIMES_COMPARED : 0U) |
				    (work->uncounted ? TIMES_UNCOUNTED : 0U));
	buf_add_varint(out, activity->start);
	buf_add_varint(out, activity->width);
	buf_add_varint(out, activity->buckets);
	buf_add_varint(out, work->shown_n);
	buf_add_varint(out, work->others);
	buf_add_varint(out, work->n);
	activity_add_threads(work);
	activity_add_lengths(work, activity->buckets);
	activity_add_entries(work);
	for (size_t i = 0; i < work->n; i++) {
		buf_add_varint(out, work->items[i].count);
	}
	buf_clear(&activity->bytes);
	activity->deflated = deflate_add(&activity->bytes, buf_str(out));
	if (!activity->deflated) {
		buf_add_str(&activity->bytes, buf_str(out));
	}
}

static void activity_pack_items(struct work *work, struct activity *activity) {
	const struct time_buckets *buckets = work->time_buckets;
	uint64_t first = buckets->first >> buckets->shift;
	activity->width = UINT64_C(1) << buckets->shift;
	activity->threads = work->shown_n;
	activity->others = work->others;
	activity_sort_items(work);
	activity_write_columns(work, activity, first);
	while (work->picture->design.data == DATA_AUTO && activity->bytes.n > MOST_BYTES &&
	       activity->buckets > 1) {
		activity_widen(work, &first);
		activity->width *= 2;
		activity_write_columns(work, activity, first);
	}
}

static void activity_work_init(struct work *work, const struct picture *picture) {
	const struct tree *tree = picture->tree;
	const struct time_buckets *buckets = picture->profile->time_buckets;
	*work = (struct work){.picture = picture, .tree = tree, .time_buckets = buckets};
	work->sides = buckets->compared ? 2 : 1;
	work->numbers = mem_new(tree->n, sizeof(*work->numbers));
	work->threads = mem_new(buckets->threads.count, sizeof(*work->threads));
	work->shown = mem_new(ACTIVITY_THREADS, sizeof(*work->shown));
	work->totals = mem_new(work->sides * ACTIVITY_THREADS, sizeof(*work->totals));
}

static void activity_work_release(struct work *work) {
	free(work->numbers);
	free(work->threads);
	free(work->shown);
	free(work->totals);
	free(work->items);
	buf_release(&work->out);
}

int activity_build(struct activity *activity, const struct picture *picture,
		   const struct pack *pack, struct diag *diag) {
	const struct time_buckets *buckets = picture->profile->time_buckets;
	if (buckets == NULL || buckets->cells_n == 0 || pack->bytes.n == 0 ||
	    picture->tree->ends == NULL) {
		return 0;
	}
	if (buckets->too_many) {
		return diag_warn(diag, "the page shows no times: the stacks take too much memory");
	}
	if (buckets->untimed > 0) {
		return diag_warn(diag, "the page shows no times: %llu samples have none",
				 (unsigned long long)buckets->untimed);
	}
	struct work work;
	activity_work_init(&work, picture);
	work.pack = pack;
	activity_make_items(&work);
	activity_rank_threads(&work);
	activity_number_frames(&work);
	activity_pack_items(&work, activity);
	activity_work_release(&work);
	return 0;
}

static void activity_write_attribute(struct output *out, const char *name, uint64_t value) {
	output_add_text(out, " data-");
	output_add_text(out, name);
	output_add_text(out, "=\"");
	output_add_u64(out, value);
	output_add_text(out, "\"");
}

void activity_write(struct output *out, const struct activity *activity) {
	if (activity->bytes.n == 0) {
		return;
	}
	output_add_text(out, "<metadata id=\"times\" data-coding=\"");
	output_add_text(out, activity->deflated ? "deflate\"" : "none\"");
	activity_write_attribute(out, "start", activity->start);
	activity_write_attribute(out, "width", activity->width);
	activity_write_attribute(out, "buckets", activity->buckets);
	activity_write_attribute(out, "threads", activity->threads);
	activity_write_attribute(out, "others", activity->others);
	output_add_text(out, "><![CDATA[");
	base64_write(out, buf_str(&activity->bytes));
	output_add_text(out, "]]></metadata>");
}

void activity_release(struct activity *activity) {
	buf_release(&activity->bytes);
	*activity = (struct activity){0};
}
