/* speedscope: a profile as JSON, in the format of speedscope and related tools. Each thread is a
 * profile. A sampled profile has a list of frame numbers for each stack, from the root to the leaf,
 * and its weight. If there are gaps between the samples, the profile has events, which begin and
 * end calls. If times are not known, one profile has all stacks. */
#include <stdlib.h>

#include "base/json_text.h"
#include "export/exporter.h"
#include "export/periods.h"
#include "profile/unit.h"

#define SPEEDSCOPE_START                                                          \
	"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n" \
	"\"exporter\": \"inferno\",\n\"shared\": {\"frames\": ["

struct speedscope_writer {
	struct output *out;
	struct sited sited;
	struct buf text;
};

/** Write the frames. The line of a frame is the sampled line. If it is not known, the line is the
 * first line of the function. */
static void speedscope_write_frames(struct speedscope_writer *writer) {
	struct buf *text = &writer->text;
	for (uint32_t i = 0; i < writer->sited.frames.n; i++) {
		struct sited_frame frame = sited_frame(&writer->sited, i);
		uint32_t line = frame.line > 0 ? frame.line : frame.start_line;
		buf_set_text(text, i == 0 ? "\n{\"name\": " : ",\n{\"name\": ");
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

/** Return the format's name for the unit of the counts. If the format has no name for it, return
 * "none". */
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

/** Write the start of a profile: its type, its name, its unit, and the first and the last value in
 * `range`. Multiplied by 10^power, the values are in the unit of the counts. */
static void speedscope_begin_profile(struct speedscope_writer *writer, const char *type,
				     struct str name, struct period range, int power) {
	struct buf *text = &writer->text;
	buf_clear(text);
	buf_printf(text, "{\"type\": \"%s\", \"name\": ", type);
	json_add_string(text, name);
	buf_printf(text, ", \"unit\": \"%s\", \"startValue\": ",
		   speedscope_unit(writer->sited.view->profile));
	buf_add_power(text, range.from, power);
	buf_add_text(text, ", \"endValue\": ");
	buf_add_power(text, range.to, power);
	buf_add_text(text, ",\n");
	output_add_str(writer->out, buf_str(text));
}

/* --- Stacks --------------------------------------------------------------------------------- */

/** The stack of a thread that is being written. */
struct speedscope_stack {
	const uint32_t *depths; // depth of each node
	struct ids path;        // nodes of the stack, by depth; the first one is the root
	struct ids ends;        // by depth: the length of the text up to this frame
	struct ids begun;       // nodes to add to the path, innermost first
	bool any;               // whether an event was written
};

/** Find the nodes to add to the path, so that it leads to a node. Return how many nodes of the path
 * stay. */
static uint32_t speedscope_find_path(const struct speedscope_writer *writer,
				     struct speedscope_stack *stack, uint32_t node) {
	const uint32_t *path = stack->path.items;
	while (stack->depths[node] >= stack->path.n || path[stack->depths[node]] != node) {
		ids_push(&stack->begun, node);
		node = writer->sited.nodes[node].caller;
	}
	return stack->depths[node] + 1;
}

/** Write the stacks of a thread. */
static void speedscope_write_stacks(struct speedscope_writer *writer, const struct periods *periods,
				    struct periods_thread thread, struct speedscope_stack *stack) {
	struct buf *text = &writer->text;
	struct period period;
	const char *joint = "\n[";
	output_add_text(writer->out, "\"samples\": [");
	while (periods_next(periods, &thread, &period)) {
		stack->path.n = stack->ends.n = speedscope_find_path(writer, stack, period.node);
		text->n = stack->ends.items[stack->ends.n - 1];
		while (stack->begun.n > 0) {
			uint32_t node = stack->begun.items[--stack->begun.n];
			buf_add_text(text, stack->path.n > 1 ? "," : "");
			buf_add_u64(text, writer->sited.nodes[node].frame);
			ids_push(&stack->path, node);
			ids_push(&stack->ends, (uint32_t)text->n);
		}
		output_add_text(writer->out, joint);
		output_add_str(writer->out, buf_str(text));
		output_add_char(writer->out, ']');
		joint = ",\n[";
	}
}

/** Write the weights of a thread. */
static void speedscope_write_weights(struct speedscope_writer *writer,
				     const struct periods *periods, struct periods_thread thread,
				     int power) {
	struct period period;
	const char *joint = "\n";
	output_add_text(writer->out, "],\n\"weights\": [");
	for (; periods_next(periods, &thread, &period); joint = ",\n") {
		buf_set_text(&writer->text, joint);
		buf_add_power(&writer->text, period.to - period.from, power);
		output_add_str(writer->out, buf_str(&writer->text));
	}
}

static void speedscope_add_event(struct speedscope_writer *writer, struct speedscope_stack *stack,
				 char type, uint32_t node, struct str at) {
	struct buf *text = &writer->text;
	buf_add_text(text, stack->any ? ",\n{\"type\":\"" : "\n{\"type\":\"");
	buf_add_char(text, type);
	buf_add_text(text, "\",\"frame\":");
	buf_add_u64(text, writer->sited.nodes[node].frame);
	buf_add_text(text, ",\"at\":");
	buf_add_str(text, at);
	buf_add_char(text, '}');
	stack->any = true;
}

/** Write the events that end and begin calls, so that a node becomes the innermost open call. */
static void speedscope_move(struct speedscope_writer *writer, struct speedscope_stack *stack,
			    uint32_t node, struct str at) {
	uint32_t shared = speedscope_find_path(writer, stack, node);
	buf_clear(&writer->text);
	while (stack->path.n > shared) {
		speedscope_add_event(writer, stack, 'C', stack->path.items[--stack->path.n], at);
	}
	while (stack->begun.n > 0) {
		ids_push(&stack->path, stack->begun.items[--stack->begun.n]);
		speedscope_add_event(writer, stack, 'O', stack->path.items[stack->path.n - 1], at);
	}
	output_add_str(writer->out, buf_str(&writer->text));
}

/** Write the events of a thread, whose periods have gaps between them. */
static void speedscope_write_events(struct speedscope_writer *writer, const struct periods *periods,
				    struct periods_thread thread, struct speedscope_stack *stack,
				    int power) {
	struct period period;
	struct buf at = {0};
	uint64_t now = 0;
	output_add_text(writer->out, "\"events\": [");
	while (periods_next(periods, &thread, &period)) {
		if (period.from > now) {
			speedscope_move(writer, stack, 0, buf_str(&at));
		}
		buf_clear(&at);
		buf_add_power(&at, period.from, power);
		speedscope_move(writer, stack, period.node, buf_str(&at));
		buf_clear(&at);
		buf_add_power(&at, period.to, power);
		now = period.to;
	}
	speedscope_move(writer, stack, 0, buf_str(&at));
	buf_release(&at);
}

/** Write each thread as a profile. */
static void speedscope_write_threads(struct speedscope_writer *writer,
				     const struct periods *periods) {
	const struct sited *sited = &writer->sited;
	int power = periods->scale > 0 ? -unit_power(buf_str(&sited->view->profile->unit)) : 0;
	uint32_t *depths = mem_new(sited->n, sizeof(*depths));
	struct periods_thread thread = {0};
	for (size_t i = 1; i < sited->n; i++) {
		depths[i] = depths[sited->nodes[i].caller] + 1;
	}
	for (const char *joint = ""; periods_next_thread(periods, &thread); joint = ",\n") {
		struct speedscope_stack stack = {.depths = depths};
		bool gaps;
		struct period range = periods_range(periods, thread, &gaps);
		ids_push(&stack.path, 0);
		ids_push(&stack.ends, 0);
		output_add_text(writer->out, joint);
		speedscope_begin_profile(writer, gaps ? "evented" : "sampled", thread.name, range,
					 power);
		buf_clear(&writer->text);
		if (gaps) {
			speedscope_write_events(writer, periods, thread, &stack, power);
		} else {
			speedscope_write_stacks(writer, periods, thread, &stack);
			speedscope_write_weights(writer, periods, thread, power);
		}
		output_add_text(writer->out, "]}");
		ids_release(&stack.path);
		ids_release(&stack.ends);
		ids_release(&stack.begun);
	}
	free(depths);
}

static int speedscope_write(void *state, struct output *out, const struct view *view,
			    const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options;
	struct speedscope_writer writer = {.out = out};
	struct periods periods;
	sited_init(&writer.sited, view);
	int result = periods_init(&periods, &writer.sited, SIZE_MAX, diag);
	output_add_text(out, SPEEDSCOPE_START);
	speedscope_write_frames(&writer);
	output_add_text(out, "]},\n\"profiles\": [");
	speedscope_write_threads(&writer, &periods);
	buf_clear(&writer.text);
	buf_printf(&writer.text, "],\n\"activeProfileIndex\": %zu}\n", periods.heaviest);
	output_add_str(out, buf_str(&writer.text));
	sited_release(&writer.sited);
	buf_release(&writer.text);
	return result;
}

const struct exporter exporter_speedscope = {
	.name = "speedscope",
	.suffixes = ".speedscope.json",
	.brief = "a profile as JSON, which speedscope shows",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES | EXPORT_MOMENTS,
	.bits = 62, // readers support this number of bits
	.write = speedscope_write,
};
