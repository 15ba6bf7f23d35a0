/* Buffer output. */
#include "base/output.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"

void output_init(struct output *out, output_fn *write, void *context) {
	*out = (struct output){.write = write, .context = context};
	size_t room = 0; // use mem_grow(): it does not touch the memory, so that unused pages cost
			 // nothing
	out->bytes = mem_grow(NULL, &room, OUTPUT_SIZE, 1);
}

static void output_flush(struct output *out) {
	if (out->n > 0 && !out->failed && out->write(out->context, out->bytes, out->n) != 0) {
		out->failed = true;
	}
	out->n = 0;
}

void output_add_slow(struct output *out, const char *bytes, size_t len) {
	while (len > 0) {
		size_t part = len < OUTPUT_SIZE - out->n ? len : OUTPUT_SIZE - out->n;
		memcpy(out->bytes + out->n, bytes, part);
		out->n += part;
		bytes += part;
		len -= part;
		if (out->n == OUTPUT_SIZE) {
			output_flush(out);
		}
	}
}

void output_add_u64(struct output *out, uint64_t value) {
	if (OUTPUT_SIZE - out->n < NUM_U64_MAX) {
		output_flush(out);
	}
	out->n += num_format_u64(out->bytes + out->n, value);
}

int output_finish(struct output *out) {
	output_flush(out);
	return out->failed ? -1 : 0;
}

void output_release(struct output *out) {
	free(out->bytes);
	*out = (struct output){0};
}
