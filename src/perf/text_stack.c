/* The stack of the current sample of `perf script`. */
#include "perf/text_stack.h"

#include <stdlib.h>

#include "base/utf8.h"

/** Flag of an id in the stack that is an index in `news`. No frame's id has it. */
#define IS_NEW INTERN_MOST

static struct str text_stack_address_of(const struct perf_new_frame *frame) {
	return (struct str){frame->address, frame->n};
}

/** Name the new frames of the stack. */
static void text_stack_name_new(struct text_stack *sample) {
	uint32_t *ids = stack_ids(&sample->stack);
	for (size_t d = 0; d < stack_depth(&sample->stack) && sample->news_n > 0; d++) {
		if ((ids[d] & IS_NEW) != 0) {
			const struct perf_new_frame *frame = &sample->news[ids[d] & ~IS_NEW];
			ids[d] = perf_add_address(sample->names, frame->plain,
						  text_stack_address_of(frame));
		}
	}
	sample->news_n = 0;
}

/** Add the stack as text. Most of its names are new, so looking them up would be wasted. */
static void text_stack_add_text(struct text_stack *sample, struct profile *profile,
				uint64_t period) {
	const struct profile *names = sample->names->profile;
	const uint32_t *ids = stack_ids(&sample->stack);
	buf_clear(&sample->text);
	for (size_t d = 0; d < stack_depth(&sample->stack); d++) {
		if (d > 0) {
			buf_add_char(&sample->text, ';');
		}
		if ((ids[d] & IS_NEW) == 0) {
			buf_add_str(&sample->text, profile_name(names, ids[d]));
		} else {
			const struct perf_new_frame *frame = &sample->news[ids[d] & ~IS_NEW];
			perf_address_text(&sample->text, profile_name(names, frame->plain),
					  text_stack_address_of(frame));
		}
	}
	profile_add_text(profile, buf_str(&sample->text), period);
}

void text_stack_push_address(struct text_stack *sample, uint32_t plain, struct str address) {
	if (address.n > PERF_ADDRESS_COLUMNS || !str_all_hex(address)) {
		stack_push(&sample->stack, perf_add_address(sample->names, plain,
							    utf8_repaired(&sample->text, address)));
		return;
	}
	if (sample->news_n >= IS_NEW) {
		inferno_out_of_memory(); // no number is left
	}
	struct perf_new_frame new = {.plain = plain, .n = (uint32_t)address.n};
	memcpy(new.address, address.p, address.n);
	sample->news = mem_grow(sample->news, &sample->news_capacity, sample->news_n + 1,
				sizeof(*sample->news));
	stack_push(&sample->stack, (uint32_t)sample->news_n | IS_NEW);
	sample->news[sample->news_n++] = new;
}

void text_stack_show_source(struct text_stack *sample, struct str source) {
	size_t depth = stack_depth(&sample->stack), before = sample->line_depth;
	if (depth > before && source.n > 0) {
		text_stack_name_new(sample);
		uint32_t *frame =
			stack_ids(&sample->stack) + depth - before - 1; // the innermost frame
		*frame = perf_add_source(sample->names, *frame,
					 utf8_repaired(&sample->text, source));
	}
	sample->line_depth = depth;
}

void text_stack_add(struct text_stack *sample, struct profile *profile, uint64_t period) {
	size_t depth = stack_depth(&sample->stack);
	if (2 * sample->news_n > depth && profile_takes_texts(profile)) {
		text_stack_add_text(sample, profile, period);
	} else {
		text_stack_name_new(sample);
		profile_add(profile, stack_ids(&sample->stack), depth, period);
	}
	text_stack_clear(sample);
}

void text_stack_clear(struct text_stack *sample) {
	stack_clear(&sample->stack);
	sample->news_n = 0;
}

void text_stack_release(struct text_stack *sample) {
	stack_release(&sample->stack);
	free(sample->news);
	buf_release(&sample->text);
}
