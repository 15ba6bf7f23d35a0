/* Opening files that a program or a recording names, and reading files that others may change. */
#include "test.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbols/inlines.h"
#include "symbols/opening.h"

static char folder[] = "/tmp/inferno-opening-XXXXXX";
static char path[128];

/** Return the path of a name in the folder of the test. */
static const char *test_opening_in_folder(const char *name) {
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void test_opening_write_file(const char *name, size_t size) {
	int fd = open(test_opening_in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	close(fd);
}

/** Return the errno of opening a file under these rules, or 0 if the file could be opened. */
static int test_opening_problem(int root, const char *name, struct file_rules rules) {
	int fd = open_regular(root, name, &rules);
	if (fd < 0) {
		return errno;
	}
	close(fd);
	return 0;
}

static void test_opening_only_regular_files(void **state) {
	(void)state;
	const struct file_rules any = {.most = UINT64_MAX};
	test_opening_write_file("plain", 10);
	assert_int_equal(mkfifo(test_opening_in_folder("fifo"), 0600), 0);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"), any), 0);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("fifo"), any),
			 EINVAL);
	assert_int_equal(test_opening_problem(OWN_ROOT, folder, any), EINVAL);
	assert_int_equal(test_opening_problem(OWN_ROOT, "/dev/zero", any), EINVAL);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("none"), any),
			 ENOENT);
}

static void test_opening_sizes(void **state) {
	(void)state;
	test_opening_write_file("plain", 10);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"),
					      (struct file_rules){.most = 10}),
			 0);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"),
					      (struct file_rules){.most = 9}),
			 EFBIG);
}

/**
 * Files of the kernel have the size 0. inferno refuses them all, because some of them can be read
 * only once.
 */
static void test_opening_files_of_the_kernel(void **state) {
	(void)state;
	const struct file_rules any = {.most = UINT64_MAX};
	const struct file_rules filled = {.most = UINT64_MAX, .filled = true};
	struct buf bytes = {0};
	test_opening_write_file("plain", 10);
	assert_int_equal(test_opening_problem(OWN_ROOT, "/proc/self/status", filled), EINVAL);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"), filled),
			 0);
	int fd = open_regular(OWN_ROOT, "/proc/self/status", &any);
	assert_true(fd >= 0);
	assert_int_equal(read_to_hole(fd, SIZE_MAX, &bytes), 0);
	assert_int_equal(bytes.n, 0);
	close(fd);
}

static void test_opening_owners(void **state) {
	(void)state;
	struct file_rules rules = {.most = UINT64_MAX, .owned = true};
	test_opening_write_file("plain", 10);
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"), rules),
			 0); // a file of this user
	if (geteuid() != 0) {
		assert_int_equal(test_opening_problem(OWN_ROOT, "/proc/self/exe", rules),
				 0); // a file of this user or of root
		return;
	}
	if (chown(test_opening_in_folder("plain"), 4242, 4242) != 0) {
		// Do not call cmocka's skip(): it prints `not ok` in TAP, which counts as a
		// failure.
		print_message("# not tried: there are no other users here\n");
		return;
	}
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"), rules),
			 EPERM);
	rules.users[1] = 4242;
	assert_int_equal(test_opening_problem(OWN_ROOT, test_opening_in_folder("plain"), rules), 0);
}

/** Return whether openat2() works here: it does not in qemu. */
static bool test_opening_has_openat2(int root) {
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
	int fd = (int)syscall(SYS_openat2, root, "/inside", &how, sizeof(how));
	if (fd >= 0) {
		close(fd);
	}
	return fd >= 0;
}

/** Links below another root folder must not lead out of it. */
static void test_opening_other_roots(void **state) {
	(void)state;
	const struct file_rules any = {.most = UINT64_MAX};
	test_opening_write_file("inside", 10);
	assert_int_equal(symlink("/inside", test_opening_in_folder("absolute")), 0);
	assert_int_equal(symlink("../../../../inside", test_opening_in_folder("upwards")), 0);
	assert_int_equal(symlink("/etc/passwd", test_opening_in_folder("outside")), 0);
	int root = open(folder, O_PATH | O_DIRECTORY);
	assert_int_equal(test_opening_problem(root, "/inside", any), 0);
	if (!test_opening_has_openat2(root)) {
		close(root);
		print_message("# not tried: the kernel has no openat2()\n");
		return;
	}
	assert_int_equal(test_opening_problem(root, "/absolute", any), 0);
	assert_int_equal(test_opening_problem(root, "/upwards", any), 0);
	assert_int_equal(test_opening_problem(root, "/outside", any), ENOENT);
	assert_int_equal(test_opening_problem(root, "/../../../etc/passwd", any), ENOENT);
	close(root);
}

/** Copy this program into the folder. Return its size. */
static size_t test_opening_copy_program(void) {
	static char bytes[1 << 20];
	int from = open("/proc/self/exe", O_RDONLY);
	int to = open(test_opening_in_folder("program"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t size = 0;
	for (ptrdiff_t n; (n = read(from, bytes, sizeof(bytes))) > 0; size += (size_t)n) {
		assert_int_equal(write(to, bytes, (size_t)n), n);
	}
	close(from);
	close(to);
	return size;
}

/** Read a byte of each page of all sections. */
static unsigned test_opening_touch(const struct elf *elf) {
	unsigned sum = 0;
	for (size_t i = 0; i < elf->section_count; i++) {
		struct str bytes = elf_raw(elf, &elf->sections[i]);
		for (size_t at = 0; at < bytes.n; at += 512) {
			sum += (unsigned char)bytes.p[at];
		}
	}
	return sum;
}

/** A file that is truncated after it was opened ends earlier, and reading beyond its end is no
 * crash. */
static void test_opening_shorter_files(void **state) {
	(void)state;
	const struct symbols_options options = {.srcline = true, .cache = STR("/nonexistent")};
	struct symbols_missing missing = {.libdw = false};
	struct inline_frame frames[INLINES_MOST];
	enum object_state found;
	size_t size = test_opening_copy_program();
	for (size_t left = 0; left < size; left += size / 5) {
		(void)test_opening_copy_program();
		struct file *file = file_open(test_opening_in_folder("program"), &found);
		assert_non_null(file);
		assert_int_equal(truncate(test_opening_in_folder("program"), (off_t)left), 0);
		(void)test_opening_touch(&file->elf);
		assert_true(left > 0 || file_problem(file) != 0);
		struct inlines *inlines = inlines_open(&options, file, &missing);
		for (uint64_t at = 0; at < size && inlines != NULL; at += size / 100) {
			(void)inlines_at(inlines, at, true, frames);
		}
		inlines_free(inlines);
		file_free(file);
	}
}

static void test_opening_whole_files(void **state) {
	(void)state;
	enum object_state found;
	(void)test_opening_copy_program();
	struct file *file = file_open(test_opening_in_folder("program"), &found);
	assert_non_null(file);
	assert_true(test_opening_touch(&file->elf) > 0);
	assert_int_equal(file_problem(file), 0);
	file_free(file);
}

static int test_opening_make_folder(void **state) {
	(void)state;
	return mkdtemp(folder) == NULL;
}

static int test_opening_remove_folder(void **state) {
	(void)state;
	static const char *const names[] = {"plain",   "fifo",    "inside", "absolute",
					    "upwards", "outside", "program"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)unlink(test_opening_in_folder(names[i]));
	}
	return rmdir(folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opening_only_regular_files),
		cmocka_unit_test(test_opening_sizes),
		cmocka_unit_test(test_opening_files_of_the_kernel),
		cmocka_unit_test(test_opening_owners),
		cmocka_unit_test(test_opening_other_roots),
		cmocka_unit_test(test_opening_shorter_files),
		cmocka_unit_test(test_opening_whole_files),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, test_opening_make_folder, test_opening_remove_folder);
}
