/* The fields of messages in protocol buffers. */
#include "collapse/wire.h"

ptrdiff_t wire_read(struct input *input, struct buf *bytes, size_t n) {
	enum { BLOCK = 1 << 16 };
	size_t done = 0;
	while (done < n) {
		size_t want = n - done < BLOCK ? n - done : BLOCK;
		ptrdiff_t got = input_read(input, buf_room(bytes, want), want);
		if (got <= 0) {
			return got < 0 ? -1 : (ptrdiff_t)done;
		}
		bytes->n += (size_t)got;
		done += (size_t)got;
	}
	return (ptrdiff_t)n;
}

bool wire_take_long_number(struct str *rest, uint64_t *number) {
	const unsigned bits = 7, most = 63;
	*number = 0;
	for (unsigned shift = 0; rest->n > 0 && shift <= most; shift += bits) {
		unsigned char byte = (unsigned char)rest->p[0];
		*rest = str_from(*rest, 1);
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			return shift < most || byte < 2;
		}
	}
	return false;
}

bool wire_take_field(struct str *rest, struct wire_field *field) {
	uint64_t tag;
	if (!wire_take_number(rest, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX) {
		return false;
	}
	*field = (struct wire_field){.number = (unsigned)(tag >> 3), .wire = tag & 7};
	size_t n = field->wire == WIRE_FIXED_64 ? 8 : 4;
	switch (field->wire) {
	case WIRE_NUMBER:
		return wire_take_number(rest, &field->value);
	case WIRE_BYTES:
		if (!wire_take_number(rest, &field->value) || field->value > rest->n) {
			return false;
		}
		n = (size_t)field->value;
		break;
	case WIRE_FIXED_64:
	case WIRE_FIXED_32:
		break;
	default:
		return false;
	}
	if (n > rest->n) {
		return false;
	}
	field->bytes = str_to(*rest, n);
	*rest = str_from(*rest, n);
	return true;
}

bool wire_add_numbers(const struct wire_field *field, struct number_list *numbers) {
	struct str rest = field->bytes;
	if (field->wire == WIRE_NUMBER) {
		number_list_push(numbers, field->value);
		return true;
	}
	while (rest.n > 0) {
		uint64_t number;
		if (!wire_take_number(&rest, &number)) {
			return false;
		}
		number_list_push(numbers, number);
	}
	return field->wire == WIRE_BYTES;
}

bool wire_read_pair(struct str message, unsigned a, uint64_t *first, unsigned b, uint64_t *second) {
	struct wire_field field;
	while (message.n > 0) {
		if (!wire_take_field(&message, &field)) {
			return false;
		}
		*first = field.number == a ? field.value : *first;
		*second = field.number == b ? field.value : *second;
	}
	return true;
}
