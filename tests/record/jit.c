/* jit SECONDS [word]: runs code that it generates, and writes its perf map only at the end, like
 * runtimes that write the map in large pieces. With "word", the generated code calls a function,
 * and keeps one word on the stack, but no frame pointer, as code of Python does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* push %rbp; mov %rsp,%rbp; mov %rdi,%rcx; again: dec %rcx; jne again; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf9,
				     0x48, 0xff, 0xc9, 0x75, 0xfb, 0x5d, 0xc3};

/* sub $8,%rsp; call *%rcx; add $8,%rsp; ret */
static const unsigned char calling[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd1,
					0x48, 0x83, 0xc4, 0x08, 0xc3};

static volatile long sink;

__attribute__((noinline)) static void burn(long turns) {
	for (long i = 0; i < turns; i++) {
		sink = sink + i;
	}
}

int main(int argc, char **argv) {
	enum { TURNS = 100000 };
	void *made = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	char path[64];
	if (argc < 2 || made == MAP_FAILED) {
		return 1;
	}
	if (argc > 2) {
		memcpy(made, calling, sizeof(calling));
	} else {
		memcpy(made, code, sizeof(code));
	}
	if (mprotect(made, sizeof(code), PROT_READ | PROT_EXEC) != 0) {
		return 1;
	}
	void (*run)(long, long, long, void (*)(long));
	memcpy(&run, &made, sizeof(run));
	double wanted = atof(argv[1]) * CLOCKS_PER_SEC;
	while ((double)clock() < wanted) {
		run(TURNS, 0, 0, burn);
	}
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	FILE *file = fopen(path, "w");
	if (file == NULL) {
		return 1;
	}
	fprintf(file, "%lx %zx made_late\n", (unsigned long)made, sizeof(code));
	printf("%d\n", (int)getpid());
	return fclose(file) != 0;
}
