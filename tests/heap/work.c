/* Allocates 1000 objects, and keeps half of them. */
#include <stdlib.h>

static void *objects[1000];

static inline __attribute__((always_inline)) void *work_take(size_t size) {
	void *object = malloc(size);
	if (object == NULL) {
		abort();
	}
	return object;
}

__attribute__((noinline)) void work_fill(void) {
	for (int i = 0; i < 1000; i++) {
		objects[i] = work_take(64);
	}
}

__attribute__((noinline)) void work_drop(void) {
	for (int i = 0; i < 1000; i += 2) {
		free(objects[i]);
	}
}

int main(void) {
	work_fill();
	work_drop();
	return objects[1] == NULL;
}
