/* pprof: a profile in the protocol buffers of pprof. Each name has one function and one location;
 * all locations are in one mapping, as some readers drop those in none. */
#include <stdlib.h>

#include "base/utf8.h"
#include "export/exporter.h"
#include "export/numbering.h"

enum pprof_string { TEXT_NONE, TEXT_TYPE, TEXT_UNIT, TEXT_NAMES }; // the first of the names

struct pprof_writer {
	struct output *out;
	const struct view *view;
	struct numbering numbering;
	struct buf message, inner, stack;
};

/* --- Fields --------------------------------------------------------------------------------- */

static void pprof_put_number(struct buf *out, unsigned field, uint64_t number) {
	buf_add_varint(out, (uint64_t)field << 3);
	buf_add_varint(out, number);
}

static void pprof_put_bytes(struct buf *out, unsigned field, struct str bytes) {
	buf_add_varint(out, (uint64_t)field << 3 | 2);
	buf_add_varint(out, bytes.n);
	buf_add_str(out, bytes);
}

/** Write the message as a field of the profile, and empty it. */
static void pprof_write_message(struct pprof_writer *writer, unsigned field) {
	struct buf head = {0};
	buf_add_varint(&head, (uint64_t)field << 3 | 2);
	buf_add_varint(&head, writer->message.n);
	output_add_str(writer->out, buf_str(&head));
	output_add_str(writer->out, buf_str(&writer->message));
	buf_release(&head);
	buf_clear(&writer->message);
}

/* --- Messages ------------------------------------------------------------------------------- */

/** Write the stacks that count something, leaf first. */
static void pprof_write_samples(struct pprof_writer *writer) {
	const struct tree *tree = writer->view->tree;
	uint32_t *path = mem_new(tree->levels + 1, sizeof(*path)); // locations, by depth
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (frame->depth > 0) {
			path[frame->depth] = numbering_of(&writer->numbering, frame) + 1;
		}
		if (frame->count == 0) {
			continue;
		}
		buf_clear(&writer->stack);
		for (uint32_t depth = frame->depth; depth > 0; depth--) {
			buf_add_varint(&writer->stack, path[depth]);
		}
		pprof_put_bytes(&writer->message, 1, buf_str(&writer->stack));
		pprof_put_number(&writer->message, 2, frame->count);
		pprof_write_message(writer, 2);
	}
	free(path);
}

/** Write a location and a function for each name, with the same id. */
static void pprof_write_names(struct pprof_writer *writer) {
	enum { LOCATION = 4, FUNCTION = 5, LINE = 4 };
	for (uint32_t i = 0; i < writer->numbering.n; i++) {
		buf_clear(&writer->inner);
		pprof_put_number(&writer->inner, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 2, 1);
		pprof_put_bytes(&writer->message, LINE, buf_str(&writer->inner));
		pprof_write_message(writer, LOCATION);
		pprof_put_number(&writer->message, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 2, i + (uint64_t)TEXT_NAMES);
		pprof_write_message(writer, FUNCTION);
	}
}

static void pprof_write_text(struct pprof_writer *writer, struct str text) {
	enum { STRING = 6 };
	utf8_repair(&writer->message, text);
	pprof_write_message(writer, STRING);
}

/** Write the strings: the type of the counts and their unit, and the names. Of the unit "bytes of
 * alloc_space", the type is alloc_space. */
static void pprof_write_texts(struct pprof_writer *writer) {
	struct str unit = buf_str(&writer->view->profile->unit), type = unit;
	size_t of = str_find_str(unit, STR(" of "));
	if (of != STR_NONE) {
		type = str_from(unit, of + 4);
		unit = str_to(unit, of);
	} else if (str_ends(unit, STR("seconds"))) {
		type = STR("time");
	} else if (str_eq(unit, STR("bytes"))) {
		type = STR("space");
	} else {
		type = unit.n > 0 ? unit : STR("samples");
		unit = STR("count");
	}
	pprof_write_text(writer, STR(""));
	pprof_write_text(writer, type);
	pprof_write_text(writer, unit);
	for (uint32_t i = 0; i < writer->numbering.n; i++) {
		pprof_write_text(writer, numbering_name(&writer->numbering, writer->view, i));
	}
}

static int pprof_write(void *state, struct output *out, const struct view *view,
		       const struct opt_set *options, struct diag *diag) {
	enum { TYPE = 1, MAPPING = 3, HAS_FUNCTIONS = 7 };
	(void)state, (void)options;
	if (view->sum > INT64_MAX) {
		return diag_error(diag,
				  "the counts are too large for pprof, whose numbers have 63 bits");
	}
	struct pprof_writer writer = {.out = out, .view = view};
	numbering_init(&writer.numbering, view);
	pprof_put_number(&writer.message, 1, TEXT_TYPE);
	pprof_put_number(&writer.message, 2, TEXT_UNIT);
	pprof_write_message(&writer, TYPE);
	pprof_write_samples(&writer);
	pprof_put_number(&writer.message, 1, 1);
	pprof_put_number(&writer.message, HAS_FUNCTIONS, 1);
	pprof_write_message(&writer, MAPPING);
	pprof_write_names(&writer);
	pprof_write_texts(&writer);
	numbering_release(&writer.numbering);
	buf_release(&writer.message);
	buf_release(&writer.inner);
	buf_release(&writer.stack);
	return 0;
}

const struct exporter exporter_pprof = {
	.name = "pprof",
	.suffixes = ".pprof .pb",
	.brief = "the protocol buffers of pprof",
	.needs = EXPORT_ONE | EXPORT_TREE,
	.write = pprof_write,
};
