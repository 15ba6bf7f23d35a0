/* Replaces sampling.c on systems and in builds without inferno's own sampler. */
#include "commands/sampling.h"

bool sampling_exists(void) {
	return false;
}

bool sampling_copies_stacks(void) {
	return true; // a profiler that cannot sample reports this itself
}

const char *sampling_check_cpus(const char *list) {
	(void)list;
	return NULL;
}

int sampling_check_events(const struct opt_list *lists, struct diag *diag) {
	(void)lists, (void)diag;
	return 0;
}

struct sampling *sampling_start(const struct sampling_config *config, struct diag *diag) {
	(void)config;
	diag_error(diag, "this inferno has no sampler of its own");
	return NULL;
}

ptrdiff_t sampling_read(struct sampling *sampling, void *bytes, size_t size) {
	(void)sampling, (void)bytes, (void)size;
	return 0;
}

struct perf_watch sampling_watch(struct sampling *sampling) {
	(void)sampling;
	return (struct perf_watch){0};
}

void sampling_store(struct sampling *sampling, const void *bytes, size_t n, struct buf *out) {
	(void)sampling, (void)bytes, (void)n, (void)out;
}

void sampling_end_store(struct sampling *sampling, struct buf *out, struct buf *start) {
	(void)sampling, (void)out, (void)start;
}

const char *sampling_kallsyms(const struct sampling *sampling) {
	(void)sampling;
	return NULL;
}

int sampling_finish(struct sampling *sampling, struct record_end *end) {
	(void)sampling, (void)end;
	return 0;
}

void sampling_format_runtimes(const struct sampling *sampling, struct buf *text) {
	(void)sampling, (void)text;
}

bool sampling_format_running(const struct sampling *sampling, size_t i, struct buf *text,
			     bool *good) {
	(void)sampling, (void)i, (void)text, (void)good;
	return false;
}

void sampling_free(struct sampling *sampling) {
	(void)sampling;
}

int sampling_serve_root(const char *name, struct diag *diag) {
	(void)name;
	return diag_error(diag, "this inferno has no sampler of its own");
}
