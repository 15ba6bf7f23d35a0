/*
 * steps MILLIONS: does a fixed amount of work, in functions with stacks as deep as in usual
 * programs.
 */
#include <stdlib.h>

enum { DEPTH = 20, STEPS = 1000 };

static volatile unsigned long sink;

__attribute__((noinline)) static void steps_call(unsigned depth) {
	for (unsigned long i = 0; depth == 0 && i < STEPS; i++) {
		sink = sink + i;
	}
	if (depth > 0) {
		steps_call(depth - 1);
	}
	sink = sink + 1; // so that the call above is no jump
}

int main(int argc, char **argv) {
	unsigned long millions = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	for (unsigned long i = 0; i < millions * 1000; i++) {
		steps_call(DEPTH);
	}
	return 0;
}
