/* speedscope: a profile as JSON, in the format of speedscope and related tools. If times are known,
 * each thread is a profile of events, which begin and end calls. Otherwise, one sampled profile has
 * all stacks. A stack in it is a list of numbers of frames, from the root to the leaf, and has one
 * weight. */
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

/** Write each stack that has a count. */
static void speedscope_write_stacks(struct speedscope_writer *writer) {
	const struct sited *sited = &writer->sited;
	// for each node, the length of the text up to its frame
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

/** Begin a profile whose values are from 0 to `end`. A value times 10^power is in the unit of the
 * counts. */
static void speedscope_begin_profile(struct speedscope_writer *writer, const char *type,
				     struct str name, uint64_t end, int power) {
	struct buf *text = &writer->text;
	buf_clear(text);
	buf_printf(text, "{\"type\": \"%s\", \"name\": ", type);
	json_add_string(text, name);
	buf_printf(text, ", \"unit\": \"%s\", \"startValue\": 0, \"endValue\": ",
		   speedscope_unit(writer->sited.view->profile));
	buf_add_power(text, end, power);
	output_add_str(writer->out, buf_str(text));
}

/** Write all stacks as one profile. */
static void speedscope_write_sampled(struct speedscope_writer *writer) {
	speedscope_begin_profile(writer, "sampled", STR("all"), writer->sited.view->sum, 0);
	output_add_text(writer->out, ",\n\"samples\": [");
	speedscope_write_stacks(writer);
	output_add_text(writer->out, "],\n\"weights\": [");
	speedscope_write_weights(writer);
	output_add_text(writer->out, "]}");
}

/* --- Times ---------------------------------------------------------------------------------- */

/** The calls of a thread that is being written. */
struct speedscope_calls {
	const uint32_t *depths; // depth of each node
	uint32_t node;          // the innermost open call; 0: no call is open
	struct ids begun;       // nodes of the calls to begin, innermost first
	bool any;               // whether an event was written
};

static void speedscope_add_event(struct speedscope_writer *writer, struct speedscope_calls *calls,
				 char type, uint32_t node, struct str at) {
	struct buf *text = &writer->text;
	buf_add_text(text, calls->any ? ",\n{\"type\": \"" : "\n{\"type\": \"");
	buf_add_char(text, type);
	buf_add_text(text, "\", \"frame\": ");
	buf_add_u64(text, writer->sited.nodes[node].frame);
	buf_add_text(text, ", \"at\": ");
	buf_add_str(text, at);
	buf_add_char(text, '}');
	calls->any = true;
}

/** Write the events that end and begin calls, so that a node becomes the innermost open call. */
static void speedscope_move(struct speedscope_writer *writer, struct speedscope_calls *calls,
			    uint32_t node, struct str at) {
	const struct sited_node *nodes = writer->sited.nodes;
	uint32_t open = calls->node;
	calls->node = node;
	buf_clear(&writer->text);
	while (open != node) {
		if (calls->depths[open] >= calls->depths[node]) {
			speedscope_add_event(writer, calls, 'C', open, at);
			open = nodes[open].caller;
		} else {
			ids_push(&calls->begun, node);
			node = nodes[node].caller;
		}
	}
	while (calls->begun.n > 0) {
		speedscope_add_event(writer, calls, 'O', calls->begun.items[--calls->begun.n], at);
	}
	output_add_str(writer->out, buf_str(&writer->text));
}

/** Write a thread as a profile. `power` converts the times of periods to the unit. */
static void speedscope_write_thread(struct speedscope_writer *writer, const struct periods *periods,
				    struct periods_thread *thread, const uint32_t *depths,
				    int power) {
	struct speedscope_calls calls = {.depths = depths};
	struct period period;
	struct buf at = {0};
	uint64_t now = 0;
	speedscope_begin_profile(writer, "evented", thread->name, periods_end(periods, *thread),
				 power);
	output_add_text(writer->out, ",\n\"events\": [");
	while (periods_next(periods, thread, &period)) {
		if (period.from > now) {
			speedscope_move(writer, &calls, 0, buf_str(&at));
		}
		buf_clear(&at);
		buf_add_power(&at, period.from, power);
		speedscope_move(writer, &calls, period.node, buf_str(&at));
		buf_clear(&at);
		buf_add_power(&at, period.to, power);
		now = period.to;
	}
	speedscope_move(writer, &calls, 0, buf_str(&at));
	output_add_text(writer->out, "]}");
	ids_release(&calls.begun);
	buf_release(&at);
}

static void speedscope_write_threads(struct speedscope_writer *writer,
				     const struct periods *periods) {
	const struct sited *sited = &writer->sited;
	int power = unit_power(buf_str(&sited->view->profile->unit));
	uint32_t *depths = mem_new(sited->n, sizeof(*depths));
	struct periods_thread thread = {0};
	for (size_t i = 1; i < sited->n; i++) {
		depths[i] = depths[sited->nodes[i].caller] + 1;
	}
	while (periods_next_thread(periods, &thread)) {
		output_add_text(writer->out, thread.first > 0 ? ",\n" : "");
		speedscope_write_thread(writer, periods, &thread, depths, power > 0 ? -power : 0);
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
	if (periods.moments == NULL) {
		speedscope_write_sampled(&writer);
	} else {
		speedscope_write_threads(&writer, &periods);
	}
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
