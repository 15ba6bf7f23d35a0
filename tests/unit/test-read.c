/* Reading files, and noting files that cannot be read. */
#include "base/read.h"

#include <errno.h>
#include <unistd.h>

#include "base/unread.h"
#include "test.h"

/** Make a file with these bytes. */
static void test_read_make(char *path, struct str bytes) {
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	close(fd);
}

static void test_read_whole_and_parts(void **state) {
	(void)state;
	char path[] = "/tmp/test-read-XXXXXX", part[8];
	struct buf bytes = {0};
	test_read_make(path, STR("0123456789"));
	assert_int_equal(read_whole(path, 10, &bytes), 0);
	assert_str(buf_str(&bytes), "0123456789");
	assert_int_equal(read_whole(path, 9, &bytes), EFBIG);
	int fd = read_open(path);
	assert_int_equal(read_part(fd, 7, part, sizeof(part)), 3);
	assert_int_equal(read_part(fd, 20, part, sizeof(part)), 0);
	assert_int_equal(read_start(fd, part, sizeof(part)), 8);
	assert_int_equal(read_start(fd, part, sizeof(part)), 2);
	close(fd);
	assert_int_equal(read_part(fd, 0, part, sizeof(part)), -1);
	unlink(path);
	buf_release(&bytes);
}

static void test_read_reasons(void **state) {
	(void)state;
	struct buf bytes = {0};
	assert_int_equal(read_whole("/nonexistent", 10, &bytes), ENOENT);
	assert_int_equal(read_whole("/", 10, &bytes), EISDIR);
	errno = EMFILE;
	assert_int_equal(read_and_close(-1, 10, &bytes), EMFILE);
	assert_int_equal(bytes.n, 0);
	buf_release(&bytes);
}

/** A missing file is not noted; other faults are noted with their reasons, each once. */
static void test_read_unread_files(void **state) {
	(void)state;
	struct unread unread = {0};
	struct buf text = {0};
	unread_note(&unread, "/a", ENOENT);
	unread_note(&unread, "/a", EACCES);
	unread_note_wanted(&unread, "/a", ESRCH);
	assert_int_equal(unread.n, 0);
	unread_note_wanted(&unread, "/a", EACCES);
	unread_note(&unread, "/b", EIO);
	unread_note(&unread, "/b", EIO);
	unread_format(&unread, &text);
	assert_str(buf_str(&text), "'/a' (Permission denied), '/b' (Input/output error)");
	unread_note(&unread, "/c", ENOMEM);
	unread_note(&unread, "/d", EIO);
	unread_note(&unread, "/e", EIO);
	buf_clear(&text);
	unread_format(&unread, &text);
	assert_has(buf_text(&text), "'/c' (Cannot allocate memory) and 2 more");
	unread_release(&unread);
	buf_release(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_whole_and_parts),
		cmocka_unit_test(test_read_reasons),
		cmocka_unit_test(test_read_unread_files),
	};
	return RUN(tests);
}
