/*
 * simpleperf: samples of Android's simpleperf, in the format of 'simpleperf report-sample
 * --protobuf'.
 *
 * A file begins with a magic number. Each record consists of a size and a message in protocol
 * buffers. Samples come before their files and threads, so each distinct sample is kept as numbers
 * until the end.
 */
#include <stdlib.h>

#include "collapse/collapser.h"
#include "collapse/text.h"
#include "collapse/wire.h"

struct simpleperf_options {
	struct opt_list label_frames;
	const char *event;
	bool samples;
};

/** A file with its symbols. */
struct simpleperf_file {
	struct str path;
	size_t symbols, symbols_n; // index of the file's first symbol in `symbols`; number of its
				   // symbols
};

/** The sums of equal samples. */
struct simpleperf_sum {
	uint64_t samples, events;
};

/** The state of a recording that is being read. */
struct simpleperf_recording {
	struct input *input;
	uint64_t at; // number of bytes that were read
	struct buf record;
	struct arena texts;
	struct intern samples; // keys are an event, a time, a thread and frames, leaf first
	struct simpleperf_sum *sums;
	size_t sums_n, sums_capacity;
	struct intern files, threads; // keys are ids; the value is 1 + the index
	struct simpleperf_file *file_items;
	size_t files_n, files_capacity;
	struct str *symbols;
	size_t symbols_n, symbols_capacity;
	struct str *thread_names;
	size_t threads_n, threads_capacity;
	struct str *events;
	size_t events_n, events_capacity;
	uint64_t lost;
};

struct simpleperf_state {
	STATE_HEAD(struct simpleperf_options);
	struct diag *diag;
	struct simpleperf_recording recording;
	bool is_timed; // the time of each sample is needed
	// scratch memory for a sample: file and symbol of each frame, leaf first
	struct number_list chain;
	struct buf key;
	struct memo names;
	struct ids stack;
};

static int simpleperf_fail(struct simpleperf_state *state, const char *what) {
	return diag_error(state->diag, "%s: %s before byte %llu",
			  input_name(state->recording.input), what,
			  (unsigned long long)state->recording.at);
}

/* --- Records --------------------------------------------------------------------------------- */

static struct str simpleperf_keep(struct simpleperf_state *state, struct str text) {
	return (struct str){arena_copy(&state->recording.texts, text.p, text.n), text.n};
}

static void simpleperf_push_text(struct str **items, size_t *n, size_t *capacity, struct str text) {
	*items = mem_grow(*items, capacity, *n + 1, sizeof(**items));
	(*items)[(*n)++] = text;
}

/** Keep a frame of a sample: its file and its symbol. */
static bool simpleperf_read_frame(struct simpleperf_state *state, struct str bytes) {
	uint64_t file = 0, symbol = 0;
	bool good = wire_read_pair(bytes, 2, &file, 3, &symbol);
	number_list_push(&state->chain, file);
	number_list_push(&state->chain, symbol);
	return good;
}

/** The numbers of a sample besides its frames. */
struct simpleperf_sample {
	uint64_t time, thread, count, event;
};

/** Add a sample to the sum of its key: the event, the frames, the time if times are kept, and the
 * thread if times are kept or labels are asked for. */
static int simpleperf_add_sample(struct simpleperf_state *state,
				 const struct simpleperf_sample *sample) {
	struct simpleperf_recording *recording = &state->recording;
	bool by_thread = state->is_timed || state->options->label_frames.n > 0;
	buf_clear(&state->key);
	buf_add_varint(&state->key, sample->event);
	buf_add_varint(&state->key, state->is_timed ? sample->time : 0);
	buf_add_varint(&state->key, by_thread ? sample->thread : 0);
	for (size_t i = 0; i < state->chain.n; i++) {
		buf_add_varint(&state->key, state->chain.items[i]);
	}
	uint32_t id = intern_get(&recording->samples, state->key.p, state->key.n)->id;
	if (id == recording->sums_n) {
		*MEM_APPEND(recording->sums, recording->sums_n, recording->sums_capacity) =
			(struct simpleperf_sum){0, 0};
	}
	struct simpleperf_sum *sum = &recording->sums[id];
	if (sample->count > INT64_MAX || sum->events > INT64_MAX - sample->count) {
		return simpleperf_fail(state, "counts too large for 63 bits");
	}
	sum->samples++;
	sum->events += sample->count;
	state->run->samples++;
	return 0;
}

static int simpleperf_read_sample(struct simpleperf_state *state, struct str rest) {
	enum { TIME = 1, THREAD, FRAME, COUNT, EVENT };
	struct simpleperf_sample sample = {0};
	struct wire_field field;
	state->chain.n = 0;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field) ||
		    (field.number == FRAME && !simpleperf_read_frame(state, field.bytes))) {
			return simpleperf_fail(state, "a bad sample");
		}
		sample.time = field.number == TIME ? field.value : sample.time;
		sample.thread = field.number == THREAD ? field.value : sample.thread;
		sample.count = field.number == COUNT ? field.value : sample.count;
		sample.event = field.number == EVENT ? field.value : sample.event;
	}
	return simpleperf_add_sample(state, &sample);
}

/** Give the id of a file or a thread its index. Return false if the id has an index already. */
static bool simpleperf_place(struct intern *ids, uint64_t id, size_t place) {
	struct intern_key *key = intern_get(ids, &id, sizeof(id));
	bool is_new = key->value == 0;
	key->value = place + 1;
	return is_new;
}

static int simpleperf_read_file(struct simpleperf_state *state, struct str rest) {
	enum { ID = 1, PATH, SYMBOL };
	struct simpleperf_recording *recording = &state->recording;
	struct simpleperf_file file = {STR(""), recording->symbols_n, 0};
	uint64_t id = 0;
	struct wire_field field;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field)) {
			return simpleperf_fail(state, "a bad file");
		}
		id = field.number == ID ? field.value : id;
		if (field.number == PATH) {
			file.path = simpleperf_keep(state, field.bytes);
		} else if (field.number == SYMBOL) {
			simpleperf_push_text(&recording->symbols, &recording->symbols_n,
					     &recording->symbols_capacity,
					     simpleperf_keep(state, field.bytes));
			file.symbols_n++;
		}
	}
	MEM_GROW(recording->file_items, recording->files_capacity, recording->files_n + 1);
	recording->file_items[recording->files_n] = file;
	return simpleperf_place(&recording->files, id, recording->files_n++)
		       ? 0
		       : simpleperf_fail(state, "a file whose id is given twice");
}

/** Read a thread. If the name of a thread changes, use the last name. */
static int simpleperf_read_thread(struct simpleperf_state *state, struct str rest) {
	enum { ID = 1, NAME = 3 };
	struct simpleperf_recording *recording = &state->recording;
	struct str name = STR("");
	uint64_t id = 0;
	struct wire_field field;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field)) {
			return simpleperf_fail(state, "a bad thread");
		}
		id = field.number == ID ? field.value : id;
		name = field.number == NAME ? field.bytes : name;
	}
	simpleperf_push_text(&recording->thread_names, &recording->threads_n,
			     &recording->threads_capacity, simpleperf_keep(state, name));
	simpleperf_place(&recording->threads, id, recording->threads_n - 1);
	return 0;
}

/** Keep the names of events. */
static int simpleperf_read_meta(struct simpleperf_state *state, struct str rest) {
	struct simpleperf_recording *recording = &state->recording;
	struct wire_field field;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field)) {
			return simpleperf_fail(state, "bad information on the recording");
		}
		if (field.number == 1) {
			simpleperf_push_text(&recording->events, &recording->events_n,
					     &recording->events_capacity,
					     simpleperf_keep(state, field.bytes));
		}
	}
	return 0;
}

static int simpleperf_read_record(struct simpleperf_state *state, struct str rest) {
	enum { SAMPLE = 1, LOST, FILE_, THREAD, META };
	struct wire_field field;
	uint64_t all = 0;
	int result = 0;
	while (rest.n > 0 && result == 0) {
		if (!wire_take_field(&rest, &field) ||
		    (field.number <= META && field.wire != WIRE_BYTES)) {
			return simpleperf_fail(state, "a bad record");
		}
		result = field.number == SAMPLE   ? simpleperf_read_sample(state, field.bytes)
			 : field.number == FILE_  ? simpleperf_read_file(state, field.bytes)
			 : field.number == THREAD ? simpleperf_read_thread(state, field.bytes)
			 : field.number == META   ? simpleperf_read_meta(state, field.bytes)
						  : 0;
		if (field.number == LOST &&
		    !wire_read_pair(field.bytes, 1, &all, 2, &state->recording.lost)) {
			return simpleperf_fail(state, "a bad record");
		}
	}
	return result;
}

/** Read the next `n` bytes into `record`. Return 0, or -1 after diag_error(). */
static int simpleperf_take(struct simpleperf_state *state, size_t n) {
	struct simpleperf_recording *recording = &state->recording;
	buf_clear(&recording->record);
	ptrdiff_t got = wire_read(recording->input, &recording->record, n);
	recording->at += got > 0 ? (uint64_t)got : 0;
	return got < 0 ? -1 : (size_t)got < n ? simpleperf_fail(state, "unexpected end") : 0;
}

/** Read all records. The last record has the size 0. */
static int simpleperf_read_records(struct simpleperf_state *state) {
	enum { HEAD = 12, SIZE = 4, VERSION_AT = 10 };
	const struct buf *record = &state->recording.record;
	if (simpleperf_take(state, HEAD) != 0) {
		return -1;
	}
	if (record->p[VERSION_AT] != 1 || record->p[VERSION_AT + 1] != 0) {
		return simpleperf_fail(state, "a version of the format that is not read, not 1,");
	}
	for (;;) {
		uint32_t size = 0;
		if (simpleperf_take(state, SIZE) != 0) {
			return -1;
		}
		for (size_t i = SIZE; i > 0; i--) {
			size = size << 8 | (unsigned char)record->p[i - 1];
		}
		if (size == 0) {
			return 0;
		}
		if (simpleperf_take(state, size) != 0 ||
		    simpleperf_read_record(state, buf_str(record)) != 0) {
			return -1;
		}
	}
}

/* --- Stacks ---------------------------------------------------------------------------------- */

/** Return the name of an event, or an empty text if the recording does not have the event. */
static struct str simpleperf_event_name(const struct simpleperf_state *state, uint64_t event) {
	return event < state->recording.events_n ? state->recording.events[event] : STR("");
}

/** Put a frame on the stack. If the frame is bad, report it, set `*result`, and return false. */
static bool simpleperf_push_frame(struct simpleperf_state *state, uint64_t file, uint64_t symbol,
				  int *result) {
	struct simpleperf_recording *recording = &state->recording;
	const struct intern_key *key = intern_find(&recording->files, &file, sizeof(file));
	if (key == NULL) {
		*result = run_bad(state->run, 0, "a sample has the file %llu, which is not there",
				  (unsigned long long)file);
		return false;
	}
	const struct simpleperf_file *found = &recording->file_items[key->value - 1];
	// a symbol of -1 means that the symbol is not known
	bool is_unknown = (int32_t)(uint32_t)symbol < 0;
	if (!is_unknown && symbol >= found->symbols_n) {
		*result = run_bad(
			state->run, 0, "a sample has the symbol %llu of '%s', which has %zu",
			(unsigned long long)symbol, quote(found->path).text, found->symbols_n);
		return false;
	}
	struct buf *text = &state->key;
	buf_clear(text);
	if (is_unknown) {
		text_add_module(text, found->path);
	} else {
		buf_add_str(text, recording->symbols[found->symbols + symbol]);
	}
	ids_push(&state->stack, text_frame(state->run, &state->names,
					   text->n > 0 ? buf_str(text) : STR("[unknown]")));
	return true;
}

/** Put the frames of labels on the stack. */
static void simpleperf_push_labels(struct simpleperf_state *state, uint64_t thread) {
	const struct simpleperf_recording *recording = &state->recording;
	const struct intern_key *key = intern_find(&recording->threads, &thread, sizeof(thread));
	for (size_t i = 0; i < state->options->label_frames.n; i++) {
		const char *label = state->options->label_frames.items[i];
		struct buf *text = &state->key;
		buf_clear(text);
		if (key != NULL && strcmp(label, "thread") == 0) {
			buf_add_str(text, recording->thread_names[key->value - 1]);
		}
		if (text->n == 0) {
			buf_printf(text, "(no %s)", label);
		}
		ids_push(&state->stack, text_frame(state->run, &state->names, buf_str(text)));
	}
}

/** Set the time and the thread of the next stack. */
static void simpleperf_set_time(struct simpleperf_state *state, uint64_t time, uint64_t thread) {
	const struct simpleperf_recording *recording = &state->recording;
	const struct intern_key *key = intern_find(&recording->threads, &thread, sizeof(thread));
	struct str name = key == NULL ? STR("") : recording->thread_names[key->value - 1];
	buf_clear(&state->key);
	buf_printf(&state->key, "%.*s%s%llu", (int)name.n, name.p, name.n > 0 ? " " : "",
		   (unsigned long long)thread);
	time = time > INT64_MAX ? INT64_MAX : time;
	profile_during(state->run->profile, buf_str(&state->key), time, time);
}

/** Put the stack of a sample into `stack`. Return false if the sample must be left out; if the run
 * must end, set `*result` to -1. */
static bool simpleperf_find_stack(struct simpleperf_state *state, struct str key, uint64_t *event,
				  int *result) {
	uint64_t thread = 0, time = 0, number;
	struct number_list *chain = &state->chain;
	chain->n = state->stack.n = 0;
	wire_take_number(&key, event);
	wire_take_number(&key, &time);
	wire_take_number(&key, &thread);
	while (key.n > 0 && wire_take_number(&key, &number)) {
		number_list_push(chain, number);
	}
	const char *wanted = state->options->event;
	if (wanted != NULL && !str_eq(simpleperf_event_name(state, *event), str_of(wanted))) {
		return false;
	}
	if (profile_wants_times(state->run->profile)) {
		simpleperf_set_time(state, time, thread);
	}
	simpleperf_push_labels(state, thread);
	bool good = true;
	for (size_t i = chain->n; i > 0 && good; i -= 2) {
		good = simpleperf_push_frame(state, chain->items[i - 2], chain->items[i - 1],
					     result);
	}
	if (chain->n == 0) {
		ids_push(&state->stack, text_frame(state->run, &state->names, STR("[unknown]")));
	}
	return good;
}

/** Check that the recording has the event that the user has asked for. */
static int simpleperf_check_event(struct simpleperf_state *state) {
	const struct simpleperf_recording *recording = &state->recording;
	const char *wanted = state->options->event;
	struct buf list = {0};
	bool found = wanted == NULL;
	for (size_t i = 0; i < recording->events_n; i++) {
		found |= wanted != NULL && str_eq(recording->events[i], str_of(wanted));
		buf_printf(&list, "%s%s", i > 0 ? ", " : "", quote(recording->events[i]).text);
	}
	int result =
		found ? 0
		      : diag_error(state->diag, "%s: the recording has no event '%s'; it has: %s",
				   input_name(recording->input), quote(str_of(wanted)).text,
				   list.n > 0 ? buf_text(&list) : "none with a name");
	buf_release(&list);
	return result;
}

static int simpleperf_count(struct simpleperf_state *state) {
	const struct simpleperf_recording *recording = &state->recording;
	uint64_t first = UINT64_MAX, second = UINT64_MAX;
	int result = 0;
	for (uint32_t i = 0; i < recording->samples.count && result == 0; i++) {
		const struct intern_key *key = recording->samples.keys[i];
		const struct simpleperf_sum *sum = &recording->sums[i];
		uint64_t event = 0, count = state->options->samples ? sum->samples : sum->events;
		if (!simpleperf_find_stack(state, intern_str(key), &event, &result)) {
			continue;
		}
		first = first == UINT64_MAX ? event : first;
		second = event != first ? event : second;
		if (profile_wants_values(state->run->profile)) {
			profile_next_value(state->run->profile, STR("samples"), STR("count"),
					   sum->samples);
			profile_next_value(state->run->profile, STR("events"), STR("count"),
					   sum->events);
		}
		if (count > 0) {
			profile_add(state->run->profile, state->stack.items, state->stack.n, count);
		}
	}
	if (result == 0 && second != UINT64_MAX && !state->options->samples) {
		result = run_warn(state->run, 0,
				  "added up counts of different events, such as '%s' and '%s'; "
				  "choose one with --event",
				  quote(simpleperf_event_name(state, first)).text,
				  quote(simpleperf_event_name(state, second)).text);
	}
	if (result == 0 && recording->lost > 0) {
		result = run_warn(state->run, 0, "simpleperf lost %llu samples",
				  (unsigned long long)recording->lost);
	}
	return result;
}

/* --- The collapser --------------------------------------------------------------------------- */

static void simpleperf_forget(struct simpleperf_state *state) {
	struct simpleperf_recording *recording = &state->recording;
	buf_release(&recording->record);
	arena_release(&recording->texts);
	intern_release(&recording->samples);
	intern_release(&recording->files);
	intern_release(&recording->threads);
	free(recording->sums);
	free(recording->file_items);
	free(recording->symbols);
	free(recording->thread_names);
	free(recording->events);
	*recording = (struct simpleperf_recording){0};
}

static int simpleperf_read(void *memory, struct input *input, struct diag *diag) {
	struct simpleperf_state *state = memory;
	const struct profile *profile = state->run->profile;
	state->diag = diag;
	state->is_timed = profile_wants_times(profile) || profile->form == PROFILE_TIMELINE;
	state->recording.input = input;
	int result = simpleperf_read_records(state);
	result = result == 0 ? simpleperf_check_event(state) : -1;
	result = result == 0 ? simpleperf_count(state) : -1;
	simpleperf_forget(state);
	return result;
}

/** Refuse text, because the samples of simpleperf are binary. */
static int simpleperf_block(void *memory, const struct block *block) {
	struct simpleperf_state *state = memory;
	return block->bytes.n == 0
		       ? 0
		       : run_error(
				 state->run, 1,
				 "not samples of simpleperf; write them with: simpleperf "
				 "report-sample --protobuf --show-callchain -i perf.data -o FILE");
}

static void simpleperf_release(void *memory) {
	struct simpleperf_state *state = memory;
	simpleperf_forget(state);
	free(state->chain.items);
	buf_release(&state->key);
	memo_release(&state->names);
	ids_release(&state->stack);
}

static void simpleperf_find_unit(const void *memory, struct buf *unit) {
	const struct simpleperf_state *state = memory;
	buf_add_text(unit, state->options->samples ? "samples" : "events");
}

static int simpleperf_sniff_read(struct str start) {
	return str_starts(start, STR("SIMPLEPERF")) ? SNIFF_MAGIC : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_TEXT(struct simpleperf_options, event), .name = "event", .value = "NAME",
	 .help = "count this event only, such as cpu-clock"},
	{OPT_IS_BOOL(struct simpleperf_options, samples), .name = "samples",
	 .help = "count samples, not events"},
	{OPT_IS_LIST(struct simpleperf_options, label_frames), .name = "label-frames",
	 .value = "KEY",
	 .help = "add the name of the thread as a root frame; the only KEY is thread"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "events", NULL, NULL},
	{"samples", "samples", NULL, "samples"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"simpleperf report-sample --protobuf --show-callchain -i perf.data -o app.trace",
	 "write the samples of a recording"},
	{"inferno collapse simpleperf app.trace > app.folded", "fold them"},
	{NULL, NULL},
};

const struct collapser collapse_simpleperf = {
	.name = "simpleperf",
	.brief = "fold samples of Android's simpleperf",
	.about = "Reads what 'simpleperf report-sample --protobuf' writes, and Android Studio "
		 "exports. The count is that of the event, such as nanoseconds of cpu-clock. "
		 "Frames without a symbol get the name of their file in brackets.",
	.examples = examples,
	.options = {options, sizeof(struct simpleperf_options)},
	.values = values,
	.state_size = sizeof(struct simpleperf_state),
	.sniff_read = simpleperf_sniff_read,
	.read = simpleperf_read,
	.block = simpleperf_block,
	.find_unit = simpleperf_find_unit,
	.release = simpleperf_release,
	.expects = "a recording of simpleperf, with samples",
};
