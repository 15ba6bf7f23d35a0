/* speedscope: a sampled profile as JSON, the form that speedscope and its relatives read. Every
 * stack is a list of numbers of names, from the root to the leaf, and has one weight. */
#include <stdlib.h>

#include "base/json_text.h"
#include "export/exporter.h"
#include "export/numbering.h"

#define SPEEDSCOPE_START                                                          \
	"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n" \
	"\"exporter\": \"inferno\",\n\"activeProfileIndex\": 0,\n\"shared\": {\"frames\": ["

struct speedscope_writer {
	struct output *out;
	const struct view *view;
	struct numbering numbering;
	struct buf text;
};

static void speedscope_write_names(struct speedscope_writer *writer) {
	for (uint32_t i = 0; i < writer->numbering.n; i++) {
		buf_clear(&writer->text);
		buf_add_text(&writer->text, i == 0 ? "\n{\"name\": " : ",\n{\"name\": ");
		json_add_string(&writer->text, numbering_name(&writer->numbering, writer->view, i));
		buf_add_char(&writer->text, '}');
		output_add_str(writer->out, buf_str(&writer->text));
	}
}

/** Write the stacks that count something. */
static void speedscope_write_stacks(struct speedscope_writer *writer) {
	const struct tree *tree = writer->view->tree;
	size_t *ends =
		mem_new(tree->levels + 1, sizeof(*ends)); // by depth: the text up to this frame
	const char *joint = "\n[";
	buf_clear(&writer->text);
	for (size_t i = 0; i < tree->n; i++) {
		uint32_t depth = tree->frames[i].depth;
		if (depth > 0) {
			writer->text.n = ends[depth - 1];
			buf_printf(&writer->text, depth == 1 ? "%u" : ",%u",
				   (unsigned)numbering_of(&writer->numbering, &tree->frames[i]));
		}
		ends[depth] = writer->text.n;
		if (tree->frames[i].count > 0) {
			output_add_text(writer->out, joint);
			output_add_str(writer->out, buf_str(&writer->text));
			output_add_char(writer->out, ']');
			joint = ",\n[";
		}
	}
	free(ends);
}

static void speedscope_write_weights(struct speedscope_writer *writer) {
	const char *joint = "\n";
	const struct tree *tree = writer->view->tree;
	for (size_t i = 0; i < tree->n; i++) {
		if (tree->frames[i].count > 0) {
			buf_clear(&writer->text);
			buf_printf(&writer->text, "%s%llu", joint,
				   (unsigned long long)tree->frames[i].count);
			output_add_str(writer->out, buf_str(&writer->text));
			joint = ",\n";
		}
	}
}

/** Return the unit of the counts, if the format has a word for it. */
static const char *speedscope_unit(const struct profile *profile) {
	static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_eq(buf_str(&profile->unit), str_of(units[i]))) {
			return units[i];
		}
	}
	return "none";
}

static int speedscope_write(void *state, struct output *out, const struct view *view,
			    const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	struct speedscope_writer writer = {.out = out, .view = view};
	numbering_init(&writer.numbering, view);
	output_add_text(out, SPEEDSCOPE_START);
	speedscope_write_names(&writer);
	buf_clear(&writer.text);
	buf_printf(
		&writer.text,
		"]},\n\"profiles\": [{\"type\": \"sampled\", \"name\": \"all\", \"unit\": \"%s\", "
		"\"startValue\": 0, \"endValue\": %llu,\n\"samples\": [",
		speedscope_unit(view->profile), (unsigned long long)view->sum);
	output_add_str(out, buf_str(&writer.text));
	speedscope_write_stacks(&writer);
	output_add_text(out, "],\n\"weights\": [");
	speedscope_write_weights(&writer);
	output_add_text(out, "]}]}\n");
	numbering_release(&writer.numbering);
	buf_release(&writer.text);
	return 0;
}

const struct exporter exporter_speedscope = {
	.name = "speedscope",
	.suffixes = ".speedscope.json",
	.brief = "a sampled profile as JSON, which speedscope shows",
	.needs = EXPORT_ONE | EXPORT_TREE,
	.write = speedscope_write,
};
