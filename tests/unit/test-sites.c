/* Stacks of sites (frames with a file, a line and a module), and the stacks of names that are made
 * of them. */
#include "test.h"

#include "profile/folded.h"

/** Add a frame with a line. */
static uint32_t test_sites_frame(struct profile *profile, const char *name, uint32_t line) {
	const struct site site = {
		.name = profile_frame(profile, str_of(name)),
		.file = sites_text(profile->sites, STR("a.c")),
		.module = sites_module(profile->sites, STR("/bin/a"), STR("01ff")),
		.line = line,
	};
	return profile_site(profile, &site);
}

static uint32_t test_sites_job(struct profile *profile, const char *text) {
	const struct site_label label = {.key = STR("job"), .text = str_of(text), .unit = STR("")};
	return sites_add_label(profile->sites, &label);
}

static int test_sites_collect(void *context, const void *bytes, size_t len) {
	buf_add(context, bytes, len);
	return 0;
}

static void test_sites_check_text(struct profile *profile, const char *expected) {
	struct buf text = {0};
	struct output out;
	output_init(&out, test_sites_collect, &text);
	folded_write(profile, &out, false);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
	assert_str(buf_str(&text), expected);
	buf_release(&text);
}

/** Write the sites of a stack, and the count of this stack. */
static void test_sites_describe(struct buf *out, const struct profile *profile, uint32_t i) {
	const struct sites *sites = profile->sites;
	struct ids room = {0};
	struct stack_row row = stacks_get(&sites->stacks, i, &room);
	for (uint32_t d = 0; d < row.depth; d++) {
		const struct site *site = sites_get(sites, row.ids[d]);
		buf_add_text(out, d == 0 ? "" : ";");
		if (site->kind == SITE_LABEL) {
			struct site_label label = sites_label(sites, site);
			buf_add_str(out, label.key);
			buf_add_char(out, '=');
			buf_add_str(out, label.text);
			continue;
		}
		buf_add_str(out, profile_name(profile, sites->names[row.ids[d]]));
		buf_add_str(out,
			    sites_text_of(sites, sites_module_of(sites, site->module).build_id));
		buf_printf(out, ":%u", site->line);
	}
	buf_printf(out, " %llu\n", (unsigned long long)row.count);
	ids_release(&room);
}

static void test_sites_check(const struct profile *profile, const char *expected) {
	struct buf text = {0};
	for (uint32_t i = 0; i < profile->sites->stacks.table.count; i++) {
		test_sites_describe(&text, profile, i);
	}
	assert_str(buf_str(&text), expected);
	buf_release(&text);
}

static void test_sites_fill(struct profile *profile) {
	uint32_t root = profile_frame(profile, STR("root"));
	uint32_t one[] = {root, test_sites_frame(profile, "f", 1)};
	uint32_t two[] = {root, test_sites_frame(profile, "f", 2)};
	uint32_t job[] = {test_sites_job(profile, "red"), root, two[1]};
	profile_add(profile, one, 2, 3);
	profile_add(profile, two, 2, 4);
	profile_add(profile, one, 2, 10);
	profile_add(profile, job, 3, 100);
}

/** Stacks that differ only in their sites are one stack of names. */
static void test_sites_become_names(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_sites(&profile);
	test_sites_fill(&profile);
	test_sites_check_text(&profile, "root;f 117\n");
	test_sites_check(&profile, "root:0;f01ff:1 13\nroot:0;f01ff:2 4\n"
				   "job=red;root:0;f01ff:2 100\n");
	profile_release(&profile);
}

/** Workers number names, texts and sites in their own order. */
static void test_sites_of_two_are_merged(void **state) {
	(void)state;
	struct profile profile, other;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_sites(&profile);
	profile_init_like(&other, &profile);
	test_sites_fill(&profile);
	uint32_t ids[] = {test_sites_job(&other, "blue"), test_sites_frame(&other, "g", 9),
			  test_sites_frame(&other, "f", 1), profile_frame(&other, STR("root"))};
	profile_add(&other, ids, 4, 1);
	profile_add(&other, ids + 2, 1, 1000);
	test_sites_fill(&other);
	profile_merge(&profile, &other);
	test_sites_check_text(&profile, "f 1000\ng;f;root 1\nroot;f 234\n");
	test_sites_check(&profile, "root:0;f01ff:1 26\nroot:0;f01ff:2 8\n"
				   "job=red;root:0;f01ff:2 200\n"
				   "job=blue;g01ff:9;f01ff:1;root:0 1\nf01ff:1 1000\n");
	profile_release(&profile);
	profile_release(&other);
}

/** A name that would have another meaning in folded text is changed in sites, too. */
static void test_sites_follow_their_names(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_sites(&profile);
	uint32_t ids[] = {test_sites_frame(&profile, "b;c", 7),
			  test_sites_frame(&profile, "f 12", 8)};
	profile_add(&profile, ids, 2, 5);
	profile_add(&profile, ids, 1, 6);
	profile_make_calls(&profile, NULL, NULL);
	profile_sort_names(&profile);
	test_sites_check(&profile, "c01ff:7;f_1201ff:8 5\nc01ff:7 6\n");
	assert_int_equal(profile.calls.items[profile.calls.ends[profile.sites->stack_of[1]]].count,
			 6);
	profile_release(&profile);
}

/** Both the values of stacks of sites and the values of stacks of names are kept. */
static void test_sites_keep_values(void **state) {
	(void)state;
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_values(&profile);
	profile_ask_sites(&profile);
	for (uint32_t line = 1; line <= 3; line++) {
		uint32_t id = test_sites_frame(&profile, "f", line / 2);
		profile_next_value(&profile, STR("space"), STR("bytes"), line);
		profile_add(&profile, &id, 1, 1);
	}
	profile_finish(&profile);
	assert_int_equal(profile.values->columns[0].counts[0], 6);
	assert_int_equal(profile.sites->values->columns[0].counts[0], 1);
	assert_int_equal(profile.sites->values->columns[0].counts[1], 5);
	assert_int_equal(profile.sites->stack_of[1], 0);
	profile_release(&profile);
}

/** Deep stacks that would take too much memory are kept only in the tree of calls, whose frames
 * have names but no sites. */
static void test_sites_of_deep_stacks(void **state) {
	(void)state;
	enum { DEPTH = 3000, STACKS = 2000 };
	struct profile profile;
	uint64_t sum;
	profile_init(&profile, PROFILE_STACKS);
	profile_ask_sites(&profile);
	struct ids stack = {0};
	for (uint32_t line = 1; line <= STACKS; line++) {
		stack.n = 0;
		while (stack.n < DEPTH) {
			ids_push(&stack, test_sites_frame(&profile, "f", line));
		}
		profile_add(&profile, stack.items, stack.n, 1);
	}
	ids_release(&stack);
	profile_make_calls(&profile, NULL, NULL);
	assert_true(profile_sum(&profile, &sum));
	assert_int_equal(sum, STACKS);
	assert_int_equal(profile.calls.n, DEPTH + 1);
	assert_true(profile.sites->stacks.table.count < STACKS);
	profile_release(&profile);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sites_become_names),
		cmocka_unit_test(test_sites_of_two_are_merged),
		cmocka_unit_test(test_sites_follow_their_names),
		cmocka_unit_test(test_sites_keep_values),
		cmocka_unit_test(test_sites_of_deep_stacks),
	};
	return RUN(tests);
}
