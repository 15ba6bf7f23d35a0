/* cpuprofile: a CPU profile of V8, which Chrome's developer tools, VS Code and speedscope show. A
 * call is a node. The sample of a node lasts as long as the count of its call. The format has only
 * microseconds, so counts that are not times are written as microseconds, too. */
#include "base/json_text.h"
#include "export/exporter.h"
#include "export/sited.h"
#include "profile/unit.h"

struct cpuprofile_writer {
	struct output *out;
	struct sited sited;
	int power; // power of ten that converts counts to microseconds
	struct buf text;
};

/** Write the place of a function, with lines and columns from 0. For the sampled line, the format
 * needs a number of samples, so write 1. */
static void cpuprofile_add_frame(struct cpuprofile_writer *writer, uint32_t i) {
	const struct sited_node *node = &writer->sited.nodes[i];
	struct sited_frame frame = {.name = STR("(root)")};
	struct buf *text = &writer->text;
	if (i > 0) {
		frame = sited_frame(&writer->sited, node->frame);
	}
	uint32_t line = frame.start_line > 0 ? frame.start_line : frame.line;
	buf_add_text(text, "{\"functionName\": ");
	json_add_string(text, frame.name);
	buf_add_text(text, ", \"scriptId\": \"0\", \"url\": ");
	json_add_string(text, frame.file);
	buf_printf(text, ", \"lineNumber\": %lld, \"columnNumber\": %lld}, \"hitCount\": %d",
		   (long long)line - 1, (long long)frame.column - 1, node->count > 0);
	if (node->count > 0 && frame.line > 0) {
		buf_printf(text, ", \"positionTicks\": [{\"line\": %lu, \"ticks\": 1}]",
			   (unsigned long)frame.line);
	}
}

static void cpuprofile_write_node(struct cpuprofile_writer *writer, uint32_t i) {
	const struct sited_node *nodes = writer->sited.nodes;
	struct buf *text = &writer->text;
	buf_clear(text);
	buf_printf(text, "%s{\"id\": %lu, \"callFrame\": ", i > 0 ? ",\n" : "\n",
		   (unsigned long)i + 1);
	cpuprofile_add_frame(writer, i);
	buf_add_text(text, nodes[i].child != 0 ? ", \"children\": [" : "}");
	for (uint32_t child = nodes[i].child; child != 0; child = nodes[child].next) {
		buf_printf(text, "%lu%s", (unsigned long)child + 1,
			   nodes[child].next != 0 ? "," : "]}");
	}
	output_add_str(writer->out, buf_str(text));
}

/** Write the samples, or the times between them. Readers assign no time to the last sample, so
 * write a sample of the root at the end. */
static void cpuprofile_write_samples(struct cpuprofile_writer *writer, bool times) {
	output_add_text(writer->out, times ? ",\n\"timeDeltas\": [0" : ",\n\"samples\": [");
	for (size_t i = 0; i < writer->sited.n; i++) {
		uint64_t count = writer->sited.nodes[i].count;
		if (count == 0) {
			continue;
		}
		buf_clear(&writer->text);
		if (times) {
			buf_add_char(&writer->text, ',');
			buf_add_power(&writer->text, count, writer->power);
		} else {
			buf_printf(&writer->text, "%zu,", i + 1);
		}
		output_add_str(writer->out, buf_str(&writer->text));
	}
	output_add_text(writer->out, times ? "]" : "1]");
}

static int cpuprofile_write(void *state, struct output *out, const struct view *view,
			    const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	struct cpuprofile_writer writer = {.out = out};
	enum { US = 3 }; // the power of ten that converts the unit to nanoseconds
	int power = unit_power(buf_str(&view->profile->unit));
	writer.power = power < 0 ? 0 : power - US;
	sited_init(&writer.sited, view);
	output_add_text(out, "{\"nodes\": [");
	for (uint32_t i = 0; i < writer.sited.n; i++) {
		cpuprofile_write_node(&writer, i);
	}
	buf_clear(&writer.text);
	buf_add_text(&writer.text, "],\n\"startTime\": 0, \"endTime\": ");
	buf_add_power(&writer.text, view->sum, writer.power);
	output_add_str(out, buf_str(&writer.text));
	cpuprofile_write_samples(&writer, false);
	cpuprofile_write_samples(&writer, true);
	output_add_text(out, "}\n");
	sited_release(&writer.sited);
	buf_release(&writer.text);
	return 0;
}

const struct exporter exporter_cpuprofile = {
	.name = "cpuprofile",
	.suffixes = ".cpuprofile",
	.brief = "a CPU profile of V8, which Chrome shows",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES,
	.bits = 62, // as many as readers take
	.write = cpuprofile_write,
};
