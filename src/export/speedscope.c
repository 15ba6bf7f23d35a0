/* speedscope: a sampled profile as JSON, in the format of speedscope and related tools. Every stack
 * is a list of frame numbers, from the root to the leaf, and has one weight. */
#include <stdlib.h>

#include "base/json_text.h"
#include "export/exporter.h"
#include "export/sited.h"

#define SPEEDSCOPE_START                                                          \
	"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n" \
	"\"exporter\": \"inferno\",\n\"activeProfileIndex\": 0,\n\"shared\": {\"frames\": ["

struct speedscope_writer {
	struct output *out;
	struct sited sited;
	struct buf text;
};

/** Write the frames. The line of a frame is the sampled line, or if this is not known, the first
 * line of the function. */
static void speedscope_write_frames(struct speedscope_writer *writer) {
	struct buf *text = &writer->text;
	for (uint32_t i = 0; i < writer->sited.frames.n; i++) {
		struct sited_frame frame = sited_frame(&writer->sited, i);
		uint32_t line = frame.line > 0 ? frame.line : frame.start_line;
		buf_clear(text);
		buf_add_text(text, i == 0 ? "\n{\"name\": " : ",\n{\"name\": ");
		json_add_string(text, frame.name);
		if (frame.file.n > 0) {
			buf_add_text(text, ", \"file\": ");
			json_add_string(text, frame.file);
		}
		if (line > 0) {
			buf_printf(text, ", \"line\": %lu", (unsigned long)line);
		}
		if (frame.column > 0) {
			buf_printf(text, ", \"col\": %lu", (unsigned long)frame.column);
		}
		buf_add_char(text, '}');
		output_add_str(writer->out, buf_str(text));
	}
}

/** Write the stacks with counts. */
static void speedscope_write_stacks(struct speedscope_writer *writer) {
	const struct sited *sited = &writer->sited;
	// by node: length of the text up to its frame
	size_t *ends = mem_new(sited->n, sizeof(*ends));
	const char *joint = "\n[";
	buf_clear(&writer->text);
	for (size_t i = 0; i < sited->n; i++) {
		const struct sited_node *node = &sited->nodes[i];
		if (i > 0) {
			writer->text.n = ends[node->caller];
			buf_printf(&writer->text, node->caller == 0 ? "%lu" : ",%lu",
				   (unsigned long)node->frame);
		}
		ends[i] = writer->text.n;
		if (node->count > 0) {
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
	for (size_t i = 0; i < writer->sited.n; i++) {
		uint64_t count = writer->sited.nodes[i].count;
		if (count > 0) {
			buf_clear(&writer->text);
			buf_printf(&writer->text, "%s%llu", joint, (unsigned long long)count);
			output_add_str(writer->out, buf_str(&writer->text));
			joint = ",\n";
		}
	}
}

/** Return the name that the format has for the unit of the counts, or "none" if the format has no
 * name for it. */
static const char *speedscope_unit(const struct profile *profile) {
	static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};
	struct str unit = buf_str(&profile->unit), word = str_cut(&unit, ' ');
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_eq(word, str_of(units[i]))) {
			return units[i];
		}
	}
	return "none";
}

static int speedscope_write(void *state, struct output *out, const struct view *view,
			    const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	struct speedscope_writer writer = {.out = out};
	sited_init(&writer.sited, view);
	output_add_text(out, SPEEDSCOPE_START);
	speedscope_write_frames(&writer);
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
	sited_release(&writer.sited);
	buf_release(&writer.text);
	return 0;
}

const struct exporter exporter_speedscope = {
	.name = "speedscope",
	.suffixes = ".speedscope.json",
	.brief = "a sampled profile as JSON, which speedscope shows",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES,
	.bits = 62, // as many as readers take
	.write = speedscope_write,
};
