/* Run out of memory in an isolated job, run another job, then run out of memory without one. With
 * -DOWN the program has an inferno_out_of_memory() of its own. tests/library/examples builds it. */
#include <inferno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { LIMIT = 256 << 20, JOB_LIMIT = 16 << 20, NAMES = 200000 };

#ifdef OWN
void inferno_out_of_memory(void) {
	puts("its own function");
	exit(42);
}
#else // inferno_isolate() forbids such a function
static int no_memory_skip(void *context, const void *bytes, size_t size) {
	(void)context;
	(void)bytes;
	(void)size;
	return 0;
}

static enum inferno_status no_memory_run(const struct inferno_profile *profile, uint64_t memory) {
	struct inferno *job = inferno_new("convert");
	inferno_set(job, "format", "folded");
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_PROFILE, .profile = profile});
	if (memory > 0) {
		inferno_isolate(job, memory);
	}
	enum inferno_status status = inferno_run(job, no_memory_skip, NULL);
	printf("%d %s\n", (int)status, inferno_error(job));
	inferno_free(job);
	return status;
}
#endif

static void no_memory_add(struct inferno_profile *profile, unsigned from, unsigned to) {
	char name[64];
	for (unsigned i = from; i < to; i++) {
		snprintf(name, sizeof(name), "function_with_a_long_name_%u", i);
		inferno_profile_add(profile, (const char *[]){name}, 1, 1);
	}
}

int main(void) {
	struct rlimit limit = {LIMIT, LIMIT};
	setrlimit(RLIMIT_AS, &limit);
	setvbuf(stdout, NULL, _IOLBF, 0);
	struct inferno_profile *profile = inferno_profile_new(NULL);
	no_memory_add(profile, 0, NAMES);
#ifndef OWN
	no_memory_run(profile, JOB_LIMIT);
	no_memory_run(profile, 0);
#endif
	for (unsigned i = 1;; i++) {
		no_memory_add(profile, i * NAMES, (i + 1) * NAMES);
	}
}
