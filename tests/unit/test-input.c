/* Reading and decompressing bytes of files, descriptors and memory. */
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/input.h"
#include "base/mem.h"

/** Read an input to its end in pieces of `step` bytes into `out`. Return the last result of
 * input_read().
 */
static ptrdiff_t test_input_read_rest(struct input *input, size_t step, struct buf *out) {
	ptrdiff_t len;
	while ((len = input_read(input, buf_room(out, step), step)) > 0) {
		assert_true((size_t)len <= step);
		out->n += (size_t)len;
	}
	return len;
}

/**
 * Read a source to its end in pieces of `step` bytes into `out`. Return the last result of
 * input_read().
 */
static ptrdiff_t test_input_read_all(const struct source *source, size_t step, struct buf *out,
				     struct diag *diag) {
	struct input *input = input_open(source, diag);
	if (input == NULL) {
		return -1;
	}
	ptrdiff_t len = test_input_read_rest(input, step, out);
	input_close(input);
	return len;
}

static void test_input_check_memory(struct str packed, struct str expected) {
	static const size_t steps[] = {1, 7, 4096, 1 << 20};
	for (size_t i = expected.n > 10000 ? 2 : 0; i < 4; i++) {
		struct diag diag = {0};
		struct buf out = {0};
		assert_int_equal(test_input_read_all(&(struct source){.kind = SOURCE_MEMORY,
								      .memory = packed.p,
								      .size = packed.n},
						     steps[i], &out, &diag),
				 0);
		assert_true(str_eq(buf_str(&out), expected));
		buf_release(&out);
		diag_release(&diag);
	}
}

#if defined(HAVE_ZLIB) || defined(HAVE_ZSTD)
/** Check that reading fails, and that the message contains `part` and the name of the source. */
static void test_input_check_failure(struct str packed, const char *part) {
	struct diag diag = {0};
	struct buf out = {0};
	assert_int_equal(test_input_read_all(&(struct source){.kind = SOURCE_MEMORY,
							      .memory = packed.p,
							      .size = packed.n,
							      .name = "NAME"},
					     4096, &out, &diag),
			 -1);
	assert_has(buf_text(&diag.error), "NAME: ");
	assert_has(buf_text(&diag.error), part);
	buf_release(&out);
	diag_release(&diag);
}
#endif

/** Text of several megabytes that compresses a little. */
static struct buf test_input_long_text(void) {
	struct buf text = {0};
	struct random random = {3};
	while (text.n < 3 << 20) {
		buf_printf(&text, "frame%zu;frame%zu %zu\n", random_below(&random, 100),
			   random_below(&random, 100), text.n);
	}
	return text;
}

static void test_input_plain_memory(void **state) {
	(void)state;
	test_input_check_memory(STR(""), STR(""));
	test_input_check_memory(STR("a"), STR("a"));
	test_input_check_memory(STR("\x1f\x8b"), STR("\x1f\x8b"));
	test_input_check_memory(STR("a\0b\n"), STR("a\0b\n"));
	test_input_check_memory(STR("\xef\xbb\xbf"), STR(""));
	test_input_check_memory(STR("\xef\xbb\xbf"
				    "a 1\n"),
				STR("a 1\n"));
	test_input_check_memory(STR("\xef\xbb"), STR("\xef\xbb"));
	test_input_check_memory(STR("\xef\xbb\xbf\xef\xbb\xbf"
				    "a"),
				STR("\xef\xbb\xbf"
				    "a")); // only one magic number
	struct buf text = test_input_long_text();
	test_input_check_memory(buf_str(&text), buf_str(&text));
	buf_release(&text);
}

#if defined(HAVE_ZLIB) || defined(HAVE_ZSTD)
/** Check that packed texts are read, also several of them in a row. */
static void test_input_check_packing(void (*pack)(struct buf *out, struct str text)) {
	struct buf packed = {0}, text = test_input_long_text(), twice = {0};
	pack(&packed, STR(""));
	test_input_check_memory(buf_str(&packed), STR(""));
	buf_clear(&packed);
	pack(&packed, STR("a;b 1\n"));
	test_input_check_memory(buf_str(&packed), STR("a;b 1\n"));
	pack(&packed, STR("")); // members follow one another
	pack(&packed, STR("c 2\n"));
	test_input_check_memory(buf_str(&packed), STR("a;b 1\nc 2\n"));
	buf_clear(&packed);
	pack(&packed, STR(""));
	pack(&packed, STR("\xef\xbb\xbf"
			  "a 1\n"));
	test_input_check_memory(buf_str(&packed), STR("a 1\n"));
	buf_clear(&packed);
	pack(&packed, buf_str(&text));
	pack(&packed, buf_str(&text));
	buf_add_str(&twice, buf_str(&text));
	buf_add_str(&twice, buf_str(&text));
	test_input_check_memory(buf_str(&packed), buf_str(&twice));
	buf_release(&packed);
	buf_release(&text);
	buf_release(&twice);
}
#endif

#ifdef HAVE_ZLIB
static void test_input_add_gzip(struct buf *out, struct str text) {
	z_stream stream = {0};
	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	size_t room = deflateBound(&stream, text.n) + 64;
	stream.next_in = (Bytef *)(uintptr_t)text.p;
	stream.avail_in = (uInt)text.n;
	stream.next_out = (Bytef *)buf_room(out, room);
	stream.avail_out = (uInt)room;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	out->n += stream.total_out;
	deflateEnd(&stream);
}

static void test_input_gzip(void **state) {
	(void)state;
	test_input_check_packing(test_input_add_gzip);
}

static void test_input_damaged_gzip(void **state) {
	(void)state;
	struct buf packed = {0}, text = test_input_long_text();
	test_input_add_gzip(&packed, STR("a;b 1\n"));
	for (size_t n = 3; n < packed.n; n++) { // three bytes are the magic number
		test_input_check_failure(str_to(buf_str(&packed), n), "cut off");
	}
	struct buf copy = {0};
	buf_add_str(&copy, buf_str(&packed));
	copy.p[copy.n - 5] ^= 1; // the check sum
	test_input_check_failure(buf_str(&copy), "damaged");
	buf_clear(&copy);
	buf_add_str(&copy, buf_str(&packed));
	buf_add_text(&copy, "\x1f\x8b\x08"); // a second member that is cut off
	test_input_check_failure(buf_str(&copy), "cut off");
	buf_clear(&packed);
	test_input_add_gzip(&packed, buf_str(&text));
	test_input_check_failure(str_to(buf_str(&packed), packed.n / 2), "cut off");
	packed.p[packed.n / 2] ^= 0x55;
	test_input_check_failure(buf_str(&packed), "damaged");
	buf_release(&packed);
	buf_release(&copy);
	buf_release(&text);
}
#endif

#ifdef HAVE_ZSTD
static void test_input_add_zstd(struct buf *out, struct str text) {
	size_t room = ZSTD_compressBound(text.n);
	size_t n = ZSTD_compress(buf_room(out, room), room, text.p, text.n, 3);
	assert_false(ZSTD_isError(n));
	out->n += n;
}

/** Add a skippable frame: one of 16 magic numbers, a length, and as many bytes. */
static void test_input_add_skippable(struct buf *out, int number) {
	buf_add_char(out, (char)(0x50 + number));
	buf_add_str(out, STR("\x2a\x4d\x18\x05\0\0\0hello"));
}

static void test_input_zstd_skippable(void **state) {
	(void)state;
	struct buf packed = {0};
	for (int number = 0; number < 16; number++) {
		buf_clear(&packed);
		test_input_add_skippable(&packed, number);
		test_input_check_memory(buf_str(&packed), STR(""));
		test_input_add_skippable(&packed, 15 - number);
		test_input_add_zstd(&packed, STR("\xef\xbb\xbf"
						 "a;b 1\n"));
		test_input_add_skippable(&packed, number);
		test_input_add_zstd(&packed, STR("c 2\n"));
		test_input_check_memory(buf_str(&packed), STR("a;b 1\nc 2\n"));
		test_input_add_skippable(&packed, 0);
		test_input_check_memory(buf_str(&packed), STR("a;b 1\nc 2\n"));
		test_input_check_failure(str_to(buf_str(&packed), packed.n - 1), "cut off");
		test_input_check_failure(str_to(buf_str(&packed), 10), "cut off");
		buf_add_text(&packed, "text");
		test_input_check_failure(buf_str(&packed), "damaged");
	}
	buf_release(&packed);
}

/**
 * The output of `zstd --long=31` is refused, because reading it takes more memory than inferno
 * allows.
 */
static void test_input_zstd_long(void **state) {
	(void)state;
	test_input_check_failure(STR("\x28\xb5\x2f\xfd\x04\xa8\x74\x00\x00\x30\x61\x3b"),
				 "try: zstd -dc --long=31");
}

static void test_input_zstd(void **state) {
	(void)state;
	test_input_check_packing(test_input_add_zstd);
}

static void test_input_damaged_zstd(void **state) {
	(void)state;
	struct buf packed = {0}, text = test_input_long_text();
	test_input_add_zstd(&packed, STR("a;b 1\n"));
	for (size_t n = 4; n < packed.n; n++) {
		test_input_check_failure(str_to(buf_str(&packed), n), "cut off");
	}
	buf_clear(&packed);
	test_input_add_zstd(&packed, buf_str(&text));
	test_input_check_failure(str_to(buf_str(&packed), packed.n / 2), "cut off");
	memset(packed.p + packed.n / 2, 0xff, 64);
	test_input_check_failure(buf_str(&packed), "damaged");
	buf_release(&packed);
	buf_release(&text);
}
#endif

/** Peek at a growing number of bytes, then read. No byte may be lost or repeated. */
static void test_input_check_peeks(struct str packed, struct str expected) {
	struct diag diag = {0};
	struct input *input = input_open(
		&(struct source){.kind = SOURCE_MEMORY, .memory = packed.p, .size = packed.n},
		&diag);
	assert_non_null(input);
	struct buf out = {0};
	struct random random = {expected.n};
	for (bool ended = false; !ended;) {
		size_t want = random_below(&random, 3) == 0 ? expected.n + 1
							    : random_below(&random, 100000) + 1;
		size_t left = expected.n - out.n;
		struct str seen;
		bool whole;
		assert_int_equal(input_peek(input, want, &seen, &whole), 0);
		assert_int_equal(seen.n, want < left ? want : left);
		assert_true(whole ? seen.n == left : true);
		assert_true(want <= left || whole);
		assert_true(str_eq(seen, (struct str){expected.p + out.n, seen.n}));
		size_t step = random_below(&random, 60000) + 1;
		ptrdiff_t len = input_read(input, buf_room(&out, step), step);
		assert_true(len >= 0 && (size_t)len <= step);
		out.n += (size_t)len;
		ended = len == 0;
	}
	assert_true(str_eq(buf_str(&out), expected));
	buf_release(&out);
	input_close(input);
	diag_release(&diag);
}

static void test_input_peeking_takes_nothing(void **state) {
	(void)state;
	struct buf text = test_input_long_text();
	test_input_check_peeks(STR(""), STR(""));
	test_input_check_peeks(STR("abc"), STR("abc"));
	test_input_check_peeks(buf_str(&text), buf_str(&text));
#ifdef HAVE_ZLIB
	struct buf packed = {0};
	test_input_add_gzip(&packed, buf_str(&text));
	test_input_check_peeks(buf_str(&packed), buf_str(&text));
	buf_release(&packed);
#endif
#ifdef HAVE_ZSTD
	struct buf zstd = {0};
	test_input_add_zstd(&zstd, buf_str(&text));
	test_input_check_peeks(buf_str(&zstd), buf_str(&text));
	buf_release(&zstd);
#endif
	buf_release(&text);
}

static void test_input_files_and_descriptors(void **state) {
	(void)state;
	char path[] = "/tmp/inferno-test-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "a;b 1\n", 6), 6);
	struct diag diag = {0};
	struct input *input = input_open(&(struct source){.path = path}, &diag);
	assert_non_null(input);
	assert_string_equal(input_name(input), path);
	assert_true(input_is_file(input));
	assert_int_equal(input_size(input), 6);
	struct buf out = {0};
	for (int again = 0; again < 2; again++) {
		buf_clear(&out);
		assert_int_equal(test_input_read_rest(input, 16, &out), 0);
		assert_str(buf_str(&out), "a;b 1\n");
		assert_int_equal(input_position(input), 6);
		assert_int_equal(input_rewind(input), 0);
	}
	buf_clear(&out);
	assert_int_equal(test_input_read_all(&(struct source){.input = input}, 16, &out, &diag), 0);
	assert_str(buf_str(&out), "a;b 1\n");

	assert_int_equal(lseek(fd, 2, SEEK_SET), 2);
	buf_clear(&out);
	assert_int_equal(test_input_read_all(
				 &(struct source){.kind = SOURCE_DESCRIPTOR, .fd = fd, .name = "N"},
				 4, &out, &diag),
			 0);
	assert_str(buf_str(&out), "b 1\n");
	assert_true(fcntl(fd, F_GETFD) >= 0); // it is still open
	buf_clear(&out);
	assert_int_equal(input_read_file(path, &out, &diag), 0);
	assert_str(buf_str(&out), "a;b 1\n");
	buf_release(&out);
	close(fd);
	unlink(path);
	diag_release(&diag);
}

/** A pipe may deliver its bytes one by one, even within the magic number. */
static void test_input_slow_pipe(void **state) {
	(void)state;
	struct buf sent = {0}, out = {0};
#ifdef HAVE_ZLIB
	test_input_add_gzip(&sent, STR("a;b 1\n"));
#else
	buf_add_text(&sent, "a;b 1\n");
#endif
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < sent.n; i++) {
			if (write(ends[1], sent.p + i, 1) != 1) {
				_exit(1);
			}
			usleep(500);
		}
		_exit(0);
	}
	close(ends[1]);
	struct diag diag = {0};
	assert_int_equal(
		test_input_read_all(
			&(struct source){.kind = SOURCE_DESCRIPTOR, .fd = ends[0], .name = "pipe"},
			4096, &out, &diag),
		0);
	assert_str(buf_str(&out), "a;b 1\n");
	close(ends[0]);
	buf_release(&sent);
	buf_release(&out);
	diag_release(&diag);
}

static void test_input_what_cannot_be_opened(void **state) {
	(void)state;
	static const char *const cases[][2] = {
		{"/no/such/file", "/no/such/file: cannot open: No such file or directory"},
		{"", ": cannot open: No such file or directory"},
		{"/", "/: is a directory"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct diag diag = {0};
		assert_null(input_open(&(struct source){.path = cases[i][0]}, &diag));
		assert_has(diag.error.p, cases[i][1]);
		diag_release(&diag);
	}
	struct diag diag = {0};
	assert_null(input_open(
		&(struct source){.kind = SOURCE_DESCRIPTOR, .fd = 999, .name = "nothing"}, &diag));
	assert_has(diag.error.p, "nothing: cannot open: Bad file descriptor");
	diag_release(&diag);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_input_plain_memory),
#ifdef HAVE_ZLIB
		cmocka_unit_test(test_input_gzip),
		cmocka_unit_test(test_input_damaged_gzip),
#endif
#ifdef HAVE_ZSTD
		cmocka_unit_test(test_input_zstd),
		cmocka_unit_test(test_input_damaged_zstd),
		cmocka_unit_test(test_input_zstd_skippable),
		cmocka_unit_test(test_input_zstd_long),
#endif
		cmocka_unit_test(test_input_peeking_takes_nothing),
		cmocka_unit_test(test_input_files_and_descriptors),
		cmocka_unit_test(test_input_slow_pipe),
		cmocka_unit_test(test_input_what_cannot_be_opened),
	};
	return RUN(tests);
}
