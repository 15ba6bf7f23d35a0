/** Buffer output. The functions that add bytes do not return errors: output_finish() returns -1 if
 * any write failed. */
#pragma once

#include "base/str.h"

/** A function that takes all `len` bytes and returns 0, or returns another value if it fails. After
 * a failure, the function is not called again. */
typedef int output_fn(void *context, const void *bytes, size_t len);

enum { OUTPUT_SIZE = 64 << 10 };

struct output {
	output_fn *write;
	void *context;
	char *bytes; // a buffer of OUTPUT_SIZE bytes
	size_t n;
	bool failed;
};

void output_init(struct output *out, output_fn *write, void *context);

void output_add_slow(struct output *out, const char *bytes, size_t len);

static inline void output_add(struct output *out, const char *bytes, size_t len) {
	if (len > OUTPUT_SIZE - out->n) {
		output_add_slow(out, bytes, len);
		return;
	}
	if (len > 0) {
		memcpy(out->bytes + out->n, bytes, len);
		out->n += len;
	}
}

static inline void output_add_str(struct output *out, struct str s) {
	output_add(out, s.p, s.n);
}

static inline void output_add_text(struct output *out, const char *text) {
	output_add(out, text, strlen(text));
}

static inline void output_add_char(struct output *out, char c) {
	if (out->n == OUTPUT_SIZE) {
		output_add_slow(out, &c, 1);
		return;
	}
	out->bytes[out->n++] = c;
}

void output_add_u64(struct output *out, uint64_t value);

/** Write the remaining bytes. Return 0, or -1 if any write failed; the owner of the function
 * `write` knows the reason. */
int output_finish(struct output *out);

void output_release(struct output *out);
