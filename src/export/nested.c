/* nested: nested frames as JSON, in the format of d3-flame-graph. Each frame has its name, its
 * total, and its callees. */
#include "base/json_text.h"
#include "export/exporter.h"

/** Write the brackets that close the frames between two depths. */
static void nested_close(struct output *out, uint32_t from, uint32_t to) {
	output_add_char(out, '}');
	for (; from > to; from--) {
		output_add_text(out, "]}");
	}
}

/** Write the part of a frame that comes before its callees. */
static void nested_open(struct output *out, struct str name, uint64_t total, struct buf *text) {
	buf_set_text(text, "{\"name\": ");
	json_add_string(text, name);
	buf_printf(text, ", \"value\": %llu", (unsigned long long)total);
	output_add_str(out, buf_str(text));
}

static int nested_write(void *state, struct output *out, const struct view *view,
			const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	struct buf text = {0};
	uint32_t depth = 0;
	nested_open(out, STR("all"), view->sum, &text);
	for (size_t i = 1; i < view->tree->n; i++) {
		const struct call_item *frame = &view->tree->frames[i];
		if (frame->depth > depth) {
			output_add_text(out, ", \"children\": [\n");
		} else {
			nested_close(out, depth, frame->depth);
			output_add_text(out, ",\n");
		}
		depth = frame->depth;
		nested_open(out, tree_name(view->profile, frame), view->tree->totals[i], &text);
	}
	nested_close(out, depth, 0);
	output_add_char(out, '\n');
	buf_release(&text);
	return 0;
}

const struct exporter exporter_nested = {
	.name = "nested",
	.suffixes = ".nested.json",
	.brief = "nested frames as JSON, which d3-flame-graph draws",
	.needs = EXPORT_ONE | EXPORT_TREE,
	.bits = 62, // readers support this number of bits
	.write = nested_write,
};
