/* cpuprofile: a CPU profile of V8, which Chrome's developer tools, VS Code and speedscope show.
 * Each call is a node. If the profile has one thread and the times of all samples are known, the
 * samples are written in the order of time, and samples of the root fill the gaps. Otherwise, each
 * node has one sample, which lasts as long as the count of the call. The format has only
 * microseconds, so times are converted, and counts that are not times, such as samples, are written
 * as if they were microseconds. */
#include "base/json_text.h"
#include "export/exporter.h"
#include "export/periods.h"
#include "profile/unit.h"

enum { CPUPROFILE_NS = -3 }; // power of ten that converts nanoseconds to microseconds

struct cpuprofile_writer {
	struct output *out;
	struct sited sited;
	struct periods periods;
	struct periods_thread thread; // the only thread, if samples have periods
	int power; // power of ten that converts counts or times of periods to microseconds
	struct buf text;
};

/** Write the place of a function. Lines and columns start at 0. The format needs a number of
 * samples for the sampled line: write 1. */
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

/** Write a sample. If `times` is set, write its length instead. */
static void cpuprofile_write_sample(struct cpuprofile_writer *writer, bool times, uint32_t node,
				    uint64_t length) {
	buf_clear(&writer->text);
	if (times) {
		buf_add_char(&writer->text, ',');
		buf_add_power(&writer->text, length, writer->power);
	} else {
		buf_add_u64(&writer->text, node + UINT64_C(1));
		buf_add_char(&writer->text, ',');
	}
	output_add_str(writer->out, buf_str(&writer->text));
}

/** Write the samples. If `times` is set, write the times between them instead. Fill gaps with
 * samples of the root. Readers assign no time to the last sample, so write a sample of the root at
 * the end. */
static void cpuprofile_write_samples(struct cpuprofile_writer *writer, bool times) {
	struct periods_thread thread = writer->thread;
	struct period period;
	uint64_t now = 0;
	output_add_text(writer->out, times ? ",\n\"timeDeltas\": [0" : ",\n\"samples\": [");
	for (; periods_next(&writer->periods, &thread, &period); now = period.to) {
		if (period.from > now) {
			cpuprofile_write_sample(writer, times, 0, period.from - now);
		}
		cpuprofile_write_sample(writer, times, period.node, period.to - period.from);
	}
	output_add_text(writer->out, times ? "]" : "1]");
}

static int cpuprofile_write(void *state, struct output *out, const struct view *view,
			    const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options;
	struct cpuprofile_writer writer = {.out = out};
	int power = unit_power(buf_str(&view->profile->unit));
	bool gaps;
	sited_init(&writer.sited, view);
	int result = periods_init(&writer.periods, &writer.sited, 1, diag);
	(void)periods_next_thread(&writer.periods, &writer.thread);
	uint64_t length = periods_range(&writer.periods, writer.thread, &gaps).to;
	bool timed = writer.periods.scale > 0; // the times of periods are in nanoseconds
	uint64_t start = timed ? writer.periods.first : 0;
	writer.power = power < 0 ? 0 : (timed ? 0 : power) + CPUPROFILE_NS;
	output_add_text(out, "{\"nodes\": [");
	for (uint32_t i = 0; i < writer.sited.n; i++) {
		cpuprofile_write_node(&writer, i);
	}
	buf_set_text(&writer.text, "],\n\"startTime\": ");
	buf_add_power(&writer.text, start, writer.power);
	buf_add_text(&writer.text, ", \"endTime\": ");
	buf_add_power(&writer.text, start + length, writer.power);
	output_add_str(out, buf_str(&writer.text));
	cpuprofile_write_samples(&writer, false);
	cpuprofile_write_samples(&writer, true);
	output_add_text(out, "}\n");
	sited_release(&writer.sited);
	buf_release(&writer.text);
	return result;
}

const struct exporter exporter_cpuprofile = {
	.name = "cpuprofile",
	.suffixes = ".cpuprofile",
	.brief = "a CPU profile of V8, which Chrome shows",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES | EXPORT_MOMENTS,
	.bits = 62, // readers support this number of bits
	.write = cpuprofile_write,
};
