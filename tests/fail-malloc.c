/* Preloaded, it lets one allocation of a program fail: the one whose number FAIL_AT gives, from 1.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

static int fails(void) {
	static long left = -1;
	if (left < 0) {
		const char *text = getenv("FAIL_AT");
		left = text == NULL ? 0 : atol(text);
	}
	int now = left == 1;
	left -= left > 0;
	errno = now ? ENOMEM : errno;
	return now;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
	return fails() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size) {
	return fails() ? NULL : __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *memory, size_t size) {
	return fails() ? NULL : __libc_realloc(memory, size);
}
