/* Figures that both C and the page's script compute. tests/vectors has the expected results.
 */
#include <math.h>

#include "test.h"

#include "analysis/functions.h"
#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapse.h"
#include "picture/compare.h"
#include "picture/label.h"
#include "profile/unit.h"

enum { MOST_FIELDS = 10 };

/** Read a file of the folder. The caller releases the text. */
static struct buf test_vectors_read(const char *name) {
	struct buf path = {0}, text = {0};
	buf_printf(&path, "%s/%s", getenv("VECTORS"), name);
	FILE *file = fopen(buf_text(&path), "r");
	assert_non_null(file);
	for (int c = getc(file); c != EOF; c = getc(file)) {
		buf_add_char(&text, (char)c);
	}
	(void)fclose(file);
	buf_release(&path);
	return text;
}

/** Pass the fields of each line to a function. Lines with remarks are skipped. */
static void test_vectors_each(const char *name, void (*check)(const struct str *fields)) {
	struct buf text = test_vectors_read(name);
	struct str rest = buf_str(&text);
	size_t lines = 0;
	while (rest.n > 0) {
		struct str line = str_cut(&rest, '\n'), fields[MOST_FIELDS];
		if (str_starts(line, STR("# "))) {
			continue;
		}
		for (size_t i = 0; i < MOST_FIELDS; i++) {
			fields[i] = str_cut(&line, '\t');
		}
		check(fields);
		lines++;
	}
	buf_release(&text);
	assert_true(lines > 40);
}

static uint64_t test_vectors_count(struct str text) {
	uint64_t count;
	assert_true(num_parse_u64(text, &count));
	return count;
}

static double test_vectors_real(struct str text) {
	double value;
	assert_true(num_parse_real(text, &value));
	return value;
}

/* --- Units ---------------------------------------------------------------------------------- */

static void test_vectors_check_text(const char *text, size_t n, struct str want) {
	check_str((struct str){text, n}, want, __FILE__, __LINE__);
}

static void test_vectors_check_unit(const struct str *fields) {
	uint64_t count = test_vectors_count(fields[1]);
	char out[UNIT_MAX];
	const struct unit unit = unit_of(fields[0]), plain = unit_plain(fields[0]);
	test_vectors_check_text(out, unit_format(out, &unit, count), fields[2]);
	test_vectors_check_text(unit.subject.p, unit.subject.n, fields[3]);
	test_vectors_check_text(out, unit_format_exact(out, &unit, count), fields[4]);
	char digits[NUM_GROUPED_MAX];
	size_t n = num_format_grouped(digits, count);
	test_vectors_check_text(out, unit_format(out, &plain, count), (struct str){digits, n});
	assert_int_equal(unit_format_exact(out, &plain, count), 0);
}

static void test_vectors_units(void **state) {
	(void)state;
	test_vectors_each("units.tsv", test_vectors_check_unit);
}

/* --- Labels --------------------------------------------------------------------------------- */

static void test_vectors_check_label(const struct str *fields) {
	struct buf buf = {0};
	size_t room = (size_t)test_vectors_count(fields[1]);
	check_str(label_shorten(fields[0], room, &buf), fields[2], __FILE__, __LINE__);
	assert_true(utf8_count(fields[2]) <= room);
	buf_release(&buf);
}

static void test_vectors_labels(void **state) {
	(void)state;
	test_vectors_each("labels.tsv", test_vectors_check_label);
}

/* --- Changes -------------------------------------------------------------------------------- */

static int test_vectors_append(void *buf, const void *bytes, size_t n) {
	buf_add(buf, bytes, n);
	return 0;
}

/** Check a line: factor, error, sample before and after, limit, before, after; amount, words,
 * shade. */
static void test_vectors_check_change(const struct str *fields) {
	struct scale scale = {.factor = test_vectors_real(fields[0]),
			      .error = test_vectors_real(fields[1]),
			      .sample_before = test_vectors_real(fields[2]),
			      .sample_after = test_vectors_real(fields[3]),
			      .limit = test_vectors_real(fields[4])};
	struct change change = {test_vectors_count(fields[5]), test_vectors_count(fields[6])};
	struct call_item frame = {.depth = 1};
	struct tree_change counts = {change, change};
	struct tree tree = {.frames = &frame, .changes = &counts, .n = 1};
	struct compared compared = {.scale = scale};
	struct box box = {.frame = &frame};
	struct layout layout = {.boxes = &box, .n = 1};
	struct picture picture = {
		.tree = &tree, .compared = &compared, .unit = unit_plain(STR(""))};
	struct buf title = {0}, want = {0}, amount = {0};
	struct output out;
	char digits[2][NUM_GROUPED_MAX];
	bool is_scaled = scale.factor != 1;
	uint64_t shown =
		is_scaled ? (uint64_t)llround(scale.factor * (double)change.before) : change.before;
	size_t before = num_format_grouped(digits[0], shown);
	size_t after = num_format_grouped(digits[1], change.after);
	output_init(&out, test_vectors_append, &title);
	compare_write_title(&out, &picture, &frame);
	assert_int_equal(output_finish(&out), 0);
	output_release(&out);
	buf_printf(&want, " (%.*s%s before, %.*s after, %.*s; self ", (int)before, digits[0],
		   is_scaled ? " scaled" : "", (int)after, digits[1], (int)fields[8].n,
		   fields[8].p);
	check_str(str_to(buf_str(&title), want.n), buf_str(&want), __FILE__, __LINE__);
	buf_add_fixed(&amount, change_amount(&scale, change), 3);
	check_str(buf_str(&amount), fields[7], __FILE__, __LINE__);
	compare_paint(&layout, &picture);
	assert_int_equal(box.fill.shade, test_vectors_count(fields[9]));
	buf_release(&title);
	buf_release(&want);
	buf_release(&amount);
}

static void test_vectors_changes(void **state) {
	(void)state;
	test_vectors_each("changes.tsv", test_vectors_check_change);
}

/* --- Functions ------------------------------------------------------------------------------ */

static int test_vectors_compare_names(const void *a, const void *b) {
	return str_compare(((const struct function *)a)->name, ((const struct function *)b)->name);
}

/** Add a count to `out`, or the counts before and after. */
static void test_vectors_add_counts(struct buf *out, const struct view *view,
				    struct change counts) {
	if (view->compared != NULL) {
		buf_printf(out, "\t%llu", (unsigned long long)counts.before);
	}
	buf_printf(out, "\t%llu", (unsigned long long)counts.after);
}

/** Add a line for each caller or each callee of a function. */
static void test_vectors_add_around(struct buf *out, const struct view *view, const char *what,
				    struct str name, struct functions *around) {
	qsort(around->items, around->n, sizeof(*around->items), test_vectors_compare_names);
	for (size_t i = 0; i < around->n; i++) {
		buf_printf(out, "%s\t%.*s\t%.*s", what, (int)name.n, name.p,
			   (int)around->items[i].name.n, around->items[i].name.p);
		test_vectors_add_counts(out, view, around->items[i].total);
		buf_add_char(out, '\n');
	}
	functions_release(around);
}

/** Add the figures of a view in the form of the files. */
static void test_vectors_add_functions(struct buf *out, const struct view *view) {
	struct functions functions, callers, callees;
	functions_collect(&functions, view);
	qsort(functions.items, functions.n, sizeof(*functions.items), test_vectors_compare_names);
	for (size_t i = 0; i < functions.n; i++) {
		const struct function *function = &functions.items[i];
		buf_printf(out, "function\t%.*s", (int)function->name.n, function->name.p);
		test_vectors_add_counts(out, view, function->self);
		test_vectors_add_counts(out, view, function->total);
		buf_add_char(out, '\n');
		functions_collect_callers(&callers, view, function->name);
		functions_collect_callees(&callees, view, function->name);
		test_vectors_add_around(out, view, "caller", function->name, &callers);
		test_vectors_add_around(out, view, "called", function->name, &callees);
	}
	functions_release(&functions);
}

/** Read folded text and add the figures of its view. */
static void test_vectors_compute(struct buf *out, const char *input, bool reverse) {
	struct diag diag = {0};
	struct buf text = test_vectors_read(input);
	struct source source = {.kind = SOURCE_MEMORY, .memory = text.p, .size = text.n};
	struct collapse collapse = {
		.format = collapse_find_format("folded"), .threads = 1, .diag = &diag};
	struct compared compared = {0};
	struct transform transform = {.reverse = reverse};
	struct profile *profile = &compared.profile;
	profile_init(profile, PROFILE_CALLS);
	assert_int_equal(collapse_sources(&collapse, &source, 1, profile), 0);
	bool two = profile->calls.two_counts;
	struct view view = {
		.profile = profile, .compared = two ? &compared : NULL, .transform = &transform};
	assert_true(!two || compared_find_totals(&compared));
	assert_int_equal(view_arrange(&view, &diag), 0);
	test_vectors_add_functions(out, &view);
	view_release(&view);
	compared_release(&compared);
	buf_release(&text);
}

static void test_vectors_functions(void **state) {
	(void)state;
	static const char *const names[] = {"functions.tsv", "functions-reversed.tsv",
					    "functions-two.tsv", "functions-two-reversed.tsv"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct buf want = test_vectors_read(names[i]), got = {0}, name = {0};
		struct str rest = buf_str(&want);

		struct str line = str_cut(&rest, '\n');
		while (str_starts(line, STR("# "))) {
			line = str_cut(&rest, '\n');
		}
		assert_bytes(str_cut(&line, '\t'), "input");
		buf_add_str(&name, str_cut(&line, '\t'));
		test_vectors_compute(&got, buf_text(&name), str_eq(line, STR("--reverse")));
		struct buf ours = {0};
		while (rest.n > 0) {
			line = str_cut(&rest, '\n');
			if (!str_starts(line, STR("callee\t"))) { // only for the page
				buf_add_str(&ours, line);
				buf_add_char(&ours, '\n');
			}
		}
		check_str(buf_str(&got), buf_str(&ours), __FILE__, __LINE__);
		buf_release(&ours);
		buf_release(&want);
		buf_release(&got);
		buf_release(&name);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors_units),
		cmocka_unit_test(test_vectors_labels),
		cmocka_unit_test(test_vectors_changes),
		cmocka_unit_test(test_vectors_functions),
	};
	return RUN(tests);
}
