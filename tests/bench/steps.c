/*
 * steps MILLIONS: does a fixed amount of work. Its stacks are as deep as those of typical programs.
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
	// Code after the call, so that the compiler does not turn the call into a jump.
	sink = sink + 1;
}

int main(int argc, char **argv) {
	unsigned long millions = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	for (unsigned long i = 0; i < millions * 1000; i++) {
		steps_call(DEPTH);
	}
	return 0;
}
