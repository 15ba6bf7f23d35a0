/* Functions of the GNU C library that musl lacks. Debian's static libraries need them, because they
 * are built for the GNU C library. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

int __sprintf_chk(char *out, int flag, size_t size, const char *format, ...);
int __snprintf_chk(char *out, size_t most, int flag, size_t size, const char *format, ...);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
void arc4random_buf(void *bytes, size_t n);

int __sprintf_chk(char *out, int flag, size_t size, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(out, size, format, arguments);
	va_end(arguments);
	(void)flag;
	return n;
}

int __snprintf_chk(char *out, size_t most, int flag, size_t size, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(out, most < size ? most : size, format, arguments);
	va_end(arguments);
	(void)flag;
	return n;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	int n = vfprintf(file, format, arguments);
	va_end(arguments);
	(void)flag;
	return n;
}

void arc4random_buf(void *bytes, size_t n) {
	if (getrandom(bytes, n, 0) != (ssize_t)n) {
		abort();
	}
}
