/*
 * Tests a target for binary input with damaged inputs:
 *
 *     fuzz-binary TARGET FILE...                        tries every file
 *     fuzz-binary TARGET --mutate N [--seed S] FILE...  tries every file, and N mutations of each
 *     fuzz-binary TARGET --truncate N FILE...           tries the first 0, N, 2N, ... bytes of each
 *
 * The macro FUZZ_TARGETS lists the targets, for example as T(merge) T(filter). With
 * -DFUZZ_LIBFUZZER, the program has one target, no main(), and the functions for libFuzzer, which
 * stores findings itself. A finding ends the process. If the check of a target fails, the input is
 * stored in the file `finding`.
 */
#include "binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/input.h"
#include "base/num.h"

#define T(name) {#name, fuzz_##name},
static const struct {
	const char *name;
	fuzz_target *call;
} fuzz_binary_targets[] = {FUZZ_TARGETS};
#undef T
static fuzz_target *target;
static struct str current; // the current input

void fuzz_require(bool holds, const char *what, struct str detail) {
	if (holds) {
		return;
	}
	int shown = (int)(detail.n < 1000 ? detail.n : 1000);
	dprintf(STDERR_FILENO, "finding: %s: %.*s\n", what, shown, detail.p);
#ifndef FUZZ_LIBFUZZER
	FILE *file = fopen("finding", "wb");
	if (file != NULL) {
		fwrite(current.p, 1, current.n, file);
		fclose(file);
	}
#endif
	abort();
}

static void fuzz_binary_try(struct str input) {
	struct random source = {input.n};
	current = input;
	target(input, &source);
}

#ifdef FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
	target = fuzz_binary_targets[0].call;
	fuzz_binary_try((struct str){(const char *)bytes, size});
	return 0;
}

#else

/** Write a number at the edge of a type. */
static void fuzz_binary_write_edge(char *p, struct random *source) {
	static const uint64_t edges[] = {0,    1,          0x7f,       0x80,
					 0xff, 0x7fffffff, 0xffffffff, UINT64_MAX};
	memcpy(p, &edges[random_below(source, 8)], (size_t)1 << random_below(source, 4));
}

/** Change a few bytes, often to numbers at the edge of a type, cut off the end, or swap parts. */
static void fuzz_binary_mutate(struct buf *input, struct random *source) {
	for (size_t left = 1 + random_below(source, 12); left > 0 && input->n > 8; left--) {
		size_t at = random_below(source, input->n - 8);
		switch (random_below(source, 6)) {
		case 0:
			input->p[at] = (char)random_next(source);
			break;
		case 1:
			input->p[at] = (char)(input->p[at] ^ 1 << random_below(source, 8));
			break;
		case 2:
			fuzz_binary_write_edge(input->p + at, source);
			break;
		case 3: // mostly in the headers
			fuzz_binary_write_edge(input->p + at % 4096 % (input->n - 8), source);
			break;
		case 4:
			memmove(input->p + at, input->p + random_below(source, input->n - 8), 8);
			break;
		default:
			input->n -=
				random_below(source, 20) == 0 ? random_below(source, input->n) : 0;
		}
	}
}

/** Run the target on an exact copy of the input, so that a sanitizer detects reads beyond its end.
 */
static void fuzz_binary_try_copy(struct str input) {
	char *copy = mem_new(input.n == 0 ? 1 : input.n, 1);
	memcpy(copy, input.p, input.n);
	fuzz_binary_try((struct str){copy, input.n});
	free(copy);
}

static void fuzz_binary_try_mutations(struct str bytes, uint64_t rounds, uint64_t seed) {
	struct buf input = {0};
	for (uint64_t round = 0; round < rounds; round++) {
		struct random source = {seed * 1000003 + round};
		buf_clear(&input);
		buf_add_str(&input, bytes);
		fuzz_binary_mutate(&input, &source);
		fuzz_binary_try_copy(buf_str(&input));
	}
	buf_release(&input);
}

static void fuzz_binary_try_truncations(struct str bytes, uint64_t step) {
	for (uint64_t n = 0; n < bytes.n; n += step) {
		fuzz_binary_try_copy(str_to(bytes, (size_t)n));
	}
}

/** The options for every file. */
struct fuzz_binary_task {
	uint64_t mutate, seed, truncate;
};

/** Read an option and its number. */
static bool fuzz_binary_take_option(struct fuzz_binary_task *task, const char *option,
				    const char *number) {
	uint64_t *field = strcmp(option, "--mutate") == 0     ? &task->mutate
			  : strcmp(option, "--seed") == 0     ? &task->seed
			  : strcmp(option, "--truncate") == 0 ? &task->truncate
							      : NULL;
	return field != NULL && num_parse_u64(str_of(number), field);
}

static void fuzz_binary_try_file(const struct fuzz_binary_task *task, const char *path) {
	struct buf bytes = {0};
	struct diag diag = {0};
	if (input_read_file(path, &bytes, &diag) != 0) {
		fprintf(stderr, "%s\n", buf_text(&diag.error));
		exit(2);
	}
	if (task->truncate == 0) {
		fuzz_binary_try_copy(buf_str(&bytes));
	}
	fuzz_binary_try_mutations(buf_str(&bytes), task->mutate, task->seed);
	if (task->truncate > 0) {
		fuzz_binary_try_truncations(buf_str(&bytes), task->truncate);
	}
	buf_release(&bytes);
	diag_release(&diag);
}

static fuzz_target *fuzz_binary_find(const char *name) {
	for (size_t i = 0; i < sizeof(fuzz_binary_targets) / sizeof(*fuzz_binary_targets); i++) {
		if (strcmp(fuzz_binary_targets[i].name, name) == 0) {
			return fuzz_binary_targets[i].call;
		}
	}
	return NULL;
}

int main(int argc, char **argv) {
	struct fuzz_binary_task task = {.seed = 1};
	target = argc > 1 ? fuzz_binary_find(argv[1]) : NULL;
	if (target == NULL) {
		fprintf(stderr, "Usage: fuzz-binary TARGET [--mutate N] [--seed S] [--truncate N] "
				"FILE...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (i + 1 < argc && fuzz_binary_take_option(&task, argv[i], argv[i + 1])) {
			i++;
		} else {
			fuzz_binary_try_file(&task, argv[i]);
		}
	}
	return 0;
}

#endif
