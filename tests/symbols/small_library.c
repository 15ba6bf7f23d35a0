/* A small library whose symbols, inlined functions and call frame information the tests read. */
#include <stdlib.h>
#include <string.h>

int sample_add(int a, int b);
int sample_sort(int *numbers, size_t n);
char *sample_copy(const char *text);

static inline __attribute__((always_inline)) int twice(int a) {
	volatile int seen = a; // makes instructions that belong only to this function
	return seen * 2;
}

static inline __attribute__((always_inline)) int nested(int a) {
	return twice(a) + twice(a + 1);
}

__attribute__((visibility("default"))) int sample_add(int a, int b) {
	return nested(a) + b;
}

static int compare(const void *a, const void *b) {
	return *(const int *)a - *(const int *)b;
}

__attribute__((visibility("default"))) int sample_sort(int *numbers, size_t n) {
	qsort(numbers, n, sizeof(*numbers), compare);
	return n > 0 ? numbers[0] : 0;
}

__attribute__((visibility("default"))) char *sample_copy(const char *text) {
	size_t n = strlen(text) + 1;
	char *copy = malloc(n);
	return copy == NULL ? NULL : memcpy(copy, text, n);
}
