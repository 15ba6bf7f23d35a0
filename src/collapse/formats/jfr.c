/*
 * jfr: recordings of Java Flight Recorder, which the JDK and async-profiler write.
 *
 * A recording consists of chunks. The metadata of a chunk names the fields of its events, in order.
 * The constant pools of a chunk have the symbols, methods, stack traces and threads, each with an
 * id. Metadata and constant pools are read first, and then the events. Samples with equal ids are
 * added up. Frames get their names at the end of the chunk, because the next chunk has other ids.
 */
#include <stdlib.h>

#include "collapse/jfr_pools.h"
#include "collapse/number_list.h"
#include "collapse/text.h"

struct jfr_options {
	struct opt_list label_frames;
	const char *event, *count;
	bool annotate;
};

/** A kind of events: its name for `--event`, and the value that it counts. */
struct jfr_kind {
	const char *name, *type;
	enum jfr_slot value; // JFR_NOWHERE: each event counts 1
	const char *unit;
};

static const struct jfr_kind jfr_kinds[] = {
	{"cpu", "jdk.ExecutionSample", JFR_NOWHERE, "samples"},
	{"cpu", "jdk.NativeMethodSample", JFR_NOWHERE, "samples"},
	{"cpu", "jdk.CPUTimeSample", JFR_NOWHERE, "samples"},
	{"wall", "profiler.WallClockSample", JFR_SAMPLES, "samples"},
	{"wall", "jdk.ExecutionSample", JFR_NOWHERE, "samples"},
	{"alloc", "jdk.ObjectAllocationInNewTLAB", JFR_TLAB_SIZE, "bytes"},
	{"alloc", "jdk.ObjectAllocationOutsideTLAB", JFR_ALLOCATION_SIZE, "bytes"},
	{"alloc", "jdk.ObjectAllocationSample", JFR_WEIGHT, "bytes"},
	{"live", "profiler.LiveObject", JFR_ALLOCATION_SIZE, "bytes"},
	{"lock", "jdk.JavaMonitorEnter", JFR_DURATION, "nanoseconds"},
	{"lock", "jdk.ThreadPark", JFR_DURATION, "nanoseconds"},
	{"nativemem", "profiler.Malloc", JFR_SIZE, "bytes"},
	{"nativelock", "profiler.NativeLock", JFR_DURATION, "nanoseconds"},
	{"trace", "jdk.MethodTrace", JFR_DURATION, "nanoseconds"},
};

enum { JFR_NO_STACK }; // the tally of samples without a stack

/** Kinds of frames, for --annotate. */
enum {
	JFR_OTHER = 0,
	JFR_INTERPRETED = '0',
	JFR_C1 = '1',
	JFR_COMPILED = 'j',
	JFR_INLINED = 'i',
	JFR_KERNEL = 'k',
};

/** Samples with equal ids, added up. */
struct jfr_sum {
	uint64_t samples, value;
};

/** The numbers in a key. Samples with the same key are added up. A key has JFR_KEY_START only if
 * times are kept. */
enum jfr_key {
	JFR_KEY_STACK,
	JFR_KEY_THREAD, // thread; 0 if neither labels nor times need it
	JFR_KEY_CLASS,
	JFR_KEY_IN_TLAB,
	JFR_KEY_START, // start of the sample, in ticks
	JFR_KEY_SIZE,
};

struct jfr_sums {
	struct intern keys; // see enum jfr_key; in `kept`, a key has frames
	struct jfr_sum *items;
	size_t n, capacity;
};

/** What the ids in a chunk mean. */
struct jfr_tables {
	struct jfr_metadata metadata;
	struct jfr_pools pools;
	// keys are the method, the type of the frame and the line; the value is 1 + the frame
	struct intern frames;
	bool has_kernel;
};

struct jfr_state {
	STATE_HEAD(struct jfr_options);
	struct jfr_file file;
	const char *event;
	struct jfr_tables tables, earlier; // of this chunk, and of the chunk before
	uint64_t earlier_end;              // time at which the chunk before ended
	struct jfr_sums sums;              // samples of this chunk
	struct jfr_sums kept; // sums of samples with the same frames, of all chunks so far; see
			      // jfr_add_kept()
	uint64_t ticks_a_second;
	// ids of STATE_DEFAULT, with which async-profiler marks running threads; none: all samples
	// of the chunk are of running threads
	struct number_list cpu_states;
	bool counts_samples;
	bool is_timed; // samples keep their order in time
	const char *unit;
	struct jfr_sum negative; // number of negative values, which are left out, and the sum of
				 // their absolute values
	struct intern others;    // keys are the names of events with stacks; the value is the
				 // number of such events
	struct intern kinds;     // with --annotate: keys of frames, each a name and a kind
	struct memo names;
	struct ids stack;
	struct buf text, name; // scratch memory, and (`name`) the name of the last input
};

/** Find out from the names of the frame types whether the chunk has kernel frames. Find the thread
 * states of running threads. */
static void jfr_look_at_pools(struct jfr_state *state) {
	struct buf *text = &state->text;
	const struct intern *types = &state->tables.pools.ids[JFR_FRAME_TYPES],
			    *states = &state->tables.pools.ids[JFR_STATES];
	state->tables.has_kernel = false;
	state->cpu_states.n = 0;
	for (uint32_t i = 0; i < types->count; i++) {
		uint64_t id = load_u64(types->keys[i]->bytes);
		buf_clear(text);
		jfr_add_entry(&state->tables.pools, text, JFR_FRAME_TYPES, id, JFR_TEXT);
		state->tables.has_kernel |= str_eq(buf_str(text), STR("Kernel"));
	}
	for (uint32_t i = 0; i < states->count; i++) {
		uint64_t id = load_u64(states->keys[i]->bytes);
		buf_clear(text);
		jfr_add_entry(&state->tables.pools, text, JFR_STATES, id, JFR_NAME);
		if (str_eq(buf_str(text), STR("STATE_DEFAULT"))) {
			number_list_push(&state->cpu_states, id);
		}
	}
}

/* --- Frames ---------------------------------------------------------------------------------- */

/** Add the name of a class to the text, as Java prints it, for example `byte[]` or
 * `java.lang.String[]`. Return false if an entry of a pool is missing. */
static bool jfr_add_class(struct jfr_state *state, struct buf *text, uint64_t id) {
	static const char *const plain[] = {"Bbyte", "Cchar", "Ddouble", "Ffloat",
					    "Iint",  "Jlong", "Sshort",  "Zboolean"};
	struct jfr_value values[JFR_SLOTS];
	size_t start = text->n, depth = 0;
	if (!jfr_find(&state->tables.pools, JFR_CLASSES, id, values) ||
	    !jfr_add_entry(&state->tables.pools, text, JFR_SYMBOLS, values[JFR_NAME].number,
			   JFR_TEXT)) {
		return false;
	}
	struct buf name = {0};
	struct str symbol = str_from(buf_str(text), start);
	while (depth < symbol.n && symbol.p[depth] == '[') {
		depth++;
	}
	symbol = str_from(symbol, depth);
	bool is_object = depth > 0 && symbol.n > 2 && symbol.p[0] == 'L'; // for example
									  // `Ljava/lang/String;`
	symbol = is_object ? str_to(str_from(symbol, 1), symbol.n - 2) : symbol;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (depth > 0 && symbol.n == 1 && symbol.p[0] == plain[i][0] && !is_object) {
			symbol = str_of(plain[i] + 1);
			break;
		}
	}
	buf_add_str(&name, symbol);
	buf_replace(&name, '/', '.');
	for (; depth > 0; depth--) {
		buf_add_text(&name, "[]");
	}
	text->n = start;
	buf_add_str(text, buf_str(&name));
	buf_release(&name);
	return true;
}

/** Put a frame on the stack. With --annotate, the id of the frame stands for a name and a kind. */
static void jfr_push_frame(struct jfr_state *state, struct str name, char kind) {
	const uint32_t key[] = {text_frame(state->run, &state->names, name), (uint32_t)kind};
	ids_push(&state->stack, state->options->annotate
					? intern_get(&state->kinds, key, sizeof(key))->id
					: key[0]);
}

/** Put a frame on the stack, with its line if the profile keeps sites and --annotate is not
 * given. */
static void jfr_push_line(struct jfr_state *state, struct str name, char kind, uint64_t line) {
	struct profile *profile = state->run->profile;
	profile->has_lines |= line > 0;
	if (state->options->annotate || !profile_wants_sites(profile)) {
		profile->skipped.lines |= line > 0;
		jfr_push_frame(state, name, kind);
		return;
	}
	const struct site site = {
		.name = text_frame(state->run, &state->names, name),
		// a line number of -1 means that the line is not known
		.line = line <= INT32_MAX ? (uint32_t)line : 0,
		.kind = kind == JFR_KERNEL  ? SITE_KERNEL
			: kind == JFR_OTHER ? SITE_USER
					    : SITE_JIT,
	};
	ids_push(&state->stack, profile_site(profile, &site));
}

/** Return the kind of a frame type for --annotate. Set `*is_native` to whether methods of this type
 * have no class. */
static char jfr_frame_kind(struct jfr_state *state, uint64_t type, bool *is_native) {
	static const struct {
		const char *description;
		char kind;
	} kinds[] = {{"Interpreted", JFR_INTERPRETED},
		     {"JIT compiled", JFR_COMPILED},
		     {"Inlined", JFR_INLINED},
		     {"Kernel", JFR_KERNEL},
		     {"C1 compiled", JFR_C1}};
	struct buf description = {0};
	char kind = JFR_OTHER;
	jfr_add_entry(&state->tables.pools, &description, JFR_FRAME_TYPES, type, JFR_TEXT);
	struct str text = buf_str(&description);
	// If the chunk has kernel frames, "Native" frames are functions of C. Otherwise, they are
	// native methods of Java.
	*is_native = str_eq(text, STR("C++")) || str_eq(text, STR("Kernel")) ||
		     (state->tables.has_kernel && str_eq(text, STR("Native")));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (str_eq(text, str_of(kinds[i].description))) {
			kind = kinds[i].kind;
		}
	}
	buf_release(&description);
	return kind;
}

/** Put the name of a method into `text`. If an entry of a pool is missing, return the kind of the
 * entry. Otherwise return NULL. */
static const char *jfr_name_method(struct jfr_state *state, uint64_t method, bool is_native) {
	struct jfr_value values[JFR_SLOTS];
	struct buf *text = &state->text;
	buf_clear(text);
	if (method == 0) {
		buf_add_text(text, "[unknown]");
		return NULL;
	}
	if (!jfr_find(&state->tables.pools, JFR_METHODS, method, values)) {
		return "method";
	}
	uint64_t class = values[JFR_TYPE].number, name = values[JFR_NAME].number;
	if (class != 0 && !is_native) {
		if (!jfr_find(&state->tables.pools, JFR_CLASSES, class, values)) {
			return "class";
		}
		if (!jfr_add_entry(&state->tables.pools, text, JFR_SYMBOLS, values[JFR_NAME].number,
				   JFR_TEXT)) {
			return "symbol";
		}
		buf_add_text(text, text->n > 0 ? "." : "");
	}
	if (!jfr_add_entry(&state->tables.pools, text, JFR_SYMBOLS, name, JFR_TEXT)) {
		return "symbol";
	}
	buf_add_text(text, text->n > 0 ? "" : "[unknown]");
	return NULL;
}

/** Put the frame of a method on the stack. Return the same as jfr_name_method(). */
static const char *jfr_push_method(struct jfr_state *state, uint64_t method, uint64_t type,
				   uint64_t line) {
	const uint64_t id[] = {method, type, profile_wants_sites(state->run->profile) ? line : 0};
	struct intern_key *key = intern_get(&state->tables.frames, id, sizeof(id));
	if (key->value == 0) {
		bool is_native;
		char kind = jfr_frame_kind(state, type, &is_native);
		const char *missing = jfr_name_method(state, method, is_native);
		if (missing != NULL) {
			return missing;
		}
		jfr_push_line(state, buf_str(&state->text), kind, line);
		key->value = (uint64_t)state->stack.items[state->stack.n - 1] + 1;
		return NULL;
	}
	ids_push(&state->stack, (uint32_t)(key->value - 1));
	return NULL;
}

/** Put the frames of a stack trace on the stack. Return the same as jfr_name_method(). */
static const char *jfr_push_frames(struct jfr_state *state, uint64_t id) {
	struct jfr_value values[JFR_SLOTS];
	if (!jfr_find(&state->tables.pools, JFR_STACKS, id, values)) {
		return "stack trace";
	}
	const struct jfr_type *type =
		&state->tables.metadata.types[state->tables.pools.types[JFR_STACKS]];
	const struct jfr_step *step = state->tables.metadata.steps + type->steps,
			      *end = step + type->steps_n;
	while (step < end && !(step->what == JFR_STEP_LIST && step->slot == JFR_FRAMES)) {
		step += 1 + (step->what == JFR_STEP_LIST ? step->n : 0);
	}
	struct str rest = values[JFR_FRAMES].text;
	size_t bottom = state->stack.n;
	for (uint64_t i = values[JFR_FRAMES].number; i > 0 && step < end; i--) {
		values[JFR_METHOD].number = values[JFR_TYPE].number = values[JFR_LINE].number = 0;
		jfr_run_item(step, &rest, values);
		const char *missing =
			jfr_push_method(state, values[JFR_METHOD].number, values[JFR_TYPE].number,
					values[JFR_LINE].number);
		if (missing != NULL) {
			return missing;
		}
	}
	for (size_t i = bottom, k = state->stack.n; i + 1 < k; i++) { // reverse the frames, because
								      // the file has the leaf first
		uint32_t frame = state->stack.items[i];
		state->stack.items[i] = state->stack.items[--k];
		state->stack.items[k] = frame;
	}
	return NULL;
}

static bool jfr_has_stack(const struct jfr_tables *tables, uint64_t id) {
	return intern_find(&tables->pools.ids[JFR_STACKS], &id, sizeof(id)) != NULL;
}

/** Exchange the tables of this chunk and of the chunk before. */
static void jfr_swap_tables(struct jfr_state *state) {
	struct jfr_tables tables = state->tables;
	state->tables = state->earlier;
	state->earlier = tables;
	state->tables.pools.metadata = &state->tables.metadata;
	state->earlier.pools.metadata = &state->earlier.metadata;
}

/** Put the frames of a sample's stack trace on the stack. An event that is longer than the rest of
 * its chunk is written to the next one, but its stack trace is not. Return the same as
 * jfr_name_method(). */
static const char *jfr_push_stack(struct jfr_state *state, uint64_t id) {
	if (jfr_has_stack(&state->tables, id) || !jfr_has_stack(&state->earlier, id)) {
		return jfr_push_frames(state, id);
	}
	jfr_swap_tables(state);
	const char *missing = jfr_push_frames(state, id);
	jfr_swap_tables(state);
	return missing;
}

/** Add the name of a thread: `[NAME tid=N]`; without a name, `[tid=N]`. A name may be empty, as
 * those of virtual threads are. */
static void jfr_add_thread(struct jfr_state *state, struct buf *text, uint64_t thread) {
	struct jfr_value values[JFR_SLOTS];
	struct buf name = {0};
	bool is_named = false;
	if (jfr_find(&state->tables.pools, JFR_THREADS, thread, values)) {
		bool in_java = values[JFR_JAVA_NAME].encoding != JFR_NULL;
		const struct jfr_value *value = &values[in_java ? JFR_JAVA_NAME : JFR_OS_NAME];
		jfr_add_text(&state->tables.pools, &name, value);
		is_named = value->encoding != JFR_NULL;
	}
	// if async-profiler does not know the name of a thread, it writes such a name
	bool is_id = str_starts(buf_str(&name), STR("[tid="));
	buf_add_text(text, is_id ? "" : "[");
	buf_add_str(text, buf_str(&name));
	if (!is_id) {
		buf_printf(text, "%stid=%llu]", is_named ? " " : "", (unsigned long long)thread);
	}
	buf_release(&name);
}

/** Put the frames of labels on the stack. */
static void jfr_push_labels(struct jfr_state *state, uint64_t thread) {
	struct buf *text = &state->text;
	const struct opt_list *labels = &state->options->label_frames;
	for (size_t i = 0; i < labels->n; i++) {
		buf_clear(text);
		if (thread != 0 && strcmp(labels->items[i], "thread") == 0) {
			jfr_add_thread(state, text, thread);
		} else {
			buf_printf(text, "(no %s)", labels->items[i]);
		}
		jfr_push_frame(state, buf_str(text), JFR_OTHER);
	}
}

/** Put the class of an allocated object or of a lock on the stack, if the sample has a class.
 * Return false if the class is missing in its pool. */
static bool jfr_push_class(struct jfr_state *state, uint64_t class, bool in_tlab) {
	struct buf *text = &state->text;
	buf_clear(text);
	if (class == 0) {
		return true;
	}
	if (!jfr_add_class(state, text, class)) {
		return false;
	}
	jfr_push_frame(state, buf_str(text), in_tlab ? JFR_INLINED : JFR_KERNEL);
	return true;
}

/* --- Samples --------------------------------------------------------------------------------- */

/** Return the sum of a key. If the key is new, add a sum of 0. */
static struct jfr_sum *jfr_sum_of(struct jfr_sums *sums, const void *key, size_t n) {
	uint32_t id = intern_get(&sums->keys, key, n)->id;
	if (id == sums->n) {
		*MEM_APPEND(sums->items, sums->n, sums->capacity) = (struct jfr_sum){0, 0};
	}
	return &sums->items[id];
}

static void jfr_add_sum(struct jfr_state *state, struct jfr_sum *sum, uint64_t samples,
			uint64_t value) {
	if (sum->value > INT64_MAX - value || sum->samples > INT64_MAX - samples) {
		state->run->profile->overflow = true;
		return;
	}
	sum->samples += samples;
	sum->value += value;
}

/** Return whether the options count samples of threads in the state `id`. */
static bool jfr_has_state(const struct jfr_state *state, uint64_t id) {
	// if the chunk has no STATE_DEFAULT, all its samples are of running threads
	bool is_cpu = state->cpu_states.n == 0;
	for (size_t i = 0; i < state->cpu_states.n; i++) {
		is_cpu |= state->cpu_states.items[i] == id;
	}
	return is_cpu == (strcmp(state->event, "wall") != 0);
}

/** Return whether the stack trace of an event is in an earlier chunk that is not in the file. */
static bool jfr_lost_stack(const struct jfr_state *state, const struct jfr_value *values) {
	uint64_t id = values[JFR_STACK].number;
	return values[JFR_START].number < state->file.chunk.start_ticks &&
	       !jfr_has_stack(&state->tables, id) && !jfr_has_stack(&state->earlier, id);
}

/** Add a sample to the sum of the samples with the same key, or leave the sample out. */
static int jfr_count(struct jfr_state *state, const struct jfr_type *type, uint64_t at,
		     struct str rest) {
	struct jfr_value values[JFR_SLOTS];
	static const struct jfr_value nothing = {0};
	values[JFR_STACK] = values[JFR_THREAD] = values[JFR_CLASS] = values[JFR_STATE] = nothing;
	values[JFR_TLAB_SIZE] = values[JFR_START] = nothing;
	if (!jfr_run(&state->tables.metadata, type, &rest, values)) {
		return jfr_fail(&state->file, at, "an event that ends early");
	}
	if (type->wanted.by_state && !jfr_has_state(state, values[JFR_STATE].number)) {
		return 0;
	}
	enum jfr_slot slot = type->wanted.value;
	slot = slot != JFR_NOWHERE && values[slot].number == 0 ? type->wanted.otherwise : slot;
	uint64_t value =
		slot == JFR_NOWHERE ? type->wanted.value == JFR_NOWHERE : values[slot].number;
	uint64_t samples = slot == JFR_SAMPLES ? value : 1;
	state->run->samples++;
	// leave out the sample, as jfrconv does: users compare the totals of both programs
	if (values[JFR_STACK].number == 0 || jfr_lost_stack(state, values)) {
		state->run->tallies[JFR_NO_STACK]++;
		return 0;
	}
	if (value > INT64_MAX) {
		jfr_add_sum(state, &state->negative, 1, 0 - value);
		return 0;
	}
	bool has_thread = state->is_timed || state->options->label_frames.n > 0;
	uint64_t key[JFR_KEY_SIZE] = {
		values[JFR_STACK].number, has_thread ? values[JFR_THREAD].number : 0,
		values[JFR_CLASS].number, !type->wanted.by_tlab || slot == JFR_TLAB_SIZE,
		values[JFR_START].number};
	size_t n = state->is_timed ? JFR_KEY_SIZE : JFR_KEY_START;
	jfr_add_sum(state, jfr_sum_of(&state->sums, key, n * sizeof(*key)), samples, value);
	return 0;
}

/** Read the complete events at the start of `bytes`, which are at the offset `*at` of the file.
 * Advance `*at` to the first incomplete event. */
static int jfr_read_whole_events(struct jfr_state *state, uint64_t *at, struct str bytes) {
	const char *start = bytes.p;
	int result = 0;
	while (bytes.n >= JFR_EVENT_HEAD && result == 0) {
		struct jfr_event event = {.rest = bytes};
		if (!jfr_take_number(&event.rest, &event.size) ||
		    !jfr_take_number(&event.rest, &event.type) || event.size > bytes.n ||
		    event.size < bytes.n - event.rest.n) {
			break; // the event continues after the bytes, or is damaged
		}
		struct jfr_type *type = jfr_find_type(&state->tables.metadata, event.type);
		struct str after = str_from(bytes, (size_t)event.size);
		if (type != NULL) {
			type->events++;
			if (type->is_wanted) {
				event.rest.n -= after.n;
				result = jfr_count(state, type, *at + (uint64_t)(bytes.p - start),
						   event.rest);
			}
		}
		bytes = after;
	}
	*at += (uint64_t)(bytes.p - start);
	return result;
}

/** Read all events of the chunk. */
static int jfr_read_events(struct jfr_state *state) {
	uint64_t end = state->file.chunk.end;
	for (uint64_t at = state->file.chunk.at + JFR_HEAD; at < end;) {
		struct jfr_event event;
		struct str bytes;
		uint64_t before = at, head = end - at < JFR_EVENT_HEAD ? end - at : JFR_EVENT_HEAD;
		if (jfr_look(&state->file, at, head, &bytes) != 0 ||
		    jfr_read_whole_events(state, &at, bytes) != 0) {
			return -1;
		}
		if (at > before) {
			continue;
		}
		if (jfr_look_event(&state->file, at, end - at, false, &event) != 0) {
			return -1;
		}
		struct jfr_type *type = jfr_find_type(&state->tables.metadata, event.type);
		if (type != NULL) {
			type->events++;
			if (type->is_wanted &&
			    (jfr_look_event(&state->file, at, end - at, true, &event) != 0 ||
			     jfr_count(state, type, at, event.rest) != 0)) {
				return -1;
			}
		}
		at += event.size;
	}
	return 0;
}

/** Decide whether a type of events is counted. If it is, choose the fields whose values are
 * counted, and compile the type. */
static int jfr_want(struct jfr_state *state, struct jfr_type *type) {
	const char *event = state->event;
	bool by_name = str_eq(type->name, str_of(event)), has_duration = false;
	for (size_t i = 0; i < type->fields_n; i++) {
		struct str name = state->tables.metadata.fields[type->fields + i].name;
		type->has_stack |= str_eq(name, STR("stackTrace"));
		has_duration |= str_eq(name, STR("duration"));
	}
	const struct jfr_kind *found = NULL;
	for (size_t i = 0; i < sizeof(jfr_kinds) / sizeof(jfr_kinds[0]) && found == NULL; i++) {
		const struct jfr_kind *kind = &jfr_kinds[i];
		bool is_it = str_eq(type->name, str_of(kind->type));
		found = is_it && (by_name || strcmp(kind->name, event) == 0) ? kind : NULL;
	}
	static const struct jfr_kind timed = {NULL, NULL, JFR_DURATION, "nanoseconds"},
				     other = {NULL, NULL, JFR_NOWHERE, "samples"};
	if (found == NULL && (!by_name || !type->has_stack)) {
		return 0;
	}
	found = found != NULL ? found : has_duration ? &timed : &other;
	bool is_state = str_eq(type->name, STR("jdk.ExecutionSample")) && !by_name;
	type->is_wanted = true;
	type->wanted = (struct jfr_wanted){
		found->value, found->value == JFR_TLAB_SIZE ? JFR_ALLOCATION_SIZE : JFR_NOWHERE,
		is_state,
		state->options->annotate && found->name != NULL &&
			strcmp(found->name, "alloc") == 0};
	state->unit = found->unit;
	return jfr_compile(&state->file, &state->tables.metadata, type);
}

/** Convert a time to another unit, and round it. `from` and `to` are the numbers of these units in
 * a second. Their product must fit into 64 bits. If the result has more than 63 bits, return
 * UINT64_MAX. */
static uint64_t jfr_scale(uint64_t time, uint64_t from, uint64_t to) {
	uint64_t whole = time / from, part = time % from;
	return whole >= INT64_MAX / to ? UINT64_MAX : whole * to + (part * to + from / 2) / from;
}

/** Count a stack in the profile. `timed`: its times were added before. */
static void jfr_add_stack(struct jfr_state *state, const uint32_t *frames, size_t n,
			  const struct jfr_sum *sum, bool timed) {
	struct profile *profile = state->run->profile;
	if (profile_wants_values(profile) && strcmp(state->unit, "samples") != 0) {
		profile_next_value(profile, STR("samples"), STR("count"), sum->samples);
		profile_next_value(profile, str_of(state->unit), str_of(state->unit), sum->value);
	}
	uint64_t count = state->counts_samples ? sum->samples : sum->value;
	if (count > 0 || profile_wants_values(profile)) {
		(timed ? profile_add_timed : profile_add)(profile, frames, n, count);
	}
}

/** For --annotate: the total of a frame with its callers, and the totals of some kinds. */
struct jfr_node {
	uint64_t total, inlined, c1, interpreted;
};

/** Frames as a tree, for --annotate. The key of a node is its caller, its name and its kind. */
struct jfr_tree {
	struct intern keys;
	struct jfr_node *nodes;
	size_t n, capacity;
};

/** Return the node of a frame. All frames of a Java method with the same callers share a node, for
 * interpreted and for compiled code. */
static struct jfr_node *jfr_node_of(const struct jfr_state *state, struct jfr_tree *tree,
				    uint32_t frame, uint32_t *caller, uint32_t *name, char *kind) {
	uint32_t of_kind[2];
	memcpy(of_kind, state->kinds.keys[frame]->bytes, sizeof(of_kind));
	*name = of_kind[0];
	*kind = (char)of_kind[1];
	bool is_java = *kind == JFR_INLINED || *kind == JFR_C1 || *kind == JFR_INTERPRETED;
	const uint32_t key[] = {*caller, *name, is_java ? JFR_COMPILED : of_kind[1]};
	*caller = intern_get(&tree->keys, key, sizeof(key))->id + 1;
	if (*caller > tree->n) {
		*MEM_APPEND(tree->nodes, tree->n, tree->capacity) = (struct jfr_node){0};
	}
	return &tree->nodes[*caller - 1];
}

/** Add the count of a stack to the nodes of its frames. */
static void jfr_grow_tree(const struct jfr_state *state, struct jfr_tree *tree,
			  const uint32_t *frames, size_t n, uint64_t count) {
	uint32_t caller = 0, name;
	for (size_t i = 0; i < n; i++) {
		char kind;
		struct jfr_node *node = jfr_node_of(state, tree, frames[i], &caller, &name, &kind);
		node->total += count;
		node->inlined += kind == JFR_INLINED ? count : 0;
		node->c1 += kind == JFR_C1 ? count : 0;
		node->interpreted += kind == JFR_INTERPRETED ? count : 0;
	}
}

/** Return the kind of a method that ran in several ways, by the rules of jfrconv. The kind is
 * inlined if at least a third of the total was inlined. The kind is C1 or interpreted if at least
 * half of the total was. */
static char jfr_kind_of(const struct jfr_node *node) {
	uint64_t third = node->total / 3 + (node->total % 3 > 0),
		 half = node->total / 2 + node->total % 2;
	return node->inlined >= third      ? JFR_INLINED
	       : node->c1 >= half          ? JFR_C1
	       : node->interpreted >= half ? JFR_INTERPRETED
					   : JFR_COMPILED;
}

/** Replace the frames of a stack by frames whose names show their kinds. */
static void jfr_annotate(struct jfr_state *state, struct jfr_tree *tree, const uint32_t *frames,
			 size_t n) {
	uint32_t caller = 0, name;
	state->stack.n = 0;
	for (size_t i = 0; i < n; i++) {
		char kind;
		const struct jfr_node *node =
			jfr_node_of(state, tree, frames[i], &caller, &name, &kind);
		kind = kind == JFR_OTHER || kind == JFR_KERNEL ? kind : jfr_kind_of(node);
		buf_set_str(&state->text, profile_name(state->run->profile, name));
		if (kind != JFR_OTHER) {
			buf_printf(&state->text, "_[%c]", kind);
		}
		ids_push(&state->stack,
			 text_frame(state->run, &state->names, buf_str(&state->text)));
	}
}

/** Count the stacks that were kept until the end. Times are kept, because they are rounded only
 * once for each stack. With --annotate, frames are kept, because their kinds depend on all
 * samples. */
static void jfr_add_kept(struct jfr_state *state) {
	const uint64_t second = 1000000000;
	struct jfr_sums *kept = &state->kept;
	struct jfr_tree tree = {0};
	bool is_time = strcmp(state->unit, "nanoseconds") == 0, annotate = state->options->annotate;
	struct profile *profile = state->run->profile;
	bool timed = profile_wants_times(profile) && !annotate;
	if (profile_wants_times(profile)) { // frames with kinds have no times
		profile_at_no_time(profile);
	}
	for (uint32_t i = 0; i < kept->keys.count; i++) {
		const struct intern_key *key = kept->keys.keys[i];
		struct jfr_sum *sum = &kept->items[i];
		if (is_time) {
			sum->value = jfr_scale(sum->value, state->ticks_a_second, second);
			state->run->profile->overflow |= sum->value == UINT64_MAX;
		}
		if (annotate) {
			jfr_grow_tree(state, &tree, (const uint32_t *)(const void *)key->bytes,
				      key->len / sizeof(uint32_t),
				      state->counts_samples ? sum->samples : sum->value);
		}
	}
	for (uint32_t i = 0; i < kept->keys.count; i++) {
		const struct intern_key *key = kept->keys.keys[i];
		const uint32_t *frames = (const uint32_t *)(const void *)key->bytes;
		size_t n = key->len / sizeof(uint32_t);
		if (annotate) {
			jfr_annotate(state, &tree, frames, n);
			frames = state->stack.items;
		}
		jfr_add_stack(state, frames, n, &kept->items[i], timed);
	}
	intern_release(&tree.keys);
	free(tree.nodes);
	intern_release(&kept->keys);
	kept->n = 0;
}

/** Convert the kept times to the unit of this chunk's clock. */
static void jfr_set_clock(struct jfr_state *state) {
	const uint64_t second = 1000000000;
	uint64_t before = state->ticks_a_second, now = state->file.chunk.ticks_a_second;
	for (size_t i = 0; i < state->kept.n && before != now; i++) {
		uint64_t *time = &state->kept.items[i].value;
		uint64_t scaled = jfr_scale(*time, before, second);
		scaled = scaled == UINT64_MAX ? scaled : jfr_scale(scaled, second, now);
		state->run->profile->overflow |= scaled == UINT64_MAX;
		*time = scaled == UINT64_MAX ? 0 : scaled;
	}
	state->ticks_a_second = now;
}

/** Put the frames of a sample on the stack. Return the same as jfr_name_method(). */
static const char *jfr_push_sample(struct jfr_state *state, const uint64_t *key) {
	state->stack.n = 0;
	jfr_push_labels(state, key[JFR_KEY_THREAD]);
	const char *missing = jfr_push_stack(state, key[JFR_KEY_STACK]);
	if (missing == NULL &&
	    !jfr_push_class(state, key[JFR_KEY_CLASS], key[JFR_KEY_IN_TLAB] != 0)) {
		missing = "class";
	}
	if (state->stack.n == state->options->label_frames.n) {
		jfr_push_frame(state, STR("[unknown]"), JFR_OTHER);
	}
	return missing;
}

/** Convert ticks of the chunk's clock to a time in nanoseconds. */
static uint64_t jfr_time(const struct jfr_chunk *chunk, uint64_t ticks) {
	const uint64_t second = 1000000000;
	uint64_t since = ticks < chunk->start_ticks ? 0 : ticks - chunk->start_ticks,
		 time = jfr_scale(since, chunk->ticks_a_second, second);
	return chunk->start > INT64_MAX || time > INT64_MAX - chunk->start ? INT64_MAX
									   : chunk->start + time;
}

/** Set the time and the thread of the next stack. */
static void jfr_set_time(struct jfr_state *state, const uint64_t *key) {
	uint64_t time = jfr_time(&state->file.chunk, key[JFR_KEY_START]);
	buf_clear(&state->text);
	jfr_add_thread(state, &state->text, key[JFR_KEY_THREAD]);
	profile_during(state->run->profile, buf_str(&state->text), time, time);
}

/** Add the times of an event with a duration. The count of such an event is kept until the end. */
static void jfr_add_span(struct jfr_state *state, const uint64_t *key, const struct jfr_sum *sum) {
	const uint64_t second = 1000000000;
	struct profile *profile = state->run->profile;
	uint64_t from = jfr_time(&state->file.chunk, key[JFR_KEY_START]),
		 lasts = jfr_scale(sum->value, state->ticks_a_second, second);
	uint64_t to = lasts > INT64_MAX - from ? INT64_MAX : from + lasts;
	uint64_t weight = state->counts_samples ? sum->samples : lasts;
	uint32_t stack = profile_stack(profile, state->stack.items, state->stack.n);
	buf_clear(&state->text);
	jfr_add_thread(state, &state->text, key[JFR_KEY_THREAD]);
	if (stack != STACKS_NONE) {
		time_buckets_weigh(profile->time_buckets, stack, buf_str(&state->text), from, to,
				   weight > 0 ? weight : 1);
	}
}

/** Count a sample, or keep it for jfr_add_kept(). */
static void jfr_add_sample(struct jfr_state *state, const uint64_t *key, const struct jfr_sum *sum,
			   bool is_time) {
	if (is_time || state->options->annotate) {
		if (profile_wants_times(state->run->profile) && !state->options->annotate) {
			jfr_add_span(state, key, sum);
		}
		jfr_add_sum(state,
			    jfr_sum_of(&state->kept, state->stack.items,
				       state->stack.n * sizeof(uint32_t)),
			    sum->samples, sum->value);
		return;
	}
	if (profile_wants_times(state->run->profile)) {
		jfr_set_time(state, key);
	}
	jfr_add_stack(state, state->stack.items, state->stack.n, sum, false);
}

static int jfr_compare_times(const void *a, const void *b) {
	uint64_t first = ((const uint64_t *)a)[0], second = ((const uint64_t *)b)[0];
	return (first > second) - (first < second);
}

/** Return an array of pairs: the time and the index of each sum of the chunk. If times are kept,
 * sort the array by time. The caller frees the array. */
static uint64_t (*jfr_in_order(const struct jfr_state *state))[2] {
	const struct intern *keys = &state->sums.keys;
	uint64_t(*order)[2] = mem_new(keys->count, sizeof(*order));
	for (uint32_t i = 0; i < keys->count; i++) {
		order[i][1] = i;
		if (state->is_timed) {
			order[i][0] =
				load_u64(keys->keys[i]->bytes + JFR_KEY_START * sizeof(uint64_t));
		}
	}
	if (state->is_timed) {
		qsort(order, keys->count, sizeof(*order), jfr_compare_times);
	}
	return order;
}

/** Find the stacks of the chunk's samples, and count the samples or keep them. Return 0, or -1 if
 * the run must end. */
static int jfr_count_chunk(struct jfr_state *state) {
	bool is_time = strcmp(state->unit, "nanoseconds") == 0;
	int result = 0;
	if (is_time) {
		jfr_set_clock(state);
	}
	uint64_t(*order)[2] = jfr_in_order(state);
	for (uint32_t i = 0; i < state->sums.keys.count && result == 0; i++) {
		const struct intern_key *of_sum = state->sums.keys.keys[order[i][1]];
		uint64_t key[JFR_KEY_SIZE] = {0};
		memcpy(key, of_sum->bytes, of_sum->len);
		const char *missing = jfr_push_sample(state, key);
		if (missing == NULL) {
			jfr_add_sample(state, key, &state->sums.items[order[i][1]], is_time);
		} else {
			result = run_bad(state->run, 0,
					 "chunk at byte %llu: a sample with the stack trace %llu "
					 "needs a %s that is not there",
					 (unsigned long long)state->file.chunk.at,
					 (unsigned long long)key[JFR_KEY_STACK], missing);
		}
	}
	free(order);
	return result;
}

/* --- Chunks ---------------------------------------------------------------------------------- */

static void jfr_release_tables(struct jfr_tables *tables) {
	jfr_release_pools(&tables->pools);
	jfr_release_metadata(&tables->metadata);
	intern_release(&tables->frames);
}

/** Keep the tables of this chunk for the next one, and forget the rest. */
static void jfr_end_chunk(struct jfr_state *state) {
	jfr_release_tables(&state->earlier);
	jfr_swap_tables(state);
	state->earlier_end = state->file.chunk.stop;
	intern_release(&state->sums.keys);
	state->sums.n = 0;
	state->file.window.n = 0;
}

/** Remember the names of the chunk's events with stacks, for the message about a file without
 * counted events. */
static void jfr_note_events(struct jfr_state *state) {
	for (size_t i = 0; i < state->tables.metadata.types_n; i++) {
		const struct jfr_type *type = &state->tables.metadata.types[i];
		if (type->has_stack && type->events > 0) {
			intern_get(&state->others, type->name.p, type->name.n)->value +=
				type->events;
		}
	}
}

static int jfr_read_chunk(struct jfr_state *state) {
	struct jfr_file *file = &state->file;
	if (file->chunk.start != state->earlier_end) { // another recording, with ids of its own
		jfr_release_tables(&state->earlier);
	}
	int result = jfr_read_metadata(file, &state->tables.metadata);
	result = result == 0 ? jfr_read_pools(file, &state->tables.metadata, &state->tables.pools)
			     : -1;
	if (result == 0) {
		jfr_look_at_pools(state);
	}
	for (size_t i = 0; i < state->tables.metadata.types_n && result == 0; i++) {
		result = jfr_want(state, &state->tables.metadata.types[i]);
	}
	result = result == 0 ? jfr_read_events(state) : -1;
	result = result == 0 ? jfr_count_chunk(state) : -1;
	jfr_note_events(state);
	jfr_end_chunk(state);
	return result;
}

static int jfr_read_chunks(struct jfr_state *state) {
	size_t finished = 0, unfinished = 0;
	for (uint64_t at = 0; at < state->file.size;) {
		enum jfr_found found = jfr_read_header(&state->file, at);
		if (found == JFR_FAILED) {
			return -1;
		}
		if (found == JFR_CHUNK) {
			if (jfr_read_chunk(state) != 0) {
				return -1;
			}
			finished++;
			at = state->file.chunk.end;
		} else {
			at++;
		}
		if (found == JFR_UNFINISHED || state->file.chunk.open) {
			unfinished++;
			if (jfr_find_chunk(&state->file, &at) != 0) {
				return -1;
			}
		}
	}
	if (unfinished == 0) {
		return 0;
	}
	return finished == 0
		       ? diag_error(state->file.diag,
				    "%s: byte 0: the recording has only unfinished chunks",
				    input_name(state->file.input))
		       : run_warn(state->run, 0, "left out the unfinished part of %zu chunk%s",
				  unfinished, unfinished == 1 ? "" : "s");
}

/* --- The collapser --------------------------------------------------------------------------- */

/** Check that the events have the value that the user has asked for. */
static int jfr_check_value(const struct jfr_state *state) {
	const char *wanted = state->options->count;
	bool has_other = strcmp(state->unit, "samples") != 0;
	return wanted == NULL || state->counts_samples || strcmp(wanted, state->unit) == 0
		       ? 0
		       : diag_error(state->file.diag,
				    "%s: the events have no value '%s'; they count samples%s%s",
				    input_name(state->file.input), quote(str_of(wanted)).text,
				    has_other ? " and " : "", has_other ? state->unit : "");
}

/** Add the names and numbers of events with stacks to a message. */
static void jfr_list_events(const struct jfr_state *state, struct buf *text) {
	for (uint32_t i = 0; i < state->others.count; i++) {
		const struct intern_key *key = state->others.keys[i];
		buf_printf(text, "%s%s (%llu)", text->n > 0 ? ", " : "",
			   quote((struct str){key->bytes, key->len}).text,
			   (unsigned long long)key->value);
	}
}

static int jfr_read(void *memory, struct input *input, struct diag *diag) {
	struct jfr_state *state = memory;
	state->file.run = state->run;
	state->file.input = input;
	state->file.diag = diag;
	if (input_make_seekable(input) != 0) {
		return -1;
	}
	state->file.size = input_seekable_size(input);
	buf_set_text(&state->name, input_name(input));
	int result = jfr_read_chunks(state);
	result = result == 0 ? jfr_check_value(state) : -1;
	if (result == 0 && state->negative.samples > 0) {
		result = run_warn(state->run, 0, "left out %llu negative values, -%llu in all",
				  (unsigned long long)state->negative.samples,
				  (unsigned long long)state->negative.value);
		state->negative = (struct jfr_sum){0, 0};
	}
	struct buf list = {0};
	jfr_list_events(state, &list);
	run_notice(state->run, NOTICE_NOTE, 0, "events with stacks: %s", buf_text(&list));
	buf_release(&list);
	jfr_release_tables(&state->earlier);
	return result;
}

static void jfr_init(void *memory) {
	struct jfr_state *state = memory;
	const struct jfr_options *options = state->options;
	state->event = options->event != NULL ? options->event : "cpu";
	const struct profile *profile = state->run->profile;
	state->is_timed = profile_wants_times(profile) || profile->form == PROFILE_TIMELINE;
	state->counts_samples = options->count != NULL && strcmp(options->count, "samples") == 0;
	state->unit = "samples";
	state->ticks_a_second = 1;
	for (size_t i = 0; i < sizeof(jfr_kinds) / sizeof(jfr_kinds[0]); i++) {
		const struct jfr_kind *kind = &jfr_kinds[i];
		if (strcmp(kind->name, state->event) == 0 ||
		    strcmp(kind->type, state->event) == 0) {
			state->unit = kind->unit;
		}
	}
}

/** Refuse text, because a recording is binary. */
static int jfr_block(void *memory, const struct block *block) {
	struct jfr_state *state = memory;
	return block->bytes.n == 0
		       ? 0
		       : run_error(state->run, 1, "not a recording of Java Flight Recorder");
}

/** If no event was counted, report which events the recording has. */
static int jfr_decide(void *const *states, size_t n, struct diag *diag) {
	struct jfr_state *state = states[0];
	struct buf list = {0};
	int result = 0;
	(void)n;
	jfr_list_events(state, &list);
	if (state->run->samples == 0 && list.n > 0) {
		result = diag_error(
			diag, "%s: no event counts as '%s'; choose others with --event: %s",
			buf_text(&state->name), quote(str_of(state->event)).text, buf_text(&list));
	}
	buf_release(&list);
	return result;
}

static void jfr_finish(void *memory) {
	jfr_add_kept(memory);
}

static void jfr_find_unit(const void *memory, struct buf *unit) {
	const struct jfr_state *state = memory;
	buf_add_text(unit, state->counts_samples ? "samples" : state->unit);
}

static void jfr_release(void *memory) {
	struct jfr_state *state = memory;
	jfr_release_tables(&state->tables);
	jfr_release_tables(&state->earlier);
	intern_release(&state->sums.keys);
	intern_release(&state->kept.keys);
	free(state->kept.items);
	intern_release(&state->kinds);
	free(state->sums.items);
	free(state->cpu_states.items);
	intern_release(&state->others);
	memo_release(&state->names);
	ids_release(&state->stack);
	buf_release(&state->file.window);
	buf_release(&state->text);
	buf_release(&state->name);
}

static int jfr_sniff_read(struct str start) {
	enum { MAGIC = 5 };
	return str_starts(start, (struct str){"FLR\0\0", MAGIC}) ? SNIFF_MAGIC : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_TEXT(struct jfr_options, event), .name = "event", .value = "NAME",
	 .help = "which events to count: cpu (the default), wall, alloc, live, lock, nativemem, "
		 "nativelock, trace, or a type such as jdk.ThreadPark"},
	{OPT_IS_TEXT(struct jfr_options, count), .name = "count", .value = "VALUE",
	 .help = "count 'samples', 'bytes' or 'nanoseconds'; by default, count what the events "
		 "measure, or samples if they measure nothing"},
	{OPT_IS_LIST(struct jfr_options, label_frames), .name = "label-frames", .value = "KEY",
	 .help = "add the name of the thread as a root frame; the only KEY is thread"},
	{OPT_IS_BOOL(struct jfr_options, annotate), .name = "annotate",
	 .help = "mark the kinds of frames: _[0] interpreted, _[1] compiled by C1, _[j] compiled "
		 "otherwise, _[i] inlined, _[k] kernel"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"event", "cpu", "cpu", NULL},
	{"event", "wall", "wall", NULL},
	{"event", "alloc", "alloc", NULL},
	{"event", "live", "live", NULL},
	{"event", "lock", "lock", NULL},
	{"event", "nativemem", "nativemem", NULL},
	{"event", "nativelock", "nativelock", NULL},
	{"event", "trace", "trace", NULL},
	{"count", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"java -XX:StartFlightRecording=filename=app.jfr -jar app.jar", "record a Java program"},
	{"inferno collapse jfr app.jfr > app.folded", "fold its CPU samples"},
	{"inferno collapse jfr --event alloc app.jfr", "count allocated bytes"},
	{NULL, NULL},
};

const struct collapser collapse_jfr = {
	.name = "jfr",
	.brief = "fold recordings of Java Flight Recorder, async-profiler",
	.about = "Reads the recordings that the JDK (from 11) and async-profiler write, without a "
		 "JVM. The count is the number of CPU samples, or with --event, what the events of "
		 "that kind measure: allocated bytes, or nanoseconds of waiting. The class of an "
		 "object or a lock is the leaf. If the recording has no CPU samples, a message "
		 "names its other events; with -v, a message always names them. The unfinished "
		 "part of a chunk is left out with a warning.",
	.examples = examples,
	.options = {options, sizeof(struct jfr_options)},
	.values = values,
	.state_size = sizeof(struct jfr_state),
	.init = jfr_init,
	.sniff_read = jfr_sniff_read,
	.read = jfr_read,
	.block = jfr_block,
	.decide = jfr_decide,
	.find_unit = jfr_find_unit,
	.finish = jfr_finish,
	.release = jfr_release,
	.tallies = {[JFR_NO_STACK] = "left out samples without a stack trace"},
	.expects = "a recording of Java Flight Recorder, with samples",
};
