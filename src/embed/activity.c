/* When frames were active. */
#include "embed/activity.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/num.h"
#include "picture/picture.h"
#include "viewer-constants.h"

enum { MOST_BYTES = 4 << 20 }; // of --data=auto

#define NO_FRAME SIZE_MAX

/** What a frame counts in a bucket of a thread. */
struct item {
	uint64_t bucket, count;
	uint32_t thread; // its number in the page
	uint32_t entry;  // the number of the frame; see activity_number_frames()
};

/** The state of packing. */
struct work {
	const struct picture *picture;
	const struct tree *tree;
	const struct time_buckets *time_buckets;
	size_t *ends;      // by frame: the place after its last callee
	size_t *frames;    // by stack: the frame in which it ends, or NO_FRAME
	uint64_t *sums;    // by frame: of the cells
	uint32_t *threads; // by thread: its number in the page
	uint32_t *shown;   // by number in the page: the thread
	uint64_t *totals;  // by number in the page
	size_t shown_n, others;
	uint32_t *numbers; // by frame: its entry in the lists
	struct item *items;
	size_t n;
	bool hidden; // frames were left out of the pack
	struct buf out;
};

/* --- The frames of stacks ------------------------------------------------------------------- */

/** Find where each frame ends. */
static void activity_measure_frames(struct work *work) {
	const struct tree *tree = work->tree;
	size_t *path = mem_new(tree->levels, sizeof(*path)), open = 0;
	for (size_t i = 0; i <= tree->n; i++) {
		size_t depth = i == tree->n ? 0 : tree->frames[i].depth;
		while (open > depth) {
			work->ends[path[--open]] = i;
		}
		if (i < tree->n) {
			path[open++] = i;
		}
	}
	free(path);
}

/** Return the callee of this name, at `from` or later among the callees of a frame. */
static size_t activity_find_callee(const struct work *work, size_t frame, size_t from,
				   uint32_t name) {
	const struct call_item *frames = work->tree->frames;
	while (from < work->ends[frame] && frames[from].name < name) {
		from = work->ends[from];
	}
	return from < work->ends[frame] && frames[from].name == name ? from : NO_FRAME;
}

/** Return the stacks in the order of the tree, their ids with the highest byte first. The caller
 * releases the items with free(), and the arena. */
static struct sort_item *activity_sort_stacks(const struct time_buckets *buckets,
					      struct arena *arena) {
	struct sort_item *items = mem_new(buckets->stacks.count, sizeof(*items));
	for (uint32_t i = 0; i < buckets->stacks.count; i++) {
		const struct intern_key *key = buckets->stacks.keys[i];
		const uint32_t *ids = (const void *)key->bytes;
		unsigned char *bytes = arena_take(arena, key->len);
		for (size_t d = 0; d < key->len / sizeof(*ids); d++) {
			for (unsigned b = 0; b < sizeof(*ids); b++) {
				bytes[sizeof(*ids) * d + b] =
					(unsigned char)(ids[d] >> (24 - 8 * b));
			}
		}
		items[i] = (struct sort_item){.bytes = (char *)bytes, .len = key->len, .id = i};
	}
	sort_bytes(items, buckets->stacks.count);
	return items;
}

/** Find the frame of each stack. Both the tree and the stacks are sorted, so no frame is looked at
 * twice for the same caller. */
static void activity_place_stacks(struct work *work) {
	const struct intern *stacks = &work->time_buckets->stacks;
	struct arena arena = {0};
	struct sort_item *items = activity_sort_stacks(work->time_buckets, &arena);
	size_t *path = mem_new(work->tree->levels + 1, sizeof(*path)), found = 0;
	for (uint32_t i = 0; i < stacks->count; i++) {
		const struct intern_key *key = stacks->keys[items[i].id];
		const uint32_t *ids = (const void *)key->bytes;
		size_t depth = key->len / sizeof(*ids), d = sort_common(items, i) / sizeof(*ids);
		d = d < found ? d : found;
		size_t from = d < found ? path[d + 1] : path[d] + 1;
		while (d < depth &&
		       (from = activity_find_callee(work, path[d], from, ids[d])) != NO_FRAME) {
			path[++d] = from++;
		}
		found = d;
		work->frames[items[i].id] = d == depth ? path[d] : NO_FRAME;
	}
	free(path);
	free(items);
	arena_release(&arena);
}

/* --- Sums ----------------------------------------------------------------------------------- */

/** Add up the cells of each frame. Return false if a stack is not in the tree. */
static bool activity_sum_up(struct work *work) {
	const struct time_buckets *buckets = work->time_buckets;
	for (size_t i = 0; i <= buckets->mask; i++) {
		const struct time_bucket_cell *cell = &buckets->cells[i];
		if (cell->count == 0) {
			continue;
		}
		size_t frame = work->frames[cell->stack];
		if (frame == NO_FRAME ||
		    !num_add(work->sums[frame], cell->count, &work->sums[frame])) {
			return false;
		}
		work->n++;
	}
	return true;
}

/** Return whether the cells of each frame add up to its self count. */
static bool activity_adds_up(const struct work *work) {
	bool weights = work->time_buckets->weights;
	for (size_t i = 0; i < work->tree->n; i++) {
		uint64_t self = work->tree->frames[i].count, sum = work->sums[i];
		if (weights ? self > 0 && sum == 0 : self != sum) {
			return false;
		}
	}
	return true;
}

static int activity_compare_by_entry(const void *left, const void *right) {
	const struct item *a = left, *b = right;
	return a->entry != b->entry     ? (a->entry > b->entry ? 1 : -1)
	       : a->bucket != b->bucket ? (a->bucket > b->bucket ? 1 : -1)
					: (a->thread > b->thread) - (a->thread < b->thread);
}

/** Share the self count of each frame out to its items, which have weights. */
static void activity_share_out(struct work *work) {
	uint64_t weight = 0, done = 0;
	qsort(work->items, work->n, sizeof(*work->items), activity_compare_by_entry);
	for (size_t i = 0; i < work->n; i++) {
		struct item *item = &work->items[i];
		if (i == 0 || item[-1].entry != item->entry) {
			weight = done = 0;
		}
		weight += item->count;
		uint64_t all = num_share(weight, work->sums[item->entry],
					 work->tree->frames[item->entry].count);
		item->count = all - done;
		done = all;
	}
}

/** Make the items. Their entries are frames of the tree. */
static void activity_make_items(struct work *work) {
	const struct time_buckets *buckets = work->time_buckets;
	uint64_t first = buckets->first >> buckets->shift;
	work->items = mem_new(work->n, sizeof(*work->items));
	work->n = 0;
	for (size_t i = 0; i <= buckets->mask; i++) {
		const struct time_bucket_cell *cell = &buckets->cells[i];
		if (cell->count > 0) {
			work->items[work->n++] =
				(struct item){cell->bucket - first, cell->count, cell->thread,
					      (uint32_t)work->frames[cell->stack]};
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

/** Compare threads: the one that counts most comes first. */
static int activity_compare_ranks(const void *left, const void *right) {
	const struct rank *a = left, *b = right;
	return a->total != b->total ? (a->total < b->total ? 1 : -1)
				    : str_compare(a->label, b->label);
}

/** Number the threads by what they count. The last number is for all that are not shown. */
static void activity_rank_threads(struct work *work) {
	const struct intern *labels = &work->time_buckets->threads;
	struct rank *ranks = mem_new(labels->count, sizeof(*ranks));
	size_t n = 0;
	for (uint32_t t = 0; t < labels->count; t++) {
		ranks[t] = (struct rank){intern_str(labels->keys[t]), 0, t};
	}
	for (size_t i = 0; i < work->n; i++) {
		ranks[work->items[i].thread].total += work->items[i].count;
	}
	// The first stands for the threads that were not told apart; it is never shown alone.
	size_t unknown = ranks[0].total > 0;
	qsort(ranks + 1, labels->count - (size_t)1, sizeof(*ranks), activity_compare_ranks);
	while (n + 1 < labels->count && ranks[n + 1].total > 0) {
		n++;
	}
	size_t most = ACTIVITY_THREADS, kept = n + unknown <= most ? n : most - 1;
	work->others = n - kept + unknown;
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
		item->thread = work->threads[item->thread];
		work->totals[item->thread] += item->count;
	}
	free(ranks);
}

/* --- Packing -------------------------------------------------------------------------------- */

/** Find the entry of each frame: its number in the pack. If frames were left out of the pack, twice
 * that, plus 1 for what the left-out callees of the frame count. */
static void activity_number_frames(struct work *work) {
	const struct tree *tree = work->tree;
	const struct pack *pack = &work->picture->pack;
	uint32_t *path = mem_new(tree->levels, sizeof(*path)), kept = 0; // entries of kept frames
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
	return a->thread != b->thread   ? (a->thread > b->thread ? 1 : -1)
	       : a->bucket != b->bucket ? (a->bucket > b->bucket ? 1 : -1)
					: (a->entry > b->entry) - (a->entry < b->entry);
}

/** Sort the items, and add up equal ones. */
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

/** Double the width of the buckets. `*first` is the number of the first one. */
static void activity_widen(struct work *work, uint64_t *first) {
	uint64_t half = *first / 2;
	for (size_t i = 0; i < work->n; i++) {
		struct item *item = &work->items[i];
		item->bucket = (*first + item->bucket) / 2 - half;
	}
	*first = half;
	activity_sort_items(work);
}

/** Add how many items each bucket of each thread has. */
static void activity_add_lengths(struct work *work, uint64_t buckets) {
	size_t i = 0;
	for (size_t t = 0; t < work->shown_n; t++) {
		for (uint64_t b = 0; b < buckets; b++) {
			size_t start = i;
			while (i < work->n && work->items[i].thread == t &&
			       work->items[i].bucket == b) {
				i++;
			}
			columns_add_number(&work->out, i - start);
		}
	}
}

static void activity_add_entries(struct work *work) {
	const struct item *before = NULL;
	for (size_t i = 0; i < work->n; i++) {
		const struct item *item = &work->items[i];
		bool same = before != NULL && before->thread == item->thread &&
			    before->bucket == item->bucket;
		columns_add_number(&work->out, same ? item->entry - before->entry : item->entry);
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
		columns_add_number(&work->out, work->totals[t]);
	}
}

/** Write everything into `out`, and from there into the activity. */
static void activity_write_columns(struct work *work, struct activity *activity, uint64_t first) {
	struct buf *out = &work->out;
	activity->start = first * activity->width;
	activity->buckets = 0;
	for (size_t i = 0; i < work->n; i++) {
		uint64_t bucket = work->items[i].bucket;
		activity->buckets = bucket >= activity->buckets ? bucket + 1 : activity->buckets;
	}
	buf_clear(out);
	columns_add_number(out, TIMES_VERSION);
	columns_add_number(out, work->hidden ? TIMES_HIDDEN : 0U);
	columns_add_number(out, activity->start);
	columns_add_number(out, activity->width);
	columns_add_number(out, activity->buckets);
	columns_add_number(out, work->shown_n);
	columns_add_number(out, work->others);
	columns_add_number(out, work->n);
	activity_add_threads(work);
	activity_add_lengths(work, activity->buckets);
	activity_add_entries(work);
	for (size_t i = 0; i < work->n; i++) {
		columns_add_number(out, work->items[i].count);
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
	work->ends = mem_new(tree->n, sizeof(*work->ends));
	work->sums = mem_new(tree->n, sizeof(*work->sums));
	work->numbers = mem_new(tree->n, sizeof(*work->numbers));
	work->frames = mem_new(buckets->stacks.count, sizeof(*work->frames));
	work->threads = mem_new(buckets->threads.count, sizeof(*work->threads));
	work->shown = mem_new(ACTIVITY_THREADS, sizeof(*work->shown));
	work->totals = mem_new(ACTIVITY_THREADS, sizeof(*work->totals));
}

static void activity_work_release(struct work *work) {
	free(work->ends);
	free(work->sums);
	free(work->numbers);
	free(work->frames);
	free(work->threads);
	free(work->shown);
	free(work->totals);
	free(work->items);
	buf_release(&work->out);
}

int activity_build(struct activity *activity, const struct picture *picture, struct diag *diag) {
	const struct time_buckets *buckets = picture->profile->time_buckets;
	if (buckets == NULL || buckets->cells_n == 0 || picture->pack.bytes.n == 0) {
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
	activity_measure_frames(&work);
	activity_place_stacks(&work);
	bool fits = activity_sum_up(&work) && activity_adds_up(&work);
	if (fits) {
		activity_make_items(&work);
		activity_rank_threads(&work);
		activity_number_frames(&work);
		activity_pack_items(&work, activity);
	}
	activity_work_release(&work);
	return fits ? 0
		    : diag_warn(diag, "the page shows no times: they do not add up to the counts");
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
	output_add_text(out, ">");
	base64_write(out, buf_str(&activity->bytes));
	output_add_text(out, "</metadata>");
}

void activity_release(struct activity *activity) {
	buf_release(&activity->bytes);
	*activity = (struct activity){0};
}
