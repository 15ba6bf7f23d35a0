/* The command script: print a recording of perf as text, in the form of `perf script`. */
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "perf/data/options.h"
#include "perf/data/quality.h"
#include "perf/lookup.h"

/** Fields that can be printed. */
enum field {
	FIELD_COMM = 1 << 0,
	FIELD_PID = 1 << 1,
	FIELD_TID = 1 << 2,
	FIELD_CPU = 1 << 3,
	FIELD_TIME = 1 << 4,
	FIELD_PERIOD = 1 << 5,
	FIELD_EVENT = 1 << 6,
	FIELD_IP = 1 << 7,
	FIELD_SYM = 1 << 8,
	FIELD_SYMOFF = 1 << 9,
	FIELD_DSO = 1 << 10,
	FIELD_SRCLINE = 1 << 11,
	FIELDS_DEFAULT = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_PERIOD |
			 FIELD_EVENT | FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO,
};

static const char *const field_names[] = {"comm",  "pid", "tid", "cpu",    "time", "period",
					  "event", "ip",  "sym", "symoff", "dso",  "srcline"};

struct script_options {
	struct perfdata_options names;
	const char *fields;
};

struct script {
	struct perfdata *data;
	struct output *out;
	unsigned fields;
	// Number of events when the width of their column was last computed, and this width.
	size_t events_n;
	int event_width;
	struct lookup *lookup; // cached frames: 1 + the offset of their text
	struct buf texts;      // texts of frames: a length of four bytes, then the text
	struct str comm;       // last command that was printed
	struct buf comm_text;  // text of that command, as printed
	struct buf event_text; // name of the last event, as printed
};

/* --- Fields --------------------------------------------------------------------------------- */

/** Return the bits of the fields in a list, or 0 if a field is unknown. */
static unsigned script_parse_fields(const char *text) {
	unsigned fields = 0;
	struct str rest = str_of(text);
	bool adds = str_starts(rest, STR("+"));
	while (rest.n > 0) {
		struct str name = str_cut(&rest, ',');
		name = str_from(name, str_starts(name, STR("+")));
		unsigned found = 0;
		for (size_t i = 0; i < sizeof(field_names) / sizeof(field_names[0]); i++) {
			found |= str_eq(name, str_of(field_names[i])) ? 1U << i : 0;
		}
		if (found == 0) {
			return 0;
		}
		fields |= found;
	}
	return adds ? fields | FIELDS_DEFAULT : fields;
}

static const char *script_check_fields(const char *value) {
	return script_parse_fields(value) != 0
		       ? NULL
		       : "names of fields with commas between them: comm, pid, tid, cpu, time, "
			 "period, event, ip, sym, symoff, dso, srcline";
}

/* --- Numbers and names ---------------------------------------------------------------------- */

/** Print a number in at least `width` columns, padded on the left. */
static void script_add_number(struct output *out, uint64_t value, int width, char fill) {
	char digits[NUM_U64_MAX];
	size_t n = num_format_u64(digits, value);
	for (int i = (int)n; i < width; i++) {
		output_add_char(out, fill);
	}
	output_add(out, digits, n);
}

/** Print a process id or a thread id. */
static void script_add_id(struct output *out, int32_t id, int width) {
	if (id >= 0) {
		script_add_number(out, (uint64_t)id, width, ' ');
		return;
	}
	char text[16];
	int n = snprintf(text, sizeof(text), "%*d", width, id);
	output_add(out, text, (size_t)n);
}

static void script_add_comm(struct script *script, const struct perfdata_sample *sample) {
	struct str comm = sample->thread->comm;
	if (comm.p != script->comm.p) {
		buf_clear(&script->comm_text);
		utf8_add_shown(&script->comm_text, comm);
		script->comm = comm;
	}
	struct str text = buf_str(&script->comm_text);
	enum { WIDTH = 16 };
	for (size_t i = text.n; !(sample->has_chain && (script->fields & FIELD_IP)) && i < WIDTH;
	     i++) {
		output_add_char(script->out, ' ');
	}
	output_add_str(script->out, text);
	output_add_char(script->out, ' ');
}

static void script_add_time(struct output *out, uint64_t time) {
	enum { NANOSECONDS = 1000000000, PER_MICROSECOND = 1000 };
	script_add_number(out, time / NANOSECONDS, 5, ' ');
	output_add_char(out, '.');
	script_add_number(out, time % NANOSECONDS / PER_MICROSECOND, 6, '0');
	output_add_text(out, ": ");
}

/* --- Frames --------------------------------------------------------------------------------- */

/** Write the line of one symbol. `symbol` is NULL if the address has no symbol. Line ends in names
 * are replaced. */
static void script_format_frame(const struct script *script, const struct lookup_place *place,
				const struct symbol *symbol, struct buf *text) {
	const struct perf_frame frame = lookup_frame(place, symbol);
	unsigned fields = script->fields;
	if ((fields & FIELD_IP) != 0) {
		buf_printf(text, "%16llx", (unsigned long long)place->location.shown);
	}
	if ((fields & FIELD_SYM) != 0) {
		buf_add_char(text, ' ');
		utf8_add_shown(text, frame.function);
		if ((fields & FIELD_SYMOFF) != 0 && symbol != NULL && !frame.inlined) {
			buf_printf(text, "+0x%llx",
				   (unsigned long long)(place->location.address - symbol->start));
		}
	}
	if ((fields & FIELD_DSO) != 0 && !frame.inlined) {
		buf_add_text(text, " (");
		utf8_add_shown(text, frame.module);
		buf_add_char(text, ')');
	}
	if ((fields & FIELD_SRCLINE) != 0 && symbol != NULL && symbol->file.n > 0) {
		buf_add_text(text, "\n  ");
		utf8_add_shown(text, symbol->file);
		buf_printf(text, ":%u", symbol->line);
	}
	if (frame.inlined) {
		buf_add_text(text, " (inlined)");
	}
}

/** Write all lines of an address, with a tab before each and a line end after it. */
static void script_format_address(const struct script *script, const struct lookup_place *place,
				  const struct symbol *symbols, size_t n, struct buf *text) {
	for (size_t i = 0; i < n || i == 0; i++) {
		buf_add_char(text, '\t');
		script_format_frame(script, place, n == 0 ? NULL : &symbols[i], text);
		buf_add_char(text, '\n');
	}
}

/** Write the text of an address. Return the offset of the text plus 1. */
static uint64_t script_make_text(void *context, const struct lookup_place *place,
				 const struct symbol *symbols, size_t symbols_n) {
	struct script *script = context;
	uint32_t n;
	size_t at = script->texts.n;
	buf_room(&script->texts, sizeof(n));
	script->texts.n += sizeof(n);
	script_format_address(script, place, symbols, symbols_n, &script->texts);
	n = (uint32_t)(script->texts.n - at - sizeof(n));
	memcpy(script->texts.p + at, &n, sizeof(n));
	return at + 1;
}

/** Return the text of a frame. */
static struct str script_text_of(struct script *script, const struct perfdata_sample *sample,
				 const struct perfdata_frame *frame) {
	uint64_t known = lookup_value(script->lookup, sample, frame, 0);
	const char *text = script->texts.p + known - 1;
	uint32_t n;
	memcpy(&n, text, sizeof(n));
	return (struct str){text + sizeof(n), n};
}

/** Print the only frame of a sample without a call chain on the line of its event. */
static void script_add_leaf(struct script *script, const struct perfdata_sample *sample) {
	const struct perfdata_frame *frame = &sample->frames[0];
	struct lookup_place place = lookup_place_of(script->lookup, sample, frame, 0);
	const struct symbol *symbols = NULL;
	bool moves;
	place.is_return = false;
	size_t n = lookup_symbols(script->lookup, &place, sample->time, &symbols, &moves);
	struct buf line = {0};
	script_format_frame(script, &place, n == 0 ? NULL : &symbols[n - 1], &line);
	buf_replace(&line, '\n', '?'); // a line end before the source line
	if ((script->fields & FIELD_IP) != 0 && line.n >= 16) {
		// Add the address in the process, not the address in the file.
		char ip[24];
		snprintf(ip, sizeof(ip), "%16llx", (unsigned long long)frame->ip);
		output_add(script->out, ip, 16);
		output_add_str(script->out, str_from(buf_str(&line), 16));
	} else {
		output_add_str(script->out, buf_str(&line));
	}
	buf_release(&line);
}

/* --- Samples -------------------------------------------------------------------------------- */

static void script_add_ids(struct script *script, const struct perfdata_sample *sample) {
	struct output *out = script->out;
	if ((script->fields & FIELD_PID) != 0) {
		script_add_id(out, sample->pid, 5);
		output_add_char(out, (script->fields & FIELD_TID) != 0 ? '/' : ' ');
	}
	if ((script->fields & FIELD_TID) != 0) {
		char text[24];
		bool both = (script->fields & FIELD_PID) != 0;
		int n = snprintf(text, sizeof(text), both ? "%-5d " : "%5d ", sample->tid);
		output_add(out, text, (size_t)n);
	}
}

/** Return the width of the column of events: the length of the longest name. */
static int script_event_width(struct script *script) {
	// If there are more events, measure the names again only when the number of events changes.
	enum { FEW = 64 };
	const struct perfdata_events *events = perfdata_events(script->data);
	if (events->n <= FEW || events->n != script->events_n) {
		size_t width = 0;
		for (size_t i = 0; i < events->n; i++) {
			width = events->items[i]->name.n > width ? events->items[i]->name.n : width;
		}
		script->event_width = (int)width;
		script->events_n = events->n;
	}
	return script->event_width;
}

static void script_add_event(struct script *script, const struct perfdata_sample *sample) {
	buf_clear(&script->event_text);
	utf8_add_shown(&script->event_text, sample->event->name);
	int width = script_event_width(script);
	for (int i = (int)script->event_text.n; i < width; i++) {
		output_add_char(script->out, ' ');
	}
	output_add_str(script->out, buf_str(&script->event_text));
	output_add_text(script->out, ": ");
}

static int script_print_sample(void *context, const struct perfdata_sample *sample) {
	struct script *script = context;
	struct output *out = script->out;
	unsigned fields = script->fields;
	uint64_t type = sample->event->sample_type;
	if ((fields & FIELD_COMM) != 0) {
		script_add_comm(script, sample);
	}
	script_add_ids(script, sample);
	if ((fields & FIELD_CPU) != 0 && (type & SAMPLE_CPU) != 0) {
		output_add_char(out, '[');
		script_add_number(out, sample->cpu, 3, '0');
		output_add_text(out, "] ");
	}
	if ((fields & FIELD_TIME) != 0 && (type & SAMPLE_TIME) != 0) {
		script_add_time(out, sample->time);
	}
	if ((fields & FIELD_PERIOD) != 0) {
		script_add_number(out, sample->period, 10, ' ');
		output_add_char(out, ' ');
	}
	if ((fields & FIELD_EVENT) != 0) {
		script_add_event(script, sample);
	}
	if ((fields & FIELD_IP) != 0 && sample->has_chain) {
		output_add_char(out, '\n');
		for (size_t i = 0; i < sample->depth; i++) {
			output_add_str(out, script_text_of(script, sample, &sample->frames[i]));
		}
	} else if ((fields & FIELD_IP) != 0 && sample->depth > 0) {
		output_add_char(out, ' ');
		script_add_leaf(script, sample);
	}
	output_add_char(out, '\n');
	return 0;
}

static int script_run(const struct command_run *run) {
	const struct script_options *options =
		OPT_VALUES(run->set, TABLE_OWN, struct script_options);
	struct symbols_options symbols = perfdata_symbols_options(&options->names);
	struct script script = {.out = run->out,
				.fields = options->fields == NULL
						  ? FIELDS_DEFAULT
						  : script_parse_fields(options->fields)};
	symbols.srcline = (script.fields & FIELD_SRCLINE) != 0;
	struct input *input = input_open(&run->sources[0], run->diag);
	if (input == NULL) {
		return -1;
	}
	script.data = perfdata_open(input, &symbols, run->diag);
	script.lookup = mem_new(1, sizeof(*script.lookup));
	script.lookup->data = script.data;
	script.lookup->make = script_make_text;
	script.lookup->context = &script;
	script.lookup->by_address = true;
	int result = script.data == NULL ? -1 : 0;
	if (result == 0) {
		const struct perfdata_consumer consumer = {.sample = script_print_sample,
							   .context = &script};
		struct quality quality = {
			0}; // not used here: the text itself shows which frames lack a name
		result = perfdata_read(script.data, &consumer) != 0
				 ? -1
				 : quality_report(&quality, script.data, input_name(input),
						  run->diag);
	}
	perfdata_close(script.data);
	lookup_release(script.lookup);
	free(script.lookup);
	buf_release(&script.texts);
	buf_release(&script.comm_text);
	buf_release(&script.event_text);
	input_close(input);
	return result;
}

static const struct opt options[] = {
	{OPT_IS_TEXT(struct script_options, fields), .name = "fields", .letter = 'F',
	 .value = "LIST", .check = script_check_fields,
	 .help = "print these fields; '+LIST' prints them in addition to the default fields"},
	PERFDATA_OPTION_ROWS(struct script_options, names),
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno script perf.data > out.perf", "print the samples of a recording"},
	{"inferno script -F comm,tid,time,event,ip,sym perf.data", "print some fields"},
	{NULL, NULL},
};

const struct command command_script = {
	.name = "script",
	.brief = "print the samples of a recording as text",
	.task = TASK_FOLD,
	.about = "Reads a recording of 'perf record' from a file or a pipe, and prints its samples "
		 "for programs that read the output of 'perf script'. To fold or draw a recording, "
		 "you do not need this command: 'inferno collapse perf perf.data' and 'inferno "
		 "flamegraph perf.data' read recordings directly.",
	.examples = examples,
	.operands = "[FILE]",
	.operands_most = 1,
	.tables = {[TABLE_OWN] = {options, sizeof(struct script_options)}},
	.suffixes = ".perf .txt .script .stacks",
	.run = script_run,
	.lacks_nthreads = true,
};
