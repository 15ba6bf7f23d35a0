/* Read an input in blocks of whole lines or whole samples. */
#include "collapse/blocks.h"

/** Return the index after the last line end at or after `from`, or 0 if there is no line end. */
static size_t blocks_line_cut(struct str bytes, size_t from) {
	const char *end = memrchr(bytes.p + from, '\n', bytes.n - from);
	return end == NULL ? 0 : (size_t)(end - bytes.p) + 1;
}

enum blocks_result blocks_next(struct blocks *blocks, blocks_cut *cut, struct buf *buffer,
			       struct str *bytes, bool *last) {
	if (blocks->ended) {
		return BLOCKS_END;
	}
	buf_set_str(buffer, buf_str(&blocks->carry));
	buf_clear(&blocks->carry);
	size_t most = cut != NULL ? BLOCK_MOST : LINE_MOST, end = 0;
	*last = false;
	while (end == 0) {
		if (cut == NULL && buffer->n >= LINE_REPEATS_MOST && input_repeats(blocks->input)) {
			most = LINE_REPEATS_MOST;
		}
		if (buffer->n >= most) {
			if (cut != NULL) {
				buf_add_str(&blocks->carry, buf_str(buffer));
				return BLOCKS_UNCUT;
			}
			diag_error(blocks->diag,
				   "%s: a line is longer than %d MB; is it a text profile?",
				   input_name(blocks->input), (int)(most >> 20));
			return BLOCKS_FAILED;
		}
		size_t size = blocks->total < SMALL_INPUT ? BLOCK_FIRST : BLOCK_SIZE;
		size_t room = buffer->n < size ? size - buffer->n : buffer->n;
		size_t before = buffer->n;
		ptrdiff_t len = input_read(blocks->input, buf_room(buffer, room), room);
		if (len < 0) {
			return BLOCKS_FAILED;
		}
		buffer->n += (size_t)len;
		if (len == 0) {
			*last = blocks->ended = true;
			end = buffer->n;
			break;
		}
		end = cut != NULL ? cut(buf_str(buffer)) : blocks_line_cut(buf_str(buffer), before);
	}
	*bytes = str_to(buf_str(buffer), end);
	buf_add_str(&blocks->carry, str_from(buf_str(buffer), end));
	blocks->total += end;
	return BLOCKS_ONE;
}

void blocks_release(struct blocks *blocks) {
	buf_release(&blocks->carry);
}
