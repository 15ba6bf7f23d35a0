/* The table from bytes to ids. */
#include "test.h"

#include "base/intern.h"

static void test_intern_empty(void **state) {
	(void)state;
	struct intern table = {0};
	intern_release(&table);
	struct intern_key *key = intern_get(&table, "", 0);
	assert_int_equal(key->id, 0);
	assert_int_equal(key->len, 0);
	assert_ptr_equal(intern_get(&table, "x", 0), key);
	assert_int_equal(table.count, 1);
	intern_release(&table);
	assert_int_equal(table.count, 0);
}

static void test_intern_ids_follow_arrival(void **state) {
	(void)state;
	struct intern table = {0};
	assert_int_equal(intern_get(&table, "a", 1)->id, 0);
	assert_int_equal(intern_get(&table, "b", 1)->id, 1);
	assert_int_equal(intern_get(&table, "a", 1)->id, 0);
	assert_int_equal(intern_get(&table, "a\0", 2)->id, 2);
	assert_int_equal(intern_get(&table, "a\0b", 3)->id, 3);
	assert_str(intern_str(table.keys[1]), "b");
	assert_bytes(intern_str(table.keys[3]), "a\0b");
	intern_release(&table);
}

/** Each new key is a miss. After the table has grown many times, every key is found, with the same
 * id. */
static void test_intern_grows(void **state) {
	(void)state;
	enum { KEYS = 200000 };
	struct intern table = {0};
	struct buf text = {0};
	const struct intern_key *first = NULL;
	size_t misses = 0;
	struct random random = {7};
	for (size_t i = 0; i < 3 * KEYS; i++) {
		size_t number = i < KEYS ? i : random_below(&random, KEYS);
		buf_clear(&text);
		buf_printf(&text, "key %zu", number);
		struct intern_key *key = intern_get(&table, text.p, text.n);
		first = first == NULL ? key : first;
		misses += key->value == 0;
		assert_true(key->value == 0 || key->value == number + 1);
		assert_int_equal(key->id, number);
		key->value = number + 1;
	}
	assert_int_equal(misses, KEYS);
	assert_int_equal(table.count, KEYS);
	assert_ptr_equal(table.keys[0], first);
	for (size_t i = 0; i < KEYS; i += 997) {
		buf_clear(&text);
		buf_printf(&text, "key %zu", i);
		assert_str(intern_str(table.keys[i]), buf_text(&text));
	}
	buf_release(&text);
	intern_release(&table);
}

static void test_intern_seeds_differ(void **state) {
	(void)state;
	struct intern a = {0}, b = {0};
	intern_get(&a, "x", 1);
	intern_get(&b, "x", 1);
	assert_true(a.seed != b.seed);
	intern_release(&a);
	intern_release(&b);
}

static void test_intern_long_keys(void **state) {
	(void)state;
	enum { LONG = 3 << 20 };
	char *bytes = mem_new(LONG, 1);
	struct intern table = {0};
	assert_int_equal(intern_get(&table, bytes, LONG)->id, 0);
	assert_int_equal(intern_get(&table, bytes, LONG - 1)->id, 1);
	bytes[LONG - 1] = 1;
	assert_int_equal(intern_get(&table, bytes, LONG)->id, 2);
	bytes[LONG - 1] = 0;
	assert_int_equal(intern_get(&table, bytes, LONG)->id, 0);
	free(bytes);
	intern_release(&table);
}

/** The guess for a hash is the right key, unless two keys have the same hash. */
static void test_intern_guesses(void **state) {
	(void)state;
	struct intern table = {0};
	assert_null(intern_guess(&table, 0));
	for (uint32_t i = 0; i < 3000; i++) {
		intern_get(&table, &i, sizeof(i));
	}
	for (uint32_t i = 0; i < 6000; i++) {
		uint64_t hash = hash_bytes(&i, sizeof(i), table.seed);
		const struct intern_key *key = intern_guess(&table, hash);
		assert_ptr_equal(key, intern_find(&table, &i, sizeof(i)));
		assert_true((key != NULL) == (i < 3000));
	}
	intern_release(&table);
}

static void test_intern_check_sorted(const struct intern *table) {
	struct sort_item *sorted = intern_sort(table);
	for (uint32_t i = 1; i < table->count; i++) {
		struct str a = intern_str(table->keys[sorted[i - 1].id]);
		struct str b = intern_str(table->keys[sorted[i].id]);
		assert_true(str_compare(a, b) < 0);
	}
	free(sorted);
}

/** Sort keys with long common prefixes, keys that are prefixes of others, and keys that
 * contain zero bytes. The sort must not take these bytes for the padding of a shorter key. */
static void test_intern_sorts(void **state) {
	(void)state;
	struct intern table = {0};
	struct random random = {11};
	char bytes[200];
	test_intern_check_sorted(&table);
	for (size_t i = 0; i < 20000; i++) {
		static const char few[] = {'\0', '\1', 'a', '\xff'};
		bool zeros = i % 3 == 0;
		size_t n = random_below(&random, sizeof(bytes));
		for (size_t at = 0; at < n; at++) {
			bool same = zeros || at < n - n % 16;
			bytes[at] = same ? (char)(i % 3) : few[random_below(&random, 4)];
		}
		intern_get(&table, bytes, n);
	}
	test_intern_check_sorted(&table);
	intern_release(&table);
}

/** Sort many keys that consist of zeros: so many that the sort has to split them. */
static void test_intern_sorts_zeros(void **state) {
	(void)state;
	struct intern table = {0};
	char *zeros = mem_new(1000, 1);
	for (size_t n = 1000; n > 0; n--) {
		intern_get(&table, zeros, n - 1);
	}
	test_intern_check_sorted(&table);
	free(zeros);
	intern_release(&table);
}

static jmp_buf ended;

/** Replace the function that ends the process when memory runs out: a test expects the call. */
_Noreturn void inferno_out_of_memory(void) {
	longjmp(ended, 1);
}

static void test_intern_highest_bit_of_ids_is_free(void **state) {
	(void)state;
	struct intern table = {.count = INTERN_MOST};
	assert_int_equal(INTERN_MOST - 1, INT32_MAX);
	if (setjmp(ended) == 0) {
		intern_add(&table, "one too many", 3, 0);
		fail_msg("there was an id for it");
	}
	assert_int_equal(table.count, INTERN_MOST);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intern_empty),
		cmocka_unit_test(test_intern_ids_follow_arrival),
		cmocka_unit_test(test_intern_grows),
		cmocka_unit_test(test_intern_seeds_differ),
		cmocka_unit_test(test_intern_long_keys),
		cmocka_unit_test(test_intern_guesses),
		cmocka_unit_test(test_intern_sorts),
		cmocka_unit_test(test_intern_sorts_zeros),
		cmocka_unit_test(test_intern_highest_bit_of_ids_is_free),
	};
	return RUN(tests);
}
