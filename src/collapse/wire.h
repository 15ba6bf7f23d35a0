/** The fields of messages in protocol buffers. */
#pragma once

#include <stdbool.h>

#include "base/input.h"
#include "collapse/number_list.h"

enum { WIRE_NUMBER = 0, WIRE_FIXED_64 = 1, WIRE_BYTES = 2, WIRE_FIXED_32 = 5 };

/** A field of a message. */
struct wire_field {
	unsigned number, wire;
	uint64_t value;   // value of a WIRE_NUMBER
	struct str bytes; // bytes of a field of any other kind
};

/** Add `n` bytes of an input to `bytes`. Return the number of bytes, which is smaller only at the
 * end of the input, or -1 after diag_error(). Memory grows only with the bytes that are read, so a
 * wrong, huge `n` does no harm. */
ptrdiff_t wire_read(struct input *input, struct buf *bytes, size_t n);

bool wire_take_long_number(struct str *rest, uint64_t *number);

/** Cut a number off the front. Return false if the bytes end before the number, or if the number
 * has more than 64 bits. */
static inline bool wire_take_number(struct str *rest, uint64_t *number) {
	if (rest->n == 0 || (unsigned char)rest->p[0] >= 0x80) {
		return wire_take_long_number(rest, number);
	}
	*number = (unsigned char)rest->p[0];
	*rest = str_from(*rest, 1);
	return true;
}

/** Cut a field off the front. Return false if the bytes do not begin with a field. */
bool wire_take_field(struct str *rest, struct wire_field *field);

/** Add the number of a field, or its packed numbers, to a list. Return false if the field has
 * another kind, or if its bytes are not numbers. */
bool wire_add_numbers(const struct wire_field *field, struct number_list *numbers);

/** Read two numbers of a message: its fields `a` and `b`. Numbers that the message lacks stay as
 * they are. Return false if the bytes are not a message. */
bool wire_read_pair(struct str message, unsigned a, uint64_t *first, unsigned b, uint64_t *second);
