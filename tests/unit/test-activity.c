/*
 * Packed times must add up to the counts of every frame, also with options such as --base and
 * --reverse.
 */
#include "test.h"

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "collapse/collapse.h"
#include "commands/command.h"
#include "web/document.h"
#include "viewer-constants.h"

/* --- Buckets -------------------------------------------------------------------------------- */

/** Return the sum of a stack's cells. */
static uint64_t test_activity_sum_of(const struct time_buckets *buckets, uint32_t stack) {
	uint64_t sum = 0;
	for (size_t i = 0; buckets->cells != NULL && i <= buckets->mask; i++) {
		const struct time_bucket_cell *cell = &buckets->cells[i];
		sum += cell->stack == stack ? cell->count : 0;
	}
	return sum;
}

static void test_activity_buckets_widen(void **state) {
	(void)state;
	struct time_buckets *buckets = time_buckets_new();
	const uint32_t stack = 1;
	time_buckets_count(buckets, stack, 0, 5000, 5000, 3);
	assert_int_equal(buckets->cells_n, 1);
	const uint64_t times[] = {1, 1000000, 0, 999999999999, UINT64_MAX};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		time_buckets_count(buckets, stack, 0, times[i], times[i], 1);
		assert_true((buckets->last >> buckets->shift) - (buckets->first >> buckets->shift) <
			    TIME_BUCKETS_MOST);
		assert_int_equal(test_activity_sum_of(buckets, stack), 4 + i);
	}
	time_buckets_free(buckets);
}

static void test_activity_spans_are_shared_out(void **state) {
	(void)state;
	struct time_buckets *buckets = time_buckets_new();
	const uint32_t stack = 1;
	// Half of a bucket, two whole buckets, and half of a bucket.
	time_buckets_count(buckets, stack, 0, 512, 512 + 3 * 1024, 1000);
	assert_int_equal(buckets->cells_n, 4);
	for (size_t i = 0; i <= buckets->mask; i++) {
		const struct time_bucket_cell *cell = &buckets->cells[i];
		uint64_t half = cell->bucket == 0 || cell->bucket == 3;
		assert_in_range(cell->count,
				cell->count == 0 ? 0
				: half           ? 166
						 : 333,
				half ? 167 : 334);
	}
	assert_int_equal(test_activity_sum_of(buckets, stack), 1000);
	time_buckets_free(buckets);
}

static void test_activity_memory_is_bounded(void **state) {
	(void)state;
	struct time_buckets *buckets = time_buckets_new();
	buckets->most = 100;
	for (uint32_t i = 0; i < 1000; i++) {
		time_buckets_count(buckets, i % 10, 0, i * UINT64_C(1024), i * UINT64_C(1024), 1);
		assert_in_range(buckets->cells_n, 1, 100);
	}
	for (uint32_t id = 0; id < 300; id++) { // more cells of one bucket than `most`
		time_buckets_count(buckets, id, 0, 7, 7, 1);
	}
	assert_int_equal(buckets->last >> buckets->shift, 0);
	assert_int_equal(buckets->cells_n, 300);
	time_buckets_free(buckets);
}

static void test_activity_threads_are_bounded(void **state) {
	(void)state;
	struct time_buckets *buckets = time_buckets_new();
	char label[16];
	for (unsigned i = 0; i < TIME_BUCKETS_THREADS + 9; i++) {
		snprintf(label, sizeof(label), "%u", i);
		uint32_t thread = time_buckets_thread(buckets, str_of(label));
		assert_int_equal(thread, i + 1 < TIME_BUCKETS_THREADS ? i + 1 : 0);
	}
	assert_int_equal(time_buckets_thread(buckets, STR("7")), 8);
	time_buckets_free(buckets);
}

/* --- Whole pictures ------------------------------------------------------------------------- */

/** A page that was drawn of one or two texts, and the warnings about its times. */
struct drawn {
	struct document document;
	struct profile profile;
	struct compared compared; // only for two texts that are compared
	struct transform transform;
	struct view view;
	struct opt_set set;
	struct diag diag;
	struct buf said;
};

/** The options of a picture: names and values, ended by NULL. */
typedef const char *const setting;

static void test_activity_hear(void *context, enum diag_level level, const char *text) {
	if (level == DIAG_WARNING) {
		buf_printf(context, "%s\n", text);
	}
}

/** Read texts into a profile of calls with times. */
static void test_activity_read(struct profile *profile, const struct collapse *collapse,
			       const struct buf *texts, size_t n) {
	struct source sources[2];
	for (size_t i = 0; i < n; i++) {
		sources[i] = (struct source){.kind = SOURCE_MEMORY,
					     .memory = texts[i].p,
					     .size = texts[i].n,
					     .name = "input"};
	}
	profile_init(profile, PROFILE_CALLS);
	profile_ask_times(profile);
	assert_int_equal(collapse_sources(collapse, sources, n, profile), 0);
}

/** Compare the profile of a second text with the one that was read. */
static void test_activity_compare(struct drawn *drawn, const struct collapse *collapse,
				  const struct buf *text) {
	struct profile after;
	test_activity_read(&after, collapse, text, 1);
	profile_make_calls(&drawn->profile, NULL, NULL);
	profile_make_calls(&after, NULL, NULL);
	drawn->compared.profile = drawn->profile;
	drawn->profile = (struct profile){0};
	compared_add(&drawn->compared, &after);
	assert_true(compared_find_totals(&drawn->compared));
	drawn->compared.before = drawn->compared.after = "input";
	drawn->compared.scaling = SCALE_NONE;
	drawn->view.profile = &drawn->compared.profile;
	drawn->view.compared = &drawn->compared;
	profile_release(&after);
}

/** Draw a page of one text, of several as one profile, or of two that are compared. */
static void test_activity_draw_texts(struct drawn *drawn, const char *format,
				     const struct buf *texts, size_t n, bool compares,
				     setting *settings, unsigned threads) {
	const struct collapser *collapser = collapse_find_format(format);
	const struct opt_table tables[OPT_TABLES] = {
		[TABLE_OWN] = collapser->options,
		[TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		[TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		[TABLE_COLOURS] = {colour_rows, sizeof(struct colour_options)},
		[TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}};
	*drawn = (struct drawn){.diag = {.show = test_activity_hear, .context = &drawn->said}};
	opt_init(&drawn->set, tables);
	for (; *settings != NULL; settings += 2) {
		assert_int_equal(opt_set(&drawn->set, opt_by_name(&drawn->set, str_of(settings[0])),
					 settings[1], &drawn->diag),
				 0);
	}
	const struct collapse collapse = {.format = collapser,
					  .options = drawn->set.values[TABLE_OWN],
					  .threads = threads,
					  .diag = &drawn->diag};
	assert_int_equal(picture_init(&drawn->document.picture, &drawn->set, true, &drawn->diag),
			 0);
	drawn->transform = picture_transform(&drawn->set);
	drawn->view = (struct view){.profile = &drawn->profile, .transform = &drawn->transform};
	test_activity_read(&drawn->profile, &collapse, texts, compares ? 1 : n);
	if (compares) {
		test_activity_compare(drawn, &collapse, &texts[1]);
	}
	assert_int_equal(view_arrange(&drawn->view, &drawn->diag), 0);
	assert_int_equal(document_draw(&drawn->document, &drawn->view, &drawn->set, &drawn->diag),
			 0);
}

static void test_activity_draw(struct drawn *drawn, const char *format, const struct buf *texts,
			       size_t n, setting *settings, unsigned threads) {
	test_activity_draw_texts(drawn, format, texts, n, false, settings, threads);
}

static void test_activity_drawn_release(struct drawn *drawn) {
	document_release(&drawn->document);
	compared_release(&drawn->compared);
	view_release(&drawn->view);
	profile_release(&drawn->profile);
	opt_release(&drawn->set);
	diag_release(&drawn->diag);
	buf_release(&drawn->said);
}

/** The times after unpacking. */
struct unpacked {
	struct buf bytes;
	size_t at;
	uint64_t flags, start, width, buckets, threads, others, cells;
	struct buf names; // number of threads, each with its total
	struct buf lists; // the cells as text
	uint64_t *sums;   // for each entry, the sum of its counts
};

static uint64_t test_activity_number(struct unpacked *in) {
	uint64_t value = 0;
	unsigned shift = 0;
	unsigned char byte;
	do {
		assert_true(in->at < in->bytes.n);
		byte = (unsigned char)in->bytes.p[in->at++];
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte >= 0x80);
	return value;
}

static void test_activity_inflate_into(struct buf *out, const struct activity *activity) {
	if (!activity->deflated) {
		buf_add_str(out, buf_str(&activity->bytes));
		return;
	}
#ifdef HAVE_LIBDEFLATE
	enum { MUCH = 1 << 24 };
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	size_t n;
	assert_int_equal(libdeflate_deflate_decompress(inflater, activity->bytes.p,
						       activity->bytes.n, buf_room(out, MUCH), MUCH,
						       &n),
			 LIBDEFLATE_SUCCESS);
	out->n = n;
	libdeflate_free_decompressor(inflater);
#endif
}

static void test_activity_unpack(struct unpacked *in, const struct drawn *drawn) {
	*in = (struct unpacked){.at = 0};
	assert_true(drawn->document.activity.bytes.n > 0);
	test_activity_inflate_into(&in->bytes, &drawn->document.activity);
	assert_int_equal(test_activity_number(in), TIMES_VERSION);
	in->flags = test_activity_number(in);
	unsigned sides = (in->flags & TIMES_COMPARED) != 0 ? 2 : 1;
	in->start = test_activity_number(in);
	in->width = test_activity_number(in);
	in->buckets = test_activity_number(in);
	in->threads = test_activity_number(in);
	in->others = test_activity_number(in);
	in->cells = test_activity_number(in);
	for (uint64_t t = 0; t < in->threads; t++) {
		size_t n = (size_t)test_activity_number(in);
		buf_add(&in->names, in->bytes.p + in->at, n);
		in->at += n;
		for (unsigned side = 0; side < sides; side++) {
			buf_printf(&in->names, "=%llu",
				   (unsigned long long)test_activity_number(in));
		}
		buf_add_char(&in->names, ',');
	}
	size_t lists = (size_t)(in->threads * in->buckets * sides),
	       entries = 2 * drawn->document.picture.tree->n;
	uint64_t *lengths = mem_new(lists, sizeof(*lengths)),
		 *cells = mem_new((size_t)in->cells, 8);
	for (size_t i = 0; i < lists; i++) {
		lengths[i] = test_activity_number(in);
	}
	for (size_t i = 0, at = 0; i < lists; i++) {
		for (uint64_t entry = 0, k = 0; k < lengths[i]; k++) {
			entry += test_activity_number(in);
			assert_true(entry < entries && at < in->cells);
			cells[at++] = entry;
		}
	}
	in->sums = mem_new(entries, sizeof(*in->sums));
	for (size_t i = 0, at = 0; i < lists; i++) {
		for (uint64_t k = 0; k < lengths[i]; k++, at++) {
			uint64_t count = test_activity_number(in);
			in->sums[cells[at]] += count;
			buf_printf(&in->lists, "%llu/%llu:%llu*%llu ",
				   (unsigned long long)(i / in->buckets),
				   (unsigned long long)(i % in->buckets),
				   (unsigned long long)cells[at], (unsigned long long)count);
		}
	}
	assert_int_equal(in->at, in->bytes.n);
	free(lengths);
	free(cells);
}

static void test_activity_unpacked_release(struct unpacked *in) {
	buf_release(&in->bytes);
	buf_release(&in->names);
	buf_release(&in->lists);
	free(in->sums);
}

/** Check that the times of every frame add up to its self count. The times of a left-out frame
 * count for its nearest drawn caller. */
static void test_activity_check_sums(const struct drawn *drawn, const struct unpacked *in) {
	const struct tree *tree = drawn->document.picture.tree;
	const struct choice *choice = &drawn->document.pack.choice;
	bool hidden = drawn->document.pack.left_out.frames > 0;
	uint64_t *wanted = mem_new(2 * tree->n, sizeof(*wanted));
	size_t kept = 0, *path = mem_new(tree->levels, sizeof(*path));
	assert_int_equal(in->flags, hidden ? TIMES_HIDDEN : 0);
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		uint64_t own = tree->totals[i];
		for (size_t c = i + 1; c < tree->n && tree->frames[c].depth > frame->depth; c++) {
			own -= tree->frames[c].depth == frame->depth + 1 ? tree->totals[c] : 0;
		}
		bool is_kept = choice_has(choice, tree, i);
		path[frame->depth] = is_kept ? 2 * kept++ : path[frame->depth - 1];
		wanted[(path[frame->depth] + !is_kept) / (hidden ? 1 : 2)] += own;
	}
	for (size_t e = 0; e < (hidden ? 2 : 1) * kept; e++) {
		assert_int_equal(in->sums[e], wanted[e]);
	}
	free(wanted);
	free(path);
}

static const char sample[] = "a 7/7 [000] 1.000000: 5 cycles:\n\t7f00 f (m)\n\t7f00 main (m)\n\n"
			     "a 7/8 [000] 1.000001: 6 cycles:\n\t7f00 g (m)\n\t7f00 main (m)\n\n"
			     "a 7/7 [000] 1.000003: 7 cycles:\n\t7f00 f (m)\n\t7f00 main (m)\n\n"
			     "b 9 [000] 1.000003100: 2 cycles:\n\t7f00 f (m)\n\n";

static void test_activity_format_is_as_described(void **state) {
	(void)state;
	struct buf text = {0};
	struct drawn drawn;
	struct unpacked in;
	buf_add_text(&text, sample);
	test_activity_draw(&drawn, "perf", &text, 1, (setting[]){NULL}, 1);
	test_activity_unpack(&in, &drawn);
	assert_int_equal(in.width, 1024);
	assert_int_equal(in.start, 1000000000 / 1024 * 1024);
	assert_int_equal(in.buckets, 4);
	assert_int_equal(in.others, 0);
	assert_str(buf_str(&in.names), "a 7=12,a 7/8=6,b 9=2,");
	// 0: the root, 1: a, 2: main, 3: f, 4: g, 5: b, 6: f
	assert_str(buf_str(&in.lists), "0/0:3*5 0/3:3*7 1/1:4*6 2/3:6*2 ");
	test_activity_check_sums(&drawn, &in);
	test_activity_unpacked_release(&in);
	test_activity_drawn_release(&drawn);
	buf_release(&text);
}

/** Return samples in the text of `perf script`, with many names and threads. */
static struct buf test_activity_perf_text(uint64_t seed, size_t samples, size_t threads) {
	struct random random = {seed};
	struct buf text = {0};
	for (size_t i = 0; i < samples; i++) {
		size_t depth = random_below(&random, 9) + 1, tid = random_below(&random, threads);
		buf_printf(&text, "work %zu/%zu [001] %zu.%06zu: %zu cycles:u: \n", tid / 4, tid,
			   i / 50, random_below(&random, 1000000), random_below(&random, 1000) + 1);
		for (size_t d = 0; d < depth; d++) {
			buf_printf(&text, "\t%16x %s%c (mod)\n", 0x7f00,
				   random_below(&random, 9) == 0 ? "# f;g " : "",
				   (char)('a' + random_below(&random, 6)));
		}
		buf_add_char(&text, '\n');
	}
	return text;
}

static void test_activity_sums_are_the_counts(void **state) {
	(void)state;
	static setting none[] = {NULL}, reverse[] = {"reverse", NULL, NULL},
		       base[] = {"base", "b", NULL}, visible[] = {"data", "visible", NULL},
		       total[] = {"total", "99999999", NULL}, wakers[] = {"colors", "chain", NULL};
	static setting *const all[] = {none, reverse, base, visible, total, wakers};
	struct buf text = test_activity_perf_text(5, 3000, 100);
	struct buf lists[2] = {{0}, {0}};
	for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++) {
		for (unsigned threads = 1; threads <= 3; threads += 2) {
			struct drawn drawn;
			struct unpacked in;
			test_activity_draw(&drawn, "perf", &text, 1, all[s], threads);
			test_activity_unpack(&in, &drawn);
			assert_int_equal(in.threads, ACTIVITY_THREADS);
			assert_int_equal(in.others, 100 - (ACTIVITY_THREADS - 1));
			if (all[s] != total) {
				test_activity_check_sums(&drawn, &in);
			}
			buf_clear(&lists[threads / 2]);
			buf_add_str(&lists[threads / 2], buf_str(&in.lists));
			test_activity_unpacked_release(&in);
			test_activity_drawn_release(&drawn);
		}
		assert_true(str_eq(buf_str(&lists[0]), buf_str(&lists[1])));
	}
	buf_release(&lists[0]);
	buf_release(&lists[1]);
	buf_release(&text);
}

static void test_activity_traces_have_times(void **state) {
	(void)state;
	struct buf text = {0};
	struct drawn drawn;
	struct unpacked in;
	// In folded text, the name of the callee would be read as a count. The sum of `main` is
	// rounded.
	buf_add_text(&text, "[{\"ph\":\"X\",\"ts\":0,\"dur\":4.6,\"name\":\"main\",\"pid\":1,"
			    "\"tid\":2},{\"ph\":\"X\",\"ts\":1.024,\"dur\":2.048,\"name\":\"a 12\","
			    "\"pid\":1,\"tid\":2}]");
	test_activity_draw(&drawn, "chrome-tracing", &text, 1, (setting[]){NULL}, 1);
	test_activity_unpack(&in, &drawn);
	assert_str(buf_str(&in.names), "1/2=5,");
	assert_int_equal(in.buckets, 5);
	// main: 1.024, 1.024 from 3.072 on, and 0.504 of 2.552; all count 3
	assert_str(buf_str(&in.lists), "0/0:1*1 0/1:2*1 0/2:2*1 0/3:1*1 0/4:1*1 ");
	test_activity_check_sums(&drawn, &in);
	test_activity_unpacked_release(&in);
	test_activity_drawn_release(&drawn);
	buf_release(&text);
}

static void test_activity_of_two_profiles(void **state) {
	(void)state;
	static const char after[] =
		"c 5 [000] 50.000000: 3 cycles:\n\t7f00 g (m)\n\n"
		"a 7/7 [000] 50.000005: 9 cycles:\n\t7f00 f (m)\n\t7f00 main (m)\n\n";
	struct buf texts[2] = {{0}, {0}};
	struct drawn drawn;
	struct unpacked in;
	buf_add_text(&texts[0], sample);
	buf_add_text(&texts[1], after);
	test_activity_draw_texts(&drawn, "perf", texts, 2, true, (setting[]){NULL}, 1);
	test_activity_unpack(&in, &drawn);
	assert_int_equal(in.flags, TIMES_COMPARED);
	assert_int_equal(in.width, 1024);
	assert_int_equal(in.start, 0);
	assert_int_equal(in.buckets, 5);
	assert_str(buf_str(&in.names), "a 7=9=12,a 7/8=0=6,c 5=3=0,b 9=0=2,");
	// 0: the root, 1: a, 2: main, 3: f, 4: g, 5: b, 6: f, 7: c, 8: g; threads 4 to 7: before
	assert_str(buf_str(&in.lists), "0/4:3*9 2/0:8*3 4/0:3*5 4/3:3*7 5/1:4*6 7/3:6*2 ");
	test_activity_unpacked_release(&in);
	test_activity_drawn_release(&drawn);
	buf_release(&texts[0]);
	buf_release(&texts[1]);
}

static void test_activity_sums_of_two_are_the_counts(void **state) {
	(void)state;
	static setting none[] = {NULL}, reverse[] = {"reverse", NULL, NULL},
		       base[] = {"base", "b", NULL};
	static setting *const all[] = {none, reverse, base};
	struct buf texts[2] = {test_activity_perf_text(5, 3000, 100),
			       test_activity_perf_text(6, 2000, 50)};
	for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++) {
		struct drawn drawn;
		struct unpacked in;
		test_activity_draw_texts(&drawn, "perf", texts, 2, true, all[s], 1);
		test_activity_unpack(&in, &drawn);
		const struct tree *tree = drawn.document.picture.tree;
		for (size_t i = 0; i < tree->n; i++) {
			struct change self = tree->changes[i].self;
			assert_int_equal(in.sums[i], self.before + self.after);
		}
		test_activity_unpacked_release(&in);
		test_activity_drawn_release(&drawn);
	}
	buf_release(&texts[0]);
	buf_release(&texts[1]);
}

/** Times of two traces: each sample is divided among buckets by the counts of its own profile. */
static void test_activity_of_two_traces(void **state) {
	(void)state;
	struct buf texts[2] = {{0}, {0}};
	struct drawn drawn;
	struct unpacked in;
	for (unsigned i = 0; i < 2; i++) {
		buf_printf(&texts[i],
			   "[{\"ph\":\"X\",\"ts\":%u,\"dur\":%u,\"name\":\"main\",\"pid\":1,"
			   "\"tid\":2}]",
			   100 * i, 2 + 3 * i);
	}
	test_activity_draw_texts(&drawn, "chrome-tracing", texts, 2, true, (setting[]){NULL}, 1);
	test_activity_unpack(&in, &drawn);
	assert_str(buf_str(&in.names), "1/2=5=2,");
	assert_int_equal(in.sums[1], 7);
	test_activity_unpacked_release(&in);
	test_activity_drawn_release(&drawn);
	buf_release(&texts[0]);
	buf_release(&texts[1]);
}

/* --- Exact times ---------------------------------------------------------------------------- */

static void test_activity_moments_are_joined(void **state) {
	(void)state;
	const struct moment moments[] = {
		{0, 10, 10, 1, 0}, {10, 15, 5, 1, 0}, // of one stack, one after the other
		{15, 20, 5, 2, 0}, {20, 25, 5, 2, 1}, // of another thread
		{25, 30, 9, 2, 1},                    // of another weight
		{31, 32, 1, 2, 1},                    // after a gap
		{32, 32, 0, 2, 1}, {32, 32, 1, 2, 1}, // without a duration
	};
	enum { N = sizeof(moments) / sizeof(moments[0]) };
	struct moments joined = {0}, all = {.each = true};
	for (size_t i = 0; i < N; i++) {
		moments_add(&joined, &moments[i]);
		moments_add(&all, &moments[i]);
	}
	assert_int_equal(all.n, N);
	assert_int_equal(joined.n, N - 2);
	struct moments_cursor cursor = moments_start(&joined, 0);
	assert_true(moments_next(&cursor));
	assert_int_equal(cursor.now.to, 15);
	assert_int_equal(cursor.now.count, 15);
	moments_release(&joined);
	moments_release(&all);
}

/** Check that moments of any size are kept as they were added, and then sorted by time. */
static void test_activity_moments_are_kept(void **state) {
	(void)state;
	const struct moment moments[] = {
		{5, 9, 4, 1, 2},
		{9, 9, 1, UINT32_MAX, 2},
		{7, UINT64_MAX, 3, 0, 2},
		{0, UINT64_MAX, UINT64_MAX, UINT32_MAX - 1, 2},
		{UINT64_MAX, UINT64_MAX, UINT64_MAX, 128, 2},
		{127, 128, 128, 127, 2},
	};
	enum { N = sizeof(moments) / sizeof(moments[0]) };
	static const size_t sorted[N] = {3, 0, 2, 1, 5, 4};
	struct moments all = {0};
	for (size_t i = 0; i < N; i++) {
		moments_add(&all, &moments[i]);
	}
	struct moments_cursor cursor = moments_start(&all, 2);
	for (size_t i = 0; i < N; i++) {
		assert_true(moments_next(&cursor));
		assert_memory_equal(&cursor.now, &moments[i], sizeof(moments[i]));
	}
	assert_false(moments_next(&cursor));
	moments_sort(&all);
	cursor = moments_start(&all, 2);
	for (size_t i = 0; i < N; i++) {
		assert_true(moments_next(&cursor));
		assert_memory_equal(&cursor.now, &moments[sorted[i]], sizeof(moments[i]));
	}
	assert_false(moments_next(&cursor));
	cursor = moments_start(&all, 0);
	assert_false(moments_next(&cursor));
	moments_release(&all);
}

/** Check that times are left out, and the message about that. */
static void test_activity_check_left_out(const char *format, const struct buf *texts, size_t n,
					 const char *said) {
	struct drawn drawn;
	test_activity_draw(&drawn, format, texts, n, (setting[]){NULL}, 1);
	assert_int_equal(drawn.document.activity.bytes.n, 0);
	assert_has(buf_text(&drawn.said), said);
	test_activity_drawn_release(&drawn);
}

static void test_activity_times_are_left_out(void **state) {
	(void)state;
	struct buf texts[2] = {{0}, {0}};
	buf_add_text(&texts[0], "a;b 3\n");
	test_activity_check_left_out("folded", texts, 1, "");
	buf_clear(&texts[0]);
	buf_add_text(&texts[0], sample);
	buf_add_text(&texts[1], sample);
	test_activity_check_left_out("perf", texts, 2, "");
	buf_add_text(&texts[0], "a 7/7 5 cycles:\n\t7f00 f (m)\n\t7f00 main (m)\n\n");
	test_activity_check_left_out("perf", texts, 1, "1 samples have none");
	buf_release(&texts[0]);
	buf_release(&texts[1]);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_activity_buckets_widen),
		cmocka_unit_test(test_activity_spans_are_shared_out),
		cmocka_unit_test(test_activity_memory_is_bounded),
		cmocka_unit_test(test_activity_threads_are_bounded),
		cmocka_unit_test(test_activity_format_is_as_described),
		cmocka_unit_test(test_activity_sums_are_the_counts),
		cmocka_unit_test(test_activity_traces_have_times),
		cmocka_unit_test(test_activity_of_two_profiles),
		cmocka_unit_test(test_activity_sums_of_two_are_the_counts),
		cmocka_unit_test(test_activity_of_two_traces),
		cmocka_unit_test(test_activity_times_are_left_out),
		cmocka_unit_test(test_activity_moments_are_joined),
		cmocka_unit_test(test_activity_moments_are_kept),
	};
	return RUN(tests);
}
